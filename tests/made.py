"""Documents, nodes and vectors made by hand, for tests that know what must be found."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike

from core import embed, read
from core.filters import FieldType
from core.settings import ChunkSettings
from core.store.base import Cell, EmbeddedNodes, Passage, Record, Store
from core.types import Block, BlockKind, Document, FieldSpec, Index, Metadata, ModelInfo, Node, Sentence, Span

SENTENCES = ChunkSettings()
MODEL = ModelInfo("bag", "bag-1", 3, 256)


def record(
    name: str,
    sentences: Sequence[str],
    metadata: Metadata | None = None,
    aliases: Sequence[str] = (),
    sidecar: bytes | None = None,
) -> Record:
    """A document of these sentences, one space between them, in one paragraph."""
    text = " ".join(sentences)
    starts = list(accumulate((len(s) + 1 for s in sentences[:-1]), initial=0))[: len(sentences)]
    spans = tuple(Sentence(at, at + len(s), 0) for at, s in zip(starts, sentences, strict=True))
    blocks = (Block(BlockKind.PARAGRAPH, 0, len(text)),)
    document = Document(read.document_id(name), read.revision(text), name, "text/plain", text, blocks)
    told = metadata or {}
    return Record(Passage(document, spans), text.encode(), sidecar, told, tuple(aliases), cells(told))


def embedded(record: Record, vectors: ArrayLike, kinds: Sequence[BlockKind] = (), pages: Sequence[int | None] = ()):
    """One node per sentence with these vectors, and kinds and pages where given."""
    text = record.passage.document.text
    nodes = [
        Node(
            i, s.start, s.end, i, i, Span(s.start, s.end),
            kinds[i] if kinds else BlockKind.PARAGRAPH, pages[i] if pages else None, ("Top", "Below"),
        )
        for i, s in enumerate(record.passage.sentences)
    ]  # fmt: skip
    texts = [text[n.start : n.end] for n in nodes]
    return EmbeddedNodes(nodes, [embed.text_hash(t) for t in texts], [len(t) for t in texts], np.asarray(vectors))


def put(store: Store, index: Index, name: str, vectors: ArrayLike, metadata: Metadata | None = None) -> str:
    """Store a document with one node per vector; its id. Fields must be there."""
    made = record(name, [f"{name} sentence {i}." for i in range(len(np.asarray(vectors)))], metadata)
    store.put(made, index, embedded(made, vectors))
    return made.passage.document.id


def cells(metadata: Metadata) -> dict[str, Cell]:
    """Cells that hold these values, given as JSON writes them."""
    return {name: Cell(json.loads(json.dumps(value, default=str)), value) for name, value in metadata.items()}


def fields(**types: FieldType) -> list[FieldSpec]:
    return [FieldSpec(name, kind) for name, kind in types.items()]


def model(dim: int, name: str = "bag", revision: str = "bag-1") -> ModelInfo:
    return ModelInfo(name, revision, dim, 256)
