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


def settle(opened: Workspace, index: Index) -> None:
    """Set a condition aside that cannot be evaluated (a link's, or after a change of fields): nothing is searched with it."""
    state = session.current()
    if state.where and (why := _refusal(opened, index, state.where)):
        _put_aside(state.where, why)
        state.where = ""


def said() -> None:
    """The condition in use, to be dropped with a click, and one that is not used, to be mended."""
    state = session.current()
    if state.filtering.why_wrong:
        st.button(
            "SQL not used", key="chip-unused", icon=":material/warning:", on_click=session.put, args=("expert", True),
            help=literal(shortened(f"{state.filtering.why_wrong.what} It reads: {state.filtering.wrong_where}", 400)),
        )  # fmt: skip
    if state.where:
        st.button(
            literal(shortened(f"SQL: {state.where}", 60)), key="chip-where", icon=":material/close:",
            help="Drop the condition in SQL", on_click=_drop,
        )  # fmt: skip


def _refusal(opened: Workspace, index: Index, condition: str) -> AppError | None:
    """Why a condition cannot be evaluated."""
    try:
        counting.matching(opened, index, session.current().filter, condition)
    except AppError as error:
        return error
    return None


def _put_aside(condition: str, why: AppError | None) -> None:
    filtering = session.current().filtering
    filtering.wrong_where, filtering.why_wrong = condition, why


def _drop() -> None:
    session.current().where = ""
    _put_aside("", None)


def _draw(opened: Workspace, index: Index) -> None:
    state = session.current()
    wrong, why = state.filtering.wrong_where, state.filtering.why_wrong
    st.text_area(
        "A condition that must hold beside the filter", height=110, max_chars=_LONGEST,
        placeholder="tokens > 20 and lower(category) like 'leg%'",
        **session.tied("expert-where", wrong or state.where, lambda text: _take(opened, index, text)),
    )  # fmt: skip
    if why:
        errors.show(why)
        instead = f"Not used. In use is: {state.where}" if state.where else "Not used."
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(literal(shortened(instead, 300)), width="content")
            st.button(
                "Leave it out", key="expert-drop", type="tertiary", icon=":material/close:", on_click=_put_aside, args=("", None),
            )  # fmt: skip
    elif state.where:
        st.markdown(f"In use: {counting.said(opened, index, state.filter, state.where)}, the filter included")
    st.caption("One expression, no subqueries. It runs in a locked copy of the columns below, never on the workspace.")
    st.code("\n".join(_columns(opened)), language=None, height=180)


def _take(opened: Workspace, index: Index, text: str) -> None:
    typed = text.strip()
    why = _refusal(opened, index, typed) if typed else None
    _put_aside(typed if why else "", why)
    if not why:
        session.current().where = typed


def _columns(opened: Workspace) -> list[str]:
    """The columns as they are written in SQL, with their types after a comment's sign."""
    fields = opened.store.schema().values()
    quoted = [(f.name if _PLAIN.fullmatch(f.name) else '"' + f.name.replace('"', '""') + '"', f.type) for f in fields]
    return [f"{name} -- {kind}" for name, kind in quoted]
