"""Every strategy from a file to an index: costs that come true, models asked no more than they must, nothing lost."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import api, chunk
from core import workspace as workspaces
from core.errors import Cancelled, InvalidRequest
from core.powers import ModelPowers
from core.settings import ChunkSettings, SearchSettings, Strategy, Unit
from core.store.duckdb import DuckStore
from core.types import ModelInfo
from core.workspace import Workspace
from tests.core.drops import CancelAt, CountingEncoder, drop, text
from tests.fakes import BagEncoder

PLANT = (
    "# Pumps\n\nThe pump failed in May. The pump was loud. The pump was replaced.\n\n"
    "## Rain\n\nRain fell on roofs. More rain fell on fields. The court ruled on rain.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
)
OTHER = "The court ruled. The court is closed. The pump failed in May."
SEMANTIC = ChunkSettings(40, 0, strategy=Strategy.SEMANTIC, unit=Unit.WORDS, percentile=40)
CHOSEN = [
    ChunkSettings(2, 1),
    ChunkSettings(8, 2, strategy=Strategy.FIXED, unit=Unit.TOKENS),
    ChunkSettings(40, 10, 1, strategy=Strategy.FIXED, unit=Unit.CHARS),
    ChunkSettings(9, 0, strategy=Strategy.RECURSIVE, unit=Unit.WORDS),
    ChunkSettings(12, 0, strategy=Strategy.STRUCTURE, unit=Unit.TOKENS, minimum=4),
    SEMANTIC,
    replace(SEMANTIC, percentile=80, unit=Unit.TOKENS),
    ChunkSettings(10, 0, strategy=Strategy.CODE, unit=Unit.WORDS),
]


@pytest.fixture
def opened(tmp_path, encoder):
    fresh = Workspace(DuckStore(tmp_path / "w.duckdb"), lambda name: encoder)
    yield fresh
    fresh.store.close()


@pytest.mark.parametrize("chosen", CHOSEN, ids=lambda chosen: chosen.name)
def test_an_index_holds_the_nodes_that_the_preview_shows(opened, chosen):
    opened.add([text("plant.md", PLANT), text("other.txt", OTHER)], chosen)
    index = opened.index_of(chosen, "any")
    assert index is not None
    for info in opened.documents():
        held = opened.store.embedded(index, info.id)
        passage, nodes = opened.preview(info.id, index.settings, index.model.name)
        assert list(held.nodes) == nodes
        said = [chunk.embedded_text(passage.document, node) for node in nodes]
        np.testing.assert_allclose(held.vectors, BagEncoder().encode(said), atol=1e-6)
        for node in nodes:
            there = opened.node(info.id, node.ordinal, 1, index.id)
            assert there.node == node
            assert there.window.start <= node.start < node.end <= there.window.end
    hits = opened.search("rain on roofs", SearchSettings(k=3, window=0), index=index.id).hits
    assert all(hit.window_text == hit.text for hit in hits)
    assert "rain" in hits[0].text.casefold()


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(CHOSEN), min_size=1, max_size=4))
def test_a_build_of_any_strategy_embeds_what_its_cost_said(opened, encoder, order):
    opened.reset()
    drop(opened, text("plant.md", PLANT), text("other.txt", OTHER))
    for chosen in order:
        opened.compare_sentences([info.id for info in opened.documents()], chosen)
        encoder.asked.clear()
        cost = opened.cost(chosen)
        assert (encoder.asked, cost.uncompared) == ([], 0)
        report = opened.build(chosen)
        assert (report.embedded, report.nodes) == (cost.new, cost.nodes)
        assert len(encoder.asked) == report.embedded
        assert opened.cost(chosen).documents == 0


def test_two_settings_that_differ_in_anything_are_two_indexes(opened):
    drop(opened, text("plant.md", PLANT))
    names = {opened.build(chosen).index.name for chosen in CHOSEN}
    assert len(names) == len(CHOSEN)
    for chosen in CHOSEN:
        assert opened.build(chosen).nodes == 0


# ── sentences that are compared ──────────────────────────────────────────────────────────────────


def test_sentences_that_an_index_holds_are_not_embedded_to_compare_them(opened, encoder):
    drop(opened, text("other.txt", OTHER))
    encoder.asked.clear()
    (info,) = opened.documents()
    assert opened.uncompared(info.id, SEMANTIC) == 0
    opened.preview(info.id, SEMANTIC)
    assert encoder.asked == []


def test_sentences_are_compared_once_whatever_is_set_after(opened, encoder, tmp_path):
    opened.add([text("plant.md", PLANT)], ChunkSettings(10))
    (info,) = opened.documents()
    encoder.asked.clear()
    count = opened.uncompared(info.id, SEMANTIC)
    assert count == 8, "headings and sentences, but not the table"
    assert opened.cost(SEMANTIC) == workspaces.Cost(1, 0, 0, 8)
    opened.compare_sentences([info.id], SEMANTIC)
    assert len(encoder.asked) == count
    for percentile in (5, 50):
        opened.preview(info.id, replace(SEMANTIC, percentile=percentile))
    again = Workspace(DuckStore(tmp_path / "w.duckdb"), lambda name: encoder)
    assert again.uncompared(info.id, SEMANTIC) == 0
    assert len(encoder.asked) == count


def test_another_model_compares_anew(tmp_path):
    models = {name: CountingEncoder(inner=BagEncoder(ModelInfo(name, name, 16, 256))) for name in ("a", "b")}
    both = Workspace(DuckStore(tmp_path / "two.duckdb"), models.__getitem__)
    both.add([text("other.txt", OTHER)], ChunkSettings(3), "a")
    (info,) = both.documents()
    both.compare_sentences([info.id], SEMANTIC, "a")
    assert (both.uncompared(info.id, SEMANTIC, "a"), both.uncompared(info.id, SEMANTIC, "b")) == (0, 3)
    both.store.close()


def test_a_model_that_has_changed_compares_anew_however_long_its_name(tmp_path):
    path = "/models/" + "folder/" * 20
    encoders = [CountingEncoder(inner=BagEncoder(ModelInfo(path, revision, 16, 256))) for revision in ("old", "new")]
    store = DuckStore(tmp_path / "w.duckdb")
    texts = ["Rain fell.", "The court ruled."]
    ModelPowers(encoders[0], store).likeness(texts)
    assert [ModelPowers(encoder, store).lacking(texts) for encoder in encoders] == [0, 2]
    store.close()


def test_comparing_can_be_stopped_and_gone_on_with(opened):
    opened.add([text("a.txt", OTHER), text("b.txt", "Rain fell. More rain fell.")], ChunkSettings(10))
    ids = [info.id for info in opened.documents()]
    with pytest.raises(Cancelled):
        opened.compare_sentences(ids, SEMANTIC, progress=CancelAt(1))
    assert [opened.uncompared(doc_id, SEMANTIC) for doc_id in ids] == [0, 2]
    opened.compare_sentences(ids, SEMANTIC)
    assert [opened.uncompared(doc_id, SEMANTIC) for doc_id in ids] == [0, 0]


def test_how_alike_texts_are_is_what_the_model_says(opened, encoder):
    texts = ["Rain fell.", "Rain fell again.", "The court ruled.", "Rain fell."]
    vectors = BagEncoder().encode(texts)
    found = ModelPowers(encoder, opened.store).likeness(texts)
    np.testing.assert_allclose(found, [a @ b for a, b in pairwise(vectors)], atol=1e-6)
    assert ModelPowers(encoder, opened.store).likeness(texts[:1]).shape == (0,)


def test_a_build_compares_and_goes_on_after_being_stopped(opened, encoder):
    opened.add([text("a.txt", OTHER), text("b.txt", "Rain fell. More rain fell.")], ChunkSettings(10))
    with pytest.raises(Cancelled):
        opened.build(SEMANTIC, progress=CancelAt(1))
    report = opened.build(SEMANTIC)
    assert report.index.documents == 2
    assert opened.build(SEMANTIC).nodes == 0


# ── what the viewer fetches ──────────────────────────────────────────────────────────────────────


@pytest.fixture
def served(tmp_path):
    path = tmp_path / "served.duckdb"
    opened = workspaces.open(path, lambda name: BagEncoder())
    opened.add([text("plant.md", PLANT)], ChunkSettings(10), "bag")
    yield opened, TestClient(Starlette(routes=api.routes))
    workspaces.close(path)


@pytest.mark.parametrize("chosen", [chosen for chosen in CHOSEN if chosen.strategy is not Strategy.SEMANTIC])
def test_the_viewer_fetches_nodes_and_tokens_of_any_strategy(served, chosen):
    opened, client = served
    (info,) = opened.documents()
    _, nodes = opened.preview(info.id, chosen, "bag")
    found = client.get(api.nodes_url(opened, info.id, info.version, chosen, "bag")).json()
    assert [tuple(found["nodes"][i : i + 2]) for i in range(0, len(found["nodes"]), 6)] == [
        (node.start, node.end) for node in nodes
    ]
    tokens = client.get(api.tokens_url(opened, info.id, info.version, chosen, "bag")).json()
    assert len(tokens["nodes"]) == len(nodes)
    assert tokens["tokenizer"] == "words"


def test_an_address_does_not_compare_sentences(served):
    opened, client = served
    (info,) = opened.documents()
    for url in (api.nodes_url, api.tokens_url, api.curve_url):
        refused = client.get(url(opened, info.id, info.version, SEMANTIC, "bag"))
        assert refused.status_code == 422
        assert "not been compared" in refused.json()["error"]
    with pytest.raises(InvalidRequest, match="not been compared"):
        api.preview(opened, info.id, SEMANTIC, "bag")
    opened.compare_sentences([info.id], SEMANTIC, "bag")
    curve = client.get(api.curve_url(opened, info.id, info.version, SEMANTIC, "bag")).json()
    found = opened.likeness(info.id, SEMANTIC, "bag")
    assert len(curve["similarities"]) == info.sentences - 1
    known = [value for value in curve["similarities"] if value is not None]
    assert known == pytest.approx(found.similarities[np.isfinite(found.similarities)].tolist(), abs=1e-4)
    assert None in curve["similarities"], "a table is not compared"
    assert curve["breaks"] == list(found.breaks)
    assert client.get(api.nodes_url(opened, info.id, info.version, SEMANTIC, "bag")).status_code == 200
    assert client.get(api.curve_url(opened, info.id, info.version, ChunkSettings(), "bag")).status_code == 422


def test_tokens_of_settings_are_those_of_the_model_that_is_named(served):
    opened, _ = served
    (info,) = opened.documents()
    chosen = ChunkSettings(8, 2, strategy=Strategy.FIXED, unit=Unit.TOKENS)
    counted, tokenizer, most = api.counted(opened, info.id, chosen, "bag")
    passage, nodes = api.preview(opened, info.id, chosen, "bag")
    body = passage.document.text
    assert counted.own == BagEncoder().count_tokens([body[node.start : node.end] for node in nodes])
    assert (tokenizer, most) == ("words", 256)
    assert max(counted.own) - counted.special <= 8
