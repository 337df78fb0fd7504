"""Questions to a workspace: the facade every face uses."""

from __future__ import annotations

import threading
from threading import Event, Thread

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import filters, home
from core import workspace as workspaces
from core.errors import Cancelled, InvalidFilter, InvalidRequest, InvalidSetting, ModelMismatch, NotFound
from core.filters import EVERYTHING, FieldType
from core.ingest import Status
from core.settings import ChunkSettings, SearchSettings
from core.store.duckdb import DuckStore
from core.types import FieldSpec, ModelInfo, Span
from core.workspace import Workspace
from tests import texts
from tests.core.drops import CountingEncoder, drop, sidecar, text
from tests.fakes import BagEncoder

PUMP = "The north pump failed in May. It was replaced. Costs were low."
VALVE = "The south valve held in June. Nobody noticed. The shift ended early."


@pytest.fixture
def filled(workspace):
    drop(
        workspace,
        text("pump.txt", PUMP),
        sidecar("pump.txt", year=2023),
        text("valve.txt", VALVE),
        sidecar("valve.txt", year=2024),
    )
    return workspace


# ── the reference examples, with the real model ──────────────────────────────────────────────────

ARTICLE = (
    "Harbours once closed every winter. Ice locked the ships in for months. Then steel icebreakers opened a channel. "
    "Trade went on through January. Towns on the coast doubled in size. Today the channel is kept open by satellite."
)
REPORT_Q1 = (
    "This report covers the first quarter of 2023. Revenue grew by 12 percent compared with the quarter before. "
    "The key financial drivers were subscription renewals and lower freight costs. Cash reserves stayed stable."
)
PROTOCOL = (
    "This protocol describes access to the server rooms. Every visitor carries a badge. "
    "Lost badges are reported within one hour. Doors are checked each night by the guard."
)
REPORT_Q4 = (
    "This report covers the fourth quarter of 2023. Revenue growth slowed to 3 percent. "
    "Financial drivers were holiday sales and a weaker currency. Management expects a calm spring."
)


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """Three short documents with metadata, indexed with the bundled model."""
    made = Workspace(DuckStore(tmp_path_factory.mktemp("real") / "w.duckdb"))
    drop(
        made,
        text("report-q1.txt", REPORT_Q1), sidecar("report-q1.txt", doc_type="financial_report", year=2023, quarter="Q1"),
        text("protocol.txt", PROTOCOL), sidecar("protocol.txt", doc_type="security_protocol", year=2023),
        text("report-q4.txt", REPORT_Q4), sidecar("report-q4.txt", doc_type="financial_report", year=2023, quarter="Q4"),
    )  # fmt: skip
    yield made
    made.store.close()


def test_the_third_of_six_sentences_is_returned_with_its_two_neighbours(tmp_path):
    made = Workspace(DuckStore(tmp_path / "article.duckdb"))
    drop(made, text("article.txt", ARTICLE))
    passage, nodes = made.preview(made.document("article.txt").id, ChunkSettings())
    assert len(nodes) == 6
    hit = made.search("What did icebreakers open?", SearchSettings(k=1, window=1)).hits[0]
    assert hit.node.ordinal == 2
    assert hit.text == "Then steel icebreakers opened a channel."
    second, fourth = passage.sentences[1], passage.sentences[3]
    assert hit.window == Span(second.start, fourth.end)
    assert hit.window_text == (
        "Ice locked the ships in for months. Then steel icebreakers opened a channel. Trade went on through January."
    )
    made.store.close()


def test_a_question_about_finances_finds_both_financial_reports(real):
    found = real.search("What are the key financial drivers?", SearchSettings(k=3))
    assert {hit.metadata["doc_type"] for hit in found.hits} == {"financial_report"}
    assert {hit.metadata["quarter"] for hit in found.hits} == {"Q1", "Q4"}
    assert found.hits[0].text == "The key financial drivers were subscription renewals and lower freight costs."
    assert (found.matching, found.total) == (12, 12)


def test_under_a_filter_only_the_first_quarters_report_answers_in_its_window(real):
    only = filters.from_json({"doc_type": "financial_report", "quarter": "Q1"})
    found = real.search("What was the revenue growth?", SearchSettings(k=5, window=1), only)
    assert {hit.name for hit in found.hits} == {"report-q1.txt"}
    assert (len(found.hits), found.matching, found.total) == (4, 4, 12)
    first = found.hits[0]
    assert first.text == "Revenue grew by 12 percent compared with the quarter before."
    assert first.window_text == REPORT_Q1[: REPORT_Q1.index(" Cash")]
    assert first.metadata == {"doc_type": "financial_report", "year": 2023, "quarter": "Q1"}


# ── search ───────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(texts.hard.filter(str.strip), min_size=1, max_size=3), st.integers(1, 3), st.integers(0, 3))
def test_every_hit_and_window_is_a_slice_of_its_document(workspace, contents, size, window):
    workspace.reset()
    drop(workspace, *(text(f"{n}.txt", content) for n, content in enumerate(contents)), settings=ChunkSettings(size))
    if not workspace.documents():
        return
    found = workspace.search("valve open", SearchSettings(k=100, window=window))
    for hit in found.hits:
        whole = workspace.store.passage(hit.doc_id).document.text
        assert hit.text == whole[hit.node.start : hit.node.end]
        assert hit.window_text == whole[hit.window.start : hit.window.end]
        assert hit.text in hit.window_text
    assert len(found.hits) == min(100, workspace.index().nodes)
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)
    assert len({hit.id for hit in found.hits}) == len(found.hits)


def test_scores_are_cosines_and_distances_their_complement(filled):
    found = filled.search("north pump failed", SearchSettings(k=6))
    encoder = BagEncoder()
    expected = encoder.encode([hit.text for hit in found.hits]) @ encoder.encode(["north pump failed"])[0]
    np.testing.assert_allclose([hit.score for hit in found.hits], expected, atol=1e-6)
    assert [hit.distance for hit in found.hits] == [1 - hit.score for hit in found.hits]


def test_a_distance_limit_leaves_out_only_what_is_further_away(filled):
    every = filled.search("north pump failed", SearchSettings(k=6)).hits
    for limit in (0.0, 0.3, every[1].distance + 1e-6, 1.0, 2.0):
        near = filled.search("north pump failed", SearchSettings(k=6, max_distance=limit)).hits
        assert [h.id for h in near] == [h.id for h in every if h.distance <= limit]


def test_a_filter_decides_before_the_k_nearest_are_taken(filled):
    found = filled.search("north pump failed", SearchSettings(k=3), filters.from_json({"year": 2024}))
    assert [hit.name for hit in found.hits] == ["valve.txt"] * 3
    assert (found.matching, found.total) == (3, 6) == filled.count(filters.from_json({"year": 2024}))
    nothing = filled.search("north pump failed", SearchSettings(), filters.from_json({"year": 1900}))
    assert (nothing.hits, nothing.matching, nothing.total) == ((), 0, 6)


def test_a_window_changes_what_is_returned_and_nothing_else(tmp_path):
    encoder = CountingEncoder()
    made = Workspace(DuckStore(tmp_path / "w.duckdb"), lambda name: encoder)
    drop(made, text("pump.txt", PUMP))
    version = made.index().version
    results = [made.search("pump", SearchSettings(window=window)).hits for window in range(4)]
    assert len({tuple((hit.id, hit.score) for hit in hits) for hits in results}) == 1
    assert encoder.asked.count("pump") == 1
    assert [index.version for index in made.indexes()] == [version]
    made.store.close()


def test_a_result_remembers_the_whole_request_and_how_it_was_found(filled):
    chosen, only = SearchSettings(k=2, window=3), filters.from_json({"year": 2023})
    found = filled.search(" pump? ", chosen, only)
    assert (found.request.index, found.request.filter, found.request.settings) == (filled.index().id, only, chosen)
    assert "SELECT" in found.sql
    assert found.sql.count("?") == len(found.params)
    assert set(found.timings_ms) == {"embed", "search", "windows"}
    assert all(time >= 0 for time in found.timings_ms.values())


@pytest.mark.parametrize(
    ("question", "reason"),
    [("", "empty"), (" \n", "empty"), ("x" * 2001, "2,001"), ("half \ud83d", "half a character")],
)
def test_a_question_that_cannot_be_asked_is_refused(filled, question, reason):
    for ask in (filled.search, lambda q, s: filled.place(q, filled.picture())):
        with pytest.raises(InvalidRequest, match=reason):
            ask(question, SearchSettings())


def test_what_is_not_there_is_not_found_and_what_is_there_is_named(filled):
    with pytest.raises(NotFound, match="ghost"):
        filled.search("pump", SearchSettings(), index="ghost")
    with pytest.raises(NotFound, match="sentence"):
        filled.index("ghost")
    with pytest.raises(NotFound, match=r"ghost\.txt"):
        filled.document("ghost.txt")
    with pytest.raises(NotFound):
        filled.remove("ghost")
    with pytest.raises(InvalidFilter, match="colour"):
        filled.search("pump", SearchSettings(), filters.from_json({"colour": "red"}))
    with pytest.raises(InvalidSetting):
        SearchSettings(k=0)


def test_an_empty_workspace_has_no_index_and_says_what_to_do(workspace):
    with pytest.raises(NotFound, match="Add a document"):
        workspace.search("pump", SearchSettings())
    assert workspace.documents() == []
    assert workspace.cost(ChunkSettings()).nodes == 0


def test_an_index_whose_model_has_changed_is_not_searched_with_the_new_one(tmp_path):
    encoders = {"m": BagEncoder(ModelInfo("m", "old", 32, 256))}
    made = Workspace(DuckStore(tmp_path / "w.duckdb"), encoders.__getitem__)
    made.add([text("pump.txt", PUMP)], ChunkSettings(), "m")
    made.search("pump", SearchSettings())
    encoders["m"] = BagEncoder(ModelInfo("m", "new", 32, 256))
    with pytest.raises(ModelMismatch, match="Build the index again"):
        made.search("another question", SearchSettings())
    assert made.index_of(ChunkSettings(), "m") is None
    assert made.build(ChunkSettings(), "m").embedded == 3
    made.store.close()


def test_questions_from_many_threads_get_their_own_answers(filled):
    questions = ["north pump failed", "south valve held", "nobody noticed", "costs were low"]
    alone = {q: [h.id for h in filled.search(q, SearchSettings(k=3)).hits] for q in questions}
    wrong = []

    def ask(question):
        found = [[h.id for h in filled.search(question, SearchSettings(k=3)).hits] for _ in range(15)]
        wrong.extend(ids for ids in found if ids != alone[question])

    threads = [threading.Thread(target=ask, args=(q,)) for q in questions * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# ── documents ────────────────────────────────────────────────────────────────────────────────────


def test_a_document_is_found_by_id_name_or_alias(filled):
    drop(filled, text("copy.txt", PUMP), sidecar("copy.txt", year=2023))
    info = filled.document("pump.txt")
    assert filled.document(info.id) == filled.document("copy.txt") == info


def test_a_removed_document_is_gone_from_every_index(filled):
    filled.build(ChunkSettings(2))
    filled.remove(filled.document("pump.txt").id)
    assert [info.name for info in filled.documents()] == ["valve.txt"]
    assert [(index.documents, index.nodes) for index in filled.indexes()] == [(1, 3), (1, 2)]
    for index in filled.indexes():
        assert {h.name for h in filled.search("pump", SearchSettings(k=9), index=index.id).hits} == {"valve.txt"}


def test_removing_can_be_undone_whole(filled):
    filled.build(ChunkSettings(2))
    before = {index.name: filled.search("pump", SearchSettings(k=9), index=index.id).hits for index in filled.indexes()}
    info = filled.document("pump.txt")
    originals = filled.store.originals(info.id)
    filled.restore(filled.remove(info.id))
    assert filled.document("pump.txt").metadata == info.metadata
    assert filled.store.originals(info.id) == originals
    after = {index.name: filled.search("pump", SearchSettings(k=9), index=index.id).hits for index in filled.indexes()}
    assert after == before


def test_a_reset_workspace_is_as_good_as_new(filled):
    filled.reset()
    assert filled.documents() == filled.indexes() == []
    assert "category" in filled.store.schema()
    assert drop(filled, text("pump.txt", PUMP), sidecar("pump.txt", year="text now"))["pump.txt"].status is Status.ADDED


def test_a_workspace_can_be_filtered_by_the_usual_fields_before_any_document_has_them(workspace):
    drop(workspace, text("pump.txt", PUMP))
    assert workspace.search("pump", SearchSettings(), filters.from_json({"category": "x"})).hits == ()


def test_a_preview_embeds_and_stores_nothing(tmp_path):
    encoder = CountingEncoder()
    made = Workspace(DuckStore(tmp_path / "w.duckdb"), lambda name: encoder)
    drop(made, text("pump.txt", PUMP))
    asked, changes = len(encoder.asked), made.store.changes
    _, nodes = made.preview(made.document("pump.txt").id, ChunkSettings(2, 1))
    assert [(node.first_sentence, node.last_sentence) for node in nodes] == [(0, 1), (1, 2)]
    assert (len(encoder.asked), made.store.changes) == (asked, changes)
    made.store.close()


# ── maps ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_map_has_one_point_per_node_in_the_order_of_its_keys(filled):
    picture = filled.picture()
    assert picture.method == "PCA"
    assert len(picture.keys.doc_ids) == len(picture.keys.ordinals) == len(picture.points) == 6
    assert 0 <= picture.neighbours_kept <= 1
    np.testing.assert_array_equal(filled.picture().points, picture.points)


def test_a_map_made_before_the_documents_changed_is_not_shown(filled):
    filled.lay_out()
    assert filled.picture().method == "UMAP"
    drop(filled, text("new.txt", "A new one. It has two."))
    picture = filled.picture()
    assert picture.method == "PCA"
    assert len(picture.points) == filled.index().nodes == 8
    assert filled.store.keys(filled.index(), EVERYTHING).doc_ids == picture.keys.doc_ids


def test_a_question_equal_to_a_node_is_placed_near_it(filled):
    picture = filled.picture()
    found = filled.search("Nobody noticed.", SearchSettings(k=1)).hits[0]
    at = list(zip(picture.keys.doc_ids, picture.keys.ordinals.tolist(), strict=True)).index(
        (found.doc_id, found.node.ordinal)
    )
    placed = np.array(filled.place("Nobody noticed.", picture))
    distances = np.linalg.norm(picture.points - placed, axis=1)
    assert distances.argmin() == at


# ── one per file and process ─────────────────────────────────────────────────────────────────────


def test_one_file_is_one_workspace_however_its_path_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    first = workspaces.open(tmp_path / "w.duckdb")
    assert workspaces.open(tmp_path / "sub" / ".." / "w.duckdb") is first
    assert first in workspaces.opened()
    workspaces.close(tmp_path / "w.duckdb")
    assert first not in workspaces.opened()
    again = workspaces.open(tmp_path / "w.duckdb")
    assert again is not first
    workspaces.close(tmp_path / "w.duckdb")


def test_documents_and_indexes_outlive_the_process_that_made_them(tmp_path):
    path = tmp_path / "w.duckdb"
    made = workspaces.open(path, lambda name: BagEncoder())
    drop(made, text("pump.txt", PUMP), sidecar("pump.txt", year=2023, tags=["a"]))
    before = (made.documents(), made.indexes(), made.search("pump", SearchSettings()).hits)
    workspaces.close(path)
    made = workspaces.open(path, lambda name: BagEncoder())
    assert (made.documents(), made.indexes(), made.search("pump", SearchSettings()).hits) == before
    workspaces.close(path)


def test_without_a_name_the_last_one_opened_is_opened_and_else_the_sample(tmp_path, monkeypatch):
    assert home.default() == home.sample()
    assert home.default_for_adding() == home.named(home.OWN)
    own = tmp_path / "own.duckdb"
    own.touch()
    home.remember(own)
    assert home.default() == home.default_for_adding() == own.resolve()
    own.unlink()
    assert home.default() == home.sample()
    monkeypatch.setenv(home.VARIABLE, str(tmp_path / "named.duckdb"))
    assert home.default() == home.default_for_adding() == tmp_path / "named.duckdb"


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x" * 62, "a\nb", "nul\x00"])
def test_a_workspace_cannot_be_named_outside_its_folder(name):
    with pytest.raises(InvalidRequest):
        home.named(name)


def test_a_second_drop_waits_for_the_first_and_can_be_stopped_meanwhile(workspace):
    """Nothing is lost while something else is being added."""
    inside, go_on, told = Event(), Event(), []

    def hold(done, total, message):
        inside.set()
        go_on.wait(10)

    def stop(done, total, message):
        told.append(message)
        raise Cancelled("Stopped.")

    first = Thread(target=lambda: workspace.add([text("a.txt", "One here.")], ChunkSettings(), progress=hold))
    first.start()
    assert inside.wait(10)
    with pytest.raises(Cancelled):
        workspace.add([text("b.txt", "Two here.")], ChunkSettings(), progress=stop)
    assert told == ["Waiting for the job before it"]
    with pytest.raises(InvalidRequest, match="being added"):
        workspace.reset()
    second = Thread(target=lambda: workspace.add([text("b.txt", "Two here.")], ChunkSettings()))
    second.start()
    go_on.set()
    first.join(10)
    second.join(10)
    assert [info.name for info in workspace.documents()] == ["a.txt", "b.txt"]


def test_an_index_made_again_gets_a_map_of_its_own(workspace):
    """The id is a hash of settings and model, so the same id comes back: its pictures must not."""
    drop(workspace, text("a.txt", PUMP))
    first = workspace.picture().points
    workspace.reset()
    drop(workspace, text("b.txt", VALVE))
    second = workspace.picture()
    assert len(second.points) == len(second.keys.doc_ids) == len(second.vectors) == 3
    assert not np.array_equal(first, second.points)
    workspace.drop_index(workspace.index().id)
    workspace.remove(workspace.document("b.txt").id)
    drop(workspace, text("c.txt", "One here. Two here. Three here. Four here."))
    assert len(workspace.picture().points) == 4


def test_the_same_text_in_another_format_is_a_document_of_its_own(workspace):
    body = "# Head\n\n- one item\n- another item\n"
    drop(workspace, text("a.txt", body), text("b.md", body))
    assert [info.name for info in workspace.documents()] == ["a.txt", "b.md"]
    kinds = {block.kind for block in workspace.store.passage(workspace.document("b.md").id).document.blocks}
    assert "list" in kinds


def test_undo_never_overwrites_what_came_since(workspace):
    drop(workspace, text("a.txt", PUMP))
    removed = workspace.remove(workspace.document("a.txt").id)
    drop(workspace, text("a.txt", VALVE))
    with pytest.raises(InvalidRequest, match="added again since"):
        workspace.restore(removed)
    assert workspace.store.passage(workspace.document("a.txt").id).document.text == VALVE


def test_undo_leaves_a_name_that_was_taken_since_to_its_new_owner(workspace):
    drop(workspace, text("a.txt", PUMP), text("b.txt", PUMP))
    removed = workspace.remove(workspace.document("a.txt").id)
    assert removed.record.aliases == ("b.txt",)
    drop(workspace, text("b.txt", VALVE))
    workspace.restore(removed)
    assert [(info.name, info.aliases) for info in workspace.documents()] == [("a.txt", ()), ("b.txt", ())]


def test_undo_brings_metadata_back_when_their_fields_are_gone_or_of_another_type(workspace):
    drop(workspace, text("a.txt", PUMP), sidecar("a.txt", colour="red", year=7))
    removed = workspace.remove(workspace.document("a.txt").id)
    workspace.reset()
    workspace.set_field(FieldSpec("year", FieldType.STRING))
    workspace.restore(removed)
    assert workspace.document("a.txt").metadata == {"colour": "red", "year": "7"}


def test_nothing_is_taken_out_while_documents_are_added(workspace):
    drop(workspace, text("a.txt", PUMP))
    inside, go_on = Event(), Event()

    def hold(done, total, message):
        inside.set()
        go_on.wait(10)

    adding = Thread(target=lambda: workspace.add([text("b.txt", VALVE)], ChunkSettings(), progress=hold))
    adding.start()
    assert inside.wait(10)
    try:
        for refused in (
            lambda: workspace.remove(workspace.document("a.txt").id),
            lambda: workspace.drop_index(workspace.index().id),
            workspace.reset,
        ):
            with pytest.raises(InvalidRequest, match="being added"):
                refused()
    finally:
        go_on.set()
        adding.join(10)
    assert [info.name for info in workspace.documents()] == ["a.txt", "b.txt"]


def test_a_map_stands_while_documents_are_added(workspace):
    drop(workspace, text("a.txt", PUMP))
    ended = Event()

    def add():
        for number in range(15):
            drop(workspace, text(f"{number}.txt", f"{VALVE} Number {number}."))
        ended.set()

    adding = Thread(target=add)
    adding.start()
    while not ended.is_set():
        picture = workspace.picture()
        assert len(picture.points) == len(picture.vectors) == len(picture.keys.doc_ids)
        workspace.place("pump", picture)
    adding.join(10)


def test_nodes_longer_than_the_model_reads_are_told_with_their_file(workspace):
    long = " ".join(" ".join(f"word{n}" for n in range(40)) + "." for _ in range(7))
    results = workspace.add([text("long.txt", f"{long} A short one."), text("short.txt", "Brief.")], ChunkSettings(7))
    assert "1 node is longer than the model reads: the end is not embedded." in results[0].reason
    assert results[1].reason == ""
