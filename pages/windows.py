"""What is embedded, what comes back, and is that a good cut?"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.errors import NotFound
from core.types import DocumentInfo, Span
from core.workspace import Workspace, misfit
from pages.parts import comparing, errors, question_on_both, resources, session, traps, why_not, xray
from pages.parts.text import counted, literal
from pages.parts.viewer import Hits, viewer
from pages.parts.wording import nodes_of

_STYLE = Path(__file__).parent.parent / "assets" / "comparing.css"


def choose(documents: list[DocumentInfo]) -> str:
    """The document to look at; the first one if none was chosen or it is gone."""
    state, names = session.current(), {info.id: info.name for info in documents}
    if state.document not in names:
        state.open_node(documents[0].id, state.node if state.document is None else 0)
    st.selectbox(
        "Document", list(names), format_func=lambda i: names.get(i, i), label_visibility="collapsed", width=320,
        **session.bound("document", _first_node),
    )  # fmt: skip
    return state.document or documents[0].id


def _first_node() -> None:
    state = session.current()
    state.node, state.place, state.pinned = 0, None, []


def hits_in(doc_id: str) -> Hits:
    """The hits of the last question that lie in this document."""
    found = session.current().comparison
    if found is None:
        return []
    return [
        (hit.node.first_sentence, hit.node.last_sentence, hit.rank, step.filtered_rank is not None)
        for step in found.steps
        if (hit := step.hit).doc_id == doc_id
    ]


def gold_in(opened: Workspace, doc_id: str) -> list[Span]:
    """The gold passages of the question in hand that lie in this document."""
    state = session.current()
    asked = {state.gold_question, state.question}
    return [
        reference.span
        for questions in opened.gold_sets().values()
        for question in opened.still_valid([q for q in questions if q.text in asked])
        for reference in question.references
        if reference.doc_id == doc_id
    ]


def unfit(opened: Workspace, info: DocumentInfo) -> str:
    """Why the model says little about a document; of a long one only its language is looked at, since a page must not wait."""
    model = session.current().model
    if info.characters > comparing.LONG:
        return misfit(model, info.reading.language, 0.0)
    return opened.unfit_for(info.id, model)


def text(opened: Workspace, info: DocumentInfo) -> None:
    """The document's text with the nodes of the settings in hand."""
    hits, gold, a = hits_in(info.id), gold_in(opened, info.id), comparing.known_a(opened, info)
    try:
        viewer(opened, info.id, session.current().draft, hits=hits, gold=gold, compared=a)
    except NotFound:
        st.rerun()  # deleted in another tab a moment ago


def lab(opened: Workspace, info: DocumentInfo) -> None:
    """The text with its nodes; where these are not known yet, what is to be done first. Below it what they are like."""
    state = session.current()
    with errors.shown():
        if sentences := comparing.waits(opened, info, state.draft):
            comparing.offer(opened, info, state.draft, "B" if state.compared else "", sentences)
        else:
            text(opened, info)
    comparing.heading(opened)
    comparing.statistics(info)
    question_on_both.section(opened)


def main() -> None:
    opened = resources.current_workspace()
    documents = opened.documents()
    if not documents:
        st.title("Windows")
        st.markdown("No documents yet. Add some on the Documents page.")
        return
    state = session.current()
    st.html(_STYLE)
    with st.container(horizontal=True, vertical_alignment="center", key="windows-bar"):
        doc_id = choose(documents)
        info = next(d for d in documents if d.id == doc_id)
        st.caption(f"{info.characters:,} characters · {counted(info.sentences, 'sentence')} · {nodes_of(state.draft)}")
        comparing.pin()
        traps.button("windows", opened)
    if why := unfit(opened, info):
        st.warning(literal(why), icon=":material/translate:")
    lab(opened, info)
    why_not.dialog(opened, xray.explained)


main()
