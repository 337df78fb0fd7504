"""How many nodes match, and how many have each value: worked out once per state of the workspace."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import streamlit as st

from core import workspace
from core.filters import TIMES, Field, FieldType, Filter, Scalar
from core.filters.words import instant
from core.store.base import Facet
from core.types import Index
from core.workspace import Workspace
from pages.parts.text import counted, percent

MOST_VALUES = 200


def matching(opened: Workspace, index: Index, filter: Filter, where: str = "") -> tuple[int, int]:
    """How many nodes pass the filter and the condition in SQL, and of how many.

    Raises:
        InvalidFilter: one of both cannot be evaluated.
    """
    return _matching(opened.location, opened.store.changes, index.id, repr(filter), where, filter)


@st.cache_data(max_entries=1000, show_spinner=False)
def _matching(location: str, changes: int, index_id: str, key: str, where: str, _filter: Filter) -> tuple[int, int]:  # noqa: ARG001 - part of the key
    return workspace.open(Path(location)).count(_filter, index_id, where)


def said(opened: Workspace, index: Index, filter: Filter, where: str = "") -> str:
    """``**212** of 3,481 nodes match (6 %)``; raises as ``matching`` does."""
    return in_words(*matching(opened, index, filter, where))


def in_words(found: int, total: int) -> str:
    """``**212** of 3,481 nodes match (6 %)``."""
    return f"**{found:,}** of {total:,} nodes match ({percent(found, total)})"


def facet(opened: Workspace, index: Index, field: Field, others: Filter, where: str = "") -> Facet:
    """The values of a field with the nodes that have each, of those that pass ``others`` and ``where``.

    Raises:
        InvalidFilter: one of both cannot be evaluated.
    """
    changes = opened.store.changes
    return _facet(opened.location, changes, index.id, field.name, repr(others), where, others)


@st.cache_resource(max_entries=300, show_spinner=False)
def _facet(
    location: str, changes: int, index_id: str, name: str, key: str, where: str, _others: Filter  # noqa: ARG001 - part of the key
) -> Facet:  # fmt: skip
    opened = workspace.open(Path(location))
    return opened.store.facet(opened.index(index_id), name, _others, MOST_VALUES, where)


def ends(opened: Workspace, field: Field, found: Facet) -> str:
    """``2019 to 2026 · 480 nodes have one`` for a field of numbers or times with these values; empty for others."""
    if field.type not in TIMES | {FieldType.INTEGER, FieldType.NUMBER}:
        return ""
    values = [value for value, count in found.values if count]
    if len(found.values) >= MOST_VALUES:
        values = [] if field.of_node else list(_of_documents(opened.location, opened.store.changes, field.name))
    have = found.matching - found.missing
    held = f"{counted(have, 'node')} {'has' if have == 1 else 'have'} one"
    return " · ".join([*([f"{_told(min(values))} to {_told(max(values))}"] if values else []), held])


@st.cache_data(max_entries=100, show_spinner=False)
def _of_documents(location: str, changes: int, field: str) -> tuple[Scalar, ...]:  # noqa: ARG001 - part of the key
    """The least and the largest value among all documents."""
    held = [info.metadata.get(field) for info in workspace.open(Path(location)).documents()]
    known: list[Scalar] = [value for value in held if value is not None and not isinstance(value, tuple)]
    return (min(known), max(known)) if known else ()


def _told(value: Scalar) -> str:
    if isinstance(value, datetime):
        return instant(value)
    return f"{value:g}" if isinstance(value, float) else str(value)
