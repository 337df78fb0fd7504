"""How lists and tables are written in a document's text: what an item and its marker are, a table's rows and cells.

Tables are Markdown: a caption (if any) on a line of its own, the header, a rule, the rows. In a cell only the pipe is
escaped, and backslashes directly before one are doubled: everything else stands there as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

DASHES = "-*+–—"
"""What marks an item when white space follows."""

SIGNS = "•◦▪●‣⁃∙■□➢➤►✓✔☐☑"
"""What marks an item whatever follows."""

ROMAN = r"(?:x{1,3}(?:ix|iv|v?i{0,3})|ix|iv|vi{0,3}|i{1,3})"
"""A regular expression for the lower-case numerals i to xxxix."""

# "A. Smith" on a line that continues an item is no marker, "II." and "A)" are.
_MARKER = (
    rf"(?:[{DASHES}{SIGNS}]|\d{{1,9}}(?:\.\d{{1,3}})*+[.)]|(?:[a-z]|{ROMAN}|(?=[A-Z]{{2}})(?i:{ROMAN}))\."
    rf"|\(?(?:[a-zA-Z]|(?i:{ROMAN}))\)|\(\d{{1,9}}\))(?:[ \t]++|(?=\n|\Z))(?:\[[ xX]\](?:[ \t]++|(?=\n|\Z)))?"
)
_MARKED = re.compile(_MARKER)
_ITEM = re.compile(rf"^[ \t]*+{_MARKER}", re.MULTILINE)
_TAB = 4
_PIPE = re.compile(r"(?<!\\)(\\*+)\|")
_BREAK = re.compile(r"\r\n|\n|\r")
_RULE = re.compile(r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+")


@dataclass(frozen=True, slots=True)
class Table:
    """A table taken apart: its caption, the cells of its header and of its first rows, and how many rows it has."""

    caption: str
    columns: list[str]
    rows: list[list[str]]
    total: int


def items(text: str, start: int, end: int) -> Iterator[int]:
    """Where the lines begin that begin an item of the list ``text[start:end]``, nested ones too."""
    return (found.start() for found in _ITEM.finditer(text, start, end))


def marker_end(text: str, at: int, end: int) -> int:
    """Where an item's own words begin, behind its bullet, number or letter and its task box; ``at`` if it has none."""
    found = _MARKED.match(text, at, end)
    return found.end() if found else at


def indent(lead: str) -> int:
    """How many columns the white space at the beginning of a line takes."""
    return len(lead.expandtabs(_TAB))


def table(rows: Sequence[Sequence[str]]) -> str:
    """``rows`` as a table whose first row is the header; short rows are filled up, blank ones left out."""
    width = max(map(len, rows), default=0)
    lines = [row([*cells, *[""] * (width - len(cells))]) for cells in rows if any(cell.strip() for cell in cells)]
    if not lines:
        return ""
    return "\n".join([lines[0], row(["---"] * width), *lines[1:]])


def row(cells: Sequence[str]) -> str:
    """A line of a table; the line ends of a cell are written ``<br>``, the white space at its ends is left out."""
    return f"| {' | '.join(map(_escaped, cells))} |"


def cells(row: str) -> list[str]:
    """The cells of a line of a table, as they were before ``row`` escaped them."""
    line = row.strip().removeprefix("|")
    found = line.split("|") if "\\|" not in line else _unescaped(line)
    if not found[-1].strip():
        found.pop()
    return [cell.strip() for cell in found]


def is_rule(line: str) -> bool:
    """Whether a line stands between a table's header and its rows."""
    return _RULE.fullmatch(line) is not None


def rows_start(text: str, start: int, end: int) -> int:
    """Where the rows of the table ``text[start:end]`` begin, behind the rule; ``start`` if it has none."""
    ends = [start - 1]
    while len(ends) < 4 and ends[-1] < end:
        newline = text.find("\n", ends[-1] + 1, end)
        ends.append(end if newline < 0 else newline)
    rule = _rule([text[left + 1 : right] for left, right in pairwise(ends)])
    return min(end, ends[rule + 1] + 1) if rule else start


def caption(table: str) -> str:
    """What stands on the line before a table's header: "" for most."""
    lines = table.split("\n", 3)[:3]
    rule = _rule(lines)
    above = rule == 2 or (not rule and len(lines) > 1 and "|" not in lines[0] and "|" in lines[1])
    return lines[0].strip() if above else ""


def parts(table: str, most: int | None = None) -> Table:
    """A table taken apart, with ``most`` of its rows at most; one without a rule has no columns."""
    lines = table.split("\n") if most is None else table.split("\n", most + 3)
    rule = _rule(lines[:3])
    title = caption(table)
    columns = cells(lines[rule - 1]) if rule else []
    first = rule + 1 if rule else int(bool(title))
    rows = [cells(line) for line in lines[first : None if most is None else first + most]]
    return Table(title, columns, rows, table.count("\n") + 1 - first)


def _rule(lines: Sequence[str]) -> int:
    """Which of a table's first lines is the rule: 1, or 2 below a caption; 0 if it has none."""
    second, third = (len(lines) > number and is_rule(lines[number]) for number in (1, 2))
    if third and "|" not in lines[0] and "|" in lines[1]:
        return 2
    if second:
        return 1
    return 2 if third and not lines[0].lstrip().startswith("|") else 0


def _escaped(cell: str) -> str:
    cell = cell.strip()
    if "|" in cell:
        cell = _PIPE.sub(r"\1\1\\|", cell)
    return _BREAK.sub("<br>", cell)


def _unescaped(line: str) -> list[str]:
    """The cells of a line in which a backslash stands before a pipe."""
    found, at, cell = list[str](), 0, ""
    for pipe in _PIPE.finditer(line):
        slashes = len(pipe[1])
        cell += line[at : pipe.start()] + "\\" * (slashes // 2)
        at = pipe.end()
        if slashes % 2:
            cell += "|"
        else:
            found.append(cell)
            cell = ""
    return [*found, cell + line[at:]]


_NOTHING = re.compile(
    r"[\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*+"
)


def is_nothing(text: str) -> bool:
    """Whether nothing of ``text`` can be seen: white space and characters of no width."""
    return _NOTHING.fullmatch(text) is not None
