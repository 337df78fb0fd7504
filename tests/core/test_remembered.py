"""Presets and questions stay with their workspace."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chunk import PRESETS, Preset
from core.errors import InvalidRequest
from core.remembered import MOST_PRESETS, MOST_QUESTIONS, Remembered
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
