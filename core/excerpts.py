"""What a reader gets for several hits: overlapping windows merged, every character once, in the order of the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.types import Hit, Span


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A stretch of one document that the windows of some hits cover; ``ranks`` are those of the hits, best first.

    ``prefix`` and ``suffix`` stand around the text without being in the document there.
    """

    doc_id: str
    name: str
    span: Span
    text: str
    ranks: tuple[int, ...]
    prefix: str = ""
    suffix: str = ""

    @property
    def returned(self) -> str:
        return self.prefix + self.text + self.suffix


def merged(hits: Sequence[Hit], text_of: Callable[[str], str]) -> list[Excerpt]:
    """The windows of hits, merged where they overlap or only white space lies between them.

    Documents come in the order of their best hits, their excerpts in that of the text; ``text_of`` gives a document's
    text by id. Those of different documents are never merged.
    """
    found: list[Excerpt] = []
    for doc_id in dict.fromkeys(hit.doc_id for hit in hits):
        mine = sorted((hit for hit in hits if hit.doc_id == doc_id), key=lambda hit: (hit.window.start, hit.window.end))
        found += (_excerpt(group, text_of(doc_id)) for group in _groups(mine, text_of(doc_id)))
    return found


def _groups(hits: Sequence[Hit], text: str) -> list[list[Hit]]:
    groups: list[list[Hit]] = []
    upto = -1
    for hit in hits:
        if groups and (hit.window.start <= upto or text[upto : hit.window.start].isspace()):
            groups[-1].append(hit)
        else:
            groups.append([hit])
        upto = max(upto, hit.window.end) if len(groups[-1]) > 1 else hit.window.end
    return groups


def _excerpt(hits: Sequence[Hit], text: str) -> Excerpt:
    first, last = hits[0], max(hits, key=lambda hit: hit.window.end)
    span = Span(first.window.start, last.window.end)
    ranks = tuple(sorted(hit.rank for hit in hits))
    return Excerpt(
        first.doc_id, first.name, span, text[span.start : span.end], ranks, first.prefix, last.suffix
    )  # fmt: skip
