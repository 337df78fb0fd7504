"""What can be filtered: fields and their types, and whether a filter fits them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from core.errors import InvalidFilter
from core.filters.pattern import refuse_heavy
from core.filters.tree import NULL_OPS, All, Any, Condition, Filter, Not, Op, Operand, Scalar, naive_utc, refuse_large
from core.filters.words import near, shown


class FieldType(StrEnum):
    """What a field holds. A date is the midnight, in UTC, of its day; an enum is one of the texts it allows."""

    STRING = "string"
    ENUM = "enum"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    DATE = "date"
    DATETIME = "datetime"
    STRINGS = "strings"


TEXTS = frozenset({FieldType.STRING, FieldType.ENUM})
TIMES = frozenset({FieldType.DATE, FieldType.DATETIME})


@dataclass(frozen=True, slots=True)
class Field:
    """One filterable field: ``name`` as users write it, whether it belongs to nodes or documents.

    ``allowed`` are the texts that an enum can be, if they are known; other types are not limited by them.
    """

    name: str
    type: FieldType
    of_node: bool = False
    allowed: tuple[str, ...] = ()


Schema = Mapping[str, Field]

MAX_CONDITIONS = 2000
_MOST_NAMED = 20
_ORDER = frozenset({Op.LT, Op.LE, Op.GT, Op.GE, Op.BETWEEN})
_SUBSTRING = frozenset({Op.CONTAINS, Op.NOT_CONTAINS, Op.STARTS_WITH, Op.MATCHES})
_EQUALITY = frozenset({Op.EQ, Op.NE, Op.IN, Op.NOT_IN})
OPERATORS: Mapping[FieldType, tuple[Op, ...]] = {
    FieldType.STRING: tuple(op for op in Op if op in _EQUALITY | _ORDER | _SUBSTRING | NULL_OPS),
    FieldType.ENUM: tuple(op for op in Op if op in _EQUALITY | _ORDER | _SUBSTRING | NULL_OPS),
    FieldType.INTEGER: tuple(op for op in Op if op in _EQUALITY | _ORDER | NULL_OPS),
    FieldType.NUMBER: tuple(op for op in Op if op in _EQUALITY | _ORDER | NULL_OPS),
    FieldType.BOOLEAN: tuple(op for op in Op if op in _EQUALITY | NULL_OPS),
    FieldType.DATE: tuple(op for op in Op if op in _EQUALITY | _ORDER | NULL_OPS),
    FieldType.DATETIME: tuple(op for op in Op if op in _EQUALITY | _ORDER | NULL_OPS),
    FieldType.STRINGS: (Op.CONTAINS_ALL, Op.CONTAINS_ANY, Op.EQ, Op.NE, Op.IS_NULL, Op.NOT_NULL),
}
"""Which operators make sense for a field of each type."""


_NEGATED = frozenset({Op.NOT_IN, Op.NOT_CONTAINS})
_HINTS = {
    False: " Use contains_any or contains_all for one of its items.",
    True: " For none of its items put contains_any in a not.",
}


def check(filter: Filter, schema: Schema) -> Filter:
    """The same filter with every value in its field's type (dates as UTC datetimes).

    Raises:
        InvalidFilter: an unknown field, an operator the type does not have, a value of another type, a text that an
            enum does not allow, with near misses named; or too many conditions.
    """
    refuse_large(filter, MAX_CONDITIONS)
    return _check(filter, schema)


def _check(filter: Filter, schema: Schema) -> Filter:
    match filter:
        case All(parts):
            return All(tuple(_check(part, schema) for part in parts))
        case Any(parts):
            return Any(tuple(_check(part, schema) for part in parts))
        case Not(part):
            return Not(_check(part, schema))
        case Condition():
            return _check_condition(filter, schema)


def _check_condition(condition: Condition, schema: Schema) -> Condition:
    field = schema.get(condition.field)
    if field is None:
        raise InvalidFilter(
            f"There is no field {condition.field!r}.{near(condition.field, list(schema))}",
            f"Fields: {', '.join(sorted(schema))}.",
        )
    if condition.op not in OPERATORS[field.type]:
        hint = _HINTS[condition.op in _NEGATED] if field.type is FieldType.STRINGS else ""
        raise InvalidFilter(
            f"{condition.op} does not fit {field.name!r}, which is of type {field.type}.{hint}",
            f"Operators that do: {', '.join(OPERATORS[field.type])}.",
        )
    return replace(condition, value=_checked_value(condition, field))


def _checked_value(condition: Condition, field: Field) -> Operand:
    op, value = condition.op, condition.value
    if op in NULL_OPS:
        if value is not None:
            raise InvalidFilter(f"{op} takes no value, but {shown(value)} was given.", "Leave the value out.")
        return None
    if value is None:
        raise InvalidFilter(f"{field.name!r} {op} null is never what one means.", "Use is_null or not_null.")
    if op is Op.BETWEEN:
        return _pair(value, field)
    wants_list = field.type is FieldType.STRINGS or op in (Op.IN, Op.NOT_IN)
    if wants_list and not isinstance(value, tuple):
        raise InvalidFilter(f"{field.name!r} {op} takes a list, not {shown(value)}.", _list_advice(op, value, field))
    if not wants_list and isinstance(value, tuple):
        raise InvalidFilter(f"{field.name!r} {op} takes one value, not a list.", "Use in for one of several.")
    items = tuple(typed(item, field) for item in value) if isinstance(value, tuple) else typed(value, field)
    if op is Op.MATCHES:
        _check_pattern(str(items), field)
    if field.type is FieldType.ENUM and op in _EQUALITY:
        _check_allowed(items if isinstance(items, tuple) else (items,), field)
    return items


def _check_allowed(items: Sequence[Scalar], field: Field) -> None:
    for item in items:
        if field.allowed and item not in field.allowed:
            more = len(field.allowed) - _MOST_NAMED
            named = ", ".join(shown(text) for text in field.allowed[:_MOST_NAMED])
            raise InvalidFilter(
                f"{field.name!r} cannot be {shown(item)}.{near(str(item), field.allowed)}",
                f"It is one of {named}" + (f" and {more} more." if more > 0 else "."),
            )


def _list_advice(op: Op, value: Operand, field: Field) -> str:
    if field.type is FieldType.STRINGS and op in _EQUALITY:
        return f"Write contains_any for what has {shown(value)} among others; [{shown(value)}] is that one item and no other."
    return f"Write [{shown(value)}]."


def _pair(value: Operand, field: Field) -> tuple[Scalar, Scalar]:
    if not isinstance(value, tuple) or len(value) != 2:
        raise InvalidFilter(f"{field.name!r} between takes [low, high], not {shown(value)}.", "Both ends are included.")
    low, high = typed(value[0], field), typed(value[1], field)
    if low > high:  # type: ignore[operator]
        raise InvalidFilter(
            f"{field.name!r} between {shown(low)} and {shown(high)} holds for nothing.",
            "Write the lower value first.",
        )
    return low, high


def _check_pattern(pattern: str, field: Field) -> None:
    refuse_heavy(pattern)
    try:
        re.compile(_for_python(pattern))
    except (re.error, OverflowError, RecursionError) as error:
        raise InvalidFilter(f"{field.name!r} matches {shown(pattern)}: no regular expression ({error}).") from None


def _for_python(pattern: str) -> str:
    """A pattern with what RE2 reads and Python does not put in Python's words, to see whether the rest is sound."""
    return re.sub(r"\\[pP](?:\{\^?\w+\}|[A-Z])|\[:\^?\w+:\]|\\z", r"\\w", pattern)


def typed(value: object, field: Field) -> Scalar:
    """``value`` in the field's type.

    Raises:
        InvalidFilter: it is of another type. Nothing is guessed: ``"2023"`` is no number.
    """
    match field.type:
        case FieldType.STRING | FieldType.ENUM | FieldType.STRINGS if isinstance(value, str):
            return _storable(value, field)
        case FieldType.BOOLEAN if isinstance(value, bool):
            return value
        case FieldType.INTEGER | FieldType.NUMBER if isinstance(value, (int, float)) and not isinstance(value, bool):
            if value != value or value in (float("inf"), float("-inf")):
                raise InvalidFilter(f"{field.name!r} is compared with {value}, which is no number.")
            if isinstance(value, int) and abs(value) >= 2**63:
                raise InvalidFilter(f"{value} is too large for {field.name!r}.", "Integers go up to 2^63 − 1.")
            whole = field.type is FieldType.INTEGER and isinstance(value, float) and abs(value) < 2**63
            return int(value) if whole and value == int(value) else value
        case FieldType.DATE | FieldType.DATETIME:
            instant = parse_instant(value)
            if instant is not None:
                return instant
    bare = field.type in TEXTS | {FieldType.STRINGS} and isinstance(value, (int, float))
    raise InvalidFilter(
        f"{field.name!r} holds {_WANTED[field.type]}, not {shown(value)}.", "Put it in quotes." if bare else ""
    )


_WANTED = {
    FieldType.STRING: "a string",
    FieldType.ENUM: "a string",
    FieldType.INTEGER: "an integer",
    FieldType.NUMBER: "a number",
    FieldType.BOOLEAN: "a boolean",
    FieldType.DATE: "an ISO date, e.g. 2026-03-12",
    FieldType.DATETIME: "an ISO date or time, e.g. 2026-03-12",
    FieldType.STRINGS: "a list of strings",
}


def _storable(text: str, field: Field) -> str:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise InvalidFilter(f"{field.name!r} is compared with half a character (a lone surrogate).")
    return text


def parse_instant(value: object) -> datetime | None:
    """A UTC time without a zone from an ISO date or time (a date alone is midnight UTC), or None."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    try:
        return naive_utc(value)
    except OverflowError:
        return None
