"""The limit of distance or score, chosen by sight: how far the nodes that pass lie from the question."""

from __future__ import annotations

import streamlit as st

from core.store.base import Distances
from core.types import Index
from core.workspace import Workspace
from pages.parts import errors, session
from pages.parts.text import counted

_BINS = 200
"""A bar for each hundredth of the distance: the limit moves from bar to bar."""
_READ = {False: "distance", True: "score"}


def menu(opened: Workspace, index: Index) -> None:
    """The limit under the histogram of what it cuts."""
    box = st.popover("Limit", icon=":material/straighten:", type="tertiary", key="distances", on_change="rerun")
    if box.open:
        with box, st.container(key="wide-limit"), errors.shown():
            st.caption("Leave out hits that lie too far from the question, whatever boosts make of them.")
            _draw(opened, index)


def said() -> None:
    """The limit in use, to be dropped with a click."""
    state = session.current()
    if state.limit is not None:
        told = f"Score ≥ {1 - state.limit:.2f}" if state.by_score else f"Distance ≤ {state.limit:.2f}"
        st.button(
            told,
            key="chip-limit",
            icon=":material/close:",
            help="Drop the limit",
            on_click=state.limit_to,
            args=(None,),
        )


def _draw(opened: Workspace, index: Index) -> None:
    state = session.current()
    if not state.question.strip():
        st.caption("Ask a question to see how far the nodes lie from it.")
        return
    found = opened.distances(state.question, state.search_settings, state.filter, index.id, _BINS)
    total = found.kept + found.cut
    if not total:
        st.caption("No node passes the filter.")
        return
    st.segmented_control(
        "Read it as", list(_READ), format_func=_READ.__getitem__, label_visibility="collapsed",
        **session.tied("limit-read", state.by_score, _read),
    )  # fmt: skip
    st.html(bars(found, state.limit, by_score=state.by_score))
    _slider(*reach(found, state.limit))
    if state.limit is None:
        st.markdown(f"No limit: all {counted(total, 'node')} are left")
    else:
        either = f"distance {state.limit:.2f} at most, which is score {1 - state.limit:.2f} at least"
        st.markdown(f"Leaves **{found.kept:,}** of {counted(total, 'node')} · {either}")


def _read(by_score: bool | None) -> None:
    if by_score is not None:
        session.current().read_limit(by_score=by_score)


def _slider(low: float, high: float) -> None:
    """The limit within the ends of the histogram; where it leaves out nothing, there is none."""
    state = session.current()
    by_score, limit = state.by_score, high if state.limit is None else state.limit

    def take(value: float) -> None:
        distance = round(1 - value if by_score else value, 2)
        state.limit_to(distance if distance < high else None)

    ends = (round(1 - high, 2), round(1 - low, 2)) if by_score else (low, high)
    value = round(1 - limit if by_score else limit, 2)
    st.slider(
        "Least score" if by_score else "Furthest distance", *ends, step=0.01, label_visibility="collapsed",
        **session.tied(f"limit-{_READ[by_score]}", value, take, ends),
    )  # fmt: skip


def reach(found: Distances, limit: float | None) -> tuple[float, float]:
    """The ends of the histogram, in whole bars: those of the nodes, and the limit where that lies beyond them."""
    held = found.counts.nonzero()[0]
    low, high = float(found.edges[held[0]]), float(found.edges[held[-1] + 1])
    if limit is not None:
        width = 2 / len(found.counts)
        low, high = min(low, limit // width * width), max(high, -(-limit // width) * width)
    return round(low, 2), round(min(high, 2.0), 2)


def bars(found: Distances, limit: float | None, *, by_score: bool = False) -> str:
    """The histogram as HTML: full bars for what is left, hollow ones for what is cut, a line where the limit is.

    By score the best is on the right, as the slider has it.
    """
    low, high = reach(found, limit)
    edges, most = found.edges, int(found.counts.max())
    drawn = [_bar(found, number, most, limit, by_score) for number in range(len(found.counts))
             if low < (edges[number] + edges[number + 1]) / 2 < high]  # fmt: skip
    line = ""
    if limit is not None:
        place = 100 * min(1.0, max(0.0, (limit - low) / (high - low)))
        line = f'<b style="left:{100 - place if by_score else place:.2f}%"></b>'
    label = f"{counted(found.kept, 'node')} within the limit, {found.cut:,} beyond"
    ends = f"{low:.2f} near", "cosine distance", f"far {high:.2f}"
    if by_score:
        ends = f"{1 - high:.2f} far", "score (cosine)", f"near {1 - low:.2f}"
    axis = "".join(f"<span>{end}</span>" for end in ends)
    inside = "".join(reversed(drawn) if by_score else drawn)
    return f'<div class="cs-bars" role="img" aria-label="{label}">{inside}{line}</div><div class="cs-axis">{axis}</div>'


def _bar(found: Distances, number: int, most: int, limit: float | None, by_score: bool) -> str:
    count, low, high = int(found.counts[number]), float(found.edges[number]), float(found.edges[number + 1])
    cut = " class=cs-cut" if limit is not None and (low + high) / 2 > limit else ""
    height = 0 if not count else max(3, round(100 * count / most))
    ends = f"{1 - high:.2f} to {1 - low:.2f}" if by_score else f"{low:.2f} to {high:.2f}"
    return f'<i{cut} style="height:{height}%" title="{ends}: {counted(count, "node")}"></i>'
