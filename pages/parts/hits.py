"""Hits as cards: rank, score, source and the window with its node marked."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.explain import Fate, Step
from core.types import Hit
from pages.parts.text import escaped

_FATES = {
    Fate.KEPT: "kept",
    Fate.PROMOTED: "promoted by the filter",
    Fate.EXCLUDED: "excluded by the filter",
}

STYLE = """<style>
.cs-hit { display: grid; grid-template-columns: 34px 1fr; column-gap: 6px; font-variant-numeric: tabular-nums; }
.cs-rank { width: 26px; height: 26px; border-radius: 13px; border: 2px solid #009E73; font-weight: 650; font-size: 13px;
  line-height: 22px; text-align: center; box-sizing: border-box; }
.cs-filled .cs-rank { background: #009E73; color: #fff; }
.cs-excluded .cs-rank { border-style: dashed; border-color: #8A939C; }
.cs-head { font-size: 13px; line-height: 26px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.cs-head b { font-weight: 650; }
.cs-fate { opacity: .75; }
.cs-text { grid-column: 2; font: 15px/1.55 "Source Serif 4", Georgia, "Noto Serif", serif; white-space: pre-wrap;
  overflow-wrap: anywhere; border-left: 2.5px solid #0072B2; padding-left: 10px; margin: 2px 0; unicode-bidi: isolate; }
.cs-excluded .cs-text { border-left-style: dashed; border-left-color: #8A939C; }
.cs-text mark { background: rgba(43, 149, 214, .34); color: inherit; border-radius: 3px; padding: 1px 0; }
.cs-chips { grid-column: 2; font-size: 12px; opacity: .8; overflow-wrap: anywhere; }
</style>"""


def card(hit: Hit, *, filtered: bool, fate: Fate | None, moved: int | None = None) -> None:
    """One hit. ``filtered`` fills its badge; ``moved`` is its rank in the other search."""
    look = "cs-filled" if filtered else ("cs-excluded" if fate is Fate.EXCLUDED else "")
    said = _FATES.get(fate, "") if fate else ""
    if fate is Fate.KEPT and moved is not None and moved != hit.rank:
        said = f"{'was' if filtered else 'now'} #{moved}"
    place = " › ".join(hit.node.headings[-2:])
    st.html(
        f'<div class="cs-hit {look}"><div class="cs-rank">{hit.rank}</div>'
        f'<div class="cs-head"><b>{hit.score:.3f}</b> · <b>{escaped(hit.name)}</b> #{hit.node.ordinal + 1}'
        f'{f" · {escaped(place)}" if place else ""} <span class="cs-fate">{f"· {said}" if said else ""}</span></div>'
        f'<div class="cs-text" dir="auto">{_marked(hit)}</div><div class="cs-chips">{_chips(hit)}</div></div>'
    )


def _marked(hit: Hit) -> str:
    start, end = hit.node.start - hit.window.start, hit.node.end - hit.window.start
    text = hit.window_text
    return f"{escaped(text[:start])}<mark>{escaped(text[start:end])}</mark>{escaped(text[end:])}"


def _chips(hit: Hit) -> str:
    shown = [
        (name, value)
        for name, value in hit.metadata.items()
        if name in ("doc_type", "category", "year", "quarter", "tags")
    ]
    said = (f"{name}: {', '.join(value) if isinstance(value, tuple) else value}" for name, value in shown)
    return escaped(" · ".join(said))


def actions(hit: Hit, side: str, open_text: Callable[[Hit], None], open_map: Callable[[Hit], None]) -> None:
    """What can be done with a hit."""
    with st.container(horizontal=True, gap="small"):
        if st.button("Open in text", key=f"text-{side}-{hit.rank}", type="tertiary", icon=":material/article:"):
            open_text(hit)
        if st.button("On the map", key=f"map-{side}-{hit.rank}", type="tertiary", icon=":material/scatter_plot:"):
            open_map(hit)


def steps_by_id(steps: list[Step]) -> dict[str, Step]:
    return {step.hit.id: step for step in steps}
