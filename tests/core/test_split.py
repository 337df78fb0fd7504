"""Sentences are spans of the text: none lost, none altered, none found by searching."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings

from core import split
from tests import texts


def said(text: str, name: str = "a.txt") -> list[str]:
    document = texts.document(text, name)
    return [document.text[s.start : s.end] for s in split.sentences(document)]


@settings(max_examples=150)
@given(texts.hard)
@example("")
@example(" \n\t ")
@example("a\r\n\r\nb")
def test_sentences_of_plain_text_tile_every_character_that_is_no_white_space(text):
    document = texts.document(text)
    texts.assert_tiles(document.text, split.sentences(document))


@settings(max_examples=150)
@given(texts.noise)
@example("    indented code\n    more")
@example("   # Title\n\ntext")
@example("  | a | b |\n  |---|---|\n  | 1 | 2 |")
@example("- a\n  - b. c.\n- d")
def test_sentences_of_markdown_tile_every_character_that_is_no_white_space(text):
    document = texts.document(text, "a.md")
    texts.assert_tiles(document.text, split.sentences(document))


@given(texts.hard)
def test_every_sentence_lies_in_the_block_it_names(text):
    document = texts.document(text)
    for sentence in split.sentences(document):
        block = document.blocks[sentence.block]
        assert block.start <= sentence.start < sentence.end <= block.end


@given(texts.hard)
def test_splitting_twice_gives_the_same(text):
    document = texts.document(text)
    assert split.sentences(document) == split.sentences(document)


def test_sentences_end_where_a_reader_would_end_them():
    assert said("Dr. Li left. She met Mr. Ek at 5 p.m. today. Fig. 3 shows it!  Why?") == [
        "Dr. Li left.",
        "She met Mr. Ek at 5 p.m. today.",
        "Fig. 3 shows it!",
        "Why?",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Use a short probe, e.g. Kelvin type, or i.e. Something similar, when the line is live.",
        "As shown by Marlow et al. the drift is small.",
        "See fig. 4 and eq. 2 resp. the table.",
    ],
)
def test_an_abbreviation_does_not_end_a_sentence(text):
    assert said(text) == [text]


def test_a_blank_line_ends_a_sentence_that_has_no_stop():
    assert said("A title without a stop\n\nThe text. More.") == ["A title without a stop", "The text.", "More."]


def test_headings_tables_and_code_are_one_sentence_each_and_list_items_are_cut():
    text = "# Yes. No.\n\n| a. b. | c |\n|---|---|\n| x. Y. | z |\n\n```\nrun. Stop.\n```\n\n- One. Two.\n- Three\n"
    assert said(text, "a.md") == [
        "# Yes. No.",
        "| a. b. | c |\n|---|---|\n| x. Y. | z |",
        "```\nrun. Stop.\n```",
        "- One.",
        "Two.",
        "- Three",
    ]


def test_eighty_thousand_spaces_are_split_in_under_a_second():
    start = time.perf_counter()
    assert said(" " * 80_000 + "one two three") == ["one two three"]
    assert time.perf_counter() - start < 1
