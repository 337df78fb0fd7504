"""Values as JSON: one form for the command line and HTTP, so that they agree."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

import numpy as np

from core import metadata as linter
from core.chunk import Curve
from core.enrich.fields import Computed
from core.evaluate.metrics import Score
from core.evaluate.run import Report
from core.excerpts import Excerpt
from core.ingest import FileResult
from core.settings import ChunkSettings
from core.store.base import Cell, Cells, Found, Passage
from core.tokens import Counted
from core.types import (
    Block,
    BlockKind,
    Document,
    DocumentInfo,
    FieldSpec,
    Hit,
    Index,
    Metadata,
    Node,
    SearchResult,
    Sentence,
    Span,
)
from core.utf16 import to_utf16


def text(data: object) -> str:
    """``data`` as one line of JSON that can be printed; half a character is escaped."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False).encode("utf-8", "backslashreplace").decode()


def jsonable(value: object) -> object:
    """A value JSON can hold: times as ISO in UTC, tuples as lists."""
    if isinstance(value, datetime):
        return f"{value.isoformat()}Z"
    if isinstance(value, (list, tuple)):
        return [jsonable(item) for item in value]
    return value


def metadata(values: Metadata) -> dict[str, object]:
    return {name: jsonable(value) for name, value in values.items()}


def hit(found: Hit) -> dict[str, object]:
    """A hit with its window; offsets are code points into the document's text."""
    return {
        "rank": found.rank,
        "score": found.score,
        "distance": found.distance,
        "id": found.id,
        "doc_id": found.doc_id,
        "name": found.name,
        "ordinal": found.node.ordinal,
        "start": found.node.start,
        "end": found.node.end,
        "window": {**window(found.window, found.prefix, found.suffix), "text": found.window_text},
        "text": found.text,
        "metadata": metadata(found.metadata),
    }


def boosts(found: Hit) -> dict[str, object]:
    """Which boosts a hit passes, in words, and what they make of its score."""
    return {
        "final": found.final,
        "factors": [{"filter": words, "factor": factor} for words, factor in found.factors],
    }


def node(found: Hit) -> dict[str, object]:
    """What is known about a hit's node beside its text: the tokens embedded, its context line, its computed fields."""
    return {"tokens": found.tokens, "context": found.node.context, "computed": metadata(found.computed)}


def window(span: Span, prefix: str, suffix: str) -> dict[str, object]:
    """Where what is returned lies; and what stands around it without being in the document there, if anything does."""
    around = {name: said for name, said in (("prefix", prefix), ("suffix", suffix)) if said}
    return {"start": span.start, "end": span.end, **around}


def excerpt(found: Excerpt) -> dict[str, object]:
    """A stretch of a document that several windows may share; ``hits`` are the ranks of those it was returned for."""
    span = window(found.span, found.prefix, found.suffix)
    return {"doc_id": found.doc_id, "name": found.name, **span, "text": found.text, "hits": list(found.ranks)}


def search(result: SearchResult, excerpts: Sequence[Excerpt] = ()) -> dict[str, object]:
    """A result; its hits tell of boosts where there are any."""
    boosted = bool(result.request.settings.boosts)
    return {
        "hits": [{**hit(found), **(boosts(found) if boosted else {})} for found in result.hits],
        "nodes": {found.id: node(found) for found in result.hits},
        "excerpts": [excerpt(found) for found in excerpts],
        "sql": result.sql,
        "params": [jsonable(value) for value in result.params],
        "timings_ms": dict(result.timings_ms),
        "matching": result.matching,
        "total": result.total,
    }


def file(result: FileResult) -> dict[str, object]:
    return {**asdict(result), "status": result.status.value, "notices": list(result.notices)}


def document(info: DocumentInfo) -> dict[str, object]:
    return {
        "doc_id": info.id,
        "name": info.name,
        "aliases": list(info.aliases),
        "revision": info.revision,
        "media_type": info.media_type,
        "characters": info.characters,
        "sentences": info.sentences,
        "ingested_at": jsonable(info.ingested_at),
        "reading": {**asdict(info.reading), "notices": list(info.reading.notices)},
        "metadata": metadata(info.metadata),
    }


def index(found: Index) -> dict[str, object]:
    return {
        "id": found.id,
        "name": found.name,
        "settings": _chosen(found.settings),
        "model": asdict(found.model),
        "created_at": jsonable(found.created_at),
        "documents": found.documents,
        "nodes": found.nodes,
    }


def lint(report: linter.Report, raws: Mapping[str, linter.Raw], limit: int) -> dict[str, object]:
    """What the linter found, each fix in words and with the first ``limit`` of its changes."""
    return {
        "documents": report.documents,
        "blocks": report.blocks,
        "findings": [
            {
                "kind": finding.kind.value,
                "field": finding.field,
                "message": finding.message,
                "files": list(finding.files),
                "count": finding.count,
                "values": list(finding.values),
                "blocks": finding.blocks,
                "fix": None if finding.fix is None else fix(finding.fix, raws, limit),
            }
            for finding in report.findings
        ],
        "coverage": [{**asdict(coverage), "share": coverage.share} for coverage in report.coverage],
    }


def fix(proposed: linter.Fix, raws: Mapping[str, linter.Raw], limit: int) -> dict[str, object]:
    return {
        "kind": type(proposed).__name__,
        "said": linter.describe(proposed),
        "changes": [asdict(change) for change in linter.preview(proposed, raws, limit)],
    }


def schema(
    fields: Sequence[FieldSpec],
    documents: Sequence[DocumentInfo],
    cells: Mapping[str, Cells],
    computed: Sequence[Computed],
    *,
    strict: bool,
) -> dict[str, object]:
    """Every field with the number of documents that have it, every value that does not fit, and the fields of nodes."""
    names = {info.id: info.name for info in documents}
    return {
        "strict": strict,
        "documents": len(documents),
        "fields": [
            {
                **asdict(spec),
                "type": spec.type.value,
                "default": None if spec.default is None else jsonable(spec.default),
                "allowed": list(spec.allowed),
                "date_order": spec.date_order and spec.date_order.value,
                "present": sum(spec.name in info.metadata for info in documents),
                "misfits": sum(bool(row.get(spec.name, Cell()).misfit) for row in cells.values()),
            }
            for spec in fields
        ],
        "misfits": [
            {"document": names.get(doc_id, doc_id), "field": name, "given": cell.raw, "reason": cell.misfit}
            for doc_id, row in cells.items()
            for name, cell in row.items()
            if cell.misfit
        ],
        "node_fields": [{"name": field.name, "type": field.type.value, "method": field.method} for field in computed],
    }


def _chosen(settings: ChunkSettings) -> dict[str, object]:
    """Chunk settings as they are kept: what is not chosen is left out."""
    told: dict[str, object] = json.loads(settings.to_json())
    return told


def report(found: Report) -> dict[str, object]:
    """The mean of every metric, and how each question went."""
    questions = [
        {
            "question": outcome.question.text,
            "rank": outcome.rank,
            "hits": outcome.hits,
            **_score(outcome.score),
        }
        for outcome in found.outcomes
    ]
    return {"metrics": _score(found.mean), "questions": questions, "k": found.k, "window": found.window}


def _score(score: Score) -> Mapping[str, float]:
    return asdict(score)


KINDS = tuple(BlockKind)


def viewer_text(passage: Passage, prefixes: Mapping[int, str]) -> dict[str, object]:
    """A document for the viewer; offsets are UTF-16 units, sentences flat: start, end, start, end …

    Blocks are flat too, five numbers each: kind (a number of ``kinds``), start, end, page (0: none) and how many
    headings stand above it. ``hard`` lists the sentences that were cut where no sentence ends; ``prefixes`` are by
    sentence.
    """
    text, blocks, sentences = passage.document.text, passage.document.blocks, passage.sentences
    parts: tuple[Sentence | Block, ...] = (*sentences, *blocks)
    units = to_utf16(text, [offset for part in parts for offset in (part.start, part.end)])
    split, flat = 2 * len(sentences), list[int]()
    for at, block in zip(range(split, len(units), 2), blocks, strict=True):
        above = max(0, len(block.headings) - (block.kind is BlockKind.HEADING))
        flat += [KINDS.index(block.kind), units[at], units[at + 1], block.page or 0, above]
    return {
        "text": text,
        "sentences": units[:split],
        "prefixes": prefixes,
        "hard": [number for number, sentence in enumerate(sentences) if sentence.hard],
        "kinds": list(KINDS),
        "blocks": flat,
    }


def viewer_nodes(document: Document, nodes: Sequence[Node], embedded: Mapping[int, str]) -> dict[str, object]:
    """Nodes for the viewer, six numbers each: start, end, first and last sentence, embedded start and end.

    ``embedded`` holds, by ordinal, what the model reads where that is no slice of the text; ``contexts`` are the lines
    it reads before that, each once, and ``context`` which of them, by node (-1: none).
    """
    lines = {line: number for number, line in enumerate(dict.fromkeys(node.context for node in nodes if node.context))}
    starts_ends = [o for n in nodes for o in (n.start, n.end, n.embedded.start, n.embedded.end)]
    units = to_utf16(document.text, starts_ends)
    flat: list[int] = []
    for at, node in zip(range(0, len(units), 4), nodes, strict=True):
        start, end, embedded_start, embedded_end = units[at : at + 4]
        flat += [start, end, node.first_sentence, node.last_sentence, embedded_start, embedded_end]
    return {
        "nodes": flat,
        "embedded": embedded,
        "contexts": list(lines),
        "context": [lines.get(node.context, -1) for node in nodes] if lines else [],
    }


def viewer_tokens(document: Document, counted: Counted, tokenizer: str, truncates_at: int) -> dict[str, object]:
    """What the viewer's texts cost; ``lost`` says, in UTF-16 units, where the model stops reading a node, by ordinal."""
    units = to_utf16(document.text, list(counted.lost.values()))
    return {
        "sentences": counted.sentences,
        "special": counted.special,
        "nodes": counted.embedded,
        "own": [] if counted.own == counted.embedded else counted.own,
        "lost": dict(zip(counted.lost, units, strict=True)),
        "tokenizer": tokenizer,
        "truncates_at": truncates_at,
    }


def viewer_curve(curve: Curve) -> dict[str, object]:
    """How alike sentences are to the next: ``similarities[i]`` of sentences i and i + 1, null where none are compared; ``breaks`` are the sentences that begin anew."""
    finite = np.isfinite(curve.similarities)
    rounded = np.round(curve.similarities.astype(float), 4)
    return {
        "similarities": [value if known else None for value, known in zip(rounded.tolist(), finite, strict=True)],
        "threshold": None if np.isnan(curve.threshold) else curve.threshold,
        "breaks": list(curve.breaks),
    }


def near(found: Sequence[Found], length: int) -> list[dict[str, object]]:
    """Nodes found by their vectors, each with the beginning of its text, at most ``length`` characters."""
    return [
        {
            "doc_id": item.doc_id,
            "name": item.info.name,
            "ordinal": item.node.ordinal,
            "score": item.score,
            "page": item.node.page,
            "headings": list(item.node.headings),
            "text": item.passage.document.text[item.node.start : min(item.node.end, item.node.start + length)],
            "more": item.node.end - item.node.start > length,
        }
        for item in found
    ]
