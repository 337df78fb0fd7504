"""What tests of chunking share: passages made from texts, a model of ten lines, and settings of every kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from core import split
from core.settings import ChunkSettings, Strategy, Unit
from core.store.base import Passage
from core.types import Block, BlockKind, Document, Node, Sentence, Vectors
from tests import texts
from tests.fakes import BagEncoder

SIZED = [strategy for strategy in Strategy if strategy is not Strategy.SENTENCE_WINDOW]
UNITS = [Unit.CHARS, Unit.WORDS, Unit.TOKENS]
_TOKEN = re.compile(r"\w{1,4}|[^\w\s]")


@dataclass
class Model:
    """Words in pieces of four letters, and every sign; it counts how often it is asked."""

    asked: list[str] = field(default_factory=list)

    def likeness(self, texts: Sequence[str]) -> Vectors:
        self.asked.append("likeness")
        return cosines(BagEncoder().encode(texts))

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        self.asked.append("token_spans")
        return [found.span() for found in _TOKEN.finditer(text)]


@dataclass
class Vectored:
    """A model that gives each sentence the vector it is told, by a word that it holds."""

    vectors: dict[str, tuple[float, float]]

    def likeness(self, texts: Sequence[str]) -> Vectors:
        rows = [next(v for word, v in self.vectors.items() if word in text) for text in texts]
        return cosines(np.array(rows, np.float32) / np.linalg.norm(rows, axis=1, keepdims=True).astype(np.float32))

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        raise NotImplementedError


def cosines(vectors: Vectors) -> Vectors:
    found: Vectors = (vectors[:-1] * vectors[1:]).sum(axis=1)
    return found


def passage(text: str, name: str = "a.txt") -> Passage:
    document = texts.document(text, name)
    return Passage(document, tuple(split.sentences(document)))


def hard_cut(text: str) -> Passage:
    """A text in which no sentence ends, cut every hundred characters as a splitter would."""
    spans = [(at, min(at + 100, len(text))) for at in range(0, len(text), 100)]
    trimmed = [(a + len(text[a:b]) - len(text[a:b].lstrip()), a + len(text[a:b].rstrip())) for a, b in spans]
    found = tuple(Sentence(a, b, 0, True) for a, b in trimmed if a < b)
    return Passage(Document("d", "r", "a.txt", "text/plain", text, (Block(BlockKind.PARAGRAPH, 0, len(text)),)), found)


def sized(size: int, overlap: int = 0, strategy: str = "fixed", unit: str = "chars", **more: int) -> ChunkSettings:
    return ChunkSettings(size, overlap, strategy=Strategy(strategy), unit=Unit(unit), **more)


def said(passage: Passage, nodes: Sequence[Node]) -> list[str]:
    """The nodes' texts."""
    return [passage.document.text[node.start : node.end] for node in nodes]


sizes = st.integers(1, 60).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1)))
settings = st.builds(
    lambda sizes, around, strategy, unit, percentile, least: ChunkSettings(
        *sizes, around, None, strategy, unit, percentile, min(least, sizes[0])
    ),
    sizes, st.integers(0, 2), st.sampled_from(SIZED), st.sampled_from(UNITS), st.integers(1, 99), st.integers(0, 60),
)  # fmt: skip
"""Settings of every strategy that counts a size."""

documents = st.one_of(
    st.tuples(texts.hard, st.just("a.txt")), st.tuples(st.one_of(texts.hard, texts.noise), st.just("a.md"))
)
"""Plain texts and Markdown, hard ones, each with its name."""
