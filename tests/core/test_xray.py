"""The filter X-ray: an oracle that sorts and counts in plain Python tells what it must say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core import smallest, xray
from core.boosts import Boost, boosted
from core.comparison import Change
from core.errors import InvalidFilter, ModelMismatch, NotFound
from core.filters import EVERYTHING, All, Any, Condition, FieldType, Filter, Not, Op, check, conditions, describe
from core.ingest import Upload
from core.settings import SearchSettings
from core.store.base import Scan, Store
from core.store.duckdb import DuckStore
from core.workspace import Workspace
from core.xray import Clause, Explanation, Place
from tests.core.test_filters import CORPORA, EVERY_FIELD, SCHEMA, Corpus, a_filter, holds
from tests.fakes import BagEncoder
from tests.made import MODEL, SENTENCES, fields, put

Key = tuple[str, int]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    store = DuckStore(tmp_path_factory.mktemp("xray") / "w.duckdb")
    yield Corpus(store)
    store.close()


# ── the oracle ───────────────────────────────────────────────────────────────────────────────────


class Oracle:
    """Every node best first, by score, document and ordinal; and who passes what."""

    def __init__(self, corpus: Corpus, question: np.ndarray, filter: Filter, limit: float | None) -> None:
        self.values = {(d, i): {"doc_id": d, **corpus.metadata[d], **told} for (d, i), told in corpus.nodes.items()}
        self.scores = {key: float(corpus.vectors[key] @ question) for key in self.values}
        self.order = sorted(self.values, key=lambda key: (-self.scores[key], key))
        self.limit = -9.0 if limit is None else limit
        self.filter = filter
        self.parts = list(flat(filter))

    def passing(self, filter: Filter) -> list[Key]:
        """Those that pass, best first."""
        return [key for key in self.order if holds(filter, self.values[key])]

    def ladder(self, filter: Filter, k: int) -> list[Key]:
        return [key for key in self.passing(filter) if self.scores[key] >= self.limit][:k]

    def rejecting(self, key: Key) -> tuple[int, ...]:
        return tuple(i for i, part in enumerate(self.parts) if not holds(part, self.values[key]))

    def others(self, number: int) -> Filter:
        return All(tuple(part for i, part in enumerate(self.parts) if i != number))


def flat(filter: Filter) -> Iterator[Filter]:
    if not isinstance(filter, All):
        yield filter
        return
    for part in filter.parts:
        yield from flat(part)


def keys(scan: Scan, found) -> list[Key]:
    return [scan.key(one if isinstance(one, int) else one.position) for one in found]


QUESTIONS = st.sampled_from([np.float32(v) for v in ([1, 0, 0], [0, 1, 0], [0.6, 0, 0.8], [-1, 0, 0])])
LIMITS = st.none() | st.sampled_from([-1.0, 0.0, 0.3, 0.99, 2.0])
DRAWN = (CORPORA, a_filter(EVERY_FIELD) | st.lists(a_filter(EVERY_FIELD), max_size=4).map(tuple).map(All), QUESTIONS)


@settings(max_examples=80)
@given(*DRAWN, LIMITS, st.integers(1, 14))
def test_the_xray_says_what_the_oracle_says(corpus: Corpus, metadata, where: Filter, question, limit, k):
    corpus.describe(metadata)
    oracle = Oracle(corpus, question, where, limit)
    scan = corpus.store.scan(corpus.index, question, xray.clauses(where))
    told = xray.explain(scan, where, k, limit)
    _ladders(scan, told, oracle)
    for number, clause in enumerate(told.clauses):
        _clause(scan, told, clause, number, oracle)
    _post_filter(told, oracle)


def _ladders(scan: Scan, told: Explanation, oracle: Oracle) -> None:
    k, passing = told.k, oracle.passing(oracle.filter)
    before, after = oracle.ladder(EVERYTHING, k), oracle.ladder(oracle.filter, k)
    assert keys(scan, told.unfiltered) == before
    assert keys(scan, told.filtered) == after
    assert (told.total, told.matching) == (len(oracle.order), len(passing))
    assert told.within == len(oracle.ladder(EVERYTHING, 999))
    for rung in (*told.unfiltered, *told.filtered):
        key = scan.key(rung.position)
        assert rung.score == pytest.approx(oracle.scores[key], abs=1e-6)
        assert rung.unfiltered_rank == oracle.order.index(key) + 1
        assert rung.filtered_rank == (passing.index(key) + 1 if key in passing else None)
        assert rung.rejected_by == oracle.rejecting(key)
    excluded = [key for key in before if key not in passing]
    assert keys(scan, told.excluded) == excluded
    assert [rung.change for rung in told.unfiltered] == [
        Change.EXCLUDED if key in excluded else Change.KEPT for key in before
    ]
    for rank, (rung, key) in enumerate(zip(told.filtered, after, strict=True)):
        moved = Change.KEPT if before[rank : rank + 1] == [key] else Change.DISPLACED
        assert rung.change is (moved if key in before else Change.PROMOTED)
    assert told.badge == f"exact · {len(after)} of {k}"
    assert bool(told.why_fewer) == (len(after) < k)


def _clause(scan: Scan, told: Explanation, clause: Clause, number: int, oracle: Oracle) -> None:
    before, others = oracle.ladder(EVERYTHING, told.k), oracle.others(number)
    assert clause.filter == oracle.parts[number]
    assert clause.words == describe(clause.filter)
    assert clause.matching == len(oracle.passing(clause.filter))
    assert clause.selectivity == pytest.approx(clause.matching / len(oracle.order))
    assert clause.without == len(oracle.passing(others))
    assert keys(scan, clause.rejects) == [key for key in before if number in oracle.rejecting(key)]
    assert keys(scan, clause.rejects_alone) == [key for key in before if oracle.rejecting(key) == (number,)]
    _places(scan, clause.alone, oracle, oracle.ladder(clause.filter, told.k))
    _places(scan, clause.others, oracle, oracle.ladder(others, told.k))


def _places(scan: Scan, places: tuple[Place, ...], oracle: Oracle, expected: list[Key]) -> None:
    assert keys(scan, places) == expected
    assert [place.unfiltered_rank for place in places] == [oracle.order.index(key) + 1 for key in expected]


def _post_filter(told: Explanation, oracle: Oracle) -> None:
    wanted = oracle.ladder(oracle.filter, told.k)
    assert [tried.fetched for tried in told.post_filter] == [told.k, 5 * told.k, 20 * told.k]
    for tried in told.post_filter:
        fetched = oracle.ladder(EVERYTHING, tried.fetched)
        passed = [key for key in fetched if not oracle.rejecting(key)]
        assert (tried.passed, tried.returned) == (len(passed), len(passed[: told.k]))
        assert tried.recall == (len(set(passed) & set(wanted)) / len(wanted) if wanted else None)


BOOSTS = st.lists(st.builds(Boost, a_filter(EVERY_FIELD), st.sampled_from([0.5, 0.9, 1.1, 3.0])), max_size=3)


@settings(max_examples=80)
@given(*DRAWN, LIMITS, st.integers(1, 14), BOOSTS)
@example([{}] * 6, EVERYTHING, np.float32([1, 0, 0]), None, 14, [])
def test_the_ladders_are_what_the_store_finds_to_the_last_tie(corpus, metadata, where, question, limit, k, boosts):
    corpus.describe(metadata)
    scan = corpus.store.scan(corpus.index, question, xray.clauses(where), boosts=boosts)
    told = xray.explain(scan, where, k, limit)
    for rungs, asked in ((told.unfiltered, EVERYTHING), (told.filtered, where)):
        found = corpus.store.search(corpus.index, question, asked, k, limit, boosts).found
        assert [scan.key(r.position) for r in rungs] == [(f.doc_id, f.node.ordinal) for f in found]
        assert [r.score for r in rungs] == [f.score for f in found]  # the very same bits
        assert [r.final for r in rungs] == [boosted(f.score, f.factors) for f in found]
    assert told.matching == corpus.store.count(corpus.index, where)[0]


def test_ties_in_the_last_bit_of_single_precision_fall_as_in_a_search(tmp_path):
    """Cosines of many near and equal vectors: what differs in double precision may be equal here, and the reverse."""
    store, rng = DuckStore(tmp_path / "w.duckdb"), np.random.default_rng(3)
    store.add_fields(fields(year=FieldType.INTEGER))
    index = store.create_index(SENTENCES, MODEL)
    base = rng.normal(size=(40, 3))
    for number in range(20):
        near = base[rng.integers(40, size=50)] + rng.choice([0, 1e-7, -1e-7, 2e-8], size=(50, 3))
        put(store, index, f"{number}.txt", near, {"year": number % 3})
    for question in rng.normal(size=(10, 3)).astype(np.float32):
        for where in (EVERYTHING, Condition("year", Op.EQ, 1)):
            found = store.search(index, question, where, 1000, None).found
            scan = store.scan(index, question, xray.clauses(where))
            rungs = xray.explain(scan, where, 1000).filtered
            assert [scan.key(r.position) for r in rungs] == [(f.doc_id, f.node.ordinal) for f in found]
            assert len({r.score for r in rungs}) < len(rungs)
    store.close()


@settings(max_examples=40)
@given(*DRAWN, LIMITS, st.integers(1, 5))
def test_every_node_has_a_fate(corpus: Corpus, metadata, where: Filter, question, limit, k):
    corpus.describe(metadata)
    oracle = Oracle(corpus, question, where, limit)
    scan = corpus.store.scan(corpus.index, question, xray.clauses(where))
    passing, returned = oracle.passing(where), oracle.ladder(where, k)
    for at, key in enumerate(oracle.order):
        position = scan.position(*key)
        assert position is not None
        fate = xray.fate(scan, k, position, limit)
        assert fate.score == pytest.approx(oracle.scores[key], abs=1e-6)
        assert (fate.position, fate.unfiltered_rank) == (position, at + 1)
        assert fate.filtered_rank == (passing.index(key) + 1 if key in passing else None)
        assert fate.rank_if_passed == 1 + sum(oracle.order.index(one) < at for one in passing)
        assert fate.rejected_by == oracle.rejecting(key)
        assert fate.within_limit == (oracle.scores[key] >= oracle.limit)
        assert fate.returned == (key in returned)


@settings(max_examples=40)
@given(CORPORA, a_filter(EVERY_FIELD))
def test_one_node_is_judged_condition_by_condition(corpus: Corpus, metadata, where: Filter):
    corpus.describe(metadata)
    oracle = Oracle(corpus, np.float32([1, 0, 0]), where, None)
    for (doc_id, ordinal), values in list(oracle.values.items())[::3]:
        verdict = corpus.store.judge(corpus.index, doc_id, ordinal, where)
        assert verdict.filter == check(where, SCHEMA)
        assert verdict.passes == tuple(holds(one, values) for one in conditions(where))
        assert verdict.values == {one.field: values.get(one.field) for one in conditions(where)}


# ── the smallest change ──────────────────────────────────────────────────────────────────────────


@settings(max_examples=80)
@given(CORPORA, a_filter(EVERY_FIELD), st.integers(0, 12))
def test_the_smallest_change_lets_the_node_in_as_the_store_says(corpus: Corpus, metadata, where: Filter, which: int):
    corpus.describe(metadata)
    doc_id, ordinal = sorted(corpus.nodes)[which]
    verdict = corpus.store.judge(corpus.index, doc_id, ordinal, where)

    changed = smallest.change(verdict.filter, verdict.passes, verdict.values)
    assert (doc_id, ordinal) in corpus.kept(changed.filter), describe(changed.filter)
    if (doc_id, ordinal) in corpus.kept(where):
        assert (changed.filter, changed.steps) == (verdict.filter, ())
    else:
        assert changed.steps


# ── what a scan is ───────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def store(tmp_path) -> Iterator[Store]:
    opened = DuckStore(tmp_path / "w.duckdb")
    opened.add_fields(fields(year=FieldType.INTEGER))
    yield opened
    opened.close()


def test_nodes_come_by_document_and_ordinal_however_they_were_stored(store):
    index = store.create_index(SENTENCES, MODEL)
    rng = np.random.default_rng(0)
    ids = {put(store, index, f"{i}.txt", rng.normal(size=(i % 4 + 1, 3))): i % 4 + 1 for i in (5, 2, 9, 0, 7)}
    put(store, index, "2.txt", rng.normal(size=(3, 3)))  # replaced: now the last rows of the table
    scan = store.scan(index, np.float32([1, 0, 0]), [])
    expected = sorted((doc, i) for doc, many in ids.items() for i in range(many))
    assert [scan.key(position) for position in range(len(scan))] == expected
    assert [scan.position(*key) for key in expected] == list(range(len(expected)))
    for gone in ((expected[0][0], 99), ("0" * 15, 0), ("", 0), (expected[0][0], -1)):
        assert scan.position(*gone) is None
    np.testing.assert_allclose(scan.scores, store.vectors(index) @ np.float32([1, 0, 0]), atol=1e-6)


def test_an_empty_index_has_an_empty_xray(store):
    index = store.create_index(SENTENCES, MODEL)
    where = Condition("year", Op.EQ, 1)
    told = xray.explain(store.scan(index, np.float32([1, 0, 0]), [where]), where, 5)
    assert (told.total, told.matching, told.filtered, told.unfiltered) == (0, 0, (), ())
    assert (told.selectivity, told.clauses[0].selectivity) == (0.0, 0.0)
    assert [tried.recall for tried in told.post_filter] == [None] * 3
    assert told.why_fewer == "The index holds no node."


def test_the_nodes_asked_for_come_with_the_scan_and_as_a_search_finds_them(store):
    index = store.create_index(SENTENCES, MODEL)
    put(store, index, "a.txt", [[1, 0, 0], [0.6, 0.8, 0]], {"year": 3})
    found = store.search(index, np.float32([1, 0, 0]), EVERYTHING, 9, None).found
    scan = store.scan(index, np.float32([1, 0, 0]), [], lambda scan: [1, 0, 1])
    assert [scan.found[position] for position in (0, 1)] == list(found)
    assert len(scan.found) == 2


def test_what_does_not_fit_is_refused(store):
    index = store.create_index(SENTENCES, MODEL)
    with pytest.raises(ModelMismatch):
        store.scan(index, np.zeros(4, np.float32), [])
    with pytest.raises(InvalidFilter, match=r"no field 'yaer'\. Did you mean 'year'"):
        store.scan(index, np.float32([1, 0, 0]), [EVERYTHING, Condition("yaer", Op.EQ, 1)])
    with pytest.raises(NotFound, match="no node 0"):
        store.judge(index, "0" * 15, 0, EVERYTHING)
    scan = store.scan(index, np.float32([1, 0, 0]), [EVERYTHING])
    with pytest.raises(ValueError, match="made with 1 filters, not with these 2"):
        xray.explain(scan, All((Any(), Any())), 5)


def test_the_statement_told_is_the_one_that_ran_with_every_value_bound(store):
    index = store.create_index(SENTENCES, MODEL)
    put(store, index, "a.txt", [[1, 0, 0]], {"year": 3})
    scan = store.scan(index, np.float32([1, 0, 0]), [Condition("year", Op.IN, (3, 987654))])
    assert "987654" not in scan.sql
    assert scan.params[1:] == ([3, 987654],)
    cursor = store._cursor()
    assert len(cursor.execute(scan.sql, list(scan.params)).fetchall()) == 1
    cursor.close()


def test_clauses_are_the_parts_that_must_all_hold():
    a, b, c = (Condition("year", Op.EQ, n) for n in range(3))
    assert xray.clauses(EVERYTHING) == ()
    assert xray.clauses(a) == (a,)
    assert xray.clauses(All((a, All((b, All((Not(c),))))))) == (a, b, Not(c))
    assert xray.clauses(Any((a, b))) == (Any((a, b)),)


def test_why_fewer_tells_index_filter_and_limit_apart(store):
    index = store.create_index(SENTENCES, MODEL)
    put(store, index, "a.txt", [[1, 0, 0], [0.6, 0.8, 0], [0, 1, 0]], {"year": 3})
    put(store, index, "b.txt", [[1, 0, 0]], {"year": 4})

    def why(where: Filter, k: int, limit: float | None = None) -> str:
        scan = store.scan(index, np.float32([1, 0, 0]), xray.clauses(where))
        return xray.explain(scan, where, k, limit).why_fewer

    assert why(EVERYTHING, 4) == ""
    assert why(EVERYTHING, 5) == "The index holds 4 nodes."
    assert why(Condition("year", Op.EQ, 3), 4) == "3 nodes of 4 pass the filter."
    assert why(Condition("year", Op.EQ, 4), 4) == "1 node of 4 passes the filter."
    assert why(Condition("year", Op.EQ, 5), 4) == "No node of 4 passes the filter."
    assert why(Condition("year", Op.EQ, 3), 3, 0.5) == "Of 3 nodes that pass the filter, 2 lie within the limit."


# ── with the workspace ───────────────────────────────────────────────────────────────────────────

PUMP = b"The north pump failed in May. The pump was replaced. Costs were low."
VALVE = b"The south valve held in June. The pump was fine. The shift ended early."


@pytest.fixture
def workspace(tmp_path) -> Iterator[Workspace]:
    made = Workspace(DuckStore(tmp_path / "w.duckdb"), lambda name: BagEncoder())
    sidecars = [Upload(f"{n}.meta.json", f'{{"year": {y}}}'.encode()) for n, y in (("p.txt", 2021), ("v.txt", 2024))]
    made.add([Upload("p.txt", PUMP), Upload("v.txt", VALVE), *sidecars], SENTENCES)
    yield made
    made.store.close()


SECOND = Boost(Condition("ordinal", Op.EQ, 1), 3.0)


@pytest.mark.parametrize("boosts", [(), (SECOND,)])
@pytest.mark.parametrize("distance", [None, 0.75])
def test_the_hits_of_both_ladders_are_those_of_two_searches(workspace: Workspace, distance, boosts):
    where = Condition("year", Op.GE, 2023)
    asked = SearchSettings(k=3, window=1, max_distance=distance, boosts=boosts)
    explained = workspace.explain("Which pump failed?", asked, where)
    compared = workspace.compare("Which pump failed?", asked, where)
    assert explained.unfiltered == compared.unfiltered.hits
    assert explained.filtered == compared.filtered.hits
    assert explained.explanation.matching == compared.filtered.matching
    assert set(explained.timings_ms) == {"scan", "explain", "windows"}
    assert len(explained.filtered) > 0


@pytest.mark.parametrize("where", [EVERYTHING, Condition("year", Op.GE, 2021)])
def test_an_experts_condition_is_the_last_clause(workspace: Workspace, where: Filter):
    asked = SearchSettings(k=4, where=" ordinal < 2 AND year <> 2024 ")
    explained = workspace.explain("Which pump failed?", asked, where)
    assert explained.filtered == workspace.search("Which pump failed?", asked, where).hits
    assert explained.unfiltered == workspace.search("Which pump failed?", SearchSettings(k=4)).hits
    *others, last = explained.explanation.clauses
    assert (last.filter, last.words, last.matching) == (None, "ordinal < 2 AND year <> 2024", 2)
    assert [clause.filter for clause in others] == list(xray.clauses(where))
    assert {rung.rejected_by for rung in explained.explanation.excluded} == {(len(others),)}
    lost = explained.unfiltered[[r.change for r in explained.explanation.unfiltered].index(Change.EXCLUDED)]
    assert explained.fate(lost.doc_id, lost.node.ordinal).rejected_by == (len(others),)


def test_a_boosted_node_tells_its_factors_and_what_it_ranks_by(workspace: Workspace):
    explained = workspace.explain("Which pump failed?", SearchSettings(k=3, boosts=(SECOND,)))
    first, *rest = explained.unfiltered
    assert first.node.ordinal == 1
    assert first.factors == (("ordinal = 1", 3.0),)
    fate = explained.fate(first.doc_id, 1)
    assert (fate.unfiltered_rank, fate.score, fate.final) == (1, first.score, first.score * 3.0)
    plain = workspace.explain("Which pump failed?", SearchSettings(k=3))
    assert plain.fate(first.doc_id, 1).unfiltered_rank > 1
    assert all(explained.fate(hit.doc_id, hit.node.ordinal).final <= fate.final for hit in rest)


def test_a_node_left_out_is_let_in_by_the_smallest_change(workspace: Workspace):
    where = All((Condition("year", Op.GE, 2023), Condition("kind", Op.EQ, "paragraph")))
    explained = workspace.explain("Which pump failed?", SearchSettings(k=3), where)
    lost = explained.unfiltered[0]
    fate = explained.fate(lost.doc_id, lost.node.ordinal)
    assert fate is not None
    assert (fate.unfiltered_rank, fate.filtered_rank, fate.rejected_by, fate.rank_if_passed) == (1, None, (0,), 1)
    assert explained.fate("0" * 15, 0) is None
    changed = workspace.smallest_change(lost.doc_id, lost.node.ordinal, where)
    assert changed.words == "year ≥ 2023 → year ≥ 2021"
    assert workspace.search("Which pump failed?", SearchSettings(k=3), changed.filter).hits[0].id == lost.id
