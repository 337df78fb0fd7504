"""The same filter as text and as JSON, to be typed, and as the SQL that it becomes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import streamlit as st

from core.errors import AppError
from core.filters import EVERYTHING, Filter, check, conjunction, from_text, read, to_json, to_text
from core.types import Index
from core.workspace import Workspace
from pages.parts import counting, errors, session, statement

_PLACE = re.compile(r"(?:line (\d+), )?column (\d+)")
_AROUND = 60
_LONGEST = 100_000


def views(opened: Workspace, index: Index) -> None:
    """A box with the three forms; what is typed is checked at once and used with a click."""
    box = st.popover(
        "Text · JSON · SQL", icon=":material/data_object:", type="tertiary", key="filter-forms", on_change="rerun"
    )
    with box, st.container(key="wide-forms"):
        as_text, as_json, as_sql = st.tabs(["Text", "JSON", "SQL"])
        in_use = session.current().filter
        with as_text:
            said = "" if in_use == EVERYTHING else to_text(in_use)
            st.caption(
                'Conditions joined by and, or, not and brackets: `year >= 2023 and tags contains_any ("v2", "api")`'
            )
            _form(opened, index, "filter-text", "Filter as text", said, read, "category = legal and year >= 2023")
        with as_json:
            shown = "" if in_use == EVERYTHING else json.dumps(to_json(in_use), ensure_ascii=False, indent=1)
            _form(opened, index, "filter-json", "Filter as JSON", shown, _from_json, '{"category": "legal"}')
        with as_sql:
            if box.open:
                _sql(opened, index)
            else:
                st.caption("The statement that runs, with its values.")


def _from_json(text: str) -> Filter:
    return from_text(text) if text.strip() else EVERYTHING


def _form(
    opened: Workspace, index: Index, key: str, label: str, shown: str, reader: Callable[[str], Filter], example: str
) -> None:
    """A form of the filter to be typed. What is wrong stays as it was typed, with the place of the fault."""
    state = session.current()
    kept = state.filtering.typed

    def take(text: str) -> None:
        kept[key] = text

    text = st.text_area(
        label, height=170, placeholder=example, label_visibility="collapsed", max_chars=_LONGEST,
        **session.tied(key, kept.get(key, shown), take),
    )  # fmt: skip
    pressed = st.button("Apply", key=f"{key}-apply", type="primary")
    if text == shown and not pressed:
        return
    try:
        typed = conjunction(check(reader(text), opened.store.schema()))
        if pressed:
            state.filter = typed
            state.filtering.drafts.clear()
            kept.clear()
            st.rerun()
        st.markdown(f"{counting.said(opened, index, typed, state.where)} · not applied yet")
    except AppError as error:
        errors.show(error)
        if place := _place(text, str(error)):
            st.code(place, language=None)


def _place(text: str, message: str) -> str:
    """The line with the fault, and a mark under it; nothing where the message names no place."""
    found = _PLACE.search(message)
    if not found:
        return ""
    lines = text.split("\n")
    number, column = int(found[1] or 1) - 1, int(found[2]) - 1
    if number >= len(lines):
        return ""
    start = max(0, column - _AROUND)
    line = lines[number][start : column + _AROUND].replace("\t", " ")
    return f"{line}\n{' ' * (column - start)}▲"


def _sql(opened: Workspace, index: Index) -> None:
    """The statement of the question in hand, which is run to be shown."""
    state = session.current()
    if not state.question.strip():
        st.caption("Ask a question: the statement that ran for it is shown here, with its values.")
        return
    with errors.shown():
        result = opened.search(state.question, state.search_settings, state.filter, index.id)
        st.code(result.sql, language="sql", wrap_lines=True)
        values = [f"{number}: {statement.value(one)}" for number, one in enumerate(result.params, 1)]
        st.code("\n".join(values), language=None, wrap_lines=True)
        st.caption("This ran just now, with these values in the places of the question marks.")
