"""Which document a table means: people write a path from the table's folder, a whole one, or a mere name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from pathlib import PurePosixPath
from posixpath import basename, dirname, normpath
from unicodedata import normalize

_Found = dict[str, list[str]]


def slashed(path: str) -> str:
    """``path`` with ``/`` between its parts."""
    return path.replace("\\", "/")


class Documents:
    """Documents by what a table in ``folder`` may call them; a mere name means one of the ``first`` before all others."""

    def __init__(self, folder: str, documents: Collection[str], first: Collection[str] = ()) -> None:
        self._folder = f"{folder}/" if folder else ""
        self._below = f"{_key(folder)}/" if folder else ""
        self._documents = frozenset(documents)
        self._first = frozenset(first)
        self._paths: tuple[_Found, _Found] = (defaultdict(list), defaultdict(list))
        self._names: tuple[_Found, _Found] = (defaultdict(list), defaultdict(list))
        for document in self._documents:
            path = _key(document)
            bare = path.removesuffix(PurePosixPath(path).suffix)
            for ending, called in enumerate(dict.fromkeys((path, bare))):
                self._paths[ending][called].append(document)
                if path.startswith(self._below):
                    self._names[ending][basename(called)].append(document)

    def of(self, file: str) -> str | None:
        """The one document that ``file`` means, if there is one.

        It is found by its path from the folder, or by its whole path if that names folders; else by its name, if only
        one document below the folder, or one of the first, is called so and no folder speaks against it. The ending may
        be left out.
        """
        paths = [self._folder + file, *([file] if "/" in slashed(file) else [])]
        exact = next((path for path in paths if path in self._documents), None)
        if exact is not None:
            return exact
        for by_path, by_name in zip(self._paths, self._names, strict=True):
            for path in paths:
                if len(found := by_path.get(_key(path), [])) == 1:
                    return found[0]
            found = by_name.get(basename(_key(file)), [])
            for group in ([name for name in found if name in self._first], found):
                if len(group) == 1 and self._agree(file, group[0]):
                    return group[0]
        return None

    def _agree(self, file: str, document: str) -> bool:
        """Whether the folders of one end as those of the other: old/a.txt is not new/a.txt."""
        there, here = _folders(_key(file)), _folders(_key(document).removeprefix(self._below))
        shared = min(len(there), len(here))
        return ".." not in there and there[len(there) - shared :] == here[len(here) - shared :]


def _key(path: str) -> str:
    """What is the same for all ways to write a path; accents are one character, whatever system wrote them."""
    return normalize("NFC", normpath(slashed(path)))


def _folders(path: str) -> list[str]:
    return [part for part in dirname(path).split("/") if part]
