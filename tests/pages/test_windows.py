"""Windows: a document, its draft of nodes, and the index that is built from it."""

from __future__ import annotations

import json

import pytest

from core import api, read, split
from core.ingest import Upload
from core.settings import ChunkSettings
from core.store.base import Passage, Record
from tests.pages.screen import act, app, go, plain, press, report, results, said, settle


def viewer(tab):
    """What the viewer is told."""
    return json.loads(tab.get("bidi_component")[0].proto.json)


def drag(tab, name, value):
    tab.slider(key=f"bound-{name}").set_value(value).run()
    assert not tab.exception
    return tab


def view(tab, **values):
    """The user moves something in the viewer."""
    return report(tab, tab.get("bidi_component")[0], "json_value", {"view": {"selected": 0, "window": 2, **values}})


def test_an_empty_workspace_says_so(empty):
    assert "No documents yet." in said(app("windows"))


def test_the_first_document_is_open_with_its_counts(plant):
    tab = app("windows")
    assert tab.selectbox(key="bound-document").options == ["pump.md", "valve.txt"]
    assert "80 characters · 4 sentences · nodes of 1 sentence" in said(tab)
    shown = viewer(tab)
    info = plant.document("pump.md")
    assert shown["text_url"].startswith(f"/api/text/{api.workspace_key(plant)}/{info.id}/{info.version}?")
    assert "size=1&overlap=0" in shown["nodes_url"]
    assert (shown["selected"], shown["window"], shown["window_max"]) == (0, 2, 10)


def test_another_document_begins_at_its_first_node(plant):
    tab = view(app("windows"), selected=3, seq=1)
    assert viewer(tab)["selected"] == 3
    tab.selectbox(key="bound-document").select(plant.document("valve.txt").id).run()
    assert viewer(tab)["selected"] == 0
    assert plant.document("valve.txt").revision in viewer(tab)["text_url"]


def test_what_the_viewer_reports_is_kept_and_reaches_search(plant):
    tab = view(app("windows"), selected=2, window=7, seq=4)
    assert (viewer(tab)["selected"], viewer(tab)["window"], viewer(tab)["seq"]) == (2, 7, 4)
    assert go(tab, "search").slider(key="bound-window").value == 7


def test_pinned_nodes_are_kept_until_their_settings_or_document_change(plant):
    tab = view(app("windows"), selected=2, pinned=[0, 3], seq=1)
    assert viewer(tab)["pinned"] == [0, 3]
    tab = go(go(tab, "settings"), "windows")
    assert viewer(tab)["pinned"] == [0, 3]
    assert viewer(drag(tab, "size", 2))["pinned"] == []
    tab = view(tab, selected=1, pinned=[0], seq=2)
    tab.selectbox(key="bound-document").select(plant.document("valve.txt").id).run()
    assert viewer(tab)["pinned"] == []


def test_a_node_of_another_document_can_be_gone_to(plant):
    valve = plant.document("valve.txt").id
    tab = app("windows")
    tab = report(tab, tab.get("bidi_component")[0], "json_value", {"open": {"doc_id": valve, "ordinal": 2}})
    assert tab.selectbox(key="bound-document").value == valve
    assert viewer(tab)["selected"] == 2
    assert viewer(tab)["name"] == "valve.txt"


def test_what_an_index_knows_is_offered_only_where_one_holds_these_nodes(plant):
    tab = app("windows")
    index, key = plant.index(), api.workspace_key(plant)
    assert f"index={index.id}" in viewer(tab)["near_url"]
    assert f"index={index.id}" in viewer(tab)["about_url"]
    assert viewer(tab)["tokens_url"].startswith(f"/api/tokens/{key}/")
    tab = drag(tab, "size", 2)
    assert viewer(tab)["near_url"] == ""
    assert "index=" not in viewer(tab)["about_url"]
    plant.add([Upload("late.txt", b"It came later. So it lacks.")], ChunkSettings(2))
    tab = drag(tab, "size", 1)
    tab.selectbox(key="bound-document").select(plant.document("late.txt").id).run()
    assert viewer(tab)["near_url"] == "", "that index does not hold this document"


def test_settings_pinned_as_a_stay_beside_those_in_hand(plant):
    tab = press(drag(app("windows"), "size", 2), "pin-a")
    assert "size=2&overlap=0" in viewer(tab)["compare_url"]
    tab = drag(tab, "size", 3)
    assert "size=2&overlap=0" in viewer(tab)["compare_url"]
    assert "size=3&overlap=0" in viewer(tab)["nodes_url"]
    tab = go(go(tab, "settings"), "windows")
    assert plain(tab.button(key="pin-a").label) == "A: 2-sentences"
    tab = press(tab, "pin-a")
    assert viewer(tab)["compare_url"] == ""


def test_a_change_of_settings_keeps_the_place_in_the_text(plant):
    tab = view(app("windows"), selected=2, seq=1)
    passage, before = plant.preview(plant.document("pump.md").id, ChunkSettings())
    for size in (2, 3):
        tab = drag(tab, "size", size)
        node = plant.preview(passage.document.id, ChunkSettings(size))[1][viewer(tab)["selected"]]
        assert node.start <= before[2].start < node.end
    assert viewer(drag(tab, "size", 1))["selected"] <= 2


def test_a_text_is_not_loaded_to_draw_the_page(plant, monkeypatch):
    """The browser fetches it: Python waits for a long one only where it must."""
    app("windows")
    monkeypatch.setattr(type(plant.store), "passage", lambda *_: pytest.fail("the text was loaded"))
    monkeypatch.setattr(type(plant), "unfit_for", lambda *_: "")
    assert viewer(app("windows"))["text_url"]


def test_a_long_text_is_judged_by_its_language_alone(plant, monkeypatch):
    german = "Der Druck in der Leitung ist zu hoch, und niemand hat es bemerkt. " * 9000
    plant.store.put(record("lang.txt", german), None, None)
    monkeypatch.setattr(type(plant), "unfit_for", lambda *_: pytest.fail("a page must not wait for a tokenizer"))
    assert "reads English only" in said(app("windows", doc=plant.document("lang.txt").id))


def record(name, text):
    document = read.read(name, text.encode())
    return Record(Passage(document, tuple(split.sentences(document))), text.encode(), None, {})


def test_settings_survive_a_page_switch(plant):
    """Case T01."""
    tab = drag(drag(drag(app("windows"), "size", 4), "overlap", 2), "embed_around", 1)
    tab = go(go(view(tab, window=7, seq=1), "settings"), "windows")
    assert [tab.slider(key=f"bound-{name}").value for name in ("size", "overlap", "embed_around")] == [4, 2, 1]
    assert "size=4&overlap=2&embed_around=1" in viewer(tab)["nodes_url"]
    assert viewer(tab)["window"] == 7


def test_nodes_of_one_sentence_have_no_overlap_to_set(plant):
    tab = app("windows")
    assert "bound-overlap" not in [slider.key for slider in tab.slider]
    assert "nodes of one sentence share none" in said(tab)
    tab = drag(tab, "size", 3)
    assert (tab.slider(key="bound-overlap").min, tab.slider(key="bound-overlap").max) == (0, 2)


def test_overlap_is_cut_to_what_fits_and_does_not_come_back(plant):
    """Case T04: what is shown is what is used, at every step."""
    tab = drag(drag(app("windows"), "size", 10), "overlap", 9)
    for size, overlap in ((4, 3), (10, 3), (1, 0), (5, 0)):
        tab = drag(tab, "size", size)
        shown = [slider.value for slider in tab.slider if slider.key == "bound-overlap"]
        assert shown == ([overlap] if size > 1 else [])
        assert f"size={size}&overlap={overlap}&" in viewer(tab)["nodes_url"]


def test_an_index_made_elsewhere_with_larger_nodes_can_be_opened(plant):
    plant.build(ChunkSettings(12, 11, 5))
    tab = press(app("settings"), f"use-{plant.index('12-sentences-overlap-11-around-5').id}")
    tab = press_question(tab)
    hit = results(tab)[0]
    tab = act(tab, do="text", id=hit["id"], doc_id=hit["doc_id"], ordinal=hit["ordinal"])
    assert "size=12&overlap=11&embed_around=5" in viewer(tab)["nodes_url"]
    assert "size=10&overlap=9&" in viewer(drag(tab, "size", 10))["nodes_url"]


def press_question(tab):
    """Ask something on the search page."""
    tab = go(tab, "search")
    tab.text_input(key="bound-question").set_value("pump").run()
    return tab


def test_a_document_of_one_sentence_works(empty):
    """Case T03."""
    empty.add([Upload("one.txt", b"Only one sentence.")], ChunkSettings())
    tab = app("windows")
    assert "18 characters · 1 sentence · nodes" in said(tab)
    assert "size=10&overlap=9" in viewer(drag(drag(tab, "size", 10), "overlap", 9))["nodes_url"]


def test_building_says_what_is_new_and_puts_the_index_to_use(plant):
    tab = app("windows")
    assert "This index is built and in use: 7 nodes." in said(tab)
    tab = drag(tab, "size", 2)
    cost = plant.cost(ChunkSettings(2))
    button = tab.button(key="build-draft")
    assert button.label.startswith(f"Build this index · {cost.new} new of {cost.nodes} ·")
    assert cost.new > 0
    tab = settle(press(tab, "build-draft"))
    built = plant.index("2-sentences")
    assert built.nodes == cost.nodes
    assert tab.selectbox(key="bound-index").value == built.id
    assert f"This index is built and in use: {built.nodes} nodes." in said(tab)
    tab = drag(tab, "size", 1)
    tab = press(tab, "use-draft")
    assert tab.selectbox(key="bound-index").value == plant.index("sentence").id


def test_an_index_whose_texts_are_all_known_has_nothing_new(plant):
    plant.build(ChunkSettings(2))
    plant.build(ChunkSettings(2, 1))
    plant.drop_index(plant.index("2-sentences").id)
    tab = drag(app("windows"), "size", 2)
    assert tab.button(key="build-draft").label.startswith("Build this index · 0 new of ")


def test_a_document_that_is_not_in_the_index_is_told_and_the_index_completed(plant):
    first = plant.index()
    plant.add([Upload("late.txt", b"It came later. So it lacks.")], ChunkSettings(2))
    tab = app("windows")
    assert tab.selectbox(key="bound-index").value == first.id
    assert "1 document not in this index" in said(tab)
    tab = settle(press(tab, "complete-index"))
    assert "not in this index" not in said(tab)
    assert plant.index(first.id).documents == 3


def test_a_link_opens_document_node_window_and_draft(plant):
    doc_id = plant.document("valve.txt").id
    tab = app("windows", doc=doc_id, node="1", window="5", nodes="2-1-0")
    assert tab.selectbox(key="bound-document").value == doc_id
    assert (viewer(tab)["selected"], viewer(tab)["window"]) == (1, 5)
    assert "size=2&overlap=1" in viewer(tab)["nodes_url"]
    assert tab.query_params["doc"] in (doc_id, [doc_id])


@pytest.mark.parametrize(
    "address",
    [
        {"doc": "nope"}, {"node": "99999999"}, {"node": "²"}, {"window": "-3"}, {"window": "99"}, {"nodes": "3-9-0"},
        {"nodes": "1-0-0-0-0"}, {"nodes": "x"}, {"nodes": "500-0-0"}, {"nodes": "1-0-50"}, {"k": "0"},
    ],
)  # fmt: skip
def test_a_wrong_link_opens_all_the_same(plant, address):
    tab = app("windows", **address)
    assert not tab.exception
    assert "size=1&overlap=0&embed_around=0" in viewer(tab)["nodes_url"]
    assert (viewer(tab)["window"], viewer(tab)["window_max"]) == (2, 10)


def test_the_passages_that_answer_the_question_in_hand_are_starred(plant):
    gold = b'{"question": "What failed?", "references": [{"document": "pump.md", "content": "The north pump failed in May."}]}'
    plant.keep_gold("gold", plant.read_gold(gold))
    assert viewer(app("windows", q="What failed?"))["gold"] == [[9, 38]]
    assert viewer(app("windows", q="Another one"))["gold"] == []


def test_hits_of_the_last_question_are_numbered_in_the_text(plant):
    tab = app("search", q="north pump failed")
    tab = go(tab, "windows")
    assert (1, 1, 1) in [
        (h["ordinal_sentence_first"], h["ordinal_sentence_last"], h["rank"]) for h in viewer(tab)["hits"]
    ]


def test_a_document_deleted_elsewhere_gives_way_to_the_next(plant):
    tab = app("windows")
    plant.remove(plant.document("pump.md").id)
    tab.run()
    assert not tab.exception
    assert tab.selectbox(key="bound-document").options == ["valve.txt"]
    assert plant.document("valve.txt").revision in viewer(tab)["text_url"]


def test_the_planted_faults_are_told_and_tried(shipped):
    tab = app("windows")
    trap = next(button for button in tab.button if (button.key or "").startswith("trap-"))
    trap.click().run()
    assert not tab.exception
    assert viewer(tab)["gold"], "the trap's gold passage is starred"
