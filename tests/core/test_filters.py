"""Filters: what they mean is told by a reference that knows no SQL; then JSON, errors and words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.errors import InvalidFilter
from core.filters import (
    EVERYTHING,
    MAX_DEPTH,
    OPERATORS,
    All,
    Any,
    Condition,
    Field,
    FieldType,
    Filter,
    Not,
    Op,
    check,
    conditions,
    conjunction,
    describe,
    from_json,
    to_json,
)
from core.store.base import Store
from core.store.duckdb import DuckStore
from core.types import BlockKind, FieldSpec, Index
from tests.made import MODEL, SENTENCES, cells, embedded, record

# ── the reference: two-valued semantics of the design, in plain Python ───────────────────────────

TRUE_WHEN_MISSING = {Op.NE, Op.NOT_IN, Op.NOT_CONTAINS}


def folded(text: str) -> str:
    return text.lower().replace("ς", "σ")


def holds(where: Filter, values: Mapping[str, object]) -> bool:
    match where:
        case All(parts):
            return all(holds(part, values) for part in parts)
        case Any(parts):
            return any(holds(part, values) for part in parts)
        case Not(part):
            return not holds(part, values)
        case Condition(name, op, operand, missing):
            value = values.get(name)
            if op is Op.IS_NULL:
                return value is None
            if op is Op.NOT_NULL:
                return value is not None
            if value is None:
                return op in TRUE_WHEN_MISSING if missing is None else missing == "include"
            return compare(value, op, operand)


def compare(value, op: Op, operand) -> bool:
    table = {
        Op.EQ: lambda: value == operand,
        Op.NE: lambda: value != operand,
        Op.LT: lambda: value < operand,
        Op.LE: lambda: value <= operand,
        Op.GT: lambda: value > operand,
        Op.GE: lambda: value >= operand,
        Op.BETWEEN: lambda: operand[0] <= value <= operand[1],
        Op.IN: lambda: value in operand,
        Op.NOT_IN: lambda: value not in operand,
        Op.CONTAINS: lambda: folded(operand) in folded(value),
        Op.NOT_CONTAINS: lambda: folded(operand) not in folded(value),
        Op.STARTS_WITH: lambda: folded(value).startswith(folded(operand)),
        Op.MATCHES: lambda: re.search(operand, value) is not None,
        Op.CONTAINS_ANY: lambda: any(item in value for item in operand),
        Op.CONTAINS_ALL: lambda: all(item in value for item in operand),
    }
    return table[op]()


# ── what is drawn ────────────────────────────────────────────────────────────────────────────────

BIG = 2**53
TEXTS = st.text("aAbéÉß名🎈 %_\\'\"\x00.", max_size=4)
INTEGERS = st.integers(-2, 3) | st.sampled_from([BIG, BIG + 1, -BIG, -BIG - 1, 2**63 - 1])
NUMBERS = st.sampled_from([-1.5, -0.0, 0.0, 0.1, 0.25, 1.0, 2.0, 1e300, 5e-324])
INSTANTS = st.sampled_from([datetime(2026, 3, 12) + timedelta(seconds=s, microseconds=s) for s in (-1, 0, 1, 86400)])
LISTS = st.lists(st.sampled_from(["x", "X", "y", "", "名"]), max_size=3).map(tuple)
PATTERNS = st.sampled_from(["a", "^b", "[é名]", "a.*b", r"\.", "", "(?i)é", "a$", "🎈{2}", r"^$"])

DOCUMENT_FIELDS = {
    "title": (FieldType.STRING, TEXTS),
    "n": (FieldType.INTEGER, INTEGERS),
    "x": (FieldType.NUMBER, NUMBERS),
    "draft": (FieldType.BOOLEAN, st.booleans()),
    "at": (FieldType.DATETIME, INSTANTS),
    'odd "key"; --': (FieldType.STRINGS, LISTS),
}
NODE_FIELDS = {
    "ordinal": (FieldType.INTEGER, st.integers(0, 3)),
    "page": (FieldType.INTEGER, st.integers(1, 3)),
    "kind": (FieldType.STRING, st.sampled_from(["paragraph", "table", "Table", "code"])),
}
SCHEMA = {name: Field(name, kind, name in NODE_FIELDS) for name, (kind, _) in (DOCUMENT_FIELDS | NODE_FIELDS).items()}


@st.composite
def a_condition(draw, fields) -> Condition:
    name = draw(st.sampled_from(sorted(fields)))
    kind, values = fields[name]
    op = draw(st.sampled_from(OPERATORS[kind]))
    if kind is FieldType.INTEGER:
        values |= NUMBERS
    if kind is FieldType.NUMBER:
        values |= st.integers(-2, 3)
    if op in (Op.IS_NULL, Op.NOT_NULL):
        value = None
    elif op is Op.BETWEEN:
        value = tuple(sorted([draw(values), draw(values)]))
    elif op is Op.MATCHES:
        value = draw(PATTERNS)
    elif op in (Op.IN, Op.NOT_IN):
        value = tuple(draw(st.lists(values, max_size=3)))
    else:
        value = draw(values)
    return Condition(name, op, value, draw(st.sampled_from([None, None, "include", "exclude"])))


def a_filter(fields) -> st.SearchStrategy[Filter]:
    def nested(inner):
        parts = st.lists(inner, max_size=3).map(tuple)
        return parts.map(All) | parts.map(Any) | inner.map(Not)

    return st.recursive(a_condition(fields), nested, max_leaves=6)


METADATA = st.fixed_dictionaries({}, optional={name: values for name, (_, values) in DOCUMENT_FIELDS.items()})

# ── a store whose documents' metadata change with every example; nodes and vectors stay ──────────

SIZES = (3, 1, 4, 2, 0, 3)
DIRECTIONS = np.float32([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0.6, 0.8, 0], [0.8, 0, 0.6]])
KINDS = (BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.CODE)


class Corpus:
    """Six documents of nought to four nodes; many vectors are equal, so that ties are common."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.index: Index = store.create_index(SENTENCES, MODEL)
        store.add_fields([FieldSpec(name, kind) for name, (kind, _) in DOCUMENT_FIELDS.items()])
        self.nodes: dict[tuple[str, int], dict[str, object]] = {}
        self.vectors: dict[tuple[str, int], np.ndarray] = {}
        self.names: dict[str, str] = {}
        rng = np.random.default_rng(7)
        for number, size in enumerate(SIZES):
            made = record(f"{number}.txt", [f"Sentence {i}." for i in range(size)])
            doc_id = made.passage.document.id
            vectors = DIRECTIONS[rng.integers(len(DIRECTIONS), size=size)]
            kinds = [KINDS[i] for i in rng.integers(len(KINDS), size=size)]
            pages = [None if page == 0 else int(page) for page in rng.integers(4, size=size)]
            store.put(made, self.index, embedded(made, vectors, kinds, pages))
            self.names[doc_id] = f"{number}.txt"
            for ordinal in range(size):
                key = doc_id, ordinal
                self.vectors[key] = vectors[ordinal]
                self.nodes[key] = {"ordinal": ordinal, "page": pages[ordinal], "kind": kinds[ordinal].value}
        self.metadata: dict[str, Mapping[str, object]] = {}

    def describe(self, metadata: list[Mapping[str, object]]) -> None:
        self.metadata = dict(zip(self.names, metadata, strict=True))
        for doc_id, values in self.metadata.items():
            self.store.set_metadata(doc_id, cells(values), None)

    def documents(self, where: Filter) -> list[str]:
        return sorted(self.names[d] for d, values in self.metadata.items() if holds(where, {"doc_id": d, **values}))

    def passing(self, where: Filter) -> list[tuple[str, int]]:
        return sorted(
            (d, i) for (d, i), values in self.nodes.items() if holds(where, {"doc_id": d, **self.metadata[d], **values})
        )

    def kept(self, where: Filter) -> list[tuple[str, int]]:
        keys = self.store.keys(self.index, where)
        return list(zip(keys.doc_ids, keys.ordinals.tolist(), strict=True))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    store = DuckStore(tmp_path_factory.mktemp("filters") / "w.duckdb")
    yield Corpus(store)
    store.close()


CORPORA = st.lists(METADATA, min_size=len(SIZES), max_size=len(SIZES))
EVERY_FIELD = DOCUMENT_FIELDS | NODE_FIELDS


@settings(max_examples=50)
@given(CORPORA, st.lists(a_filter(DOCUMENT_FIELDS), min_size=4, max_size=6))
@example([{"n": BIG + 1}, *[{}] * 5], [Condition("n", Op.IN, (BIG,)), Condition("n", Op.EQ, float(BIG))])
@example([{}] * 6, [Condition("n", op, (), m) for op in (Op.IN, Op.NOT_IN) for m in (None, "include", "exclude")])
@example([{"n": -BIG - 1}, *[{}] * 5], [Condition("n", Op.BETWEEN, (-BIG, 0.5))])
def test_documents_pass_as_the_reference_says(corpus: Corpus, metadata, filters):
    corpus.describe(metadata)
    for where in filters:
        expected = corpus.documents(where)
        assert [info.name for info in corpus.store.documents(where)] == expected, describe(where)
        rest = [info.name for info in corpus.store.documents(Not(where))]
        assert sorted(rest + expected) == sorted(corpus.names.values()), describe(where)


@settings(max_examples=50)
@given(CORPORA, st.lists(a_filter(EVERY_FIELD), min_size=4, max_size=6), st.integers(0, 2), st.integers(1, 14))
def test_nodes_pass_and_rank_as_the_reference_says(corpus: Corpus, metadata, filters, axis, k):
    corpus.describe(metadata)
    question = np.eye(3, dtype=np.float32)[axis]
    for where in filters:
        expected = corpus.passing(where)
        assert corpus.kept(where) == expected, describe(where)
        assert sorted(corpus.kept(Not(where)) + expected) == sorted(corpus.nodes), describe(where)
        assert corpus.store.count(corpus.index, where) == (len(expected), len(corpus.nodes))
        outcome = corpus.store.search(corpus.index, question, where, k, None)
        scores = {key: float(corpus.vectors[key] @ question) for key in expected}
        best = sorted(expected, key=lambda key: (-scores[key], key))[:k]
        assert [(f.doc_id, f.node.ordinal) for f in outcome.found] == best, describe(where)
        assert [f.score for f in outcome.found] == pytest.approx([scores[key] for key in best], abs=1e-6)
        assert all(f.info.metadata == corpus.metadata[f.doc_id] for f in outcome.found)


def test_a_document_can_be_named_by_its_id(corpus: Corpus):
    corpus.describe([{}] * len(SIZES))
    for doc_id, name in corpus.names.items():
        where = Condition("doc_id", Op.EQ, doc_id)
        assert [d.name for d in corpus.store.documents(where)] == [name]
        assert corpus.kept(where) == corpus.passing(where)


@pytest.mark.parametrize("operand", ["a%b", "a_b", "A.B", "\\", "%", "É"])
def test_contains_is_literal_and_does_not_mind_case(corpus: Corpus, operand: str):
    titles = ["xA%By", "a_b", "a.b", "back\\slash", "axb", "é"]
    corpus.describe([{"title": title} for title in titles])
    found = [d.metadata["title"] for d in corpus.store.documents(Condition("title", Op.CONTAINS, operand))]
    assert found == [title for title in titles if folded(operand) in folded(title)]
    assert len(found) == 1


@pytest.mark.parametrize(
    "written",
    ["2026-03-12T09:30:00Z", "2026-03-12T10:30:00+01:00", "2026-03-12T09:30:00", "2026-03-12 09:30", "20260312T0930"],
)
def test_times_are_compared_as_instants_in_utc(corpus: Corpus, written: str):
    corpus.describe([{"at": datetime(2026, 3, 12, 9, 30)}, {"at": datetime(2026, 3, 12, 9, 31)}, *[{}] * 4])
    assert [d.name for d in corpus.store.documents(from_json({"at": written}))] == ["0.txt"]


def test_a_date_alone_is_midnight_in_utc(corpus: Corpus):
    corpus.describe([{"at": datetime(2026, 3, 12)}, {"at": datetime(2026, 3, 12, 0, 0, 1)}, *[{}] * 4])
    assert [d.name for d in corpus.store.documents(from_json({"at": "2026-03-12"}))] == ["0.txt"]
    aware = datetime(2026, 3, 12, 5, tzinfo=timezone(timedelta(hours=5)))
    assert [d.name for d in corpus.store.documents(Condition("at", Op.EQ, aware))] == ["0.txt"]


# ── from and to JSON ─────────────────────────────────────────────────────────────────────────────


@given(a_filter(EVERY_FIELD))
def test_a_checked_filter_survives_json(where: Filter):
    checked = check(where, SCHEMA)
    assert check(from_json(json.loads(json.dumps(to_json(checked)))), SCHEMA) == checked
    assert check(checked, SCHEMA) == checked


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (None, EVERYTHING),
        ({}, EVERYTHING),
        ({"year": 2023}, Condition("year", Op.EQ, 2023)),
        ({"year": 2023, "a b": "x"}, All((Condition("year", Op.EQ, 2023), Condition("a b", Op.EQ, "x")))),
        ({"tags": ["a", "b"]}, Condition("tags", Op.EQ, ("a", "b"))),
        ({"all": []}, All()),
        ({"any": []}, Any()),
        ({"any": [{"a": 1}, {"b": 2}]}, Any((Condition("a", Op.EQ, 1), Condition("b", Op.EQ, 2)))),
        ({"not": {"a": 1}}, Not(Condition("a", Op.EQ, 1))),
        ({"not": {"not": {"a": True}}}, Not(Not(Condition("a", Op.EQ, True)))),
        ({"field": "a", "value": 1}, Condition("a", Op.EQ, 1)),
        ({"field": "a", "op": "==", "value": 1}, Condition("a", Op.EQ, 1)),
        ({"field": "a", "op": "<>", "value": 1}, Condition("a", Op.NE, 1)),
        ({"field": "all", "op": "is_null"}, Condition("all", Op.IS_NULL)),
        ({"field": "field", "value": "x"}, Condition("field", Op.EQ, "x")),
        (
            {"field": "a", "op": "in", "value": [1, 2.5], "missing": "include"},
            Condition("a", Op.IN, (1, 2.5), "include"),
        ),
    ],
)
def test_json_is_read_as_written(data, expected: Filter):
    assert from_json(data) == expected


def nested(depth: int) -> object:
    data: object = {"a": 1}
    for _ in range(depth):
        data = {"not": data}
    return data


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ([], r"A filter is a JSON object, not \[\]\. For example"),
        ("year = 3", r"A filter is a JSON object, not 'year = 3'"),
        (3, "not 3"),
        ({"all": {"a": 1}}, r"\"all\" takes a list of filters, not {'a': 1}"),
        ({"any": "abc"}, r"\"any\" takes a list of filters, not 'abc'"),
        ({"all": [3]}, "A filter is a JSON object, not 3"),
        ({"not": [{"a": 1}]}, "A filter is a JSON object, not"),
        ({"any": [], "year": 3}, r"\"any\" stands alone in its object, beside it was 'year'"),
        ({"all": [], "not": {}}, r"\"all\" stands alone in its object, beside it was 'not'"),
        ({"field": 3}, "A field is named by a string, not 3"),
        ({3: 3}, "A field is named by a string, not 3"),
        ({"field": "a", "operator": "="}, r"A condition has no \['operator'\]\. It takes field, op, value and missing"),
        ({"field": "a", "op": "contain", "value": "x"}, r"no operator 'contain'\. Did you mean .*'contains'"),
        ({"field": "a", "op": "=>", "value": 1}, r"no operator '=>'\..*Operators: =, !=, in,"),
        ({"field": "a", "op": None, "value": 1}, "no operator None"),
        ({"field": "a", "op": "=", "value": 1, "missing": "maybe"}, '"missing" is \'maybe\'. It is "include" or "excl'),
        ({"field": "a", "missing": True}, '"missing" is True'),
        ({"year": {"$gt": 3}}, r"compared with a value, not with {'\$gt': 3}.*\"op\""),
        ({"year": {3}}, r"A filter cannot hold \{3\}"),
        (nested(5000), f"nested more than {MAX_DEPTH} levels"),
    ],
)
def test_json_that_is_no_filter_is_refused_with_the_part_that_is_wrong(data, told: str):
    with pytest.raises(InvalidFilter, match=told):
        from_json(data)


def test_the_deepest_filter_that_is_read_is_also_answered(corpus: Corpus):
    corpus.describe([{"n": 1}, *[{}] * 5])
    where = from_json(json.loads(json.dumps(nested(MAX_DEPTH)).replace('"a"', '"n"')))
    assert [d.name for d in corpus.store.documents(where)] == ["0.txt"]
    assert corpus.kept(where) == corpus.passing(where)


# ── checked against a schema ─────────────────────────────────────────────────────────────────────

CHECKED = {
    field.name: field
    for field in (
        Field("category", FieldType.STRING),
        Field("Category", FieldType.STRING),
        Field("year", FieldType.INTEGER),
        Field("price", FieldType.NUMBER),
        Field("draft", FieldType.BOOLEAN),
        Field("published_at", FieldType.DATETIME),
        Field("tags", FieldType.STRINGS),
    )
}


@pytest.mark.parametrize(
    ("where", "told"),
    [
        (Condition("yaer", Op.EQ, 3), r"no field 'yaer'\. Did you mean 'year'\? Fields: Category, category, draft, "),
        (Condition("CATEGORY", Op.EQ, "x"), r"Did you mean 'category' or 'Category'"),
        (Condition("zzz", Op.EQ, 3), r"no field 'zzz'\. Fields:"),
        (Condition("year", Op.CONTAINS, "2"), r"contains does not fit 'year', which is of type integer\. Operators that do"),
        (Condition("tags", Op.IN, ("a",)), r"in does not fit 'tags'.*Use contains_any or contains_all"),
        (Condition("draft", Op.LT, True), "< does not fit 'draft'"),
        (Condition("year", Op.EQ, None), "'year' = null is never what one means. Use is_null"),
        (Condition("year", Op.NE, None), "'year' != null .* is_null or not_null"),
        (Condition("year", Op.IS_NULL, 3), "is_null takes no value, but 3 was given"),
        (Condition("year", Op.EQ, "2023"), "'year' holds an integer, not '2023'"),
        (Condition("year", Op.EQ, True), "'year' holds an integer, not True"),
        (Condition("year", Op.EQ, (2023,)), "'year' = takes one value, not a list. Use in for one of several"),
        (Condition("year", Op.IN, 2023), r"'year' in takes a list, not 2023\. Write \[2023\]"),
        (Condition("year", Op.IN, (2023, "x")), "'year' holds an integer, not 'x'"),
        (Condition("year", Op.EQ, 2**63), "too large for 'year'"),
        (Condition("price", Op.LT, float("nan")), "'price' is compared with nan, which is no number"),
        (Condition("price", Op.LT, float("-inf")), "compared with -inf"),
        (Condition("draft", Op.EQ, 1), "'draft' holds a boolean, not 1"),
        (Condition("draft", Op.EQ, "true"), "'draft' holds a boolean, not 'true'"),
        (Condition("category", Op.EQ, 3), "'category' holds a string, not 3"),
        (Condition("category", Op.EQ, "\ud800"), "half a character"),
        (Condition("category", Op.MATCHES, "(a"), r"matches '\(a': no regular expression"),
        (Condition("category", Op.MATCHES, "a{99999999999999999999}"), "repeats too much"),
        (Condition("category", Op.MATCHES, "(" * 5000 + ")" * 5000), "has 10,000 characters"),
        (Condition("tags", Op.EQ, "a"), r"'tags' = takes a list, not 'a'.*contains_any"),
        (Condition("tags", Op.CONTAINS_ANY, ("a", 3)), "'tags' holds a list of strings, not 3"),
        (Condition("year", Op.BETWEEN, 3), r"'year' between takes \[low, high\], not 3"),
        (Condition("year", Op.BETWEEN, (1, 2, 3)), r"between takes \[low, high\]"),
        (Condition("year", Op.BETWEEN, (3, 1)), "'year' between 3 and 1 holds for nothing. Write the lower"),
        (Condition("published_at", Op.EQ, "12.3.2026"), "'published_at' holds an ISO date or time, e.g. 2026-03-12, not"),
        (Condition("published_at", Op.EQ, 20260312), "an ISO date or time"),
        (Condition("published_at", Op.EQ, "0001-01-01T00:00:00+14:00"), "an ISO date or time"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("wrapped", [lambda f: f, lambda f: All((EVERYTHING, Not(Any((f,)))))])
def test_a_condition_that_does_not_fit_is_refused_wherever_it_stands(where: Condition, told: str, wrapped):
    with pytest.raises(InvalidFilter, match=told):
        check(wrapped(where), CHECKED)


def test_values_are_brought_to_their_fields_type():
    assert check(Condition("published_at", Op.EQ, "2026-03-12T01:00+01:00"), CHECKED).value == datetime(2026, 3, 12)
    whole = check(Condition("year", Op.EQ, 2023.0), CHECKED).value
    assert (whole, type(whole)) == (2023, int)
    assert check(Condition("year", Op.GT, 2023.5), CHECKED).value == 2023.5
    instants = Condition("published_at", Op.BETWEEN, ("2026-03-12", datetime(2026, 3, 13, tzinfo=UTC)))
    assert check(instants, CHECKED) == replace(instants, value=(datetime(2026, 3, 12), datetime(2026, 3, 13)))


# ── built and said ───────────────────────────────────────────────────────────────────────────────

A, B, C = (Condition(name, Op.EQ, 1) for name in "abc")


def test_a_conjunction_is_flat():
    assert conjunction() == EVERYTHING
    assert conjunction(EVERYTHING, A, EVERYTHING) == A
    assert conjunction(A, All((B, C))) == All((A, B, C))
    assert conjunction(A, Any((B, C))) == All((A, Any((B, C))))


def test_conditions_are_told_from_left_to_right():
    assert list(conditions(All((A, Not(Any((B, Not(C)))))))) == [A, B, C]
    assert list(conditions(EVERYTHING)) == []


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (EVERYTHING, "everything"),
        (Any(), "nothing"),
        (Not(EVERYTHING), "not everything"),
        (Condition("year", Op.GE, 2023), "year ≥ 2023"),
        (Condition("category", Op.EQ, "legal"), "category = legal"),
        (Condition("tags", Op.CONTAINS_ANY, ("a", "b")), "tags has any of a, b"),
        (Condition("tags", Op.CONTAINS_ALL, ("a",)), "tags has a"),
        (Condition("who", Op.IN, ("x, y",)), 'who = "x, y"'),
        (Condition("who", Op.NOT_IN, ()), "who is none of nothing"),
        (Condition("year", Op.BETWEEN, (2020, 2023)), "year between 2020 and 2023"),
        (Condition("at", Op.LT, datetime(2026, 3, 12)), "at < 2026-03-12"),
        (Condition("at", Op.LT, datetime(2026, 3, 12, 9, 30)), "at < 2026-03-12T09:30:00Z"),
        (Condition("year", Op.IS_NULL), "year is missing"),
        (Condition("year", Op.NE, 3, "exclude"), "year ≠ 3 (and present)"),
        (Condition("year", Op.EQ, 3, "include"), "year = 3 (or missing)"),
        (All((A, Any((B, C)))), "a = 1 and (b = 1 or c = 1)"),
        (Any((A, All((B, C)), Not(All((A, B))))), "a = 1 or (b = 1 and c = 1) or not (a = 1 and b = 1)"),
        (All((Any((A,)), B)), "a = 1 and b = 1"),
    ],
)
def test_a_filter_is_said_in_words(where: Filter, words: str):
    assert describe(where) == words


def test_every_kind_of_field_has_operators_and_a_type_in_the_store(tmp_path: Path):
    store = DuckStore(tmp_path / "w.duckdb")
    store.add_fields([FieldSpec(kind.value, kind) for kind in FieldType])
    assert {field.type for field in store.metadata_fields()} == set(OPERATORS) == set(FieldType)
    store.close()


def test_a_list_inside_a_list_is_refused_however_deep():
    nested: object = 1
    for _ in range(900):
        nested = [nested]
    with pytest.raises(InvalidFilter, match="list inside a list"):
        from_json({"a": nested})
