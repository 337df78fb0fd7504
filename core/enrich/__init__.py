"""Fields computed for every node of an index from its text, its place and its vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from core.enrich import central, coherence, formulas, language, place, program, summaries, words
from core.enrich.class_tfidf import keywords
from core.enrich.entities import EntityFinder, finder
from core.enrich.fields import COMPUTED, Computed, EnrichSettings
from core.enrich.vocabulary import Texts
from core.store.base import Passage
from core.types import BlockKind, Node, Value, Vectors

__all__ = ["COMPUTED", "Computed", "EnrichSettings", "EntityFinder", "Texts", "compute", "finder", "keywords"]

_OF_THE_INDEX = frozenset({"keywords", "embedding_model", "strategy"})
_CODE = frozenset({BlockKind.CODE})
_HEADING = frozenset({BlockKind.HEADING})


def compute(
    passage: Passage, nodes: Sequence[Node], vectors: Vectors | None, settings: EnrichSettings, finder: EntityFinder
) -> dict[str, list[Value | None]]:
    """Every field that is not off and no matter of the whole index (keywords, model, strategy), for all nodes of a document.

    One value each, None where unknown. ``vectors`` has a unit row for each node, shape (n, dim), or is None.
    """
    subject = _Subject(passage, nodes, vectors, finder)
    wanted = [field.name for field in COMPUTED if field.name not in settings.off and field.name not in _OF_THE_INDEX]
    return {name: list(_MAKERS[name](subject)) for name in wanted}


class _Subject:
    """A document's nodes, and what several fields look at: their texts, kinds of block and languages."""

    def __init__(self, passage: Passage, nodes: Sequence[Node], vectors: Vectors | None, finder: EntityFinder) -> None:
        self.passage, self.nodes, self.vectors, self.finder = passage, nodes, vectors, finder
        text = passage.document.text
        self.texts = [text[node.start : node.end] for node in nodes]
        self.kinds = place.kinds(passage, nodes)

    @cached_property
    def languages(self) -> list[str | None]:
        return language.of_nodes(self.texts, self.passage.document.reading.language)

    @property
    def known(self) -> Iterator[tuple[Node, str, frozenset[BlockKind]]]:
        """Each node with its text and the kinds of block it lies in."""
        return zip(self.nodes, self.texts, self.kinds, strict=True)


def _contains_math(subject: _Subject) -> list[bool]:
    return [
        formulas.has_math(place.outside_code(subject.passage, node) if BlockKind.CODE in kinds else text)
        for node, text, kinds in subject.known
    ]


def _entities(subject: _Subject) -> list[tuple[str, ...] | None]:
    """None for code: its capitals are no names."""
    found: list[tuple[str, ...] | None] = [None] * len(subject.nodes)
    by_language: dict[str, list[int]] = {}
    for number, (kinds, code) in enumerate(zip(subject.kinds, subject.languages, strict=True)):
        if kinds != _CODE:
            by_language.setdefault(code or "", []).append(number)
    for code, numbers in by_language.items():
        names = subject.finder([subject.texts[number] for number in numbers], code)
        for number, entities in zip(numbers, names, strict=True):
            found[number] = entities
    return found


def _heading(subject: _Subject, depth: int) -> list[str | None]:
    return [(node.headings[depth] or None) if len(node.headings) > depth else None for node in subject.nodes]


_MAKERS: Mapping[str, Callable[[_Subject], Sequence[Value | None]]] = {
    "section": lambda s: _heading(s, 0),
    "subsection": lambda s: _heading(s, 1),
    "section_level": lambda s: [len(node.headings) for node in s.nodes],
    "content_type": lambda s: list(map(place.content_type, s.kinds)),
    "contains_code": lambda s: [BlockKind.CODE in kinds or program.has_code(text) for _, text, kinds in s.known],
    "contains_math": _contains_math,
    "is_summary": lambda s: [
        kinds != _HEADING and summaries.is_summary(text, node.headings) for node, text, kinds in s.known
    ],
    "words": lambda s: list(map(words.count, s.texts)),
    "entities": _entities,
    "language": lambda s: s.languages,
    "is_complete": lambda s: [place.is_complete(s.passage, node) for node in s.nodes],
    "coherence": lambda s: coherence.of_nodes(s.vectors, len(s.nodes)),
    "summary": lambda s: central.summaries(s.passage, s.nodes),
    "is_first": lambda s: [number == 0 for number in range(len(s.nodes))],
    "is_last": lambda s: [number == len(s.nodes) - 1 for number in range(len(s.nodes))],
}
