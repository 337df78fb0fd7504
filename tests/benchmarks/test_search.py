"""Exact filtered search beside a numpy matrix product over the same vectors, in the same run.

    pytest tests/benchmarks --benchmark-only --benchmark-group-by=group

Read the ratio of the two rows of a group. Filters are on documents (50 nodes each), as in the app.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from core.filters import EVERYTHING, Condition, Filter, Op
from core.settings import ChunkSettings
from core.store.base import EmbeddedNodes, Passage, Record
from core.store.duckdb import DuckStore
from core.types import Block, BlockKind, Document, Index, ModelInfo, Node, Sentence, Span

DIM, PER_DOCUMENT, K = 384, 50, 5
SHARES = {"100 %": EVERYTHING, "10 %": Condition("rank", Op.LT, 100), "1 %": Condition("rank", Op.LT, 10)}


@dataclass(frozen=True)
class Corpus:
    store: DuckStore
    index: Index
    vectors: np.ndarray
    ranks: np.ndarray
    question: np.ndarray


def _clustered(rng: np.random.Generator, count: int) -> np.ndarray:
    centres = rng.standard_normal((200, DIM)).astype(np.float32)
    vectors = centres[rng.integers(0, 200, count)] + 1.2 * rng.standard_normal((count, DIM)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _document(number: int, rank: int) -> tuple[Record, list[Node]]:
    text = " ".join(f"Sentence {i} of {number}." for i in range(PER_DOCUMENT))
    ends = [position + 1 for position, character in enumerate(text) if character == "."]
    starts = [0, *(end + 1 for end in ends[:-1])]
    sentences = tuple(Sentence(s, e, 0) for s, e in zip(starts, ends, strict=True))
    block = Block(BlockKind.PARAGRAPH, 0, len(text))
    document = Document(f"{number:015x}", "r", f"{number}.txt", "text/plain", text, (block,))
    nodes = [Node(i, s.start, s.end, i, i, Span(s.start, s.end)) for i, s in enumerate(sentences)]
    return Record(Passage(document, sentences), b"", None, {"rank": rank}), nodes


def _corpus(path: Path, count: int) -> Corpus:
    from core.filters import FieldType
    from core.types import FieldSpec

    rng = np.random.default_rng(7)
    vectors = _clustered(rng, count)
    documents = count // PER_DOCUMENT
    ranks = rng.permutation(documents) * 1000 // documents
    store = DuckStore(path)
    store.add_fields([FieldSpec("rank", FieldType.INTEGER)])
    index = store.create_index(ChunkSettings(), ModelInfo("bench", "0", DIM, 256))
    for number in range(documents):
        record, nodes = _document(number, int(ranks[number]))
        rows = vectors[number * PER_DOCUMENT : (number + 1) * PER_DOCUMENT]
        hashes = [f"{number}-{i}".encode().ljust(16) for i in range(PER_DOCUMENT)]
        store.put(record, index, EmbeddedNodes(nodes, hashes, [5] * PER_DOCUMENT, rows))
    return Corpus(store, store.indexes()[0], vectors, np.repeat(ranks, PER_DOCUMENT), _clustered(rng, 1)[0])


@pytest.fixture(scope="module", params=[10_000, 100_000])
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    made = _corpus(tmp_path_factory.mktemp("bench") / "w.duckdb", request.param)
    yield made
    made.store.close()


def _numpy(corpus: Corpus, below: int) -> list[int]:
    if below >= 1000:
        scores = corpus.vectors @ corpus.question
        return np.argpartition(-scores, K)[:K].tolist()
    inside = np.flatnonzero(corpus.ranks < below)
    scores = corpus.vectors[inside] @ corpus.question
    return inside[np.argpartition(-scores, K)[:K]].tolist()


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("engine", ["duckdb", "numpy"])
def test_search(benchmark, corpus: Corpus, share: str, engine: str) -> None:
    benchmark.group = f"{len(corpus.vectors):,} nodes, {share}"
    below = {"100 %": 1000, "10 %": 100, "1 %": 10}[share]
    where: Filter = SHARES[share]
    if engine == "numpy":
        benchmark(_numpy, corpus, below)
        return
    outcome = benchmark(corpus.store.search, corpus.index, corpus.question, where, K, None)
    ours = {int(f.doc_id, 16) * PER_DOCUMENT + f.node.ordinal for f in outcome.found}
    assert ours == set(_numpy(corpus, below))
