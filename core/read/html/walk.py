"""An HTML tree becomes parts in reading order. Word files and mails come here too.

Inline elements never tear a word and block elements never glue two. The walk is iterative: depth costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from lxml import etree

from core.read.html.cells import Table, layout_tables
from core.read.html.line import Line, one_line
from core.read.html.parts import Part, Parts
from core.read.html.regions import Regions
from core.read.html.tree import is_block
from core.types import BlockKind

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_UNSAID_LEVEL = 2
_LISTS = ("ul", "ol", "dl", "menu", "dir", "select")
_ITEMS = ("li", "dt", "dd", "option")
_PREFORMATTED = ("pre", "listing", "xmp", "plaintext")
# Boxes in the line: no part of the word beside them.
_SPACED = ("button", "label")


def of(root: Any, *, layout: bool = True, clean: bool = True) -> Parts:
    """The parts of the tree under ``root``.

    ``layout``: a table without header cells that holds headings, tables or long texts is a page's layout, not data.
    ``clean``: soft hyphens are taken out, as they part words.
    """
    walk = _Walk(frozenset(layout_tables(root, guess=layout)), Line(clean=clean))
    walk.run(root)
    return Parts(tuple(walk.parts), walk.pictures, walk.line.hyphens)


@dataclass(slots=True)
class _List:
    """An open list: its depth, the item that is open with its own depth, and how many lists had ended before it."""

    depth: int
    item: list[str] | None = None
    item_depth: int = 0
    opened: int = -1


@dataclass(slots=True)
class _Figure:
    pictures: list[str] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    in_caption: bool = False


class _Walk:
    """The state of one walk: the line being written, and the open lists, tables, figures and regions around it."""

    def __init__(self, flowing: frozenset[Any], line: Line) -> None:
        """``flowing``: tables that are no tables but layout."""
        self.parts: list[Part] = []
        self.pictures = 0
        self.line = line
        self._flowing = flowing
        self._regions = Regions()
        self._heading: list[str] | None = None
        self._quotes = 0
        self._lists: list[_List] = []
        self._items: list[tuple[int, list[str]]] = []
        self._broken = 0
        self._tables: list[Table | None] = []
        self._data: list[Table] = []
        self._figures: list[_Figure] = []

    def run(self, root: Any) -> None:
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if event == "start":
                self._start(element)
                self.line.add(element.text)
            else:
                self._end(element)
                if element is not root:
                    self.line.add(element.tail)
        self._flush()
        self._emit_items()

    # Elements -----------------------------------------------------------------------------------------------------

    def _start(self, element: Any) -> None:
        tag = element.tag
        if is_block(element):
            self._flush()
            self._regions.enter(element)
            if opening := _OPENINGS.get(tag):
                opening(self, element)
        elif tag == "br":
            self.line.add_break()
        elif tag == "img":
            self._picture(element)
        elif tag in _SPACED:
            self.line.add(" ")
        self.line.raised += tag == "sup"
        if element.get("role") == "heading":
            self._flush()
            self.open_heading(element)

    def _end(self, element: Any) -> None:
        tag = element.tag
        self.line.raised -= tag == "sup"
        if tag in _HEADINGS or element.get("role") == "heading":
            self._close_heading(element)
        if is_block(element):
            self._flush()
            if closing := _CLOSINGS.get(tag):
                closing(self, element)
            self._regions.leave(element)
        elif tag in _SPACED:
            self.line.add(" ")

    def _picture(self, element: Any) -> None:
        said = " ".join((element.get("alt") or "").split())
        if said:
            self.line.add_picture(said)
        else:
            self.pictures += 1

    # Where text goes ----------------------------------------------------------------------------------------------

    def _flush(self) -> None:
        """The line ends: its text goes where the open elements say."""
        paragraphs, pictures = self.line.taken()
        for picture in pictures:
            self._place_picture(picture)
        for paragraph in paragraphs:
            self._place(paragraph)

    @property
    def _in_item(self) -> bool:
        """Whether an item is open that no heading, table or code has broken off."""
        return bool(self._lists) and self._lists[-1].opened == self._broken

    def _place(self, text: str) -> None:
        if self._heading is not None:
            self._heading.append(text)
        elif self._data:
            self._data[-1].texts.append(text)
        elif self._figures and self._figures[-1].in_caption:
            self._figures[-1].captions.append(text)
        elif self._in_item:
            self._place_item(self._lists[-1], text)
        else:
            self._emit(Part(BlockKind.QUOTE if self._quotes else BlockKind.PARAGRAPH, text))

    def _place_item(self, innermost: _List, text: str) -> None:
        if innermost.item is None:
            innermost.item = []
            self._items.append((innermost.item_depth, innermost.item))
        innermost.item.append(text)

    def _place_picture(self, said: str) -> None:
        if self._heading is not None or self._data or self._in_item:
            self._place(said)
        elif self._figures:
            self._figures[-1].pictures.append(said)
        else:
            self._emit(Part(BlockKind.IMAGE, said))

    def _emit(self, part: Part) -> None:
        """A finished part: in a table it is text of the open cell; in a list it ends the list so far."""
        if self._data:
            self._data[-1].texts.append(part.words)
            return
        self._emit_items()
        self.parts.append(replace(part, regions=self._regions.inside))

    def _emit_items(self) -> None:
        self._broken += 1
        if self._items:
            items = tuple((depth, " ".join(texts)) for depth, texts in self._items)
            self._items = []
            self.parts.append(Part(BlockKind.LIST, items=items, regions=self._regions.inside))

    # What opens and closes ----------------------------------------------------------------------------------------

    def open_heading(self, _: Any) -> None:
        if self._heading is None:
            self._heading = []

    def _close_heading(self, element: Any) -> None:
        self._flush()
        if self._heading is None:
            return
        text, self._heading = " ".join(self._heading), None
        if text:
            self._emit(Part(BlockKind.HEADING, text, level=_level(element)))

    def open_code(self, _: Any) -> None:
        self.line.open_code()

    def close_code(self, _: Any) -> None:
        text = self.line.taken_code()
        if not text.strip():
            return
        if self._heading is not None or self._data:
            self._place(one_line(text))
        else:
            self._spill_captions()
            self._emit(Part(BlockKind.CODE, text))

    def open_list(self, _: Any) -> None:
        if not self._lists:
            self._emit_items()
        self._lists.append(_List(self._lists[-1].depth + 1 if self._lists else 0))

    def close_list(self, _: Any) -> None:
        self._lists.pop()
        if not self._lists:
            self._emit_items()

    def open_item(self, element: Any) -> None:
        if self._lists:
            innermost = self._lists[-1]
            innermost.item = None
            innermost.item_depth = innermost.depth + (element.tag == "dd")
            innermost.opened = self._broken

    def close_item(self, _: Any) -> None:
        if self._lists:
            self._lists[-1].opened = -1

    def open_quote(self, _: Any) -> None:
        self._quotes += 1

    def close_quote(self, _: Any) -> None:
        self._quotes -= 1

    def open_table(self, element: Any) -> None:
        table = None if element in self._flowing else Table()
        self._tables.append(table)
        if table is not None:
            self._spill_captions()
            self._data.append(table)

    def close_table(self, _: Any) -> None:
        table = self._tables.pop()
        if table is not None:
            self._data.pop()
            for part in table.parts():
                self._emit(part)

    @property
    def _table(self) -> Table | None:
        """The innermost table, if it is one."""
        return self._tables[-1] if self._tables else None

    def open_row(self, _: Any) -> None:
        if self._table is not None:
            self._table.rows.append([])

    def open_cell(self, element: Any) -> None:
        if self._table is not None:
            self._table.open_cell(element)

    def close_cell(self, _: Any) -> None:
        if self._table is not None:
            self._table.cell = None

    def open_figure(self, _: Any) -> None:
        self._figures.append(_Figure())

    def close_figure(self, _: Any) -> None:
        figure = self._figures.pop()
        lines = dict.fromkeys([*figure.pictures, *figure.captions])
        if lines:
            self._emit(Part(BlockKind.IMAGE, "\n".join(lines)))

    def open_figcaption(self, _: Any) -> None:
        if self._figures:
            self._figures[-1].in_caption = True

    def close_figcaption(self, _: Any) -> None:
        if self._figures:
            self._figures[-1].in_caption = False

    def _spill_captions(self) -> None:
        """A figure that turns out to be a table or code: what stood above it stays above it."""
        if self._figures and not self._figures[-1].pictures:
            captions, self._figures[-1].captions = self._figures[-1].captions, []
            for caption in captions:
                self._emit(Part(BlockKind.PARAGRAPH, caption))


_Action = Callable[[_Walk, Any], None]
_OPENINGS: dict[str, _Action] = {
    **dict.fromkeys(_HEADINGS, _Walk.open_heading),
    **dict.fromkeys(_PREFORMATTED, _Walk.open_code),
    **dict.fromkeys(_LISTS, _Walk.open_list),
    **dict.fromkeys(_ITEMS, _Walk.open_item),
    **dict.fromkeys(("td", "th"), _Walk.open_cell),
    "blockquote": _Walk.open_quote,
    "table": _Walk.open_table,
    "tr": _Walk.open_row,
    "figure": _Walk.open_figure,
    "figcaption": _Walk.open_figcaption,
}
_CLOSINGS: dict[str, _Action] = {
    **dict.fromkeys(_PREFORMATTED, _Walk.close_code),
    **dict.fromkeys(_LISTS, _Walk.close_list),
    **dict.fromkeys(_ITEMS, _Walk.close_item),
    **dict.fromkeys(("td", "th"), _Walk.close_cell),
    "blockquote": _Walk.close_quote,
    "table": _Walk.close_table,
    "figure": _Walk.close_figure,
    "figcaption": _Walk.close_figcaption,
}


def _level(element: Any) -> int:
    """A heading's level: ``aria-level`` says more than the tag."""
    said: str = element.get("aria-level", "")
    if said.isascii() and said.isdigit() and 0 < int(said[:3]) < 100:
        return int(said[:3])
    return _HEADINGS.get(element.tag, _UNSAID_LEVEL)
