"""What do I have, and is it in order?"""

from __future__ import annotations

import streamlit as st

from core.types import DocumentInfo, Index
from core.workspace import Workspace
from pages.parts import (
    attention,
    bulk,
    columns,
    document,
    drop,
    edits,
    facets,
    jobs,
    linter,
    listing,
    metadata,
    narrowing,
    resources,
    schema,
    session,
    sidebar,
)
from pages.parts.text import counted

BESIDE = 176  # pixels: the facets
TALL, LOW = 600, 248  # pixels: the table alone, and above a document


def summary(opened: Workspace, documents: list[DocumentInfo], index: Index | None) -> None:
    """In one line: how many there are, and how many of them need something."""
    lacking = len(documents) - (index.documents if index else 0)
    odd = len(attention.of(opened, index).reasons)
    said = [counted(len(documents), "document"), f"{sum(info.sentences for info in documents):,} sentences"]
    said += [f"{lacking:,} need indexing"] if lacking else []
    said += [f":orange[:material/warning:] {odd:,} need{'s' if odd == 1 else ''} attention"] if odd else []
    st.caption(" · ".join(said), width="content")


def tour(documents: list[DocumentInfo]) -> None:
    """Four steps for a first visit, until dismissed."""
    state = session.current()
    if state.tour_done or not documents or not sidebar.sample_note():
        return
    with st.container(border=True):
        st.markdown(
            "**This is the sample workspace.** Four things to try: "
            "**1 Windows** drag the window slider and watch what one sentence brings back · "
            "**2 Search** ask *What is the refund policy?*, then add a filter and see what it removed · "
            "**3 Map** see where the candidates lie · "
            "**4 Evaluate** measure window sizes on 45 questions."
        )
        if st.button("Got it", key="tour-done", type="tertiary", icon=":material/check:"):
            state.tour_done = True
            st.rerun()


def browse(opened: Workspace, documents: list[DocumentInfo], index: Index | None) -> None:
    """Facets beside the table, and what can be done with the rows."""
    state = session.current().listing
    shown = shown_columns(opened, documents)
    offered = facets.offered(opened, index) if len(documents) > 1 else []
    found = listing.rows(opened, index, narrowing.with_kept(facets.where(offered), state.kept), shown)
    height = LOW if session.current().open_document else TALL
    with st.container(horizontal=True, gap="small"):
        if offered:
            with st.container(width=BESIDE, height=height + 52, border=False, gap="xxsmall", key="facets"):
                facets.draw(opened, offered, len(found.infos), len(documents))
        with st.container(gap="xsmall"):
            bulk.bar(opened, found.infos, listing.ticked(found), shown)
            listing.draw(opened, found, shown, height)


def shown_columns(opened: Workspace, documents: list[DocumentInfo]) -> list[str]:
    """The columns a person chose, as far as they are there, or the usual ones."""
    state, there = session.current().listing, columns.every(opened.fields())
    if state.columns is not None:
        return [name for name in state.columns if name in there]
    found = columns.usual(there, documents, state.seen)
    state.seen |= {spec.name for name in found if (spec := there[name])}
    return found


def details(opened: Workspace, info: DocumentInfo, index: Index | None) -> None:
    """One document: its text, and beside it what is known about it."""
    with st.container(border=True):
        document.head(opened, info, opened.unfit(index).get(info.id) if index else None)
        left, right = st.columns([7, 3], gap="medium")
        with left:
            document.view(opened, info)
        with right:
            metadata.form(opened, info)


def main() -> None:
    opened = resources.current_workspace()
    documents, index = opened.documents(), resources.current_index()
    st.title("Documents")
    head = st.container(horizontal=True, vertical_alignment="center")
    if documents:
        with head:
            summary(opened, documents, index)
    elif jobs.running("add"):
        st.markdown("Reading your files: see the sidebar. The first time, loading the model takes a few seconds.")
    else:
        st.markdown("This workspace is empty. Drop files, a folder or a zip, and look at them sentence by sentence.")
        with st.container(horizontal=True, vertical_alignment="center"):
            edits.line(opened)
    tour(documents)
    with st.expander("Add documents", icon=":material/upload:", expanded=not documents):
        drop.zone(opened, empty=not documents)
    drop.outcomes()
    if not documents:
        with head:
            schema.button(opened)
        return
    browse(opened, documents, index)
    chosen = session.current().open_document
    if info := next((info for info in documents if info.id == chosen), None):
        details(opened, info, index)
    with head:
        schema.button(opened)
        linter.button(opened)


main()
