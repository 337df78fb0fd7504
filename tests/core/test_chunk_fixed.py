"""Nodes of one size: exactly that large, sharing exactly what is said, and never inside a word or an emoji."""

from __future__ import annotations

from itertools import pairwise
from math import ceil

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from core import chunk
from core.chunk import graphemes, words
from core.types import BlockKind
from tests.core import chunk_made as made
from tests.core.chunk_made import Model, sized

INSPECTOR = (
    "The inspector opened the panel, noted the reading, and closed the panel; "
    "afterwards the inspector opened the panel again, compared readings, and signed. "
)
letters = st.text(st.characters(codec="ascii", categories=("Ll", "Nd")), min_size=1, max_size=200)
numbers = st.integers(1, 30).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1)))
prose = st.lists(st.text("abcdefg", min_size=1, max_size=8), min_size=1, max_size=60).map(" ".join)
clusters = st.lists(
    st.sampled_from(
        ["a", "é", "e\u0301", "👩‍🔧", "🇳🇴", "👍🏽", "नि", "한", "好", " ", "\n", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "g\u0308\u0323"]
    ),
    max_size=40,
).map("".join)


@given(letters, numbers)
def test_characters_without_white_space_are_counted_and_shared_exactly(text, numbers):
    size, overlap = numbers
    found = chunk.nodes(made.hard_cut(text), sized(size, overlap))
    assert [(n.start, n.end) for n in found] == [
        (at, min(at + size, len(text))) for at in range(0, max(1, len(text) - overlap), size - overlap)
    ]


@given(prose, numbers)
def test_words_are_counted_and_shared_exactly(text, numbers):
    size, overlap = numbers
    count = text.count(" ") + 1
    found = chunk.nodes(made.passage(text), sized(size, overlap, unit="words"))
    assert len(found) == max(1, ceil((count - overlap) / (size - overlap)))
    said = [text[n.start : n.end].split(" ") for n in found]
    assert all(len(part) == size for part in said[:-1])
    for left, right in pairwise(said):
        assert left[len(left) - overlap :] == right[:overlap] if overlap else True
    assert [word for i, part in enumerate(said) for word in part[overlap if i else 0 :]] == text.split(" ")


@given(prose, numbers)
def test_tokens_are_never_more_than_said_and_no_word_is_cut_that_fits(text, numbers):
    size, overlap = numbers
    passage, model = made.passage(text), Model()
    ends = {found.end() for found in regex.finditer(r"\S+", text)}
    for node in chunk.nodes(passage, sized(size, overlap, unit="tokens"), model):
        said = text[node.start : node.end]
        assert len(model.token_spans(said)) <= size
        if node.end not in ends:
            word = next(found.group() for found in regex.finditer(r"\S+", text) if found.end() > node.end)
            assert len(model.token_spans(word)) > size - overlap


@given(prose, numbers)
def test_tokens_that_are_shared_are_as_many_as_words_allow(text, numbers):
    size, overlap = numbers
    passage, model = made.passage(text), Model()
    for left, right in pairwise(chunk.nodes(passage, sized(size, overlap, unit="tokens"), model)):
        shared = len(model.token_spans(text[right.start : left.end])) if right.start < left.end else 0
        assert shared <= overlap


def test_words_of_the_field_s_case_begin_where_they_should():
    """C02: nothing is searched for, so no copy of a word is taken for another."""
    found = chunk.nodes(made.passage(INSPECTOR * 4), sized(12, 6, unit="words"))
    assert [n.start for n in found] == [0, 38, 73, 115, 157, 195, 237, 275, 320, 357, 394, 437, 480, 514, 557]


@pytest.mark.parametrize("strategy", ["fixed", "recursive"])
def test_repeated_words_keep_their_places(strategy):
    """C01."""
    found = chunk.nodes(made.passage("alarm alarm alarm"), sized(5, 0, strategy))
    assert [(n.start, n.end) for n in found] == [(0, 5), (6, 11), (12, 17)]


@pytest.mark.parametrize("strategy", made.SIZED)
@pytest.mark.parametrize("text", ["Yes. No. " * 20, "系统已经启动。请检查日志！你看到错误了吗？" * 6, "x" * 200])
def test_no_node_exceeds_the_limit_and_all_is_covered(strategy, text):
    """C10."""
    found = chunk.nodes(made.passage(text), sized(60, 0, strategy), Model())
    assert max(n.end - n.start for n in found) <= 60
    assert "".join(text[n.start : n.end].replace(" ", "") for n in found) == text.replace(" ", "")


@given(clusters, numbers)
def test_what_is_read_as_one_character_is_never_cut(text, numbers):
    """C07: for every size and overlap."""
    edges = {0, *(found.end() for found in regex.finditer(r"\X", text))}
    for node in chunk.nodes(made.passage(text), sized(*numbers)):
        assert {node.start, node.end} <= edges


@given(clusters, st.data())
def test_the_boundary_before_a_place_is_the_nearest_one(text, data):
    edges = [0, *(found.end() for found in regex.finditer(r"\X", text))]
    if len(edges) < 2:
        return
    start = data.draw(st.sampled_from(edges[:-1]))
    at = data.draw(st.integers(start + 1, len(text)))
    before = [edge for edge in edges if start < edge <= at]
    assert graphemes.boundary(text, start, at) == (before[-1] if before else min(e for e in edges if e > at))
    assert [0, *graphemes.boundaries(text, 0, len(text))] == edges


def test_a_letter_with_a_thousand_marks_is_cut_all_the_same():
    text = "e" + "\u0301" * 5000
    found = chunk.nodes(made.hard_cut(text), sized(100))
    assert max(n.end - n.start for n in found) <= 1100


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The pump, it ran.", ["The", "pump,", "it", "ran."]),
        ("系统启动。请看「日志」！", ["系", "统", "启", "动。", "请", "看", "「日", "志」！"]),
        ("カタカナ テスト", ["カ", "タ", "カ", "ナ", "テ", "ス", "ト"]),
        ("한국어 문장", ["한국어", "문장"]),
        ("Ver. 2好abc。def（x）", ["Ver.", "2", "好", "abc。", "def", "（x）"]),
        ("a\u3000b\u00a0c\x1fd", ["a", "b", "c", "d"]),
        ("か\u3099き", ["か\u3099", "き"]),
        (" \n", []),
    ],
)
def test_words_stand_between_white_space_and_wide_letters_alone(text, wanted):
    starts = [*words.starts(text).tolist(), len(text)]
    assert [text[a:b].rstrip() for a, b in pairwise(starts)] == wanted


@given(st.one_of(clusters, st.text("ab .1\n，。「」（）好的カー한\u0301\u0600ｱﾞ", max_size=30)), st.data())
def test_words_found_all_at_once_and_one_by_one_are_the_same(text, data):
    starts = words.starts(text).tolist()
    for at in range(1, len(text)):
        low = data.draw(st.integers(1, at))
        first = [s for s in starts if low <= s < at]
        assert words.first_start(text, low, at) == (first[0] if first else at)


def test_a_word_of_many_tokens_is_cut_between_them():
    text = "aaaabbbbccccdddd ee"
    found = chunk.nodes(made.passage(text), sized(3, 0, unit="tokens"), Model())
    assert made.said(made.passage(text), found) == ["aaaabbbbcccc", "dddd ee"]


class Jamo:
    """A tokenizer that takes each Hangul syllable apart, as BERT's does: several tokens lie in one character."""

    def encode(self, texts):
        raise NotImplementedError

    def token_spans(self, text):
        return [(at, at + 1) for at, letter in enumerate(text) if not letter.isspace() for _ in range(3)]


def test_several_tokens_of_one_character_all_count():
    passage = made.passage("한국어 문장")
    found = chunk.nodes(passage, sized(6, 0, unit="tokens"), Jamo())
    assert made.said(passage, found) == ["한국", "어", "문장"]


class Spaced:
    """A tokenizer whose tokens begin with the white space before a word."""

    def encode(self, texts):
        raise NotImplementedError

    def token_spans(self, text):
        return [found.span() for found in regex.finditer(r"\s*\S{1,3}", text)]


def test_the_white_space_before_a_token_belongs_to_none():
    passage = made.passage("abc abcd\n\nab")
    found = chunk.nodes(passage, sized(2, 0, unit="tokens"), Spaced())
    assert made.said(passage, found) == ["abc", "abcd", "ab"]


class Unknowing:
    """A tokenizer that knows no word of more than twenty letters and makes one token of it, as WordPiece does at a hundred."""

    def encode(self, texts):
        raise NotImplementedError

    def token_spans(self, text):
        return [
            span
            for word in regex.finditer(r"\S+", text)
            for span in ([word.span()] if len(word.group()) > 20 else [(at, at + 1) for at in range(*word.span())])
        ]


def test_a_word_that_no_model_reads_is_counted_in_the_parts_it_was_cut_into():
    """Else a text without white space were one token."""
    from core.store.base import Passage
    from core.types import Block, Document, Sentence

    text = "ab " + "x" * 60
    sentences = (Sentence(0, 2, 0), *(Sentence(at, at + 20, 0, True) for at in (3, 23, 43)))
    document = Document("d", "r", "a.txt", "text/plain", text, (Block(BlockKind.PARAGRAPH, 0, 63),))
    found = chunk.nodes(Passage(document, sentences), sized(22, 0, unit="tokens"), Unknowing())
    assert [(n.start, n.end) for n in found] == [(0, 23), (23, 43), (43, 63)]


def test_a_table_is_a_node_of_its_own_and_a_large_one_is_cut_between_rows_with_its_header():
    rows = "\n".join(f"| {n} | value {n} |" for n in range(8))
    header = "| n | v |\n|---|---|\n"
    text = f"Before it.\n\n{header}{rows}\n\nAfter it."
    passage = made.passage(text, "a.md")
    whole = chunk.nodes(passage, sized(500))
    assert made.said(passage, whole) == ["Before it.", header + rows, "After it."]
    parted = chunk.nodes(passage, sized(60))
    parts = [n for n in parted if n.kind is BlockKind.TABLE]
    assert [n.prefix for n in parts] == ["", *[header] * (len(parts) - 1)]
    assert len(parts) > 2
    for node in parts:
        assert text[node.start] == "|"
        assert text[node.end - 1] == "|"
        assert text[node.end : node.end + 1] == "\n"


def test_code_is_cut_between_lines():
    code = "\n".join(f"line_{n} = {n}" for n in range(20))
    passage = made.passage(f"Text.\n\n```\n{code}\n```\n\nMore.", "a.md")
    text = passage.document.text
    parts = [n for n in chunk.nodes(passage, sized(50)) if n.kind is BlockKind.CODE]
    assert len(parts) > 3
    assert all(text[n.end] == "\n" for n in parts)


def test_a_node_that_begins_in_a_list_carries_the_items_it_is_nested_in():
    text = "- Pumps\n  - Seals\n    - check weekly\n  - Oil level\n- Valves"
    passage = made.passage(text, "a.md")
    assert len(passage.sentences) == 1
    found = {text[n.start : n.end]: n.prefix for n in chunk.nodes(passage, sized(2, 0, unit="words"))}
    assert found == {
        "- Pumps": "", "- Seals": "Pumps › ", "- check": "Pumps › Seals › ", "weekly\n  -": "Pumps › Seals › ",
        "Oil level": "Pumps › ", "- Valves": "",
    }  # fmt: skip
