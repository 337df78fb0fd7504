"""The address of a tab: what a link or a reload brings back.

Streamlit's own query parameters add an entry to the browser's history with every change, so that Back would undo a
slider step by step; this little component replaces the address in place instead.
"""

from __future__ import annotations

import time
from pathlib import Path

import streamlit as st

from pages.parts import link, session

_component = st.components.v2.component(
    "chunkscope_address",
    js=(Path(__file__).parent.parent.parent / "assets" / "address" / "address.js").read_text(encoding="utf-8"),
)


def write(page: str) -> None:
    """Keep the session's choices in the address of this page."""
    with st.sidebar.container(key="address"):
        _component(
            key="address-writer", data={"at": time.time(), "page": page, "said": link.written(session.current())}
        )
