"""A raw value fits its field's type or is told not to; it is never changed on the way."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.filters import FieldType, parse_instant
from core.metadata.values import Misfit, near_misses, shown, typed_value
from core.types import DateOrder

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def misfit(raw, kind, **options):
    found = typed_value(raw, kind, **options)
    assert isinstance(found, Misfit), found
    return found.reason


@pytest.mark.parametrize("kind", list(FieldType))
def test_null_is_missing_for_every_kind(kind):
    assert typed_value(None, kind) is None


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("007", "007"), (" Q1 ", " Q1 "), ("", ""), ("a\0b", "ab"), (7, "7"), (2021.0, "2021.0"), (True, "true"),
        ({"b": 7}, '{"b": 7}'), (["x", 1, None], '["x", 1, null]'), ("Émile", "Émile"),
    ],
)  # fmt: skip
def test_text_is_kept_and_other_json_is_its_json_text(raw, expected):
    assert typed_value(raw, FieldType.STRING) == expected


@pytest.mark.parametrize("kind", [FieldType.STRING, FieldType.STRINGS, FieldType.ENUM])
@pytest.mark.parametrize("raw", ["half \ud800", ["\udfff"], {"a": "\ud800"}])
def test_half_a_character_fits_nowhere(raw, kind):
    assert isinstance(typed_value(raw, kind), Misfit)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [(9, 9), (2021.0, 2021), ("10", 10), ("-3", -3), (" 10 ", 10), ("0", 0), (2**63 - 1, 2**63 - 1), (-0.0, 0)],
)
def test_whole_numbers(raw, expected):
    found = typed_value(raw, FieldType.INTEGER)
    assert found == expected
    assert type(found) is int


@pytest.mark.parametrize(
    "raw",
    [
        "00123", "1,000", "1.000,5", "n/a", "", True, False, 12.5, "12.5", "2021.0", "1e3", "+3", "-0", "0x1F", "٣", "1_000",
        2**63, -(2**63), 2**70, "9" * 5000, float("inf"), float("nan"), [], {}, [1],
    ],
)  # fmt: skip
def test_what_is_no_whole_number_says_so(raw):
    assert misfit(raw, FieldType.INTEGER)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [(9, 9.0), (12.5, 12.5), ("7", 7.0), ("-1.5e3", -1500.0), (2**70, float(2**70)), (1e308, 1e308), ("0.10", 0.1)],
)
def test_numbers(raw, expected):
    found = typed_value(raw, FieldType.NUMBER)
    assert found == expected
    assert type(found) is float


@pytest.mark.parametrize(
    "raw",
    [
        "00123",
        "007.5",
        "1,000",
        "1.000,5",
        "1 000",
        "n/a",
        "",
        "nan",
        "inf",
        "1e999",
        ".5",
        "5.",
        True,
        10**400,
        [],
        {},
    ],
)
def test_what_is_no_number_says_so(raw):
    assert misfit(raw, FieldType.NUMBER)


def test_the_reason_names_what_makes_a_number_unclear():
    assert "begins with a zero" in misfit("00123", FieldType.INTEGER)
    assert "commas, points and gaps" in misfit("1.000,5", FieldType.NUMBER)
    assert "2^63" in misfit(2**63, FieldType.INTEGER)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (True, True), ("true", True), ("True", True), ("YES", True), (1, True), ("1", True), (1.0, True),
        (False, False), ("False", False), ("no", False), (0, False), ("0", False),
    ],
)  # fmt: skip
def test_truth_words(raw, expected):
    assert typed_value(raw, FieldType.BOOLEAN) is expected


@pytest.mark.parametrize("raw", ["", "y", "on", "n/a", 2, -1, 0.5, "2", [], [True], {}])
def test_what_is_neither_true_nor_false_says_so(raw):
    assert "neither true nor false" in misfit(raw, FieldType.BOOLEAN)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("2024-03-10", datetime(2024, 3, 10)),
        ("2024-03-10T23:30:00Z", datetime(2024, 3, 10, 23, 30)),
        ("2024-03-10t23:30z", datetime(2024, 3, 10, 23, 30)),
        ("2024-03-11T00:30:00+01:00", datetime(2024, 3, 10, 23, 30)),
        ("2024-03-10 18:30:00-0500", datetime(2024, 3, 10, 23, 30)),
        ("2024-03-10T23:30:00.25", datetime(2024, 3, 10, 23, 30, 0, 250_000)),
        ("20240310", datetime(2024, 3, 10)),
        ("2024/3/10", datetime(2024, 3, 10)),
        (1710113400, datetime(2024, 3, 10, 23, 30)),
        ("1710113400", datetime(2024, 3, 10, 23, 30)),
        (1710113400000, datetime(2024, 3, 10, 23, 30)),
        (0, datetime(1970, 1, 1)),
        (-86400, datetime(1969, 12, 31)),
        (86400.5, datetime(1970, 1, 2, 0, 0, 0, 500_000)),
    ],
)
def test_an_instant_is_in_utc(raw, expected):
    assert typed_value(raw, FieldType.DATETIME) == expected
    assert typed_value(raw, FieldType.DATE) == datetime(expected.year, expected.month, expected.day)


@pytest.mark.parametrize(
    "raw",
    [
        "", " ", "2024-02-30", "2024-13-01", "2024-03-10T25:00", "soon", "2024", "2024-03", "10/03/24", "10.03/2024", "12345",
        "99999999", 2024, 20240310, 1e30, 10**400, float("nan"), float("inf"), True, [], {}, "0001-01-01T00:00+01:00",
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", [FieldType.DATE, FieldType.DATETIME])
def test_what_is_no_date_or_may_be_two_says_so(raw, kind):
    assert misfit(raw, kind)


@pytest.mark.parametrize("raw", ["10/03/2024", "25-11-2025", "1.2.2024", "10/03/2024 14:30"])
def test_a_date_with_the_year_last_waits_for_an_order(raw):
    assert "choose day first or month first" in misfit(raw, FieldType.DATE)


@pytest.mark.parametrize(
    ("raw", "order", "expected"),
    [
        ("10/03/2024", DateOrder.DAY_FIRST, datetime(2024, 3, 10)),
        ("10/03/2024", DateOrder.MONTH_FIRST, datetime(2024, 10, 3)),
        ("25-11-2025", DateOrder.DAY_FIRST, datetime(2025, 11, 25)),
        ("10/03/2024 14:30", DateOrder.DAY_FIRST, datetime(2024, 3, 10, 14, 30)),
        ("2024-03-10", DateOrder.MONTH_FIRST, datetime(2024, 3, 10)),
    ],
)
def test_the_order_chosen_reads_it(raw, order, expected):
    assert typed_value(raw, FieldType.DATETIME, date_order=order) == expected


def test_a_day_the_chosen_order_does_not_have_is_told():
    assert "does not exist" in misfit("25-11-2025", FieldType.DATE, date_order=DateOrder.MONTH_FIRST)


@given(st.datetimes(), st.sampled_from(["", "Z", "+02:00", "-11:30"]))
def test_dates_of_sidecars_and_of_filters_are_the_same_instants(time, offset):
    written = time.isoformat() + offset
    found = typed_value(written, FieldType.DATETIME)
    assert found == parse_instant(written) or (isinstance(found, Misfit) and parse_instant(written) is None)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (["x", "y"], ("x", "y")), ("x", ("x",)), ([], ()), ([1, "1", None], ("1", "1")), ([True, 2.5], ("true", "2.5")),
        (7, ("7",)), ([None], ()), ("", ("",)), ("x|y", ("x|y",)),
    ],
)  # fmt: skip
def test_lists_of_text(raw, expected):
    assert typed_value(raw, FieldType.STRINGS) == expected


@pytest.mark.parametrize("raw", [{}, {"x": 1}, [["x"]], [{}]])
def test_what_is_no_flat_list_says_so(raw):
    assert misfit(raw, FieldType.STRINGS)


def test_an_enum_holds_what_is_allowed_and_names_what_may_be_meant():
    allowed = ("Legal", "Finance")
    assert typed_value("Legal", FieldType.ENUM, allowed=allowed) == "Legal"
    assert 'did you mean "Legal"?' in misfit(" legal", FieldType.ENUM, allowed=allowed)
    assert 'did you mean "Finance"?' in misfit("finace", FieldType.ENUM, allowed=allowed)
    assert "did you mean" not in misfit("hr", FieldType.ENUM, allowed=allowed)
    assert misfit("Legal", FieldType.ENUM)


def test_allowed_values_limit_text_and_the_items_of_lists():
    assert typed_value(["a", "b"], FieldType.STRINGS, allowed=("a", "b")) == ("a", "b")
    assert '"c" is not one of' in misfit(["a", "c"], FieldType.STRINGS, allowed=("a", "b"))
    assert misfit("c", FieldType.STRING, allowed=("a", "b"))


def test_near_misses_come_likeliest_first_and_are_few():
    assert near_misses("Q1", ["q1", "Q2", "summer"])[0] == "q1"
    assert len(near_misses("ab", ["ab", "AB", "Ab", "aB"])) == 3


@given(json_values, st.sampled_from(list(FieldType)), st.sampled_from([None, *DateOrder]))
def test_every_value_is_typed_or_told_and_the_same_each_time(raw, kind, order):
    before = json.dumps(raw)
    found = typed_value(raw, kind, date_order=order, allowed=("a",) if kind is FieldType.ENUM else ())
    assert json.dumps(raw) == before
    assert found == typed_value(raw, kind, date_order=order, allowed=("a",) if kind is FieldType.ENUM else ())
    if raw is None:
        assert found is None
        return
    assert found is not None
    types = {
        FieldType.INTEGER: int,
        FieldType.NUMBER: float,
        FieldType.BOOLEAN: bool,
        FieldType.STRINGS: tuple,
        FieldType.STRING: str,
    }
    wanted = {FieldType.ENUM: str, FieldType.DATE: datetime, FieldType.DATETIME: datetime, **types}[kind]
    assert type(found) in (wanted, Misfit)
    if isinstance(found, Misfit):
        found.reason.encode()  # can be shown


@given(st.text())
def test_text_stays_text_but_for_nul(text):
    assert typed_value(text, FieldType.STRING) == text.replace("\0", "")


@given(st.integers(-(2**63) + 1, 2**63 - 1))
def test_a_whole_number_is_the_same_written_as_a_number_or_as_text(number):
    assert typed_value(number, FieldType.INTEGER) == typed_value(str(number), FieldType.INTEGER) == number


@pytest.mark.parametrize("kind", list(FieldType))
def test_values_nested_or_long_beyond_all_bounds_raise_nothing(kind):
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for raw in (deep, 10**5000, ["x" * 10_000_000], {(1, 2): 3}, object()):
        found = typed_value(raw, kind)
        assert isinstance(found, (Misfit, str, tuple))


def test_what_is_shown_is_short_and_printable():
    assert len(shown("x" * 1000)) == 60
    assert shown("\ud800") == '"\\ud800"'
