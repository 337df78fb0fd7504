"""A question asked of two indexes: what each would return, side by side."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from core import embed
from core.errors import AppError
from core.settings import ChunkSettings
from core.types import Hit, SearchResult
from core.workspace import Workspace
from pages.parts import context, errors, filters, history, hits, jobs, resources, session, sidebar
from pages.parts.measured import Taken, taken
from pages.parts.text import counted, literal, shortened
from pages.parts.wording import about, nodes_of

_KEY = "question-on-both"


def section(opened: Workspace) -> None:
    """The question, and what comes back from A and from B."""
    state = session.current()
    st.markdown("##### Try a question on both" if state.compared else "##### Try a question")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text_input(
            "Question", placeholder="Ask the documents something", label_visibility="collapsed", width=520,
            **session.tied(_KEY, state.question, ask),
        )  # fmt: skip
        history.chooser(opened, "windows", ask)
        _asked_how(opened)
    if state.question.strip():
        _results()
    else:
        st.caption("The nearest nodes come back, each in its window. Pin settings as A to see both side by side.")


def ask(question: str) -> None:
    """Ask a question here; the text shows no longer what another one found."""
    state = session.current()
    state.question, state.comparison = question, None
    with suppress(AppError):  # a question that cannot be asked says so where its answer would stand
        resources.current_workspace().remembered.ask(question)


def _asked_how(opened: Workspace) -> None:
    state = session.current()
    narrowed = ""
    if filters.parts(state.filter):
        narrowed = f" · filter: {literal(shortened(filters.words(state.filter, opened), 60))}"
    st.caption(f"k {state.k} · window ±{state.window}{narrowed}")


@st.fragment
def _results() -> None:
    opened, state = resources.current_workspace(), session.current()
    sides = {"A": state.compared, "B": state.draft} if state.compared else {"B": state.draft}
    found = {letter: _search(opened, settings) for letter, settings in sides.items() if settings}
    for (letter, settings), place in zip(sides.items(), st.columns(2, gap="medium"), strict=False):
        if settings:
            with place:
                _side(opened, letter, settings, found)


def _search(opened: Workspace, settings: ChunkSettings) -> SearchResult | AppError | None:
    """What an index of these settings returns; None if there is none."""
    state = session.current()
    index = opened.index_of(settings, state.model)
    if index is None or not index.nodes:
        return None
    try:
        return opened.search(state.question, state.search_settings, state.filter, index.id)
    except AppError as error:
        return error


def _side(
    opened: Workspace, letter: str, settings: ChunkSettings, every: dict[str, SearchResult | AppError | None]
) -> None:
    name = f'<span class="cs-letter cs-letter-{letter.lower()}">{letter}</span>'
    st.html(f'<div class="cs-side">{name} <b>{nodes_of(settings)}</b></div>')
    with errors.shown():
        found, takes = every[letter], taken(opened, settings, session.current().model)
        if isinstance(found, AppError):
            raise found
        if not takes.built:
            _build(opened, letter, settings, takes)
        if found:
            _hits(opened, letter, settings, found, _others(letter, every))


def _others(letter: str, every: dict[str, SearchResult | AppError | None]) -> tuple[str, tuple[Hit, ...]]:
    """The other side, and what it found."""
    other = "B" if letter == "A" else "A"
    result = every.get(other)
    return other, result.hits if isinstance(result, SearchResult) else ()


def _hits(
    opened: Workspace,
    letter: str,
    settings: ChunkSettings,
    found: SearchResult,
    other: tuple[str, tuple[Hit, ...]],
) -> None:
    if not found.hits:
        st.caption("Nothing is returned.")
        return
    count = opened.encoders(session.current().model).count_tokens
    special, *tokens = count(["", *(hit.window_text for hit in found.hits)])
    st.caption(
        f"{counted(sum(tokens) - special * len(tokens), 'token')} returned in {counted(len(found.hits), 'window')}"
    )
    for hit in found.hits:
        hits.card(hit, note=_also(hit, *other))
        key = f"try-{letter}-{hit.rank}"
        if st.button("Open in text", key=key, type="tertiary", icon=":material/article:"):
            session.current().open_node_of(hit.doc_id, hit.node.ordinal, settings)
            st.rerun(scope="app")


def _also(hit: Hit, other: str, found: tuple[Hit, ...]) -> str:
    """At which ranks the other side returns a node that has text in common with this one."""
    ranks = [
        f"#{one.rank}"
        for one in found
        if one.doc_id == hit.doc_id and one.node.start < hit.node.end and hit.node.start < one.node.end
    ]
    return f"also {' '.join(ranks)} in {other}" if ranks else ""


def _build(opened: Workspace, letter: str, settings: ChunkSettings, takes: Taken) -> None:
    """Offer to build an index that is not there, or lacks documents."""
    if jobs.running("build") or jobs.running("add"):
        jobs.here("build", letter)
        jobs.here("add", letter)
        return
    context.warn(settings)
    missing = "" if takes.documents == len(opened.documents()) else f" It lacks {counted(takes.documents, 'document')}."
    if takes.uncompared:
        seconds = (takes.new + takes.uncompared) / embed.texts_per_second()
        what = f"{counted(takes.uncompared, 'sentence')} to compare · about {about(seconds)} and more"
    else:
        what = f"{takes.new:,} new {'vector' if takes.new == 1 else 'vectors'} · about {about(takes.seconds)}"
    st.caption(f"This index is not built.{missing}" if not missing else missing.strip())
    if st.button(f"Build {letter} · {what}", key=f"build-{letter}", type="primary", icon=":material/build:"):
        state = session.current()
        building = state.building
        sidebar.start_build(opened, settings, state.model)
        if letter == "A":  # the index in use stays
            state.building = building
        st.rerun(scope="app")
