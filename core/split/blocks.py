"""Blocks that are no prose: tables part between rows, lists between items, code between lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from core import markup
from core.split import fit

WHOLE_TABLE = 1500  # characters up to which a table is one sentence
WHOLE_LIST = 600
WHOLE_ITEM = 300


def is_whole(text: str, start: int, end: int, most: int, *, english: bool) -> bool:
    """Whether ``text[start:end]`` has ``most`` characters at most and fits what a model reads."""
    return end - start <= most and fit.fits(text[start:end], english=english)


def items(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The items of a list, nested ones too, each with the lines that continue it."""
    return list(pairwise([*sorted({start, *markup.items(text, start, end)}), end]))


def row_groups(text: str, start: int, end: int, *, english: bool) -> Iterator[tuple[int, int, float]]:
    """A table in groups of whole rows that fit a model, each with about how many word pieces it and the header have.

    Caption and header are in the first group. A row too long for a model is a group of its own.
    """
    rows = markup.rows_start(text, start, end)
    header = fit.pieces(text[start:rows], english=english)
    most = max(fit.LIMIT, header + fit.LIMIT / 2)
    first, at, cost = start, rows, header
    for line in text[rows:end].split("\n"):
        added = fit.pieces(line, english=english)
        if cost > header and cost + added > most:
            yield first, at, cost
            first, cost = at, header
        cost += added
        at += len(line) + 1
    yield first, end, cost
