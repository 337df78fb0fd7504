"""The line that is being written while a page is walked: its words, its pictures, its line breaks; or code."""

from __future__ import annotations

import re

_WHITE = re.compile("[ \t\n\r\f]+")
_SPACES = re.compile(" {2,}")
_AROUND_BREAK = re.compile(" ?\n ?")
_PARAGRAPH_BREAK = re.compile("\n{2,}")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SOFT_HYPHEN = "\u00ad"


def one_line(text: str) -> str:
    """``text`` with each run of white space as one space; a no-break space is none."""
    return _WHITE.sub(" ", text).strip(" ")


class Line:
    """Takes text as it stands in the source; gives paragraphs with white space as a browser would show it."""

    def __init__(self, *, clean: bool) -> None:
        """``clean``: soft hyphens are taken out and counted."""
        self.hyphens = 0
        self.raised = 0
        self._clean = clean
        self._pieces: list[str] = []
        self._pictures: list[str] = []
        self._words = False
        self._code: list[str] | None = None

    def add(self, text: str | None) -> None:
        if not text:
            return
        if self._code is not None:
            self._code.append(text)
            return
        if self.raised and text.isdigit() and self._pieces and self._pieces[-1][-1:].isdigit():
            # 10 to the power of 6 is not 106, and note 3 to 2020 not 20203.
            text = text.translate(_SUPERSCRIPTS)
        self._pieces.append(_WHITE.sub(" ", text))
        self._words = self._words or not text.isspace()

    def add_break(self) -> None:
        (self._pieces if self._code is None else self._code).append("\n")

    def add_picture(self, said: str) -> None:
        """A picture among words is one of them; alone, it is an image."""
        if self._code is not None:
            self._code.append(said)
        else:
            self._pieces.append(said)
            self._pictures.append(said)

    def taken(self) -> tuple[list[str], list[str]]:
        """The paragraphs so far and the pictures that stood without words; the line is empty then.

        In code nothing is taken: a block element there is a line.
        """
        if self._code is not None:
            if self._code and not self._code[-1].endswith("\n"):
                self._code.append("\n")
            return [], []
        if not self._pieces:
            return [], []
        text = _AROUND_BREAK.sub("\n", _SPACES.sub(" ", "".join(self._pieces))).strip(" \n")
        pictures = [] if self._words else self._pictures
        self._pieces, self._pictures, self._words = [], [], False
        if self._clean and _SOFT_HYPHEN in text:
            self.hyphens += text.count(_SOFT_HYPHEN)
            text = text.replace(_SOFT_HYPHEN, "")
        return ([], pictures) if pictures else (_PARAGRAPH_BREAK.split(text) if text else [], [])

    def open_code(self) -> None:
        if self._code is None:
            self._code = []

    def taken_code(self) -> str:
        """The code that was open; empty if none was."""
        code, self._code = self._code or [], None
        return "".join(code)
