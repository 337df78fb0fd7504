"""The language of a text: its script tells most, a model that ships in a package tells the rest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

_SAMPLE = 20_000
_ENOUGH = 20  # letters of an alphabet; below that the guess is one
_SURE = 0.5  # how likely the best must be among those of its script
_LONGEST_WORD = 40
_NO_WORD = re.compile(r"[\d_@\\/<>={}()\[\]]")
_LETTER = re.compile(r"[^\W\d_]")

# First and last letter of each script that one language, or a few, are written in.
_SCRIPTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("\u0041", "\u024f", (
        "en", "fr", "de", "es", "pt", "it", "ca", "gl", "eu", "nl", "af", "sv", "fi", "da", "no", "nn", "is", "fo", "pl", "cs", "sk",
        "sl", "hr", "bs", "hu", "ro", "tr", "az", "lt", "lv", "et", "vi", "id", "ms", "tl", "sw", "sq", "ga", "gd", "cy", "mt", "eo",
        "la", "lb", "oc", "br", "ha", "yo", "ig", "zu", "xh", "so", "uz", "tk", "mg", "ht", "ku",
    )),
    ("\u0370", "\u03ff", ("el",)),
    ("\u0400", "\u052f", ("ru", "uk", "be", "bg", "sr", "mk", "kk", "ky", "mn", "tg", "tt", "ba")),
    ("\u0531", "\u058f", ("hy",)),
    ("\u0590", "\u05ff", ("he",)),
    ("\u0600", "\u077f", ("ar", "fa", "ur", "ps", "ug")),
    ("\u0900", "\u097f", ("hi", "mr", "ne", "sa")),
    ("\u0980", "\u09ff", ("bn", "as")),
    ("\u0a00", "\u0a7f", ("pa",)),
    ("\u0a80", "\u0aff", ("gu",)),
    ("\u0b00", "\u0b7f", ("or",)),
    ("\u0b80", "\u0bff", ("ta",)),
    ("\u0c00", "\u0c7f", ("te",)),
    ("\u0c80", "\u0cff", ("kn",)),
    ("\u0d00", "\u0d7f", ("ml",)),
    ("\u0d80", "\u0dff", ("si",)),
    ("\u0e00", "\u0e7f", ("th",)),
    ("\u0e80", "\u0eff", ("lo",)),
    ("\u0f00", "\u0fff", ("dz",)),
    ("\u1000", "\u109f", ("my",)),
    ("\u10a0", "\u10ff", ("ka",)),
    ("\u1100", "\u11ff", ("ko",)),
    ("\u1200", "\u137f", ("am",)),
    ("\u1780", "\u17ff", ("km",)),
    ("\u1e00", "\u1eff", ("vi",)),
    ("\u3040", "\u30ff", ("ja",)),
    ("\u3400", "\u9fff", ("zh",)),
    ("\uac00", "\ud7af", ("ko",)),
)  # fmt: skip
_LATIN = _SCRIPTS[0][2]
_ALIKE = {"nn": "no", "bs": "hr"}
"""Languages that a few sentences hardly tell apart: the second stands for both."""


def of(text: str) -> str:
    """The ISO 639-1 code of the language most of ``text`` is in; empty where that is not sure."""
    middle = max(0, len(text) // 2 - _SAMPLE // 2)
    sample = " ".join(filter(_is_word, text[middle : middle + _SAMPLE].split()))
    counts = _scripts(sample)
    if not counts:
        return ""
    languages, letters = counts.most_common(1)[0]
    if len(languages) == 1:
        return languages[0] if letters >= 4 else ""
    if letters < _ENOUGH:
        return ""
    return _likeliest(sample, languages)


def _is_word(token: str) -> bool:
    """Whether it may be a word: no number, address, path or piece of program text."""
    bare = token.strip(".,;:!?()[]\"'|*")
    return not token.isascii() or (len(bare) <= _LONGEST_WORD and not _NO_WORD.search(bare))


def likelihoods(text: str) -> Mapping[str, float]:
    """How likely the text is to be in each language that the model knows; they add up to 1."""
    return _ranked(text)


def _scripts(text: str) -> Counter[tuple[str, ...]]:
    """How many letters of each script there are, by the languages written in it. A few kana make Han Japanese."""
    counts: Counter[tuple[str, ...]] = Counter()
    for letter, count in Counter(_LETTER.findall(text)).items():
        languages = _languages(letter)
        if languages:
            # A Chinese character or a syllable says as much as a few letters.
            counts[languages] += count * (3 if letter >= "\u3040" else 1)
    vietnamese = counts.pop(("vi",), 0)
    if vietnamese:
        counts[_LATIN] += vietnamese
    if counts[("ja",)] * 10 > counts[("zh",)]:
        counts[("ja",)] += counts.pop(("zh",), 0)
    return +counts


@cache
def _languages(letter: str) -> tuple[str, ...]:
    return next((languages for first, last, languages in _SCRIPTS if first <= letter <= last), ())


def _likeliest(sample: str, languages: Iterable[str]) -> str:
    chances: dict[str, float] = {}
    found = likelihoods(sample)
    for language in languages:
        known = _ALIKE.get(language, language)
        chances[known] = chances.get(known, 0.0) + found.get(language, 0.0)
    best, chance = max(chances.items(), key=lambda item: item[1])
    if found.get("zxx", 0.0) > chance:
        return ""
    return best if chance > _SURE * sum(chances.values()) else ""


@lru_cache(maxsize=64)
def _ranked(text: str) -> dict[str, float]:
    return dict(_model().rank(text))


@cache
def _model() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
