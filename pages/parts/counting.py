"""How many nodes match, and how many have each value: worked out once per state of the workspace."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core import facets, workspace
from core.facets import Facet
from core.filters import Field, Filter
from core.types import Index
from core.workspace import Workspace


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
    """``**212** of 3,481 nodes match``; raises as ``matching`` does."""
    found, total = matching(opened, index, filter, where)
    return f"**{found:,}** of {total:,} nodes match"


def facet(opened: Workspace, index: Index, field: Field, others: Filter, where: str = "") -> Facet:
    """The values of a field with the nodes that have each, of those that pass ``others`` and ``where``.

    Raises:
        InvalidFilter: one of both cannot be evaluated.
    """
    changes = opened.store.changes
    return _facet(opened.location, changes, index.id, field.name, repr(others), where, field, others)


@st.cache_resource(max_entries=300, show_spinner=False)
def _facet(
    location: str, changes: int, index_id: str, name: str, key: str, where: str, _field: Field, _others: Filter  # noqa: ARG001 - part of the key
) -> Facet:  # fmt: skip
    opened = workspace.open(Path(location))
    return facets.facet(opened.store, opened.index(index_id), _field, _others, where)
