"""Hits as cards: rank, score, source and the window with its node marked."""

from __future__ import annotations

import streamlit as st

from core.types import Hit
from pages.parts.text import escaped


def card(hit: Hit, *, note: str = "") -> None:
    """One hit; ``note`` is said beside its name."""
    place = f" · {escaped(' › '.join(hit.node.headings[-2:]))}" if hit.node.headings else ""
    place = f" · p. {hit.node.page}{place}" if hit.node.page is not None else place
    note = f'<span class="cs-fate">{escaped(note)}</span>' if note else ""
    st.html(
        f'<div class="cs-hit cs-filled"><div class="cs-rank">{hit.rank}</div>'
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
