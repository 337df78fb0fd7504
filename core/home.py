"""Where workspaces live on this machine, and which one to open when none is named."""

from __future__ import annotations

import getpass
import os
import re
import tempfile
from pathlib import Path

from platformdirs import user_data_path

from core.errors import InvalidRequest, WorkspaceUnusable

VARIABLE = "CHUNKSCOPE_WORKSPACE"
SAMPLE = "sample"
OWN = "my-documents"
_ENDING = ".duckdb"


def folder() -> Path:
    """The user's data folder for workspaces; where that cannot be written, a folder of theirs for temporary files."""
    chosen = user_data_path("chunkscope", appauthor=False) / "workspaces"
    return chosen if _writable(chosen) else _own(_temporary())


def is_temporary() -> bool:
    """Whether workspaces lie among temporary files, since the data folder cannot be written."""
    return folder() == _temporary()


def _temporary() -> Path:
    return Path(tempfile.gettempdir()) / f"chunkscope-{getpass.getuser()}"


def _writable(path: Path) -> bool:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(path, os.W_OK)


def _own(path: Path) -> Path:
    """``path`` as a folder that only this user can read; another's folder of that name is not used."""
    path.mkdir(mode=0o700, exist_ok=True)
    if hasattr(os, "getuid") and path.stat().st_uid != os.getuid():
        raise WorkspaceUnusable(f"{path} belongs to somebody else.", f"Name a workspace in {VARIABLE}.")
    return path


def named(name: str) -> Path:
    """The file of a workspace in the data folder.

    Raises:
        InvalidRequest: a name that is no plain file name.
    """
    stem = name.strip()
    if not re.fullmatch(r"[\w][\w .-]{0,60}", stem):
        raise InvalidRequest(f"{name!r} cannot name a workspace.", "Use letters, digits, spaces, dots and dashes.")
    return folder() / f"{stem}{_ENDING}"


def known() -> list[Path]:
    """The workspaces in the data folder, by name."""
    return sorted(folder().glob(f"*{_ENDING}"))


def default() -> Path:
    """The workspace to open when none is named: ``CHUNKSCOPE_WORKSPACE``, else the last one opened, else the sample."""
    if os.environ.get(VARIABLE):
        return Path(os.environ[VARIABLE]).expanduser()
    try:
        last = Path(_last_file().read_text(encoding="utf-8").strip())
    except OSError:
        return sample()
    return last if last.is_file() else sample()


def default_for_adding() -> Path:
    """The same, but never the sample: documents of one's own go to a workspace of one's own."""
    chosen = default()
    return named(OWN) if chosen.resolve() == sample().resolve() and not os.environ.get(VARIABLE) else chosen


def sample() -> Path:
    return named(SAMPLE)


def remember(path: Path) -> None:
    """Open ``path`` next time, unless another is named."""
    folder().mkdir(parents=True, exist_ok=True)
    _last_file().write_text(str(path.resolve()), encoding="utf-8")


def _last_file() -> Path:
    return folder() / "last-opened"
