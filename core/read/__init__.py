"""Bytes become a ``Document``: one module per format, each giving a text and its blocks."""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from hashlib import blake2b
from importlib import import_module

from core.errors import UnreadableFile
from core.read import formats, language
from core.read.content import Content
from core.settings import ReadSettings
from core.types import Document, Progress, Reading, no_progress

MAX_CHARACTERS = 60_000_000
MAX_BYTES = 200_000_000
AUTOMATIC = ReadSettings()


def read(name: str, data: bytes, settings: ReadSettings = AUTOMATIC, progress: Progress = no_progress) -> Document:
    """The document in ``data``; ``name`` is its path relative to the dropped folder and gives its identity.

    Raises:
        UnreadableFile: an impossible name, no format we read, empty, damaged, locked or too large; the reason says which.
        Cancelled: from ``progress``.
    """
    return document(name, content(name, data, settings, progress), settings)


def content(name: str, data: bytes, settings: ReadSettings = AUTOMATIC, progress: Progress = no_progress) -> Content:
    """What ``data`` says, read as the format that it is; see ``read``."""
    if any("\ud800" <= character <= "\udfff" for character in name):
        raise UnreadableFile("The file's name is no valid Unicode.", "Rename the file.")
    if len(data) > MAX_BYTES:
        raise UnreadableFile(f"{len(data):,} bytes are more than the {MAX_BYTES:,} read at once.", "Split it.")
    found = formats.of(name, data)
    made: Content = import_module(f"core.read.{found.module}").content(data, found, settings, progress)
    if not made.text.strip():
        only = ", only front matter" if made.front else ""
        raise UnreadableFile(f"The file holds no text{only}.", "Add text to it, or leave it out.")
    if len(made.text) > MAX_CHARACTERS:
        raise UnreadableFile(
            f"{len(made.text):,} characters are more than the {MAX_CHARACTERS:,} read at once.", "Split it."
        )
    notices = made.notices
    if formats.BY_SUFFIX.get(formats.suffix(name)) is not found:
        notices = (f"Named {formats.suffix(name)}, but it is {found.name}, and was read as that.", *notices)
    spoken = settings.language or language.of(made.text)
    return replace(made, media_type=found.media_type, language=spoken, cleaned=dict(made.cleaned), notices=notices)


def document(name: str, made: Content, settings: ReadSettings = AUTOMATIC) -> Document:
    """The document that ``made`` is, under its name."""
    reading = Reading(
        settings,
        made.encoding,
        made.guessed,
        made.language,
        made.pages,
        dict(Counter(block.kind.value for block in made.blocks)),
        made.cleaned,
        made.notices,
    )
    return Document(
        document_id(name), revision(made.text), name, made.media_type, made.text, made.blocks, reading, made.front
    )


def front(name: str, data: bytes, settings: ReadSettings = AUTOMATIC) -> Mapping[str, object]:
    """What a file says about itself before its text begins, without reading it whole; ``{}`` if it cannot be read."""
    known = formats.BY_SUFFIX.get(formats.suffix(name))
    if known is None or known.module != "markdown":
        return {}
    found: Mapping[str, object] = import_module("core.read.markdown").front(data, settings)
    return found


def says_its_encoding(data: bytes) -> bool:
    """Whether the bytes of a text begin with a byte order mark, or are UTF-8 and more than ASCII."""
    if data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    try:
        return not data.decode("utf-8").isascii()
    except UnicodeDecodeError:
        return False


def document_id(name: str) -> str:
    """60 bits of a hash of the name, in 15 hex digits: links and gold survive an edit of the text."""
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()[:15]


def revision(text: str) -> str:
    """A hash of the text, in 32 hex digits."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
