"""Markdown: the source stays the text; markdown-it tells which lines are a heading, a table, a list …

Front matter is no part of the text: what it says is metadata, and metadata are not embedded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.errors import InvalidMetadata, UnreadableFile
from core.read import front_matter, plain
from core.read.content import Content
from core.read.decode import decoded
from core.read.formats import Format
from core.settings import ReadSettings
from core.types import Block, BlockKind, Progress

_PARSER = MarkdownIt("commonmark", {"html": True}).enable("table")
_BLANK_LINES = re.compile(r"(?:[^\S\n]*+\n)*+")
_LINE = re.compile(r"[^\n]+")
_KINDS = {
    "heading_open": BlockKind.HEADING,
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "table_open": BlockKind.TABLE,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "blockquote_open": BlockKind.QUOTE,
}


def content(data: bytes, _format: Format, settings: ReadSettings, _progress: Progress) -> Content:
    """The body below the front matter. Front matter that cannot be read stays in the text as code, with a notice."""
    whole = decoded(data, settings)
    try:
        said, start = front_matter.parse(whole.text)
    except InvalidMetadata as error:
        told = replace(whole, notices=(*whole.notices, _kept(error)))
        return told.content(blocks(whole.text, front_matter.end(whole.text)))
    body = replace(whole, text=_below(whole.text, start)) if start else whole
    return replace(body.content(blocks(body.text)), front=said)


def front(data: bytes, settings: ReadSettings) -> dict[str, object]:
    """The front matter alone; ``{}`` if there is none, or none that can be read."""
    try:
        return front_matter.parse(decoded(data, settings).text)[0]
    except (InvalidMetadata, UnreadableFile):
        return {}


def _below(text: str, start: int) -> str:
    """What stands from ``start`` on, without the blank lines before it."""
    blank = _BLANK_LINES.match(text, start)
    return text[blank.end() if blank else start :]


def _kept(error: InvalidMetadata) -> str:
    reason = error.what.removeprefix("The front matter ")
    return f"The front matter was kept as text: it {reason} {error.do}"


def blocks(text: str, kept: int = 0) -> Iterator[Block]:
    """The top-level blocks in order, each with its heading path. Everything outside them is white space.

    ``kept`` is where front matter ends that stays in the text: it is code, whatever it looks like.
    """
    starts = _line_starts(text)
    path: list[tuple[int, str]] = []
    at = len(text[:kept].rstrip())
    if at:
        yield Block(BlockKind.CODE, 0, at)
    body = _LINE.sub("", text[:at]) + text[at:]
    for token, title in _top_level(body):
        first, last = token.map or (0, 0)
        start, end = starts[first], starts[min(last, len(starts) - 1)]
        yield from _uncovered(text, at, start, path)
        if token.type == "heading_open":
            level = int(token.tag[1:])
            path = [*[entry for entry in path if entry[0] < level], (level, title)]
        headings = tuple(heading for _, heading in path)
        for left, right in plain.paragraphs(text, start, end) if _is_prose(token) else _whole(text, start, end):
            yield Block(_KINDS.get(token.type, BlockKind.PARAGRAPH), left, right, headings)
        at = end
    yield from _uncovered(text, at, len(text), path)


def _top_level(text: str) -> Iterator[tuple[Token, str]]:
    """Tokens that open a block at the top level, with the title for a heading."""
    tokens = _PARSER.parse(text)
    for position, token in enumerate(tokens):
        if token.level == 0 and token.nesting >= 0 and token.map is not None:
            yield token, tokens[position + 1].content if token.type == "heading_open" else ""


def _uncovered(text: str, start: int, end: int, path: list[tuple[int, str]]) -> Iterator[Block]:
    """Text between blocks (link reference definitions, say) as paragraphs: no text is lost."""
    for left, right in plain.paragraphs(text, start, end):
        yield Block(BlockKind.PARAGRAPH, left, right, tuple(heading for _, heading in path))


def _is_prose(token: Token) -> bool:
    return token.type in ("paragraph_open", "html_block")


def _whole(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    # Indented code keeps the white space before its first line.
    left = len(piece) - len(piece.lstrip("\n"))
    right = len(piece.rstrip())
    if left < right:
        yield start + left, start + right


def _line_starts(text: str) -> list[int]:
    """Where each line begins, and the end of the text."""
    starts = [0]
    while (newline := text.find("\n", starts[-1])) >= 0:
        starts.append(newline + 1)
    return [*starts, len(text)]
