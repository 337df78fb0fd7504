"""What a node's place among the others says, derived from their spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.types import Node, Span


@dataclass(frozen=True, slots=True)
class Place:
    """Whether a node is the first or last of its document, and the text that it shares with the one before and after.

    Such a span is embedded for both: the node overlap, not to be mistaken for that of their windows.
    """

    is_first: bool
    is_last: bool
    with_previous: Span | None
    with_next: Span | None


def overlap_spans(nodes: Sequence[Node]) -> list[Place]:
    """The place of each of a document's ``nodes``, which are in order."""
    shared = [None, *(_shared(before, here) for before, here in pairwise(nodes)), None]
    last = len(nodes) - 1
    return [Place(at == 0, at == last, shared[at], shared[at + 1]) for at in range(len(nodes))]


def _shared(before: Node, here: Node) -> Span | None:
    return Span(here.start, min(before.end, here.end)) if here.start < before.end else None
