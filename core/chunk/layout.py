"""What all strategies that count a size share: the stretches of a document, and spans made into nodes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core import markup
from core.chunk import outline, parts, ruler
from core.chunk.ruler import Powers, Ruler
from core.settings import ChunkSettings
from core.store.base import Passage
from core.types import Block, BlockKind, Node, Span

Piece = tuple[int, int]
"""Where a part of a text begins and ends; white space at its ends does not count."""


@dataclass(frozen=True, slots=True)
class Run:
    """Sentences ``low`` to ``high`` (half open) that may share a node: prose, one table, one code block.

    In a program all code is one run.
    """

    low: int
    high: int
    kind: BlockKind

    @property
    def is_prose(self) -> bool:
        return self.kind is BlockKind.PARAGRAPH


@dataclass(frozen=True, slots=True)
class Stretch:
    """Pieces in order; ``prefixes`` are by where one begins. Each shares the overlap with the one before it.

    Where they are ``laid`` already, what they share is in them.
    """

    pieces: Sequence[Piece]
    prefixes: Mapping[int, str] = field(default_factory=dict)
    laid: bool = False


class Layout:
    """One document under some settings: where sentences and blocks begin, and how large they are.

    ``sizes_before[i]`` are the units before sentence i, ``sizes_upto[i]`` those before its end. Pieces are at most
    ``room`` units: what the overlap leaves of a node.
    """

    def __init__(self, passage: Passage, settings: ChunkSettings, powers: Powers | None) -> None:
        self.passage, self.settings = passage, settings
        self.text = passage.document.text
        self.outline = outline.of(passage)
        self.starts, self.ends = self.outline.starts, self.outline.ends
        self.ruler: Ruler = ruler.of(self.outline, settings, powers)
        self.sizes_before = self.ruler.units(self.starts)
        self.sizes_upto = self.ruler.units(self.ends)
        self.room = settings.size - settings.overlap

    @property
    def is_program(self) -> bool:
        """Whether the document is code and nothing else."""
        return self.outline.is_program

    def block(self, sentence: int) -> Block:
        """The block that a sentence lies in."""
        return self.passage.document.blocks[self.passage.sentences[sentence].block]

    def size(self, low: int, high: int) -> int:
        """The units of sentences ``low`` to ``high``, half open."""
        return self.sizes_upto[high - 1] - self.sizes_before[low]

    def piece(self, low: int, high: int) -> Piece:
        return self.starts[low], self.ends[high - 1]

    def blocks_in(self, low: int, high: int) -> list[int]:
        """The sentences that begin a block, or part of one, among ``low`` to ``high``."""
        firsts = self.outline.firsts
        return [low, *firsts[bisect_right(firsts, low) : bisect_left(firsts, high)]]

    def runs(self) -> Iterator[Run]:
        """The document's sentences in runs."""
        begun, last = 0, len(self.starts)
        for first, after, kind in self.outline.alone:
            if begun < first:
                yield Run(begun, first, BlockKind.PARAGRAPH)
            yield Run(first, after, kind)
            begun = after
        if begun < last:
            yield Run(begun, last, BlockKind.CODE if self.is_program else BlockKind.PARAGRAPH)


def nodes(layout: Layout, cut: Callable[[Run], Iterable[Stretch]]) -> list[Node]:
    """The nodes of a document: its runs cut into stretches, each piece with what it shares with the one before.

    A piece of nothing that can be seen becomes no node, nor does one that lies wholly inside the node before or after.
    """
    made = _Made(layout)
    for run in layout.runs():
        for stretch in cut(run):
            made.add(run, stretch)
    return made.nodes


class _Made:
    """Nodes, as they are made."""

    def __init__(self, layout: Layout) -> None:
        self.nodes: list[Node] = []
        self._layout = layout
        self._upto = 0
        self._prefixes = parts.Prefixes(layout.passage)

    def add(self, run: Run, stretch: Stretch) -> None:
        size, overlap = self._layout.settings.size, self._layout.settings.overlap
        if stretch.laid or not overlap or run.kind is BlockKind.TABLE or len(stretch.pieces) == 1:
            self._nodes(run, stretch.pieces, stretch)
            return
        back = self._layout.ruler.back if run.is_prose else self._lines_back
        begun = stretch.pieces[0][0]
        pieces = [stretch.pieces[0]]
        for start, end in stretch.pieces[1:]:
            # A grapheme or word may alone be larger than what the overlap leaves.
            most = min(overlap, size - self._layout.ruler.size(start, end))
            shared = back(start, begun, most) if most > 0 else start
            pieces.append((shared if shared > pieces[-1][0] else start, end))
        self._nodes(run, pieces, stretch)

    def _lines_back(self, at: int, low: int, most: int) -> int:
        """The first of the lines before ``at`` that have ``most`` units at most together."""
        text, place = self._layout.text, at
        while place > low:
            line = max(low, text.rfind("\n", 0, max(place - 1, 0)) + 1)
            if self._layout.ruler.size(line, at) > most:
                break
            place = line
        return place

    def _nodes(self, run: Run, pieces: Sequence[Piece], stretch: Stretch) -> None:
        layout, text = self._layout, self._layout.text
        around = layout.settings.embed_around if run.is_prose else 0
        for (begun, _), *span, first, last in zip(stretch.pieces, *_placed(layout, pieces), strict=True):
            start, end = _seen(text, *span)
            if end <= self._upto:
                continue
            self._upto = end
            while self.nodes and start <= self.nodes[-1].start:
                self.nodes.pop()
            embedded = Span(start, end)
            if around:
                low, high = max(run.low, first - around), min(run.high - 1, last + around)
                embedded = Span(layout.starts[low], layout.ends[high])
            block = layout.block(first)
            prefix = stretch.prefixes.get(begun, "") if stretch.prefixes else ""
            if not prefix and (block.kind is BlockKind.LIST or block.kind is BlockKind.TABLE):
                prefix = self._prefixes.at(first, start)
            self.nodes.append(
                Node(
                    len(self.nodes), start, end, first, last, embedded, block.kind, block.page, block.headings, prefix
                )
            )  # fmt: skip


def _placed(layout: Layout, pieces: Sequence[Piece]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Where pieces begin and end inside sentences, and their first and last sentences; empty ones end where they begin."""
    starts, ends = np.array(pieces, np.int64).T
    begins, stops = layout.outline.starts_array, layout.outline.ends_array
    first = np.minimum(np.searchsorted(stops, starts, "right"), len(stops) - 1)
    last = np.maximum(np.searchsorted(begins, ends) - 1, 0)
    starts, ends = np.maximum(starts, begins[first]), np.minimum(ends, stops[last])
    return starts.tolist(), ends.tolist(), first.tolist(), last.tolist()


def _seen(text: str, start: int, end: int) -> Piece:
    """The span without white space at its ends; ``(0, 0)`` if there is nothing to be seen."""
    if start < end and (text[start].isspace() or text[end - 1].isspace()):
        piece = text[start:end]
        start, end = start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
    if start >= end or not (text[start].isalnum() or not markup.is_nothing(text[start:end])):
        return 0, 0
    return start, end
