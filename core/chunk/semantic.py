"""Breaks where the subject changes: between neighbouring sentences that are less alike than most."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.chunk import layout, outline, recursive
from core.chunk.layout import Layout, Run, Stretch
from core.chunk.ruler import Powers
from core.errors import InvalidSetting
from core.settings import ChunkSettings
from core.store.base import Passage
from core.types import BlockKind, Node, Vectors

_ALONE = frozenset({BlockKind.TABLE, BlockKind.CODE})
_EXACT = 4  # decimals: a model's vectors differ beyond them with what else is in a batch


@dataclass(frozen=True, slots=True)
class Curve:
    """How alike neighbouring sentences are, and where that is little.

    ``similarities[i]`` is the cosine of sentences i and i + 1: shape (n − 1,), NaN where a table or code lies between
    or beside them. ``threshold`` is the percentile of those values below which there is a break; NaN without any.
    ``breaks`` are the sentences that begin anew: those behind such a gap, or the heading that they stand below.
    """

    similarities: Vectors
    threshold: float
    breaks: tuple[int, ...]


def texts(passage: Passage) -> list[str]:
    """The sentences that ``curve`` compares: all but those of tables and code."""
    text = passage.document.text
    return [text[passage.sentences[n].start : passage.sentences[n].end] for n in _compared(passage)]


def _compared(passage: Passage) -> list[int]:
    blocks = passage.document.blocks
    return [n for n, sentence in enumerate(passage.sentences) if blocks[sentence.block].kind not in _ALONE]


def curve(passage: Passage, settings: ChunkSettings, powers: Powers) -> Curve:
    """The similarity of each sentence to the next, and the breaks at ``settings.percentile``."""
    similarities = outline.of(passage).by(powers, "similarities", lambda: _similarities(passage, powers))
    known = similarities[np.isfinite(similarities)]
    threshold = float(np.percentile(known, settings.percentile)) if len(known) else float("nan")
    with np.errstate(invalid="ignore"):
        gaps = np.flatnonzero(similarities < threshold) + 1
    breaks = {_at_heading(passage, number) for number in gaps.tolist()} - {0}
    return Curve(similarities, threshold, tuple(sorted(breaks)))


def _at_heading(passage: Passage, number: int) -> int:
    """The sentence itself, or the first of the headings right before it: they say what follows."""
    sentences, blocks = passage.sentences, passage.document.blocks
    while number and blocks[sentences[number - 1].block].kind is BlockKind.HEADING:
        number -= 1
    return number


def _similarities(passage: Passage, powers: Powers) -> Vectors:
    compared = np.array(_compared(passage), np.int64)
    similarities = np.full(max(0, len(passage.sentences) - 1), np.nan, np.float32)
    if len(compared):
        near = np.flatnonzero(np.diff(compared) == 1)
        similarities[compared[near]] = np.round(powers.likeness(texts(passage))[near], _EXACT)
    similarities.flags.writeable = False
    return similarities


def nodes(passage: Passage, settings: ChunkSettings, powers: Powers | None = None) -> list[Node]:
    """The sentences between two breaks of ``curve`` as a node, ``settings.size`` units at most.

    What is larger is cut as ``recursive`` does; what is smaller than ``settings.minimum`` is put together with what
    follows (the last with what is before it) as far as both fit. Neighbours share ``settings.overlap`` units as there.
    Tables and code blocks are nodes of their own.

    Raises:
        InvalidSetting: ``powers`` is missing: it takes a model to say what is alike.
    """
    if powers is None:
        raise InvalidSetting("It takes a model to say what is alike, and none is chosen.", "Choose a model.")
    laid = Layout(passage, settings, powers)
    breaks = curve(passage, settings, powers).breaks
    return layout.nodes(laid, lambda run: _cut(laid, run, breaks))


def _cut(laid: Layout, run: Run, breaks: Sequence[int]) -> Iterator[Stretch]:
    if not run.is_prose:
        return recursive.alone(laid, run)
    inside = breaks[bisect_right(breaks, run.low) : bisect_left(breaks, run.high)]
    firsts = _gathered(laid, [run.low, *inside, run.high])
    if len(firsts) == 2:
        return iter((recursive.packed(laid, run.low, run.high),))
    parts = [recursive.parts(laid, low, high) for low, high in pairwise(firsts)]
    return iter((Stretch([piece for part in parts for piece in part]),))


def _gathered(laid: Layout, firsts: Sequence[int]) -> list[int]:
    """The same without those that part what is too small and what it fits together with."""
    least = laid.settings.minimum
    kept = [firsts[0]]
    for at, high in pairwise(firsts[1:]):
        last = high == firsts[-1] and laid.size(at, high) < least
        small = laid.size(kept[-1], at) < least or last
        if not (small and laid.size(kept[-1], high) <= laid.room):
            kept.append(at)
    return [*kept, firsts[-1]]
