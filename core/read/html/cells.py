"""Tables of a page while it is walked: which are data and which are layout, and what their cells hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from core.read.html.parts import Part
from core.read.tables import Cell, grid
from core.types import BlockKind

# With more empty cells than this a table is not written as one: its size would grow with the square of the page's.
_MOST_EMPTY_CELLS = 200_000
_PARAGRAPHS_OF_LAYOUT = 3
_MOST_SPANNED = 1000
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_SEEN = ("table", "td", "th", "thead", "caption", "p", *_HEADINGS)


@dataclass(slots=True)
class Table:
    """An open table: its rows so far, the texts of the open cell, if one is, and of its caption."""

    rows: list[list[Cell]] = field(default_factory=list)
    cell: list[str] | None = None
    caption: list[str] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """Where text goes: what stands between the cells joins the caption."""
        return self.caption if self.cell is None else self.cell

    def open_cell(self, element: Any) -> None:
        self.cell = []
        if not self.rows:
            self.rows.append([])
        self.rows[-1].append(Cell(self.cell, _count(element, "colspan"), _count(element, "rowspan")))

    def parts(self) -> Iterator[Part]:
        """The table; or its rows as paragraphs, if hardly a row is as wide as the widest."""
        caption = " ".join(self.caption)
        rows = grid(self.rows)
        cells = max(map(len, rows), default=0) * len(rows)
        if cells - sum(map(len, rows)) > _MOST_EMPTY_CELLS:
            lines = (" ".join(filter(None, row)) for row in rows)
            yield from (Part(BlockKind.PARAGRAPH, line) for line in (caption, *lines) if line)
        elif any(text for row in rows for text in row):
            yield Part(BlockKind.TABLE, caption, rows=rows)
        elif caption:
            yield Part(BlockKind.PARAGRAPH, caption)


def _count(element: Any, name: str) -> int:
    said: str = element.get(name, "1").strip()
    return min(int(said[:6]), _MOST_SPANNED) if said.isascii() and said.isdigit() else 1


@dataclass(slots=True)
class _Shape:
    """What a table is made of, as far as it tells data from layout."""

    cells: int = 0
    marked: bool = False
    structured: bool = False
    paragraphs: int = 0

    def see(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.cells += 1
            self.paragraphs = 0
        elif tag == "p":
            self.paragraphs += 1
        self.marked = self.marked or tag in ("th", "thead", "caption")
        held = tag == "table" or tag in _HEADINGS
        self.structured = self.structured or held or self.paragraphs >= _PARAGRAPHS_OF_LAYOUT


def layout_tables(root: Any, *, guess: bool) -> Iterator[Any]:
    """Tables of one cell, those that say so, and, if ``guess``, those that look like a page's layout."""
    shapes: list[_Shape] = []
    for event, element in etree.iterwalk(root, events=("start", "end"), tag=_SEEN):
        if event == "start":
            if shapes:
                shapes[-1].see(element.tag)
            if element.tag == "table":
                shapes.append(_Shape())
        elif element.tag == "table":
            shape = shapes.pop()
            looks = guess and shape.structured and not shape.marked
            if shape.cells <= 1 or looks or element.get("role") in ("presentation", "none"):
                yield element
