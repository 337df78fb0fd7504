"""Names and acronyms by the look of them: capitals where a sentence does not ask for one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import dropwhile

import regex

from core.enrich import stopwords
from core.enrich.program import INLINE

NAME = "names of several capitalised words and acronyms, by pattern"
_CAPITALISES_NOUNS = frozenset({"de", "lb"})
_MOST_WORDS = 7
_LONGEST_HEADING = 12  # words
_SHORT = 3  # letters
_MOST_LETTERS = 6  # of an acronym
_BREAK = " | "
_ADDRESS = re.compile(r"\b(?:https?|ftp)://\S+|\bwww\.\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w.-]+")
_WRAPPED = re.compile(r"(?<=[^\n]{40})\n(?=[^\s|#>*•-])")
_LINE = re.compile(r"[^\n|\t]+")
_TITLES = "Dr|Drs|Mr|Mrs|Ms|Mx|Prof|St|Sr|Sra|Hr|Fr|Mme|Mlle|Sig|Capt|Col|Gen|Sen|Rep|Gov|Rev|Hon"
_WORD = r"\p{Lu}[\p{L}\p{M}\p{N}]*+(?:['’‐-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*+)*+"
_UNIT = rf"(?>\p{{Lu}}{{1,3}}&\p{{Lu}}{{1,3}}(?!\p{{L}})|(?:{_TITLES})\.(?=\s)|(?:\p{{Lu}}\.){{2,6}}|(?:\p{{Lu}}\.-?){{1,3}}(?=\s\p{{Lu}})|{_WORD})"
_BETWEEN = {
    "de": "von der|von den|von|van|zu|de",
    "": "of the|of|de la|de los|de las|de|del|della|di|da|do|dos|das|du|des|van der|van den|van de|van|von|der|den|ten"
    "|la|le|el|al|bin|ibn",
}
_BARE = "*_\"'“”„‚‘’«»‹›()[]{}"
_BEFORE_FIRST = re.compile(r"(?:\A\s*(?:\(?\w{1,3}[.)])?|(?:\A|\s)[-+](?=\s)|[.!?…:;•—–|¿¡>#\"“„‚«‹‘(\[])[\s*_]*\Z")
_LOOKED_BACK = 20  # characters
_FINAL = tuple(".!?…。:;")
_ACRONYM = regex.compile(r"(?:\p{Lu}[\p{Lu}\p{N}]*+(?:[-/&][\p{Lu}\p{N}]++)*+s?|(?:\p{Lu}\.){2,6})")
_ROMAN = re.compile(r"(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_CAMEL = regex.compile(r"\p{Lu}\p{Ll}+\p{Lu}\p{L}+")
_NO_ACRONYMS = frozenset(
    ("OK", "NOTE", "TODO", "FIXME", "TBD", "AND", "OR", "NOT", "NB", "PS", "AM", "PM", "YES", "NO", "THE", "IF", "IN", "IS", "IT", "TO",
     "OF", "ON", "AT", "BY", "FOR")
)  # fmt: skip
_NO_NAMES = frozenset(
    ("I", "I'm", "I've", "I'd", "I'll", "I’m", "I’ve", "I’d", "I’ll", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
     "Sunday", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays", "Inc", "Ltd", "Corp", "Co", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
)  # fmt: skip


class Pattern:
    """Finds names of several capitalised words, acronyms, and single names inside sentences where nouns have no capital.

    A word whose capital a sentence's beginning, a heading or a line of capitals asks for is no name by itself.
    """

    name = NAME

    def __call__(self, texts: Sequence[str], language: str) -> list[tuple[str, ...]]:
        """The names in each text, as written, each once, in the order of appearance. ``language`` is ISO 639-1 or empty."""
        return [tuple(dict.fromkeys(_names(text, language))) for text in texts]


def _names(text: str, language: str) -> Iterator[str]:
    if "`" in text:
        text = INLINE.sub(_BREAK, text)
    if "@" in text or "://" in text or "www." in text:
        text = _ADDRESS.sub(_BREAK, text)
    for found in _LINE.finditer(_WRAPPED.sub(" ", text)):
        line = found.group()
        if not line.islower():
            yield from _of_line(line, language)


def _of_line(line: str, language: str) -> Iterator[str]:
    runs = [(run.group(), _begins(line, run.start())) for run in _runs(language).finditer(line)]
    runs = [(run, begins) for run, begins in runs if not (begins and run[1:].islower() and " " not in run)]
    if not runs:
        return
    words = line.split()
    shouted = len(words) > 2 and sum(map(str.isupper, words)) * 2 > len(words)
    heading = _is_heading(line, words)
    for run, begins in runs:
        for units, first in _parted(run.split(" "), language, begins=begins):
            if all(map(_is_acronym, units)):
                yield from () if shouted else map(_plain, units)
            elif len(units) == 1:
                if _is_name(units[0], language, begins=first or heading):
                    yield _plain(units[0])
            elif not heading and len(units) <= _MOST_WORDS and not " ".join(units).isupper():
                yield _plain(" ".join(units))


def _begins(line: str, at: int) -> bool:
    """Whether a sentence may begin there, and ask for a capital."""
    return _BEFORE_FIRST.search(line, max(0, at - _LOOKED_BACK), at) is not None


@cache
def _runs(language: str) -> regex.Pattern[str]:
    """Capitalised words next to each other, or with one of the small words of names between them."""
    between = _BETWEEN.get(language, _BETWEEN[""])
    return regex.compile(rf"(?<![\p{{L}}\p{{M}}\p{{N}}]){_UNIT}(?: (?:(?:{between}) |& )?{_UNIT})*")


def _is_heading(line: str, words: Sequence[str]) -> bool:
    """Whether a line is a title: no stop, no comma, every longer word with a capital."""
    if line.lstrip().startswith("#"):
        return True
    if len(words) > _LONGEST_HEADING or line.rstrip(_BARE + " ").endswith(_FINAL) or "," in line:
        return False
    bare = [word.strip(_BARE) for word in words]
    return not any(word[0].islower() for word in bare if len(word) > _SHORT)


def _parted(units: list[str], language: str, *, begins: bool) -> Iterator[tuple[list[str], bool]]:
    """Units that belong together, and whether a sentence begins with them; without the word whose capital is due to that.

    A stop that may belong to an initial or end the sentence ends it where a word follows that names nothing.
    """
    stops = stopwords.of(language)
    start = 0
    for end in range(1, len(units) + 1):
        if end < len(units) and not (units[end - 1].endswith(".") and units[end].casefold() in stops):
            continue
        part, first = units[start:end], begins or start > 0
        if first and (_plain(part[0]).casefold() in stops or (len(part) == 2 and _is_acronym(part[1]))):
            part, first = part[1:], False
        part = list(dropwhile(_is_no_beginning, part))
        if len(part) > 1 and len(part[-1]) == 2:
            part[-1] = part[-1].removesuffix(".")
        if part:
            yield part, first
        start = end


def _is_no_beginning(unit: str) -> bool:
    return len(unit) == 1 or not unit[0].isupper()


def _is_acronym(unit: str) -> bool:
    plain = _plain(unit)
    letters = sum(map(str.isupper, plain))
    if not 2 <= letters <= _MOST_LETTERS or not _ACRONYM.fullmatch(plain) or _ROMAN.fullmatch(plain):
        return False
    return not all(piece in _NO_ACRONYMS for piece in re.split("[-/&]", plain))


def _is_name(unit: str, language: str, *, begins: bool) -> bool:
    """Whether a single capitalised word is a name."""
    plain = _plain(unit)
    if _CAMEL.fullmatch(plain):
        return True
    if begins or not language or language in _CAPITALISES_NOUNS or len(plain) < _SHORT or not plain[1].islower():
        return False
    return plain not in _NO_NAMES and not plain.endswith(".") and plain.casefold() not in stopwords.of(language)


def _plain(name: str) -> str:
    """A name without the ending of a genitive."""
    return name.removesuffix("'s").removesuffix("’s")
