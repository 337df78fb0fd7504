"""What is odd about the metadata of the documents that are here, and the fixes to take or leave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core import workspace
from core.errors import AppError
from core.metadata import Fix, Raw, Report, SetType
from core.types import FieldSpec
from core.workspace import Workspace
from pages.parts import errors, findings, jobs, lint_panel, session
from pages.parts.findings import Item
from pages.parts.text import counted, literal

_DIALOG = "linter"


@dataclass(frozen=True, slots=True)
class Looked:
    """A workspace as the linter saw it."""

    raws: Mapping[str, Raw]
    fields: Mapping[str, FieldSpec]
    report: Report
    items: tuple[Item, ...]
    strict: bool


def button(opened: Workspace) -> None:
    """A button with the number of problems, which opens them in a dialog; to be drawn once on a page."""
    count = _count(opened)
    found = f"Fix {counted(count, 'problem')}" if count else "Check metadata"
    st.button(found, key="open-linter", icon=":material/rule:", on_click=session.current().show, args=(_DIALOG,))
    if session.current().dialog == _DIALOG:
        _dialog(opened)


def _count(opened: Workspace) -> int | None:
    """How many problems there are; while documents come in, how many there were."""
    decisions = session.current().linting
    if not (jobs.running("add") or jobs.running("build")):
        decisions.count = len(looked(opened).items)
    return decisions.count


def looked(opened: Workspace) -> Looked:
    """The findings about a workspace, worked out once for each state of it."""
    return _looked(opened.location, opened.store.changes)


@st.cache_resource(max_entries=3, show_spinner=False)
def _looked(location: str, changes: int) -> Looked:  # noqa: ARG001 - part of the key
    opened = workspace.open(Path(location))
    raws, fields, strict, report = opened.raws(), opened.fields(), opened.strict, opened.lint()
    items = tuple(findings.items(report, fields, raws, strict=strict))
    return Looked(raws, {spec.name: spec for spec in fields}, report, items, strict)


def _closed() -> None:
    session.current().show("")


@st.dialog("Is the metadata in order?", width="large", icon=":material/rule:", on_dismiss=_closed)
def _dialog(opened: Workspace) -> None:
    """All findings, and what to do about them; what was done is taken back here, too."""
    state = session.current()
    found = looked(opened)
    decisions = state.linting
    if decisions.refused:
        errors.show(decisions.refused)
    _undo(opened)
    if found.items:
        st.caption(
            f"{counted(len(found.items), 'problem')} in the metadata of {counted(found.report.documents, 'document')}. "
            "Nothing changes before you apply it, and what was given stays kept."
        )
        lint_panel.panel(found.items, decisions, found.raws, found.fields, strict=found.strict, where=_DIALOG)
        _apply(opened, found)
    else:
        st.markdown(f":material/check: Nothing odd in the metadata of {counted(found.report.documents, 'document')}.")
    lint_panel.coverage(found.report.coverage, _DIALOG)


def _apply(opened: Workspace, found: Looked) -> None:
    decisions = session.current().linting
    fixes = decisions.fixes(found.items)
    with st.container(horizontal=True, vertical_alignment="center", key="lint-actions"):
        st.button(
            f"Apply {counted(len(fixes), 'fix')}" if fixes else "Apply", key="lint-apply", type="primary", icon=":material/done_all:",
            disabled=not fixes, on_click=_fix, args=(opened, fixes),
        )  # fmt: skip
        st.button("Take all", key="lint-take", on_click=decisions.take_all, args=(found.items,), type="tertiary")
        st.button("Leave all", key="lint-leave", on_click=decisions.leave_all, args=(found.items,), type="tertiary")


def _fix(opened: Workspace, fixes: list[Fix]) -> None:
    """Make the fixes, and keep what takes them back; what is refused is kept to be told."""
    state = session.current()
    changed = {fix.field for fix in fixes if isinstance(fix, SetType)}
    former = tuple(spec for spec in opened.fields() if spec.name in changed)
    state.linting.refused = None
    try:
        edited = opened.fix(fixes)
    except AppError as error:
        state.linting.refused = error
        return
    state.linting.taken.clear()
    state.linting.done = findings.Done(counted(len(fixes), "fix"), edited, former)
    if edited.documents:
        state.edits.append((counted(len(fixes), "fix"), edited))


def _undo(opened: Workspace) -> None:
    """What was done last, and a way back."""
    state = session.current()
    done = state.linting.done
    if done is None or (done.edited.documents and not any(edited is done.edited for _, edited in state.edits)):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        said = f"{done.label} applied: {counted(done.edited.documents, 'document')} changed."
        types = f" {counted(len(done.former), 'field')} read anew." if done.former else ""
        st.caption(f":material/check: {literal(said + types)}", width="content")
        st.button("Undo", key="lint-undo", type="tertiary", icon=":material/undo:", on_click=_take_back, args=(opened,))


def _take_back(opened: Workspace) -> None:
    """Values first, then the types they are read as."""
    state = session.current()
    done, state.linting.done = state.linting.done, None
    if done is None:
        return
    try:
        opened.undo(done.edited)
        for spec in done.former:
            opened.set_field(spec)
    except AppError as error:
        state.linting.refused = error
    state.edits = [(label, edited) for label, edited in state.edits if edited is not done.edited]
