"""What a filter may be: how deep, how many conditions, how heavy a pattern, and what is refused in what words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

import pytest

from core.errors import InvalidFilter
from core.filters import (
    EVERYTHING,
    MAX_CONDITIONS,
    MAX_DEPTH,
    All,
    Any,
    Condition,
    FieldType,
    Filter,
    Not,
    Op,
    check,
    describe,
    from_text,
    steps,
    to_json,
    to_text,
)
from core.store.duckdb import DuckStore, checking
from tests.core.test_filters import SCHEMA, Corpus
from tests.made import MODEL, SENTENCES, fields, put


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    store = DuckStore(tmp_path_factory.mktemp("limits") / "w.duckdb")
    yield Corpus(store)
    store.close()


def deep(levels: int) -> Filter:
    found: Filter = Condition("n", Op.EQ, 1)
    for _ in range(levels):
        found = Not(found)
    return found


@pytest.mark.parametrize("use", [lambda f: check(f, SCHEMA), to_json, to_text], ids=["check", "to_json", "to_text"])
def test_a_filter_nested_too_deeply_is_refused_in_words(use):
    use(deep(MAX_DEPTH))
    with pytest.raises(InvalidFilter, match=f"more than {MAX_DEPTH} levels"):
        use(deep(20_000))


def test_too_many_conditions_are_refused_and_many_answered(corpus: Corpus):
    corpus.describe([{"n": i} for i in range(6)])
    many = Any(tuple(Condition("n", Op.EQ, i) for i in range(5, MAX_CONDITIONS + 5)))
    assert corpus.documents(many) == [d.name for d in corpus.store.documents(many)] == ["5.txt"]
    with pytest.raises(InvalidFilter, match=r"2,001 conditions; up to 2,000 are evaluated\. Write in \(…\)"):
        corpus.store.count(corpus.index, Any((*many.parts, EVERYTHING, Condition("n", Op.EQ, 1))))


def test_conditions_on_documents_and_on_nodes_are_put_together_however_they_are_mixed(corpus: Corpus):
    corpus.describe([{"n": i} for i in range(6)])
    mixed = tuple(Condition("n", Op.EQ, i) if i % 2 else Condition("page", Op.EQ, i) for i in range(900))
    for where in (Any(mixed), Not(All(mixed)), All((Any(mixed), Any(mixed[::-1])))):
        assert corpus.kept(where) == corpus.passing(where)
    pairs = Any(tuple(All((mixed[i], mixed[i + 1])) for i in range(0, 900, 2)))
    with pytest.raises(InvalidFilter, match="goes back and forth between fields of documents and of nodes 450 times"):
        corpus.kept(pairs)


def test_a_key_that_stands_twice_in_json_is_refused():
    for text in (
        '{"n": 1, "n": 2}',
        '{"all": [{"field": "n", "value": 1, "value": 2}]}',
        '{"not": {"n": 1}, "not": {}}',
    ):
        with pytest.raises(InvalidFilter, match="stands twice"):
            from_text(text)


def test_an_aware_time_is_written_in_utc_and_what_is_no_number_not_at_all():
    aware = Condition("at", Op.GE, datetime(2024, 3, 10, 12, tzinfo=timezone(timedelta(hours=2))))
    assert to_json(aware)["value"] == "2024-03-10T10:00:00Z"
    assert describe(aware) == to_text(aware).replace(">=", "≥") == "at ≥ 2024-03-10T10:00:00Z"
    for number in (float("nan"), float("inf")):
        with pytest.raises(InvalidFilter, match="which is no number"):
            to_json(Condition("n", Op.EQ, number))


# ── patterns ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("", 0), ("abc", 3), (r"\d{4}-\d{2}", 7), ("(ab){3}", 9), ("(?:ab){2,3}", 9), ("a{2,}", 3), ("a+b*c?", 3),
        ("[]a-z]{5}", 5), ("[[:alpha:]]{2}", 2), (r"\pL{3}", 30), (r"\p{Greek}", 10), (r"[\pL_]", 10), (r"\Qa{9}\E", 8),
        ("((a{9}){9}){9}", 819), ("a|b", 3), ("(?P<x>a)(?P<y>b)", 4), (")(", 2), ("(((", 3), ("{5}", 0), ("\\", 1), ("[a", 2),
    ],
)  # fmt: skip
def test_the_steps_of_a_pattern_are_its_parts_with_the_repetitions_written_out(pattern: str, expected: int):
    assert steps(pattern) == expected


@pytest.mark.parametrize("pattern", [r"\p{Lu}", r"\pL+", "[[:alpha:]]", r"x\z"])
def test_what_duckdb_reads_in_a_pattern_is_taken_though_python_would_not(corpus: Corpus, pattern: str):
    corpus.describe([{"title": "Xx"}, *[{}] * 5])
    corpus.store.documents(Condition("title", Op.MATCHES, pattern))


@pytest.mark.parametrize(
    ("pattern", "told", "hint"),
    [("(?=a)", "invalid perl operator", True), (r"(a)\1", "invalid escape", True), (r"\p{Nonsense}", "invalid", False)],
)
def test_what_duckdb_does_not_read_in_a_pattern_is_told_with_a_hint_that_fits(corpus, pattern, told, hint):
    with pytest.raises(InvalidFilter, match=told) as refused:
        corpus.store.documents(Condition("title", Op.MATCHES, pattern))
    assert ("Look-around" in str(refused.value)) == hint


@pytest.fixture
def long(tmp_path) -> Iterator[DuckStore]:
    """Forty documents whose titles are long, which makes a heavy pattern take long."""
    store = DuckStore(tmp_path / "long.duckdb")
    store.add_fields(fields(title=FieldType.STRING))
    index = store.create_index(SENTENCES, MODEL)
    for number in range(40):
        put(store, index, f"{number}.txt", [[1, 0, 0]], {"title": "ab" * 3000 + str(number)})
    yield store
    store.close()


def test_a_pattern_that_takes_too_long_is_given_up(long: DuckStore, monkeypatch):
    heavy = Condition("title", Op.MATCHES, "((a|b){0,9}){0,10}9$")
    assert len(long.documents(heavy)) == 4
    monkeypatch.setattr(checking, "SECONDS", 0.001)
    (index,) = long.indexes()
    for ask in (
        lambda: long.documents(heavy),
        lambda: long.count(index, heavy),
        lambda: long.scan(index, [1, 0, 0], [heavy]),
        lambda: long.judge(index, long.documents()[0].id, 0, Not(heavy)),
    ):
        with pytest.raises(InvalidFilter, match=r"longer than 0\.001 seconds on the texts here\. Write a simpler"):
            ask()


def test_a_pattern_is_tried_before_on_every_text_and_only_where_it_may_take_long(long: DuckStore, monkeypatch):
    tried: list[int] = []
    real = checking._tried
    monkeypatch.setattr(checking, "_tried", lambda *a: (tried.append(1) or piece for piece in real(*a)))
    light = Condition("title", Op.MATCHES, "9$")
    assert len(long.documents(light)) == 4
    assert tried == []
    monkeypatch.setattr(checking, "SECONDS", 0.0)
    with pytest.raises(InvalidFilter, match="longer than 0 seconds"):
        long.documents(light)
    monkeypatch.setattr(checking, "_SECONDS_A_STEP", 1.0)
    monkeypatch.setattr(checking, "SECONDS", 60.0)
    assert len(long.documents(light)) == 4
    assert len(tried) > 2


@pytest.mark.parametrize(("title", "operand"), [("ΟΔΟΣ 5", "οδος"), ("η οδός μας: οδος", "ΟΔΟΣ"), ("Οδοςx", "οδοσX")])
def test_a_final_sigma_is_a_sigma_where_case_does_not_count(corpus: Corpus, title: str, operand: str):
    corpus.describe([{"title": title}, *[{"title": "other"}] * 5])
    found = corpus.store.documents(Condition("title", Op.CONTAINS, operand))
    assert [info.name for info in found] == ["0.txt"]
