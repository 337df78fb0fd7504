"""Documents become nodes in an index: chunked, embedded in pools of like length, stored one document at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core import chunk, context, embed
from core.context import written
from core.errors import ModelMismatch
from core.powers import ModelPowers
from core.progress import Part
from core.settings import ChunkSettings
from core.store.base import Computed, EmbeddedNodes, Passage, Record, Store
from core.types import Encoder, Index, Metadata, Node, Progress, Vectors

POOL = 1024
"""Texts embedded together: batches of like length need many to choose from; a cancel loses at most these."""

Compute = Callable[[Index, Passage, Sequence[Node], Vectors], Computed]

_WRITING = 0.9  # of the work on documents whose lines a model writes, roughly


@dataclass(frozen=True, slots=True)
class Waiting:
    """A document that is to go into an index; ``record`` is set if the document itself is to be written too.

    ``metadata`` are what its context line may tell; those of the record, if it has one.
    """

    passage: Passage
    record: Record | None = None
    metadata: Metadata = field(default_factory=dict)

    @property
    def told(self) -> Metadata:
        return self.metadata if self.record is None else self.record.metadata


@dataclass(frozen=True, slots=True)
class Pending:
    """A document on its way into an index, chunked.

    ``lacking`` are the context lines that a model is still to write: until then their nodes, texts and hashes are those
    without a line. For ``silent`` nodes it was asked and said nothing.
    """

    passage: Passage
    nodes: Sequence[Node]
    texts: Sequence[str]
    hashes: Sequence[bytes]
    record: Record | None = None
    lacking: Sequence[written.Request] = ()
    silent: int = 0

    @property
    def settled(self) -> list[bytes]:
        """The hashes of the texts that will be embedded as they are."""
        open_ = {request.node.ordinal for request in self.lacking}
        return [h for node, h in zip(self.nodes, self.hashes, strict=True) if node.ordinal not in open_]

    def with_lines(self, lines: Mapping[str, str]) -> Pending:
        """The same with those of the lacking lines that are among ``lines``, by key."""
        nodes, lacking = _told(self.nodes, self.lacking, lines)
        texts = [chunk.embedded_text(self.passage.document, node) for node in nodes]
        hashes = [embed.text_hash(text) for text in texts]
        silent = self.silent + sum(lines.get(request.key) == "" for request in self.lacking)
        return Pending(self.passage, nodes, texts, hashes, self.record, lacking, silent)


@dataclass(frozen=True, slots=True)
class Indexed:
    """What became of one document: its nodes, the texts embedded for it, and the nodes the store refused.

    ``cut`` nodes are longer than the model reads: their end is not embedded. ``unknown`` is the share of tokens that
    stand for nothing the model knows. ``silent`` nodes have no context line as the model that writes them said nothing.
    """

    doc_id: str
    nodes: int
    embedded: int
    refused: int
    cut: int
    unknown: float
    seconds: float
    silent: int = 0


def nodes(
    waiting: Waiting, settings: ChunkSettings, kept: written.Kept | None = None, powers: chunk.Powers | None = None
) -> list[Node]:
    """A document's nodes, each with its context line; empty where a model has yet to write it."""
    found, asked = _chunked(waiting, settings, powers)
    return list(_told(found, asked, _known(asked, kept))[0])


def prepare(
    waiting: Waiting, settings: ChunkSettings, kept: written.Kept | None = None, powers: chunk.Powers | None = None
) -> Pending:
    """A document's nodes with the texts that will be embedded for them. Nothing is sent anywhere.

    Context lines that a model writes are taken from ``kept``; those that are not there are lacking.
    """
    found, asked = _chunked(waiting, settings, powers)
    return Pending(waiting.passage, found, (), (), waiting.record, asked).with_lines(_known(asked, kept))


def estimate(
    waiting: Iterable[Waiting], settings: ChunkSettings, kept: written.Kept, powers: chunk.Powers | None = None
) -> written.Estimate:
    """What the model that writes the context lines would be asked for these documents: nothing where none writes them."""
    asked = (_chunked(item, settings, powers)[1] for item in waiting)
    return sum((written.estimate(requests, kept) for requests in asked), written.Estimate())


def _chunked(
    waiting: Waiting, settings: ChunkSettings, powers: chunk.Powers | None
) -> tuple[list[Node], list[written.Request]]:
    """The nodes with their lines, or without them and with what is to be asked for."""
    document, line = waiting.passage.document, settings.context
    found = chunk.nodes(waiting.passage, settings, powers)
    if line is None:
        return found, []
    title = context.title(document)
    if line.writer:
        return found, written.requests(document, found, title, line)
    return context.contextual(found, title, waiting.told, line), []


def _known(asked: Sequence[written.Request], kept: written.Kept | None) -> Mapping[str, str]:
    return kept.contexts([request.key for request in asked]) if asked and kept is not None else {}


def _told(
    nodes: Sequence[Node], asked: Sequence[written.Request], lines: Mapping[str, str]
) -> tuple[Sequence[Node], list[written.Request]]:
    """The nodes with the lines that are known, and what is still to be asked for."""
    known = {request.node.ordinal: lines[request.key] for request in asked if request.key in lines}
    told = [replace(node, context=known[node.ordinal]) if node.ordinal in known else node for node in nodes]
    return told, [request for request in asked if request.key not in lines]


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
        seconds += self.seconds
        return Indexed(self.doc_id, len(tokens) - refused, self.new, refused, cut, share, seconds, self.item.silent)


@dataclass(frozen=True, slots=True)
class Indexer:
    """Embeds and stores documents in one index.

    ``writer`` is asked for the context lines that the store does not hold, if the index's settings want written ones.
    """

    store: Store
    index: Index
    encoder: Encoder
    kept: dict[bytes, NDArray[np.float32]] | None = None
    """Vectors made for other indexes of the model and not stored yet; new ones are added."""
    writer: written.Writer | None = None
    compute: Compute | None = None
    """What finds the computed fields of nodes, if any are wanted."""

    def run(self, waiting: Iterable[Waiting], sentences: int, progress: Progress) -> Iterator[Indexed]:
        """Embed documents, store each, and yield what became of it; see ``ready``."""
        for ready in self.ready(waiting, sentences, progress):
            yield self._store(ready)

    def ready(self, waiting: Iterable[Waiting], sentences: int, progress: Progress) -> Iterator[Ready]:
        """Embed what no index of the model holds yet.

        Documents are chunked as their turn comes; ``sentences`` is how many there are in all, to tell progress by.

        Raises:
            ModelMismatch: the model is not the one the index was built with.
            AppError: context lines cannot be written. Those that were are kept.
        """
        if self.encoder.info != self.index.model:
            raise ModelMismatch(
                f"The model {self.index.model.name!r} is not the one index {self.index.name!r} was built with.",
                "Build a new index with the model as it is now.",
            )
        done = 0
        for chunked in _pools(self._prepared(waiting, sentences, progress)):
            size = sum(len(item.passage.sentences) for item in chunked)
            share = _WRITING if any(item.lacking for item in chunked) else 0.0
            pool = self._written(chunked, Part(progress, done, share * size, sentences, unit="sentences"))
            part = Part(progress, done + share * size, (1 - share) * size, sentences, unit="sentences")
            vectors, fresh, seconds = self._vectors(pool, part)
            for item in pool:
                mine = fresh & set(item.hashes)
                fresh -= mine
                yield Ready(item, self._embedded(item, vectors), len(mine), seconds * len(mine))
            done += size

    def _prepared(self, waiting: Iterable[Waiting], sentences: int, progress: Progress) -> Iterator[Pending]:
        begun = 0
        for item in waiting:
            said = Part(progress, begun, 0, sentences, title=item.passage.document.name)
            yield prepare(item, self.index.settings, None, ModelPowers(self.encoder, self.store, said))
            begun += len(item.passage.sentences)

    def _written(self, pool: list[Pending], progress: Progress) -> list[Pending]:
        """The documents with the context lines that a model writes for them."""
        lacking = [request for item in pool for request in item.lacking]
        if not lacking:
            return pool
        lines = written.write(lacking, self.writer, self.store, progress)
        return [item.with_lines(lines) for item in pool]

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
        computed = self.compute(self.index, item.passage, item.nodes, rows) if self.compute else {}
        return EmbeddedNodes(item.nodes, item.hashes, tokens, rows, unknown, computed)

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
