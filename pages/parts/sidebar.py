"""What stands on every page: workspace and index, the filter in words, the draft and what building it would take."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import embed, home, workspace
from core.errors import AppError
from core.jobs import jobs as registry
from core.settings import ChunkSettings
from core.types import Index, Progress
from core.workspace import Cost, Workspace
from pages.parts import context, draft, errors, filters, jobs, resources, review, session
from pages.parts.text import counted, literal, shortened

_BYTES_OF_A_NODE = 180
"""What a node takes on disk beside its vector, about."""


def draw() -> Callable[[], None]:
    """Draw the sidebar below the navigation; what is returned draws the rest, once the page stands.

    What building the draft takes is worked out from all documents: a hand on a slider must not wait for it.
    """
    with st.sidebar:
        opened = resources.current_workspace()
        jobs.use_what_was_built()
        _workspace(opened)
        index = resources.current_index()
        if index:
            _index(opened, index)
        _filter(opened, index)
        place = _draft(opened)
        if review.waiting():
            st.page_link("documents.py", label="A drop waits for your decision", icon=":material/rule:")
        jobs.panel()

    def rest() -> None:
        if place:
            with place:
                _build(opened)

    return rest


def _workspace(opened: Workspace) -> None:
    name = Path(opened.location).stem
    with st.popover(
        literal(shortened(name, 30)), icon=":material/database:", width="stretch", help=literal(opened.location)
    ):
        switcher()

    if home.is_temporary() and Path(opened.location).is_relative_to(home.folder()):
        st.caption(
            f":material/warning: Your data folder cannot be written, so this workspace lies in {literal(opened.location)} and may vanish."
        )


def switcher() -> None:
    """Open another workspace, or make a new one."""
    current = Path(session.current().workspace).resolve()
    known = [path for path in {home.sample(): 0, **dict.fromkeys(home.known(), 0)} if path.resolve() != current]
    st.caption("Open")
    for path in known:
        label = "sample" if path == home.sample() else path.stem
        st.button(
            literal(label),
            key=f"open-{path}",
            on_click=_open,
            args=(path,),
            type="tertiary",
            icon=":material/folder_open:",
        )
    other = st.text_input("A workspace file elsewhere", key="open-path", placeholder="/path/to/workspace.duckdb")
    if other and st.button("Open the file", key="open-other"):
        _try_open(Path(other).expanduser(), must_exist=True)
    st.divider()
    fresh = st.text_input("New workspace", key="new-name", placeholder="contracts-2026")
    if st.button("Create", key="new-create", type="primary", disabled=not fresh):
        with errors.shown():
            path = home.named(fresh)
            if path.exists():
                st.warning("There is one of that name already: open it above.", icon=":material/info:")
            else:
                _try_open(path)


def _open(path: Path) -> None:
    home.remember(path)
    session.current().switch_workspace(str(path))


def _try_open(path: Path, *, must_exist: bool = False) -> None:
    with errors.shown():
        if must_exist and not path.is_file():
            st.warning("That is no file." if path.exists() else "There is no such file.", icon=":material/info:")
            return
        workspace.open(path)
        home.remember(path)
        session.current().switch_workspace(str(path))
        st.rerun()


def _index(opened: Workspace, index: Index) -> None:
    every = opened.indexes()
    if len(every) > 1:
        names = {i.id: f"{i.name} · {counted(i.nodes, 'node')}" for i in every}
        session.current().index = index.id
        st.selectbox(
            "Index in use", list(names), format_func=lambda i: names.get(i, i), **session.bound("index", _follow)
        )
    else:
        st.caption(f"{literal(index.name)} · {counted(index.nodes, 'node')} · {literal(index.model.name)}")
    missing = len(opened.documents()) - index.documents
    if missing:
        st.caption(f":material/warning: {counted(missing, 'document')} not in this index")
        if jobs.running("build") or jobs.running("add"):
            return
        context.warn(index.settings)
        new = resources.cost(index.settings, index.model.name).new
        if st.button(
            f"Complete it · {new:,} new vectors", key="complete-index", help="Chunk and embed the documents it lacks"
        ):
            start_build(opened, index.settings, index.model.name)
            st.rerun()


def _follow() -> None:
    """Let the draft follow the index that was chosen."""
    state = session.current()
    state.use(resources.current_workspace().index(state.index))


def _filter(opened: Workspace, index: Index | None) -> None:
    state = session.current()
    if state.question:
        st.caption(f":material/search: {literal(shortened(state.question, 90))}")
    if not index or not (filters.parts(state.filter) or state.where.strip()):
        return
    try:
        matching, total = opened.count(state.filter, index.id, state.where)
    except AppError:
        return  # the page that draws the filter says why
    words = [filters.words(state.filter, opened)] if filters.parts(state.filter) else []
    said = literal(shortened(" and ".join([*words, *([state.where.strip()] if state.where.strip() else [])]), 120))
    st.caption(f":material/filter_alt: {said} · **{matching:,}** of {counted(total, 'node')}")


def _draft(opened: Workspace) -> DeltaGenerator | None:
    """The draft's controls; what building it takes comes later, into the place that is returned."""
    if not opened.documents():
        return None
    with st.container(border=True, gap="xsmall"):
        draft.controls(opened)
        return st.container(key="build")


def _build(opened: Workspace) -> None:
    state = session.current()
    if jobs.running("build") or jobs.running("add"):
        return
    with errors.shown():
        found = opened.index_of(state.draft, state.model)
        cost = resources.cost(state.draft, state.model)
        if found and not cost.documents:
            in_use = resources.current_index()
            if in_use and in_use.id == found.id:
                st.caption(f":material/check: This index is built and in use: {counted(found.nodes, 'node')}.")
            else:
                st.button(
                    "Use this index", key="use-draft", on_click=_use, args=(found.id,), type="primary", width="stretch"
                )
            return
        # A callback: the page is drawn before this row, and a press would be lost if the hand goes on meanwhile.
        st.button(
            _build_label(cost), key="build-draft", type="primary", width="stretch",
            help="Embeds only texts that no index of this model holds yet.",
            on_click=start_build, args=(opened, state.draft, state.model),
        )  # fmt: skip
        st.caption(_takes(cost, opened.encoders(state.model).info.dim))


def _build_label(cost: Cost) -> str:
    """``Build this index · 41 new of 612 · about 3 s``; how long a writing model takes nobody knows."""
    line = session.current().draft.context
    if line and line.writer:
        return f"Write and build · {cost.new:,} new of {cost.nodes:,}"
    seconds = (cost.new + cost.uncompared) / embed.texts_per_second()
    took = f" · about {seconds:,.0f} s" if seconds >= 1 else " · 1 s" if seconds else ""
    new = "" if cost.uncompared else f" · {cost.new:,} new of {cost.nodes:,}"
    return f"Build this index{new}{took}"


def _takes(cost: Cost, dim: int) -> str:
    """What the index takes on disk, and what must be done before its nodes are known."""
    if cost.uncompared:
        return f"Compares {counted(cost.uncompared, 'sentence')} first; then the nodes are known."
    size = cost.nodes * (4 * dim + _BYTES_OF_A_NODE) / 1e6
    return f"{counted(cost.nodes, 'node')} · about {max(size, 0.1):,.1f} MB on disk"


def _use(index_id: str) -> None:
    session.current().index = index_id


def start_build(opened: Workspace, settings: ChunkSettings, model: str) -> None:
    """Build an index as a job."""

    def work(progress: Progress) -> object:
        return opened.build(settings, model, progress)

    session.current().building = registry.start(jobs.owner(), "build", f"Building {settings.name}", work).id


def age(moment: datetime) -> str:
    """How long ago: ``3 min ago``, ``2 h ago``, ``5 days ago``."""
    seconds = (datetime.now(UTC).replace(tzinfo=None) - moment).total_seconds()
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit} ago"
    return "just now"


def sample_note() -> bool:
    """Whether this is the sample workspace."""
    return Path(session.current().workspace).resolve() == home.sample().resolve()
