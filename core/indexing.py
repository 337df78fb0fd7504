"""Documents become nodes in an index: chunked, embedded in pools of like length, stored one document at a time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core import chunk, embed
from core.errors import ModelMismatch
from core.progress import Part
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
class Ready:
    """A document embedded and not yet stored. ``new`` texts were embedded for it, in ``seconds``."""

    item: Pending
    embedded: EmbeddedNodes
    new: int
    seconds: float

    @property
    def doc_id(self) -> str:
        return self.item.passage.document.id

    def stored(self, refused: int, max_tokens: int, seconds: float) -> Indexed:
        """What became of it, once stored in ``seconds`` with so many nodes refused."""
        tokens, unknown = self.embedded.tokens, self.embedded.unknown
        share = sum(unknown) / max(1, sum(tokens) - 2 * len(tokens))
        cut = sum(count > max_tokens for count in tokens)
        return Indexed(self.doc_id, len(tokens) - refused, self.new, refused, cut, share, self.seconds + seconds)


@dataclass(frozen=True, slots=True)
class Indexer:
    """Embeds and stores documents in one index."""

    store: Store
    index: Index
    encoder: Encoder
    kept: dict[bytes, NDArray[np.float32]] | None = None
    """Vectors made for other indexes of the model and not stored yet; new ones are added."""

    def run(self, waiting: Iterable[Waiting], sentences: int, progress: Progress) -> Iterator[Indexed]:
        """Embed documents, store each, and yield what became of it; see ``ready``."""
        for ready in self.ready(waiting, sentences, progress):
            yield self._store(ready)

    def ready(self, waiting: Iterable[Waiting], sentences: int, progress: Progress) -> Iterator[Ready]:
        """Embed what no index of the model holds yet.

        Documents are chunked as their turn comes; ``sentences`` is how many there are in all, to tell progress by.

        Raises:
            ModelMismatch: the model is not the one the index was built with.
        """
        if self.encoder.info != self.index.model:
            raise ModelMismatch(
                f"The model {self.index.model.name!r} is not the one index {self.index.name!r} was built with.",
                "Build a new index with the model as it is now.",
            )
        done = 0
        for pool in _pools(prepare(item, self.index.settings) for item in waiting):
            size = sum(len(item.passage.sentences) for item in pool)
            part = Part(progress, done, size, sentences, unit="sentences")
            vectors, fresh, seconds = self._vectors(pool, part)
            for item in pool:
                mine = fresh & set(item.hashes)
                fresh -= mine
                yield Ready(item, self._embedded(item, vectors), len(mine), seconds * len(mine))
            done += size

    def _vectors(
        self, pool: Sequence[Pending], progress: Progress
    ) -> tuple[dict[bytes, NDArray[np.float32]], set[bytes], float]:
        """Vectors by text hash, which of them are new, and the seconds each new one took."""
        start = time.perf_counter()
        hashes = [h for item in pool for h in item.hashes]
        kept = {} if self.kept is None else self.kept
        vectors = self.store.known_vectors(self.index.model, [h for h in hashes if h not in kept])
        vectors.update((h, kept[h]) for h in hashes if h in kept)
        fresh = {h: text for item in pool for h, text in zip(item.hashes, item.texts, strict=True) if h not in vectors}
        vectors.update(zip(fresh, embed.encode_all(self.encoder, list(fresh.values()), progress), strict=True))
        kept.update((h, vectors[h]) for h in fresh)
        return vectors, set(fresh), (time.perf_counter() - start) / max(1, len(fresh))

    def _embedded(self, item: Pending, vectors: dict[bytes, NDArray[np.float32]]) -> EmbeddedNodes:
        rows = np.array([vectors[h] for h in item.hashes], np.float32).reshape(len(item.nodes), self.index.model.dim)
        tokens, unknown = self.encoder.count_tokens(item.texts), self.encoder.count_unknown(item.texts)
        return EmbeddedNodes(item.nodes, item.hashes, tokens, rows, unknown)

    def _store(self, ready: Ready) -> Indexed:
        start = time.perf_counter()
        item, document = ready.item, ready.item.passage.document
        if item.record is None:
            refused = self.store.put_nodes(self.index, document.id, document.revision, ready.embedded)
        else:
            refused = self.store.put(item.record, self.index, ready.embedded)
        return ready.stored(refused, self.index.model.max_tokens, time.perf_counter() - start)


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
