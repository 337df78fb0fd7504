"""The answer to the question in hand, worked out once for each state of what decides about it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from core import workspace
from core.comparison import Comparison
from core.filters import EVERYTHING, Filter, to_json
from core.saved import settings_to_json
from core.settings import SearchSettings
from core.types import Hit, Index, SearchResult
from core.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Answer:
    """Both searches, and what a reader gets of the filtered one: in ``windows`` tokens as they are, in ``merged`` ones once.

    ``tokens`` says what they are.
    """

    comparison: Comparison
    windows: int
    merged: int
    tokens: str

    @property
    def result(self) -> SearchResult:
        return self.comparison.filtered

    @property
    def narrowed(self) -> bool:
        """Whether a filter or an expert's condition stands between both searches."""
        request = self.result.request
        return request.filter != EVERYTHING or bool(request.settings.where.strip())


def of(opened: Workspace, question: str, settings: SearchSettings, filter: Filter, index: Index) -> Answer:
    """The answer; raises as ``Workspace.search`` does."""
    told = json.dumps([to_json(filter), settings_to_json(settings)], ensure_ascii=True)
    return _of(opened.location, opened.store.changes, index.id, index.version, question, told, filter, settings)


# The filter and the settings are told apart by their JSON: to Streamlit, "all of" and "any of" the same parts are equal.
@st.cache_resource(max_entries=32, show_spinner=False)
def _of(
    location: str,
    changes: int,  # noqa: ARG001 - part of the key
    index: str,
    version: int,  # noqa: ARG001 - part of the key
    question: str,
    told: str,  # noqa: ARG001 - part of the key
    _filter: Filter,
    _settings: SearchSettings,
) -> Answer:
    opened = workspace.open(Path(location))
    filtered = opened.search(question, _settings, _filter, index)
    everything = replace(_settings, where="")
    plain = _filter == EVERYTHING and everything == _settings
    unfiltered = filtered if plain else opened.search(question, everything, EVERYTHING, index)
    windows, merged = opened.returned_tokens(filtered) if filtered.hits else (0, 0)
    name = opened.encoders(opened.index(index).model.name).tokenizer_name
    return Answer(Comparison(unfiltered, filtered), windows, merged, name)


def nearest(opened: Workspace, result: SearchResult) -> Hit | None:
    """The best hit if no limit held; None if nothing passes the filter."""
    asked = result.request
    free = replace(asked.settings, k=1, max_distance=None, min_score=None, boosts=())
    return next(iter(opened.search(asked.question, free, asked.filter, asked.index).hits), None)
