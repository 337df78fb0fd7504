"""Search: hits with and without the filter, and the filter itself."""

from __future__ import annotations

import json
import re

import pytest

from core import home, workspace
from core.boosts import Boost
from core.evaluate.gold import Question, Reference
from core.filters import EVERYTHING, conjunction, from_json
from core.ingest import Upload
from core.settings import ChunkSettings, SearchSettings
from core.types import Span
from pages.parts import statement
from pages.parts.text import literal, percent
from tests.fakes import BagEncoder
from tests.pages.screen import act, app, cards, go, notices, plain, press, results, results_data, said

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
    """The conditions above the answer, as they are labelled."""
    every = [block.proto.popover for block in tab.get("popover")]
    return [plain(one.label) for one in every if re.search(r"-chip-[\d-]+$", one.id)]


def window_in(item):
    """The text of the window of a hit in the list, as it is."""
    return "".join(piece for piece, _ in item["runs"])


def marked(item):
    """What is marked in it as the node."""
    return "".join(piece for piece, kind in item["runs"] if kind & 1)


def bold(item):
    """Its words that the question shares."""
    return [piece for piece, kind in item["runs"] if kind & 2]


def chip(item, field, value=None):
    """A chip of a hit."""
    every = [item["document"], *item["chips"], *item["more"], *item["about"]]
    return next(one for one in every if one["field"] == field and value in (None, one["value"]))


def line(hit):
    return f"{hit.score:.3f} · {hit.name} #{hit.node.ordinal + 1}"


# ── results ──────────────────────────────────────────────────────────────────────────────────────


def test_an_empty_workspace_says_so_and_leads_to_where_documents_come_in(empty):
    tab = app("search")
    assert "Nothing to search yet." in said(tab)
    assert [link.proto.label for link in tab.get("page_link")] == ["Add documents"]


def test_hits_show_rank_score_source_and_the_window_with_its_node_marked(plant):
    tab = asked(window=1, k=3)
    hits = plant.search(QUESTION, SearchSettings(3, 1)).hits
    shown = cards(tab)
    assert len(shown) == len(hits) == 3
    for number, (card, hit, item) in enumerate(zip(shown, hits, results(tab), strict=True), 1):
        assert card.startswith(f"{number} {hit.score:.3f} · {hit.name} #{hit.node.ordinal + 1}")
        assert marked(item) == hit.text
        assert window_in(item) == hit.window_text
    assert hits[0].text == "The north pump failed in May."
    assert "category: report · year: 2023 · tags: north · tags: may" in shown[0]
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
    tab.session_state["chunkscope"].max_distance = limit
    tab.run()
    kept = [hit for hit in nearest if hit.distance <= limit]
    assert len(cards(tab)) == len(kept) < 5
    assert f"exact · {len(kept)} of 5 (the limit cut the rest)" in said(tab)


def test_fewer_nodes_than_k_are_said(plant):
    assert "exact · 7 of 20 (no more nodes match)" in said(asked(k=20))


def test_the_sql_that_ran_and_its_values_are_shown(plant):
    tab = filtered(asked(), {"category": "report"})
    sql, values = (code.value for code in tab.code)
    ran = plant.search(QUESTION, SearchSettings(), from_json({"category": "report"}))
    assert sql == ran.sql
    assert values.splitlines()[1:] == ["2: 'report'", "3: 5"]


def test_a_condition_in_sql_is_shown_with_the_statement_that_runs_after_it(plant):
    tab = asked(where="category = 'log'")
    assert "category = 'log'" in [code.value for code in tab.code if code.language == "sql"]
    assert "category = 'log'" not in [code.value for code in asked().code]


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
    hit = results(tab := asked())[0]
    tab = act(tab, do="text", id=hit["id"], doc_id=hit["doc_id"], ordinal=hit["ordinal"])
    assert tab.selectbox(key="bound-document").value == plant.document("pump.md").id
    assert json.loads(tab.get("bidi_component")[0].proto.json)["selected"] == 1


def test_a_hit_opens_on_the_map(plant):
    hit = results(tab := asked())[0]
    tab = act(tab, do="map", id=hit["id"], doc_id=hit["doc_id"], ordinal=hit["ordinal"])
    assert tab.title[0].value == "Map"
    assert "pump.md #2" in said(tab)


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [(0, 500, "0 %"), (2, 500, "< 1 %"), (5, 500, "1 %"), (212, 500, "42 %"), (25_000, 25_019, "> 99 %"), (5, 5, "100 %"), (0, 0, "–")],
)  # fmt: skip
def test_a_share_is_none_or_all_only_where_it_is(part, whole, said):
    assert percent(part, whole) == said


def test_a_share_that_rounds_to_nothing_says_that_it_is_more(empty):
    empty.add([Upload("many.txt", " ".join(f"Pump {n} failed." for n in range(300)).encode())], ChunkSettings())
    tab = filtered(asked(), {"field": "ordinal", "op": "<", "value": 2})
    assert "2 of 300 nodes match (< 1 %)" in said(tab)


def test_an_example_of_sql_keeps_its_signs():
    """Streamlit makes one sign of these two, which SQL does not read: a joiner keeps them apart."""
    assert literal("year >= 2023 <= x") == "year \\>\u2060\\= 2023 \\<\u2060\\= x"


# ── the filter ───────────────────────────────────────────────────────────────────────────────────


def test_the_list_under_a_filter_tells_what_the_filter_did_to_each_hit(plant):
    tab = filtered(asked(k=3), {"category": "log"})
    everything = plant.search(QUESTION, SearchSettings(3)).hits
    logs = plant.search(QUESTION, SearchSettings(3), from_json({"category": "log"})).hits
    assert [line(hit) in card for hit, card in zip(logs, cards(tab), strict=True)] == [True] * 3
    before = {hit.id: hit.rank for hit in everything}
    exact = {hit.id: hit.rank for hit in plant.search(QUESTION, SearchSettings(7)).hits}
    for hit, item in zip(logs, results(tab), strict=True):
        change = "promoted" if hit.id not in before else "kept" if before[hit.id] == hit.rank else "displaced"
        way = {"promoted": f"promoted from #{exact[hit.id]}", "kept": "kept", "displaced": f"up from #{exact[hit.id]}"}
        assert (item["changes"], item["fates"]) == ([change], [way[change]])
    assert {item["changes"][0] for item in results(tab)} > {"promoted"}
    text, in_both = said(tab), [hit for hit in logs if hit.id in before]
    kept = sum(before[hit.id] == hit.rank for hit in in_both)
    displaced, gone = len(in_both) - kept, 3 - len(in_both)
    counts = {"kept": kept, "displaced": displaced, "promoted": gone, "excluded": gone}
    assert "3 of 7 nodes match (43 %) · exact · 3 of 3" in text
    assert ", ".join(f"{count} {change}" for change, count in counts.items() if count) in text
    assert all("valve.txt" in card for card in cards(tab))
    assert "chunkscope_ladders" in [one.proto.component_name for one in tab.get("bidi_component")]


def test_conditions_are_joined_by_and_and_go_one_by_one(plant):
    every = [{"category": "report"}, {"year": 2023}, {"field": "ordinal", "op": ">", "value": 1}]
    tab = filtered(asked(), {"all": every})
    assert len(chips(tab)) == 3
    assert "2 of 7 nodes match" in said(tab)
    tab = press(tab, "remove-2")
    assert "4 of 7 nodes match" in said(tab)
    tab = press(press(tab, "remove-1"), "remove-0")
    assert not chips(tab)
    assert "from 7 nodes · add a filter to compare" in said(tab)


def test_a_filter_that_matches_nothing_returns_nothing_and_says_so(plant):
    tab = filtered(asked(k=2), {"category": "none such"})
    assert "The filter matches nothing, so nothing is returned." in notices(tab)
    assert "0 of 7 nodes match (0 %) · exact · 0 of 2" in said(tab)
    assert not cards(tab)
    assert "chunkscope_ladders" in [one.proto.component_name for one in tab.get("bidi_component")]


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
    assert chips(go(tab, "map")) == ["year = 2023"]


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
    assert "The filter matches nothing, so nothing is returned." in notices(tab)


# ── boundary marks and misfits ───────────────────────────────────────────────────────────────────


def test_boundary_marks_are_shown_where_the_document_ends_before_the_window_does(plant):
    tab = asked(window=1, k=7)
    assert not any("[DOCUMENT_" in card for card in cards(tab))
    before = [card.split(" · ")[0] for card in cards(tab)]
    tab.toggle(key="bound-boundary_marks").set_value(True).run()
    hits = plant.search(QUESTION, SearchSettings(7, 1, boundary_marks=True)).hits
    for hit, item in zip(hits, results(tab), strict=True):
        last = plant.documents()[0 if hit.name == "pump.md" else 1].sentences - 1
        assert ("[DOCUMENT_START]" in item["prefix"]) == (hit.node.first_sentence == 0)
        assert ("[DOCUMENT_END]" in item["suffix"]) == (hit.node.last_sentence == last)
        assert window_in(item) == hit.window_text
        assert item["prefix"] + window_in(item) + item["suffix"] == hit.returned
        assert marked(item) == hit.text, "a mark is no part of the node"
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


# ── the list of hits ─────────────────────────────────────────────────────────────────────────────


def test_words_of_the_question_are_marked_but_for_those_that_every_text_uses(plant):
    items = results(asked("What of the NORTH pump?", window=1, k=7))
    assert {word for item in items for word in bold(item)} == {"north", "pump"}


@pytest.mark.parametrize("field", ["category", "year", "tags", "document", "kind"])
def test_only_this_and_not_this_one_part_the_nodes_between_them(plant, field):
    hit = results(asked(k=7))[0]
    counts = []
    for way in ("only", "not"):
        tab = act(asked(k=7), do="filter", filter=chip(hit, field)[way])
        assert len(chips(tab)) == 1
        counts.append(tab.session_state["chunkscope"].comparison.filtered.matching)
        ids = {one["id"] for one in results(tab)}
        assert (hit["id"] in ids) == (way == "only")
    assert sum(counts) == 7


def test_a_chip_adds_to_the_filter_once_and_takes_its_opposite_out(plant):
    tab = filtered(asked(k=7), {"year": 2023})
    tag = chip(results(tab)[0], "tags", "north")
    tab = act(tab, do="filter", filter=tag["only"])
    tab = act(tab, do="filter", filter=tag["only"])
    assert chips(tab) == ["year = 2023", "tags has north"]
    tab = act(tab, do="filter", filter=tag["not"])
    assert chips(tab) == ["year = 2023", "not tags has north"]


def test_a_chip_of_a_field_that_has_gone_changes_nothing(plant):
    tab = act(asked(), do="filter", filter={"field": "gone", "op": "=", "value": 1})
    assert not chips(tab)
    assert cards(tab)


def test_a_hit_is_copied_with_where_it_stands(plant):
    (hit,) = plant.search(QUESTION, SearchSettings(1, 0)).hits
    (item,) = results(asked(k=1, window=0))
    span = f"characters {hit.window.start}–{hit.window.end}"
    assert item["copy"] == f"“The north pump failed in May.” (pump.md, § Pumps, {span})"


def test_boosts_are_told_with_the_score_they_make(plant):
    tab = asked(k=2)
    assert [item["final"] for item in results(tab)] == ["", ""]
    boost = Boost(from_json({"category": "log"}), 3)
    tab.session_state["chunkscope"].boosts = (boost, Boost(from_json({"year": 1}), 2))
    tab.run()
    hits = plant.search(QUESTION, SearchSettings(2, boosts=(boost,))).hits
    for hit, item in zip(hits, results(tab), strict=True):
        assert item["factors"] == ([["category = log", "3"]] if hit.name == "valve.txt" else [])
        assert item["final"] == f"{hit.final:.3f}"


def test_overlapping_windows_are_merged_with_what_that_saves(plant):
    tab = asked(k=7, window=2)
    result = plant.search(QUESTION, SearchSettings(7, 2))
    hits = result.hits
    windows, merged = plant.returned_tokens(result)
    assert windows > merged
    assert f"merging saves {windows - merged} of {windows} tokens (words)" in said(tab)
    tab.toggle(key="bound-merged").set_value(True).run()
    excerpts = plant.excerpts(hits)
    assert [item["ranks"] for item in results(tab)] == [list(one.ranks) for one in excerpts]
    assert [window_in(item) for item in results(tab)] == [one.text for one in excerpts]
    everything = results_data(tab)["all"]
    assert all(one.returned.strip() in everything for one in excerpts)
    assert f"merging saves {windows - merged} of {windows} tokens (words)" in said(tab)
    tab = go(go(tab, "documents"), "search")
    assert tab.toggle(key="bound-merged").value is True


def test_excerpts_are_copied_under_the_numbers_that_their_badges_show(plant):
    tab = asked(k=7, window=2)
    tab.toggle(key="bound-merged").set_value(True).run()
    numbers = [", ".join(map(str, item["ranks"])) for item in results(tab)]
    assert numbers != [str(number) for number in range(1, len(numbers) + 1)]
    assert re.findall(r"^\[([\d, ]+)\] ", results_data(tab)["all"], re.MULTILINE) == numbers


def test_excerpts_tell_what_the_filter_made_of_each_of_their_hits(plant):
    tab = filtered(asked(k=3, window=2), {"category": "log"})
    apart = {item["ranks"][0]: (item["changes"][0], item["fates"][0]) for item in results(tab)}
    tab.toggle(key="bound-merged").set_value(True).run()
    (excerpt,) = results(tab)
    assert list(zip(excerpt["changes"], excerpt["fates"], strict=True)) == [apart[rank] for rank in excerpt["ranks"]]


def test_without_a_filter_nothing_is_said_of_what_it_did(plant):
    assert [item["fates"] for item in results(asked(k=2))] == [[""], [""]]


def test_windows_that_share_nothing_save_nothing(plant):
    assert "tokens, none twice (words)" in said(asked(k=3, window=0))


# ── nothing found, and the way on ────────────────────────────────────────────────────────────────


def removals(tab):
    """What is offered where nothing matches, in order."""
    return [plain(button.label) for button in tab.button if (button.key or "").startswith("widen")]


NONE = {"all": [{"category": "log"}, {"year": 2023}, {"field": "ordinal", "op": "<", "value": 9}]}


def test_every_condition_whose_removal_helps_can_be_removed_with_its_count(plant):
    tab = filtered(asked(), NONE)
    assert removals(tab) == ["Remove category = log · 4 match", "Remove year = 2023 · 3 match"]
    assert "Remove the filter" not in [button.label for button in tab.button]
    tab = press(tab, "widen-1")
    assert chips(tab) == ["category = log", "ordinal < 9"]
    assert "3 of 7 nodes match" in said(tab)


def test_the_removal_that_lets_a_gold_passage_in_comes_first(plant):
    valve = plant.document("valve.txt")
    passage = Reference(valve.id, Span(0, 20), valve.revision)
    plant.keep_gold("mine", [Question(QUESTION, (passage,), EVERYTHING)])
    tab = filtered(asked(), NONE)
    assert removals(tab) == [
        "Remove year = 2023 · 3 match, a gold passage among them",
        "Remove category = log · 4 match",
    ]


def test_a_misspelt_value_is_told_and_put_right_with_a_click(plant):
    tab = filtered(asked(), {"all": [{"category": "reprot"}, {"any": [{"category": "lgo"}, {"year": 1}]}]})
    assert "No node has category 'reprot'. Did you mean 'report'?" in said(tab)
    assert "No node has category 'lgo'. Did you mean 'log'?" in said(tab)
    assert [plain(b.label) for b in tab.button if (b.key or "").startswith("meant")] == ["Use category = report · 0 match", "Use category = log · 0 match"]  # fmt: skip
    tab = press(tab, "meant-0")
    assert chips(tab)[0] == "category = report"
    tab = press(tab, "meant-0")
    assert "category = log" in chips(tab)


def test_a_limit_and_a_filter_that_leave_nothing_end_the_line_without_a_dangling_sign(plant):
    tab = filtered(asked(min="1.00"), {"category": "log"})
    (line,) = (one.value for one in tab.markdown if "nodes match" in one.value)
    assert plain(line) == "3 of 7 nodes match (43 %) · exact · 0 of 5 (the limit cut the rest)"


def test_under_a_filter_how_many_match_is_told_before_a_question_is_asked(plant):
    tab = filtered(app("search"), {"year": 2023})
    assert "4 of 7 nodes match (57 %)" in [plain(one.value) for one in tab.markdown]


def test_where_no_single_condition_is_to_blame_the_filter_can_be_removed(plant):
    tab = filtered(asked(), {"all": [{"category": "none"}, {"year": 1}]})
    assert "No single condition is to blame" in said(tab)
    assert not chips(press(tab, "widen"))


def test_a_limit_that_cuts_everything_tells_the_nearest_and_lets_it_in(plant):
    best = plant.search(QUESTION, SearchSettings(1)).hits[0]
    tab = asked(max="0.01")
    assert not cards(tab)
    assert any(f"the nearest has a distance of {best.distance:.3f}" in notice for notice in notices(tab))
    tab = press(tab, "widen")
    assert cards(tab)[0].startswith(f"1 {best.score:.3f}")
    assert tab.session_state["chunkscope"].max_distance < best.distance + 0.011


def test_a_least_score_that_cuts_everything_is_lowered_just_so_far(plant):
    best = plant.search(QUESTION, SearchSettings(1)).hits[0]
    tab = asked(min="0.99")
    assert not cards(tab)
    tab = press(tab, "widen")
    assert len(cards(tab)) >= 1
    assert best.score - 0.011 < tab.session_state["chunkscope"].min_score <= best.score


def test_questions_asked_before_are_offered_where_none_is_asked(plant):
    asked()
    tab = press(app("search"), QUESTION)
    assert cards(tab)


# ── saved searches ───────────────────────────────────────────────────────────────────────────────


def save(tab, name):
    tab.text_input(key="saved-name").set_value(name)
    return press(tab, "saved-save")


def test_a_search_is_saved_and_asked_again_with_all_that_decides(plant):
    other = plant.build(ChunkSettings(2)).index
    tab = filtered(asked(k=3, window=1, max="1.5"), {"year": 2023})
    before = cards(tab)
    tab = save(tab, "Pumps $x$")
    (kept,) = plant.remembered.searches()
    assert (kept.name, kept.question, kept.settings) == ("Pumps $x$", QUESTION, SearchSettings(3, 1, 1.5))
    fresh = app("search", index=other.id)
    assert "Saved searches:" in said(fresh)
    fresh = press(fresh, "offered-0")
    assert cards(fresh) == before
    assert fresh.session_state["chunkscope"].index == kept.index != other.id


def test_two_searches_with_one_question_tell_their_filters(plant):
    tab = save(filtered(asked(k=3), {"year": 2023}), "Old")
    tab = save(filtered(tab, {"category": "log"}), "Logs")
    assert "year = 2023 · 3 hits at most" in said(tab)
    assert "category = log · 3 hits at most" in said(tab)


def test_a_saved_search_is_deleted_and_brought_back(plant):
    tab = save(asked(), "Pumps")
    tab = press(tab, "saved-delete-0")
    assert plant.remembered.searches() == []
    assert "“Pumps” is deleted." in said(tab)
    tab = press(tab, "saved-undo")
    assert [one.name for one in plant.remembered.searches()] == ["Pumps"]
    assert "is deleted." not in said(tab)


def test_a_saved_search_whose_index_is_gone_asks_the_one_in_use(plant):
    other = plant.build(ChunkSettings(2)).index
    save(app("search", q=QUESTION, index=other.id), "Pumps")
    plant.drop_index(other.id)
    tab = press(app("search"), "offered-0")
    assert cards(tab)


def test_a_search_without_a_name_is_refused(plant):
    tab = save(asked(), "  ")
    assert any("has no name" in notice for notice in notices(tab))
    assert plant.remembered.searches() == []


# ── the statement ────────────────────────────────────────────────────────────────────────────────


def test_long_lists_among_the_values_are_shortened():
    numbers = list(range(48_233))
    assert statement.value(numbers) == f"[{', '.join(map(str, range(20)))}, … 48,213 more]"
    assert statement.value(("a", "b")) == "['a', 'b']"
    assert statement.value([0.5] * 32).startswith("unit vector of 32 numbers: 0.5000, 0.5000, …")


# ── the sample, with the real model ──────────────────────────────────────────────────────────────


def test_the_samples_refund_question_is_answered_by_the_billing_faq(shipped):
    tab = asked("What is the refund policy?")
    assert "1: unit vector of 384 numbers: " in tab.code[1].value
    assert "billing-faq.md" in cards(tab)[0]
    tab = filtered(tab, {"field": "tags", "op": "contains_all", "value": ["faq", "refunds"]})
    assert all("billing-faq.md" in card for card in cards(tab))
    assert "of 500 nodes match" in said(tab)
    traps = [button for button in tab.button if (button.key or "").startswith("trap-")]
    assert len(traps) >= 3
    for trap in [button.key for button in traps]:
        tab = press(tab, trap)
        assert cards(tab), trap
        tab.session_state["traps"] = True
    assert not press(tab.run(), traps[0].key).session_state["traps"], "its box has closed"
