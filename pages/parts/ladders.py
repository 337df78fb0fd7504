"""Two rank ladders, joined by lines, and what each clause did: our own component, whose files are in ``assets/ladders``.

A rerun sends words and numbers only; what one clause alone would give is among them. Declared once, at import.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import streamlit as st

from core import components
from core.explain import Explained
from core.filters import Filter, conditions, conjunction
from core.store.base import Found
from core.types import Index
from core.workspace import Workspace
from core.xray import Clause, Place, Rung
from pages.parts import filter_words, session
from pages.parts.text import shortened

_KEY = "ladders"
_FIRST_WORDS = 160
_LONGEST_CLAUSE = 160
_LONGEST_TITLE = 2000

_component = st.components.v2.component(
    "chunkscope_ladders",
    html='<div class="holds-the-place"></div>',
    css=".holds-the-place { min-height: 80px; }",
    js=components.loader("ladders"),
    isolate_styles=True,
)


@dataclass(frozen=True, slots=True)
class Tried:
    """A filter and an expert's condition that are looked at without being in use; ``words`` say which clauses they are."""

    filter: Filter
    where: str
    words: str


def draw(
    opened: Workspace, explained: Explained, index: Index, selected: tuple[str, int] | None, filter: Filter, where: str
) -> None:
    """Draw both ladders; choosing a hit makes the session ask about it, and a filter that is tried can be put to use."""
    position = explained.scan.position(*selected) if selected else None
    of = _of(filter, where)
    done = _component(
        key=_KEY,
        on_select_change=lambda: _ask_about(index),
        on_use_change=lambda: _use(opened, explained, of),
        on_what_change=lambda: None,
        data={
            "at": time.time(),
            "part": "ladders",
            "of": of,
            **picture(opened, explained),
            "selected": -1 if position is None else position,
            "what": _what(explained, of),
        },
    )
    if done.use:
        st.rerun()  # the whole page: the filter is another one


def clauses(opened: Workspace, explained: Explained, note: str) -> None:
    """Draw what each clause did, with what shows the ladders under it alone or without it; ``note`` stands above."""
    told = explained.explanation
    data = {
        "at": time.time(),
        "part": "clauses",
        "note": note,
        "total": told.total,
        "matching": told.matching,
        "unfiltered": len(told.unfiltered),
        "clauses": [_did(opened, clause) for clause in told.clauses],
    }
    _component(key="clauses", data=data)


# ── what the user did ────────────────────────────────────────────────────────────────────────────


def tried(opened: Workspace, explained: Explained, filter: Filter, where: str) -> Tried | None:
    """What the ladders show in the place of the filter in use: one clause alone, or all the others."""
    what = _what(explained, _of(filter, where))
    return _tried(opened, explained, what) if what else None


def _tried(opened: Workspace, explained: Explained, what: Mapping[str, Any]) -> Tried:
    every = explained.explanation.clauses
    chosen, alone = every[what["clause"]], what["mode"] == "alone"
    held = [clause for clause in every if (clause is chosen) == alone]
    parts = [clause.filter for clause in held if clause.filter is not None]
    where = next((clause.words for clause in held if clause.filter is None), "")
    return Tried(conjunction(*parts), where, f"{'only' if alone else 'all but'} {said(opened, chosen)}")


def _what(explained: Explained, of: int) -> dict[str, Any] | None:
    """The clause that is tried, if it is one of this filter; what came from a browser is not believed."""
    return _checked((session.widget(_KEY) or {}).get("what"), explained, of)


def _checked(what: Any, explained: Explained, of: int) -> dict[str, Any] | None:
    match what:
        case {"clause": int(number), "mode": "alone" | "others" as mode, "of": known} if known == of:
            if 0 <= number < len(explained.explanation.clauses):
                return {"clause": number, "mode": mode}
    return None


def _of(filter: Filter, where: str) -> int:
    """What tells one filter from another: to what is tried under one the next does not listen."""
    return crc32(f"{filter!r}\n{where}".encode())


def _ask_about(index: Index) -> None:
    asked = (session.widget(_KEY) or {}).get("select")
    if asked:
        session.current().ask_about(str(asked["doc_id"]), int(asked["ordinal"]), index.settings)


def _use(opened: Workspace, explained: Explained, of: int) -> None:
    """Put the filter that is tried in the place of the one in use."""
    if what := _checked((session.widget(_KEY) or {}).get("use"), explained, of):
        wanted, state = _tried(opened, explained, what), session.current()
        state.filter, state.where = wanted.filter, wanted.where


# ── what is shown ────────────────────────────────────────────────────────────────────────────────


def said(opened: Workspace, clause: Clause, longest: int = _LONGEST_CLAUSE) -> str:
    """A clause in words, with documents by name, on one line."""
    words = clause.words
    if clause.filter is not None and any(condition.field == "doc_id" for condition in conditions(clause.filter)):
        words = filter_words.words(clause.filter, opened)
    return shortened(words, longest)


def picture(opened: Workspace, explained: Explained) -> dict[str, Any]:
    """The ladders as the browser gets them: by position, and what stands at each position, once."""
    told = explained.explanation
    return {
        "total": told.total,
        "matching": told.matching,
        "unfiltered": [[rung.position, rung.final, list(rung.rejected_by)] for rung in told.unfiltered],
        "filtered": _places(told.filtered),
        "clauses": [_clause(opened, clause) for clause in told.clauses],
        "nodes": {str(position): _node(found) for position, found in explained.scan.found.items()},
    }


def _places(places: Sequence[Place | Rung]) -> list[list[float]]:
    return [[place.position, place.final, place.unfiltered_rank] for place in places]


def _clause(opened: Workspace, clause: Clause) -> dict[str, Any]:
    return {
        "words": said(opened, clause),
        "matching": clause.matching,
        "without": clause.without,
        "alone": _places(clause.alone),
        "others": _places(clause.others),
    }


def _did(opened: Workspace, clause: Clause) -> dict[str, Any]:
    return {
        "words": said(opened, clause),
        "full": said(opened, clause, _LONGEST_TITLE),
        "matching": clause.matching,
        "without": clause.without,
        "rejects": list(clause.rejects),
        "rejects_alone": list(clause.rejects_alone),
    }


def _boosts(found: Found) -> str:
    """How the score became what the node ranks by; empty if no boost holds."""
    sign = "×" if found.score >= 0 else "÷"
    return " ".join(
        [f"{found.score:.3f}", *(f"{sign} {factor:g}" for _, factor in found.factors)] if found.factors else []
    )


def _node(found: Found) -> dict[str, Any]:
    node, text = found.node, found.passage.document.text
    page = f" · p. {node.page:,}" if node.page is not None else ""
    return {
        "doc_id": found.doc_id,
        "ordinal": node.ordinal,
        "name": found.info.name,
        "place": f"#{node.ordinal + 1:,}{page}",
        "boosts": _boosts(found),
        "words": shortened(text[node.start : min(node.end, node.start + 4 * _FIRST_WORDS)], _FIRST_WORDS),
    }
