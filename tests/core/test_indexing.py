"""Indexes of one model share their vectors, and a build does what its cost said."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import embed, indexing, read, split
from core.context.endpoint import OpenAIWriter
from core.context.written import Estimate
from core.errors import AppError, Cancelled, ModelMismatch
from core.filters import EVERYTHING
from core.indexing import Indexed, Indexer, Waiting
from core.settings import ChunkSettings, ContextSettings, ReadSettings
from core.store.base import Passage, Record
from core.store.duckdb import DuckStore
from core.types import ModelInfo, no_progress
from core.workspace import Workspace
from tests.core import drops
from tests.core.context.served import served
from tests.core.drops import CancelAt, CountingEncoder, drop, text
from tests.fakes import BagEncoder

REPEATED = "Yes. No. Yes. No. The pump failed. It was replaced. Yes."
SETTINGS = [ChunkSettings(size, overlap, around) for size, overlap, around in
            [(1, 0, 0), (2, 0, 0), (2, 1, 0), (3, 1, 0), (1, 0, 1), (10, 0, 0), (10, 9, 2)]]  # fmt: skip


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


# ── the context line ─────────────────────────────────────────────────────────────────────────────

GUIDE = "# Pumps\n\nThey leak. Often.\n\n## Seals\n\nRenew them."
TOLD = ChunkSettings(context=ContextSettings(fields=("year",)))
WRITTEN = ChunkSettings(context=ContextSettings(writer="tiny", prompt="{chunk}", base_url="http://localhost/v1"))


@dataclass
class Answers:
    """A writer that repeats what it was asked, but has nothing to say about some."""

    nothing: str = "\0"
    prompts: list[str] = field(default_factory=list)

    def write(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return "" if self.nothing in prompt else f"On {prompt}"


@pytest.fixture
def store(tmp_path):
    made = DuckStore(tmp_path / "lines.duckdb")
    yield made
    made.close()


def stored(store: DuckStore, content: str, name: str = "guide.md", **metadata: object) -> Waiting:
    """A document in the store that is to go into an index, with what is known about it."""
    document = read.read(name, content.encode())
    passage = Passage(document, tuple(split.sentences(document)))
    store.put(Record(passage, content.encode(), None, {}), None, None)
    return Waiting(passage, metadata=metadata)


def run(
    store: DuckStore, waiting: Waiting, settings: ChunkSettings, encoder: CountingEncoder, **how: object
) -> Indexed:
    """What became of a document in the index of these settings."""
    progress = how.pop("progress", no_progress)
    indexer = Indexer(store, store.create_index(settings, encoder.info), encoder, **how)
    (done,) = indexer.run([waiting], len(waiting.passage.sentences), progress)
    return done


def lines(store: DuckStore, settings: ChunkSettings, encoder: CountingEncoder, doc_id: str) -> list[str]:
    index = store.create_index(settings, encoder.info)
    return [node.context for node in store.embedded(index, doc_id).nodes]


def test_plain_and_contextual_indexes_stand_side_by_side(store, encoder):
    waiting = stored(store, GUIDE, year=2024)
    doc_id = waiting.passage.document.id
    assert run(store, waiting, ChunkSettings(), encoder).embedded == 5
    assert run(store, waiting, TOLD, encoder).embedded == 5
    assert sorted(encoder.asked[5:]) == sorted([
        "year: 2024\n# Pumps", "Pumps › year: 2024\nThey leak.", "Pumps › year: 2024\nOften.",
        "Pumps › year: 2024\n## Seals", "Pumps › Seals › year: 2024\nRenew them.",
    ])  # fmt: skip
    assert lines(store, ChunkSettings(), encoder, doc_id) == [""] * 5
    assert lines(store, TOLD, encoder, doc_id) == [node.context for node in indexing.nodes(waiting, TOLD)]
    plain, told = ([replace(n, context="") for n in indexing.nodes(waiting, s)] for s in (ChunkSettings(), TOLD))
    assert plain == told
    assert len({index.name for index in store.indexes()}) == 2


def test_a_document_that_is_written_with_its_nodes_tells_the_metadata_of_its_record():
    document = read.read("guide.md", GUIDE.encode())
    passage = Passage(document, tuple(split.sentences(document)))
    waiting = Waiting(passage, Record(passage, b"", None, {"year": 1999}), {"year": 2024})
    assert indexing.nodes(waiting, TOLD)[1].context == "Pumps › year: 1999"


def test_written_lines_are_asked_for_once_whatever_is_embedded_around_the_nodes(store, encoder):
    waiting, writer = stored(store, GUIDE), Answers()
    wider = replace(WRITTEN, embed_around=1)
    assert run(store, waiting, WRITTEN, encoder, writer=writer).nodes == 5
    assert "On They leak.\nThey leak." in encoder.asked
    assert len(writer.prompts) == 5
    assert run(store, waiting, wider, encoder).embedded == 5
    assert lines(store, WRITTEN, encoder, waiting.passage.document.id)[1:3] == ["On They leak.", "On Often."]
    assert [n.context for n in indexing.nodes(waiting, wider, store)][1:3] == ["On They leak.", "On Often."]


def test_what_a_build_will_ask_and_embed_is_known_before(store, encoder):
    waiting = stored(store, "Yes. No. Yes. The pump failed.")
    before = indexing.prepare(waiting, WRITTEN, store)
    assert (len(before.lacking), before.settled) == (4, [])
    assert indexing.estimate([waiting], WRITTEN, store).requests == 3
    assert indexing.estimate([waiting], TOLD, store) == Estimate()
    assert run(store, waiting, WRITTEN, encoder, writer=Answers()).embedded == 3
    after = indexing.prepare(waiting, WRITTEN, store)
    assert (list(after.lacking), after.settled) == ([], list(after.hashes))
    assert set(after.texts) == set(encoder.asked)
    assert indexing.estimate([waiting], WRITTEN, store) == Estimate(4, 4)
    assert [node.context for node in indexing.nodes(waiting, WRITTEN)] == [""] * 4


def test_without_a_writer_nothing_is_embedded_and_what_lacks_is_told(store, encoder):
    with pytest.raises(AppError, match="5 context lines are not written"):
        run(store, stored(store, GUIDE), WRITTEN, encoder)
    assert encoder.asked == []


def test_nodes_the_model_said_nothing_about_are_counted(store, encoder):
    waiting = stored(store, GUIDE)
    assert run(store, waiting, WRITTEN, encoder, writer=Answers(nothing="Often")).silent == 1
    assert run(store, waiting, replace(WRITTEN, embed_around=1), encoder).silent == 1
    assert indexing.prepare(waiting, WRITTEN, store).with_lines({}).silent == 1
    assert run(store, waiting, TOLD, encoder).silent == 0
    assert "Often." in encoder.asked


def test_a_build_stopped_while_lines_are_written_goes_on_where_it_was(store, encoder):
    waiting, first, second = stored(store, " ".join(f"Pump {n} runs." for n in range(40))), Answers(), Answers()
    with pytest.raises(Cancelled):
        run(store, waiting, WRITTEN, encoder, writer=first, progress=CancelAt(12))
    kept = indexing.estimate([waiting], WRITTEN, store).cached
    assert kept > 0
    assert encoder.asked == []
    assert run(store, waiting, WRITTEN, encoder, writer=second).nodes == 40
    assert len(second.prompts) == 40 - kept


def test_progress_with_written_lines_runs_to_the_whole_and_never_back(store, encoder, monkeypatch):
    monkeypatch.setattr(indexing, "POOL", 4)
    reports: list[tuple[float, float]] = []
    waiting = [stored(store, f"Pump {n} runs. It is new. It is red.", f"{n}.txt") for n in range(5)]
    indexer = Indexer(store, store.create_index(WRITTEN, encoder.info), encoder, writer=Answers())
    list(indexer.run(waiting, 15, lambda done, total, message: reports.append((done, total))))
    assert all(0 <= done <= total == 15 for done, total in reports)
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)
    assert reports[-1][0] > 10


def test_lines_come_from_an_endpoint_that_speaks_the_protocol(store, encoder):
    pytest.importorskip("openai")
    with served() as endpoint:
        settings = ChunkSettings(context=ContextSettings(writer="tiny", base_url=endpoint.url))
        writer = OpenAIWriter(endpoint.url, "tiny", "key")
        waiting = stored(store, GUIDE)
        assert run(store, waiting, settings, encoder, writer=writer).nodes == 5
        assert all("<chunk>" in prompt and GUIDE in prompt for prompt in endpoint.prompts)
        assert "It is about pumps.\nRenew them." in encoder.asked
        endpoint.faults = [(401, {})] * 9
        with pytest.raises(AppError, match="does not accept the key"):
            run(store, stored(store, "Other.", "b.txt"), settings, encoder, writer=writer)
