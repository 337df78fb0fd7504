"""The textbook sentence window and its generalisation: nodes of m sentences that share o with the next one."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import InvalidSetting
from core.settings import ChunkSettings
from core.types import Block, Node, Sentence, Span


def nodes(sentences: Sequence[Sentence], blocks: Sequence[Block], settings: ChunkSettings) -> list[Node]:
    """Nodes of ``settings.size`` consecutive sentences, each sharing ``settings.overlap`` with the next.

    The last node ends with the last sentence and may be shorter; no node lies wholly inside the one before it.
    """
    count, step = len(sentences), settings.size - settings.overlap
    return [
        _node(ordinal, sentences, blocks, first, min(first + settings.size, count) - 1, settings.embed_around)
        for ordinal, first in enumerate(range(0, max(count - settings.overlap, min(count, 1)), step))
    ]


def _node(
    ordinal: int, sentences: Sequence[Sentence], blocks: Sequence[Block], first: int, last: int, around: int
) -> Node:
    block = blocks[sentences[first].block]
    start, end = sentences[first].start, sentences[last].end
    embedded = window_of(sentences, first, last, around) if around else Span(start, end)
    return Node(ordinal, start, end, first, last, embedded, block.kind, block.page, block.headings)


def window(node: Node, sentences: Sequence[Sentence], size: int) -> Span:
    """What is returned for ``node``: the node itself for 0, else the sentences from ``size`` before its first to
    ``size`` after its last, clipped at the ends of the document.

    Raises:
        InvalidSetting: a negative size.
    """
    if size < 0:
        raise InvalidSetting(f"A window of {size} sentences each side does not exist.", "Choose 0 or more.")
    if size == 0:
        return Span(node.start, node.end)
    return window_of(sentences, node.first_sentence, node.last_sentence, size)


def window_of(sentences: Sequence[Sentence], first: int, last: int, size: int) -> Span:
    """The span from ``size`` sentences before ``first`` to ``size`` after ``last``, clipped."""
    return Span(sentences[max(0, first - size)].start, sentences[min(len(sentences) - 1, last + size)].end)
