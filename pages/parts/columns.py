"""Columns of the table of documents: which there are, what they hold, and how each type is changed in its cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import datetime
from typing import Any

import pandas as pd
import streamlit as st

from core.filters import TIMES, FieldType
from core.types import DocumentInfo, FieldSpec
from core.workspace import Workspace
from pages.parts import inputs
from pages.parts.narrowing import place
from pages.parts.text import literal

OFFERED = 200
WIDTHS = {"tick": 34, "name": 148, "state": 112, "nodes": 52, "sentences": 75, "format": 80, "pages": 55}
NUMBERS = ("nodes", "sentences", "pages")
AFTER = ("state", "nodes", "sentences", "format", "pages")
_OURS = frozenset({*WIDTHS, "_index"})
_TYPES = {FieldType.STRINGS: 96, FieldType.DATE: 90, FieldType.DATETIME: 90}
_MOMENT, _OTHER = 132, 92  # pixels: a time of day beside the day; every other type
_MOST = 4  # fields that are shown while nobody has chosen
_ROOM = 717  # pixels: the table on a narrow screen
_EXACT = 2**53 - 1  # beyond it a browser rounds whole numbers


def every(fields: Sequence[FieldSpec]) -> dict[str, FieldSpec | None]:
    """All columns to choose from by name; None for those that are no fields. A field with a name of ours gets another."""
    found: dict[str, FieldSpec | None] = {}
    taken = _OURS | {spec.name for spec in fields}
    for spec in fields:
        name = spec.name
        while name in _OURS or (name != spec.name and name in taken):
            name = f"{name} (field)"
        found[name] = spec
    return found | dict.fromkeys(AFTER)


def usual(there: Mapping[str, FieldSpec | None], documents: Sequence[DocumentInfo], seen: Set[str]) -> list[str]:
    """The columns to begin with, of those that are there: fields that documents have, or had, the usual ones first.

    What is known of documents besides comes after, as far as a narrow screen has room for it.
    """
    held = set(seen).union(*(info.metadata for info in documents))
    fields = {name: spec for name, spec in there.items() if spec and spec.name in held}
    first = sorted(fields, key=place)[:_MOST]
    left = room() - sum(_width(fields[name], documents) for name in first)
    for name in AFTER:
        if name == "pages" and not any(info.reading.pages for info in documents):
            continue
        left -= WIDTHS[name]
        if left >= 0 or name == "state":
            first.append(name)
    return first


def room() -> int:
    """How many pixels a narrow screen leaves beside the ticks and the names."""
    return _ROOM - WIDTHS["tick"] - WIDTHS["name"]


def _width(spec: FieldSpec, documents: Sequence[DocumentInfo]) -> int:
    moments = spec.type is FieldType.DATETIME and not all(_is_day(info.metadata.get(spec.name)) for info in documents)
    return _MOMENT if moments else _TYPES.get(spec.type, _OTHER)


def _is_day(value: object) -> bool:
    return not isinstance(value, datetime) or value == datetime(value.year, value.month, value.day)


def texts(found: Iterable[str | None]) -> pd.Series[Any]:
    return pd.Series(list(found), dtype="string")


def wholes(found: Iterable[int | None]) -> pd.Series[Any]:
    return pd.Series(list(found), dtype="Int64")


def lists(found: Iterable[list[str] | None]) -> pd.Series[Any]:
    return pd.Series(list(found), dtype=object)


def values(spec: FieldSpec, infos: Sequence[DocumentInfo]) -> pd.Series[Any]:
    """What documents hold of a field, in a column that keeps its type when it is empty."""
    found: list[Any] = [info.metadata.get(spec.name) for info in infos]
    match spec.type:
        case FieldType.STRINGS:
            return lists(None if value is None else list(value) for value in found)
        case FieldType.INTEGER if all(value is None or abs(value) <= _EXACT for value in found):
            return wholes(found)
        case FieldType.NUMBER:
            return pd.Series(found, dtype="Float64")
        case FieldType.BOOLEAN:
            return pd.Series(found, dtype="boolean")
        case kind if kind in TIMES:
            return pd.Series(found, dtype="datetime64[us]")
    return texts(None if value is None else str(value) for value in found)


def config(opened: Workspace, spec: FieldSpec, column: pd.Series[Any]) -> Any:
    """How a field is shown and changed."""
    width = _TYPES.get(spec.type, _OTHER)
    told: dict[str, Any] = {"label": spec.name, "help": literal(spec.description) or None, "width": width}
    match spec.type:
        case FieldType.STRINGS:
            return st.column_config.MultiselectColumn(
                options=list(inputs.known(opened, spec)), accept_new_options=not spec.allowed, **told
            )
        case FieldType.STRING | FieldType.ENUM if spec.allowed:
            return st.column_config.SelectboxColumn(options=spec.allowed, **told)
        case FieldType.INTEGER if column.dtype == "Int64":
            return st.column_config.NumberColumn(step=1, format="%d", **told)
        case FieldType.NUMBER:
            return st.column_config.NumberColumn(**told)
        case FieldType.BOOLEAN:
            return st.column_config.CheckboxColumn(**told)
        case kind if kind in TIMES:
            moments = column.dropna()
            if kind is FieldType.DATE or bool((moments == moments.dt.normalize()).all()):
                return st.column_config.DateColumn(format="YYYY-MM-DD", **told)
            return st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm", **(told | {"width": _MOMENT}))
    return st.column_config.TextColumn(**told)
