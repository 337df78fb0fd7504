"""Text whose encoding a page or a mail declares: believed as browsers believe it, unless the bytes say otherwise."""

from __future__ import annotations

import codecs
from dataclasses import replace

from core.read.decode import Decoded, decoded, label
from core.settings import ReadSettings

_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
# What browsers take these names for (WHATWG Encoding Standard).
_BROWSERS = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}


def decoded_as(data: bytes, declared: str, settings: ReadSettings) -> Decoded:
    """The text in ``data``, which says of itself that it is in the encoding ``declared``; empty if it says nothing.

    What the user chose and a byte order mark come first. A declaration that does not fit the bytes is not believed.

    Raises:
        UnreadableFile: see ``decode.decoded``.
    """
    encoding = _codec(declared)
    if settings.encoding or not encoding or data.startswith(_MARKS):
        return decoded(data, settings)
    if encoding != "utf-8" and not data.isascii() and _fits(data, "utf-8"):
        found = decoded(data, replace(settings, encoding="utf-8"))
        return replace(found, notices=(f"It says it is in {label(encoding)}, but it is in UTF-8.", *found.notices))
    return decoded(data, replace(settings, encoding=encoding) if _fits(data, encoding) else settings)


def _codec(declared: str) -> str:
    """Python's name for what browsers and mail readers take ``declared`` for; empty if it is nothing they know."""
    try:
        known = codecs.lookup(declared.strip()).name
        "".encode(known)
    except (LookupError, ValueError):
        return ""
    if known.startswith(("utf-16", "utf-32")):
        # Named in single bytes, so it is not.
        return "utf-8"
    return "" if known in ("utf-7", "punycode", "idna", "undefined") else _BROWSERS.get(known, known)


def _fits(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True
