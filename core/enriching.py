"""What is computed for the nodes of an index: as documents come in, and again when the settings or the corpus change."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core import enrich
from core.enrich import EnrichSettings
from core.filters import EVERYTHING
from core.progress import Part
from core.store.base import Computed, NodeKeys, Passage, Store, usable
from core.types import Index, Node, Progress, Value, Vectors

_BATCH = 4096  # nodes whose fields are written together
_KEYWORDS = "keywords"


@dataclass(frozen=True, slots=True)
class Enricher:
    """Computes the fields of nodes that are switched on; the others are null."""

    store: Store
    settings: EnrichSettings

    def check(self) -> None:
        """See that what finds entities is there.

        Raises:
            MissingExtra: a spaCy model that is not installed.
        """
        enrich.finder(self.settings.entity_model)

    def of(self, index: Index, passage: Passage, nodes: Sequence[Node], vectors: Vectors) -> Computed:
        """Every field of one document's nodes but keywords, which hang on all documents: see ``keywords``.

        One value per node, None for one whose vector cannot be compared: it is not stored.
        """
        finder = enrich.finder(self.settings.entity_model if "entities" not in self.settings.off else "")
        kept = np.flatnonzero(usable(vectors)).tolist()
        told = enrich.compute(passage, [nodes[i] for i in kept], vectors[kept], self.settings, finder)
        constant = {"embedding_model": index.model.name, "strategy": index.settings.name}
        told |= {name: [value] * len(kept) for name, value in constant.items() if name not in self.settings.off}
        return _by_ordinal(told, kept, len(nodes))

    def again(self, index: Index, progress: Progress) -> None:
        """Compute every field of an index again; what is off becomes null.

        Documents that wait to be indexed again are found as they were till then, so they are among these.
        """
        documents = list(dict.fromkeys(self.store.keys(index, EVERYTHING).doc_ids))
        waiting: dict[str, Computed] = {}
        for position, doc_id in enumerate(documents):
            progress(position, len(documents), "Computing fields")
            held = self.store.embedded(index, doc_id)
            told = self.of(index, self.store.passage(doc_id), held.nodes, held.vectors)
            nothing: list[Value | None] = [None] * len(held.nodes)
            ordinals = [node.ordinal for node in held.nodes]
            columns = {**{field.name: nothing for field in enrich.COMPUTED}, **told}
            waiting[doc_id] = _by_ordinal(columns, ordinals, ordinals[-1] + 1)
            if sum(len(columns[_KEYWORDS]) for columns in waiting.values()) >= _BATCH:
                self.store.set_computed(index, waiting)
                waiting = {}
        self.store.set_computed(index, waiting)
        self.keywords(index, Part(progress, len(documents), 1, len(documents) + 1))

    def keywords(self, index: Index, progress: Progress) -> None:
        """Find the keywords of every node of an index among those of all its documents; only what changed is written."""
        if _KEYWORDS in self.settings.off:
            return
        progress(0, 1, "Finding keywords")
        keys = self.store.keys(index, EVERYTHING)
        ordinals: dict[str, list[int]] = {}
        for doc_id, ordinal in zip(keys.doc_ids, keys.ordinals.tolist(), strict=True):
            ordinals.setdefault(doc_id, []).append(ordinal)
        found = enrich.keywords(self._texts(keys))
        held = self.store.computed_field(index, _KEYWORDS)
        changed: dict[str, Computed] = {
            doc_id: _by_ordinal({_KEYWORDS: column}, ordinals[doc_id], ordinals[doc_id][-1] + 1)
            for doc_id, column in found.items()
            if held.get(doc_id) != column
        }
        self.store.set_computed(index, changed)

    def _texts(self, keys: NodeKeys) -> Iterator[enrich.Texts]:
        """The nodes of every document; their headings where there is one document only."""
        spans: dict[str, list[tuple[int, int]]] = {}
        for doc_id, start, end in zip(keys.doc_ids, keys.starts.tolist(), keys.ends.tolist(), strict=True):
            spans.setdefault(doc_id, []).append((start, end))
        for doc_id, mine in spans.items():
            passage = self.store.passage(doc_id)
            text, language = passage.document.text, passage.document.reading.language
            headings: list[tuple[str, ...]] = [()] * len(mine)
            if len(spans) == 1:
                headings = _headings(passage, [start for start, _ in mine])
            yield enrich.Texts(doc_id, [text[start:end] for start, end in mine], headings, language)


def _headings(passage: Passage, places: Sequence[int]) -> list[tuple[str, ...]]:
    """The headings above each place in a text."""
    ends = [sentence.end for sentence in passage.sentences]
    of = (passage.sentences[min(bisect_right(ends, place), len(ends) - 1)].block for place in places)
    return [passage.document.blocks[block].headings for block in of]


def _by_ordinal(columns: Computed, ordinals: Sequence[int], size: int) -> Computed:
    """Columns with a value for each of ``ordinals`` as columns of ``size``: the store numbers refused nodes, too."""
    if len(ordinals) == size:
        return columns
    found: dict[str, Sequence[Value | None]] = {}
    for name, column in columns.items():
        by_ordinal = dict(zip(ordinals, column, strict=True))
        found[name] = [by_ordinal.get(i) for i in range(size)]
    return found
