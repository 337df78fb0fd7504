"""The facade every face uses: pages, HTTP and command line. The only place that chains the stages."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from threading import Lock, RLock

import numpy as np
from numpy.typing import NDArray

from core import chunk, context, embed, explain, home, ingest, languages, metadata, project, read, rules, split
from core.comparison import Comparison
from core.context.endpoint import OpenAIWriter, key_from
from core.context.written import Estimate, Writer
from core.enrich import EnrichSettings
from core.enriching import Enricher
from core.errors import InvalidRequest, ModelMismatch, NotFound
from core.evaluate import gold, run
from core.excerpts import Excerpt, merged
from core.explain import Explained
from core.filters import EVERYTHING, Filter
from core.indexing import Indexed, Indexer, Ready, Waiting, estimate, nodes, prepare
from core.ingest import BATCH, Change, FileResult, Planner, Reader, Split, Status, Upload, result_of
from core.metadata import Fix, Report, SetType, apply, distinct_key
from core.powers import ModelPowers
from core.progress import Part
from core.read.isolated import IsolatedReader
from core.remembered import Remembered
from core.rules import Rules
from core.settings import (
    MAX_QUESTION,
    ChunkSettings,
    ContextSettings,
    ReadSettings,
    SearchSettings,
    SplitSettings,
    Strategy,
)
from core.smallest import Smallest
from core.store.base import (
    Cell,
    Cells,
    Distances,
    EmbeddedNodes,
    Found,
    NodeKeys,
    Passage,
    Record,
    Snapshot,
    Store,
    StoredGold,
    StoredMap,
    Unread,
    values,
)
from core.store.duckdb import DuckStore
from core.types import (
    DocumentInfo,
    Encoder,
    FieldSpec,
    Hit,
    Index,
    Metadata,
    ModelInfo,
    Node,
    Progress,
    SearchRequest,
    SearchResult,
    Span,
    Vectors,
    no_progress,
)

_SPLITTING = "split"
_STRICT = "strict metadata"
_ENRICHING = "computed fields"
_MUCH_UNKNOWN = 0.05
EVALUATED_WINDOWS = tuple(range(6))
MOST_BINS = 1000
_ROUNDING = 1e-6
"""A text's cosine with itself falls short of 1 by up to this much in single precision."""


Writers = Callable[[ContextSettings], Writer]
"""Who writes the context lines that settings ask a language model for."""


def _writer(line: ContextSettings) -> Writer:
    return OpenAIWriter(line.base_url, line.writer, key_from(os.environ, line.base_url))


@dataclass(frozen=True, slots=True)
class Cost:
    """What a build would take: documents not yet in the index, their nodes, and how many texts no index has.

    ``uncompared`` sentences must be embedded first to know the nodes of their documents, which are not counted yet.
    """

    documents: int
    nodes: int
    new: int
    uncompared: int = 0


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did. ``refused`` nodes had a vector that cannot be compared."""

    index: Index
    nodes: int
    embedded: int
    refused: int


@dataclass(frozen=True, slots=True)
class MapPicture:
    """An index in the plane: nodes by document and ordinal, a vector and a point each, and how far to trust them."""

    keys: NodeKeys
    vectors: Vectors
    points: project.Points
    method: str
    neighbours_kept: float


@dataclass(frozen=True, slots=True)
class NodeInWindow:
    """A node with its document and the window it is returned in; ``prefix`` stands before the window's text."""

    info: DocumentInfo
    node: Node
    window: Span
    window_text: str
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Removed:
    """All that is needed to bring a document back: its record, and its nodes in every index that held it.

    In those of the indexes that are ``waiting``, by id, it was to be indexed again.
    """

    record: Record
    indexed: tuple[tuple[Index, EmbeddedNodes], ...]
    splitting: SplitSettings
    waiting: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Edited:
    """What documents held before an edit and after it, by document id and field: all that is needed to take it back."""

    before: Mapping[str, Cells]
    after: Mapping[str, Cells]

    @property
    def documents(self) -> int:
        return len(self.before)


class Workspace:
    """Documents, indexes and questions of one workspace. Safe to share between threads."""

    def __init__(
        self,
        store: Store,
        encoders: embed.Encoders = embed.encoder,
        splitter: split.Splitter = split.sentences,
        reader: Reader = read.read,
        writers: Writers = _writer,
    ) -> None:
        self.store = store
        self.remembered = Remembered(store)
        self._writers = writers
        self._splitter = splitter
        self._reader = reader
        self.encoders = encoders
        self._encode_question = lru_cache(256)(self._encode_question_afresh)
        self._unknown = lru_cache(64)(self._unknown_afresh)
        self._held: tuple[tuple[str, int], Snapshot] | None = None
        self._listed: tuple[int, list[DocumentInfo]] | None = None
        self._adding = Lock()
        self._editing = RLock()
        self._meanwhile: dict[str, dict[str, Cell]] = {}
        self._begin()

    @property
    def location(self) -> str:
        return self.store.location

    # ── documents ────────────────────────────────────────────────────────────────────────────────

    def documents(self, where: Filter = EVERYTHING) -> list[DocumentInfo]:
        """Documents that pass ``where``, by name."""
        if where != EVERYTHING:
            return self.store.documents(where)
        changes = self.store.changes
        if self._listed is None or self._listed[0] != changes:
            self._listed = (changes, self.store.documents())
        return list(self._listed[1])

    def document(self, id_or_name: str) -> DocumentInfo:
        """A document by id, name or alias.

        Raises:
            NotFound: none is called that.
        """
        every = self.documents()
        for names in (lambda d: (d.id,), lambda d: (d.name,), lambda d: d.aliases):
            for info in every:
                if id_or_name in names(info):
                    return info
        raise NotFound(f"There is no document {id_or_name!r}.", "See the list of documents.")

    def add(
        self,
        uploads: Iterable[Upload],
        settings: ChunkSettings,
        model: str = embed.BUNDLED,
        progress: Progress = no_progress,
        fixes: Sequence[Fix] = (),
    ) -> list[FileResult]:
        """Read, split, embed and store files; one result per file name.

        Each document is one transaction. If the caller cancels, those finished before stay. ``fixes`` are made to the
        metadata of these files before they are stored, see ``lint``.

        Raises:
            Cancelled: from ``progress``.
            ModelUnavailable: the model cannot be loaded. Nothing is written.
        """
        with self._exclusively(progress):
            encoder = self.encoders(model)
            rules = self._rules([fix for fix in fixes if not isinstance(fix, SetType)], confirmed=fixes)
            planner, files = Planner(self.store, self._reader, self._splitting(), rules), list(uploads)
            changes: list[Change] = []
            indexed: dict[str, Indexed] = {}
            index = None
            for batch in planner.plan(files, progress):
                index = self.store.create_index(settings, encoder.info)
                waiting, sentences = self._waiting(batch.changes, index)
                for done in self._index(self._indexer(index, encoder), waiting, sentences, batch.part(progress)):
                    indexed[done.doc_id] = done
                for done in self._again(index, encoder, self._amend(batch.changes)):
                    indexed[done.doc_id] = done
                changes += [change.reported_only() for change in batch.changes]
            if index and indexed:
                self._enricher().keywords(index, Part(progress, batch.files, 0, batch.files))
            counts = self.store.node_counts(index) if index else {}
            unread = self.store.unread(index) if index else {}
            return [_completed(c.result, indexed, counts, unread, model) for c in changes if c.reported]

    def reread(self, doc_id: str, settings: ReadSettings, progress: Progress = no_progress) -> FileResult:
        """Read a document's bytes again with other settings; it stays in the indexes that hold it.

        Raises:
            NotFound: no document has that id.
            UnreadableFile: the bytes cannot be read so. Nothing is changed.
            Cancelled: from ``progress``.
        """
        with self._exclusively(progress):
            record = self._record(self.document(doc_id))
            before = record.passage.document
            document = self._reader(before.name, record.data, settings, progress)
            passage = Passage(document, tuple(self._splitting()(document)))
            (done,) = self._rewrite([replace(record, passage=passage)], progress)
            same = "The same text as before." if document.revision == before.revision else ""
            models = [index.model.name for index in self.store.indexes() if doc_id in self.store.indexed(index)]
            result = result_of(self.document(doc_id), Status.REPLACED, same)
            unread = {doc_id: Unread(done.cut, done.unknown)}
            return _completed(result, {doc_id: done}, {}, unread, models[0] if models else "")

    def split_settings(self) -> SplitSettings:
        """How documents become sentences here."""
        kept = self.store.setting(_SPLITTING)
        return SplitSettings() if kept is None else SplitSettings.from_json(kept)

    def resplit(self, settings: SplitSettings, progress: Progress = no_progress) -> int:
        """Cut every document into sentences again, and keep ``settings``; how many came out differently.

        Those stay in the indexes that hold them; only texts that no index has are embedded. If this is stopped, what
        was cut again stays so, the settings are the old ones, and calling it again goes on.
        """
        with self._exclusively(progress):
            documents, changed, waiting = self.documents(), 0, list[Record]()
            for position, info in enumerate(documents):
                part = Part(progress, position, 1, len(documents))
                part(0, 0, f"Splitting {info.name}")
                passage = self.store.passage(info.id)
                sentences = tuple(self._splitter(passage.document, settings))
                if sentences != passage.sentences:
                    waiting.append(replace(self._record(info), passage=Passage(passage.document, sentences)))
                    changed += 1
                if sum(len(r.passage.sentences) for r in waiting) >= BATCH or position == len(documents) - 1:
                    self._rewrite(waiting, part)
                    waiting = []
            self.store.set_setting(_SPLITTING, None if settings == SplitSettings() else settings.to_json())
            return changed

    def _splitting(self) -> Split:
        settings = self.split_settings()
        return lambda document: self._splitter(document, settings)

    def _record(self, info: DocumentInfo) -> Record:
        data, sidecar = self.store.originals(info.id)
        cells = self.store.cells([info.id])[info.id]
        return Record(self.store.passage(info.id), data, sidecar, values(cells), info.aliases, cells)

    def _rewrite(self, records: Sequence[Record], progress: Progress) -> list[Indexed]:
        """Write documents again, each in one transaction with its nodes in every index that held it.

        All are embedded before the first is written. What is returned tells of the first index that held each.
        """
        ready: dict[str, list[tuple[Index, Ready]]] = {record.passage.document.id: [] for record in records}
        kept: dict[ModelInfo, dict[bytes, NDArray[np.float32]]] = {}
        for index in self.store.indexes():
            held = self.store.indexed(index)
            mine = [Waiting(r.passage, metadata=r.metadata) for r in records if r.passage.document.id in held]
            if mine:
                sentences = sum(len(waiting.passage.sentences) for waiting in mine)
                encoder = self.encoders(index.model.name)
                indexer = self._indexer(index, encoder, kept.setdefault(index.model, {}))
                for done in indexer.ready(mine, sentences, progress):
                    ready[done.doc_id].append((index, done))
        return [self._rewritten(record, ready[record.passage.document.id]) for record in records]

    def _rewritten(self, record: Record, ready: Sequence[tuple[Index, Ready]]) -> Indexed:
        start = time.perf_counter()
        with self._editing:
            refused = self.store.rewrite(self._latest(record), [(index, done.embedded) for index, done in ready])
            for index, done in ready:
                self._forget_edited(index, done.doc_id)
        if not ready:
            return Indexed(record.passage.document.id, 0, 0, 0, 0, 0.0, 0.0)
        index, first = ready[0]
        return first.stored(refused[0], index.model.max_tokens, time.perf_counter() - start)

    def remove(self, doc_id: str) -> Removed:
        """Take a document out of the workspace and of every index; ``restore`` brings it back as it was.

        Raises:
            NotFound: no document has that id.
            InvalidRequest: documents are being added or indexed right now.
        """
        with self._at_once(), self._editing:
            info = next((d for d in self.documents() if d.id == doc_id), None)
            if info is None:
                raise NotFound(f"There is no document {doc_id!r}.", "See the list of documents.")
            record = self._record(info)
            whole = {index.id for index in self.store.indexes() if doc_id in self.store.indexed(index)}
            every = [(index, self.store.embedded(index, doc_id)) for index in self.store.indexes()]
            held = tuple((index, found) for index, found in every if index.id in whole or found.nodes)
            waiting = frozenset(index.id for index, _ in held if index.id not in whole)
            removed = Removed(record, held, self.split_settings(), waiting)
            self.store.remove(doc_id)
            return removed

    def remove_alias(self, info: DocumentInfo, alias: str) -> None:
        """Forget one of a document's other names; the document stays."""
        with self._at_once():
            self.store.set_aliases(info.id, [name for name in info.aliases if name != alias])

    def restore(self, removed: Removed) -> None:
        """Bring a removed document back, with its vectors, into the indexes that are still there.

        If documents have come to be cut into other sentences since, it is cut so too, and waits to be indexed.

        Raises:
            InvalidRequest: a document of that name was added since.
        """
        with self._at_once():
            document, record = removed.record.passage.document, removed.record
            taken = {name for info in self.documents() for name in (info.name, *info.aliases)}
            if document.name in taken:
                raise InvalidRequest(f"{document.name!r} has been added again since.", "Remove that one first.")
            record = self._retyped(record)
            record = replace(record, aliases=tuple(name for name in record.aliases if name not in taken))
            here = {index.id: index for index in self.store.indexes()}
            held = [(here[index.id], embedded) for index, embedded in removed.indexed if index.id in here]
            if removed.splitting != self.split_settings():
                sentences = tuple(self._splitting()(document))
                if sentences != record.passage.sentences:  # its nodes are no more what the indexes would hold
                    record, held = replace(record, passage=Passage(document, sentences)), []
            self.store.rewrite(record, held)
            self._tell({document.id: removed.record.metadata}, {document.id: record.metadata})
            for index, _ in held:
                if index.id in removed.waiting:
                    self.store.forget(index, [document.id])

    def _retyped(self, record: Record) -> Record:
        """A record with its metadata in the types that the fields have now; keys whose field is gone are proposed anew."""
        raw = {name: cell.raw for name, cell in record.cells.items() if cell.raw is not None}
        cells = self._rules().cells(raw, [name for name, cell in record.cells.items() if cell.edited])
        return replace(record, cells=cells, metadata=values(cells))

    def reset(self) -> None:
        """Take everything out.

        Raises:
            InvalidRequest: documents are being added or indexed right now.
        """
        with self._at_once():
            self.store.clear()
            self._begin()

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """For what must not happen under a running job, and cannot wait for it either."""
        if not self._adding.acquire(blocking=False):
            raise InvalidRequest("Documents are being added or indexed right now.", "Stop that first, or wait for it.")
        try:
            yield
        finally:
            self._adding.release()

    @contextmanager
    def _exclusively(self, progress: Progress) -> Iterator[None]:
        """Documents are added and indexed one job at a time; whoever waits can still be cancelled."""
        while not self._adding.acquire(timeout=0.2):
            progress(0, 0, "Waiting for the job before it")
        try:
            with self._editing:
                self._meanwhile = {}
            yield
        finally:
            self._adding.release()

    def _begin(self) -> None:
        """A workspace can be filtered by the usual fields before any document has them."""
        known = {spec.name for spec in self.store.metadata_fields()}
        if lacking := [spec for spec in metadata.BUILT_IN if spec.name not in known]:
            self.store.add_fields(lacking)

    def _amend(self, changes: Sequence[Change]) -> list[str]:
        """Write new aliases and metadata last: a name leaves a document only once it has one of its own.

        A document that has just been written whole holds what the changes before asked for. Returned are the documents
        whose metadata are other ones now.
        """
        amended = []
        written = {c.record.passage.document.id for c in changes if c.record}
        telling = self._telling()
        for change in changes:
            doc_id = change.result.doc_id
            if change.aliases is not None and doc_id not in written:
                self.store.set_aliases(doc_id, change.aliases)
            if change.cells is not None and doc_id not in written:
                with self._editing:
                    cells = self._with_edits(doc_id, change.cells)
                    before = self.store.cells([doc_id])[doc_id] if telling else {}
                    self._tell({doc_id: values(before)}, {doc_id: values(cells)}, telling)
                    self.store.set_metadata(doc_id, cells, change.sidecar, change.data)
                amended.append(doc_id)
        return amended

    def _again(self, index: Index, encoder: Encoder, doc_ids: Sequence[str]) -> Iterator[Indexed]:
        """Embed those documents again whose context line has changed with their metadata."""
        held = self.store.indexed(index) if doc_ids else {}
        stale = [self.document(doc_id) for doc_id in doc_ids if doc_id not in held]
        waiting, sentences = self._stored(stale)
        return self._index(self._indexer(index, encoder), waiting, sentences, no_progress)

    def _telling(self) -> list[Index]:
        """The indexes whose context line tells metadata."""
        return [index for index in self.store.indexes() if index.settings.told_fields]

    def _tell(
        self, before: Mapping[str, Metadata], after: Mapping[str, Metadata], telling: Sequence[Index] | None = None
    ) -> None:
        """Let documents wait to be indexed again where the context line tells something else ``after`` than ``before``.

        To be called before that is written: whatever happens then, no index holds a line that is not true any more.
        """
        for index in self._telling() if telling is None else telling:
            told = index.settings.context
            if changed := [doc_id for doc_id, was in before.items() if context.changed(was, after[doc_id], told)]:
                self.store.forget(index, changed)

    def _index(
        self, indexer: Indexer, waiting: Iterable[Waiting], sentences: int, progress: Progress
    ) -> Iterator[Indexed]:
        """Embed documents, store each, and yield what became of it. What is edited meanwhile stays."""
        for ready in indexer.ready(waiting, sentences, progress):
            yield self._kept(indexer.index, ready)

    def _kept(self, index: Index, ready: Ready) -> Indexed:
        start = time.perf_counter()
        record, document = ready.item.record, ready.item.passage.document
        with self._editing:
            if record is None:
                refused = self.store.put_nodes(index, document.id, document.revision, ready.embedded)
            else:
                refused = self.store.put(self._latest(record), index, ready.embedded)
            self._forget_edited(index, document.id)
        return ready.stored(refused, index.model.max_tokens, time.perf_counter() - start)

    def _latest(self, record: Record) -> Record:
        """A record on its way into the store, with what a person has set since the job began."""
        cells = self._with_edits(record.passage.document.id, record.cells)
        return replace(record, cells=cells, metadata=values(cells))

    def _with_edits(self, doc_id: str, cells: Cells) -> Cells:
        """What a document is to hold, with the edits made since the job began: those are the last word."""
        edits = self._meanwhile.get(doc_id, {})
        return {**cells, **{n: cell for n, cell in edits.items() if cell.edited or cells.get(n, Cell()).edited}}

    def _forget_edited(self, index: Index, doc_id: str) -> None:
        """Let a document wait if the line it has just been embedded with tells what was edited meanwhile."""
        if not index.settings.told_fields.isdisjoint(self._meanwhile.get(doc_id, ())):
            self.store.forget(index, [doc_id])

    def _indexer(self, index: Index, encoder: Encoder, kept: dict[bytes, NDArray[np.float32]] | None = None) -> Indexer:
        line = index.settings.context
        writer = self._writers(line) if line and line.writer else None
        return Indexer(self.store, index, encoder, kept, writer, self._enricher().of)

    def _enricher(self) -> Enricher:
        return Enricher(self.store, self.enrich_settings())

    def _waiting(self, changes: Sequence[Change], index: Index) -> tuple[Iterator[Waiting], int]:
        """What the index needs: every record, and each document named again that it does not hold yet; how many sentences."""
        records = {c.record.passage.document.id: c.record for c in changes if c.record}
        held = self.store.indexed(index)
        named = {c.result.doc_id: None for c in changes if c.result.doc_id}
        lacking = [self.document(doc_id) for doc_id in named if doc_id not in records and doc_id not in held]
        fresh = (Waiting(record.passage, record) for record in records.values())
        older, sentences = self._stored(lacking)
        return chain(fresh, older), sentences + sum(len(record.passage.sentences) for record in records.values())

    def _stored(self, infos: Sequence[DocumentInfo]) -> tuple[Iterator[Waiting], int]:
        """Documents of the workspace for an index, each read as its turn comes; how many sentences."""
        waiting = (Waiting(self.store.passage(info.id), metadata=info.metadata) for info in infos)
        return waiting, sum(info.sentences for info in infos)

    # ── metadata ─────────────────────────────────────────────────────────────────────────────────

    def fields(self) -> list[FieldSpec]:
        """The metadata fields of the workspace, in the order they were added."""
        return self.store.metadata_fields()

    @property
    def strict(self) -> bool:
        """Whether files with keys that are no fields are refused."""
        return self.store.setting(_STRICT) is not None

    @strict.setter
    def strict(self, on: bool) -> None:
        self.store.set_setting(_STRICT, "yes" if on else None)

    def set_field(self, spec: FieldSpec) -> int:
        """Add a field, or make one what ``spec`` says: what was given for it is read again. How many values do not fit.

        Raises:
            InvalidMetadata: a name that is reserved or blank, a default that does not fit, an enum that allows nothing.
            InvalidRequest: documents are being added right now.
        """
        with self._at_once():
            return self._set_field(spec)

    def _set_field(self, spec: FieldSpec) -> int:
        with self._editing:
            spec = rules.checked(spec, [known.name for known in self.fields()])
            held = {doc_id: row.get(spec.name, Cell()) for doc_id, row in self.store.cells(field=spec.name).items()}
            again = {doc_id: rules.read_again(cell, spec) for doc_id, cell in held.items()}
            self._tell(
                {doc_id: values({spec.name: cell}) for doc_id, cell in held.items()},
                {doc_id: values({spec.name: cell}) for doc_id, cell in again.items()},
            )
            self.store.set_field(spec, again)
            return sum(bool(cell.misfit) for cell in again.values())

    def cells(self, field: str | None = None) -> dict[str, dict[str, Cell]]:
        """What is known about every document, by document id and field: as given, as typed, and what does not fit."""
        return self.store.cells(field=field)

    def edit(self, changes: Mapping[str, Mapping[str, object]]) -> Edited:
        """Set raw values, by document id and field; None takes one away. No vector is touched.

        What does not fit the field is refused. ``undo`` takes it back. While documents are being added or indexed, what
        is set here is the last word about them.

        Raises:
            InvalidMetadata: a value that its field does not hold, or no such field. Nothing is changed.
            NotFound: no such document. Nothing is changed.
        """
        with self._editing:
            fields = {spec.name: spec for spec in self.fields()}
            return self._write_cells(
                {
                    doc_id: {name: rules.edit(name, raw, fields) for name, raw in row.items()}
                    for doc_id, row in changes.items()
                }
            )

    def undo(self, edited: Edited) -> None:
        """Take an edit back: what was given before is given again, and read as its field is now.

        Documents and fields that are gone are left out, and what a document's source has overruled since.
        """
        with self._editing:
            fields = {spec.name: spec for spec in self.fields()}
            here = self.store.cells(list(edited.before))

            def stands(doc_id: str, name: str) -> bool:
                now, then = here[doc_id].get(name, Cell()), edited.after[doc_id][name]
                return name in fields and (now.raw, now.edited) == (then.raw, then.edited)

            self._write_cells(
                {
                    doc_id: {n: rules.read_again(cell, fields[n]) for n, cell in row.items() if stands(doc_id, n)}
                    for doc_id, row in edited.before.items()
                    if doc_id in here
                }
            )

    def _write_cells(self, cells: Mapping[str, Cells]) -> Edited:
        before = self.store.cells(list(cells))
        if absent := [doc_id for doc_id in cells if doc_id not in before]:
            raise NotFound(f"There is no document {absent[0]!r}.", "See the list of documents.")
        self._tell(
            {doc_id: values(row) for doc_id, row in before.items()},
            {doc_id: values({**before[doc_id], **row}) for doc_id, row in cells.items()},
        )
        self.store.set_cells(cells)
        if self._adding.locked():  # what a job has read before may not overwrite this, see ``_with_edits``
            for doc_id, row in cells.items():
                self._meanwhile.setdefault(doc_id, {}).update(row)
        return Edited({d: {name: before[d].get(name, Cell()) for name in row} for d, row in cells.items()}, cells)

    def enrich_settings(self) -> EnrichSettings:
        """Which fields are computed for nodes here, and how."""
        kept = self.store.setting(_ENRICHING)
        return EnrichSettings() if kept is None else EnrichSettings.from_json(kept)

    def enrich(self, settings: EnrichSettings, progress: Progress = no_progress) -> None:
        """Compute the fields of every index again with other settings, and keep those. No vector is touched.

        Raises:
            MissingExtra: a spaCy model that is not installed. Nothing is changed.
            Cancelled: from ``progress``. What was computed stays, the settings are the old ones.
        """
        with self._exclusively(progress):
            enricher, indexes = Enricher(self.store, settings), self.store.indexes()
            enricher.check()
            for position, index in enumerate(indexes):
                enricher.again(index, Part(progress, position, 1, len(indexes)))
            self.store.set_setting(_ENRICHING, None if settings == EnrichSettings() else settings.to_json())

    def lint(self, uploads: Iterable[Upload] | None = None) -> Report:
        """What is odd in the metadata of files before they are stored, or of the documents of this workspace."""
        return metadata.lint(self.raws(uploads), self.fields(), strict=self.strict)

    def raws(self, uploads: Iterable[Upload] | None = None) -> dict[str, metadata.Raw]:
        """What files, or the documents of this workspace, say about themselves, by document name."""
        if uploads is not None:
            return raws(uploads, self.documents(), self.fields())
        held = self.store.cells()
        return {
            info.name: {name: cell.raw for name, cell in held.get(info.id, {}).items() if cell.raw is not None}
            for info in self.documents()
        }

    def fix(self, fixes: Sequence[Fix]) -> Edited:
        """Make fixes to the metadata of the documents of this workspace; ``undo`` takes back all but types.

        Raises:
            InvalidMetadata: a key that is reserved, or unknown where those are refused, or a type that a field cannot
                have. Nothing is changed.
            InvalidRequest: documents are being added right now.
        """
        with self._at_once(), self._editing:
            before = self.raws()
            after = apply([fix for fix in fixes if not isinstance(fix, SetType)], before)
            rules.check(after.values(), self.fields(), fixes, strict=self.strict)
            known = self._rules(confirmed=fixes)
            known.expect(after.values())
            named = {info.name: info.id for info in self.documents()}
            changes = {
                named[name]: {
                    key: after[name].get(key)
                    for key in (*raw, *after[name])
                    if distinct_key(raw.get(key)) != distinct_key(after[name].get(key))
                }
                for name, raw in before.items()
            }
            # As ``edit``, but a key that is no field becomes one, and what does not fit is kept as given.
            cells = {doc_id: known.cells(row, row.keys()) for doc_id, row in changes.items() if row}
            return self._write_cells({d: {name: found[name] for name in changes[d]} for d, found in cells.items()})

    def _rules(self, fixes: Sequence[Fix] = (), *, confirmed: Sequence[Fix] = ()) -> Rules:
        """The rules as they stand, once the types among ``confirmed`` are set."""
        for spec in rules.types(confirmed, self.fields()):
            self._set_field(spec)
        return Rules(self.store, self._set_field, strict=self.strict, fixes=fixes)

    # ── indexes ──────────────────────────────────────────────────────────────────────────────────

    def indexes(self) -> list[Index]:
        """All indexes, oldest first."""
        return self.store.indexes()

    def index(self, id_or_name: str | None = None) -> Index:
        """An index by id or name; without one, the first that was built.

        Raises:
            NotFound: there is none, or none of that name.
        """
        every = self.store.indexes()
        if not every:
            raise NotFound("This workspace has no index yet.", "Add a document first.")
        found = [i for i in every if id_or_name in (None, i.id, i.name)]
        if not found:
            raise NotFound(f"There is no index {id_or_name!r}.", f"Indexes: {', '.join(i.name for i in every)}.")
        return found[0]

    def index_of(self, settings: ChunkSettings, model: str) -> Index | None:
        """The index with these settings and this model as it is now, if it has been built."""
        info = self.encoders(model).info
        return next((i for i in self.store.indexes() if (i.settings, i.model) == (settings, info)), None)

    def preview(
        self, doc_id: str, settings: ChunkSettings, model: str = embed.BUNDLED, progress: Progress = no_progress
    ) -> tuple[Passage, list[Node]]:
        """A document and the nodes it would have under ``settings``. No node is embedded, and no context line written.

        Sentences are embedded only where the strategy compares them, and what is found is kept: see ``uncompared``.
        """
        passage = self.store.passage(doc_id)
        told = self.document(doc_id).metadata if settings.told_fields else {}
        powers = self._powers(settings, model, progress)
        return passage, nodes(Waiting(passage, metadata=told), settings, self.store, powers)

    def _powers(self, settings: ChunkSettings, model: str, progress: Progress = no_progress) -> ModelPowers | None:
        """What chunking asks of the model; none is loaded for settings that need none."""
        return ModelPowers(self.encoders(model), self.store, progress) if settings.needs_model else None

    def uncompared(self, doc_id: str, settings: ChunkSettings, model: str = embed.BUNDLED) -> int:
        """How many sentences of a document must be embedded to know its nodes: 0 unless the strategy compares them."""
        if settings.strategy is not Strategy.SEMANTIC:
            return 0
        return ModelPowers(self.encoders(model), self.store).lacking(chunk.semantic.texts(self.store.passage(doc_id)))

    def compare_sentences(
        self,
        doc_ids: Sequence[str],
        settings: ChunkSettings,
        model: str = embed.BUNDLED,
        progress: Progress = no_progress,
    ) -> None:
        """Find out, and keep, how alike the neighbouring sentences of documents are.

        Raises:
            Cancelled: from ``progress``; what was compared before is kept.
        """
        for position, doc_id in enumerate(doc_ids):
            self.preview(doc_id, settings, model, Part(progress, position, 1, len(doc_ids)))

    def likeness(self, doc_id: str, settings: ChunkSettings, model: str = embed.BUNDLED) -> chunk.Curve:
        """How alike a document's neighbouring sentences are, and where the semantic strategy breaks."""
        powers = ModelPowers(self.encoders(model), self.store)
        return chunk.semantic.curve(self.store.passage(doc_id), settings, powers)

    def cost(self, settings: ChunkSettings, model: str = embed.BUNDLED) -> Cost:
        """What building this index would embed. Nothing is embedded."""
        lacking, count, hashes, unwritten = self._lacking(self.index_of(settings, model)), 0, set[bytes](), 0
        powers, uncompared = self._powers(settings, model), 0
        for waiting in self._stored(lacking)[0]:
            if open_ := self.uncompared(waiting.passage.document.id, settings, model):
                uncompared += open_
                continue
            pending = prepare(waiting, settings, self.store, powers)
            count += len(pending.nodes)
            unwritten += len(pending.lacking)
            hashes.update(pending.settled)
        known = self.store.known_vectors(self.encoders(model).info, list(hashes)) if hashes else {}
        return Cost(len(lacking), count, len(hashes) - len(known) + unwritten, uncompared)

    def writing_cost(self, settings: ChunkSettings, model: str = embed.BUNDLED) -> Estimate:
        """What the model that writes the context lines would be asked for this index. Nothing is sent."""
        lacking = self._stored(self._lacking(self.index_of(settings, model)))[0]
        known = (item for item in lacking if not self.uncompared(item.passage.document.id, settings, model))
        return estimate(known, settings, self.store, self._powers(settings, model))

    def build(
        self, settings: ChunkSettings, model: str = embed.BUNDLED, progress: Progress = no_progress
    ) -> BuildReport:
        """Make the index complete: every document it lacks is chunked; only texts no index has are embedded."""
        with self._exclusively(progress):
            encoder = self.encoders(model)
            index = self.store.create_index(settings, encoder.info)
            waiting, sentences = self._stored(self._lacking(index))
            done = list(self._index(self._indexer(index, encoder), waiting, sentences, progress))
            if done:
                self._enricher().keywords(index, Part(progress, sentences, 0, sentences))
            refused = sum(d.refused for d in done)
            return BuildReport(self.index(index.id), sum(d.nodes for d in done), sum(d.embedded for d in done), refused)

    def drop_index(self, index_id: str) -> None:
        """Delete an index; the documents stay.

        Raises:
            InvalidRequest: documents are being added or indexed right now.
        """
        with self._at_once():
            self.store.drop_index(index_id)

    def _lacking(self, index: Index | None) -> list[DocumentInfo]:
        held = self.store.indexed(index) if index else {}
        return [info for info in self.documents() if info.id not in held]

    def unfit(self, index: Index) -> dict[str, str]:
        """Why the index's model says little about a document, by document id: those it fits are left out."""
        unread = self.store.unread(index)
        said = {
            info.id: misfit(
                index.model.name, info.reading.language, held.unknown if (held := unread.get(info.id)) else 0.0
            )
            for info in self.documents()
        }
        return {doc_id: why for doc_id, why in said.items() if why}

    def unfit_for(self, doc_id: str, model: str) -> str:
        """Why a model would say little about a document, before anything is embedded; empty if it fits."""
        info = self.document(doc_id)
        return misfit(model, info.reading.language, self._unknown(info.id, info.version, model))

    def _unknown_afresh(self, doc_id: str, _version: str, model: str) -> float:
        """The share of a document's tokens that a model does not know; it changes with the document's version."""
        passage, encoder = self.store.passage(doc_id), self.encoders(model)
        texts = [passage.document.text[s.start : s.end] for s in passage.sentences]
        unknown = sum(encoder.count_unknown(texts))
        return unknown / max(1, sum(encoder.count_tokens(texts)) - 2 * len(texts)) if unknown else 0.0

    # ── questions ────────────────────────────────────────────────────────────────────────────────

    def search(
        self, question: str, settings: SearchSettings, filter: Filter = EVERYTHING, index: str | None = None
    ) -> SearchResult:
        """The ``settings.k`` nodes nearest to the question among those that pass ``filter``, each in its window.

        Raises:
            InvalidRequest: an empty or overlong question.
            InvalidFilter: the filter, that of a boost or ``settings.where`` does not fit the schema.
            NotFound: no such index.
            ModelMismatch: the index's model has changed since it was built.
        """
        chosen = self.index(index)
        start = time.perf_counter()
        vector = self._question_vector(question, chosen)
        embedded = time.perf_counter()
        outcome = self.store.search(
            chosen, vector, filter, settings.k, _limit(settings), settings.boosts, settings.where
        )
        searched = time.perf_counter()
        hits = tuple(_hit(rank, item, chosen, settings) for rank, item in enumerate(outcome.found, 1))
        timings = {
            "embed": 1000 * (embedded - start),
            "search": 1000 * (searched - embedded),
            "windows": 1000 * (time.perf_counter() - searched),
        }
        request = SearchRequest(question, chosen.id, filter, settings)
        return SearchResult(request, hits, outcome.sql, outcome.params, outcome.matching, outcome.total, timings)

    def excerpts(self, hits: Sequence[Hit]) -> list[Excerpt]:
        """What a reader gets for these hits: see ``core.excerpts``."""
        return merged(hits, lambda doc_id: self.store.passage(doc_id).document.text)

    def returned_tokens(self, result: SearchResult) -> tuple[int, int]:
        """The tokens of all windows of a result one after the other, and of its excerpts, as the index's model counts."""
        encoder = self.encoders(self.index(result.request.index).model.name)
        special, *rest = encoder.count_tokens(
            ["", *(h.returned for h in result.hits), *(e.returned for e in self.excerpts(result.hits))]
        )
        counts = [count - special for count in rest]
        return sum(counts[: len(result.hits)]), sum(counts[len(result.hits) :])

    def compare(self, question: str, settings: SearchSettings, filter: Filter, index: str | None = None) -> Comparison:
        """The question asked of everything, and under the filter and the expert's condition."""
        unfiltered = self.search(question, replace(settings, where=""), EVERYTHING, index)
        return Comparison(unfiltered, self.search(question, settings, filter, index))

    def explain(
        self, question: str, settings: SearchSettings, filter: Filter = EVERYTHING, index: str | None = None
    ) -> Explained:
        """What ``filter`` and ``settings.where`` did to the answer: see ``core.xray``. Raises as ``search`` does."""
        chosen = self.index(index)
        as_hit = partial(_hit, index=chosen, settings=settings)
        vector = self._question_vector(question, chosen)
        limit, boosts = _limit(settings), settings.boosts
        return explain.explain(self.store, chosen, vector, filter, settings.k, limit, as_hit, settings.where, boosts)

    def smallest_change(self, doc_id: str, ordinal: int, filter: Filter, index: str | None = None) -> Smallest:
        """The smallest change of ``filter`` that lets a node in.

        Raises:
            NotFound: the index does not hold that node.
            InvalidFilter: the filter does not fit the schema.
        """
        return explain.smallest_change(self.store, self.index(index), doc_id, ordinal, filter)

    def count(self, filter: Filter, index: str | None = None, where: str = "") -> tuple[int, int]:
        """How many nodes of the index pass the filter (and the expert's condition ``where``), and of how many."""
        return self.store.count(self.index(index), filter, where)

    def distances(
        self,
        question: str,
        settings: SearchSettings,
        filter: Filter = EVERYTHING,
        index: str | None = None,
        bins: int = 40,
    ) -> Distances:
        """How far all nodes that pass ``filter`` and ``settings.where`` lie from the question; raises as ``search`` does.

        What the limits of ``settings`` leave out is counted, not left out.
        """
        if not 1 <= bins <= MOST_BINS:
            raise InvalidRequest(f"A histogram of {bins} bins cannot be made.", f"Choose 1 to {MOST_BINS:,}.")
        chosen = self.index(index)
        vector = self._question_vector(question, chosen)
        return self.store.distances(chosen, vector, filter, bins, _limit(settings), settings.where)

    def _question_vector(self, question: str, index: Index) -> NDArray[np.float32]:
        text = question.strip()
        if not text:
            raise InvalidRequest("The question is empty.", "Type one.")
        if len(text) > MAX_QUESTION:
            raise InvalidRequest(f"The question has {len(text):,} characters.", f"Up to {MAX_QUESTION:,} are read.")
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise InvalidRequest("The question holds half a character (a lone surrogate).", "Type it again.")
        return self._encode_question(text, index.model.name, index.model.revision)

    def _encode_question_afresh(self, text: str, model: str, revision: str) -> NDArray[np.float32]:
        encoder = self.encoders(model)
        if encoder.info.revision != revision:
            raise ModelMismatch(
                f"The model {model!r} is not the one this index was built with ({encoder.info.revision}, not {revision}).",
                "Build the index again with the model as it is now.",
            )
        vector: NDArray[np.float32] = encoder.encode_query([text])[0]
        return vector

    # ── maps ─────────────────────────────────────────────────────────────────────────────────────

    def picture(self, index: str | None = None) -> MapPicture:
        """The map of an index as it is now: UMAP if it has been made, else PCA, made on the spot."""
        chosen = self.index(index)
        now = self._snapshot(chosen)
        stored = self.store.map(chosen, "UMAP") or self.store.map(chosen, "PCA")
        if stored is None or stored.version != now.version:
            stored = StoredMap("PCA", now.version, project.pca(now.vectors))
            self.store.put_map(chosen, stored)
        kept = project.neighbours_kept(now.vectors, stored.points)
        return MapPicture(now.keys, now.vectors, stored.points, stored.method, kept)

    def texts(self, keys: NodeKeys, length: int) -> list[str]:
        """The beginning of each node's text, at most ``length`` characters."""
        bodies = {doc_id: self.store.passage(doc_id).document.text for doc_id in dict.fromkeys(keys.doc_ids)}
        spans = zip(keys.doc_ids, keys.starts, keys.ends, strict=True)
        return [bodies[doc_id][start : min(end, start + length)] for doc_id, start, end in spans]

    def node(self, doc_id: str, ordinal: int, window: int, index: str | None = None) -> NodeInWindow:
        """One node of an index as a reader would get it."""
        chosen, info = self.index(index), self.document(doc_id)
        passage, every = self.preview(doc_id, chosen.settings, chosen.model.name)
        if not 0 <= ordinal < len(every):
            raise NotFound(f"{info.name!r} has no node {ordinal}.", "The document may have changed.")
        span = chunk.window(every[ordinal], passage.sentences, window)
        before, _ = chunk.around(passage, every[ordinal], window, marks=False)
        return NodeInWindow(info, every[ordinal], span, passage.document.text[span.start : span.end], before)

    def lay_out(self, index: str | None = None, progress: Progress = no_progress) -> None:
        """Make and keep the UMAP picture of an index."""
        chosen = self.index(index)
        now = self._snapshot(chosen)
        self.store.put_map(chosen, StoredMap("UMAP", now.version, project.umap(now.vectors, progress)))

    def place(self, question: str, picture: MapPicture, index: str | None = None) -> tuple[float, float]:
        """Where a question lies on a map of the index."""
        vector = self._question_vector(question, self.index(index))
        return project.place(vector, picture.vectors, picture.points)

    def _snapshot(self, index: Index) -> Snapshot:
        held = self._held
        if held is None or held[0] != (index.id, index.version):
            found = self.store.snapshot(index)
            held = ((index.id, found.version), found)
            self._held = held
        return held[1]

    # ── evaluation ───────────────────────────────────────────────────────────────────────────────

    def read_gold(self, data: bytes) -> list[gold.Question]:
        """The questions of a gold file, their spans checked against the documents."""
        named = {name: info for info in self.documents() for name in (info.name, *info.aliases)}
        return gold.read(data, named, self.store.passage, self.store.schema())

    def keep_gold(self, name: str, questions: Sequence[gold.Question]) -> None:
        """Keep a gold set in the workspace, in place of one of that name."""
        self.store.put_gold(
            name,
            [
                StoredGold(
                    q.text,
                    tuple((r.doc_id, r.revision, r.span.start, r.span.end) for r in q.references),
                    q.filter_json,
                )
                for q in questions
            ],
        )

    def gold_sets(self) -> dict[str, list[gold.Question]]:
        """The gold sets kept in the workspace."""
        return {name: [gold.from_stored(row) for row in rows] for name, rows in self.store.gold().items()}

    def still_valid(self, questions: Sequence[gold.Question]) -> list[gold.Question]:
        """The questions whose every passage lies in a text that has not changed since the gold was read."""
        revisions = {info.id: info.revision for info in self.documents()}
        return [q for q in questions if all(revisions.get(r.doc_id) == r.revision for r in q.references)]

    def evaluate(
        self,
        questions: Sequence[gold.Question],
        k: int,
        windows: Sequence[int] = EVALUATED_WINDOWS,
        index: str | None = None,
        *,
        filtered: bool = True,
        progress: Progress = no_progress,
    ) -> list[run.Report]:
        """One report per window size. Each question is asked once, under its own filter if ``filtered``."""
        chosen = self.index(index)
        SearchSettings(k=k)  # refuses a k out of range

        def search(question: str, filter: Filter) -> Sequence[Found]:
            return self.store.search(chosen, self._question_vector(question, chosen), filter, k, None).found

        answered = run.ask(questions, search, progress, filtered=filtered)
        count_tokens = self.encoders(chosen.model.name).count_tokens
        return [run.report(answered, window, k, count_tokens) for window in windows]


def _completed(
    result: FileResult,
    indexed: Mapping[str, Indexed],
    counts: Mapping[str, int],
    unread: Mapping[str, Unread],
    model: str,
) -> FileResult:
    """A file's result with what became of its document in the index. An alias embeds nothing of its own."""
    done = indexed.get(result.doc_id)
    why = misfit(model, result.language, unread[result.doc_id].unknown if result.doc_id in unread else 0.0)
    if why and result.doc_id:
        result = replace(result, notices=(*result.notices, why))
    if done is None or result.status is Status.ALIAS:
        return replace(result, nodes=counts.get(result.doc_id, 0))
    reason = result.reason
    if done.refused:
        reason = f"{reason} {done.refused} nodes were not indexed: their vector is zero or not finite.".strip()
    if done.cut:
        many = "node is" if done.cut == 1 else "nodes are"
        reason = f"{reason} {done.cut:,} {many} longer than the model reads: the end is not embedded.".strip()
    return replace(
        result, reason=reason, nodes=done.nodes, embedded=done.embedded, seconds=result.seconds + done.seconds
    )


def misfit(model: str, spoken: str, unknown: float) -> str:
    """Why ``model`` says little about a text in that language with that share of unknown tokens; empty if it fits."""
    said = []
    if embed.english_only(model) and spoken not in ("", "en"):
        name = languages.named(spoken)
        said.append(f"{name} text, and {model} reads English only: similarities mean little here.")
    if unknown > _MUCH_UNKNOWN:
        said.append(f"{unknown:.0%} of its tokens are unknown to {model}.")
    return " ".join([*said, "Use a multilingual model."]) if said else ""


def _limit(settings: SearchSettings) -> float | None:
    least = settings.least_cosine
    return None if least is None else least - _ROUNDING


def _hit(rank: int, found: Found, index: Index, settings: SearchSettings) -> Hit:
    node, text, window = found.node, found.passage.document.text, settings.window
    before, after = chunk.around(found.passage, node, window, marks=settings.boundary_marks)
    span = chunk.window(node, found.passage.sentences, window)
    inside = found.passage.sentences[max(0, node.first_sentence - window) : node.last_sentence + window + 1]
    return Hit(
        rank, found.score, node_id(found.doc_id, index.id, node.ordinal), found.doc_id, found.info.name, node, span,
        text[node.start : node.end], text[span.start : span.end], tuple(Span(s.start, s.end) for s in inside),
        dict(found.info.metadata), before, after, found.tokens, found.computed, found.factors,
    )  # fmt: skip


def raws(
    uploads: Iterable[Upload], known: Iterable[DocumentInfo], fields: Iterable[FieldSpec]
) -> dict[str, metadata.Raw]:
    """What files say about themselves and about known documents, by document name; they are not read whole."""
    files = ingest.unpacked(uploads, [])
    return ingest.raws(files, ingest.gather(files, known, fields))


def node_id(doc_id: str, index_id: str, ordinal: int) -> str:
    """A node's id: its document, index and ordinal."""
    return f"{doc_id}:{index_id}:{ordinal}"


# ── one Workspace per file and process ───────────────────────────────────────────────────────────

_open: dict[Path, Workspace] = {}
_reader = IsolatedReader()
_opening = Lock()
_address: list[str] = []


def announce(address: str) -> None:
    """Let other processes know where this one answers, for every workspace it holds or will hold."""
    with _opening:
        _address[:] = [address]
        for opened in _open.values():
            opened.store.publish_address(address)


def open(path: Path, encoders: embed.Encoders = embed.encoder) -> Workspace:  # noqa: A001 - `workspace.open(path)` says it
    """The workspace in ``path``, made if it is not there; the same object for the same file.

    The sample workspace is filled the first time it is opened.
    """
    key = path.expanduser().resolve()
    with _opening:
        if key not in _open:
            if key == home.sample().resolve() and not key.exists():
                _make_sample(key)
            _open[key] = Workspace(DuckStore(key), encoders, reader=_reader.read)
            for address in _address:
                _open[key].store.publish_address(address)
        return _open[key]


def _make_sample(path: Path) -> None:
    """Fill a file beside it and rename that: an interrupted first start leaves no half of a sample behind."""
    from core import sample

    making = path.with_name(path.name + ".making")
    for rest in path.parent.glob(f"{making.name}*"):
        rest.unlink()
    store = DuckStore(making)
    try:
        sample.fill(Workspace(store))
    finally:
        store.close()
    making.replace(path)


def opened() -> list[Workspace]:
    """The workspaces this process has open."""
    with _opening:
        return list(_open.values())


def close(path: Path) -> None:
    """Close a workspace, so that another process may open it."""
    with _opening:
        found = _open.pop(path.expanduser().resolve(), None)
        if found:
            found.store.close()
