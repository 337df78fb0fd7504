"""Maps are deterministic, never raise for few vectors, and say how far to trust them."""

from __future__ import annotations

from threading import Thread

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from core import project
from core.errors import Cancelled


def unit(count: int, dim: int = 24, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(count, dim)) * np.linspace(3, 0.3, dim)
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@given(st.integers(3, 40), st.integers(2, 24), st.integers(0, 1000))
def test_pca_is_the_svd_up_to_sign(count, dim, seed):
    vectors = np.random.default_rng(seed).normal(size=(count, dim)) * (2.0 ** -np.arange(dim))
    vectors = vectors.astype(np.float32)
    centred = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    if sizes[0] - sizes[1] < 0.1 * sizes[0] or (len(sizes) > 2 and sizes[1] - sizes[2] < 0.1 * sizes[1]):
        reject()  # nearly equal axes may turn into one another
    expected = left[:, :2] * sizes[:2]
    np.testing.assert_allclose(np.abs(project.pca(vectors)), np.abs(expected), atol=2e-3 * sizes[0])


def test_pca_of_the_same_vectors_is_the_same_whatever_their_order():
    vectors = unit(50)
    order = np.random.default_rng(1).permutation(50)
    points = project.pca(vectors)
    np.testing.assert_array_equal(points, project.pca(vectors))
    np.testing.assert_allclose(project.pca(vectors[order]), points[order], atol=1e-4)
    assert points.dtype == np.float32


def test_umap_of_the_same_vectors_is_the_same_and_keeps_neighbours_better_than_chance():
    vectors = unit(60)
    first = project.umap(vectors)
    np.testing.assert_array_equal(first, project.umap(vectors))
    assert first.shape == (60, 2)
    assert np.isfinite(first).all()
    shuffled = np.random.default_rng(0).permutation(first)
    assert project.neighbours_kept(vectors, first) > project.neighbours_kept(vectors, shuffled) + 0.2


@pytest.mark.parametrize("count", range(7))
def test_few_vectors_get_a_picture_too(count):
    for made in (project.pca, project.umap):
        points = made(unit(count).reshape(count, 24))
        assert points.shape == (count, 2)
        assert np.isfinite(points).all()
        assert 0 <= project.neighbours_kept(unit(count).reshape(count, 24), points) <= 1


def test_vectors_that_are_all_the_same_get_a_picture():
    same = np.repeat(unit(1), 20, axis=0)
    for made in (project.pca, project.umap):
        assert np.isfinite(made(same)).all()


def test_two_layouts_at_once_give_what_each_gives_alone():
    inputs = [unit(30, seed=1), unit(30, seed=2)]
    alone = [project.umap(vectors) for vectors in inputs]
    made: dict[int, np.ndarray] = {}
    threads = [Thread(target=lambda n=n: made.update({n: project.umap(inputs[n])})) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for n in range(2):
        np.testing.assert_array_equal(made[n], alone[n])


def test_a_layout_can_be_stopped_before_the_fit():
    def stop(done: float, total: float, message: str) -> None:
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        project.umap(unit(30), stop)


@settings(max_examples=30)
@given(st.integers(2, 40), st.integers(1, 20), st.integers(0, 100))
def test_neighbours_are_the_nearest_by_distance_and_each_its_own_first(count, wanted, seed):
    vectors = unit(count, seed=seed)
    wanted = min(wanted, count)
    indices, distances = project.neighbours(vectors, wanted)
    exact = np.linalg.norm(vectors[:, None].astype(float) - vectors[None].astype(float), axis=2)
    assert (indices[:, 0] == np.arange(count)).all()
    np.testing.assert_allclose(distances, np.sort(exact, axis=1)[:, :wanted], atol=2e-3)


def test_a_vector_that_has_copies_is_its_own_first_neighbour():
    vectors = np.repeat(unit(4), 5, axis=0)
    indices, distances = project.neighbours(vectors, 5)
    assert (indices[:, 0] == np.arange(20)).all()
    assert (np.sort(indices, axis=1) // 5 == np.arange(20)[:, None] // 5).all()
    np.testing.assert_allclose(distances, 0, atol=1e-3)


def test_neighbours_found_in_blocks_are_the_same(monkeypatch):
    vectors = unit(50)
    whole = project.neighbours(vectors, 7)
    monkeypatch.setattr(project, "_BLOCK", 8)
    for a, b in zip(whole, project.neighbours(vectors, 7), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-3)


def test_a_question_lies_among_its_neighbours_and_on_its_equal():
    vectors, points = np.eye(4, dtype=np.float32), np.array([[0, 0], [1, 0], [0, 1], [9, 9]], np.float32)
    assert project.place(vectors[3], vectors, points) == pytest.approx((9, 9), abs=1e-6)
    between = (vectors[0] + vectors[1]) / np.sqrt(2).astype(np.float32)
    assert project.place(between, vectors, points, count=2) == pytest.approx((0.5, 0))


def test_a_picture_with_every_distance_right_keeps_every_neighbour():
    points = np.random.default_rng(0).uniform(-0.1, 0.1, size=(40, 2)).astype(np.float32)
    lifted = np.column_stack([points, np.sqrt(1 - (points**2).sum(axis=1))]).astype(np.float32)
    assert project.neighbours_kept(lifted, points) > 0.95


@settings(max_examples=30)
@given(st.integers(0, 30), st.integers(1, 12), st.integers(1, 30), st.integers(0, 100))
def test_the_share_of_neighbours_kept_is_a_share(count, wanted, sample, seed):
    points = np.random.default_rng(seed).normal(size=(count, 2)).astype(np.float32)
    assert 0 <= project.neighbours_kept(unit(count, seed=seed).reshape(count, 24), points, wanted, sample) <= 1
