"""Filters as text: what is read is what was meant, what is written is read again, and errors say where they are."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.errors import InvalidFilter
from core.filters import (
    EVERYTHING,
    MAX_DEPTH,
    NULL_OPS,
    All,
    Any,
    Condition,
    Field,
    FieldType,
    Filter,
    Not,
    Op,
    check,
    describe,
    from_json,
    parse,
    read,
    to_json,
    to_text,
)
from core.store.duckdb import DuckStore
from core.types import FieldSpec
from tests.core.test_filters import CHECKED, EVERY_FIELD, SCHEMA, a_filter, holds

# ── what is drawn: any tree, of any field and any value ──────────────────────────────────────────

WORDS = ["and", "or", "not", "NULL", "null", "true", "False", "in", "missing", "present", "is", "nothing", "Everything"]
HARD = [
    "",
    "`",
    "``",
    "a b",
    "a`b",
    '"',
    "'",
    "\\",
    "\\n",
    "\n",
    "\r\n",
    "\t",
    "\x00",
    "\x85",
    "\u2028",
    "\u202e",
    "🎈",
]
DATES = [
    "2026-03-12",
    "2026-03-12T10:00Z",
    "2026-03-12T10:00:00.5+01:00",
    "2026-03-12 10:00",
    "12e5",
    "007",
    "-",
    "1.5",
    "٣",
]
LONE = st.characters(categories=["Cs"])
NAMES = st.text(max_size=8) | st.sampled_from([*WORDS, *HARD, *DATES, "हिन्दी", "naïve", "x.y-z_1", "e\u0301"])
TEXTS = NAMES | LONE
NUMBERS = (
    st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([10**300, -(2**63), 1e300, 5e-324, -0.0, 2.0, 1e16, -1e-7])
)
SCALARS = TEXTS | NUMBERS | st.booleans()
SEVERAL = st.lists(SCALARS, max_size=4).map(tuple)
COMPLETE = [op for op in Op if op not in NULL_OPS and op is not Op.BETWEEN]


def conditions_of(scalars, several) -> st.SearchStrategy[Condition]:
    missing = st.sampled_from([None, None, "include", "exclude"])
    pairs = st.tuples(scalars, scalars)
    return (
        st.builds(Condition, NAMES, st.sampled_from(COMPLETE), scalars | several | st.none(), missing)
        | st.builds(Condition, NAMES, st.just(Op.BETWEEN), pairs, missing)
        | st.builds(Condition, NAMES, st.sampled_from(sorted(NULL_OPS)), st.none(), missing)
    )


def trees(leaves) -> st.SearchStrategy[Filter]:
    def nested(inner):
        parts = st.lists(inner, max_size=4).map(tuple)
        return parts.map(All) | parts.map(Any) | inner.map(Not)

    return st.recursive(leaves, nested, max_leaves=8)


FILTERS = trees(conditions_of(SCALARS, SEVERAL))


def unwrapped(where: Filter) -> Filter:
    """The same tree with every group of one part replaced by that part: the text has no form for such a group."""
    match where:
        case All((part,)) | Any((part,)):
            return unwrapped(part)
        case All(parts):
            return All(tuple(unwrapped(part) for part in parts))
        case Any(parts):
            return Any(tuple(unwrapped(part) for part in parts))
        case Not(part):
            return Not(unwrapped(part))
        case Condition():
            return where


def exact(where: Filter) -> str:
    """Tells 1 from 1.0 and from true, and −0.0 from 0.0, which ``==`` does not."""
    return repr(where)


# ── what is written is read again ────────────────────────────────────────────────────────────────


@given(FILTERS)
@example(All((EVERYTHING, Any(), Not(EVERYTHING), Not(Any()))))
@example(Any((All((EVERYTHING,)),)))
@example(Any((All((Condition("a", Op.EQ, 1),)), All((Any((Condition("b", Op.EQ, 1), EVERYTHING)),)))))
@example(All((Condition("a", Op.BETWEEN, (1, 2)), Condition("", Op.EQ, ()))))
def test_every_filter_is_read_from_its_text_as_it_was(where: Filter):
    text = to_text(where)
    assert exact(parse(text)) == exact(unwrapped(where))
    assert to_text(parse(text)) == text
    assert exact(read(text)) == exact(unwrapped(where))


@given(TEXTS)
def test_a_value_is_written_on_one_line_of_printable_characters(value: str):
    assert to_text(Condition("a", Op.IN, (value, value))).isprintable()


@given(a_filter(EVERY_FIELD))
def test_a_checked_filter_survives_text_and_json_alike(where: Filter):
    checked = check(where, SCHEMA)
    assert check(read(to_text(checked)), SCHEMA) == unwrapped(checked)
    assert unwrapped(check(read(json.dumps(to_json(checked))), SCHEMA)) == unwrapped(checked)


INSTANTS = st.datetimes() | st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=-3, minutes=-30))]))


@given(INSTANTS.filter(lambda at: 1 < at.year < 9999))
@example(datetime(2026, 3, 12))
@example(datetime(2026, 3, 12, tzinfo=timezone(timedelta(hours=5))))
@example(datetime(2026, 3, 12, 0, 0, 0, 1))
def test_times_survive_as_instants(at: datetime):
    for where in (Condition("at", Op.EQ, at), Condition("at", Op.IN, (at, at)), Condition("at", Op.BETWEEN, (at, at))):
        assert check(parse(to_text(where)), SCHEMA) == check(where, SCHEMA)


def test_a_date_is_written_as_a_date():
    assert to_text(Condition("at", Op.LT, datetime(2026, 3, 12))) == "at < 2026-03-12"
    assert to_text(Condition("at", Op.LT, "2026-03-12")) == "at < 2026-03-12"
    assert to_text(Condition("at", Op.LT, datetime(2026, 3, 12, 9, 30))) == "at < 2026-03-12T09:30:00Z"


def test_no_filter_is_the_empty_text():
    assert to_text(EVERYTHING) == ""
    assert to_text(Any()) == "nothing"
    assert to_text(Not(EVERYTHING)) == "not everything"
    for blank in ("", "  \n\t", "everything", "(Everything)", "null", "{}"):
        assert read(blank) == EVERYTHING
    assert read("", blank=True) == EVERYTHING
    with pytest.raises(InvalidFilter, match=r"The filter is empty\. For no filter leave it out"):
        read(" \n", blank=False)
    assert read("everything", blank=False) == EVERYTHING


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf"), 10**1200, -(10**9000)], ids=range(5))
def test_a_number_that_no_text_can_hold_is_refused(number):
    with pytest.raises(InvalidFilter, match=r"A filter cannot hold (nan|inf|-inf|so long a number)"):
        to_text(Condition("x", Op.IN, (1, number)))


# ── an independent writer: every spelling of one filter is read as that filter ───────────────────

SPELLINGS = {
    Op.EQ: ["=", "=="], Op.NE: ["!=", "<>", "≠"], Op.LE: ["<=", "≤"], Op.GE: [">=", "≥"],
    Op.NOT_IN: ["not_in", "not in", "not \n in"], Op.NOT_CONTAINS: ["not_contains", "not contains"],
    Op.IS_NULL: ["is_null", "is null"], Op.NOT_NULL: ["not_null", "is not null"],
}  # fmt: skip
MISSING = {None: [""], "include": ["(or missing)", "( or\nmissing )"], "exclude": ["(and present)", "(and present )"]}


class Writer:
    """Writes a filter in a way drawn at random: cases, blanks, quotes, brackets that are needed and ones that are not."""

    def __init__(self, draw) -> None:
        self.draw = draw

    def one(self, choices):
        return self.draw(st.sampled_from(list(choices)))

    def cased(self, words: str) -> str:
        return self.one([words, words.upper(), words.title()])

    def scalar(self, value) -> str:
        if isinstance(value, bool):
            return self.cased(str(value).lower())
        if isinstance(value, int):
            return self.one([str(value), str(value) if value < 0 else f"+{value}"])
        if isinstance(value, float):
            return self.one([repr(value), repr(value).upper()])
        quotes = [q + value.replace("\\", "\\\\").replace(q, f"\\{q}") + q for q in "\"'"]
        return self.one([*quotes, value] if re.fullmatch(r"[a-z]{4}[0-9]", value) else quotes)

    def operand(self, where: Condition) -> str:
        value = where.value
        if where.op is Op.BETWEEN and self.draw(st.booleans()):
            return f"{self.scalar(value[0])} {self.cased('and')} {self.scalar(value[1])}"
        if not isinstance(value, tuple):
            return self.scalar(value)
        opening, closing = self.one(["()", "[]"])
        return opening + self.one([",", " , "]).join(map(self.scalar, value)) + closing

    def condition(self, where: Condition) -> str:
        bare = re.fullmatch(r"[a-zé]{2}_[0-9.-]+", where.field)
        names = ["`" + where.field.replace("`", "``") + "`", *([where.field] if bare else [])]
        words = [self.one(names), self.cased(self.one(SPELLINGS.get(where.op, [where.op.value])))]
        if where.op not in NULL_OPS:
            words.append(self.operand(where))
        return " ".join([*words, self.cased(self.one(MISSING[where.missing]))])

    def group(self, where: Filter, tighter: int) -> str:
        """``tighter`` is how strongly the place binds: 0 or, 1 and, 2 not."""
        match where:
            case Condition():
                text, binds = self.condition(where), 3
            case All(()) | Any(()):
                text, binds = self.cased("everything" if isinstance(where, All) else "nothing"), 3
            case Not(part):
                text, binds = f"{self.cased('not')} {self.group(part, 2)}", 2
            case All(parts):
                text, binds = self.one([" and ", "\nAND\n"]).join(self.group(part, 2) for part in parts), 1
            case Any(parts):
                text, binds = self.one([" or ", " Or "]).join(self.group(part, 1) for part in parts), 0
        return f"({text})" if binds < tighter or self.draw(st.integers(0, 4)) == 0 else text


@st.composite
def spelled(draw) -> tuple[str, Filter]:
    names = st.sampled_from(["ab_1", "é\u0061_2.-", "a b", "x`y", "not", "1"])
    scalars = (
        st.sampled_from(["abcd1", "a b", "it's", 'say "x"', "\\", "two\nlines", "", "true", "3"])
        | NUMBERS
        | st.booleans()
    )
    several = st.lists(scalars, max_size=3).map(tuple)
    leaves = (
        st.builds(Condition, names, st.sampled_from(COMPLETE), scalars | several, st.sampled_from([None, *MISSING]))
        | st.builds(Condition, names, st.just(Op.BETWEEN), st.tuples(scalars, scalars), st.sampled_from([*MISSING]))
        | st.builds(Condition, names, st.sampled_from(sorted(NULL_OPS)), st.none(), st.sampled_from([*MISSING]))
    )  # fmt: skip
    where = unwrapped(draw(trees(leaves)))
    return Writer(draw).group(where, 0), where


@given(spelled())
def test_every_spelling_of_a_filter_is_read_as_that_filter(drawn: tuple[str, Filter]):
    text, where = drawn
    assert exact(parse(text)) == exact(where)


TRUTHS = [All((All(), Condition(name, Op.EQ, True))) for name in "abc"]


@given(
    st.lists(st.sampled_from(["and", "or", "and not", "or not"]), min_size=1, max_size=6),
    st.lists(st.booleans(), min_size=7, max_size=7),
)
def test_and_or_and_not_bind_as_they_do_in_python(joints: list[str], values: list[bool]):
    names = [f"v{i}" for i in range(len(joints) + 1)]
    filter_text, python_text = f"{names[0]} = true", names[0]
    for joint, name in zip(joints, names[1:], strict=True):
        filter_text += f" {joint} {name} = true"
        python_text += f" {joint} {name}"
    row = dict(zip(names, values, strict=False))
    assert holds(parse(filter_text), row) == eval(python_text, {}, row)  # noqa: S307


# ── read as written ──────────────────────────────────────────────────────────────────────────────

A, B, C = (Condition(name, Op.EQ, 1) for name in "abc")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'year >= 2023 and tags contains_any ("v2","api")',
            All((Condition("year", Op.GE, 2023), Condition("tags", Op.CONTAINS_ANY, ("v2", "api")))),
        ),
        ("a=1 or b=1 and c=1", Any((A, All((B, C))))),
        ("(a=1 or b=1) and c=1", All((Any((A, B)), C))),
        ("a=1 and b=1 and c=1", All((A, B, C))),
        ("(a=1 and b=1) and c=1", All((All((A, B)), C))),
        ("not a=1 and b=1", All((Not(A), B))),
        ("NOT (a=1 AND NOT b=1)", Not(All((A, Not(B))))),
        ("not not a=1", Not(Not(A))),
        ("a between 1 and 2 and b=1", All((Condition("a", Op.BETWEEN, (1, 2)), B))),
        ("a between [1, 2]", Condition("a", Op.BETWEEN, (1, 2))),
        ("a in ()", Condition("a", Op.IN, ())),
        ("a = -5", Condition("a", Op.EQ, -5)),
        ("a<-.5", Condition("a", Op.LT, -0.5)),
        ("a = 007", Condition("a", Op.EQ, "007")),
        ("a = 1.2.3", Condition("a", Op.EQ, "1.2.3")),
        ("a = ٣", Condition("a", Op.EQ, "٣")),
        ("a = v2", Condition("a", Op.EQ, "v2")),
        ("who = ann@example.org", Condition("who", Op.EQ, "ann@example.org")),
        ("type = text/html", Condition("type", Op.EQ, "text/html")),
        ("at >= 2026-03-12T10:00Z", Condition("at", Op.GE, "2026-03-12T10:00Z")),
        ("at >= 2026-03-12T10:00+01:00", Condition("at", Op.GE, "2026-03-12T10:00+01:00")),
        ("a = null", Condition("a", Op.EQ, None)),
        (r'a = "\u00e9\U0001F388\n"', Condition("a", Op.EQ, "é🎈\n")),
        ("हिन्दी = x", Condition("हिन्दी", Op.EQ, "x")),
        ("`a``b` = 'it\\'s'", Condition("a`b", Op.EQ, "it's")),
        ("missing = present", Condition("missing", Op.EQ, "present")),
        ("a = 1 or missing = 2", Any((A, Condition("missing", Op.EQ, 2)))),
        ("a != 1 (and present) or not b = 1 (or missing)", Any((Condition("a", Op.NE, 1, "exclude"), Not(Condition("b", Op.EQ, 1, "include"))))),
    ],
)  # fmt: skip
def test_text_is_read_as_written(text: str, expected: Filter):
    assert exact(parse(text)) == exact(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (' {"year": 2023}', Condition("year", Op.EQ, 2023)),
        ("null", EVERYTHING),
        ("year = 2023", Condition("year", Op.EQ, 2023)),
        ('{"any": []}', Any()),
        ("nothing", Any()),
    ],
)
def test_json_and_text_are_told_apart_by_how_they_begin(text: str, expected: Filter):
    assert read(text) == expected


def outcome(text: str) -> Filter | InvalidFilter:
    try:
        return read(text)
    except InvalidFilter as error:
        return error


# ── what is wrong is said with its place ─────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('document contain "x"', r"There is no operator 'contain' at column 10\. Did you mean 'contains'"),
        ("a =\n1\nand bb startswith x", r"There is no operator 'startswith' at line 3, column 8\. Did you mean 'starts_with'"),
        ("a => 1", r"no operator '=>' at column 3\. Did you mean '>='\? Operators: =, !=, in, not in,"),
        ("category:legal", r"no operator ':' at column 9\. Did you mean '='"),
        ("author name = x", r"no operator 'name' at column 8\..* blanks stands in backquotes"),
        ("a", r"Expected an operator after the field 'a' at column 2, but the filter ends\. Operators"),
        ("a and b = 1", r"Expected an operator after the field 'a' at column 3, but there is 'and'"),
        ("a =", "Expected a value at column 4, but the filter ends"),
        ("a = and", r"Expected a value at column 5, but there is 'and'\. .*in quotes: \"and\""),
        ("a = `b`", "Expected a value at column 5.* a text stands in quotes"),
        ("a in (1, null)", r"Expected a value at column 10, but there is 'null'\. Use is null"),
        ("a in (1, (2))", r"Expected a value at column 10, but there is '\('"),
        ("a in (1,)", r"Expected a value at column 9, but there is '\)'"),
        ("a in (1, 2", r"Expected ',' or '\)' in the list at column 11, but the filter ends"),
        ("a in (1, 2]", r"Expected ',' or '\)' in the list at column 11, but there is '\]'"),
        ("a in 1, 2", r"at column 7, but there is ','\. Write a list in brackets"),
        ("a between 1 or 2", r"Expected 'and' and the upper end at column 13, but there is 'or'"),
        ("a = 1 b = 2", r"Expected 'and', 'or' or the end at column 7, but there is 'b'"),
        ("a = 1 an b = 2", r"at column 7, but there is 'an'\. Did you mean 'and'"),
        ("a = 1 && b = 2", r"at column 7, but there is '&&'\. Write and"),
        ("a = 1 || b = 2", r"at column 7, but there is '\|\|'\. Write or"),
        ("a = 1 = 2", "one field with one value"),
        ("author = Jane Doe", r"at column 15, but there is 'Doe'\. Put text of several words in quotes"),
        ("(a = 1", r"Expected 'and', 'or' or '\)' at column 7, but the filter ends"),
        ("a = 1)", r"Expected 'and', 'or' or the end at column 6, but there is '\)'"),
        ("a = 1 and", "Expected a field at column 10, but the filter ends. For example"),
        ("()", r"Expected a field at column 2, but there is '\)'"),
        ('"a b" = 1', "Expected a field at column 1, but there is 'a b'. A field's name stands in backquotes"),
        ("true = 1", "Expected a field at column 1.* in backquotes: `true`"),
        ("[1]", "Expected a field at column 1.* In JSON a filter begins with a brace"),
        ("a not = 1", "Expected 'in' or 'contains' after 'not' at column 7"),
        ("tags not contains_any (x)", "Expected 'in' or 'contains' after 'not' at column 10.* before the field"),
        ("a is 3", "Expected 'null' or 'not null' after 'is' at column 6, but there is '3'"),
        ("a is not 3", "Expected 'null' at column 10"),
        ("a is null 3", "Expected 'and', 'or' or the end at column 11"),
        ("a = 1 (b = 2)", r"Expected 'or missing' or 'and present' in brackets after a condition at column 8"),
        ("a = 1 (or present)", r"Expected 'missing' after '\(or' at column 11, but there is 'present'"),
        ("a = 1 (or missing", r"Expected '\)' after '\(or missing' at column 18"),
        ("(a = 1) (or missing)", r"Expected 'and', 'or' or the end at column 9, but there is '\('"),
        ("a = 'x", "The quote at column 5 is never closed"),
        ("a = 'x\\", "The quote at column 5 is never closed"),
        ("a = 'x\\'", "The quote at column 5 is never closed"),
        ("`a", "The backquote at column 1 is never closed"),
        ("`a``", "The backquote at column 1 is never closed"),
        (r'a matches "\d"', r"There is no escape '\\d' at column 12\. Write a backslash as \\\\"),
        (r'a = "\u12"', r"There is no escape '\\u' at column 6.*four hexadecimal"),
        (r'a = "\U00110000"', r"There is no escape '\\U' at column 6"),
        ("a = “x”", r"There is no place for '“' at column 5\. Put text in straight quotes"),
        ("a = x; drop", "There is no place for ';' at column 6"),
        ("a = 1e999", "The number '1e999' at column 5 is too large"),
        ("a = " + "9" * 5000, "The number at column 5 has more than 1000 digits"),
        ("{nope", "The filter is no JSON: .* in line 1, column 2"),
    ],
)  # fmt: skip
def test_text_that_is_no_filter_is_refused_with_the_place(text: str, told: str):
    with pytest.raises(InvalidFilter, match=told):
        read(text)


@given(st.text(max_size=30) | st.lists(st.sampled_from([*WORDS, *HARD, *DATES, "(", ")", "[", ",", "=", "a", "'x'", "between", "`a`"]), max_size=12).map(" ".join))  # fmt: skip
def test_no_text_fails_in_another_way(text: str):
    found = outcome(text)
    if isinstance(found, InvalidFilter):
        assert found.what.endswith((".", "?"))
    else:
        assert parse(to_text(found)) == unwrapped(found)


HOSTILE = ["(", "[", ")", '"', "'", "`", "\\", "not ", "not(", "a=1 or ", "a=", "a in (", "a in (1,", "=", "9", "a", "-", " ", "\n", "{", "\ud800", "a=1 (or missing) ", "a='\\", "a=\"x\"and "]  # fmt: skip


@pytest.mark.parametrize("part", HOSTILE)
@pytest.mark.parametrize("begin", ["", "a = ", "a in (", "`", "a = '"])
def test_a_megabyte_of_anything_is_read_or_refused_with_a_short_message(begin: str, part: str):
    text = begin + part * (300_000 // len(part))
    found = outcome(text)
    assert not isinstance(found, InvalidFilter) or len(str(found)) < 600


def test_as_deep_as_json_and_no_deeper():
    deepest: Filter = A
    for _ in range(MAX_DEPTH // 2):
        deepest = Not(Any((deepest, B)))
    assert from_json(to_json(deepest)) == deepest
    assert parse(to_text(deepest)) == deepest
    assert parse("(" * MAX_DEPTH + "a = 1" + ")" * MAX_DEPTH) == A
    for text in ("not " * (MAX_DEPTH + 1) + "a = 1", "(" * (MAX_DEPTH + 1) + "a = 1", "not (" * MAX_DEPTH + "a = 1"):
        with pytest.raises(InvalidFilter, match=f"nested more than {MAX_DEPTH} levels deep at column"):
            parse(text)


# ── checked against a schema: enums, and lists that have none of ─────────────────────────────────

QUARTER = {"quarter": Field("quarter", FieldType.ENUM, allowed=("Q1", "Q2", "Q3", "Q4"))}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("quarter = q1", r"'quarter' cannot be 'q1'\. Did you mean 'Q1'"),
        ("quarter != Q9", r"'quarter' cannot be 'Q9'\..* It is one of 'Q1', 'Q2', 'Q3', 'Q4'\."),
        ("not (quarter in (Q1, Q5))", "'quarter' cannot be 'Q5'"),
        ("quarter not in (spring)", r"'quarter' cannot be 'spring'\. It is one of"),
    ],
)
def test_a_text_that_an_enum_does_not_allow_is_refused_with_near_misses(text: str, told: str):
    with pytest.raises(InvalidFilter, match=told):
        check(parse(text), QUARTER)


@pytest.mark.parametrize(
    "text",
    ["quarter = Q1", "quarter in ()", "quarter in (Q1, Q4)", "quarter contains q", "quarter >= Q9", "quarter is null"],
)
def test_what_an_enum_allows_and_what_is_no_equality_pass(text: str):
    assert check(parse(text), QUARTER) == parse(text)


def test_only_enums_whose_texts_are_known_are_limited():
    for field in (Field("q", FieldType.STRING, allowed=("x",)), Field("q", FieldType.ENUM)):
        assert check(parse("q = y"), {"q": field}) == parse("q = y")
    tags = {"q": Field("q", FieldType.STRINGS, allowed=("x",))}
    assert check(parse("q contains_any (y)"), tags) == parse("q contains_any (y)")


def test_of_many_allowed_texts_a_few_are_named():
    many = {"q": Field("q", FieldType.ENUM, allowed=tuple(f"value {i}" for i in range(500)))}
    with pytest.raises(InvalidFilter, match=r"'value 19' and 480 more\.$"):
        check(parse("q = zebra"), many)


def test_a_list_field_is_asked_for_none_of_by_a_not():
    rows = [{"tags": ("a", "b")}, {"tags": ("b",)}, {"tags": ()}, {}]
    none_of = check(parse("not tags contains_any (a, c)"), CHECKED)
    assert [holds(none_of, row) for row in rows] == [False, True, True, True]
    with pytest.raises(InvalidFilter, match=r"For none of its items put contains_any in a not"):
        check(parse("tags not contains a"), CHECKED)


def test_a_bare_number_against_a_text_says_to_quote_it():
    with pytest.raises(InvalidFilter, match=r"'category' holds a string, not 2023\. Put it in quotes\."):
        check(parse("category = 2023"), CHECKED)
    assert check(parse('category = "2023"'), CHECKED).value == "2023"


def test_a_store_knows_what_its_enums_allow(tmp_path: Path):
    store = DuckStore(tmp_path / "w.duckdb")
    store.add_fields([FieldSpec("quarter", FieldType.ENUM, allowed=("Q1", "Q2")), FieldSpec("free", FieldType.ENUM)])
    assert {name: store.schema()[name].allowed for name in ("quarter", "free", "page")} == {
        "quarter": ("Q1", "Q2"),
        "free": (),
        "page": (),
    }
    with pytest.raises(InvalidFilter, match=r"'quarter' cannot be 'Q3'\. It is one of 'Q1', 'Q2'\."):
        store.documents(parse("quarter = Q3"))
    store.set_field(FieldSpec("quarter", FieldType.ENUM, allowed=("Q1", "Q2", "Q3")), {})
    assert store.documents(parse("quarter = Q3 and not free = anything")) == []
    store.close()


def test_words_and_text_join_groups_alike_and_say_booleans_alike():
    one, other = Condition("draft", Op.EQ, True), Condition("year", Op.EQ, 2023)
    for wanted in (All((Any((one, other)),)), Not(All((one,))), All((other, Any((All((one,)), other))))):
        assert describe(wanted) == to_text(wanted)
