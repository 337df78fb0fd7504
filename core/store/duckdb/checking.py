"""Filters before they run: whether they fit the schema, and whether their patterns can be tried in reasonable time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import duckdb

from core.errors import InvalidFilter
from core.filters import Filter, Op, check, conditions, steps
from core.store.duckdb.where import Column, Columns, Home, schema

Cursor = duckdb.DuckDBPyConnection

SECONDS = 2.0
_SECONDS_A_STEP = 1e-8
"""What one step of a pattern takes at most for one character (measured: 0.1 to 1.1e-8 s, DuckDB 2.0)."""
SHORT, GROWTH = 0.05, 4
"""Work is done in pieces; the next is so many times as large if one took less than so many seconds, else as much smaller."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    table: str
    column: Column
    text: str


def checked(
    cursor: Cursor, filters: Sequence[Filter], columns: Columns, tables: Mapping[Home, str]
) -> tuple[Filter, ...]:
    """The filters checked against the schema; ``tables`` names the table of each home that they may ask about.

    DuckDB looks up from its work only every 2,048 rows, and a pattern can take milliseconds for a long value. So
    patterns that might take longer than two seconds together are tried before, in pieces, and given up then.

    Raises:
        InvalidFilter: see ``filters.check``; a field of another home; or a pattern that DuckDB does not read, or that takes too long.
    """
    found = tuple(check(one, schema(columns)) for one in filters)
    for one in (one for each in found for one in conditions(each) if columns[one.field].home not in tables):
        raise InvalidFilter(
            f"{one.field!r} belongs to the nodes of an index, not to documents.", "Search with it instead."
        )
    patterns = {
        _Pattern(tables[columns[one.field].home], columns[one.field], str(one.value))
        for each in found
        for one in conditions(each)
        if one.op is Op.MATCHES
    }
    if patterns:
        _refuse_slow(cursor, patterns)
    return found


def _refuse_slow(cursor: Cursor, patterns: set[_Pattern]) -> None:
    for pattern in patterns:
        _refuse_unreadable(cursor, pattern.text)
    if sum(_longest(cursor, pattern) for pattern in patterns) <= SECONDS:
        return
    deadline = time.monotonic() + SECONDS
    for pattern in patterns:
        for _ in _tried(cursor, pattern):
            if time.monotonic() > deadline:
                raise InvalidFilter(
                    f"Matching takes longer than {SECONDS:g} seconds on the texts here.", "Write a simpler pattern."
                )


def _refuse_unreadable(cursor: Cursor, pattern: str) -> None:
    try:
        cursor.execute("SELECT regexp_matches('', ?)", [pattern])
    except duckdb.InvalidInputException as error:
        beyond = any(word in str(error) for word in ("perl operator", "invalid escape"))
        hint = "Look-around and back references are not supported." if beyond else ""
        raise InvalidFilter(f"The pattern cannot be used: {error}", hint) from None


def _longest(cursor: Cursor, pattern: _Pattern) -> float:
    """How many seconds the pattern may take at the worst."""
    sql = f"SELECT coalesce(sum(length({pattern.column.quoted})), 0) FROM {pattern.table}"
    ((characters,),) = cursor.execute(sql).fetchall()
    return float(characters) * steps(pattern.text) * _SECONDS_A_STEP


def _tried(cursor: Cursor, pattern: _Pattern) -> Iterator[None]:
    """Match row after row, in growing pieces as long as these take little time; yield after each."""
    ((rows,),) = cursor.execute(f"SELECT coalesce(max(rowid) + 1, 0) FROM {pattern.table}").fetchall()
    sql = (
        f"SELECT count(*) FROM {pattern.table} "
        f"WHERE rowid >= ? AND rowid < ? AND regexp_matches({pattern.column.quoted}, ?)"
    )
    first, size = 0, 1
    while first < rows:
        start = time.monotonic()
        cursor.execute(sql, [first, first + size, pattern.text]).fetchall()
        yield
        first += size
        size = size * GROWTH if time.monotonic() - start < SHORT else max(1, size // GROWTH)
