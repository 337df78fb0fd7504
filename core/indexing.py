"""Documents become nodes in an index: chunked, embedded in pools of like length, stored one document at a time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core import chunk, embed
from core.settings import ChunkSettings
from core.store.base import EmbeddedNodes, Passage, Record, Store
from core.types import Encoder, Index, Node, Progress

POOL = 1024
"""Texts embedded together: batches of like length need many to choose from; a cancel loses at most these."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A document that is to go into an index; ``record`` is set if the document itself is to be written too."""

    passage: Passage
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class Pending:
    """A document on its way into an index, chunked."""

    passage: Passage
    nodes: Sequence[Node]
    texts: Sequence[str]
    hashes: Sequence[bytes]
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class Indexed:
    """What became of one document: its nodes, the texts embedded for it, and the nodes the store refused.

    ``cut`` nodes are longer than the model reads: their end is not embedded. ``unknown`` is the share of tokens that
    stand for nothing the model knows.
    """

    doc_id: str
    nodes: int
    embedded: int
    refused: int
    cut: int
    unknown: float
    seconds: float


def prepare(waiting: Waiting, settings: ChunkSettings) -> Pending:
    """A document's nodes with the texts that will be embedded for them."""
    nodes = chunk.nodes(waiting.passage, settings)
    texts = [chunk.embedded_text(waiting.passage.document, node) for node in nodes]
    return Pending(waiting.passage, nodes, texts, [embed.text_hash(t) for t in texts], waiting.record)


@dataclass(frozen=True, slots=True)
class Indexer:
    """Embeds and stores documents in one index."""

    store: Store
    index: Index
    encoder: Encoder

    def run(self, waiting: Iterable[Waiting], sentences: int, progress: Progress) -> Iterator[Indexed]:
        """Embed what no index of the model holds yet, store each document, and yield what became of it.

        Documents are chunked as their turn comes; ``sentences`` is how many there are in all, to tell progress by.
        """
        done = 0
        for pool in _pools(prepare(item, self.index.settings) for item in waiting):
            size = sum(len(item.passage.sentences) for item in pool)
            vectors, fresh, seconds = self._vectors(pool, _Part(progress, done, size, sentences))
            for item in pool:
                mine = fresh & set(item.hashes)
                fresh -= mine
                yield self._store(item, vectors, len(mine), seconds * len(mine))
            done += size

    def _vectors(
        self, pool: Sequence[Pending], progress: Progress
    ) -> tuple[dict[bytes, NDArray[np.float32]], set[bytes], float]:
        """Vectors by text hash, which of them are new, and the seconds each new one took."""
        start = time.perf_counter()
        vectors = self.store.known_vectors(self.index.model, [h for item in pool for h in item.hashes])
        fresh = {h: text for item in pool for h, text in zip(item.hashes, item.texts, strict=True) if h not in vectors}
        vectors.update(zip(fresh, embed.encode_all(self.encoder, list(fresh.values()), progress), strict=True))
        return vectors, set(fresh), (time.perf_counter() - start) / max(1, len(fresh))

    def _store(self, item: Pending, vectors: dict[bytes, NDArray[np.float32]], new: int, seconds: float) -> Indexed:
        start = time.perf_counter()
        document = item.passage.document
        rows = np.array([vectors[h] for h in item.hashes], np.float32).reshape(len(item.nodes), self.index.model.dim)
        tokens, unknown = self.encoder.count_tokens(item.texts), self.encoder.count_unknown(item.texts)
        embedded = EmbeddedNodes(item.nodes, item.hashes, tokens, rows, unknown)
        if item.record is None:
            refused = self.store.put_nodes(self.index, document.id, document.revision, embedded)
        else:
            refused = self.store.put(item.record, self.index, embedded)
        took = seconds + time.perf_counter() - start
        cut = sum(count > self.index.model.max_tokens for count in embedded.tokens)
        share = sum(unknown) / max(1, sum(tokens) - 2 * len(tokens))
        return Indexed(document.id, len(item.nodes) - refused, new, refused, cut, share, took)


@dataclass(frozen=True, slots=True)
class _Part:
    """The progress of one pool as part of the whole."""

    whole: Progress
    offset: int
    size: int
    total: int

    def __call__(self, done: float, total: float, message: str) -> None:
        at = self.offset + self.size * done / max(1.0, total)
        self.whole(at, self.total, f"{message} · {int(at):,} of {self.total:,} sentences")


def _pools(pending: Iterable[Pending]) -> Iterator[list[Pending]]:
    pool: list[Pending] = []
    size = 0
    for item in pending:
        pool.append(item)
        size += len(item.texts)
        if size >= POOL:
            yield pool
            pool, size = [], 0
    if pool:
        yield pool
