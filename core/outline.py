"""A document at a glance: its headings, tables and pages, each with the block it begins at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count

from core import markup
from core.types import BlockKind, Document

_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Entry:
    """A place in a document: the number of its block, how deep it is nested (from 0), its words and page."""

    block: int
    depth: int
    title: str
    page: int | None


def headings(document: Document) -> list[Entry]:
    """The headings in order, each as deep as there are headings above it."""
    return [
        Entry(number, max(0, len(block.headings) - 1), block.headings[-1] if block.headings else "", block.page)
        for number, block in enumerate(document.blocks)
        if block.kind is BlockKind.HEADING
    ]


def tables(document: Document) -> list[Entry]:
    """The tables in order, each called by its caption or the heading above it."""
    return [
        Entry(number, 0, caption(document, number) or " › ".join(block.headings), block.page)
        for number, block in enumerate(document.blocks)
        if block.kind is BlockKind.TABLE
    ]


def pages(document: Document) -> list[Entry]:
    """Every page with its first words; those without text have no block of their own and are called so."""
    first: dict[int, int] = {}
    for number, block in enumerate(document.blocks):
        if block.page is not None:
            first.setdefault(block.page, number)
    count = max(document.reading.pages, max(first, default=0))
    return [_page(document, page, first.get(page)) for page in range(1, count + 1)]


def _page(document: Document, page: int, number: int | None) -> Entry:
    if number is None:
        return Entry(-1, 0, "", page)
    block = document.blocks[number]
    return Entry(number, 0, " ".join(document.text[block.start : min(block.end, block.start + _SHOWN)].split()), page)


def caption(document: Document, block: int) -> str:
    """What stands on the line before a table's header."""
    found = document.blocks[block]
    return markup.caption(document.text[found.start : found.end])


@dataclass(frozen=True, slots=True)
class Table:
    """The beginning of a table: its columns, told apart, and the first of its ``total`` rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int


def table(document: Document, block: int, limit: int) -> Table:
    """A table block with at most ``limit`` of its rows."""
    found = document.blocks[block]
    parts = markup.parts(document.text[found.start : found.end], limit)
    return Table(tuple(_unique(parts.columns)), tuple(map(tuple, parts.rows)), parts.total)


def _unique(names: Sequence[str]) -> list[str]:
    """``names`` told apart, for columns that must have names of their own."""
    found: list[str] = []
    for position, name in enumerate(names, 1):
        stem = name.strip() or f"column {position}"
        told = next(n for n in chain([stem], (f"{stem} ({i})" for i in count(2))) if n not in found)
        found.append(told)
    return found
