"""Overlaps as people write them, and settings with names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import chunk
from core.chunk.presets import Preset
from core.errors import InvalidSetting
from core.settings import ChunkSettings, Strategy, Unit
from tests.core import chunk_made as made
from tests.core.chunk_made import Model


@pytest.mark.parametrize(
    ("text", "size", "units"),
    [("20%", 200, 40), ("0%", 7, 0), ("0", 1, 0), (" 12.5 % ", 80, 10), ("50%", 3, 2), ("50%", 1, None), ("33%", 10, 3),
     ("40", 200, 40), ("199", 200, 199), ("25%", 10, 3)],
)  # fmt: skip
def test_an_overlap_is_a_share_or_a_number_of_units(text, size, units):
    if units is None:
        with pytest.raises(InvalidSetting):
            chunk.overlap_units(text, size)
    else:
        assert chunk.overlap_units(text, size) == units


@pytest.mark.parametrize(
    "text", ["", "%", "x", "-5", "-5%", "51%", "100%", "200", "1e2", "2.5", "٣", "20%%", "nan%", "9" * 50]
)
def test_other_overlaps_are_refused_in_words(text):
    with pytest.raises(InvalidSetting) as refused:
        chunk.overlap_units(text, 200)
    assert refused.value.do


@given(st.integers(2, 5000), st.integers(0, 50))
def test_every_share_that_the_slider_offers_fits(size, percent):
    units = chunk.overlap_units(f"{percent}%", size)
    assert 0 <= units < size
    assert abs(units - size * percent / 100) <= 0.5


def test_what_is_recommended_lies_on_the_slider():
    assert dict(chunk.RECOMMENDED) == {
        Strategy.FIXED: (25, 30), Strategy.RECURSIVE: (15, 20), Strategy.SEMANTIC: (10, 15), Strategy.CODE: (5, 10),
    }  # fmt: skip
    assert all(0 < low < high <= chunk.MOST_OVERLAP for low, high in chunk.RECOMMENDED.values())


def test_every_strategy_has_settings_to_begin_with_that_a_small_model_reads():
    assert set(chunk.DEFAULTS) == set(Strategy)
    for strategy, chosen in chunk.DEFAULTS.items():
        assert chosen.strategy is strategy
        assert chosen.unit is Unit.SENTENCES or (chosen.unit is Unit.TOKENS and chosen.size <= 254)
        assert chunk.nodes(made.passage("One is here. Two is there."), chosen, Model())


def test_presets_have_names_of_their_own_and_come_back_from_json():
    assert len({preset.name for preset in chunk.PRESETS}) == len(chunk.PRESETS)
    for preset in chunk.PRESETS:
        assert Preset.from_json(preset.to_json()) == preset
    named = {preset.name: (preset.settings.name, preset.window) for preset in chunk.PRESETS}
    assert named["Sentence ±2"] == ("sentence", 2)
    assert named["FAQ ±1"] == ("sentence", 1)
    assert named["Legal ±5"] == ("sentence", 5)
    assert named["Fixed 250/125"] == ("fixed-250-tokens-overlap-125", 0)
    assert named["Recursive 200/0"] == ("recursive-200-tokens", 0)


def test_a_preset_is_saved_as_text_that_stays_the_same():
    preset = Preset(" Mine ", ChunkSettings(3, 1), 4)
    assert preset.to_json() == '{"name":"Mine","settings":{"embed_around":0,"overlap":1,"size":3},"window":4}'


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": " "},
        {"name": "x" * 61},
        {"name": "a\nb"},
        {"name": None},
        {"window": -1},
        {"window": 11},
        {"window": True},
    ],
)
def test_impossible_presets_are_refused(wrong):
    with pytest.raises(InvalidSetting) as refused:
        Preset(**{"name": "a", "settings": ChunkSettings(), "window": 0} | wrong)
    assert refused.value.do


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"name":"a","settings":{},"window":"1"}',
        '{"name":"a","settings":[],"window":1}',
        '{"name":1,"settings":{},"window":1}',
        "[" * 100_000,
    ],
)
def test_other_json_is_no_preset(text):
    with pytest.raises(InvalidSetting):
        Preset.from_json(text)
