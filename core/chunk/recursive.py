"""Cut at the highest seam there is: paragraphs, then lines, sentences, words."""

from __future__ import annotations

from collections.abc import Iterator

from core.chunk import layout
from core.chunk.layout import Layout, Piece, Run, Stretch
from core.chunk.pack import Packing
from core.chunk.ruler import Powers
from core.settings import ChunkSettings
from core.store.base import Passage
from core.types import BlockKind, Node


def nodes(passage: Passage, settings: ChunkSettings, powers: Powers | None = None) -> list[Node]:
    """Nodes of at most ``settings.size`` units; nothing is cut that would fit into one.

    Paragraphs are put together as far as they fit; one that does not is cut at its lines, if sentences end there, those
    at sentences, and a sentence between words. Cuts are made for nodes of size − overlap; each then begins so much
    earlier, at the first word of which no more than ``settings.overlap`` units are shared. Tables and code blocks are
    nodes of their own, cut between lines where they are too large; code shares whole lines, tables nothing.

    Raises:
        InvalidSetting: the unit is tokens, and ``powers`` is missing.
    """
    laid = Layout(passage, settings, powers)
    return layout.nodes(laid, lambda run: cut(laid, run))


def cut(laid: Layout, run: Run) -> Iterator[Stretch]:
    """One run, packed."""
    if not run.is_prose:
        return alone(laid, run)
    return iter((packed(laid, run.low, run.high),))


def packed(laid: Layout, low: int, high: int, heading: int = 0) -> Stretch:
    """The sentences from ``low`` to ``high``, half open; the first ``heading`` of them stay with what follows."""
    if laid.size(low, high) <= laid.settings.size:
        return Stretch((laid.piece(low, high),))
    if not heading or low + heading >= high:
        return Stretch(parts(laid, low, high))
    body = low + heading
    left = laid.settings.size - (laid.sizes_before[body] - laid.sizes_before[low])
    if left < 1:
        return Stretch([*parts(laid, low, body), *parts(laid, body, high)])
    (_, first), *others = Packing(laid, left).sentences(body, high).pieces
    return Stretch([(laid.starts[low], first), *others])


def parts(laid: Layout, low: int, high: int) -> list[Piece]:
    """The sentences from ``low`` to ``high``, half open, as pieces that leave room for an overlap."""
    return Packing(laid).sentences(low, high).pieces


def alone(laid: Layout, run: Run) -> Iterator[Stretch]:
    """A table, a code block or a program: whole if it fits, else cut between its lines."""
    start, end = laid.piece(run.low, run.high)
    if laid.size(run.low, run.high) <= laid.settings.size:
        yield Stretch(((start, end),))
    elif run.kind is BlockKind.TABLE:
        yield Stretch(Packing(laid).table(start, end).pieces)
    elif laid.is_program:
        yield Stretch(Packing(laid).program(run.low, run.high).pieces)
    else:
        yield Stretch(Packing(laid).code(start, end).pieces)
