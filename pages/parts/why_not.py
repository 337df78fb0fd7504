"""Why is this node not in the answer? Its rank, what rejects it with its own value, and the smallest change that lets it in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from datetime import datetime

import streamlit as st

from core import api, chunk
from core.explain import Explained
from core.filters import Filter, conditions
from core.settings import ChunkSettings, SearchSettings
from core.types import Index, Span, Value
from core.workspace import Workspace
from core.xray import Fate
from pages.parts import errors, resources, session
from pages.parts.text import escaped, literal, shortened

ExplainedOf = Callable[[Workspace, Index, str, SearchSettings, Filter], Explained]
"""How a question is explained: ``xray.explained``."""

DIALOG = "why not"
_MOST_K = 20
_MOST_GOLD = 10
_NOT_INDEXED = "**Not indexed.** The index in use does not hold this document yet, so no search can find it."


def asked_about(opened: Workspace, index: Index) -> tuple[str, int] | None:
    """The node that the session asks about, as the index in use counts; None if there is none, or it is gone."""
    asked = session.current().asked_about
    if asked is None or asked[0] not in opened.store.indexed(index):
        return None
    doc_id, ordinal, settings = asked
    return (doc_id, ordinal) if settings == index.settings else _same_place(opened, index, doc_id, ordinal, settings)


def _same_place(
    opened: Workspace, index: Index, doc_id: str, ordinal: int, settings: ChunkSettings
) -> tuple[str, int] | None:
    """The node of the index that begins where a node of other settings does, or holds its beginning."""
    before = api.preview(opened, doc_id, settings, session.current().model)[1]
    now = api.preview(opened, doc_id, index.settings, index.model.name)[1]
    if not now or not 0 <= ordinal < len(before):
        return None
    at = bisect_right([node.start for node in now], before[ordinal].start) - 1
    return doc_id, now[max(0, at)].ordinal


# ── what became of one node ──────────────────────────────────────────────────────────────────────


def told(
    opened: Workspace, index: Index, explained: Explained, doc_id: str, ordinal: int, *, on_a_page: bool = True
) -> None:
    """Draw what became of a node of the index, and what would bring it into the answer."""
    fate = explained.fate(doc_id, ordinal)
    with st.container(border=on_a_page, key="fate"):
        _title(opened, index, doc_id, ordinal, on_a_page)
        if fate is None:
            st.markdown(_NOT_INDEXED)
            return
        st.markdown(verdict(explained, fate))
        st.markdown("\n".join(f"- {line}" for line in reasons(opened, index, explained, fate, doc_id, ordinal)))
        _ways(opened, index, explained, fate, doc_id, ordinal)


def _title(opened: Workspace, index: Index, doc_id: str, ordinal: int, on_a_page: bool) -> None:
    found = opened.node(doc_id, ordinal, session.current().window, index.id)
    page = f" · p. {found.node.page:,}" if found.node.page is not None else ""
    start, end = found.node.start - found.window.start, found.node.end - found.window.start
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"##### What became of {literal(found.info.name)} #{ordinal + 1:,}{page}")
        if on_a_page:
            st.button("Close", key="fate-close", type="tertiary", icon=":material/close:", on_click=_forget)
    text = found.window_text
    body = f"{escaped(text[:start])}<mark>{escaped(text[start:end])}</mark>{escaped(text[end:])}"
    st.html(f'<div class="cs-hit"><div></div><div class="cs-text" dir="auto">{body}</div></div>')


def _forget() -> None:
    session.current().asked_about = None


def verdict(explained: Explained, fate: Fate) -> str:
    """In one sentence: in the answer, or what keeps the node out of it."""
    k = explained.explanation.k
    if fate.returned:
        return f"**In the answer:** hit {fate.filtered_rank} of {len(explained.filtered)}."
    if fate.rejected_by and fate.rank_if_passed > k:
        return "**Not in the answer:** the filter rejects it, and it would rank too low without that."
    if fate.rejected_by:
        return "**Not in the answer:** the filter rejects it."
    if not fate.within_limit:
        return "**Not in the answer:** it lies beyond the limit."
    return f"**Not in the answer:** it ranks #{fate.filtered_rank:,} of what passes, and the best {k} are returned."


def reasons(
    opened: Workspace, index: Index, explained: Explained, fate: Fate, doc_id: str, ordinal: int
) -> Iterator[str]:
    """All that decided about a node, as Markdown, in the order in which a search decides."""
    if cut := truncation(opened, index, doc_id, ordinal):
        yield literal(cut)
    told = explained.explanation
    yield f"Without the filter: **#{fate.unfiltered_rank:,}** of {told.total:,} · score {fate.score:.3f} · distance {1 - fate.score:.3f}"
    if fate.final != fate.score:
        yield f"With its boosts: **{fate.final:.3f}**, by which it ranks"
    for number in fate.rejected_by:
        clause = told.clauses[number]
        holds = values(opened, index, doc_id, ordinal, clause.filter) if clause.filter else ""
        yield f":material/close: struck by **{literal(clause.words)}**" + (f": {literal(holds)}" if holds else "")
    if told.clauses and not fate.rejected_by:
        yield f":material/check: passes the filter; **#{fate.filtered_rank:,}** of the {told.matching:,} that pass"
    if fate.rejected_by:
        within = f"among the best {told.k}" if fate.rank_if_passed <= told.k else f"beyond the best {told.k}"
        yield f"If the filter let it in: **#{fate.rank_if_passed:,}**, {within}"
    if explained.min_score is not None:
        side = "within" if fate.within_limit else ":material/close: beyond"
        yield f"{side} the limit: distance {1 - explained.min_score:.2f} at most, score {explained.min_score:.2f} at least"


def truncation(opened: Workspace, index: Index, doc_id: str, ordinal: int) -> str:
    """That the model did not read the whole node; empty if it did."""
    passage, nodes = api.preview(opened, doc_id, index.settings, index.model.name)
    if ordinal >= len(nodes):
        return ""
    encoder = opened.encoders(index.model.name)
    (count,) = encoder.count_tokens([chunk.embedded_text(passage.document, nodes[ordinal])])
    if count <= encoder.info.max_tokens:
        return ""
    return f"Truncated at token {encoder.info.max_tokens:,}: the model did not read the rest of its {count:,} tokens."


def values(opened: Workspace, index: Index, doc_id: str, ordinal: int, filter: Filter) -> str:
    """What the node holds of the fields that a filter asks about: ``year is 2021, tags are missing``."""
    held = opened.store.judge(index, doc_id, ordinal, filter).values
    return ", ".join(f"{leaf} {_holds(held[leaf])}" for leaf in dict.fromkeys(c.field for c in conditions(filter)))


def _holds(value: Value | None) -> str:
    match value:
        case None:
            return "is missing"
        case bool():
            return "is yes" if value else "is no"
        case tuple():
            return f"is {', '.join(value)}" if value else "is an empty list"
        case datetime():
            day = value.date().isoformat()
            return f"is {day}" if value == datetime(value.year, value.month, value.day) else f"is {value.isoformat()}Z"
    return f"is {shortened(str(value), 80)}"


def _ways(opened: Workspace, index: Index, explained: Explained, fate: Fate, doc_id: str, ordinal: int) -> None:
    """Buttons for what would bring the node into the answer."""
    state = session.current()
    expert = any(explained.explanation.clauses[number].filter is None for number in fate.rejected_by)
    changed = opened.smallest_change(doc_id, ordinal, state.filter, index.id)
    steps = [*(step.words for step in changed.steps), *(["without the SQL condition"] if expert else [])]
    if steps:
        st.markdown(f"Smallest change that lets it in: **{literal('; '.join(steps))}**")
    with st.container(horizontal=True):
        if steps and st.button("Use this filter", key="fate-use", type="primary", icon=":material/filter_alt:"):
            state.filter, state.where = changed.filter, "" if expert else state.where
            st.rerun()
        low = fate.within_limit and explained.explanation.k < fate.rank_if_passed <= _MOST_K
        if low and st.button(f"Return {fate.rank_if_passed} hits", key="fate-k", icon=":material/expand_more:"):
            state.k = fate.rank_if_passed
            st.rerun()
        if st.button("Open in text", key="fate-text", type="tertiary", icon=":material/article:"):
            state.draft = index.settings
            state.open_node(doc_id, ordinal)
            state.show("")
            st.switch_page("windows.py")


# ── gold passages ────────────────────────────────────────────────────────────────────────────────


def gold(opened: Workspace, index: Index, explained: Explained) -> None:
    """List the gold passages of the question in hand, each with the fate of its best node."""
    passages = list(gold_of(opened, session.current().question))
    if not passages:
        return
    st.markdown("##### Gold passages of this question")
    held = opened.store.indexed(index)
    for number, (doc_id, span) in enumerate(passages[:_MOST_GOLD]):
        name = opened.document(doc_id).name
        best = best_node(opened, index, explained, doc_id, span) if doc_id in held else None
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/star: **{literal(name)}** · {_in_short(explained, best)}")
            if best:
                ask = (doc_id, best[0], index.settings)
                label = "Why?" if not best[1].returned else "Show"
                st.button(label, key=f"gold-{number}", type="tertiary", on_click=session.current().ask_about, args=ask)
    if len(passages) > _MOST_GOLD:
        st.caption(f"… and {len(passages) - _MOST_GOLD:,} more")


def gold_of(opened: Workspace, question: str) -> Iterator[tuple[str, Span]]:
    """The gold passages of a question that are still valid, each once."""
    sets = opened.gold_sets().values()
    asked = [q for questions in sets for q in questions if q.text.strip() == question.strip()]
    seen = dict.fromkeys((r.doc_id, r.span) for q in opened.still_valid(asked) for r in q.references)
    yield from seen


def best_node(
    opened: Workspace, index: Index, explained: Explained, doc_id: str, span: Span
) -> tuple[int, Fate] | None:
    """The best ranked of the index's nodes that touch a span, and its fate."""
    nodes = api.preview(opened, doc_id, index.settings, index.model.name)[1]
    touching = [node.ordinal for node in nodes if node.start < span.end and node.end > span.start]
    places = {ordinal: explained.scan.position(doc_id, ordinal) for ordinal in touching}
    scores = {ordinal: explained.scan.finals[at] for ordinal, at in places.items() if at is not None}
    if not scores:
        return None
    ordinal = max(scores, key=lambda each: scores[each])
    fate = explained.fate(doc_id, ordinal)
    return (ordinal, fate) if fate else None


def _in_short(explained: Explained, best: tuple[int, Fate] | None) -> str:
    if best is None:
        return "not indexed"
    ordinal, fate = best
    place = f"#{ordinal + 1:,}"
    if fate.returned:
        return f"{place} · in the answer, hit {fate.filtered_rank}"
    clauses = explained.explanation.clauses
    if fate.rejected_by:
        by = " · ".join(literal(clauses[number].words) for number in fate.rejected_by)
        return f"{place} · not in the answer: struck by {by}"
    return f"{place} · not in the answer: rank {fate.filtered_rank:,}" + (
        "" if fate.within_limit else ", beyond the limit"
    )


# ── from the text ────────────────────────────────────────────────────────────────────────────────


def _closed() -> None:
    session.current().show("")


def dialog(opened: Workspace, explain: ExplainedOf) -> None:
    """Draw the dialog of the Windows page if it is open: the fate of the node that was asked about there."""
    if session.current().dialog == DIALOG:
        _dialog(opened, explain)


@st.dialog("Why is it not in the answer?", width="large", icon=":material/help:", on_dismiss=_closed)
def _dialog(opened: Workspace, explain: ExplainedOf) -> None:
    state = session.current()
    st.text_input("Question", placeholder="Ask the documents something", **session.bound("question"))
    index = resources.current_index()
    if index is None or state.asked_about is None:
        st.markdown("**Not indexed.** There is no index yet: build one.")
        return
    if not state.question.strip():
        st.caption("Ask a question: then it is told what became of this node.")
        return
    with errors.shown():
        asked = asked_about(opened, index)
        if asked is None:
            st.markdown(_NOT_INDEXED)
        else:
            if state.asked_about[2] != index.settings:
                st.caption(
                    "The text shows nodes of other settings than the index in use: this is told of the node at its place."
                )
            explained = explain(opened, index, state.question, state.search_settings, state.filter)
            told(opened, index, explained, *asked, on_a_page=False)
