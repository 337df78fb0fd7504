"""Nodes of one size, whatever the text says: the baseline that other strategies are measured against."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.chunk import graphemes, layout, recursive
from core.chunk.layout import Layout, Piece, Run, Stretch
from core.chunk.ruler import Counted, Powers, skip_space
from core.settings import ChunkSettings
from core.store.base import Passage
from core.types import Node


def nodes(passage: Passage, settings: ChunkSettings, powers: Powers | None = None) -> list[Node]:
    """Nodes of ``settings.size`` units, each beginning ``settings.overlap`` units before the end of the last.

    White space at the ends of a node is left out of it. No grapheme is cut, no word where words or tokens are counted
    (unless it alone has more tokens than a node): a node then is as much smaller, and what is shared with it, as that
    takes. Tables and code blocks are nodes of their own, cut between lines where they are too large.

    Raises:
        InvalidSetting: the unit is tokens, and ``powers`` is missing.
    """
    laid = Layout(passage, settings, powers)
    return layout.nodes(laid, lambda run: _cut(laid, run))


def _cut(laid: Layout, run: Run) -> Iterator[Stretch]:
    if not run.is_prose:
        yield from recursive.alone(laid, run)
        return
    start, end = laid.piece(run.low, run.high)
    pieces = _counted(laid, laid.ruler, start, end) if isinstance(laid.ruler, Counted) else _chars(laid, start, end)
    yield Stretch(list(pieces), laid=True)


def _chars(laid: Layout, start: int, end: int) -> Iterator[Piece]:
    text, size, overlap = laid.text, laid.settings.size, laid.settings.overlap
    while True:
        stop = start + size
        if stop >= end:
            yield start, end
            return
        stop = graphemes.boundary(text, start, stop)
        yield start, stop
        if stop >= end:
            return
        start = skip_space(text, _earlier(text, start, stop, overlap), end)


def _earlier(text: str, start: int, stop: int, overlap: int) -> int:
    """The first boundary from ``stop - overlap`` on that lies behind ``start``."""
    place = max(stop - overlap, start + 1)
    before = graphemes.boundary(text, start, place)
    return min(stop, before if before >= place else graphemes.boundary(text, before, before + 1))


def _counted(laid: Layout, ruler: Counted, start: int, end: int) -> Iterator[Piece]:
    low, high = np.searchsorted(ruler.starts, (start, end)).tolist()
    size, overlap = laid.settings.size, laid.settings.overlap
    if ruler.uniform:
        firsts = np.arange(low, max(high - overlap, low + 1), size - overlap)
        ends = np.append(ruler.starts[low:high], end)[np.minimum(firsts + size, high) - low]
        yield from zip(ruler.starts[firsts].tolist(), ends.tolist(), strict=True)
        return
    at = low
    while True:
        after = ruler.reach(at, high, size)
        yield int(ruler.starts[at]), end if after == high else int(ruler.starts[after])
        if after == high:
            return
        at = _later(ruler, at, after, size, overlap)


def _later(ruler: Counted, at: int, after: int, size: int, overlap: int) -> int:
    """The word the next node begins with: the first that shares ``overlap`` at most and leaves room for one more."""
    sums = ruler.sums
    least = max(sums[after] - overlap, sums[after + 1] - size)
    return min(after, max(at + 1, int(np.searchsorted(sums, least))))
