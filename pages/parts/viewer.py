"""The text with its nodes and windows: our own component, whose files are in ``assets/viewer``.

The browser fetches the text once per document; a rerun sends only numbers. Declared once, at import.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import streamlit as st

from core import api, components
from core.settings import MAX_WINDOW, ChunkSettings, Strategy
from core.types import Span
from core.utf16 import to_utf16
from core.workspace import Workspace
from pages.parts import session, why_not

_KEY = "viewer"
_MOST_PINNED = 12


_component = st.components.v2.component(
    "chunkscope_viewer",
    html='<div class="holds-the-place"></div>',
    css=".holds-the-place { height: max(540px, calc(100vh - 178px)); }",
    js=components.loader("viewer"),
    isolate_styles=True,
)

Hits = Sequence[tuple[int, int, int, bool]]
"""Hits in the text: first and last sentence, rank, and whether the filtered search found it."""


def viewer(
    opened: Workspace,
    doc_id: str,
    settings: ChunkSettings,
    *,
    hits: Hits = (),
    gold: Sequence[Span] = (),
    compared: ChunkSettings | None = None,
    height: int | None = None,
) -> None:
    """Draw a document. Selecting a node, pinning others and moving the window change the session.

    With ``compared`` the text also shows what became of the boundaries that those settings make. Without a ``height``
    the viewer fills the screen. Settings of the semantic strategy also show how alike neighbouring sentences are.
    """
    state = session.current()
    info = opened.document(doc_id)
    state.stay(doc_id, settings, lambda wanted: api.preview(opened, doc_id, wanted, state.model)[1])
    place = (opened, doc_id, info.version)
    held = opened.index_of(settings, state.model)
    held = held if held and doc_id in opened.store.indexed(held) else None
    curved = settings.strategy is Strategy.SEMANTIC and not opened.uncompared(doc_id, settings, state.model)
    _component(
        key=_KEY,
        on_view_change=_take,
        on_open_change=_open,
        on_why_change=lambda: _why(doc_id),
        data={
            "at": time.time(),
            "name": info.name,
            "text_url": api.text_url(*place, state.model),
            "nodes_url": api.nodes_url(*place, settings, state.model),
            "tokens_url": api.tokens_url(*place, settings, state.model),
            "about_url": api.about_url(*place, held),
            "near_url": api.near_url(*place, held) if held else "",
            "curve_url": api.curve_url(*place, settings, state.model) if curved else "",
            "compare_url": api.nodes_url(*place, compared, state.model) if compared else "",
            "selected": state.node,
            "pinned": state.pinned,
            "window": state.window,
            "window_max": MAX_WINDOW,
            "seq": state.viewer_seq,
            "show_window_slider": True,
            "hits": [
                {"ordinal_sentence_first": first, "ordinal_sentence_last": last, "rank": rank, "filtered": filtered}
                for first, last, rank, filtered in hits
            ],
            "gold": _units(opened, doc_id, gold),
            "height": height,
        },
    )


def _units(opened: Workspace, doc_id: str, spans: Sequence[Span]) -> list[list[int]]:
    """Spans as a browser counts. The text is loaded only if there are any: a long one takes its time."""
    if not spans:
        return []
    text = opened.store.passage(doc_id).document.text
    flat = to_utf16(text, [offset for span in spans for offset in (span.start, span.end)])
    return [flat[i : i + 2] for i in range(0, len(flat), 2)]


def _take() -> None:
    """Copy what the user did in the viewer into the session."""
    view = _reported("view")
    if view:
        state = session.current()
        state.node, state.window, state.viewer_seq = int(view["selected"]), int(view["window"]), int(view["seq"])
        state.pinned = [int(ordinal) for ordinal in view.get("pinned", [])][:_MOST_PINNED]


def _open() -> None:
    """Show a node of another document that the user chose in the viewer."""
    asked = _reported("open")
    if asked:
        session.current().open_node(str(asked["doc_id"]), int(asked["ordinal"]))


def _why(doc_id: str) -> None:
    """Ask what became of a node of this document; the page tells it in a dialog."""
    asked, state = _reported("why"), session.current()
    if asked:
        state.ask_about(doc_id, int(asked["ordinal"]), state.draft)
        state.show(why_not.DIALOG)


def _reported(name: str) -> dict[str, Any]:
    return (session.widget(_KEY) or {}).get(name) or {}
