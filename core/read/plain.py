"""Plain text: paragraphs are what blank lines separate."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.read.content import Content
from core.read.decode import decoded
from core.read.formats import Format
from core.settings import ReadSettings
from core.types import Block, BlockKind, Progress

_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")


def content(data: bytes, _format: Format, settings: ReadSettings, _progress: Progress) -> Content:
    """Plain text: see ``decode``."""
    text = decoded(data, settings)
    return text.content(blocks(text.text))


def blocks(text: str) -> Iterator[Block]:
    """One block per paragraph, in order, without the white space around it."""
    for start, end in paragraphs(text, 0, len(text)):
        yield Block(BlockKind.PARAGRAPH, start, end)


def paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans between blank lines in ``text[start:end]``, stripped; empty ones are left out."""
    at = start
    for gap in _BLANK_LINES.finditer(text, start, end):
        yield from _stripped(text, at, gap.start())
        at = gap.end()
    yield from _stripped(text, at, end)


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    if left < right:
        yield start + left, start + right
