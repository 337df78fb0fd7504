"""Zip archives: the files in them one by one, with names that harm nobody and sizes that are checked while unpacking."""

from __future__ import annotations

import re
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from lzma import LZMAError
from pathlib import PurePosixPath
from zipfile import BadZipFile, ZipFile, ZipInfo

from core.errors import UnreadableFile
from core.read import MAX_BYTES, formats, guess

MAX_FILES = 10_000
MAX_UNPACKED = 1 << 30
"""Bytes that all files together may unpack to."""

_MOST_PACKED = 200  # times smaller: nothing but a trap is packed so tightly
_SMALL = 1 << 20  # bytes below which it may be
_PIECE = 1 << 20
_UTF8_NAME = 0x800
_LOCKED = 0x1
_DIRECTORY_ENTRY = b"PK\x01\x02"
_DRIVE = re.compile(r"^[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_LEFT_OUT = frozenset({"__macosx", "thumbs.db", "desktop.ini"})
DAMAGED = (BadZipFile, zlib.error, LZMAError, EOFError, OSError, ValueError)


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive: its ``data``, or the ``reason`` why it is not read."""

    name: str
    data: bytes | None
    reason: str = ""


class TooLarge(Exception):
    """A file unpacks to more than it may."""


def unpack(name: str, data: bytes) -> Iterator[Member]:
    """The files in a zip by path, as if they lay where the archive does. Hidden files and folders are left out.

    Raises:
        UnreadableFile: the archive is damaged, or holds too many files.
    """
    left = MAX_UNPACKED
    seen: set[str] = set()
    with _opened(data) as archive:
        for path, info in _listed(archive, PurePosixPath(safe(name)).parent):
            reason = "It is in the archive twice; the first is read." if path in seen else _refused(path, info)
            seen.add(path)
            if reason:
                yield Member(path, None, reason)
                continue
            member = _unpacked(archive, path, info, min(MAX_BYTES, left))
            left -= len(member.data or b"")
            yield member


def safe(name: str) -> str:
    """A path in an archive as one below the folder it is unpacked to, with ``/`` between its parts."""
    path = _DRIVE.sub("", _CONTROL.sub("_", name).replace("\\", "/"))
    return "/".join(part for part in path.split("/") if part.strip() not in ("", ".", ".."))


def inflated(archive: ZipFile, info: ZipInfo, limit: int, small: int = _SMALL) -> bytes:
    """A file's bytes, counted while they are unpacked: what the archive says of its size is not believed.

    Raises:
        TooLarge: there are more than ``limit``; or more than ``small``, packed tighter than any honest file is.
    """
    packed = max(1, info.compress_size)
    pieces: list[bytes] = []
    size = 0
    with archive.open(info) as file:
        while piece := file.read(_PIECE):
            size += len(piece)
            if size > limit or (size > small and size > packed * _MOST_PACKED):
                raise TooLarge
            pieces.append(piece)
    return b"".join(pieces)


def _opened(data: bytes) -> ZipFile:
    # Each entry costs memory before one can be counted.
    if data.count(_DIRECTORY_ENTRY) > 4 * MAX_FILES:
        raise _too_many()
    try:
        archive = ZipFile(BytesIO(data))
    except (*DAMAGED, NotImplementedError):
        raise UnreadableFile("The archive is damaged.", "Pack it again.") from None
    if sum(not info.is_dir() for info in archive.infolist()) > MAX_FILES:
        raise _too_many()
    return archive


def _too_many() -> UnreadableFile:
    return UnreadableFile(f"The archive holds more than {MAX_FILES:,} files.", "Split it.")


def _listed(archive: ZipFile, folder: PurePosixPath) -> Iterator[tuple[str, ZipInfo]]:
    """The files that are not hidden, by path; of one path, as they lie in the archive."""
    files = [info for info in archive.infolist() if not info.is_dir()]
    named = zip(map(safe, _names(files)), files, strict=True)
    for path, info in sorted(named, key=lambda pair: pair[0]):
        if path and not any(_is_hidden(part) for part in path.split("/")):
            yield (folder / path).as_posix(), info


def _is_hidden(part: str) -> bool:
    return part.startswith((".", "~$")) or part.lower() in _LEFT_OUT


def _names(files: list[ZipInfo]) -> list[str]:
    """The names as they were meant: where nothing says that they are UTF-8, the system's encoding is found out."""
    unmarked = [_raw(info) for info in files if not info.flag_bits & _UTF8_NAME and not info.filename.isascii()]
    encoding = _encoding(b"\n".join(unmarked)) if unmarked else "utf-8"
    return [
        info.filename
        if info.flag_bits & _UTF8_NAME or info.filename.isascii()
        else _raw(info).decode(encoding, "replace")
        for info in files
    ]


def _raw(info: ZipInfo) -> bytes:
    """The bytes of a name that was taken for DOS text."""
    return info.filename.encode("cp437", "replace")


def _encoding(names: bytes) -> str:
    try:
        names.decode("utf-8")
    except UnicodeDecodeError:
        likely = guess.readings(names, usual="cp437")
        return likely[0].encoding if likely else "cp437"
    return "utf-8"


def _refused(path: str, info: ZipInfo) -> str:
    """Why a file is not to be unpacked; empty if it is."""
    if formats.suffix(path) == formats.ARCHIVE:
        return "A zip inside a zip: unpack it first."
    if stat.S_ISLNK(info.external_attr >> 16):
        return "It is a link to another file."
    try:
        formats.named(path)
    except UnreadableFile as error:
        return str(error)
    return "It is locked with a password: pack it without one." if info.flag_bits & _LOCKED else ""


def _unpacked(archive: ZipFile, path: str, info: ZipInfo, limit: int) -> Member:
    try:
        return Member(path, inflated(archive, info, limit))
    except TooLarge:
        if limit < MAX_BYTES:
            return Member(path, None, f"The archive unpacks to more than {MAX_UNPACKED:,} bytes. Split it.")
        return Member(path, None, f"It unpacks to far more than it is packed in, or to over {MAX_BYTES:,} bytes.")
    except NotImplementedError:
        return Member(path, None, "It is packed in a way that is not known here: pack it as an ordinary zip.")
    except RuntimeError:
        return Member(path, None, "It is locked with a password: pack it without one.")
    except DAMAGED:
        return Member(path, None, "It is damaged inside the archive: pack it again.")
