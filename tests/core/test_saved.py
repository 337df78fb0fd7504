"""A saved search comes back as it was, whatever it holds; what is none is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.boosts import Boost
from core.errors import InvalidRequest
from core.filters import EVERYTHING, read
from core.saved import LONGEST_NAME, SavedSearch, settings_from_json, settings_to_json
from core.settings import SearchSettings

FILTERS = (EVERYTHING, read("year >= 2023 and (tags contains_any (a) or not x is null)"), read('name = "ü\\"$"'))
text = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip)
settings = st.builds(
    SearchSettings,
    k=st.integers(1, 100),
    window=st.integers(0, 10),
    max_distance=st.none() | st.floats(0, 2),
    boundary_marks=st.booleans(),
    min_score=st.none() | st.floats(-1, 1),
    boosts=st.lists(st.builds(Boost, st.sampled_from(FILTERS), st.floats(0.01, 100)), max_size=3).map(tuple),
    where=st.text(st.characters(exclude_categories=["Cs"])),
)


@given(text.filter(lambda name: len(name.strip()) <= LONGEST_NAME), text, st.sampled_from(FILTERS), settings)
def test_a_search_comes_back_as_it_was(name, question, filter, chosen):
    saved = SavedSearch(name, question, filter, chosen, "an index")
    assert SavedSearch.from_json(saved.to_json()) == saved


@given(settings, settings)
def test_settings_are_told_apart_by_their_json(one, other):
    assert settings_from_json(json.loads(json.dumps(settings_to_json(one)))) == one
    assert (json.dumps(settings_to_json(one)) == json.dumps(settings_to_json(other))) == (one == other)


@pytest.mark.parametrize("name", ["", "   ", "x" * (LONGEST_NAME + 1), "a\nb", "half \ud800", "nul \0", None])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(InvalidRequest, match="name"):
        SavedSearch(name, "q?")


@pytest.mark.parametrize("question", ["", "  ", "x" * 2001, "half \ud800", None])
def test_a_question_that_cannot_be_asked_is_refused(question):
    with pytest.raises(InvalidRequest, match="no question to save"):
        SavedSearch("a", question)


GOOD = json.loads(SavedSearch("a", "q?").to_json())


@pytest.mark.parametrize(
    "kept",
    [
        *("", "[]", "null", "{}", "[" * 100_000),
        *(json.dumps({name: value for name, value in GOOD.items() if name != gone}) for gone in GOOD),
        json.dumps({**GOOD, "filter": {"field": 1}}),
        json.dumps({**GOOD, "settings": {**GOOD["settings"], "k": "5"}}),
        json.dumps({**GOOD, "settings": {**GOOD["settings"], "k": True}}),
        json.dumps({**GOOD, "settings": {**GOOD["settings"], "k": 0}}),
        json.dumps({**GOOD, "settings": {**GOOD["settings"], "where": None}}),
        json.dumps({**GOOD, "settings": {**GOOD["settings"], "boundary_marks": 1}}),
        json.dumps({**GOOD, "settings": {**GOOD["settings"], "boosts": [1]}}),
    ],
)
def test_what_is_no_saved_search_is_refused(kept):
    with pytest.raises(InvalidRequest, match="no saved search"):
        SavedSearch.from_json(kept)
