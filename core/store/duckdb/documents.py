"""The documents' tables: schema, list, text, originals. Every function runs inside the caller's transaction."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

import duckdb

from core.errors import InvalidFilter, InvalidMetadata, NotFound
from core.filters import EVERYTHING, Field, FieldType, Filter, Op, Scalar, Schema, check, conditions
from core.store.base import Passage, Record
from core.store.duckdb import rows, where
from core.store.duckdb.where import Column
from core.types import DocumentInfo, Metadata

Cursor = duckdb.DuckDBPyConnection

SYSTEM = {
    column.name: column
    for column in (
        Column("doc_id", FieldType.STRING, of_node=False),
        Column("revision", FieldType.STRING, of_node=False),
        Column("ingested_at", FieldType.DATETIME, of_node=False),
        Column("ordinal", FieldType.INTEGER, of_node=True),
        Column("start", FieldType.INTEGER, of_node=True),
        Column("end", FieldType.INTEGER, of_node=True),
        Column("page", FieldType.INTEGER, of_node=True),
        Column("kind", FieldType.STRING, of_node=True),
    )
}
"""Fields every workspace has. Their names are reserved: a sidecar may not set them."""

_TAKEN = frozenset(
    {
        "doc",
        "doc_id",
        "name",
        "revision",
        "media_type",
        "characters",
        "sentences",
        "aliases",
        "ingested_at",
        "reading",
        "layout",
    }
)


def metadata_columns(cursor: Cursor) -> dict[str, Column]:
    """The metadata fields by the name users write, in the order they were added."""
    found = cursor.execute("SELECT name, column_name, type FROM fields ORDER BY position").fetchall()
    return {name: Column(column, FieldType(kind), of_node=False) for name, column, kind in found}


def columns(cursor: Cursor) -> dict[str, Column]:
    """Every filterable field: the system's, then the metadata's."""
    return {**SYSTEM, **metadata_columns(cursor)}


def schema(columns: Mapping[str, Column]) -> Schema:
    return {name: Field(name, column.type, column.of_node) for name, column in columns.items()}


def add_fields(cursor: Cursor, fields: Sequence[Field]) -> None:
    """Add metadata columns for ``fields`` that are not there yet.

    Raises:
        InvalidMetadata: a reserved name, or a field that is there with another type. An integer field becomes a
            number field when asked to; nothing else changes type.
    """
    known = metadata_columns(cursor)
    for spec in fields:
        if spec.name in SYSTEM:
            raise InvalidMetadata(f"{spec.name!r} is set by the system.", "Rename that key in the sidecar.")
        if spec.name not in known:
            known[spec.name] = _add_field(cursor, spec, known)
        elif known[spec.name].type is FieldType.INTEGER and spec.type is FieldType.NUMBER:
            cursor.execute(f"ALTER TABLE documents ALTER {known[spec.name].quoted} TYPE DOUBLE")
            cursor.execute("UPDATE fields SET type = 'number' WHERE name = ?", [spec.name])
        elif known[spec.name].type is not spec.type:
            raise InvalidMetadata(
                f"{spec.name!r} is of type {known[spec.name].type} in this workspace, not {spec.type}."
            )


def _add_field(cursor: Cursor, spec: Field, known: Mapping[str, Column]) -> Column:
    column = Column(_column_name(spec.name, {c.name for c in known.values()} | _TAKEN), spec.type, of_node=False)
    cursor.execute(f"ALTER TABLE documents ADD COLUMN {column.quoted} {where.SQL_TYPES[spec.type]}")
    cursor.execute("INSERT INTO fields VALUES (?, ?, ?, ?)", [spec.name, column.name, spec.type.value, len(known)])
    return column


def _column_name(field: str, taken: set[str]) -> str:
    """A column name of our own for a key of theirs: lower case, since DuckDB does not tell "Author" from "author"."""
    stem = re.sub(r"[^a-z0-9]+", "_", field.lower()).strip("_")[:40] or "field"
    name, count = stem, 1
    while name in taken:
        count += 1
        name = f"{stem}_{count}"
    return name


def checked(cursor: Cursor, filter: Filter, columns: Mapping[str, Column]) -> Filter:
    """``filter`` checked against the schema, and its patterns against the expressions DuckDB reads (RE2's).

    Raises:
        InvalidFilter: see ``filters.check``; or a pattern Python accepts and DuckDB does not (look-around, say).
    """
    found = check(filter, schema(columns))
    for condition in conditions(found):
        if condition.op is Op.MATCHES:
            try:
                cursor.execute("SELECT regexp_matches('', ?)", [condition.value])
            except duckdb.InvalidInputException as error:
                raise InvalidFilter(
                    f"The pattern cannot be used: {error}", "Look-around and back references are not supported."
                ) from None
    return found


def _of_documents(filter: Filter, columns: Mapping[str, Column]) -> Filter:
    for condition in conditions(filter):
        if columns[condition.field].of_node:
            raise InvalidFilter(
                f"{condition.field!r} belongs to the nodes of an index, not to documents.", "Search with it instead."
            )
    return filter


def listing(cursor: Cursor, filter: Filter = EVERYTHING) -> list[DocumentInfo]:
    """Documents that pass ``filter``, by name."""
    every = columns(cursor)
    fields = metadata_columns(cursor)
    condition, params = where.on_documents(_of_documents(checked(cursor, filter, every), every), every)
    names = "".join(f", {column.quoted}" for column in fields.values())
    found = cursor.execute(
        f"SELECT {rows.INFO}{names} FROM documents WHERE {condition} ORDER BY name, doc", params
    ).fetchall()
    return [rows.info(row, list(fields)) for row in found]


def infos(cursor: Cursor, numbers: Sequence[int]) -> dict[int, DocumentInfo]:
    """Documents by integer key."""
    fields = metadata_columns(cursor)
    names = "".join(f", {column.quoted}" for column in fields.values())
    found = cursor.execute(
        f"SELECT {rows.INFO}{names} FROM documents WHERE doc IN (SELECT unnest(?::BIGINT[]))", [list(numbers)]
    ).fetchall()
    return {rows.number(row[0]): rows.info(row, list(fields)) for row in found}


def info(cursor: Cursor, doc_id: str) -> DocumentInfo:
    found = infos(cursor, [rows.number(doc_id)])
    if not found:
        raise NotFound(f"There is no document {doc_id!r}.", "See the list of documents.")
    return next(iter(found.values()))


def passage(cursor: Cursor, info: DocumentInfo) -> Passage:
    (row,) = cursor.execute(f"SELECT {rows.TEXT} FROM texts WHERE doc = ?", [rows.number(info.id)]).fetchall()
    return rows.passage(info, row)


def insert(cursor: Cursor, record: Record, ingested_at: datetime | None = None) -> None:
    """Write a document's rows; its old ones must be gone. It came in now, unless ``ingested_at`` says when."""
    document, number = record.passage.document, rows.number(record.passage.document.id)
    fields = metadata_columns(cursor)
    _refuse_unknown(record.metadata, fields)
    given = {fields[name].quoted: rows.column_value(value) for name, value in record.metadata.items()}
    names = "".join(f", {column}" for column in given)
    marks = ", ".join("?" * (11 + len(given)))
    cursor.execute(
        f"INSERT INTO documents (doc, {rows.INFO}{names}) VALUES ({marks})",
        [
            number, document.id, document.name, document.revision, document.media_type, len(document.text),
            len(record.passage.sentences), list(record.aliases), ingested_at or rows.utc_now(), rows.reading_column(document.reading),
            rows.layout(record.passage), *given.values(),
        ],
    )  # fmt: skip
    cursor.execute(
        f"INSERT INTO texts (doc, {rows.TEXT}) VALUES (?, ?, ?, ?, ?, ?, ?)", [number, *rows.text_row(record.passage)]
    )
    cursor.execute("INSERT INTO originals VALUES (?, ?, ?)", [number, record.data, record.sidecar])


def delete(cursor: Cursor, number: int) -> None:
    for table in ("documents", "texts", "originals"):
        cursor.execute(f"DELETE FROM {table} WHERE doc = ?", [number])


def set_metadata(cursor: Cursor, number: int, metadata: Metadata, sidecar: bytes | None) -> None:
    """Replace all metadata of one document. No vector is touched."""
    fields = metadata_columns(cursor)
    _refuse_unknown(metadata, fields)
    if fields:
        assignments = ", ".join(f"{column.quoted} = ?" for column in fields.values())
        given = [rows.column_value(metadata[name]) if name in metadata else None for name in fields]
        cursor.execute(f"UPDATE documents SET {assignments} WHERE doc = ?", [*given, number])
    cursor.execute("UPDATE originals SET sidecar = ? WHERE doc = ?", [sidecar, number])


def _refuse_unknown(metadata: Metadata, fields: Mapping[str, Column]) -> None:
    # The fields were there when the sidecar was read; a reset since then has taken them out.
    unknown = [name for name in metadata if name not in fields]
    if unknown:
        raise InvalidMetadata(f"This workspace has no field {unknown[0]!r} any more.", "Add the file again.")


def values(cursor: Cursor, column: Column, limit: int) -> list[tuple[Scalar, int]]:
    """The commonest values of a document field and in how many documents each stands."""
    item = f"unnest(list_distinct({column.quoted}))" if column.type is FieldType.STRINGS else column.quoted
    found = cursor.execute(
        f"SELECT item, count(*) AS n FROM (SELECT {item} AS item FROM documents) WHERE item IS NOT NULL "
        "GROUP BY item ORDER BY n DESC, item LIMIT ?",
        [limit],
    ).fetchall()
    return [(value, count) for value, count in found]
