"""Words of any script: how many there are, and those that may say what a text is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import regex

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KATAKANA = "\u30a1-\u30fa\u30fc\uff66-\uff9f"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_KANA = "\u3040-\u30ff\uff66-\uff9f"
_ASCII_WORDS = re.compile(r"[A-Za-z0-9]++(?:(?:['_-]|(?<=\d)[.,](?=\d))[A-Za-z0-9]++)*+")
_LETTERS = rf"(?:(?![{_HAN}{_KANA}])[\p{{L}}\p{{M}}\p{{N}}])++"
# Joiners: apostrophes, hyphens, the Catalan dot, and what is invisible inside Persian and Indian words.
_WORDS = regex.compile(
    rf"[{_HAN}{_KANA}]|{_LETTERS}(?:(?:['’_·\u2010\u2011\u200c\u200d-]|(?<=\p{{Nd}})[.,](?=\p{{Nd}})){_LETTERS})*+"
)
_TERMS = re.compile(r"[^\W\d_²³¹¼-¾⁰-₎]{3,}")
# Text whose letters have marks, or whose words are not set apart: anything else is found without looking at properties.
_INTRICATE = re.compile("[\u0300-\u036f\u0590-\u1dff\u2e80-\U0010ffff]")
_INTRICATE_TERMS = regex.compile(
    rf"[{_HAN}]+|[{_KATAKANA}]{{2,}}|[{_HANGUL}]{{2,}}|(?:(?![{_HAN}{_KANA}{_HANGUL}])[\p{{L}}\p{{Mc}}]\p{{Mn}}*+[\u200c\u200d]?){{3,}}"
)
_IS_HAN = re.compile(f"[{_HAN}]")


def count(text: str) -> int:
    """How many words ``text`` has; a Chinese or Japanese character is one."""
    return len(_ASCII_WORDS.findall(text) if text.isascii() else _WORDS.findall(text))


def terms(text: str) -> list[str]:
    """The words of three letters and more (two in Korean), katakana words, and Chinese characters two by two.

    They are as written, in order. Hiragana, which writes what holds a Japanese sentence together, is left out.
    """
    if text.isascii() or not _INTRICATE.search(text):
        return _TERMS.findall(text)
    return [term for run in _INTRICATE_TERMS.findall(text) for term in _pairs(run)]


def _pairs(run: str) -> Iterator[str]:
    if not _IS_HAN.match(run):
        yield run
        return
    yield from map("".join, pairwise(run))
