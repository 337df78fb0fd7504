"""The value of a condition that is being chosen: a list with counts to click or tick, or what its type is typed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import streamlit as st

from core.filters import NULL_OPS, TEXTS, TIMES, Field, FieldType, Op, Operand, Scalar
from core.store.base import Facet
from pages.parts import session
from pages.parts.filter_fields import Operator
from pages.parts.text import literal, shortened

SHOWN = 10  # values to click; the others are in a list
FEW = 12  # numbers that are still offered as values to click
_LONGEST = 44
_TYPED = frozenset({Op.CONTAINS, Op.NOT_CONTAINS, Op.STARTS_WITH, Op.MATCHES})


@dataclass(frozen=True, slots=True)
class Asked:
    """What a value is asked for: the widgets' key, the field and operator, its values, what stands there before."""

    key: str
    field: Field
    operator: Operator
    facet: Callable[[], Facet]
    names: dict[str, str]
    before: Operand = None

    def said(self, value: Scalar) -> str:
        """A value as it is to be read; blank ones in quotes, or they could not be seen."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        text = self.names.get(str(value), str(value))
        return shortened(text, _LONGEST) if text.strip() == text != "" else f"“{text}”"


def chosen(asked: Asked, take: Callable[[Operand], None]) -> Operand:
    """Draw what the value is chosen with, and give what it holds; None while it holds nothing.

    A click on one of the values calls ``take`` at once.
    """
    op, kind = asked.operator.op, asked.field.type
    if op in NULL_OPS:
        return None
    if op in _TYPED:
        before = asked.before if isinstance(asked.before, str) else ""
        return st.text_input("Value", key=session.begun(f"{asked.key}-text", before)) or None
    if kind in TIMES:
        return _dates(asked)
    if op is Op.BETWEEN:
        return _numbers(asked)
    if asked.operator.many:
        return _several(asked)
    return _one(asked, take)


def _one(asked: Asked, take: Callable[[Operand], None]) -> Operand:
    """Values to click, the commonest first; the others in a list, or to be typed."""
    kind = asked.field.type
    held = {} if asked.operator.op not in (Op.EQ, Op.NE, Op.CONTAINS_ANY) else dict(asked.facet().values)
    number = kind in (FieldType.INTEGER, FieldType.NUMBER)
    if number and len(held) > FEW:
        held = {}
    values = list(held)
    if kind is FieldType.BOOLEAN:
        values = [True, False]
    first = values[: SHOWN if len(values) > SHOWN + 2 else None]
    with st.container(gap=None, key=f"{asked.key}-values"):
        for position, value in enumerate(first):
            st.button(
                _counted(asked.said(value), held.get(value, 0)), key=f"{asked.key}-value-{position}", type="tertiary",
                width="stretch", on_click=take, args=(_as_asked(asked, value),),
            )  # fmt: skip
    if kind is FieldType.BOOLEAN:
        return None
    if number:
        return _number(asked, "Another number" if first else "Number")
    rest = [value for value in values if value not in first]
    return _another(asked, rest, held)


def _another(asked: Asked, rest: Sequence[Scalar], held: dict[Scalar, int]) -> Operand:
    free = asked.field.type in (*TEXTS, FieldType.STRINGS) and not asked.names and not asked.field.allowed
    if not (rest or free):
        return None
    more = f"{len(rest):,} more, or type one" if rest and free else f"{len(rest):,} more" if rest else "Type another"
    value = st.selectbox(
        "Another value", rest, index=None, key=f"{asked.key}-other", placeholder=more, accept_new_options=free,
        format_func=lambda v: f"{asked.said(v)} · {held[v]:,}" if v in held else str(v), label_visibility="collapsed",
    )  # fmt: skip
    return None if value is None else _as_asked(asked, value)


def _as_asked(asked: Asked, value: Scalar) -> Operand:
    return (value,) if asked.operator.op is Op.CONTAINS_ANY else value


def _counted(name: str, count: int) -> str:
    """A value and its count, greyed where no node has it."""
    said = f"{literal(name)} · {count:,}"
    return said if count else f":gray[{said}]"


def _several(asked: Asked) -> Operand:
    """Values to tick from the list, the commonest first."""
    held = dict(asked.facet().values)
    before = list(asked.before) if isinstance(asked.before, tuple) else [] if asked.before is None else [asked.before]
    options = [*held, *(value for value in before if value not in held)]
    number = asked.field.type in (FieldType.INTEGER, FieldType.NUMBER)
    ticked = st.multiselect(
        "Values", options, key=session.begun(f"{asked.key}-many", before),
        format_func=lambda v: f"{asked.said(v)} · {held.get(v, 0):,}" if v in options else str(v),
        accept_new_options=not (asked.names or asked.field.allowed or asked.field.type is FieldType.BOOLEAN),
        placeholder="Choose from the list, or type",
    )  # fmt: skip
    return tuple(_read(value) if number else value for value in ticked) or None


def _read(value: Scalar) -> Scalar:
    """A number that was typed; what is none is left to the check of the filter."""
    if not isinstance(value, str):
        return value
    try:
        return int(value)
    except ValueError:
        pass
    try:
        return float(value)
    except ValueError:
        return value


def _number(asked: Asked, label: str) -> Operand:
    before = asked.before if isinstance(asked.before, (int, float)) else None
    return _typed(asked, label, "number", before)


def _typed(asked: Asked, label: str, name: str, before: float | None) -> int | float | None:
    whole = asked.field.type is FieldType.INTEGER
    start = None if before is None else int(before) if whole else float(before)
    value = st.number_input(
        label, value=None, step=1 if whole else None, key=session.begun(f"{asked.key}-{name}", start)
    )
    return None if value is None else int(value) if whole else float(value)


def _numbers(asked: Asked) -> Operand:
    ends = asked.before if isinstance(asked.before, tuple) and len(asked.before) == 2 else (None, None)
    low, high = (end if isinstance(end, (int, float)) else None for end in ends)
    with st.container(horizontal=True, gap="small"):
        start, end = _typed(asked, "from", "low", low), _typed(asked, "to", "high", high)
    return None if start is None or end is None else (start, end)


def _dates(asked: Asked) -> Operand:
    before = asked.before if isinstance(asked.before, tuple) else (asked.before,)
    if asked.operator.op is not Op.BETWEEN:
        return _day(asked, "Day (UTC)", "day", before[0])
    with st.container(horizontal=True, gap="small"):
        start = _day(asked, "from", "from", before[0])
        end = _day(asked, "until (its midnight)", "until", before[1] if len(before) > 1 else None)
    return None if start is None or end is None else (start, end)


def _day(asked: Asked, label: str, name: str, before: object) -> datetime | None:
    start = before.date() if isinstance(before, datetime) else None
    day = st.date_input(
        label, value=None, key=session.begun(f"{asked.key}-{name}", start),
        min_value=date(1000, 1, 1), max_value=date(9999, 12, 31),
    )  # fmt: skip
    return datetime(day.year, day.month, day.day) if isinstance(day, date) else None
