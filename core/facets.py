"""How many nodes have each value of a field, among those that pass all other conditions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.filters import Condition, Field, FieldType, Filter, Op, Scalar
from core.store.base import Scan, Store
from core.types import Index, Value

MOST_VALUES = 200
MOST_NODE_VALUES = 50
"""Each value of a field of nodes is a condition of its own in the pass."""


@dataclass(frozen=True, slots=True)
class Facet:
    """The values of a field with the number of nodes that have each, the commonest first, those of no node last.

    ``missing`` of the ``matching`` nodes have no value; of a list each item is a value.
    """

    values: tuple[tuple[Scalar, int], ...]
    missing: int
    matching: int


def facet(store: Store, index: Index, field: Field, others: Filter, where: str = "") -> Facet:
    """The values of ``field`` among the nodes that pass ``others`` and the expert's condition ``where``, in one pass.

    Raises:
        InvalidFilter: ``others`` or ``where`` cannot be evaluated.
    """
    known = [value for value, _ in store.node_values(index, field.name, MOST_NODE_VALUES)] if field.of_node else []
    op = Op.CONTAINS_ANY if field.type is FieldType.STRINGS else Op.IN
    asked = [others, Condition(field.name, Op.IS_NULL), *(Condition(field.name, op, (value,)) for value in known)]
    scan = store.scan(index, np.zeros(index.model.dim, np.float32), asked, expert=where)
    passing = scan.masks[0] & scan.masks[-1] if where else scan.masks[0]
    if field.of_node:
        counted = [(value, int((scan.masks[row] & passing).sum())) for row, value in enumerate(known, 2)]
    else:
        counted = list(_by_document(store, field.name, scan, passing.nonzero()[0]).items())
    counted.sort(key=lambda pair: (-pair[1], str(pair[0]).casefold()))
    return Facet(tuple(counted[:MOST_VALUES]), int((scan.masks[1] & passing).sum()), int(passing.sum()))


def _by_document(store: Store, field: str, scan: Scan, positions: np.ndarray) -> Counter[Scalar]:
    nodes = np.bincount(scan.docs[positions], minlength=len(scan.doc_ids))
    held = dict(zip(scan.doc_ids, nodes.tolist(), strict=True))
    found: Counter[Scalar] = Counter()
    for info in store.documents():
        if info.id in held:
            for value in _items(info.id if field == "doc_id" else info.metadata.get(field)):
                found[value] += held[info.id]
    return found


def _items(value: Value | None) -> Iterable[Scalar]:
    if value is None:
        return ()
    return dict.fromkeys(value) if isinstance(value, tuple) else (value,)
