"""Where a search gives nothing: why, and the smallest way on."""

from __future__ import annotations

import math

import streamlit as st

from core.explain import Explained
from core.filters import EVERYTHING, Condition, Filter, conjunction
from core.types import Index, SearchRequest, SearchResult
from core.workspace import Workspace
from core.xray import Clause
from pages.parts import answer, counting, filters, meant, session, why_not, xray
from pages.parts.text import literal, shortened

_MOST_GOLD = 10


def said(opened: Workspace, result: SearchResult) -> None:
    """Say why there is no hit, with a button for each way on."""
    with st.container(key="nothing", gap="small"):
        if not result.matching:
            _no_match(opened, result)
        else:
            _too_far(opened, result)


def _no_match(opened: Workspace, result: SearchResult) -> None:
    """A button for every change of one condition that lets something match, with its count."""
    asked, index = result.request, opened.index(result.request.index)
    explained = xray.explained(opened, index, asked.question, asked.settings, asked.filter)
    clauses = explained.explanation.clauses
    st.warning("The filter matches nothing, so nothing is returned.", icon=":material/filter_alt_off:")
    odd = list(meant.values(opened, index, asked.filter))
    if odd:
        st.markdown(literal(" ".join(told for _, told, _ in odd)))
    ways = [at for at, clause in enumerate(clauses) if clause.without] if len(clauses) > 1 else []
    if len(clauses) > 1 and not ways:
        st.markdown("No single condition is to blame: without any one of them it still matches nothing.")
    with st.container(horizontal=True, gap="small", key="nothing-ways"):
        for number, (part, _, better) in enumerate(odd):
            if better is not None:
                _meant(opened, index, asked, number, part, better)
        _removals(opened, clauses, ways, _gold(opened, index, explained, asked.question))
        if not ways:
            st.button("Remove the filter", key="widen", icon=":material/filter_alt_off:", on_click=_remove_all)


def _removals(opened: Workspace, clauses: tuple[Clause, ...], ways: list[int], gold: set[int]) -> None:
    """A button for each condition that may go; those that let a gold passage in come first."""
    for at in sorted(ways, key=lambda at: (at not in gold, -clauses[at].without)):
        words, count = _words(opened, clauses[at]), clauses[at].without
        st.button(
            f"Remove **{words}** · {count:,} match" + (", a gold passage among them" if at in gold else ""),
            key=f"widen-{at}", icon=":material/star:" if at in gold else ":material/close:",
            on_click=_remove, args=(clauses, at),
        )  # fmt: skip


def _meant(
    opened: Workspace, index: Index, asked: SearchRequest, number: int, part: Condition, better: Condition
) -> None:
    """A button for the filter with the value that may be meant in the place of the one that no node has."""
    mended = meant.put(asked.filter, part, better)
    count, _ = counting.matching(opened, index, mended, asked.settings.where)
    st.button(
        f"Use **{literal(shortened(filters.words(better, opened), 80))}** · {count:,} match", key=f"meant-{number}",
        icon=":material/spellcheck:", on_click=_use, args=(mended,),
    )  # fmt: skip


def _use(filter: Filter) -> None:
    session.current().filter = filter


def _gold(opened: Workspace, index: Index, explained: Explained, question: str) -> set[int]:
    """The clauses each of which alone keeps a gold passage of the question out."""
    held = opened.store.indexed(index)
    passages = [one for one in why_not.gold_of(opened, question) if one[0] in held]
    best = [why_not.best_node(opened, index, explained, doc_id, span) for doc_id, span in passages[:_MOST_GOLD]]
    struck = [fate.rejected_by for _, fate in (one for one in best if one)]
    return {by[0] for by in struck if len(by) == 1}


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
    """Move the limit just so far that a score is within it; it moves in hundredths."""
    session.current().limit_to(math.ceil((1 - score) * 100) / 100)
