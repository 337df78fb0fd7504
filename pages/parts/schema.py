"""The fields of a workspace: what they hold, and changing that with its effect seen first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from core import workspace
from core.filters import TIMES, FieldType
from core.types import DateOrder, FieldSpec
from core.workspace import Workspace
from pages.parts import errors, retyping, session
from pages.parts.computed import computed
from pages.parts.retyping import Given, Held, Outcome
from pages.parts.schema_edit import WITH_ALLOWED, SchemaEdit, alike, default_text, fault
from pages.parts.text import counted, literal

__all__ = ["button", "computed", "open_dialog"]

_DIALOG = "schema"
_MOST = 200  # values that are offered to choose from


def button(opened: Workspace) -> None:
    """A button that opens the fields in a dialog; to be drawn once on a page."""
    waiting = sum(not spec.confirmed for spec in opened.fields())
    label = f"Fields · {waiting} to confirm" if waiting else "Fields"
    st.button(label, key="open-schema", icon=":material/schema:", on_click=open_dialog, args=(opened,))
    if session.current().dialog == _DIALOG:
        _dialog(opened)


def open_dialog(opened: Workspace) -> None:  # noqa: ARG001 - as other parts of a page are called
    """Show the dialog from the next run on, wherever ``button`` stands; for ``on_click``, or before ``st.rerun``."""
    session.current().show(_DIALOG)


def _closed() -> None:
    session.current().show("")
    session.current().schema = SchemaEdit()


@st.dialog("Fields of the metadata", width="large", icon=":material/schema:", on_dismiss=_closed)
def _dialog(opened: Workspace) -> None:
    """All fields; below them the one in hand, and what is so for all of them."""
    edit, fields = session.current().schema, opened.fields()
    held = _held(opened.location, opened.store.changes)
    _told(opened, edit)
    _head(opened, edit, fields)
    _table(edit, fields, held, len(opened.documents()))
    if edit.draft:
        _editor(opened, edit, edit.draft, fields)
    else:
        st.caption("Choose a row to change a field. What files gave is kept: changing a type reads it again.")
    st.toggle(
        "Strict: refuse files with unknown keys",
        help="On: a file with a key that is no field is not stored, and the key is named. "
        "Off: an unknown key becomes a field, with a type proposed from its values that waits to be confirmed.",
        **session.tied("schema-strict", opened.strict, lambda on: setattr(opened, "strict", on)),
    )
    found = st.expander(
        "Found out about every node", icon=":material/function:", key="schema-computed", on_change="rerun"
    )
    if found.open:
        with found:
            computed(opened)


def _told(opened: Workspace, edit: SchemaEdit) -> None:
    """What was done last, and a way back."""
    if edit.refused:
        errors.show(edit.refused)
    if not edit.told:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f":material/check: {literal(edit.told)}", width="content")
        if edit.former:
            st.button("Undo", key="schema-undo", type="tertiary", icon=":material/undo:", on_click=edit.undo, args=(opened,))  # fmt: skip


def _head(opened: Workspace, edit: SchemaEdit, fields: Sequence[FieldSpec]) -> None:
    proposed = [spec for spec in fields if not spec.confirmed]
    with st.container(horizontal=True, vertical_alignment="center"):
        waiting = f" · {counted(len(proposed), 'type')} proposed from the data" if proposed else ""
        st.caption(f"{counted(len(fields), 'field')}{waiting}", width="content")
        if proposed:
            st.button(
                f"Confirm {'it' if len(proposed) == 1 else f'all {len(proposed):,}'}", key="schema-confirm-all",
                icon=":material/done_all:", on_click=edit.confirm, args=(opened, proposed),
            )  # fmt: skip
        st.button("Add a field", key="schema-add", icon=":material/add:", on_click=edit.begin_new)


def _table(edit: SchemaEdit, fields: Sequence[FieldSpec], held: Mapping[str, Held], documents: int) -> None:
    """One row for each field, those that wait to be confirmed first; the row that is chosen is taken in hand."""
    ordered = sorted(fields, key=lambda spec: (spec.confirmed, not held.get(spec.name)))
    chosen = st.dataframe(
        [_row(spec, held.get(spec.name, Held()), documents) for spec in ordered],
        key=f"schema-fields-{edit.round}", on_select="rerun", selection_mode="single-row", hide_index=True,
        height=min(38 + 35 * len(fields), 300), placeholder="–",
        column_config={
            "field": st.column_config.TextColumn("field", width=150),
            "state": st.column_config.TextColumn("state", width=80),
            "type": st.column_config.TextColumn("type", width=130),
            "documents": st.column_config.ProgressColumn("documents", width=110, min_value=0, max_value=max(1, documents), format="localized", help="How many documents were given a value"),
            "misfits": st.column_config.NumberColumn("misfits", width=70, format="localized", help="How many of these values do not fit the type"),
            "required": st.column_config.CheckboxColumn("required", width=75),
            "default": st.column_config.TextColumn("default", width=90),
            "allowed": st.column_config.ListColumn("allowed values", width=150),
            "description": st.column_config.TextColumn("description", width=245),
        },
    )  # fmt: skip
    picked = [ordered[row] for row in chosen.selection.rows if row < len(ordered)]
    if picked and picked[0].name != edit.name:
        edit.begin(picked[0])
    elif not picked and edit.name:
        edit.close()


def _row(spec: FieldSpec, held: Held, documents: int) -> dict[str, object]:
    return {
        "field": spec.name,
        "state": "" if spec.confirmed else "proposed",
        "type": _typed(spec.type, spec.date_order),
        "documents": held.given if documents else 0,
        "misfits": held.misfits or None,
        "required": spec.required,
        "default": default_text(spec.default) or None,
        "allowed": list(spec.allowed),
        "description": spec.description or None,
    }


def _typed(kind: FieldType, order: DateOrder | None = None) -> str:
    words = retyping.named(kind, order).split(" ", 1)[1]
    return words.replace(" (UTC)", "") if order else words


# the field in hand


def _editor(opened: Workspace, edit: SchemaEdit, draft: FieldSpec, fields: Sequence[FieldSpec]) -> None:
    """Everything about one field, what its values make of it, and the button that makes it so."""
    known = [spec.name for spec in fields]
    values = _given(opened.location, opened.store.changes, edit.name) if edit.name else []
    with st.container(border=True):
        first = st.columns([3, 2, 2, 2], vertical_alignment="bottom")
        with first[0]:
            _name(edit, draft, known)
        with first[1]:
            _choose(edit, "Type", "type", draft.type, list(FieldType), _typed)
        with first[2]:
            st.toggle("Required", **_of(edit, "required", draft.required))
        with first[3]:
            if draft.type in TIMES:
                _choose(edit, "Order of 10/03/2024", "date_order", draft.date_order, [None, *DateOrder], _order)
        second = st.columns([3, 4, 4])
        with second[0]:
            _default(edit, draft)
        with second[1]:
            _allowed(edit, draft, values)
        with second[2]:
            st.text_input("Description", **_of(edit, "description", draft.description))
        _effect(opened, edit, draft, fields)
        wrong = fault(draft, edit.name, known)
        if wrong:
            st.caption(f":material/warning: {literal(wrong)}")
        _press(opened, edit, draft, fields, wrong)


def _of(edit: SchemaEdit, name: str, value: object, held: Any = None) -> dict[str, Any]:
    """Ties a widget to one thing about the draft; ``held`` makes its value from the widget's."""
    key = f"schema-{name}-{edit.round}-{edit.name}"
    return session.tied(key, value, lambda seen: edit.change(name, held(seen) if held else seen))


def _choose(edit: SchemaEdit, label: str, name: str, value: object, options: list[Any], said: Any) -> None:
    st.selectbox(label, options, format_func=said, **_of(edit, name, value))


def _order(order: DateOrder | None) -> str:
    return "not chosen" if order is None else retyping.in_words(order)


def _name(edit: SchemaEdit, draft: FieldSpec, known: Sequence[str]) -> None:
    st.text_input("Name", disabled=bool(edit.name), **_of(edit, "name", draft.name))
    if not edit.name and draft.name.strip() not in known and (near := alike(draft.name, known)):
        st.caption(f"There is {literal(' and '.join(near))} already.")


def _default(edit: SchemaEdit, draft: FieldSpec) -> None:
    """The value of documents without one, in the widget that its type asks for."""
    label, value = "Default", draft.default
    if draft.type is FieldType.BOOLEAN:
        _choose(
            edit, label, "default", value, [None, True, False], lambda one: "none" if one is None else str(one).lower()
        )
    elif draft.type is FieldType.ENUM:
        options = [None, *draft.allowed, *([value] if value is not None and value not in draft.allowed else [])]
        _choose(edit, label, "default", value, options, lambda one: "none" if one is None else one)
    elif draft.type is FieldType.STRINGS:
        chosen = list(value) if isinstance(value, tuple) else []
        st.multiselect(
            label, [*dict.fromkeys([*draft.allowed, *chosen])], accept_new_options=True, placeholder="none",
            **_of(edit, "default", chosen, lambda seen: tuple(seen) or None),
        )  # fmt: skip
    else:
        st.text_input(
            label, placeholder="none", **_of(edit, "default", default_text(value), lambda seen: seen.strip() or None)
        )


def _allowed(edit: SchemaEdit, draft: FieldSpec, values: Given) -> None:
    if draft.type not in WITH_ALLOWED:
        return
    texts = [item for raw, _ in values for item in (raw if isinstance(raw, list) else [raw]) if isinstance(item, str)]
    options = list(dict.fromkeys([*draft.allowed, *texts[:_MOST]]))
    st.multiselect(
        "Allowed values", options, accept_new_options=True,
        placeholder="name at least one" if draft.type is FieldType.ENUM else "any",
        **_of(edit, "allowed", list(draft.allowed), tuple),
    )  # fmt: skip
    if texts and not draft.allowed and len(set(texts)) <= _MOST:
        st.button(
            f"Only what is there: {counted(len(set(texts)), 'value')}", key=f"schema-allow-{edit.round}",
            type="tertiary", on_click=edit.change, args=("allowed", tuple(dict.fromkeys(texts))),
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


# what is worked out once for each state of the workspace


@st.cache_resource(max_entries=3, show_spinner=False)
def _held(location: str, changes: int) -> Mapping[str, Held]:  # noqa: ARG001 - part of the key
    return retyping.held(workspace.open(Path(location)).cells().values())


@st.cache_resource(max_entries=8, show_spinner=False)
def _given(location: str, changes: int, field: str) -> Given:  # noqa: ARG001 - part of the key
    cells = workspace.open(Path(location)).cells(field)
    return retyping.given(row[field].raw for row in cells.values() if field in row)


@st.cache_resource(max_entries=32, show_spinner=False)
def _outcome(location: str, changes: int, field: str, spec: FieldSpec) -> Outcome:
    return retyping.outcome(_given(location, changes, field), spec)
