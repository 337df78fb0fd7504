"""What the filter did to the answer: both ladders, clause by clause, and why a node is not among the hits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import streamlit as st

from core import workspace
from core.explain import Explained
from core.filters import Filter
from core.settings import SearchSettings
from core.types import Index
from core.workspace import Workspace
from core.xray import Explanation, PostFilter
from pages.parts import errors, gold_fates, ladders, why_not
from pages.parts.text import percent
from pages.parts.ways import Under


def explained(opened: Workspace, index: Index, question: str, settings: SearchSettings, filter: Filter) -> Explained:
    """The X-ray of a question, worked out once for each state of the workspace; raises as ``Workspace.explain`` does.

    Windows move no rung: its hits are without them, and changing them works out nothing again.
    """
    settings = replace(settings, window=0, boundary_marks=False)
    # A cache key made of a filter's fields would not tell all of them from any of them: its text does.
    at = (opened.location, opened.store.changes, index.id, index.version)
    return _explained(*at, question, repr(settings), repr(filter), settings, filter)


@st.cache_resource(max_entries=8, show_spinner=False)
def _explained(
    location: str,
    changes: int,  # noqa: ARG001 - part of the key
    index: str,
    version: int,  # noqa: ARG001 - part of the key
    question: str,
    settings_said: str,  # noqa: ARG001 - part of the key
    filter_said: str,  # noqa: ARG001 - part of the key
    _settings: SearchSettings,
    _filter: Filter,
) -> Explained:
    return workspace.open(Path(location)).explain(question, _settings, _filter, index)


@st.fragment
def draw(opened: Workspace, index: Index, question: str, settings: SearchSettings, filter: Filter) -> None:
    """Draw the X-ray; choosing a hit, or asking about a gold passage, draws this part of the page alone."""
    with errors.shown():
        whole = explained(opened, index, question, settings, filter)
        asked = why_not.asked_about(opened, index)
        ladders.draw(opened, whole, index, asked, filter, settings.where)
        under = Under(whole, question, settings, filter)
        if tried := ladders.tried(opened, whole, filter, settings.where):
            other = replace(settings, where=tried.where)
            under = Under(
                explained(opened, index, question, other, tried.filter), question, other, tried.filter, tried.words
            )
        if asked:
            why_not.told(opened, index, under, explained, *asked)
        told = whole.explanation
        ladders.clauses(opened, whole, " ".join(said for said in (told.why_fewer, post_filtered(told)) if said))
        gold_fates.draw(opened, index, under.explained)


def post_filtered(told: Explanation) -> str:
    """What filtering after the search, as many tools do, would have left."""
    if not told.clauses or not told.post_filter:
        return ""
    first, *more = told.post_filter
    said = [
        f"the top {first.fetched:,} would have left {_left(first)}",
        *(f"top {t.fetched:,} → {_left(t)}" for t in more),
    ]
    return f"Filtering after the search instead: {', '.join(said)}."


def _left(tried: PostFilter) -> str:
    return f"{tried.returned:,}" if tried.recall is None else f"{tried.returned:,} (recall {percent(tried.recall, 1)})"
