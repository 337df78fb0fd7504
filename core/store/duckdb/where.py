"""A checked ``Filter`` becomes one WHERE expression with bound values.

Column names come from the schema only. An expression is true or false, never null, so NOT is the complement.
Conditions on documents are evaluated on the small documents table and joined by key, which keeps the scan of the
vectors late-materialised; lists are bound whole, since a literal IN reads every vector.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.filters import All, Any, Condition, Field, FieldType, Filter, Not, Op, Schema, conditions

SQL_TYPES: Mapping[FieldType, str] = {
    FieldType.STRING: "VARCHAR",
    FieldType.ENUM: "VARCHAR",
    FieldType.INTEGER: "BIGINT",
    FieldType.NUMBER: "DOUBLE",
    FieldType.BOOLEAN: "BOOLEAN",
    FieldType.DATE: "TIMESTAMP",
    FieldType.DATETIME: "TIMESTAMP",
    FieldType.STRINGS: "VARCHAR[]",
}


class Home(StrEnum):
    """The table a field lives in: the documents', an index's nodes', or what is computed for those."""

    DOCUMENTS = "documents"
    NODES = "nodes"
    COMPUTED = "computed"


@dataclass(frozen=True, slots=True)
class Column:
    """Where a field lives. ``name`` is the bare column name; ``quoted`` is safe to write into a statement.

    ``allowed`` are the texts that its schema allows, if it limits them.
    """

    name: str
    type: FieldType
    home: Home = Home.DOCUMENTS
    allowed: tuple[str, ...] = ()

    @property
    def of_node(self) -> bool:
        return self.home is not Home.DOCUMENTS

    @property
    def quoted(self) -> str:
        return '"' + self.name.replace('"', '""') + '"'


Columns = Mapping[str, Column]


def schema(columns: Columns) -> Schema:
    """What can be filtered, without where it lives."""
    return {name: Field(name, column.type, column.of_node, column.allowed) for name, column in columns.items()}


Sql = tuple[str, list[object]]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Nodes by their numbers: these, or with ``others`` all but these, whichever are fewer to bind."""

    numbers: tuple[int, ...]
    others: bool = False

    @property
    def sql(self) -> Sql:
        """An expression over the node table."""
        return f"node {'NOT ' if self.others else ''}IN (SELECT unnest(?::BIGINT[]))", [list(self.numbers)]


def on_one_table(filter: Filter, columns: Columns) -> Sql:
    """An expression over the table that every field of the filter lives in."""
    match filter:
        case All(parts):
            return _joined("AND", "true", (on_one_table(part, columns) for part in parts))
        case Any(parts):
            return _joined("OR", "false", (on_one_table(part, columns) for part in parts))
        case Not(part):
            sql, params = on_one_table(part, columns)
            return f"NOT ({sql})", params
        case Condition():
            return _condition(filter, columns[filter.field])


def on_nodes(filter: Filter, columns: Columns, computed: str) -> Sql:
    """An expression over a node table; what concerns another table is one semi-join each. ``computed`` names that table."""
    if (found := home(filter, columns)) is not None:
        return _at_home(filter, columns, computed, found)
    match filter:
        case All(parts):
            every = _by_home(All, parts, columns)
            return _joined("AND", "true", (on_nodes(part, columns, computed) for part in every))
        case Any(parts):
            every = _by_home(Any, parts, columns)
            return _joined("OR", "false", (on_nodes(part, columns, computed) for part in every))
        case Not(part):
            sql, params = on_nodes(part, columns, computed)
            return f"NOT ({sql})", params
        case Condition():
            return _condition(filter, columns[filter.field])


def _by_home(group: type[All | Any], parts: Sequence[Filter], columns: Columns) -> list[Filter]:
    """The parts, those that concern one other table put together: one semi-join, not one for each."""
    homes = [home(part, columns) for part in parts]
    found: list[Filter] = []
    for other in (Home.DOCUMENTS, Home.COMPUTED):
        mine = tuple(part for part, one in zip(parts, homes, strict=True) if one is other)
        found += [group(mine)] if mine else []
    return [*found, *(part for part, one in zip(parts, homes, strict=True) if one in (None, Home.NODES))]


def _at_home(filter: Filter, columns: Columns, computed: str, home: Home) -> Sql:
    sql, params = on_one_table(filter, columns)
    match home:
        case Home.DOCUMENTS:
            return f"doc IN (SELECT doc FROM documents WHERE {sql})", params
        case Home.COMPUTED:
            return f"node IN (SELECT node FROM {computed} WHERE {sql})", params
        case Home.NODES:
            return sql, params


def home(filter: Filter, columns: Columns) -> Home | None:
    """The one table that the filter concerns (the nodes', if it concerns none), or None if it concerns several."""
    homes = {columns[condition.field].home for condition in conditions(filter)} or {Home.NODES}
    return homes.pop() if len(homes) == 1 else None


def semi_joins(filter: Filter, columns: Columns) -> int:
    """How many semi-joins the filter's expression over a node table has."""
    found = home(filter, columns)
    if found is not None:
        return int(found is not Home.NODES)
    match filter:
        case All(parts) | Any(parts):
            return sum(semi_joins(part, columns) for part in _by_home(type(filter), parts, columns))
        case Not(part):
            return semi_joins(part, columns)
    return 0


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
            return f"contains({_folded(name)}, {_folded('?')})", [value]
        case Op.NOT_CONTAINS:
            return f"NOT contains({_folded(name)}, {_folded('?')})", [value]
        case Op.STARTS_WITH:
            return f"starts_with({_folded(name)}, {_folded('?')})", [value]
        case Op.MATCHES:
            return f"regexp_matches({name}, ?)", [value]
        case Op.IS_NULL:
            return f"{name} IS NULL", []
        case Op.NOT_NULL:
            return f"{name} IS NOT NULL", []


def _folded(text: str) -> str:
    """Text without upper case. A final sigma is a sigma, as in the upper case that both have in common."""
    return f"replace(lower({text}), 'ς', 'σ')"


def _possible(values: list[object], column: Column) -> list[object]:
    # No integer is 2023.5, which the cast to a list of integers would round; as DOUBLE, 2^53 + 1 would be 2^53.
    return [v for v in values if isinstance(v, int)] if column.type is FieldType.INTEGER else values
