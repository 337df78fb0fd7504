"""The words that a question and a text share, as a reader compares them: whole words, in any case."""

from __future__ import annotations

import re
import unicodedata

from core.enrich import stopwords
from core.types import Span

_WORD = re.compile(r"(?:\w[\u0300-\u036f]*)+")
_MOST_WORDS = 200


def words(question: str, language: str = "") -> frozenset[str]:
    """The words of a question that say what it is about: those that every text uses count only if there are no others."""
    every = dict.fromkeys(_folded(found[0]) for found in _WORD.finditer(question))
    telling = [word for word in every if word not in stopwords.of(language)]
    return frozenset((telling or list(every))[:_MOST_WORDS])


def spans(words: frozenset[str], text: str) -> list[Span]:
    """Where ``words`` stand in ``text``, in order; a word is found whole or not at all."""
    if not words:
        return []
    return [Span(*found.span()) for found in _WORD.finditer(text) if _folded(found[0]) in words]


def _folded(word: str) -> str:
    return unicodedata.normalize("NFC", word).casefold()
