"""The filter as chips and a small builder: field, operator, value. All chips must hold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

import streamlit as st

from core.enrich.fields import COMPUTED
from core.errors import AppError
from core.filters import (
    EVERYTHING,
    NULL_OPS,
    OPERATORS,
    TEXTS,
    TIMES,
    All,
    Any,
    Condition,
    Field,
    FieldType,
    Filter,
    Not,
    Op,
    Operand,
    Scalar,
    check,
    conjunction,
    describe,
    from_text,
    to_json,
)
from core.types import BlockKind
from core.workspace import Workspace
from pages.parts import errors, resources, session
from pages.parts.text import literal, shortened

_WORDS = {
    Op.EQ: "is", Op.NE: "is not", Op.IN: "is one of", Op.NOT_IN: "is none of", Op.LT: "below", Op.LE: "at most",
    Op.GT: "above", Op.GE: "at least", Op.BETWEEN: "between", Op.CONTAINS_ALL: "has all of", Op.CONTAINS_ANY: "has any of",
    Op.CONTAINS: "contains", Op.NOT_CONTAINS: "does not contain", Op.STARTS_WITH: "starts with", Op.MATCHES: "matches pattern",
    Op.IS_NULL: "is missing", Op.NOT_NULL: "is present",
}  # fmt: skip
_TIME_WORDS = {Op.LT: "before", Op.LE: "until", Op.GT: "after", Op.GE: "from"}
_ORDERED = (FieldType.INTEGER, FieldType.NUMBER, *sorted(TIMES))
_FIRST = ("category", "doc_type", "tags", "published_at", "security_level", "doc_id")
_HIDDEN = frozenset({"revision"})
_METHODS = {field.name: field.method for field in COMPUTED}
_LABELS = {
    "kind": "block kind (node)",
    "ordinal": "number in document (node)",
    "start": "start (node)",
    "end": "end (node)",
    "page": "page (node)",
    "tokens": "tokens (node)",
    **{field.name: f"{field.name.replace('_', ' ')} (node)" for field in COMPUTED},
}


def editor(opened: Workspace) -> None:
    """Draw the chips of the session's filter and the builder; a change takes effect at once."""
    state = session.current()
    _drop_unknown(opened)
    for position, part in enumerate(parts(state.filter)):
        st.button(
            literal(shortened(words(part, opened), 70)),
            key=f"chip-{position}",
            icon=":material/close:",
            help="Remove this condition",
            on_click=_remove,
            args=(position,),
        )
    with st.popover("Add a condition" if parts(state.filter) else "Add a filter", icon=":material/filter_alt:"):
        _builder(opened)
    with st.popover("JSON", icon=":material/data_object:", type="tertiary"):
        _json(opened)


def parts(filter: Filter) -> tuple[Filter, ...]:
    """What must hold together: the chips."""
    return filter.parts if isinstance(filter, All) else (filter,)


def words(filter: Filter, opened: Workspace) -> str:
    """The filter in words, with documents by name."""
    return describe(_with_names(filter, {info.id: info.name for info in opened.documents()}))


def _with_names(filter: Filter, names: dict[str, str]) -> Filter:
    match filter:
        case Condition("doc_id", _, value):
            named = (
                tuple(names.get(str(v), str(v)) for v in value)
                if isinstance(value, tuple)
                else names.get(str(value), value)
            )
            return replace(filter, field="document", value=named)
        case Condition():
            return filter
        case Not(part):
            return Not(_with_names(part, names))
        case All(every):
            return All(tuple(_with_names(part, names) for part in every))
        case Any(every):
            return Any(tuple(_with_names(part, names) for part in every))


def _remove(position: int) -> None:
    state = session.current()
    left = [part for number, part in enumerate(parts(state.filter)) if number != position]
    state.filter = conjunction(*left)


def _drop_unknown(opened: Workspace) -> None:
    """A filter on a field that is gone (another workspace, a reset) is dropped with a note."""
    state = session.current()
    try:
        check(state.filter, opened.store.schema())
    except AppError as error:
        state.filter = EVERYTHING
        st.warning(f"The filter was dropped. {literal(str(error))}", icon=":material/filter_alt_off:")


def _builder(opened: Workspace) -> None:
    schema = {name: field for name, field in opened.store.schema().items() if name not in _HIDDEN}
    order = sorted(
        schema, key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), schema[name].of_node, name)
    )
    name = st.selectbox("Field", order, key="filter-field", format_func=lambda n: _label(schema[n]))
    field = schema[name]
    if method := _METHODS.get(name.removeprefix("node.")) if field.of_node else None:
        st.caption(method)
    op = st.selectbox(
        "is",
        _operators(field),
        key=f"filter-op-{name}",
        format_func=lambda o: _said(o, field),
        label_visibility="collapsed",
    )
    value = _value(opened, field, op)
    if st.button("Add", key="filter-add", type="primary"):
        if value is None and op not in NULL_OPS:
            st.warning("Choose a value first.", icon=":material/info:")
            return
        with errors.shown():
            condition = check(Condition(name, op, value), schema)
            session.current().filter = conjunction(session.current().filter, condition)
            st.rerun()


def _label(field: Field) -> str:
    """A field as it is offered: those of nodes say so, those of documents are called what they are called."""
    return (
        _LABELS.get(field.name.removeprefix("node."), field.name)
        if field.of_node
        else ("document" if field.name == "doc_id" else field.name)
    )


def _operators(field: Field) -> Sequence[Op]:
    """The type's operators, the usual one first."""
    usual = {
        **dict.fromkeys(TEXTS, Op.IN), **dict.fromkeys(TIMES, Op.BETWEEN), FieldType.STRINGS: Op.CONTAINS_ALL,
    }.get(field.type, Op.EQ)  # fmt: skip
    if field.name == "doc_id":
        return (Op.IN, Op.NOT_IN)
    shown = [
        op
        for op in OPERATORS[field.type]
        if field.type in _ORDERED or op not in (Op.LT, Op.LE, Op.GT, Op.GE, Op.BETWEEN)
    ]
    return sorted(shown, key=lambda op: op is not usual)


def _said(op: Op, field: Field) -> str:
    return _TIME_WORDS.get(op, _WORDS[op]) if field.type in TIMES else _WORDS[op]


def _value(opened: Workspace, field: Field, op: Op) -> Operand:
    """The widget for a value of this field, and what it holds; None while it holds nothing."""
    key = f"filter-value-{field.name}-{op}"
    step = 1 if field.type is FieldType.INTEGER else None
    if op in NULL_OPS:
        return None
    if field.type is FieldType.BOOLEAN:
        return st.selectbox("Value", [True, False], key=key)
    if op in (Op.CONTAINS, Op.NOT_CONTAINS, Op.STARTS_WITH, Op.MATCHES):
        return st.text_input("Value", key=key) or None
    if field.type in TIMES:
        return _dates(op, key)
    if op is Op.BETWEEN:
        low, high = st.columns(2)
        ends = (
            low.number_input("from", value=None, key=f"{key}-low", step=step),
            high.number_input("to", value=None, key=f"{key}-high", step=step),
        )
        return None if None in ends else tuple(_number(end, field) for end in ends if end is not None)
    if op in (Op.IN, Op.NOT_IN) or field.type is FieldType.STRINGS:
        return _choices(opened, field, key)
    if field.type in _ORDERED:
        number = st.number_input("Value", value=None, key=key, step=step)
        return None if number is None else _number(number, field)
    return st.selectbox("Value", _known(opened, field), index=None, key=key, accept_new_options=True)


def _number(value: float, field: Field) -> int | float:
    return int(value) if field.type is FieldType.INTEGER and float(value).is_integer() else float(value)


def _dates(op: Op, key: str) -> Operand:
    if op is not Op.BETWEEN:
        chosen = st.date_input("Day (UTC)", value=None, key=key)
        return _midnight(chosen) if isinstance(chosen, date) else None
    low, high = st.columns(2)
    start, end = (
        low.date_input("from", value=None, key=f"{key}-low"),
        high.date_input("until", value=None, key=f"{key}-high"),
    )
    return (_midnight(start), _midnight(end)) if isinstance(start, date) and isinstance(end, date) else None


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day)


def _choices(opened: Workspace, field: Field, key: str) -> Operand:
    names = {info.id: info.name for info in opened.documents()} if field.name == "doc_id" else {}
    options: list[Scalar] = list(names) or _known(opened, field)
    chosen = st.multiselect(
        "Values", options, key=key, format_func=lambda v: names.get(str(v), str(v)),
        accept_new_options=field.type in (*TEXTS, FieldType.STRINGS) and not names,
    )  # fmt: skip
    return tuple(chosen) or None


def _known(opened: Workspace, field: Field) -> list[Scalar]:
    if field.name == "kind":
        return [kind.value for kind in BlockKind]
    if field.of_node:
        index = resources.current_index()
        return [value for value, _ in opened.store.node_values(index, field.name, 200)] if index else []
    return [value for value, _ in opened.store.values(field.name, 200)]


def _json(opened: Workspace) -> None:
    """The whole filter as JSON: for nested conditions, and to copy into a script."""
    state = session.current()
    shown = json.dumps(to_json(state.filter), ensure_ascii=False, indent=1) if parts(state.filter) else ""
    key = f"filter-json-{hash(state.filter)}"
    text = st.text_area("Filter as JSON", value=shown, key=key, height=220, placeholder='{"category": "legal"}')
    if st.button("Apply", key="filter-json-apply", type="primary"):
        with errors.shown():
            typed = from_text(text) if text.strip() else EVERYTHING
            state.filter = conjunction(check(typed, opened.store.schema()))
            st.rerun()
