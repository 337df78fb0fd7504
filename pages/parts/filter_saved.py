"""Filters with names: saved with the workspace, applied, deleted and brought back."""

from __future__ import annotations

import streamlit as st

from core.errors import AppError
from core.filters import EVERYTHING, check
from core.named_filter import LONGEST_NAME, NamedFilter
from core.types import Index
from core.workspace import Workspace
from pages.parts import counting, errors, filter_words, session
from pages.parts.text import literal, shortened


def menu(opened: Workspace, index: Index) -> None:
    """The saved filters, and what saves the one in use."""
    box = st.popover(
        "Saved filters", icon=":material/bookmarks:", type="tertiary", key="named-filters", on_change="rerun"
    )
    if box.open:
        with box:
            _save(opened)
            _deleted(opened)
            for number, named in enumerate(opened.remembered.filters()):
                _row(opened, index, number, named)


def _save(opened: Workspace) -> None:
    in_use = session.current().filter
    if in_use == EVERYTHING:
        st.caption("Add a filter: it can be saved here under a name.")
        return
    with st.form("named-form", border=False, clear_on_submit=True):
        name = st.text_input("Save this filter as", key="named-name", max_chars=LONGEST_NAME)
        if st.form_submit_button("Save", key="named-save", type="primary"):
            with errors.shown():
                opened.remembered.save_filter(NamedFilter(name, in_use))
                session.current().deleted_filter = None


def _deleted(opened: Workspace) -> None:
    gone = session.current().deleted_filter
    if gone:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"“{literal(shortened(gone.name, 30))}” is deleted.", width="content")
            st.button("Bring it back", key="named-undo", icon=":material/undo:", on_click=_restore, args=(opened, gone))


def _row(opened: Workspace, index: Index, number: int, named: NamedFilter) -> None:
    count, fits = _count(opened, index, named)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False, key=f"named-row-{number}"
    ):
        st.button(
            f"**{literal(shortened(named.name, 40))}** · {count}", key=f"named-{number}", type="tertiary", width="stretch",
            help=literal(shortened(filter_words.words(named.filter, opened), 300)), disabled=not fits,
            on_click=_apply, args=(opened, named),
        )  # fmt: skip
        st.button(
            "Delete", key=f"named-delete-{number}", icon=":material/delete:", type="tertiary",
            on_click=_delete, args=(opened, named),
        )  # fmt: skip


def _count(opened: Workspace, index: Index, named: NamedFilter) -> tuple[str, bool]:
    """How many nodes match, or that it does not fit the workspace any more."""
    try:
        found, _ = counting.matching(opened, index, check(named.filter, opened.store.schema()))
    except AppError:
        return "its fields have changed", False
    return f"{found:,}", True


def _apply(opened: Workspace, named: NamedFilter) -> None:
    session.current().filter = check(named.filter, opened.store.schema())
    session.put("named-filters", False)


def _delete(opened: Workspace, named: NamedFilter) -> None:
    opened.remembered.delete_filter(named.name)
    session.current().deleted_filter = named


def _restore(opened: Workspace, named: NamedFilter) -> None:
    opened.remembered.save_filter(named)
    session.current().deleted_filter = None
