"""Tables as text: fields parted by commas, semicolons, tabs or bars. Every value stays as it is written."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import TYPE_CHECKING, Literal

from core.read import plain
from core.read.content import Assembler, Content
from core.read.decode import decoded
from core.read.formats import Format
from core.settings import ReadSettings
from core.types import BlockKind, Progress

if TYPE_CHECKING:
    from _csv import Reader

# Of those that fit equally well, the first: a comma may stand in a number, and a bar hardly anywhere.
_DELIMITERS = "\t;|,"
_SAMPLE = 200_000  # characters
_LEAST_ALIKE = 0.4  # of the rows have the same number of fields, or it is no table
_SPARSE = 10  # times more cells in the table than fields in the file are too many
_NUMBER = re.compile(r"[-+(]?[$€£¥]?\s?\d[\d.,'’ \u00a0]*(?:[eE][-+]?\d+)?\s?[%)€]?")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d.*)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SEPARATOR_LINE = re.compile(r"sep=(.)\n", re.IGNORECASE)
_TOP = 1_000  # rows that tell how wide a table is
_END = "\ue0ff end"
_COMMA = re.compile(r"[,;]['\"’”)]*(?:\s|$)|[,;]", re.MULTILINE)
_SPACED = 0.95  # of the commas are followed by white space
_WORDS_A_LINE = 5
_LEAST_EVEN = 0.7  # of the lines of a table have the same number of commas
_NAMED = 10  # new column names that a notice lists
csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of fields as written, the header first and its names all different; ``notices`` tell what was changed.

    ``lead`` are the lines above the header: a title, comments.
    """

    rows: list[list[str]]
    notices: tuple[str, ...] = ()
    lead: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Dialect:
    delimiter: str
    alike: float = 1.0
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL
    skip_spaces: bool = False
    strict: bool = False

    def parse(self, text: str) -> Reader:
        lines = StringIO(text, newline="")
        return csv.reader(
            lines, delimiter=self.delimiter, quoting=self.quoting, skipinitialspace=self.skip_spaces, strict=self.strict
        )


def content(data: bytes, format: Format, settings: ReadSettings, _progress: Progress) -> Content:
    """One table. Prose stays prose; rows of a single field, or too different in length to be a table, are a paragraph each."""
    text = decoded(data, settings)
    put = Assembler(ligatures=settings.clean)
    notices = _put(text.text, "\t" if format.name == "TSV" else "", put)
    put.cleaned.update(text.cleaned)
    return put.content(encoding=text.encoding, guessed=text.guessed, notices=(*text.notices, *notices))


def _put(text: str, delimiter: str, put: Assembler) -> tuple[str, ...]:
    """Put in what ``text`` is, and return what to tell."""
    if _is_prose(text, delimiter):
        for start, end in plain.paragraphs(text, 0, len(text)):
            put.add(BlockKind.PARAGRAPH, text[start:end])
        return ("The file is prose, not a table.",) if "," in text else ()
    found = table(text, delimiter)
    width = max(map(len, found.rows), default=0)
    if width <= 1:
        for field in (field for row in _parsed(text, "").rows for field in row):
            put.add(BlockKind.PARAGRAPH, field)
        return ()
    if sparse(found.rows, width):
        for line in text.split("\n"):
            put.add(BlockKind.PARAGRAPH, line)
        return ("The rows differ too much in length to be a table: each is a paragraph.",)
    caption = found.lead[0] if len(found.lead) == 1 else ""
    if not caption:
        put.add(BlockKind.PARAGRAPH, "\n".join(found.lead))
    put.table(found.rows, caption)
    return found.notices


def rows(text: str) -> list[list[str]]:
    """The rows of a table in ``text``, blank ones left out; the first is the header, its names all different."""
    return table(text).rows


def table(text: str, delimiter: str = "") -> Table:
    """The table in ``text`` with a header of names that differ in more than their case; ``delimiter`` if it is known."""
    parsed = _parsed(text, delimiter)
    lead, found = parsed.parted()
    notices = list(parsed.notices)
    if not found:
        return Table([])
    width = _width(found)
    uneven = sum(len(row) != len(found[0]) for row in found)
    if uneven:
        notices.append(f"{uneven:,} of {len(found):,} rows do not have {len(found[0]):,} fields like the first.")
    if _is_data(found):
        notices.append("The first row looks like data: the columns are named column_1, column_2 …")
        header = [f"column_{number}" for number in range(1, width + 1)]
    else:
        header, renamed = named(found.pop(0), width)
        notices += renamed
    return Table([header, *found], tuple(notices), tuple(lead))


def named(header: Sequence[str], width: int) -> tuple[list[str], list[str]]:
    """``width`` column names that differ in more than their case, and a notice of those that are new."""
    names: list[str] = []
    changed: list[str] = []
    taken = {name.strip().casefold() for name in header}
    used: set[str] = set()
    numbers: Counter[str] = Counter()
    for place in range(width):
        old = " ".join(header[place].split()) if place < len(header) else ""
        new = old or f"column_{place + 1}"
        base = new
        while new.casefold() in used or (new != old and new.casefold() in taken):
            numbers[base.casefold()] += 1
            new = f"{base}_{numbers[base.casefold()] + 1}"
        if new != old:
            changed.append(f"{old or f'number {place + 1}'} → {new}")
        used.add(new.casefold())
        names.append(new)
    more = f" and {len(changed) - _NAMED:,} more" if len(changed) > _NAMED else ""
    notice = f"Columns without a name of their own were renamed: {', '.join(changed[:_NAMED])}{more}."
    return names, [notice] if changed else []


@dataclass(frozen=True, slots=True)
class _Parsed:
    """The rows that hold anything, without the empty columns at their right. ``gaps``: after which a line is blank."""

    rows: list[list[str]]
    delimiter: str
    gaps: frozenset[int]
    notices: tuple[str, ...]

    def parted(self) -> tuple[list[str], list[list[str]]]:
        """The lines above the header, and the rows from it on."""
        first = self._first()
        return [self.delimiter.join(row).strip(self.delimiter + " ") for row in self.rows[:first]], self.rows[first:]

    def _first(self) -> int:
        """The number of the header's row: the first that is neither a comment nor much narrower than most."""
        widths = [_width([row]) for row in self.rows[:_TOP]]
        usual, often = max(Counter(widths).items(), key=lambda item: (item[1], item[0]), default=(0, 0))
        if usual < 2 or often < 2:
            return 0
        first = next(number for number, width in enumerate(widths) if width >= usual)
        narrow = all(
            width <= max(1, usual // 2) or self._is_comment(number) for number, width in enumerate(widths[:first])
        )
        if not narrow and first - 1 not in self.gaps:
            return 0
        while self._is_comment(first) and _is_header(self.rows, first + 1):
            first += 1
        return first if first < len(self.rows) - 1 else 0

    def _is_comment(self, number: int) -> bool:
        return self.rows[number][0].lstrip().startswith("#")


def _parsed(text: str, delimiter: str) -> _Parsed:
    dialect = _Dialect(delimiter) if delimiter and delimiter in text else _dialect(text)
    if (said := _SEPARATOR_LINE.match(text)) is not None and said[1] in _DELIMITERS:
        text = text[said.end() :]
        dialect = replace(dialect, delimiter=said[1])
    found, unclosed = _rows(text, dialect)
    filled = [any(field and not field.isspace() for field in row) for row in found]
    gaps, kept = set(), 0
    for here in filled:
        kept += here
        if not here:
            gaps.add(kept - 1)
    found = [row for row, here in zip(found, filled, strict=True) if here]
    width = _width(found)
    notice = ("A quotation mark is opened and never closed: quotation marks were read as text.",) if unclosed else ()
    return _Parsed([row[:width] for row in found], dialect.delimiter, frozenset(gaps), notice)


def _rows(text: str, dialect: _Dialect) -> tuple[list[list[str]], bool]:
    """The rows of ``text``, and whether a quotation mark in them is not closed: from its line on all are text."""
    if '"' not in text:
        return list(dialect.parse(text)), False
    plainly = replace(dialect, quoting=csv.QUOTE_NONE)
    found, begins = _until_unclosed(text, dialect)
    if begins is not None:
        rest = text.split("\n", begins)[-1]
        return [*found, *plainly.parse(rest)], True
    if any("\n" in field for row in found for field in row) and not _is_strict(text, dialect):
        # Two that are not closed look like one quotation of several lines.
        bare = list(plainly.parse(text))
        if _evenness(bare) >= _evenness(found):
            return bare, True
    return found, False


def _until_unclosed(text: str, dialect: _Dialect) -> tuple[list[list[str]], int | None]:
    """The rows, and the line from which on a quotation goes on to the end of the text, if one does."""
    reader = dialect.parse(f"{text}\n{_END}")
    found: list[list[str]] = []
    begins = 0
    for row in reader:
        if row == [_END]:
            return found, None
        if row and row[-1].endswith(f"\n{_END}"):
            return found, begins
        found.append(row)
        begins = reader.line_num
    return found, None


def _is_strict(text: str, dialect: _Dialect) -> bool:
    """Whether every quotation ends where its field does."""
    try:
        for _ in replace(dialect, strict=True).parse(text):
            pass
    except csv.Error:
        return False
    return True


def _evenness(found: Sequence[Sequence[str]]) -> float:
    """The share of rows that have as many fields as most."""
    widths = Counter(len(row) for row in found if row)
    return max(widths.values(), default=0) / max(1, widths.total())


def _is_header(found: Sequence[Sequence[str]], place: int) -> bool:
    """Whether a row names what the rows below it measure."""
    if place >= len(found) - 1:
        return False
    row, below = found[place], found[place + 1 : place + 101]
    measured = [at for at in range(len(row)) if _mostly_measures([each[at] for each in below if at < len(each)])]
    return any(not _is_measure(row[at]) for at in measured)


def _is_prose(text: str, delimiter: str) -> bool:
    """Whether the lines are sentences whose commas and semicolons are no more than that."""
    lines = [line.strip() for line in text[:_SAMPLE].split("\n") if line.strip()]
    if not lines or delimiter or _SEPARATOR_LINE.match(text) or "\t" in text[:_SAMPLE]:
        return False
    signs = _COMMA.findall(text[:_SAMPLE])
    if not signs or sum(sign[-1:].isspace() for sign in signs) < _SPACED * len(signs) or "|" in lines[0]:
        return False
    fields = [_COMMA.split(line.rstrip(",;")) for line in lines]
    if sum(len(row) == 1 for row in fields) * 2 > len(lines) and '"' not in text[:_SAMPLE]:
        return True
    even = _evenness(fields)
    ends = [line[-1] in ".!?:…”’)" for line in lines]
    words = sum(len(line.split()) for line in lines)
    if words < _WORDS_A_LINE * len(lines) or sum(line[0].isdigit() for line in lines) * 2 > len(lines):
        return False
    headed = even == 1 and len(lines) > 2 and not ends[0] and len(lines[0].split()) <= 2 * len(fields[0])
    return not headed and (sum(ends) * 2 >= len(lines) or even < _LEAST_EVEN)


def _width(found: Sequence[Sequence[str]]) -> int:
    """How many columns hold anything."""
    width = 0
    for row in found:
        last = len(row)
        while last > width and not row[last - 1].strip():
            last -= 1
        width = max(width, last)
    return width


def _dialect(text: str) -> _Dialect:
    """How fields are parted: by what gives most rows the same number of fields, more than one."""
    sample = text[:_SAMPLE]
    if len(text) > _SAMPLE:
        sample = sample[: sample.rfind("\n") + 1] or sample
    best = _Dialect(",", 0.0)
    for delimiter in _DELIMITERS:
        if delimiter not in sample:
            continue
        dialect = _Dialect(delimiter, skip_spaces=f'{delimiter} "' in sample)
        widths = Counter(len(row) for row in dialect.parse(sample) if row)
        alike = max((count for width, count in widths.items() if width > 1), default=0) / max(1, widths.total())
        if alike > best.alike:
            best = replace(dialect, alike=alike)
    if best.alike < _LEAST_ALIKE:
        # A delimiter in the first line parts even rows of all lengths.
        return next((_Dialect(each) for each in _DELIMITERS if each in sample.split("\n", 1)[0]), best)
    return best


def _is_data(found: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is clearly no header: it has numbers or dates wherever the rows below have."""
    first, below = found[0], found[1:101]
    measured = [
        place for place in range(len(first)) if _mostly_measures([row[place] for row in below if place < len(row)])
    ]
    if not measured or not all(_is_measure(first[place]) for place in measured):
        return False
    return not all(_YEAR.fullmatch(first[place].strip()) for place in measured)


def _mostly_measures(fields: Sequence[str]) -> bool:
    filled = [field for field in fields if field.strip()]
    return bool(filled) and sum(map(_is_measure, filled)) > 0.8 * len(filled)


def _is_measure(field: str) -> bool:
    """Whether it is a number or a date."""
    return bool(_NUMBER.fullmatch(field.strip()[:50]) or _DATE.fullmatch(field.strip()[:50]))


def sparse(found: Sequence[Sequence[str]], width: int) -> bool:
    """Whether a table of these rows would be mostly empty."""
    cells = width * len(found)
    return cells > 100_000 and cells > _SPARSE * sum(map(len, found))
