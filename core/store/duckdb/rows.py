"""Rows to values and back: what the store's tables hold in the words of ``core.types``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from hashlib import blake2b
from typing import Any

import numpy as np
import pyarrow as pa

from core.enrich.fields import COMPUTED
from core.filters import TIMES, FieldType
from core.settings import ChunkSettings, ReadSettings
from core.store.base import Cell, Computed, EmbeddedNodes, Passage
from core.types import (
    Block,
    BlockKind,
    DateOrder,
    Document,
    DocumentInfo,
    FieldSpec,
    Index,
    Metadata,
    ModelInfo,
    Node,
    Reading,
    Sentence,
    Span,
    Value,
)  # fmt: skip

Row = Sequence[Any]

ARROW_TYPES = {
    FieldType.STRING: pa.string(),
    FieldType.ENUM: pa.string(),
    FieldType.INTEGER: pa.int64(),
    FieldType.NUMBER: pa.float64(),
    FieldType.BOOLEAN: pa.bool_(),
    FieldType.DATE: pa.timestamp("us"),
    FieldType.DATETIME: pa.timestamp("us"),
    FieldType.STRINGS: pa.list_(pa.string()),
}

INFO = "doc_id, name, revision, media_type, characters, sentences, aliases, ingested_at, reading, layout"
NODE = (
    'ordinal, "start", "end", first_sentence, last_sentence, embedded_start, embedded_end, kind, page, headings, prefix, '
    "context"
)
TEXT = "text, blocks, sentence_starts, sentence_ends, sentence_blocks, hard"
INDEX = "id, name, settings, model, model_revision, dim, max_tokens, created_at, version"
FIELD = "name, type, required, fallback, allowed, description, date_order, confirmed"


def number(doc_id: str) -> int:
    """The integer key of a document: its id read as a number, so that both sort alike."""
    try:
        return int(doc_id, 16) if len(doc_id) == 15 else -1
    except ValueError:
        return -1


def doc_id(number: int) -> str:
    return f"{number:015x}"


def info(row: Row, fields: Sequence[str]) -> DocumentInfo:
    """A document from INFO's columns followed by one column per field in ``fields``."""
    metadata: Metadata = {
        name: found for name, held in zip(fields, row[10:], strict=True) if (found := value(held)) is not None
    }
    return DocumentInfo(
        row[0], row[1], row[2], row[3], row[4], row[5], tuple(row[6]), row[7], metadata, reading(row[8]), row[9]
    )


def reading(column: str) -> Reading:
    """How a document was read, from its JSON; what an older version did not note stays as the default."""
    told = json.loads(column)
    if "settings" in told:
        told["settings"] = ReadSettings(**told["settings"])
    return Reading(**{**told, "notices": tuple(told.get("notices", ()))})


def reading_column(value: Reading) -> str:
    return json.dumps(asdict(value))


def node(row: Row) -> Node:
    """A node from NODE's columns."""
    ordinal, start, end, first, last, embedded_start, embedded_end, kind, page, headings, prefix, context = row
    embedded = Span(embedded_start, embedded_end)
    return Node(ordinal, start, end, first, last, embedded, BlockKind(kind), page, tuple(headings), prefix, context)


def index(row: Row) -> Index:
    """An index from INDEX's columns and its numbers of documents and nodes."""
    settings = ChunkSettings.from_json(row[2])
    return Index(row[0], row[1], settings, ModelInfo(*row[3:7]), *row[7:11])


def field(row: Row) -> FieldSpec:
    """A metadata field from FIELD's columns."""
    name, kind, required, fallback, allowed, description, order, confirmed = row
    default = None if fallback is None else _default(json.loads(fallback), FieldType(kind))
    date_order = DateOrder(order) if order else None
    return FieldSpec(name, FieldType(kind), required, default, tuple(allowed), description, date_order, confirmed)


def field_row(spec: FieldSpec) -> list[object]:
    """FIELD's columns of a metadata field."""
    fallback = None if spec.default is None else json.dumps(spec.default, default=lambda value: value.isoformat())
    return [
        spec.name, spec.type.value, spec.required, fallback, list(spec.allowed), spec.description,
        spec.date_order.value if spec.date_order else None, spec.confirmed,
    ]  # fmt: skip


def _default(kept: Any, kind: FieldType) -> Value:
    if isinstance(kept, list):
        return tuple(kept)
    found: Value = datetime.fromisoformat(kept) if kind in TIMES else kept
    return found


def passage(info: DocumentInfo, row: Row) -> Passage:
    """A passage from TEXT's columns."""
    blocks = tuple(
        Block(BlockKind(kind), start, end, tuple(headings), page)
        for kind, start, end, headings, page in json.loads(row[1])
    )
    document = Document(info.id, info.revision, info.name, info.media_type, row[0], blocks, info.reading)
    hard = set(row[5])
    spans = zip(row[2], row[3], row[4], strict=True)
    sentences = tuple(Sentence(*span, number in hard) for number, span in enumerate(spans))
    return Passage(document, sentences, info.layout)


def text_row(passage: Passage) -> list[object]:
    """TEXT's columns of a passage."""
    blocks = [[b.kind, b.start, b.end, b.headings, b.page] for b in passage.document.blocks]
    sentences = passage.sentences
    return [
        passage.document.text,
        json.dumps(blocks),
        [s.start for s in sentences],
        [s.end for s in sentences],
        [s.block for s in sentences],
        [number for number, s in enumerate(sentences) if s.hard],
    ]


def layout(passage: Passage) -> str:
    """A hash of blocks and sentences: the same text can be cut in other ways."""
    _, blocks, *cuts = text_row(passage)
    return blake2b(f"{blocks}{cuts}".encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def value(column: Any) -> Value | None:
    """A metadata value from its column."""
    found: Value | None = tuple(column) if isinstance(column, list) else column
    return found


def column_value(value: Value) -> object:
    return list(value) if isinstance(value, tuple) else value


def raw(value: object) -> str:
    """A raw value as JSON in ASCII: half a character of a damaged file is kept, too."""
    return json.dumps(value)


def cell_table(cells: Mapping[int, Cell], kind: FieldType) -> pa.Table:
    """One field of some documents as an Arrow table: doc, raw, value, misfit, edited."""
    every = list(cells.values())
    held = [None if cell.value is None else column_value(cell.value) for cell in every]
    return pa.table(
        {
            "doc": _integers(cells),
            "raw": pa.array([None if cell.raw is None else raw(cell.raw) for cell in every], pa.string()),
            "value": pa.array(held, ARROW_TYPES[kind]),
            "misfit": pa.array([cell.misfit for cell in every], pa.string()),
            "edited": pa.array([cell.edited for cell in every], pa.bool_()),
        }
    )


def computed_table(first: int, number: int, computed: Computed, keep: Sequence[int]) -> pa.Table:
    """The rows ``keep`` of computed fields, for nodes numbered from ``first``; what is not computed is null."""
    nodes = pa.array(range(first, first + len(keep)), pa.int64())
    docs = _integers(number for _ in keep)
    columns = {
        field.name: pa.array(
            [None if (held := computed[field.name][i]) is None else column_value(held) for i in keep]
            if field.name in computed
            else [None] * len(keep),
            ARROW_TYPES[field.type],
        )
        for field in COMPUTED
    }
    return pa.table({"node": nodes, "doc": docs, **columns})


def computed_rows(computed: Mapping[int, Computed], names: Sequence[str]) -> pa.Table:
    """Computed fields of whole documents as an Arrow table: doc, ordinal, and a column for each of ``names``."""
    kinds = {field.name: ARROW_TYPES[field.type] for field in COMPUTED}
    sizes = {number: max(map(len, columns.values()), default=0) for number, columns in computed.items()}
    held = {
        name: [
            None if (found := computed[number][name][i]) is None else column_value(found)
            for number, size in sizes.items()
            for i in range(size)
        ]
        for name in names
    }
    return pa.table(
        {
            "doc": _integers(number for number, size in sizes.items() for _ in range(size)),
            "ordinal": _integers(i for size in sizes.values() for i in range(size)),
            **{name: pa.array(column, kinds[name]) for name, column in held.items()},
        }
    )


def node_table(first: int, number: int, embedded: EmbeddedNodes, keep: Sequence[int], dim: int) -> pa.Table:
    """The rows ``keep`` of ``embedded``, numbered from ``first``, as an Arrow table in the order of the node table's columns."""
    nodes = [embedded.nodes[i] for i in keep]
    return pa.table(
        {
            "node": pa.array(range(first, first + len(keep)), pa.int64()),
            "doc": _integers(number for _ in nodes),
            "ordinal": _integers(n.ordinal for n in nodes),
            "start": _integers(n.start for n in nodes),
            "end": _integers(n.end for n in nodes),
            "first_sentence": _integers(n.first_sentence for n in nodes),
            "last_sentence": _integers(n.last_sentence for n in nodes),
            "embedded_start": _integers(n.embedded.start for n in nodes),
            "embedded_end": _integers(n.embedded.end for n in nodes),
            "kind": pa.array([n.kind.value for n in nodes], pa.string()),
            "page": pa.array([n.page for n in nodes], pa.int64()),
            "headings": pa.array([list(n.headings) for n in nodes], pa.list_(pa.string())),
            "tokens": _integers(embedded.tokens[i] for i in keep),
            "text_hash": pa.array([embedded.hashes[i] for i in keep], pa.binary(16)),
            "embedding": vector_array(embedded.vectors[list(keep)], dim),
            "prefix": pa.array([n.prefix for n in nodes], pa.string()),
            "unknown": _integers(embedded.unknown[i] if embedded.unknown else 0 for i in keep),
            "context": pa.array([n.context for n in nodes], pa.string()),
        }
    )


def vector_array(vectors: np.ndarray[Any, Any], dim: int) -> pa.FixedSizeListArray:
    """Rows of shape (n, dim), each brought to unit length."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True) if len(vectors) else vectors
    return pa.FixedSizeListArray.from_arrays(pa.array(np.ascontiguousarray(unit, np.float32).reshape(-1)), dim)


def matrix(column: pa.ChunkedArray, dim: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """An Arrow column of vectors as one matrix of shape (n, dim)."""
    flat = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return np.asarray(flat, np.float32).reshape(-1, dim)


def _integers(values: Iterable[int]) -> pa.Array:
    return pa.array(list(values), pa.int64())


def utc_now() -> datetime:
    from datetime import UTC

    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)
