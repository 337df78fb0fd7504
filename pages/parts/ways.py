"""What would bring a node into the answer: the smallest change of the filter, what that yields, and how many hits it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from core.explain import Explained
from core.filters import Filter
from core.settings import SearchSettings
from core.smallest import Step
from core.types import Index
from core.workspace import Workspace
from core.xray import Fate
from pages.parts import filter_words, session
from pages.parts.text import counted, literal, shortened

ExplainedOf = Callable[[Workspace, Index, str, SearchSettings, Filter], Explained]
"""How a question is explained: ``xray.explained``."""

MOST_K = 20
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Under:
    """What a node's fate is told under; ``words`` say which clauses count where that is not the filter in use."""

    explained: Explained
    question: str
    settings: SearchSettings
    filter: Filter
    words: str = ""


def draw(
    opened: Workspace, index: Index, under: Under, explain: ExplainedOf, fate: Fate, node: tuple[str, int]
) -> None:
    """Say what would bring the node into the answer, with the button that does it; and where it stands."""
    wanted, then = under, fate
    if fate.rejected_by:
        wanted, said = _changed(opened, index, under, explain, fate, node)
        then = wanted.explained.fate(*node) or fate
        st.markdown(f"Smallest change that lets it in: **{literal(said)}**. {yielded(wanted.explained, then)}")
    with st.container(horizontal=True):
        _button(wanted, then, changed=bool(fate.rejected_by))
        if st.button("Open in text", key="fate-text", type="tertiary", icon=":material/article:"):
            state = session.current()
            state.draft = index.settings
            state.open_node(*node)
            state.show("")
            st.switch_page("windows.py")


def _changed(
    opened: Workspace, index: Index, under: Under, explain: ExplainedOf, fate: Fate, node: tuple[str, int]
) -> tuple[Under, str]:
    """The question under the smallest change of its filter, and the change in words."""
    expert = any(under.explained.explanation.clauses[number].filter is None for number in fate.rejected_by)
    change = opened.smallest_change(*node, under.filter, index.id)
    settings = replace(under.settings, where="") if expert else under.settings
    after = explain(opened, index, under.question, settings, change.filter)
    steps = [*(_said(opened, step) for step in change.steps), *(["without the SQL condition"] if expert else [])]
    return Under(after, under.question, settings, change.filter), "; ".join(steps)


def _said(opened: Workspace, step: Step) -> str:
    before = shortened(filter_words.words(step.before, opened), _LONGEST)
    if step.after is None:
        return f"without {before}"
    return f"{before} → {shortened(filter_words.words(step.after, opened), _LONGEST)}"


def yielded(after: Explained, fate: Fate) -> str:
    """What the changed filter gives: how many nodes pass it, where the node ranks among them, and whether that is enough."""
    told = after.explanation
    passing = f"Then {counted(told.matching, 'node')} {'matches' if told.matching == 1 else 'match'}"
    if not fate.within_limit:
        return f"{passing}, but it lies beyond the limit."
    enough = f"among the best {told.k}" if fate.returned else f"beyond the best {told.k}"
    return f"{passing}, and it ranks **#{fate.rank_if_passed:,}**: {enough}."


def _button(wanted: Under, then: Fate, *, changed: bool) -> None:
    """What makes the node a hit, if there is a way: the filter, the number of hits, or both together."""
    state, rank = session.current(), then.rank_if_passed
    other = (wanted.filter, wanted.settings.where) != (state.filter, state.where)
    more = then.within_limit and wanted.explained.explanation.k < rank <= MOST_K
    if not (changed or more):
        return
    label = f"return {rank} hits" if more else ""
    if other:
        label = f"Use this filter and {label}" if more else "Use this filter"
    if st.button(f"{label[0].upper()}{label[1:]}", key="fate-use", type="primary", icon=":material/filter_alt:"):
        state.filter, state.where = wanted.filter, wanted.settings.where
        state.k = rank if more else state.k
        st.rerun()
