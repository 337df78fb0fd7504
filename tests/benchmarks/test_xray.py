"""The filter X-ray of a question under three clauses: the scan, and all that is worked out from it.

    pytest tests/benchmarks/test_xray.py --benchmark-only

Beside it one filtered search over the same nodes, in the same run. The promise is 95 % under 150 ms at 100,000 nodes.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core import xray
from core.filters import All, Any, Condition, Op
from core.xray import Explanation
from tests.benchmarks.test_search import Corpus, _corpus

K = 10
WHERE = All(
    (
        Condition("rank", Op.LT, 500),
        Condition("ordinal", Op.IN, tuple(range(25))),
        Any((Condition("rank", Op.GE, 100), Condition("tokens", Op.GT, 99))),
    )
)


@pytest.fixture(scope="module", params=[10_000, 100_000])
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    made = _corpus(tmp_path_factory.mktemp("xray") / "w.duckdb", request.param)
    yield made
    made.store.close()


def _xray(corpus: Corpus) -> Explanation:
    scan = corpus.store.scan(corpus.index, corpus.question, xray.clauses(WHERE))
    return xray.explain(scan, WHERE, K)


@pytest.mark.parametrize("what", ["xray", "search", "explanation alone"])
def test_xray(benchmark, corpus: Corpus, what: str) -> None:
    benchmark.group = f"{len(corpus.vectors):,} nodes"
    if what == "search":
        benchmark(corpus.store.search, corpus.index, corpus.question, WHERE, K, None)
    elif what == "xray":
        told = benchmark(_xray, corpus)
        assert (told.matching, len(told.filtered)) == (corpus.store.count(corpus.index, WHERE)[0], K)
    else:
        scan = corpus.store.scan(corpus.index, corpus.question, xray.clauses(WHERE))
        benchmark(xray.explain, scan, WHERE, K)
