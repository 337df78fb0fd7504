"""JSON and JSON lines as readable text: flat records as a table, others as a section each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import UnreadableFile
from core.read import delimited, plain
from core.read.content import Assembler, Content
from core.read.decode import Decoded, decoded
from core.read.formats import Format
from core.settings import ReadSettings
from core.types import BlockKind, Progress

_LONG = 200  # characters: a longer value is a paragraph of its own
_SHORT = 1_000  # characters of a record that is a row of a table
_MOST_COLUMNS = 60
_NAMES = ("title", "name", "heading", "subject", "label", "id", "key")
_NAMED = 10  # bad lines that a notice lists
_REPORT_EVERY = 5_000  # records


def content(data: bytes, format: Format, settings: ReadSettings, progress: Progress) -> Content:
    """A list of flat objects is a table; any other record its short values as a list, its long ones as paragraphs.

    Raises:
        UnreadableFile: no JSON, with line and column; nested too deeply; or not one line of a JSON lines file is JSON.
    """
    try:
        return _content(decoded(data, settings), format, settings, progress)
    except RecursionError:
        raise UnreadableFile("The JSON is nested too deeply.", "Bring its values further up.") from None


def _content(text: Decoded, format: Format, settings: ReadSettings, progress: Progress) -> Content:
    put = _Writer(Assembler(ligatures=settings.clean), progress)
    notices: list[str] = []
    if format.name == "JSON lines":
        put.records(_lines(text.text, notices))
    elif text.text.strip():
        put.whole(_whole(text.text, notices))
    put.to.cleaned.update(text.cleaned)
    return put.to.content(encoding=text.encoding, guessed=text.guessed, notices=(*text.notices, *notices))


@dataclass(slots=True)
class _Pairs:
    """An object as its keys and values in order: a key may come twice."""

    items: list[tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class _Number:
    """A number as written: no digit is lost."""

    text: str


_DECODER = json.JSONDecoder(
    object_pairs_hook=_Pairs, parse_int=_Number, parse_float=_Number, parse_constant=_Number, strict=False
)


def _whole(text: str, notices: list[str]) -> Any:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise _no_json(error) from None
    # Several values one after the other are JSON lines under another name.
    try:
        return list(_lines(text, notices, strict=True))
    except json.JSONDecodeError as error:
        raise _no_json(error) from None


def _no_json(error: json.JSONDecodeError) -> UnreadableFile:
    return UnreadableFile(
        f"The file is no JSON: {error.msg} in line {error.lineno:,}, column {error.colno:,}.",
        "Mend it and add it again.",
    )


def _lines(text: str, notices: list[str], *, strict: bool = False) -> list[Any]:
    """The values of JSON lines; lines that are none are named in a notice, or are an error if ``strict``."""
    values, bad = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            values.append(_DECODER.decode(line))
        except json.JSONDecodeError as error:
            if strict:
                raise json.JSONDecodeError(error.msg, text, _offset(text, number) + error.pos) from None
            bad.append(number)
        except RecursionError:
            if strict:
                raise
            bad.append(number)
    if bad and not values:
        raise UnreadableFile("No line of the file is JSON.", "Write one JSON value on each line.")
    if bad:
        more = f" and {len(bad) - _NAMED:,} more" if len(bad) > _NAMED else ""
        lines = "Line" if len(bad) == 1 else "Lines"
        notices.append(f"{lines} left out for not being JSON: {', '.join(map(str, bad[:_NAMED]))}{more}.")
    return values


def _offset(text: str, line: int) -> int:
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
    return at


@dataclass(slots=True)
class _Writer:
    """Puts values into a text."""

    to: Assembler
    progress: Progress

    def whole(self, value: Any) -> None:
        """The one value of a file."""
        if isinstance(value, list):
            self.records(value)
        elif isinstance(value, _Pairs):
            self._object(value, 1)
        else:
            self._paragraphs(_scalar(value))

    def records(self, values: Sequence[Any], level: int = 1) -> None:
        """A table, if they are flat; else a section for each, or a paragraph if none is an object or list."""
        if (rows := _as_rows(values)) is not None:
            self.to.table(rows)
            return
        sections = any(isinstance(value, _Pairs | list) for value in values)
        for number, value in enumerate(values, 1):
            if level == 1 and number % _REPORT_EVERY == 1:
                self.progress(number, len(values), f"record {number:,}")
            if sections:
                self.to.section(_title(value, number), level)
            if isinstance(value, _Pairs | list):
                self._object(value if isinstance(value, _Pairs) else _Pairs([("", value)]), level + 1)
            else:
                self._paragraphs(_scalar(value))

    def _object(self, value: _Pairs, level: int) -> None:
        """Short values as one list, then lists of flat objects as tables and long texts as paragraphs, under their keys."""
        short: list[str] = []
        long: list[tuple[str, Any]] = []
        for path, leaf in _leaves("", value):
            if isinstance(leaf, list) or len(leaf) > _LONG or "\n" in leaf.strip():
                long.append((path, leaf))
            else:
                short.append(f"{path}: {leaf}" if path else leaf)
        self.to.items((0, line) for line in short)
        for path, leaf in long:
            self.to.section(path or "Values", level)
            if isinstance(leaf, str):
                self._paragraphs(leaf)
            else:
                self.records(leaf, level + 1)

    def _paragraphs(self, text: str) -> None:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        for start, end in plain.paragraphs(text, 0, len(text)):
            self.to.add(BlockKind.PARAGRAPH, text[start:end])


def _scalar(value: Any) -> str:
    """A value that is no object or list, as JSON has it but for the quotation marks; null is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return value.text if isinstance(value, _Number) else str(value)


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The values in an object by path (``a.b``): text, or a list that is not short enough to be one."""
    if isinstance(value, _Pairs):
        for key, inner in value.items:
            yield from _leaves(f"{path}.{key}" if path else key, inner)
    elif isinstance(value, list):
        if not value:
            return
        plain_ones = all(not isinstance(each, _Pairs | list) for each in value)
        joined = ", ".join(filter(None, map(_scalar, value))) if plain_ones else ""
        yield path, joined if plain_ones and len(joined) <= _LONG and "\n" not in joined else value
    elif (text := _scalar(value)).strip():
        yield path, text


def _title(value: Any, number: int) -> str:
    """What a record calls itself, or its number."""
    if isinstance(value, _Pairs):
        own = {key.lower(): _scalar(each) for key, each in value.items if not isinstance(each, _Pairs | list)}
        for name in _NAMES:
            if (title := " ".join(own.get(name, "").split())) and len(title) <= _LONG:
                return title
    return f"Record {number:,}"


def _as_rows(values: Sequence[Any]) -> list[list[str]] | None:
    """The rows of a table of flat, short objects, its header first; nothing if they are not that."""
    if len(values) < 2 or not all(isinstance(each, _Pairs) for each in values):
        return None
    columns: dict[str, int] = {}
    for value in values:
        if not _is_row(value):
            return None
        for key, _ in value.items:
            columns.setdefault(key, len(columns))
        if len(columns) > _MOST_COLUMNS:
            return None
    rows = [[""] * len(columns) for _ in values]
    for row, value in zip(rows, values, strict=True):
        for key, each in value.items:
            row[columns[key]] = _cell(each)
    if not columns or delimited.sparse([[cell for cell in row if cell] for row in rows], len(columns)):
        return None
    header, _ = delimited.named([key.strip() for key in columns], len(columns))
    return [header, *rows]


def _is_row(value: _Pairs) -> bool:
    """Whether an object is flat and short, and has no key twice."""
    keys = [key for key, _ in value.items]
    cells = [_cell(each) for _, each in value.items if _is_flat(each)]
    return (
        len(cells) == len(keys) == len(set(keys))
        and max(map(len, cells), default=0) <= _LONG
        and sum(map(len, cells)) <= _SHORT
        and not any("\n" in cell.strip() for cell in cells)
    )


def _is_flat(value: Any) -> bool:
    if isinstance(value, list):
        return all(not isinstance(each, _Pairs | list) for each in value)
    return not isinstance(value, _Pairs)


def _cell(value: Any) -> str:
    return ", ".join(filter(None, map(_scalar, value))) if isinstance(value, list) else _scalar(value)
