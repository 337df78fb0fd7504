"""Filters as values: built in Python, read from JSON, checked against a schema, said in words.

A filter is true or false for every node, never unknown: a missing value makes a condition false, except for
``!=``, ``not_in`` and ``not_contains``, where it makes it true; ``missing`` on the condition overrides. So
``Not`` is the exact complement. Compiling to a store's language is that store's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from enum import StrEnum
from typing import Literal, cast

from core.errors import InvalidFilter


class FieldType(StrEnum):
    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    DATETIME = "datetime"
    STRINGS = "strings"


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


@dataclass(frozen=True, slots=True)
class Field:
    """One filterable field: ``name`` as users write it, whether it belongs to nodes or documents."""

    name: str
    type: FieldType
    of_node: bool = False


Schema = Mapping[str, Field]
MAX_DEPTH = 100

_TRUE_WHEN_MISSING = frozenset({Op.NE, Op.NOT_IN, Op.NOT_CONTAINS})
_ORDER = frozenset({Op.LT, Op.LE, Op.GT, Op.GE, Op.BETWEEN})
_SUBSTRING = frozenset({Op.CONTAINS, Op.NOT_CONTAINS, Op.STARTS_WITH, Op.MATCHES})
_NULLS = frozenset({Op.IS_NULL, Op.NOT_NULL})
_EQUALITY = frozenset({Op.EQ, Op.NE, Op.IN, Op.NOT_IN})
OPERATORS: Mapping[FieldType, tuple[Op, ...]] = {
    FieldType.STRING: tuple(op for op in Op if op in _EQUALITY | _ORDER | _SUBSTRING | _NULLS),
    FieldType.INTEGER: tuple(op for op in Op if op in _EQUALITY | _ORDER | _NULLS),
    FieldType.NUMBER: tuple(op for op in Op if op in _EQUALITY | _ORDER | _NULLS),
    FieldType.BOOLEAN: tuple(op for op in Op if op in _EQUALITY | _NULLS),
    FieldType.DATETIME: tuple(op for op in Op if op in _EQUALITY | _ORDER | _NULLS),
    FieldType.STRINGS: (Op.CONTAINS_ALL, Op.CONTAINS_ANY, Op.EQ, Op.NE, Op.IS_NULL, Op.NOT_NULL),
}
"""Which operators make sense for a field of each type."""


def conjunction(*parts: Filter) -> Filter:
    """All of ``parts``, flat: nested ``All`` are merged, so the empty filter disappears."""
    flat: list[Filter] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, All) else [part])
    return flat[0] if len(flat) == 1 else All(tuple(flat))


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


# ── from and to JSON ─────────────────────────────────────────────────────────────────────────────


def from_json(data: object) -> Filter:
    """A filter from parsed JSON: ``{"year": 2023}``, ``{"all": […]}``, ``{"any": […]}``, ``{"not": {…}}`` or
    ``{"field": …, "op": …, "value": …, "missing": …}``. ``None`` is no filter.

    Raises:
        InvalidFilter: with the part that was not understood.
    """
    return _from_json(data, 0)


def _from_json(data: object, depth: int) -> Filter:
    if depth > MAX_DEPTH:
        raise InvalidFilter(f"The filter is nested more than {MAX_DEPTH} levels deep.", "Write it flatter.")
    if data is None:
        return EVERYTHING
    if not isinstance(data, Mapping):
        raise InvalidFilter(f"A filter is a JSON object, not {_shown(data)}.", 'For example {"category": "legal"}.')
    keys = set(data)
    if "field" in keys:
        return _condition_from_json(data, keys)
    for word in ("all", "any", "not"):
        if word in keys:
            return _group_from_json(word, data, depth)
    return conjunction(*(_equality(field, value) for field, value in data.items()))


def _group_from_json(word: str, data: Mapping[object, object], depth: int) -> Filter:
    if len(data) > 1:
        others = ", ".join(repr(key) for key in data if key != word)
        raise InvalidFilter(
            f'"{word}" stands alone in its object, beside it was {others}.',
            f'Put them together: {{"all": [{{"{word}": …}}, …]}}, or write a field of that name as {{"field": "{word}", …}}.',
        )
    inside = data[word]
    if word == "not":
        return Not(_from_json(inside, depth + 1))
    if not isinstance(inside, Sequence) or isinstance(inside, str):
        raise InvalidFilter(
            f'"{word}" takes a list of filters, not {_shown(inside)}.', f'Write {{"{word}": [{{…}}, {{…}}]}}.'
        )
    parts = tuple(_from_json(part, depth + 1) for part in inside)
    return All(parts) if word == "all" else Any(parts)


def _condition_from_json(data: Mapping[object, object], keys: set[object]) -> Condition:
    unknown = keys - {"field", "op", "value", "missing"}
    if unknown:
        raise InvalidFilter(
            f"A condition has no {_shown(sorted(map(str, unknown)))}.", "It takes field, op, value and missing."
        )
    if not isinstance(data["field"], str):
        raise InvalidFilter(f"A field is named by a string, not {_shown(data['field'])}.")
    missing = data.get("missing")
    if missing not in (None, "include", "exclude"):
        raise InvalidFilter(f'"missing" is {_shown(missing)}.', 'It is "include" or "exclude".')
    op = operator(data.get("op", "="))
    return Condition(data["field"], op, _operand(data.get("value")), missing)


def _equality(field: object, value: object) -> Condition:
    if not isinstance(field, str):
        raise InvalidFilter(f"A field is named by a string, not {_shown(field)}.")
    return Condition(field, Op.EQ, _operand(value))


def operator(word: object) -> Op:
    """The operator of that name (``==`` and ``<>`` are understood too)."""
    aliases = {"==": "=", "<>": "!="}
    try:
        return Op(aliases.get(str(word), str(word)))
    except ValueError:
        raise InvalidFilter(
            f"There is no operator {_shown(word)}.{_near(str(word), [op.value for op in Op])}",
            f"Operators: {', '.join(Op)}.",
        ) from None


def _operand(value: object) -> Operand:
    if isinstance(value, Mapping):
        raise InvalidFilter(
            f"A field is compared with a value, not with {_shown(value)}.", 'Write {"field": …, "op": …, "value": …}.'
        )
    if isinstance(value, (list, tuple)):
        return tuple(cast("Scalar", _operand(item)) for item in value)
    if value is None or isinstance(value, (str, int, float, bool, datetime)):
        return value
    raise InvalidFilter(f"A filter cannot hold {_shown(value)}.")


def to_json(filter: Filter) -> object:
    """The full JSON form; ``from_json(to_json(f)) == f`` for checked filters up to times, which become ISO strings."""
    match filter:
        case All(parts):
            return {"all": [to_json(part) for part in parts]}
        case Any(parts):
            return {"any": [to_json(part) for part in parts]}
        case Not(part):
            return {"not": to_json(part)}
        case Condition(field, op, value, missing):
            data: dict[str, object] = {"field": field, "op": op.value}
            if op not in _NULLS:
                data["value"] = _jsonable(value)
            if missing is not None:
                data["missing"] = missing
            return data


def _jsonable(value: Operand) -> object:
    if isinstance(value, tuple):
        return [_jsonable(item) for item in value]
    return f"{value.isoformat()}Z" if isinstance(value, datetime) else value


# ── checked against a schema ─────────────────────────────────────────────────────────────────────


def check(filter: Filter, schema: Schema) -> Filter:
    """The same filter with every value in its field's type (dates as UTC datetimes).

    Raises:
        InvalidFilter: an unknown field, an operator the type does not have, a value of another type; near misses named.
    """
    match filter:
        case All(parts):
            return All(tuple(check(part, schema) for part in parts))
        case Any(parts):
            return Any(tuple(check(part, schema) for part in parts))
        case Not(part):
            return Not(check(part, schema))
        case Condition():
            return _check_condition(filter, schema)


def _check_condition(condition: Condition, schema: Schema) -> Condition:
    field = schema.get(condition.field)
    if field is None:
        raise InvalidFilter(
            f"There is no field {condition.field!r}.{_near(condition.field, list(schema))}",
            f"Fields: {', '.join(sorted(schema))}.",
        )
    if condition.op not in OPERATORS[field.type]:
        hint = " Use contains_any or contains_all for one of its items." if field.type is FieldType.STRINGS else ""
        raise InvalidFilter(
            f"{condition.op} does not fit {field.name!r}, which is of type {field.type}.{hint}",
            f"Operators that do: {', '.join(OPERATORS[field.type])}.",
        )
    return replace(condition, value=_checked_value(condition, field))


def _checked_value(condition: Condition, field: Field) -> Operand:
    op, value = condition.op, condition.value
    if op in _NULLS:
        if value is not None:
            raise InvalidFilter(f"{op} takes no value, but {_shown(value)} was given.", "Leave the value out.")
        return None
    if value is None:
        raise InvalidFilter(f"{field.name!r} {op} null is never what one means.", "Use is_null or not_null.")
    if op is Op.BETWEEN:
        return _pair(value, field)
    wants_list = field.type is FieldType.STRINGS or op in (Op.IN, Op.NOT_IN)
    if wants_list and not isinstance(value, tuple):
        raise InvalidFilter(
            f"{field.name!r} {op} takes a list, not {_shown(value)}.{_list_hint(field)}", f"Write [{_shown(value)}]."
        )
    if not wants_list and isinstance(value, tuple):
        raise InvalidFilter(f"{field.name!r} {op} takes one value, not a list.", "Use in for one of several.")
    items = tuple(typed(item, field) for item in value) if isinstance(value, tuple) else typed(value, field)
    if op is Op.MATCHES:
        _check_pattern(str(items), field)
    return items


def _list_hint(field: Field) -> str:
    return " For documents that have this among others use contains_any." if field.type is FieldType.STRINGS else ""


def _pair(value: Operand, field: Field) -> tuple[Scalar, Scalar]:
    if not isinstance(value, tuple) or len(value) != 2:
        raise InvalidFilter(
            f"{field.name!r} between takes [low, high], not {_shown(value)}.", "Both ends are included."
        )
    low, high = typed(value[0], field), typed(value[1], field)
    if low > high:  # type: ignore[operator]
        raise InvalidFilter(
            f"{field.name!r} between {_shown(low)} and {_shown(high)} holds for nothing.",
            "Write the lower value first.",
        )
    return low, high


def _check_pattern(pattern: str, field: Field) -> None:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise InvalidFilter(f"{field.name!r} matches {_shown(pattern)}: no regular expression ({error}).") from None


def typed(value: object, field: Field) -> Scalar:
    """``value`` in the field's type.

    Raises:
        InvalidFilter: it is of another type. Nothing is guessed: ``"2023"`` is no number.
    """
    match field.type:
        case FieldType.STRING | FieldType.STRINGS if isinstance(value, str):
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
        case FieldType.DATETIME:
            instant = parse_instant(value)
            if instant is not None:
                return instant
    raise InvalidFilter(f"{field.name!r} holds {_WANTED[field.type]}, not {_shown(value)}.")


_WANTED = {
    FieldType.STRING: "a string",
    FieldType.INTEGER: "an integer",
    FieldType.NUMBER: "a number",
    FieldType.BOOLEAN: "a boolean",
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
        return value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
    except OverflowError:
        return None


# ── in words ─────────────────────────────────────────────────────────────────────────────────────


def describe(filter: Filter) -> str:
    """The filter as an analyst would say it; no filter is ``everything``."""
    match filter:
        case All(()):
            return "everything"
        case Any(()):
            return "nothing"
        case All(parts):
            return " and ".join(_bracketed(part) for part in parts)
        case Any(parts):
            return " or ".join(_bracketed(part) for part in parts)
        case Not(part):
            return f"not {_bracketed(part)}"
        case Condition(field, op, value, missing):
            words = [field, op.value.replace("_", " ")]
            if op is Op.BETWEEN and isinstance(value, tuple):
                words.append(f"{_said(value[0])} and {_said(value[1])}")
            elif op not in _NULLS:
                words.append(_said(value))
            if missing is not None:
                words.append("(or missing)" if missing == "include" else "(and present)")
            return " ".join(words)


def _bracketed(part: Filter) -> str:
    nested = isinstance(part, (All, Any)) and len(part.parts) > 1
    return f"({describe(part)})" if nested else describe(part)


def _said(value: Operand) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_said(item) for item in value) + "]"
    if isinstance(value, datetime):
        return (
            value.date().isoformat()
            if value == datetime(value.year, value.month, value.day)
            else f"{value.isoformat()}Z"
        )
    return f'"{value}"' if isinstance(value, str) else str(value)


def _near(word: str, words: Sequence[str]) -> str:
    close = get_close_matches(word.casefold(), [w.casefold() for w in words], n=3, cutoff=0.6)
    names = [w for w in words if w.casefold() in close]
    return f" Did you mean {' or '.join(repr(name) for name in names)}?" if names else ""


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
