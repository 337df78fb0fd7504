"""``streamlit run app.py``: the pages and the HTTP routes in one process, on one store."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st

from core import api, home, workspace

if "--workspace" in sys.argv[1:-1]:  # streamlit run app.py -- --workspace FILE
    import os

    os.environ[home.VARIABLE] = str(Path(sys.argv[sys.argv.index("--workspace") + 1]).resolve())


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, Any] | None]:
    """Close every workspace when the server stops, so that the next process finds none locked."""
    yield None
    for opened in workspace.opened():
        workspace.close(Path(opened.location))


app = st.App(Path(__file__).parent / "pages" / "shell.py", routes=api.routes, lifespan=lifespan)
