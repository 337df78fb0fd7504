"""What a filter did to an answer: every hit of either search, and its fate."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.types import Hit, SearchResult


class Fate(StrEnum):
    """What became of a hit when the filter was applied."""

    KEPT = "kept"
    PROMOTED = "promoted"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class Step:
    """One hit on the two ladders; a rank is None where it did not reach the top k."""

    hit: Hit
    unfiltered_rank: int | None
    filtered_rank: int | None
    fate: Fate


@dataclass(frozen=True, slots=True)
class Comparison:
    """One question asked twice: of everything, and under the filter."""

    unfiltered: SearchResult
    filtered: SearchResult

    @property
    def steps(self) -> list[Step]:
        """Every hit of either search: the filtered ones in their order, then what the filter excluded.

        A filtered hit is kept, or promoted if it was not among the unfiltered k. Search is exact: an unfiltered hit
        that passes the filter is always among the filtered k, so one that is not there was excluded.
        """
        before = {hit.id: hit.rank for hit in self.unfiltered.hits}
        after = {hit.id for hit in self.filtered.hits}
        stayed = [
            Step(hit, before.get(hit.id), hit.rank, Fate.KEPT if hit.id in before else Fate.PROMOTED)
            for hit in self.filtered.hits
        ]
        gone = [Step(hit, hit.rank, None, Fate.EXCLUDED) for hit in self.unfiltered.hits if hit.id not in after]
        return stayed + gone
