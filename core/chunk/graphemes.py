"""Where a text may be cut without tearing what is read as one character: an emoji, a flag, a letter with its marks.

Extended grapheme clusters of Unicode (UAX 29). The `regex` package finds them; it is asked only about the few places
where a cut is due, and only as far around them as matters, so that cutting stays linear on any text.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

# What joins the character before it, and what joins the one after it or may do so.
_JOINS = regex.compile(r"[\p{GCB=EX}\p{GCB=ZWJ}\p{GCB=SM}\p{GCB=V}\p{GCB=T}\p{GCB=RI}\n]")
_HOLDS = regex.compile(r"[\p{GCB=EX}\p{GCB=ZWJ}\p{GCB=SM}\p{GCB=PP}\p{GCB=L}\p{GCB=RI}]")
# A flag is matched as a pair: \X would count all the letters of flags before it.
_CLUSTER = regex.compile(r"\p{GCB=RI}\p{GCB=RI}[\p{GCB=EX}\p{GCB=ZWJ}\p{GCB=SM}]*+|\X")


_LONGEST = 1000  # characters behind a cut that a cluster may have: a letter with more marks is cut
_NEAR = 32  # places looked at for a sure one, before clusters are followed from the start


def boundary(text: str, start: int, at: int) -> int:
    """The last place in ``(start, at]`` where no cluster is cut; if there is none, the first one after ``at``.

    ``start`` is such a place itself.
    """
    if at >= len(text):
        return len(text)
    if _is_sure(text, at):
        return at
    sure = next((place for place in range(at - 1, max(start, at - _NEAR), -1) if _is_sure(text, place)), start)
    end = min(len(text), at + _LONGEST)
    for found in _CLUSTER.finditer(text, sure, end):
        if found.end() >= at:
            inside = found.end() > at and found.start() > start
            return int(found.start() if inside else found.end())
    return end


def boundaries(text: str, start: int, end: int) -> Iterator[int]:
    """Where clusters of ``text[start:end]`` end, in order."""
    if text[start:end].isascii():
        return iter(range(start + 1, end + 1))
    return (int(found.end()) for found in _CLUSTER.finditer(text, start, end))


def _is_sure(text: str, at: int) -> bool:
    """Whether the two characters around a place already say that no cluster spans it."""
    before, after = text[at - 1], text[at]
    if before.isascii() and after.isascii():
        return after != "\n" or before != "\r"
    return not _JOINS.match(after) and not _HOLDS.match(before)
