"""The textbook sentence window and its generalisation: nodes of m sentences that share o with the next one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.chunk.parts import prefixes
from core.errors import InvalidSetting
from core.settings import ChunkSettings
from core.store.base import Passage
from core.types import Block, BlockKind, Node, Sentence, Span

_ALONE = frozenset({BlockKind.TABLE, BlockKind.CODE})


def nodes(passage: Passage, settings: ChunkSettings, _powers: object = None) -> list[Node]:
    """Nodes of ``settings.size`` consecutive sentences, each sharing ``settings.overlap`` with the next.

    A table or code block (each part of a large one) is a node of its own, and a list is not mixed with what stands
    around it; so the last node before one may be shorter, as is the last of the document. No node lies wholly inside
    the one before it. What is embedded around a node does not reach into a table or code block either.
    """
    found: list[Node] = []
    before = prefixes(passage)
    for low, high in _runs(passage.sentences, passage.document.blocks):
        count, step = high - low, settings.size - settings.overlap
        for first in range(0, max(count - settings.overlap, 1), step):
            last = min(first + settings.size, count) - 1
            ends = (low + first, low + last, low, high)
            found.append(_node(len(found), passage, ends, settings.embed_around, before.get(low + first, "")))
    return found


def _runs(sentences: Sequence[Sentence], blocks: Sequence[Block]) -> Iterator[tuple[int, int]]:
    """Sentences that may stand together in a node, as half-open ranges: prose, or one list, or one part of a table."""
    start = 0
    for number in range(1, len(sentences)):
        before, here = sentences[number - 1].block, sentences[number].block
        kinds = {blocks[before].kind, blocks[here].kind}
        if kinds & _ALONE or (before != here and BlockKind.LIST in kinds):
            yield start, number
            start = number
    if sentences:
        yield start, len(sentences)


def _node(ordinal: int, passage: Passage, sentence_range: tuple[int, int, int, int], around: int, prefix: str) -> Node:
    first, last, low, high = sentence_range
    sentences = passage.sentences
    block = passage.document.blocks[sentences[first].block]
    span = Span(sentences[first].start, sentences[last].end)
    embedded = Span(sentences[max(low, first - around)].start, sentences[min(high - 1, last + around)].end)
    return Node(ordinal, span.start, span.end, first, last, embedded, block.kind, block.page, block.headings, prefix)


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
    first, last = max(0, node.first_sentence - size), min(len(sentences) - 1, node.last_sentence + size)
    return Span(sentences[first].start, sentences[last].end)
