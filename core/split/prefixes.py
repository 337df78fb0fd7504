"""What stands before a part of a table or list without being in its span."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from core.split import blocks
from core.types import Block, BlockKind, Document, Sentence

BETWEEN = " › "
_MOST = 120  # characters of one item above


def prefixes(document: Document, sentences: Sequence[Sentence]) -> list[str]:
    """For each sentence what its node is read with: to be put before its text, "" for most.

    For rows of a table that was parted, the caption, header and rule above them. For an item of a list that was parted,
    the items it is nested in, without their markers, each with " › " behind it.
    """
    found: list[str] = []
    for number, group in groupby(sentences, key=lambda sentence: sentence.block):
        block, parts = document.blocks[number], list(group)
        if len(parts) == 1 or block.kind not in (BlockKind.TABLE, BlockKind.LIST):
            found.extend("" for _ in parts)
        elif block.kind is BlockKind.TABLE:
            found.extend(_table(document.text, block, parts))
        else:
            found.extend(_list(document.text, block, parts))
    return found


def _table(text: str, block: Block, parts: list[Sentence]) -> Iterator[str]:
    rows = blocks.rows_start(text, block.start, block.end)
    header = text[block.start : rows]
    return (header if rows > block.start and part.start >= rows and number else "" for number, part in enumerate(parts))


def _list(text: str, block: Block, parts: list[Sentence]) -> Iterator[str]:
    spans = iter(blocks.items(text, block.start, block.end))
    above: list[tuple[int, str]] = []
    end, prefix = block.start, ""
    for part in parts:
        while part.start >= end:
            start, end = next(spans)
            marker = blocks.marker(text, start, end)
            indent = len(marker) - len(marker.lstrip())
            while above and above[-1][0] >= indent:
                above.pop()
            prefix = "".join(item + BETWEEN for _, item in above)
            above.append((indent, _told(text[start:end].strip().removeprefix(marker.strip()))))
        yield prefix


def _told(item: str) -> str:
    line = " ".join(item[: 2 * _MOST].split())
    return line if len(line) <= _MOST else line[:_MOST].rsplit(" ", 1)[0] + " …"
