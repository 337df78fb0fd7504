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


def card(hit: Hit, *, filtered: bool, fate: Fate | None, moved: int | None = None, note: str = "") -> None:
    """One hit. ``filtered`` fills its badge; ``moved`` is its rank in the other search; ``note`` is said beside it."""
    look = "cs-filled" if filtered else ("cs-excluded" if fate is Fate.EXCLUDED else "")
    said = _FATES.get(fate, "") if fate else note
    if fate is Fate.KEPT and moved is not None and moved != hit.rank:
        said = f"{'was' if filtered else 'now'} #{moved}"
    place = f" · {escaped(' › '.join(hit.node.headings[-2:]))}" if hit.node.headings else ""
    place = f" · p. {hit.node.page}{place}" if hit.node.page is not None else place
    note = f'<span class="cs-fate">{said}</span>' if said else ""
    st.html(
        f'<div class="cs-hit {look}"><div class="cs-rank">{hit.rank}</div>'
        f'<div class="cs-head"><b>{hit.score:.3f}</b> · <b>{escaped(hit.name)}</b> #{hit.node.ordinal + 1}{place} {note}</div>'
        f'{context(hit.node.context)}<div class="cs-text" dir="auto">{_marked(hit)}</div>'
        f'<div class="cs-chips">{_chips(hit)}{_computed(hit)}</div></div>'
    )


def context(line: str) -> str:
    """The context line that was embedded before a node, if there is one."""
    return (
        f'<div class="cs-context" dir="auto" title="Embedded before the node">context: {escaped(line)}</div>'
        if line
        else ""
    )


def _computed(hit: Hit) -> str:
    """What is computed for the node, folded away."""
    told = {"tokens embedded": hit.tokens, **{name.replace("_", " "): value for name, value in hit.computed.items()}}
    rows = "".join(f"<tr><td>{escaped(name)}</td><td>{escaped(_said(value))}</td></tr>" for name, value in told.items())
    return f"<details><summary>about this node</summary><table>{rows}</table></details>"


def _said(value: object) -> str:
    match value:
        case tuple():
            return ", ".join(value)
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.2f}"
    return str(value)


def _marked(hit: Hit) -> str:
    start, end = hit.node.start - hit.window.start, hit.node.end - hit.window.start
    text = hit.window_text
    inside = f"{escaped(text[:start])}<mark>{escaped(text[start:end])}</mark>{escaped(text[end:])}"
    return f"{around(hit.prefix)}{inside}{around(hit.suffix)}"


def around(text: str) -> str:
    """What stands before or after a window's text without being in the document there."""
    return f'<span class="cs-around">{escaped(text)}</span>' if text else ""


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
