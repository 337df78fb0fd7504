"""How many tokens nodes have and where a model stops reading them: added up from sentences where that is exact, so that
a slider does not tokenise a book again."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

import numpy as np

from core import chunk
from core.store.base import Passage
from core.types import BlockKind, Encoder, Node, Span

MOST_LOST = 1000
"""In so many nodes that are too long the place where the model stops is looked for."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The tokens of a document and of its nodes under some settings.

    ``sentences`` are counted without the model's ``special`` tokens; ``embedded`` (what the model reads, by node) and
    ``own`` (the node's own text) hold them once. ``lost`` is, by ordinal, the offset from which a node is not read.
    """

    sentences: list[int]
    special: int
    embedded: list[int]
    own: list[int]
    lost: dict[int, int]


def of_sentences(passage: Passage, encoder: Encoder) -> tuple[int, ...]:
    """Tokens of each sentence, without those that the model puts around every text."""
    text, special = passage.document.text, _special(encoder)
    counts = encoder.count_tokens([text[s.start : s.end] for s in passage.sentences])
    return tuple(count - special for count in counts)


def of_nodes(passage: Passage, nodes: Sequence[Node], sentences: Sequence[int], encoder: Encoder) -> Counted:
    """Tokens of ``nodes``; ``sentences`` are what ``of_sentences`` says of the passage."""
    ruler = _Ruler(passage, sentences, encoder)
    own = ruler.measure([Span(node.start, node.end) for node in nodes])
    embedded = _embedded(passage, nodes, ruler)
    long = [node for node, count in zip(nodes, embedded, strict=True) if count > encoder.info.max_tokens]
    return Counted(list(sentences), ruler.special, embedded, own, _lost(passage, long[:MOST_LOST], ruler))


def of_spans(passage: Passage, spans: Sequence[Span], sentences: Sequence[int], encoder: Encoder) -> list[int]:
    """Tokens of each span of a document, special ones left out; ``sentences`` are as for ``of_nodes``."""
    ruler = _Ruler(passage, sentences, encoder)
    return [count - ruler.special for count in ruler.measure(spans)]


def _special(encoder: Encoder) -> int:
    (count,) = encoder.count_tokens([""])
    return count


class _Ruler:
    """Measures spans of one document in tokens."""

    def __init__(self, passage: Passage, sentences: Sequence[int], encoder: Encoder) -> None:
        self.encoder, self.special = encoder, _special(encoder)
        self.starts = [sentence.start for sentence in passage.sentences]
        self.ends = [sentence.end for sentence in passage.sentences]
        self.sums = list(accumulate(sentences, initial=0))
        self._text = passage.document.text

    def measure(self, spans: Sequence[Span]) -> list[int]:
        """Tokens of each span, special ones included: a sum for whole sentences; others are read by the tokenizer."""
        found = [self._summed(span) for span in spans]
        open_ = [at for at, count in enumerate(found) if count is None]
        texts = [self._text[spans[at].start : spans[at].end] for at in open_]
        read = dict(zip(open_, self.encoder.count_tokens(texts) if texts else [], strict=True))
        return [read[at] if count is None else count for at, count in enumerate(found)]

    def _summed(self, span: Span) -> int | None:
        first, last = bisect_left(self.starts, span.start), bisect_right(self.ends, span.end)
        whole = first < last and self.starts[first] == span.start and self.ends[last - 1] == span.end
        return self.sums[last] - self.sums[first] + self.special if whole else None

    def pieces(self, span: Span) -> list[Span]:
        """The sentences of a span, each as far as it lies inside, with the white space after it."""
        first, last = bisect_right(self.starts, span.start), bisect_left(self.starts, span.end)
        cuts = [span.start, *self.starts[first:last], span.end]
        return [Span(a, b) for a, b in pairwise(cuts)]


def _embedded(passage: Passage, nodes: Sequence[Node], ruler: _Ruler) -> list[int]:
    """Tokens the model reads for each node: its context line, and before its text what is said of it elsewhere."""
    found = ruler.measure([node.embedded for node in nodes])
    other = [number for number, node in enumerate(nodes) if node.prefix or node.kind is BlockKind.TABLE]
    texts = [chunk.embedded_text(passage.document, replace(nodes[number], context="")) for number in other]
    for number, count in zip(other, ruler.encoder.count_tokens(texts) if texts else [], strict=True):
        found[number] = count
    lines = list(dict.fromkeys(node.context for node in nodes if node.context))
    length = dict(zip(lines, ruler.encoder.count_tokens(lines) if lines else [], strict=True))
    return [
        count + length.get(node.context, ruler.special) - ruler.special
        for node, count in zip(nodes, found, strict=True)
    ]


def _lost(passage: Passage, nodes: Sequence[Node], ruler: _Ruler) -> dict[int, int]:
    """Where the model stops reading each of ``nodes``; a table is read in other words, so no place in it is the one."""
    cut = {node.ordinal: _cut(passage, node, ruler) for node in nodes if node.kind is not BlockKind.TABLE}
    if not cut:
        return {}
    text = passage.document.text
    # The tokenizer is asked once for all: no token goes over a line's end.
    ends = ruler.encoder.token_spans("\n".join(text[span.start : span.end] for span, _ in cut.values()))[:, 1]
    found, at = {}, 0
    for ordinal, (span, budget) in cut.items():
        first, after = np.searchsorted(ends, (at, at + span.end - span.start), "right").tolist()
        last = min(first + budget, after) - 1
        found[ordinal] = span.start + (int(ends[last]) - at if last >= first else 0)
        at += span.end - span.start + 1
    return found


def _cut(passage: Passage, node: Node, ruler: _Ruler) -> tuple[Span, int]:
    """The sentence in which a model stops, as far as it lies inside the node, and how many of its tokens are read."""
    head = f"{node.context}\n{node.prefix}" if node.context else node.prefix
    (before,) = ruler.encoder.count_tokens([head])
    budget, text = ruler.encoder.info.max_tokens - before, passage.document.text
    for piece in ruler.pieces(node.embedded):
        stripped = Span(piece.start, piece.start + len(text[piece.start : piece.end].rstrip()))
        (count,) = ruler.measure([stripped]) if stripped.start < stripped.end else (ruler.special,)
        if count - ruler.special > budget:
            return stripped, max(0, budget)
        budget -= count - ruler.special
    return Span(node.embedded.end, node.embedded.end), 0
