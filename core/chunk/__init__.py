"""Sentences become nodes, and a node the text that is embedded for it: one module per strategy."""

from __future__ import annotations

from core.chunk.parts import around, embedded_text, prefix, prefixes, table_summary
from core.chunk.sentence_window import nodes, window

__all__ = ["around", "embedded_text", "nodes", "prefix", "prefixes", "table_summary", "window"]
