"""Values as JSON: one form for the command line and HTTP, so that they agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime

from core.evaluate.metrics import Score
from core.evaluate.run import Report
from core.ingest import FileResult
from core.store.base import Passage
from core.types import Document, DocumentInfo, Hit, Index, Metadata, Node, SearchResult, Span
from core.utf16 import to_utf16


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


def window(span: Span, prefix: str, suffix: str) -> dict[str, object]:
    """Where what is returned lies; and what stands around it without being in the document there, if anything does."""
    around = {name: said for name, said in (("prefix", prefix), ("suffix", suffix)) if said}
    return {"start": span.start, "end": span.end, **around}


def search(result: SearchResult) -> dict[str, object]:
    return {
        "hits": [hit(found) for found in result.hits],
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
        "settings": asdict(found.settings),
        "model": asdict(found.model),
        "created_at": jsonable(found.created_at),
        "documents": found.documents,
        "nodes": found.nodes,
    }


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


def viewer_text(
    passage: Passage, prefixes: Mapping[int, str], tokens: list[int], tokenizer: str, truncates_at: int
) -> dict[str, object]:
    """A document for the viewer; offsets are UTF-16 units, sentences flat: start, end, start, end …

    ``hard`` lists the sentences that were cut where no sentence ends; ``prefixes`` are by sentence.
    """
    text, blocks = passage.document.text, passage.document.blocks
    sentences = [offset for s in passage.sentences for offset in (s.start, s.end)]
    block_offsets = to_utf16(text, [offset for b in blocks for offset in (b.start, b.end)])
    return {
        "text": text,
        "sentences": to_utf16(text, sentences),
        "prefixes": prefixes,
        "hard": [number for number, sentence in enumerate(passage.sentences) if sentence.hard],
        "blocks": [
            {
                "kind": block.kind.value,
                "start": block_offsets[2 * i],
                "end": block_offsets[2 * i + 1],
                "page": block.page,
            }
            for i, block in enumerate(blocks)
        ],
        "tokens": tokens,
        "tokenizer": tokenizer,
        "truncates_at": truncates_at,
    }


def viewer_nodes(
    document: Document, nodes: list[Node], tokens: list[int], embedded: Mapping[int, str], truncates_at: int
) -> dict[str, object]:
    """Nodes for the viewer, six numbers each: start, end, first and last sentence, embedded start and end.

    ``embedded`` holds, by ordinal, what the model reads where that is no slice of the text.
    """
    starts_ends = [o for n in nodes for o in (n.start, n.end, n.embedded.start, n.embedded.end)]
    units = to_utf16(document.text, starts_ends)
    flat: list[int] = []
    for i, node in enumerate(nodes):
        start, end, embedded_start, embedded_end = units[4 * i : 4 * i + 4]
        flat += [start, end, node.first_sentence, node.last_sentence, embedded_start, embedded_end]
    return {
        "nodes": flat,
        "tokens": tokens,
        "embedded": embedded,
        "flagged": [node.ordinal for node, count in zip(nodes, tokens, strict=True) if count > truncates_at],
    }
