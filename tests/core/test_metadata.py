"""Which sidecar belongs to which file, and what its values become."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import metadata
from core.errors import InvalidMetadata
from core.filters import FieldType
from core.store.base import values
from core.types import FieldSpec

BUILT_IN = {spec.name: spec for spec in metadata.BUILT_IN}


def typed(data, fields=BUILT_IN):
    """Parsed and typed as a fresh workspace would."""
    found = metadata.parse(data)
    return values(metadata.cells(found, {**fields, **metadata.proposed([found], fields)}))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a.txt", "a.txt.meta.json"], {"a.txt.meta.json": "a.txt"}),
        (["a.txt", "a.meta.json"], {"a.meta.json": "a.txt"}),
        (["a.txt", "a.md", "a.meta.json"], {"a.meta.json": "a"}),
        (["a.txt", "a.md", "a.md.meta.json"], {"a.md.meta.json": "a.md"}),
        (["x/a.txt", "y/a.txt", "x/a.meta.json"], {"x/a.meta.json": "x/a.txt"}),
        (["a.v1.txt", "a.meta.json"], {"a.meta.json": "a"}),
        (["a.v1.txt", "a.v1.meta.json"], {"a.v1.meta.json": "a.v1.txt"}),
        (["a.txt.meta.json"], {"a.txt.meta.json": "a.txt"}),
        (["", ".", "..", "/", "a/", "a.meta.json"], {"a.meta.json": "a"}),
        ([".meta.json", ""], {".meta.json": ""}),
    ],
)
def test_a_sidecar_belongs_to_the_file_it_is_named_after_or_the_only_one_of_its_stem(names, expected):
    assert metadata.match_sidecars(names) == expected


@given(st.lists(st.text(max_size=8), max_size=6), st.lists(st.text(max_size=8), max_size=3))
def test_names_of_any_kind_are_matched_without_a_crash(documents, sidecars):
    names = documents + [f"{name}{metadata.SUFFIX}" for name in sidecars]
    found = metadata.match_sidecars(names)
    assert set(found) == {name for name in names if name.endswith(metadata.SUFFIX)}


@given(st.binary(max_size=60))
def test_any_bytes_are_an_object_or_refused(data):
    try:
        found = metadata.parse(data)
    except InvalidMetadata:
        return
    assert isinstance(found, dict)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.text(max_size=6), json_values, max_size=5))
def test_any_object_is_kept_as_given_and_typed_by_its_own_values_and_null_means_missing(data):
    try:
        given = metadata.parse(json.dumps(data).encode())
    except InvalidMetadata:
        assert "\\u0000" in json.dumps(data)  # two keys that differ in a zero character
        return
    fields = {**BUILT_IN, **metadata.proposed([given], BUILT_IN)}
    cells = metadata.cells(given, fields)
    assert {name: cell.raw for name, cell in cells.items()} == given
    for name, cell in cells.items():
        assert (cell.value is None) == bool(cell.misfit)
        if isinstance(given[name], (str, bool)) and name not in BUILT_IN and not cell.misfit:
            assert cell.value == given[name]


def test_strings_that_look_like_numbers_stay_strings():
    assert typed(b'{"zip": "01234", "yes": "12"}') == {"zip": "01234", "yes": "12"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('"2026-03-12"', datetime(2026, 3, 12)),
        ('"2026-03-12T09:30:00Z"', datetime(2026, 3, 12, 9, 30)),
        ('"2026-03-12T09:30:00+02:00"', datetime(2026, 3, 12, 7, 30)),
        ("0", datetime(1970, 1, 1)),
        ("86400.5", datetime(1970, 1, 2, 0, 0, 0, 500_000)),
    ],
)
def test_a_time_is_an_instant_in_utc(written, meant):
    assert typed(f'{{"published_at": {written}}}'.encode()) == {"published_at": meant}


def test_one_tag_is_a_list_of_one():
    assert typed(b'{"tags": "faq"}') == {"tags": ("faq",)}


def test_a_whole_number_beyond_64_bits_is_text_so_that_no_digit_is_lost():
    assert typed(b'{"n": 99999999999999999999}') == {"n": "99999999999999999999"}
    assert typed(b'{"n": 99999999999999999999}', {"n": FieldSpec("n", FieldType.INTEGER)}) == {}


def test_odd_keys_are_kept_as_they_are():
    data = b'{"a b": 1, "x\\"y": 2, "Author": "A", "author": "b", "id": 3, "": 4, "\xc3\xa9": 5}'
    assert typed(data) == {"a b": 1, 'x"y': 2, "Author": "A", "author": "b", "id": 3, "": 4, "é": 5}


def test_a_sidecar_beyond_a_megabyte_is_refused():
    with pytest.raises(InvalidMetadata, match="1,000,01"):
        metadata.parse(b'{"a": "' + b"x" * 1_000_005 + b'"}')
