"""The filter X-ray on the Search page, and what became of one node, asked there and from its text."""

from __future__ import annotations

import json

import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState

from core.boosts import Boost
from core.filters import EVERYTHING, All, Any, Condition, Op, describe, parse
from core.ingest import Upload
from core.settings import ChunkSettings, SearchSettings
from core.types import ModelInfo
from pages.parts import ladders, why_not, xray
from tests.fakes import BagEncoder
from tests.pages.screen import app, press, report, said

QUESTION = "north pump failed"
LOGS = 'category = "log"'
BOTH = 'category = "log" and year >= 2024'


def asked(text=LOGS, **attributes):
    """The Search page after a question under a filter."""
    tab = app("search", q=QUESTION, k="3")
    state = tab.session_state["chunkscope"]
    state.filter = parse(text) if text else EVERYTHING
    for name, value in attributes.items():
        setattr(state, name, value)
    tab.run()
    assert not tab.exception, tab.exception
    return tab


def component(tab, part="ladders"):
    """A part of the X-ray, as a test reports through it."""
    return next(each for each in tab.get("bidi_component") if json.loads(each.proto.json).get("part") == part)


def shown(tab, part="ladders"):
    """What a part of the X-ray is told."""
    return json.loads(component(tab, part).proto.json)


def select(tab, doc_id, ordinal, **state):
    return report(tab, component(tab), "json_value", {"select": {"doc_id": doc_id, "ordinal": ordinal}, **state})


def use(tab, tried):
    """Put what is tried to use, as its button would: what it sends is gone after the run."""
    states = tab._tree.get_widget_states()
    sent = json.dumps([{"event": "use", "value": tried}])
    states.widgets.append(WidgetState(id=_make_trigger_id(component(tab).proto.id, "events"), json_trigger_value=sent))
    tab._run(states)
    assert not tab.exception, tab.exception
    return tab


def what(tab, clause, mode):
    """A clause that is tried, as the ladders report it."""
    return {"clause": clause, "mode": mode, "of": shown(tab)["of"]}


def explained(plant, text=LOGS, **settings):
    return plant.explain(QUESTION, SearchSettings(3, **settings), parse(text))


def state(tab):
    return tab.session_state["chunkscope"]


def keys(picture, ladder):
    nodes = (picture["nodes"][str(place[0])] for place in ladder)
    return [(node["doc_id"], node["ordinal"]) for node in nodes]


# ── the ladders ──────────────────────────────────────────────────────────────────────────────────


def test_both_ladders_hold_the_hits_of_both_searches(plant):
    picture = shown(asked())
    everything = plant.search(QUESTION, SearchSettings(3)).hits
    logs = plant.search(QUESTION, SearchSettings(3), parse(LOGS)).hits
    assert keys(picture, picture["unfiltered"]) == [(hit.doc_id, hit.node.ordinal) for hit in everything]
    assert keys(picture, picture["filtered"]) == [(hit.doc_id, hit.node.ordinal) for hit in logs]
    assert [place[1] for place in picture["unfiltered"]] == pytest.approx([hit.score for hit in everything])
    assert picture["nodes"][str(picture["unfiltered"][0][0])] == {
        "doc_id": everything[0].doc_id,
        "ordinal": 1,
        "name": "pump.md",
        "place": "#2",
        "boosts": "",
        "words": "The north pump failed in May.",
    }


def test_a_promoted_hit_brings_its_exact_rank_from_below(plant):
    every = plant.search(QUESTION, SearchSettings(7)).hits
    ranks = {(hit.doc_id, hit.node.ordinal): hit.rank for hit in every}
    picture = shown(asked())
    places = [place[2] for place in picture["filtered"]]
    assert places == [ranks[key] for key in keys(picture, picture["filtered"])]
    assert max(places) > 3


def test_what_each_clause_alone_and_all_but_it_would_give_is_there_without_another_search(plant):
    picture = shown(asked(BOTH))
    alone = plant.search(QUESTION, SearchSettings(3), parse("year >= 2024")).hits
    assert [clause["words"] for clause in picture["clauses"]] == ["category = log", "year ≥ 2024"]
    assert keys(picture, picture["clauses"][1]["alone"]) == [(hit.doc_id, hit.node.ordinal) for hit in alone]
    assert keys(picture, picture["clauses"][0]["others"]) == [(hit.doc_id, hit.node.ordinal) for hit in alone]


def test_the_counts_of_a_clause_are_those_of_the_search(plant):
    (clause,) = shown(asked(), "clauses")["clauses"]
    told = explained(plant).explanation.clauses[0]
    assert (clause["matching"], clause["without"]) == (plant.count(parse(LOGS))[0], 7)
    assert len(clause["rejects"]) == len(told.rejects) > 0


def test_what_a_post_filter_would_have_left_is_said(plant):
    told = explained(plant).explanation
    left = told.post_filter[0]
    words = f"the top 3 would have left {left.returned} (recall {100 * left.recall:.0f} %)"
    assert (
        f"Filtering after the search instead: {words}, top 15 → 3 (recall 100 %)" in shown(asked(), "clauses")["note"]
    )


def test_why_fewer_came_back_is_said(plant):
    assert "1 node of 7 passes the filter." in shown(asked('ordinal = 0 and category = "log"'), "clauses")["note"]


def test_a_filter_that_nothing_passes_leaves_an_empty_ladder_and_no_recall(plant):
    tab = asked("year > 2030")
    assert shown(tab)["filtered"] == []
    assert "the top 3 would have left 0, top 15 → 0, top 60 → 0." in shown(tab, "clauses")["note"]


def test_hostile_names_and_values_reach_the_ladders_as_they_are(plant):
    name = "<img src=x onerror=alert(1)> $x$.txt"
    plant.add([Upload(name, b"<script>north pump failed</script> **bold**")], ChunkSettings())
    tab = asked('category != "**<b>**"')
    assert name in [node["name"] for node in shown(tab)["nodes"].values()]
    assert shown(tab)["clauses"][0]["words"] == 'category ≠ "**<b>**"'


def test_the_xray_is_worked_out_once_until_something_changes(plant, monkeypatch):
    calls = []
    real = type(plant).explain
    monkeypatch.setattr(type(plant), "explain", lambda *args: calls.append(args) or real(*args))
    index = plant.index()
    settings, where = SearchSettings(3), parse(LOGS)
    first = xray.explained(plant, index, QUESTION, settings, where)
    assert xray.explained(plant, index, QUESTION, SearchSettings(3, window=7), where) is first
    assert len(calls) == 1
    xray.explained(plant, index, QUESTION, SearchSettings(4), where)
    plant.add([Upload("new.txt", b"The north pump failed again.")], ChunkSettings())
    again = xray.explained(plant, plant.index(), QUESTION, settings, where)
    assert len(calls) == 3
    assert again.explanation.total == 8


def test_the_ladders_rank_as_the_list_does_with_boosts(plant):
    boost = Boost(Condition("ordinal", Op.EQ, 2), 9.0)
    tab = asked(boosts=(boost,))
    hits = plant.search(QUESTION, SearchSettings(3, boosts=(boost,)), parse(LOGS)).hits
    assert keys(shown(tab), shown(tab)["filtered"]) == [(hit.doc_id, hit.node.ordinal) for hit in hits]
    assert [place[1] for place in shown(tab)["filtered"]] == [hit.final for hit in hits]
    told = [node["boosts"] for node in shown(tab)["nodes"].values() if node["ordinal"] == 2]
    assert told
    assert all(words.endswith((" × 9", " ÷ 9")) for words in told)
    tab = select(tab, hits[0].doc_id, 2)
    assert f"With its boosts: {hits[0].final:.3f}, by which it ranks" in said(tab)


def test_any_and_all_of_the_same_conditions_are_told_apart(plant):
    parts = (Condition("category", Op.EQ, "log"), Condition("year", Op.EQ, 2023))
    index = plant.index()
    both, either = (xray.explained(plant, index, QUESTION, SearchSettings(3), kind(parts)) for kind in (All, Any))
    assert (both.explanation.matching, either.explanation.matching) == (0, 7)


# ── what became of one node ──────────────────────────────────────────────────────────────────────


def test_choosing_a_rung_tells_why_it_is_not_in_the_answer_with_its_own_value(plant):
    pump = plant.document("pump.md").id
    tab = select(asked(BOTH), pump, 1)
    text = said(tab)
    assert "What became of pump.md #2" in text
    assert "Not in the answer: the filter rejects it." in text
    assert "Without the filter: #1 of 7" in text
    assert "struck by category = log: category is report" in text
    assert "struck by year ≥ 2024: year is 2023" in text
    assert "Then 7 nodes match, and it ranks #1: among the best 3." in text
    assert shown(tab)["selected"] == shown(tab)["unfiltered"][0][0]


def test_the_smallest_change_is_offered_and_lets_the_node_in(plant):
    pump = plant.document("pump.md").id
    tab = select(asked("year >= 2024"), pump, 1)
    assert "Smallest change that lets it in: year ≥ 2024 → year ≥ 2023" in said(tab)
    tab = press(tab, "fate-use")
    assert describe(state(tab).filter) == "year ≥ 2023"
    assert "In the answer: hit 1 of 3." in said(tab)


@pytest.fixture
def rivals(plant):
    """Documents of 2023 that a wider filter lets in beside the one that is asked about, and that rank above it."""
    plant.add([Upload(f"rival{n}.txt", b"The north pump failed." + b" Ever." * n) for n in range(3)], ChunkSettings())
    plant.edit({plant.document(f"rival{n}.txt").id: {"year": "2023"} for n in range(3)})
    return plant


def test_the_suggested_filter_tells_the_rank_among_the_rivals_it_lets_in_too(rivals):
    pump = rivals.document("pump.md").id
    tab = select(asked("year >= 2024"), pump, 1)
    hits = rivals.search(QUESTION, SearchSettings(20), parse("year >= 2023")).hits
    rank = next(hit.rank for hit in hits if (hit.doc_id, hit.node.ordinal) == (pump, 1))
    assert rank > 3
    assert f"Then {len(hits)} nodes match, and it ranks #{rank}: beyond the best 3." in said(tab)
    tab = press(tab, f"Use this filter and return {rank} hits")
    assert (describe(state(tab).filter), state(tab).k) == ("year ≥ 2023", rank)
    assert f"In the answer: hit {rank} of {rank}." in said(tab)


def test_a_change_that_brings_a_node_beyond_the_limit_says_so(rivals):
    pump = rivals.document("pump.md").id
    best = rivals.search(QUESTION, SearchSettings(1)).hits[0].distance
    tab = select(asked("year >= 2024", max_distance=best + 0.01), pump, 0)
    assert "nodes match, but it lies beyond the limit." in said(tab)
    assert not [button.label for button in tab.button if "return" in button.label]


def test_a_document_is_called_by_its_name_everywhere(plant):
    pump = plant.document("pump.md").id
    tab = asked(f'doc_id != "{pump}" and year >= 2023')
    words = "document ≠ pump.md"
    assert [shown(tab, part)["clauses"][0]["words"] for part in ("ladders", "clauses")] == [words, words]
    tab = select(tab, pump, 1)
    assert f"struck by {words}: document is pump.md" in said(tab)
    assert f"Smallest change that lets it in: without {words}." in said(tab)
    assert pump not in said(tab)


def test_a_long_value_is_shortened_and_can_be_read_in_full(plant):
    long = "a" * 1_000
    tab = asked(f'category != "{long}"')
    (clause,) = shown(tab, "clauses")["clauses"]
    assert len(clause["words"]) == len(shown(tab)["clauses"][0]["words"]) == 160
    assert long in clause["full"]


# ── a filter that is tried ───────────────────────────────────────────────────────────────────────


def test_a_nodes_fate_is_told_under_the_filter_that_is_tried(plant):
    pump, tab = plant.document("pump.md").id, asked(BOTH)
    tab = select(tab, pump, 1, what=what(tab, 0, "others"))
    assert "Not in the answer with all but category = log: the filter rejects it." in said(tab)
    assert "struck by category = log" not in said(tab)
    assert shown(tab)["what"] == {"clause": 0, "mode": "others"}
    tab = select(tab, pump, 1, what=None)
    assert "Not in the answer: the filter rejects it." in said(tab)
    assert "struck by category = log" in said(tab)


def test_the_filter_that_is_tried_is_put_to_use(plant):
    for mode, words in (("alone", "category = log"), ("others", "year ≥ 2024")):
        tab = asked(BOTH)
        tab = use(tab, what(tab, 0, mode))
        assert describe(state(tab).filter) == words
        assert [clause["words"] for clause in shown(tab)["clauses"]] == [words]


def test_an_experts_condition_is_tried_and_used_as_any_other(plant):
    for mode, left in (("alone", ("everything", "category = 'log'")), ("others", ("year ≥ 2023", ""))):
        tab = asked("year >= 2023", where="category = 'log'")
        tab = use(tab, what(tab, 1, mode))
        assert (describe(state(tab).filter), state(tab).where) == left


@pytest.mark.parametrize("clause", [2, -1, "0", None])
def test_what_a_browser_tries_that_is_no_clause_of_this_filter_is_not_heeded(plant, clause):
    tab = asked(BOTH)
    of = shown(tab)["of"]
    for tried in ({"clause": clause, "mode": "alone", "of": of}, {"clause": 0, "mode": "alone", "of": of + 1}):
        tab = report(use(tab, tried), component(tab), "json_value", {"what": tried})
        assert describe(state(tab).filter) == "category = log and year ≥ 2024"
        assert shown(tab)["what"] is None


def test_an_experts_condition_that_rejects_is_named_and_taken_away(plant):
    pump = plant.document("pump.md").id
    tab = select(asked("year >= 2023", where="category = 'log'"), pump, 1)
    assert "struck by category = 'log'" in said(tab)
    assert "Smallest change that lets it in: without the SQL condition" in said(tab)
    tab = press(tab, "fate-use")
    assert (state(tab).where, describe(state(tab).filter)) == ("", "year ≥ 2023")


def test_a_node_that_ranks_too_low_tells_its_rank_and_how_many_would_bring_it(plant):
    hits = plant.search(QUESTION, SearchSettings(7), parse("year >= 2023")).hits
    last = hits[-1]
    tab = select(asked("year >= 2023"), last.doc_id, last.node.ordinal)
    assert "it ranks #7 of what passes, and the best 3 are returned." in said(tab)
    tab = press(tab, "Return 7 hits")
    assert state(tab).k == 7
    assert "In the answer: hit 7 of 7." in said(tab)


def test_a_distance_limit_that_keeps_a_node_out_is_told(plant):
    hits = plant.search(QUESTION, SearchSettings(7), parse("year >= 2023")).hits
    limit = round(hits[0].distance + 0.05, 2)
    tab = select(asked("year >= 2023", max_distance=limit), hits[-1].doc_id, hits[-1].node.ordinal)
    assert "Not in the answer: it lies beyond the limit." in said(tab)
    assert f"beyond the limit: distance {limit:.2f} at most" in said(tab)
    assert "fate-k" not in [button.key for button in tab.button]


def test_a_missing_value_is_said_to_be_missing(plant):
    plant.add([Upload("bare.txt", b"The north pump failed bare.")], ChunkSettings())
    tab = select(asked("year >= 2023"), plant.document("bare.txt").id, 0)
    assert "struck by year ≥ 2023: year is missing" in said(tab)


def test_a_node_longer_than_the_model_reads_says_where_it_is_cut(plant, monkeypatch):
    monkeypatch.setattr(plant, "encoders", lambda name: BagEncoder(ModelInfo("bag", "bag-1", 32, 6)))
    tab = select(asked(), plant.document("pump.md").id, 1)
    assert "Truncated at token 6: the model did not read the rest of its 8 tokens." in said(tab)
    monkeypatch.setattr(plant, "encoders", lambda name: BagEncoder())
    assert "Truncated" not in said(tab.run())


def test_the_fate_can_be_closed(plant):
    tab = press(select(asked(), plant.document("pump.md").id, 1), "fate-close")
    assert "What became of" not in said(tab)
    assert shown(tab)["selected"] == -1


def test_a_node_of_a_deleted_document_is_forgotten(plant):
    pump = plant.document("pump.md").id
    tab = select(asked(), pump, 1)
    plant.remove(pump)
    tab.run()
    assert not tab.exception, tab.exception
    assert "What became of" not in said(tab)


def test_a_gold_passage_of_the_question_tells_its_fate(plant):
    pump = plant.document("pump.md")
    text = plant.store.passage(pump.id).document.text
    start = text.index("It was replaced")
    row = {
        "question": QUESTION,
        "references": [
            {"document": "pump.md", "content": "It was replaced at once.", "start": start, "end": start + 24}
        ],
    }
    plant.keep_gold("gold", plant.read_gold(json.dumps(row).encode()))
    tab = asked()
    assert "gold · pump.md · #3 · not in the answer: struck by category = log" in said(tab)
    assert "What became of pump.md #3" in said(press(tab, "gold-0"))


# ── from the text ────────────────────────────────────────────────────────────────────────────────


def why(tab, ordinal):
    return report(tab, tab.get("bidi_component")[0], "json_value", {"why": {"ordinal": ordinal}})


def on_windows(text=LOGS, **address):
    tab = app("windows", **address)
    state(tab).filter = parse(text)
    return tab


def test_the_viewer_asks_about_its_node_under_the_question_and_the_filter_in_hand(plant):
    tab = why(on_windows(q=QUESTION), 1)
    assert "What became of pump.md #2" in said(tab)
    assert "struck by category = log: category is report" in said(tab)


def test_without_a_question_the_viewer_asks_for_one(plant):
    tab = why(on_windows(), 1)
    assert "Ask a question: then it is told what became of this node." in said(tab)
    tab.text_input(key="bound-question").set_value(QUESTION).run()
    assert "What became of pump.md #2" in said(tab)


def test_a_node_of_other_settings_is_told_of_the_indexs_node_at_its_place(plant):
    tab = on_windows(q=QUESTION)
    state(tab).draft = ChunkSettings(2)
    tab.run()
    tab = why(tab, 1)
    assert "nodes of other settings than the index in use" in said(tab)
    assert "What became of pump.md #3" in said(tab)


def test_a_document_that_the_index_lacks_is_said_not_to_be_indexed(plant):
    tab = on_windows(q=QUESTION)
    pump = plant.document("pump.md").id
    plant.store.forget(plant.index(), [pump])
    assert "Not indexed." in said(why(tab, 1))


def test_values_are_said_in_plain_words():
    told = [why_not._holds(value) for value in (None, True, (), ("a", "b"), 2021, 0.5)]
    assert told == ["is missing", "is yes", "is an empty list", "is a, b", "is 2021", "is 0.5"]


def test_the_picture_is_small(plant):
    assert len(json.dumps(ladders.picture(plant, explained(plant, BOTH)))) < 6_000
