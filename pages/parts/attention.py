"""What needs attention about documents: values that do not fit, required ones that are missing, notes on reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

import streamlit as st

from core import workspace
from core.store.base import Cells
from core.types import DocumentInfo, Index
from core.workspace import Workspace
from pages.parts.text import shortened

UNFIT, LACKING, NOTED, WAITING = "values do not fit", "required missing", "notes on reading", "not in this index"


@dataclass(frozen=True, slots=True)
class Attention:
    """Why documents need attention: reasons by document id, and the ids by the sort of reason."""

    reasons: Mapping[str, tuple[str, ...]]
    groups: Mapping[str, frozenset[str]]


@dataclass(slots=True)
class _Misfits:
    """The values of a workspace that do not fit their fields, by document id and field, as of a count of changes."""

    changes: int = -1
    found: dict[str, dict[str, str]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)


def of(opened: Workspace, index: Index | None) -> Attention:
    """What needs attention, worked out once for each state of the workspace."""
    held = (index.id, index.version) if index else ("", 0)
    return _of(opened.location, opened.store.changes, *held)


@st.cache_resource(max_entries=4, show_spinner=False)
def _of(location: str, changes: int, index_id: str, version: int) -> Attention:  # noqa: ARG001 - part of the key
    opened = workspace.open(Path(location))
    index = next((index for index in opened.indexes() if index.id == index_id), None)
    counts = opened.store.node_counts(index) if index else None
    required = [spec.name for spec in opened.fields() if spec.required]
    unfit = misfits(opened)
    told = {info.id: _reasons(info, unfit.get(info.id, {}), required, counts) for info in opened.documents()}
    groups: dict[str, set[str]] = {sort: set() for sort in (UNFIT, LACKING, NOTED, WAITING)}
    for doc_id, reasons in told.items():
        for sort, _ in reasons:
            groups[sort].add(doc_id)
    given = {doc_id: tuple(dict.fromkeys(why for _, why in found)) for doc_id, found in told.items() if found}
    return Attention(given, {sort: frozenset(ids) for sort, ids in groups.items() if ids})


def _reasons(
    info: DocumentInfo, unfit: Mapping[str, str], required: Sequence[str], counts: Mapping[str, int] | None
) -> list[tuple[str, str]]:
    """The sort of each reason, and the reason."""
    found = [(UNFIT, f"{shortened(name, 40)} does not fit") for name in unfit]
    found += [
        (LACKING, f"{shortened(name, 40)} is missing")
        for name in required if name not in info.metadata and name not in unfit
    ]  # fmt: skip
    found += [(NOTED, shortened(notice, 60)) for notice in info.reading.notices]
    return found + ([(WAITING, WAITING)] if counts is not None and info.id not in counts else [])


def misfits(opened: Workspace) -> Mapping[str, Mapping[str, str]]:
    """Why values do not fit, by document id and field."""
    known = _known(opened.location)
    with known.lock:
        changes = opened.store.changes
        if known.changes != changes:
            known.found = {doc_id: unfit for doc_id, row in opened.cells().items() if (unfit := _unfit(row))}
            known.changes = changes
        return {doc_id: dict(row) for doc_id, row in known.found.items()}


def follow(opened: Workspace, before: int, written: Mapping[str, Cells]) -> None:
    """Keep what is known about misfits through one write, which made ``written`` of the workspace as it was ``before``.

    Where anything else was written too, they are looked for again.
    """
    known = _known(opened.location)
    with known.lock:
        if known.changes != before or opened.store.changes != before + 1:
            return
        for doc_id, row in written.items():
            kept = {name: why for name, why in known.found.pop(doc_id, {}).items() if name not in row}
            if now := kept | _unfit(row):
                known.found[doc_id] = now
        known.changes = before + 1


def _unfit(row: Cells) -> dict[str, str]:
    return {name: cell.misfit for name, cell in row.items() if cell.misfit}


@st.cache_resource(max_entries=16, show_spinner=False)
def _known(location: str) -> _Misfits:  # noqa: ARG001 - part of the key
    return _Misfits()
