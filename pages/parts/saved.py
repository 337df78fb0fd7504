"""Searches with names: the question and all that decides what comes back, saved, asked again, deleted and brought back."""

from __future__ import annotations

import streamlit as st

from core.errors import AppError
from core.saved import LONGEST_NAME, SavedSearch
from core.types import Index
from core.workspace import Workspace
from pages.parts import errors, filters, session
from pages.parts.text import counted, literal, shortened


def menu(opened: Workspace, index: Index) -> None:
    """The saved searches, and what saves the one in hand."""
    every = opened.remembered.searches()
    label = f"Saved searches · {len(every)}" if every else "Saved searches"
    with st.popover(label, icon=":material/bookmark:", type="tertiary", key="saved-menu"):
        _save(opened, index)
        _undo(opened)
        for number, saved in enumerate(every):
            _row(opened, number, saved)


def offered(opened: Workspace) -> None:
    """The saved searches where nothing is asked yet."""
    every = opened.remembered.searches()
    if every:
        st.caption("Saved searches:")
        with st.container(horizontal=True):
            for number, saved in enumerate(every[:8]):
                st.button(
                    literal(shortened(saved.name, 40)), key=f"offered-{number}", icon=":material/bookmark:",
                    help=literal(shortened(saved.question, 200)), on_click=ask, args=(opened, saved),
                )  # fmt: skip


def in_hand(name: str, index: Index) -> SavedSearch:
    """The search as it stands on the page."""
    state = session.current()
    return SavedSearch(name, state.question, state.filter, state.search_settings, index.id)


def ask(opened: Workspace, saved: SavedSearch) -> None:
    """Ask a saved search again; where its index is gone, the one in use is asked."""
    state = session.current()
    state.ask_as(saved.question, saved.filter, saved.settings)
    index = next((known for known in opened.indexes() if known.id == saved.index), None)
    if index and index.id != state.index:
        state.use(index)


def _save(opened: Workspace, index: Index) -> None:
    if not session.current().question.strip():
        st.caption("Ask a question: it can be saved here with its filter and settings.")
        return
    with st.form("saved-form", border=False, clear_on_submit=True):
        name = st.text_input("Save this search as", key="saved-name", max_chars=LONGEST_NAME)
        if st.form_submit_button("Save", key="saved-save", type="primary"):
            with errors.shown():
                opened.remembered.save_search(in_hand(name, index))
                session.current().deleted_search = None
                st.rerun()


def _undo(opened: Workspace) -> None:
    gone = session.current().deleted_search
    if gone:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"“{literal(shortened(gone.name, 30))}” is deleted.", width="content")
            st.button("Bring it back", key="saved-undo", icon=":material/undo:", on_click=_restore, args=(opened, gone))


def _row(opened: Workspace, number: int, saved: SavedSearch) -> None:
    name = literal(shortened(saved.name, 40))
    with st.container(gap=None):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            st.button(
                f"**{name}**", key=f"saved-{number}", type="tertiary", help=literal(_said(opened, saved)),
                on_click=ask, args=(opened, saved),
            )  # fmt: skip
            st.button(
                "", key=f"saved-delete-{number}", type="tertiary", icon=":material/delete:", help=f"Delete “{name}”",
                on_click=_delete, args=(opened, saved),
            )  # fmt: skip
        st.caption(literal(shortened(saved.question, 90)))


def _said(opened: Workspace, saved: SavedSearch) -> str:
    """What it asks: ``year ≥ 2023 · 5 hits at most · window ±2 · its index is gone``."""
    settings = saved.settings
    parts = [filters.words(saved.filter, opened)] if filters.parts(saved.filter) else []
    parts += [f"SQL {settings.where}"] if settings.where else []
    parts += [f"{counted(settings.k, 'hit')} at most", f"window ±{settings.window}"]
    parts += [counted(len(settings.boosts), "boost")] if settings.boosts else []
    gone = saved.index not in {known.id for known in opened.indexes()}
    return shortened(" · ".join([*parts, *(["its index is gone"] if gone else [])]), 300)


def _delete(opened: Workspace, saved: SavedSearch) -> None:
    opened.remembered.delete_search(saved.name)
    session.current().deleted_search = saved


def _restore(opened: Workspace, gone: SavedSearch) -> None:
    try:
        opened.remembered.save_search(gone)
    except AppError:
        return  # there are as many as there can be: it stays offered
    session.current().deleted_search = None
