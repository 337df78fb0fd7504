"""How well a node goes with its neighbours, by their vectors."""

from __future__ import annotations

import numpy as np

from core.store.base import usable
from core.types import Vectors

_DIGITS = 4


def of_nodes(vectors: Vectors | None, count: int) -> list[float | None]:
    """The mean cosine of each of ``count`` nodes with the ones before and after it; None without a neighbour.

    ``vectors`` has unit rows, shape (count, dim); rows that are zero or not finite are neighbours of nobody.
    """
    if vectors is None or count < 2:
        return [None] * count
    fine = usable(vectors)
    both = fine[:-1] & fine[1:]
    rows = np.where(fine[:, None], vectors, 0)
    cosines = np.einsum("nd,nd->n", rows[:-1], rows[1:], dtype=np.float64, casting="safe").clip(-1, 1) * both
    total, neighbours = np.zeros(count), np.zeros(count, np.int64)
    for side in (slice(None, -1), slice(1, None)):
        total[side] += cosines
        neighbours[side] += both
    means = (total / np.maximum(neighbours, 1)).round(_DIGITS).tolist()
    return [mean if some else None for mean, some in zip(means, neighbours.tolist(), strict=True)]
