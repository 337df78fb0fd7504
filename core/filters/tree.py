"""The filter tree: conditions, and what joins them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Literal

from core.errors import InvalidFilter


class Op(StrEnum):
    EQ = "="
    NE = "!="
    IN = "in"
    NOT_IN = "not_in"
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    BETWEEN = "between"
    CONTAINS_ALL = "contains_all"
    CONTAINS_ANY = "contains_any"
    CONTAINS = "contains"
    NOT_CONTAINS = "not_contains"
    STARTS_WITH = "starts_with"
    MATCHES = "matches"
    IS_NULL = "is_null"
    NOT_NULL = "not_null"


Missing = Literal["include", "exclude"]
Scalar = str | int | float | bool | datetime
Operand = Scalar | tuple[Scalar, ...] | None


@dataclass(frozen=True, slots=True)
class Condition:
    """``field op value``; ``missing`` says what a node without the field counts as (default: by the operator)."""

    field: str
    op: Op
    value: Operand = None
    missing: Missing | None = None

    @property
    def missing_is_true(self) -> bool:
        """Whether a node without this field satisfies the condition."""
        if self.op is Op.IS_NULL:
            return True
        if self.op is Op.NOT_NULL:
            return False
        if self.missing is not None:
            return self.missing == "include"
        return self.op in _TRUE_WHEN_MISSING


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds. ``All(())`` holds for every node: it is the absence of a filter."""

    parts: tuple[Filter, ...] = ()


@dataclass(frozen=True, slots=True)
class Any:
    """At least one part holds. ``Any(())`` holds for none."""

    parts: tuple[Filter, ...] = ()


@dataclass(frozen=True, slots=True)
class Not:
    """The exact complement of its part."""

    part: Filter


Filter = All | Any | Not | Condition

EVERYTHING = All()
MAX_DEPTH = 100

_TRUE_WHEN_MISSING = frozenset({Op.NE, Op.NOT_IN, Op.NOT_CONTAINS})
NULL_OPS = frozenset({Op.IS_NULL, Op.NOT_NULL})
"""Operators that take no value."""


def conjunction(*parts: Filter) -> Filter:
    """All of ``parts``, flat: nested ``All`` are merged, so the empty filter disappears."""
    flat: list[Filter] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, All) else [part])
    return flat[0] if len(flat) == 1 else All(tuple(flat))


def naive_utc(instant: datetime) -> datetime:
    """The same instant in UTC, without a zone; without one it is taken as UTC."""
    return instant.astimezone(UTC).replace(tzinfo=None) if instant.tzinfo else instant


def refuse_large(filter: Filter, most: int | None = None) -> None:
    """See that a filter can be worked with.

    Raises:
        InvalidFilter: it is nested more than 100 levels deep, or has more than ``most`` conditions.
    """
    level, depth, found = [filter], 0, 0
    while level:
        if depth > MAX_DEPTH:
            raise InvalidFilter(f"The filter is nested more than {MAX_DEPTH} levels deep.", "Write it flatter.")
        found += sum(isinstance(one, Condition) for one in level)
        level, depth = [part for one in level for part in _inside(one)], depth + 1
    if most is not None and found > most:
        raise InvalidFilter(
            f"The filter has {found:,} conditions; up to {most:,} are evaluated.",
            "Write in (…) for many values of one field.",
        )


def _inside(filter: Filter) -> tuple[Filter, ...]:
    match filter:
        case All(parts) | Any(parts):
            return parts
        case Not(part):
            return (part,)
    return ()


def conditions(filter: Filter) -> Iterator[Condition]:
    """Every condition in the tree, left to right."""
    match filter:
        case Condition():
            yield filter
        case Not(part):
            yield from conditions(part)
        case All(parts) | Any(parts):
            for part in parts:
                yield from conditions(part)
