"""Where a model's tokens lie: code points of the text, whatever it is written in."""

from __future__ import annotations

import numpy as np
import pytest

from core import chunk, embed
from core.embed import TransformersEncoder
from core.errors import ModelUnavailable
from tests.core import chunk_made as made
from tests.core.chunk_made import sized

HARD = "Dr. Li 👩‍🔧 flew the 🇳🇴 flag: café\u0301s, naïve İstanbul, 会议三点。カタカナ 한국어 שלום \u200b\x00 end."


@pytest.fixture(scope="module")
def bundled():
    return embed.encoder()


@pytest.fixture(scope="module")
def folder():
    return TransformersEncoder(str(embed._bundled_folder()))


def test_spans_are_those_of_the_tokenizer_for_the_whole_text(bundled, monkeypatch):
    monkeypatch.setattr(embed, "_PART", 40)
    monkeypatch.setattr(embed, "_PARTS_AT_ONCE", 3)
    for text in (HARD, HARD * 30, "x" * 5000, " \n " * 100 + "a", "", " "):
        whole = bundled._tokenizer.encode(text, add_special_tokens=False).offsets
        np.testing.assert_array_equal(bundled.token_spans(text), np.array(whole, int).reshape(-1, 2))


def test_spans_slice_to_the_words_after_emoji_and_wide_letters(bundled):
    spans = bundled.token_spans(HARD).tolist()
    pieces = [HARD[start:end] for start, end in spans]
    assert pieces[:3] == ["Dr", ".", "Li"]
    assert "flew" in pieces
    assert "会" in pieces
    assert pieces[-2:] == ["end", "."]
    assert len(spans) == bundled.count_tokens([HARD])[0] - 2


def test_a_model_of_any_folder_says_the_same(bundled, folder):
    np.testing.assert_array_equal(folder.token_spans(HARD * 3), bundled.token_spans(HARD * 3))


def test_a_tokenizer_that_cannot_tell_is_named(folder, monkeypatch):
    slow = type("Slow", (), {"is_fast": False})()
    monkeypatch.setattr(type(folder._model), "tokenizer", property(lambda _: slow), raising=False)
    with pytest.raises(ModelUnavailable, match="characters or words"):
        folder.token_spans("text")


@pytest.mark.parametrize("strategy", ["fixed", "recursive", "structure"])
@pytest.mark.parametrize("size", [8, 30])
def test_no_node_has_more_word_pieces_than_said(bundled, strategy, size):
    passage = made.passage(f"{HARD}\n\n{HARD} And on it goes, unbelievably.\n\nShort." * 3)
    found = chunk.nodes(passage, sized(size, size // 4, strategy, "tokens"), bundled)
    counts = bundled.count_tokens(made.said(passage, found))
    assert max(counts) - 2 <= size
    assert len(found) > 3
