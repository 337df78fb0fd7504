"""The gold passages of the question in hand, each with what became of its best node."""

from __future__ import annotations

import streamlit as st

from core.explain import Explained
from core.types import Index
from core.workspace import Workspace
from core.xray import Fate
from pages.parts import ladders, session, why_not
from pages.parts.text import literal, shortened

_MOST_GOLD = 10


def draw(opened: Workspace, index: Index, explained: Explained) -> None:
    """List the gold passages of the question in hand, each with the fate of its best node."""
    passages = list(why_not.gold_of(opened, session.current().question))
    if not passages:
        return
    held = opened.store.indexed(index)
    for at, (doc_id, span) in enumerate(passages[:_MOST_GOLD]):
        name = opened.document(doc_id).name
        best = why_not.best_node(opened, index, explained, doc_id, span) if doc_id in held else None
        with st.container(horizontal=True, vertical_alignment="center"):
            where = _in_short(opened, explained, best)
            st.markdown(f":material/star: gold · **{literal(shortened(name, 60))}** · {where}")
            if best:
                ask = (doc_id, best[0], index.settings)
                label = "Why?" if not best[1].returned else "Show"
                st.button(label, key=f"gold-{at}", type="tertiary", on_click=session.current().ask_about, args=ask)
    if len(passages) > _MOST_GOLD:
        st.caption(f"… and {len(passages) - _MOST_GOLD:,} more")


def _in_short(opened: Workspace, explained: Explained, best: tuple[int, Fate] | None) -> str:
    if best is None:
        return "not indexed"
    ordinal, fate = best
    place = f"#{ordinal + 1:,}"
    if fate.returned:
        return f"{place} · in the answer, hit {fate.filtered_rank}"
    clauses = explained.explanation.clauses
    if fate.rejected_by:
        by = " · ".join(literal(ladders.said(opened, clauses[number])) for number in fate.rejected_by)
        return f"{place} · not in the answer: struck by {by}"
    return f"{place} · not in the answer: rank {fate.filtered_rank:,}" + (
        "" if fate.within_limit else ", beyond the limit"
    )
