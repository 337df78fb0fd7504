"""Faults of other tools that type metadata, each as a promise about one value, one key or one set of sidecars."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from core.filters import FieldType
from core.metadata.fields import BUILT_IN
from core.metadata.fixes import RenameKey, apply, preview
from core.metadata.lint import FindingKind, lint
from core.metadata.propose import Spelling, propose
from core.metadata.values import Misfit, typed_value
from core.types import DateOrder, FieldSpec
from tests.conftest import CASE_INPUTS

HALF_PAST_ELEVEN = datetime(2024, 3, 10, 23, 30)


def rows(name):
    """Each document's metadata by its letter."""
    return {row.pop("doc"): row for row in json.loads((CASE_INPUTS / name).read_text(encoding="utf-8"))}


def typed(name, field, kind, **options):
    return {doc: typed_value(row.get(field), kind, **options) for doc, row in rows(name).items()}


def misfits(values):
    return {doc for doc, value in values.items() if isinstance(value, Misfit)}


@pytest.mark.parametrize("kind", [FieldType.INTEGER, FieldType.NUMBER])
def test_numbers_in_text_compare_as_numbers_and_words_are_listed(kind):
    """M01"""
    years = typed("meta_mixed_types.json", "year", kind)
    assert misfits(years) == {"f"}
    assert '"n/a" is no' in years["f"].reason
    numbers = {doc: year for doc, year in years.items() if isinstance(year, (int, float))}
    assert {doc for doc, year in numbers.items() if year >= 10} == {"b", "c"}
    assert {doc for doc, year in numbers.items() if year > 9} == {"b", "c"}
    assert years["d"] is years["e"] is None
    report = lint(rows("meta_mixed_types.json"), [FieldSpec("year", kind)], strict=False)
    (listed,) = [each for each in report.findings if each.kind is FindingKind.MISFIT]
    assert (listed.field, listed.values, listed.files) == ("year", ("n/a",), ("f",))


def test_false_is_false_however_it_is_written():
    """M02"""
    drafts = typed("meta_mixed_types.json", "draft", FieldType.BOOLEAN)
    assert {doc for doc, draft in drafts.items() if draft is True} == {"a", "b", "f"}
    assert {doc for doc, draft in drafts.items() if draft is False} == {"c", "d"}
    assert drafts["e"] is None


def test_the_same_instant_is_equal_in_every_spelling():
    """M05"""
    times = typed("meta_dates.json", "when", FieldType.DATETIME)
    assert {doc for doc, time in times.items() if time == HALF_PAST_ELEVEN} == {"a", "b", "c", "e"}
    assert times["d"] == datetime(2024, 3, 10)
    later = {doc for doc, time in times.items() if isinstance(time, datetime) and time >= datetime(2024, 3, 10, 20)}
    assert later == {"a", "b", "c", "e"}


def test_dates_that_are_unclear_or_impossible_are_listed_and_kept():
    """M07"""
    times = typed("meta_dates.json", "when", FieldType.DATETIME)
    assert times["e"] == HALF_PAST_ELEVEN
    assert misfits(times) == {"f", "g", "h"}
    assert "choose day first or month first" in times["f"].reason
    assert typed("meta_dates.json", "when", FieldType.DATE, date_order=DateOrder.DAY_FIRST)["f"] == datetime(
        2024, 3, 10
    )
    assert typed("meta_dates.json", "when", FieldType.DATE, date_order=DateOrder.MONTH_FIRST)["f"] == datetime(
        2024, 10, 3
    )
    assert typed("meta_dates.json", "when", FieldType.STRING)["f"] == "10/03/2024"

    report = lint(rows("meta_dates.json"), [FieldSpec("when", FieldType.DATETIME)], strict=False)
    unreadable = {each.values: each.files for each in report.findings if each.kind is FindingKind.MISFIT}
    assert unreadable == {("2024-02-30",): ("g",), ("",): ("h",)}
    (formats,) = [each for each in report.findings if each.kind is FindingKind.DATE_FORMATS]
    assert "date in an unclear order (1)" in formats.message
    assert apply([], rows("meta_dates.json")) == rows("meta_dates.json")


def test_keys_that_differ_in_case_keep_their_values_and_merge_by_choice():
    """M11"""
    sidecars = {"1": {"Author": "X"}, "2": {"author": "Y"}, "3": {"AUTHOR": "Z"}}
    report = lint(sidecars, BUILT_IN, strict=False)
    fixes = [each.fix for each in report.findings if each.kind is FindingKind.NEAR_DUPLICATE_KEYS]
    assert set(fixes) == {RenameKey("Author", "author"), RenameKey("AUTHOR", "author")}
    assert sidecars == {"1": {"Author": "X"}, "2": {"author": "Y"}, "3": {"AUTHOR": "Z"}}
    assert apply(fixes, sidecars) == {"1": {"author": "X"}, "2": {"author": "Y"}, "3": {"author": "Z"}}
    both = {"1": {"Author": "X", "author": "Y"}}
    assert apply(fixes, both) == both
    assert preview(RenameKey("Author", "author"), both, 5)[0].conflict


def test_a_single_text_is_one_tag_and_empty_is_not_missing():
    """M13"""
    tags = typed("meta_lists_nested.json", "tags", FieldType.STRINGS)
    assert {doc for doc, items in tags.items() if isinstance(items, tuple) and "x" in items} == {"a", "b"}
    assert tags["c"] == ()
    assert tags["e"] is None
    assert misfits(tags) == {"f"}
    assert tags["g"] == ("1", "1")
    counts = propose([row["tags"] for row in rows("meta_lists_nested.json").values()]).counts
    assert counts[Spelling.NULL] == 1


def test_another_file_changes_no_value_of_the_first():
    """M14"""
    first, second = {"id": "007", "when": "25-11-2025", "flag": 1}, {"id": "A1", "when": "n/a", "flag": "yes"}
    alone = {key: propose([value]) for key, value in first.items()}
    both = {key: propose([first[key], second[key]]) for key in first}
    assert {key: found.type for key, found in both.items()} == dict.fromkeys(first, FieldType.STRING)
    assert {key: alone[key].type for key in ("id", "when")} == dict.fromkeys(("id", "when"), FieldType.STRING)
    assert {key: found.mixed for key, found in both.items()} == {
        "id": "", "when": "mixed: date, text", "flag": "mixed: number, text",
    }  # fmt: skip
    for found in (alone, both):
        assert "007" in found["id"].examples[Spelling.TEXT]
        assert "25-11-2025" in found["when"].examples[Spelling.DAY_FIRST]
        for key in ("id", "when"):
            assert typed_value(first[key], found[key].type) == first[key]
    assert typed_value(first["flag"], FieldType.BOOLEAN) is typed_value(second["flag"], FieldType.BOOLEAN) is True


def test_digits_are_never_lost_on_the_way():
    """Numbers at the edges of what is kept."""
    numbers = typed("meta_numbers.json", "n", FieldType.INTEGER)
    assert numbers["a"] == 9007199254740993
    assert misfits(numbers) == {"b", "c", "d", "e", "f"}
    assert misfits(typed("meta_numbers.json", "n", FieldType.NUMBER)) == {"d", "e", "f"}
