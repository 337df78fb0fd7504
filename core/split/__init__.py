"""Blocks become sentences: NLTK's Punkt or nupunkt, corrected; parameters ship in a package, nothing is downloaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise

from core import markup
from core.settings import Engine, SplitSettings
from core.split import blocks, fit, prose
from core.split.engines import LANGUAGES, opinion
from core.split.stops import Stops
from core.types import Block, BlockKind, Document, Sentence

__all__ = ["SPLITTER", "Splitter", "describe", "sentences"]

DEFAULT = SplitSettings()
_PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.QUOTE})
_Cut = tuple[int, int, bool]

Splitter = Callable[[Document, SplitSettings], list[Sentence]]
"""How a document becomes sentences."""


def describe(settings: SplitSettings, language: str) -> str:
    """What splits a text in ``language`` (ISO 639-1 or empty): "NLTK Punkt (German)", "nupunkt"."""
    if settings.engine is Engine.NUPUNKT:
        return "nupunkt"
    return f"NLTK Punkt ({LANGUAGES.get(language, 'English')})"


SPLITTER = describe(DEFAULT, "")


def sentences(document: Document, settings: SplitSettings = DEFAULT) -> list[Sentence]:
    """The sentences of ``document`` in order: disjoint spans, no white space at their ends.

    A heading, an image's caption, and a short table, list or code block are one sentence each; longer ones part between
    rows, items and lines. What is longer than a model reads is cut, and every part that does not end where a sentence
    or a line of code does is marked ``hard``. Everything outside the sentences is white space.

    Raises:
        InvalidSetting: the engine is not installed.
    """
    language = document.reading.language
    split = _Splitting(document, _stops(settings, language))
    return [
        Sentence(start, end, number, hard)
        for number, block in enumerate(document.blocks)
        for start, end, hard in split.block(block)
    ]


@lru_cache(maxsize=16)
def _stops(settings: SplitSettings, language: str) -> Stops:
    return Stops(opinion(settings, language), language)


class _Splitting:
    """One document being split."""

    def __init__(self, document: Document, stops: Stops) -> None:
        text = document.text
        self._text = text
        self._stops = stops
        self._english = document.reading.language in ("", "en")
        self._ascii = text.isascii()
        self._small = prose.is_small(text, [(b.start, b.end) for b in document.blocks if b.kind in _PROSE])

    def block(self, block: Block) -> Iterator[_Cut]:
        """The sentences of one block, and whether each was cut hard."""
        if block.kind in _PROSE:
            return self._prose(block.start, block.end)
        if block.kind is BlockKind.TABLE:
            return self._table(block.start, block.end)
        if block.kind is BlockKind.LIST:
            return self._list(block.start, block.end)
        return self._fitted(block.start, block.end, lines_end=block.kind is BlockKind.CODE)

    def _prose(self, start: int, end: int) -> Iterator[_Cut]:
        for left, right in pairwise([*prose.starts(self._text, start, end, self._stops, small=self._small), end]):
            yield from self._fitted(left, right)

    def _table(self, start: int, end: int) -> Iterator[_Cut]:
        if end - start <= blocks.WHOLE_TABLE:
            yield from self._stripped(start, end)
            return
        for left, right, cost in blocks.row_groups(self._text, start, end, english=self._english):
            if cost <= fit.LIMIT and not fit.has_long_word(self._text[left:right]):
                yield from self._stripped(left, right)
            else:
                yield from self._fitted(left, right, lines_end=True)

    def _list(self, start: int, end: int) -> Iterator[_Cut]:
        items = blocks.items(self._text, start, end)
        if len(items) < 2:
            yield from self._prose(start, end)  # one item is no list: "1. Open it. 2. Read it." is all of one
            return
        if blocks.is_whole(self._text, start, end, blocks.WHOLE_LIST, english=self._english):
            yield from self._stripped(start, end)
            return
        for left, right in items:
            if blocks.is_whole(self._text, left, right, blocks.WHOLE_ITEM, english=self._english):
                yield from self._stripped(left, right)
            else:
                yield from self._prose(left, right)

    def _fitted(self, start: int, end: int, *, lines_end: bool = False) -> Iterator[_Cut]:
        """``text[start:end]``, in parts if it is longer than a model reads; with ``lines_end``, a line's end is no hard cut."""
        piece = self._text[start:end]
        size = len(piece)
        short = size <= (fit.LONGEST_WORD if self._ascii else fit.SHORT)
        if short or fit.fits(piece, english=self._english):
            yield from self._stripped(start, end)
            return
        stripped = piece.strip()
        start += size - len(piece.lstrip())
        at = 0
        for cut in fit.cuts(stripped, english=self._english):
            hard = not (lines_end and "\n" in stripped[max(at, cut - 1) : cut])
            for left, right, _ in self._stripped(start + at, start + cut):
                yield left, right, hard
            at = cut
        yield from self._stripped(start + at, start + len(stripped))

    def _stripped(self, start: int, end: int) -> Iterator[_Cut]:
        piece = self._text[start:end]
        stripped = piece.strip()
        if stripped and (stripped[0].isalnum() or not markup.is_nothing(stripped)):
            left = start + len(piece) - len(piece.lstrip())
            yield left, left + len(stripped), False
