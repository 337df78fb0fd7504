"""The filter X-ray as JSON and in words: one form for the command line and whoever reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from core.comparison import Change
from core.explain import Explained
from core.store.base import Scan
from core.types import Hit
from core.xray import Clause, Explanation, Place, Rung


def explanation(found: Explained) -> dict[str, object]:
    """Both ladders, which clause removed which hit, how selective each is, and what a post-filter would have returned.

    Clauses are told by number; ranks beyond the k are exact, however far down. ``timings_ms`` are in milliseconds.
    """
    told = found.explanation
    ids = {rung.position: hit.id for rung, hit in zip(told.unfiltered, found.unfiltered, strict=True)}
    return {
        "unfiltered": _ladder(told.unfiltered, found.unfiltered),
        "filtered": _ladder(told.filtered, found.filtered),
        "attribution": [
            {"id": ids[rung.position], "rank": rung.unfiltered_rank, "rejected_by": list(rung.rejected_by)}
            for rung in told.excluded
        ],
        "selectivity": {
            "matching": told.matching,
            "total": told.total,
            "share": told.selectivity,
            "clauses": [_clause(number, clause, ids, found.scan) for number, clause in enumerate(told.clauses)],
        },
        "post_filter": [asdict(tried) for tried in told.post_filter],
        "badge": told.badge,
        "why_fewer": told.why_fewer,
        "timings_ms": dict(found.timings_ms),
    }


def _ladder(rungs: Sequence[Rung], hits: Sequence[Hit]) -> list[dict[str, object]]:
    return [
        {
            "id": hit.id,
            "doc_id": hit.doc_id,
            "name": hit.name,
            "ordinal": hit.node.ordinal,
            "score": rung.score,
            "final": rung.final,
            "unfiltered_rank": rung.unfiltered_rank,
            "filtered_rank": rung.filtered_rank,
            "change": rung.change.value,
            "text": hit.text,
        }
        for rung, hit in zip(rungs, hits, strict=True)
    ]


def _clause(number: int, clause: Clause, ids: Mapping[int, str], scan: Scan) -> dict[str, object]:
    return {
        "clause": number,
        "words": clause.words,
        "matching": clause.matching,
        "share": clause.selectivity,
        "matching_without": clause.without,
        "rejects": [ids[position] for position in clause.rejects],
        "rejects_alone": [ids[position] for position in clause.rejects_alone],
        "alone": [_place(place, scan) for place in clause.alone],
        "others": [_place(place, scan) for place in clause.others],
    }


def _place(place: Place, scan: Scan) -> dict[str, object]:
    doc_id, ordinal = scan.key(place.position)
    return {
        "doc_id": doc_id,
        "ordinal": ordinal,
        "score": place.score,
        "final": place.final,
        "unfiltered_rank": place.unfiltered_rank,
    }


def in_words(found: Explained) -> list[str]:
    """The X-ray for a terminal: the clauses, what happened to each hit, and what a post-filter would have returned."""
    told = found.explanation
    hits = [*zip(told.filtered, found.filtered, strict=True), *_excluded(found)]
    return [
        f"{told.badge}  {told.why_fewer}".rstrip(),
        *(_said(clause, told.total) for clause in told.clauses),
        *(_fate(rung, hit, told) for rung, hit in hits),
        *(f"post-filter of {t.fetched:,}: {t.returned} of {told.k} returned" for t in told.post_filter),
    ]


def _excluded(found: Explained) -> list[tuple[Rung, Hit]]:
    pairs = zip(found.explanation.unfiltered, found.unfiltered, strict=True)
    return [(rung, hit) for rung, hit in pairs if rung.change is Change.EXCLUDED]


def _said(clause: Clause, total: int) -> str:
    return (
        f"{clause.words}: {clause.matching:,} of {total:,} nodes; without it {clause.without:,}; "
        f"rejects {len(clause.rejects)} hits, {len(clause.rejects_alone)} alone"
    )


def _fate(rung: Rung, hit: Hit, told: Explanation) -> str:
    to = "–" if rung.filtered_rank is None else f"{rung.filtered_rank:,}"
    why = " by " + "; ".join(told.clauses[number].words for number in rung.rejected_by) if rung.rejected_by else ""
    return f"{rung.unfiltered_rank:>6,} → {to:<4} {rung.change.value}{why}  {hit.name} #{hit.node.ordinal}"
