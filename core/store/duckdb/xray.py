"""All that explains a filter, in one pass: every node's score beside what each clause says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.boosts import Boost, boosted_all
from core.errors import NotFound
from core.filters import Filter, conditions
from core.store.base import Found, Scan, Verdict, Wanted
from core.store.duckdb import rows, where
from core.store.duckdb.search import PassageOf, fetch
from core.store.duckdb.target import Target


def scan(
    target: Target,
    vector: NDArray[np.float32],
    filters: Sequence[Filter],
    wanted: Wanted,
    passage_of: PassageOf,
    boosts: Sequence[Boost] = (),
) -> Scan:
    """Every node of the target with its score and whether it passes each of ``filters``, and the nodes ``wanted``.

    Whether it is among those that are chosen, if any are, is the last of the filters.

    Raises:
        ModelMismatch: a vector of another dimension than the index holds.
        InvalidFilter: a filter, or that of a boost, does not fit the schema.
    """
    # Clauses are columns, not conditions: each adds a millisecond to the pass, where a search of its own would double it.
    clauses = target.clauses([*filters, *(boost.filter for boost in boosts)])
    among, numbers = target.chosen.sql if target.chosen else ("", [])
    listed = (*([f"({among}) AS chosen"] if among else []), *clauses.columns)
    columns = "".join(f",\n       {column}" for column in listed)
    sql = f"SELECT node, doc, ordinal,\n       {target.score} AS score{columns}\nFROM {target.table}{clauses.joins}"
    values = (target.vector(vector), *numbers, *clauses.params)
    names = [f"clause_{number}" for number in range(len(filters) + len(boosts))]
    names[len(filters) : len(filters)] = ["chosen"] if target.chosen else []
    found = target.cursor.execute(sql, list(values)).fetchnumpy()
    nodes, boosted, made = _in_order(found, names, boosts)
    made = replace(made, sql=sql, params=values)
    positions = list(dict.fromkeys(wanted(made)))
    scores = {int(nodes[position]): float(made.scores[position]) for position in positions}
    by_key = fetch(target, scores, passage_of) if positions else {}

    def complete(position: int) -> Found:
        passed = tuple((b.words, b.factor) for b, passing in zip(boosts, boosted, strict=True) if passing[position])
        return replace(by_key[made.key(position)], factors=passed)

    return replace(made, found={position: complete(position) for position in positions})


def _in_order(
    found: Mapping[str, Any], names: Sequence[str], boosts: Sequence[Boost]
) -> tuple[NDArray[np.int64], NDArray[np.bool_], Scan]:
    """The numbers of the nodes, the boosts they pass, and the scan, by document and ordinal.

    ``names`` are the columns of the filters, and after them of the boosts. Sorting here costs a third of an ORDER BY.
    """
    order = np.lexsort((found["ordinal"], found["doc"]))
    docs, places = np.unique(np.asarray(found["doc"], np.int64)[order], return_inverse=True)
    masks = np.empty((len(names), len(order)), np.bool_)
    for row, name in zip(masks, names, strict=True):
        np.take(np.asarray(found[name], np.bool_), order, out=row)
    filters = len(names) - len(boosts)
    scores = np.asarray(found["score"], np.float32)[order]
    made = Scan(
        tuple(rows.doc_id(int(number)) for number in docs),
        np.asarray(places, np.int64),
        np.asarray(found["ordinal"], np.int64)[order],
        scores,
        boosted_all(scores, masks[filters:], boosts),
        masks[:filters],
    )
    return np.asarray(found["node"], np.int64)[order], masks[filters:], made


def judge(target: Target, doc_id: str, ordinal: int, filter: Filter) -> Verdict:
    """What the filter says of one node, condition by condition.

    Raises:
        NotFound: the index does not hold that node.
        InvalidFilter: the filter does not fit the schema.
    """
    table, columns = target.table, target.columns
    (checked,) = target.checked([filter])
    leaves = list(conditions(checked))
    names = list(dict.fromkeys(leaf.field for leaf in leaves))
    held = [f"{_TABLES[columns[name].home]}.{columns[name].quoted}" for name in names]
    clauses = target.clauses(leaves)
    one = f"SELECT {', '.join(['node', 'doc', *clauses.columns])} FROM {table}{clauses.joins}"
    sql = (
        f"SELECT {', '.join([*held, *(f'v.clause_{i}' for i in range(len(leaves)))]) or 'true'} "
        f"FROM ({one} WHERE doc = ? AND ordinal = ?) v JOIN {table} n USING (node) "
        f"JOIN documents d ON d.doc = v.doc JOIN {target.computed} c ON c.node = v.node"
    )
    bound = [*clauses.params, rows.number(doc_id), ordinal]
    found = target.cursor.execute(sql, bound).fetchall()
    if not found:
        raise NotFound(f"The index holds no node {ordinal} of document {doc_id!r}.", "See the list of nodes.")
    (row,) = found
    values = {name: rows.value(value) for name, value in zip(names, row, strict=False)}
    return Verdict(checked, values, tuple(map(bool, row[len(names) : len(names) + len(leaves)])))


_TABLES = {where.Home.DOCUMENTS: "d", where.Home.NODES: "n", where.Home.COMPUTED: "c"}
