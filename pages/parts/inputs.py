"""A widget for a value of each type of field: what it begins with, and the raw value that a person makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

import streamlit as st

from core import workspace
from core.filters import TEXTS, FieldType
from core.types import FieldSpec, Value
from core.workspace import Workspace
from pages.parts import session

OFFERED = 200  # values to choose from
LONG = 60  # characters that a line shows
_EXACT = 2**53 - 1  # beyond it a browser rounds whole numbers
_FIRST, _LAST = datetime(1000, 1, 1), datetime(9999, 12, 31, 23, 59)


class Kind(StrEnum):
    """The sort of widget: ``OPEN_CHOICE`` offers values and takes others."""

    CHOICE = "choice"
    OPEN_CHOICE = "open choice"
    LINE = "line"
    TEXT = "text"
    LIST = "list"
    WHOLE = "whole"
    NUMBER = "number"
    YES_NO = "yes or no"
    DAY = "day"
    MOMENT = "moment"


def known(opened: Workspace, spec: FieldSpec) -> tuple[str, ...]:
    """The values that a text field may have or that documents share already, the commonest first."""
    if spec.allowed:
        return spec.allowed
    if spec.type not in TEXTS | {FieldType.STRINGS}:
        return ()
    found = _known(opened.location, opened.store.changes, spec.name)
    shared = spec.type is FieldType.STRINGS or (found and found[0][1] > 1)
    return tuple(value for value, _ in found) if shared else ()


@st.cache_data(max_entries=128, show_spinner=False)
def _known(location: str, changes: int, field: str) -> tuple[tuple[str, int], ...]:  # noqa: ARG001 - part of the key
    found = workspace.open(Path(location)).store.values(field, OFFERED)
    return tuple((str(value), count) for value, count in found)


def kind(spec: FieldSpec, value: Value | None, offered: Sequence[str] = ()) -> Kind:
    """The widget that shows ``value`` whole: what a browser would round or cut is a line of text."""
    match spec.type:
        case FieldType.STRINGS:
            return Kind.LIST
        case FieldType.STRING | FieldType.ENUM if spec.allowed:
            return Kind.CHOICE
        case FieldType.STRING | FieldType.ENUM:
            text = str(value or "")
            short = len(text) <= LONG and "\n" not in text and "\r" not in text
            repeated = 0 < len(offered) < OFFERED and max(map(len, offered)) <= LONG
            return Kind.TEXT if not short else Kind.OPEN_CHOICE if repeated else Kind.LINE
        case FieldType.INTEGER:
            return Kind.WHOLE if value is None or abs(int(value)) <= _EXACT else Kind.LINE  # type: ignore[arg-type]
        case FieldType.NUMBER:
            return Kind.NUMBER
        case FieldType.BOOLEAN:
            return Kind.YES_NO
    if value is None:
        return Kind.DAY
    if not isinstance(value, datetime) or not _FIRST <= value <= _LAST or value.second or value.microsecond:
        return Kind.LINE
    return Kind.MOMENT if value.hour or value.minute else Kind.DAY


def raw(spec: FieldSpec, value: Value | None) -> object:
    """A typed value as ``draw`` gives it back while nobody has changed it."""
    if isinstance(value, tuple):
        return list(dict.fromkeys(value)) or None
    if isinstance(value, datetime):
        at_midnight = value == datetime(value.year, value.month, value.day)
        return value.date().isoformat() if at_midnight else value.isoformat()
    if isinstance(value, str):
        return value.replace("\r\n", "\n").replace("\r", "\n") or None
    return str(value) if kind(spec, value) is Kind.LINE and value is not None else value


def said(spec: FieldSpec, value: Value) -> str:
    """A typed value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, tuple) else str(raw(spec, value))


def draw(
    spec: FieldSpec, value: Value | None, key: str, label: str, *, offered: Sequence[str] = (), hint: str = "", **more: Any
) -> object:  # fmt: skip
    """Draw the widget for a field, beginning with ``value``; what it holds now as a raw value, None for nothing.

    ``offered`` are values to choose from, ``hint`` stands where there is none yet.
    """
    start = raw(spec, value)
    found = kind(spec, value, offered)
    begin: Any = start
    match found:
        case Kind.DAY if isinstance(start, str):
            begin = date.fromisoformat(start)
        case Kind.MOMENT if isinstance(start, str):
            begin = datetime.fromisoformat(start)
        case Kind.LIST:
            begin = start or []
    return _drawn(
        spec, found, begin, label, list(offered), {"key": session.begun(key, begin), "placeholder": hint, **more}
    )


def _drawn(spec: FieldSpec, found: Kind, begin: Any, label: str, offered: list[str], more: dict[str, Any]) -> object:
    match found:
        case Kind.CHOICE:
            return st.selectbox(label, offered, index=None, **more)
        case Kind.OPEN_CHOICE:
            return st.selectbox(label, offered, index=None, accept_new_options=True, **more) or None
        case Kind.LIST:
            options = list(dict.fromkeys([*begin, *offered]))
            return st.multiselect(label, options, accept_new_options=not spec.allowed, **more) or None
        case Kind.WHOLE:
            return st.number_input(label, value=None, step=1, min_value=-_EXACT, max_value=_EXACT, **more)
        case Kind.NUMBER:
            return st.number_input(label, value=None, format=_format(begin), **more)
        case Kind.YES_NO:
            return st.selectbox(label, [True, False], index=None, format_func=lambda on: "yes" if on else "no", **more)
        case Kind.TEXT:
            return st.text_area(label, value=None, height=110, **more) or None
        case Kind.LINE:
            return st.text_input(label, value=None, **more) or None
    del more["placeholder"]
    if found is Kind.DAY:
        day = st.date_input(
            label, value=None, min_value=_FIRST.date(), max_value=_LAST.date(), format="YYYY-MM-DD", **more
        )
        return day.isoformat() if isinstance(day, date) else None
    return raw(
        spec, st.datetime_input(label, value=None, min_value=_FIRST, max_value=_LAST, format="YYYY-MM-DD", **more)
    )


def _format(start: object) -> str:
    """As many decimals as a number has."""
    text = repr(start)
    return f"%.{len(text.partition('.')[2])}f" if "." in text and "e" not in text else "%g"
