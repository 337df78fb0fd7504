"""Lines become running text: whether a hyphen at a line's end belongs to the word is decided by the document itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SOFT = "\u00ad"
_HYPHENS = "-\u2010\u2011"
_WORD = re.compile(r"[^\W_]+(?:['’\-\u2010\u2011][^\W_]+)*")
_HEAD = re.compile(r"[^\W_]+(?:['’\-\u2010\u2011][^\W_]+)*$")
_DASHED = re.compile(r"\w—$")
_SPANNED = re.compile(r"\d–$")
_TAIL = re.compile(r"[^\W_]+(?:[\-\u2010\u2011][^\W_]+)*")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NO_SPACES = re.compile(
    "[\u2e80-\u2fdf\u3000-\u30ff\u3130-\u318f\u31a0-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)
# "Vor- und Nachteile", "pre- and post-war": the hyphen stands for a part that comes later.
_SUSPENDED = _words("and or to nor und oder bis bzw sowie als et ou y o u e ni en of och eller og i a lub oraz")
_HEADS = _words(
    "well self high low long short full half cross non two three four five six seven eight nine twenty thirty forty fifty"
    " sixty seventy eighty ninety hundred first third single double"
)
# Heads that begin many plain words too (example, anticipate, newspaper): only before a word that the document knows.
_RARE_HEADS = _words(
    "all ex part over under out in on up off by re pre co state time end user one ten second multi hard soft old new ever"
    " ill good best large small wide deep fast slow free quasi semi mid anti post pro vice great right left open"
)
# What follows a head in plain words: highlight, lowered, longitude, sixteen.
_SUFFIXES = re.compile(
    r"(?:er)?(?:ings?|ed)|ish(?:ness|ly|er)?|ness(?:es)?|ages?|ments?|able|ible|itud\w+|evity|en(?:ing|ed|s)|fold|hoods?|"
    r"ships?|wards?|ways?|lights?|lighted|lighting|lands?|lander|ners?|ters?|roads?|sense|teen(?:th)?|een(?:th)?|hands?|"
    r"comings?|cuts?|over|etheless|descript|chalan\w+"
)
_CLOSED = _words(
    "without within cannot therefore anything anyone anybody anyway anywhere something someone somebody somehow sometimes"
    " somewhere everything everyone everybody everywhere nothing nobody nowhere however otherwise moreover whatever"
    " whenever wherever whereas whether although another maybe today tomorrow himself herself itself themselves ourselves"
    " yourself myself into onto upon understand understanding undertake become becomes forward afterwards income outcome"
    " overcome output input throughout outside inside beside besides always already almost also altogether between before"
    " behind below beyond inform information intend intended indeed instead insight offset overall overview update upload"
    " upper often order person being forget forgive perform together anymore furthermore nevertheless meanwhile"
)
# Words that French and Russian tie to the one before with a hyphen of their own.
_TIED = {
    "fr": _words("il elle ils elles on je tu nous vous ce ci là être même mêmes moi toi lui leur le la les en y t"),
    "ru": _words("то либо нибудь таки"),
    "pt": _words("se me te lhe lhes nos vos o a os as lo la los las"),
    "ro": _words("o l i a le"),
}


class Joiner:
    """Joins the lines of a paragraph; ``hyphens`` counts the ones it took out.

    Not ``clean``, it takes out none and ties no word: ``mainte-`` and ``nance`` stay two.
    """

    def __init__(self, lines: Iterable[str], *, clean: bool, language: str) -> None:
        """``lines`` are all lines of the document, the evidence for what its words are."""
        self.hyphens = 0
        self.clean = clean
        self._language = language
        self._words = _attested(lines) if clean else frozenset[str]()

    def join(self, lines: Sequence[str]) -> str:
        """One line of text."""
        texts = [" ".join(line.split()) for line in lines]
        parts: list[str] = []
        for text in (text for text in texts if text):
            if parts:
                parts[-1], between = self._seam(parts[-1], text)
                parts.append(between)
            parts.append(text)
        joined = "".join(parts)
        if self.clean and SOFT in joined:
            self.hyphens += joined.count(SOFT)
            joined = joined.replace(SOFT, "")
        return joined

    def _seam(self, left: str, right: str) -> tuple[str, str]:
        """``left`` as it ends where ``right`` follows, and what comes between."""
        if without_space(left[-1], right[0]) or _DASHED.search(left) or (_SPANNED.search(left) and right[0].isdigit()):
            return left, ""
        if not self.clean:
            return left, " "
        if left.endswith(SOFT):
            return left, ""
        if left[-1] not in _HYPHENS or not (head := _HEAD.search(left[:-1])) or not (tail := _TAIL.match(right)):
            return left, " "
        return self._hyphenated(left, head.group(), tail.group())

    def _hyphenated(self, left: str, head: str, tail: str) -> tuple[str, str]:
        if tail.casefold() in _SUSPENDED and (head + tail).casefold() not in self._words:
            return left, " "
        if self._belongs(head, tail):
            return left, ""
        self.hyphens += 1
        return left[:-1], ""

    def _belongs(self, head: str, tail: str) -> bool:
        """Whether the hyphen between the two is part of the word."""
        if not tail[0].islower() and not (head.isupper() and tail.isupper() and len(head) > 1) and _has_case(tail):
            return True
        if head[-1].isdigit() or tail[0].isdigit() or len(head) == 1:
            return True
        first, last = head.casefold(), tail.casefold()
        if first + last in self._words or first + last in _CLOSED:
            return False
        if f"{first}-{last}" in self._words or "-" in head:
            return True
        if last in _TIED.get(self._language, ()):
            return True
        return self._language in ("en", "") and self._compound(first, last)

    def _compound(self, first: str, last: str) -> bool:
        """English writes compounds with a hyphen; other languages mostly as one word."""
        known = last in self._words
        if known and first in self._words and len(first) > 2 and len(last) > 2:
            return True
        if first in _RARE_HEADS:
            return known
        return first in _HEADS and len(last) > 3 and (known or not _SUFFIXES.fullmatch(last))


def without_space(left: str, right: str) -> bool:
    """Whether no space stands between these two characters though a line ends there: Chinese and Japanese."""
    return bool(_NO_SPACES.match(left) and _NO_SPACES.match(right))


def _has_case(text: str) -> bool:
    return text.lower() != text.upper()


def _attested(lines: Iterable[str]) -> frozenset[str]:
    """Every word that stands whole in a line, also as part of a compound; compounds with their hyphens."""
    words: set[str] = set()
    broken = False
    for line in lines:
        text = line.strip().casefold()
        found = _WORD.findall(text)
        ends = text[-1:] in (*_HYPHENS, SOFT)
        for word in found[1 if broken else 0 : -1 if ends and found else None]:
            plain = word.replace("\u2010", "-").replace("\u2011", "-")
            words.add(plain)
            if "-" in plain:
                words.update(plain.split("-"))
        broken = ends
    return frozenset(words)
