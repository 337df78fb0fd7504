"""A filter's text cut into words, texts, names and marks, one at a time; and errors that say where they are."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from core.errors import InvalidFilter
from core.filters.tree import Op
from core.filters.words import shown


class Kind(StrEnum):
    """What a token is: a bare word, a text in quotes, a name in backquotes, an operator of signs, a bracket or comma."""

    WORD = "word"
    TEXT = "text"
    NAME = "name"
    SIGNS = "signs"
    MARK = "mark"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """One token; ``text`` is what it stands for (without quotes and escapes), ``at`` where it begins."""

    kind: Kind
    text: str
    at: int

    @property
    def word(self) -> str:
        """A bare word in lower case, as keywords are compared; nothing for any other token."""
        return self.text.lower() if self.kind is Kind.WORD else ""

    def is_mark(self, mark: str) -> bool:
        return self.kind is Kind.MARK and self.text == mark


KEYWORDS = frozenset({"and", "or", "not", "is", "null", "true", "false", "everything", "nothing"}) | {
    op.value for op in Op
}
"""Bare words that are neither a field nor a text: those are written in backquotes and in quotes."""

SPELLED = {op: op.value for op in Op} | {
    Op.NOT_IN: "not in", Op.NOT_CONTAINS: "not contains", Op.IS_NULL: "is null", Op.NOT_NULL: "is not null",
}  # fmt: skip
"""Operators as they are written in a text and told in messages."""

ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"', "'": "'"}
_HEX = {"u": 4, "U": 8}
_MARKS = frozenset("()[],")
_SIGNS = frozenset("=<>!≠≤≥~&|:")
_PUNCTUATION = frozenset("_.-")
_IN_VALUES = frozenset("+/@#%")
_PLAIN = {quote: re.compile(rf"[^{quote}\\]*") for quote in "\"'"}


def in_name(character: str) -> bool:
    """Whether a bare field name may hold this character: a letter or digit of any script, or one of ``_ . -``."""
    return character.isalnum() or character in _PUNCTUATION or unicodedata.category(character)[0] == "M"


class Tokens:
    """The tokens of ``text``, read as they are wanted; ``next`` is the one that was not taken yet."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self.next = self._read()

    def take(self) -> Token:
        """The next token, which is then behind us."""
        taken = self.next
        self.next = self._read()
        return taken

    def wrong(self, what: str, at: int, more: str = "", do: str = "") -> InvalidFilter:
        """An error that says what is wrong and at which place of the text."""
        column = at - self._text.rfind("\n", 0, at)
        line = f"line {self._text.count(chr(10), 0, at) + 1}, " if "\n" in self._text else ""
        return InvalidFilter(f"{what} at {line}column {column}{more}", do)

    def expected(self, what: str, do: str = "") -> InvalidFilter:
        """An error that says what was expected in place of the next token."""
        found = "but the filter ends" if self.next.kind is Kind.END else f"but there is {shown(self.next.text)}"
        return self.wrong(f"Expected {what}", self.next.at, f", {found}.", do)

    def _read(self) -> Token:
        text, at = self._text, self._at
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text):
            self._at = at
            return Token(Kind.END, "", at)
        first = text[at]
        if first in _PLAIN:
            return self._quoted(first, at)
        if first == "`":
            return self._name(at)
        if first in _MARKS:
            self._at = at + 1
            return Token(Kind.MARK, first, at)
        if first in _SIGNS:
            return self._signs(at)
        return self._word(at)

    def _signs(self, at: int) -> Token:
        end = at
        while end < len(self._text) and self._text[end] in _SIGNS:
            end += 1
        self._at = end
        return Token(Kind.SIGNS, self._text[at:end], at)

    def _word(self, at: int) -> Token:
        text, end = self._text, at
        number = text[at] in "0123456789+-."  # times and exponents: 2026-03-12T10:00+01:00, 1e+300
        while end < len(text) and (in_name(text[end]) or text[end] in _IN_VALUES or (number and text[end] == ":")):
            end += 1
        if end == at:
            hint = 'Put text in straight quotes: "…".' if text[at] in "“”„‘’«»" else "Put text that holds it in quotes."
            raise self.wrong(f"There is no place for {text[at]!r}", at, ".", hint)
        self._at = end
        return Token(Kind.WORD, text[at:end], at)

    def _name(self, at: int) -> Token:
        parts, begin = [], at + 1
        while (end := self._text.find("`", begin)) >= 0:
            parts.append(self._text[begin:end])
            begin = end + 2
            if self._text[end + 1 : begin] != "`":
                self._at = end + 1
                return Token(Kind.NAME, "`".join(parts), at)
        raise self.wrong("The backquote", at, " is never closed.", "Write a backquote inside a name twice.")

    def _quoted(self, quote: str, at: int) -> Token:
        parts: list[str] = []
        self._at = at + 1
        while plain := _PLAIN[quote].match(self._text, self._at):
            parts.append(plain.group())
            self._at = plain.end()
            if self._text.startswith(quote, self._at):
                self._at += 1
                return Token(Kind.TEXT, "".join(parts), at)
            if self._at + 1 >= len(self._text):
                break
            parts.append(self._escaped())
        raise self.wrong("The quote", at, " is never closed.", f"Write {quote} inside it as \\{quote}.")

    def _escaped(self) -> str:
        """The character that the escape sequence at this place stands for."""
        letter = self._text[self._at + 1]
        digits = self._text[self._at + 2 : self._at + 2 + _HEX.get(letter, 0)]
        if letter in ESCAPES:
            self._at += 2
            return ESCAPES[letter]
        if letter in _HEX and re.fullmatch(rf"[0-9a-fA-F]{{{_HEX[letter]}}}", digits) and int(digits, 16) <= 0x10FFFF:
            self._at += 2 + len(digits)
            return chr(int(digits, 16))
        raise self.wrong(
            f"There is no escape '\\{letter if letter.isprintable() else shown(letter)[1:-1]}'",
            self._at,
            ".",
            "Write a backslash as \\\\; there are \\n, \\t, \\r, \\\", \\' and \\u with four hexadecimal digits.",
        )
