"""Passages, nodes and fields of a Markdown text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core import chunk, enrich, split
from core.settings import ChunkSettings
from core.store.base import Passage
from core.types import Node, Reading, Value
from tests import texts

PATTERN = enrich.finder("")
ALL = enrich.EnrichSettings()


def passage(text: str, language: str = "en", name: str = "a.md") -> Passage:
    document = replace(texts.document(text, name), reading=Reading(language=language))
    return Passage(document, tuple(split.sentences(document)))


def nodes(made: Passage, size: int = 1, overlap: int = 0) -> list[Node]:
    return chunk.nodes(made, ChunkSettings(size, overlap))


def field(name: str, text: str, size: int = 1, language: str = "en") -> Sequence[Value | None]:
    """What a field says of each node of a Markdown text; the other fields are off."""
    made = passage(text, language)
    return enrich.compute(made, nodes(made, size), None, only(name), PATTERN)[name]


def only(*names: str) -> enrich.EnrichSettings:
    return enrich.EnrichSettings(frozenset(known.name for known in enrich.COMPUTED) - set(names))
