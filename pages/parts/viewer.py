"""The text with its nodes and windows: our own component, whose files are in ``assets/viewer``.

The browser fetches the text once per document; a rerun sends only numbers. Declared once, at import.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core import api
from core.settings import MAX_WINDOW, ChunkSettings
from core.types import Span
from core.utf16 import to_utf16
from core.workspace import Workspace
from pages.parts import session

_FILES = Path(__file__).parent.parent.parent / "assets" / "viewer"
_KEY = "viewer"
_component = st.components.v2.component(
    "chunkscope_viewer",
    html=(_FILES / "viewer.html").read_text(encoding="utf-8"),
    css=(_FILES / "viewer.css").read_text(encoding="utf-8"),
    js=(_FILES / "viewer.js").read_text(encoding="utf-8"),
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
    height: int = 640,
) -> None:
    """Draw a document. Selecting a node and moving the window change the session."""
    state = session.current()
    passage, nodes = opened.preview(doc_id, settings)
    state.stay(doc_id, settings, nodes)
    revision = passage.version
    offsets = to_utf16(passage.document.text, [offset for span in gold for offset in (span.start, span.end)])
    _component(
        key=_KEY,
        on_view_change=_take,
        data={
            "at": time.time(),
            "text_url": api.text_url(opened, doc_id, revision, state.model),
            "nodes_url": api.nodes_url(opened, doc_id, revision, settings, state.model),
            "selected": state.node,
            "window": state.window,
            "window_max": MAX_WINDOW,
            "seq": state.viewer_seq,
            "show_window_slider": True,
            "hits": [
                {"ordinal_sentence_first": first, "ordinal_sentence_last": last, "rank": rank, "filtered": filtered}
                for first, last, rank, filtered in hits
            ],
            "gold": [offsets[i : i + 2] for i in range(0, len(offsets), 2)],
            "height": height,
        },
    )


def _take() -> None:
    """Copy what the user did in the viewer into the session."""
    view = (session.widget(_KEY) or {}).get("view")
    if view:
        state = session.current()
        state.node, state.window, state.viewer_seq = int(view["selected"]), int(view["window"]), int(view["seq"])
