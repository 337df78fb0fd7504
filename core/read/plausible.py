"""Whether characters are a text that somebody wrote, or what bytes of something else happen to spell."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache

from core.errors import UnreadableFile
from core.read import guess

_SAMPLE = 60_000  # characters
_GLANCE = 20_000
_WORDS = 2_000
_BROKEN = "\ufffd"
_MANY_BROKEN = 0.2  # of the characters that are not white space
_MANY_PRIVATE = 0.5
_MANY_UNASSIGNED = 0.1
_MANY_FORMATS = 0.9
_MOST = 0.9  # of the characters are of one script, or signs
_MONOTONE = 0.6  # of the characters are one and the same
_EVERYDAY = 0.85  # of the East Asian characters are of one everyday set
_ENOUGH = 30  # characters; from then on some of the most frequent must be among them
_FREQUENT = 0.08
_WORDLIKE = 0.6
_NO_CONTROLS = "\t\n\r\x0c\x1b"
_LETTERS = re.compile(r"[^\W\d_]+")
_NUMBERS = re.compile(r"\d+")
_ODD_SIGNS = re.compile(r"[~^|\\<>{}\[\]$_`]|[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
_BETWEEN = re.compile(r"(?<=\d)[^\W\d_]|(?<=[^\W\d_])\d")
_NEUTRAL = str.maketrans("", "", "ªºµ¹²³¼½¾")
_CHARSETS = ("gb2312", "big5", "euc_jp")


def refuse_garbage(text: str) -> None:
    """Refuse a text of little but placeholders, private or unassigned characters, or of what nobody sees.

    Raises:
        UnreadableFile: says which.
    """
    if text.isascii():
        return
    counts = Counter(_parts(text))
    kinds: Counter[str] = Counter()
    for character, count in counts.items():
        kinds[_kind(character)] += count
    total = kinds.total() - kinds["space"]
    if kinds[_BROKEN] > max(1, total * _MANY_BROKEN) or (kinds[_BROKEN] and not kinds["shown"]):
        raise UnreadableFile(
            "The file holds little but marks that stand for lost characters.",
            "Export it again from its source.",
        )
    if kinds["Co"] > max(1, total * _MANY_PRIVATE) or kinds["Cn"] > max(1, total * _MANY_UNASSIGNED):
        raise UnreadableFile(
            "The file is binary, or its characters have a meaning in one font alone.", "Export it as UTF-8 text."
        )
    if (total and not kinds["shown"]) or (kinds["Cf"] > 20 and kinds["Cf"] > total * _MANY_FORMATS):
        raise UnreadableFile("The file holds no text: nothing in it can be seen.", "Add text to it, or leave it out.")


def _parts(text: str) -> str:
    """A long text's beginning, middle and end."""
    if len(text) <= _SAMPLE:
        return text
    third, middle = _SAMPLE // 3, len(text) // 2
    return text[:third] + text[middle : middle + third] + text[-third:]


@cache
def _kind(character: str) -> str:
    if character == _BROKEN:
        return _BROKEN
    category = unicodedata.category(character)
    if category[0] == "Z" or character.isspace():
        return "space"
    if category == "Cn" and _may_be_new(character):
        return "shown"
    return category if category in ("Cf", "Cc", "Cn", "Co", "Cs") else "shown"


def _may_be_new(character: str) -> bool:
    """Whether it is where Unicode adds emoji and Chinese characters each year."""
    return "\U0001f000" <= character <= "\U0001fbff" or "\U00020000" <= character <= "\U0003fffd"


def meaningless(text: str) -> float:
    """The share of characters that are controls, private or not assigned."""
    sample = text[:_GLANCE]
    odd = sum(c not in _NO_CONTROLS and _kind(c) in ("Cc", "Cn", "Co", "Cs") for c in sample)
    return odd / max(1, len(sample))


def is_written(text: str) -> bool:
    """Whether characters that any two bytes might be are of one script, or everyday ones of East Asia."""
    sample = [c for c in text[:_GLANCE] if not c.isspace()]
    common, count = Counter(sample).most_common(1)[0] if sample else ("", 0)
    if (len(sample) >= 8 and common > "\x7f" and count > _MONOTONE * len(sample)) or sample.count("\ufeff") > 1:
        return False
    east = [c for c in sample if _is_east(c)]
    scripts = Counter(_script(c) for c in sample if not _is_east(c))
    signs = scripts.pop("", 0)
    top = max(scripts.values(), default=0)
    if len(sample) - len(east) - signs - top > (1 - _MOST) * len(sample):
        return False
    if not east:
        letters = sum(c.isalpha() for c in sample if c > "\x7f")
        return letters >= 0.3 * sum(c > "\x7f" and _script(c) != "" for c in sample)
    return _is_everyday(east)


def _is_east(character: str) -> bool:
    return "\u2e80" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7a3" or "\uff00" <= character <= "\uffef"


@cache
def _script(character: str) -> str:
    """The script of a character that belongs to one; empty for signs, digits and emoji."""
    if character < "\x7f" or not unicodedata.category(character).startswith(("L", "M", "C")):
        return ""
    if _may_be_new(character) or "\u2000" <= character <= "\u206f" or "\ufe00" <= character <= "\ufe0f":
        return ""
    return unicodedata.name(character, "?").split()[0]


def _is_everyday(east: list[str]) -> bool:
    """Whether most of these are in one of the sets of everyday characters, and some are frequent ones."""
    best = max(sum(_in_set(c, charset) for c in east) for charset in (*_CHARSETS, "euc_kr"))
    frequent = sum(any(c in often for often in guess.FREQUENT.values()) for c in east)
    return best >= _EVERYDAY * len(east) and (len(east) < _ENOUGH or frequent >= _FREQUENT * len(east))


@cache
def _in_set(character: str, charset: str) -> bool:
    if "\u3000" <= character <= "\u303f" or "\uff00" <= character <= "\uff65":
        return True
    if charset == "euc_kr":
        return "\uac00" <= character <= "\ud7a3" and bool(character.encode("euc_kr", "ignore"))
    if charset == "euc_jp" and "\u3041" <= character <= "\u30ff":
        return True
    return guess.is_everyday(character, charset)


def is_wordlike(text: str) -> bool:
    """Whether what a guess made of bytes is words, numbers and their signs rather than single letters and odd signs."""
    sample = "".join(c for c in text[:_WORDS].translate(_NEUTRAL) if unicodedata.category(c)[0] != "M")
    good = bad = 0
    for word in _LETTERS.findall(sample):
        fits = (len(word) > 1 or word > "\u2e80") and _is_cased(word)
        good, bad = (good + len(word), bad) if fits else (good, bad + len(word))
    good += sum(map(len, _NUMBERS.findall(sample)))
    bad += len(_ODD_SIGNS.findall(sample)) + 2 * len(_BETWEEN.findall(sample))
    return len(sample) < 4 or bad < 4 or good >= _WORDLIKE * (good + bad)


def _is_cased(word: str) -> bool:
    """Whether capitals stand in a word as they do; long ASCII words may be names of a program's."""
    tail = word[1:]
    one = tail.islower() or word.isupper() or not (word.isupper() or any(c.isupper() or c.islower() for c in word))
    return one or (word.isascii() and len(word) > 5)
