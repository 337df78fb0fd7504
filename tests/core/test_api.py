"""HTTP: ``/ask``, ``/health`` and what the viewer fetches; the same answers as the facade's and the command line's."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.testclient import TestClient

from core import api, cli, components, embed, home, payload
from core import workspace as workspaces
from core.errors import ModelUnavailable
from core.filters import EVERYTHING, from_json
from core.ingest import Upload
from core.settings import ChunkSettings, SearchSettings
from tests.core.drops import sidecar, text
from tests.fakes import BagEncoder

PUMP = "🚀 The north pump failed in May. It was replaced at once. Costs were low."
VALVE = "The south valve held in June. Nobody noticed the pump. The shift ended early."
QUESTION = "Which pump failed?"


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """An empty workspace that the environment names, with the tiny encoder."""
    path = tmp_path / "served.duckdb"
    monkeypatch.setenv(home.VARIABLE, str(path))
    yield workspaces.open(path, lambda name: BagEncoder())
    workspaces.close(path)


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Three documents in a workspace that all tests read and none changes."""
    path = tmp_path_factory.mktemp("served") / "w.duckdb"
    opened = workspaces.open(path, lambda name: BagEncoder())
    opened.add(
        [
            text("pump.txt", PUMP),
            sidecar("pump.txt", category="report", tags=["north", "may"], published_at="2026-03-12", year=2023),
            text("valve.txt", VALVE),
            sidecar("valve.txt", category="log", tags=["south", "may"], published_at="2026-06-01", year=2024),
            text("bare.txt", "A pump without anything known about it."),
        ],
        ChunkSettings(),
    )
    yield opened
    workspaces.close(path)


@pytest.fixture
def served(stored, monkeypatch):
    """That workspace, named by the environment."""
    monkeypatch.setenv(home.VARIABLE, stored.location)
    return stored


@pytest.fixture
def client():
    """A client that sees a fault of ours as an error, not as a status."""
    return TestClient(Starlette(routes=api.routes))


def ask(client, **body):
    answer = client.post("/ask", json={"question": QUESTION, **body})
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client, status=422, raw=None, **body):
    answer = (
        client.post("/ask", content=raw)
        if raw is not None
        else client.post("/ask", json={"question": QUESTION, **body})
    )
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}
    assert answer.json()["error"]
    return answer.json()["error"]


def names(answer):
    return {source["name"] for source in answer["sources"]}


# ── /ask ─────────────────────────────────────────────────────────────────────────────────────────


def test_an_answer_has_exactly_the_promised_shape(served, client):
    answer = ask(client)
    assert set(answer) == {"question", "answer", "sources"}
    assert answer["question"] == QUESTION
    promised = {"rank", "doc_id", "name", "ordinal", "start", "end", "text", "window", "score", "distance", "metadata"}
    for source in answer["sources"]:
        assert promised <= set(source) <= promised | {"id"}
        assert set(source["window"]) == {"start", "end", "text"}
    assert [source["rank"] for source in answer["sources"]] == [1, 2, 3, 4, 5]


def test_sources_slice_back_to_the_text(served, client):
    for source in ask(client, window=1)["sources"]:
        body = served.preview(source["doc_id"], ChunkSettings())[0].document.text
        window = source["window"]
        assert body[source["start"] : source["end"]] == source["text"]
        assert body[window["start"] : window["end"]] == window["text"]
        assert window["start"] <= source["start"] < source["end"] <= window["end"]


def test_the_best_sentence_answers_and_is_cited(served, client):
    answer = ask(client, question="north pump failed in May")
    assert answer["sources"][0]["text"] == "🚀 The north pump failed in May."
    assert answer["answer"].startswith("🚀 The north pump failed in May. [1]")
    assert answer["sources"][0]["metadata"] == {
        "category": "report", "tags": ["north", "may"], "published_at": "2026-03-12T00:00:00Z", "year": 2023,
    }  # fmt: skip
    assert answer["sources"][0]["distance"] == pytest.approx(1 - answer["sources"][0]["score"])


def test_k_and_window_are_5_and_2_unless_given(served, client):
    assert ask(client) == ask(client, k=5, window=2)
    assert len(ask(client, k=1)["sources"]) == 1
    first = ask(client, k=1, window=0)["sources"][0]
    assert (first["start"], first["end"]) == (first["window"]["start"], first["window"]["end"])


def test_the_answer_is_the_facades(served, client):
    condition = {"any": [{"year": 2023}, {"field": "category", "op": "is_null"}]}
    found = served.search(QUESTION, SearchSettings(4, 1, 0.9), from_json(condition)).hits
    answer = ask(client, k=4, window=1, max_distance=0.9, filter=condition)
    assert [(s["doc_id"], s["ordinal"], s["score"]) for s in answer["sources"]] == [
        (hit.doc_id, hit.node.ordinal, hit.score) for hit in found
    ]
    assert found


def test_the_answer_is_the_command_lines(served, client, capsys):
    condition = {"category": "report"}
    assert cli.main(["search", QUESTION, "--json", "--k", "3", "--window", "1", "--filter", json.dumps(condition)]) == 0
    assert ask(client, k=3, window=1, filter=condition)["sources"] == json.loads(capsys.readouterr().out)["hits"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"category": "report"}, {"pump.txt"}),
        ({"category": "none"}, set()),
        ({"tags": ["may"]}, {"pump.txt", "valve.txt"}),
        ({"tags": ["may", "south"]}, {"valve.txt"}),
        ({"tags": ["north", "south"]}, set()),
        ({"tags": []}, {"pump.txt", "valve.txt", "bare.txt"}),
        ({"after": "2026-03-12"}, {"pump.txt", "valve.txt"}),
        ({"after": "2026-03-12T00:00:01Z"}, {"valve.txt"}),
        ({"after": "2026-03-13"}, {"valve.txt"}),
        ({"after": "2027-01-01"}, set()),
        ({"filter": {"year": 2023}}, {"pump.txt"}),
        ({"filter": {"not": {"year": 2023}}}, {"valve.txt", "bare.txt"}),
        ({"filter": {"year": 2023}, "category": "log"}, set()),
        ({"filter": {"any": [{"year": 2023}, {"year": 2024}]}, "tags": ["may"], "after": "2026-05-01"}, {"valve.txt"}),
        ({"filter": {"any": [{"year": 2023}, {"year": 2024}]}, "category": "report", "tags": ["may"], "after": "2026-01-01"}, {"pump.txt"}),
        ({"filter": None, "category": None, "tags": None, "after": None, "max_distance": None}, {"pump.txt", "valve.txt", "bare.txt"}),
        ({"filter": {}}, {"pump.txt", "valve.txt", "bare.txt"}),
    ],
)  # fmt: skip
def test_conditions_are_joined_by_and(served, client, given, expected):
    assert names(ask(client, k=20, **given)) == expected


def test_a_filter_that_matches_nothing_gives_no_answer(served, client):
    answer = ask(client, category="none")
    assert answer["sources"] == []
    assert answer["answer"] == ""


def test_a_distance_limit_leaves_out_what_is_further(served, client):
    distances = [source["distance"] for source in ask(client, k=20)["sources"]]
    limit = distances[1]
    assert [s["distance"] for s in ask(client, k=20, max_distance=limit)["sources"]] == [
        d for d in distances if d <= limit + 1e-5
    ]
    assert len(ask(client, k=20, max_distance=2)["sources"]) == len(distances)
    assert ask(client, max_distance=0)["sources"] == []


@pytest.mark.parametrize(
    "body", [{"k": 1}, {"k": 20}, {"window": 0}, {"window": 10}, {"max_distance": 0}, {"max_distance": 2}]
)
def test_bounds_are_closed(served, client, body):
    ask(client, **body)


@pytest.mark.parametrize(
    "question", ["x", "x" * 2000, "🚀" * 2000, "'; DROP TABLE documents; --", "\u0000", "<b>$x$</b>"]
)
def test_questions_of_1_to_2000_characters_are_asked(served, client, question):
    assert ask(client, question=question)["question"] == question


@pytest.mark.parametrize(
    "body",
    [
        {"question": ""}, {"question": "   \n"}, {"question": "x" * 2001}, {"question": None}, {"question": 5}, {"question": ["x"]},
        {"k": 0}, {"k": 21}, {"k": -1}, {"k": "5"}, {"k": 2.5}, {"k": True}, {"k": None}, {"k": 10**30},
        {"window": -1}, {"window": 11}, {"window": "2"},
        {"max_distance": -0.01}, {"max_distance": 2.01}, {"max_distance": "1"},
        {"tags": "may"}, {"tags": [1]}, {"category": 5}, {"category": ["log"]}, {"after": 2026},
        {"after": "yesterday"}, {"after": "2026-13-01"}, {"after": ""},
        {"filter": "x"}, {"filter": []}, {"filter": 1},
        {"filter": {"nope": 1}}, {"filter": {"year": "2023"}}, {"filter": {"year": None}}, {"filter": {"year": {"gt": 3}}},
        {"filter": {"field": "year", "op": "~", "value": 3}}, {"filter": {"field": "year", "op": "between", "value": [3]}},
        {"filter": {"field": "year", "op": "between", "value": [3, 1]}}, {"filter": {"all": 5}}, {"filter": {"category": "log", "any": []}},
        {"filter": {"field": "category", "op": "matches", "value": "("}},
        {"filter": {"field": 3}}, {"filter": {"year": 2**70}},
        {"surprise": 1}, {"Question": "x"},
    ],
)  # fmt: skip
def test_what_is_out_of_bounds_is_refused_with_a_message(served, client, body):
    refused(client, **body)


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"{", b"[]", b"null", b'"question"', b"{}", b"\xff\xfe", b'{"question": "a" "k": 1}', b'{"question": "x", "max_distance": NaN}',
        b'{"question": "x", "max_distance": Infinity}', b'{"question": "\\ud83d"}', b'{"question": "x", "category": "\\ud83d"}',
        b'{"question": "x", "tags": ["\\udc00"]}', b'{"question": "x", "filter": {"category": "\\ud800"}}',
        b'{"question": "x", "filter": {"\\ud800": 1}}', b'{"question": "x", "after": "\\ud800"}', b'{"question": "x", "k": 1' + b"0" * 5000 + b"}",
        b'{"question": "x", "filter": ' + b'{"not": ' * 3000 + b"{}" + b"}" * 3000 + b"}",
        b'{"question": "x", "filter": ' + b'{"not": ' * 150 + b"{}" + b"}" * 150 + b"}",
    ],
    ids=range(19),
)  # fmt: skip
def test_a_body_that_is_no_request_is_refused_with_a_message(served, client, raw):
    refused(client, raw=raw)


def test_messages_name_what_is_wrong(served, client):
    assert "k" in refused(client, k=21)
    assert "20" in refused(client, k=21)
    assert "surprise" in refused(client, surprise=1)
    assert "2000" in refused(client, question="x" * 2001)
    assert "Did you mean 'category'" in refused(client, filter={"catgory": "x"})
    assert "'published_at' holds an ISO date" in refused(client, after="yesterday")


def test_a_huge_body_is_refused_before_it_has_been_read(served, client):
    read = []

    def pieces():
        for number in range(50):
            read.append(number)
            yield b"x" * 30_000

    assert "up to 100,000 bytes" in refused(client, 413, raw=b'{"question": "' + b"x" * 200_000 + b'"}')
    assert "up to 100,000 bytes" in refused(client, 413, raw=pieces())


def test_an_empty_workspace_says_what_to_do(empty, client):
    assert "no index yet. Add a document first." in refused(client, 404)


def test_a_model_that_is_not_there_is_no_fault_of_ours(served, client, monkeypatch):
    def gone(name):
        raise ModelUnavailable("The model is gone.", "Bring it back.")

    monkeypatch.setattr(served, "encoders", gone)
    assert refused(client, 503, question="never asked before") == "The model is gone. Bring it back."


def test_a_workspace_that_cannot_be_opened_is_told(tmp_path, client, monkeypatch):
    path = tmp_path / "letter.txt"
    path.write_text("no database" * 100)
    monkeypatch.setenv(home.VARIABLE, str(path))
    assert "is not a workspace" in refused(client, 503)
    assert client.get("/health").status_code == 503


@pytest.mark.parametrize(("method", "path"), [("GET", "/ask"), ("PUT", "/ask"), ("POST", "/health")])
def test_other_methods_are_not_allowed(served, client, method, path):
    assert client.request(method, path).status_code == 405


# ── /health ──────────────────────────────────────────────────────────────────────────────────────


def test_health_tells_what_is_open(served, client):
    answer = client.get("/health").json()
    assert answer["status"] == "ok"
    assert (answer["documents"], answer["nodes"]) == (3, 7)
    assert Path(answer["workspace"]) == Path(served.location)


# ── what the viewer fetches ──────────────────────────────────────────────────────────────────────


@pytest.fixture
def pump(served):
    return served.document("pump.txt")


def cut(body, start, end):
    return body.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


def test_a_text_comes_with_sentences_in_utf_16_units(served, client, pump):
    answer = client.get(api.text_url(served, pump.id, pump.version, "all-MiniLM-L6-v2"))
    found = answer.json()
    pairs = zip(found["sentences"][::2], found["sentences"][1::2], strict=True)
    assert found["text"] == PUMP
    assert [cut(PUMP, *pair) for pair in pairs] == [
        "🚀 The north pump failed in May.",
        "It was replaced at once.",
        "Costs were low.",
    ]
    assert "immutable" in answer.headers["cache-control"]


def test_nodes_come_with_spans_in_utf_16_units(served, client, pump):
    settings = ChunkSettings(2, 1, 1)
    found = client.get(api.nodes_url(served, pump.id, pump.version, settings, "bag")).json()
    rows = [found["nodes"][at : at + 6] for at in range(0, len(found["nodes"]), 6)]
    assert [(cut(PUMP, r[0], r[1]), r[2], r[3]) for r in rows] == [
        ("🚀 The north pump failed in May. It was replaced at once.", 0, 1),
        ("It was replaced at once. Costs were low.", 1, 2),
    ]
    assert [cut(PUMP, r[4], r[5]) for r in rows] == [PUMP, PUMP]


def test_where_the_model_stops_reading_a_node_is_told(empty, client):
    empty.add([Upload("long.txt", ("word " * 40 + "end. ").encode() * 7 + b"Short one.")], ChunkSettings())
    info = empty.document("long.txt")
    found = client.get(api.tokens_url(empty, info.id, info.version, ChunkSettings(7), "bag")).json()
    assert found["nodes"][0] > found["truncates_at"] == 256
    assert list(found["lost"]) == ["0"]
    body = empty.store.passage(info.id).document.text
    assert len(body[: found["lost"]["0"]].split()) == 254, "256 with the two special ones"


def test_an_address_that_leads_nowhere_is_404(served, client, pump):
    good = api.text_url(served, pump.id, pump.version, "bag")
    key = api.workspace_key(served)
    assert client.get(good).status_code == 200
    for wrong in (
        good.replace(key, "000000000000"),
        good.replace(pump.id, "nope"),
        good.replace(pump.version, "0" * 32),
        good.replace("model=bag", "model=/etc"),
        good.replace("model=bag", "model=someone/large-model"),
        api.nodes_url(served, "nope", pump.version, ChunkSettings(), "bag"),
        api.nodes_url(served, pump.id, "0" * 32, ChunkSettings(), "bag"),
        api.nodes_url(served, pump.id, pump.version, ChunkSettings(), "someone/large-model"),
        api.tokens_url(served, pump.id, pump.version, ChunkSettings(), "someone/large-model"),
    ):
        answer = client.get(wrong)
        assert answer.status_code == 404, wrong
        assert answer.json()["error"]


@pytest.mark.parametrize(
    "query",
    ["size=0", "size=x", "size=", "size=2&overlap=2", "overlap=1", "overlap=-1", "embed_around=-1", "size=1.5", "size=²", "size=1" + "0" * 5000],
)  # fmt: skip
def test_settings_that_fit_nothing_are_422(served, client, pump, query):
    answer = client.get(f"/api/nodes/{api.workspace_key(served)}/{pump.id}/{pump.version}?{query}")
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_the_address_changes_with_the_text(empty, client):
    empty.add([text("pump.txt", PUMP)], ChunkSettings())
    old = empty.document("pump.txt")
    assert client.get(api.text_url(empty, old.id, old.version, "bag")).json()["text"] == PUMP
    empty.add([text("pump.txt", "Another text.")], ChunkSettings())
    new = empty.document("pump.txt")
    assert client.get(api.text_url(empty, new.id, new.version, "bag")).json()["text"] == "Another text."
    assert new.version != old.version


def test_a_model_with_signs_in_its_name_can_be_addressed(served, pump, client):
    url = api.text_url(served, pump.id, pump.version, "a/b?c&d=e#f")
    assert url.count("?") == 1
    assert "#" not in url
    assert client.get(url).status_code == 404, "no index uses it"


def test_two_workspaces_have_addresses_of_their_own(served, tmp_path, client, pump):
    other = workspaces.open(tmp_path / "other.duckdb", lambda name: BagEncoder())
    other.add([text("pump.txt", PUMP + " More.")], ChunkSettings())
    info = other.document("pump.txt")
    try:
        assert api.workspace_key(other) != api.workspace_key(served)
        assert client.get(api.text_url(other, info.id, info.version, "bag")).json()["text"] == PUMP + " More."
        assert client.get(api.text_url(served, pump.id, pump.version, "bag")).json()["text"] == PUMP
    finally:
        workspaces.close(tmp_path / "other.duckdb")
    assert client.get(api.text_url(other, info.id, info.version, "bag")).status_code == 404


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_every_request_is_answered_whole_also_behind_compression(served, pump, encoding):
    """Middleware that compresses a response writes into its headers: the next one must have its own."""
    app = Starlette(routes=api.routes, middleware=[Middleware(GZipMiddleware, minimum_size=1)])
    client = TestClient(app, headers={"accept-encoding": encoding})
    for url in (
        api.text_url(served, pump.id, pump.version, "bag"),
        api.nodes_url(served, pump.id, pump.version, ChunkSettings(2, 1), "bag"),
        api.tokens_url(served, pump.id, pump.version, ChunkSettings(2, 1), "bag"),
        f"{api.about_url(served, pump.id, pump.version, served.index())}&node=0",
    ):
        first, second = client.get(url), client.get(url)
        assert first.json() == second.json()
        plain = client.get(url, headers={"accept-encoding": "identity"})
        assert plain.headers["content-length"] == str(len(plain.content))


def test_a_model_that_is_loaded_but_not_yet_used_may_be_asked_for(served, client, pump, monkeypatch):
    url = api.text_url(served, pump.id, pump.version, "fresh")
    assert client.get(url).status_code == 404
    monkeypatch.setitem(embed._opened, "fresh", BagEncoder())
    assert client.get(url).status_code == 200


def test_ask_takes_posts_alone(served, client):
    answer = client.get("/ask")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    "settings", [ChunkSettings(), ChunkSettings(3, 1), ChunkSettings(2, 1, 1)], ids=lambda s: s.name
)
def test_tokens_of_nodes_are_those_of_what_is_embedded(served, client, settings):
    """They are added up from sentences; with a model of whole words the sum is exact."""
    info = next(d for d in served.documents() if d.name == "pump.txt")
    found = client.get(api.tokens_url(served, info.id, info.version, settings, "bag")).json()
    passage, nodes = served.preview(info.id, settings)
    body, count = passage.document.text, BagEncoder().count_tokens
    assert found["nodes"] == count([body[n.embedded.start : n.embedded.end] for n in nodes])
    assert (found["own"] or found["nodes"]) == count([body[n.start : n.end] for n in nodes])
    assert [tokens + found["special"] for tokens in found["sentences"]] == count(
        [body[s.start : s.end] for s in passage.sentences]
    )


def test_what_is_known_about_a_node_is_told(served, client, pump):
    url = api.about_url(served, pump.id, pump.version, served.index())
    found = client.get(f"{url}&node=1").json()
    assert found["metadata"] == {
        "category": "report", "tags": ["north", "may"], "published_at": "2026-03-12T00:00:00Z", "year": 2023,
    }  # fmt: skip
    assert found["computed"] == payload.metadata(served.store.computed(served.index(), pump.id)[1])
    assert client.get(f"{api.about_url(served, pump.id, pump.version, None)}&node=1").json()["computed"] == {}


def test_the_nearest_nodes_are_exact_and_without_the_node_itself(served, client, pump):
    index, k = served.index(), api.NEAREST
    found = client.get(f"{api.near_url(served, pump.id, pump.version, index)}&node=0").json()
    keys, vectors = served.store.keys(index, EVERYTHING), served.store.vectors(index)
    at = next(i for i, key in enumerate(zip(keys.doc_ids, keys.ordinals, strict=True)) if key == (pump.id, 0))
    scores = vectors @ vectors[at]
    best = [i for i in np.argsort(-scores, kind="stable") if i != at][:k]
    assert [item["score"] for item in found] == pytest.approx([scores[i] for i in best], abs=1e-6)
    assert {(item["doc_id"], item["ordinal"]) for item in found} == {(keys.doc_ids[i], keys.ordinals[i]) for i in best}
    assert (pump.id, 0) not in {(item["doc_id"], item["ordinal"]) for item in found}
    for item in found:
        passage, nodes = served.preview(item["doc_id"], index.settings)
        assert item["text"] == passage.document.text[nodes[item["ordinal"]].start : nodes[item["ordinal"]].end]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (("&node=0", "&node=99"), 404), (("&node=0", "&node=-1"), 422), (("&node=0", "&node=²"), 422),
        (("index=", "index=nope"), 404), (("&index=", "&other="), 422),
    ],
)  # fmt: skip
def test_an_address_of_a_node_that_is_not_there_is_refused(served, client, pump, change, status):
    good = f"{api.near_url(served, pump.id, pump.version, served.index())}&node=0"
    assert client.get(good).status_code == 200
    answer = client.get(good.replace(*change))
    assert answer.status_code == status
    assert answer.json()["error"]
    gone = good.replace(pump.version, "0" * 32)
    assert client.get(gone).status_code == client.get(gone.replace("/near/", "/about/")).status_code == 404


@pytest.mark.parametrize("name", components.COMPONENTS)
def test_a_component_comes_from_one_address_with_all_that_it_imports(client, name):
    url = components.script_url(name)
    assert url in components.loader(name)
    seen, wanted = {}, [url.rsplit("/", 1)[-1]]
    while wanted:
        module = wanted.pop()
        answer = client.get(f"{url.rsplit('/', 1)[0]}/{module}")
        assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (200, "text/javascript"), module
        assert "immutable" in answer.headers["cache-control"]
        seen[module] = answer.text
        wanted += [other for other in re.findall(r'from "\./([\w.]+)"', answer.text) if other not in {*seen, *wanted}]
    assert "dom.js" in seen


@pytest.mark.parametrize(
    "path", ["viewer/0/nothing.js", "viewer/0/..%2fapp.css", "nothing/0/viewer.js", "shared/0/dom.js"]
)
def test_nothing_else_comes_from_there(client, path):
    assert client.get(f"/script/{path}").status_code == 404
