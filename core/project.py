"""Vectors become points of a map: PCA at once, UMAP when there is time, and a question by its neighbours."""

from __future__ import annotations

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from core.types import Progress, Vectors, no_progress

Points = NDArray[np.float32]
"""Positions in the plane, shape (n, 2)."""

SEED = 42
NEIGHBOURS = 15
EPOCHS = 200
FEWEST = 5
_BLOCK = 512
_one_fit = Lock()  # two fits at once abort the process under numba's workqueue layer


def pca(vectors: Vectors) -> Points:
    """The two directions of largest variance, with a sign that does not depend on the solver."""
    if len(vectors) < 3:
        return np.column_stack([np.arange(len(vectors)), np.zeros(len(vectors))]).astype(np.float32)
    centred = vectors - vectors.mean(axis=0)
    _, axes = np.linalg.eigh(np.cov(centred, rowvar=False))
    top = axes[:, ::-1][:, :2]
    top = top * np.sign(top[np.abs(top).argmax(axis=0), [0, 1]])
    return np.asarray(centred @ top, np.float32)


def umap(vectors: Vectors, progress: Progress = no_progress) -> Points:
    """UMAP from exact neighbours, started at PCA, seeded: the same vectors give the same picture.

    Fewer than 5 vectors are too few for neighbourhoods and get the PCA picture. ``progress`` may raise ``Cancelled``
    while neighbours are searched; the fit itself cannot be interrupted.
    """
    if len(vectors) < FEWEST:
        return pca(vectors)
    count = min(NEIGHBOURS, len(vectors) - 1)
    indices, distances = neighbours(vectors, count, progress)
    progress(0, 0, "Laying out the map; this part cannot be stopped")
    with _one_fit:
        import warnings

        with warnings.catch_warnings():
            # umap warns that there is no tensorflow, and that a precomputed neighbourhood cannot transform; nor do we
            warnings.simplefilter("ignore")
            from umap import UMAP

            model = UMAP(
                n_neighbors=count, init="pca" if len(vectors) > 30 else "random", n_epochs=EPOCHS, random_state=SEED,
                n_jobs=1, precomputed_knn=(indices, distances, None), force_approximation_algorithm=True,
            )  # fmt: skip
            points = model.fit_transform(vectors)
    return np.asarray(points, np.float32)


def neighbours(
    vectors: Vectors, count: int, progress: Progress = no_progress
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Each vector's ``count`` nearest by Euclidean distance, itself first: indices and distances, shape (n, count)."""
    indices = np.empty((len(vectors), count), np.int32)
    distances = np.empty((len(vectors), count), np.float32)
    for start in range(0, len(vectors), _BLOCK):
        progress(start, len(vectors), "Finding neighbours")
        rows = slice(start, min(start + _BLOCK, len(vectors)))
        cosines = vectors[rows] @ vectors.T
        cosines[np.arange(rows.stop - start), np.arange(start, rows.stop)] = 2.0  # each its own nearest, copies or not
        near = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
        order = np.argsort(-np.take_along_axis(cosines, near, axis=1), axis=1, kind="stable")
        indices[rows] = np.take_along_axis(near, order, axis=1)
        near = np.clip(np.take_along_axis(cosines, indices[rows], axis=1), -1, 1)
        distances[rows] = np.sqrt(np.maximum(0, 2 - 2 * near))
    return indices, distances


def place(question: NDArray[np.float32], vectors: Vectors, points: Points, count: int = 5) -> tuple[float, float]:
    """Where a question lies on a map: the mean of its nearest nodes' places, weighted by cosine to the 8th power.

    An empty map has it at the origin.
    """
    if not len(vectors):
        return 0.0, 0.0
    cosines = vectors @ question
    nearest = np.argsort(-cosines, kind="stable")[:count]
    weights = np.clip(cosines[nearest], 1e-3, None) ** 8
    x, y = np.average(points[nearest], axis=0, weights=weights)
    return float(x), float(y)


def neighbours_kept(vectors: Vectors, points: Points, count: int = 10, sample: int = 300) -> float:
    """The share of a node's nearest in the vectors that are among its nearest on the map: 1 is a faithful picture."""
    size = len(vectors)
    count = min(count, size - 1)
    if count < 1:
        return 1.0
    chosen = np.random.default_rng(SEED).choice(size, min(sample, size), replace=False)
    kept = [len(_nearest(-(vectors @ vectors[i]), i, count) & _nearest(_squares(points, i), i, count)) for i in chosen]
    return float(np.mean(kept)) / count


def _squares(points: Points, row: int) -> NDArray[np.float32]:
    return np.asarray(((points - points[row]) ** 2).sum(axis=1), np.float32)


def _nearest(distances: NDArray[np.float32], row: int, count: int) -> set[int]:
    distances[row] = np.inf
    return set(np.argpartition(distances, count - 1)[:count].tolist())
