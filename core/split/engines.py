"""Who decides about a stop that no rule of ours settles: NLTK's Punkt or nupunkt, asked about two words at a time.

Both look at nothing but the word with the stop and the word after it, so asking for each pair gives what their own
walk over the text gives, in linear time on any text, and a pair seen before costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from core.abbreviations import ABBREVIATIONS, ABBREVIATIONS_BY_LANGUAGE
from core.errors import InvalidSetting
from core.settings import Engine, SplitSettings
from core.split import words

LANGUAGES = {
    "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian",
    "fi": "Finnish", "fr": "French", "it": "Italian", "ml": "Malayalam", "nb": "Norwegian", "nl": "Dutch",
    "nn": "Norwegian", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ru": "Russian", "sl": "Slovene",
    "sv": "Swedish", "tr": "Turkish",
}  # fmt: skip
"""Languages whose Punkt parameters are installed, by ISO 639-1 code."""

_DEFAULT = frozenset(word.lower() for word in ABBREVIATIONS)
_ENGLISH = frozenset(word.lower() for word in ABBREVIATIONS_BY_LANGUAGE["en"])
_EVERYWHERE = words.words("dr prof mr mrs ms st e.g i.e etc al vs cf ca inc corp ltd co fig nr no p pp vol")
_MOST_KEPT = 50_000
# Punkt's flags for how a word was seen in the text its parameters were learned from.
_BEGAN_UPPER, _INSIDE_UPPER, _LOWER = 1 << 1, 1 << 2, 1 << 4 | 1 << 5 | 1 << 6


@dataclass(slots=True)
class Opinion:
    """What an engine knows. ``listed`` are the abbreviations in force, ``numbered`` those that need a number."""

    listed: frozenset[str]
    numbered: frozenset[str]
    dropped: frozenset[str]
    plain: Callable[[str], bool]
    asked: Callable[[str], bool]
    seen: Mapping[str, int]
    starters: frozenset[str]
    kept: dict[str, bool] = field(default_factory=dict)

    def ends(self, word: str, following: str) -> bool:
        """Whether a sentence ends with ``word`` (its stop included) before ``following``."""
        if self.plain(word):
            return True
        pair = f"{word} {following}"
        decided = self.kept.get(pair)
        if decided is None:
            if len(self.kept) >= _MOST_KEPT:
                self.kept.clear()
            decided = self.kept[pair] = self.asked(pair)
        return decided

    def begins(self, word: str) -> bool:
        """Whether a capitalised ``word`` tends to begin a sentence: lower case is its usual case."""
        flags = self.seen.get(word, 0)
        return word in self.starters or bool(flags & _LOWER and not flags & _INSIDE_UPPER)

    def has_begun(self, word: str) -> bool:
        """Whether ``word`` is usually in lower case and was seen at the beginning of a sentence."""
        flags = self.seen.get(word, 0)
        return bool(flags & _LOWER and flags & _BEGAN_UPPER)


@lru_cache(maxsize=16)
def opinion(settings: SplitSettings, language: str) -> Opinion:
    """The engine of ``settings`` for a language (ISO 639-1; one without parameters is split as English)."""
    chosen = frozenset(word.lower() for word in settings.abbreviations)
    return _nupunkt(chosen, language) if settings.engine is Engine.NUPUNKT else _punkt(chosen, language)


def _in_force(chosen: frozenset[str], language: str, seen: Mapping[str, int]) -> frozenset[str]:
    """The abbreviations of a language among the ``chosen`` and the English ones; without a language, those of all.

    "est" and "par" are words in some languages: what was ``seen`` in lower case is no abbreviation from elsewhere.
    """
    native = {word.lower() for word in ABBREVIATIONS_BY_LANGUAGE.get(language or "en", ())} | _EVERYWHERE
    foreign = _ENGLISH if language else _DEFAULT - words.ENGLISH_TOO
    also = {word for word in foreign - native if not seen.get(word, 0) & _LOWER}
    return chosen & (native | also) | chosen - _DEFAULT


def _punkt(chosen: frozenset[str], code: str) -> Opinion:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
    from punkt import load_model
    from punkt.model.prefixes import with_nonbreaking_prefixes

    language = LANGUAGES.get(code, "English").lower()
    learned = load_model(language)
    known, numbered = frozenset[str](), frozenset[str]()
    if language != "english":  # for English the list in the settings is the whole list
        learned = with_nonbreaking_prefixes(learned, language)
        numbered = frozenset(learned.numeric_abbrev_types)
        known = frozenset(word for word in learned.abbrev_types if len(word) > 1) - _DEFAULT
    listed = _in_force(chosen, code, learned.ortho_context)
    parameters = PunktParameters()
    parameters.abbrev_types = set(known | listed)
    parameters.collocations = set(learned.collocations)
    parameters.sent_starters = set(learned.sent_starters)
    parameters.ortho_context.update(learned.ortho_context)
    tokenizer = PunktSentenceTokenizer(parameters)
    special = known | listed | {first for first, _ in parameters.collocations}

    def plain(word: str) -> bool:
        bare = word[:-1]
        return len(bare) > 1 and bare.isalpha() and bare.lower() not in special

    return Opinion(
        listed, numbered, _DEFAULT - chosen, plain, tokenizer.text_contains_sentbreak, dict(learned.ortho_context),
        frozenset(learned.sent_starters),
    )  # fmt: skip


def _nupunkt(chosen: frozenset[str], code: str) -> Opinion:
    try:
        from nupunkt.models import load_default_model
    except ImportError as error:
        raise InvalidSetting(
            "The splitter nupunkt is not installed.", "Install it: pip install 'chunkscope[nupunkt]', or choose Punkt."
        ) from error
    tokenizer = load_default_model()
    parameters = tokenizer.parameters
    listed = _in_force(chosen, code, parameters.ortho_context)
    parameters.abbrev_types = (set(parameters.abbrev_types) - _DEFAULT) | listed
    tokenizer.clear_decision_cache()

    def plain(word: str) -> bool:
        # nupunkt knows the abbreviations of English, "bien." and "dem." among them.
        return code not in ("", "en") and len(word) > 3 and word[:-1].isalpha() and word[:-1].lower() not in listed

    return Opinion(
        listed, frozenset(), _DEFAULT - chosen, plain, tokenizer.text_contains_sentbreak,
        dict(parameters.ortho_context), frozenset(parameters.sent_starters),
    )  # fmt: skip
