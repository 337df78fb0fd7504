"""Boosts: what passes one stands higher or lower, nothing is left out."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.boosts import MOST_BOOSTS, Boost
from core.errors import AppError
from core.filters import Condition, Op, Scalar, check, read, to_text
from core.types import Index
from core.workspace import Workspace
from pages.parts import counting, errors, session
from pages.parts.text import literal, shortened

_EXAMPLES: tuple[tuple[str, Scalar, float], ...] = (
    ("is_summary", True, 1.2), ("content_type", "code", 0.9), ("is_complete", False, 0.95),
)  # fmt: skip


def menu(opened: Workspace, index: Index) -> None:
    """The boosts in use, each to be changed; a change takes effect at once."""
    boosts = session.current().boosts
    box = st.popover("Boosts", icon=":material/trending_up:", type="tertiary", key="boosts", on_change="rerun")
    if box.open:
        with box, st.container(key="wide-boosts"), errors.shown():
            st.caption("The score of what fits is multiplied; nothing is left out.")
            for number, boost in enumerate(boosts):
                _row(opened, index, number, boost)
            if len(boosts) < MOST_BOOSTS:
                _new(opened)
                _examples(opened)


def said() -> None:
    """How many are in use, where there are any, to be dropped with a click."""
    boosts = session.current().boosts
    if boosts:
        words = "; ".join(f"{boost.words} × {boost.factor:g}" for boost in boosts)
        st.button(
            literal(shortened(f"Boosts: {words}", 60)), key="chip-boosts", icon=":material/close:",
            help=literal(shortened(f"Drop: {words}", 400)), on_click=_drop,
        )  # fmt: skip


def _drop() -> None:
    state = session.current()
    state.boosts, state.filtering.wrong_boosts = (), {}


def _row(opened: Workspace, index: Index, number: int, boost: Boost) -> None:
    wrong = session.current().filtering.wrong_boosts
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"boost-row-{number}"):
        st.text_input(
            f"What fits · {counting.matching(opened, index, boost.filter)[0]:,} nodes", width=300,
            **session.tied(f"boost-text-{number}", wrong.get(number, to_text(boost.filter)), lambda text: _retype(opened, number, text)),
        )  # fmt: skip
        st.slider(
            "Score times", 0.1, max(3.0, boost.factor), step=0.05, width=150, format="× %.2f",
            **session.tied(f"boost-factor-{number}", max(0.1, boost.factor), lambda factor: _weigh(number, factor)),
        )  # fmt: skip
        st.button(
            "Remove",
            key=f"boost-remove-{number}",
            icon=":material/close:",
            type="tertiary",
            on_click=_remove,
            args=(number,),
        )
    if number in wrong:
        _told(opened, wrong[number], f"The boost stays as it was: {boost.words}")


def _told(opened: Workspace, text: str, instead: str) -> None:
    """Why a text is no filter."""
    try:
        check(read(text, blank=False), opened.store.schema())
    except AppError as error:
        errors.show(error)
        st.caption(literal(shortened(instead, 200)))


def _retype(opened: Workspace, number: int, text: str) -> None:
    state = session.current()
    try:
        fitting = check(read(text, blank=False), opened.store.schema())
    except AppError:
        state.filtering.wrong_boosts[number] = text
        return
    state.filtering.wrong_boosts.pop(number, None)
    _put(number, replace(state.boosts[number], filter=fitting))


def _weigh(number: int, factor: float) -> None:
    _put(number, replace(session.current().boosts[number], factor=factor))


def _put(number: int, boost: Boost) -> None:
    state = session.current()
    state.boosts = (*state.boosts[:number], boost, *state.boosts[number + 1 :])


def _remove(number: int) -> None:
    state = session.current()
    state.boosts = (*state.boosts[:number], *state.boosts[number + 1 :])
    state.filtering.wrong_boosts = {
        n - (n > number): text for n, text in state.filtering.wrong_boosts.items() if n != number
    }


def _new(opened: Workspace) -> None:
    """A boost more, from its text; it begins with 1.2."""

    def take(text: str) -> None:
        state = session.current()
        try:
            fitting = check(read(text, blank=False), opened.store.schema())
        except AppError:
            state.filtering.wrong_boosts[-1] = text if text.strip() else ""
            return
        state.filtering.wrong_boosts.pop(-1, None)
        state.boosts = (*state.boosts, Boost(fitting, 1.2))

    wrong = session.current().filtering.wrong_boosts.get(-1, "")
    st.text_input(
        "Another: what fits, as text",
        placeholder="category = legal and year >= 2023",
        **session.tied("boost-new", wrong, take),
    )
    if wrong:
        _told(opened, wrong, "It is not in use.")


def _examples(opened: Workspace) -> None:
    """The product's own boosts, where their fields are and they are not in use."""
    schema, state = opened.store.schema(), session.current()
    used = {boost.filter for boost in state.boosts}
    with st.container(horizontal=True, gap="small", key="boost-examples"):
        for name, value, factor in _EXAMPLES:
            field = name if name in schema and schema[name].of_node else f"node.{name}"
            condition = Condition(field, Op.EQ, value)
            if field in schema and condition not in used:
                st.button(
                    literal(f"{to_text(condition)} × {factor:g}"), key=f"boost-example-{name}", icon=":material/add:",
                    on_click=_take, args=(Boost(condition, factor),),
                )  # fmt: skip


def _take(boost: Boost) -> None:
    session.current().boosts = (*session.current().boosts, boost)
