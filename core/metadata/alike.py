"""Whether two words are probably one: written in another way, or with a slip of the pen."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

_WORD = re.compile(r"[^\W_]+")
_JOINED = re.compile(r"[\w\s.-]+")
_DIGITS_APART = re.compile(r"(?<=\d) (?=\d)")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DATE_WORDS = frozenset({"at", "on", "date", "dates", "time", "datetime", "timestamp", "day"})
_ENDINGS = (("ies", "y"), ("ed", ""), ("es", ""), ("s", ""), ("e", ""))
_FEW = 5  # words that one form may stand for
_LONGEST = 100  # characters of a word that is compared with others
_TYPO_LENGTH = 5  # letters of a word that may be a slip for another


def key_letters(name: str) -> str:
    return _DIGITS_APART.sub("_", " ".join(key_words(name))).replace(" ", "")


def key_words(name: str) -> list[str]:
    """``publishedAt`` and ``Published-At`` as published, at; none for keys with signs that may mean something."""
    if not _JOINED.fullmatch(name):
        return []
    return _WORD.findall(unicodedata.normalize("NFKC", _HUMP.sub(" ", name)).casefold())


def key_stems(name: str) -> tuple[bool, tuple[str, ...]] | None:
    """Alike for ``tag`` and ``tags``, for ``publish_date``, ``published_at`` and ``date_published``."""
    words = key_words(name)
    rest = sorted(_stem(word) for word in words if word not in _DATE_WORDS)
    return (len(rest) < len(words), tuple(rest)) if rest else None


def _stem(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= 3:
            return word.removesuffix(ending) + instead
    return word


def typo_index(words: Iterable[str]) -> dict[str, list[str]]:
    """Words by what is left of them without one of their characters, so that near ones meet."""
    index: dict[str, list[str]] = defaultdict(list)
    for word in dict.fromkeys(words):
        for key in _less_one(word):
            if len(index[key]) < _FEW:
                index[key].append(word)
    return index


def _less_one(word: str) -> set[str]:
    if not _TYPO_LENGTH <= len(word) <= _LONGEST:
        return set()
    return {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}


def typos(word: str, index: Mapping[str, Sequence[str]]) -> list[str]:
    """The words of the index that are one letter away from ``word``."""
    met = dict.fromkeys(other for key in _less_one(word) for other in index.get(key, ()))
    return sorted(other for other in met if _one_letter_apart(word, other))


def _one_letter_apart(one: str, other: str) -> bool:
    """Whether one longer word has a letter more, less, changed or swapped; a digit or a lone letter is no slip."""
    pairs = [(a, b) for a, b in zip(one.split(), other.split(), strict=False) if a != b]
    if len(one.split()) != len(other.split()) or len(pairs) != 1:
        return False
    (a, b), start, end = pairs[0], 0, 0
    shorter = min(len(a), len(b))
    while start < shorter and a[start] == b[start]:
        start += 1
    while end < shorter - start and a[-1 - end] == b[-1 - end]:
        end += 1
    left, right = a[start : len(a) - end], b[start : len(b) - end]
    swapped = len(left) == len(right) == 2 and left == right[::-1]
    return (left + right).isalpha() and shorter >= _TYPO_LENGTH and (max(len(left), len(right)) == 1 or swapped)
