"""The words of many texts as numbers: without regard to case, without those that mean nothing."""

from __future__ import annotations

import unicodedata
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise

import numpy as np
from numpy.typing import NDArray

from core.enrich import stopwords
from core.enrich.words import terms

MANY = 10
"""From so many classes on, a word that is in more than half of them says nothing."""

_MANY_NODES = 20
_GRAMMAR = 0.15  # of the nodes in a language without a list of stop words
_LONGEST = 40  # letters: longer runs are no words
_BLOCK = 500_000  # words
_Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Texts:
    """A document's nodes: the text and the heading path of each, and the document's language (ISO 639-1 or empty)."""

    doc_id: str
    nodes: Sequence[str]
    headings: Sequence[tuple[str, ...]]
    language: str = ""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Every word's term and node, in order of the nodes; the class of each node; the form each term is shown in.

    ``alphabet`` is each term's place in the order of those forms. ``sizes`` says how many nodes each document has.
    """

    terms: _Ints
    nodes: _Ints
    classes: _Ints
    forms: list[str]
    alphabet: _Ints
    sizes: dict[str, int]

    @property
    def class_count(self) -> int:
        return int(self.classes.max(initial=-1)) + 1

    def blocks(self) -> Iterator[slice]:
        """All words in parts of about ``_BLOCK``, none of which parts a document."""
        if len(self.sizes) == 1:
            yield slice(0, len(self.terms))
            return
        starts = np.flatnonzero(np.diff(self.classes[self.nodes], prepend=-1, append=-1))
        wanted = np.searchsorted(starts, np.arange(0, len(self.terms), _BLOCK))
        for start, end in pairwise([*dict.fromkeys(starts[wanted].tolist()), len(self.terms)]):
            yield slice(start, end)

    def frequency(self, groups: _Ints) -> NDArray[np.int64]:
        """In how many groups of nodes each term is; none of them goes beyond a document. Shape (terms,)."""
        size = len(self.forms)
        found = np.zeros(size, np.int64)
        for part in self.blocks():
            pairs = np.unique(groups[self.nodes[part]] * np.int64(size) + self.terms[part])
            found += np.bincount(pairs % size, minlength=size)
        return found

    def without(self, words: NDArray[np.bool_]) -> Vocabulary:
        """The same without these words."""
        return replace(self, terms=self.terms[~words], nodes=self.nodes[~words])


def read(documents: Iterable[Texts]) -> Vocabulary:
    """The words that may be keywords. A class is a document, or a section if there is one document only."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    words, lengths = array("i"), array("i")
    sizes, languages = dict[str, int](), list[str]()
    headings: Sequence[tuple[str, ...]] = ()
    for document in documents:
        for text in document.nodes:
            found = terms(text)
            words.extend(map(numbers.__getitem__, found))
            lengths.append(len(found))
        sizes[document.doc_id] = len(document.nodes)
        languages += [document.language] * len(document.nodes)
        headings = document.headings
    nodes = np.repeat(np.arange(len(lengths), dtype=np.int32), _ints(lengths))
    classes = _sections(headings) if len(sizes) == 1 else _numbered(sizes.values())
    folded = _Folded(list(numbers), _ints(words))
    whole = Vocabulary(folded.terms[_ints(words)], nodes, classes, folded.forms, folded.alphabet, sizes)
    return _meaningful(whole.without(_stopped(whole, folded, languages)), languages)


def _ints(values: array[int]) -> _Ints:
    return np.frombuffer(values, np.int32) if values else np.empty(0, np.int32)


def _numbered(sizes: Iterable[int]) -> _Ints:
    found = np.fromiter(sizes, np.int32)
    return np.repeat(np.arange(len(found), dtype=np.int32), found)


def _sections(headings: Sequence[tuple[str, ...]]) -> _Ints:
    """A number for each node's section, at the first depth at which there are several."""
    for depth in range(1, max(map(len, headings), default=0) + 1):
        numbers: defaultdict[tuple[str, ...], int] = defaultdict(count().__next__)
        found = [numbers[path[:depth]] for path in headings]
        if len(numbers) > 1:
            return np.array(found, np.int32)
    return np.zeros(len(headings), np.int32)


class _Folded:
    """Written forms brought together: ``terms[form]`` is the number of a term, ``forms[term]`` its commonest form."""

    def __init__(self, written: Sequence[str], words: _Ints) -> None:
        self.numbers: dict[str, int] = {}
        best: list[tuple[int, str]] = []
        terms = list[int]()
        for form, occurs in zip(written, np.bincount(words, minlength=len(written)).tolist(), strict=True):
            term = self.numbers.setdefault(unicodedata.normalize("NFC", form).casefold(), len(self.numbers))
            if term == len(best):
                best.append((-occurs, form))
            else:
                best[term] = min(best[term], (-occurs, form))
            terms.append(term)
        self.terms = np.array(terms, np.int32)
        self.forms = [form for _, form in best]
        self.alphabet = np.empty(len(best), np.int32)
        self.alphabet[sorted(range(len(best)), key=self.forms.__getitem__)] = np.arange(len(best), dtype=np.int32)


def _stopped(whole: Vocabulary, folded: _Folded, languages: Sequence[str]) -> NDArray[np.bool_]:
    """Which words stand in every text of their language, or are too long to be words."""
    rows = {language: row for row, language in enumerate(dict.fromkeys(languages))}
    dropped = np.zeros((len(rows), len(whole.forms)), np.bool_)
    dropped[:, [len(form) > _LONGEST for form in whole.forms]] = True
    for language, row in rows.items():
        known = (folded.numbers.get(word.casefold()) for word in stopwords.of(language))
        dropped[row, [term for term in known if term is not None]] = True
    of_node = np.fromiter(map(rows.__getitem__, languages), np.int32, len(languages))
    return dropped[of_node[whole.nodes], whole.terms]


def _meaningful(whole: Vocabulary, languages: Sequence[str]) -> Vocabulary:
    """The same without words that are in more than half of many classes, or that are likely to be grammar."""
    unlisted = np.array([language not in stopwords.STOP_WORDS for language in languages], np.bool_)
    if np.count_nonzero(unlisted) >= _MANY_NODES:
        foreign = whole.without(~unlisted[whole.nodes])
        often = foreign.frequency(np.arange(len(languages), dtype=np.int32)) > _GRAMMAR * np.count_nonzero(unlisted)
        whole = whole.without(often[whole.terms] & unlisted[whole.nodes])
    if whole.class_count < MANY:
        return whole
    return whole.without((whole.frequency(whole.classes) * 2 > whole.class_count)[whole.terms])
