"""The question and all that decides what comes back: the same row on Search and on the map."""

from __future__ import annotations

import streamlit as st

from core.workspace import Workspace
from pages.parts import filters, history, session, traps


def bar(opened: Workspace, page: str) -> None:
    """Draw the question, k, the window, the filter and the distance limit."""
    question, k, window = st.columns([6, 2, 2], vertical_alignment="bottom")
    question.text_input("Question", placeholder="Ask the documents something", **session.bound("question"))
    k.slider("k, hits at most", 1, 20, **session.bound("k"))
    window.slider("Window ± sentences", 0, 10, **session.bound("window"))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        filters.editor(opened)
        history.chooser(opened, page, _ask)
        limit = session.current().max_distance
        label = "Distance limit" if limit >= 2 else f"Distance ≤ {limit:.2f}"
        with st.popover(label, icon=":material/straighten:", type="tertiary"):
            st.slider(
                "Leave out hits further away than (cosine distance; 2 is no limit)",
                0.0, 2.0, step=0.01, **session.bound("max_distance"),
            )  # fmt: skip
        if page == "search":
            st.toggle(
                "Boundary marks", **session.bound("boundary_marks"),
                help="Say [DOCUMENT_START] or [DOCUMENT_END] where the document ends before the window does. Never embedded.",
            )  # fmt: skip
        traps.button(page, opened)


def _ask(question: str) -> None:
    session.current().question = question
