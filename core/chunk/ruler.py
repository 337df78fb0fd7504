"""How large a span is in the unit of the settings, and where it may be cut: between words, in long ones where it must."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from core.chunk import graphemes, words
from core.chunk.outline import Outline, Places, merged
from core.errors import InvalidSetting
from core.settings import ChunkSettings, Unit
from core.store.base import Passage
from core.types import Sentence, Vectors


class Powers(Protocol):
    """What strategies ask of a model. Those of the same model are equal: what one has said of a document is kept."""

    def likeness(self, texts: Sequence[str]) -> Vectors:
        """The cosine of each text with the next: shape (len(texts) − 1,)."""
        ...

    def token_spans(self, text: str) -> Sequence[tuple[int, int]] | Places:
        """Where the tokens of ``text`` lie, in code points and in order, special tokens left out: shape (n, 2)."""
        ...


class Ruler(Protocol):
    """Measures and cuts one text. A place is measured by the units before it."""

    def units(self, places: Sequence[int]) -> Sequence[int]:
        """How many units lie before each place."""
        ...

    def size(self, start: int, end: int) -> int: ...

    def cut(self, start: int, end: int, first: int, rest: int) -> Iterator[tuple[int, int]]:
        """``text[start:end]`` in spans of at most ``rest`` units, the first of at most ``first``."""
        ...

    def back(self, at: int, low: int, most: int) -> int:
        """Where a word begins so that ``most`` units at most lie from there to ``at``; not before ``low``."""
        ...


_FAR = 64


def of(outline: Outline, settings: ChunkSettings, powers: Powers | None) -> Ruler:
    """The ruler for a document in the unit of ``settings``.

    Raises:
        InvalidSetting: tokens are to be counted and no model is there to say what they are.
    """
    text = outline.passage.document.text
    if settings.unit is Unit.CHARS:
        return Characters(text)
    if settings.unit is Unit.WORDS:
        return Counted(text, outline.words)
    if powers is None:
        raise InvalidSetting("Tokens are those of a model, and none is chosen.", "Choose a model, or another unit.")
    return _tokens(outline, powers, settings.size - settings.overlap)


class Characters:
    """Counts code points. Cuts between words, and between graphemes in a word that is too long."""

    def __init__(self, text: str) -> None:
        self._text = text

    def units(self, places: Sequence[int]) -> Sequence[int]:
        return places

    def size(self, start: int, end: int) -> int:
        return end - start

    def cut(self, start: int, end: int, first: int, rest: int) -> Iterator[tuple[int, int]]:
        room = first
        while end - start > room:
            at = words.last_start(self._text, start, start + room)
            if at <= start:
                at = min(end, graphemes.boundary(self._text, start, start + room))
            yield start, at
            start, room = skip_space(self._text, at, end), rest
        if start < end:
            yield start, end

    def back(self, at: int, low: int, most: int) -> int:
        place = at - most
        if place <= low:
            return low
        found = words.first_start(self._text, place, at)
        if found < at or words.first_start(self._text, at, at + 1) == at:
            return found
        # The word itself is cut. An even number of characters before a boundary is one in a row of flags too.
        low = max(low, at - most - most % 2 - _FAR)
        whole = graphemes.boundary(self._text, low, place)
        return min(at, whole if whole == place else graphemes.boundary(self._text, whole, whole + 1))


class Counted:
    """Counts words, or the tokens in them: ``weights[i]`` of the word that begins at ``starts[i]``, 1 by default."""

    def __init__(self, text: str, starts: Places, weights: Places | None = None) -> None:
        self._text = text
        self.starts = starts
        self.sums = np.arange(len(starts) + 1) if weights is None else np.concatenate([[0], np.cumsum(weights)])
        self.uniform = weights is None

    def units(self, places: Sequence[int]) -> Sequence[int]:
        found: list[int] = self.sums[np.searchsorted(self.starts, places)].tolist()
        return found

    def size(self, start: int, end: int) -> int:
        before, upto = self.units((start, end))
        return upto - before

    def cut(self, start: int, end: int, first: int, rest: int) -> Iterator[tuple[int, int]]:
        at, last = np.searchsorted(self.starts, (start, end)).tolist()
        room = first
        while at < last:
            after = self.reach(at, last, room)
            following = end if after == last else int(self.starts[after])
            yield start, following
            at, start, room = after, following, rest

    def back(self, at: int, low: int, most: int) -> int:
        here = int(np.searchsorted(self.starts, at))
        place = int(np.searchsorted(self.sums, self.sums[here] - most))
        return max(low, int(self.starts[place])) if place < here else at

    def reach(self, at: int, last: int, room: int) -> int:
        """The number of the word up to which words from ``at`` on have ``room`` units at most; one is always taken."""
        after = int(np.searchsorted(self.sums, self.sums[at] + room, "right")) - 1
        return min(max(after, at + 1), last)


def skip_space(text: str, at: int, end: int) -> int:
    """The first place from ``at`` on, up to ``end``, that is no white space."""
    step = 64
    while at < end:
        piece = text[at : min(end, at + step)]
        left = piece.lstrip()
        if left:
            return at + len(piece) - len(left)
        at += len(piece)
        step *= 2
    return end


def _tokens(outline: Outline, powers: Powers, room: int) -> Counted:
    """Words weighed by their tokens; a word of more than ``room`` tokens is parted between them."""
    text = outline.passage.document.text
    begins, weights, lows, highs = outline.by(powers, "tokens", lambda: _weighed(outline, powers))
    parted = _parted(text, begins, lows, np.flatnonzero(weights > room))
    if len(parted):
        begins = merged(begins, parted)
        weights = _weights(begins, lows, highs)
    return Counted(text, begins, weights)


def _weighed(outline: Outline, powers: Powers) -> tuple[Places, Places, Places, Places]:
    """Where words begin, how many tokens each has, and where tokens begin and end."""
    lows, highs = _spans(powers, outline.passage)
    begins = _between_tokens(outline.words, lows, highs)
    return begins, _weights(begins, lows, highs), lows, highs


def _weights(begins: Places, lows: Places, highs: Places) -> Places:
    """How many tokens end in each word, the white space after it included."""
    if not len(begins):
        return begins
    number = np.searchsorted(begins, np.maximum(lows, highs - 1), "right") - 1
    return np.bincount(np.maximum(number, 0), minlength=len(begins)).astype(np.int64)


def _spans(powers: Powers, passage: Passage) -> tuple[Places, Places]:
    """Where tokens begin and end, without the white space before them.

    Sentences that share a token were parted because no model reads a word so long: each is read alone, as it will be.
    """
    text = passage.document.text
    lows, highs = _read(powers, text)
    firsts = np.fromiter((s.start for s in passage.sentences), np.int64, len(passage.sentences))
    if not (len(lows) and len(firsts)):
        return lows, highs
    token = np.searchsorted(lows, firsts) - 1
    torn = (token >= 0) & (highs[np.maximum(token, 0)] > firsts)
    torn[:-1] |= torn[1:]
    if not torn.any():
        return lows, highs
    alone = _alone(powers, text, [passage.sentences[number] for number in np.flatnonzero(torn)])
    of = np.searchsorted(firsts, lows, "right") - 1
    kept = (of < 0) | ~torn[np.maximum(of, 0)]
    lows, highs = np.concatenate([lows[kept], alone[0]]), np.concatenate([highs[kept], alone[1]])
    order = np.argsort(lows, kind="stable")
    return lows[order], highs[order]


def _alone(powers: Powers, text: str, sentences: Sequence[Sentence]) -> tuple[Places, Places]:
    """The tokens of these sentences, each read by itself."""
    lows, highs = _read(powers, "\n".join(text[s.start : s.end] for s in sentences))
    begins = np.cumsum([0, *(s.end - s.start + 1 for s in sentences[:-1])])
    shift = np.array([s.start for s in sentences]) - begins
    moved = shift[np.searchsorted(begins, lows, "right") - 1]
    return lows + moved, highs + moved


def _read(powers: Powers, text: str) -> tuple[Places, Places]:
    held = np.asarray(powers.token_spans(text), np.int64).reshape(-1, 2)
    lows, highs = held[:, 0].copy(), held[:, 1]
    spaces = words.is_space(text) if len(lows) else np.zeros(0, np.bool_)
    late = np.flatnonzero(spaces[np.minimum(lows, len(text) - 1)]) if len(lows) else lows
    seen = np.append(np.flatnonzero(~spaces), len(text))
    lows[late] = np.minimum(seen[np.searchsorted(seen, lows[late])], highs[late])
    return lows, highs


def _between_tokens(begins: Places, lows: Places, highs: Places) -> Places:
    """The beginnings of words that lie inside no token."""
    if not len(lows):
        return begins
    token = np.searchsorted(lows, begins) - 1
    inside = (token >= 0) & (np.maximum.accumulate(highs)[np.maximum(token, 0)] > begins)
    return begins[~inside]


def _parted(text: str, begins: Places, lows: Places, large: Places) -> Places:
    """Where tokens begin inside ``large`` words without tearing a grapheme."""
    ends = np.append(begins[1:], len(text))
    found = [place for number in large.tolist() for place in _torn(text, int(begins[number]), int(ends[number]), lows)]
    return np.array(found, np.int64)


def _torn(text: str, start: int, end: int, lows: Places) -> Iterator[int]:
    first, last = np.searchsorted(lows, (start + 1, end)).tolist()
    places = set(lows[first:last].tolist())
    return (place for place in graphemes.boundaries(text, start, end) if place in places)
