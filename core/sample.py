"""The sample workspace: our own documents, gold questions and traps, with sentences, vectors and a map made beforehand.

``python -m core.sample`` makes sentences, vectors and map again after the documents have changed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
from numpy.typing import NDArray

from core import chunk, embed, metadata, read, split
from core.filters import FieldType, Filter, from_json
from core.ingest import Upload
from core.read.decode import decoded
from core.settings import ChunkSettings, ReadSettings, SplitSettings
from core.store.base import StoredMap
from core.types import Document, Encoder, FieldSpec, ModelInfo, Progress, Sentence, Vectors

if TYPE_CHECKING:
    from core.workspace import Workspace

FOLDER = Path(__file__).parent.parent / "assets" / "sample"
GOLD = "Sample questions"
SETTINGS = ChunkSettings()
FIELDS = (
    FieldSpec("version", FieldType.STRING, description="The version that the document says it is"),
    FieldSpec("year", FieldType.INTEGER, description="The year it is about"),
    FieldSpec("quarter", FieldType.ENUM, allowed=("Q1", "Q2", "Q3", "Q4"), description="The quarter it is about"),
)
"""What the sample's sidecars say beside the fields of every workspace."""


@dataclass(frozen=True, slots=True)
class Trap:
    """A fault of retrieval planted in the sample, told where it shows."""

    id: str
    title: str
    told_on: tuple[str, ...]
    document: str
    question: str
    filter: Filter
    text: str


class RecordedEncoder:
    """Vectors made beforehand; a text that is not among them goes to the model."""

    def __init__(self, inner: Encoder, recorded: dict[bytes, NDArray[np.float32]]) -> None:
        self._inner = inner
        self._recorded = recorded

    @property
    def info(self) -> ModelInfo:
        return self._inner.info

    @property
    def tokenizer_name(self) -> str:
        return self._inner.tokenizer_name

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of shape (len(texts), dim)."""
        hashes = [embed.text_hash(text) for text in texts]
        unknown = {h: t for h, t in zip(hashes, texts, strict=True) if h not in self._recorded}
        found = dict(zip(unknown, self._inner.encode(list(unknown.values())), strict=True)) if unknown else {}
        return np.array([self._recorded[h] if h in self._recorded else found[h] for h in hashes], np.float32)

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        return self.encode(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._inner.count_tokens(texts)

    def count_unknown(self, texts: Sequence[str]) -> list[int]:
        return self._inner.count_unknown(texts)

    def token_spans(self, text: str) -> NDArray[np.int64]:
        return self._inner.token_spans(text)


def fill(workspace: Workspace) -> None:
    """Put the sample's documents, gold questions and map into a workspace. Neither model nor splitter is loaded."""
    from core.workspace import Workspace

    vectors, sentences = _vectors(), _sentences()

    def splitter(document: Document, settings: SplitSettings) -> list[Sentence]:
        return sentences.get(document.revision) or split.sentences(document, settings)

    known = {spec.name for spec in workspace.fields()}
    workspace.store.add_fields([spec for spec in FIELDS if spec.name not in known])
    recorded = Workspace(workspace.store, lambda name: RecordedEncoder(embed.encoder(name), vectors), splitter, _reader)
    recorded.add(uploads(), SETTINGS)
    workspace.keep_gold(GOLD, workspace.read_gold((FOLDER / "gold.jsonl").read_bytes()))
    index = workspace.index()
    workspace.store.put_map(index, StoredMap("UMAP", index.version, _map()))


def _reader(name: str, data: bytes, settings: ReadSettings, progress: Progress) -> Document:
    """Our own documents are safe to read here, and in English: no model need find that out."""
    document = read.read(name, data, replace(settings, language="en"), progress)
    return replace(document, reading=replace(document.reading, settings=settings))


def remove(workspace: Workspace) -> int:
    """Take the sample's documents and questions out; how many documents. One's own stay."""
    shipped = {
        (u.name, read.revision(decoded(u.data, ReadSettings()).text))
        for u in uploads()
        if not u.name.endswith(metadata.SUFFIX)
    }
    ours = [info for info in workspace.documents() if (info.name, info.revision) in shipped]
    for info in ours:
        workspace.remove(info.id)
    workspace.store.remove_gold(GOLD)
    if not workspace.documents():
        workspace.reset()  # its indexes hold nothing any more
    return len(ours)


def is_in(workspace: Workspace) -> bool:
    """Whether the workspace holds the sample's documents."""
    return any(info.name == _traps()[0].document for info in workspace.documents())


def uploads() -> list[Upload]:
    """The sample's files as if they had been dropped."""
    return [Upload(path.name, path.read_bytes()) for path in sorted((FOLDER / "docs").iterdir())]


def traps(page: str) -> list[Trap]:
    """The traps told on a page (``windows``, ``search``, ``map`` or ``evaluate``)."""
    return [trap for trap in _traps() if page in trap.told_on]


@cache
def _traps() -> tuple[Trap, ...]:
    rows = json.loads((FOLDER / "traps.json").read_text(encoding="utf-8"))
    return tuple(
        Trap(r["id"], r["title"], tuple(r["told_on"]), r["document"], r["question"], from_json(r["filter"]), r["text"])
        for r in rows
    )


def _vectors() -> dict[bytes, NDArray[np.float32]]:
    table = _read("vectors")
    matrix = np.stack(table.column("vector").to_numpy(zero_copy_only=False)).astype(np.float32)
    return dict(zip(table.column("text_hash").to_pylist(), matrix, strict=True))


def _sentences() -> dict[str, list[Sentence]]:
    found: dict[str, list[Sentence]] = {}
    for row in _read("sentences").to_pylist():
        found.setdefault(row["revision"], []).append(Sentence(row["start"], row["end"], row["block"]))
    return found


def _read(name: str) -> pa.Table:
    return parquet.ParquetFile(FOLDER / f"{name}.parquet").read()


def _map() -> NDArray[np.float32]:
    table = _read("map")
    return np.column_stack([table.column("x").to_numpy(), table.column("y").to_numpy()]).astype(np.float32)


def record() -> None:
    """Split and embed the sample's documents and lay out their map; write it all as Parquet."""
    import tempfile

    from core.store.duckdb import DuckStore
    from core.workspace import Workspace

    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(DuckStore(Path(folder) / "sample.duckdb"))
        workspace.add(uploads(), SETTINGS)
        workspace.lay_out()
        index = workspace.index()
        passages = [workspace.store.passage(info.id) for info in workspace.documents()]
        rows = [
            {"revision": p.document.revision, "start": s.start, "end": s.end, "block": s.block}
            for p in passages
            for s in p.sentences
        ]
        parquet.write_table(pa.Table.from_pylist(rows), FOLDER / "sentences.parquet")
        texts = sorted({text for info in workspace.documents() for text in _embedded_texts(workspace, info.id)})
        _write_vectors(texts, embed.encoder().encode(texts))
        points = workspace.picture(index.id).points
        columns = {"x": pa.array(points[:, 0]), "y": pa.array(points[:, 1])}
        parquet.write_table(pa.table(columns), FOLDER / "map.parquet")
        workspace.store.close()


def _embedded_texts(workspace: Workspace, doc_id: str) -> list[str]:
    passage, nodes = workspace.preview(doc_id, SETTINGS)
    return [chunk.embedded_text(passage.document, node) for node in nodes]


def _write_vectors(texts: Sequence[str], vectors: Vectors) -> None:
    hashes = pa.array([embed.text_hash(text) for text in texts], pa.binary(16))
    rows = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1), pa.float32()), vectors.shape[1])
    parquet.write_table(
        pa.table({"text_hash": hashes, "vector": rows}), FOLDER / "vectors.parquet", use_dictionary=False
    )


if __name__ == "__main__":
    record()
