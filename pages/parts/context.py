"""The context line of the draft: off, put together from what is known, or written by a language model."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from core.settings import PROMPT, ChunkSettings
from core.workspace import Workspace
from pages.parts import resources, session
from pages.parts.text import counted, literal

KINDS = {"off": "Off", "known": "From what is known", "written": "Written by a model"}
_SHORT = {"off": "", "known": ": on", "written": ": written"}


def editor(opened: Workspace) -> None:
    """What is embedded before each node, and what it costs to have it written."""
    state = session.current()
    with st.expander(f"Context line{_SHORT[state.context_kind]}", key="context-line", icon=":material/short_text:"):
        st.radio(
            "Context line", list(KINDS), format_func=lambda kind: KINDS[kind], label_visibility="collapsed",
            help="A line that the model reads before each node: “title › headings › field: value”. It is no part of the text.",
            **session.bound("context_kind", state.tell),
        )  # fmt: skip
        if state.context_kind == "known":
            _known(opened)
        elif state.context_kind == "written":
            _written()
        if state.context_error:
            st.caption(f":material/warning: {literal(state.context_error)}")


def warn(settings: ChunkSettings) -> None:
    """Say where text goes if documents are added to an index whose context lines a model writes."""
    if settings.context and settings.context.writer:
        host = literal(urlsplit(settings.context.base_url).netloc)
        st.caption(
            f":material/outgoing_mail: In this index a model writes the context lines: the text is sent to **{host}**."
        )


def _known(opened: Workspace) -> None:
    state = session.current()
    names = [spec.name for spec in opened.fields()]
    state.context_parts = [part for part in state.context_parts if part in ("title", "headings") or part[6:] in names]
    st.multiselect(
        "Parts, in order", ["title", "headings", *(f"field:{name}" for name in names)],
        format_func=lambda part: part.removeprefix("field:"), **session.bound("context_parts", state.tell),
    )  # fmt: skip
    st.caption("Editing a field that is told here makes its documents wait to be embedded again.")


def _written() -> None:
    state = session.current()
    st.text_input("Model", placeholder="llama3.2", **session.bound("context_writer", state.tell))
    st.text_input(
        "Address", placeholder="http://localhost:11434/v1",
        help="Any endpoint that speaks OpenAI's protocol. The key is taken from CHUNKSCOPE_API_KEY; for OpenAI itself also from OPENAI_API_KEY. It is never stored.",
        **session.bound("context_url", state.tell),
    )  # fmt: skip
    st.text_area(
        "Prompt",
        height=200,
        help="{document}, {chunk} and {title} are filled in.",
        **session.bound("context_prompt", state.tell),
    )
    if state.context_prompt != PROMPT:
        st.button("Use the usual prompt", key="context-prompt-reset", type="tertiary", on_click=state.usual_prompt)
    if state.draft.context:
        cost = resources.writing_cost(state.draft, state.model)
        host = literal(urlsplit(state.draft.context.base_url).netloc)
        if cost.requests:
            tokens = f"about {cost.prompt_tokens:,} tokens in, {cost.answer_tokens:,} out (characters ÷ 4)"
            st.caption(f"Building sends {counted(cost.requests, 'request')} with your text to **{host}**: {tokens}.")
        else:
            st.caption(f"All lines are written: nothing is sent to {host}.")
