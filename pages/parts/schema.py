"""The fields of a workspace: what they hold, and changing that with its effect seen first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from core import workspace
from core.types import FieldSpec
from core.workspace import Workspace
from pages.parts import errors, field_editor, retyping, session
from pages.parts.computed import computed
from pages.parts.field_editor import typed
from pages.parts.retyping import Held
from pages.parts.schema_edit import SchemaEdit, default_text
from pages.parts.text import counted, literal, shortened

__all__ = ["button", "computed", "open_dialog"]

_DIALOG = "schema"


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
    state = session.current()
    state.show("")
    state.schema = SchemaEdit()
    state.listing.refresh()


@st.dialog("Fields of the metadata", width="large", icon=":material/schema:", on_dismiss=_closed)
def _dialog(opened: Workspace) -> None:
    """All fields; below them the one in hand, and what is so for all of them."""
    edit, fields = session.current().schema, opened.fields()
    held = _held(opened.location, opened.store.changes)
    _head(opened, edit, fields)
    _table(edit, fields, held, len(opened.documents()))
    if edit.draft:
        field_editor.draw(opened, edit, edit.draft, fields)
    else:
        st.caption("Choose a row to change a field. What files gave is kept: changing a type reads it again.")
    _strict(opened)
    found = st.expander(
        "Found out about every node", icon=":material/function:", key="schema-computed", on_change="rerun"
    )
    if found.open:
        with found:
            computed(opened)


def _strict(opened: Workspace) -> None:
    means = "a file with another key is not stored, and the key is named" if opened.strict else "a new key becomes a field, and its type waits to be confirmed"  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center"):
        st.toggle(
            "Strict: only keys that are fields", width="content",
            **session.tied("schema-strict", opened.strict, lambda on: setattr(opened, "strict", on)),
        )  # fmt: skip
        st.caption(f"{'On' if opened.strict else 'Off'}: {means}.", width="content")


def _head(opened: Workspace, edit: SchemaEdit, fields: Sequence[FieldSpec]) -> None:
    """How many fields there are, what can be done about all of them, what was done last, and a way back from it."""
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
        if edit.told:
            st.caption(f":material/check: {literal(shortened(edit.told, 90))}", width="content")
        if edit.told and edit.former:
            st.button(
                "Undo", key="schema-undo", type="tertiary", icon=":material/undo:", on_click=edit.undo, args=(opened,)
            )
    if edit.refused:
        errors.show(edit.refused)


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
        "type": typed(spec.type, spec.date_order),
        "documents": held.given if documents else 0,
        "misfits": held.misfits or None,
        "required": spec.required,
        "default": default_text(spec.default) or None,
        "allowed": list(spec.allowed),
        "description": spec.description or None,
    }


@st.cache_resource(max_entries=3, show_spinner=False)
def _held(location: str, changes: int) -> Mapping[str, Held]:  # noqa: ARG001 - part of the key
    return retyping.held(workspace.open(Path(location)).cells().values())
