"""What every strategy asks of a document, worked out once: where its sentences, blocks, words and tokens begin.

Settings change with every touch of a slider and the document does not: the outlines of the last few are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from threading import Lock
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.chunk import words
from core.store.base import Passage
from core.types import BlockKind, Sentence

Places = NDArray[np.int64]
"""Offsets into a text, in order: shape (n,)."""

_MOST_CHARACTERS = 20_000_000
_MOST = 8
_Found = TypeVar("_Found")


class Outline:
    """One document. ``firsts`` are the sentences that begin a block; arrays and lists say the same."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage
        self.starts: list[int] = list(map(attrgetter("start"), passage.sentences))
        self.ends: list[int] = list(map(attrgetter("end"), passage.sentences))
        self.starts_array = np.array(self.starts, np.int64)
        self.ends_array = np.array(self.ends, np.int64)
        self.firsts = _firsts(passage.sentences)
        self.is_program = all(block.kind is BlockKind.CODE for block in passage.document.blocks)
        self.alone = [] if self.is_program else list(self._alone())
        self._words: Places | None = None
        self._made: dict[str, tuple[object, object]] = {}

    @property
    def words(self) -> Places:
        """Where words begin. None goes from one sentence into the next, and outside sentences there are none."""
        if self._words is None:
            self._words = self._inside(words.starts(self.passage.document.text))
        return self._words

    def by(self, powers: object, what: str, make: Callable[[], _Found]) -> _Found:
        """What ``make`` makes of this document with the help of a model: asked for again with the same one, it is there."""
        made = self._made.get(what)
        if made is None or made[0] != powers:
            self._made[what] = made = (powers, make())
        found: _Found = made[1]  # type: ignore[assignment]
        return found

    def _inside(self, begins: Places) -> Places:
        if not self.starts:
            return np.empty(0, np.int64)
        begins = merged(begins, self.starts_array)
        number = np.searchsorted(self.starts_array, begins, "right") - 1
        return begins[(number >= 0) & (begins < self.ends_array[number])]

    def _alone(self) -> Iterator[tuple[int, int, BlockKind]]:
        """The sentences, from and to, of each table and code block."""
        ends = [*self.firsts[1:], len(self.starts)]
        blocks, sentences = self.passage.document.blocks, self.passage.sentences
        if not any(block.kind is BlockKind.TABLE or block.kind is BlockKind.CODE for block in blocks):
            return
        for first, after in zip(self.firsts, ends, strict=True):
            kind = blocks[sentences[first].block].kind
            if kind is BlockKind.TABLE or kind is BlockKind.CODE:
                yield first, after, kind


def _firsts(sentences: Sequence[Sentence]) -> list[int]:
    of = np.fromiter(map(attrgetter("block"), sentences), np.int64, len(sentences))
    found: list[int] = np.flatnonzero(np.diff(of, prepend=-1)).tolist()
    return found


def merged(places: Places, more: Places) -> Places:
    """Both in order, each once."""
    at = np.searchsorted(places, more)
    held = at < len(places)
    held[held] = places[at[held]] == more[held]
    return places if held.all() else np.insert(places, at[~held], more[~held])


_kept: dict[int, Outline] = {}
_lock = Lock()


def of(passage: Passage) -> Outline:
    """The outline of a document; for the same object the same one, as long as it is among the last few."""
    with _lock:
        found = _kept.pop(id(passage), None)
        if found is not None:
            _kept[id(passage)] = found
            return found
    made = Outline(passage)
    with _lock:
        _kept[id(passage)] = made
        while len(_kept) > 1 and (len(_kept) > _MOST or _characters() > _MOST_CHARACTERS):
            del _kept[next(iter(_kept))]
    return made


def _characters() -> int:
    return sum(len(held.passage.document.text) for held in _kept.values())
