"""Exact, pre-filtered search: filter, rank, then fetch what the few winners need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import duckdb
import numpy as np
from numpy.typing import NDArray

from core.boosts import Boost
from core.errors import ModelMismatch
from core.filters import Filter
from core.store.base import Distances, Found, Passage, SearchOutcome
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
    boosts: Sequence[Boost] = (),
    chosen: where.Chosen | None = None,
) -> SearchOutcome:
    """The ``k`` best nodes among those that pass ``filter`` (and are ``chosen``, if any are); ties by document and ordinal.

    The best have the highest inner product, or with ``boosts`` the highest of what these make of it. A node below
    ``min_score``, which no boost changes, is not among them.

    Raises:
        ModelMismatch: a vector of another dimension than the index holds.
        InvalidFilter: the filter, or that of a boost, does not fit the schema.
    """
    vector = fitting(index, vector)
    condition, params = compiled(cursor, index, filter, chosen)
    table = nodes.table(cursor, index.id)
    limit = [] if min_score is None else [min_score]
    if boosts:
        clauses = [compiled(cursor, index, boost.filter) for boost in boosts]
        sql = _boosted(table, index.model.dim, condition, [clause for clause, _ in clauses], limited=bool(limit))
        passing = [value for _, bound in clauses for value in bound]
        factors = [boost.factor for boost in boosts]
        values = [vector.tolist(), *passing, *params, *factors, *limit, k, *limit]
    else:
        sql = _statement(table, index.model.dim, condition, limited=bool(limit))
        values = [vector.tolist(), *params, k, *limit]
    found = cursor.execute(sql, values).fetchall()
    matching, total = count(cursor, table, condition, params)
    return SearchOutcome(_complete(cursor, table, found, passage_of, boosts), sql, tuple(values), matching, total)


def distances(
    cursor: Cursor,
    index: Index,
    vector: NDArray[np.float32],
    filter: Filter,
    bins: int,
    min_score: float | None,
    chosen: where.Chosen | None = None,
) -> Distances:
    """How many of the nodes that pass ``filter`` lie in each of ``bins`` equal bins of cosine distance from 0 to 2.

    Raises as ``search`` does.
    """
    condition, params = compiled(cursor, index, filter, chosen)
    kept = "true" if min_score is None else "score >= ?"
    sql = (
        f"SELECT least(greatest(floor((1 - score::DOUBLE) * ? / 2), 0), ? - 1)::INTEGER AS bin, count(*),\n"
        f"       count(*) FILTER (WHERE {kept})\n"
        f"FROM (\n  SELECT array_inner_product(embedding, ?::FLOAT[{index.model.dim}]) AS score\n"
        f"  FROM {nodes.table(cursor, index.id)}\n  WHERE {condition}\n)\nGROUP BY bin"
    )
    limit = [] if min_score is None else [min_score]
    found = cursor.execute(sql, [bins, bins, *limit, fitting(index, vector).tolist(), *params]).fetchall()
    counts = np.zeros(bins, np.int64)
    for position, many, _ in found:
        counts[position] = many
    return Distances(counts, sum(kept for _, _, kept in found))


def fitting(index: Index, vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vector, if the index holds vectors of its dimension.

    Raises:
        ModelMismatch: it does not.
    """
    vector = np.asarray(vector, np.float32)
    if vector.shape != (index.model.dim,):
        raise ModelMismatch(
            f"Index {index.name!r} holds vectors of {index.model.dim} numbers; the question's has {vector.size}.",
            f"Ask with the model it was built with ({index.model.name}).",
        )
    return vector


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


def _boosted(table: str, dim: int, condition: str, clauses: Sequence[str], *, limited: bool) -> str:
    """As ``_statement``, ranked by ``boosts.boosted``: the same products in the same order, so that ties are the same."""
    passes = ", ".join(f"({clause})" for clause in clauses)
    factor = " * ".join(f"CASE WHEN boosted[{i}] THEN ?::DOUBLE ELSE 1 END" for i in range(1, len(clauses) + 1))
    # Nodes below the limit come last among the ranked and are left out above: the limit is not evaluated in the scan.
    first, above = ("(score >= ?) DESC, ", "\nWHERE score >= ?") if limited else ("", "")
    return (
        f"WITH scored AS (\n  SELECT node, doc, ordinal, array_inner_product(embedding, ?::FLOAT[{dim}]) AS score,\n"
        f"    [{passes}] AS boosted\n  FROM {table}\n  WHERE {condition}\n"
        f"), multiplied AS (\n  SELECT *, {factor} AS factor FROM scored\n"
        "), ranked AS (\n"
        "  SELECT node, score, boosted, CASE WHEN score >= 0 THEN score * factor ELSE score / factor END AS final\n"
        f"  FROM multiplied\n  ORDER BY {first}final DESC, doc, ordinal\n  LIMIT ?\n"
        f")\nSELECT node, doc, tokens, {rows.NODE}, boosted, score\n"
        f"FROM ranked JOIN {table} USING (node){above}\nORDER BY final DESC, doc, ordinal"
    )


def compiled(cursor: Cursor, index: Index, filter: Filter, chosen: where.Chosen | None = None) -> where.Sql:
    """A filter, checked against the schema, as an expression over an index's node table; only ``chosen`` nodes pass."""
    columns = documents.columns(cursor)
    computed = nodes.computed_of(nodes.table(cursor, index.id))
    condition, params = where.on_nodes(documents.checked(cursor, filter, columns), columns, computed)
    if chosen is None:
        return condition, params
    among, numbers = chosen.sql
    return f"({condition}) AND {among}", [*params, *numbers]


def count(cursor: Cursor, table: str, condition: str, params: list[object]) -> tuple[int, int]:
    """How many nodes pass, and of how many."""
    ((matching,),) = cursor.execute(f"SELECT count(*) FROM {table} WHERE {condition}", params).fetchall()
    ((total,),) = cursor.execute(f"SELECT count(*) FROM {table}").fetchall()
    return matching, total


def fetch(
    cursor: Cursor, index: Index, scores: Mapping[int, float], passage_of: PassageOf
) -> dict[tuple[str, int], Found]:
    """Nodes by document id and ordinal, asked for by node number, each with its score."""
    table = nodes.table(cursor, index.id)
    found = cursor.execute(
        f"SELECT node, doc, tokens, {rows.NODE} FROM {table} WHERE node IN (SELECT unnest(?::BIGINT[]))", [list(scores)]
    ).fetchall()
    complete = _complete(cursor, table, [(*row, scores[row[0]]) for row in found], passage_of)
    return {(item.doc_id, item.node.ordinal): item for item in complete}


def _complete(
    cursor: Cursor, table: str, found: Sequence[rows.Row], passage_of: PassageOf, boosts: Sequence[Boost] = ()
) -> tuple[Found, ...]:
    infos = documents.infos(cursor, list({row[1] for row in found}))
    passages = {number: passage_of(info) for number, info in infos.items()}
    computed = nodes.computed_by_node(cursor, table, [row[0] for row in found])
    made = []
    for node, doc, tokens, *row, score in found:
        passed = row.pop() if boosts else ()
        factors = tuple((b.words, b.factor) for b, holds in zip(boosts, passed, strict=True) if holds)
        told = rows.node(row), float(score), infos[doc], passages[doc], tokens, computed[node], factors
        made.append(Found(infos[doc].id, *told))
    return tuple(made)
