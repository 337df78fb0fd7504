"""Exact, pre-filtered search: filter, rank, then fetch what the few winners need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.boosts import Boost
from core.filters import Filter
from core.store.base import Distances, Found, Passage, SearchOutcome
from core.store.duckdb import documents, nodes, rows
from core.store.duckdb.target import Target
from core.types import DocumentInfo

PassageOf = Callable[[DocumentInfo], Passage]


def search(
    target: Target,
    vector: NDArray[np.float32],
    filter: Filter,
    k: int,
    min_score: float | None,
    passage_of: PassageOf,
    boosts: Sequence[Boost] = (),
) -> SearchOutcome:
    """The ``k`` best nodes of the target among those that pass ``filter``; ties by document and ordinal.

    The best have the highest inner product, or with ``boosts`` the highest of what these make of it. A node below
    ``min_score``, which no boost changes, is not among them.

    Raises:
        ModelMismatch: a vector of another dimension than the index holds.
        InvalidFilter: the filter, or that of a boost, does not fit the schema.
    """
    bound = target.vector(vector)
    condition, params = target.condition(filter)
    limit = [] if min_score is None else [min_score]
    if boosts:
        clauses = [target.clause(boost.filter) for boost in boosts]
        sql = _boosted(target, condition, [clause for clause, _ in clauses], limited=bool(limit))
        passing = [value for _, bound in clauses for value in bound]
        factors = [boost.factor for boost in boosts]
        values = [bound, *passing, *params, *factors, *limit, k, *limit]
    else:
        sql = _statement(target, condition, limited=bool(limit))
        values = [bound, *params, k, *limit]
    found = target.cursor.execute(sql, values).fetchall()
    matching, total = count(target, condition, params)
    return SearchOutcome(_complete(target, found, passage_of, boosts), sql, tuple(values), matching, total)


def distances(
    target: Target, vector: NDArray[np.float32], filter: Filter, bins: int, min_score: float | None
) -> Distances:
    """How many of the nodes that pass ``filter`` lie in each of ``bins`` equal bins of cosine distance from 0 to 2.

    Raises as ``search`` does.
    """
    condition, params = target.condition(filter)
    kept = "true" if min_score is None else "score >= ?"
    sql = (
        f"SELECT least(greatest(floor((1 - score::DOUBLE) * ? / 2), 0), ? - 1)::INTEGER AS bin, count(*),\n"
        f"       count(*) FILTER (WHERE {kept})\n"
        f"FROM (\n  SELECT {target.score} AS score\n"
        f"  FROM {target.table}\n  WHERE {condition}\n)\nGROUP BY bin"
    )
    limit = [] if min_score is None else [min_score]
    found = target.cursor.execute(sql, [bins, bins, *limit, target.vector(vector), *params]).fetchall()
    counts = np.zeros(bins, np.int64)
    for position, many, _ in found:
        counts[position] = many
    return Distances(counts, sum(kept for _, _, kept in found))


def _statement(target: Target, condition: str, *, limited: bool) -> str:
    # A score limit inside, beside the filter, would be evaluated first and read every vector: it stays outside.
    ranked = (
        f"SELECT node, doc, tokens, {rows.NODE},\n       {target.score} AS score\n"
        f"FROM {target.table}\nWHERE {condition}\nORDER BY score DESC, doc, ordinal\nLIMIT ?"
    )
    if not limited:
        return ranked
    inner = ranked.replace("\n", "\n  ")
    return f"SELECT * FROM (\n  {inner}\n) WHERE score >= ?\nORDER BY score DESC, doc, ordinal"


def _boosted(target: Target, condition: str, clauses: Sequence[str], *, limited: bool) -> str:
    """As ``_statement``, ranked by ``boosts.boosted``: the same products in the same order, so that ties are the same."""
    passes = ", ".join(f"({clause})" for clause in clauses)
    factor = " * ".join(f"CASE WHEN boosted[{i}] THEN ?::DOUBLE ELSE 1 END" for i in range(1, len(clauses) + 1))
    # Nodes below the limit come last among the ranked and are left out above: the limit is not evaluated in the scan.
    first, above = ("(score >= ?) DESC, ", "\nWHERE score >= ?") if limited else ("", "")
    return (
        f"WITH scored AS (\n  SELECT node, doc, ordinal, {target.score} AS score,\n"
        f"    [{passes}] AS boosted\n  FROM {target.table}\n  WHERE {condition}\n"
        f"), multiplied AS (\n  SELECT *, {factor} AS factor FROM scored\n"
        "), ranked AS (\n"
        "  SELECT node, score, boosted, CASE WHEN score >= 0 THEN score * factor ELSE score / factor END AS final\n"
        f"  FROM multiplied\n  ORDER BY {first}final DESC, doc, ordinal\n  LIMIT ?\n"
        f")\nSELECT node, doc, tokens, {rows.NODE}, boosted, score\n"
        f"FROM ranked JOIN {target.table} USING (node){above}\nORDER BY final DESC, doc, ordinal"
    )


def count(target: Target, condition: str, params: list[object]) -> tuple[int, int]:
    """How many nodes pass, and of how many."""
    sql = f"SELECT (SELECT count(*) FROM {target.table} WHERE {condition}), (SELECT count(*) FROM {target.table})"
    ((matching, total),) = target.cursor.execute(sql, params).fetchall()
    return matching, total


def fetch(target: Target, scores: Mapping[int, float], passage_of: PassageOf) -> dict[tuple[str, int], Found]:
    """Nodes by document id and ordinal, asked for by node number, each with its score."""
    found = target.cursor.execute(
        f"SELECT node, doc, tokens, {rows.NODE} FROM {target.table} WHERE node IN (SELECT unnest(?::BIGINT[]))",
        [list(scores)],
    ).fetchall()
    complete = _complete(target, [(*row, scores[row[0]]) for row in found], passage_of)
    return {(item.doc_id, item.node.ordinal): item for item in complete}


def _complete(
    target: Target, found: Sequence[rows.Row], passage_of: PassageOf, boosts: Sequence[Boost] = ()
) -> tuple[Found, ...]:
    infos = documents.infos(target.cursor, list({row[1] for row in found}), target.fields)
    passages = {number: passage_of(info) for number, info in infos.items()}
    computed = nodes.computed_by_node(target.cursor, target.table, [row[0] for row in found])
    made = []
    for node, doc, tokens, *row, score in found:
        passed = row.pop() if boosts else ()
        factors = tuple((b.words, b.factor) for b, holds in zip(boosts, passed, strict=True) if holds)
        told = rows.node(row), float(score), infos[doc], passages[doc], tokens, computed[node], factors
        made.append(Found(infos[doc].id, *told))
    return tuple(made)
