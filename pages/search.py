"""What did the filter do to my answer?"""

from __future__ import annotations

import streamlit as st

from core.explain import Comparison, Fate
from core.types import Hit, SearchResult
from pages.parts import ask, errors, filters, hits, resources, session

EXAMPLES = ("What is the refund policy?", "How much did revenue grow in Q1 2026?")


def summary(found: Comparison) -> None:
    """In one line: what the filter left, and what that did."""
    matching, total = found.filtered.matching, found.filtered.total
    share = f"{100 * matching / total:.0f} %" if total else "–"
    fates = [step.fate for step in found.steps]
    k, got = found.filtered.request.settings.k, len(found.filtered.hits)
    reason = "" if got == k else f" ({_why_fewer(found.filtered)})"
    said = [
        f"**{matching:,}** of {total:,} nodes match ({share})",
        f"exact · **{got}** of {k}{reason}",
        f"{fates.count(Fate.KEPT)} kept, {fates.count(Fate.PROMOTED)} promoted, {fates.count(Fate.EXCLUDED)} excluded",
    ]
    st.markdown(" · ".join(said))
    if not matching:
        st.warning(
            "The filter matches nothing, so nothing is returned. Remove a condition.", icon=":material/filter_alt_off:"
        )


def _why_fewer(result: SearchResult) -> str:
    return "the distance limit cut the rest" if result.matching > len(result.hits) else "no more nodes match"


def ladders(found: Comparison) -> None:
    """Both searches side by side."""
    steps = hits.steps_by_id(found.steps)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("##### Without the filter")
        for hit in found.unfiltered.hits:
            step = steps[hit.id]
            with st.container(key=f"unfiltered-{hit.rank}"):
                hits.card(hit, filtered=False, fate=step.fate, moved=step.filtered_rank)
                hits.actions(hit, "unfiltered", _to_text, _to_map)
    with right:
        st.markdown("##### With the filter")
        for hit in found.filtered.hits:
            step = steps[hit.id]
            with st.container(key=f"filtered-{hit.rank}"):
                hits.card(hit, filtered=True, fate=step.fate, moved=step.unfiltered_rank)
                hits.actions(hit, "filtered", _to_text, _to_map)


def plain(result: SearchResult) -> None:
    """One list, where there is no filter to compare with."""
    left, _ = st.columns([3, 2])
    with left:
        for hit in result.hits:
            hits.card(hit, filtered=True, fate=None)
            hits.actions(hit, "plain", _to_text, _to_map)


def _to_text(hit: Hit) -> None:
    state = session.current()
    index = resources.current_index()
    if index:
        state.draft = index.settings
    state.open_node(hit.doc_id, hit.node.ordinal)
    st.switch_page("windows.py")


def _to_map(hit: Hit) -> None:
    session.current().map_node = hit.id
    st.switch_page("map.py")


def statement(result: SearchResult) -> None:
    """The SQL that ran, and the values bound to it."""
    with st.expander("The SQL that ran", icon=":material/code:"):
        st.code(result.sql, language="sql")
        shown = [
            f"unit vector of {len(v)} numbers: {v[0]:.4f}, {v[1]:.4f}, …"
            if isinstance(v, list) and len(v) > 50
            else repr(v)
            for v in result.params
        ]
        st.code("\n".join(f"{n}: {value}" for n, value in enumerate(shown, 1)), language=None)
        st.caption(" · ".join(f"{name} {ms:.1f} ms" for name, ms in result.timings_ms.items()))


def main() -> None:
    st.title("Search")
    opened, index = resources.current_workspace(), resources.current_index()
    if index is None or not index.nodes:
        st.markdown("Nothing to search yet. Add documents on the Documents page.")
        return
    state = session.current()
    ask.bar(opened, "search")
    if not state.question.strip():
        st.caption("Try one of these:")
        with st.container(horizontal=True):
            for example in EXAMPLES:
                st.button(example, key=f"example-{example}", on_click=_ask, args=(example,))
        return
    with errors.shown(), st.spinner("Searching …", show_time=False):
        state.comparison = opened.compare(state.question, state.search_settings, state.filter, index.id)
        draw(state.comparison)


def _ask(question: str) -> None:
    session.current().question = question


def draw(found: Comparison) -> None:
    if filters.parts(session.current().filter):
        summary(found)
        ladders(found)
    else:
        result = found.unfiltered
        reason = "" if len(result.hits) == result.request.settings.k else f" ({_why_fewer(result)})"
        st.markdown(
            f"exact · **{len(result.hits)}** of {result.request.settings.k}{reason} from {result.total:,} nodes · add a filter to compare"
        )
        plain(result)
    statement(found.filtered)


main()
