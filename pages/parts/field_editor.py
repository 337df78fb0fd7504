"""One field of a workspace in hand: everything about it, and what its values would make of a change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from core import workspace
from core.filters import TIMES, FieldType
from core.types import DateOrder, FieldSpec
from core.workspace import Workspace
from pages.parts import retyping, session
from pages.parts.findings import whole
from pages.parts.retyping import Given, Outcome
from pages.parts.schema_edit import WITH_ALLOWED, SchemaEdit, alike, default_text, fault
from pages.parts.text import counted, literal

_MOST = 200  # values that are offered to choose from


def draw(opened: Workspace, edit: SchemaEdit, draft: FieldSpec, fields: Sequence[FieldSpec]) -> None:
    """Everything about one field, what its values make of it, and the button that makes it so."""
    known = [spec.name for spec in fields]
    values = _given(opened.location, opened.store.changes, edit.name) if edit.name else []
    with st.container(border=True):
        first = st.columns([3, 2, 2, 2], vertical_alignment="bottom")
        with first[0]:
            _name(edit, draft)
        with first[1]:
            st.selectbox("Type", list(FieldType), format_func=typed, **_of(edit, "type", draft.type))
        with first[2]:
            st.toggle(
                "Required", help="The linter names documents without a value.", **_of(edit, "required", draft.required)
            )
        with first[3]:
            if draft.type in TIMES:
                _choose(edit, "Order of 10/03/2024", "date_order", draft.date_order, list(DateOrder), "not chosen")
        limited = draft.type in WITH_ALLOWED
        second = st.columns([3, 4, 4] if limited else [3, 8])
        with second[0]:
            _default(edit, draft)
        if limited:
            with second[1]:
                _allowed(edit, draft, values)
        with second[-1]:
            st.text_input("Description", **_of(edit, "description", draft.description))
        _effect(opened, edit, draft, fields)
        _near(edit, draft, known)
        wrong = fault(draft, edit.name, known)
        if wrong:
            st.caption(f":material/warning: {literal(wrong)}")
        _press(opened, edit, draft, fields, wrong)


def _of(edit: SchemaEdit, name: str, value: object, held: Any = None) -> dict[str, Any]:
    """Ties a widget to one thing about the draft; ``held`` makes its value from the widget's."""
    key = f"schema-{name}-{edit.round}-{edit.name}"
    return session.tied(key, value, lambda seen: edit.change(name, held(seen) if held else seen))


def _choose(edit: SchemaEdit, label: str, name: str, value: object, options: Sequence[object], none: str) -> None:
    """One of some options, or none of them."""
    st.selectbox(
        label, ["", *options], format_func=lambda one: none if one == "" else str(one).lower().replace("_", " "),
        **_of(edit, name, "" if value is None else value, lambda seen: None if seen == "" else seen),
    )  # fmt: skip


def _name(edit: SchemaEdit, draft: FieldSpec) -> None:
    st.text_input("Name", disabled=bool(edit.name), **_of(edit, "name", draft.name))


def _near(edit: SchemaEdit, draft: FieldSpec, known: Sequence[str]) -> None:
    """Before a field is added: one of nearly that name may be meant."""
    near = [] if edit.name or draft.name.strip() in known else alike(draft.name, known)
    if near:
        st.caption(f":material/info: There is {literal(' and '.join(near))} already.")


def _default(edit: SchemaEdit, draft: FieldSpec) -> None:
    """The value of documents without one, in the widget that its type asks for."""
    value = draft.default
    if draft.type is FieldType.BOOLEAN:
        _choose(edit, "Default", "default", value, [True, False], "none")
    elif draft.type is FieldType.ENUM:
        options = dict.fromkeys([*draft.allowed, *([] if value is None else [value])])
        st.selectbox(
            "Default", ["", *options], format_func=lambda one: one or "none",
            **_of(edit, "default", value or "", lambda seen: seen or None),
        )  # fmt: skip
    elif draft.type is FieldType.STRINGS:
        chosen = list(value) if isinstance(value, tuple) else []
        st.multiselect(
            "Default", [*dict.fromkeys([*draft.allowed, *chosen])], accept_new_options=True, placeholder="none",
            **_of(edit, "default", chosen, lambda seen: tuple(seen) or None),
        )  # fmt: skip
    else:
        typed = _of(edit, "default", default_text(value), lambda seen: seen.strip() or None)
        st.text_input("Default", placeholder="none", **typed)


def _allowed(edit: SchemaEdit, draft: FieldSpec, values: Given) -> None:
    """The values it is limited to, if any."""
    items = (item for raw, _ in values for item in (raw if isinstance(raw, list) else [raw]))
    texts = list(dict.fromkeys(item for item in items if isinstance(item, str) and item == whole(item)))
    options = list(dict.fromkeys([*draft.allowed, *texts[:_MOST]]))
    st.multiselect(
        "Allowed values", options, accept_new_options=True,
        placeholder="name at least one" if draft.type is FieldType.ENUM else "any",
        **_of(edit, "allowed", list(draft.allowed), tuple),
    )  # fmt: skip
    if texts and not draft.allowed and len(texts) <= _MOST:
        st.button(
            f"Only what is there: {counted(len(texts), 'value')}", key=f"schema-allow-{edit.round}",
            type="tertiary", on_click=edit.change, args=("allowed", tuple(texts)),
        )  # fmt: skip


def _effect(opened: Workspace, edit: SchemaEdit, draft: FieldSpec, fields: Sequence[FieldSpec]) -> None:
    """What the draft makes of the values that are there, before it is applied."""
    if not edit.name:
        return
    bare = replace(draft, default=None, description="", required=False, confirmed=True)
    found = _outcome(opened.location, opened.store.changes, edit.name, bare)
    old = next((spec for spec in fields if spec.name == edit.name), draft)
    reads = (old.type, old.allowed, old.date_order) == (draft.type, draft.allowed, draft.date_order)
    kind = literal(retyping.named(draft.type, draft.date_order))
    if not found.given:
        st.caption(f"No document has a value for it yet. As {kind} it would hold what comes." if not reads else "No document has a value for it yet.")  # fmt: skip
        return
    verb = ("fits", "fit") if reads else ("would fit", "would fit")
    mark = ":material/warning:" if found.misfits else ":material/check:"
    st.markdown(
        f"{mark} As {kind}, **{found.fitting:,} of {counted(found.given, 'value')}** {verb[found.fitting != 1]}."
        + (" The others are kept as given, but cannot be filtered by." if found.misfits else "")
    )
    if found.unordered:
        st.caption(f"{counted(found.unordered, 'date')} can be read once you say whether the day or the month comes first.")  # fmt: skip
    _examples(found, edit)


def _examples(found: Outcome, edit: SchemaEdit) -> None:
    if found.examples:
        rows = [{"value": one.value, "documents": one.documents, "why it does not fit": one.reason} for one in found.examples]  # fmt: skip
        st.dataframe(
            rows, hide_index=True, key=f"schema-misfits-{edit.round}", height=min(38 + 35 * len(rows), 180),
            column_config={
                "value": st.column_config.TextColumn("value", width=200),
                "documents": st.column_config.NumberColumn("documents", width=80, format="localized"),
            },
        )  # fmt: skip


def _press(opened: Workspace, edit: SchemaEdit, draft: FieldSpec, fields: Sequence[FieldSpec], wrong: str) -> None:
    before = next((spec for spec in fields if spec.name == edit.name), None)
    changed = before is None or replace(draft, confirmed=True) != replace(before, confirmed=True)
    label = "Add the field" if before is None else "Apply" if changed or before.confirmed else "Confirm"
    with st.container(horizontal=True):
        st.button(
            label, key="schema-apply", type="primary", icon=":material/check:", on_click=edit.apply, args=(opened,),
            disabled=bool(wrong) or not (changed or (before is not None and not before.confirmed)),
        )  # fmt: skip
        st.button("Cancel", key="schema-cancel", on_click=edit.close, type="tertiary")


def typed(kind: FieldType, order: DateOrder | None = None) -> str:
    """A type in words, as tables and lists show it."""
    words = retyping.named(kind, order).split(" ", 1)[1]
    return words.replace(" (UTC)", "") if order else words


@st.cache_resource(max_entries=8, show_spinner=False)
def _given(location: str, changes: int, field: str) -> Given:  # noqa: ARG001 - part of the key
    cells = workspace.open(Path(location)).cells(field)
    return retyping.given(row[field].raw for row in cells.values() if field in row)


@st.cache_resource(max_entries=32, show_spinner=False)
def _outcome(location: str, changes: int, field: str, spec: FieldSpec) -> Outcome:
    return retyping.outcome(_given(location, changes, field), spec)
