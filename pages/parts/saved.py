"""Searches with names: the question and all that decides what comes back, saved, asked again, deleted and brought back."""

from __future__ import annotations

import streamlit as st

from core.saved import LONGEST_NAME, SavedSearch
from core.types import Index
from core.workspace import Workspace
from pages.parts import filters, named, session
from pages.parts.text import counted, literal, shortened


def menu(opened: Workspace, index: Index) -> None:
    """The saved searches, and what saves the one in hand."""
    every = opened.remembered.searches()
    label = f"Saved searches · {len(every)}" if every else "Saved searches"
    with st.popover(label, icon=":material/bookmark:", type="tertiary", key="saved-menu"):
        _save(opened, index)
        if gone := session.current().deleted_search:
            named.brought_back("saved", gone.name, lambda: _keep(opened, gone))
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
                    help=literal(f"{shortened(saved.question, 200)} · {_said(opened, saved)}"), on_click=ask, args=(opened, saved),
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
    named.form("saved", "Save this search as", LONGEST_NAME, lambda name: _keep(opened, in_hand(name, index)))


def _keep(opened: Workspace, saved: SavedSearch) -> None:
    opened.remembered.save_search(saved)
    session.current().deleted_search = None


def _row(opened: Workspace, number: int, saved: SavedSearch) -> None:
    name = literal(shortened(saved.name, 40))
    with st.container(gap=None):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            st.button(
                f"**{name}**", key=f"saved-{number}", type="tertiary", on_click=ask, args=(opened, saved),
            )  # fmt: skip
            st.button(
                "", key=f"saved-delete-{number}", type="tertiary", icon=":material/delete:", help=f"Delete “{name}”",
                on_click=_delete, args=(opened, saved),
            )  # fmt: skip
        st.caption(f"{literal(shortened(saved.question, 90))}  \n{literal(_said(opened, saved))}")


def _said(opened: Workspace, saved: SavedSearch) -> str:
    """Under what it asks: ``year ≥ 2023 · 5 hits at most · window ±2 · its index is gone``."""
    settings = saved.settings
    parts = [filters.words(saved.filter, opened) if filters.parts(saved.filter) else "no filter"]
    parts += [f"SQL {settings.where}"] if settings.where else []
    parts += [f"{counted(settings.k, 'hit')} at most", f"window ±{settings.window}"]
    parts += [f"distance ≤ {1 - settings.least_cosine:.2f}"] if settings.least_cosine is not None else []
    parts += [counted(len(settings.boosts), "boost")] if settings.boosts else []
    gone = saved.index not in {known.id for known in opened.indexes()}
    return shortened(" · ".join([*parts, *(["its index is gone"] if gone else [])]), 300)


def _delete(opened: Workspace, saved: SavedSearch) -> None:
    opened.remembered.delete_search(saved.name)
    session.current().deleted_search = saved
