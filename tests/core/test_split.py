"""Sentences are spans of the text: none lost, none altered, none found by searching."""

from __future__ import annotations

import sys
import time

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core import split
from core.abbreviations import ABBREVIATIONS
from core.errors import InvalidSetting
from core.settings import LONGEST_ABBREVIATION, MOST_ABBREVIATIONS, Engine, SplitSettings
from core.types import Block, BlockKind, Document, Reading
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


def test_headings_and_short_tables_lists_and_code_are_one_sentence_each():
    text = "# Yes. No.\n\n| a. b. | c |\n|---|---|\n| x. Y. | z |\n\n```\nrun. Stop.\n```\n\n- One. Two.\n- Three\n"
    assert said(text, "a.md") == [
        "# Yes. No.",
        "| a. b. | c |\n|---|---|\n| x. Y. | z |",
        "```\nrun. Stop.\n```",
        "- One. Two.\n- Three",
    ]


def test_eighty_thousand_spaces_are_split_in_under_a_second():
    start = time.perf_counter()
    assert said(" " * 80_000 + "one two three") == ["one two three"]
    assert time.perf_counter() - start < 1


def blocks_of(kind: BlockKind, text: str, language: str = "") -> Document:
    """``text`` as one block of ``kind``, without the white space at its ends."""
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    blocks = (Block(kind, start, end),) if start < end else ()
    return Document("d", "r", "a", "text/plain", text, blocks, Reading(language=language))


@pytest.mark.parametrize("engine", list(Engine))
@pytest.mark.parametrize("kind", list(BlockKind))
@settings(max_examples=60)
@given(text=st.one_of(texts.hard, texts.noise, st.text()), language=st.sampled_from(["", "en", "de", "zh", "tr"]))
def test_sentences_of_every_kind_of_block_tile_it_with_either_engine(kind, engine, text, language):
    document = blocks_of(kind, text, language)
    found = split.sentences(document, SplitSettings(engine))
    texts.assert_tiles(text, found)
    assert found == split.sentences(document, SplitSettings(engine))


@given(st.one_of(texts.hard, st.text()))
def test_no_sentence_of_prose_is_punctuation_alone_unless_its_block_is(text):
    document = blocks_of(BlockKind.PARAGRAPH, text)
    said = [text[s.start : s.end] for s in split.sentences(document)]
    if any(c.isalnum() for c in text):
        assert all(any(c.isalnum() for c in sentence) for sentence in said)


@given(st.one_of(texts.hard, st.text(alphabet="aé.!。\u0301\u200d👩🇳🇴 \ufe0f", max_size=40)))
def test_no_sentence_begins_or_ends_inside_a_grapheme_cluster(text):
    inside = {at for cluster in regex.finditer(r"\X", text) for at in range(cluster.start() + 1, cluster.end())}
    # White space with a mark on it is a cluster too; white space is never part of a sentence's ends.
    inside -= {at for at in inside if text[at - 1].isspace()}
    found = split.sentences(blocks_of(BlockKind.PARAGRAPH, text))
    assert not inside & {at for s in found[1:] for at in (s.start,)}
    assert not inside & {s.end for s in found}


def test_the_splitter_has_a_name_for_each_language_and_engine():
    assert split.describe(SplitSettings(), "en") == split.describe(SplitSettings(), "") == split.SPLITTER
    assert split.SPLITTER == "NLTK Punkt (English)"
    assert split.describe(SplitSettings(), "de") == "NLTK Punkt (German)"
    assert split.describe(SplitSettings(), "ja") == "NLTK Punkt (English)"
    assert split.describe(SplitSettings(Engine.NUPUNKT), "de") == "nupunkt"


def test_settings_keep_entries_without_their_stop_and_only_once():
    settings = SplitSettings("punkt", (" Dr. ", "Dr", "e.g."))
    assert settings.abbreviations == ("Dr", "e.g")
    assert settings.engine is Engine.PUNKT
    assert SplitSettings.from_json(settings.to_json()) == settings
    assert SplitSettings.from_json(SplitSettings().to_json()) == SplitSettings()


@pytest.mark.parametrize(
    "abbreviations",
    [("",), (" ",), (".",), ("et al",), ("x" * (LONGEST_ABBREVIATION + 1),), "Dr", (3,),
     tuple(f"a{n}" for n in range(MOST_ABBREVIATIONS + 1))],
)  # fmt: skip
def test_what_is_no_list_of_words_is_refused(abbreviations):
    with pytest.raises(InvalidSetting):
        SplitSettings(Engine.PUNKT, abbreviations)


@pytest.mark.parametrize(
    "kept", ["", "{}", "[]", "3", '{"engine": "magic", "abbreviations": []}', '{"engine": "punkt", "abbreviations": 3}']
)
def test_settings_that_cannot_be_read_are_refused(kept):
    with pytest.raises(InvalidSetting):
        SplitSettings.from_json(kept)


def test_an_engine_that_is_not_installed_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "nupunkt.models", None)
    lonely = SplitSettings(Engine.NUPUNKT, (*ABBREVIATIONS, "lonely"))
    with pytest.raises(InvalidSetting, match=r"pip install 'chunkscope\[nupunkt\]'"):
        split.sentences(blocks_of(BlockKind.PARAGRAPH, "One. Two."), lonely)


def test_settings_hold_for_their_own_call_alone():
    document = blocks_of(BlockKind.PARAGRAPH, "We met Dr. Smith there.")
    bare = SplitSettings(abbreviations=())
    assert [len(split.sentences(document, s)) for s in (SplitSettings(), bare, SplitSettings())] == [1, 2, 1]
