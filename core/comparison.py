"""One question asked twice, without and with a filter: every hit of either search, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.types import Hit, SearchResult


class Change(StrEnum):
    """What a filter made of a hit: it stays, or at another rank; it comes from below the unfiltered k; it is taken away."""

    KEPT = "kept"
    DISPLACED = "displaced"
    PROMOTED = "promoted"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class Step:
    """One hit of either search; a rank is None where it did not reach the k."""

    hit: Hit
    unfiltered_rank: int | None
    filtered_rank: int | None
    change: Change


@dataclass(frozen=True, slots=True)
class Comparison:
    """One question asked twice: of everything, and under the filter."""

    unfiltered: SearchResult
    filtered: SearchResult

    @property
    def steps(self) -> list[Step]:
        """Every hit of either search: the filtered ones in their order, then what the filter excluded.

        Search is exact: an unfiltered hit that passes the filter is always among the filtered k, so one that is not
        there was excluded.
        """
        before = {hit.id: hit.rank for hit in self.unfiltered.hits}
        after = {hit.id for hit in self.filtered.hits}
        stayed = [
            Step(hit, before.get(hit.id), hit.rank, _moved(before.get(hit.id), hit.rank)) for hit in self.filtered.hits
        ]
        gone = [Step(hit, hit.rank, None, Change.EXCLUDED) for hit in self.unfiltered.hits if hit.id not in after]
        return stayed + gone


def _moved(before: int | None, after: int) -> Change:
    if before is None:
        return Change.PROMOTED
    return Change.KEPT if before == after else Change.DISPLACED
