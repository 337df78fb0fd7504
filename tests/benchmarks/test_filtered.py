"""Exact filtered search against other engines that run in the process: the same vectors, filters and k, in one run.

    pytest tests/benchmarks/test_filtered.py -o addopts= --benchmark-group-by=group

None of them is a dependency of ours: those that are installed are measured. Chroma and Qdrant's local mode are asked as
their users ask them; Chroma's answer is approximate. ``CHUNKSCOPE_BENCH_NODES=1000000`` measures another size.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from core.filters import EVERYTHING, Condition, Filter, Op
from tests.benchmarks.test_search import DIM, PER_DOCUMENT, Corpus, K, _corpus

SHARES: dict[str, int] = {"100 %": 1000, "10 %": 100, "1 %": 10, "0.1 %": 1}
"""Nodes pass whose rank, from 0 to 999, is below."""

Ask = Callable[[int], list[int]]


@pytest.fixture(
    scope="module", params=[int(n) for n in os.environ.get("CHUNKSCOPE_BENCH_NODES", "10000,100000").split(",")]
)
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    made = _corpus(tmp_path_factory.mktemp("filtered") / "w.duckdb", request.param)
    yield made
    made.store.close()


def where(below: int) -> Filter:
    return EVERYTHING if below >= 1000 else Condition("rank", Op.LT, below)


def duckdb(corpus: Corpus) -> Ask:
    def ask(below: int) -> list[int]:
        found = corpus.store.search(corpus.index, corpus.question, where(below), K, None).found
        return [int(item.doc_id, 16) * PER_DOCUMENT + item.node.ordinal for item in found]

    return ask


def numpy(corpus: Corpus) -> Ask:
    def ask(below: int) -> list[int]:
        places = np.arange(len(corpus.ranks)) if below >= 1000 else np.flatnonzero(corpus.ranks < below)
        scores = (corpus.vectors if below >= 1000 else corpus.vectors[places]) @ corpus.question
        best = np.argpartition(-scores, K)[:K]
        return places[best[np.argsort(-scores[best])]].tolist()

    return ask


def faiss(corpus: Corpus) -> Ask:
    engine = pytest.importorskip("faiss")
    index = engine.IndexFlatIP(DIM)
    index.add(corpus.vectors)

    def ask(below: int) -> list[int]:
        if below >= 1000:
            return index.search(corpus.question[None], K)[1][0].tolist()
        chosen = engine.IDSelectorBatch(np.flatnonzero(corpus.ranks < below).astype(np.int64))
        return index.search(corpus.question[None], K, params=engine.SearchParameters(sel=chosen))[1][0].tolist()

    return ask


def lancedb(corpus: Corpus) -> Ask:
    engine = pytest.importorskip("lancedb")
    import tempfile

    import pyarrow as pa

    vectors = pa.FixedSizeListArray.from_arrays(pa.array(corpus.vectors.ravel()), DIM)
    rows = {"vector": vectors, "id": pa.array(np.arange(len(corpus.ranks))), "rank": pa.array(corpus.ranks)}
    table = engine.connect(tempfile.mkdtemp()).create_table("t", pa.table(rows))

    def ask(below: int) -> list[int]:
        query = table.search(corpus.question).distance_type("dot").limit(K).select(["id"])
        query = query if below >= 1000 else query.where(f"rank < {below}", prefilter=True)
        return query.to_arrow().column("id").to_pylist()

    return ask


def sqlite_vec(corpus: Corpus) -> Ask:
    engine = pytest.importorskip("sqlite_vec")
    import sqlite3

    connection = sqlite3.connect(":memory:")
    if not hasattr(connection, "enable_load_extension"):
        pytest.skip("this Python's sqlite3 loads no extensions")
    connection.enable_load_extension(True)
    engine.load(connection)
    connection.execute(
        f"CREATE VIRTUAL TABLE t USING vec0(embedding float[{DIM}] distance_metric=cosine, rank integer)"
    )
    rows = (
        (n, row.tobytes(), int(rank)) for n, (row, rank) in enumerate(zip(corpus.vectors, corpus.ranks, strict=True))
    )
    connection.executemany("INSERT INTO t(rowid, embedding, rank) VALUES (?, ?, ?)", rows)

    def ask(below: int) -> list[int]:
        and_ = "" if below >= 1000 else f" AND rank < {below}"
        sql = f"SELECT rowid FROM t WHERE embedding MATCH ? AND k = {K}{and_} ORDER BY distance"
        return [row for (row,) in connection.execute(sql, [corpus.question.tobytes()])]

    return ask


def chroma(corpus: Corpus) -> Ask:
    engine = pytest.importorskip("chromadb")
    client = engine.EphemeralClient(engine.config.Settings(anonymized_telemetry=False))
    table = client.create_collection(f"t{len(corpus.ranks)}", metadata={"hnsw:space": "ip"})
    for at in range(0, len(corpus.ranks), 5000):
        part = slice(at, at + 5000)
        table.add(
            ids=[str(n) for n in range(at, min(at + 5000, len(corpus.ranks)))],
            embeddings=corpus.vectors[part],
            metadatas=[{"rank": int(rank)} for rank in corpus.ranks[part]],
        )

    def ask(below: int) -> list[int]:
        chosen = {} if below >= 1000 else {"where": {"rank": {"$lt": below}}}
        found = table.query(query_embeddings=[corpus.question], n_results=K, include=[], **chosen)
        return [int(name) for name in found["ids"][0]]

    return ask


def qdrant(corpus: Corpus) -> Ask:
    engine = pytest.importorskip("qdrant_client")
    models = engine.models
    client = engine.QdrantClient(":memory:")
    warnings.filterwarnings("ignore", message="Local mode is not recommended")
    client.create_collection("t", models.VectorParams(size=DIM, distance=models.Distance.DOT))
    for at in range(0, len(corpus.ranks), 10_000):
        part = range(at, min(at + 10_000, len(corpus.ranks)))
        payloads = [{"rank": int(corpus.ranks[n])} for n in part]
        batch = models.Batch(ids=list(part), vectors=corpus.vectors[part.start : part.stop].tolist(), payloads=payloads)
        client.upsert("t", batch)

    def ask(below: int) -> list[int]:
        chosen = models.Filter(must=[models.FieldCondition(key="rank", range=models.Range(lt=below))])
        found = client.query_points(
            "t", corpus.question.tolist(), query_filter=None if below >= 1000 else chosen, limit=K
        )
        return [point.id for point in found.points]

    return ask


ENGINES = {made.__name__: made for made in (duckdb, numpy, faiss, lancedb, sqlite_vec, chroma, qdrant)}
APPROXIMATE = {"chroma"}


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest, corpus: Corpus) -> tuple[str, Ask]:
    return request.param, ENGINES[request.param](corpus)


@pytest.mark.parametrize("share", SHARES)
def test_filtered(benchmark, corpus: Corpus, engine: tuple[str, Ask], share: str) -> None:
    name, ask = engine
    benchmark.group = f"{len(corpus.ranks):,} nodes, {share}"
    found = benchmark.pedantic(ask, (SHARES[share],), rounds=15, warmup_rounds=2)
    if name not in APPROXIMATE:
        assert sorted(found) == sorted(numpy(corpus)(SHARES[share]))
