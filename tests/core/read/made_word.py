"""Word and PowerPoint files made of our own XML, for what python-docx and python-pptx cannot write."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile
from zlib import compress, crc32

from docx.oxml import parse_xml

_NAMESPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "v": "urn:schemas-microsoft-com:vml",
        "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    }.items()
)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + crc32(kind + data).to_bytes(4, "big")


PNG = (
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", b"\0\0\0\1\0\0\0\1\x08\0\0\0\0")
    + _chunk(b"IDAT", compress(b"\0\0"))
    + _chunk(b"IEND", b"")
)
"""A picture of one pixel."""


def saved(document: Any) -> bytes:
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def put(document: Any, xml: str) -> None:
    """Add a block of XML at the end of a document's body."""
    name = xml[1:].split(">")[0].split()[0].rstrip("/")
    document.element.body.insert(-1, parse_xml(xml.replace(f"<{name}", f"<{name} {_NAMESPACES}", 1)))


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(text: str) -> str:
    return f"<w:p>{run(text)}</w:p>"


def patched(data: bytes, parts: Mapping[str, bytes]) -> bytes:
    """A zip with some parts replaced, or added."""
    out = BytesIO()
    with ZipFile(BytesIO(data)) as old, ZipFile(out, "w", ZIP_DEFLATED) as new:
        for name in dict.fromkeys([*old.namelist(), *parts]):
            new.writestr(name, parts[name] if name in parts else old.read(name))
    return out.getvalue()


def part(data: bytes, name: str) -> bytes:
    with ZipFile(BytesIO(data)) as archive:
        return archive.read(name)
