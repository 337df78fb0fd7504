"""Filters from JSON and back."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import datetime

from core.errors import InvalidFilter
from core.filters.tree import (
    EVERYTHING,
    MAX_DEPTH,
    NULL_OPS,
    All,
    Any,
    Condition,
    Filter,
    Not,
    Op,
    Operand,
    Scalar,
    conjunction,
    naive_utc,
    refuse_large,
)
from core.filters.words import near, shown


def from_json(data: object) -> Filter:
    """A filter from parsed JSON: ``{"year": 2023}``, ``{"all": […]}``, ``{"any": […]}``, ``{"not": {…}}`` or
    ``{"field": …, "op": …, "value": …, "missing": …}``. ``None`` is no filter.

    Raises:
        InvalidFilter: with the part that was not understood.
    """
    return _from_json(data, 0)


def from_text(text: str) -> Filter:
    """A filter from JSON as it was typed.

    Raises:
        InvalidFilter: it is no JSON, with the place; a key stands twice; or it is no filter.
    """
    try:
        data = json.loads(text, object_pairs_hook=unique_keys)
    except InvalidFilter:
        raise
    except json.JSONDecodeError as error:
        raise InvalidFilter(
            f"The filter is no JSON: {error.msg} in line {error.lineno}, column {error.colno}.",
            'For example {"category": "legal"}.',
        ) from None
    except (RecursionError, ValueError):
        raise InvalidFilter("The filter is nested too deeply, or holds too long a number.") from None
    return from_json(data)


def unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of JSON in which no key stands twice: one of both would be lost in silence. For ``object_pairs_hook``.

    Raises:
        InvalidFilter: a key does.
    """
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise InvalidFilter(f"The key {shown(key)} stands twice in one object.", "Keep one, or put both into all.")
        found[key] = value
    return found


def _from_json(data: object, depth: int) -> Filter:
    if depth > MAX_DEPTH:
        raise InvalidFilter(f"The filter is nested more than {MAX_DEPTH} levels deep.", "Write it flatter.")
    if data is None:
        return EVERYTHING
    if not isinstance(data, Mapping):
        raise InvalidFilter(f"A filter is a JSON object, not {shown(data)}.", 'For example {"category": "legal"}.')
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
            f'"{word}" takes a list of filters, not {shown(inside)}.', f'Write {{"{word}": [{{…}}, {{…}}]}}.'
        )
    parts = tuple(_from_json(part, depth + 1) for part in inside)
    return All(parts) if word == "all" else Any(parts)


def _condition_from_json(data: Mapping[object, object], keys: set[object]) -> Condition:
    unknown = keys - {"field", "op", "value", "missing"}
    if unknown:
        raise InvalidFilter(
            f"A condition has no {shown(sorted(map(str, unknown)))}.", "It takes field, op, value and missing."
        )
    if not isinstance(data["field"], str):
        raise InvalidFilter(f"A field is named by a string, not {shown(data['field'])}.")
    missing = data.get("missing")
    if missing not in (None, "include", "exclude"):
        raise InvalidFilter(f'"missing" is {shown(missing)}.', 'It is "include" or "exclude".')
    op = operator(data.get("op", "="))
    return Condition(data["field"], op, _operand(data.get("value")), missing)


def _equality(field: object, value: object) -> Condition:
    if not isinstance(field, str):
        raise InvalidFilter(f"A field is named by a string, not {shown(field)}.")
    return Condition(field, Op.EQ, _operand(value))


def operator(word: object) -> Op:
    """The operator of that name (``==`` and ``<>`` are understood too)."""
    aliases = {"==": "=", "<>": "!="}
    try:
        return Op(aliases.get(str(word), str(word)))
    except ValueError:
        raise InvalidFilter(
            f"There is no operator {shown(word)}.{near(str(word), [op.value for op in Op])}",
            f"Operators: {', '.join(Op)}.",
        ) from None


def _operand(value: object) -> Operand:
    if isinstance(value, (list, tuple)):
        return tuple(_scalar(item) for item in value)
    return None if value is None else _scalar(value)


def _scalar(value: object) -> Scalar:
    if isinstance(value, Mapping):
        raise InvalidFilter(
            f"A field is compared with a value, not with {shown(value)}.", 'Write {"field": …, "op": …, "value": …}.'
        )
    if isinstance(value, (str, int, float, bool, datetime)):
        return value
    what = "a list inside a list" if isinstance(value, (list, tuple)) else shown(value)
    raise InvalidFilter(f"A filter cannot hold {what}.")


def to_json(filter: Filter) -> object:
    """The full JSON form; ``from_json(to_json(f)) == f`` for checked filters up to times, which become ISO strings.

    Raises:
        InvalidFilter: it is nested too deeply, or compares with what is no number.
    """
    refuse_large(filter)
    return _to_json(filter)


def _to_json(filter: Filter) -> dict[str, object]:
    match filter:
        case All(parts):
            return {"all": [_to_json(part) for part in parts]}
        case Any(parts):
            return {"any": [_to_json(part) for part in parts]}
        case Not(part):
            return {"not": _to_json(part)}
        case Condition(field, op, value, missing):
            data: dict[str, object] = {"field": field, "op": op.value}
            if op not in NULL_OPS:
                data["value"] = _jsonable(value)
            if missing is not None:
                data["missing"] = missing
            return data


def _jsonable(value: Operand) -> object:
    if isinstance(value, tuple):
        return [_jsonable(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidFilter(f"A filter cannot hold {value}, which is no number.")
    return f"{naive_utc(value).isoformat()}Z" if isinstance(value, datetime) else value
