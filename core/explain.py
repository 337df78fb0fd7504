"""A filter explained with the hits themselves: the X-ray of one question, and what would let a node in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core import smallest, xray
from core.boosts import Boost
from core.filters import Filter
from core.smallest import Smallest
from core.store.base import Found, Scan, Store
from core.types import Hit, Index
from core.xray import Explanation, Fate, Rung

AsHit = Callable[[int, Found], Hit]
"""A hit with the given rank, in its window."""


@dataclass(frozen=True, slots=True)
class Explained:
    """The X-ray of one question, with a hit for every rung of either ladder, ranked as on that ladder.

    ``scan.found`` holds the nodes of all ladders, those of single clauses too.
    """

    explanation: Explanation
    unfiltered: tuple[Hit, ...]
    filtered: tuple[Hit, ...]
    scan: Scan
    min_score: float | None = None
    timings_ms: Mapping[str, float] = field(default_factory=dict)

    def fate(self, doc_id: str, ordinal: int) -> Fate | None:
        """What became of any node, or None if the index does not hold it."""
        position = self.scan.position(doc_id, ordinal)
        if position is None:
            return None
        return xray.fate(self.scan, self.explanation.k, position, self.min_score)


def explain(
    store: Store,
    index: Index,
    vector: NDArray[np.float32],
    filter: Filter,
    k: int,
    min_score: float | None,
    as_hit: AsHit,
    where: str = "",
    boosts: Sequence[Boost] = (),
) -> Explained:
    """What ``filter`` and an expert's condition did to the ``k`` nodes nearest to ``vector``, from one pass over one snapshot of the index.

    Raises:
        ModelMismatch: a vector of another dimension than the index holds.
        InvalidFilter: the filter, that of a boost or ``where`` does not fit the schema.
    """
    made: list[Explanation] = []
    marks = [time.perf_counter()]

    def ladders(scan: Scan) -> Iterable[int]:
        marks.append(time.perf_counter())
        made.append(xray.explain(scan, filter, k, min_score, where))
        marks.append(time.perf_counter())
        return _shown(made[0])

    scan = store.scan(index, vector, xray.clauses(filter), ladders, where, boosts)
    hits = [_hits(rungs, scan.found, as_hit) for rungs in (made[0].unfiltered, made[0].filtered)]
    marks.append(time.perf_counter())
    spent = [1000 * (end - start) for start, end in pairwise(marks)]
    timings = dict(zip(("scan", "explain", "windows"), spent, strict=True))
    return Explained(made[0], hits[0], hits[1], scan, min_score, timings)


def _shown(told: Explanation) -> Iterator[int]:
    """The positions of all nodes that stand on a ladder, those of single clauses too."""
    yield from (rung.position for rung in (*told.unfiltered, *told.filtered))
    yield from (place.position for clause in told.clauses for place in (*clause.alone, *clause.others))


def _hits(rungs: tuple[Rung, ...], found: Mapping[int, Found], as_hit: AsHit) -> tuple[Hit, ...]:
    return tuple(as_hit(rank, found[rung.position]) for rank, rung in enumerate(rungs, 1))


def smallest_change(store: Store, index: Index, doc_id: str, ordinal: int, filter: Filter) -> Smallest:
    """The smallest change of ``filter`` that lets a node of the index in.

    Raises:
        NotFound: the index does not hold that node.
        InvalidFilter: the filter does not fit the schema.
    """
    verdict = store.judge(index, doc_id, ordinal, filter)
    return smallest.change(verdict.filter, verdict.passes, verdict.values)
