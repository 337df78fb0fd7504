"""Changing metadata and taking documents out, each with a way back: the newest change is undone first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core import rules
from core.errors import AppError
from core.store.base import Cell, Cells
from core.workspace import Edited, Removed, Workspace
from pages.parts import attention, session
from pages.parts.text import counted, literal

KEPT = 30  # steps: each holds the values that it replaced


def write(opened: Workspace, changes: Mapping[str, Mapping[str, object]], what: str, *, in_table: bool = False) -> bool:
    """Set raw values by document id and field, and keep the way back under ``what`` was done; whether that was possible.

    What is refused is kept to be told where the list stands. Documents that are gone are left out. ``in_table`` says
    that the table shows these values already: they were typed into it.
    """
    here = {info.id for info in opened.documents()}
    changes = {doc_id: row for doc_id, row in changes.items() if row and doc_id in here}
    if not changes:
        return True
    listing, before = session.current().listing, opened.store.changes
    listing.refused = None
    try:
        edited = opened.edit(changes)
    except AppError as error:
        listing.refused = error
        listing.forget_typed()
        return False
    attention.follow(opened, before, {doc_id: dict.fromkeys(row, Cell()) for doc_id, row in changes.items()})
    _keep(what, edited)
    if listing.choices:
        listing.kept |= changes.keys()
    if not in_table:
        listing.refresh()
    return True


def remove(opened: Workspace, doc_ids: Sequence[str]) -> None:
    """Take documents out, and keep the way back."""
    state, removed = session.current(), list[Removed]()
    state.listing.refused = None
    try:
        for doc_id in doc_ids:
            removed.append(opened.remove(doc_id))
    except AppError as error:
        state.listing.refused = error
    if removed:
        _keep("", tuple(removed))
    if state.open_document in {one.record.passage.document.id for one in removed}:
        state.open(None)


def _keep(what: str, step: Edited | tuple[Removed, ...]) -> None:
    state = session.current()
    state.edits.append((what, step))
    del state.edits[:-KEPT]


def line(opened: Workspace) -> None:
    """What was done last, and the way back."""
    state = session.current()
    while state.edits and isinstance(step := state.edits[-1][1], Edited) and not _here(opened, step):
        state.edits.pop()  # its documents are gone: there is nothing to take back
    if not state.edits:
        return
    st.button(
        "Undo", key="undo", type="tertiary", icon=":material/undo:", on_click=_take_back, args=(opened,),
        help=f"{counted(len(state.edits), 'step')} can be taken back" if len(state.edits) > 1 else None,
    )  # fmt: skip
    st.caption(literal(_told(opened, *state.edits[-1])), width="stretch")


def _told(opened: Workspace, what: str, step: Edited | tuple[Removed, ...]) -> str:
    if isinstance(step, Edited):
        names = [info.name for info in opened.documents() if info.id in step.before] if step.documents == 1 else []
        return f"{what} in {names[0] if names else counted(step.documents, 'document')}"
    if len(step) == 1:
        return f"{step[0].record.passage.document.name} was deleted."
    return f"{counted(len(step), 'document')} were deleted."


def _take_back(opened: Workspace) -> None:
    """Undo the newest step; one that cannot be undone stays, and the reason is told."""
    state = session.current()
    state.listing.refused = None
    state.listing.refresh()
    what, step = state.edits.pop()
    try:
        if isinstance(step, Edited):
            _unedit(opened, step)
        else:
            while step:
                opened.restore(step[-1])
                step = step[:-1]
    except AppError as error:
        state.listing.refused = error
        state.edits.append((what, step))


def _unedit(opened: Workspace, step: Edited) -> None:
    before, fields = opened.store.changes, {spec.name: spec for spec in opened.fields()}
    again = {
        doc_id: {name: rules.read_again(cell, fields[name]) for name, cell in row.items() if name in fields}
        for doc_id, row in _here(opened, step).items()
    }
    opened.undo(step)
    attention.follow(opened, before, again)


def _here(opened: Workspace, step: Edited) -> Mapping[str, Cells]:
    """What a step holds of the documents that are there."""
    here = {info.id for info in opened.documents()}
    return {doc_id: row for doc_id, row in step.before.items() if doc_id in here}
