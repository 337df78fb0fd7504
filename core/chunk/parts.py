"""What a span alone does not say: the header of a table whose rows were parted, the items a nested item belongs to,
and the words that a table is embedded by."""

from __future__ import annotations

from dataclasses import dataclass

from core import markup
from core.store.base import Passage
from core.types import Block, BlockKind, Document, Node, Sentence

BETWEEN = " › "
DOCUMENT_START = "[DOCUMENT_START] "
DOCUMENT_END = " [DOCUMENT_END]"
_PARENT = 120  # characters of an item above
_SHOWN = 300  # characters of values in a summary: with names and title well below what a model reads
_BACK = 5000  # sentences: what an item is nested in is looked for no further back


def prefix(passage: Passage, sentence: int) -> str:
    """What stands before a sentence without being in its span: "" for most.

    For rows of a table that was parted: its caption and header. For a nested list item on its own, and for the
    sentences of one: the items above it.
    """
    number = passage.sentences[sentence].block
    block = passage.document.blocks[number]
    if not sentence or passage.sentences[sentence - 1].block != number:
        return ""
    if block.kind is BlockKind.TABLE:
        return _header(passage, block)
    return _above(passage, sentence) if block.kind is BlockKind.LIST else ""


def prefixes(passage: Passage) -> dict[int, str]:
    """The sentences that have a prefix, by number: what ``prefix`` says of each, in one pass."""
    found: dict[int, str] = {}
    here, before, above = -1, "", list[tuple[_Item, str]]()
    for number, sentence in enumerate(passage.sentences):
        block = passage.document.blocks[sentence.block]
        if block.kind not in (BlockKind.TABLE, BlockKind.LIST):
            continue
        begins = sentence.block != here
        if begins:
            here, above = sentence.block, []
            before = _header(passage, block) if block.kind is BlockKind.TABLE else ""
        if block.kind is BlockKind.LIST:
            if item := _item(passage, number):
                while above and above[-1][0].indent >= item.indent:
                    above.pop()
                above.append((item, _line(passage, item)))
            before = "".join([line for item, line in above if number - item.number <= _BACK][:-1])
        if before and not begins:
            found[number] = before
    return found


class Prefixes:
    """What stands before a node that begins anywhere in a sentence: see ``prefix``."""

    def __init__(self, passage: Passage) -> None:
        self._passage = passage
        self._of_sentences: dict[int, str] | None = None

    def at(self, sentence: int, start: int) -> str:
        """The prefix of a node that begins at ``start``, in that sentence."""
        document = self._passage.document
        block = document.blocks[self._passage.sentences[sentence].block]
        if block.kind is BlockKind.TABLE:
            rows = markup.rows_start(document.text, block.start, block.end)
            return document.text[block.start : rows] if start >= rows else ""
        if block.kind is not BlockKind.LIST:
            return ""
        if self._of_sentences is None:
            self._of_sentences = prefixes(self._passage)
        return self._of_sentences.get(sentence, "") or _nested(document.text, self._passage.sentences[sentence], start)


def _nested(text: str, sentence: Sentence, start: int) -> str:
    """What the item is nested in that ``start`` lies in, among several that are one sentence."""
    above: list[tuple[int, int]] = []
    for line in markup.items(text, text.rfind("\n", 0, sentence.start) + 1, sentence.end):
        if line > start:
            break
        words = line + len(text[line : sentence.end]) - len(text[line : sentence.end].lstrip(" \t"))
        indent = markup.indent(text[line:words])
        while above and above[-1][0] >= indent:
            above.pop()
        above.append((indent, markup.marker_end(text, words, sentence.end)))
    return "".join(named(text[words : sentence.end]) for _, words in above[:-1])


def named(item: str) -> str:
    """The first line of something, as it stands before what is nested in it."""
    return _shortened(item.split("\n", 1)[0]) + BETWEEN


def _header(passage: Passage, block: Block) -> str:
    """The caption and header of a table, with its rule."""
    text = passage.document.text
    return text[block.start : markup.rows_start(text, block.start, block.end)]


@dataclass(frozen=True, slots=True)
class _Item:
    """A list item: the number of its first sentence, how far in it stands, and where its own words begin."""

    number: int
    indent: int
    words: int


def _item(passage: Passage, number: int) -> _Item | None:
    """The list item that a sentence begins; None in the middle of one."""
    text, sentence = passage.document.text, passage.sentences[number]
    words = markup.marker_end(text, sentence.start, sentence.end)
    if words == sentence.start:
        return None
    first = not number or passage.sentences[number - 1].block != sentence.block
    newline = text.rfind("\n", 0 if first else passage.sentences[number - 1].end, sentence.start)
    if newline < 0 and not first:
        return None
    lead = text[newline + 1 : sentence.start]
    return _Item(number, 0 if lead.strip() else markup.indent(lead), words)


def _above(passage: Passage, number: int) -> str:
    """What a sentence of a list is nested in: the nearest item before its own that stands further out, and so on."""
    block, furthest = passage.sentences[number].block, max(0, number - _BACK)
    lines: list[str] = []
    inner: _Item | None = None
    for at in range(number, furthest - 1, -1):
        if passage.sentences[at].block != block or (inner and not inner.indent):
            break
        item = _item(passage, at)
        if item and (inner is None or item.indent < inner.indent):
            if inner:
                lines.append(_line(passage, item))
            inner = item
    return "".join(reversed(lines))


def _line(passage: Passage, item: _Item) -> str:
    """The first line of an item without its marker, as it stands before what is nested in it."""
    return named(passage.document.text[item.words : passage.sentences[item.number].end])


def _shortened(item: str) -> str:
    line = " ".join(item.split())
    return line if len(line) <= _PARENT else line[:_PARENT].rsplit(" ", 1)[0] + " …"


def around(passage: Passage, node: Node, size: int, *, marks: bool) -> tuple[str, str]:
    """What stands before and after the text of a node's window of ``size`` sentences a side.

    Before: the prefix of the window's first sentence, or of the node itself for 0. With ``marks``, a side on which the
    document ended before the window did says so.
    """
    first, last = node.first_sentence - size, node.last_sentence + size
    before = prefix(passage, max(0, first)) if size else node.prefix
    start = DOCUMENT_START if marks and first < 0 else ""
    return start + before, DOCUMENT_END if marks and last >= len(passage.sentences) else ""


def embedded_text(document: Document, node: Node) -> str:
    """What the model reads for a node: its context line, then its prefix and text, or for a table a summary in words."""
    if node.kind is BlockKind.TABLE:
        said = table_summary(node.prefix + document.text[node.start : node.end], node.headings)
    else:
        said = node.prefix + document.text[node.embedded.start : node.embedded.end]
    return f"{node.context}\n{said}" if node.context else said


def table_summary(table: str, headings: tuple[str, ...] = ()) -> str:
    """A Markdown table in a line: its caption or the headings above it, its columns, how many rows, the first values."""
    known = markup.parts(table, _SHOWN)
    if not known.columns:
        return " ".join(table.split())
    title = known.caption or BETWEEN.join(headings)
    columns = [cell for cell in known.columns if cell]
    told = [title] if title else []
    told.append(f"Table of {', '.join(columns)}" if columns else "Table")
    told.append(f"{known.total} row{'' if known.total == 1 else 's'}")
    return f"{'. '.join(told)}: {_first_values(known.rows)}" if known.rows else f"{'. '.join(told)}."


def _first_values(rows: list[list[str]]) -> str:
    shown = ""
    for row in rows:
        values = ", ".join(cell for cell in row if cell)
        if shown and len(shown) + len(values) > _SHOWN:
            return shown + "; …"
        shown += f"; {values}" if shown else values
        if len(shown) > _SHOWN:
            return shown[:_SHOWN] + " …"
    return shown
