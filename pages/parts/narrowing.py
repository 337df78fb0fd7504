"""Narrowing the list of documents: facets, and what is chosen in them as one filter. And what the page keeps of its list."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.errors import AppError
from core.filters import EVERYTHING, TIMES, Condition, Field, FieldType, Filter, Op, Scalar, conjunction
from core.filters import Any as AnyOf

Choices = dict[str, tuple[Scalar | None, ...]]
"""What is chosen, by facet: values, or years of dates; None stands for documents without any."""

ATTENTION = "needs attention"
_FIRST = ("doc_type", "category", "tags", "published_at")


def place(field: str) -> int:
    """Where a field stands among others: the usual ones first."""
    return _FIRST.index(field) if field in _FIRST else len(_FIRST)


def is_usual(field: str) -> bool:
    """Whether a field is one of those that nearly every collection has."""
    return field in _FIRST


@dataclass(slots=True)
class Listing:
    """The list of documents in one browser tab.

    ``kept`` are documents that were changed since the list was narrowed: they stay in sight though they may not match any
    more. ``columns`` are those a person chose, None while nobody has; ``seen`` are fields that had values before, so that
    none vanishes with its last value. ``typed`` is what was typed into the table; ``round`` grows when it is to be forgotten.
    """

    choices: Choices = dataclasses.field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    columns: list[str] | None = None
    seen: frozenset[str] = frozenset()
    round: int = 0
    typed: dict[int, dict[str, Any]] = dataclasses.field(default_factory=dict)
    editing: bool = False
    refused: AppError | None = None

    def choose(self, facet: Facet, value: Scalar | None, *, on: bool) -> None:
        """Choose a value of a facet, or no more. A box that has left the page may say again what it said."""
        if (value in self.choices.get(facet.id, ())) == on:
            return
        kept = tuple(one for one in self.choices.get(facet.id, ()) if one != value)
        self.choices[facet.id] = (*kept, value) if on else kept
        if not self.choices[facet.id]:
            del self.choices[facet.id]
        self.kept = frozenset()

    def clear(self) -> None:
        """Show all documents again."""
        self.choices, self.kept = {}, frozenset()

    def forget_typed(self) -> None:
        """Let the table begin anew from what is stored."""
        self.round += 1
        self.typed = {}

    def refresh(self) -> None:
        """Let the table show what is stored, where it might still show what was typed into it before."""
        if self.typed:
            self.forget_typed()


@dataclass(frozen=True, slots=True)
class Facet:
    """One way to narrow the list: a field, or a property that is no field, with its documents by value (``groups``)."""

    title: str
    field: Field | None = None
    groups: Mapping[str, frozenset[str]] = dataclasses.field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"field {self.field.name}" if self.field else f"group {self.title}"

    @property
    def by_year(self) -> bool:
        return self.field is not None and self.field.type in TIMES


def narrowed(facets: Sequence[Facet], choices: Choices, but: Facet | None = None) -> Filter:
    """Documents that have any of the values chosen within each facet; ``but`` one facet, where that is named."""
    chosen = [facet for facet in facets if choices.get(facet.id) and facet is not but]
    return conjunction(*(condition(facet, choices[facet.id]) for facet in chosen))


def with_kept(where: Filter, kept: frozenset[str]) -> Filter:
    """``where``, and the documents that stay in sight."""
    if where == EVERYTHING or not kept:
        return where
    return AnyOf((where, Condition("doc_id", Op.IN, tuple(sorted(kept)))))


def condition(facet: Facet, chosen: Sequence[Scalar | None]) -> Filter:
    """Documents with any of the values that are chosen in one facet."""
    keys = [key for key in chosen if key is not None]
    parts = [missing(facet.field)] if facet.field and None in chosen else []
    if facet.field is None:
        ids = set[str]().union(*(facet.groups.get(str(key), frozenset()) for key in keys))
        parts.append(Condition("doc_id", Op.IN, tuple(sorted(ids))))
    elif facet.by_year:
        parts += [Condition(facet.field.name, Op.BETWEEN, year(int(key))) for key in keys if isinstance(key, int)]
    elif keys:
        op = Op.CONTAINS_ANY if facet.field.type is FieldType.STRINGS else Op.IN
        parts.append(Condition(facet.field.name, op, tuple(keys)))
    return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))


def missing(field: Field) -> Filter:
    """Documents without a value; an empty list is none."""
    absent = Condition(field.name, Op.IS_NULL)
    return AnyOf((absent, Condition(field.name, Op.EQ, ()))) if field.type is FieldType.STRINGS else absent


def year(number: int) -> tuple[datetime, datetime]:
    """The first and the last moment of a year."""
    return datetime(number, 1, 1), datetime(number, 12, 31, 23, 59, 59, 999999)
