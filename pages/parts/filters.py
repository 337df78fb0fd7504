"""The filter as chips: each opens to be changed, groups stand in a frame, a click on ✕ takes one away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import streamlit as st

from core.errors import AppError
from core.filters import EVERYTHING, Any, Condition, Filter, Not, check, describe
from core.types import Index
from core.workspace import Workspace
from pages.parts import filter_builder, filter_saved, filter_text, filter_tree, filter_words, resources, session
from pages.parts.filter_tree import Group, Place
from pages.parts.text import literal, shortened

STYLE = Path(__file__).parent.parent.parent / "assets" / "filters" / "filters.css"
_LONGEST = 70
_ROOT: Place = ()
parts, words = filter_tree.parts, filter_words.words


def editor(opened: Workspace) -> None:
    """Draw the chips of the session's filter and what changes it; a change takes effect at once."""
    state = session.current()
    _drop_unknown(opened)
    state.filtering.follow(state.filter)
    index = resources.current_index()
    if index is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="filter-row"):
        for position, part in enumerate(parts(state.filter)):
            _part(opened, index, (position,), part)
        _add(opened, index, _ROOT, "Add a condition" if parts(state.filter) else "Add a filter")
        _any_of(opened, index)
        filter_text.views(opened, index)
        filter_saved.menu(opened, index)
        if state.filtering.before:
            st.button("Undo", key="filter-undo", icon=":material/undo:", type="tertiary", on_click=_undo,
                      help="The filter as it was before the last change")  # fmt: skip


def _drop_unknown(opened: Workspace) -> None:
    """A filter on a field that is gone (another workspace, a reset) is dropped with a note; so are such boosts."""
    state, schema = session.current(), opened.store.schema()
    try:
        state.filter = check(state.filter, schema)
    except AppError as error:
        state.filter = EVERYTHING
        st.warning(f"The filter was dropped. {literal(str(error))}", icon=":material/filter_alt_off:")
    try:
        state.boosts = tuple(replace(boost, filter=check(boost.filter, schema)) for boost in state.boosts)
    except AppError as error:
        state.boosts = ()
        st.warning(f"The boosts were dropped. {literal(str(error))}", icon=":material/trending_flat:")


# ── chips ────────────────────────────────────────────────────────────────────────────────────────


def _name(path: Place) -> str:
    return "-".join(map(str, path)) or "all"


def _part(opened: Workspace, index: Index, path: Place, part: Filter) -> None:
    found = filter_tree.group(part)
    if found:
        _group(opened, index, path, *found)
    else:
        _chip(opened, index, path, part)


def _chip(opened: Workspace, index: Index, path: Place, part: Filter) -> None:
    name = _name(path)
    key = f"chip-{name}"
    with st.container(horizontal=True, vertical_alignment="center", gap=None, width="content", key=f"box-{name}"):
        label = literal(shortened(words(part, opened), _LONGEST))
        box = st.popover(label, key=key, on_change="rerun", help="Change this condition")
        _remove_button(path)
    if box.open:
        with box, st.container(key=f"wide-{name}"):
            _editor(opened, index, path, part)


def _editor(opened: Workspace, index: Index, path: Place, part: Filter) -> None:
    state, key = session.current(), f"edit-{_name(path)}"
    negated = isinstance(part, Not)
    inner = part.part if isinstance(part, Not) else part

    def placed(condition: Filter) -> Filter:
        new = Not(condition) if negated else condition
        return filter_tree.replaced(state.filter, path, new)

    _actions(path)
    if isinstance(inner, Condition):
        if negated:
            st.caption("Negated: what does **not** fit this matches.")
        others = filter_tree.others(state.filter, path)
        filter_builder.draw(opened, index, key, others, placed, lambda c: _use(placed(c), f"chip-{_name(path)}"), inner)


def _group(opened: Workspace, index: Index, path: Place, kind: Group, inside: tuple[Filter, ...]) -> None:
    name = _name(path)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", width="content", key=f"group-{name}", border=True
    ):
        # What changes the group stands before its parts: it stays where it is as they grow, and never alone on a line.
        with st.container(
            horizontal=True, vertical_alignment="center", gap=None, width="content", wrap=False, key=f"head-{name}"
        ):
            box = st.popover(
                f"**{kind.value}**", key=f"kind-{name}", type="tertiary", on_change="rerun", help="Change this group"
            )
            _add(opened, index, path, "Add")
            _remove_button(path)
        for position, part in enumerate(inside):
            _part(opened, index, (*path, position), part)
    if box.open:
        with box:
            _group_editor(path, kind)


def _group_editor(path: Place, kind: Group) -> None:
    state = session.current()
    st.radio(
        "What must hold in this group", list(Group), format_func=lambda k: k.value, horizontal=True,
        **session.tied(f"as-{_name(path)}", kind, lambda k: _use(filter_tree.of_kind(state.filter, path, k))),
    )  # fmt: skip
    _actions(path)


def _actions(path: Place) -> None:
    """What can be done with a part but to change what it says."""
    state, name = session.current(), _name(path)
    inside_all = _kind_above(path) is Group.ALL
    close = f"chip-{name}"
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"actions-{name}"):
        st.button(
            "Negate", key=f"negate-{name}", icon=":material/swap_horiz:", type="tertiary",
            help="What matches now will not, and the other way round",
            on_click=lambda: _use(filter_tree.negated(state.filter, path), close),
        )  # fmt: skip
        for kind in Group:
            if kind is Group.ALL and inside_all:
                continue
            st.button(
                f"Into “{kind.value}”", key=f"wrap-{kind.name.lower()}-{name}", icon=":material/select_all:", type="tertiary",
                help="Put this into a group of its own, to add others to",
                on_click=lambda kind=kind: _use(filter_tree.wrapped(state.filter, path, kind), close),
            )  # fmt: skip
        _move(path, close)


def _move(path: Place, close: str) -> None:
    state = session.current()
    groups = {place: f"{kind.value}: {describe(part)}" for place, kind, part in filter_tree.groups(state.filter)}
    places: dict[Place, str] = {_ROOT: "the whole filter", **groups}
    targets = {p: said for p, said in places.items() if p != path[:-1] and p[: len(path)] != path}
    if targets:
        st.selectbox(
            "Move to", list(targets), index=None, placeholder="Move to …", label_visibility="collapsed", width=210,
            format_func=lambda place: shortened(targets[place], 60),
            **session.tied(f"move-{_name(path)}", None,
                           lambda to: None if to is None else _use(filter_tree.moved(state.filter, path, to), close)),
        )  # fmt: skip


def _kind_above(path: Place) -> Group:
    found = filter_tree.group(filter_tree.at(session.current().filter, path[:-1])) if len(path) > 1 else None
    return found[0] if found else Group.ALL


def _remove_button(path: Place) -> None:
    st.button(
        "Remove", key=f"remove-{_name(path)}", icon=":material/close:", type="tertiary",
        on_click=lambda: _use(filter_tree.removed(session.current().filter, path)),
    )  # fmt: skip


def _add(opened: Workspace, index: Index, path: Place, label: str) -> None:
    """The editor of one condition more, in the group at ``path``."""
    state, name = session.current(), _name(path)
    key = f"more-{name}"
    box = st.popover(label, icon=":material/filter_alt:" if path == _ROOT else ":material/add:", key=key, type="secondary" if path == _ROOT else "tertiary",
                     on_change="rerun")  # fmt: skip
    if box.open:
        inside = filter_tree.group(filter_tree.at(state.filter, path)) if path else None
        end = (*path, len(inside[1] if inside else parts(state.filter)))
        with box, st.container(key=f"wide-{key}"):
            filter_builder.draw(
                opened, index, f"add-{name}", filter_tree.others(state.filter, end),
                lambda c: filter_tree.added(state.filter, path, c),
                lambda c: _use(filter_tree.added(state.filter, path, c), key),
            )  # fmt: skip


def _any_of(opened: Workspace, index: Index) -> None:
    """The editor of the first condition of a new group of any; then the box for the next one is open."""
    state, key = session.current(), "more-any"
    box = st.popover("Any of …", icon=":material/alt_route:", key=key, type="tertiary", on_change="rerun",
                     help="Conditions of which one is enough (or)")  # fmt: skip
    if not box.open:
        return
    place = len(parts(state.filter))

    def grown(condition: Filter) -> Filter:
        return filter_tree.added(state.filter, _ROOT, Any((condition,)))

    def use(condition: Condition) -> None:
        _use(grown(condition), key)
        session.put(f"more-{place}", True)

    with box, st.container(key=f"wide-{key}"):
        filter_builder.draw(opened, index, "add-any", filter_tree.others(state.filter, (place,)), grown, use)


def _use(filter: Filter, close: str = "") -> None:
    """Take another filter, and close the box it was made in."""
    session.current().filter = filter
    session.current().filtering.drafts.clear()
    if close:
        session.put(close, False)


def _undo() -> None:
    state = session.current()
    state.filter = state.filtering.undone()
    state.filtering.drafts.clear()
