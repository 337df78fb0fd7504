"""Text is packed into pieces of a size: what fits is not cut, and what does not is cut at the next finer seam.

Paragraphs, then lines that end where a sentence does, sentences, lines inside one (of a list, say), words. Neighbours of
one kind inside one larger part are put together as far as they fit; nothing is put together across a larger part's end.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from core import markup
from core.chunk.layout import Layout, Piece
from core.types import BlockKind

Seams = Callable[[str, int, int], Iterator[int]]
"""Where parts of ``text[start:end]`` begin, ``start`` left out."""

_BLANK = re.compile(r"\n[^\S\n]*\n\s*")
_PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.QUOTE})


def lines(text: str, start: int, end: int) -> Iterator[int]:
    """Where lines begin."""
    at = text.find("\n", start, end)
    while 0 <= at < end - 1:
        yield at + 1
        at = text.find("\n", at + 1, end)


def groups(text: str, start: int, end: int) -> Iterator[int]:
    """Where lines begin that follow a blank one."""
    return (found.start() + found.group().rfind("\n") + 1 for found in _BLANK.finditer(text, start, end))


class Packing:
    """One stretch being packed; ``first`` units of the first piece are free, by default as many as of any other."""

    def __init__(self, layout: Layout, first: int | None = None) -> None:
        self.pieces: list[Piece] = []
        self._layout = layout
        self._text = layout.text
        self._room = layout.room if first is None else max(1, first)

    def sentences(self, low: int, high: int) -> Packing:
        """Pack the sentences from ``low`` to ``high``, half open."""
        layout = self._layout
        if layout.size(low, high) <= self._room:
            self._add(layout.starts[low], layout.ends[high - 1])
            return self
        firsts = [*layout.blocks_in(low, high), high]
        self._groups(firsts, self._lines)
        return self

    def code(self, start: int, end: int, seams: Sequence[Seams] = (groups, lines)) -> Packing:
        """Pack ``text[start:end]`` at ``seams``, the coarsest first, and between words in a line that is too long."""
        if self._layout.ruler.size(start, end) <= self._room:
            self._add(start, end)
        elif seams:
            self._parts([start, *seams[0](self._text, start, end), end], seams[1:])
        else:
            self._cut(start, end)
        return self

    def program(self, low: int, high: int) -> Packing:
        """Pack the sentences of code from ``low`` to ``high``, block by block."""
        begins = [self._layout.starts[first] for first in self._layout.blocks_in(low, high)]
        self._parts([*begins, self._layout.ends[high - 1]], (groups, lines))
        return self

    def table(self, start: int, end: int) -> Packing:
        """Pack a table's rows; its caption and header stay with the first of them if they fit."""
        rows = markup.rows_start(self._text, start, end)
        begins = [at for at in lines(self._text, start, end) if at > rows]
        self._parts([start, *begins, end], (lines,))
        return self

    def _add(self, start: int, end: int) -> None:
        self.pieces.append((start, end))
        self._room = self._layout.room

    def _cut(self, start: int, end: int) -> None:
        for piece in self._layout.ruler.cut(start, end, self._room, self._layout.room):
            self._add(*piece)

    def _groups(self, firsts: Sequence[int], finer: Callable[[int, int], None]) -> None:
        """Pack parts of whole sentences, each from one of ``firsts`` up to the next."""
        layout = self._layout
        before, upto = layout.sizes_before, [layout.sizes_upto[after - 1] for after in firsts[1:]]
        at = 0
        while at < len(upto):
            after = bisect_right(upto, before[firsts[at]] + self._room, at)
            if after > at:
                self._add(layout.starts[firsts[at]], layout.ends[firsts[after] - 1])
                at = after
            else:
                finer(firsts[at], firsts[at + 1])
                at += 1

    def _lines(self, low: int, high: int) -> None:
        starts, ends = self._layout.starts, self._layout.ends
        if self._text.find("\n", starts[low], ends[high - 1]) < 0:
            self._whole(low, high)
            return
        find = self._text.find
        begins = [at for at in range(low + 1, high) if find("\n", ends[at - 1], starts[at]) >= 0]
        self._groups([low, *begins, high], self._whole)

    def _whole(self, low: int, high: int) -> None:
        """Pack sentences that lie in one line."""
        layout = self._layout
        at = low
        while at < high:
            after = bisect_right(layout.sizes_upto, layout.sizes_before[at] + self._room, at, high)
            if after > at:
                self._add(layout.starts[at], layout.ends[after - 1])
                at = after
            else:
                self._inside(at)
                at += 1

    def _inside(self, sentence: int) -> None:
        start, end = self._layout.piece(sentence, sentence + 1)
        if self._layout.block(sentence).kind in _PROSE:
            self._cut(start, end)
        else:
            self._parts([start, *lines(self._text, start, end), end], ())

    def _parts(self, seams: Sequence[int], finer: Sequence[Seams]) -> None:
        """Pack parts of a text, each from one of ``seams`` up to the next."""
        text, units = self._text, self._layout.ruler.units
        ends = [start + len(text[start:end].rstrip()) for start, end in pairwise(seams)]
        before, upto = units(seams), units(ends)
        at = 0
        while at < len(ends):
            after = bisect_right(upto, before[at] + self._room, at)
            if after > at:
                self._add(seams[at], ends[after - 1])
                at = after
            else:
                self.code(seams[at], ends[at], finer)
                at += 1
