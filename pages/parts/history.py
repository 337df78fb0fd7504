"""Questions asked before, and those of gold sets, to be asked again."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.workspace import Workspace
from pages.parts import session
from pages.parts.text import shortened

_LONGEST = 140


def chooser(opened: Workspace, page: str, ask: Callable[[str], None]) -> None:
    """A list to choose from, the last asked first, then each gold set's; nothing is drawn where there are none."""
    known = questions(opened)
    if not known:
        return
    st.selectbox(
        "Asked before", list(known), index=None, format_func=lambda key: shortened(key, _LONGEST), placeholder="Asked before",
        label_visibility="collapsed", width=220, help="Questions asked in this workspace, then those of its gold sets.",
        **session.tied(f"asked-{page}", None, lambda key: ask(known[key]) if key in known else None),
    )  # fmt: skip


def questions(opened: Workspace) -> dict[str, str]:
    """Questions by what stands in the list: themselves, or the gold set's name before them."""
    asked = {question: question for question in opened.remembered.questions()}
    gold = {
        f"{name} · {question.text}": question.text
        for name, questions in opened.gold_sets().items()
        for question in questions
    }
    return asked | gold
