"""The filter X-ray: what a filter did to an answer, clause by clause, worked out from one scan of the index."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.comparison import Change
from core.filters import All, Filter, describe
from core.store.base import Scan

MOST_CLAUSES = 100
POST_FILTER = (1, 5, 20)
"""A post-filter fetches this many times k before it filters."""


@dataclass(frozen=True, slots=True)
class Rung:
    """One hit on a ladder: a position in the scan, and its rank on either ladder, however far down.

    ``final`` is the score with its boosts, by which it ranks. ``filtered_rank`` is None if the filter rejects it;
    ``rejected_by`` are the numbers of the clauses that do.
    """

    position: int
    score: float
    final: float
    unfiltered_rank: int
    filtered_rank: int | None
    change: Change
    rejected_by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A node of the scan, and its rank among all nodes, by ``final``: its score with its boosts."""

    position: int
    score: float
    final: float
    unfiltered_rank: int


@dataclass(frozen=True, slots=True)
class Clause:
    """One of the parts that must all hold; ``filter`` is None for an expert's condition, whose ``words`` are its SQL.

    ``matching`` nodes pass it alone, ``without`` pass all others. ``rejects`` are the hits of the unfiltered ladder
    that it rejects, ``rejects_alone`` those that no other clause rejects, both by position. ``alone`` is the ladder
    that it alone would give, ``others`` the one that all but it would.
    """

    filter: Filter | None
    words: str
    matching: int
    without: int
    selectivity: float
    rejects: tuple[int, ...]
    rejects_alone: tuple[int, ...]
    alone: tuple[Place, ...]
    others: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class PostFilter:
    """What filtering after a search would have given: of ``fetched`` nodes ``passed``, and ``returned`` came back.

    ``recall`` is the share of the filtered ladder among them; None if that is empty.
    """

    fetched: int
    passed: int
    returned: int
    recall: float | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Both ladders of one question, and what each clause of the filter did. ``within`` nodes are inside the score limit."""

    k: int
    total: int
    matching: int
    within: int
    clauses: tuple[Clause, ...]
    unfiltered: tuple[Rung, ...]
    filtered: tuple[Rung, ...]
    post_filter: tuple[PostFilter, ...]

    @property
    def selectivity(self) -> float:
        """The share of nodes that pass; 0 of an empty index."""
        return self.matching / self.total if self.total else 0.0

    @property
    def excluded(self) -> tuple[Rung, ...]:
        """The hits that the filter took away, each with the clauses that reject it."""
        return tuple(rung for rung in self.unfiltered if rung.change is Change.EXCLUDED)

    @property
    def badge(self) -> str:
        """How many came back of how many were asked for."""
        return f"exact · {len(self.filtered)} of {self.k}"

    @property
    def why_fewer(self) -> str:
        """Why fewer than k came back; empty if k did."""
        returned = len(self.filtered)
        if returned == self.k:
            return ""
        if self.total < self.k and self.matching == self.total == returned:
            return f"The index holds {_nodes(self.total)}."
        if returned == self.matching:
            return f"{_nodes(self.matching).capitalize()} of {self.total:,} {_pass(self.matching)} the filter."
        return f"Of {_nodes(self.matching)} that {_pass(self.matching)} the filter, {returned:,} lie within the limit."


def _nodes(count: int) -> str:
    return "no node" if count == 0 else f"{count:,} node{'s' * (count > 1)}"


def _pass(count: int) -> str:
    return "pass" if count > 1 else "passes"


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one node. ``final`` is its score with its boosts. ``rank_if_passed`` is its filtered rank, or the one it would have if the filter let it in.

    ``within_limit`` is whether its score lies within the limit; ``returned`` is whether it is one of the k.
    """

    position: int
    score: float
    final: float
    unfiltered_rank: int
    filtered_rank: int | None
    rank_if_passed: int
    rejected_by: tuple[int, ...]
    within_limit: bool
    returned: bool


def clauses(filter: Filter) -> tuple[Filter, ...]:
    """The parts that must all hold: those of an ``All``, however nested, or the filter itself; of no filter none.

    More than ``MOST_CLAUSES`` are one: nobody reads them one by one.
    """
    parts = tuple(_parts(filter))
    return parts if len(parts) <= MOST_CLAUSES else (filter,)


def _parts(filter: Filter) -> Iterator[Filter]:
    if not isinstance(filter, All):
        yield filter
        return
    for part in filter.parts:
        yield from _parts(part)


def explain(scan: Scan, filter: Filter, k: int, min_score: float | None = None, where: str = "") -> Explanation:
    """What ``filter`` and an expert's condition did to the ``k`` best nodes; ``scan`` was made with ``clauses(filter)``.

    Nodes that score less than ``min_score`` are on no ladder. Ranks are those of ``Store.search``, to the last tie.
    """
    parts = _said(filter, where)
    ranked = _Ranked(scan, len(parts), min_score)
    passing = ranked.passing
    before, after = ranked.best(None, k), ranked.best(passing, k)
    return Explanation(
        k,
        len(scan),
        int(passing.sum()),
        ranked.within,
        tuple(_clause(ranked, number, part, before, k) for number, part in enumerate(parts)),
        tuple(_rung(ranked, at, Change.KEPT if passing[at] else Change.EXCLUDED) for at in before),
        tuple(_rung(ranked, at, _moved(at, rank, len(before))) for rank, at in enumerate(after)),
        tuple(_post_filter(ranked, after, k * times, k) for times in POST_FILTER),
    )


def fate(scan: Scan, k: int, position: int, min_score: float | None = None) -> Fate:
    """What became of the node at ``position``, wherever it ranks, if all masks of ``scan`` must hold."""
    ranked = _Ranked(scan, len(scan.masks), min_score)
    at = int(np.flatnonzero(ranked.order == position)[0])
    rank = 1 + int(ranked.passing[:at].sum())
    passes = bool(ranked.passing[at])
    return Fate(
        position,
        float(scan.scores[position]),
        float(scan.finals[position]),
        at + 1,
        rank if passes else None,
        rank,
        ranked.rejecting(at),
        at < ranked.within,
        passes and at < ranked.within and rank <= k,
    )


def _said(filter: Filter, where: str) -> list[tuple[Filter | None, str]]:
    """What must hold, with its words, in the order of the scan's masks."""
    said: list[tuple[Filter | None, str]] = [(part, describe(part)) for part in clauses(filter)]
    return [*said, (None, where.strip())] if where.strip() else said


class _Ranked:
    """A scan from its best node to its worst. Places in that order are called ``at``; a rank is ``at`` + 1."""

    def __init__(self, scan: Scan, filters: int, min_score: float | None) -> None:
        if filters != len(scan.masks):
            raise ValueError(f"The scan was made with {len(scan.masks)} filters, not with these {filters}.")
        # As the store sorts: by score, NaN first, and equals by document and ordinal, which is the order of the scan.
        order = np.argsort(-np.nan_to_num(scan.finals, nan=np.inf), kind="stable")
        within = np.full(len(scan), True) if min_score is None else scan.scores.astype(np.float64) >= min_score
        self.order = np.concatenate([order[within[order]], order[~within[order]]])  # no boost lifts over the limit
        self.within = int(within.sum())
        self.scores, self.finals = scan.scores[self.order], scan.finals[self.order]
        self.masks = scan.masks[:, self.order]
        self.failed = (~self.masks).sum(axis=0, dtype=np.int32)
        self.passing = self.failed == 0
        self._ranks = np.cumsum(self.passing)

    def best(self, mask: NDArray[np.bool_] | None, k: int) -> list[int]:
        """The ``k`` best of those in ``mask`` that are within the score limit."""
        if mask is None:
            return list(range(min(k, self.within)))
        return [int(at) for at in np.flatnonzero(mask[: self.within])[:k]]

    def but(self, number: int) -> NDArray[np.bool_]:
        """Which nodes pass all clauses but one."""
        return np.asarray(self.failed == ~self.masks[number], np.bool_)

    def rejecting(self, at: int) -> tuple[int, ...]:
        return tuple(np.flatnonzero(~self.masks[:, at]).tolist())

    def filtered_rank(self, at: int) -> int | None:
        return int(self._ranks[at]) if self.passing[at] else None

    def place(self, at: int) -> Place:
        return Place(int(self.order[at]), float(self.scores[at]), float(self.finals[at]), at + 1)


def _rung(ranked: _Ranked, at: int, change: Change) -> Rung:
    place = ranked.place(at)
    return Rung(
        place.position, place.score, place.final, at + 1, ranked.filtered_rank(at), change, ranked.rejecting(at)
    )


def _moved(at: int, rank: int, before: int) -> Change:
    if at >= before:
        return Change.PROMOTED
    return Change.KEPT if at == rank else Change.DISPLACED


def _clause(ranked: _Ranked, number: int, part: tuple[Filter | None, str], before: list[int], k: int) -> Clause:
    mask, others = ranked.masks[number], ranked.but(number)
    matching = int(mask.sum())
    return Clause(
        *part,
        matching,
        int(others.sum()),
        matching / len(mask) if len(mask) else 0.0,
        tuple(_positions(ranked, before, ~mask)),
        tuple(_positions(ranked, before, ~mask & others)),
        tuple(ranked.place(at) for at in ranked.best(mask, k)),
        tuple(ranked.place(at) for at in ranked.best(others, k)),
    )


def _positions(ranked: _Ranked, among: list[int], mask: NDArray[np.bool_]) -> Iterator[int]:
    return (int(ranked.order[at]) for at in among if mask[at])


def _post_filter(ranked: _Ranked, after: list[int], fetched: int, k: int) -> PostFilter:
    passed = int(ranked.passing[: min(fetched, ranked.within)].sum())
    recall = sum(at < fetched for at in after) / len(after) if after else None
    return PostFilter(fetched, passed, min(k, passed), recall)
