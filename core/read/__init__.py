"""Bytes become a ``Document``: one module per format, each giving text and blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import PurePosixPath

from core.errors import UnreadableFile
from core.read import markdown, plain
from core.read.decode import decode
from core.types import Block, Document

MAX_CHARACTERS = 20_000_000
MAX_BYTES = 4 * MAX_CHARACTERS
Format = tuple[str, Callable[[str], Iterator[Block]]]
FORMATS: dict[str, Format] = {
    ".txt": ("text/plain", plain.blocks),
    ".md": ("text/markdown", markdown.blocks),
    ".markdown": ("text/markdown", markdown.blocks),
}
"""What can be read, by file ending: media type and the function that finds the blocks."""


def read(name: str, data: bytes) -> Document:
    """The document in ``data``; ``name`` is its path relative to the dropped folder and gives its identity.

    Raises:
        UnreadableFile: an impossible name, no format we read, empty, binary, wrongly encoded or too large; the reason says which.
    """
    if any("\ud800" <= character <= "\udfff" for character in name):
        raise UnreadableFile("The file's name is no valid Unicode.", "Rename the file.")
    media_type, find_blocks = format_of(name)
    text = decode(data)
    if not text.strip():
        raise UnreadableFile("The file holds no text.", "Add text to it, or leave it out.")
    if len(text) > MAX_CHARACTERS:
        raise UnreadableFile(
            f"{len(text):,} characters are more than the {MAX_CHARACTERS:,} read at once.", "Split it."
        )
    return Document(document_id(name), revision(text), name, media_type, text, tuple(find_blocks(text)))


def format_of(name: str) -> Format:
    """The media type of a file of that name, and the function that finds its blocks.

    Raises:
        UnreadableFile: no format of ours has that ending.
    """
    suffix = PurePosixPath(name).suffix.lower()
    if suffix not in FORMATS:
        raise UnreadableFile(f"{suffix or 'A file without an ending'} is not read.", f"Formats: {', '.join(FORMATS)}.")
    return FORMATS[suffix]


def document_id(name: str) -> str:
    """60 bits of a hash of the name, in 15 hex digits: links and gold survive an edit of the text."""
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()[:15]


def revision(text: str) -> str:
    """A hash of the text, in 32 hex digits."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
