"""The cells of an Excel workbook as a reader sees them: results, not formulas; dates as ISO 8601; nothing for a blank."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from lxml import etree

from core.errors import UnreadableFile
from core.read import archive, package

_MOST_XML = 400_000_000
"""Bytes that a workbook's parts may unpack to."""
_SMALL = 20_000_000  # bytes that may be packed as tightly as they like
_MOST_COLUMNS = 16_384
_FIRST_DAY = datetime(1899, 12, 30)
_FIRST_DAY_MAC = datetime(1904, 1, 1)
_LAST_DAY = 2_958_466  # of the year 9999
_NOT_OF_THE_DATE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|general', re.IGNORECASE)
_PERCENT = re.compile(r"[#,]*0(?:\.(0+))?\s?%")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_BUILT_IN = {
    9: "0%", 10: "0.00%", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm", 19: "h:mm:ss",
    20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss",
    **dict.fromkeys((*range(27, 32), 36, *range(50, 59)), "yyyy-mm-dd"),
}  # fmt: skip

Cells = list[tuple[int, str]]
"""A row's filled cells: column, from 0, and text."""


class _Look(StrEnum):
    PLAIN = "plain"
    DATE = "date"
    TIME = "time"
    MOMENT = "moment"
    DURATION = "duration"
    PERCENT = "percent"
    ZEROS = "zeros"


@dataclass(frozen=True, slots=True)
class _Style:
    """How a number is shown: ``digits`` after the point of a percentage, or in all for one with leading zeros."""

    look: _Look = _Look.PLAIN
    digits: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """A tab: ``part`` is where its cells are, empty for a chart."""

    name: str
    hidden: bool
    part: str


class Workbook:
    """A workbook whose sheets are read one after the other. ``uncalculated`` counts formulas without a stored result."""

    def __init__(self, data: bytes) -> None:
        """Open it.

        Raises:
            UnreadableFile: it is damaged, locked or too large unpacked.
        """
        self.uncalculated = 0
        self._left = _MOST_XML
        self._zip = _opened(data)
        main = next(iter(self._related("", "/officeDocument").values()), "xl/workbook.xml")
        root = self._root(main)
        worksheets = self._related(main, "/worksheet")
        properties = next(root.iter("{*}workbookPr"), None)
        since_1904 = properties is not None and properties.get("date1904") in ("1", "true")
        self._first_day = _FIRST_DAY_MAC if since_1904 else _FIRST_DAY
        self.sheets = [_sheet(each, worksheets) for each in root.iter("{*}sheet")]
        strings = next(iter(self._related(main, "/sharedStrings").values()), "")
        styles = next(iter(self._related(main, "/styles").values()), "")
        self._strings = [_string(item) for item in self._each(strings, "si")] if strings else []
        self._styles = _styles(self._root(styles)) if styles else []

    def rows(self, sheet: Sheet) -> Iterator[Cells]:
        """The filled cells of each row; an empty row for each gap between rows."""
        last = 0
        for row in self._each(sheet.part, "row"):
            number = int(float(row.get("r") or last + 1))
            cells = self._cells(row)
            if cells:
                if number != last + 1:
                    yield []
                yield cells
                last = number

    def _cells(self, row: Any) -> Cells:
        cells: Cells = []
        column = -1
        for cell in row:
            reference = cell.get("r")
            column = _column(reference) if reference else column + 1
            text = self._shown(cell)
            if text and not text.isspace() and column < _MOST_COLUMNS:
                cells.append((column, text))
        return cells

    def _shown(self, cell: Any) -> str:
        kind, value, formula = cell.get("t", "n"), None, False
        for child in cell:
            tag = etree.QName(child).localname
            if tag == "v":
                value = child.text
            elif tag == "is":
                return _string(child)
            elif tag == "f":
                formula = True
        if value is None:
            self.uncalculated += formula
            return ""
        if kind == "s":
            return self._strings[int(value)]
        if kind == "b":
            return "true" if value.strip() in ("1", "true") else "false"
        return self._number(value, cell.get("s")) if kind == "n" else _unescaped(value)

    def _number(self, written: str, style: str | None) -> str:
        try:
            value = float(written)
        except ValueError:
            return written
        place = int(style) if style else 0
        return _formatted(
            value, written, self._styles[place] if place < len(self._styles) else _Style(), self._first_day
        )

    def _related(self, part: str, kind: str) -> dict[str, str]:
        """The parts of a kind that ``part`` refers to, by the reference's name."""
        folder, name = posixpath.split(part)
        path = posixpath.join(folder, "_rels", f"{name}.rels")
        if path not in self._zip.namelist():
            return {}
        return {
            each.get("Id", ""): posixpath.normpath(posixpath.join("/", folder, each.get("Target", ""))).lstrip("/")
            for each in self._root(path)
            if (each.get("Type") or "").endswith(kind)
        }

    def _root(self, part: str) -> Any:
        return package.xml(self._bytes(part))

    def _each(self, part: str, tag: str) -> Iterator[Any]:
        """The elements of that name in a part, one at a time: sheets are large."""
        data = self._bytes(part)
        if b"<!DOCTYPE" in data[:2000]:
            raise ValueError("a document type declaration")
        for _, element in etree.iterparse(BytesIO(data), tag="{*}" + tag, resolve_entities=False, huge_tree=True):
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]

    def _bytes(self, part: str) -> bytes:
        try:
            data = archive.inflated(self._zip, self._zip.getinfo(part), self._left, small=_SMALL)
        except archive.TooLarge:
            raise UnreadableFile(f"The workbook unpacks to more than {_MOST_XML:,} bytes.", "Split it.") from None
        self._left -= len(data)
        return data


def _opened(data: bytes) -> ZipFile:
    try:
        return ZipFile(BytesIO(data))
    except (*archive.DAMAGED, NotImplementedError):
        raise UnreadableFile("The Excel file is damaged: its zip cannot be opened.", "Save it again.") from None


def _sheet(element: Any, worksheets: dict[str, str]) -> Sheet:
    reference = next((value for key, value in element.attrib.items() if key.endswith("}id")), "")
    hidden = element.get("state", "visible") != "visible"
    return Sheet(element.get("name", ""), hidden, worksheets.get(reference, ""))


def _string(item: Any) -> str:
    """The text of a string, without the reading aids that East Asian names have."""
    parts = []
    for element in item.iter("{*}t"):
        if element.getparent().tag.endswith("}rPh"):
            continue
        parts.append(element.text or "")
    return _unescaped("".join(parts))


def _unescaped(text: str) -> str:
    """``_x000D_`` stands for a character that XML cannot hold."""
    text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _column(reference: str) -> int:
    """The column of a cell reference: 0 for ``A1``, 27 for ``AB7``."""
    number = 0
    for character in reference:
        if not "A" <= character <= "Z":
            break
        number = number * 26 + ord(character) - 64
    return number - 1


def _styles(root: Any) -> list[_Style]:
    """How each cell style shows numbers."""
    formats = {int(each.get("numFmtId", -1)): each.get("formatCode", "") for each in root.iter("{*}numFmt")}
    cells = next(root.iter("{*}cellXfs"), ())
    identities = [int(each.get("numFmtId", 0)) for each in cells]
    return [_style(formats.get(number, _BUILT_IN.get(number, ""))) for number in identities]


def _style(code: str) -> _Style:
    first = code.split(";")[0].strip()
    if len(first) > 1 and not first.strip("0"):
        return _Style(_Look.ZEROS, len(first))
    bare = _NOT_OF_THE_DATE.sub("", first)
    if percent := _PERCENT.fullmatch(bare.strip()):
        return _Style(_Look.PERCENT, len(percent[1] or ""))
    letters = bare.lower()
    if "[" in letters:
        return _Style(_Look.DURATION)
    clock = "h" in letters or "s" in letters
    if "y" in letters or "d" in letters or (letters and not letters.strip("m-/. ")):
        return _Style(_Look.MOMENT if clock else _Look.DATE)
    return _Style(_Look.TIME if clock else _Look.PLAIN)


def _formatted(value: float, written: str, style: _Style, first_day: datetime) -> str:
    if style.look is _Look.ZEROS and value >= 0 and value.is_integer():
        return f"{value:.0f}".zfill(style.digits)
    if style.look is _Look.PERCENT:
        return f"{value * 100:.{style.digits}f}%"
    if style.look is _Look.DURATION:
        minutes, seconds = divmod(round(value * 86_400), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if style.look is not _Look.PLAIN and 0 <= value < _LAST_DAY - 1462:
        return _moment(value, style.look, first_day)
    return written if written.lstrip("-").isdigit() else f"{value:.15g}"


def _moment(value: float, look: _Look, first_day: datetime) -> str:
    # To Excel 1900 was a leap year.
    value += 1 if first_day is _FIRST_DAY and 1 <= value < 60 else 0
    moment = first_day + timedelta(seconds=round(value * 86_400))
    clock = moment.time().isoformat("seconds" if moment.second else "minutes")
    if look is _Look.TIME or (look is _Look.MOMENT and value < 1):
        return clock
    day = moment.date().isoformat()
    return day if look is _Look.DATE or clock == "00:00" else f"{day} {clock}"
