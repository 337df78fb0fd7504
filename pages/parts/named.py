"""What is kept under a name: the form that saves it, and the row that brings back what was deleted."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.errors import AppError
from pages.parts import errors
from pages.parts.text import literal, shortened


def form(key: str, label: str, longest: int, save: Callable[[str], None]) -> None:
    """A name and a button that hands it to ``save``; what is wrong with it is told here."""
    with st.form(f"{key}-form", border=False, clear_on_submit=True):
        name = st.text_input(label, key=f"{key}-name", max_chars=longest)
        if st.form_submit_button("Save", key=f"{key}-save", type="primary"):
            with errors.shown():
                save(name)
                st.rerun()


def brought_back(key: str, name: str, restore: Callable[[], None]) -> None:
    """Say that ``name`` is deleted, with a button that brings it back; where that cannot be, it stays offered."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"“{literal(shortened(name, 30))}” is deleted.", width="content")
        st.button(
            "Bring it back",
            key=f"{key}-undo",
            icon=":material/undo:",
            type="tertiary",
            on_click=_tried,
            args=(restore,),
        )


def _tried(restore: Callable[[], None]) -> None:
    try:
        restore()
    except AppError:
        return
