"""Workspace, indexes and model."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core import embed, sample
from core.jobs import jobs as registry
from core.prefixes import LONGEST, Prefixes
from core.settings import Engine, SplitSettings
from core.types import Progress
from core.workspace import Workspace
from pages.parts import errors, jobs, resources, session, sidebar
from pages.parts.text import counted, literal

_SPLITTERS = {Engine.PUNKT: "NLTK Punkt, by language", Engine.NUPUNKT: "nupunkt, for English"}


def workspace_section(opened: Workspace) -> None:
    st.markdown("##### Workspace")
    path = Path(opened.location)
    size = sum(file.stat().st_size for file in (path, path.with_name(path.name + ".wal")) if file.exists()) / 1e6
    st.markdown(f"{literal(opened.location)} · {size:,.1f} MB · {counted(len(opened.documents()), 'document')}")
    st.caption("The button with the workspace's name in the sidebar opens another one, or makes a new one.")
    with st.container(horizontal=True):
        if sample.is_in(opened):
            with st.popover("Remove the sample", icon=":material/delete_sweep:"):
                st.markdown(
                    "Takes the sample's documents and questions out of this workspace. Your own documents stay."
                )
                if st.button("Remove", key="remove-sample", type="primary"):
                    with errors.shown():
                        st.toast(f"{sample.remove(opened)} sample documents removed.")
                        session.current().switch_workspace(opened.location)
                        st.rerun()
        elif st.button(
            "Put the sample in",
            key="fill-sample",
            icon=":material/library_add:",
            disabled=bool(opened.documents()),
            help="Only into an empty workspace.",
        ):
            with st.spinner("Reading the sample …"):
                sample.fill(opened)
            st.rerun()
        with st.popover("Reset", icon=":material/restart_alt:"):
            st.markdown(
                "Takes **everything** out of this workspace: documents, indexes, questions. This cannot be undone."
            )
            typed = st.text_input(f"Type {literal(path.stem)} to go on", key="reset-typed")
            if st.button("Reset", key="reset", type="primary", disabled=typed != path.stem):
                with errors.shown():
                    opened.reset()
                    session.current().switch_workspace(opened.location)
                    st.rerun()


def index_section(opened: Workspace) -> None:
    st.markdown("##### Indexes")
    every, in_use = opened.indexes(), resources.current_index()
    documents = len(opened.documents())
    if not every:
        st.caption("None yet: adding documents builds the first.")
    for index in every:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            mark = " · **in use**" if in_use and in_use.id == index.id else ""
            megabytes = index.nodes * index.model.dim * 4 / 1e6
            st.markdown(
                f"**{literal(index.name)}**{mark}  \n{counted(index.nodes, 'node')} of {index.documents} / {documents} documents · "
                f"{literal(index.model.name)} · {megabytes:,.1f} MB of vectors · built {sidebar.age(index.created_at)}",
                width="stretch",
            )
            if not mark and st.button("Use", key=f"use-{index.id}"):
                session.current().use(index)
                st.rerun()
            with st.popover("Delete", icon=":material/delete:"):
                st.markdown("The documents stay; their vectors in this index go. Building it again embeds them anew.")
                if st.button("Delete the index", key=f"drop-{index.id}", type="primary"):
                    with errors.shown():
                        opened.drop_index(index.id)
                        st.rerun()


def model_section() -> None:
    st.markdown("##### Embedding model")
    state = session.current()
    st.markdown(
        f"New indexes are built with **{literal(state.model)}**: build one on any page to use it. "
        "Every index keeps the model it was built with."
    )
    with st.form("model", border=False):
        name = st.text_input(
            "A local folder, or the name of a model on the hub (fetched when you apply it)", value=state.model, key="model-name",
            help=f"{embed.BUNDLED} is bundled and works offline; it reads English, 256 word pieces at most.",
        )  # fmt: skip
        if st.form_submit_button("Apply") and name.strip() != state.model:
            with errors.shown(), st.spinner("Loading the model …"):
                embed.encoder(name.strip())
                state.model = name.strip()
                st.rerun()
    with errors.shown():
        _prefixes(state.model)


def _prefixes(model: str) -> None:
    """Words that some models want before questions and passages: with others the model's vectors are other ones."""
    now = embed.prefixes_of(model)
    said = f"before questions “{literal(now.query)}”, before passages “{literal(now.passage)}”"
    st.caption(
        f"The model reads {said}." if now != Prefixes() else "The model reads texts as they are, without a prefix."
    )
    with st.popover("Change the prefixes", icon=":material/format_quote:"), st.form("prefixes", border=False):
        st.caption(
            "E5, BGE and other models want a word before questions and passages; it is embedded, never stored or shown "
            "as text. Other prefixes make another index: the documents are embedded again when you build it."
        )
        query = st.text_input("Before a question", value=now.query, key=f"prefix-query-{model}", max_chars=LONGEST)
        passage = st.text_input("Before a passage", value=now.passage, key=f"prefix-passage-{model}", max_chars=LONGEST)
        if st.form_submit_button("Use these"):
            session.current().model = embed.with_prefixes(model, Prefixes(query, passage))
            st.rerun()


def sentence_section(opened: Workspace) -> None:
    st.markdown("##### Sentences")
    now = opened.split_settings()
    st.caption(
        "How texts are cut into sentences in this workspace. Parameters for each language are installed with the app; "
        "nothing is downloaded. A change cuts every document again; only texts never seen before are embedded."
    )
    with st.form("split", border=False):
        engines = list(Engine)
        engine = st.segmented_control(
            "Splitter", engines, default=now.engine, format_func=lambda e: _SPLITTERS[e],
            key=f"split-engine-{now.engine}",
        )  # fmt: skip
        typed = st.text_area(
            "Abbreviations that end no sentence, without their last stop, separated by spaces or commas",
            value=" ".join(now.abbreviations), height=140, key=f"split-abbreviations-{hash(now.abbreviations)}",
        )  # fmt: skip
        with st.container(horizontal=True):
            if st.form_submit_button("Cut again", icon=":material/content_cut:"):
                _cut_again(opened, engine or now.engine, typed)
            if st.form_submit_button("As it came", type="tertiary"):
                _cut_again(opened, SplitSettings().engine, " ".join(SplitSettings().abbreviations))


def _cut_again(opened: Workspace, engine: Engine, typed: str) -> None:
    with errors.shown():
        settings = SplitSettings(engine, tuple(dict.fromkeys(typed.replace(",", " ").split())))
        if settings == opened.split_settings():
            st.caption("Nothing has changed.")
            return

        def work(progress: Progress) -> object:
            return opened.resplit(settings, progress)

        registry.start(jobs.owner(), "split", "Cutting documents into sentences", work)
        st.rerun()


def main() -> None:
    st.title("Settings")
    opened = resources.current_workspace()
    workspace_section(opened)
    index_section(opened)
    model_section()
    sentence_section(opened)
    for kind in ("build", "map", "split"):
        for ended in jobs.finished(kind)[:1]:
            jobs.outcome(ended)


main()
