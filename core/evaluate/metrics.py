"""Metrics on spans. Intervals are unions: a character returned twice, or gold twice, counts once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.types import Span

RELEVANT = 0.5
"""A window is relevant to a gold span if it covers at least this share of it."""


@dataclass(frozen=True, slots=True)
class Score:
    """How one question went; each of the first six lies between 0 and 1.

    ``recall`` is the share of gold spans that some single window covers at least by half; the ``span_`` metrics count
    characters: of gold returned, of returned gold, and the one over the union of both (Jaccard).
    """

    hit_rate: float
    mrr: float
    recall: float
    span_recall: float
    span_precision: float
    span_iou: float
    tokens_returned: float


def union(spans: Iterable[Span]) -> list[Span]:
    """The same characters as disjoint spans in order; touching ones are joined."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, s.end)):
        if span.end <= span.start:
            continue
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def length(spans: Iterable[Span]) -> int:
    """How many characters disjoint spans hold."""
    return sum(span.end - span.start for span in spans)


def common(left: Sequence[Span], right: Sequence[Span]) -> int:
    """How many characters two lists of disjoint, ordered spans share."""
    shared, i, j = 0, 0, 0
    while i < len(left) and j < len(right):
        shared += max(0, min(left[i].end, right[j].end) - max(left[i].start, right[j].start))
        if left[i].end <= right[j].end:
            i += 1
        else:
            j += 1
    return shared


def relevant(window: Span, gold: Span) -> bool:
    """Whether ``window`` covers at least half of ``gold``."""
    covered = max(0, min(window.end, gold.end) - max(window.start, gold.start))
    return covered >= RELEVANT * (gold.end - gold.start)


Located = tuple[str, Span]
"""A span in a document: (doc_id, span)."""


def score(windows: Sequence[Located], gold: Sequence[Located], tokens_returned: float) -> Score:
    """The metrics of one question: ``windows`` best first, ``gold`` in any order. No windows score 0."""
    ranks = [
        rank
        for rank, (doc, window) in enumerate(windows, 1)
        if any(doc == other and relevant(window, span) for other, span in gold)
    ]
    found = [any(doc == other and relevant(window, span) for other, window in windows) for doc, span in gold]
    returned, wanted = _by_document(windows), _by_document(gold)
    shared = sum(common(returned[doc], wanted[doc]) for doc in returned.keys() & wanted.keys())
    out, want = sum(map(length, returned.values())), sum(map(length, wanted.values()))
    return Score(
        hit_rate=float(bool(ranks)),
        mrr=1 / ranks[0] if ranks else 0.0,
        recall=sum(found) / len(found) if found else 0.0,
        span_recall=shared / want if want else 0.0,
        span_precision=shared / out if out else 0.0,
        span_iou=shared / (out + want - shared) if out + want else 0.0,
        tokens_returned=tokens_returned,
    )


def mean(scores: Sequence[Score]) -> Score:
    """The mean of exactly these questions."""
    if not scores:
        return Score(0, 0, 0, 0, 0, 0, 0)
    count = len(scores)
    return Score(*(sum(getattr(s, name) for s in scores) / count for name in Score.__dataclass_fields__))


def _by_document(spans: Sequence[Located]) -> Mapping[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for doc, span in spans:
        found.setdefault(doc, []).append(span)
    return {doc: union(parts) for doc, parts in found.items()}
