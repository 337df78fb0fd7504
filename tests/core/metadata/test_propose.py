"""The kind proposed for a key holds every value as it is meant; the person sees what is there."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.filters import FieldType
from core.metadata.propose import Spelling, propose, spelling
from core.metadata.values import Misfit, typed_value
from tests.core.metadata.test_values import json_values


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([], FieldType.STRING),
        ([None, None], FieldType.STRING),
        ([1, 2, None], FieldType.INTEGER),
        ([1, 2.5], FieldType.NUMBER),
        ([9, 2021.0], FieldType.NUMBER),
        ([2**70], FieldType.NUMBER),
        ([2**63 + 1], FieldType.STRING),
        ([2**53 + 1, 0.5], FieldType.STRING),
        (["1", "2"], FieldType.STRING),
        (["007", "008"], FieldType.STRING),
        ([1, "2"], FieldType.STRING),
        ([True, False], FieldType.BOOLEAN),
        (["true", "False", True], FieldType.BOOLEAN),
        (["yes", "no"], FieldType.STRING),
        ([0, 1], FieldType.INTEGER),
        ([True, 1], FieldType.STRING),
        (["2024-03-10", "2025-01-01"], FieldType.DATE),
        (["2024-03-10", "2025-01-01T10:00Z"], FieldType.DATETIME),
        (["2024-03-10", "n/a"], FieldType.STRING),
        (["2024-03-10", ""], FieldType.STRING),
        (["2024-03-10", "2024-02-30"], FieldType.STRING),
        (["25-11-2025"], FieldType.STRING),
        (["20240310"], FieldType.STRING),
        (["2024-03-10", 1710113400], FieldType.STRING),
        ([["a"], []], FieldType.STRINGS),
        ([["a"], "b"], FieldType.STRINGS),
        ([["a"], 1], FieldType.STRING),
        ([["a"], {"x": 1}], FieldType.STRING),
        ([[["a"]]], FieldType.STRING),
        ([{"x": 1}], FieldType.STRING),
    ],
)
def test_the_kind_is_the_narrowest_that_changes_no_meaning(values, kind):
    assert propose(values).type is kind


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, Spelling.NULL), (True, Spelling.BOOLEAN), (1, Spelling.INTEGER), (1.0, Spelling.NUMBER), ("x", Spelling.TEXT),
        ("", Spelling.EMPTY), (" ", Spelling.EMPTY), ("10", Spelling.NUMBER_TEXT), ("007", Spelling.TEXT),
        ("True", Spelling.TRUTH_WORD), ("2024-03-10", Spelling.ISO_DATE), ("2024-03-10T10:00Z", Spelling.ISO_TIME),
        ("2024/03/10", Spelling.YEAR_FIRST), ("25-11-2025", Spelling.DAY_FIRST), ("11/25/2025", Spelling.MONTH_FIRST),
        ("10/03/2024", Spelling.EITHER_ORDER), ("31/31/2024", Spelling.TEXT), ("2024-02-30", Spelling.TEXT),
        ([], Spelling.LIST), ([1], Spelling.LIST), ([[1]], Spelling.NESTED_LIST), ({}, Spelling.OBJECT),
    ],
)  # fmt: skip
def test_how_a_value_is_written(value, expected):
    assert spelling(value) is expected


def test_what_occurs_is_counted_and_shown_as_written():
    found = propose([9, "10", 2021.0, None, "n/a", "n/a"])
    assert found.counts == {
        Spelling.INTEGER: 1, Spelling.NUMBER_TEXT: 1, Spelling.NUMBER: 1, Spelling.NULL: 1, Spelling.TEXT: 2,
    }  # fmt: skip
    assert found.mixed == "mixed: number, text"
    assert found.examples[Spelling.TEXT] == ("n/a",)
    assert found.distinct == 4


def test_one_sort_of_value_is_not_mixed():
    assert propose([1, 2.5, None]).mixed == ""
    assert propose(["a", "10", ""]).mixed == ""
    assert propose(["2024-03-10", "25-11-2025"]).mixed == ""


def test_few_short_texts_over_many_files_may_be_an_enum_and_stay_text():
    found = propose(["legal", "finance", "hr"] * 20)
    assert (found.type, found.hint) == (FieldType.STRING, FieldType.ENUM)
    assert propose(["legal", "finance", "hr"]).hint is None
    assert propose([f"title {i}" for i in range(60)]).hint is None
    assert propose(["2024-03-10"] * 60).hint is None


@given(st.lists(json_values, max_size=8), st.randoms(use_true_random=False))
def test_every_value_fits_what_is_proposed_whatever_their_order(values, shuffler: random.Random):
    found = propose(values)
    assert sum(found.counts.values()) == len(values)
    for value in values:
        typed = typed_value(value, found.type)
        assert not isinstance(typed, Misfit) or "surrogate" in typed.reason
        if isinstance(value, str) and found.type in (FieldType.STRING, FieldType.STRINGS):
            assert typed in (value.replace("\0", ""), (value.replace("\0", ""),))
        if isinstance(value, (int, float)) and found.type in (FieldType.INTEGER, FieldType.NUMBER):
            assert typed == value
    shuffled = list(values)
    shuffler.shuffle(shuffled)
    again = propose(shuffled)
    assert (again.type, again.counts, again.mixed, again.distinct) == (
        found.type, found.counts, found.mixed, found.distinct,
    )  # fmt: skip
