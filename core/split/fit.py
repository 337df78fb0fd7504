"""What a model reads at once: how many word pieces a text has, estimated, and where to cut one that has too many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from math import ceil

import regex

LIMIT = 254  # word pieces: 256 with the two that mark a text's beginning and end
SHORT = LIMIT // 3  # characters that fit in any script
_AIM = 200  # what parts are cut to: an estimate may be low on letters that make no words
LONGEST_WORD = 100  # letters: WordPiece reads nothing of a longer word
_SPLIT_ALONE = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKENS = re.compile(rf"[^\W_{_SPLIT_ALONE}]++|\S")
# What hardly occurs in words: such letters are read one or two at a time.
_NO_WORD = re.compile(
    r"[bcdfghjklmnpqrstvwxz]{4}|^[^aeiouy]+$|q(?!u)|j[^aeiou]|[vz][bcdfgjkmnpqstwx]|x[bdfgjklmnqrsvwz]"
    r"|w[bcfgjmpqtvxz]|[cfgmpt][qxjzv]|[hkl][bjqxz]|[bd][qxz]|[aiu]{3}|^(?:[bcdfgjkmnpqtvxz]{2}|uu|ii)",
    re.ASCII,
)
_HANGUL = re.compile("[\uac00-\ud7a3]")
_LATIN = re.compile("[\u00c0-\u024f]")
_LONG_RUN = re.compile(rf"[^\W_{_SPLIT_ALONE}]{{{LONGEST_WORD + 1}}}")
_ALONE = rf"{_SPLIT_ALONE}\u3040-\u30ff\uff66-\uff9f"
_MARKS = r"\p{M}\u200c\u200d\U0001F3FB-\U0001F3FF\U000E0020-\U000E007F\uff9e\uff9f"
# White space; a word, its letters with their marks; anything else one grapheme cluster at a time.
_UNITS = regex.compile(
    rf"\s++(?![{_MARKS}])|(?![{_ALONE}])[\p{{L}}\p{{N}}](?:(?![{_ALONE}])[\p{{L}}\p{{N}}]|[{_MARKS}])*+"
    # Flags two by two: for \X alone a long row of them is quadratic.
    rf"|[\U0001F1E6-\U0001F1FF]{{1,2}}[{_MARKS}]*+|\X"
)
_CLUSTERS = regex.compile(r"\X")
_LONGEST_KEPT = 20
_MOST_KEPT = 50_000
_PAUSES = frozenset(",;:，、；：،؛·။၊")


def pieces(text: str, *, english: bool = True) -> float:
    """About how many word pieces ``text`` has: rather too many than too few.

    Measured with MiniLM's English vocabulary: an English word of n letters has at most about 0.15 n + 0.35 pieces, one of another
    Latin language 0.45 n, letters of other scripts one each (Hangul up to three), digits 0.65.
    """
    return sum(map((_ENGLISH if english else _OTHER).__getitem__, _TOKENS.findall(text)))


def fits(text: str, *, english: bool = True) -> bool:
    """Whether a model reads all of ``text``, none of its words too long."""
    size = len(text)
    if size > LONGEST_WORD and has_long_word(text):
        return False
    if size <= LIMIT and (size <= SHORT or text.isascii() or not _HANGUL.search(text)):
        return True
    return pieces(text, english=english) <= LIMIT


def cuts(text: str, *, english: bool = True) -> list[int]:
    """Where to cut a text that is too long: parts of about equal size that each fit.

    Best at a blank line, then at the end of a line, after a comma, at any white space; inside a word only where nothing
    else is left, and never inside a grapheme cluster.
    """
    rest = pieces(text, english=english)
    found: list[int] = []
    part = _Part()
    for place in _places(text, english=english):
        part.places.append(place)
        part.cost += place.cost
        part.run = 0 if place.rank >= _Rank.BREAK else part.run + place.letters
        while len(part.places) > 1 and (part.cost > _AIM or part.run > LONGEST_WORD):
            target = rest / max(1, ceil(rest / _AIM))
            taken = part.take(target)
            rest -= taken.cost
            found.append(taken.end)
    return [at for at in found if at < len(text)]


class _Rank(IntEnum):
    """How good a place is to cut at; places from ``BREAK`` up end a word."""

    INSIDE = 0
    BREAK = 1
    SPACE = 2
    PAUSE = 3
    LINE = 4
    BLANK = 5


@dataclass(slots=True)
class _Place:
    """The end of a unit, where a cut is possible: what the unit costs and how good a cut there is."""

    end: int
    cost: float
    rank: int
    letters: int


class _Part:
    """The units of the part that is being filled."""

    def __init__(self) -> None:
        self.places: list[_Place] = []
        self.cost = 0.0
        self.run = 0

    def take(self, target: float) -> _Place:
        """Cut off the first units, at the best place near ``target``; its end and what they cost together."""
        best, chosen, cost, costs = (-1, 0.0), 0, 0.0, list[float]()
        for number, place in enumerate(self.places[:-1]):
            cost += place.cost
            costs.append(cost)
            near = cost >= target * 0.7
            value = (place.rank if near else -1, -abs(cost - target) if near else cost)
            if number == 0 or value > best:
                best, chosen = value, number
        place = self.places[chosen]
        taken = _Place(place.end, costs[chosen], place.rank, 0)
        self.places = self.places[chosen + 1 :]
        self.cost = sum(left.cost for left in self.places)
        self.run = 0
        for left in self.places:
            self.run = 0 if left.rank >= _Rank.BREAK else self.run + left.letters
        return taken


def _places(text: str, *, english: bool) -> Iterator[_Place]:
    for found in _UNITS.finditer(text):
        unit, end = found.group(), found.end()
        if unit.isspace():
            yield _Place(end, 0.0, (_Rank.SPACE, _Rank.LINE, _Rank.BLANK)[min(2, unit.count("\n"))], 0)
        elif unit[0].isalnum() and len(unit) > 1:
            yield from _word_places(unit, found.start(), english=english)
        else:
            alone = _stands_alone(unit[0])
            rank = _Rank.BREAK if alone else _Rank.INSIDE
            if unit[0] in _PAUSES and (unit[0] > "\u007f" or text[end : end + 1].isspace()):
                rank = _Rank.PAUSE
            cost = max(1.0, pieces(unit, english=english))
            yield _Place(end, cost, rank, 0 if alone else len(unit))


def _word_places(word: str, start: int, *, english: bool) -> Iterator[_Place]:
    """The end of a word; of one that is too long, the ends of parts of it."""
    cost = max(1.0, pieces(word, english=english))
    if len(word) <= LONGEST_WORD and cost <= _AIM:
        yield _Place(start + len(word), cost, _Rank.INSIDE, len(word))
        return
    share = ceil(len(word) / ceil(max(len(word) / LONGEST_WORD, cost / _AIM)))
    at = size = 0
    for cluster in _CLUSTERS.finditer(word):
        if size and cluster.end() - at > share:
            yield _Place(start + cluster.start(), cost * (cluster.start() - at) / len(word), _Rank.INSIDE, size)
            at, size = cluster.start(), 0
        size += cluster.end() - cluster.start()
    yield _Place(start + len(word), cost * (len(word) - at) / len(word), _Rank.INSIDE, size)


def _stands_alone(character: str) -> bool:
    return not character.isalnum() or re.match(f"[{_SPLIT_ALONE}]", character) is not None


def has_long_word(text: str) -> bool:
    """Whether a word is too long for a model to read any of it."""
    return max(map(len, text.split()), default=0) > LONGEST_WORD and _LONG_RUN.search(text) is not None


class _Costs(dict[str, float]):
    """About how many word pieces a word, a number or a mark has; short ones are remembered."""

    def __init__(self, *, english: bool) -> None:
        super().__init__()
        self._english = english

    def __missing__(self, token: str) -> float:
        cost = _cost(token, english=self._english)
        if len(token) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[token] = cost
        return cost


_ENGLISH, _OTHER = _Costs(english=True), _Costs(english=False)


def _cost(token: str, *, english: bool) -> float:
    size = len(token)
    if token.isascii():
        if token.isalpha():
            return _ascii_cost(token, size, english=english)
        return max(1.0, size * (0.65 if token.isdigit() else 0.7))
    if _HANGUL.search(token):
        return size * 3.0
    return max(1.0, size * 0.7) if _LATIN.search(token) else float(size)


def _ascii_cost(word: str, size: int, *, english: bool) -> float:
    if size <= 3:
        return 1.0
    if size > 20 or _NO_WORD.search(word.lower()):
        return size * 0.65
    return size * 0.15 + 0.35 if english else max(1.0, size * 0.45)
