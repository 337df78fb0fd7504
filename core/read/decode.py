"""Bytes to canonical text: a byte order mark decides, else UTF-8, else a guess that is shown; line ends become ``\\n``."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.errors import UnreadableFile
from core.read import clean
from core.read.content import Content
from core.settings import ReadSettings
from core.types import Block

# The longer marks first: UTF-32-LE begins with the mark of UTF-16-LE.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What never stands in a text: C0 controls other than tab, line feed, form feed, carriage return and escape.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text with the encoding it was in, whether that was guessed, what was cleaned, and what to tell."""

    text: str
    encoding: str
    guessed: bool
    cleaned: Mapping[str, int]
    notices: tuple[str, ...]

    def content(self, blocks: Iterable[Block]) -> Content:
        return Content(self.text, tuple(blocks), self.encoding, self.guessed, 0, self.cleaned, self.notices)


def decoded(data: bytes, settings: ReadSettings) -> Decoded:
    """The text in ``data`` with ``\\n`` line ends, without characters that no text holds.

    Raises:
        UnreadableFile: the bytes are binary, or not in the encoding that ``settings`` names.
    """
    encoding = settings.encoding or next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    text, counts = clean.characters(decode(data), ligatures=settings.clean)
    return Decoded(text, encoding, False, counts, ())


def decode(data: bytes) -> str:
    """The text in ``data`` with ``\\n`` line ends.

    Raises:
        UnreadableFile: the bytes are binary, or in an encoding other than UTF-8 that no byte order mark names.
    """
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    if encoding is None and b"\x00" in data:
        raise UnreadableFile("The file is binary, not text: it holds zero bytes.", "Export it as UTF-8 text.")
    try:
        text = data.decode(encoding or "utf-8")
    except UnicodeDecodeError as error:
        if encoding is None:
            _refuse_binary(data.decode("latin-1"))
        # A codec that took a byte order mark off counts from behind it.
        position = error.start + len(data) - len(error.object)
        raise UnreadableFile(
            f"The file is not {'UTF-8' if encoding in (None, 'utf-8-sig') else encoding.upper()} text: "
            f"byte 0x{data[position]:02x} at position {position:,} cannot be read.",
            "Save it as UTF-8 and add it again.",
        ) from None
    _refuse_binary(text)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _refuse_binary(text: str) -> None:
    if len(_CONTROLS.findall(text)) > len(text) // 100:
        raise UnreadableFile(
            "The file is binary, not text: it is full of control characters.", "Export it as UTF-8 text."
        )
