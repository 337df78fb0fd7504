"""Office files are zips of XML parts: checked for damage, passwords and size before any library opens them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile

from lxml import etree

from core.errors import AppError, UnreadableFile

_MOST_UNPACKED = 500_000_000
# Word's XML takes 2 s and 45 MB of memory per million bytes.
_MOST_XML = 60_000_000
# A text that repeats itself packs 100 times smaller; small files may pack as they like.
_MOST_PACKED = 200
_SMALL = 20_000_000
_MOST_MEMBERS = 20_000


@contextmanager
def reading(kind: str) -> Iterator[None]:
    """Whatever a library stumbles over in a damaged file becomes an ``UnreadableFile`` that names the ``kind`` of file."""
    try:
        yield
    except AppError:
        raise
    except (RecursionError, MemoryError):
        raise UnreadableFile(f"The {kind} file is nested too deeply or too large to read.", "Split it.") from None
    except Exception as error:
        raise UnreadableFile(f"The {kind} file is damaged.", f"Open it in {kind} and save it again.") from error


def opened(data: bytes, kind: str) -> ZipFile:
    """The zip in ``data``, safe to unpack.

    Raises:
        UnreadableFile: it is damaged or locked, or would unpack to more than is read at once.
    """
    try:
        archive = ZipFile(BytesIO(data))
    except (BadZipFile, ValueError, NotImplementedError, EOFError, OSError):
        raise UnreadableFile(f"The {kind} file is damaged: its zip cannot be opened.", "Export it again.") from None
    members = archive.infolist()
    if any(member.flag_bits & 1 for member in members):
        raise UnreadableFile(f"The {kind} file is locked by a password.", "Save it without one.")
    size = sum(member.file_size for member in members)
    xml = sum(member.file_size for member in members if member.filename.endswith((".xml", ".rels")))
    if len(members) > _MOST_MEMBERS or size > _MOST_UNPACKED or xml > _MOST_XML:
        raise UnreadableFile(f"The {kind} file unpacks to {size:,} bytes, more than is read at once.", "Split it.")
    if size > _SMALL and size > _MOST_PACKED * len(data):
        raise UnreadableFile(
            f"The {kind} file unpacks to {size:,} bytes, {size // len(data)} times its size: no document does.",
            "Export it again.",
        )
    return archive


def xml(data: bytes) -> Any:
    """The root of an XML part. Nothing it refers to is fetched.

    Raises:
        ValueError: it declares entities, which no Office program writes.
        lxml.etree.XMLSyntaxError: it is damaged.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, remove_comments=True, remove_pis=True
    )
    root = etree.fromstring(data, parser)
    if root.getroottree().docinfo.doctype:
        raise ValueError("a document type declaration")
    return root


def parts(archive: ZipFile) -> dict[str, Any]:
    """The roots of all XML parts, by path. One that is damaged is left out: most are of no account to the text."""
    found = {}
    for member in archive.infolist():
        if member.filename.endswith((".xml", ".rels")):
            try:
                found[member.filename] = xml(archive.read(member))
            except etree.XMLSyntaxError:
                continue
    return found


def zipped(parts: Mapping[str, Any]) -> BytesIO:
    """A zip of XML parts alone."""
    made = BytesIO()
    with ZipFile(made, "w") as target:
        for path, root in parts.items():
            target.writestr(path, etree.tostring(root, encoding="utf-8", xml_declaration=True))
    made.seek(0)
    return made
