"""The documents' tables: schema, list, text, originals. Every function runs inside the caller's transaction."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

import duckdb

from core.enrich.fields import COMPUTED
from core.errors import InvalidMetadata, NotFound
from core.filters import EVERYTHING, FieldType, Filter, Scalar
from core.store.base import Cell, Cells, Passage, Record
from core.store.duckdb import checking, nodes, rows, where
from core.store.duckdb.where import Column, Home
from core.types import DocumentInfo, FieldSpec, Value

Cursor = duckdb.DuckDBPyConnection

SYSTEM = {
    column.name: column
    for column in (
        Column("doc_id", FieldType.STRING),
        Column("revision", FieldType.STRING),
        Column("ingested_at", FieldType.DATETIME),
        Column("ordinal", FieldType.INTEGER, Home.NODES),
        Column("start", FieldType.INTEGER, Home.NODES),
        Column("end", FieldType.INTEGER, Home.NODES),
        Column("page", FieldType.INTEGER, Home.NODES),
        Column("kind", FieldType.STRING, Home.NODES),
    )
}
"""Fields every workspace has. Their names are reserved: a sidecar may not set them."""

NODE_FIELDS = {
    "tokens": Column("tokens", FieldType.INTEGER, Home.NODES),
    **{field.name: Column(field.name, field.type, Home.COMPUTED) for field in COMPUTED},
}
"""What is computed for nodes. Their names are free: see ``columns``."""

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
    found = cursor.execute("SELECT name, column_name, type, allowed FROM fields ORDER BY position").fetchall()
    return {name: Column(column, FieldType(kind), allowed=tuple(allowed)) for name, column, kind, allowed in found}


def columns(cursor: Cursor) -> dict[str, Column]:
    """Every filterable field: the system's, what is computed for nodes, then the metadata's.

    What is computed is called ``node.…`` where documents have a metadata field of its name.
    """
    return filterable(metadata_columns(cursor))


def filterable(given: Mapping[str, Column]) -> dict[str, Column]:
    """As ``columns``, with these metadata fields."""
    computed = {_free(name, given): column for name, column in NODE_FIELDS.items()}
    return {**SYSTEM, **computed, **given}


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name = f"node.{name}"
    return name


def fields(cursor: Cursor) -> list[FieldSpec]:
    """The metadata fields as they were confirmed or proposed, in the order they were added."""
    found = cursor.execute(f"SELECT {rows.FIELD} FROM fields ORDER BY position").fetchall()
    return [rows.field(row) for row in found]


def add_fields(cursor: Cursor, specs: Sequence[FieldSpec]) -> None:
    """Add metadata columns for ``specs`` that are not there yet.

    Raises:
        InvalidMetadata: a reserved name, or a field that is there with another type: see ``set_field``.
    """
    known = metadata_columns(cursor)
    for spec in specs:
        if spec.name in SYSTEM:
            raise InvalidMetadata(f"{spec.name!r} is set by the system.", "Rename that key in the sidecar.")
        if spec.name not in known:
            known[spec.name] = _add_field(cursor, spec, known)
        elif known[spec.name].type is not spec.type:
            raise InvalidMetadata(
                f"{spec.name!r} is of type {known[spec.name].type} in this workspace, not {spec.type}."
            )


def _add_field(cursor: Cursor, spec: FieldSpec, known: Mapping[str, Column]) -> Column:
    column = Column(_column_name(spec.name, {c.name for c in known.values()} | _TAKEN), spec.type)
    cursor.execute(f"ALTER TABLE documents ADD COLUMN {column.quoted} {where.SQL_TYPES[spec.type]}")
    cursor.execute(
        f"INSERT INTO fields (column_name, position, {rows.FIELD}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [column.name, len(known), *rows.field_row(spec)],
    )
    return column


def set_field(cursor: Cursor, spec: FieldSpec) -> None:
    """Make a field what ``spec`` says, adding it if it is new. If its type changes, its values are gone: see ``set_cells``."""
    known = metadata_columns(cursor)
    if spec.name not in known:
        add_fields(cursor, [spec])
        return
    column = known[spec.name]
    if where.SQL_TYPES[column.type] != where.SQL_TYPES[spec.type]:
        kind = where.SQL_TYPES[spec.type]
        cursor.execute(f"ALTER TABLE documents ALTER {column.quoted} TYPE {kind} USING NULL::{kind}")
    names = [name.strip() for name in rows.FIELD.split(",")]
    assignments = ", ".join(f"{name} = ?" for name in names)
    cursor.execute(f"UPDATE fields SET {assignments} WHERE name = ?", [*rows.field_row(spec), spec.name])


def _column_name(field: str, taken: set[str]) -> str:
    """A column name of our own for a key of theirs: lower case, since DuckDB does not tell "Author" from "author"."""
    stem = re.sub(r"[^a-z0-9]+", "_", field.lower()).strip("_")[:40] or "field"
    name, count = stem, 1
    while name in taken:
        count += 1
        name = f"{stem}_{count}"
    return name


def _compiled(cursor: Cursor, filter: Filter, columns: Mapping[str, Column]) -> where.Sql:
    """The filter as an expression over the documents' table."""
    (checked,) = checking.checked(cursor, [filter], columns, {Home.DOCUMENTS: "documents"})
    return where.on_one_table(checked, columns)


def listing(cursor: Cursor, filter: Filter = EVERYTHING) -> list[DocumentInfo]:
    """Documents that pass ``filter``, by name."""
    every = columns(cursor)
    fields = metadata_columns(cursor)
    condition, params = _compiled(cursor, filter, every)
    names = "".join(f", {column.quoted}" for column in fields.values())
    found = cursor.execute(
        f"SELECT {rows.INFO}{names} FROM documents WHERE {condition} ORDER BY name, doc", params
    ).fetchall()
    return [rows.info(row, list(fields)) for row in found]


def infos(
    cursor: Cursor, numbers: Sequence[int], fields: Mapping[str, Column] | None = None
) -> dict[int, DocumentInfo]:
    """Documents by integer key. ``fields`` are the metadata fields, if they have been asked for already."""
    fields = metadata_columns(cursor) if fields is None else fields
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
    _refuse_unknown([*record.metadata, *_held(record.cells)], fields)
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
    _insert_given(cursor, number, record.cells)


def _insert_given(cursor: Cursor, number: int, cells: Cells) -> None:
    """Keep what was given for a document; null too, where a person has taken a value away."""
    told = [
        (name, rows.raw(cell.raw), cell.misfit, cell.edited)
        for name, cell in cells.items()
        if cell.raw is not None or cell.edited
    ]
    if told:
        columns = [list(column) for column in zip(*told, strict=True)]
        cursor.execute(
            "INSERT INTO given SELECT ?, unnest(?::VARCHAR[]), unnest(?::VARCHAR[]), unnest(?::VARCHAR[]), unnest(?::BOOLEAN[])",
            [number, *columns],
        )


def delete(cursor: Cursor, number: int) -> None:
    """Take out a document, with the nodes that it still has in indexes where it waits to be indexed again."""
    for index_id, table in nodes.tables(cursor).items():
        ((count,),) = cursor.execute(f"DELETE FROM {table} WHERE doc = ?", [number]).fetchall()
        if count:
            cursor.execute(f"DELETE FROM {nodes.computed_of(table)} WHERE doc = ?", [number])
            nodes.touch(cursor, [index_id])
    for table in ("documents", "texts", "originals", "given"):
        cursor.execute(f"DELETE FROM {table} WHERE doc = ?", [number])


def set_metadata(cursor: Cursor, number: int, cells: Cells, sidecar: bytes | None, data: bytes | None = None) -> None:
    """Replace all metadata of one document, and the bytes of its file where they are given. No vector is touched."""
    fields = metadata_columns(cursor)
    _refuse_unknown(_held(cells), fields)
    cursor.execute("DELETE FROM given WHERE doc = ?", [number])
    _insert_given(cursor, number, cells)
    _set_row(cursor, number, {column: cells.get(name, Cell()).value for name, column in fields.items()})
    cursor.execute("UPDATE originals SET sidecar = ? WHERE doc = ?", [sidecar, number])
    if data is not None:
        cursor.execute("UPDATE originals SET data = ? WHERE doc = ?", [data, number])


def _set_row(cursor: Cursor, number: int, values: Mapping[Column, Value | None]) -> None:
    """Write the values of one document that are other ones than it has."""
    if not values:
        return
    names = ", ".join(column.quoted for column in values)
    (held,) = cursor.execute(f"SELECT {names} FROM documents WHERE doc = ?", [number]).fetchall()
    changed = {
        column.quoted: None if value is None else rows.column_value(value)
        for (column, value), before in zip(values.items(), held, strict=True)
        if value != rows.value(before)
    }
    if changed:
        assignments = ", ".join(f"{column} = ?" for column in changed)
        cursor.execute(f"UPDATE documents SET {assignments} WHERE doc = ?", [*changed.values(), number])


def cells(cursor: Cursor, numbers: Sequence[int] | None = None, field: str | None = None) -> dict[int, dict[str, Cell]]:
    """What was given for each document (all, unless some are named) and each field (or one), with its typed value."""
    asked = [] if numbers is None else [list(numbers)]
    chosen = "true" if numbers is None else "doc IN (SELECT unnest(?::BIGINT[]))"
    fields = {name: column for name, column in metadata_columns(cursor).items() if field in (None, name)}
    names = "".join(f", {column.quoted}" for column in fields.values())
    found: dict[int, dict[str, Cell]] = {}
    for doc, *typed in cursor.execute(f"SELECT doc{names} FROM documents WHERE {chosen}", asked).fetchall():
        typed_values = zip(fields, typed, strict=True)
        found[doc] = {name: Cell(value=rows.value(value)) for name, value in typed_values if value is not None}
    only = "" if field is None else "AND field = ?"
    given = cursor.execute(
        f"SELECT doc, field, raw, misfit, edited FROM given WHERE {chosen} {only}", [*asked, *([field] if only else [])]
    ).fetchall()
    for doc, name, raw, misfit, edited in given:
        held = found[doc].get(name, Cell())
        found[doc][name] = Cell(json.loads(raw), held.value, misfit, edited)
    return found


def set_cells(cursor: Cursor, cells: Mapping[int, Cells]) -> None:
    """Write what documents hold of some fields; other fields stay as they are. No vector is touched.

    Documents that are gone are left out.
    """
    fields = metadata_columns(cursor)
    by_field: dict[str, dict[int, Cell]] = {}
    for number, row in cells.items():
        _refuse_unknown(row, fields)
        for name, cell in row.items():
            by_field.setdefault(name, {})[number] = cell
    for name, column in by_field.items():
        _set_column(cursor, name, fields[name], column)


def _set_column(cursor: Cursor, name: str, column: Column, cells: Mapping[int, Cell]) -> None:
    cursor.register("incoming_cells", rows.cell_table(cells, column.type))
    cursor.execute("DELETE FROM given WHERE field = ? AND doc IN (SELECT doc FROM incoming_cells)", [name])
    cursor.execute(
        "INSERT INTO given SELECT doc, ?, coalesce(raw, 'null'), misfit, edited FROM incoming_cells "
        "WHERE (raw IS NOT NULL OR edited) AND doc IN (SELECT doc FROM documents)",
        [name],
    )
    cursor.execute(
        f"UPDATE documents SET {column.quoted} = i.value FROM incoming_cells i WHERE documents.doc = i.doc "
        f"AND documents.{column.quoted} IS DISTINCT FROM i.value"
    )
    cursor.unregister("incoming_cells")


def _held(cells: Cells) -> list[str]:
    """The fields that must be there: a key that a person left out need not be one."""
    return [name for name, cell in cells.items() if cell != Cell(edited=True)]


def _refuse_unknown(given: Iterable[str], fields: Mapping[str, Column]) -> None:
    # The fields were there when the sidecar was read; a reset since then has taken them out.
    unknown = [name for name in given if name not in fields]
    if unknown:
        raise InvalidMetadata(f"This workspace has no field {unknown[0]!r} any more.", "Add the file again.")


def values(cursor: Cursor, column: Column, limit: int, filter: Filter = EVERYTHING) -> list[tuple[Scalar, int]]:
    """The commonest values of a document field and in how many of the documents that pass ``filter`` each stands."""
    every = columns(cursor)
    condition, params = _compiled(cursor, filter, every)
    item = f"unnest(list_distinct({column.quoted}))" if column.type is FieldType.STRINGS else column.quoted
    found = cursor.execute(
        f"SELECT item, count(*) AS n FROM (SELECT {item} AS item FROM documents WHERE {condition}) "
        "WHERE item IS NOT NULL GROUP BY item ORDER BY n DESC, item LIMIT ?",
        [*params, limit],
    ).fetchall()
    return [(value, count) for value, count in found]
