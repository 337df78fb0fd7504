"""What did the filter do to my answer?"""

from __future__ import annotations

import streamlit as st

from core import sample
from core.explain import Comparison, Fate
from core.types import Hit, Index, SearchResult
from core.workspace import Workspace
from pages.parts import ask, errors, filters, hits, resources, session
from pages.parts.text import counted, literal

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
    if not result.matching:
        return "nothing matches"
    return "the distance limit cut the rest" if result.matching > len(result.hits) else "no more nodes match"


def ladders(found: Comparison) -> None:
    """Both searches side by side."""
    left, right = st.columns(2, gap="medium")
    with left:
        ladder("Without the filter", found, filtered=False)
    with right:
        ladder("With the filter", found, filtered=True)


def ladder(title: str, found: Comparison, *, filtered: bool) -> None:
    """The hits of one search, each with its fate and its rank in the other."""
    st.markdown(f"##### {title}")
    steps = hits.steps_by_id(found.steps)
    for hit in (found.filtered if filtered else found.unfiltered).hits:
        step = steps[hit.id]
        moved = step.unfiltered_rank if filtered else step.filtered_rank
        hits.card(hit, filtered=filtered, fate=step.fate, moved=moved)
        hits.actions(hit, "filtered" if filtered else "unfiltered", _to_text, _to_map)


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
    opened, index = resources.searchable("Search")
    state = session.current()
    ask.bar(opened, "search")
    if not state.question.strip():
        if not sample.is_in(opened):
            st.caption("Ask a question: the nearest nodes come back, each in its window.")
            return
        st.caption("Try one of these:")
        with st.container(horizontal=True):
            for example in EXAMPLES:
                st.button(example, key=f"example-{example}", on_click=_ask, args=(example,))
        return
    with errors.shown(), st.spinner("Searching …", show_time=False):
        state.comparison = opened.compare(state.question, state.search_settings, state.filter, index.id)
        opened.remembered.ask(state.question)
        misfits(opened, index, state.comparison)
        draw(state.comparison)


def _ask(question: str) -> None:
    session.current().question = question


def misfits(opened: Workspace, index: Index, found: Comparison) -> None:
    """Say it where a hit's text is none that the model reads."""
    unfit = opened.unfit(index)
    named = {step.hit.name: unfit[step.hit.doc_id] for step in found.steps if step.hit.doc_id in unfit}
    for name, why in list(named.items())[:3]:
        st.warning(f"**{literal(name)}**: {literal(why)}", icon=":material/translate:")


def draw(found: Comparison) -> None:
    if filters.parts(session.current().filter):
        summary(found)
        ladders(found)
    else:
        result = found.unfiltered
        reason = "" if len(result.hits) == result.request.settings.k else f" ({_why_fewer(result)})"
        st.markdown(
            f"exact · **{len(result.hits)}** of {result.request.settings.k}{reason} from {counted(result.total, 'node')} · add a filter to compare"
        )
        plain(result)
    statement(found.filtered)


main()
