"""Bytes to canonical text: what the user says, else a byte order mark, else UTF-8, else a guess that is shown.

Line ends become ``\\n``; zero characters are taken out and counted. No other character is dropped: what cannot be read
stands as U+FFFD, and a notice says how often.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from core.errors import UnreadableFile
from core.read import MAX_CHARACTERS, clean, guess, plausible
from core.read.content import Content
from core.settings import ReadSettings
from core.types import Block

CHOICES: Mapping[str, str] = {
    "utf-8": "Unicode (UTF-8)",
    "utf-16-le": "Unicode (UTF-16, little-endian)",
    "utf-16-be": "Unicode (UTF-16, big-endian)",
    "utf-32-le": "Unicode (UTF-32, little-endian)",
    "utf-32-be": "Unicode (UTF-32, big-endian)",
    "cp1252": "Western European (Windows-1252)",
    "iso8859-15": "Western European (ISO 8859-15)",
    "mac-roman": "Western European (Mac Roman)",
    "cp850": "Western European (DOS 850)",
    "cp437": "Western European (DOS 437)",
    "cp1250": "Central European (Windows-1250)",
    "iso8859-2": "Central European (ISO 8859-2)",
    "cp852": "Central European (DOS 852)",
    "cp1251": "Cyrillic (Windows-1251)",
    "koi8-r": "Cyrillic (KOI8-R)",
    "koi8-u": "Cyrillic (KOI8-U)",
    "iso8859-5": "Cyrillic (ISO 8859-5)",
    "cp866": "Cyrillic (DOS 866)",
    "mac-cyrillic": "Cyrillic (Mac)",
    "cp1253": "Greek (Windows-1253)",
    "iso8859-7": "Greek (ISO 8859-7)",
    "cp1254": "Turkish (Windows-1254)",
    "iso8859-9": "Turkish (ISO 8859-9)",
    "cp1255": "Hebrew (Windows-1255)",
    "cp1256": "Arabic (Windows-1256)",
    "cp1257": "Baltic (Windows-1257)",
    "cp1258": "Vietnamese (Windows-1258)",
    "cp874": "Thai (Windows-874)",
    "cp932": "Japanese (Shift-JIS)",
    "euc_jp": "Japanese (EUC-JP)",
    "iso2022_jp_2": "Japanese (ISO 2022-JP)",
    "gb18030": "Simplified Chinese (GB 18030)",
    "big5hkscs": "Traditional Chinese (Big5)",
    "cp950": "Traditional Chinese (Windows-950)",
    "cp949": "Korean (EUC-KR, Windows-949)",
}
"""The encodings offered, by Python's name for them, with a label."""

# The longer marks first: UTF-32-LE begins with the mark of UTF-16-LE.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
# What hardly stands in a text: C0 controls other than tab, line feed, form feed, carriage return and escape.
_CONTROLS = bytes({*range(1, 32)} - {9, 10, 12, 13, 27})
_MANY_CONTROLS = 0.01
_MANY_ZEROS = 20  # a log cut short by a crash ends in thousands of them
_NO_CODEC_OF_TEXT = ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "mbcs", "oem", "utf_7")
_OTHER_NAMES = ("latin-1", "windows-1252", "windows-1251", "shift_jis", "gbk", "big5", "euc-kr", "ascii")
_MOST_BROKEN = 0.2  # of the characters: more, and the bytes are in another encoding
_SOME = 0.05
_EQUAL = 0.1  # scores of readings that are about as good
_PEEK = 200_000
_GLANCE = 20_000
_BROKEN = "\ufffd"
# A character of several bytes that lacks its last: nothing but UTF-8 looks like that.
_CUT = re.compile(rb"(?:[\xe1-\xef][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{1,2})(?![\x80-\xff])")
_DECLARED = re.compile(rb"(?:coding[:=]\s*|encoding=[\"']|@charset [\"'])([-\w.]+)")


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


@dataclass(frozen=True, slots=True)
class _Read:
    """A decoded text: ``broken`` counts the places that could not be read."""

    text: str
    encoding: str
    guessed: bool = False
    broken: int = 0


def decoded(data: bytes, settings: ReadSettings) -> Decoded:
    """The text in ``data`` with ``\\n`` line ends, without characters that no text holds.

    Raises:
        UnreadableFile: the bytes are binary, not in the encoding that ``settings`` names, or too many.
    """
    found = _as_told(data, settings.encoding) if settings.encoding else _found_out(data)
    if len(found.text) > MAX_CHARACTERS:
        raise UnreadableFile(
            f"{len(found.text):,} characters are more than the {MAX_CHARACTERS:,} read at once.", "Split it."
        )
    text, counts = clean.characters(found.text, ligatures=settings.clean)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    plausible.refuse_garbage(text)
    return Decoded(text, found.encoding, found.guessed, counts, tuple(_notices(found)))


def label(encoding: str) -> str:
    """An encoding in words."""
    return CHOICES.get(encoding, encoding)


def _notices(found: _Read) -> Iterator[str]:
    if found.broken:
        places = "1 character" if found.broken == 1 else f"{found.broken:,} characters"
        yield f"{places} could not be read as {label(found.encoding)}; {_BROKEN} stands there."
    if found.guessed:
        yield f"The encoding is a guess: {label(found.encoding)}. If letters look wrong, choose another."


def _as_told(data: bytes, name: str) -> _Read:
    """The text in the encoding that the user names."""
    encoding = _codec(name)
    mark = next((mark for mark, marked in _MARKS if marked == encoding and data.startswith(mark)), b"")
    found = _lenient(data[len(mark) :], encoding)
    if found.broken > max(1, len(found.text) * _MOST_BROKEN):
        raise UnreadableFile(f"The file is not in {label(encoding)}.", "Choose another encoding, or “automatic”.")
    _refuse_binary(found.text.encode("utf-8", "replace"))
    return found


def _codec(name: str) -> str:
    """Python's own name for an encoding.

    Raises:
        UnreadableFile: it has none, or one that is not for texts.
    """
    try:
        encoding = codecs.lookup(name).name
        "".encode(encoding)
        known = encoding.replace("-", "_") not in _NO_CODEC_OF_TEXT
    except (LookupError, ValueError, UnicodeError):
        known = False
    if not known:
        near = get_close_matches(name.lower(), [*CHOICES, *_OTHER_NAMES], n=3) or ["utf-8", "cp1252"]
        raise UnreadableFile(f"“{name[:40]}” is no encoding.", f"Did you mean {' or '.join(near)}?")
    return {codecs.lookup(choice).name: choice for choice in CHOICES}.get(encoding, encoding)


def _lenient(data: bytes, encoding: str, *, guessed: bool = False) -> _Read:
    """``data`` in ``encoding``, with U+FFFD for what does not fit."""
    try:
        return _Read(data.decode(encoding), encoding, guessed)
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
    meant = data.count(_BROKEN.encode()) if encoding == "utf-8" else 0
    return _Read(text, encoding, guessed, max(0, text.count(_BROKEN) - meant))


def _found_out(data: bytes) -> _Read:
    """The text in the encoding that the bytes tell."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding)
    if (wide := _unmarked_wide(data)) is not None:
        return wide
    _refuse_binary(data)
    if data.isascii() and b"\x1b$" in data and (escaped := _strict(data, "iso2022_jp_2")) is not None:
        return _Read(escaped, "iso2022_jp_2", guessed=True)
    text = _strict(data, "utf-8")
    if text is not None:
        return _Read(text, "utf-8")
    found = _neither(data)
    if _controls(data) > len(data) * _MANY_CONTROLS or not plausible.is_wordlike(found.text):
        raise UnreadableFile("The file is binary, not text.", "Export it as UTF-8 text.")
    return found


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeError:
        return None


def _marked(data: bytes, encoding: str) -> _Read:
    found = _lenient(data, encoding)
    meaningless = encoding in _WIDE and plausible.meaningless(found.text) > _SOME
    if meaningless or found.broken > max(1, len(found.text) * _MOST_BROKEN):
        raise UnreadableFile(
            f"The file begins like {label(encoding)}, but is not: it is damaged or binary.", "Export it as UTF-8 text."
        )
    _refuse_binary(found.text.encode("utf-8"))
    return found


def _neither(data: bytes) -> _Read:
    """The text of bytes that are not UTF-8: damaged UTF-8, an encoding the file names, or the likeliest."""
    _refuse_monotone(data)
    damaged = _lenient(data, "utf-8")
    good = len(guess.ABOVE_ASCII.findall(damaged.text)) - damaged.broken + 3 * len(_CUT.findall(data))
    if good >= 2 * damaged.broken:
        return damaged
    if (declared := _declared(data)) is not None:
        return declared
    likely = guess.readings(data)
    for reading in likely:
        # A much worse reading is not taken for fitting everywhere: some fit any bytes.
        if reading.score > likely[0].score - _EQUAL and (text := _strict(data, reading.encoding)) is not None:
            return _Read(text, reading.encoding, guessed=True)
    if damaged.broken <= 3 and not likely:
        return damaged
    return _last_resort(data, likely[0].encoding if likely else "cp1252", sure=bool(likely))


def _last_resort(data: bytes, encoding: str, *, sure: bool) -> _Read:
    found = _lenient(data, encoding, guessed=True)
    mostly_ascii = sum(byte < 0x80 for byte in data[:_PEEK]) > 0.7 * len(data[:_PEEK])
    if found.broken > max(1, len(found.text) * _MOST_BROKEN) or not (sure or mostly_ascii):
        raise UnreadableFile(
            "The file is binary, not text, or in an encoding that is not known here.", "Export it as UTF-8 text."
        )
    return found


def _declared(data: bytes) -> _Read | None:
    """The text in the encoding that its first lines name, as program texts and XML do."""
    said = _DECLARED.search(b"\n".join(data[:1000].split(b"\n")[:2]))
    if said is None:
        return None
    try:
        encoding = _codec(said[1].decode("ascii"))
    except (UnreadableFile, UnicodeDecodeError):
        return None
    # What says in ASCII that it is UTF-16 is not.
    text = None if encoding.startswith(("utf-16", "utf-32")) else _strict(data, encoding)
    return _Read(text, encoding) if text is not None else None


def _unmarked_wide(data: bytes) -> _Read | None:
    """The text of UTF-16 or UTF-32 without a mark, known by where its zero bytes are."""
    head = data[:_PEEK]
    zeros = head.count(0)
    if zeros * 2 > len(head) and len(data) % 4 == 0:
        for encoding, first in (("utf-32-le", 3), ("utf-32-be", 0)):
            if not any(head[first::4]) and (text := _strict(data, encoding)) is not None and _plausible(text):
                return _Read(text, encoding, guessed=True)
    odd = head[1::2].count(0)
    lopsided = zeros > len(head) / 5 and max(odd, zeros - odd) > 0.75 * zeros
    # Other alphabets have few zeros, but bytes that are control characters; what is valid UTF-8 besides is hardly wide.
    alphabets = min(len(set(head[::2])), len(set(head[1::2])))
    strange = _controls(head) > len(head) * _MANY_CONTROLS and (
        (zeros and alphabets <= 4) or _strict(data, "utf-8") is None
    )
    # Spaces and stops among wide characters: their zero bytes are all on one side.
    sided = zeros > 1 and odd in (0, zeros) and _strict(data, "utf-8") is None
    even = not len(data) % 2 or len(data) > 100
    return _sixteen(data) if even and (lopsided or strange or sided) else None


def _sixteen(data: bytes) -> _Read | None:
    """UTF-16 in the byte order whose characters are of fewer alphabets, if they are text at all."""
    head = data[: _PEEK - _PEEK % 2]
    order = sorted((len(set(head[first::2])), encoding) for encoding, first in (("utf-16-le", 1), ("utf-16-be", 0)))
    for _, encoding in order:
        found = _lenient(data, encoding, guessed=True)
        if found.broken <= 1 and _plausible(found.text, alphabets=8 if 0 in head else 0):
            return found
    return None


def _plausible(text: str, alphabets: int = 8) -> bool:
    """Whether wide characters are a text: of East Asia or of few ``alphabets``, and hardly any control characters."""
    sample = text[:_GLANCE]
    rows = {ord(c) >> 8 for c in sample}
    if sum(_two_letters(c) for c in sample) > 0.3 * len(sample):
        return False
    if plausible.meaningless(sample) > _MANY_CONTROLS or (
        len(rows) > alphabets and not any(c > "\u2e7f" for c in sample)
    ):
        return False
    return plausible.is_written(sample)


def _two_letters(character: str) -> bool:
    """Whether the two bytes of a character are ASCII letters: one in ten is so in Chinese, all are in misread ASCII."""
    return all(chr(byte).isalpha() and byte < 0x80 for byte in divmod(ord(character), 256)) and ord(character) < 0x10000


def _controls(data: bytes) -> int:
    return len(data) - len(data.translate(None, _CONTROLS))


def _refuse_binary(data: bytes) -> None:
    """Refuse what is full of control characters, or little but zero bytes; a few of each are let through."""
    controls, zeros = _controls(data), data.count(0)
    size = len(data) - zeros
    few = len(data) < 100 and controls and (controls + zeros) * 8 > len(data)  # but many for so short a text
    if few or controls > max(3, size * _MANY_CONTROLS) or controls * 2 > size or zeros > size * _MANY_ZEROS:
        raise UnreadableFile(
            "The file is binary, not text: it is full of control characters.", "Export it as UTF-8 text."
        )


def _refuse_monotone(data: bytes) -> None:
    """Refuse bytes above ASCII that are one and the same over and over."""
    high = data[:_PEEK].translate(None, bytes(range(0x80)))
    if len(high) >= 32 and len(high) * 2 > len(data[:_PEEK]) and len(set(high)) <= 2:
        raise UnreadableFile("The file is binary, not text: its bytes repeat.", "Export it as UTF-8 text.")
