"""Sentences become nodes, and nodes windows: one module per strategy."""

from core.chunk.sentence_window import nodes, window

__all__ = ["nodes", "window"]
