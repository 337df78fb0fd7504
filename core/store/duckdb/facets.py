"""How many nodes have each value of a field, in one pass."""

from __future__ import annotations

from core.filters import TEXTS, FieldType, Filter
from core.store.base import Facet
from core.store.duckdb.target import Target
from core.store.duckdb.where import Column, Home


def facet(target: Target, column: Column, others: Filter, most: int) -> Facet:
    """The ``most`` commonest values of a column among the target's nodes that pass ``others``.

    Values that only other nodes have are counted 0.

    Raises:
        InvalidFilter: ``others`` does not fit the schema.
    """
    condition, params = target.condition(others)
    mine = f", {column.quoted} AS held" if column.home is Home.NODES else ""
    nodes = f"SELECT node, doc, ({condition}) AS passes{mine} FROM {target.table}"
    rows = f"(SELECT held, passes FROM ({nodes}){_JOINS[column.home].format(column.quoted, target.computed)})"
    texts = column.type in (*TEXTS, FieldType.STRINGS)
    item = "unnest(list_distinct(held))" if column.type is FieldType.STRINGS else "held"
    found = target.cursor.execute(
        f"SELECT item, count(*) FILTER (passes) AS many FROM (SELECT {item} AS item, passes FROM {rows}) "
        f"WHERE item IS NOT NULL GROUP BY item ORDER BY many DESC, {'lower(item), item' if texts else 'item'} LIMIT ?",
        [*params, most],
    ).fetchall()
    ((missing, matching),) = target.cursor.execute(
        f"SELECT count(*) FILTER (passes AND held IS NULL), count(*) FILTER (passes) FROM {rows}", params
    ).fetchall()
    return Facet(tuple(found), missing, matching)


_JOINS = {
    Home.NODES: "",
    Home.DOCUMENTS: " JOIN (SELECT doc, {0} AS held FROM documents) USING (doc)",
    Home.COMPUTED: " LEFT JOIN (SELECT node, {0} AS held FROM {1}) USING (node)",
}
