"""The line that is embedded before a node and is no part of it: put together from what is known, or written by a model."""

from __future__ import annotations

from core.context.line import changed, contextual, lines, title

__all__ = ["changed", "contextual", "lines", "title"]
