"""The language of a text, or nothing where that is not sure."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.read import language
from tests.core.read.sentences import SAMPLES


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.language)
def test_a_paragraph_is_known(sample):
    assert language.of(" ".join(sample.sentences)) == sample.language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("会議は三時に始まります。", "ja"),
        ("会议三点钟开始", "zh"),
        ("Ουδέν νέον", "el"),
        ("สวัสดี", "th"),
        ("यह एक छोटा वाक्य है जो हिन्दी में लिखा गया है।", "hi"),
        ("OK", ""),
        ("", ""),
        ("12 345 " * 50, ""),
        ("x" * 200, ""),
        ("| a | b |\n| 1 | 2 |\n" * 20, ""),
        ("A B C D E F G H I J K L M N O P Q R S T", ""),
        ("https://example.com/der/die/das/und " * 20, ""),
    ],
)
def test_a_script_tells_alone_and_too_little_tells_nothing(text, expected):
    assert language.of(text) == expected


@pytest.mark.parametrize(
    "text", ["x" * 60_000, "1_" * 30_000, "a@" * 30_000, "<" * 60_000, "é" * 60_000, "会" * 60_000]
)
def test_no_text_takes_long(text):
    start = time.monotonic()
    language.of(text)
    assert time.monotonic() - start < 5


@given(st.text(max_size=300))
def test_any_text_has_a_language_code_or_none(text):
    found = language.of(text)
    assert found == "" or (len(found) == 2 and found.isalpha())
