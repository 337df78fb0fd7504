"""Settings A beside B, those in hand: chosen, swapped, made ready, and their statistics for the document in view.

The analyst's moves: read B's row below the text; pin it as A and move a slider, or choose A among indexes and presets;
read B's marks and the sentence above them; ask a question of both; open a hit in the text; swap, or build.
"""

from __future__ import annotations

import streamlit as st

from core import chunk, embed
from core.chunk import grammar
from core.errors import AppError
from core.jobs import jobs as registry
from core.settings import ChunkSettings, Strategy
from core.types import DocumentInfo, Progress
from core.workspace import Workspace
from pages.parts import errors, jobs, resources, session, statistics_table
from pages.parts.measured import Measured, measured
from pages.parts.text import counted, literal
from pages.parts.wording import about, nodes_of

LONG = 500_000
"""A text of more characters takes a tokenizer so long that a hand would notice."""

_COMPARE = "compare"


def pin() -> None:
    """Pin the settings in hand as A: the text then shows what became of A's boundaries."""
    state = session.current()
    if state.compared is None:
        st.button(
            "Pin as A", key="pin-a", type="tertiary", icon=":material/push_pin:", on_click=_pin, args=(state.draft,),
            help="Compare other settings with these: boundaries kept, moved, born and gone.",
        )  # fmt: skip
    else:
        st.button(
            literal(f"A: {state.compared.name}"), key="pin-a", type="tertiary", icon=":material/close:", on_click=_pin,
            args=(None,), help="Stop comparing.",
        )  # fmt: skip


def heading(opened: Workspace) -> None:
    """Begin what stands below the text: choose A, or take it in hand."""
    state, known = session.current(), choices(opened)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("##### Statistics of this document", width="stretch")
        if state.compared:
            st.button(
                "Swap A and B", key="swap-a", type="tertiary", icon=":material/swap_vert:", on_click=state.swap,
                help="Take A in hand, and what is in hand as A.",
            )  # fmt: skip
        _chooser(known)


def _chooser(known: dict[str, ChunkSettings]) -> None:
    state = session.current()
    st.selectbox(
        "Choose A", list(known), index=None, placeholder="Choose A", label_visibility="collapsed", width=260,
        help="An index that is built, or a preset, to compare with.",
        **session.tied("choose-a", None, lambda name: _pin(known.get(name, state.compared))),
    )  # fmt: skip


def choices(opened: Workspace) -> dict[str, ChunkSettings]:
    """Settings to compare with by name: built indexes of the model in use, then presets, each settings once."""
    model = session.current().model
    built = {f"index {i.name}": i.settings for i in opened.indexes() if i.model.name == model and i.nodes}
    named: dict[ChunkSettings, str] = {}
    for preset in (*opened.remembered.presets(), *chunk.PRESETS):
        if preset.settings not in built.values():
            named.setdefault(preset.settings, f"preset {preset.name}")
    return built | {name: settings for settings, name in named.items()}


def _pin(settings: ChunkSettings | None) -> None:
    session.current().compared = settings


# ── sentences that must be compared first ────────────────────────────────────────────────────────


def waits(opened: Workspace, info: DocumentInfo, settings: ChunkSettings) -> int:
    """How many sentences of the document must be embedded before its nodes are known.

    Raises:
        MissingExtra: a package that the strategy needs is not installed.
    """
    if settings.strategy is Strategy.CODE:
        grammar.check_installed()
    return opened.uncompared(info.id, settings, session.current().model)


def known_a(opened: Workspace, info: DocumentInfo) -> ChunkSettings | None:
    """A, if the document's nodes under it are known."""
    settings = session.current().compared
    try:
        return settings if settings and not waits(opened, info, settings) else None
    except AppError:
        return None  # A's row says why


def offer(opened: Workspace, info: DocumentInfo, settings: ChunkSettings, letter: str, sentences: int) -> None:
    """Say that sentences have to be compared, and offer to do it for this document or for all."""
    model, said = session.current().model, nodes_of(settings)
    whole = resources.cost(settings, model).uncompared
    with st.container(border=True):
        st.markdown(
            f"**{f'{letter}: {said}' if letter else said.capitalize()}.** Nodes end where neighbouring sentences are least alike. To find out, "
            "every sentence is embedded once; this is kept, and other limits then need nothing more."
        )
        for job in jobs.finished(_COMPARE)[:1]:
            jobs.outcome(job)
        if jobs.running(_COMPARE):
            jobs.here(_COMPARE, letter)
            return
        with st.container(horizontal=True):
            label = f"Compare {counted(sentences, 'sentence')} · about {about(sentences / embed.texts_per_second())}"
            if st.button(label, key=f"compare-{letter}", type="primary", icon=":material/play_arrow:"):
                _compare(opened, [info.id], settings, f"Comparing the sentences of {info.name}")
            every = [one.id for one in opened.documents()]
            took = about(whole / embed.texts_per_second())
            if whole > sentences and st.button(
                f"For all {counted(len(every), 'document')} · {counted(whole, 'sentence')} · about {took}",
                key=f"compare-all-{letter}",
            ):
                _compare(opened, every, settings, f"Comparing the sentences of {counted(len(every), 'document')}")


def _compare(opened: Workspace, doc_ids: list[str], settings: ChunkSettings, title: str) -> None:
    model = session.current().model

    def work(progress: Progress) -> None:
        opened.compare_sentences(doc_ids, settings, model, progress)

    registry.start(jobs.owner(), _COMPARE, title, work)
    st.rerun(scope="app")


# ── statistics ───────────────────────────────────────────────────────────────────────────────────


@st.fragment
def statistics(info: DocumentInfo) -> None:
    """The settings in hand, and A above them, as rows of numbers for the document in view."""
    opened, state = resources.current_workspace(), session.current()
    if info.characters > LONG and info.version not in state.counting:
        st.caption("This text is long: counting its tokens takes a while.")
        if not st.button("Count tokens", key="count-tokens", icon=":material/calculate:"):
            return
        state.counting.add(info.version)
    wanted = {"A": state.compared, "B": state.draft} if state.compared else {"B": state.draft}
    rows = {
        letter: row for letter, settings in wanted.items() if settings and (row := _row(opened, info, settings, letter))
    }
    if rows:
        _draw(rows)


def _row(opened: Workspace, info: DocumentInfo, settings: ChunkSettings, letter: str) -> Measured | None:
    """A row, or None where the viewer's place or this one says why there is none."""
    state = session.current()
    with errors.shown():
        sentences = waits(opened, info, settings)
        if not sentences:
            with st.spinner("Counting tokens …", show_time=False):
                return measured(opened, info.id, settings, state.model, state.window)
        if letter == "A":
            offer(opened, info, settings, letter, sentences)
    return None


def _draw(rows: dict[str, Measured]) -> None:
    window = session.current().window
    if len(rows) == 2:
        st.markdown(f"**{statistics_table.verdict(rows['A'], rows['B'], window)}**")
    st.html(statistics_table.table(rows, window))
    st.html(
        '<div class="cs-both">'
        + statistics_table.bars("Nodes by their tokens", {k: row.found.node_tokens for k, row in rows.items()})
        + statistics_table.bars(
            f"Windows ±{window} by their tokens", {k: row.found.window_tokens for k, row in rows.items()}
        )
        + "</div>"
    )
