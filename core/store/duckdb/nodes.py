"""Indexes and their node tables. Every function runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

import duckdb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.enrich.fields import COMPUTED
from core.errors import ModelMismatch, NotFound
from core.settings import ChunkSettings
from core.store.base import Computed, EmbeddedNodes, NodeKeys, Unread, usable
from core.store.duckdb import file, rows
from core.types import Index, Metadata, ModelInfo, Value, Vectors

Cursor = duckdb.DuckDBPyConnection

_VERSIONS = 1_000_000_000  # an index made again under the same id goes on with versions no picture was made of


def table(cursor: Cursor, index_id: str) -> str:
    """The name of an index's node table."""
    found = cursor.execute("SELECT number FROM indexes WHERE id = ?", [index_id]).fetchall()
    if not found:
        raise NotFound(f"There is no index {index_id!r}.", "See the list of indexes, or build one.")
    return f"nodes_{int(found[0][0])}"


def version(cursor: Cursor, index_id: str) -> int:
    """The version of an index in this snapshot."""
    found = cursor.execute("SELECT version FROM indexes WHERE id = ?", [index_id]).fetchall()
    if not found:
        raise NotFound(f"There is no index {index_id!r}.", "See the list of indexes, or build one.")
    return int(found[0][0])


def tables(cursor: Cursor) -> dict[str, str]:
    """Every index's node table, by index id."""
    found = cursor.execute("SELECT id, number FROM indexes ORDER BY number").fetchall()
    return {index_id: f"nodes_{int(number)}" for index_id, number in found}


def listing(cursor: Cursor) -> list[Index]:
    """All indexes, oldest first."""
    found = cursor.execute(f"SELECT {rows.INDEX} FROM indexes ORDER BY number").fetchall()
    return [rows.index([*row, *_counts(cursor, row[0])]) for row in found]


def _counts(cursor: Cursor, index_id: str) -> tuple[int, int]:
    ((documents,),) = cursor.execute("SELECT count(*) FROM indexed WHERE index_id = ?", [index_id]).fetchall()
    ((nodes,),) = cursor.execute(f"SELECT count(*) FROM {table(cursor, index_id)}").fetchall()
    return documents, nodes


def create(cursor: Cursor, settings: ChunkSettings, model: ModelInfo) -> str:
    """The id of the index with these settings and this model, made if it is not there."""
    index_id = _identity(settings, model)
    taken = {name: found for found, name in cursor.execute("SELECT id, name FROM indexes").fetchall()}
    if index_id in taken.values():
        return index_id
    number = _next_number(cursor)
    name = settings.name if settings.name not in taken else f"{settings.name}@{model.name.rsplit('/', 1)[-1]}"
    if name in taken:
        name = f"{name}-{model.revision[:6]}"
    cursor.execute(
        f"INSERT INTO indexes (number, {rows.INDEX}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            number, index_id, name, settings.to_json(),
            model.name, model.revision, model.dim, model.max_tokens, rows.utc_now(), number * _VERSIONS,
        ],
    )  # fmt: skip
    cursor.execute(file.NODES.format(table=f"nodes_{number}", dim=int(model.dim)))
    cursor.execute(file.computed_table(f"computed_{number}"))
    return index_id


def _next_number(cursor: Cursor) -> int:
    advance = "UPDATE workspace SET index_counter = index_counter + 1 RETURNING index_counter"
    ((number,),) = cursor.execute(advance).fetchall()
    return int(number)


def _identity(settings: ChunkSettings, model: ModelInfo) -> str:
    how: list[object] = [settings.size, settings.overlap, settings.embed_around]
    if settings != ChunkSettings(settings.size, settings.overlap, settings.embed_around):
        how.append(settings.to_json())
    told = repr((*how, model.name, model.revision, model.dim))
    return blake2b(told.encode(), digest_size=6).hexdigest()


def drop(cursor: Cursor, index_id: str) -> None:
    cursor.execute(f"DROP TABLE {computed_of(table(cursor, index_id))}")
    cursor.execute(f"DROP TABLE {table(cursor, index_id)}")
    for name, key in (("indexes", "id"), ("indexed", "index_id"), ("maps", "index_id")):
        cursor.execute(f"DELETE FROM {name} WHERE {key} = ?", [index_id])


def insert(cursor: Cursor, index: Index, number: int, revision: str, embedded: EmbeddedNodes) -> int:
    """Write one document's nodes into one index; how many were refused because their vector cannot be compared.

    Raises:
        ModelMismatch: vectors of another dimension than the index holds. Nothing is written.
    """
    if len(embedded.vectors) and embedded.vectors.shape[1] != index.model.dim:
        raise ModelMismatch(
            f"Index {index.name!r} holds vectors of {index.model.dim} numbers; these have {embedded.vectors.shape[1]}.",
            f"Use the model it was built with ({index.model.name}), or build an index with the other one.",
        )
    keep = np.flatnonzero(usable(embedded.vectors)).tolist() if len(embedded.nodes) else []
    name = table(cursor, index.id)
    for held in (name, computed_of(name)):
        cursor.execute(f"DELETE FROM {held} WHERE doc = ?", [number])
    cursor.execute("DELETE FROM indexed WHERE index_id = ? AND doc = ?", [index.id, number])
    ((first,),) = cursor.execute(f"SELECT coalesce(max(node) + 1, 0) FROM {name}").fetchall()
    _append(cursor, name, rows.node_table(first, number, embedded, keep, index.model.dim))
    _append(cursor, computed_of(name), rows.computed_table(first, number, embedded.computed, keep))
    cursor.execute("INSERT INTO indexed VALUES (?, ?, ?)", [index.id, number, revision])
    touch(cursor, [index.id])
    return len(embedded.nodes) - len(keep)


def _append(cursor: Cursor, name: str, table: pa.Table) -> None:
    cursor.register("incoming_rows", table)
    cursor.execute(f"INSERT INTO {name} BY NAME SELECT * FROM incoming_rows")
    cursor.unregister("incoming_rows")


def computed_of(table: str) -> str:
    """The table beside a node table that holds what is computed for its nodes."""
    return table.replace("nodes_", "computed_")


_COMPUTED = ", ".join(f'c."{field.name}"' for field in COMPUTED)


def computed(cursor: Cursor, index: Index, number: int) -> list[Metadata]:
    """What is computed for each node of a document, in order."""
    name = table(cursor, index.id)
    found = cursor.execute(
        f"SELECT {_COMPUTED} FROM {name} n JOIN {computed_of(name)} c USING (node) WHERE n.doc = ? ORDER BY n.ordinal",
        [number],
    ).fetchall()
    return [_told(row) for row in found]


def computed_by_node(cursor: Cursor, name: str, numbers: Sequence[int]) -> dict[int, Metadata]:
    """What is computed for some nodes of a node table, by node number."""
    found = cursor.execute(
        f"SELECT c.node, {_COMPUTED} FROM {computed_of(name)} c WHERE c.node IN (SELECT unnest(?::BIGINT[]))",
        [list(numbers)],
    ).fetchall()
    return {row[0]: _told(row[1:]) for row in found}


def computed_field(cursor: Cursor, index: Index, field: str) -> dict[int, list[Value | None]]:
    """One computed field of every node of an index, in order, by document."""
    name = table(cursor, index.id)
    (column,) = (known.name for known in COMPUTED if known.name == field)
    found = cursor.execute(
        f'SELECT n.doc, c."{column}" FROM {name} n JOIN {computed_of(name)} c USING (node) ORDER BY n.doc, n.ordinal'
    ).fetchall()
    by_document: dict[int, list[Value | None]] = {}
    for doc, held in found:
        by_document.setdefault(doc, []).append(rows.value(held))
    return by_document


def _told(row: rows.Row) -> Metadata:
    pairs = zip(COMPUTED, row, strict=True)
    return {field.name: held for field, column in pairs if (held := rows.value(column)) is not None}


def set_computed(cursor: Cursor, index: Index, computed: Mapping[int, Computed]) -> None:
    """Replace some computed fields of documents in an index; the other fields stay. No vector is touched."""
    name = table(cursor, index.id)
    names = list(dict.fromkeys(field for columns in computed.values() for field in columns))
    if not names:
        return
    cursor.register("incoming_rows", rows.computed_rows(computed, names))
    assignments = ", ".join(f'"{field}" = i."{field}"' for field in names)
    cursor.execute(
        f"UPDATE {computed_of(name)} SET {assignments} FROM "
        f"(SELECT n.node, i.* FROM incoming_rows i JOIN {name} n ON n.doc = i.doc AND n.ordinal = i.ordinal) i "
        f"WHERE {computed_of(name)}.node = i.node"
    )
    cursor.unregister("incoming_rows")


def embedded(cursor: Cursor, index: Index, number: int) -> EmbeddedNodes:
    """One document's nodes with their vectors, in order."""
    found = cursor.execute(
        f"SELECT {rows.NODE}, unknown, tokens, text_hash, embedding FROM {table(cursor, index.id)} WHERE doc = ? ORDER BY ordinal",
        [number],
    ).fetchall()
    matrix = np.array([row[-1] for row in found], np.float32).reshape(len(found), index.model.dim)
    return EmbeddedNodes(
        [rows.node(row[:-4]) for row in found],
        [bytes(row[-2]) for row in found],
        [row[-3] for row in found],
        matrix,
        [row[-4] for row in found],
        _columns(computed(cursor, index, number)),
    )


def _columns(told: Sequence[Metadata]) -> Computed:
    return {field.name: [row.get(field.name) for row in told] for field in COMPUTED}


def counts(cursor: Cursor, index: Index) -> dict[str, int]:
    """How many nodes each indexed document has; none is 0."""
    found = cursor.execute(
        f"SELECT i.doc, count(n.doc) FROM indexed i LEFT JOIN {table(cursor, index.id)} n ON n.doc = i.doc "
        "WHERE i.index_id = ? GROUP BY i.doc",
        [index.id],
    ).fetchall()
    return {rows.doc_id(number): count for number, count in found}


def unread(cursor: Cursor, index: Index) -> dict[str, Unread]:
    """What the model does not read of each document in the index, by document id; those it reads whole are left out."""
    found = cursor.execute(
        "SELECT doc, count(*) FILTER (tokens > ?), sum(unknown), sum(tokens) - 2 * count(*) "
        f"FROM {table(cursor, index.id)} GROUP BY doc HAVING max(tokens) > ? OR sum(unknown) > 0",
        [index.model.max_tokens, index.model.max_tokens],
    ).fetchall()
    return {rows.doc_id(doc): Unread(int(cut), unknown / max(1, tokens)) for doc, cut, unknown, tokens in found}


def delete(cursor: Cursor, number: int) -> None:
    """Take one document's nodes out of every index."""
    held = [row[0] for row in cursor.execute("SELECT index_id FROM indexed WHERE doc = ?", [number]).fetchall()]
    names = tables(cursor)
    for index_id in held:
        for held_in in (names[index_id], computed_of(names[index_id])):
            cursor.execute(f"DELETE FROM {held_in} WHERE doc = ?", [number])
    cursor.execute("DELETE FROM indexed WHERE doc = ?", [number])
    touch(cursor, held)


def touch(cursor: Cursor, index_ids: Sequence[str]) -> None:
    """Let pictures of these indexes go stale."""
    cursor.execute(
        "UPDATE indexes SET version = version + 1 WHERE id IN (SELECT unnest(?::VARCHAR[]))", [list(index_ids)]
    )


def known_vectors(cursor: Cursor, model: ModelInfo, hashes: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
    """Vectors that some index of the same model already holds, by text hash."""
    found: dict[bytes, NDArray[np.float32]] = {}
    same = cursor.execute(
        "SELECT number FROM indexes WHERE model = ? AND model_revision = ? AND dim = ?",
        [model.name, model.revision, model.dim],
    ).fetchall()
    for (number,) in same:
        missing = [value for value in set(hashes) if value not in found]
        if not missing:
            break
        for value, vector in cursor.execute(
            f"SELECT text_hash, any_value(embedding) FROM nodes_{int(number)} "
            "WHERE text_hash IN (SELECT unnest(?::BLOB[])) GROUP BY text_hash",
            [missing],
        ).fetchall():
            found[bytes(value)] = np.asarray(vector, np.float32)
    return found


def keys(cursor: Cursor, index: Index, condition: str, params: Sequence[object]) -> NodeKeys:
    """Nodes that pass ``condition``, by document and ordinal."""
    found = cursor.execute(
        f'SELECT doc, ordinal, "start", "end" FROM {table(cursor, index.id)} WHERE {condition} ORDER BY doc, ordinal',
        params,
    ).fetchnumpy()
    ordinals, starts, ends = (np.asarray(found[name], np.int64) for name in ("ordinal", "start", "end"))
    return NodeKeys(tuple(rows.doc_id(int(n)) for n in found["doc"]), ordinals, starts, ends)


def vectors(cursor: Cursor, index: Index) -> Vectors:
    """All vectors, shape (n, dim), by document and ordinal."""
    relation = cursor.sql(f"SELECT embedding FROM {table(cursor, index.id)} ORDER BY doc, ordinal")
    return rows.matrix(relation.to_arrow_table().column(0), index.model.dim)
