"""Filters with names: saved with the workspace, applied, deleted and brought back."""

from __future__ import annotations

import streamlit as st

from core.errors import AppError
from core.filters import EVERYTHING, check
from core.named_filter import LONGEST_NAME, NamedFilter
from core.types import Index
from core.workspace import Workspace
from pages.parts import counting, filter_words, named, session
from pages.parts.text import literal, shortened


def menu(opened: Workspace, index: Index) -> None:
    """The saved filters, and what saves the one in use."""
    box = st.popover(
        "Saved filters", icon=":material/bookmarks:", type="tertiary", key="named-filters", on_change="rerun"
    )
    if box.open:
        with box:
            _save(opened)
            if gone := session.current().deleted_filter:
                named.brought_back("named", gone.name, lambda: _keep(opened, gone))
            for number, saved in enumerate(opened.remembered.filters()):
                _row(opened, index, number, saved)


def _save(opened: Workspace) -> None:
    in_use = session.current().filter
    if in_use == EVERYTHING:
        st.caption("Add a filter: it can be saved here under a name.")
        return
    named.form("named", "Save this filter as", LONGEST_NAME, lambda name: _keep(opened, NamedFilter(name, in_use)))


def _keep(opened: Workspace, saved: NamedFilter) -> None:
    opened.remembered.save_filter(saved)
    session.current().deleted_filter = None


def _row(opened: Workspace, index: Index, number: int, saved: NamedFilter) -> None:
    count, fits = _count(opened, index, saved)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False, key=f"named-row-{number}"
    ):
        st.button(
            f"**{literal(shortened(saved.name, 40))}** · {count}", key=f"named-{number}", type="tertiary", width="stretch",
            help=literal(shortened(filter_words.words(saved.filter, opened), 300)), disabled=not fits,
            on_click=_apply, args=(opened, saved),
        )  # fmt: skip
        st.button(
            "Delete", key=f"named-delete-{number}", icon=":material/delete:", type="tertiary",
            on_click=_delete, args=(opened, saved),
        )  # fmt: skip


def _count(opened: Workspace, index: Index, saved: NamedFilter) -> tuple[str, bool]:
    """How many nodes match, or that it does not fit the workspace any more."""
    try:
        found, _ = counting.matching(opened, index, check(saved.filter, opened.store.schema()))
    except AppError:
        return "its fields have changed", False
    return f"{found:,}", True


def _apply(opened: Workspace, saved: NamedFilter) -> None:
    session.current().filter = check(saved.filter, opened.store.schema())
    session.put("named-filters", False)


def _delete(opened: Workspace, saved: NamedFilter) -> None:
    opened.remembered.delete_filter(saved.name)
    session.current().deleted_filter = saved
