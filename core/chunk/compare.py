"""Two settings side by side: what the nodes of each are like, and which boundaries moved from one to the other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from core.chunk.sentence_window import window as window_of
from core.store.base import Passage
from core.types import Block, BlockKind, Node, Span

EDGES = (0, 10, 20, 40, 80, 160, 320, 640, 1280)
"""Where the classes of a histogram begin; the last has no end. The same for all, so that two can be compared."""

TINY = 10


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many tokens the members of a group have: ``counts[i]`` of them from ``EDGES[i]`` to below the next."""

    counts: tuple[int, ...]
    least: int
    median: float
    mean: float
    most: int


@dataclass(frozen=True, slots=True)
class Boundaries:
    """How sound the boundaries are: shares from 0 to 1, and how many tables and code blocks there are and are cut.

    ``whole`` nodes begin and end where sentences do. A block is cut if no node holds all of it.
    """

    whole: float
    tables: int
    tables_cut: int
    code: int
    code_cut: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a document's nodes are like. ``tiny`` and ``truncated`` are shares of the nodes, from 0 to 1.

    Tiny nodes have fewer than ``TINY`` tokens of text, truncated ones more than the model reads. ``redundancy`` is the
    tokens of all windows, one after the other, by those of the text they cover: 1 if no two share any.
    """

    nodes: int
    node_tokens: Histogram
    window_tokens: Histogram
    tiny: float
    truncated: float
    redundancy: float
    boundaries: Boundaries


def statistics(
    passage: Passage,
    nodes: Sequence[Node],
    tokens: Sequence[int],
    sentence_tokens: Sequence[int],
    *,
    window: int,
    max_tokens: int,
) -> Statistics:
    """The statistics of ``nodes`` returned in windows of ``window`` sentences a side.

    ``tokens`` are what the model reads for each node, its special tokens included; ``sentence_tokens`` are those of each
    sentence, without. Nodes and windows are added up from sentences, and a part of one counts by its share of
    characters: nothing is tokenised here.
    """
    scale = Scale(passage, sentence_tokens)
    windows = [window_of(node, passage.sentences, window) for node in nodes]
    own = [scale.tokens(Span(node.start, node.end)) for node in nodes]
    returned = [scale.tokens(span) for span in windows]
    count = max(1, len(nodes))
    distinct = sum(scale.tokens(span) for span in _union(windows))
    return Statistics(
        len(nodes),
        histogram([round(found) for found in own]),
        histogram([round(found) for found in returned]),
        sum(round(found) < TINY for found in own) / count,
        sum(found > max_tokens for found in tokens) / count,
        sum(returned) / distinct if distinct else 1.0,
        boundaries(passage, nodes),
    )


class Scale:
    """Tokens along a text, from those of its sentences; inside a sentence they are spread evenly."""

    def __init__(self, passage: Passage, sentence_tokens: Sequence[int]) -> None:
        self._starts = [sentence.start for sentence in passage.sentences]
        self._ends = [sentence.end for sentence in passage.sentences]
        self._sums = list(accumulate(sentence_tokens, initial=0))

    def tokens(self, span: Span) -> float:
        """The tokens of a span: exact if it begins and ends where sentences do."""
        return self._upto(span.end) - self._upto(span.start)

    def _upto(self, place: int) -> float:
        number = bisect_right(self._starts, place) - 1
        if number < 0:
            return 0.0
        start, end = self._starts[number], self._ends[number]
        before, upto = self._sums[number], self._sums[number + 1]
        return upto if place >= end else before + (upto - before) * (place - start) / (end - start)


def _union(spans: Sequence[Span]) -> list[Span]:
    """The same text, each character once; ``spans`` are in order of their starts."""
    found: list[Span] = []
    for span in spans:
        if found and span.start < found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def histogram(counts: Sequence[int]) -> Histogram:
    """A group by its numbers of tokens."""
    if not counts:
        return Histogram((0,) * len(EDGES), 0, 0.0, 0.0, 0)
    ordered = sorted(counts)
    ends = [*(bisect_left(ordered, edge) for edge in EDGES[1:]), len(ordered)]
    classes = tuple(end - start for start, end in zip([0, *ends], ends, strict=False))
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    return Histogram(classes, ordered[0], middle, sum(ordered) / len(ordered), ordered[-1])


def boundaries(passage: Passage, nodes: Sequence[Node]) -> Boundaries:
    """How sound the boundaries of ``nodes`` are. A program has no code blocks: it is to be cut."""
    blocks = passage.document.blocks
    whole = sum(_begins(passage, node) and _ends(passage, node) for node in nodes)
    is_program = all(block.kind is BlockKind.CODE for block in blocks)
    tables = [block for block in blocks if block.kind is BlockKind.TABLE]
    code = [] if is_program else [block for block in blocks if block.kind is BlockKind.CODE]
    starts, text = [node.start for node in nodes], passage.document.text
    return Boundaries(
        whole / len(nodes) if nodes else 1.0,
        len(tables),
        sum(not _is_held(nodes, starts, block, text) for block in tables),
        len(code),
        sum(not _is_held(nodes, starts, block, text) for block in code),
    )


def _begins(passage: Passage, node: Node) -> bool:
    first = passage.sentences[node.first_sentence]
    before = passage.sentences[node.first_sentence - 1] if node.first_sentence else None
    torn = before is not None and before.hard and before.block == first.block
    return node.start == first.start and not torn


def _ends(passage: Passage, node: Node) -> bool:
    last = passage.sentences[node.last_sentence]
    return node.end == last.end and not last.hard


def _is_held(nodes: Sequence[Node], starts: Sequence[int], block: Block, text: str) -> bool:
    """Whether a node holds all of a block but white space at its ends."""
    piece = text[block.start : block.end]
    start, end = block.start + len(piece) - len(piece.lstrip()), block.start + len(piece.rstrip())
    at = bisect_right(starts, start) - 1
    return at >= 0 and nodes[at].end >= end


@dataclass(frozen=True, slots=True)
class Difference:
    """What became of the nodes of A in B, by ordinals.

    ``kept`` nodes have both boundaries in common with one of B. ``moved`` ones have one, the other is elsewhere: first
    those that begin alike are paired, of the rest those that end alike. ``gone`` and ``born`` are all others, of A and
    of B: so where a node was parted one half is moved and one is born, where two were joined one is moved, one gone.
    ``cuts_kept``, ``cuts_gone`` and ``cuts_born`` are the places where nodes begin or end, in both, in A, in B alone.
    """

    kept: tuple[tuple[int, int], ...]
    moved: tuple[tuple[int, int], ...]
    gone: tuple[int, ...]
    born: tuple[int, ...]
    cuts_kept: tuple[int, ...]
    cuts_gone: tuple[int, ...]
    cuts_born: tuple[int, ...]


def difference(a: Sequence[Node], b: Sequence[Node]) -> Difference:
    """What changes from the nodes ``a`` of a document to the nodes ``b`` of the same, in linear time."""
    spans = {(node.start, node.end): number for number, node in enumerate(a)}
    kept = [(spans[span], number) for number, node in enumerate(b) if (span := (node.start, node.end)) in spans]
    moved: list[tuple[int, int]] = []
    left_a, left_b = _left(a, b, kept)
    for edge in ("start", "end"):
        places = {getattr(a[number], edge): number for number in left_a}
        pairs = [(places[place], number) for number in left_b if (place := getattr(b[number], edge)) in places]
        moved += pairs
        taken_a, taken_b = {pair[0] for pair in pairs}, {pair[1] for pair in pairs}
        left_a = [number for number in left_a if number not in taken_a]
        left_b = [number for number in left_b if number not in taken_b]
    cuts_a, cuts_b = _cuts(a), _cuts(b)
    return Difference(
        tuple(kept), tuple(sorted(moved, key=lambda pair: pair[1])), tuple(left_a), tuple(left_b),
        tuple(sorted(cuts_a & cuts_b)), tuple(sorted(cuts_a - cuts_b)), tuple(sorted(cuts_b - cuts_a)),
    )  # fmt: skip


def _left(a: Sequence[Node], b: Sequence[Node], kept: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    of_a, of_b = {pair[0] for pair in kept}, {pair[1] for pair in kept}
    return [n for n in range(len(a)) if n not in of_a], [n for n in range(len(b)) if n not in of_b]


def _cuts(nodes: Sequence[Node]) -> set[int]:
    return {place for node in nodes for place in (node.start, node.end)}
