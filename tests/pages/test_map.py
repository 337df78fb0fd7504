"""Map: every node in one layer, and the window of the one that is clicked."""

from __future__ import annotations

import json

import pytest

from core.errors import Cancelled
from core.filters import from_json
from core.ingest import Upload
from core.settings import ChunkSettings, SearchSettings
from core.workspace import node_id
from tests.pages.screen import app, click_point, figure, go, layers, marked, notices, press, raw, said, settle

QUESTION = "north pump failed"


def ids(opened, document):
    info = opened.document(document)
    count = opened.store.node_counts(opened.index())[info.id]
    return {node_id(info.id, opened.index().id, ordinal) for ordinal in range(count)}


def asked(filter=None, k=2, where=""):
    tab = app("search", q=QUESTION, k=str(k))
    if filter:
        area = next(a for a in tab.text_area if a.key.startswith("filter-json"))
        area.set_value(json.dumps(filter)).run()
        tab = press(tab, "filter-json-apply")
    tab.session_state["chunkscope"].where = where
    return go(tab, "map")


def test_an_empty_workspace_says_so(empty):
    assert "Nothing to search yet." in said(app("map"))


def test_without_a_question_every_node_is_a_point_that_tells_its_text(plant):
    tab = app("map")
    (name, found), *others = layers(tab).items()
    assert (name, others) == ("other nodes (7)", [])
    assert set(found) == ids(plant, "pump.md") | ids(plant, "valve.txt")
    hover = dict(zip(found, figure(tab)["data"][0]["hovertext"], strict=True))
    assert hover[node_id(plant.document("pump.md").id, plant.index().id, 1)] == "The north pump failed in May."
    assert "PCA · 7 nodes · neighbours kept" in said(tab) or "UMAP · 7 nodes · neighbours kept" in said(tab)
    assert "Click a point to read its window." in said(tab)


def test_pca_gives_way_to_umap_when_its_job_is_done(plant):
    tab = settle(app("map"))
    assert "UMAP · 7 nodes" in said(tab)
    assert plant.store.map(plant.index(), "UMAP") is not None


def test_the_shipped_map_is_there_at_once(shipped):
    tab = app("map")
    assert "UMAP · 500 nodes · neighbours kept" in said(tab)
    assert list(layers(tab)) == ["other nodes (500)"]
    assert not tab.get("progress")


def test_a_question_sets_its_hits_apart_and_stands_among_them(plant):
    tab = asked()
    found = layers(tab)
    assert list(found) == ["other nodes (5)", "hits (2)"]
    assert found["hits (2)"] == [hit.id for hit in plant.search(QUESTION, SearchSettings(2)).hits]
    traces = {trace.get("name"): trace for trace in figure(tab)["data"]}
    assert traces["hits (2)"]["text"] == [" 1", " 2"]
    assert "question" in traces
    assert traces["hits (2)"]["marker"]["size"] > traces["other nodes (5)"]["marker"]["size"]


def test_a_filter_sorts_the_nodes_into_five_layers_told_apart_by_shape(plant):
    tab = asked({"category": "log"}, k=3)
    before = {hit.id for hit in plant.search(QUESTION, SearchSettings(3)).hits}
    after = {hit.id for hit in plant.search(QUESTION, SearchSettings(3), from_json({"category": "log"})).hits}
    found = {name.rsplit(" (", 1)[0]: set(points) for name, points in layers(tab).items()}
    expected = {
        "excluded by the filter": ids(plant, "pump.md") - before,
        "matches the filter": ids(plant, "valve.txt") - before - after,
        "only without the filter": before - after,
        "only with the filter": after - before,
        "in both searches": before & after,
    }
    assert found == {name: points for name, points in expected.items() if points}
    assert sum(map(len, found.values())) == 7
    counts = {name: len(points) for name, points in found.items()}
    assert all(name.endswith(f"({counts[name.rsplit(' (', 1)[0]]})") for name in layers(tab))
    named = [trace for trace in figure(tab)["data"] if "name" in trace]
    shapes = {trace["marker"]["symbol"] for trace in named}
    assert len(shapes) >= len(named) - 1, "matches and hits are both circles, of two sizes"


def test_an_experts_condition_sorts_the_nodes_as_a_filter_does(plant):
    by_filter = layers(asked({"category": "log"}, k=3))
    assert layers(asked(k=3, where="category = 'log'")) == by_filter


def test_a_filter_that_matches_nothing_excludes_every_node(plant):
    found = layers(asked({"category": "none"}, k=2))
    assert {name: len(points) for name, points in found.items()} == {
        "excluded by the filter (5)": 5, "only without the filter (2)": 2,
    }  # fmt: skip


def test_a_clicked_node_shows_its_window_and_opens_in_the_text(plant):
    tab = app("map", window="1")
    last = node_id(plant.document("valve.txt").id, plant.index().id, 2)
    tab = click_point(tab, last)
    text = said(tab)
    assert "##### valve.txt #3" in text
    (shown,) = raw(tab)[1]
    assert marked(shown) == "The shift ended early."
    assert "Nobody noticed the noise. The shift ended early." in text
    assert "The south valve held" not in text
    tab = press(tab, "map-open")
    viewer = json.loads(tab.get("bidi_component")[0].proto.json)
    assert (tab.selectbox(key="bound-document").value, viewer["selected"]) == (plant.document("valve.txt").id, 2)


def test_a_clicked_node_whose_document_goes_away_is_told(plant):
    tab = click_point(app("map"), node_id(plant.document("valve.txt").id, plant.index().id, 2))
    plant.remove(plant.document("valve.txt").id)
    tab.run()
    assert not tab.exception
    assert any("There is no document" in notice for notice in notices(tab))
    assert list(layers(tab)) == ["other nodes (4)"]


def test_a_clicked_node_of_an_index_no_longer_in_use_is_forgotten(plant):
    tab = click_point(app("map"), node_id(plant.document("valve.txt").id, plant.index().id, 2))
    built = plant.build(ChunkSettings(2)).index
    tab.run()
    tab.selectbox(key="bound-index").select(built.id).run()
    assert not tab.exception
    assert "Click a point to read its window." in said(tab)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("question", ["", "word 1"])
def test_few_nodes_are_drawn(empty, count, question):
    empty.add([Upload("few.txt", " ".join(f"Word {n} stands here." for n in range(count)).encode())], ChunkSettings())
    tab = go(app("search", q=question), "map") if question else app("map")
    assert sum(map(len, layers(tab).values())) == count
    assert f"· {count} nodes ·" in said(tab) or f"· {count} node ·" in said(tab)
    assert not notices(tab)


def test_nodes_that_are_all_alike_are_drawn(empty):
    empty.add([Upload("same.txt", b"Alike it is. " * 6)], ChunkSettings())
    assert layers(settle(app("map")))


def test_a_layout_that_was_stopped_is_not_begun_again_by_itself(plant, monkeypatch):
    lay_out, tries = plant.lay_out, []

    def stopped_once(index, progress):
        tries.append(index)
        if len(tries) == 1:
            raise Cancelled("Stopped.")
        lay_out(index, progress)

    monkeypatch.setattr(plant, "lay_out", stopped_once)
    tab = settle(app("map"))
    assert any("was stopped." in notice for notice in notices(tab))
    assert "PCA · 7 nodes" in said(tab)
    assert len(tries) == 1
    tab = settle(press(tab, "map-again"))
    assert "UMAP · 7 nodes" in said(tab)


def test_the_planted_faults_can_be_tried(shipped):
    tab = app("map")
    for trap in [button.key for button in tab.button if (button.key or "").startswith("trap-")]:
        tab = press(tab, trap)
        assert any(name.startswith(("hits", "in both", "only")) for name in layers(tab)), trap
