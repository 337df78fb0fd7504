"""One ``metadata.csv`` for a folder: a row for each file, a column for each field.

From bytes to documents: ``read`` gives the rows, ``rows_to_sidecars`` what each says, ``for_documents`` about which.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from io import StringIO
from typing import TYPE_CHECKING

from core.errors import InvalidMetadata
from core.metadata.paths import Documents, slashed

if TYPE_CHECKING:
    from _csv import Reader

NAMES = frozenset({"metadata.csv", "metadata.tsv"})
FILE_COLUMNS = frozenset({"name", "file", "filename", "path", "document"})
"""Names, in any case, of the column that says which file a row is about."""
MAX_BYTES = 10_000_000
MAX_CELL = 100_000
"""Characters; below what the csv module reads of itself."""

_SEPARATORS = ",;\t"
_SEPARATOR_LINE = re.compile(r"sep=([,;\t])\n", re.IGNORECASE)
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_PARTS = re.compile(r"[|;]")
_WHOLE = re.compile(r"0|-?[1-9]\d{0,18}", re.ASCII)
_DECIMAL = re.compile(r"-?(?:0|[1-9]\d*)\.\d+", re.ASCII)
_SHOWN = 80  # characters of a cell in a message
_BEYOND = 2**63
_EXACT = 2**53  # whole numbers up to here are the same as numbers
_TRUTHS = {"true": True, "false": False}


def is_table(name: str) -> bool:
    """Whether a file of that name, in any case and folder, says what is known about the files around it."""
    return slashed(name).rsplit("/", 1)[-1].lower() in NAMES


# Bytes → rows


def read(data: bytes) -> list[list[str]]:
    """The rows of a table in UTF-8, or in UTF-16 with its mark; the header is the first that holds anything.

    Fields are parted by comma, semicolon or tab, whichever the header tells. NUL characters are left out.

    Raises:
        InvalidMetadata: too large, in another encoding, a cell too long, or a quotation mark astray; the row is named.
    """
    if len(data) > MAX_BYTES:
        raise InvalidMetadata(f"The table has {len(data):,} bytes; up to {MAX_BYTES:,} are read.", "Split it.")
    text = _decoded(data).replace("\0", "").replace("\r\n", "\n").replace("\r", "\n").lstrip("\n")
    said = _SEPARATOR_LINE.match(text)
    if said:
        text = text[said.end() :]
    separator = said[1] if said else _separator(text)
    found: list[list[str]] = []
    try:
        for row in _parsed(text, separator):
            if any(len(cell) > MAX_CELL for cell in row):
                raise _too_long(len(found) + 1)
            if found or _filled(row):
                found.append(row)
    except csv.Error as error:
        raise _malformed(error, len(found) + 1) from None
    return found


def _decoded(data: bytes) -> str:
    wide = data.startswith(_UTF_16) and not data.startswith(codecs.BOM_UTF32_LE)
    try:
        if wide or data.count(0) * 3 < len(data) or not data:
            return data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        pass
    raise InvalidMetadata("The table is not UTF-8 text.", "Save it as UTF-8.")


def _separator(text: str) -> str:
    """What parts the header: it then has a column of files, and the most columns."""

    def fit(separator: str) -> tuple[bool, int]:
        try:
            header = next(filter(_filled, _parsed(text, separator)), [])
        except csv.Error:
            return False, 0
        return any(name.strip().casefold() in FILE_COLUMNS for name in header), len(header)

    return max(_SEPARATORS, key=fit)


def _parsed(text: str, separator: str) -> Reader:
    spaced = f'{separator} "' in text
    return csv.reader(StringIO(text, newline=""), delimiter=separator, skipinitialspace=spaced, strict=True)


def _filled(row: list[str]) -> bool:
    return any(cell.strip() for cell in row)


def _malformed(error: csv.Error, row: int) -> InvalidMetadata:
    if "limit" in str(error):
        return _too_long(row)
    what = f"Row {row} has a quotation mark that is not closed, or text after one that is."
    return InvalidMetadata(what, "Write quotation marks within a cell twice.")


def _too_long(row: int) -> InvalidMetadata:
    what = f"Row {row} holds a cell of more than {MAX_CELL:,} characters."
    return InvalidMetadata(what, "Shorten it; a quotation mark may be missing.")


# Rows → what each says


def rows_to_sidecars(rows: list[list[str]], *, lists: Collection[str] = ()) -> dict[str, dict[str, object]]:
    """The rows below the header by the file they are about: file name as written → what is known about it.

    A column of whole numbers, of numbers, or of true and false alone is read as that; any other stays text as written,
    so does one with a number whose digits would change (007, 1.50, +49). Empty cells are left out; those of the fields
    in ``lists`` are parted at ``|`` and ``;``.

    Raises:
        InvalidMetadata: a file twice, a row without a file, a cell or a column without a name of its own; the row is
            named, the header being row 1.
    """
    if not rows:
        return {}
    header = _header(rows)
    files = next((i for i, name in enumerate(header) if name.casefold() in FILE_COLUMNS), 0)
    found: dict[str, dict[str, str]] = {}
    first: dict[str, int] = {}
    for number, row in enumerate(rows[1:], 2):
        if not _filled(row):
            continue
        file = _file(row, files, number)
        if file in first:
            raise InvalidMetadata(
                f"Rows {first[file]} and {number} are both about {_shown(file)}.", "Keep one of them."
            )
        first[file] = number
        found[file] = _sidecar(header, row, files, number)
    reads = _readings(found.values(), lists)
    return {file: {name: reads[name](cell) for name, cell in cells.items()} for file, cells in found.items()}


def _header(rows: list[list[str]]) -> list[str]:
    """The names of the columns; a column without a name must be empty."""
    header = [name.removeprefix("\ufeff").strip() for name in rows[0]]
    twice = [name for name, count in Counter(name for name in header if name).items() if count > 1]
    if twice:
        raise InvalidMetadata(f"Row 1 names the column {_shown(twice[0])} twice.", "Give one of them another name.")
    return header


def _file(row: list[str], column: int, number: int) -> str:
    file = row[column].strip() if column < len(row) else ""
    if not file:
        raise InvalidMetadata(f"Row {number} names no file.", "Fill in the file, or delete the row.")
    return file


def _sidecar(header: list[str], row: list[str], files: int, number: int) -> dict[str, str]:
    found: dict[str, str] = {}
    for i, cell in enumerate(row):
        if i == files or not cell.strip():
            continue
        name = header[i] if i < len(header) else ""
        if not name:
            raise InvalidMetadata(f"Row {number} holds {_shown(cell)} in a column without a name.", "Name it in row 1.")
        found[name] = cell
    return found


def _readings(sidecars: Iterable[Mapping[str, str]], lists: Collection[str]) -> dict[str, Callable[[str], object]]:
    """How the cells of each column are read."""
    columns: dict[str, set[str]] = defaultdict(set)
    for sidecar in sidecars:
        for name, cell in sidecar.items():
            columns[name].add(cell.strip())
    return {name: _items if name in lists else _reading(words) for name, words in columns.items()}


def _reading(words: Collection[str]) -> Callable[[str], object]:
    if all(map(_is_whole, words)):
        return int
    if all(map(_survives, words)):
        return _number
    return _truth if all(word.lower() in _TRUTHS for word in words) else str


def _is_whole(word: str) -> bool:
    return bool(_WHOLE.fullmatch(word)) and abs(int(word)) < _BEYOND


def _survives(word: str) -> bool:
    """Whether a number keeps its digits beside others that are not whole."""
    if _is_whole(word):
        return abs(int(word)) <= _EXACT
    return bool(_DECIMAL.fullmatch(word)) and str(float(word)) == word


def _number(cell: str) -> int | float:
    word = cell.strip()
    return int(word) if _is_whole(word) else float(word)


def _truth(cell: str) -> bool:
    return _TRUTHS[cell.strip().lower()]


def _items(cell: str) -> list[str]:
    return [part.strip() for part in _PARTS.split(cell) if part.strip()]


# What each says → documents


def for_documents(
    table_name: str,
    sidecars: Mapping[str, Mapping[str, object]],
    documents: Collection[str],
    first: Collection[str] = (),
) -> tuple[dict[str, dict[str, object]], list[str]]:
    """What is known about each document, by its name, and the files of the table that name none of ``documents``.

    A file is a path from the folder of the table, the whole path of a document, or else a name that only one document
    below that folder has, or only one among the ``first``; see ``paths.Documents.of``.

    Raises:
        InvalidMetadata: two files of the table are one document; both are named.
    """
    folder = slashed(table_name).rpartition("/")[0]
    known = Documents(folder, documents, first)
    found: dict[str, dict[str, object]] = {}
    unknown: list[str] = []
    named: dict[str, str] = {}
    for file, sidecar in sidecars.items():
        document = known.of(file)
        if document is None:
            unknown.append(file)
            continue
        if document in named:
            what = f"The rows of {_shown(named[document])} and {_shown(file)} are both about {document!r}."
            raise InvalidMetadata(what, "Keep one of them.")
        named[document] = file
        found[document] = dict(sidecar)
    return found, unknown


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
