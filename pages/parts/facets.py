"""What documents there are, by field and value with counts; the values that are chosen narrow the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import streamlit as st

from core import workspace
from core.filters import EVERYTHING, TIMES, Field, FieldType, Filter, Scalar, conjunction
from core.read import formats
from core.types import Index
from core.workspace import Workspace
from pages.parts import attention, session
from pages.parts.narrowing import ATTENTION, Facet, is_usual, missing, narrowed, place
from pages.parts.text import literal, shortened

OPEN = 6  # facets that are unfolded
SHOWN = 5  # values of a facet, besides those that are chosen
MANY = 200  # values that are counted
FEW = 12  # numbers, or values that stand once, that still make a facet
_ALL = 10**9
_NAMED = (FieldType.STRING, FieldType.STRINGS)


@dataclass(frozen=True, slots=True)
class Counts:
    """Documents by value, the commonest first (years: the latest), and how many have none."""

    values: tuple[tuple[Scalar, int], ...]
    missing: int


def offered(opened: Workspace, index: Index | None) -> list[Facet]:
    """The facets that tell documents apart, the usual ones first."""
    return _offered(opened.location, opened.store.changes, *((index.id, index.version) if index else ("", 0)))


@st.cache_resource(max_entries=4, show_spinner=False)
def _offered(location: str, changes: int, index_id: str, version: int) -> list[Facet]:  # noqa: ARG001 - part of the key
    opened = workspace.open(Path(location))
    documents = opened.documents()
    index = next((index for index in opened.indexes() if index.id == index_id), None)
    kinds: dict[str, set[str]] = {}
    for info in documents:
        kinds.setdefault(formats.titled(info.media_type), set()).add(info.id)
    fields = [Facet(spec.name, Field(spec.name, spec.type)) for spec in opened.fields()]
    useful = [facet for facet in fields if facet.field and _useful(opened, facet.field, len(documents))]
    useful.sort(key=lambda facet: place(facet.title))
    if len(kinds) > 1:
        usual = sum(is_usual(facet.title) for facet in useful)
        useful.insert(usual, Facet("format", None, {name: frozenset(ids) for name, ids in kinds.items()}))
    found = attention.of(opened, index).groups
    return [Facet(ATTENTION, None, found), *useful] if found else useful


def _useful(opened: Workspace, field: Field, documents: int) -> bool:
    """Whether a field's values tell documents apart without naming each of them."""
    found = opened.store.values(field.name, _ALL if field.type in TIMES else MANY)
    if field.type in TIMES:
        found = _by_year(found)
    if not found or (len(found) == 1 and found[0][1] == documents):
        return False
    if field.type in (FieldType.INTEGER, FieldType.NUMBER):
        return len(found) <= FEW
    return field.type not in _NAMED or found[0][1] > 1 or len(found) <= FEW


def counts(opened: Workspace, facet: Facet, others: Filter) -> Counts:
    """How many of the documents that pass ``others`` have each value of a facet."""
    if facet.field:
        return _counts(opened.location, opened.store.changes, facet.field.name, repr(others), facet.field, others)
    ids = _ids(opened, others)
    ordered = sorted(facet.groups.items(), key=lambda group: -len(group[1]))
    return Counts(tuple((name, len(held if ids is None else held & ids)) for name, held in ordered), 0)


@st.cache_resource(max_entries=256, show_spinner=False)
def _counts(location: str, changes: int, name: str, key: str, _field: Field, _others: Filter) -> Counts:  # noqa: ARG001 - part of the key
    opened = workspace.open(Path(location))
    found = opened.store.values(name, _ALL if _field.type in TIMES else MANY, _others)
    if _field.type in TIMES:
        found = _by_year(found)
    lacking = _ids(opened, conjunction(_others, missing(_field))) or frozenset()
    return Counts(tuple(found), len(lacking))


def _by_year(found: Sequence[tuple[Scalar, int]]) -> list[tuple[Scalar, int]]:
    """How many documents by year, the latest first, from how many by moment."""
    years: dict[int, int] = {}
    for moment, count in found:
        if isinstance(moment, datetime):
            years[moment.year] = years.get(moment.year, 0) + count
    return [(year, years[year]) for year in sorted(years, reverse=True)]


def _ids(opened: Workspace, where: Filter) -> frozenset[str] | None:
    """The documents that pass a filter; None stands for all of them."""
    if where == EVERYTHING:
        return None
    return frozenset(str(doc_id) for doc_id, _ in opened.store.values("doc_id", _ALL, where))


def where(facets: list[Facet]) -> Filter:
    """The filter that the choices make; what is chosen in a facet that is gone is forgotten."""
    choices = session.current().listing.choices
    for gone in choices.keys() - {facet.id for facet in facets}:
        del choices[gone]
    return narrowed(facets, choices)


def draw(opened: Workspace, facets: list[Facet], shown: int, total: int) -> None:
    """The facets below each other, the first ones unfolded; choices take effect at once."""
    choices = session.current().listing.choices
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", height=38, border=False, key="facets-head"
    ):
        st.caption(f"**{shown:,}** of {total:,}" if choices else "Narrow the list", width="content")
        if choices:
            st.button(
                "Clear",
                key="facets-clear",
                type="tertiary",
                icon=":material/close:",
                on_click=session.current().listing.clear,
            )
    for number, facet in enumerate(facets):
        chosen = len(choices.get(facet.id, ()))
        label = f"**{literal(shortened(facet.title, 22))}**" + (f" · {chosen}" if chosen else "")
        box = st.expander(label, expanded=number < OPEN, key=f"facet-{facet.id}", type="compact", on_change="rerun")
        if box.open:
            with box, st.container(gap=None):
                _values(facet, counts(opened, facet, narrowed(facets, choices, facet)))


def _values(facet: Facet, found: Counts) -> None:
    """The commonest values and those that are chosen, each to be ticked; the others in a list."""
    chosen = session.current().listing.choices.get(facet.id, ())
    held = dict(found.values)
    first = [value for value, _ in found.values[: SHOWN if len(found.values) > SHOWN + 2 else None]]
    for value in [*first, *(value for value in chosen if value is not None and value not in first)]:
        _tick(facet, value, held.get(value, 0))
    rest = [value for value in held if value not in first and value not in chosen]
    if rest:
        many = "+" if len(found.values) >= MANY else ""
        st.selectbox(
            "More", rest, format_func=lambda value: f"{_said(value)} · {held[value]:,}", label_visibility="collapsed",
            placeholder=f"{len(rest):,}{many} more", **session.tied(f"more-{facet.id}", None, lambda value: _choose(facet, value)),
        )  # fmt: skip
    if found.missing or None in chosen:
        _tick(facet, None, found.missing)


def _choose(facet: Facet, value: Scalar | None) -> None:
    if value is not None:
        session.current().listing.choose(facet, value, on=True)


def _tick(facet: Facet, value: Scalar | None, count: int) -> None:
    listing = session.current().listing
    name = "(missing)" if value is None else shortened(_said(value), 26)
    st.checkbox(
        f"{literal(name)} · {count:,}",
        **session.tied(
            f"facet-{facet.id}-{value!r}", value in listing.choices.get(facet.id, ()),
            lambda on: listing.choose(facet, value, on=on),
        ),
    )  # fmt: skip


def _said(value: Scalar) -> str:
    """A value as it is to be read; blank ones in quotes, or they could not be seen."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if str(value).strip() == str(value) != "" else f"“{value}”"
