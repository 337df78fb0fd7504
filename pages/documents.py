"""What do I have, and is it in order?"""

from __future__ import annotations

import streamlit as st

from core.read import formats
from core.types import DocumentInfo, Index
from core.workspace import Workspace
from pages.parts import document, drop, errors, jobs, resources, session, sidebar
from pages.parts.text import counted, literal


def table(documents: list[DocumentInfo], index: Index | None, counts: dict[str, int]) -> str | None:
    """The documents; the id of the row that is chosen."""
    rows = [
        {
            "name": info.name,
            "format": formats.titled(info.media_type),
            "pages": info.reading.pages or None,
            "type": info.metadata.get("doc_type"),
            "category": info.metadata.get("category"),
            "tags": list(info.metadata.get("tags", ())),  # type: ignore[arg-type]
            "published": info.metadata.get("published_at"),
            "sentences": info.sentences,
            "nodes": counts.get(info.id),
            "state": _state(info, index, counts),
        }
        for info in documents
    ]
    opened = session.current().open_document is not None
    shown = ("name", "format", "pages", "nodes", "state") if opened else tuple(rows[0])
    shown = tuple(name for name in shown if name == "nodes" or any(row[name] for row in rows))
    config = {
        "name": st.column_config.TextColumn("name", width=170),
        "format": st.column_config.TextColumn("format", width=75),
        "pages": st.column_config.NumberColumn("pages", width=55, format="localized"),
        "type": st.column_config.TextColumn("type", width=105),
        "tags": st.column_config.ListColumn("tags", width=110),
        "published": st.column_config.DateColumn("published", width=85),
        "category": st.column_config.TextColumn("category", width=88),
        "sentences": st.column_config.NumberColumn("sentences", width=75, format="localized"),
        "nodes": st.column_config.NumberColumn("nodes", width=52, format="localized"),
    }
    chosen = st.dataframe(
        rows, key=f"documents-{session.current().deletions}", on_select="rerun", selection_mode="single-row", hide_index=True, column_config=config,
        height=min(38 + 35 * len(rows), 340 if opened else 600), width="stretch", placeholder="–",
        column_order=shown,
    )  # fmt: skip
    picked = chosen.selection.rows
    return documents[picked[0]].id if picked and picked[0] < len(documents) else None


def _state(info: DocumentInfo, index: Index | None, counts: dict[str, int]) -> str:
    state = "indexed" if info.id in counts else "not in this index" if index else "no index"
    notes = len(info.reading.notices)
    return f"{state} · {counted(notes, 'note')}" if notes else state


def details(opened: Workspace, info: DocumentInfo, unfit: str | None) -> None:
    """One document: what it is, its metadata, and what can be done with it."""
    with st.container(border=True):
        st.markdown(f"#### {literal(info.name)}")
        st.caption(
            f"{formats.titled(info.media_type)} · {_pages(info)}{info.characters:,} characters · {counted(info.sentences, 'sentence')} · "
            f"added {sidebar.age(info.ingested_at)} · id {info.id}"
        )
        for notice in (*info.reading.notices, *([unfit] if unfit else [])):
            st.caption(f":material/info: {literal(notice)}")
        if info.aliases:
            st.caption(f":material/content_copy: also as {literal(', '.join(info.aliases))}")
        with st.container(horizontal=True):
            if st.button("Open in Windows", key="open-document", type="primary", icon=":material/view_day:"):
                session.current().open_node(info.id, 0)
                st.switch_page("windows.py")
            if st.button("Delete", key="delete-document", icon=":material/delete:"):
                with errors.shown():
                    session.current().removed.append(opened.remove(info.id))
                    session.current().open_document = None
                    session.current().deletions += 1
                    st.rerun()
        if info.metadata:
            rows = [{"field": name, "value": _shown(value)} for name, value in info.metadata.items()]
            st.dataframe(rows, hide_index=True, key="metadata", width="stretch")
        else:
            st.caption(f"No metadata. Drop {literal(info.name)}.meta.json to add some.")


def _pages(info: DocumentInfo) -> str:
    return f"{counted(info.reading.pages, 'page')} · " if info.reading.pages else ""


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def undo(opened: Workspace) -> None:
    """Bring back what was deleted last."""
    removed = session.current().removed
    if not removed:
        return
    name = removed[-1].record.passage.document.name
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="left"):
        st.caption(f":material/delete: {literal(name)} was deleted.", width="content")
        if st.button("Undo", key="undo-delete", type="tertiary", icon=":material/undo:"):
            with errors.shown():
                opened.restore(removed[-1])
                removed.pop()
                st.rerun()


def main() -> None:
    opened = resources.current_workspace()
    documents, index = opened.documents(), resources.current_index()
    counts = dict(opened.store.node_counts(index)) if index else {}
    st.title("Documents")
    if not documents and jobs.running("add"):
        st.markdown("Reading your files: see the sidebar. The first time, loading the model takes a few seconds.")
    elif not documents:
        st.markdown("This workspace is empty. Drop files, a folder or a zip, and look at them sentence by sentence.")
    else:
        waiting = len(documents) - len(counts)
        note = f" · {waiting} need indexing" if waiting else ""
        st.caption(f"{counted(len(documents), 'document')} · {sum(d.sentences for d in documents):,} sentences{note}")
    tour(documents)
    undo(opened)
    with st.expander("Add documents", icon=":material/upload:", expanded=not documents):
        drop.zone(opened, empty=not documents)
    drop.outcomes()
    if documents:
        chosen = session.current().open_document
        left, right = st.columns([5, 3], gap="medium") if chosen else (st.container(), None)
        with left:
            picked = table(documents, index, counts)
        if picked != chosen:
            session.current().open(picked)
            st.rerun()
        info = next((d for d in documents if d.id == chosen), None)
        if right and info:
            with right:
                details(opened, info, opened.unfit(index).get(info.id) if index else None)
            document.view(opened, info)


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


main()
