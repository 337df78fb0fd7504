"""Search: hits with and without the filter, and the filter itself."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from core import home, workspace
from core.filters import conjunction, from_json
from core.ingest import Upload
from core.settings import ChunkSettings, SearchSettings
from tests.fakes import BagEncoder
from tests.pages.screen import app, cards, go, marked, notices, press, raw, said

QUESTION = "north pump failed"


def asked(question=QUESTION, **settings):
    """The search page after a question."""
    return app("search", q=question, **{name: str(value) for name, value in settings.items()})


def typed(tab, filter):
    """Apply a filter through its JSON form."""
    area = next(area for area in tab.text_area if area.key.startswith("filter-json"))
    area.set_value(filter if isinstance(filter, str) else json.dumps(filter)).run()
    return press(tab, "filter-json-apply")


def filtered(tab, filter):
    """The same tab under a filter."""
    tab.session_state["chunkscope"].filter = conjunction(from_json(filter))
    tab.run()
    assert not tab.exception, tab.exception
    return tab


def chips(tab):
    return [button.label for button in tab.button if button.key.startswith("chip-")]


def window_in(card):
    """The text of the window in a card, as it is."""
    (inside,) = re.findall(r'<div class="cs-text" dir="auto">(.*?)</div>', card, re.DOTALL)
    return unescape(re.sub(r"</?mark>", "", inside))


def line(hit):
    return f"{hit.score:.3f} · {hit.name} #{hit.node.ordinal + 1}"


# ── results ──────────────────────────────────────────────────────────────────────────────────────


def test_an_empty_workspace_says_so(empty):
    assert "Nothing to search yet." in said(app("search"))


def test_hits_show_rank_score_source_and_the_window_with_its_node_marked(plant):
    tab = asked(window=1, k=3)
    hits = plant.search(QUESTION, SearchSettings(3, 1)).hits
    shown = cards(tab)
    assert len(shown) == len(hits) == 3
    for number, (card, hit, body) in enumerate(zip(shown, hits, raw(tab)[1], strict=False), 1):
        assert card.startswith(f"{number} {hit.score:.3f} · {hit.name} #{hit.node.ordinal + 1}")
        assert marked(body) == hit.text
        assert window_in(body) == hit.window_text
    assert hits[0].text == "The north pump failed in May."
    assert "category: report · tags: north, may" in shown[0]
    assert "exact · 3 of 3 from 7 nodes" in said(tab)


def test_moving_the_window_changes_the_text_and_not_the_hits(plant):
    tab = asked(window=0)
    before = cards(tab)
    tab.slider(key="bound-window").set_value(2).run()
    assert [c.split(" #")[0] for c in cards(tab)] == [c.split(" #")[0] for c in before]
    assert len(cards(tab)[0]) > len(before[0])


def test_an_example_question_can_be_asked_by_a_click(shipped):
    tab = press(app("search"), "What is the refund policy?")
    assert tab.text_input(key="bound-question").value == "What is the refund policy?"
    assert cards(tab)


def test_the_distance_limit_cuts_hits_and_says_so(plant):
    nearest = plant.search(QUESTION, SearchSettings(5)).hits
    limit = round(nearest[0].distance + 0.02, 2)
    tab = asked()
    tab.slider(key="bound-max_distance").set_value(limit).run()
    kept = [hit for hit in nearest if hit.distance <= limit]
    assert len(cards(tab)) == len(kept) < 5
    assert f"exact · {len(kept)} of 5 (the distance limit cut the rest)" in said(tab)
    assert f"Distance ≤ {limit:.2f}" in [block.proto.popover.label for block in tab.get("popover")]


def test_fewer_nodes_than_k_are_said(plant):
    assert "exact · 7 of 20 (no more nodes match)" in said(asked(k=20))


def test_the_sql_that_ran_and_its_values_are_shown(plant):
    tab = filtered(asked(), {"category": "report"})
    sql, values = (code.value for code in tab.code)
    ran = plant.search(QUESTION, SearchSettings(), from_json({"category": "report"}))
    assert sql == ran.sql
    assert values.splitlines()[1:] == ["2: 'report'", "3: 5"]


def test_a_question_that_is_blank_asks_nothing(plant):
    tab = app("search")
    tab.text_input(key="bound-question").set_value("   ").run()
    assert not cards(tab)
    assert "Ask a question: the nearest nodes come back" in said(tab)


def test_a_question_too_long_is_refused(plant):
    long = app("search")
    long.text_input(key="bound-question").set_value("x" * 2001).run()
    assert any("The question has 2,001 characters." in notice for notice in notices(long))


def test_a_changed_model_is_told(plant, monkeypatch):
    from core.types import ModelInfo

    monkeypatch.setattr(plant, "encoders", lambda name: BagEncoder(ModelInfo("bag", "bag-2", 32, 256)))
    tab = asked("Something never asked")
    assert any("is not the one this index was built with" in notice for notice in notices(tab))
    assert not cards(tab)


def test_a_hit_opens_in_its_text_at_its_node(plant):
    tab = press(asked(), "text-plain-1")
    assert not tab.exception
    assert tab.selectbox(key="bound-document").value == plant.document("pump.md").id
    assert json.loads(tab.get("bidi_component")[0].proto.json)["selected"] == 1


def test_a_hit_opens_on_the_map(plant):
    tab = press(asked(), "map-plain-1")
    assert tab.title[0].value == "Map"
    assert "pump.md #2" in said(tab)


# ── the filter ───────────────────────────────────────────────────────────────────────────────────


def test_a_condition_is_built_from_field_operator_and_values(plant):
    tab = asked()
    assert tab.selectbox(key="filter-field").value == "category"
    tab.multiselect(key="filter-value-category-in").set_value(["log"]).run()
    tab = press(tab, "filter-add")
    assert len(chips(tab)) == 1
    assert "category" in chips(tab)[0]
    assert "log" in chips(tab)[0]
    assert "3 of 7 nodes match (43 %)" in said(tab)


@pytest.mark.parametrize("name", ["tags", "published_at", "year", "urgent", "share", "doc_id", "page", "text_like"])
def test_every_kind_of_field_offers_operators_and_values(plant, name):
    sidecar = b'{"urgent": true, "share": 0.5, "text_like": "x"}'
    plant.add([Upload("more.txt", b"One more."), Upload("more.txt.meta.json", sidecar)], ChunkSettings())
    tab = app("search")
    tab.selectbox(key="filter-field").select(name).run()
    for number in range(len(tab.selectbox(key=f"filter-op-{name}").options)):
        tab.selectbox(key=f"filter-op-{name}").select_index(number).run()
        assert not tab.exception, tab.selectbox(key=f"filter-op-{name}").value


def test_two_ladders_stand_side_by_side_and_tell_each_hits_fate(plant):
    tab = filtered(asked(k=3), {"category": "log"})
    everything = plant.search(QUESTION, SearchSettings(3)).hits
    logs = plant.search(QUESTION, SearchSettings(3), from_json({"category": "log"})).hits
    left, right = cards(tab)[:3], cards(tab)[3:]
    assert [line(hit) in card for hit, card in zip(everything, left, strict=True)] == [True] * 3
    assert [line(hit) in card for hit, card in zip(logs, right, strict=True)] == [True] * 3
    kept = {hit.id for hit in everything} & {hit.id for hit in logs}
    for hit, card in zip(everything, left, strict=True):
        assert ("excluded by the filter" in card) == (hit.id not in kept)
    for hit, card in zip(logs, right, strict=True):
        assert ("promoted by the filter" in card) == (hit.id not in kept)
    text = said(tab)
    assert "3 of 7 nodes match (43 %) · exact · 3 of 3" in text
    assert f"{len(kept)} kept, {3 - len(kept)} promoted, {3 - len(kept)} excluded" in text
    assert all("valve.txt" in card for card in right)


def test_chips_are_joined_by_and_and_go_one_by_one(plant):
    tab = typed(asked(), {"all": [{"category": "report"}, {"year": 2023}, {"field": "ordinal", "op": ">", "value": 1}]})
    assert len(chips(tab)) == 3
    assert "2 of 7 nodes match" in said(tab)
    tab = press(tab, "chip-2")
    assert "4 of 7 nodes match" in said(tab)
    tab = press(press(tab, "chip-1"), "chip-0")
    assert not chips(tab)
    assert "from 7 nodes · add a filter to compare" in said(tab)


def test_a_filter_that_matches_nothing_returns_nothing_and_says_so(plant):
    tab = filtered(asked(k=2), {"category": "none such"})
    assert "The filter matches nothing, so nothing is returned. Remove a condition." in notices(tab)
    assert "0 of 7 nodes match (0 %) · exact · 0 of 2" in said(tab)
    assert len(cards(tab)) == 2, "the unfiltered side stays for comparison"
    assert all("excluded by the filter" in card for card in cards(tab))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{nope", "The filter is no JSON: "),
        ('{"catgory": "log"}', "There is no field 'catgory'. Did you mean 'category'"),
        ('{"year": "2023"}', "'year' holds an integer, not '2023'."),
        ('{"field": "year", "op": "~", "value": 1}', "There is no operator '~'."),
        ("[" * 100_000, "The filter is nested too deeply"),
        ("[1]", "A filter is a JSON object"),
    ],
)
def test_a_wrong_filter_is_refused_and_changes_nothing(plant, text, message):
    tab = typed(asked(), text)
    assert any(message in notice for notice in notices(tab))
    assert not chips(tab)
    assert cards(tab)


def test_the_filter_stays_on_other_pages_and_is_said_in_the_sidebar(plant):
    tab = filtered(asked(), {"year": 2023})
    tab = go(tab, "documents")
    assert ":material/filter_alt: year = 2023 · 4 of 7 nodes" in said(tab)
    assert f":material/search: {QUESTION}" in said(tab)
    assert chips(go(tab, "map")) == [r"year \= 2023"]


def test_a_document_is_named_in_its_filter(plant):
    doc_id = plant.document("valve.txt").id
    tab = filtered(asked(), {"doc_id": doc_id})
    assert "valve" in chips(tab)[0]
    assert doc_id not in chips(tab)[0]
    assert "3 of 7 nodes match" in said(tab)


def test_a_filter_on_a_field_the_next_workspace_lacks_is_dropped_with_a_note(plant):
    """Also after the field has gone with a reset."""
    tab = filtered(asked(), {"year": 2023})
    plant.reset()
    plant.add([Upload("new.txt", b"A north pump.")], ChunkSettings())
    tab.run()
    assert not tab.exception
    assert any(notice.startswith("The filter was dropped. There is no field 'year'.") for notice in notices(tab))
    assert not chips(tab)
    assert len(cards(tab)) == 1


def test_a_filter_stays_behind_when_the_workspace_changes(plant):
    other = workspace.open(home.named("other"), lambda name: BagEncoder())
    other.add([Upload("new.txt", b"A north pump.")], ChunkSettings())
    tab = filtered(asked(), {"year": 2023})
    tab = press(tab, f"open-{home.named('other')}")
    assert not chips(tab)
    assert "sentence · 1 nodes" in said(tab) or "sentence · 1 node" in said(tab)


def test_a_value_whose_document_is_deleted_matches_nothing_and_the_page_stands(plant):
    """Case T05."""
    tab = filtered(asked(), {"category": "log"})
    plant.remove(plant.document("valve.txt").id)
    tab.run()
    assert not tab.exception
    assert "The filter matches nothing, so nothing is returned. Remove a condition." in notices(tab)


# ── boundary marks and misfits ───────────────────────────────────────────────────────────────────


def test_boundary_marks_are_shown_where_the_document_ends_before_the_window_does(plant):
    tab = asked(window=1, k=7)
    assert not any("[DOCUMENT_" in card for card in cards(tab))
    before = [card.split(" · ")[0] for card in cards(tab)]
    tab.toggle(key="bound-boundary_marks").set_value(True).run()
    hits = plant.search(QUESTION, SearchSettings(7, 1, boundary_marks=True)).hits
    bodies = [body for body in raw(tab)[1] if 'class="cs-hit' in body]
    for hit, body in zip(hits, bodies, strict=True):
        last = plant.documents()[0 if hit.name == "pump.md" else 1].sentences - 1
        assert ("[DOCUMENT_START]" in body) == (hit.node.first_sentence == 0)
        assert ("[DOCUMENT_END]" in body) == (hit.node.last_sentence == last)
        assert re.sub(r'<span class="cs-around">.*?</span>', "", window_in(body)) == hit.window_text
        assert unescape(re.sub(r"</?(mark|span)[^>]*>", "", window_in(body))) == hit.returned
        assert marked(body) == hit.text, "a mark is no part of the node"
    assert [card.split(" · ")[0] for card in cards(tab)] == before, "scores are those of before"
    tab.toggle(key="bound-boundary_marks").set_value(False).run()
    assert not any("[DOCUMENT_" in card for card in cards(tab))


def test_boundary_marks_stay_on_while_other_pages_are_visited(plant):
    tab = asked(window=2)
    tab.toggle(key="bound-boundary_marks").set_value(True).run()
    tab = go(go(tab, "documents"), "search")
    assert tab.toggle(key="bound-boundary_marks").value is True
    assert any("[DOCUMENT_START]" in card for card in cards(tab))


def test_a_hit_in_a_text_that_the_model_does_not_read_is_warned_of(empty):
    """Case R03, on the page of the results."""
    empty.add([Upload("zwölf.txt", "Ünser größter Übermüt. Ölige Äpfel fäulen.".encode())], ChunkSettings(), "bag")
    tab = asked("größter")
    (warning,) = notices(tab)
    assert warning.startswith("zwölf.txt: ")
    assert "of its tokens are unknown to bag. Use a multilingual model." in warning


def test_a_misfit_among_the_documents_is_told_only_where_it_is_a_hit(plant):
    plant.add([Upload("zwölf.txt", "Ünser größter Übermüt. Ölige Äpfel fäulen.".encode())], ChunkSettings())
    assert not notices(asked(k=1))
    assert [notice.split(":")[0] for notice in notices(asked("größter", k=1))] == ["zwölf.txt"]
    assert not notices(filtered(asked("north", k=1), {"category": "report"}))


def test_at_most_three_misfits_are_told(empty):
    empty.add([Upload(f"{n}.txt", f"Größe {n}.".encode()) for n in range(5)], ChunkSettings())
    assert len(notices(asked("Größe"))) == 3


# ── the sample, with the real model ──────────────────────────────────────────────────────────────


def test_the_samples_refund_question_is_answered_by_the_billing_faq(shipped):
    tab = asked("What is the refund policy?")
    assert "1: unit vector of 384 numbers: " in tab.code[1].value
    assert "billing-faq.md" in cards(tab)[0]
    tab = filtered(tab, {"field": "tags", "op": "contains_all", "value": ["faq", "refunds"]})
    assert all("billing-faq.md" in card for card in cards(tab)[5:])
    assert "of 500 nodes match" in said(tab)
    traps = [button for button in tab.button if (button.key or "").startswith("trap-")]
    assert len(traps) >= 3
    for trap in [button.key for button in traps]:
        tab = press(tab, trap)
        assert cards(tab), trap
