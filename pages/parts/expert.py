"""A condition in SQL for experts: checked at once, evaluated in a locked copy."""

from __future__ import annotations

import re

import streamlit as st

from core.errors import AppError
from core.types import Index
from core.workspace import Workspace
from pages.parts import counting, errors, session
from pages.parts.text import literal, shortened

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
_LONGEST = 4000


def menu(opened: Workspace, index: Index) -> None:
    """The condition in use, to be changed; one that is wrong is told and not used."""
    box = st.popover("SQL condition", icon=":material/terminal:", type="tertiary", key="expert", on_change="rerun")
    if box.open:
        with box, st.container(key="wide-expert"):
            _draw(opened, index)


def said() -> None:
    """The condition in use, to be dropped with a click."""
    state = session.current()
    if state.where:
        st.button(
            literal(shortened(f"SQL: {state.where}", 60)), key="chip-where", icon=":material/close:",
            help="Drop the condition in SQL", on_click=_drop,
        )  # fmt: skip


def _drop() -> None:
    state = session.current()
    state.where, state.filtering.wrong_where = "", ""


def _draw(opened: Workspace, index: Index) -> None:
    state = session.current()
    wrong = state.filtering.wrong_where
    st.text_area(
        "A condition that must hold beside the filter", height=110, max_chars=_LONGEST,
        placeholder="tokens > 20 and lower(category) like 'leg%'",
        **session.tied("expert-where", wrong or state.where, lambda text: _take(opened, index, text)),
    )  # fmt: skip
    try:
        if wrong:
            counting.matching(opened, index, state.filter, wrong)
        elif state.where:
            st.markdown(f"In use: {counting.said(opened, index, state.filter, state.where)}, the filter included")
    except AppError as error:
        errors.show(error)
        if wrong:
            instead = f"Not used. In use is: {state.where}" if state.where else "Not used."
            st.caption(literal(shortened(instead, 300)))
    st.caption("One expression, no subqueries. It runs in a locked copy of the columns below, never on the workspace.")
    st.code("\n".join(_columns(opened)), language=None, height=180)


def _take(opened: Workspace, index: Index, text: str) -> None:
    state, typed = session.current(), text.strip()
    state.filtering.wrong_where = ""
    try:
        if typed:
            counting.matching(opened, index, state.filter, typed)
    except AppError:
        state.filtering.wrong_where = typed
        return
    state.where = typed


def _columns(opened: Workspace) -> list[str]:
    """The columns as they are written in SQL, with their types after a comment's sign."""
    fields = opened.store.schema().values()
    quoted = [(f.name if _PLAIN.fullmatch(f.name) else '"' + f.name.replace('"', '""') + '"', f.type) for f in fields]
    return [f"{name} -- {kind}" for name, kind in quoted]
