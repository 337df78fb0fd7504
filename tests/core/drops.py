"""Files to drop, and an encoder that tells what it was asked to embed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.errors import Cancelled
from core.filters import EVERYTHING
from core.ingest import FileResult, Status, Upload
from core.settings import ChunkSettings
from core.types import ModelInfo, Vectors
from core.workspace import Workspace
from tests.fakes import BagEncoder

SENTENCE = ChunkSettings()


@dataclass(frozen=True)
class CountingEncoder:
    """The tiny encoder, with every text it embedded."""

    asked: list[str] = field(default_factory=list)
    inner: BagEncoder = field(default_factory=BagEncoder)

    @property
    def info(self) -> ModelInfo:
        return self.inner.info

    @property
    def tokenizer_name(self) -> str:
        return self.inner.tokenizer_name

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked.extend(texts)
        return self.inner.encode(texts)

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        self.asked.extend(texts)
        return self.inner.encode_query(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self.inner.count_tokens(texts)

    def count_unknown(self, texts: Sequence[str]) -> list[int]:
        return self.inner.count_unknown(texts)

    def token_spans(self, text: str) -> NDArray[np.int64]:
        return self.inner.token_spans(text)


@dataclass
class CancelAt:
    """A ``Progress`` that stops the work at its n-th report."""

    n: int
    reports: int = 0

    def __call__(self, done: float, total: float, message: str) -> None:
        self.reports += 1
        if self.reports > self.n:
            raise Cancelled("Stopped.")


def text(name: str, content: str) -> Upload:
    return Upload(name, content.encode())


def sidecar(name: str, **metadata: object) -> Upload:
    return Upload(f"{name}.meta.json", json.dumps(metadata).encode())


def drop(workspace: Workspace, *uploads: Upload, settings: ChunkSettings = SENTENCE) -> dict[str, FileResult]:
    """Results by file name."""
    return {result.name: result for result in workspace.add(uploads, settings)}


def statuses(workspace: Workspace, *uploads: Upload) -> list[tuple[str, Status]]:
    return [(result.name, result.status) for result in workspace.add(uploads, SENTENCE)]


def listed(workspace: Workspace) -> dict[str, tuple[str, ...]]:
    """Every document's name with its aliases."""
    return {info.name: info.aliases for info in workspace.documents()}


def node_texts(workspace: Workspace, index: str | None = None) -> list[str]:
    """What the nodes of an index say, sliced from the documents as they are now."""
    chosen = workspace.index(index)
    found = []
    by_id = {info.id: workspace.preview(info.id, chosen.settings) for info in workspace.documents()}
    keys = workspace.store.keys(chosen, EVERYTHING)
    for doc_id, ordinal in zip(keys.doc_ids, keys.ordinals, strict=True):
        passage, nodes = by_id[doc_id]
        found.append(passage.document.text[nodes[ordinal].start : nodes[ordinal].end])
    return found


def assert_whole(workspace: Workspace) -> None:
    """Every document has exactly its nodes in the first index, and no node is without its document."""
    chosen = workspace.index()
    expected = [
        (info.id, node.ordinal)
        for info in workspace.documents()
        for node in workspace.preview(info.id, chosen.settings)[1]
    ]
    keys = workspace.store.keys(chosen, EVERYTHING)
    assert sorted(zip(keys.doc_ids, keys.ordinals.tolist(), strict=True)) == sorted(expected)
    assert dict(workspace.store.indexed(chosen)) == {info.id: info.revision for info in workspace.documents()}
