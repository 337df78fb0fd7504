"""The smallest change of a filter that lets a chosen node in.

A condition can be widened to what the node holds (``year >= 2023`` to ``year >= 2021``), narrowed under a ``not``, or
dropped. The fewest conditions are touched; among those, the fewest are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.filters import EVERYTHING, All, Any, Condition, Filter, Not, Op, Scalar, describe
from core.types import Value


@dataclass(frozen=True, slots=True)
class Step:
    """One condition that is changed; ``after`` is None where it is dropped."""

    before: Filter
    after: Condition | None

    @property
    def words(self) -> str:
        if self.after is None:
            return f"without {describe(self.before)}"
        return f"{describe(self.before)} → {describe(self.after)}"


@dataclass(frozen=True, slots=True)
class Smallest:
    """The filter after the smallest change, and its steps from left to right; no steps if the node passes already."""

    filter: Filter
    steps: tuple[Step, ...]

    @property
    def words(self) -> str:
        """What is changed, as an analyst would say it."""
        return "; ".join(step.words for step in self.steps) or "nothing: it passes"


def change(filter: Filter, passes: Sequence[bool], values: Mapping[str, Value | None]) -> Smallest:
    """The smallest change that lets a node in.

    ``passes`` says which conditions it passes, in the order of ``filters.conditions``; ``values`` is what it holds of
    each field. ``filter`` must have been checked, so that both are of the same type.
    """
    ways = _ways(filter, iter(passes), values)
    best = min((way for way in (ways.true, ways.gone) if way), key=lambda way: way.cost)
    return Smallest(best.filter or EVERYTHING, best.steps)


class _Cost(NamedTuple):
    """Conditions touched, and how many of them are dropped: compared in this order."""

    touched: int
    dropped: int

    def less(self, other: _Cost) -> _Cost:
        return _Cost(self.touched - other.touched, self.dropped - other.dropped)


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to change a part; ``filter`` is None where nothing of it is left."""

    filter: Filter | None
    steps: tuple[Step, ...] = ()

    @property
    def cost(self) -> _Cost:
        return _Cost(len(self.steps), sum(step.after is None for step in self.steps))


@dataclass(frozen=True, slots=True)
class _Ways:
    """The cheapest ways to make a part hold for the node, not hold, or be gone; None where there is no such way."""

    true: _Way | None
    false: _Way | None
    gone: _Way


def _ways(filter: Filter, passes: Iterator[bool], values: Mapping[str, Value | None]) -> _Ways:
    match filter:
        case Condition():
            return _of_condition(filter, next(passes), values.get(filter.field))
        case Not(part):
            inside = _ways(part, passes, values)
            return _Ways(_negated(inside.false), _negated(inside.true), inside.gone)
        case All(()) | Any(()):
            held = _Way(filter)
            holds = isinstance(filter, All)
            return _Ways(held if holds else None, None if holds else held, _Way(None, (Step(filter, None),)))
        case All(parts) | Any(parts):
            return _of_group(filter, [_ways(part, passes, values) for part in parts])


def _of_condition(condition: Condition, passes: bool, value: Value | None) -> _Ways:
    held, gone = _Way(condition), _Way(None, (Step(condition, None),))
    other = narrowed(condition, value) if passes else widened(condition, value)
    changed = _Way(other, (Step(condition, other),)) if other else None
    return _Ways(held, changed, gone) if passes else _Ways(changed, held, gone)


def _negated(way: _Way | None) -> _Way | None:
    return way and replace(way, filter=Not(way.filter) if way.filter else None)


def _of_group(group: All | Any, parts: Sequence[_Ways]) -> _Ways:
    """An ``All`` holds if no part fails, and fails if one does; an ``Any`` is its mirror image."""
    every = [[part.true, part.false, part.gone] for part in parts]
    holding, failing = (0, 1) if isinstance(group, All) else (1, 0)
    unanimous = _joined(group, [([ways[holding], ways[2]], ways[holding]) for ways in every])
    one = _joined(group, [(ways, ways[failing]) for ways in every])
    gone = _Way(None, tuple(step for part in parts for step in part.gone.steps))
    return _Ways(unanimous, one, gone) if isinstance(group, All) else _Ways(one, unanimous, gone)


def _joined(group: All | Any, parts: Sequence[tuple[list[_Way | None], _Way | None]]) -> _Way | None:
    """The cheapest choice of one way for each part, in which at least one part goes the way it must (its second)."""
    chosen = [min((way for way in ways if way), key=lambda way: way.cost) for ways, _ in parts]
    musts = [must for _, must in parts]
    if not any(way is must for way, must in zip(chosen, musts, strict=True)):
        extra = [(must.cost.less(chosen[i].cost), i, must) for i, must in enumerate(musts) if must]
        if not extra:
            return None
        _, at, must = min(extra, key=lambda found: found[:2])
        chosen[at] = must
    left = tuple(way.filter for way in chosen if way.filter)
    made = left[0] if len(left) == 1 < len(parts) else replace(group, parts=left)
    return _Way(made, tuple(step for way in chosen for step in way.steps))


# ── one condition ────────────────────────────────────────────────────────────────────────────────


def widened(condition: Condition, value: Value | None) -> Condition | None:
    """The nearest condition that a node with ``value`` passes, where it fails this one; None if only dropping helps."""
    if value is None:
        return _with_missing(condition, passes=True)
    if value != value:
        return None
    operand = condition.value
    match condition.op:
        case Op.EQ if not isinstance(value, (tuple, bool)) and not isinstance(operand, tuple) and operand is not None:
            return replace(condition, op=Op.IN, value=(operand, value))
        case Op.IN if isinstance(operand, tuple) and not isinstance(value, tuple):
            return replace(condition, value=(*operand, value))
        case Op.NOT_IN if isinstance(operand, tuple):
            return _listed(condition, [item for item in operand if item != value])
        case Op.LT | Op.LE if not isinstance(value, tuple):
            return replace(condition, op=Op.LE, value=value)
        case Op.GT | Op.GE if not isinstance(value, tuple):
            return replace(condition, op=Op.GE, value=value)
        case Op.BETWEEN if isinstance(operand, tuple) and not isinstance(value, tuple):
            return replace(condition, value=_reaching(operand, value))
        case Op.CONTAINS_ANY if isinstance(operand, tuple) and isinstance(value, tuple) and value:
            return replace(condition, value=(*operand, value[0]))
        case Op.CONTAINS_ALL if isinstance(operand, tuple) and isinstance(value, tuple):
            return _listed(condition, [item for item in operand if item in value])
    return None


def narrowed(condition: Condition, value: Value | None) -> Condition | None:
    """The nearest condition that a node with ``value`` fails, where it passes this one; None if only dropping helps."""
    if value is None:
        return _with_missing(condition, passes=False)
    if value != value:
        return None
    operand = condition.value
    match condition.op:
        case Op.NE if not isinstance(value, (tuple, bool)) and not isinstance(operand, tuple) and operand is not None:
            return replace(condition, op=Op.NOT_IN, value=(operand, value))
        case Op.NOT_IN if isinstance(operand, tuple) and not isinstance(value, tuple):
            return replace(condition, value=(*operand, value))
        case Op.IN if isinstance(operand, tuple):
            return _listed(condition, [item for item in operand if item != value])
        case Op.LT | Op.LE if not isinstance(value, tuple):
            return replace(condition, op=Op.LT, value=value)
        case Op.GT | Op.GE if not isinstance(value, tuple):
            return replace(condition, op=Op.GT, value=value)
        case Op.CONTAINS_ANY if isinstance(operand, tuple) and isinstance(value, tuple):
            return _listed(condition, [item for item in operand if item not in value])
    return None


def _with_missing(condition: Condition, *, passes: bool) -> Condition | None:
    changed = replace(condition, missing="include" if passes else "exclude")
    return changed if changed.missing_is_true is passes else None


def _listed(condition: Condition, items: list[Scalar]) -> Condition | None:
    return replace(condition, value=tuple(items)) if items else None


def _reaching(operand: tuple[Scalar, ...], value: Scalar) -> tuple[Scalar, Scalar]:
    low, high = operand
    return (value, high) if value < low else (low, value)  # type: ignore[operator]
