"""One document opened: what it is, its outline, its text with its blocks, its tables, and how it was read."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core import chunk, outline
from core.outline import Entry
from core.read import formats
from core.types import BlockKind, Document, DocumentInfo
from core.workspace import Workspace
from pages.parts import edits, reading, session, sidebar
from pages.parts.text import counted, escaped, literal, shortened

SHOWN = 40  # blocks at a time: a book has thousands
ROWS = 30  # of a table, in the text
MOST_ROWS = 1000  # of a table by itself
VIEWS = ("Text", "Tables", "How it was read")


def head(opened: Workspace, info: DocumentInfo, unfit: str | None) -> None:
    """What the document is, what to know about it, and what can be done with it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"#### {literal(info.name)}", width="stretch")
        if st.button("Open in Windows", key="open-document", type="primary", icon=":material/view_day:"):
            session.current().open_node(info.id, 0)
            st.switch_page("windows.py")
        st.button(
            "Delete", key="delete-document", icon=":material/delete:", on_click=edits.remove, args=(opened, [info.id])
        )
        st.button(
            "Close",
            key="close-document",
            type="tertiary",
            icon=":material/close:",
            on_click=session.current().open,
            args=(None,),
        )
    pages = f"{counted(info.reading.pages, 'page')} · " if info.reading.pages else ""
    st.caption(
        f"{formats.titled(info.media_type)} · {pages}{info.characters:,} characters · {counted(info.sentences, 'sentence')} · "
        f"added {sidebar.age(info.ingested_at)} · id {info.id}"
    )
    for notice in (*info.reading.notices, *([unfit] if unfit else [])):
        st.caption(f":material/info: {literal(notice)}")
    if info.aliases:
        st.caption(f":material/content_copy: also as {literal(', '.join(info.aliases))}")


def view(opened: Workspace, info: DocumentInfo) -> None:
    """The document below the list, in one of three views."""
    passage = opened.store.passage(info.id)
    state = session.current()
    state.block = min(state.block, max(0, len(passage.document.blocks) - 1))
    chosen = st.segmented_control("View", VIEWS, label_visibility="collapsed", **session.bound("document_view"))
    if chosen == "Tables":
        _tables(passage.document)
    elif chosen == "How it was read":
        reading.panel(opened, info)
    else:
        left, right = st.columns([3, 8], gap="small")
        with left:
            _outline(passage.document)
        with right:
            _text(passage.document)


def _outline(document: Document) -> None:
    """Headings, or pages where there are none; a click moves the text there."""
    headings, pages = outline.headings(document), outline.pages(document)
    kinds = [name for name, found in (("Headings", headings), ("Pages", pages)) if found]
    if not kinds:
        st.caption("No headings and no pages: one run of text.")
        return
    kind = kinds[0]
    if len(kinds) == 2:
        kind = (
            st.segmented_control("Outline", kinds, default=kinds[0], key="outline-kind", label_visibility="collapsed")
            or kinds[0]
        )
    entries = headings if kind == "Headings" else pages
    rows = [{"place": _said(entry), "page": entry.page} for entry in entries]
    found = st.dataframe(
        rows, key=f"outline-{document.id}-{kind}", hide_index=True, on_select="rerun", selection_mode="single-row",
        height=min(38 + 35 * len(rows), 560), column_order=("place", "page") if pages else ("place",),
        column_config={"place": st.column_config.TextColumn(kind), "page": st.column_config.NumberColumn("page", width=50)},
    )  # fmt: skip
    picked = found.selection.rows
    if picked and entries[picked[0]].block >= 0:
        session.current().turn_to(document.id, entries[picked[0]].block)


def _said(entry: Entry) -> str:
    return f"{'   ' * entry.depth}{shortened(entry.title, 80)}" if entry.title else "no text on this page"


def _text(document: Document) -> None:
    """The blocks from the place in hand on, each with its kind and page."""
    count = len(document.blocks)
    first = session.current().block
    last = min(count, first + SHOWN)
    if count > SHOWN or first:
        _turn(first, last, count)
    with st.container(height=520 if count > SHOWN else "content", border=False):
        st.html("".join(_block(document, number, new_page=number == first) for number in range(first, last)))


def _turn(first: int, last: int, count: int) -> None:
    """Go on to the next blocks, or back."""
    state = session.current()
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Back", key="blocks-back", icon=":material/chevron_left:", disabled=first == 0):
            state.block = max(0, first - SHOWN)
            st.rerun()
        if st.button("On", key="blocks-on", icon=":material/chevron_right:", disabled=last >= count):
            state.block = last
            st.rerun()
        st.caption(f"blocks {first + 1:,}–{last:,} of {count:,}")


def _block(document: Document, number: int, *, new_page: bool) -> str:
    """One block with its kind, and its page where that begins."""
    block = document.blocks[number]
    begins = block.page is not None and (new_page or block.page != document.blocks[number - 1].page)
    page = f"p. {block.page}" if begins else ""
    body = (
        _table(document, number) if block.kind is BlockKind.TABLE else escaped(document.text[block.start : block.end])
    )
    return (
        f'<div class="cs-block cs-{block.kind.value}"><div class="cs-kind">{block.kind.value}<br>{page}</div>'
        f'<div class="cs-body" dir="auto">{body}</div></div>'
    )


def _table(document: Document, number: int) -> str:
    """A table's first rows as a table."""
    found = outline.table(document, number, ROWS)
    lines = [_line(found.columns, "th"), *(_line(row, "td") for row in found.rows)]
    left = found.total - len(found.rows)
    rest = f"<div>… and {counted(left, 'row')} more</div>" if left else ""
    return f"<div>{escaped(outline.caption(document, number))}</div><table>{''.join(lines)}</table>{rest}"


def _line(cells: Sequence[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escaped(cell)}</{tag}>' for cell in cells)}</tr>"


def _tables(document: Document) -> None:
    """One table at a time, as it stands and as it is embedded."""
    found = outline.tables(document)
    if not found:
        st.caption("No tables in this document.")
        return
    number = st.selectbox(
        "Table", range(len(found)), key=f"table-{document.id}", width=520,
        format_func=lambda n: f"{n + 1} of {len(found)}: {shortened(found[n].title or 'no caption', 60)}" + (f" · p. {found[n].page}" if found[n].page else ""),
    )  # fmt: skip
    table = outline.table(document, found[number].block, MOST_ROWS)
    st.dataframe(
        [dict(zip(table.columns, row, strict=False)) for row in table.rows],
        hide_index=True, height=min(38 + 35 * max(1, len(table.rows)), 460),
    )  # fmt: skip
    block = document.blocks[found[number].block]
    summary = chunk.table_summary(document.text[block.start : block.end], block.headings)
    shown = "" if len(table.rows) == table.total else f", the first {len(table.rows):,} shown"
    st.caption(f"{counted(table.total, 'row')}{shown}. What the model reads in its place: {literal(summary)}")
