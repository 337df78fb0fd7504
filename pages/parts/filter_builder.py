"""A condition chosen step by step: field, operator, value, each with what it would leave before it is used."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.filters import (
    NULL_OPS,
    Condition,
    Field,
    Filter,
    Missing,
    Operand,
    Schema,
    check,
)
from core.store.base import Facet
from core.types import Index
from core.workspace import Workspace
from pages.parts import counting, errors, filter_fields, meant, session
from pages.parts.filter_draft import Draft
from pages.parts.filter_fields import Operator
from pages.parts.filter_values import Asked, chosen
from pages.parts.text import literal

MANY = 14  # fields from which on there is a box to find one
_MISSING = {"usual": "as usual", "include": "a match", "exclude": "no match"}
_MEANT: dict[str, Missing | None] = {"usual": None, "include": "include", "exclude": "exclude"}
Use = Callable[[Condition], None]


def draw(
    opened: Workspace, index: Index, key: str, others: Filter, whole: Callable[[Filter], Filter], use: Use,
    before: Condition | None = None,
) -> None:  # fmt: skip
    """Choose a condition and hand it to ``use``; ``before`` is what stands there now.

    Counts beside the values are of nodes that pass ``others``; ``whole`` gives the filter as it would be.
    """
    schema = opened.store.schema()
    draft = _draft(key, schema, before)
    field = schema[draft.field]
    left, right = st.columns([5, 8], gap="medium")
    with left:
        _fields(key, schema, draft)
    with right, st.container(gap="small", key=f"{key}-right"):
        st.markdown(f"**{literal(filter_fields.label(field))}**")
        operator = _operator(key, field, draft)
        if method := filter_fields.method(field):
            st.caption(method)
        with errors.shown():
            _value(opened, index, key, others, whole, use, draft, field, operator)


def _draft(key: str, schema: Schema, before: Condition | None) -> Draft:
    """The draft of this editor; it begins anew where what it edits has become something else."""
    drafts = session.current().filtering.drafts
    found = drafts.get(key)
    if found is None or found.field not in schema or found.begun != before:
        first = filter_fields.offered(schema)[0]
        field = schema.get(before.field, first) if before else first
        operator = filter_fields.operator_of(before, field) if before else None
        found = Draft(field.name, operator.name if operator else "", before.missing if before else None, before)
        drafts[key] = found
    return found


def _fields(key: str, schema: Schema, draft: Draft) -> None:
    every = {field.name: field for field in filter_fields.offered(schema)}

    def take(name: str | None) -> None:
        if name:
            draft.field, draft.operator, draft.missing = name, "", None

    if len(every) > MANY:
        st.selectbox(
            "Find a field", list(every), index=None, placeholder="Find a field", label_visibility="collapsed",
            format_func=lambda name: filter_fields.label(every[name]), **session.tied(f"{key}-find", None, take),
        )  # fmt: skip
    with st.container(height=300, border=False, key=f"{key}-fields"):
        st.radio(
            "Field", list(every), format_func=lambda name: literal(filter_fields.label(every[name])),
            label_visibility="collapsed", **session.tied(f"{key}-field", draft.field, take),
        )  # fmt: skip


def _operator(key: str, field: Field, draft: Draft) -> Operator:
    offered = {operator.name: operator for operator in filter_fields.operators(field)}
    if draft.operator not in offered:
        draft.operator = next(iter(offered))

    def take(name: str) -> None:
        draft.operator = name

    st.selectbox(
        "Operator", list(offered), format_func=lambda name: offered[name].words, label_visibility="collapsed",
        **session.tied(f"{key}-op-{field.name}", draft.operator, take),
    )  # fmt: skip
    return offered[draft.operator]


def _value(
    opened: Workspace, index: Index, key: str, others: Filter, whole: Callable[[Filter], Filter], use: Use,
    draft: Draft, field: Field, operator: Operator,
) -> None:  # fmt: skip
    where = session.current().where
    names = {info.id: info.name for info in opened.documents()} if field.name == "doc_id" else {}
    same = draft.begun is not None and draft.begun.field == field.name
    before = draft.begun.value if draft.begun and same else None

    def made(value: Operand) -> Condition:
        return Condition(field.name, operator.op, value, None if operator.op in NULL_OPS else draft.missing)

    def take(value: Operand) -> None:
        use(made(value))

    def facet() -> Facet:
        return counting.facet(opened, index, field, others, where)

    asked = Asked(f"{key}-{field.name}-{operator.name}", field, operator, facet, names, before)
    if operator.op not in NULL_OPS and (told := counting.ends(opened, field, facet())):
        st.caption(told)
    value = chosen(asked, take)
    if operator.op not in NULL_OPS:
        _missing(key, draft, lambda: facet().missing)
    if value is None and operator.op not in NULL_OPS:
        now, total = counting.matching(opened, index, session.current().filter, where)
        st.caption(f"Now {now:,} of {total:,} nodes match")
        return
    condition = made(value)
    with errors.shown():
        condition = check(condition, opened.store.schema())  # type: ignore[assignment]
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                "Change" if draft.begun else "Add", key=f"{key}-use", type="primary", on_click=use, args=(condition,)
            )
            st.markdown(counting.said(opened, index, whole(condition), where), width="content")
        if told := meant.said(opened, index, condition):
            st.caption(literal(told))


def _missing(key: str, draft: Draft, lacking: Callable[[], int]) -> None:
    """What a node without the field counts as."""

    def take(meant: str) -> None:
        draft.missing = _MEANT[meant]

    count = lacking()

    st.selectbox(
        f"A missing value counts as ({count:,} {'is' if count == 1 else 'are'} missing)", list(_MISSING),
        format_func=_MISSING.__getitem__, help="As usual: a match for “is not”, “is none of” and “does not contain”, else no match.",
        **session.tied(f"{key}-missing-{draft.field}", draft.missing or "usual", take),
    )  # fmt: skip
