"""Program text stays as it is; a block is a top-level definition, or a few small ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from core.read.content import Content
from core.read.decode import decoded
from core.read.formats import Format
from core.settings import ReadSettings
from core.types import Block, BlockKind, Progress

_GROUP = 1_500
"""Characters up to which small neighbours are put together."""
_LONGEST = 8_000  # characters of one definition; data without blank lines (XML, YAML) goes on for ever
_BREAK = re.compile(r"\n\s*")
_GOES_ON = re.compile(r"[)\]}]|(?:else|elif|except|finally|catch|end|fi|done|esac)\b")
_COMMENT_LINE = re.compile(r"\s*(?:#|//|--|;|%|\*|/\*)")
_OPENED = re.compile(r"/\*|<!--|[rub]?\"\"\"|[rub]?'''", re.IGNORECASE)
_CLOSED = {"/*": "*/", "<!--": "-->", '"""': '"""', "'''": "'''"}


def content(data: bytes, _format: Format, settings: ReadSettings, _progress: Progress) -> Content:
    """Program text: see ``decode``."""
    text = decoded(data, settings)
    return text.content(blocks(text.text))


def blocks(text: str) -> Iterator[Block]:
    """Blocks of code in order. Everything outside them is white space."""
    for start, end in _grouped(_definitions(text)):
        if end - start <= _LONGEST:
            yield Block(BlockKind.CODE, start, end)
        else:
            parts = [part for wide in _pieces(text, start, end, _is_blank) for part in _lines(text, *wide)]
            yield from (Block(BlockKind.CODE, *part) for part in _grouped(iter(parts)))


def _grouped(parts: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Neighbours put together as long as they are small."""
    group: tuple[int, int] | None = None
    for start, end in parts:
        if group is not None and end - group[0] > _GROUP:
            yield group
            group = None
        group = (start if group is None else group[0], end)
    if group is not None:
        yield group


def _definitions(text: str) -> Iterator[tuple[int, int]]:
    """What begins at the margin after a blank line, with all that is indented below and the comment above."""
    begun: int | None = None
    end = 0
    closing = ""
    for start, end in _pieces(text, 0, len(text), _is_new):
        begun = start if begun is None else begun
        piece = text[start:end]
        body = piece if closing else piece[3:]
        closing = closing or _opened(piece)
        if closing and closing not in body:
            continue
        if not (piece.endswith(closing) if closing else _is_comment(piece)):
            yield begun, end
            begun = None
        closing = ""
    if begun is not None:
        yield begun, end


def _opened(piece: str) -> str:
    """The mark that closes the comment which a piece begins with, if it begins with one of several lines."""
    opened = _OPENED.match(piece)
    return _CLOSED[opened.group().lstrip("rubRUB")] if opened else ""


def _is_comment(piece: str) -> bool:
    return all(_COMMENT_LINE.match(line) for line in piece.split("\n") if line.strip())


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The lines of what is too long; else it, whole."""
    return _pieces(text, start, end, lambda _: True) if end - start > _LONGEST else iter([(start, end)])


def _is_blank(gap: re.Match[str]) -> bool:
    return gap.group().count("\n") > 1


def _is_new(gap: re.Match[str]) -> bool:
    """Whether a line at the margin follows a blank one, and does not close or go on with what is above."""
    return _is_blank(gap) and gap.group().endswith("\n") and not _GOES_ON.match(gap.string, gap.end())


def _pieces(text: str, start: int, end: int, parts: Callable[[re.Match[str]], bool]) -> Iterator[tuple[int, int]]:
    """Spans of ``text[start:end]`` between the breaks that part it, without blank lines around them."""
    at = start
    for gap in _BREAK.finditer(text, start, end):
        if parts(gap):
            yield from _trimmed(text, at, gap.start())
            # The first line keeps its indent.
            at = gap.start() + gap.group().rfind("\n") + 1
    yield from _trimmed(text, at, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    right = len(piece.rstrip())
    if right:
        yield start + len(piece) - len(piece.lstrip("\n")), start + right
