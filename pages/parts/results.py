"""The answer as a list: hits in their windows, or excerpts as a reader gets them. Our own component, see ``assets/results``.

The browser is sent words and numbers, and draws them as text; nothing of it is read as HTML. What a hand does comes back
as one event. Declared once, at import.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import streamlit as st

from core import components, matched
from core.comparison import Change
from core.errors import AppError
from core.excerpts import Excerpt
from core.filters import Filter, Schema, check, from_json, to_json
from core.types import Hit, SearchResult, Span
from core.workspace import Workspace
from core.xray import Rung
from pages.parts import chips, cite, resources, session
from pages.parts.chips import Chip

_FILES = Path(__file__).parent.parent.parent / "assets" / "results"
_KEY = "results"
_MOST_CHIPS = 8
_NODE, _WORD = 1, 2

_component = st.components.v2.component(
    "chunkscope_results",
    html='<div class="cs-list holds-the-place"></div>',
    css="\n".join(
        path.read_text(encoding="utf-8") for path in (_FILES.parent / "ladders/badges.css", _FILES / "results.css")
    ),
    js=components.loader("results"),
    isolate_styles=False,
)


def draw(opened: Workspace, result: SearchResult, rungs: Mapping[str, Rung], *, merged: bool) -> None:
    """Draw the hits of a result, with what the filter made of each if ``rungs`` say so, by their id. ``merged`` draws excerpts instead.

    What the user does with one changes the filter, or opens another page.
    """
    marks = _Marks(opened, result, rungs)
    if merged:
        excerpts = opened.excerpts(result.hits)
        items = [marks.excerpt(excerpt, result.hits) for excerpt in excerpts]
        everything = cite.of_excerpts(excerpts, result.hits)
    else:
        schema = opened.store.schema()
        items = [{**marks.hit(hit), **_chips(hit, schema)} for hit in result.hits]
        everything = cite.of_hits(result.hits)
    data = {"at": time.time(), "items": items, "all": everything, "merged": merged}
    done = _component(key=_KEY, data=data, on_act_change=_act)
    _leave(done.act or {})


class _Marks:
    """Texts with what is marked in them: nodes, and the words of the question."""

    def __init__(self, opened: Workspace, result: SearchResult, rungs: Mapping[str, Rung]) -> None:
        known = [(hit.rank, rungs[hit.id]) for hit in result.hits if hit.id in rungs]
        self._changes = {rank: (rung.change, moved(rank, rung)) for rank, rung in known}
        self._question = result.request.question
        self._boosted = bool(result.request.settings.boosts)
        self._languages = {info.id: info.reading.language for info in opened.documents()}

    def hit(self, hit: Hit) -> dict[str, object]:
        """One hit, without its chips."""
        return {
            **self._ranks([hit.rank]),
            "id": hit.id,
            "doc_id": hit.doc_id,
            "ordinal": hit.node.ordinal,
            "score": f"{hit.score:.3f}",
            "factors": [[words, f"{factor:g}"] for words, factor in hit.factors],
            "sign": "×" if hit.score >= 0 else "÷",
            "final": f"{hit.final:.3f}" if self._boosted else "",
            "name": hit.name,
            "place": [f"#{hit.node.ordinal + 1}", *cite.place(hit)],
            "context": hit.node.context,
            "prefix": hit.prefix,
            "suffix": hit.suffix,
            "runs": self._runs(hit.doc_id, hit.window_text, hit.window, [hit]),
            "copy": cite.quoted(hit.returned, cite.source(hit, hit.window)),
        }

    def excerpt(self, excerpt: Excerpt, hits: Sequence[Hit]) -> dict[str, object]:
        """One excerpt, with the nodes of its hits."""
        mine, first = [hit for hit in hits if hit.rank in excerpt.ranks], cite.first(excerpt, hits)
        best = min(mine, key=lambda hit: hit.rank)
        return {
            **self._ranks(excerpt.ranks),
            "id": best.id,
            "doc_id": excerpt.doc_id,
            "ordinal": best.node.ordinal,
            "name": excerpt.name,
            "place": [*cite.place(first), f"characters {excerpt.span.start:,}–{excerpt.span.end:,}"],
            "prefix": excerpt.prefix,
            "suffix": excerpt.suffix,
            "runs": self._runs(excerpt.doc_id, excerpt.text, excerpt.span, mine),
            "copy": cite.quoted(excerpt.returned, cite.source(first, excerpt.span)),
        }

    def _ranks(self, ranks: Sequence[int]) -> dict[str, object]:
        """The ranks of hits, and what the filter made of each: how it looks, and in words."""
        told = [self._changes.get(rank, (Change.KEPT, "")) for rank in ranks]
        return {
            "ranks": list(ranks),
            "changes": [str(change) for change, _ in told],
            "fates": [said for _, said in told],
        }

    def _runs(self, doc_id: str, text: str, span: Span, hits: Sequence[Hit]) -> list[list[object]]:
        words = matched.words(self._question, self._languages.get(doc_id, ""))
        nodes = [Span(hit.node.start - span.start, hit.node.end - span.start) for hit in hits]
        return runs(text, nodes, matched.spans(words, text))


def moved(rank: int, rung: Rung) -> str:
    """What the filter made of a hit, in the words of the ladders: ``up from #3``."""
    if rung.change is Change.DISPLACED:
        return f"{'up' if rank < rung.unfiltered_rank else 'down'} from #{rung.unfiltered_rank:,}"
    return f"promoted from #{rung.unfiltered_rank:,}" if rung.change is Change.PROMOTED else str(rung.change)


def runs(text: str, nodes: Sequence[Span], words: Sequence[Span]) -> list[list[object]]:
    """``text`` in pieces, each with 1 if it lies in a node plus 2 if it is a word of the question."""
    marked = [(_NODE, span) for span in nodes] + [(_WORD, span) for span in words]
    ends = {max(0, min(at, len(text))) for _, span in marked for at in (span.start, span.end)}
    found: list[list[object]] = []
    for start, end in pairwise(sorted({0, len(text), *ends})):
        kinds = {kind for kind, span in marked if span.start <= start and end <= span.end}
        found.append([text[start:end], sum(kinds)])
    return found


def _chips(hit: Hit, schema: Schema) -> dict[str, object]:
    """The chips of a hit: its document's, those that come after the first few folded away, and its node's."""
    told = chips.of_document(hit, schema)
    return {
        "document": _chip(chips.document(hit)),
        "chips": [_chip(chip) for chip in told[:_MOST_CHIPS]],
        "more": [_chip(chip) for chip in told[_MOST_CHIPS:]],
        "about": [_chip(chip) for chip in chips.of_node(hit, schema)],
    }


def _chip(chip: Chip) -> dict[str, object]:
    return {"field": chip.field, "value": chip.value, "only": _json(chip.only), "not": _json(chip.without)}


def _json(filter: Filter | None) -> object:
    return to_json(filter) if filter else None


# ── what the user did ────────────────────────────────────────────────────────────────────────────


def _act() -> None:
    """Put the condition that was chosen beside the others."""
    event: Mapping[str, Any] = (session.widget(_KEY) or {}).get("act") or {}
    if event.get("do") == "filter":
        state = session.current()
        try:
            condition = check(from_json(event["filter"]), resources.current_workspace().store.schema())
        except AppError:
            return  # the field has gone since: the list that is drawn now no longer offers it
        state.filter = chips.narrowed(state.filter, condition)


def _leave(event: Mapping[str, Any]) -> None:
    """Open the page that was asked for."""
    state, index = session.current(), resources.current_index()
    match event.get("do"):
        case "text" if index:
            state.draft = index.settings
            state.open_node(str(event["doc_id"]), int(event["ordinal"]))
            st.switch_page("windows.py")
        case "map":
            state.map_node = str(event["id"])
            st.switch_page("map.py")
