"""The deterministic context line: ``title › heading › heading › field: value``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import PurePosixPath

from core import markup
from core.settings import ContextSettings
from core.types import BlockKind, Document, Metadata, Node, Value

BETWEEN = " › "
LONGEST = 300
"""How much a line may weigh: 300 Latin letters. Others count threefold, as models cut them into more pieces, so that
the line stays below about 100 of the 256 word pieces that the bundled model reads."""

_PARTS = (120, 80, 50, 30)  # what a title, a heading or a field may weigh: as much as leaves room for the others
_READ = 1000  # characters of a part that are looked at
_LATIN = "\u0250"
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters, half characters and what nobody sees; joiners stay, as letters and emoji need them."""


def title(document: Document) -> str:
    """What a document is called: its one heading of the first level; with none or several, its file name without folder
    and extension."""
    first = [b.headings[0] for b in document.blocks if b.kind is BlockKind.HEADING and len(b.headings) == 1]
    found = one_line(first[0]) if len(first) == 1 else ""
    return found or one_line(PurePosixPath(document.name).stem)


def lines(nodes: Sequence[Node], title: str, metadata: Metadata, settings: ContextSettings) -> list[str]:
    """The line of each node of a document, in order; empty where nothing that was chosen is known.

    No line has a line break or weighs more than ``LONGEST``. A heading is not told above itself, nor the title twice.
    """
    name = one_line(title) if settings.title else ""
    values = _values(metadata, settings)
    told: dict[tuple[bool, tuple[str, ...]], str] = {}
    found = []
    for node in nodes:
        place = (node.kind is BlockKind.HEADING, node.headings)
        if place not in told:
            told[place] = _line(_path(node, name, headings=settings.headings), values)
        found.append(told[place])
    return found


def contextual(nodes: Sequence[Node], title: str, metadata: Metadata, settings: ContextSettings) -> list[Node]:
    """The same nodes, each with its line."""
    told = lines(nodes, title, metadata, settings)
    return [replace(node, context=line) for node, line in zip(nodes, told, strict=True)]


def changed(before: Metadata, after: Metadata, settings: ContextSettings | None) -> bool:
    """Whether an edit of a document's metadata changes what its lines say, and so what is embedded."""
    return settings is not None and _values(before, settings) != _values(after, settings)


def one_line(text: str) -> str:
    """``text`` with single spaces for white space, and without what cannot be seen."""
    line = " ".join(_UNSEEN.sub("", text).split())
    return "" if markup.is_nothing(line) else line


def shortened(line: str, most: int) -> str:
    """The beginning of a line that weighs no more than ``most``, cut between words where there are any."""
    if 3 * len(line) <= most or _weight(line) <= most:
        return line
    room, end = most - _weight(" …"), 0
    while (room := room - _weight(line[end])) >= 0:
        end += 1
    words = line[:end].rsplit(" ", 1)[0]
    return (words if 2 * len(words) >= end else line[:end]).rstrip() + " …"


def _weight(text: str) -> int:
    return sum(1 if c == " " or (c.isalpha() and c < _LATIN) else 3 for c in text)


def _path(node: Node, title: str, *, headings: bool) -> tuple[str, ...]:
    """The title and the headings above a node, without one that the node itself or the title says."""
    above = node.headings
    if node.kind is BlockKind.HEADING and above:
        title = "" if one_line(above[-1]) == title else title
        above = above[:-1]
    known = [one_line(heading) for heading in above] if headings else []
    if title and known and known[0] == title:
        known = known[1:]
    return tuple(part for part in (title, *known) if part)


def _line(path: Sequence[str], values: Sequence[str]) -> str:
    """The parts in one line, each shortened as far as it takes to have room for all."""
    line = ""
    for most in _PARTS:
        fields = ", ".join(shortened(value, most) for value in values)
        line = BETWEEN.join(filter(None, (*(shortened(part, most) for part in path), fields)))
        if _weight(line) <= LONGEST:
            break
    return shortened(line, LONGEST)


def _values(metadata: Metadata, settings: ContextSettings) -> list[str]:
    """The chosen fields that a document has, as ``field: value``."""
    told = ((one_line(name), _told(metadata[name])) for name in settings.fields if name in metadata)
    return [f"{name}: {value}" if name else value for name, value in told if value]


def _told(value: Value) -> str:
    if isinstance(value, datetime):
        day = value == datetime(value.year, value.month, value.day)
        return value.date().isoformat() if day else value.isoformat(" ", "minutes")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(filter(None, (one_line(item[:_READ]) for item in value[:_READ])))
    return one_line(str(value)[:_READ])
