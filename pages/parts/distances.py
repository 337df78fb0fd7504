"""The limit of distance or score, chosen by sight: how far the nodes that pass lie from the question."""

from __future__ import annotations

import streamlit as st

from core.store.base import Distances
from core.types import Index
from core.workspace import Workspace
from pages.parts import errors, session
from pages.parts.text import counted

_BINS = 80


def menu(opened: Workspace, index: Index) -> None:
    """Both limits, and below them the histogram of what they cut."""
    box = st.popover(
        "Distance limit", icon=":material/straighten:", type="tertiary", key="distances", on_change="rerun"
    )
    with box:
        st.slider(
            "Leave out hits further away than (cosine distance; 2 is no limit)",
            0.0, 2.0, step=0.01, **session.bound("max_distance"),
        )  # fmt: skip
        st.slider(
            "Leave out hits that score less than (cosine, before boosts; −1 is no limit)",
            -1.0, 1.0, step=0.01, **session.bound("least_score"),
        )  # fmt: skip
        if box.open:
            _histogram(opened, index)


def said() -> None:
    """The limits in use, each to be dropped with a click."""
    state = session.current()
    if state.max_distance < 2:
        st.button(f"Distance ≤ {state.max_distance:.2f}", key="chip-distance", icon=":material/close:",
                  help="No limit of distance", on_click=lambda: setattr(state, "max_distance", 2.0))  # fmt: skip
    if state.min_score is not None:
        st.button(f"Score ≥ {state.min_score:.2f}", key="chip-score", icon=":material/close:",
                  help="No least score", on_click=lambda: setattr(state, "min_score", None))  # fmt: skip


def _histogram(opened: Workspace, index: Index) -> None:
    state = session.current()
    if not state.question.strip():
        st.caption("Ask a question to see how far the nodes lie from it.")
        return
    with errors.shown():
        found = opened.distances(state.question, state.search_settings, state.filter, index.id, _BINS)
        total = found.kept + found.cut
        if not total:
            st.caption("No node passes the filter.")
            return
        least = state.search_settings.least_cosine
        limit = None if least is None else 1 - least
        st.html(bars(found, limit))
        told = (
            f"would leave **{found.kept:,}** of {total:,}"
            if limit is not None
            else f"no limit: all {counted(total, 'node')} are left"
        )
        st.markdown(told)


def bars(found: Distances, limit: float | None) -> str:
    """The histogram as HTML: full bars for what is left, hollow ones for what is cut, a line where the limit is."""
    held = found.counts.nonzero()[0]
    first, last = max(0, int(held[0]) - 1), min(len(found.counts) - 1, int(held[-1]) + 1)
    most, edges = int(found.counts.max()), found.edges
    low, high = float(edges[first]), float(edges[last + 1])
    drawn = []
    for number in range(first, last + 1):
        count, middle = int(found.counts[number]), float(edges[number] + edges[number + 1]) / 2
        cut = " class=cs-cut" if limit is not None and middle > limit else ""
        height = 0 if not count else max(3, round(100 * count / most))
        title = f"{edges[number]:.3f} to {edges[number + 1]:.3f}: {counted(count, 'node')}"
        drawn.append(f'<i{cut} style="height:{height}%" title="{title}"></i>')
    line = ""
    if limit is not None:
        place = 100 * min(1.0, max(0.0, (limit - low) / (high - low)))
        line = f'<b style="left:{place:.2f}%" title="limit {limit:.2f}"></b>'
    label = f"{counted(found.kept, 'node')} within the limit, {found.cut:,} beyond"
    return (
        f'<div class="cs-bars" role="img" aria-label="{label}">{"".join(drawn)}{line}</div>'
        f'<div class="cs-axis"><span>{low:.2f} near</span><span>cosine distance</span><span>far {high:.2f}</span></div>'
    )
