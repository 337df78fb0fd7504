"""Presets and questions stay with their workspace."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chunk import PRESETS, Preset
from core.errors import InvalidRequest
from core.filters import from_json
from core.named_filter import NamedFilter
from core.remembered import MOST_PRESETS, MOST_QUESTIONS, MOST_SEARCHES, Remembered
from core.saved import SavedSearch
from core.settings import MAX_QUESTION, ChunkSettings
from core.store.duckdb import DuckStore


@pytest.fixture
def store(tmp_path):
    opened = DuckStore(tmp_path / "w.duckdb")
    yield opened
    opened.close()


def test_presets_are_kept_by_name_replaced_and_deleted(store):
    kept = Remembered(store)
    assert kept.presets() == []
    kept.save_preset(Preset("Wide", ChunkSettings(3, 1), 4))
    kept.save_preset(Preset("contracts", ChunkSettings(2)))
    kept.save_preset(Preset("WIDE", ChunkSettings(5, 2), 1))
    assert Remembered(store).presets() == [
        Preset("contracts", ChunkSettings(2)),
        Preset("WIDE", ChunkSettings(5, 2), 1),
    ]
    kept.delete_preset("WIDE")
    kept.delete_preset("not there")
    assert [preset.name for preset in kept.presets()] == ["contracts"]


def test_a_preset_of_the_product_cannot_be_overwritten(store):
    with pytest.raises(InvalidRequest, match="another name"):
        Remembered(store).save_preset(Preset(PRESETS[0].name.upper(), ChunkSettings(9)))


def test_there_is_an_end_to_presets_but_one_can_still_be_replaced(store):
    kept = Remembered(store)
    for number in range(MOST_PRESETS):
        kept.save_preset(Preset(f"p{number}", ChunkSettings()))
    with pytest.raises(InvalidRequest, match="Delete one"):
        kept.save_preset(Preset("one more", ChunkSettings()))
    kept.save_preset(Preset("p7", ChunkSettings(7)))
    assert Preset("p7", ChunkSettings(7)) in kept.presets()


def test_questions_are_kept_once_each_the_newest_first(store):
    kept = Remembered(store)
    for question in ("one?", " two? ", "one?", "", "   "):
        kept.ask(question)
    assert Remembered(store).questions() == ["one?", "two?"]
    changes = store.changes
    kept.ask("one?")
    assert store.changes == changes, "asking again writes nothing"
    kept.forget_questions()
    assert kept.questions() == []


def test_old_questions_make_room(store):
    kept = Remembered(store)
    for number in range(MOST_QUESTIONS + 5):
        kept.ask(f"question {number}")
    assert len(kept.questions()) == MOST_QUESTIONS
    assert kept.questions()[0] == f"question {MOST_QUESTIONS + 4}"


@given(st.text(max_size=3 * MAX_QUESTION))
def test_whatever_is_asked_can_be_kept(tmp_path_factory, question):
    store = DuckStore(tmp_path_factory.mktemp("w") / "w.duckdb")
    Remembered(store).ask(question)
    assert len(Remembered(store).questions()) == bool(question.strip())
    store.close()


def test_filters_are_kept_by_name_replaced_and_deleted(store):
    kept, wanted = Remembered(store), from_json({"any": [{"year": 2023}, {"not": {"tags": ["a"]}}]})
    kept.save_filter(NamedFilter(" Legal ", from_json({"category": "legal"})))
    kept.save_filter(NamedFilter("api", wanted))
    kept.save_filter(NamedFilter("LEGAL", wanted))
    assert Remembered(store).filters() == [NamedFilter("api", wanted), NamedFilter("LEGAL", wanted)]
    kept.delete_filter("LEGAL")
    kept.delete_filter("not there")
    assert [named.name for named in kept.filters()] == ["api"]


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\0b", "\ud800"])
def test_a_filter_needs_a_name_that_can_be_kept(name):
    with pytest.raises(InvalidRequest):
        NamedFilter(name, from_json({"a": 1}))


def test_there_is_an_end_to_saved_filters(store):
    kept = Remembered(store)
    store.set_setting("filters", json.dumps([NamedFilter(f"f{n}", from_json({"a": n})).to_json() for n in range(100)]))
    with pytest.raises(InvalidRequest, match="Delete one"):
        kept.save_filter(NamedFilter("one more", from_json({"a": 1})))
    kept.save_filter(NamedFilter("f7", from_json({"a": 0})))
    with pytest.raises(InvalidRequest, match="too long"):
        kept.save_filter(NamedFilter("f7", from_json({"a": "x" * 100_001})))
    assert NamedFilter("f7", from_json({"a": 0})) in kept.filters()


def test_a_saved_filter_that_is_none_is_left_out(store):
    good = NamedFilter("good", from_json({"a": 1}))
    store.set_setting("filters", json.dumps(["{", '{"name": 3}', '{"name": "n", "filter": 7}', good.to_json()]))
    assert Remembered(store).filters() == [good]


def test_searches_are_kept_by_name_replaced_and_deleted_and_are_no_change_of_the_documents(store):
    kept, changes = Remembered(store), store.changes
    kept.save_search(SavedSearch("Pumps", "Which failed?"))
    kept.save_search(SavedSearch("costs", "How much?"))
    kept.save_search(SavedSearch("PUMPS", "Which held?"))
    assert [(one.name, one.question) for one in Remembered(store).searches()] == [
        ("costs", "How much?"), ("PUMPS", "Which held?"),
    ]  # fmt: skip
    kept.delete_search("PUMPS")
    kept.delete_search("not there")
    assert [one.name for one in kept.searches()] == ["costs"]
    assert store.changes == changes


def test_there_is_an_end_to_searches_but_one_can_still_be_replaced(store):
    kept = Remembered(store)
    for number in range(MOST_SEARCHES):
        kept.save_search(SavedSearch(f"s{number}", "q?"))
    with pytest.raises(InvalidRequest, match="Delete one"):
        kept.save_search(SavedSearch("one more", "q?"))
    kept.save_search(SavedSearch("s7", "another?"))
    assert SavedSearch("s7", "another?") in kept.searches()


def test_a_search_that_cannot_be_read_any_more_hides_no_other(store):
    good = SavedSearch("good", "q?")
    store.set_setting("searches", json.dumps(["{}", good.to_json()]), counts=False)
    assert Remembered(store).searches() == [good]
