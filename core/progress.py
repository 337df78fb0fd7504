"""The progress of a part of some work, told as progress of the whole."""

from __future__ import annotations

from dataclasses import dataclass

from core.types import Progress


@dataclass(frozen=True, slots=True)
class Part:
    """A ``Progress`` for a part that begins at ``start`` of ``total`` and is ``size`` of it.

    What it says begins with ``title``, and ends with how many of ``total`` in ``unit`` are done, where one is given.
    """

    whole: Progress
    start: float
    size: float
    total: float
    title: str = ""
    unit: str = ""

    def __call__(self, done: float, total: float, message: str) -> None:
        at = self.start + self.size * (min(1.0, done / total) if total else 0.0)
        counted = f"{int(at):,} of {int(self.total):,} {self.unit}" if self.unit else ""
        self.whole(at, self.total, " · ".join(filter(None, (self.title, message, counted))))
