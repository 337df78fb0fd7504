"""The sentence that says most of what a node says.

Each sentence is weighed by how like it is to all the others of its node: the sum of its TF-IDF cosines with them. That is
the continuous degree centrality of LexRank (Erkan and Radev, 2004); summed by way of the mean vector, its cost grows
with the number of sentences and not with its square.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log, sqrt

from core import markup
from core.enrich import place
from core.enrich.words import terms
from core.store.base import Passage
from core.types import BlockKind, Node

LONGEST = 200
_MOST_CELLS = 50
_PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.QUOTE, BlockKind.LIST})
_Weights = Mapping[str, float]


def summaries(passage: Passage, nodes: Sequence[Node]) -> list[str]:
    """For each node one line of ``LONGEST`` characters at most, made of its most central sentence."""
    weights = _weights(passage, {n for node in nodes if _is_several(node) for n in _range(node)})
    return [_summary(passage, node, weights) for node in nodes]


def _range(node: Node) -> range:
    return range(node.first_sentence, node.last_sentence + 1)


def _is_several(node: Node) -> bool:
    return node.last_sentence > node.first_sentence


def _weights(passage: Passage, numbers: Iterable[int]) -> dict[int, _Weights]:
    """A unit vector of TF-IDF for each of these sentences; inverse frequencies are among them."""
    text = passage.document.text
    counts = {
        n: Counter(map(str.casefold, terms(text[s.start : s.end]))) for n in numbers for s in [passage.sentences[n]]
    }
    frequency = Counter(term for found in counts.values() for term in found)
    inverse = {term: log(1 + len(counts) / count) for term, count in frequency.items()}
    return {n: _unit({term: count * inverse[term] for term, count in found.items()}) for n, found in counts.items()}


def _unit(weights: _Weights) -> _Weights:
    length = sqrt(sum(weight * weight for weight in weights.values()))
    return {term: weight / length for term, weight in weights.items()}


def _summary(passage: Passage, node: Node, weights: Mapping[int, _Weights]) -> str:
    blocks, text = passage.document.blocks, passage.document.text
    candidates = list(place.sentences(passage, node))
    if _is_several(node):
        prose = [c for c in candidates if blocks[passage.sentences[c[0]].block].kind in _PROSE]
        candidates = [_most_central(prose or candidates, weights)]
    number, left, right = candidates[0] if candidates else (node.first_sentence, node.start, node.end)
    block = blocks[passage.sentences[number].block]
    shown = text[left:right]
    match block.kind:
        case BlockKind.HEADING if block.headings:
            shown = block.headings[-1]
        case BlockKind.TABLE:
            shown = _table((node.prefix if number == node.first_sentence else "") + shown)
        case BlockKind.LIST:
            shown = text[markup.marker_end(text, left, right) : right]
    return line(shown) or line(text[node.start : node.end])


def _most_central(sentences: Sequence[tuple[int, int, int]], weights: Mapping[int, _Weights]) -> tuple[int, int, int]:
    """The sentence nearest to the mean of all; the first of several."""
    mean: dict[str, float] = {}
    for number, _, _ in sentences:
        for term, weight in weights[number].items():
            mean[term] = mean.get(term, 0.0) + weight
    scores = [round(sum(weight * mean[term] for term, weight in weights[n].items()), 9) for n, _, _ in sentences]
    return sentences[scores.index(max(scores))]


def _table(text: str) -> str:
    """A table in a line: its caption, or the names of its columns."""
    known = markup.parts(text, 1)
    return known.caption or ", ".join(cell for cell in known.columns[:_MOST_CELLS] if cell) or text


def line(text: str) -> str:
    """``text`` in one line, cut at a word's end if it is too long."""
    words = " ".join(text[: LONGEST * 5].split())
    if len(words) <= LONGEST:
        return words
    whole, _, rest = words[: LONGEST - 1].rpartition(" ")
    return (whole if len(rest) < LONGEST // 2 else words[: LONGEST - 2]) + " …"
