"""What a text is looked through for: marks that may end a sentence, and what stands around one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.markup import SIGNS

# Marks that end a sentence without a capital or a space after them, by script: CJK, Arabic, Urdu, Syriac, Devanagari,
# Myanmar, Ethiopic, Khmer, Tibetan, Mongolian, Tai, N'Ko, Armenian and others (Unicode's Sentence_Terminal).
_WIDE = "。！？｡．﹒﹖﹗؟۔؝؞܀-܂।॥။።፧፨។៕།༎᠃᠉᥄᥅߹꓿꘎꘏꩝-꩟᱾᱿᭚᭛᭞᭟꧈꧉᪨-᪫᰻᰼꯫꤯᙮᜵᜶։"
EXCLAIM = "!?‼⁇⁈⁉‽\u037e"
_ENDERS = rf"\.…{EXCLAIM}{_WIDE}"
_QUOTES_AFTER = "\"'”’»›」』”〞〟＂＇"
_CLOSERS = rf"{_QUOTES_AFTER})\]}}）】〉》〕］｝〗〙〛*_`~"
OPENERS = "\"'“‘„‚«‹「『（【〈《〔［｛〖([{¿¡*_`>~#"
_RAISED = "\u00b2\u00b3\u00b9\u2070-\u2079"
_GREEK = "\u0370-\u03ff\u1f00-\u1fff"
_ARMENIAN = "\u0531-\u0587"
_CJK = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"

# Possessive throughout, and no mark fails behind its first character: nothing is tried twice, whatever the text.
CANDIDATE = re.compile(
    rf"""
    [{_ENDERS}{SIGNS};:](?<![^{_GREEK}];)(?<![^{_ARMENIAN}]:)(?<!\S[{SIGNS}])
    (?:[{_ENDERS}\ufe0e\ufe0f]|[ \u00a0](?=\.++(?!\w)))*+
    (?P<close>(?:[{_CLOSERS}]|[“‘«‹](?![^\s.,;:)])|</\w{{1,10}}+>
        |\[\^?\w{{1,4}}+(?:\s?[,;–—-]\s?\w{{1,4}}+){{0,30}}+\]|\(\d{{1,3}}+(?:[,–-]\s?\d{{1,3}}+){{0,30}}+\)
        |[{_RAISED}](?:[,–⁻-](?=[{_RAISED}]))?|(?<=[^\W\d_][^\W\d_][^\W\d_][.!?])\d{{1,3}}+(?:[,–-]\d{{1,3}}+){{0,30}}+(?=\s++[A-ZÀ-Þ])
        |[^\S\n]»(?![^\s.,;:)]))*+)
    (?P<gap>\s*+)
    (?:(?<=[^\s{_WIDE}」』）】〉》〕］｝”’])(?=[a-z0-9/\\@=&%\#,;~+\-])(?P<inside>)|)
    (?P<open>[{OPENERS}]*+)
    """,
    re.VERBOSE,
)
_DASHED = re.compile(r"(?:[—–][ \u00a0]?)?(.)", re.DOTALL)
_NUMBER_BEFORE = re.compile(r"(?:^|[^\w.,])(\d[\d.,/]*)\s+$")
_TOKEN = re.compile(r"\S{1,24}")
_CJK_CHARACTER = re.compile(f"[{_CJK}]")
WIDE = frozenset(character for character in map(chr, range(0x10000)) if re.match(f"[{_WIDE}]", character))
"""Marks that end a sentence whatever follows."""


@dataclass(slots=True)
class Stop:
    """A stop that may end a sentence, with what is around it."""

    text: str
    first: int  # where the sentence begins that it may end
    at: int
    run: str
    close: str
    gap: str
    open: str
    next: int  # where a sentence after it would begin
    end: int

    @property
    def following(self) -> str:
        """The token behind the gap and opening quotes, cut at 24 characters."""
        token = _TOKEN.match(self.text, self.next + len(self.open), self.end)
        return token.group() if token else ""

    @property
    def initial(self) -> str:
        """The first character behind the gap, opening quotes and a dash."""
        found = _DASHED.match(self.text, self.next + len(self.open), self.end)
        return found[1] if found else ""

    @property
    def number(self) -> str:
        """The number before the token that the stop stands at, white space between them: "" for none."""
        before = self.text[max(self.first, self.at - 60) : self.at]
        token = before.split()[-1]
        found = _NUMBER_BEFORE.search(before[: -len(token)])
        return found[1] if found and found[1][-1].isdigit() else ""

    @property
    def token(self) -> str:
        """The last 40 characters at most of the token that the stop stands at: empty after white space."""
        before = self.text[max(self.first, self.at - 40) : self.at]
        return before.split()[-1] if before and not before[-1].isspace() else ""


def is_upper(text: str) -> bool:
    return text[:1].isupper() or text[:1].istitle()


def is_cjk(character: str) -> bool:
    return _CJK_CHARACTER.match(character) is not None


def is_ellipsis(run: str) -> bool:
    return "…" in run or run.count(".") > 1


def is_quoted(close: str) -> bool:
    return any(mark in _QUOTES_AFTER for mark in close) if close else False
