"""What the nodes of settings are like in a document, and what an index of them takes: computed once per state of both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core import api, embed, workspace
from core.chunk.compare import Statistics, statistics
from core.settings import ChunkSettings
from core.workspace import Workspace
from pages.parts import resources

_PER_NODE = 180
"""Bytes that an index keeps of a node beside its vector."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What an index of the whole workspace takes. ``uncompared`` sentences must be embedded before its nodes are known."""

    nodes: int
    bytes: int
    new: int
    seconds: float
    documents: int
    uncompared: int

    @property
    def built(self) -> bool:
        """Whether every document is in it."""
        return not self.documents


@dataclass(frozen=True, slots=True)
class Measured:
    """Settings as a row of the comparison; tokens are those of ``tokenizer``, of which the model reads ``max_tokens``."""

    settings: ChunkSettings
    found: Statistics
    taken: Taken
    tokenizer: str
    max_tokens: int


def measured(opened: Workspace, doc_id: str, settings: ChunkSettings, model: str, window: int) -> Measured:
    """The statistics of a document's nodes, returned in windows of ``window`` sentences a side.

    Raises:
        InvalidRequest: its sentences have not been compared.
    """
    moment = opened.store.changes if settings.context else 0
    version = opened.document(doc_id).version
    found, tokenizer, most = _statistics(opened.location, doc_id, version, settings, model, window, moment)
    return Measured(settings, found, taken(opened, settings, model), tokenizer, most)


@st.cache_data(max_entries=64, show_spinner=False)
def _statistics(
    location: str,
    doc_id: str,
    version: str,  # noqa: ARG001 - part of the key
    settings: ChunkSettings,
    model: str,
    window: int,
    moment: int,  # noqa: ARG001 - part of the key
) -> tuple[Statistics, str, int]:
    opened = workspace.open(Path(location))
    passage, nodes = api.preview(opened, doc_id, settings, model)
    counted, tokenizer, most = api.counted(opened, doc_id, settings, model)
    found = statistics(passage, nodes, counted.embedded, counted.sentences, window=window, max_tokens=most)
    return found, tokenizer, most


def taken(opened: Workspace, settings: ChunkSettings, model: str) -> Taken:
    """What an index of these settings takes. Nothing is embedded."""
    cost, held = resources.cost(settings, model), opened.index_of(settings, model)
    nodes = cost.nodes + (held.nodes if held else 0)
    size = nodes * (4 * opened.encoders(model).info.dim + _PER_NODE)
    return Taken(nodes, size, cost.new, cost.new / embed.texts_per_second(), cost.documents, cost.uncompared)
