"""Blocks become sentences: NLTK's Punkt with English parameters that ship in a package; nothing is downloaded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from core.types import BlockKind, Document, Sentence

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

SPLITTER = "NLTK Punkt (English)"
_WHOLE = frozenset({BlockKind.TABLE, BlockKind.CODE, BlockKind.HEADING})
_ITEM = re.compile(r"\n(?=[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t])")
# Punkt's English parameters lack these; each was seen to cut a sentence in two.
_ABBREVIATIONS = frozenset({"al", "approx", "e.g", "eq", "fig", "figs", "i.e", "resp"})


Splitter = Callable[[Document], list[Sentence]]
"""How a document becomes sentences."""


def sentences(document: Document) -> list[Sentence]:
    """The sentences of ``document`` in order: disjoint spans, no white space at their ends.

    A heading, a table and a code block are one sentence each; a list is split at its items first. Everything
    outside the sentences is white space.
    """
    return [
        Sentence(start, end, number)
        for number, block in enumerate(document.blocks)
        for start, end in _spans(document.text, block.kind, block.start, block.end)
    ]


def _spans(text: str, kind: BlockKind, start: int, end: int) -> Iterator[tuple[int, int]]:
    if kind in _WHOLE:
        yield from _stripped(text, start, end)
        return
    for left, right in _items(text, start, end) if kind is BlockKind.LIST else [(start, end)]:
        for a, b in _punkt().span_tokenize(text[left:right]):
            yield from _stripped(text, left + a, left + b)


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    if piece.strip():
        yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _items(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for newline in _ITEM.finditer(text, start, end):
        yield at, newline.start()
        at = newline.end()
    yield at, end


@cache
def _punkt() -> PunktSentenceTokenizer:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
    from punkt import load_model

    learned = load_model("english")
    parameters = PunktParameters()
    parameters.abbrev_types = set(learned.abbrev_types) | _ABBREVIATIONS
    parameters.collocations = set(learned.collocations)
    parameters.sent_starters = set(learned.sent_starters)
    parameters.ortho_context.update(learned.ortho_context)
    return PunktSentenceTokenizer(parameters)
