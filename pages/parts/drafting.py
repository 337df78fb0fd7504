"""What a change of one of the draft's numbers makes of the others: values in, values out, and never an invalid one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import floor
from types import MappingProxyType

from core.settings import MOST_SENTENCES, ChunkSettings, Unit


@dataclass(frozen=True, slots=True)
class Counting:
    """How sizes in a unit are set: on a slider from ``low`` to ``high``, by hand up to ``most``; ``per_token`` of them."""

    low: int
    high: int
    step: int
    most: int
    per_token: float


COUNTING: Mapping[Unit, Counting] = MappingProxyType(
    {
        Unit.SENTENCES: Counting(1, 10, 1, MOST_SENTENCES, 1 / 20),
        Unit.TOKENS: Counting(10, 500, 10, 200_000, 1.0),
        Unit.WORDS: Counting(10, 400, 10, 200_000, 0.75),
        Unit.CHARS: Counting(50, 2000, 10, 1_000_000, 4.5),
    }
)
"""A token of English is about three quarters of a word, and four and a half characters."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What a slider of sizes goes through."""

    low: int
    high: int
    step: int


def reach(unit: Unit, size: int, before: Reach | None) -> Reach:
    """A slider that can show ``size``: as it was before, or wider, or finer; never less while a hand may be on it."""
    usual = COUNTING[unit]
    now = before or Reach(usual.low, usual.high, usual.step)
    fits = now.low <= size <= now.high and (size - now.low) % now.step == 0
    return now if fits else Reach(min(now.low, size), max(now.high, size), 1)


def nice(number: float) -> int:
    """The nearest number that people would write: 187.5 is 190, 52 is 50, 1125 is 1150."""
    step = 1 if number < 20 else 5 if number < 100 else 10 if number < 1000 else 50
    return step * floor(number / step + 0.5)


def shared(size: int, share: float) -> int:
    """The overlap that is this share of a size, to the nearest unit; below the size."""
    return max(0, min(floor(size * share + 0.5), size - 1))


def share_of(draft: ChunkSettings, remembered: float = 0.0) -> float:
    """The share of a node's size that is overlap: the one remembered, where it is the one in use before rounding."""
    return remembered if shared(draft.size, remembered) == draft.overlap else draft.overlap / draft.size


def percent(draft: ChunkSettings) -> int:
    """The overlap in percent of the size, to the nearest."""
    return floor(100 * draft.overlap / draft.size + 0.5)


def sized(draft: ChunkSettings, size: int, share: float) -> ChunkSettings:
    """Nodes of another size with that share as overlap; a minimum that no longer fits is cut."""
    size = max(1, min(int(size), COUNTING[draft.unit].most))
    return replace(draft, size=size, overlap=shared(size, share), minimum=min(draft.minimum, size))


def overlapping(draft: ChunkSettings, overlap: int) -> ChunkSettings:
    """Nodes that share so many units, or as many as they can."""
    return replace(draft, overlap=max(0, min(int(overlap), draft.size - 1)))


def at_least(draft: ChunkSettings, minimum: int) -> ChunkSettings:
    """Nodes below ``minimum`` are put together, or below the size."""
    return replace(draft, minimum=max(0, min(int(minimum), draft.size)))


def counted_in(draft: ChunkSettings, unit: Unit) -> ChunkSettings:
    """Nodes about as long, counted in another unit; in one that the strategy does not count, they stay as they are."""
    if unit is draft.unit or Unit.SENTENCES in (unit, draft.unit):
        return draft
    rate = COUNTING[unit].per_token / COUNTING[draft.unit].per_token
    size = max(1, min(nice(draft.size * rate), COUNTING[unit].most))
    overlap, minimum = min(nice(draft.overlap * rate), size - 1), min(nice(draft.minimum * rate), size)
    return replace(draft, unit=unit, size=size, overlap=overlap, minimum=minimum)
