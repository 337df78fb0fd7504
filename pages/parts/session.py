"""The one typed object in ``st.session_state``. It holds the truth; widgets only show and change it.

Streamlit forgets a widget's value when its page is left, so every widget is bound to an attribute here: its state is
set from the attribute before it is drawn, and copied back when the user changes it.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import streamlit as st

from core import embed, home
from core.errors import AppError, InvalidSetting
from core.evaluate.gold import Question
from core.evaluate.run import Report
from core.explain import Comparison
from core.filters import EVERYTHING, Filter, from_text, to_json
from core.settings import (
    MAX_NODE_SIZE,
    MAX_WINDOW,
    PROMPT,
    ChunkSettings,
    ContextSettings,
    SearchSettings,
)
from core.types import Index, Node
from core.workspace import EVALUATED_WINDOWS, Edited, Removed
from pages.parts.findings import Decisions
from pages.parts.narrowing import Listing
from pages.parts.schema_edit import SchemaEdit

_KEY = "chunkscope"


@dataclass(slots=True)
class Evaluation:
    """A finished evaluation with what it was made with, so that a change of setting shows it to be old."""

    index: str
    version: int
    questions: list[Question]
    gold: str
    k: int
    filtered: bool
    reports: list[Report]


@dataclass(slots=True)
class Session:
    """One browser tab's choices."""

    workspace: str
    index: str | None = None
    model: str = embed.BUNDLED
    draft: ChunkSettings = field(default_factory=ChunkSettings)
    window: int = 2
    k: int = 5
    max_distance: float = 2.0
    document: str | None = None
    node: int = 0
    pinned: list[int] = field(default_factory=list)
    compared: ChunkSettings | None = None
    open_document: str | None = None
    document_view: str | None = "Text"
    block: int = 0
    turned: tuple[str, int] | None = None
    place: tuple[str, ChunkSettings] | None = None
    boundary_marks: bool = False
    viewer_seq: int = 0
    question: str = ""
    filter: Filter = EVERYTHING
    comparison: Comparison | None = None
    map_node: str | None = None
    gold: str = ""
    gold_filtered: bool = True
    gold_question: str = ""
    evaluation: Evaluation | None = None
    edits: list[tuple[str, Edited | tuple[Removed, ...]]] = field(default_factory=list)
    listing: Listing = field(default_factory=Listing)
    dialog: str = ""
    schema: SchemaEdit = field(default_factory=SchemaEdit)
    linting: Decisions = field(default_factory=Decisions)
    building: str | None = None
    evaluating: str | None = None
    seen_jobs: set[str] = field(default_factory=set)
    tour_done: bool = False
    overlap_cut: bool = False
    context_kind: str = "off"
    context_parts: list[str] = field(default_factory=lambda: ["title", "headings"])
    context_writer: str = ""
    context_url: str = ""
    context_prompt: str = PROMPT
    context_error: str = ""

    # The draft's numbers, each changing the others where they no longer fit.

    @property
    def size(self) -> int:
        return self.draft.size

    @size.setter
    def size(self, size: int) -> None:
        overlap = min(self.draft.overlap, size - 1)
        cut = overlap < self.draft.overlap
        self._redraft(replace(self.draft, size=size, overlap=overlap))
        self.overlap_cut = cut

    @property
    def overlap(self) -> int:
        return self.draft.overlap

    @overlap.setter
    def overlap(self, overlap: int) -> None:
        self._redraft(replace(self.draft, overlap=overlap))

    def _redraft(self, draft: ChunkSettings) -> None:
        """Take other nodes; the viewer stays at the same place in the text (see ``stay``)."""
        self.draft = draft
        self.overlap_cut = False

    def tell(self) -> None:
        """Take the context line that was chosen into the draft; one that is not complete yet is none."""
        self.context_error = ""
        try:
            self.draft = replace(self.draft, context=self._context())
        except InvalidSetting as error:
            self.draft = replace(self.draft, context=None)
            unfinished = self.context_kind == "written" and not (self.context_writer and self.context_url)
            self.context_error = "" if unfinished else str(error)

    def _context(self) -> ContextSettings | None:
        match self.context_kind:
            case "known":
                fields = tuple(part.removeprefix("field:") for part in self.context_parts if part.startswith("field:"))
                return ContextSettings("title" in self.context_parts, "headings" in self.context_parts, fields)
            case "written":
                return ContextSettings(
                    writer=self.context_writer, prompt=self.context_prompt, base_url=self.context_url
                )
        return None

    def usual_prompt(self) -> None:
        """Ask the model what is usually asked."""
        self.context_prompt = PROMPT
        self.tell()

    def _follow_context(self, line: ContextSettings | None) -> None:
        """Show the context line of settings that were chosen elsewhere."""
        self.context_kind = "off" if line is None else "written" if line.writer else "known"
        if line and line.writer:
            self.context_writer, self.context_url, self.context_prompt = line.writer, line.base_url, line.prompt
        elif line:
            told = [name for name in ("title", "headings") if getattr(line, name)]
            self.context_parts = [*told, *(f"field:{name}" for name in line.fields)]

    def stay(self, document: str, settings: ChunkSettings, nodes: Callable[[ChunkSettings], Sequence[Node]]) -> None:
        """Keep the node in hand; after a change of ``settings``, take the one that begins at its place or holds it.

        ``nodes`` gives the document's nodes: it is called after such a change alone, since a long text takes its time.
        """
        if self.place and self.place != (document, settings):
            self.pinned = []
            if self.place[0] == document and (before := nodes(self.place[1])):
                start, now = before[min(self.node, len(before) - 1)].start, nodes(settings)
                at = max(0, bisect_right([node.start for node in now], start) - 1)
                self.node = now[at].ordinal if now else 0
        self.place = (document, settings)

    def open(self, document: str | None) -> None:
        """Show a document on the Documents page, from its beginning; None closes it."""
        self.open_document, self.block, self.turned = document, 0, None

    def turn_to(self, document: str, block: int) -> None:
        """Show a block of a document, once for each choice of it."""
        if self.turned != (document, block):
            self.turned, self.block = (document, block), block

    @property
    def embed_around(self) -> int:
        return self.draft.embed_around

    @embed_around.setter
    def embed_around(self, sentences: int) -> None:
        self.draft = replace(self.draft, embed_around=sentences)

    @property
    def measured_window(self) -> int:
        """The window among those that an evaluation measures that is nearest to the one in use."""
        return min(self.window, EVALUATED_WINDOWS[-1])

    @measured_window.setter
    def measured_window(self, window: int) -> None:
        self.window = window

    @property
    def search_settings(self) -> SearchSettings:
        limit = None if self.max_distance >= 2 else self.max_distance
        return SearchSettings(self.k, self.window, limit, self.boundary_marks)

    def use(self, index: Index) -> None:
        """Work with an index; the draft begins where it is."""
        self.index = index.id
        self._redraft(index.settings)
        self._follow_context(index.settings.context)

    def show(self, dialog: str) -> None:
        """Open a dialog of the page by name; "" closes it."""
        self.dialog = dialog

    def open_node(self, document: str, ordinal: int) -> None:
        """Show a node in its text."""
        self.document, self.node, self.place, self.pinned = document, ordinal, None, []

    def switch_workspace(self, path: str) -> None:
        """Work on another workspace; what belonged to the old one is forgotten."""
        fresh = Session(path, window=self.window, k=self.k, tour_done=self.tour_done)
        st.session_state[_KEY] = fresh


def current() -> Session:
    """This tab's session; a new tab begins with what its address says."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = _from_address(Session(str(home.default())))
    found: Session = st.session_state[_KEY]
    return found


def bound(name: str, then: Callable[[], None] | None = None) -> dict[str, Any]:
    """``key`` and ``on_change`` for a widget that shows and changes the session's attribute ``name``."""
    key = f"bound-{name}"
    st.session_state[key] = getattr(current(), name)

    def take() -> None:
        setattr(current(), name, st.session_state[key])
        if then:
            then()

    return {"key": key, "on_change": take}


def tied(key: str, value: object, take: Callable[[Any], None]) -> dict[str, Any]:
    """``key`` and ``on_change`` for a widget that shows ``value`` and hands what the user makes of it to ``take``."""
    st.session_state[key] = value
    return {"key": key, "on_change": lambda: take(st.session_state[key])}


def begun(key: str, value: object) -> str:
    """The ``key`` of a widget that begins with ``value`` and, having no default, can be emptied by the user."""
    if key not in st.session_state:
        st.session_state[key] = value
    return key


def widget(key: str) -> Any:
    """The state of a widget that is not bound to an attribute, or None before it is first drawn."""
    return st.session_state.get(key)


# ── the address ──────────────────────────────────────────────────────────────────────────────────


_LONGEST = 4000


def to_address() -> dict[str, str]:
    """What a link should bring back, by the names of the address; an empty text for what need not be said."""
    session = current()
    path = Path(session.workspace)
    filtered = json.dumps(to_json(session.filter), ensure_ascii=False, separators=(",", ":"))
    return {
        "ws": path.stem if path.parent == home.folder() else "",
        "index": session.index or "",
        "doc": session.document or "",
        "node": str(session.node or ""),
        "window": str(session.window),
        "k": str(session.k),
        "nodes": "-".join(map(str, (session.size, session.overlap, session.embed_around))),
        "context": told if session.draft.context and len(told := session.draft.to_json()) < _LONGEST else "",
        "q": session.question[:500],
        "filter": filtered if session.filter != EVERYTHING and len(filtered) < _LONGEST else "",
        "max": f"{session.max_distance:.2f}" if session.max_distance < 2 else "",
    }


def _from_address(session: Session) -> Session:
    """What the address asks for; what it gets wrong is ignored."""
    said = st.query_params
    for name, low, high in (("window", 0, MAX_WINDOW), ("k", 1, 20), ("node", 0, 10**9)):
        value = said.get(name, "")
        if value.isdecimal() and len(value) < 12 and low <= int(value) <= high:
            setattr(session, name, int(value))
    with suppress(KeyError, ValueError, TypeError, AppError):
        size, overlap, around = (int(part) for part in said["nodes"].split("-"))
        draft = ChunkSettings(size, overlap, around)
        if max(draft.size, draft.embed_around) <= MAX_NODE_SIZE:
            session.draft = draft
    with suppress(AppError):
        if said.get("context"):
            session.draft = replace(session.draft, context=ChunkSettings.from_json(said["context"]).context)
            session._follow_context(session.draft.context)
    with suppress(AppError):
        if (named := home.named(said.get("ws", ""))).is_file():
            session.workspace = str(named)
    with suppress(AppError):
        session.filter = from_text(said.get("filter", "")) if said.get("filter") else EVERYTHING
    with suppress(ValueError):
        limit = float(said.get("max", "2"))
        session.max_distance = limit if 0 <= limit <= 2 else 2.0
    session.index, session.document = said.get("index") or None, said.get("doc") or None
    session.question = said.get("q", "")
    return session
