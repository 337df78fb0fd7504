"""The one typed object in ``st.session_state``. It holds the truth; widgets only show and change it.

Streamlit forgets a widget's value when its page is left, so every widget is bound to an attribute here: its state is
set from the attribute before it is drawn, and copied back when the user changes it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from core import chunk, embed, home
from core.boosts import Boost
from core.comparison import Comparison
from core.errors import InvalidSetting
from core.evaluate.gold import Question
from core.evaluate.run import Report
from core.filters import EVERYTHING, Filter
from core.named_filter import NamedFilter
from core.saved import SavedSearch
from core.settings import (
    MOST_SENTENCES,
    PROMPT,
    ChunkSettings,
    ContextSettings,
    SearchSettings,
    Strategy,
    Unit,
)
from core.types import Index, Node
from core.workspace import EVALUATED_WINDOWS, Edited, Removed
from pages.parts import drafting, link
from pages.parts.filter_draft import Building
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
    filtering: Building = field(default_factory=Building)
    min_score: float | None = None
    by_score: bool = False
    boosts: tuple[Boost, ...] = ()
    where: str = ""
    deleted_filter: NamedFilter | None = None
    comparison: Comparison | None = None
    merged: bool = False
    deleted_search: SavedSearch | None = None
    map_node: str | None = None
    asked_about: tuple[str, int, ChunkSettings] | None = None
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
    drafts: dict[Strategy, ChunkSettings] = field(default_factory=dict)
    share: float = 0.0
    unit_before: tuple[ChunkSettings, ChunkSettings] | None = None
    reach: drafting.Reach | None = None
    shapes: dict[str, object] = field(default_factory=dict)
    overlap_in_units: bool = False
    preset: str = ""
    deleted_preset: chunk.Preset | None = None
    counting: set[str] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)

    # The draft's numbers, each changing the others where they no longer fit.

    @property
    def size(self) -> int:
        return self.draft.size

    @size.setter
    def size(self, size: int) -> None:
        """Sentences that no longer fit are cut off the overlap; of other nodes it stays the same share."""
        if self.draft.strategy is not Strategy.SENTENCE_WINDOW:
            self.share = drafting.share_of(self.draft, self.share)
            self._redraft(drafting.sized(self.draft, size, self.share))
            return
        size = max(1, min(size, MOST_SENTENCES))
        overlap = min(self.draft.overlap, size - 1)
        cut = overlap < self.draft.overlap
        self._redraft(replace(self.draft, size=size, overlap=overlap))
        self.overlap_cut = cut

    @property
    def overlap(self) -> int:
        return self.draft.overlap

    @overlap.setter
    def overlap(self, overlap: int) -> None:
        self._redraft(drafting.overlapping(self.draft, overlap))

    @property
    def overlap_percent(self) -> int:
        return drafting.percent(self.draft)

    @overlap_percent.setter
    def overlap_percent(self, percent: int) -> None:
        self.share = percent / 100
        self._redraft(drafting.overlapping(self.draft, drafting.shared(self.draft.size, self.share)))

    @property
    def percentile(self) -> int:
        return self.draft.percentile

    @percentile.setter
    def percentile(self, percentile: int) -> None:
        self._redraft(replace(self.draft, percentile=max(1, min(percentile, 99))))

    @property
    def minimum(self) -> int:
        return self.draft.minimum

    @minimum.setter
    def minimum(self, minimum: int) -> None:
        self._redraft(drafting.at_least(self.draft, minimum))

    @property
    def unit(self) -> Unit:
        return self.draft.unit

    @unit.setter
    def unit(self, unit: Unit | None) -> None:
        """Count in another unit; going back to one brings back what was set in it, if nothing was changed since."""
        if unit is None:
            return
        first, now = self.unit_before or (self.draft, self.draft)
        first = first if now == self.draft else self.draft
        self._redraft_otherwise(drafting.counted_in(first, unit))
        self.unit_before = (first, self.draft)

    @property
    def strategy(self) -> Strategy:
        return self.draft.strategy

    @strategy.setter
    def strategy(self, strategy: Strategy) -> None:
        """Take what was set for a strategy before, or what is usual with it; the context line stays."""
        self._redraft_otherwise(
            replace(self.drafts.get(strategy, chunk.DEFAULTS[strategy]), context=self.draft.context)
        )

    def take(self, preset: chunk.Preset) -> None:
        """Work with a preset's settings and window."""
        self.preset, self.window = preset.name, preset.window
        self._redraft_otherwise(preset.settings)
        self.follow_context(preset.settings.context)

    def _redraft(self, draft: ChunkSettings) -> None:
        """Take other nodes; the viewer stays at the same place in the text (see ``stay``)."""
        self.draft = draft
        self.overlap_cut = False

    def _redraft_otherwise(self, draft: ChunkSettings) -> None:
        """Take nodes of another kind; what was set for a strategy is kept for when it is chosen again."""
        self.drafts[self.draft.strategy] = self.draft
        self.reach = None
        self._redraft(draft)

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

    def follow_context(self, line: ContextSettings | None) -> None:
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
        self.draft = replace(self.draft, embed_around=max(0, min(sentences, MOST_SENTENCES)))

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
        return SearchSettings(self.k, self.window, limit, self.boundary_marks, self.min_score, self.boosts, self.where)

    @property
    def limit(self) -> float | None:
        """The furthest cosine distance that a hit may have; None is no limit."""
        least = self.search_settings.least_cosine
        return None if least is None else round(1 - least, 4)

    def limit_to(self, distance: float | None) -> None:
        """Set the one limit there is, told as it is read: a distance at most, or a score at least; None takes it away."""
        self.max_distance, self.min_score = 2.0, None
        if distance is not None and distance < 2:
            if self.by_score:
                self.min_score = round(1 - distance, 4)
            else:
                self.max_distance = round(distance, 4)

    def read_limit(self, *, by_score: bool) -> None:
        """Read the limit as a distance or as a score; it stays where it is."""
        limit, self.by_score = self.limit, by_score
        self.limit_to(limit)

    def one_limit(self) -> None:
        """Where both a distance and a score limit the hits, keep the stricter one."""
        self.by_score = self.min_score is not None and self.min_score == self.search_settings.least_cosine
        if self.by_score:
            self.max_distance = 2.0
        else:
            self.min_score = None

    def use(self, index: Index) -> None:
        """Work with an index; the draft begins where it is."""
        self.index = index.id
        self._redraft_otherwise(index.settings)
        self.follow_context(index.settings.context)

    def ask_as(self, question: str, filter: Filter, settings: SearchSettings) -> None:
        """Ask a question under a filter, with all the settings of a search."""
        self.question, self.filter = question, filter
        for name in ("k", "window", "boundary_marks", "min_score", "boosts", "where"):
            setattr(self, name, getattr(settings, name))
        self.max_distance = 2.0 if settings.max_distance is None else settings.max_distance
        self.one_limit()

    def ask_about(self, document: str, ordinal: int, settings: ChunkSettings) -> None:
        """Follow a node of some settings: what became of it is told until another is chosen."""
        self.asked_about = (document, ordinal, settings)

    def show(self, dialog: str) -> None:
        """Open a dialog of the page by name; "" closes it."""
        self.dialog = dialog

    def open_node(self, document: str, ordinal: int) -> None:
        """Show a node in its text."""
        self.document, self.node, self.place, self.pinned = document, ordinal, None, []

    def open_node_of(self, document: str, ordinal: int, settings: ChunkSettings) -> None:
        """Show the place where a node of other settings begins."""
        self.open_node(document, ordinal)
        self.place = (document, settings)

    def swap(self) -> None:
        """Take the settings that are compared with in hand, and those in hand to compare with."""
        if self.compared is not None:
            self.drafts[self.draft.strategy] = self.draft
            draft, self.compared = self.compared, self.draft
            self._redraft(draft)
            self.follow_context(draft.context)

    def switch_workspace(self, path: str) -> None:
        """Work on another workspace; what belonged to the old one is forgotten."""
        fresh = Session(path, window=self.window, k=self.k, tour_done=self.tour_done)
        st.session_state[_KEY] = fresh


def current() -> Session:
    """This tab's session; a new tab begins with what its address says."""
    if _KEY not in st.session_state:
        fresh = Session(str(home.default()))
        link.read(fresh, st.query_params)
        st.session_state[_KEY] = fresh
    found: Session = st.session_state[_KEY]
    return found


def bound(name: str, then: Callable[[], None] | None = None, shape: object = None) -> dict[str, Any]:
    """``key`` and ``on_change`` for a widget that shows and changes the session's attribute ``name``; see ``tied``."""

    def take(value: object) -> None:
        setattr(current(), name, value)
        if then:
            then()

    return tied(f"bound-{name}", getattr(current(), name), take, shape)


def tied(key: str, value: object, take: Callable[[Any], None], shape: object = None) -> dict[str, Any]:
    """``key`` and ``on_change`` for a widget that shows ``value`` and hands what the user makes of it to ``take``.

    Setting a widget takes it out of a hand that is still moving it. One that gives the ``shape`` by which Streamlit
    tells it from another under the same key (a slider's ends and step) is left alone where it shows the value already.
    """
    shapes = current().shapes
    if shape is None or shapes.get(key) != shape or st.session_state.get(key) != value:
        st.session_state[key] = value
    shapes[key] = shape
    return {"key": key, "on_change": lambda: take(st.session_state[key])}


def begun(key: str, value: object) -> str:
    """The ``key`` of a widget that begins with ``value`` and, having no default, can be emptied by the user."""
    if key not in st.session_state:
        st.session_state[key] = value
    return key


def put(key: str, value: object) -> None:
    """Set the state of a widget; in a callback, before the page is drawn."""
    st.session_state[key] = value


def widget(key: str) -> Any:
    """The state of a widget that is not bound to an attribute, or None before it is first drawn."""
    return st.session_state.get(key)
