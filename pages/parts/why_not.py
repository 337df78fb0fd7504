"""Why is this node not in the answer? Its rank, what rejects it with its own value, and the smallest change that lets it in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from datetime import datetime

import streamlit as st

from core import api, chunk
from core.explain import Explained
from core.filters import Filter, conditions
from core.settings import ChunkSettings
from core.types import Index, Span, Value
from core.workspace import NodeInWindow, Workspace
from core.xray import Fate
from pages.parts import errors, ladders, resources, session, ways
from pages.parts.text import escaped, literal, shortened
from pages.parts.ways import ExplainedOf, Under

DIALOG = "why not"
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
    opened: Workspace,
    index: Index,
    under: Under,
    explain: ExplainedOf,
    doc_id: str,
    ordinal: int,
    *,
    on_a_page: bool = True,
) -> None:
    """Draw what became of a node of the index, and what would bring it into the answer."""
    fate = under.explained.fate(doc_id, ordinal)
    with st.container(border=on_a_page, key="fate", gap="xsmall"):
        found = _title(opened, index, doc_id, ordinal, on_a_page)
        if fate is None:
            st.markdown(_NOT_INDEXED)
            return
        st.markdown(verdict(under, fate))
        _text(found)
        st.markdown("\n".join(f"- {line}" for line in reasons(opened, index, under.explained, fate, doc_id, ordinal)))
        ways.draw(opened, index, under, explain, fate, (doc_id, ordinal))


def _title(opened: Workspace, index: Index, doc_id: str, ordinal: int, on_a_page: bool) -> NodeInWindow:
    found = opened.node(doc_id, ordinal, session.current().window, index.id)
    page = f" · p. {found.node.page:,}" if found.node.page is not None else ""
    with st.container(
        key="fate-title", horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.markdown(f"##### What became of {literal(shortened(found.info.name, 80))} #{ordinal + 1:,}{page}")
        if on_a_page:
            st.button("Close", key="fate-close", type="tertiary", icon=":material/close:", on_click=_forget)
    return found


def _text(found: NodeInWindow) -> None:
    start, end = found.node.start - found.window.start, found.node.end - found.window.start
    text = found.window_text
    body = f"{escaped(text[:start])}<mark>{escaped(text[start:end])}</mark>{escaped(text[end:])}"
    st.html(f'<div class="cs-hit"><div></div><div class="cs-text" dir="auto">{body}</div></div>')


def _forget() -> None:
    session.current().asked_about = None


def verdict(under: Under, fate: Fate) -> str:
    """In one sentence: in the answer, or what keeps the node out of it."""
    tried, k = f" with {literal(under.words)}" if under.words else "", under.explained.explanation.k
    if fate.returned:
        return f"**In the answer{tried}:** hit {fate.filtered_rank} of {len(under.explained.filtered)}."
    if fate.rejected_by:
        why = "the filter rejects it"
    elif not fate.within_limit:
        why = "it lies beyond the limit"
    else:
        why = f"it ranks #{fate.filtered_rank:,} of what passes, and the best {k} are returned"
    return f"**Not in the answer{tried}:** {why}."


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
        yield f":material/close: struck by **{literal(ladders.said(opened, clause))}**" + (
            f": {literal(holds)}" if holds else ""
        )
    if told.clauses and not fate.rejected_by:
        yield f":material/check: passes the filter; **#{fate.filtered_rank:,}** of the {told.matching:,} that pass"
    if explained.min_score is not None:
        side = "within" if fate.within_limit else ":material/close: beyond"
        by_score, least = session.current().by_score, explained.min_score
        yield f"{side} the limit: " + (
            f"score {least:.2f} at least" if by_score else f"distance {1 - least:.2f} at most"
        )


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
    held = dict(opened.store.judge(index, doc_id, ordinal, filter).values)
    fields = dict.fromkeys(condition.field for condition in conditions(filter))
    held["doc_id"] = opened.document(doc_id).name
    names = {"doc_id": "document"}
    return ", ".join(f"{names.get(field, field)} {_holds(held[field])}" for field in fields)


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


# ── gold passages ────────────────────────────────────────────────────────────────────────────────


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


# ── from the text ────────────────────────────────────────────────────────────────────────────────


def _closed() -> None:
    session.current().show("")


def dialog(opened: Workspace, explain: ExplainedOf) -> None:
    """Draw the dialog of the Windows page if it is open: the fate of the node that was asked about there."""
    if session.current().dialog == DIALOG:
        _dialog(opened, explain)


@st.dialog("Is it in the answer?", width="large", icon=":material/help:", on_dismiss=_closed)
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
            request = (state.question, state.search_settings, state.filter)
            under = Under(explain(opened, index, *request), *request)
            told(opened, index, under, explain, *asked, on_a_page=False)
