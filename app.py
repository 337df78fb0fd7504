"""``streamlit run app.py``: the pages and the HTTP routes in one process, on one store."""

from __future__ import annotations

import gc
import os
import time
from argparse import ArgumentParser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import streamlit as st

from core import api, embed, home, workspace
from core.errors import AppError
from pages.parts import resources

PAUSE = 2.0  # the browser paints what the server has sent

options = ArgumentParser(add_help=False, allow_abbrev=False)
options.add_argument("--workspace")  # streamlit run app.py -- --workspace FILE
if named := options.parse_known_args()[0].workspace:
    os.environ[home.VARIABLE] = str(Path(named).resolve())


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, Any] | None]:
    """Open the workspace while the browser still starts; close all when the server stops, so that none stays locked."""
    workspace.announce(f"http://{st.get_option('server.address') or 'localhost'}:{st.get_option('server.port')}")
    Thread(target=_warm_up, name="warm-up", daemon=True).start()
    yield None
    for opened in workspace.opened():
        workspace.close(Path(opened.location))


def _warm_up() -> None:
    """Do what takes seconds before anybody waits for it: the model once the first page is drawn, and not sooner."""
    with suppress(AppError):  # the page that needs it says what is wrong
        workspace.open(home.default())
        resources.first_page.wait()
        time.sleep(PAUSE)
        embed.encoder().encode(["warm"])
        gc.collect()
        gc.freeze()  # the model's libraries are half a million objects that stay: no later collection looks at them again


app = st.App(Path(__file__).parent / "pages" / "shell.py", routes=api.routes, lifespan=lifespan)
