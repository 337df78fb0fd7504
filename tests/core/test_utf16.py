"""Offsets as a browser counts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.utf16 import to_utf16
from tests import texts


def units(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(st.one_of(st.text(), texts.hard))
def test_every_offset_counts_the_units_before_it(text):
    assert to_utf16(text, range(len(text) + 1)) == [units(text[:at]) for at in range(len(text) + 1)]


@given(texts.hard, st.data())
def test_a_span_holds_the_same_characters_in_both_counts(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    a, b = to_utf16(text, [start, end])
    assert (
        text.encode("utf-16-le", "surrogatepass")[2 * a : 2 * b].decode("utf-16-le", "surrogatepass") == text[start:end]
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", [0]), ("abc", [0, 1, 2, 3]), ("a🚀b", [0, 1, 3, 4]), ("🚀🚀", [0, 2, 4]), ("\ud83d", [0, 1]), ("é", [0, 1]), ("会🚀", [0, 1, 3])],
)  # fmt: skip
def test_known_offsets(text, expected):
    assert to_utf16(text, range(len(text) + 1)) == expected


def test_offsets_come_back_as_plain_integers_in_their_order():
    found = to_utf16("🚀 a 🚀", [5, 0, 5, 2])
    assert found == [7, 0, 7, 3]
    assert {type(value) for value in found} == {int}
    assert to_utf16("🚀", []) == []
