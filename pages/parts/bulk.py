"""The bar above the table: one change to many documents, the way back, and which columns are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import streamlit as st

from core.filters import FieldType
from core.types import DocumentInfo, FieldSpec
from core.workspace import Workspace
from pages.parts import attention, columns, edits, errors, inputs, session
from pages.parts.narrowing import place
from pages.parts.text import counted, shortened

SET, CLEAR, ADD, REMOVE = "Set", "Clear", "Add", "Remove"
MOST_DELETED, MOST_READ = 200, 200_000  # documents at once: the list is read again after each


def bar(opened: Workspace, infos: Sequence[DocumentInfo], ticked: Sequence[str], shown: Sequence[str]) -> None:
    """Draw the bar; it keeps its height, so that the table stays where it is."""
    listing = session.current().listing
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", height=42, border=False, key="documents-bar"
    ):
        label = (
            f"Edit {counted(len(ticked), 'document')}"
            if ticked
            else f"Edit all {len(infos):,} shown"
            if len(infos) != 1
            else "Edit the one shown"
        )
        opens = session.tied("bulk", listing.editing, lambda on: setattr(listing, "editing", on))
        with st.popover(label, icon=":material/edit:", disabled=not infos, **opens):
            _panel(opened, infos, ticked)
        _columns(opened, shown)
        edits.line(opened)
    if listing.refused:
        errors.show(listing.refused)


def _panel(opened: Workspace, infos: Sequence[DocumentInfo], ticked: Sequence[str]) -> None:
    """Which documents, which field, what to do, and with what."""
    chosen = [info for info in infos if info.id in set(ticked)]
    if chosen:
        every = st.segmented_control(
            "Documents", [False, True], default=False, key="bulk-all", label_visibility="collapsed",
            format_func=lambda all_of_them: f"all {len(infos):,} shown" if all_of_them else f"the {len(chosen):,} ticked",
        )  # fmt: skip
        chosen = list(infos) if every else chosen
    else:
        chosen = list(infos)
        st.caption("Every document that is shown. Tick rows to change only those.")
    fields = {spec.name: spec for spec in sorted(opened.fields(), key=lambda spec: place(spec.name))}
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    name = left.selectbox("Field", list(fields), key="bulk-field")
    if name is None:
        return
    spec = fields[name]
    with right:
        does = _operation(spec)
    value = None if does == CLEAR else _value(opened, spec, does)
    unfit = {doc_id for doc_id, row in attention.misfits(opened).items() if spec.name in row}
    changes = changed(spec, does, value, chosen, unfit)
    nothing = "Choose a value" if value is None and does != CLEAR else "Nothing would change"
    st.button(
        f"Apply to {counted(len(changes), 'document')}" if changes else nothing, key="bulk-apply",
        type="primary", disabled=not changes, on_click=_apply, args=(opened, changes, spec.name), width="stretch",
    )  # fmt: skip
    if ticked:
        _delete(opened, ticked)


def _operation(spec: FieldSpec) -> str:
    choices = [ADD, REMOVE, SET, CLEAR] if spec.type is FieldType.STRINGS else [SET, CLEAR]
    found = st.segmented_control(
        "Do", choices, default=choices[0], key=f"bulk-do-{len(choices)}", label_visibility="collapsed", required=True
    )
    return found or choices[0]


def _value(opened: Workspace, spec: FieldSpec, does: str) -> object:
    label = {ADD: "Words to add", REMOVE: "Words to take away"}.get(does, "Value")
    return inputs.draw(
        spec, None, f"bulk-value-{spec.type}-{spec.name}-{does}", label, offered=inputs.known(opened, spec)
    )


def changed(
    spec: FieldSpec, does: str, value: object, infos: Sequence[DocumentInfo], unfit: Set[str] = frozenset()
) -> dict[str, dict[str, object]]:  # fmt: skip
    """The raw values that a change would write, by document; documents where it changes nothing are left out.

    ``unfit`` are those that were given a value that does not fit: there is something to clear.
    """
    if value is None and does != CLEAR:
        return {}
    now = {info.id: inputs.raw(spec, info.metadata.get(spec.name)) for info in infos}
    after = {doc_id: _after(held, does, value) for doc_id, held in now.items()}
    if does == CLEAR:  # a default comes back at once
        left = inputs.raw(spec, spec.default)
        return {doc_id: {spec.name: None} for doc_id, held in now.items() if held != left or doc_id in unfit}
    return {doc_id: {spec.name: raw} for doc_id, raw in after.items() if raw != now[doc_id]}


def _after(held: object, does: str, value: object) -> object:
    if does not in (ADD, REMOVE):
        return value
    words, given = (held if isinstance(held, list) else []), (value if isinstance(value, list) else [])
    if does == REMOVE:
        return [word for word in words if word not in given] or None
    return [*words, *(word for word in given if word not in words)]


def _apply(opened: Workspace, changes: Mapping[str, Mapping[str, object]], name: str) -> None:
    session.current().listing.editing = False
    edits.write(opened, changes, f"{name} changed")


def _delete(opened: Workspace, ticked: Sequence[str]) -> None:
    most = min(MOST_DELETED, max(1, MOST_READ // len(opened.documents())))
    st.button(
        f"Delete {counted(len(ticked), 'document')}", key="bulk-delete", type="tertiary", icon=":material/delete:",
        disabled=len(ticked) > most, on_click=_remove, args=(opened, list(ticked)),
        help=f"At most {most} at once, in a workspace of this size" if len(ticked) > most else "Can be undone",
    )  # fmt: skip


def _remove(opened: Workspace, ticked: Sequence[str]) -> None:
    session.current().listing.editing = False
    edits.remove(opened, ticked)


def _columns(opened: Workspace, shown: Sequence[str]) -> None:
    listing = session.current().listing
    with st.popover("Columns", icon=":material/view_column:", type="tertiary"):
        st.multiselect(
            "Columns, in this order", list(columns.every(opened.fields())),
            format_func=lambda name: shortened(name, 40),
            **session.tied("columns", list(shown), lambda names: setattr(listing, "columns", list(names))),
        )  # fmt: skip
        st.button(
            "The usual ones", key="columns-usual", type="tertiary", on_click=setattr, args=(listing, "columns", None)
        )
