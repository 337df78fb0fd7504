"""The command line: what each command prints, its JSON, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core import cli, home, payload
from core import workspace as workspaces
from core.filters import from_json
from core.settings import ChunkSettings, SearchSettings
from tests.processes import python

PUMP = "The north pump failed in May. It was replaced at once. Costs were low."
VALVE = "The south valve held in June. Nobody noticed the noise. The shift ended early."
GOLD = """\
{"question": "What failed?", "references": [{"document": "pump.md", "content": "The north pump failed in May."}]}
{"question": "Who noticed?", "references": [{"document": "valve.txt", "content": "Nobody noticed the noise."}], "filter": {"year": 2024}}
"""


@pytest.fixture
def files(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "pump.md").write_text(PUMP)
    (folder / "pump.md.meta.json").write_text('{"category": "report", "tags": ["north"], "year": 2023}')
    (folder / "valve.txt").write_text(VALVE)
    (folder / "valve.txt.meta.json").write_text('{"category": "log", "year": 2024}')
    return folder


@pytest.fixture
def filled(run, files):
    """A workspace of one's own with both documents."""
    assert run("add", files)[0] == 0
    return workspaces.open(home.named(home.OWN))


# ── add ──────────────────────────────────────────────────────────────────────────────────────────


def test_add_tells_what_became_of_every_file(said, files):
    (files / "bad.txt").write_bytes(b"\x00\x01\x02" * 500)
    code, found = said("add", files)
    assert code == 1
    assert set(found) == {"files"}
    rows = {row["name"]: row for row in found["files"]}
    for row in rows.values():
        assert set(row) == {
            "name", "status", "reason", "doc_id", "sentences", "nodes", "embedded", "seconds",
            "pages", "characters", "language", "blocks", "cleaned", "notices",
        }  # fmt: skip
    assert {name: row["status"] for name, row in rows.items()} == {
        "pump.md": "added",
        "valve.txt": "added",
        "bad.txt": "failed",
    }
    assert [rows["pump.md"][n] for n in ("sentences", "nodes", "embedded")] == [3, 3, 3]
    assert rows["bad.txt"]["reason"]
    assert rows["pump.md"]["seconds"] >= 0


def test_add_says_the_same_in_words(run, files):
    (files / "void.md").write_text("")
    code, out, err = run("add", files)
    assert code == 1
    lines = {line.split()[1]: line for line in out.splitlines()}
    assert lines["pump.md"].startswith("added ")
    assert "3 sentences, 3 nodes, 3 embedded" in lines["pump.md"]
    assert lines["void.md"].startswith("failed ")
    assert not err


def test_a_second_time_nothing_is_embedded(said, files):
    said("add", files)
    code, found = said("add", files)
    assert code == 0
    assert [(row["status"], row["embedded"]) for row in found["files"]] == [("unchanged", 0)] * 2
    (files / "pump.md").write_text(PUMP + " And more.")
    (files / "valve.txt.meta.json").write_text('{"category": "diary"}')
    rows = {row["name"]: row for row in said("add", files)[1]["files"]}
    assert {name: row["status"] for name, row in rows.items()} == {"pump.md": "replaced", "valve.txt": "updated"}
    assert rows["pump.md"]["embedded"] == 1
    (files / "valve.txt").rename(files / "zzz.txt")
    (files / "valve.txt.meta.json").rename(files / "zzz.txt.meta.json")
    rows = {row["name"]: row for row in said("add", files)[1]["files"]}
    assert (rows["zzz.txt"]["status"], rows["zzz.txt"]["embedded"]) == ("alias", 0)


def test_a_file_brings_the_sidecar_beside_it(said, files):
    said("add", files / "pump.md")
    (info,) = said("list")[1]["documents"]
    assert (info["name"], info["metadata"]) == ("pump.md", {"category": "report", "tags": ["north"], "year": 2023})


def test_a_file_named_with_its_sidecar_is_added_once(said, files):
    rows = said("add", files / "pump.md", files / "pump.md.meta.json")[1]["files"]
    assert [row["name"] for row in rows] == ["pump.md"]


def test_a_folders_files_are_named_by_their_path_inside_it_and_hidden_ones_are_left(said, files):
    (files / "a" / "b").mkdir(parents=True)
    (files / "a" / "b" / "deep.md").write_text("Deep down.")
    (files / ".git").mkdir()
    (files / ".git" / "config.txt").write_text("Not this.")
    (files / ".hidden.md").write_text("Nor this.")
    names = {row["name"] for row in said("add", files)[1]["files"]}
    assert names == {"pump.md", "valve.txt", "a/b/deep.md"}


def test_two_files_of_one_name_in_two_folders_are_two_documents(said, tmp_path):
    for year in ("2023", "2024"):
        (tmp_path / year).mkdir()
        (tmp_path / year / "report.txt").write_text(f"In {year} it rained.")
    code, found = said("add", tmp_path / "2023" / "report.txt", tmp_path / "2024" / "report.txt")
    assert code == 0
    assert [row["status"] for row in found["files"]] == ["added", "added"]
    names = {row["name"] for row in found["files"]}
    assert len(names) == 2
    assert all(name.endswith("report.txt") for name in names)
    assert len(said("list")[1]["documents"]) == 2


def test_a_file_that_is_not_there_fails_by_name_and_the_others_go_in(said, files):
    code, found = said("add", files / "none.txt", files / "pump.md")
    rows = {row["name"]: row for row in found["files"]}
    assert code == 1
    assert rows["none.txt"]["status"] == "failed"
    assert "No such file" in rows["none.txt"]["reason"]
    assert rows["pump.md"]["status"] == "added"


def test_a_bad_sidecar_fails_its_document_alone(said, files):
    (files / "pump.md.meta.json").write_text("{nope")
    code, found = said("add", files)
    rows = {row["name"]: row for row in found["files"]}
    assert code == 1
    assert rows["pump.md"]["status"] == "failed"
    assert "no JSON" in rows["pump.md"]["reason"]
    assert rows["valve.txt"]["status"] == "added"


def test_an_empty_folder_adds_nothing(said, tmp_path):
    (tmp_path / "void").mkdir()
    assert said("add", tmp_path / "void") == (0, {"files": []})


def test_add_without_a_workspace_never_adds_to_the_sample(said, files):
    sample = workspaces.open(home.sample())
    home.remember(home.sample())
    count = len(sample.documents())
    said("add", files)
    assert len(sample.documents()) == count > 10
    own = workspaces.open(home.named(home.OWN))
    assert [info.name for info in own.documents()] == ["pump.md", "valve.txt"]
    assert home.default() == home.named(home.OWN), "and the next command finds them"


def test_add_makes_the_index_its_options_ask_for(said, files):
    rows = said("add", files, "--size", 2, "--overlap", 1, "--embed-around", 1)[1]["files"]
    assert [row["nodes"] for row in rows] == [2, 2]
    (index,) = said("list")[1]["indexes"]
    assert index["settings"] == {"size": 2, "overlap": 1, "embed_around": 1}
    assert index["name"] == "2-sentences-overlap-1-around-1"


def test_add_to_an_index_by_name_takes_its_settings(said, filled, files):
    filled.build(ChunkSettings(2))
    (files / "new.txt").write_text("One. Two. Three. Four.")
    rows = {row["name"]: row for row in said("add", files / "new.txt", "--index", "2-sentences")[1]["files"]}
    assert rows["new.txt"]["nodes"] == 2
    code, found = said("add", files / "new.txt", "--index", "2-sentences", "--size", 3)
    assert code == 1
    assert "already says" in found["error"]


# ── nodes ────────────────────────────────────────────────────────────────────────────────────────


def test_nodes_slice_the_text_with_their_windows(said, filled):
    code, found = said("nodes", "pump.md", "--size", 2, "--overlap", 1, "--window", 1)
    assert code == 0
    assert set(found) == {"doc_id", "text_length", "nodes", "tokenizer"}
    assert (found["doc_id"], found["text_length"]) == (filled.document("pump.md").id, len(PUMP))
    assert [set(node) for node in found["nodes"]] == [
        {
            "id",
            "ordinal",
            "start",
            "end",
            "window",
            "text",
            "kind",
            "page",
            "headings",
            "prefix",
            "embedded",
            "hard",
            "is_first",
            "is_last",
            "tokens",
            "truncated",
            "lost_from",
            "node_overlap",
            "window_overlap",
        }
    ] * 2
    assert [PUMP[node["start"] : node["end"]] for node in found["nodes"]] == [node["text"] for node in found["nodes"]]
    assert [node["window"] for node in found["nodes"]] == [{"start": 0, "end": len(PUMP)}] * 2
    assert len({node["id"] for node in found["nodes"]}) == 2


def test_the_middle_nodes_window_is_its_neighbours(said, tmp_path):
    """The reference example: six sentences, k = 1, the third node's window is sentences 2 to 4."""
    sentences = [f"Sentence number {word} stands here." for word in ("one", "two", "three", "four", "five", "six")]
    (tmp_path / "article.txt").write_text(" ".join(sentences))
    said("add", tmp_path / "article.txt")
    nodes = said("nodes", "article.txt", "--window", 1)[1]["nodes"]
    body = " ".join(sentences)
    assert body[nodes[2]["window"]["start"] : nodes[2]["window"]["end"]] == " ".join(sentences[1:4])
    assert [node["text"] for node in nodes] == sentences


def test_the_ids_of_nodes_are_those_of_hits(said, filled):
    nodes = {node["id"]: node["text"] for node in said("nodes", "pump.md")[1]["nodes"]}
    hits = said("search", "pump", "--filter", '{"year": 2023}')[1]["hits"]
    assert {hit["id"]: hit["text"] for hit in hits} == nodes


def test_a_document_is_named_by_id_name_or_alias(said, filled, tmp_path):
    (tmp_path / "copy.md").write_text(PUMP)
    (tmp_path / "copy.md.meta.json").write_text('{"category": "report", "tags": ["north"], "year": 2023}')
    assert said("add", tmp_path / "copy.md")[1]["files"][0]["status"] == "alias"
    doc_id = filled.document("pump.md").id
    assert said("nodes", doc_id) == said("nodes", "pump.md") == said("nodes", "copy.md")


def test_nodes_in_words(run, filled):
    code, out, _ = run("nodes", "pump.md")
    assert code == 0
    assert [line.split(maxsplit=2)[2] for line in out.splitlines()] == PUMP.replace(". ", ".|").split("|")


# ── search ───────────────────────────────────────────────────────────────────────────────────────


def test_search_has_the_promised_shape_and_agrees_with_the_facade(said, filled):
    code, found = said("search", "north pump", "--k", 2, "--window", 1, "--filter", '{"year": 2023}')
    expected = filled.search("north pump", SearchSettings(2, 1), from_json({"year": 2023}))
    assert code == 0
    assert {"hits", "sql", "params", "timings_ms"} <= set(found)
    assert found["hits"] == [payload.hit(hit) for hit in expected.hits]
    assert set(found["hits"][0]) == {
        "rank", "score", "distance", "id", "doc_id", "name", "ordinal", "start", "end", "window", "text", "metadata",
    }  # fmt: skip
    assert set(found["hits"][0]["window"]) == {"start", "end", "text"}
    assert found["sql"] == expected.sql
    assert 2023 in found["params"]
    assert len(found["hits"]) == 2


@pytest.mark.parametrize(
    ("filter", "names"),
    [
        ('{"category": "log"}', {"valve.txt"}),
        ('{"all": [{"category": "log"}, {"year": 2023}]}', set()),
        ('{"not": {"category": "log"}}', {"pump.md"}),
        ('{"field": "tags", "op": "contains_all", "value": ["north"]}', {"pump.md"}),
        ("null", {"pump.md", "valve.txt"}),
        ("{}", {"pump.md", "valve.txt"}),
    ],
)
def test_a_filter_is_the_json_of_everywhere(said, filled, filter, names):
    assert {hit["name"] for hit in said("search", "pump", "--k", 20, "--filter", filter)[1]["hits"]} == names


def test_search_in_words(run, filled):
    code, out, err = run("search", "north pump failed", "--k", 1, "--window", 0, "--filter", '{"year": 2023}')
    hit = filled.search("north pump failed", SearchSettings(1, 0)).hits[0]
    assert code == 0
    assert out.splitlines() == [f"  1  {hit.score:.3f}  pump.md #0", "     The north pump failed in May."]
    assert "3 of 6 nodes match the filter" in err


def test_a_distance_limit_cuts(said, filled):
    distances = [hit["distance"] for hit in said("search", "north pump", "--k", 10)[1]["hits"]]
    kept = said("search", "north pump", "--k", 10, "--max-distance", distances[0] + 0.01)[1]["hits"]
    assert [hit["distance"] for hit in kept] == [d for d in distances if d <= distances[0] + 0.01]


def test_an_index_is_chosen_by_name_or_id(said, filled):
    built = filled.build(ChunkSettings(3)).index
    for name in ("3-sentences", built.id):
        hits = said("search", "pump", "--index", name)[1]["hits"]
        assert sorted(hit["text"] for hit in hits) == [PUMP, VALVE]
    code, found = said("search", "pump", "--index", "nope")
    assert code == 1
    assert "nope" in found["error"]
    assert "sentence, 3-sentences" in found["do"]


# ── evaluate ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text(GOLD)
    return path


def test_evaluate_has_the_promised_shape_and_cores_numbers(said, filled, gold):
    code, found = said("evaluate", gold, "--k", 2, "--window", 1)
    (report,) = filled.evaluate(filled.read_gold(GOLD.encode()), 2, [1])
    assert code == 0
    assert {"metrics", "questions"} <= set(found)
    assert list(found["metrics"]) == [
        "hit_rate",
        "mrr",
        "recall",
        "span_recall",
        "span_precision",
        "span_iou",
        "tokens_returned",
    ]
    assert found["metrics"] == {name: getattr(report.mean, name) for name in found["metrics"]}
    assert [q["question"] for q in found["questions"]] == ["What failed?", "Who noticed?"]
    for name, value in found["metrics"].items():
        assert value == pytest.approx(sum(q[name] for q in found["questions"]) / 2), "the mean of exactly those"
    assert found["metrics"]["hit_rate"] == 1


def test_evaluate_in_words(run, filled, gold):
    code, out, _ = run("evaluate", gold)
    assert code == 0
    assert out.splitlines()[0] == "2 questions, k 5, window ±2"
    assert "hit_rate" in out
    assert "1.000" in out


@pytest.mark.parametrize(
    ("content", "message"),
    [("{nope", "Line 1 is no JSON"), ("", "no questions"), (GOLD.replace("pump.md", "gone.md"), "Line 1: There is no document 'gone.md'")],
)  # fmt: skip
def test_a_bad_gold_file_is_refused_with_its_line(said, filled, gold, content, message):
    gold.write_text(content)
    code, found = said("evaluate", gold)
    assert code == 1
    assert message in found["error"]


def test_a_gold_file_that_is_not_there_is_told(run, filled, tmp_path):
    code, out, err = run("evaluate", tmp_path / "none.jsonl")
    assert (code, out) == (1, "")
    assert "none.jsonl cannot be read: No such file" in err


# ── list, remove, reset ──────────────────────────────────────────────────────────────────────────


def test_list_tells_documents_and_indexes(run, said, filled):
    code, found = said("list")
    assert code == 0
    assert Path(found["workspace"]) == home.named(home.OWN)
    assert [(d["name"], d["sentences"]) for d in found["documents"]] == [("pump.md", 3), ("valve.txt", 3)]
    assert [(i["name"], i["nodes"]) for i in found["indexes"]] == [("sentence", 6)]
    out = run("list")[1]
    assert "pump.md" in out
    assert "index sentence: 6 nodes of 2 documents, bag" in out


@pytest.mark.parametrize("by", ["name", "id", "alias"])
def test_remove_takes_a_document_out(said, filled, tmp_path, by):
    (tmp_path / "copy.md").write_text(PUMP)
    (tmp_path / "copy.md.meta.json").write_text('{"category": "report", "tags": ["north"], "year": 2023}')
    said("add", tmp_path / "copy.md")
    name = {"name": "pump.md", "id": filled.document("pump.md").id, "alias": "copy.md"}[by]
    code, found = said("remove", name)
    assert (code, found["removed"]["name"]) == (0, "pump.md")
    if by == "alias":  # one name less; the document stays
        assert [(info.name, info.aliases) for info in filled.documents()] == [("pump.md", ()), ("valve.txt", ())]
        return
    assert [info.name for info in filled.documents()] == ["valve.txt"]
    assert filled.index().nodes == 3
    code, found = said("remove", name)
    assert code == 1
    assert "There is no document" in found["error"]


def test_remove_in_words(run, filled):
    assert run("remove", "pump.md") == (0, "removed pump.md\n", "")


def test_reset_takes_everything_out(said, run, filled, files):
    assert said("reset") == (0, {"removed_documents": 2})
    assert not filled.documents()
    assert not filled.indexes()
    assert run("reset", "--yes")[0] == 0
    assert said("add", files)[0] == 0


@pytest.mark.parametrize(("typed", "left"), [("no", 2), ("", 2), ("yes", 0)])
def test_reset_asks_at_a_terminal(run, filled, monkeypatch, typed, left):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: typed)
    code, out, _ = run("reset")
    assert code == (1 if left else 0)
    assert ("nothing was removed" in out) == bool(left)
    assert len(filled.documents()) == left


# ── what gets refused ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", ""], "The question is empty."),
        (["search", "x" * 2001], "The question has 2,001 characters."),
        (["search", "\ud83d"], "lone surrogate"),
        (["search", "x", "--k", "0"], "k is 0."),
        (["search", "x", "--k", "101"], "k is 101."),
        (["search", "x", "--window", "11"], "The window is 11."),
        (["search", "x", "--max-distance", "3"], "The distance limit is 3.0."),
        (["search", "x", "--max-distance", "nan"], "The distance limit is nan."),
        (["search", "x", "--filter", "{nope"], "The filter is no JSON: "),
        (["search", "x", "--filter", ""], "The filter is empty."),
        (["search", "x", "--filter", '{"catgory": "log"}'], "There is no field 'catgory'. Did you mean 'category'"),
        (["search", "x", "--filter", '{"year": "2023"}'], "'year' holds an integer"),
        (["search", "x", "--filter", '{"field": "year", "op": "~", "value": 1}'], "There is no operator '~'."),
        (["search", "x", "--filter", '{"a":' * 100_000], "The filter is nested too deeply"),
        (["search", "x", "--filter", "(" * 100_000], "The filter is nested more than 100 levels deep"),
        (["nodes", "gone.md"], "There is no document 'gone.md'."),
        (["nodes", "pump.md", "--size", "0"], "A node needs at least 1 sentence"),
        (["nodes", "pump.md", "--overlap", "1"], "Overlap 1 does not fit"),
        (["nodes", "pump.md", "--window", "-1"], "The window is -1."),
        (["nodes", "pump.md", "--index", "gone"], "There is no index 'gone'."),
        (["remove", "gone.md"], "There is no document 'gone.md'."),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_with_exit_code_1(run, said, filled, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (1, "")
    assert err.startswith("chunkscope: ")
    assert message in err
    code, found = said(*arguments)
    assert code == 1
    assert set(found) == {"error", "do"}
    assert message in found["error"]


def test_a_question_to_an_empty_workspace_says_what_to_do(run, tmp_path):
    code, _, err = run("search", "x", "--workspace", tmp_path / "new.duckdb")
    assert code == 1
    assert "This workspace has no index yet. Add a document first." in err


@pytest.mark.parametrize(
    "arguments", [[], ["fly"], ["add"], ["search"], ["search", "x", "--k", "many"], ["nodes"], ["list", "--what"]]
)
def test_a_command_line_that_is_not_understood_has_exit_code_2(run, arguments):
    with pytest.raises(SystemExit) as stopped:
        run(*arguments)
    assert stopped.value.code == 2


@pytest.mark.parametrize("command", ["add", "nodes", "search", "evaluate", "list", "remove", "reset"])
def test_every_command_explains_itself_and_takes_the_common_options(capsys, command):
    with pytest.raises(SystemExit) as stopped:
        cli.main([command, "--help"])
    assert stopped.value.code == 0
    told = capsys.readouterr().out
    assert all(option in told for option in ("--workspace FILE", "--index NAME", "--json"))
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    assert command in capsys.readouterr().out


# ── workspaces ───────────────────────────────────────────────────────────────────────────────────


def test_the_workspace_is_named_by_option_before_environment(said, files, tmp_path, monkeypatch):
    monkeypatch.setenv(home.VARIABLE, str(tmp_path / "env.duckdb"))
    said("add", files / "pump.md")
    said("add", files / "valve.txt", "--workspace", tmp_path / "option.duckdb")
    assert [d["name"] for d in said("list")[1]["documents"]] == ["pump.md"]
    assert [d["name"] for d in said("list", "--workspace", tmp_path / "option.duckdb")[1]["documents"]] == ["valve.txt"]


def test_a_file_that_is_no_workspace_is_told(run, tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear all. " * 500)
    code, _, err = run("list", "--workspace", path)
    assert code == 1
    assert f"{path} is not a workspace." in err
    assert path.read_text().startswith("Dear all")


HOLD = (
    "import sys; from pathlib import Path; from core import workspace; workspace.announce(sys.argv[2]);"
    "workspace.open(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
)


def test_a_workspace_that_the_app_holds_is_told_with_the_ways_on(tmp_path):
    path = tmp_path / "held.duckdb"
    holder = python(HOLD, path, "http://localhost:8501")
    try:
        assert holder.stdout.readline() == "open\n"
        plain = python("-m", "core", "list", "--workspace", path)
        as_json = python("-m", "core", "search", "x", "--json", "--workspace", path)
        _, err = plain.communicate(timeout=60)
        out, _ = as_json.communicate(timeout=60)
    finally:
        holder.communicate("")
    assert (plain.returncode, as_json.returncode) == (1, 1)
    assert f"{path} is in use by process {holder.pid} at http://localhost:8501." in err
    assert all(way in err for way in ("Use the app at", "stop it", "--workspace FILE"))
    assert f"in use by process {holder.pid}" in json.loads(out)["error"]


def test_the_module_runs_as_a_command(tmp_path):
    """The real model, in a process of its own: add, then search."""
    (tmp_path / "rain.txt").write_text("Rain fell on Monday. The invoice was paid in March. Cats sleep all day.")
    code = (
        "import sys; from core.cli import main;"
        "w = ['--workspace', sys.argv[1], '--json'];"
        "sys.exit(main(['add', sys.argv[2], *w]) or main(['search', 'When did they pay the bill?', '--k', '1', *w]))"
    )
    process = python(code, tmp_path / "w.duckdb", tmp_path / "rain.txt")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    added, found = map(json.loads, out.splitlines())
    assert added["files"][0]["embedded"] == 3
    assert found["hits"][0]["text"] == "The invoice was paid in March."
    assert not err


def test_a_link_to_itself_is_named_and_the_others_go_in(said, tmp_path):
    (tmp_path / "loop.md").symlink_to(tmp_path / "loop.md")
    (tmp_path / "good.md").write_text("All is well.")
    code, found = said("add", tmp_path / "loop.md", tmp_path / "good.md")
    assert code == 1
    assert {row["name"]: row["status"] for row in found["files"]} == {"good.md": "added", "loop.md": "failed"}


def test_a_file_of_another_format_is_not_even_opened(said, tmp_path, monkeypatch):
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "film.mp4").write_bytes(b"x")
    (folder / "note.md").write_text("A note.")
    opened = []
    real = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: opened.append(path.name) or real(path))
    code, found = said("add", folder)
    assert code == 1
    assert "film.mp4" not in opened
    assert {row["name"]: row["status"] for row in found["files"]} == {"note.md": "added", "film.mp4": "failed"}


@pytest.mark.parametrize("option", ["--size", "--embed-around"])
def test_a_number_no_node_could_have_is_refused(run, filled, option):
    code, _, error = run("nodes", "pump.md", option, "3000000000")
    assert code == 1
    assert "No node has more than" in error
