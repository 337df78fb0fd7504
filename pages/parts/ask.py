"""The question and all that decides what comes back: the same row on Search and on the map."""

from __future__ import annotations

import streamlit as st

from core.workspace import Workspace
from pages.parts import boosts, distances, expert, filters, history, resources, session, traps
from pages.parts.text import literal, shortened


def bar(opened: Workspace, page: str) -> None:
    """Draw the question, k, the window, the filter and what else narrows or weighs."""
    st.html(filters.STYLE)
    _refused()
    index = resources.current_index()
    if index:
        expert.settle(opened, index)
    question, k, window = st.columns([6, 2, 2], vertical_alignment="bottom")
    question.text_input("Question", placeholder="Ask the documents something", **session.bound("question"))
    k.slider("k, hits at most", 1, 20, **session.bound("k"))
    window.slider("Window ± sentences", 0, 10, **session.bound("window"))
    filters.editor(opened)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="ask-row"):
        history.chooser(opened, page, _ask)
        if index:
            boosts.menu(opened, index)
            distances.menu(opened, index)
            expert.menu(opened, index)
        if page == "search":
            st.toggle(
                "Boundary marks", **session.bound("boundary_marks"),
                help="Say [DOCUMENT_START] or [DOCUMENT_END] where the document ends before the window does. Never embedded.",
            )  # fmt: skip
        traps.button(page, opened)
        boosts.said()
        distances.said()
        expert.said()


def _refused() -> None:
    """What the address asked for and could not have, told once."""
    state = session.current()
    if state.refused:
        told = " ".join(shortened(one, 200) for one in state.refused)
        st.warning(f"Not all of this link could be used. {literal(told)}", icon=":material/link_off:")
        state.refused = []


def _ask(question: str) -> None:
    session.current().question = question
