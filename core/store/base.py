"""What every store promises; the contract test suite runs against each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.boosts import Boost, Factors
from core.filters import Filter, Scalar, Schema
from core.settings import ChunkSettings
from core.types import Document, DocumentInfo, FieldSpec, Index, Metadata, ModelInfo, Node, Sentence, Value, Vectors


@dataclass(frozen=True, slots=True)
class Passage:
    """A document with its sentences: all that windows are sliced from. ``layout`` tells one way of cutting from another."""

    document: Document
    sentences: tuple[Sentence, ...]
    layout: str = field(default="", compare=False)

    @property
    def version(self) -> str:
        """Changes with the text and with the way it is cut."""
        return self.document.revision + self.layout


@dataclass(frozen=True, slots=True)
class Cell:
    """One document's value of one field: as it was given, as the field's type holds it, and why that is impossible.

    ``raw`` is None where nothing was given, so that ``value`` is the field's default; ``edited`` if a person set it here.
    """

    raw: object = None
    value: Value | None = None
    misfit: str = ""
    edited: bool = False


Cells = Mapping[str, Cell]
"""What is known about a document, by field."""


def values(cells: Cells) -> Metadata:
    """The typed values among ``cells``."""
    return {name: cell.value for name, cell in cells.items() if cell.value is not None}


@dataclass(frozen=True, slots=True)
class Record:
    """What is stored of one document: its passage, where it came from and what is known about it.

    ``metadata`` are the typed values of ``cells``.
    """

    passage: Passage
    data: bytes
    sidecar: bytes | None
    metadata: Metadata
    aliases: tuple[str, ...] = ()
    cells: Cells = field(default_factory=dict)


Computed = Mapping[str, Sequence[Value | None]]
"""Computed fields of nodes by name: one value per node."""


@dataclass(frozen=True, slots=True)
class EmbeddedNodes:
    """The nodes of one document in one index. ``vectors`` has one row per node; ``tokens`` count what is embedded.

    ``unknown`` of those tokens stand for something the model has no word piece for; empty means none. ``computed`` has
    one value per node for each computed field that is switched on.
    """

    nodes: Sequence[Node]
    hashes: Sequence[bytes]
    tokens: Sequence[int]
    vectors: Vectors
    unknown: Sequence[int] = ()
    computed: Computed = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unread:
    """What a model does not read of a document: nodes longer than its limit, and the share of tokens it has no piece for."""

    cut: int
    unknown: float


@dataclass(frozen=True, slots=True)
class Found:
    """One node found by a search, with its document as it stood in the same snapshot, and the boosts it passes."""

    doc_id: str
    node: Node
    score: float
    info: DocumentInfo
    passage: Passage
    tokens: int = 0
    computed: Metadata = field(default_factory=dict)
    factors: Factors = ()


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """Nodes best first, the statement that found them, and the counts behind "N of M nodes"."""

    found: tuple[Found, ...]
    sql: str
    params: tuple[object, ...]
    matching: int
    total: int


@dataclass(frozen=True, slots=True)
class Facet:
    """The values of a field with the number of nodes that have each, the commonest first, those of no node last.

    ``missing`` of the ``matching`` nodes have no value; of a list each item is a value.
    """

    values: tuple[tuple[Scalar, int], ...]
    missing: int
    matching: int


@dataclass(frozen=True, slots=True)
class Scan:
    """Every node of an index at one moment, by document and ordinal: its score, and which of some filters it passes.

    ``docs`` (places in ``doc_ids``), ``ordinals``, ``scores`` and ``finals`` have shape (n,), ``masks`` (filters, n);
    an expert's condition is the last of them. ``finals`` are the scores with their boosts: nodes rank by them.
    ``found`` are the nodes that were asked for, by position. ``sql`` is the statement that was run.
    """

    doc_ids: tuple[str, ...]
    docs: NDArray[np.int64]
    ordinals: NDArray[np.int64]
    scores: NDArray[np.float32]
    finals: NDArray[np.float64]
    masks: NDArray[np.bool_]
    found: Mapping[int, Found] = field(default_factory=dict)
    sql: str = ""
    params: tuple[object, ...] = ()

    def __len__(self) -> int:
        return len(self.scores)

    def key(self, position: int) -> tuple[str, int]:
        """The document id and the ordinal of a node."""
        return self.doc_ids[self.docs[position]], int(self.ordinals[position])

    def position(self, doc_id: str, ordinal: int) -> int | None:
        """Where a node is, or None if the index does not hold it."""
        if doc_id not in self.doc_ids:
            return None
        first, end = np.searchsorted(self.docs, self.doc_ids.index(doc_id) + np.arange(2))
        place = int(first + np.searchsorted(self.ordinals[first:end], ordinal))
        return place if place < end and self.ordinals[place] == ordinal else None


Wanted = Callable[[Scan], Iterable[int]]
"""Positions of the nodes that are to be fetched once a scan is done, in the same snapshot."""


def nothing(_scan: Scan) -> Iterable[int]:
    """No node is fetched."""
    return ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a filter says of one node: the filter as it was checked, what the node holds of each of its fields, and
    whether it passes each condition, in the order of ``filters.conditions``.
    """

    filter: Filter
    values: Mapping[str, Value | None]
    passes: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Distances:
    """Nodes by their cosine distance to a question: ``counts`` of equal bins from 0 to 2, shape (bins,).

    ``kept`` of them are within the limit that was asked about.
    """

    counts: NDArray[np.int64]
    kept: int

    @property
    def edges(self) -> NDArray[np.float64]:
        """The bins' ends, shape (bins + 1,). A bin holds its lower end and not its upper one, the last one both."""
        return np.linspace(0.0, 2.0, len(self.counts) + 1)

    @property
    def cut(self) -> int:
        """How many the limit leaves out."""
        return int(self.counts.sum()) - self.kept


@dataclass(frozen=True, slots=True)
class NodeKeys:
    """Nodes by (doc_id, ordinal), in that order, and their spans. The arrays have shape (n,)."""

    doc_ids: tuple[str, ...]
    ordinals: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An index at one moment: its version, its nodes, and a vector for each. ``vectors`` has shape (n, dim)."""

    version: int
    keys: NodeKeys
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class StoredMap:
    """A two-dimensional picture of an index. ``points`` has shape (n, 2), rows in the order of its node keys."""

    method: str
    version: int
    points: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class StoredGold:
    """One gold question as it was read: ``references`` are (doc_id, revision, start, end); ``filter`` is JSON or None."""

    question: str
    references: tuple[tuple[str, str, int, int], ...]
    filter: str | None


RESERVED = frozenset({"doc_id", "revision", "ingested_at", "ordinal", "start", "end", "page", "kind"})
"""Fields the system sets itself and every store can filter by; a sidecar may not name them."""


def usable(vectors: Vectors) -> NDArray[np.bool_]:
    """Which rows can be compared: finite and not zero. Shape (n,)."""
    norms: Vectors = np.linalg.norm(vectors, axis=1)
    return np.asarray(np.isfinite(norms) & (norms > 0), np.bool_)


class Store(Protocol):
    """One workspace. Reads never wait; every write is one transaction, one at a time."""

    @property
    def location(self) -> str:
        """Where the workspace is, as users name it."""
        ...

    @property
    def changes(self) -> int:
        """Grows with every write."""
        ...

    def publish_address(self, address: str) -> None: ...

    # documents
    def documents(self, where: Filter = ...) -> list[DocumentInfo]: ...
    def passage(self, doc_id: str) -> Passage: ...
    def originals(self, doc_id: str) -> tuple[bytes, bytes | None]: ...
    def put(self, record: Record, index: Index | None, embedded: EmbeddedNodes | None) -> int: ...
    def rewrite(self, record: Record, held: Sequence[tuple[Index, EmbeddedNodes]]) -> list[int]: ...
    def set_metadata(self, doc_id: str, cells: Cells, sidecar: bytes | None, data: bytes | None = ...) -> None: ...
    def cells(self, doc_ids: Sequence[str] | None = ..., field: str | None = ...) -> dict[str, dict[str, Cell]]: ...
    def set_cells(self, cells: Mapping[str, Cells]) -> None: ...
    def set_aliases(self, doc_id: str, aliases: Sequence[str]) -> None: ...
    def remove(self, doc_id: str) -> None: ...
    def clear(self) -> None: ...

    # settings
    def setting(self, name: str) -> str | None: ...
    def set_setting(self, name: str, value: str | None, *, counts: bool = ...) -> None: ...

    # schema
    def schema(self) -> Schema: ...
    def metadata_fields(self) -> list[FieldSpec]: ...
    def add_fields(self, fields: Sequence[FieldSpec]) -> None: ...
    def set_field(self, field: FieldSpec, cells: Mapping[str, Cell]) -> None: ...
    def values(self, field: str, limit: int, where: Filter = ...) -> list[tuple[Scalar, int]]: ...

    # indexes
    def indexes(self) -> list[Index]: ...
    def create_index(self, settings: ChunkSettings, model: ModelInfo) -> Index: ...
    def drop_index(self, index_id: str) -> None: ...
    def put_nodes(self, index: Index, doc_id: str, revision: str, embedded: EmbeddedNodes) -> int: ...
    def embedded(self, index: Index, doc_id: str) -> EmbeddedNodes: ...
    def node_counts(self, index: Index) -> Mapping[str, int]: ...
    def unread(self, index: Index) -> Mapping[str, Unread]: ...
    def forget(self, index: Index, doc_ids: Sequence[str]) -> None: ...
    def indexed(self, index: Index) -> Mapping[str, str]: ...
    def set_computed(self, index: Index, computed: Mapping[str, Computed]) -> None: ...
    def computed(self, index: Index, doc_id: str) -> list[Metadata]: ...
    def computed_field(self, index: Index, field: str) -> dict[str, list[Value | None]]: ...
    def contexts(self, keys: Sequence[str]) -> dict[str, str]: ...
    def keep_contexts(self, found: Mapping[str, str]) -> None: ...
    def likeness(self, key: bytes) -> Vectors | None: ...
    def keep_likeness(self, key: bytes, cosines: Vectors) -> None: ...
    def known_vectors(self, model: ModelInfo, hashes: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]: ...

    # search
    def search(
        self,
        index: Index,
        vector: NDArray[np.float32],
        where: Filter,
        k: int,
        min_score: float | None,
        boosts: Sequence[Boost] = ...,
        expert: str = ...,
    ) -> SearchOutcome: ...
    def distances(
        self,
        index: Index,
        vector: NDArray[np.float32],
        where: Filter,
        bins: int,
        min_score: float | None,
        expert: str = ...,
    ) -> Distances: ...
    def scan(
        self,
        index: Index,
        vector: NDArray[np.float32],
        filters: Sequence[Filter],
        wanted: Wanted = ...,
        expert: str = ...,
        boosts: Sequence[Boost] = ...,
    ) -> Scan: ...
    def judge(self, index: Index, doc_id: str, ordinal: int, filter: Filter) -> Verdict: ...
    def keys(self, index: Index, where: Filter, expert: str = ...) -> NodeKeys: ...
    def snapshot(self, index: Index) -> Snapshot: ...
    def vectors(self, index: Index) -> Vectors: ...
    def count(self, index: Index, where: Filter, expert: str = ...) -> tuple[int, int]: ...
    def facet(self, index: Index, field: str, others: Filter, most: int, expert: str = ...) -> Facet: ...

    # pictures and gold
    def map(self, index: Index, method: str) -> StoredMap | None: ...
    def put_map(self, index: Index, map: StoredMap) -> None: ...
    def gold(self) -> dict[str, list[StoredGold]]: ...
    def put_gold(self, name: str, questions: Sequence[StoredGold]) -> None: ...
    def remove_gold(self, name: str) -> None: ...

    def close(self) -> None: ...
