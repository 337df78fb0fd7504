"""What the linter says about a workspace as it is now, without making a page wait for it where that takes long."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock, Thread

import streamlit as st

from core.metadata import Raw, Report
from core.types import FieldSpec
from core.workspace import Workspace
from pages.parts import findings
from pages.parts.findings import Item

QUICK = 0.2
"""Seconds that a page may wait for a number on a button."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A workspace as the linter saw it, after so many changes."""

    changes: int
    raws: Mapping[str, Raw]
    fields: Mapping[str, FieldSpec]
    report: Report
    items: tuple[Item, ...]
    strict: bool


@dataclass(slots=True)
class _Watch:
    """The latest look at one workspace, and how many seconds it took."""

    latest: Looked | None = None
    seconds: float = 0.0
    lock: Lock = field(default_factory=Lock)
    thread: Thread | None = None

    def look(self, opened: Workspace) -> Looked:
        """Look at the workspace as it is now, unless that has been done."""
        with self.lock:
            changes = opened.store.changes
            if self.latest is None or self.latest.changes != changes:
                start = time.perf_counter()
                raws, fields, strict = opened.raws(), opened.fields(), opened.strict
                report = opened.lint()
                items = tuple(findings.items(report, fields, raws, strict=strict))
                self.latest = Looked(changes, raws, {spec.name: spec for spec in fields}, report, items, strict)
                self.seconds = time.perf_counter() - start
            return self.latest

    def begin(self, opened: Workspace) -> None:
        """Look in a thread, unless one does."""
        if self.thread is None or not self.thread.is_alive():
            self.thread = Thread(target=self._try, args=(opened,), name="lint", daemon=True)
            self.thread.start()

    def _try(self, opened: Workspace) -> None:
        with suppress(Exception):  # the workspace may be closed meanwhile; whoever draws it next looks again
            self.look(opened)


@st.cache_resource(max_entries=16, show_spinner=False)
def _watch(location: str) -> _Watch:  # noqa: ARG001 - part of the key
    return _Watch()


def now(opened: Workspace) -> Looked:
    """What the linter says, however long it takes."""
    return _watch(opened.location).look(opened)


def soon(opened: Workspace, *, busy: bool) -> tuple[int | None, bool]:
    """How many problems there are, and whether that is so now; else how many there were, None where nobody knows.

    While the workspace is ``busy`` with changes one after another, it is not looked at.
    """
    watch = _watch(opened.location)
    latest = watch.latest
    fresh = latest is not None and latest.changes == opened.store.changes
    if not fresh and not busy:
        if watch.seconds < QUICK and (latest is not None or len(opened.documents()) < 1000):
            latest, fresh = watch.look(opened), True
        else:
            watch.begin(opened)
    return len(latest.items) if latest else None, fresh or busy
