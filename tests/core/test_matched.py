"""Words that a question and a text share are found whole, in any case, at their place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.matched import spans, words


def found(question: str, text: str, language: str = "") -> list[str]:
    return [text[span.start : span.end] for span in spans(words(question, language), text)]


@pytest.mark.parametrize(
    ("question", "text", "wanted"),
    [
        ("What is the refund policy?", "The Refund: REFUND policy, refunded policies", ["Refund", "REFUND", "policy"]),
        ("what is the", "What is The point?", ["What", "is", "The"]),
        ("Straße", "STRASSE, straße", ["STRASSE", "straße"]),
        ("café", "Cafe\u0301 and cafe", ["Cafe\u0301"]),
        ("revenue 15", "Revenue rose by 15 % to 150.", ["Revenue", "15"]),
        ("<script>", "a <script>x</script>", ["script", "script"]),
        ("", "anything", []),
        ("?!", "anything?!", []),
    ],
)
def test_words_are_found_whole_and_in_any_case(question, text, wanted):
    assert found(question, text) == wanted


def test_what_every_text_uses_depends_on_the_language():
    assert found("Die Kosten", "die Kosten", "de") == ["Kosten"]
    assert found("Die Kosten", "die Kosten", "en") == ["die", "Kosten"]


@given(st.text(max_size=60), st.text(max_size=200))
def test_places_are_in_order_apart_and_hold_words_of_the_question(question, text):
    known, last = words(question), 0
    for span in spans(known, text):
        assert last <= span.start < span.end <= len(text)
        assert words(text[span.start : span.end]) & known
        last = span.end


@given(st.lists(st.sampled_from(["pump", "Valve", "µ", "ÉTÉ", "15"]), min_size=1))
def test_every_word_of_a_question_is_found_in_itself(said):
    assert found(" ".join(said), " ".join(said)) == said
