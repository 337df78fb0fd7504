"""Lines that stand for themselves: short items and headings without stops, inside one paragraph of plain text."""

from __future__ import annotations

import re

from core.markup import DASHES, ROMAN, SIGNS

_SHORT = 80
_NARROWEST = 40  # columns: text is hardly ever wrapped to fewer
_FULL = 0.6  # of the width: among lines of wrapped prose, a shorter one was ended on purpose
_BULLET = re.compile(rf"[ \t>]*(?:[{DASHES}][ \t]+(?=\S)|[{SIGNS}]\s*(?=\S))")
_NUMBER = re.compile(rf"[ \t>]*\(?(?:\d{{1,3}}|[a-zA-Z]|{ROMAN})[.)][ \t]+(?=\S)")
_OPENS = re.compile(r"[\s>*_#`\"'“‘(\[¿¡]*([^\W_])")
_ENDED = re.compile(r"[.!?…。！？؟۔।][\"'”’»)\]*_`]*$")
_GOES_ON = re.compile(r"(?:[,;\-–—/&(\[،、，]|\b(?:and|or|of|the|a|an|to|in|on|for|with|by))$")


def breaks(text: str, start: int, end: int) -> list[int]:
    """Where lines of ``text[start:end]`` begin that do not continue the one before.

    Bullets and numbers do, where there are at least two of them or a colon before the first. So do short lines after a
    short line without a stop, if they begin with a capital or a digit and the first word would have fitted on the line
    before: whoever wraps prose would have put it there.
    """
    if text.find("\n", start, end) < 0:
        return []
    lines = _lines(text, start, end)
    marked = _marked(text, lines)
    width = max([_NARROWEST, *(right - left for left, right in lines)])
    wrapped = sum(text[left].islower() for left, _ in lines[1:]) * 4 > len(lines) - 1
    return [
        lines[number][0]
        for number in range(1, len(lines))
        if number in marked or _is_item(text, lines[number - 1], lines[number], width * _FULL if wrapped else width)
    ]


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The lines without white space at their ends; blank ones are left out."""
    found = []
    at = start
    while at < end:
        newline = text.find("\n", at, end)
        stop = end if newline < 0 else newline
        line = text[at:stop]
        if line.strip():
            found.append((at + len(line) - len(line.lstrip()), at + len(line.rstrip())))
        at = stop + 1
    return found


def _marked(text: str, lines: list[tuple[int, int]]) -> set[int]:
    """The numbers of lines that begin with a bullet or a number."""
    found: set[int] = set()
    for marker in (_BULLET, _NUMBER):
        these = {number for number, (left, right) in enumerate(lines) if marker.match(text, left, right)}
        sure = len(these) > 1 or any(text[lines[n][0]] in SIGNS for n in these)
        if sure or any(n and text[lines[n - 1][1] - 1] in ":：" for n in these):
            found |= these
    return found


def _is_item(text: str, before: tuple[int, int], line: tuple[int, int], width: float) -> bool:
    """Whether a line is an item or text of its own after a short line without a stop."""
    (left, right), (start, end) = before, line
    if right - left >= _SHORT:
        return False
    ending = text[max(left, right - 12) : right]
    if _ENDED.search(ending) or _GOES_ON.search(ending):
        return False
    opens = _OPENS.match(text, start, end)
    if not opens or not (opens[1].isupper() or opens[1].isdigit() or opens[1].istitle()):
        return False
    word = text[start : min(end, start + 80)].split(None, 1)[0]
    return right - left + 1 + len(word) <= width
