"""What a format's reader gives: a text and its blocks; and how a text is put together from parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core import markup
from core.read import clean
from core.types import Block, BlockKind

_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Content:
    """A text with its blocks, in order and disjoint; everything outside them is white space.

    ``front`` is what the file says about itself, as JSON has it; for the other fields see ``core.types.Reading``.
    ``media_type`` and ``language`` are filled in by ``read.content``.
    """

    text: str
    blocks: tuple[Block, ...]
    encoding: str = ""
    guessed: bool = False
    pages: int = 0
    cleaned: Mapping[str, int] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    media_type: str = ""
    language: str = ""
    front: Mapping[str, object] = field(default_factory=dict)


class Assembler:
    """Puts a text together part by part, a blank line between them, and notes where each part lies.

    Every part is cleaned of characters that no text holds (see ``clean.characters``) before its span is taken.
    """

    def __init__(self, *, ligatures: bool = True) -> None:
        """``ligatures``: write them out."""
        self.cleaned: Counter[str] = Counter()
        self.page: int | None = None
        self._ligatures = ligatures
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._path: list[tuple[int, str]] = []

    @property
    def empty(self) -> bool:
        return not self._blocks

    def heading(self, text: str, level: int) -> None:
        """A heading of ``level`` 1 and deeper; it opens a section that the next of its level or above closes."""
        line = _SPACES.sub(" ", text).strip()
        if not line:
            return
        self._path = [*[entry for entry in self._path if entry[0] < level], (level, line)]
        self.add(BlockKind.HEADING, line)

    def section(self, title: str, level: int) -> None:
        """Open a section for the blocks that follow without a heading in the text (a sheet, a record)."""
        self._path = [*[entry for entry in self._path if entry[0] < level], (level, title)]

    def add(self, kind: BlockKind, text: str) -> None:
        """A block of ``kind``; a blank one is left out. White space at its ends is not part of it."""
        text, counts = clean.characters(text, ligatures=self._ligatures)
        self.cleaned.update(counts)
        # Indented code keeps the white space before its first line.
        text = text.rstrip().lstrip("\n") if kind is BlockKind.CODE else text.strip()
        if not text.strip():
            return
        if self._parts:
            self._parts.append("\n\n")
            self._length += 2
        self._parts.append(text)
        headings = tuple(title for _, title in self._path)
        self._blocks.append(Block(kind, self._length, self._length + len(text), headings, self.page))
        self._length += len(text)

    def items(self, items: Iterable[tuple[int, str]]) -> None:
        """A list: each item's depth, from 0, and text."""
        lines = [f"{'  ' * depth}- {_SPACES.sub(' ', text).strip()}" for depth, text in items if text.strip()]
        self.add(BlockKind.LIST, "\n".join(lines))

    def table(self, rows: Sequence[Sequence[str]], caption: str = "") -> None:
        """A table in Markdown, its first row as the header; short rows are filled up, blank ones left out."""
        text = markup.table(rows)
        if text:
            self.add(BlockKind.TABLE, f"{_SPACES.sub(' ', caption).strip()}\n{text}" if caption.strip() else text)

    def content(
        self, *, pages: int = 0, encoding: str = "", guessed: bool = False, notices: Sequence[str] = ()
    ) -> Content:
        """All that was put in."""
        return Content(
            "".join(self._parts), tuple(self._blocks), encoding, guessed, pages, dict(self.cleaned), tuple(notices)
        )
