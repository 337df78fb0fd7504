"""The SQL that ran, with the values bound to it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.types import SearchResult

_FIRST = 20
_LONGEST = 2000


def draw(result: SearchResult) -> None:
    """The statement, its values by number, and how long each step took."""
    with st.expander("The SQL that ran", icon=":material/code:"):
        st.code(result.sql, language="sql")
        told = [value(one) for one in result.params]
        st.code("\n".join(f"{number}: {text}" for number, text in enumerate(told, 1)), language=None, wrap_lines=True)
        if where := result.request.settings.where:
            st.caption("Before it, in the locked copy, for the nodes bound above:")
            st.code(where, language="sql", wrap_lines=True)
        st.caption(" · ".join(f"{name} {ms:.1f} ms" for name, ms in result.timings_ms.items()))


def value(bound: object) -> str:
    """One bound value; of a vector three numbers, of a long list the first ones and how many more there are."""
    if isinstance(bound, (list, tuple)):
        if len(bound) > _FIRST and all(isinstance(item, float) for item in bound):
            return f"unit vector of {len(bound):,} numbers: {bound[0]:.4f}, {bound[1]:.4f}, …"
        return _list(bound)
    return _cut(repr(bound))


def _list(items: Sequence[object]) -> str:
    more = len(items) - _FIRST
    shown = ", ".join(_cut(repr(item)) for item in items[:_FIRST])
    return f"[{shown}, … {more:,} more]" if more > 0 else f"[{shown}]"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… {len(text) - _LONGEST:,} characters more"
