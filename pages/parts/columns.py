"""Columns of the table of documents: which there are, what they hold, and how each type is changed in its cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
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
AFTER = ("state", "nodes", "sentences", "format", "pages")
_OURS = frozenset({"tick", "name", "_index", *AFTER})
_MOST = 4  # fields that are shown while nobody has chosen
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
    """The columns to begin with, of those that are there: fields that documents have, or had, the usual ones first."""
    held = set(seen).union(*(info.metadata for info in documents))
    fields = [name for name, spec in there.items() if spec and spec.name in held]
    first = sorted(fields, key=place)
    paged = any(info.reading.pages for info in documents)
    return [*first[:_MOST], *(name for name in AFTER if name != "pages" or paged)]


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
    told: dict[str, Any] = {"label": spec.name, "help": literal(spec.description) or None}
    match spec.type:
        case FieldType.STRINGS:
            return st.column_config.MultiselectColumn(
                options=list(inputs.known(opened, spec)), accept_new_options=not spec.allowed, width=100, **told
            )
        case FieldType.STRING | FieldType.ENUM if spec.allowed:
            return st.column_config.SelectboxColumn(options=spec.allowed, width=96, **told)
        case FieldType.INTEGER if column.dtype == "Int64":
            return st.column_config.NumberColumn(step=1, format="%d", width=80, **told)
        case FieldType.NUMBER:
            return st.column_config.NumberColumn(width=80, **told)
        case FieldType.BOOLEAN:
            return st.column_config.CheckboxColumn(width=80, **told)
        case kind if kind in TIMES:
            moments = column.dropna()
            if kind is FieldType.DATE or bool((moments == moments.dt.normalize()).all()):
                return st.column_config.DateColumn(format="YYYY-MM-DD", width=94, **told)
            return st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm", width=132, **told)
    return st.column_config.TextColumn(width=96, **told)
