"""Indexes of one model share their vectors, and a build does what its cost said."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import embed, indexing
from core.errors import Cancelled, ModelMismatch
from core.filters import EVERYTHING
from core.settings import ChunkSettings, ReadSettings
from core.store.duckdb import DuckStore
from core.types import ModelInfo, no_progress
from core.workspace import Workspace
from tests.core import drops
from tests.core.drops import CancelAt, CountingEncoder, drop, text
from tests.fakes import BagEncoder

REPEATED = "Yes. No. Yes. No. The pump failed. It was replaced. Yes."
SETTINGS = [ChunkSettings(size, overlap, around) for size, overlap, around in
            [(1, 0, 0), (2, 0, 0), (2, 1, 0), (3, 1, 0), (1, 0, 1), (10, 0, 0), (10, 9, 2)]]  # fmt: skip


@pytest.fixture
def encoder():
    return CountingEncoder()


@pytest.fixture
def counted(tmp_path, encoder):
    fresh = Workspace(DuckStore(tmp_path / "counted.duckdb"), lambda name: encoder)
    yield fresh
    fresh.store.close()


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(SETTINGS), min_size=1, max_size=5))
def test_a_build_embeds_exactly_what_its_cost_said_and_nothing_twice(counted, encoder, order):
    counted.reset()
    encoder.asked.clear()
    drop(counted, text("a.txt", REPEATED), text("b.txt", "Yes. Never. The pump failed."))
    for chosen in order:
        before = len(encoder.asked)
        cost = counted.cost(chosen)
        assert len(encoder.asked) == before
        report = counted.build(chosen)
        assert report.embedded == cost.new == len(encoder.asked) - before
        assert report.nodes == cost.nodes
        assert report.refused == 0
        assert report.index.documents == 2
        assert (counted.cost(chosen).documents, counted.cost(chosen).nodes, counted.cost(chosen).new) == (0, 0, 0)
    assert len(encoder.asked) == len(set(encoder.asked))


def test_an_index_built_again_is_the_same_and_embeds_nothing(counted, encoder):
    drop(counted, text("a.txt", REPEATED))
    first = counted.build(ChunkSettings(2))
    again = counted.build(ChunkSettings(2))
    assert (again.nodes, again.embedded) == (0, 0)
    assert again.index == first.index


def test_shared_vectors_are_those_the_model_gives(counted):
    drop(counted, text("a.txt", REPEATED))
    report = counted.build(ChunkSettings(3, 2))
    expected = BagEncoder().encode(drops.node_texts(counted, report.index.id))
    np.testing.assert_allclose(counted.store.vectors(report.index), expected, atol=1e-6)


def test_indexes_of_another_model_share_nothing(tmp_path):
    models = {
        name: CountingEncoder(inner=BagEncoder(ModelInfo(name, name, dim, 256))) for name, dim in (("a", 8), ("b", 16))
    }
    both = Workspace(DuckStore(tmp_path / "two.duckdb"), models.__getitem__)
    both.add([text("a.txt", REPEATED)], ChunkSettings(), "a")
    assert both.cost(ChunkSettings(), "b").new == 4
    assert both.build(ChunkSettings(), "b").embedded == len(models["b"].asked) == 4
    assert [index.model.dim for index in both.indexes()] == [8, 16]
    assert len({index.name for index in both.indexes()}) == 2
    both.store.close()


def test_dropping_an_index_keeps_documents_and_the_other_indexes(counted):
    drop(counted, text("a.txt", REPEATED))
    other = counted.build(ChunkSettings(2)).index
    counted.drop_index(counted.index("sentence").id)
    assert [index.id for index in counted.indexes()] == [other.id]
    assert [info.name for info in counted.documents()] == ["a.txt"]
    assert counted.build(ChunkSettings()).embedded == 3  # the other index ends with the lone "Yes."


def test_a_cancelled_build_keeps_what_was_stored_and_can_go_on(counted, encoder, monkeypatch):
    monkeypatch.setattr(indexing, "POOL", 1)
    drop(counted, *(text(f"{n}.txt", f"A of {n}. B of {n}. C of {n}.") for n in range(4)))
    with pytest.raises(Cancelled):
        counted.build(ChunkSettings(2), progress=CancelAt(2))
    half = counted.index("2-sentences")
    assert half.documents == 2
    assert counted.cost(ChunkSettings(2)).documents == 2
    assert counted.build(ChunkSettings(2)).index.nodes == 8


def test_progress_runs_to_the_whole_and_never_back(counted, monkeypatch):
    monkeypatch.setattr(indexing, "POOL", 4)
    monkeypatch.setattr(embed, "BATCH", 2)
    reports: list[tuple[float, float]] = []
    uploads = [text(f"{n}.txt", f"A of {n}. B of {n}. C of {n}.") for n in range(5)]
    counted.add(uploads, ChunkSettings(), progress=lambda done, total, message: reports.append((done, total)))
    assert len(reports) > 10
    assert all(0 <= done <= total == 5 for done, total in reports)
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)


def test_text_is_embedded_in_batches_of_like_length_and_comes_back_in_order(encoder):
    texts = [("word " * n).strip() for n in range(1, 100)] + ["Ünïcode 👩‍🔧", "short"]
    vectors = embed.encode_all(encoder, texts, no_progress)
    np.testing.assert_array_equal(vectors, BagEncoder().encode(texts))
    lengths = [len(asked) for asked in encoder.asked]
    assert lengths == sorted(lengths, reverse=True)


def test_a_node_whose_vector_cannot_be_compared_is_refused_counted_and_named(tmp_path):
    class Flawed(BagEncoder):
        def encode(self, texts):
            vectors = super().encode(texts)
            for row, asked in enumerate(texts):
                if "zero" in asked:
                    vectors[row] = 0
                if "nan" in asked:
                    vectors[row] = np.nan
            return vectors

    flawed = Workspace(DuckStore(tmp_path / "f.duckdb"), lambda name: Flawed())
    result = drop(flawed, text("a.txt", "Fine. A zero here. A nan there. Good."))["a.txt"]
    assert result.nodes == 2
    assert "2 nodes were not indexed" in result.reason
    assert drops.node_texts(flawed) == ["Fine.", "Good."]
    assert flawed.store.count(flawed.index(), EVERYTHING) == (2, 2)
    flawed.store.close()


def test_vectors_of_a_changed_model_do_not_enter_an_older_index(tmp_path):
    """An index goes on only with the model it was built with."""
    now = ["bag-1"]
    workspace = Workspace(DuckStore(tmp_path / "w.duckdb"), lambda name: BagEncoder(ModelInfo("bag", now[0], 32, 256)))
    drop(workspace, text("a.txt", "One. Two."))
    info = workspace.document("a.txt")
    now[0] = "bag-2"
    with pytest.raises(ModelMismatch):
        workspace.reread(info.id, ReadSettings(language="de"))
    assert workspace.document("a.txt").reading.settings == ReadSettings()
    workspace.store.close()
