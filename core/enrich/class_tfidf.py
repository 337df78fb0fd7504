"""Keywords by class-based TF-IDF: words that are frequent in a class and rare in the others.

The weight of term t in class c is tf(t, c) · log(1 + A / f(t)): f is how often t occurs in all classes, A how many words a
class has on average (Grootendorst, "BERTopic", 2022, section 3.3). Words that mean nothing are left out of all counts.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from core.enrich import vocabulary
from core.enrich.vocabulary import Texts, Vocabulary

MOST = 5
_DIGITS = 9  # beyond them weights are equal


def keywords(documents: Iterable[Texts]) -> dict[str, list[tuple[str, ...]]]:
    """Up to ``MOST`` keywords for each node of each document, the weightiest first; ties in the order of the alphabet.

    Each document is a class; if there is one only, its sections are, at the first level that has several. Words are
    counted without regard to case and given in the form that is commonest in all. ``documents`` is gone through once;
    its texts are not kept.
    """
    words = vocabulary.read(documents)
    found: list[list[str]] = [[] for _ in words.classes]
    occurs = np.bincount(words.terms, minlength=len(words.forms))
    inverse = np.log1p(len(words.terms) / max(1, words.class_count) / np.maximum(occurs, 1))
    for part in words.blocks():
        for node, term in zip(*_weightiest(words, part, inverse), strict=True):
            found[node].append(words.forms[term])
    nodes = map(tuple, found)
    return {doc_id: [next(nodes) for _ in range(size)] for doc_id, size in words.sizes.items()}


def _weightiest(words: Vocabulary, part: slice, inverse: NDArray[np.float64]) -> tuple[list[int], list[int]]:
    """The nodes of these words and the terms that weigh most in each, in that order."""
    size = np.int64(max(1, len(words.forms)))
    nodes, terms = words.nodes[part], words.terms[part]
    pairs, frequency = np.unique(words.classes[nodes] * size + terms, return_counts=True)
    node, term = np.divmod(np.unique(nodes * size + terms), size)
    in_class = frequency[np.searchsorted(pairs, words.classes[node] * size + term)]
    weight = np.round(in_class * inverse[term], _DIGITS)
    order = np.lexsort((words.alphabet[term], -weight, node))
    node, term = node[order], term[order]
    first = np.arange(len(node)) - np.searchsorted(node, node) < MOST
    return node[first].tolist(), term[first].tolist()
