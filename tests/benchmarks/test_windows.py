"""From a slider to new windows: what Python does for a document of 1 MB."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core import chunk, payload, read, split
from core.settings import ChunkSettings
from core.store.base import Passage

SAMPLE = Path(__file__).parent.parent.parent / "assets" / "sample" / "docs"


@pytest.fixture(scope="module")
def passage() -> Passage:
    """The sample's prose, repeated to 1 MB: about 9,000 sentences."""
    prose = "\n\n".join(path.read_text(encoding="utf-8") for path in sorted(SAMPLE.glob("*.md")))
    document = read.read("big.md", (prose * (1_000_000 // len(prose) + 1))[:1_000_000].encode())
    return Passage(document, tuple(split.sentences(document)))


@pytest.mark.parametrize("window", [0, 2, 10])
def test_windows_of_every_node(benchmark, passage: Passage, window: int) -> None:
    """The window slider: no node is made anew, every window is."""
    nodes = chunk.nodes(passage, ChunkSettings())
    spans = benchmark(lambda: [chunk.window(node, passage.sentences, window) for node in nodes])
    assert len(spans) == len(passage.sentences)


@pytest.mark.parametrize("settings", [ChunkSettings(), ChunkSettings(5, 4)], ids=lambda s: s.name)
def test_nodes(benchmark, passage: Passage, settings: ChunkSettings) -> None:
    """The node sliders: every node is made anew."""
    nodes = benchmark(chunk.nodes, passage, settings)
    assert nodes[-1].last_sentence == len(passage.sentences) - 1


def test_what_the_viewer_fetches(benchmark, passage: Passage) -> None:
    """Nodes as the JSON the browser gets."""
    nodes = chunk.nodes(passage, ChunkSettings())
    body = benchmark(lambda: json.dumps(payload.viewer_nodes(passage.document, nodes, {})))
    assert len(body) < 1_000_000


def test_splitting(benchmark, passage: Passage) -> None:
    """Sentences of 1 MB, once per document."""
    found = benchmark.pedantic(split.sentences, (passage.document,), rounds=3)
    assert len(found) == len(passage.sentences)
