"""What is being built of a filter: the field and the operator of each open editor, and the filters before."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.errors import AppError
from core.filters import EVERYTHING, Condition, Filter, Missing

_MOST_BEFORE = 50


@dataclass(slots=True)
class Draft:
    """A condition that is being chosen: its field, the name of the operator, and what a missing value counts as."""

    field: str
    operator: str = ""
    missing: Missing | None = None
    begun: Condition | None = None


@dataclass(slots=True)
class Building:
    """The drafts by the key of their editor, and the filters that there were before the one in use, the last one last.

    ``typed`` is what stands in the forms of text and JSON and is not applied; another filter in use takes their place.
    """

    drafts: dict[str, Draft] = field(default_factory=dict)
    before: list[Filter] = field(default_factory=list)
    seen: Filter | None = None
    wrong_boosts: dict[int, str] = field(default_factory=dict)
    wrong_where: str = ""
    why_wrong: AppError | None = None
    typed: dict[str, str] = field(default_factory=dict)

    def follow(self, filter: Filter) -> None:
        """Note a filter that has come into use, wherever that was done."""
        if self.seen is None:
            self.seen = filter
        elif filter != self.seen:
            self.before = [*self.before, self.seen][-_MOST_BEFORE:]
            self.seen = filter
            self.typed.clear()

    def undone(self) -> Filter:
        """The filter before the one in use, which is then forgotten."""
        self.seen = self.before.pop() if self.before else EVERYTHING
        self.typed.clear()
        return self.seen
