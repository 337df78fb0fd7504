"""Class-based TF-IDF: the formula, its classes, its words, in any language."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import enrich
from core.enrich import Texts, stopwords, vocabulary
from tests import texts

WORDS = [
    "valve",
    "pump",
    "seal",
    "pressure",
    "bolt",
    "gasket",
    "hose",
    "Filter",
    "the",
    "and",
    "ox",
    "tank",
    "ring",
    "crank",
]
node = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
document = st.lists(node, min_size=1, max_size=6)


def plain(documents: Sequence[Sequence[str]], language: str = "en") -> list[Texts]:
    return [Texts(f"d{n}", nodes, [()] * len(nodes), language) for n, nodes in enumerate(documents)]


def reference(documents: Sequence[Sequence[str]], classes: Sequence[Sequence[int]]) -> list[list[tuple[str, ...]]]:
    """The formula with a dense matrix, for words in small letters of fewer than ten classes."""
    stop = stopwords.of("en")
    terms = sorted({w for nodes in documents for text in nodes for w in re.findall("[a-z]{3,}", text)} - stop)
    column = {term: at for at, term in enumerate(terms)}
    counts = np.zeros((max((c for row in classes for c in row), default=0) + 1, max(1, len(terms))))
    for nodes, row in zip(documents, classes, strict=True):
        for text, number in zip(nodes, row, strict=True):
            for word in re.findall("[a-z]{3,}", text):
                if word in column:
                    counts[number, column[word]] += 1
    average = counts.sum() / len(counts)
    frequency = counts.sum(axis=0)
    weights = counts * np.log(1 + average / np.where(frequency, frequency, 1))
    found = []
    for nodes, row in zip(documents, classes, strict=True):
        ranked = []
        for text, number in zip(nodes, row, strict=True):
            mine = sorted(set(re.findall("[a-z]{3,}", text)) & set(terms))
            ranked.append(tuple(sorted(mine, key=lambda w, c=number: (-round(weights[c, column[w]], 9), w))[:5]))
        found.append(ranked)
    return found


@given(st.lists(document, min_size=2, max_size=8))
def test_keywords_agree_with_the_formula_taken_word_for_word(documents):
    small = [[text.lower() for text in nodes] for nodes in documents]
    found = enrich.keywords(plain(small))
    expected = reference(small, [[n] * len(nodes) for n, nodes in enumerate(small)])
    assert [found[f"d{n}"] for n in range(len(small))] == expected


@given(st.lists(st.tuples(node, st.integers(0, 4)), min_size=1, max_size=20))
def test_the_classes_of_a_single_document_are_its_sections(parts):
    nodes, sections = [text.lower() for text, _ in parts], [number for _, number in parts]
    numbers = {section: n for n, section in enumerate(dict.fromkeys(sections))}
    one = Texts("d", nodes, [("Title", f"Section {number}") for number in sections], "en")
    assert enrich.keywords([one])["d"] == reference([nodes], [[numbers[number] for number in sections]])[0]


def test_what_is_frequent_in_a_document_and_rare_elsewhere_comes_first():
    documents = [["The pump has a seal. Pump pump.", "A seal is a seal."], ["The boat has a seal.", "Boats float."]]
    found = enrich.keywords(plain(documents))
    assert found["d0"][0] == ("pump", "seal")
    assert found["d1"][0] == ("boat", "seal")


def test_words_without_meaning_are_none():
    assert enrich.keywords(plain([["There is nothing about it."], ["Es ist nicht mehr."]]))["d0"] == [()]
    german = enrich.keywords(plain([["Die Pumpe und die Dichtung sind außer Betrieb."]], "de"))
    assert german["d0"] == [("Betrieb", "Dichtung", "Pumpe")]


def test_a_word_in_more_than_half_of_many_documents_says_nothing():
    documents = [[f"Der und {chr(97 + n) * 4} {'pumpe' if n < 3 else 'boot'}"] for n in range(vocabulary.MANY)]
    found = enrich.keywords(plain(documents, "xx"))
    assert found["d0"] == [("aaaa", "pumpe")]
    assert enrich.keywords(plain(documents[:4], "xx"))["d0"] == [("aaaa", "pumpe", "Der", "und")]


def test_grammar_of_a_language_without_a_list_is_told_by_how_often_it_stands():
    rng = random.Random(1)
    names = ["pumpen", "ventilen", "tanken", "slangen", "motorn", "filtret", "tryck", "olja", "vatten", "packning"]
    nodes = [f"Det {rng.choice(names)} och {rng.choice(names)} som {rng.choice(names)} är." for _ in range(60)]
    many = enrich.keywords(plain([nodes[:30], nodes[30:]], "sv"))
    assert not {word for words in many["d0"] + many["d1"] for word in words} & {"Det", "och", "som", "är"}


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("Насос и клапан.", "ru", ("Насос", "клапан")),
        ("पानी का वाल्व", "hi", ("पानी", "वाल्व")),
        ("阀门压力", "zh", ("压力", "门压", "阀门")),
        ("データはサーバーにあります", "ja", ("サーバー", "データ")),
        ("밸브와 압력", "ko", ("밸브와", "압력")),
        ("Cafe\u0301 Café CAFÉ", "en", ("CAFÉ",)),
        ("Valve valve VALVE valve", "en", ("valve",)),
        ("x" * 41, "en", ()),
        ("a bc 123 4567", "en", ()),
    ],
)  # fmt: skip
def test_words_of_any_script_are_counted_without_case_and_shown_as_written_most(text, language, words):
    assert enrich.keywords(plain([[text]], language))["d0"] == [words]


def test_ties_are_in_the_order_of_the_alphabet():
    assert enrich.keywords(plain([["zinc iron lead copper brass steel"]]))["d0"] == [
        ("brass", "copper", "iron", "lead", "steel")
    ]


@given(st.lists(st.lists(texts.hard, max_size=4), max_size=5), st.sampled_from(["", "en", "de", "zh"]))
def test_every_node_of_every_document_has_keywords_of_its_own(documents, language):
    found = enrich.keywords(plain(documents, language))
    assert list(found) == [f"d{n}" for n in range(len(documents))]
    for nodes, ranked in zip(documents, found.values(), strict=True):
        assert len(ranked) == len(nodes)
        for text, words in zip(nodes, ranked, strict=True):
            assert len(words) <= 5
            assert len(set(words)) == len(words)
            assert all(_fold(word) in _fold(text) for word in words)
    assert found == enrich.keywords(iter(plain(documents, language)))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


@given(st.lists(document, min_size=2, max_size=9), st.integers(1, 12))
def test_the_answer_is_the_same_however_the_words_are_parted_for_sorting(documents, block):
    whole = enrich.keywords(plain(documents))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vocabulary, "_BLOCK", block)
        assert enrich.keywords(plain(documents)) == whole


def test_no_documents_have_no_keywords():
    assert enrich.keywords([]) == {}
    assert enrich.keywords(plain([[]])) == {"d0": []}
