"""Exact, pre-filtered search: filter, rank, then fetch what the few winners need."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import duckdb
import numpy as np
from numpy.typing import NDArray

from core.errors import ModelMismatch
from core.filters import Filter
from core.store.base import Found, Passage, SearchOutcome
from core.store.duckdb import documents, nodes, rows, where
from core.types import DocumentInfo, Index

Cursor = duckdb.DuckDBPyConnection
PassageOf = Callable[[DocumentInfo], Passage]


def search(
    cursor: Cursor,
    index: Index,
    vector: NDArray[np.float32],
    filter: Filter,
    k: int,
    min_score: float | None,
    passage_of: PassageOf,
) -> SearchOutcome:
    """The ``k`` nodes with the highest inner product among those that pass ``filter``; ties by document and ordinal.

    Raises:
        ModelMismatch: a vector of another dimension than the index holds.
        InvalidFilter: the filter does not fit the schema.
    """
    vector = np.asarray(vector, np.float32)
    if vector.shape != (index.model.dim,):
        raise ModelMismatch(
            f"Index {index.name!r} holds vectors of {index.model.dim} numbers; the question's has {vector.size}.",
            f"Ask with the model it was built with ({index.model.name}).",
        )
    condition, params = compiled(cursor, index, filter)
    table = nodes.table(cursor, index.id)
    sql = _statement(table, index.model.dim, condition, limited=min_score is not None)
    values = [vector.tolist(), *params, k, *([] if min_score is None else [min_score])]
    found = cursor.execute(sql, values).fetchall()
    matching, total = count(cursor, table, condition, params)
    return SearchOutcome(_complete(cursor, table, found, passage_of), sql, tuple(values), matching, total)


def _statement(table: str, dim: int, condition: str, *, limited: bool) -> str:
    # A score limit inside, beside the filter, would be evaluated first and read every vector: it stays outside.
    ranked = (
        f"SELECT node, doc, tokens, {rows.NODE},\n       array_inner_product(embedding, ?::FLOAT[{dim}]) AS score\n"
        f"FROM {table}\nWHERE {condition}\nORDER BY score DESC, doc, ordinal\nLIMIT ?"
    )
    if not limited:
        return ranked
    inner = ranked.replace("\n", "\n  ")
    return f"SELECT * FROM (\n  {inner}\n) WHERE score >= ?\nORDER BY score DESC, doc, ordinal"


def compiled(cursor: Cursor, index: Index, filter: Filter) -> where.Sql:
    """A filter, checked against the schema, as an expression over an index's node table."""
    columns = documents.columns(cursor)
    computed = nodes.computed_of(nodes.table(cursor, index.id))
    return where.on_nodes(documents.checked(cursor, filter, columns), columns, computed)


def count(cursor: Cursor, table: str, condition: str, params: list[object]) -> tuple[int, int]:
    """How many nodes pass, and of how many."""
    ((matching,),) = cursor.execute(f"SELECT count(*) FROM {table} WHERE {condition}", params).fetchall()
    ((total,),) = cursor.execute(f"SELECT count(*) FROM {table}").fetchall()
    return matching, total


def _complete(cursor: Cursor, table: str, found: Sequence[rows.Row], passage_of: PassageOf) -> tuple[Found, ...]:
    infos = documents.infos(cursor, list({row[1] for row in found}))
    passages = {number: passage_of(info) for number, info in infos.items()}
    computed = nodes.computed_by_node(cursor, table, [row[0] for row in found])
    return tuple(
        Found(infos[doc].id, rows.node(row), float(score), infos[doc], passages[doc], tokens, computed[node])
        for node, doc, tokens, *row, score in found
    )
