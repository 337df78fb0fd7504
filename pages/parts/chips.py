"""A hit's metadata as chips, each with the two conditions it stands for: only this, and not this one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from core.filters import All, Condition, FieldType, Filter, Not, Op, Scalar, Schema, conjunction
from core.types import Hit, Value
from pages.parts.text import shortened

_FIRST = ("doc_type", "category", "year", "quarter", "tags")
_LONGEST = 60
_LONGEST_VALUE = 500
"""A longer text is shown, and no condition is made of it."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A field and one value of it, as they are shown; ``only`` and ``without`` are None where none can be made."""

    field: str
    value: str
    only: Filter | None
    without: Filter | None


def of_document(hit: Hit, schema: Schema) -> list[Chip]:
    """What the metadata of a hit's document says, what one most looks for first; a list gives a chip for each item."""
    order = {name: at for at, name in enumerate(_FIRST)}
    fields = sorted(hit.metadata, key=lambda name: order.get(name, len(_FIRST)))
    return [chip for name in fields for chip in _chips(name, name, hit.metadata[name], schema)]


def of_node(hit: Hit, schema: Schema) -> list[Chip]:
    """What the node itself is and what was computed for it."""
    held = {"kind": hit.node.kind.value, "page": hit.node.page, "tokens": hit.tokens, **hit.computed}
    known = {name: value for name, value in held.items() if value is not None}
    return [chip for name, value in known.items() for chip in _chips(name, _of_node(name, schema), value, schema)]


def document(hit: Hit) -> Chip:
    """The hit's document itself."""
    only, without = (Condition("doc_id", op, (hit.doc_id,)) for op in (Op.IN, Op.NOT_IN))
    return Chip("document", hit.name, only, without)


def narrowed(filter: Filter, condition: Filter) -> Filter:
    """``filter`` with a condition that must hold as well: once, and in the place of its opposite."""
    parts = filter.parts if isinstance(filter, All) else (filter,)
    return conjunction(*(part for part in parts if part not in (condition, opposite(condition))), condition)


def opposite(condition: Filter) -> Filter:
    """The condition that a chip offers beside this one."""
    match condition:
        case Not(part):
            return part
        case Condition(field, Op.EQ, value):
            return Condition(field, Op.NE, value)
        case Condition(field, Op.NE, value):
            return Condition(field, Op.EQ, value)
        case Condition(field, Op.IN, value):
            return Condition(field, Op.NOT_IN, value)
        case Condition(field, Op.NOT_IN, value):
            return Condition(field, Op.IN, value)
    return Not(condition)


def _of_node(name: str, schema: Schema) -> str:
    """What a field of nodes is called in a filter: its own name, or with a prefix where a document's field has that."""
    long = f"node.{name}"
    return long if long in schema else name


def _chips(label: str, field: str, value: Value, schema: Schema) -> Iterator[Chip]:
    known = schema.get(field)
    for item in value if isinstance(value, tuple) else (value,):
        if known is None or not _comparable(item):
            yield Chip(label, _said(item), None, None)
        elif known.type is FieldType.STRINGS:
            has = Condition(field, Op.CONTAINS_ANY, (item,))
            yield Chip(label, _said(item), has, Not(has))
        else:
            yield Chip(label, _said(item), Condition(field, Op.EQ, item), Condition(field, Op.NE, item))


def _comparable(value: Scalar) -> bool:
    if isinstance(value, str):
        return len(value) <= _LONGEST_VALUE
    return not isinstance(value, float) or math.isfinite(value)


def _said(value: Scalar) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4g}"
        case datetime():
            midnight = value == datetime(value.year, value.month, value.day)
            return value.date().isoformat() if midnight else f"{value:%Y-%m-%d %H:%M}"
    return shortened(str(value), _LONGEST)
