"""All that explains a filter, in one pass: every node's score beside what each clause says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from core.errors import NotFound
from core.filters import Filter, conditions
from core.store.base import Scan, Verdict, Wanted
from core.store.duckdb import documents, nodes, rows, where
from core.store.duckdb.search import PassageOf, fetch, fitting
from core.types import Index

Cursor = duckdb.DuckDBPyConnection


def scan(
    cursor: Cursor,
    index: Index,
    vector: NDArray[np.float32],
    filters: Sequence[Filter],
    wanted: Wanted,
    passage_of: PassageOf,
    chosen: where.Chosen | None = None,
) -> Scan:
    """Every node of the index with its score and whether it passes each of ``filters``, and the nodes ``wanted``.

    Whether it is ``chosen``, if any are, is the last of the filters.

    Raises:
        ModelMismatch: a vector of another dimension than the index holds.
        InvalidFilter: a filter does not fit the schema.
    """
    vector = fitting(index, vector)
    table = nodes.table(cursor, index.id)
    every = [*_each(cursor, table, filters), *([chosen.sql] if chosen else [])]
    # Clauses are columns, not conditions: each adds a millisecond to the pass, where a search of its own would double it.
    columns = "".join(f",\n       ({sql}) AS clause_{i}" for i, (sql, _) in enumerate(every))
    sql = (
        f"SELECT node, doc, ordinal,\n       array_inner_product(embedding, ?::FLOAT[{index.model.dim}]) AS score"
        f"{columns}\nFROM {table}"
    )
    values = (vector.tolist(), *(value for _, params in every for value in params))
    found = cursor.execute(sql, list(values)).fetchnumpy()
    numbers, made = _in_order(found, len(every))
    made = replace(made, sql=sql, params=values)
    positions = list(dict.fromkeys(wanted(made)))
    scores = {int(numbers[position]): float(made.scores[position]) for position in positions}
    by_key = fetch(cursor, index, scores, passage_of) if positions else {}
    return replace(made, found={position: by_key[made.key(position)] for position in positions})


def _each(cursor: Cursor, table: str, filters: Sequence[Filter]) -> list[where.Sql]:
    """An expression over the node table for every filter."""
    columns = documents.columns(cursor)
    computed = nodes.computed_of(table)
    return [where.on_nodes(documents.checked(cursor, each, columns), columns, computed) for each in filters]


def _in_order(found: Mapping[str, Any], filters: int) -> tuple[NDArray[np.int64], Scan]:
    """The numbers of the nodes, and the scan, by document and ordinal. Sorting here costs a third of an ORDER BY."""
    order = np.lexsort((found["ordinal"], found["doc"]))
    docs, places = np.unique(np.asarray(found["doc"], np.int64)[order], return_inverse=True)
    masks = np.empty((filters, len(order)), np.bool_)
    for row in range(filters):
        np.take(np.asarray(found[f"clause_{row}"], np.bool_), order, out=masks[row])
    made = Scan(
        tuple(rows.doc_id(int(number)) for number in docs),
        np.asarray(places, np.int64),
        np.asarray(found["ordinal"], np.int64)[order],
        np.asarray(found["score"], np.float32)[order],
        masks,
    )
    return np.asarray(found["node"], np.int64)[order], made


def judge(cursor: Cursor, index: Index, doc_id: str, ordinal: int, filter: Filter) -> Verdict:
    """What the filter says of one node, condition by condition.

    Raises:
        NotFound: the index does not hold that node.
        InvalidFilter: the filter does not fit the schema.
    """
    table = nodes.table(cursor, index.id)
    columns = documents.columns(cursor)
    checked = documents.checked(cursor, filter, columns)
    leaves = list(conditions(checked))
    names = list(dict.fromkeys(leaf.field for leaf in leaves))
    held = [f"{_TABLES[columns[name].home]}.{columns[name].quoted}" for name in names]
    clauses = _each(cursor, table, leaves)
    one = f"SELECT node, doc{''.join(f', ({sql}) AS clause_{i}' for i, (sql, _) in enumerate(clauses))}"
    sql = (
        f"SELECT {', '.join([*held, *(f'v.clause_{i}' for i in range(len(leaves)))]) or 'true'} "
        f"FROM ({one} FROM {table} WHERE doc = ? AND ordinal = ?) v JOIN {table} n USING (node) "
        f"JOIN documents d ON d.doc = v.doc JOIN {nodes.computed_of(table)} c ON c.node = v.node"
    )
    bound = [*(value for _, params in clauses for value in params), rows.number(doc_id), ordinal]
    found = cursor.execute(sql, bound).fetchall()
    if not found:
        raise NotFound(f"The index holds no node {ordinal} of document {doc_id!r}.", "See the list of nodes.")
    (row,) = found
    values = {name: rows.value(value) for name, value in zip(names, row, strict=False)}
    return Verdict(checked, values, tuple(map(bool, row[len(names) : len(names) + len(leaves)])))


_TABLES = {where.Home.DOCUMENTS: "d", where.Home.NODES: "n", where.Home.COMPUTED: "c"}
