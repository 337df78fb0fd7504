"""Files on disk as if they had been dropped: a folder's by their path inside it, others by their name."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from stat import S_ISREG

from core import ingest, metadata, read
from core.errors import AppError, UnreadableFile
from core.ingest import FileResult, Status, Upload
from core.read import formats

ARCHIVE = ".zip"


def uploads(paths: Sequence[str], unreadable: list[FileResult]) -> Iterator[Upload]:
    """The files that ``paths`` name, with the sidecars beside them; what cannot be read is added to ``unreadable``.

    Hidden files and folders inside a folder are left out. A file of a format that is not read is not opened.
    """
    single: dict[str, Path] = {}
    for path in map(Path, paths):
        if path.is_dir():
            yield from _read_all(_inside(path, unreadable), unreadable)
            continue
        single[Path(os.path.abspath(path)).as_posix()] = path  # noqa: PTH100 - resolve() fails on a link to itself
        beside = path.with_name(path.name + metadata.SUFFIX)
        if beside.is_file():
            single.setdefault(Path(os.path.abspath(beside)).as_posix(), beside)  # noqa: PTH100
    named = ingest.names(single)
    yield from _read_all({single[key]: name for key, name in named.items()}, unreadable)


def contents(path: Path) -> bytes:
    """A file's bytes.

    Raises:
        UnreadableFile: it is not there, not ours to read, or larger than anything that is read.
    """
    try:
        found = path.stat()
        if not S_ISREG(found.st_mode):  # a pipe would be waited for without end
            raise UnreadableFile(f"{path} is no file.", "Name files and folders.")
        size = found.st_size
        if size > read.MAX_BYTES:
            raise UnreadableFile(f"{path} has {size:,} bytes; up to {read.MAX_BYTES:,} are read.", "Split it.")
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror}.") from None


def _inside(folder: Path, unreadable: list[FileResult]) -> dict[Path, str]:
    """The files in a folder, by path, with their names; folders that cannot be opened are reported."""

    def closed(error: OSError) -> None:
        name = Path(error.filename or folder).relative_to(folder).as_posix()
        unreadable.append(FileResult(name, Status.FAILED, f"The folder cannot be read: {error.strerror}."))

    found: dict[Path, str] = {}
    for root, folders, files in os.walk(folder, onerror=closed):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(root) / name
            if not name.startswith("."):
                found[path] = path.relative_to(folder).as_posix()
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _read_all(files: dict[Path, str], unreadable: list[FileResult]) -> Iterator[Upload]:
    for path, name in files.items():
        try:
            if not name.lower().endswith((metadata.SUFFIX, ARCHIVE)):
                formats.named(name)
            yield Upload(name, contents(path))
        except AppError as error:
            unreadable.append(FileResult(name, Status.FAILED, str(error)))
