"""The faults planted in the sample, each with what to try and what will be seen."""

from __future__ import annotations

import streamlit as st

from core import sample
from core.read import document_id
from core.workspace import Workspace
from pages.parts import session
from pages.parts.text import literal


def button(page: str, opened: Workspace) -> None:
    """Offer the traps told on this page, in a workspace that holds the sample."""
    told = sample.traps(page)
    if not told or not sample.is_in(opened):
        return
    with st.popover(
        "Sample traps",
        icon=":material/flag:",
        type="tertiary",
        help="Faults planted in the sample, to try",
        key="traps",
        on_change="rerun",
    ):
        for trap in told:
            st.markdown(f"**{literal(trap.title)}.** {literal(trap.text)}")
            st.button("Try it", key=f"trap-{trap.id}", on_click=_try, args=(trap, page))


def _try(trap: sample.Trap, page: str) -> None:
    state = session.current()
    state.question, state.filter, state.gold_question = trap.question, trap.filter, trap.question
    state.k, state.window = 5, 0 if trap.id == "cut" else 2
    state.limit_to(None)
    session.put("traps", False)
    if page == "windows":
        state.open_node(document_id(trap.document), 0)
