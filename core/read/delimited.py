"""Tables as text: fields parted by commas, semicolons, tabs or bars. Every value stays as it is written."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Literal

from core.read.content import Assembler, Content
from core.read.decode import decoded
from core.read.formats import Format
from core.settings import ReadSettings
from core.types import BlockKind, Progress

# Of those that fit equally well, the first: a comma may stand in a number, and a bar hardly anywhere.
_DELIMITERS = "\t;|,"
_SAMPLE = 200_000  # characters
_LEAST_ALIKE = 0.4  # of the rows have the same number of fields, or it is no table
_SPARSE = 10  # times more cells in the table than fields in the file are too many
_NUMBER = re.compile(r"[-+(]?[$€£¥]?\s?\d[\d.,'’ \u00a0]*(?:[eE][-+]?\d+)?\s?[%)€]?")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d.*)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SEPARATOR_LINE = re.compile(r"sep=(.)\n", re.IGNORECASE)
_NAMED = 10  # new column names that a notice lists
csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of fields as written, the header first and its names all different; ``notices`` tell what was changed."""

    rows: list[list[str]]
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Dialect:
    delimiter: str
    alike: float = 1.0
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL
    skip_spaces: bool = False

    def parse(self, text: str) -> Iterator[list[str]]:
        lines = StringIO(text, newline="")
        return csv.reader(
            lines, delimiter=self.delimiter, quoting=self.quoting, skipinitialspace=self.skip_spaces, strict=False
        )


def content(data: bytes, format: Format, settings: ReadSettings, _progress: Progress) -> Content:
    """One table. Rows of a single field, or too different in length to be a table, are a paragraph each."""
    text = decoded(data, settings)
    put = Assembler(ligatures=settings.clean)
    found = table(text.text, "\t" if format.name == "TSV" else "")
    width = max((len(row) for row in found.rows), default=0)
    notices = found.notices
    if width > 1 and not sparse(found.rows, width):
        put.table(found.rows)
    else:
        notices = () if width <= 1 else ("The rows differ too much in length to be a table: each is a paragraph.",)
        for line in (
            text.text.split("\n") if width > 1 else (field for row in _parsed(text.text, "")[0] for field in row)
        ):
            put.add(BlockKind.PARAGRAPH, line)
    put.cleaned.update(text.cleaned)
    return put.content(encoding=text.encoding, guessed=text.guessed, notices=(*text.notices, *notices))


def rows(text: str) -> list[list[str]]:
    """The rows of a table in ``text``, blank ones left out; the first is the header, its names all different."""
    return table(text).rows


def table(text: str, delimiter: str = "") -> Table:
    """The table in ``text`` with a header of names that differ in more than their case; ``delimiter`` if it is known."""
    found, notices = _parsed(text, delimiter)
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
    return Table([header, *found], tuple(notices))


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


def _parsed(text: str, delimiter: str) -> tuple[list[list[str]], list[str]]:
    """The rows that hold anything, without the empty columns at their right; and notices."""
    dialect = _Dialect(delimiter) if delimiter and delimiter in text else _dialect(text)
    if (said := _SEPARATOR_LINE.match(text)) is not None and said[1] in _DELIMITERS:
        text = text[said.end() :]
        dialect = replace(dialect, delimiter=said[1])
    found = list(dialect.parse(text))
    notices = []
    # A quote that is never closed swallows all rows to the end of the file.
    if found and found[-1] and found[-1][-1].count("\n") > max(20, len(found)):
        found = list(replace(dialect, quoting=csv.QUOTE_NONE).parse(text))
        notices.append("A quotation mark is opened and never closed: quotation marks were read as text.")
    found = [row for row in found if any(field and not field.isspace() for field in row)]
    width = _width(found)
    return [row[:width] for row in found], notices


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
