"""What a span alone does not say: the header of a table whose rows were parted, the items a nested item belongs to,
and the words that a table is embedded by."""

from __future__ import annotations

import re

from core.store.base import Passage
from core.types import Block, BlockKind, Document, Node, Sentence

BETWEEN = " › "
DOCUMENT_START = "[DOCUMENT_START] "
DOCUMENT_END = " [DOCUMENT_END]"
_PARENT = 120  # characters of an item above
_SHOWN = 300  # characters of values in a summary: with names and title well below what a model reads
_CELL = re.compile(r"(?<!\\)\|")
_MARKER = re.compile(r"(?:[-*+•◦▪‣–]|\d{1,9}[.)]|[a-zA-Z][.)])[ \t]+(?:\[[ xX]\][ \t]+)?")


def prefix(passage: Passage, sentence: int) -> str:
    """What stands before a sentence without being in its span: "" for most.

    For rows of a table that was parted: its caption and header. For a nested list item on its own, and for the
    sentences of one: the items above it.
    """
    first = sentence
    while first and passage.sentences[first - 1].block == passage.sentences[sentence].block:
        first -= 1
    return prefixes(passage, first, sentence + 1).get(sentence, "")


def prefixes(passage: Passage, first: int = 0, end: int | None = None) -> dict[int, str]:
    """The sentences from ``first`` to before ``end`` that have a prefix, by number; ``first`` must begin its block."""
    found: dict[int, str] = {}
    text, blocks = passage.document.text, passage.document.blocks
    here, header, above = -1, "", list[tuple[int, str]]()
    for number, sentence in enumerate(passage.sentences[first:end], first):
        block = blocks[sentence.block]
        if block.kind not in (BlockKind.TABLE, BlockKind.LIST):
            continue
        if sentence.block != here:
            here, above = sentence.block, []
            header = text[block.start : _rows_start(text, block)] if block.kind is BlockKind.TABLE else ""
        if block.kind is BlockKind.LIST and (marker := _MARKER.match(text, sentence.start)):
            header = _nested(text, sentence, marker.end(), above)
        if header and sentence.start > block.start:
            found[number] = header
    return found


def _nested(text: str, item: Sentence, words: int, above: list[tuple[int, str]]) -> str:
    """The items that one is nested in; its own words begin at ``words``. ``above`` holds them by indent."""
    indent = _indent(text, item.start)
    while above and above[-1][0] >= indent:
        above.pop()
    parents = "".join(parent + BETWEEN for _, parent in above)
    above.append((indent, _shortened(text[words : item.end].split("\n", 1)[0])))
    return parents


def _shortened(item: str) -> str:
    line = " ".join(item.split())
    return line if len(line) <= _PARENT else line[:_PARENT].rsplit(" ", 1)[0] + " …"


def around(passage: Passage, node: Node, size: int, *, marks: bool) -> tuple[str, str]:
    """What stands before and after the text of a node's window of ``size`` sentences a side.

    Before: the prefix of the window's first sentence. With ``marks``, a side on which the document ended before the
    window did says so.
    """
    first, last = node.first_sentence - size, node.last_sentence + size
    before = prefix(passage, max(0, first))
    start = DOCUMENT_START if marks and first < 0 else ""
    return start + before, DOCUMENT_END if marks and last >= len(passage.sentences) else ""


def embedded_text(document: Document, node: Node) -> str:
    """What the model reads for a node: its prefix and text, or for a table a summary in words."""
    if node.kind is BlockKind.TABLE:
        return table_summary(node.prefix + document.text[node.start : node.end], node.headings)
    return node.prefix + document.text[node.embedded.start : node.embedded.end]


def table_summary(table: str, headings: tuple[str, ...] = ()) -> str:
    """A Markdown table in a line: its caption or the headings above it, its columns, how many rows, the first values."""
    lines = table.split("\n")
    at = next((i for i in range(1, len(lines)) if _is_rule(lines[i])), 0)
    if not at:
        return " ".join(table.split())
    caption, rows = " ".join(lines[: at - 1]).strip(), lines[at + 1 :]
    title = caption or BETWEEN.join(headings)
    columns = [cell for cell in cells(lines[at - 1]) if cell]
    told = [title] if title else []
    told.append(f"Table of {', '.join(columns)}" if columns else "Table")
    told.append(f"{len(rows)} row{'' if len(rows) == 1 else 's'}")
    return f"{'. '.join(told)}: {_first_values(rows)}" if rows else f"{'. '.join(told)}."


def cells(row: str) -> list[str]:
    """The cells of a row of a Markdown table."""
    parts = _CELL.split(row.strip().removeprefix("|"))
    if parts and not parts[-1].strip():
        parts.pop()
    return [part.strip().replace("\\|", "|") for part in parts]


def _first_values(rows: list[str]) -> str:
    shown = ""
    for row in rows:
        values = ", ".join(cell for cell in cells(row) if cell)
        if shown and len(shown) + len(values) > _SHOWN:
            return shown + "; …"
        shown += f"; {values}" if shown else values
        if len(shown) > _SHOWN:
            return shown[:_SHOWN] + " …"
    return shown


def _is_rule(line: str) -> bool:
    """Whether a line stands between a table's header and its rows."""
    return "-" in line and not line.strip(" \t|:-")


def _rows_start(text: str, block: Block) -> int:
    """Where the rows of a table begin: behind the rule under its header."""
    at = block.start
    while at < block.end:
        end = text.find("\n", at, block.end)
        if end < 0:
            break
        if at > block.start and _is_rule(text[at:end]):
            return end + 1
        at = end + 1
    return block.start


def _indent(text: str, at: int) -> int:
    """How far in ``at`` stands on its line; 0 in the middle of one."""
    begin = text.rfind("\n", 0, at) + 1
    lead = text[begin:at]
    return 0 if lead.strip() else len(lead.expandtabs(4))
