"""An HTML tree becomes parts in reading order. Word files and mails come here too.

Inline elements never tear a word and block elements never glue two. The walk is iterative: depth costs nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from lxml import etree

from core.read.html_parts import Part, Parts
from core.read.html_tree import is_block
from core.read.tables import Cell, grid
from core.types import BlockKind

_WHITE = re.compile("[ \t\n\r\f]+")
_SPACES = re.compile(" {2,}")
_AROUND_BREAK = re.compile(" ?\n ?")
_PARAGRAPH_BREAK = re.compile("\n{2,}")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset({"ul", "ol", "dl", "menu", "dir", "select"})
_ITEMS = frozenset({"li", "dt", "dd", "option"})
_PREFORMATTED = frozenset({"pre", "listing", "xmp", "plaintext"})
# Boxes in the line: no part of the word beside them.
_SPACED = frozenset({"button", "label"})
_ROLES = {
    "navigation": "nav",
    "menu": "nav",
    "menubar": "nav",
    "banner": "header",
    "contentinfo": "footer",
    "complementary": "aside",
    "search": "form",
    "dialog": "dialog",
    "alertdialog": "dialog",
}
_REGIONS = frozenset({"nav", "header", "footer", "aside", "form", "dialog"})
_ARTICLES = frozenset({"article", "main", "section"})
# With more empty cells than this a table is not written as one: its size would grow with the square of the page's.
_MOST_EMPTY_CELLS = 200_000
_PARAGRAPHS_OF_LAYOUT = 3


def of(root: Any, *, layout: bool = True, clean: bool = True) -> Parts:
    """The parts of the tree under ``root``.

    ``layout``: a table without header cells that holds headings, tables or long texts is a page's layout, not data.
    ``clean``: soft hyphens are taken out, as they part words.
    """
    walk = _Walk(frozenset(_layout_tables(root, layout)), clean)
    walk.run(root)
    return Parts(tuple(walk.parts), walk.pictures, walk.hyphens)


@dataclass(slots=True)
class _List:
    """An open list: its depth, the item that is open with its own depth, and how many lists had ended before it."""

    depth: int
    item: list[str] | None = None
    item_depth: int = 0
    opened: int = -1


@dataclass(slots=True)
class _Table:
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


@dataclass(slots=True)
class _Figure:
    pictures: list[str] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    in_caption: bool = False


class _Walk:
    """The state of one walk: the line being written, and the open lists, tables, figures and regions around it."""

    def __init__(self, flowing: frozenset[Any], clean: bool) -> None:
        """``flowing``: tables that are no tables but layout."""
        self.parts: list[Part] = []
        self.pictures = 0
        self.hyphens = 0
        self._flowing = flowing
        self._clean = clean
        self._raised = 0
        self._line: list[str] = []
        self._alts: list[str] = []
        self._words = False
        self._code: list[str] | None = None
        self._heading: list[str] | None = None
        self._quotes = 0
        self._lists: list[_List] = []
        self._items: list[tuple[int, list[str]]] = []
        self._broken = 0
        self._tables: list[_Table | None] = []
        self._data: list[_Table] = []
        self._figures: list[_Figure] = []
        self._articles = 0
        self._regions: list[str] = []
        self._counts: Counter[str] = Counter()
        self._inside: frozenset[str] = frozenset()

    def run(self, root: Any) -> None:
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if event == "start":
                self._start(element)
                self._text(element.text)
            else:
                self._end(element)
                if element is not root:
                    self._text(element.tail)
        self._flush()
        self._emit_items()

    # Elements -----------------------------------------------------------------------------------------------------

    def _start(self, element: Any) -> None:
        tag = element.tag
        if is_block(element):
            self._flush()
            self._articles += tag in _ARTICLES
            if region := _region(element):
                self._enter(region)
            if opening := self._OPENINGS.get(tag):
                opening(self, element)
        elif tag == "br":
            self._break()
        elif tag == "img":
            self._picture(element.get("alt") or "")
        elif tag in _SPACED:
            self._text(" ")
        self._raised += tag == "sup"
        if element.get("role") == "heading":
            self._flush()
            self._open_heading(element)

    def _end(self, element: Any) -> None:
        tag = element.tag
        self._raised -= tag == "sup"
        if tag in _HEADINGS or element.get("role") == "heading":
            self._close_heading(element)
        if is_block(element):
            self._flush()
            if closing := self._CLOSINGS.get(tag):
                closing(self, element)
            if _region(element):
                self._leave()
            self._articles -= tag in _ARTICLES
        elif tag in _SPACED:
            self._text(" ")

    def _enter(self, region: str) -> None:
        # The header of an article is its title, its footer its sources: no menus.
        region = "" if self._articles and region in ("header", "footer") else region
        self._regions.append(region)
        self._counts[region] += 1
        if region and self._counts[region] == 1:
            self._inside |= {region}

    def _leave(self) -> None:
        region = self._regions.pop()
        self._counts[region] -= 1
        if region and not self._counts[region]:
            self._inside -= {region}

    # The line -----------------------------------------------------------------------------------------------------

    def _text(self, text: str | None) -> None:
        if not text:
            return
        if self._code is not None:
            self._code.append(text)
            return
        if self._raised and text.isdigit() and self._line and self._line[-1][-1:].isdigit():
            # 10 to the power of 6 is not 106, and note 3 to 2020 not 20203.
            text = text.translate(_SUPERSCRIPTS)
        self._line.append(_WHITE.sub(" ", text))
        self._words = self._words or not text.isspace()

    def _break(self) -> None:
        if self._code is not None:
            self._code.append("\n")
        else:
            self._line.append("\n")

    def _picture(self, alt: str) -> None:
        """A picture among words is one of them; alone, it is an image."""
        alt = " ".join(alt.split())
        if not alt:
            self.pictures += 1
        elif self._code is not None:
            self._code.append(alt)
        else:
            self._line.append(alt)
            self._alts.append(alt)

    def _flush(self) -> None:
        """The line ends: its text goes where the open elements say."""
        if self._code is not None:
            if self._code and not self._code[-1].endswith("\n"):
                self._code.append("\n")
            return
        if not self._line:
            return
        text = _AROUND_BREAK.sub("\n", _SPACES.sub(" ", "".join(self._line))).strip(" \n")
        if self._clean and "\u00ad" in text:
            self.hyphens += text.count("\u00ad")
            text = text.replace("\u00ad", "")
        alts = [] if self._words else self._alts
        self._line, self._alts, self._words = [], [], False
        if alts:
            for alt in alts:
                self._place_picture(alt)
        elif text:
            for paragraph in _PARAGRAPH_BREAK.split(text):
                self._place(paragraph)

    def _place(self, text: str) -> None:
        if self._heading is not None:
            self._heading.append(text)
        elif self._data:
            self._data[-1].texts.append(text)
        elif self._figures and self._figures[-1].in_caption:
            self._figures[-1].captions.append(text)
        elif self._lists and self._lists[-1].opened == self._broken:
            self._place_item(self._lists[-1], text)
        else:
            self._emit(Part(BlockKind.QUOTE if self._quotes else BlockKind.PARAGRAPH, text))

    def _place_item(self, open_list: _List, text: str) -> None:
        if open_list.item is None:
            open_list.item = []
            self._items.append((open_list.item_depth, open_list.item))
        open_list.item.append(text)

    def _place_picture(self, alt: str) -> None:
        in_item = self._lists and self._lists[-1].opened == self._broken
        if self._heading is not None or self._data or in_item:
            self._place(alt)
        elif self._figures:
            self._figures[-1].pictures.append(alt)
        else:
            self._emit(Part(BlockKind.IMAGE, alt))

    def _emit(self, part: Part) -> None:
        """A finished part: in a table it is text of the open cell; in a list it ends the list so far."""
        if self._data:
            self._data[-1].texts.append(part.words)
            return
        self._emit_items()
        self.parts.append(replace(part, regions=self._inside))

    def _emit_items(self) -> None:
        self._broken += 1
        if self._items:
            items = tuple((depth, " ".join(texts)) for depth, texts in self._items)
            self._items = []
            self.parts.append(Part(BlockKind.LIST, items=items, regions=self._inside))

    # What opens and closes ----------------------------------------------------------------------------------------

    def _open_heading(self, element: Any) -> None:
        if self._heading is None:
            self._heading = []

    def _close_heading(self, element: Any) -> None:
        self._flush()
        if self._heading is None:
            return
        text, self._heading = " ".join(self._heading), None
        if text:
            self._emit(Part(BlockKind.HEADING, text, level=_level(element)))

    def _open_code(self, element: Any) -> None:
        if self._code is None:
            self._code = []

    def _close_code(self, element: Any) -> None:
        if self._code is None:
            return
        text, self._code = "".join(self._code), None
        if not text.strip():
            return
        if self._heading is not None or self._data:
            self._place(_WHITE.sub(" ", text).strip())
        else:
            self._spill_captions()
            self._emit(Part(BlockKind.CODE, text))

    def _open_list(self, element: Any) -> None:
        if not self._lists:
            self._emit_items()
        self._lists.append(_List(self._lists[-1].depth + 1 if self._lists else 0))

    def _close_list(self, element: Any) -> None:
        self._lists.pop()
        if not self._lists:
            self._emit_items()

    def _open_item(self, element: Any) -> None:
        if self._lists:
            innermost = self._lists[-1]
            innermost.item = None
            innermost.item_depth = innermost.depth + (element.tag == "dd")
            innermost.opened = self._broken

    def _close_item(self, element: Any) -> None:
        if self._lists:
            self._lists[-1].opened = -1

    def _open_quote(self, element: Any) -> None:
        self._quotes += 1

    def _close_quote(self, element: Any) -> None:
        self._quotes -= 1

    def _open_table(self, element: Any) -> None:
        table = None if element in self._flowing else _Table()
        self._tables.append(table)
        if table is not None:
            self._spill_captions()
            self._data.append(table)

    def _close_table(self, element: Any) -> None:
        table = self._tables.pop()
        if table is not None:
            self._data.pop()
            for part in _table_parts(table):
                self._emit(part)

    def _open_row(self, element: Any) -> None:
        if self._tables and (table := self._tables[-1]) is not None:
            table.rows.append([])

    def _open_cell(self, element: Any) -> None:
        if self._tables and (table := self._tables[-1]) is not None:
            table.open_cell(element)

    def _close_cell(self, element: Any) -> None:
        if self._tables and (table := self._tables[-1]) is not None:
            table.cell = None

    def _open_figure(self, element: Any) -> None:
        self._figures.append(_Figure())

    def _close_figure(self, element: Any) -> None:
        figure = self._figures.pop()
        lines = dict.fromkeys([*figure.pictures, *figure.captions])
        if lines:
            self._emit(Part(BlockKind.IMAGE, "\n".join(lines)))

    def _open_figcaption(self, element: Any) -> None:
        if self._figures:
            self._figures[-1].in_caption = True

    def _close_figcaption(self, element: Any) -> None:
        if self._figures:
            self._figures[-1].in_caption = False

    def _spill_captions(self) -> None:
        """A figure that turns out to be a table or code: what stood above it stays above it."""
        if self._figures and not self._figures[-1].pictures:
            captions, self._figures[-1].captions = self._figures[-1].captions, []
            for caption in captions:
                self._emit(Part(BlockKind.PARAGRAPH, caption))

    _OPENINGS: dict[str, Callable[[_Walk, Any], None]] = {
        **dict.fromkeys(_HEADINGS, _open_heading),
        **dict.fromkeys(_PREFORMATTED, _open_code),
        **dict.fromkeys(_LISTS, _open_list),
        **dict.fromkeys(_ITEMS, _open_item),
        **dict.fromkeys(("td", "th"), _open_cell),
        "blockquote": _open_quote,
        "table": _open_table,
        "tr": _open_row,
        "figure": _open_figure,
        "figcaption": _open_figcaption,
    }
    _CLOSINGS: dict[str, Callable[[_Walk, Any], None]] = {
        **dict.fromkeys(_PREFORMATTED, _close_code),
        **dict.fromkeys(_LISTS, _close_list),
        **dict.fromkeys(_ITEMS, _close_item),
        **dict.fromkeys(("td", "th"), _close_cell),
        "blockquote": _close_quote,
        "table": _close_table,
        "figure": _close_figure,
        "figcaption": _close_figcaption,
    }


def _region(element: Any) -> str:
    """The part of the page that the element is; empty if it is just an element."""
    if element.tag in _REGIONS:
        return str(element.tag)
    return _ROLES.get(element.get("role", ""), "") if element.attrib else ""


def _level(element: Any) -> int:
    """A heading's level. ``aria-level`` says more than the tag; a heading without either is of level 2."""
    said: str = element.get("aria-level", "")
    if said.isascii() and said.isdigit() and 0 < int(said[:3]) < 100:
        return int(said[:3])
    return _HEADINGS.get(element.tag, 2)


def _count(element: Any, name: str) -> int:
    said: str = element.get(name, "1").strip()
    return min(int(said[:6]), 1000) if said.isascii() and said.isdigit() else 1


def _table_parts(table: _Table) -> Iterator[Part]:
    caption = " ".join(table.caption)
    rows = grid(table.rows)
    width = max(map(len, rows), default=0)
    if width * len(rows) - sum(map(len, rows)) > _MOST_EMPTY_CELLS:
        if caption:
            yield Part(BlockKind.PARAGRAPH, caption)
        for row in rows:
            yield Part(BlockKind.PARAGRAPH, " ".join(filter(None, row)))
    elif any(text for row in rows for text in row):
        yield Part(BlockKind.TABLE, caption, rows=rows)
    elif caption:
        yield Part(BlockKind.PARAGRAPH, caption)


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
        self.structured = self.structured or tag in _HEADINGS or self.paragraphs >= _PARAGRAPHS_OF_LAYOUT


def _layout_tables(root: Any, guess: bool) -> Iterator[Any]:
    """Tables of one cell, those that say so, and, if ``guess``, those that look like a page's layout."""
    shapes: list[_Shape] = []
    tags = ("table", "td", "th", "thead", "caption", "p", *_HEADINGS)
    for event, element in etree.iterwalk(root, events=("start", "end"), tag=tags):
        if event == "start":
            if shapes:
                shapes[-1].see(element.tag)
            if element.tag == "table":
                if shapes:
                    shapes[-1].structured = True
                shapes.append(_Shape())
        elif element.tag == "table":
            shape = shapes.pop()
            looks = guess and shape.structured and not shape.marked
            if shape.cells <= 1 or looks or element.get("role") in ("presentation", "none"):
                yield element
