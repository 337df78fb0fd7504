"""What did the filter do to my answer?"""

from __future__ import annotations

import streamlit as st

from core import sample
from core.comparison import Change
from core.filters import EVERYTHING
from core.types import Hit, Index, SearchResult
from core.workspace import Workspace
from pages.parts import answer, ask, counting, errors, nothing, resources, results, saved, session, statement, xray
from pages.parts.answer import Answer
from pages.parts.text import counted, literal, shortened

EXAMPLES = ("What is the refund policy?", "How much did revenue grow in Q1 2026?")
_RECENT = 4


def main() -> None:
    opened, index = resources.searchable("Search")
    state = session.current()
    ask.bar(opened, "search")
    if not state.question.strip():
        invitation(opened, index)
        return
    with errors.shown():
        with st.spinner("Searching …", show_time=False):
            found = answer.of(opened, state.question.strip(), state.search_settings, state.filter, index)
        state.comparison = found.comparison
        opened.remembered.ask(state.question)
        misfits(opened, index, found)
        draw(opened, index, found)


def invitation(opened: Workspace, index: Index) -> None:
    """Nothing is asked yet: how many nodes match, and what can be asked."""
    state = session.current()
    if state.filter != EVERYTHING or state.where:
        with st.container(key="search-summary"):
            st.markdown(counting.said(opened, index, state.filter, state.where))
    saved.menu(opened, index)
    if sample.is_in(opened):
        st.caption("Try one of these:")
        suggestions("example", EXAMPLES)
    else:
        st.caption("Ask a question: the nearest nodes come back, each in its window.")
    saved.offered(opened)
    if asked := [question for question in opened.remembered.questions() if question not in EXAMPLES][:_RECENT]:
        st.caption("Asked before:")
        suggestions("recent", asked)


def suggestions(kind: str, questions: list[str] | tuple[str, ...]) -> None:
    """Questions to ask with a click."""
    with st.container(horizontal=True):
        for number, question in enumerate(questions):
            label = literal(shortened(question, 80))
            st.button(label, key=f"{kind}-{number}", on_click=_ask, args=(question,))


def _ask(question: str) -> None:
    session.current().question = question


def draw(opened: Workspace, index: Index, found: Answer) -> None:
    """The summary, the X-ray where something narrows the answer, and the list."""
    with st.container(key="search-summary"):
        st.markdown(summary(found))
    if not found.result.hits:
        nothing.said(opened, found.result)
    request, rungs = found.result.request, {}
    with st.container(key="search-body", horizontal=True, gap="large"):
        if found.narrowed:
            asked = (opened, index, request.question, request.settings, request.filter)
            explained = xray.explained(*asked)
            rungs = {h.id: rung for h, rung in zip(explained.filtered, explained.explanation.filtered, strict=True)}
            with st.container(key="search-xray"):
                xray.draw(*asked)
        if found.result.hits:
            with st.container(key="search-list", gap="xsmall"):
                with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
                    st.toggle(
                        "Merge overlapping windows", **session.bound("merged"),
                        help="Excerpts as a reader gets them, in the order of the text, every character once.",
                    )  # fmt: skip
                    saved.menu(opened, index)
                results.draw(opened, found.result, rungs, merged=session.current().merged)
    if not found.result.hits:
        saved.menu(opened, index)
    statement.draw(found.result)


def summary(found: Answer) -> str:
    """In one line: what the filter left, what that did to the answer, and what merging its windows saves."""
    result = found.result
    k, got = result.request.settings.k, len(result.hits)
    exact = f"exact · **{got}** of {k}" + ("" if got == k else f" ({_why_fewer(result)})")
    if not found.narrowed:
        return f"{exact} from {counted(result.total, 'node')} · add a filter to compare{_tokens(found)}"
    changes = [step.change for step in found.comparison.steps]
    moved = ", ".join(f"{changes.count(change)} {change}" for change in Change if change in changes)
    match = counting.in_words(result.matching, result.total)
    return " · ".join(said for said in (match, exact, moved) if said) + _tokens(found)


def _tokens(found: Answer) -> str:
    if not found.windows:
        return ""
    kind = literal(found.tokens)
    if found.merged >= found.windows:
        return f" · {found.windows:,} tokens, none twice ({kind})"
    return f" · merging saves {found.windows - found.merged:,} of {found.windows:,} tokens ({kind})"


def _why_fewer(result: SearchResult) -> str:
    if not result.matching:
        return "nothing matches"
    return "the limit cut the rest" if result.matching > len(result.hits) else "no more nodes match"


def misfits(opened: Workspace, index: Index, found: Answer) -> None:
    """Say it where a hit's text is none that the model reads."""
    unfit = opened.unfit(index)
    hits: list[Hit] = [step.hit for step in found.comparison.steps]
    named = {hit.name: unfit[hit.doc_id] for hit in hits if hit.doc_id in unfit}
    for name, why in list(named.items())[:3]:
        st.warning(f"**{literal(name)}**: {literal(why)}", icon=":material/translate:")


main()
