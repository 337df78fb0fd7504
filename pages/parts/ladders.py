"""Two rank ladders, joined by lines, and what each clause did: our own component, whose files are in ``assets/ladders``.

A rerun sends words and numbers only; what one clause alone would give is among them. Declared once, at import.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import streamlit as st

from core import components
from core.explain import Explained
from core.store.base import Found
from core.types import Index
from core.xray import Clause, Place, Rung
from pages.parts import session
from pages.parts.text import shortened

_KEY = "ladders"
_FIRST_WORDS = 160

_component = st.components.v2.component(
    "chunkscope_ladders",
    html='<div class="holds-the-place"></div>',
    css=".holds-the-place { min-height: 520px; }",
    js=components.loader("ladders"),
    isolate_styles=True,
)


def draw(explained: Explained, index: Index, selected: tuple[str, int] | None) -> None:
    """Draw both ladders and the clauses; choosing a hit makes the session ask about it."""
    position = explained.scan.position(*selected) if selected else None
    _component(
        key=_KEY,
        on_select_change=lambda: _ask_about(index),
        data={"at": time.time(), **picture(explained), "selected": -1 if position is None else position},
    )


def _ask_about(index: Index) -> None:
    asked = (session.widget(_KEY) or {}).get("select")
    if asked:
        session.current().ask_about(str(asked["doc_id"]), int(asked["ordinal"]), index.settings)


def picture(explained: Explained) -> dict[str, Any]:
    """The X-ray as the browser gets it: ladders by position, and what stands at each position, once."""
    told = explained.explanation
    return {
        "k": told.k,
        "total": told.total,
        "matching": told.matching,
        "unfiltered": [[rung.position, rung.final, list(rung.rejected_by)] for rung in told.unfiltered],
        "filtered": _places(told.filtered),
        "clauses": [_clause(clause) for clause in told.clauses],
        "nodes": {str(position): _node(found) for position, found in explained.scan.found.items()},
    }


def _places(places: Sequence[Place | Rung]) -> list[list[float]]:
    return [[place.position, place.final, place.unfiltered_rank] for place in places]


def _clause(clause: Clause) -> dict[str, Any]:
    return {
        "words": clause.words,
        "matching": clause.matching,
        "without": clause.without,
        "rejects": list(clause.rejects),
        "rejects_alone": list(clause.rejects_alone),
        "alone": _places(clause.alone),
        "others": _places(clause.others),
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
