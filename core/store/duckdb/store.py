"""The store itself: which statement runs in which transaction.

One connection per process and one ``cursor()`` per call, since threads that share a connection get each other's
answers. Writes wait for one another and are transactions; readers see one snapshot and never wait.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import Lock

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.boosts import Boost
from core.errors import InvalidFilter
from core.filters import EVERYTHING, Filter, Scalar, Schema
from core.settings import ChunkSettings
from core.store.base import (
    Cell,
    Cells,
    Computed,
    Distances,
    EmbeddedNodes,
    Facet,
    NodeKeys,
    Passage,
    Record,
    Scan,
    SearchOutcome,
    Snapshot,
    StoredGold,
    StoredMap,
    Unread,
    Verdict,
    Wanted,
    nothing,
)
from core.store.duckdb import documents, facets, file, nodes, rows, search, xray
from core.store.duckdb.expert import Copies
from core.store.duckdb.search import PassageOf
from core.store.duckdb.target import Target
from core.store.duckdb.where import schema
from core.types import DocumentInfo, FieldSpec, Index, Metadata, ModelInfo, Value, Vectors

Cursor = duckdb.DuckDBPyConnection
_CACHED_CHARACTERS = 40_000_000


class DuckStore:
    """One workspace file. Safe to share between threads."""

    def __init__(self, path: Path) -> None:
        """Open ``path``, making it if it is not there (see ``file.connect`` for what may be raised)."""
        self._path = path
        self._connection = file.connect(path)
        self._writer = Lock()
        self._committing = Lock()
        self._copies = Copies()
        self._cursors = Lock()
        self._changes = 0
        self._passages: OrderedDict[tuple[str, str, str], Passage] = OrderedDict()
        self._cached = 0
        self._passages_lock = Lock()
        file.publish(path, None)

    @property
    def location(self) -> str:
        return str(self._path)

    @property
    def changes(self) -> int:
        """Grows with every write. Only this process writes, so it tells whether anything read before is still true."""
        return self._changes

    def publish_address(self, address: str) -> None:
        """Tell other processes where the one that holds this file answers."""
        file.publish(self._path, address)

    def close(self) -> None:
        with self._writer, self._cursors:
            self._connection.close()
            file.withdraw(self._path)

    # ── documents ────────────────────────────────────────────────────────────────────────────────

    def documents(self, where: Filter = EVERYTHING) -> list[DocumentInfo]:
        """Documents that pass ``where``, by name."""
        with self._reading() as cursor:
            return documents.listing(cursor, where)

    def passage(self, doc_id: str) -> Passage:
        """A document's text and sentences.

        Raises:
            NotFound: no document has that id.
        """
        with self._reading() as cursor:
            return self._passage(cursor, documents.info(cursor, doc_id))

    def originals(self, doc_id: str) -> tuple[bytes, bytes | None]:
        """The bytes a document was read from, and those of its sidecar."""
        with self._reading() as cursor:
            number = rows.number(documents.info(cursor, doc_id).id)
            ((data, sidecar),) = cursor.execute(
                "SELECT data, sidecar FROM originals WHERE doc = ?", [number]
            ).fetchall()
            return bytes(data), None if sidecar is None else bytes(sidecar)

    def put(self, record: Record, index: Index | None, embedded: EmbeddedNodes | None) -> int:
        """Store a document and its nodes in one index (or none), replacing it everywhere; how many nodes were refused.

        A vector that is zero or not finite cannot be compared, so its node is refused. One transaction: the old
        document or the new one, never half of each. Other indexes lose their nodes of the old text.
        """
        held = [] if index is None or embedded is None else [(index, embedded)]
        return sum(self._write(record, held, None))

    def rewrite(self, record: Record, held: Sequence[tuple[Index, EmbeddedNodes]]) -> list[int]:
        """As ``put``, with nodes in any number of indexes; how many were refused in each. It keeps its date of coming in."""
        number = rows.number(record.passage.document.id)
        with self._reading() as cursor:
            known = cursor.execute("SELECT ingested_at FROM documents WHERE doc = ?", [number]).fetchall()
        return self._write(record, held, known[0][0] if known else None)

    def _write(
        self, record: Record, held: Sequence[tuple[Index, EmbeddedNodes]], ingested_at: datetime | None
    ) -> list[int]:
        document = record.passage.document
        with self._writing() as cursor:
            number = rows.number(document.id)
            nodes.delete(cursor, number)
            documents.delete(cursor, number)
            documents.insert(cursor, record, ingested_at)
            return [nodes.insert(cursor, index, number, document.revision, embedded) for index, embedded in held]

    def set_metadata(self, doc_id: str, cells: Cells, sidecar: bytes | None, data: bytes | None = None) -> None:
        """Replace a document's metadata, and its original bytes where given. Its text, nodes and vectors stay."""
        with self._writing() as cursor:
            number = rows.number(documents.info(cursor, doc_id).id)
            documents.set_metadata(cursor, number, cells, sidecar, data)

    def cells(self, doc_ids: Sequence[str] | None = None, field: str | None = None) -> dict[str, dict[str, Cell]]:
        """What is known about each document (all, unless some are named) and field (or one), by document id and field."""
        numbers = None if doc_ids is None else [rows.number(doc_id) for doc_id in doc_ids]
        with self._reading() as cursor:
            return {rows.doc_id(number): row for number, row in documents.cells(cursor, numbers, field).items()}

    def set_cells(self, cells: Mapping[str, Cells]) -> None:
        """Write what documents hold of some fields, all at once; fields that are not named stay as they are."""
        with self._writing() as cursor:
            documents.set_cells(cursor, {rows.number(doc_id): row for doc_id, row in cells.items()})

    def set_aliases(self, doc_id: str, aliases: Sequence[str]) -> None:
        """Replace the other names under which the same text is known."""
        with self._writing() as cursor:
            number = rows.number(documents.info(cursor, doc_id).id)
            cursor.execute("UPDATE documents SET aliases = ? WHERE doc = ?", [list(aliases), number])

    def remove(self, doc_id: str) -> None:
        """Take a document and its nodes out.

        Raises:
            NotFound: no document has that id.
        """
        with self._writing() as cursor:
            number = rows.number(documents.info(cursor, doc_id).id)
            nodes.delete(cursor, number)
            documents.delete(cursor, number)

    def clear(self) -> None:
        """Take everything out: documents, indexes, fields, gold and maps."""
        with self._writing() as cursor:
            for index_id in nodes.tables(cursor):
                nodes.drop(cursor, index_id)
            for column in documents.metadata_columns(cursor).values():
                cursor.execute(f"ALTER TABLE documents DROP COLUMN {column.quoted}")
            for table in (
                "documents",
                "texts",
                "originals",
                "given",
                "fields",
                "gold",
                "settings",
                "contexts",
                "likeness",
            ):
                cursor.execute(f"DELETE FROM {table}")

    # ── schema ───────────────────────────────────────────────────────────────────────────────────

    def schema(self) -> Schema:
        """Every filterable field by name."""
        with self._reading() as cursor:
            return schema(documents.columns(cursor))

    def metadata_fields(self) -> list[FieldSpec]:
        """The metadata fields, in the order they were added."""
        with self._reading() as cursor:
            return documents.fields(cursor)

    def add_fields(self, fields: Sequence[FieldSpec]) -> None:
        """Add the fields that are new; see ``documents.add_fields``."""
        with self._writing() as cursor:
            documents.add_fields(cursor, fields)

    def set_field(self, field: FieldSpec, cells: Mapping[str, Cell]) -> None:
        """Make a field what ``field`` says, with these values by document: all of it or nothing."""
        with self._writing() as cursor:
            documents.set_field(cursor, field)
            documents.set_cells(cursor, {rows.number(doc_id): {field.name: cell} for doc_id, cell in cells.items()})

    def values(self, field: str, limit: int, where: Filter = EVERYTHING) -> list[tuple[Scalar, int]]:
        """The commonest values of a document field with the number of documents, of those that pass, that have each."""
        with self._reading() as cursor:
            column = documents.columns(cursor).get(field)
            if column is None or column.of_node:
                raise InvalidFilter(f"There is no document field {field!r}.")
            return documents.values(cursor, column, limit, where)

    def setting(self, name: str) -> str | None:
        """A setting of the workspace, as it was set, or None."""
        with self._reading() as cursor:
            found = cursor.execute("SELECT value FROM settings WHERE name = ?", [name]).fetchall()
            return found[0][0] if found else None

    def set_setting(self, name: str, value: str | None, *, counts: bool = True) -> None:
        """Keep a setting with the workspace; None forgets it. One on which nothing else hangs does not count as a change."""
        with self._writing(counts=counts) as cursor:
            cursor.execute("DELETE FROM settings WHERE name = ?", [name])
            if value is not None:
                cursor.execute("INSERT INTO settings VALUES (?, ?)", [name, value])

    # ── indexes ──────────────────────────────────────────────────────────────────────────────────

    def indexes(self) -> list[Index]:
        """All indexes, oldest first."""
        with self._reading() as cursor:
            return nodes.listing(cursor)

    def create_index(self, settings: ChunkSettings, model: ModelInfo) -> Index:
        """The index with these settings and this model, empty if it was not there."""
        with self._writing() as cursor:
            index_id = nodes.create(cursor, settings, model)
            return next(index for index in nodes.listing(cursor) if index.id == index_id)

    def drop_index(self, index_id: str) -> None:
        """Delete an index and its vectors; the documents stay."""
        with self._writing() as cursor:
            nodes.drop(cursor, index_id)

    def put_nodes(self, index: Index, doc_id: str, revision: str, embedded: EmbeddedNodes) -> int:
        """Store one document's nodes in an index; how many were refused. A document replaced meanwhile is skipped."""
        with self._writing() as cursor:
            number = rows.number(doc_id)
            if cursor.execute("SELECT 1 FROM documents WHERE doc = ? AND revision = ?", [number, revision]).fetchall():
                return nodes.insert(cursor, index, number, revision, embedded)
            return 0

    def embedded(self, index: Index, doc_id: str) -> EmbeddedNodes:
        """One document's nodes with their vectors, as ``put_nodes`` takes them."""
        with self._reading() as cursor:
            return nodes.embedded(cursor, index, rows.number(doc_id))

    def node_counts(self, index: Index) -> Mapping[str, int]:
        """How many nodes the index holds of each of its documents."""
        with self._reading() as cursor:
            return nodes.counts(cursor, index)

    def unread(self, index: Index) -> Mapping[str, Unread]:
        """What the index's model does not read of each of its documents."""
        with self._reading() as cursor:
            return nodes.unread(cursor, index)

    def forget(self, index: Index, doc_ids: Sequence[str]) -> None:
        """Let documents wait to be indexed again: what they were embedded with has changed. Their nodes stay till then."""
        with self._writing() as cursor:
            cursor.execute(
                "DELETE FROM indexed WHERE index_id = ? AND doc IN (SELECT unnest(?::BIGINT[]))",
                [index.id, [rows.number(doc_id) for doc_id in doc_ids]],
            )

    def indexed(self, index: Index) -> Mapping[str, str]:
        """Which revision of which document the index holds."""
        with self._reading() as cursor:
            found = cursor.execute("SELECT doc, revision FROM indexed WHERE index_id = ?", [index.id]).fetchall()
            return {rows.doc_id(number): revision for number, revision in found}

    def set_computed(self, index: Index, computed: Mapping[str, Computed]) -> None:
        """Replace some computed fields of documents' nodes, by document id; other fields and all vectors stay."""
        with self._writing() as cursor:
            nodes.set_computed(cursor, index, {rows.number(doc_id): told for doc_id, told in computed.items()})

    def computed(self, index: Index, doc_id: str) -> list[Metadata]:
        """What is computed for each node of a document, in order."""
        with self._reading() as cursor:
            return nodes.computed(cursor, index, rows.number(doc_id))

    def computed_field(self, index: Index, field: str) -> dict[str, list[Value | None]]:
        """One computed field of every node of an index, in order, by document id."""
        with self._reading() as cursor:
            found = nodes.computed_field(cursor, index, field)
            return {rows.doc_id(number): column for number, column in found.items()}

    def contexts(self, keys: Sequence[str]) -> dict[str, str]:
        """Context lines that were written before, by the key they were kept under."""
        with self._reading() as cursor:
            found = cursor.execute(
                "SELECT key, line FROM contexts WHERE key IN (SELECT unnest(?::VARCHAR[]))", [list(keys)]
            ).fetchall()
            return dict(found)

    def keep_contexts(self, found: Mapping[str, str]) -> None:
        """Keep written context lines, in place of older ones under the same keys."""
        with self._writing() as cursor:
            cursor.register("incoming_lines", pa.table({"key": list(found), "line": list(found.values())}))
            cursor.execute("DELETE FROM contexts WHERE key IN (SELECT key FROM incoming_lines)")
            cursor.execute("INSERT INTO contexts SELECT key, line FROM incoming_lines")
            cursor.unregister("incoming_lines")

    def likeness(self, key: bytes) -> Vectors | None:
        """How alike a document's neighbouring sentences are, as it was kept under ``key``: shape (n,)."""
        with self._reading() as cursor:
            found = cursor.execute("SELECT unnest(cosines) FROM likeness WHERE key = ?", [key]).fetchnumpy()
            known = cursor.execute("SELECT count(*) FROM likeness WHERE key = ?", [key]).fetchone()
            return np.asarray(next(iter(found.values())), np.float32) if known and known[0] else None

    def keep_likeness(self, key: bytes, cosines: Vectors) -> None:
        """Keep how alike neighbouring sentences are, in place of what was kept under ``key``."""
        with self._writing() as cursor:
            cursor.execute("DELETE FROM likeness WHERE key = ?", [key])
            cursor.execute("INSERT INTO likeness VALUES (?, ?)", [key, cosines.tolist()])

    def known_vectors(self, model: ModelInfo, hashes: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """Vectors that some index of the same model already holds, by text hash."""
        with self._reading() as cursor:
            return nodes.known_vectors(cursor, model, hashes)

    # ── search ───────────────────────────────────────────────────────────────────────────────────

    def search(
        self,
        index: Index,
        vector: NDArray[np.float32],
        where: Filter,
        k: int,
        min_score: float | None,
        boosts: Sequence[Boost] = (),
        expert: str = "",
    ) -> SearchOutcome:
        """See ``search.search``. Hits, names and texts come from one snapshot.

        ``expert`` is a condition in SQL that must hold too, see ``expert.Copy``.
        """
        with self._asking(index, expert) as target:
            return search.search(target, vector, where, k, min_score, self._passages_of(target), boosts)

    def distances(
        self,
        index: Index,
        vector: NDArray[np.float32],
        where: Filter,
        bins: int,
        min_score: float | None,
        expert: str = "",
    ) -> Distances:
        """How far all nodes that pass lie from a vector, see ``search.distances``."""
        with self._asking(index, expert) as target:
            return search.distances(target, vector, where, bins, min_score)

    def keys(self, index: Index, where: Filter, expert: str = "") -> NodeKeys:
        """The nodes that pass ``where`` (and ``expert``), by document and ordinal."""
        with self._asking(index, expert) as target:
            return nodes.keys(target.cursor, index, *target.condition(where))

    def scan(
        self,
        index: Index,
        vector: NDArray[np.float32],
        filters: Sequence[Filter],
        wanted: Wanted = nothing,
        expert: str = "",
        boosts: Sequence[Boost] = (),
    ) -> Scan:
        """Every node with its score and whether it passes each filter, in one statement; and the nodes that are ``wanted``.

        With ``boosts`` it is also told what these make of the score. ``expert`` is a condition in SQL, see ``expert.Copy``; if there is one, it is the last of the filters.

        Raises:
            ModelMismatch: a vector of another dimension than the index holds.
            InvalidFilter: a filter, or that of a boost, does not fit the schema.
        """
        with self._asking(index, expert) as target:
            return xray.scan(target, vector, filters, wanted, self._passages_of(target), boosts)

    def judge(self, index: Index, doc_id: str, ordinal: int, filter: Filter) -> Verdict:
        """What the filter says of one node.

        Raises:
            NotFound: the index does not hold that node.
            InvalidFilter: the filter does not fit the schema.
        """
        with self._asking(index) as target:
            return xray.judge(target, doc_id, ordinal, filter)

    def count(self, index: Index, where: Filter, expert: str = "") -> tuple[int, int]:
        """How many nodes pass ``where`` (and ``expert``), and of how many."""
        with self._asking(index, expert) as target:
            return search.count(target, *target.condition(where))

    def facet(self, index: Index, field: str, others: Filter, most: int, expert: str = "") -> Facet:
        """The commonest values of a field among the nodes that pass ``others`` (and ``expert``), see ``facets.facet``.

        Raises:
            InvalidFilter: there is no such field, or ``others`` or ``expert`` cannot be evaluated.
        """
        with self._asking(index, expert) as target:
            column = target.columns.get(field)
            if column is None:
                raise InvalidFilter(f"There is no field {field!r}.")
            return facets.facet(target, column, others, most)

    def snapshot(self, index: Index) -> Snapshot:
        """Version, nodes and vectors of an index as they are together at one moment."""
        with self._reading() as cursor:
            version = nodes.version(cursor, index.id)
            return Snapshot(version, nodes.keys(cursor, index, "true", []), nodes.vectors(cursor, index))

    def vectors(self, index: Index) -> Vectors:
        """All vectors of an index, shape (n, dim), in the order of ``keys`` without a filter."""
        with self._reading() as cursor:
            return nodes.vectors(cursor, index)

    # ── pictures and gold ────────────────────────────────────────────────────────────────────────

    def map(self, index: Index, method: str) -> StoredMap | None:
        """The picture of the index as it is now, or None if there is none or its nodes have changed since."""
        with self._reading() as cursor:
            found = cursor.execute(
                "SELECT m.version, m.points FROM maps m JOIN indexes i ON i.id = m.index_id AND i.version = m.version "
                "WHERE m.index_id = ? AND m.method = ?",
                [index.id, method],
            ).fetchall()
            if not found:
                return None
            ((version, points),) = found
            return StoredMap(method, version, np.asarray(points, np.float32).reshape(-1, 2))

    def put_map(self, index: Index, map: StoredMap) -> None:
        """Keep a picture of the index, in place of an older one by the same method."""
        with self._writing() as cursor:
            cursor.execute("DELETE FROM maps WHERE index_id = ? AND method = ?", [index.id, map.method])
            cursor.execute(
                "INSERT INTO maps VALUES (?, ?, ?, ?)",
                [index.id, map.method, map.version, map.points.reshape(-1).tolist()],
            )

    def gold(self) -> dict[str, list[StoredGold]]:
        """Every gold set by name."""
        with self._reading() as cursor:
            found = cursor.execute(
                "SELECT name, question, doc_ids, revisions, starts, ends, filter FROM gold ORDER BY name, position"
            ).fetchall()
        sets: dict[str, list[StoredGold]] = {}
        for name, question, doc_ids, revisions, starts, ends, condition in found:
            references = tuple(zip(doc_ids, revisions, starts, ends, strict=True))
            sets.setdefault(name, []).append(StoredGold(question, references, condition))
        return sets

    def put_gold(self, name: str, questions: Sequence[StoredGold]) -> None:
        """Keep a gold set, in place of one of the same name."""
        with self._writing() as cursor:
            cursor.execute("DELETE FROM gold WHERE name = ?", [name])
            for position, item in enumerate(questions):
                columns = [[reference[part] for reference in item.references] for part in range(4)]
                cursor.execute(
                    "INSERT INTO gold VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    [name, position, item.question, *columns, item.filter],
                )

    def remove_gold(self, name: str) -> None:
        """Forget a gold set."""
        with self._writing() as cursor:
            cursor.execute("DELETE FROM gold WHERE name = ?", [name])

    # ── transactions ─────────────────────────────────────────────────────────────────────────────

    def _cursor(self) -> Cursor:
        with self._cursors:  # the connection itself does one thing at a time, and is not closed meanwhile
            return file.cursor(self._connection)

    @contextmanager
    def _reading(self) -> Iterator[Cursor]:
        """A cursor of one's own that sees one snapshot."""
        cursor = self._cursor()
        try:
            cursor.begin()
            yield cursor
        finally:
            cursor.close()

    @contextmanager
    def _asking(self, index: Index, expert: str = "") -> Iterator[Target]:
        """An index in one snapshot, with the nodes there that pass an expert's condition, if there is one."""
        if not expert.strip():
            with self._reading() as cursor:
                yield Target.of(cursor, index)
            return
        cursor = self._cursor()
        try:
            with self._committing:  # the snapshot begins with the first statement: it and the count are of one moment
                cursor.begin()
                nodes.version(cursor, index.id)
                changes = self._changes
            yield Target.of(cursor, index, self._copies.of(cursor, index, changes).matching(expert))
        finally:
            cursor.close()

    @contextmanager
    def _writing(self, *, counts: bool = True) -> Iterator[Cursor]:
        """A cursor of one's own in a transaction; one writer at a time."""
        with self._writer:
            cursor = self._cursor()
            try:
                cursor.begin()
                yield cursor
                with self._committing:
                    cursor.commit()
                    self._changes += counts
            except BaseException:
                cursor.rollback()
                raise
            finally:
                cursor.close()

    def _passages_of(self, target: Target) -> PassageOf:
        return lambda info: self._passage(target.cursor, info)

    def _passage(self, cursor: Cursor, info: DocumentInfo) -> Passage:
        """A passage, from memory where the same revision was read before: texts never change, names' texts do."""
        key = (info.id, info.revision, info.layout)
        with self._passages_lock:
            if key in self._passages:
                self._passages.move_to_end(key)
                return self._passages[key]
        found = documents.passage(cursor, info)
        with self._passages_lock:
            if key not in self._passages:
                self._passages[key] = found
                self._cached += len(found.document.text)
            while self._cached > _CACHED_CHARACTERS and len(self._passages) > 1:
                self._cached -= len(self._passages.popitem(last=False)[1].document.text)
        return found
