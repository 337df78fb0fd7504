"""What went wrong, said so that the reader can act on it.

Every error a user can cause is an ``AppError``; anything else is a fault of ours and stays a traceback.
"""

from __future__ import annotations


class AppError(Exception):
    """What happened, and what to do about it.

    ``str(error)`` is the whole message; ``what`` and ``do`` are its two halves.
    """

    def __init__(self, what: str, do: str = "") -> None:
        super().__init__(f"{what} {do}".strip())
        self.what = what
        self.do = do


class InvalidSetting(AppError, ValueError):
    """A setting outside its range, or settings that exclude each other."""


class InvalidFilter(AppError, ValueError):
    """A filter that names no field of the schema, or compares it with something it cannot hold."""


class InvalidRequest(AppError, ValueError):
    """A question or parameter that cannot be answered as it stands."""


class InvalidGold(AppError, ValueError):
    """A gold file whose spans do not fit the documents."""


class UnreadableFile(AppError):
    """A file that is not text we can read, with the reason."""


class InvalidMetadata(AppError, ValueError):
    """A sidecar that is no JSON object, or holds what the schema refuses."""


class NotFound(AppError, LookupError):
    """A document, index or workspace that is not there."""


class ModelUnavailable(AppError):
    """An embedding model that cannot be loaded, or whose files are not what they should be."""


class MissingExtra(AppError):
    """Something needs a package that is not installed; the line that installs it is in the message."""


class ModelMismatch(AppError):
    """Vectors of one model compared with vectors of another."""


class WorkspaceInUse(AppError):
    """Another process holds the workspace file."""


class WorkspaceUnusable(AppError):
    """A file that is no workspace, or was written by a newer version."""


class Cancelled(AppError):
    """The user stopped this work."""
