"""What is odd about the metadata of the documents that are here, and the fixes to take or leave."""

from __future__ import annotations

import streamlit as st

from core.errors import AppError
from core.metadata import Fix, SetType
from core.workspace import Workspace
from pages.parts import edits, errors, findings, jobs, lint_panel, lint_watch, session
from pages.parts.text import counted, literal

_DIALOG = "linter"


def button(opened: Workspace) -> None:
    """A button with the number of problems, which opens them in a dialog; to be drawn once on a page.

    Where looking takes long, the number is the one that was until the new one is known, and the page goes on.
    """
    count, fresh = _soon(opened)
    if fresh:
        _button(count)
    else:
        st.fragment(lambda: _button(_soon(opened)[0]), run_every=1.0)()
    if session.current().dialog == _DIALOG:
        _dialog(opened)


def _soon(opened: Workspace) -> tuple[int | None, bool]:
    return lint_watch.soon(opened, busy=jobs.running("add") or jobs.running("build"))


def _button(count: int | None) -> None:
    label = f"Fix {counted(count, 'problem')}" if count else "Check metadata"
    if st.button(label, key="open-linter", icon=":material/rule:"):
        session.current().show(_DIALOG)
        st.rerun()


def _closed() -> None:
    session.current().show("")
    session.current().listing.refresh()


@st.dialog("Is the metadata in order?", width="large", icon=":material/rule:", on_dismiss=_closed)
def _dialog(opened: Workspace) -> None:
    """All findings, and what to do about them; what was done is taken back here, too."""
    state = session.current()
    with st.spinner("Looking at the metadata …"):
        found = lint_watch.now(opened)
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


def _apply(opened: Workspace, found: lint_watch.Looked) -> None:
    decisions = session.current().linting
    fixes = decisions.fixes(found.items)
    with st.container(horizontal=True, vertical_alignment="center", key="lint-actions"):
        st.button(
            f"Apply {counted(len(fixes), 'fix')}" if fixes else "Apply", key="lint-apply", type="primary", icon=":material/done_all:",
            disabled=not fixes, on_click=_fix, args=(opened, fixes),
        )  # fmt: skip
        if not any(item.options for item in found.items):
            return
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
        del state.edits[: -edits.KEPT]


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
