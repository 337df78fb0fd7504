"""Blocks that are no prose: tables part between rows, lists between items, code between lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from core.split import fit

WHOLE_TABLE = 1500  # characters up to which a table is one sentence
WHOLE_LIST = 600
WHOLE_ITEM = 300
_ITEM = re.compile(
    r"^[ \t]*(?:[-*+•◦▪●‣–]|\d{1,9}[.)]|\(?[a-zA-Z]\)|[a-z]\.|\(?[ivxlc]{1,6}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?",
    re.MULTILINE,
)
_RULE = re.compile(r"^(?=[^\n]*-)[|:\- \t]++$", re.MULTILINE)
_LINE = re.compile(r"[^\n]*\n?")


def is_whole(text: str, start: int, end: int, most: int, *, english: bool) -> bool:
    """Whether ``text[start:end]`` has ``most`` characters at most and fits what a model reads."""
    return end - start <= most and fit.fits(text[start:end], english=english)


def items(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The items of a list, nested ones too, each with the lines that continue it."""
    begins = [found.start() for found in _ITEM.finditer(text, start, end)]
    return list(pairwise([*sorted({start, *begins}), end]))


def marker(text: str, start: int, end: int) -> str:
    """What an item begins with: its bullet or number, with the white space around it."""
    line = text.rfind("\n", 0, start) + 1
    found = _ITEM.match(text, line if not text[line:start].strip() else start, end)
    return found.group() if found else ""


def rows_start(text: str, start: int, end: int) -> int:
    """Where the rows of a Markdown table begin, behind the rule under its header; ``start`` if it has none."""
    rule = _RULE.search(text, start, end)
    return min(end, rule.end() + 1) if rule and rule.start() > start else start


def row_groups(text: str, start: int, end: int, *, english: bool) -> Iterator[tuple[int, int]]:
    """A table in groups of whole rows that fit a model, the header before each but the first counted in.

    Caption and header are in the first group. A row too long for a model is a group of its own.
    """
    rows = rows_start(text, start, end)
    header = fit.pieces(text[start:rows], english=english)
    room = max(fit.LIMIT - header, fit.LIMIT / 2)
    first, cost = start, 0.0
    for line in _LINE.finditer(text, rows, end):
        added = fit.pieces(line.group(), english=english)
        if cost and cost + added > room:
            yield first, line.start()
            first, cost = line.start(), 0.0
        cost += added
    yield first, end
