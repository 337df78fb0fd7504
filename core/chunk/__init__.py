"""A document's text becomes nodes, and a node the text that is embedded for it: one module per strategy.

Every strategy gives nodes whose spans are slices of the text, the same for the same document, settings and model.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from core.chunk import code, fixed, recursive, semantic, sentence_window, structure
from core.chunk.overlaps import Place, overlap_spans
from core.chunk.parts import around, embedded_text, prefix, prefixes, table_summary
from core.chunk.presets import DEFAULTS, MOST_OVERLAP, PRESETS, RECOMMENDED, Preset, completed, overlap_units
from core.chunk.ruler import Powers
from core.chunk.semantic import Curve
from core.chunk.sentence_window import window
from core.settings import ChunkSettings, Strategy
from core.store.base import Passage
from core.types import Node

__all__ = [
    "DEFAULTS",
    "MOST_OVERLAP",
    "PRESETS",
    "RECOMMENDED",
    "Curve",
    "Place",
    "Powers",
    "Preset",
    "around",
    "completed",
    "embedded_text",
    "nodes",
    "overlap_spans",
    "overlap_units",
    "prefix",
    "prefixes",
    "semantic",
    "table_summary",
    "window",
]

_STRATEGIES = {
    Strategy.SENTENCE_WINDOW: sentence_window.nodes,
    Strategy.FIXED: fixed.nodes,
    Strategy.RECURSIVE: recursive.nodes,
    Strategy.SEMANTIC: semantic.nodes,
    Strategy.STRUCTURE: structure.nodes,
    Strategy.CODE: code.nodes,
}


def nodes(passage: Passage, settings: ChunkSettings, powers: Powers | None = None) -> list[Node]:
    """The nodes of a document under ``settings``; ``powers`` are what semantic and tokens ask of a model.

    Raises:
        InvalidSetting: the settings need ``powers`` (see ``ChunkSettings.needs_model``) and there are none.
        MissingExtra: a package that the strategy needs is not installed.
    """
    with _uncollected():
        return _STRATEGIES[settings.strategy](passage, settings, powers)


@contextmanager
def _uncollected() -> Iterator[None]:
    """No search for cycles: nodes are in none, and with many of them the search takes more time than all the rest."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
