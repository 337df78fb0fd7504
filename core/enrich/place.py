"""What a node's place says: the blocks it lies in, and whether it begins and ends where sentences do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.store.base import Passage
from core.types import BlockKind, Node

_TYPES = {
    BlockKind.HEADING: "text",
    BlockKind.PARAGRAPH: "text",
    BlockKind.QUOTE: "text",
    BlockKind.LIST: "list",
    BlockKind.TABLE: "table",
    BlockKind.CODE: "code",
    BlockKind.IMAGE: "image",
}
_WHOLE = frozenset({BlockKind.TABLE, BlockKind.CODE})
_PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.QUOTE})
_TAIL = 40  # characters that hold a sentence's last mark, and the quotes, brackets and note numbers behind it
# Thai and Lao end sentences without a mark.
_FINAL = re.compile(
    r"[.!?…。！？．｡؟۔।॥։።\u104b\u17d4\u0e01-\u0eff][\"'”’»«“‘›‹)\]}」』）】*_`~]*(?:\[\d{1,4}\]|[¹²³⁰-⁹])*[\"'”’»*_]*\Z"
)


def kinds(passage: Passage, nodes: Sequence[Node]) -> list[frozenset[BlockKind]]:
    """The kinds of block that each node's sentences lie in."""
    blocks = passage.document.blocks
    of = [blocks[sentence.block].kind for sentence in passage.sentences]
    return [frozenset(of[node.first_sentence : node.last_sentence + 1]) or frozenset({node.kind}) for node in nodes]


def content_type(found: frozenset[BlockKind]) -> str:
    """One word for the blocks of these kinds."""
    types = {_TYPES[kind] for kind in found}
    return types.pop() if len(types) == 1 else "mixed"


def outside_code(passage: Passage, node: Node) -> str:
    """The node's text without its code blocks."""
    text, blocks = passage.document.text, passage.document.blocks
    return "\n".join(
        text[left:right]
        for number, left, right in sentences(passage, node)
        if blocks[passage.sentences[number].block].kind is not BlockKind.CODE
    )


def sentences(passage: Passage, node: Node) -> Iterator[tuple[int, int, int]]:
    """The node's sentences: the number and span of each, as far as it lies in the node."""
    for number in range(node.first_sentence, node.last_sentence + 1):
        sentence = passage.sentences[number]
        left, right = max(sentence.start, node.start), min(sentence.end, node.end)
        if left < right:
            yield number, left, right


def is_complete(passage: Passage, node: Node) -> bool:
    """Whether the node begins and ends where sentences do, and its last one is whole."""
    return _begins(passage, node) and _ends(passage, node)


def _begins(passage: Passage, node: Node) -> bool:
    first = passage.sentences[node.first_sentence]
    if node.start != first.start:
        return False
    before = passage.sentences[node.first_sentence - 1] if node.first_sentence else None
    if before is None or before.block != first.block:
        return True
    return not before.hard and passage.document.blocks[first.block].kind not in _WHOLE


def _ends(passage: Passage, node: Node) -> bool:
    last, following = passage.sentences[node.last_sentence], node.last_sentence + 1
    if node.end != last.end or last.hard:
        return False
    kind = passage.document.blocks[last.block].kind
    if kind in _WHOLE:
        return following == len(passage.sentences) or passage.sentences[following].block != last.block
    text = passage.document.text
    return kind not in _PROSE or _FINAL.search(text, max(last.start, last.end - _TAIL), last.end) is not None
