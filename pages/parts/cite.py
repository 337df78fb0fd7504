"""Where a passage stands, and what is copied of it."""

from __future__ import annotations

from collections.abc import Sequence

from core.excerpts import Excerpt
from core.types import Hit, Span


def place(hit: Hit) -> list[str]:
    """Page and section of a hit, as far as there are any."""
    page = [] if hit.node.page is None else [f"p. {hit.node.page}"]
    return [*page, *([" › ".join(hit.node.headings[-2:])] if hit.node.headings else [])]


def source(hit: Hit, span: Span) -> str:
    """``handbook.pdf, § Refunds, p. 4, characters 120–260``; offsets are those of the document's text."""
    section = [f"§ {' › '.join(hit.node.headings)}"] if hit.node.headings else []
    page = [] if hit.node.page is None else [f"p. {hit.node.page}"]
    return ", ".join([hit.name, *section, *page, f"characters {span.start}–{span.end}"])


def quoted(text: str, source: str) -> str:
    """A passage with where it stands, to be pasted into a text."""
    return f"“{text.strip()}” ({source})"


def context(passages: Sequence[tuple[Sequence[int], str, str]]) -> str:
    """Passages, each with the ranks of its hits and where it stands, as the context of a prompt."""
    return "\n\n".join(f"[{', '.join(map(str, ranks))}] {source}\n{text.strip()}" for ranks, text, source in passages)


def of_hits(hits: Sequence[Hit]) -> str:
    """The windows of hits one after the other."""
    return context([((hit.rank,), hit.returned, source(hit, hit.window)) for hit in hits])


def of_excerpts(excerpts: Sequence[Excerpt], hits: Sequence[Hit]) -> str:
    """What a reader gets for hits: every character once."""
    return context(
        [(excerpt.ranks, excerpt.returned, source(first(excerpt, hits), excerpt.span)) for excerpt in excerpts]
    )


def first(excerpt: Excerpt, hits: Sequence[Hit]) -> Hit:
    """The hit of an excerpt that stands first in its text."""
    return min((hit for hit in hits if hit.rank in excerpt.ranks), key=lambda hit: hit.window.start)
