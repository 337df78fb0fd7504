"""Words: what stands between white space. Chinese and Japanese, written without any, count letter by letter."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

_LETTER, _CLOSING, _OPENING, _SPACE = 1, 2, 4, 8
_LETTERS = "\u2e80-\u2fd5\u3005-\u3007\u3021-\u3029\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fd-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff6f\uff71-\uff9d\U00020000-\U0003ffff"
_CLOSE = "\u3001\u3002\u3009\u300b\u300d\u300f\u3011\u3015\u3017\u3019\u301b\u301e\u301f\u30fb\u30fc\uff01\uff09\uff0c-\uff0f\uff1a-\uff20\uff3d\uff5d\uff60-\uff65\uff70"
# Opening brackets, and signs that Unicode joins to the character after them.
_OPEN = "\u3008\u300a\u300c\u300e\u3010\u3014\u3016\u3018\u301a\u301d\uff08\uff3b\uff5b\uff5f\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd\U000111c2\U000111c3"
_WIDE = re.compile(f"[{_LETTERS}{_CLOSE}{_OPEN}]")
_SPACES = [number for number in range(0x3001) if chr(number).isspace()]


@cache
def _kinds() -> NDArray[np.uint8]:
    """What each code point is, as flags."""
    kinds = np.zeros(0x110000, np.uint8)
    for characters, flag in ((_LETTERS, _LETTER), (_CLOSE, _CLOSING), (_OPEN, _OPENING)):
        for first, last in re.findall(r"(.)(?:-(.))?", characters):
            kinds[ord(first) : ord(last or first) + 1] |= flag
    kinds[_SPACES] = _SPACE
    return kinds


def starts(text: str) -> NDArray[np.int64]:
    """Where the words of ``text`` begin, in order: shape (n,). Everything outside the words is white space."""
    if not text:
        return np.empty(0, np.int64)
    kinds = _of(text)
    begins = kinds != _SPACE
    before, here = kinds[:-1], kinds[1:]
    if text.isascii():
        begins[1:] &= before == _SPACE
        return np.flatnonzero(begins)
    wide = ((here & (_LETTER | _OPENING)) != 0) & ((before & _OPENING) == 0)
    open_ = np.flatnonzero(((before & (_LETTER | _CLOSING)) != 0) & (here == 0)) + 1
    wide[[at - 1 for at in open_.tolist() if text[at].isalnum()]] = True
    begins[1:] &= (before == _SPACE) | wide
    return np.flatnonzero(begins)


def is_space(text: str) -> NDArray[np.bool_]:
    """Which characters are white space: shape (len(text),)."""
    return np.equal(_of(text), _SPACE)


def _of(text: str) -> NDArray[np.uint8]:
    if text.isascii():
        return _kinds()[np.frombuffer(text.encode("ascii"), np.uint8)]
    return _kinds()[np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)]


def last_start(text: str, start: int, at: int) -> int:
    """The last place in ``(start, at]`` where a word begins or white space stands; ``start`` if there is none."""
    piece = text[start:at]
    if at >= len(text) or text[at].isspace() or piece[-1:].isspace():
        return at
    parts = piece.rsplit(None, 1)
    low = at - len(parts[1]) if len(parts) > 1 else start
    if _WIDE.search(text, low, at + 1):
        return next((place for place in range(at, low, -1) if _begins(text, place)), low)
    return low


def first_start(text: str, low: int, at: int) -> int:
    """The first place in ``[low, at)`` where a word begins; ``at`` if there is none. ``low`` is above 0."""
    for place in range(low, at):
        if not text[place].isspace() and (text[place - 1].isspace() or _begins(text, place)):
            return place
    return at


def _begins(text: str, at: int) -> bool:
    """Whether a word begins between two characters of which neither is white space."""
    kinds = _kinds()
    before, here = int(kinds[ord(text[at - 1])]), int(kinds[ord(text[at])])
    if here & (_LETTER | _OPENING):
        return not before & _OPENING
    return not here and bool(before & (_LETTER | _CLOSING)) and text[at].isalnum()
