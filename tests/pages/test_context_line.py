"""The context line in the sidebar: chosen, built beside the plain index, shown with hits, and brought back by a link."""

from __future__ import annotations

import json

from core.settings import ChunkSettings, ContextSettings
from core.workspace import Workspace
from tests.pages.screen import app, cards, go, press, raw, said, settle

KNOWN = ContextSettings()


def choose(tab, kind: str):
    tab.radio(key="bound-context_kind").set_value(kind).run()
    assert not tab.exception
    return tab


def ask(tab, question: str):
    next(box for box in tab.text_input if box.label == "Question").set_value(question).run()
    assert not tab.exception
    return tab


def test_a_contextual_index_is_built_beside_the_plain_one_and_its_lines_are_shown(shipped: Workspace):
    tab = choose(app("search"), "known")
    tab = settle(press(tab, "build-draft"))
    assert [index.settings for index in shipped.indexes()] == [ChunkSettings(), ChunkSettings(context=KNOWN)]
    tab = ask(tab, "What is the refund policy?")
    assert "context: Billing FAQ" in cards(tab)[0]
    tab.selectbox(key="bound-index").set_value(shipped.indexes()[0].id).run()
    assert tab.radio(key="bound-context_kind").value == "off"
    assert "context:" not in cards(tab)[0]


def test_what_a_node_is_computed_to_be_stands_with_its_hit(shipped: Workspace):
    tab = ask(app("search"), "What is the refund policy?")
    assert "content type text" in cards(tab)[0]
    assert "keywords refund" in cards(tab)[0]


def test_a_line_that_a_model_writes_names_where_the_text_goes_before_anything_is_sent(shipped: Workspace):
    tab = choose(app("search"), "written")
    assert "Building sends" not in said(tab)
    tab.text_input(key="bound-context_writer").set_value("tiny").run()
    tab.text_input(key="bound-context_url").set_value("http://models.example:9/v1").run()
    assert "Building sends 500 requests with your text to models.example:9" in said(tab)
    assert len(shipped.indexes()) == 1


def test_an_address_that_cannot_be_is_told_and_nothing_is_drafted(shipped: Workspace):
    tab = choose(app("search"), "written")
    tab.text_input(key="bound-context_writer").set_value("tiny").run()
    tab.text_input(key="bound-context_url").set_value("ftp://nowhere").run()
    assert "is no address of an endpoint" in said(tab)
    assert "This index is built and in use" in said(tab)


def test_a_link_brings_the_context_line_back(shipped: Workspace):
    tab = choose(app("search"), "known")
    (address,) = (data["said"] for e in tab.get("bidi_component") if "said" in (data := json.loads(e.proto.json)))
    again = go(app(**{name: value for name, value in address.items() if value}), "search")
    assert again.radio(key="bound-context_kind").value == "known"
    assert any("Build this index" in text for text in raw(again)[0])


def test_a_link_with_a_context_line_that_is_none_is_ignored(shipped: Workspace):
    tab = app("search", context='{"size": "x"}')
    assert not tab.exception
    assert tab.radio(key="bound-context_kind").value == "off"
