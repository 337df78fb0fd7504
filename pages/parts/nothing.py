"""Where a search gives nothing: why, and the smallest way on."""

from __future__ import annotations

import math

import streamlit as st

from core.filters import EVERYTHING, conjunction
from core.types import SearchResult
from core.workspace import Workspace
from core.xray import Clause
from pages.parts import answer, filters, session
from pages.parts.text import literal, shortened


def said(opened: Workspace, result: SearchResult) -> None:
    """Say why there is no hit; the button beside it takes away what excludes most."""
    with st.container(key="nothing", gap="small"):
        if not result.matching:
            _no_match(opened, result)
        else:
            _too_far(opened, result)


def _no_match(opened: Workspace, result: SearchResult) -> None:
    asked = result.request
    clauses = opened.explain(asked.question, asked.settings, asked.filter, asked.index).explanation.clauses
    st.warning("The filter matches nothing, so nothing is returned.", icon=":material/filter_alt_off:")
    if not clauses:
        return
    at = max(range(len(clauses)), key=lambda number: (clauses[number].without, -clauses[number].matching))
    worst = clauses[at]
    if len(clauses) == 1 or not worst.without:
        why = "No single condition is to blame: without any one of them it still matches nothing. "
        st.markdown("" if len(clauses) == 1 else why)
        st.button("Remove the filter", key="widen", icon=":material/filter_alt_off:", on_click=_remove_all)
        return
    st.markdown(f"Without **{_words(opened, worst)}**, {worst.without:,} of {result.total:,} nodes match.")
    st.button("Remove this condition", key="widen", icon=":material/close:", on_click=_remove, args=(clauses, at))


def _words(opened: Workspace, clause: Clause) -> str:
    told = f"SQL {clause.words}" if clause.filter is None else filters.words(clause.filter, opened)
    return literal(shortened(told, 120))


def _too_far(opened: Workspace, result: SearchResult) -> None:
    best = answer.nearest(opened, result)
    many = f"{result.matching:,} node{'s' * (result.matching > 1)} match{'es' * (result.matching == 1)}"
    if best is None:
        st.warning(f"{many}, but none can be compared with the question.", icon=":material/straighten:")
        return
    st.warning(
        f"{many}, but all lie beyond the limit: the nearest has a distance of {best.distance:.3f} "
        f"(cosine {best.score:.3f}).", icon=":material/straighten:",
    )  # fmt: skip
    st.button("Let the nearest in", key="widen", icon=":material/straighten:", on_click=_reach, args=(best.score,))


def _remove(clauses: tuple[Clause, ...], at: int) -> None:
    state = session.current()
    if clauses[at].filter is None:
        state.where = ""
        return
    left = [clause.filter for number, clause in enumerate(clauses) if number != at and clause.filter is not None]
    state.filter = conjunction(*left)


def _remove_all() -> None:
    state = session.current()
    state.filter, state.where = EVERYTHING, ""


def _reach(score: float) -> None:
    """Move the limits just so far that a score is within them; they move in hundredths."""
    state = session.current()
    if state.max_distance < 1 - score:
        state.max_distance = min(2.0, math.ceil((1 - score) * 100) / 100)
    if state.min_score is not None and state.min_score > score:
        state.min_score = max(-1.0, math.floor(score * 100) / 100)
