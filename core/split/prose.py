"""Running text becomes sentences: lines that stand for themselves first, then stops, then Thai and its like."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from core.split import lines
from core.split.stops import Stops

_LOOKED_AT = 50_000  # characters
_LETTER = re.compile(r"[^\W\d_]")
_AFTER_STOP = re.compile("(?<=[^\\W\\d_]{3})[.!?][\"'”’)\\]]*+\\s++[\"'“‘(\\[]*+([^\\W\\d_])")
_WORD = re.compile(r"[^\W_]")
# Thai and Lao put no stops: a space ends a clause. Clauses are put together up to a sentence's usual length.
_UNSTOPPED = re.compile("[\u0e00-\u0eff]")
_CLAUSE_END = re.compile("(?<=[\u0e00-\u0eff])[^\\S\n]+(?=[\u0e01-\u0e30\u0e40-\u0e46\u0e81-\u0eb0\u0ec0-\u0ec6])|\n")
_CLAUSES = 60  # characters


def starts(text: str, start: int, end: int, stops: Stops, *, small: bool) -> list[int]:
    """Where the sentences of ``text[start:end]`` begin; ``start`` is the first. None is punctuation alone.

    ``small``: see ``is_small``.
    """
    found = [start]
    for begin, stop in pairwise([start, *lines.breaks(text, start, end), end]):
        if begin != start:
            found.append(begin)
        found.extend(stops.starts(text, begin, stop, small=small))
    found = _worded(text, found, end)
    if text.isascii() or not _UNSTOPPED.search(text, start, end):
        return found
    return [at for begin, stop in pairwise([*found, end]) for at in _clauses(text, begin, stop)]


def is_small(text: str, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether paragraphs, and sentences in them, begin with a small letter more often than with a capital."""
    begun, after = Counter[bool](), Counter[bool]()
    looked = 0
    for start, end in spans:
        first = _LETTER.search(text, start, min(end, start + 20))
        if first:
            begun[first.group().islower()] += 1
        upto = min(end, start + _LOOKED_AT - looked)
        after.update(letter.islower() for letter in _AFTER_STOP.findall(text, start, upto))
        looked += upto - start
        if looked >= _LOOKED_AT:
            break
    return begun[True] >= begun[False] and after[True] > after[False]


def _worded(text: str, found: list[int], end: int) -> list[int]:
    """``found`` without the beginnings of what holds no letter or digit: that belongs to the sentence before it."""
    kept = [found[0]]
    for at, after in pairwise([*found[1:], end]):
        if _WORD.search(text, at, after) and not _joins(text[at]):
            kept.append(at)
    if len(kept) > 1 and not _WORD.search(text, kept[0], kept[1]):
        del kept[1]
    return kept


def _clauses(text: str, start: int, end: int) -> Iterator[int]:
    yield start
    at = start
    for space in _CLAUSE_END.finditer(text, start, end):
        if space.start() - at >= _CLAUSES and end - space.end() >= _CLAUSES // 2:
            at = space.end()
            yield at


def _joins(character: str) -> bool:
    """Whether a character belongs to the one before it: a mark, a joiner, a skin tone, a tag."""
    if character < "\u0300":
        return False
    return (
        unicodedata.category(character)[0] == "M"
        or character in "\u200c\u200d\uff9e\uff9f"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
    )
