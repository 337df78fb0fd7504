"""One ``metadata.csv`` for a folder: a row for each file, a column for each field."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from core.errors import InvalidMetadata

FILE_COLUMNS = frozenset({"name", "file", "filename", "path", "document"})
"""Names, in any case, of the column that says which file a row is about."""
_PARTS = re.compile(r"[|;]")


def rows_to_sidecars(rows: list[list[str]], *, lists: Collection[str] = ()) -> dict[str, dict[str, object]]:
    """The rows below the header by the file they are about: file name → what is known about it.

    Cells stay text, empty ones are left out; those of the fields in ``lists`` are parted at ``|`` and ``;``.

    Raises:
        InvalidMetadata: a file twice, a row without a file, a cell or a column without a name of its own; the row is
            named, the header being row 1.
    """
    if not rows:
        return {}
    header = _header(rows)
    files = next((i for i, name in enumerate(header) if name.casefold() in FILE_COLUMNS), 0)
    found: dict[str, dict[str, object]] = {}
    first: dict[str, int] = {}
    for number, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        file = _file(row, files, number)
        if file in first:
            raise _refused(f"Rows {first[file]} and {number} are both about {file!r}.", "Keep one of them.")
        first[file] = number
        found[file] = _sidecar(header, row, files, lists, number)
    return found


def _header(rows: list[list[str]]) -> list[str]:
    """The names of the columns; a column without a name must be empty."""
    header = [name.removeprefix("\ufeff").strip() for name in rows[0]]
    twice = [name for name, count in Counter(name for name in header if name).items() if count > 1]
    if twice:
        raise _refused(f"Row 1 names the column {twice[0]!r} twice.", "Give one of them another name.")
    return header


def _file(row: list[str], column: int, number: int) -> str:
    file = row[column].strip() if column < len(row) else ""
    if not file:
        raise _refused(f"Row {number} names no file.", "Fill in the file, or delete the row.")
    return file


def _sidecar(header: list[str], row: list[str], files: int, lists: Collection[str], number: int) -> dict[str, object]:
    found: dict[str, object] = {}
    for i, cell in enumerate(row):
        if i == files or not cell.strip():
            continue
        name = header[i] if i < len(header) else ""
        if not name:
            raise _refused(f"Row {number} holds {cell[:40]!r} in a column without a name.", "Name it in row 1.")
        found[name] = _items(cell) if name in lists else cell
    return found


def _items(cell: str) -> list[str]:
    return [part.strip() for part in _PARTS.split(cell) if part.strip()]


def _refused(what: str, do: str) -> InvalidMetadata:
    return InvalidMetadata(f"metadata.csv: {what}", do)
