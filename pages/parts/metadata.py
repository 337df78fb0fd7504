"""What is known about one document, field by field: to be read, changed and taken back."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

import streamlit as st

from core.filters import TIMES
from core.store.base import Cell
from core.types import DocumentInfo, FieldSpec
from core.workspace import Workspace
from pages.parts import edits, errors, inputs, schema, session
from pages.parts.narrowing import place
from pages.parts.text import counted, literal, shortened

FEW, HEIGHT = 7, 620  # more fields than this are scrolled, in so many pixels


def form(opened: Workspace, info: DocumentInfo) -> None:
    """Every field of the schema in its typed widget; those without a value are folded away unless they are required."""
    fields, cells = opened.fields(), opened.store.cells([info.id]).get(info.id, {})
    fields.sort(key=lambda spec: place(spec.name))
    filled = [spec for spec in fields if spec.required or _told(cells.get(spec.name))]
    empty = [spec for spec in fields if spec not in filled]
    found: dict[str, object] = {}
    with st.form(f"metadata-{info.id}", border=False):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Metadata**", width="content")
            saved = st.form_submit_button("Save", icon=":material/check:", key="metadata-save")
        refused = st.container()
        with st.container(
            height=HEIGHT if len(filled) > FEW else "content", border=False, gap="xsmall", key="metadata-fields"
        ):
            for spec in filled:
                _field(opened, info, spec, cells.get(spec.name, Cell()), found)
        if empty:
            with st.expander(
                f"{counted(len(empty), 'more field')}" if filled else counted(len(empty), "field"), type="compact"
            ):
                for spec in empty:
                    _field(opened, info, spec, Cell(), found)
    st.button(
        "Add a field",
        key="metadata-schema",
        type="tertiary",
        icon=":material/add:",
        on_click=schema.open_dialog,
        args=(opened,),
    )
    if saved and _save(opened, info, found):
        st.rerun()
    elif saved and (error := session.current().listing.refused):
        session.current().listing.refused = None
        with refused:
            errors.show(error)


def _told(cell: Cell | None) -> bool:
    """Whether there is something to see of a field: a value, or what was given and does not fit."""
    return cell is not None and (cell.raw is not None or cell.value is not None)


def _field(
    opened: Workspace, info: DocumentInfo, spec: FieldSpec, cell: Cell, found: dict[str, object]
) -> None:  # fmt: skip
    """One widget, and what to know about the value; what differs from what is stored goes into ``found``."""
    given = cell.value if cell.raw is not None else None  # a default is no value of this document
    marks = [" \\*"] if spec.required else []
    marks += [" :gray-badge[:material/edit: edited here]"] if cell.edited else []
    hint = f"default: {shortened(inputs.said(spec, spec.default), 40)}" if spec.default is not None else ""
    version = blake2b(repr((cell, spec)).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
    now = inputs.draw(
        spec, given, f"metadata-{info.id}-{spec.name}-{version}", f"{literal(shortened(spec.name, 60))}{''.join(marks)}",
        offered=inputs.known(opened, spec), hint=hint, help=literal(spec.description) or None,
    )  # fmt: skip
    if cell.misfit:
        st.caption(f":orange[:material/warning:] given: {literal(shortened(cell.misfit, 200))}")
        if (
            st.checkbox("Take away what was given", key=f"metadata-{info.id}-{spec.name}-{version}-away")
            and now is None
        ):
            found[spec.name] = None
    elif spec.required and cell.value is None:
        st.caption(":orange[:material/warning:] required, and missing")
    elif hint and given is None and spec.type in TIMES:  # other widgets show it themselves
        st.caption(literal(hint))
    if now != inputs.raw(spec, given):
        found[spec.name] = now


def _save(opened: Workspace, info: DocumentInfo, found: Mapping[str, object]) -> bool:
    names = list(found)
    what = f"{names[0]} changed" if len(names) == 1 else f"{len(names)} fields changed"
    return edits.write(opened, {info.id: dict(found)}, what)
