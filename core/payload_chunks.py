"""Nodes and what two settings make of a document, as JSON: one form for the command line and whoever reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import pairwise

from core import chunk, payload, tokens
from core.chunk.compare import EDGES, Difference, Statistics
from core.settings import SearchSettings
from core.store.base import Passage
from core.tokens import Counted
from core.types import Encoder, Node, Span


def nodes(
    passage: Passage,
    found: Sequence[Node],
    ids: Sequence[str],
    counted: Counted,
    encoder: Encoder,
    settings: SearchSettings,
) -> list[dict[str, object]]:
    """A document's nodes with their windows; offsets are code points into its text.

    ``node_overlap`` is embedded for both neighbours, ``window_overlap`` returned for both: two different things.
    """
    places = chunk.overlap_spans(found)
    shared = [span for place in places for span in (place.with_previous, place.with_next) if span]
    sizes = dict(zip(shared, tokens.of_spans(passage, shared, counted.sentences, encoder), strict=True))
    windows = [chunk.window(node, passage.sentences, settings.window) for node in found]
    between = [None, *(_shared(a, b) for a, b in pairwise(windows)), None]
    return [
        {
            "id": ids[at],
            **_said(passage, node, settings),
            "is_first": places[at].is_first,
            "is_last": places[at].is_last,
            "tokens": counted.embedded[at],
            "truncated": counted.embedded[at] > encoder.info.max_tokens,
            "lost_from": counted.lost.get(node.ordinal),
            "node_overlap": {
                "previous": _counted(places[at].with_previous, sizes),
                "next": _counted(places[at].with_next, sizes),
            },
            "window_overlap": {"previous": _span(between[at]), "next": _span(between[at + 1])},
        }
        for at, node in enumerate(found)
    ]


def _said(passage: Passage, node: Node, settings: SearchSettings) -> dict[str, object]:
    span = chunk.window(node, passage.sentences, settings.window)
    before, after = chunk.around(passage, node, settings.window, marks=settings.boundary_marks)
    return {
        "ordinal": node.ordinal,
        "start": node.start,
        "end": node.end,
        "kind": node.kind.value,
        "page": node.page,
        "headings": list(node.headings),
        "prefix": node.prefix,
        **({"context": node.context} if node.context else {}),
        "embedded": chunk.embedded_text(passage.document, node),
        "hard": passage.sentences[node.last_sentence].hard,
        "window": payload.window(span, before, after),
        "text": passage.document.text[node.start : node.end],
    }


def _shared(before: Span, here: Span) -> Span | None:
    return Span(here.start, min(before.end, here.end)) if here.start < before.end else None


def _span(span: Span | None) -> dict[str, int] | None:
    return None if span is None else {"start": span.start, "end": span.end}


def _counted(span: Span | None, sizes: dict[Span, int]) -> dict[str, int] | None:
    return None if span is None else {"start": span.start, "end": span.end, "tokens": sizes[span]}


def statistics(found: Statistics) -> dict[str, object]:
    """The statistics of a setting; ``edges`` are where the classes of both histograms begin."""
    return {**asdict(found), "edges": list(EDGES)}


def difference(found: Difference) -> dict[str, object]:
    """Nodes kept and moved as pairs of ordinals, gone from A and born in B by ordinal, and where nodes are cut."""
    return asdict(found)


def cost(*, documents: int, nodes: int, new: int, uncompared: int, rate: float) -> dict[str, object]:
    """What building an index would take, at ``rate`` texts a second."""
    seconds = round((new + uncompared) / rate, 1)
    return {"documents": documents, "nodes": nodes, "new": new, "uncompared": uncompared, "seconds": seconds}


def in_words(found: Statistics) -> dict[str, str]:
    """The statistics of a setting for a terminal."""
    node, window, cut = found.node_tokens, found.window_tokens, found.boundaries
    return {
        "nodes": f"{found.nodes:,}",
        "tokens of a node": f"{node.median:g} in the middle, {node.least:,} to {node.most:,}",
        "tokens of a window": f"{window.median:g} in the middle, {window.least:,} to {window.most:,}",
        "tiny · truncated": f"{found.tiny:.1%} · {found.truncated:.1%}",
        "redundancy": f"{found.redundancy:.2f}×",
        "begin and end with sentences": f"{cut.whole:.1%}",
        "tables cut · code cut": f"{cut.tables_cut:,} of {cut.tables:,} · {cut.code_cut:,} of {cut.code:,}",
    }
