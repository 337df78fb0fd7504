"""What an ingest costs besides the embedding: reading, splitting, chunking and storing 20 MB of text.

The share of a real ingest is told from the model's rate, measured in the same run on the same texts.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from core import embed
from core.ingest import Status, Upload
from core.read.isolated import IsolatedReader
from core.settings import ChunkSettings
from core.store.duckdb import DuckStore
from core.types import ModelInfo, Vectors
from core.workspace import Workspace

SAMPLE = Path(__file__).parent.parent.parent / "assets" / "sample" / "docs"
MEGABYTES = 20


class NullEncoder:
    """Vectors of no meaning at no cost."""

    info = ModelInfo("null", "null-1", 384, 256)
    tokenizer_name = "none"

    def encode(self, texts: Sequence[str]) -> Vectors:
        return np.ones((len(texts), 384), np.float32)

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        return self.encode(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return embed.encoder().count_tokens(texts)

    def count_unknown(self, texts: Sequence[str]) -> list[int]:
        return embed.encoder().count_unknown(texts)

    def token_spans(self, text: str) -> NDArray[np.int64]:
        return embed.encoder().token_spans(text)


def documents(megabytes: int) -> list[Upload]:
    """Markdown of the sample's paragraphs in new orders, every sentence of its own by a number in it."""
    random, count = Random(7), 0
    paragraphs = [p for path in sorted(SAMPLE.glob("*.md")) for p in path.read_text(encoding="utf-8").split("\n\n")]
    made: list[Upload] = []
    for number in range(megabytes * 4):
        parts: list[str] = []
        while sum(map(len, parts)) < 250_000:
            count += 1
            parts.append(random.choice(paragraphs).replace(". ", f" in case {count}. "))
        made.append(Upload(f"document-{number}.md", "\n\n".join(parts).encode()))
    return made


def test_reading_splitting_chunking_and_storing(benchmark, tmp_path: Path) -> None:
    """20 MB with an encoder that does nothing: MB/s, memory, and the share it would be of a real ingest."""
    uploads = documents(MEGABYTES)
    size = sum(len(upload.data) for upload in uploads) / 1e6
    reader = IsolatedReader()
    workspace = Workspace(DuckStore(tmp_path / "w.duckdb"), lambda name: NullEncoder(), reader=reader.read)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds: list[float] = []

    def ingest() -> int:
        start = time.perf_counter()
        results = workspace.add(uploads, ChunkSettings(), "null")
        seconds.append(time.perf_counter() - start)
        assert all(result.status is Status.ADDED for result in results)
        return sum(result.nodes for result in results)

    nodes = benchmark.pedantic(ingest, rounds=1)
    reader.close()
    texts = [text for text in uploads[0].data.decode().split(". ") if text.strip()][:400]
    embed.encode_all(embed.encoder(), texts[:16], lambda *_: None)
    embed.encode_all(embed.encoder(), texts, lambda *_: None)
    real = nodes / embed.texts_per_second()
    benchmark.extra_info.update(
        {
            "MB/s": round(size / seconds[0], 2),
            "nodes": nodes,
            "grown by MB": round((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000),
            "embedding at texts/s": round(embed.texts_per_second()),
            "share of a real ingest, %": round(100 * seconds[0] / (seconds[0] + real), 1),
        }
    )
    print(benchmark.extra_info)


@pytest.mark.parametrize("megabytes", [5])
def test_reading_alone(benchmark, megabytes: int) -> None:
    """The other process: bytes in, text and blocks back."""
    uploads = documents(megabytes)
    reader = IsolatedReader()
    reader.read("warm.md", b"# Warm")
    benchmark.pedantic(lambda: [reader.read(u.name, u.data) for u in uploads], rounds=2)
    reader.close()
