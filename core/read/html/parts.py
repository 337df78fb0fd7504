"""Parts: what HTML, Word, PowerPoint and mails are read into before they become a text and its blocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.read.content import Assembler
from core.types import BlockKind


@dataclass(frozen=True, slots=True)
class Part:
    """One block to be. A list has ``items`` (depth, text), a table ``rows`` and perhaps a caption as its ``text``.

    ``regions`` are the page's parts it lies in: nav, header, footer, aside, form, dialog.
    """

    kind: BlockKind
    text: str = ""
    level: int = 0
    items: tuple[tuple[int, str], ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    regions: frozenset[str] = frozenset()

    @property
    def words(self) -> str:
        """All its text in one line."""
        pieces = [self.text, *(text for _, text in self.items), *(cell for row in self.rows for cell in row)]
        return " ".join(piece for piece in pieces if piece)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a page says, how many of its pictures have no text, and how many soft hyphens were taken out."""

    parts: tuple[Part, ...]
    pictures: int
    hyphens: int


def put(parts: Iterable[Part], assembler: Assembler, *, deeper: int = 0) -> None:
    """Add ``parts`` to a text, their headings ``deeper`` levels down."""
    for part in parts:
        if part.kind is BlockKind.HEADING:
            assembler.heading(part.text, part.level + deeper)
        elif part.kind is BlockKind.LIST:
            assembler.items(part.items)
        elif part.kind is BlockKind.TABLE:
            assembler.table(part.rows, part.text)
        else:
            assembler.add(part.kind, part.text)


def picture_notices(pictures: int) -> tuple[str, ...]:
    """What a reader should know of ``pictures`` without text, if there are any."""
    if not pictures:
        return ()
    return ("1 picture has no text.",) if pictures == 1 else (f"{pictures:,} pictures have no text.",)
