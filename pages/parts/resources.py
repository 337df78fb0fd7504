"""What is expensive and shared: the open workspace, and values that hold until it changes."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import streamlit as st

from core import workspace
from core.context.written import Estimate
from core.settings import ChunkSettings
from core.types import Index
from core.workspace import Cost, MapPicture, Workspace
from pages.parts import session

first_page = Event()
"""Set once a page has been drawn in this process: from then on the machine is free for what can wait."""


def current_workspace() -> Workspace:
    """The workspace this tab works on."""
    return workspace.open(Path(session.current().workspace))


def current_index() -> Index | None:
    """The index this tab searches: the one chosen, else the first that was built; None in an empty workspace."""
    found = current_workspace().indexes()
    chosen = session.current().index
    return next((index for index in found if index.id == chosen), found[0] if found else None)


def searchable(title: str) -> tuple[Workspace, Index]:
    """Begin a page that needs an index: draw its title; where there is nothing to search yet, say so and stop."""
    st.title(title)
    index = current_index()
    if index is None or not index.nodes:
        st.markdown("Nothing to search yet.")
        st.page_link("documents.py", label="Add documents", icon=":material/upload_file:")
        st.stop()
    return current_workspace(), index


def cost(settings: ChunkSettings, model: str) -> Cost:
    """What building an index would embed, computed once per state of the workspace."""
    opened = current_workspace()
    return _cost(opened.location, opened.store.changes, settings, model)


@st.cache_data(max_entries=64, show_spinner=False)
def _cost(location: str, changes: int, settings: ChunkSettings, model: str) -> Cost:  # noqa: ARG001 - part of the key
    return workspace.open(Path(location)).cost(settings, model)


def tokens_read(opened: Workspace, model: str) -> int:
    """How many tokens of a text a model reads, its special ones not counted."""
    encoder = opened.encoders(model)
    (special,) = encoder.count_tokens([""])
    return encoder.info.max_tokens - special


def writing_cost(settings: ChunkSettings, model: str) -> Estimate:
    """What the model that writes context lines would be asked, computed once per state of the workspace."""
    opened = current_workspace()
    return _writing_cost(opened.location, opened.store.changes, settings, model)


@st.cache_data(max_entries=64, show_spinner=False)
def _writing_cost(location: str, changes: int, settings: ChunkSettings, model: str) -> Estimate:  # noqa: ARG001 - part of the key
    return workspace.open(Path(location)).writing_cost(settings, model)


def picture(index: Index) -> MapPicture:
    """The index's map, read once per state of the workspace."""
    opened = current_workspace()
    return _picture(opened.location, index.id, index.version, opened.store.changes)


@st.cache_resource(max_entries=8, show_spinner="Drawing the map …")
def _picture(location: str, index: str, version: int, changes: int) -> MapPicture:  # noqa: ARG001 - part of the key
    return workspace.open(Path(location)).picture(index)
