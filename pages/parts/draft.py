"""The controls of the draft: which strategy, how large, how much is shared; the same order for every strategy."""

from __future__ import annotations

import streamlit as st

from core.chunk import MOST_OVERLAP, RECOMMENDED
from core.settings import MAX_NODE_SIZE, Strategy, Unit
from core.workspace import Workspace
from pages.parts import context, drafting, errors, presets, resources, session

STRATEGIES = {
    Strategy.SENTENCE_WINDOW: ("Sentence window", "A few sentences each; those around come back with them."),
    Strategy.FIXED: ("Fixed size", "Cut wherever the size is reached, between two words."),
    Strategy.RECURSIVE: ("Recursive", "Cut at paragraphs, then lines, sentences, words."),
    Strategy.SEMANTIC: ("Semantic", "Cut where neighbouring sentences are least alike."),
    Strategy.STRUCTURE: ("Sections", "A node for each heading with the text below it."),
    Strategy.CODE: ("Code", "A node for each function or class."),
}
UNITS = {Unit.TOKENS: "tokens", Unit.WORDS: "words", Unit.CHARS: "chars"}
_ONE = {Unit.SENTENCES: "sentence", Unit.TOKENS: "token", Unit.WORDS: "word", Unit.CHARS: "character"}


def controls(opened: Workspace) -> None:
    """Draw everything that makes the draft; each change is taken at once."""
    state = session.current()
    presets.row(opened)
    st.selectbox(
        "Strategy", list(STRATEGIES), format_func=lambda strategy: STRATEGIES[strategy][0], **session.bound("strategy")
    )
    with st.container(key="strategy-said"):
        st.caption(STRATEGIES[state.strategy][1])
    if state.strategy is Strategy.SENTENCE_WINDOW:
        _sentences()
    else:
        _size(opened)
        _overlap()
        _cutting()
    said = "Sentences on each side that are embedded with the node."
    _slider("Embedded around a node", "embed_around", 0, max(3, state.embed_around), said=said)
    context.editor(opened)


def _slider(label: str, name: str, low: int, high: int, *, step: int = 1, form: str = "%d", said: str = "") -> None:
    """A slider that shows and changes one number of the draft."""
    st.slider(
        label, low, high, step=step, format=form, help=said or None,
        **session.bound(name, shape=(low, high, step)),
    )  # fmt: skip


def _sentences() -> None:
    state = session.current()
    _slider("Sentences per node", "size", 1, max(MAX_NODE_SIZE, state.size))
    if state.size > 1:
        _slider("Overlap, sentences shared with the next node", "overlap", 0, state.size - 1)
    else:
        st.caption("Overlap 0: nodes of one sentence share none.")
    if state.overlap_cut:
        st.caption(f":material/info: The overlap was cut to {state.overlap}: it must stay below the node's size.")


def _size(opened: Workspace) -> None:
    """A slider for the hand, a number for what lies beyond it, and what is counted."""
    state, counting = session.current(), drafting.COUNTING[session.current().unit]
    state.reach = reach = drafting.reach(state.unit, state.size, state.reach)
    with st.container(key="size-row", horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False):
        _slider(f"Size, {UNITS[state.unit]} at most", "size", reach.low, reach.high, step=reach.step)
        st.number_input(
            "Size in numbers", 1, counting.most, step=counting.step, label_visibility="collapsed", width=72,
            **session.tied("size-number", state.size, _resize),
        )  # fmt: skip
    st.segmented_control(
        "Counted in", list(UNITS), format_func=lambda unit: UNITS[unit], required=True, width="stretch",
        label_visibility="collapsed", **session.bound("unit"),
    )  # fmt: skip
    _warn_of_length(opened)


def _resize(size: int | None) -> None:
    state = session.current()
    state.size = size or state.size


def _warn_of_length(opened: Workspace) -> None:
    state = session.current()
    if state.unit is not Unit.TOKENS:
        return
    with errors.shown():
        read = resources.tokens_read(opened, state.model)
        if state.size > read:
            st.caption(
                f":material/warning: The model reads {read:,} tokens: the rest of longer nodes is not embedded.",
            )


def _overlap() -> None:
    state = session.current()
    if state.size == 1:
        st.caption(f"Overlap 0: nodes of one {_ONE[state.unit]} share none.")
        return
    if state.overlap_in_units:
        most = max(state.size * MOST_OVERLAP // 100, state.overlap, 1)
        _slider(f"Overlap, {UNITS[state.unit]} shared", "overlap", 0, most)
        _usual(100 * most / state.size)
    else:
        most = max(MOST_OVERLAP, state.overlap_percent)
        _slider("Overlap", "overlap_percent", 0, most, form="%d %%")
        _usual(most)
    other = "%" if state.overlap_in_units else UNITS[state.unit]
    with st.container(key="overlap-row", horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False):
        shares = f"{state.overlap:,} {_ONE[state.unit] if state.overlap == 1 else UNITS[state.unit]} shared"
        st.caption(f"{state.overlap_percent} % · {shares}", width="stretch")
        st.button(f"in {other}", key="overlap-in", type="tertiary", on_click=_other_way, help=f"Set it in {other}")


def _other_way() -> None:
    state = session.current()
    state.overlap_in_units = not state.overlap_in_units


def _usual(most: float) -> None:
    """A bar below the slider's track where the overlap usually lies; ``most`` percent are at the track's end."""
    state = session.current()
    if state.strategy not in RECOMMENDED:
        st.html('<div class="cs-usual"></div>')
        return
    low, high = RECOMMENDED[state.strategy]
    at, wide = 100 * low / most, 100 * (high - low) / most
    st.html(
        f'<div class="cs-usual"><i style="left:{at:.2f}%;width:{wide:.2f}%"></i>'
        f'<span style="left:clamp(40px,{at + wide / 2:.2f}%,100% - 40px)">usual: {low}–{high} %</span></div>'
    )


def _cutting() -> None:
    """What only some strategies ask: where to break, and what is too small to stand alone."""
    state = session.current()
    if state.strategy is Strategy.SEMANTIC:
        said = "The share of the places between two sentences at which a node ends: the more, the smaller the nodes."
        most = max(50, state.percentile)
        _slider("Breaks at the least alike", "percentile", 1, most, form="%d %%", said=said)
    if state.strategy in (Strategy.SEMANTIC, Strategy.STRUCTURE, Strategy.CODE):
        said = "Smaller nodes are put together with a neighbour, as far as both fit."
        _slider(f"Smallest, {UNITS[state.unit]}", "minimum", 0, state.size, said=said)
