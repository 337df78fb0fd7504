"""A checked ``Filter`` becomes one WHERE expression with bound values.

Column names come from the schema only. An expression is true or false, never null, so NOT is the complement.
Conditions on documents are evaluated on the small documents table and joined by key, which keeps the scan of the
vectors late-materialised; lists are bound whole, since a literal IN reads every vector.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.filters import All, Any, Condition, FieldType, Filter, Not, Op, conditions

SQL_TYPES: Mapping[FieldType, str] = {
    FieldType.STRING: "VARCHAR",
    FieldType.INTEGER: "BIGINT",
    FieldType.NUMBER: "DOUBLE",
    FieldType.BOOLEAN: "BOOLEAN",
    FieldType.DATETIME: "TIMESTAMP",
    FieldType.STRINGS: "VARCHAR[]",
}


@dataclass(frozen=True, slots=True)
class Column:
    """Where a field lives. ``name`` is the bare column name; ``quoted`` is safe to write into a statement."""

    name: str
    type: FieldType
    of_node: bool

    @property
    def quoted(self) -> str:
        return '"' + self.name.replace('"', '""') + '"'


Columns = Mapping[str, Column]
Sql = tuple[str, list[object]]


def on_documents(filter: Filter, columns: Columns) -> Sql:
    """An expression over the documents table; every field must be a document's."""
    match filter:
        case All(parts):
            return _joined("AND", "true", (on_documents(part, columns) for part in parts))
        case Any(parts):
            return _joined("OR", "false", (on_documents(part, columns) for part in parts))
        case Not(part):
            sql, params = on_documents(part, columns)
            return f"NOT ({sql})", params
        case Condition():
            return _condition(filter, columns[filter.field])


def on_nodes(filter: Filter, columns: Columns) -> Sql:
    """An expression over a node table, with the documents' part as one semi-join."""
    if next(conditions(filter), None) is None:
        return on_documents(filter, columns)
    if _of_documents(filter, columns):
        sql, params = on_documents(filter, columns)
        return f"doc IN (SELECT doc FROM documents WHERE {sql})", params
    match filter:
        case All(parts):
            ours = [part for part in parts if not _of_documents(part, columns)]
            theirs = All(tuple(part for part in parts if _of_documents(part, columns)))
            together = ([theirs] if theirs.parts else []) + ours
            return _joined("AND", "true", (on_nodes(part, columns) for part in together))
        case Any(parts):
            return _joined("OR", "false", (on_nodes(part, columns) for part in parts))
        case Not(part):
            sql, params = on_nodes(part, columns)
            return f"NOT ({sql})", params
        case Condition():
            return _condition(filter, columns[filter.field])


def _of_documents(filter: Filter, columns: Columns) -> bool:
    return not any(columns[condition.field].of_node for condition in conditions(filter))


def _joined(word: str, empty: str, parts: Iterable[Sql]) -> Sql:
    found = list(parts)
    if not found:
        return empty, []
    if len(found) == 1:
        return found[0]
    return f" {word} ".join(f"({sql})" for sql, _ in found), [value for _, params in found for value in params]


def _condition(condition: Condition, column: Column) -> Sql:
    sql, params = _comparison(condition, column)
    if condition.op in (Op.IS_NULL, Op.NOT_NULL):
        return sql, params
    # Not coalesce: null IN an empty list is false, not null.
    rule = "IS NULL OR" if condition.missing_is_true else "IS NOT NULL AND"
    return f"{column.quoted} {rule} {sql}", params


def _comparison(condition: Condition, column: Column) -> Sql:
    name, kind, value = column.quoted, SQL_TYPES[column.type], condition.value
    many: list[object] = list(value) if isinstance(value, tuple) else [value]
    match condition.op:
        case Op.EQ | Op.NE | Op.LT | Op.LE | Op.GT | Op.GE:
            return f"{name} {condition.op.value} ?", [many if column.type is FieldType.STRINGS else value]
        case Op.BETWEEN:
            return f"{name} >= ? AND {name} <= ?", many
        case Op.IN:
            return f"{name} IN (SELECT unnest(?::{kind}[]))", [_possible(many, column)]
        case Op.NOT_IN:
            return f"{name} NOT IN (SELECT unnest(?::{kind}[]))", [_possible(many, column)]
        case Op.CONTAINS_ANY if len(many) == 1:
            return f"list_contains({name}, ?)", many
        case Op.CONTAINS_ANY:
            return f"list_has_any({name}, ?::{kind})", [many]
        case Op.CONTAINS_ALL:
            return f"list_has_all({name}, ?::{kind})", [many]
        case Op.CONTAINS:
            return f"contains(lower({name}), lower(?))", [value]
        case Op.NOT_CONTAINS:
            return f"NOT contains(lower({name}), lower(?))", [value]
        case Op.STARTS_WITH:
            return f"starts_with(lower({name}), lower(?))", [value]
        case Op.MATCHES:
            return f"regexp_matches({name}, ?)", [value]
        case Op.IS_NULL:
            return f"{name} IS NULL", []
        case Op.NOT_NULL:
            return f"{name} IS NOT NULL", []


def _possible(values: list[object], column: Column) -> list[object]:
    # No integer is 2023.5, which the cast to a list of integers would round; as DOUBLE, 2^53 + 1 would be 2^53.
    return [v for v in values if isinstance(v, int)] if column.type is FieldType.INTEGER else values
