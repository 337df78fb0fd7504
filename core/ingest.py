"""What a drop of files means: which are new, replaced, updated, unchanged, an alias, or cannot be read.

Values in, values out: ``plan`` reads the files and compares them with the documents that are there; nothing is
embedded here, and nothing stored but the metadata fields that files bring.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from core import metadata, read
from core.errors import AppError, Cancelled, InvalidMetadata, NotFound, UnreadableFile
from core.filters import FieldType
from core.metadata import Gathered, Origin
from core.progress import Part
from core.read import archive, formats
from core.rules import Rules
from core.settings import ReadSettings
from core.store.base import Cells, Passage, Record, Store, values
from core.types import Document, DocumentInfo, FieldSpec, Progress, Sentence, no_progress


@dataclass(frozen=True, slots=True)
class Upload:
    """One file as it was dropped: its name (path relative to the dropped folder, ``/`` between parts) and bytes."""

    name: str
    data: bytes


Reader = Callable[[str, bytes, ReadSettings, Progress], Document]
"""How bytes become a document: ``read.read``, here or in a process of its own."""

Split = Callable[[Document], Sequence[Sentence]]
"""How a document becomes sentences."""

BATCH = 1024
"""Sentences read before they are embedded and stored: a drop that is stopped keeps what came before."""

READING = 0.05  # of the work on a file, roughly
_KEPT = "Its metadata were kept."
_FEW = 5


class Status(StrEnum):
    ADDED = "added"
    REPLACED = "replaced"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    ALIAS = "alias"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class FileResult:
    """What became of one file. ``embedded`` counts texts that no index had before.

    ``pages``, ``language``, ``blocks``, ``cleaned`` and ``notices`` tell how it was read, see ``core.types.Reading``.
    """

    name: str
    status: Status
    reason: str = ""
    doc_id: str = ""
    sentences: int = 0
    nodes: int = 0
    embedded: int = 0
    seconds: float = 0.0
    characters: int = 0
    pages: int = 0
    language: str = ""
    blocks: Mapping[str, int] = field(default_factory=dict)
    cleaned: Mapping[str, int] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


@dataclass(slots=True)
class Change:
    """What one file asks for: a record to be written whole, or new metadata or aliases for a stored document.

    ``reported`` is false for what a change brings about elsewhere, such as a former alias that becomes a document.
    """

    result: FileResult
    record: Record | None = None
    cells: Cells | None = None
    sidecar: bytes | None = None
    data: bytes | None = None
    aliases: tuple[str, ...] | None = None
    reported: bool = True

    def reported_only(self) -> Change:
        """The same without the document itself, once that is written."""
        return Change(self.result, reported=self.reported)


@dataclass(frozen=True, slots=True)
class Batch:
    """Changes to be written together; writing them is ``size`` of ``files`` and begins at ``start``, for progress."""

    changes: list[Change]
    start: float
    size: float
    files: int

    def part(self, progress: Progress) -> Progress:
        return Part(progress, self.start, self.size, self.files)


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is kept of a document beside its text."""

    data: bytes
    sidecar: bytes | None
    cells: Cells


class Planner:
    """Compares files with a workspace one after another; each sees what those before it will have changed."""

    def __init__(self, store: Store, reader: Reader, split: Split, rules: Rules) -> None:
        self._store = store
        self._read = reader
        self._split = split
        self._rules = rules
        self._known = {info.id: info for info in store.documents()}
        self._records: dict[str, Change] = {}
        self._amended: dict[str, Change] = {}
        self._kept: dict[str, _Kept] = {}
        self._gathered = metadata.gather({}, [])

    def plan(self, uploads: Sequence[Upload], progress: Progress) -> Iterator[Batch]:
        """The changes that ``uploads`` ask for, in order, in batches; each must be written before the next is asked for.

        A file that cannot be read is a failed result, no error. A batch ends with the file that makes it ``BATCH``
        sentences or more; progress counts files, those read but not yet written as ``READING`` of one.
        """
        changes: list[Change] = []
        files = unpacked(uploads, changes)
        self._gathered = gather(files, self._known.values(), self._store.metadata_fields())
        self._rules.expect(raws(files, self._gathered).values())
        changes += [_of_table(name, told) for name, told in self._gathered.tables.items()]
        away = [name for name in self._gathered.origins if name not in files]
        first, total = 0, len(files) + len(away)
        for position, name in enumerate([*files, *away]):
            start = first + READING * (position - first)
            part = Part(progress, start, READING, total, f"Reading {name}")
            part(0, 0, "")
            self._kept.clear()
            if name in away:
                changes += self._guarded_origin(name, self._gathered.origins[name])
            elif name not in self._gathered.files:
                changes += self._guarded(files[name], part)
            if self._waiting() >= BATCH:
                yield self._flushed(changes, first, position + 1, total)
                changes, first = [], position + 1
        yield self._flushed(changes, first, total, total)

    def _waiting(self) -> int:
        """Sentences of documents that are still to be written."""
        return sum(len(c.record.passage.sentences) for c in self._records.values() if c.record)

    def _flushed(self, changes: list[Change], first: int, end: int, files: int) -> Batch:
        self._records.clear()
        self._amended.clear()
        return Batch(changes, first + READING * (end - first), (1 - READING) * (end - first), files)

    def _guarded(self, upload: Upload, progress: Progress) -> list[Change]:
        start = time.perf_counter()
        try:
            known = self._known.get(read.document_id(upload.name)) or self._first_of(upload.name)
            settings = self._settings(known, upload.data) if known else read.AUTOMATIC
            document = self._read(upload.name, upload.data, settings, progress)
            changes = self._named(document, upload.data, self._gathered.origins.get(upload.name))
        except Cancelled:
            raise
        except AppError as error:
            changes = [_failed(upload, str(error))]
        for change in changes:
            change.result = replace(change.result, seconds=time.perf_counter() - start)
        return self._noted(changes, self._gathered.origins.get(upload.name))

    def _settings(self, known: DocumentInfo, data: bytes) -> ReadSettings:
        """A document is read again as it was read before; but an encoding chosen for other bytes must still fit."""
        settings = known.reading.settings
        if settings.encoding and self._originals(known)[0] != data and read.says_its_encoding(data):
            return replace(settings, encoding="")
        return settings

    def _guarded_origin(self, target: str, origin: Origin) -> list[Change]:
        """Metadata files about a document that is in the workspace and not in this drop."""
        try:
            changes = self._about(target, origin)
        except AppError as error:
            changes = [_failed(Upload(origin.files[-1], b""), str(error))]
        return self._noted(changes, origin)

    def _about(self, target: str, origin: Origin) -> list[Change]:
        info = self._known.get(read.document_id(target))
        found = info or self._first_of(target)
        if found is None:
            raise _without_document(target)
        data = self._originals(found)[0]
        if info is None:
            return self._named(self._read(target, data, found.reading.settings, no_progress), data, origin)
        waiting = self._records.get(info.id)
        stored = waiting.record.passage if waiting and waiting.record else self._store.passage(info.id)
        return self._named(replace(stored.document, front=self._front(info, data)), data, origin)

    def _first_of(self, alias: str) -> DocumentInfo | None:
        return next((info for info in self._known.values() if alias in info.aliases), None)

    def _named(self, document: Document, data: bytes, origin: Origin | None) -> list[Change]:
        """The changes; metadata that are refused are told with the file they stand in."""
        if origin and origin.error:
            raise origin.error
        try:
            return self._document(document, data, origin)
        except InvalidMetadata as error:
            file = origin.files[-1] if origin else "The front matter"
            raise InvalidMetadata(f"{file}: {error.what}", error.do) from None

    def _document(self, document: Document, data: bytes, origin: Origin | None) -> list[Change]:
        old = self._known.get(document.id)
        if old is None:
            return self._new_name(document, data, origin)
        before, sidecar = self._originals(old)
        raw = origin.data if origin else sidecar
        same = old.revision == document.revision
        if same and data == before and raw == sidecar and not self._rules.fixes:
            return [self._unchanged(old)]
        given = self._given(old, document, data, origin)
        if same:
            return self._update(old, given, raw, None if data == before else data)
        note = _KEPT if origin is None and old.metadata and sidecar else ""
        return [*self._promote_alias(old), self._record(document, data, raw, given, Status.REPLACED, note)]

    def _given(self, old: DocumentInfo, document: Document, data: bytes, origin: Origin | None) -> Cells:
        """What a document holds that was ``old``: what its files say now, and the edits that they do not contradict."""
        before, sidecar = self._originals(old)
        front = document.front if data == before else self._front(old, before)
        was = {**front, **metadata.read_back(sidecar)}
        now = {**document.front, **(origin.raw if origin else metadata.read_back(sidecar))}
        return self._rules.merged(now, was, self._cells(old))

    def _front(self, old: DocumentInfo, data: bytes) -> metadata.Raw:
        return read.front(old.name, data, old.reading.settings)

    def _new_name(self, document: Document, data: bytes, origin: Origin | None) -> list[Change]:
        first = self._first_of(document.name)
        left: list[Change] = []
        kept, raw = "", origin.data if origin else None
        if first:
            given = self._given(first, document, data, origin)
            if first.revision == document.revision and metadata.alike(given, self._cells(first)):
                return [self._unchanged(first, document.name, f"An alias of {first.name}.")]
            others = tuple(alias for alias in first.aliases if alias != document.name)
            left = [self._amend(first, self._result(first, Status.UPDATED), aliases=others, reported=False)]
            if origin is None:
                raw = self._originals(first)[1]
                kept = _KEPT if first.metadata else ""
        else:
            given = self._rules.new({**document.front, **(origin.raw if origin else {})})
        alike = (document.revision, document.media_type)
        twins = [info for info in self._known.values() if (info.revision, info.media_type) == alike]
        same = next((twin for twin in twins if metadata.alike(self._cells(twin), given)), None)
        if same:
            note = f"The same text and metadata as {same.name}. {kept}".strip()
            result = self._result(same, Status.ALIAS, note, document.name)
            return [*left, self._amend(same, result, aliases=(*same.aliases, document.name))]
        note = f"The same text as {twins[0].name} with other metadata: a document of its own." if twins else ""
        note = f"{note} {kept}".strip()
        return [*left, self._record(document, data, raw, given, Status.ADDED, note)]

    def _unchanged(self, info: DocumentInfo, name: str = "", note: str = "Same name, same text.") -> Change:
        return Change(self._result(info, Status.UNCHANGED, note, name))

    def _update(self, info: DocumentInfo, given: Cells, raw: bytes | None, data: bytes | None) -> list[Change]:
        if metadata.unchanged(given, self._cells(info)):
            result = self._result(info, Status.UNCHANGED, "Same text, same metadata.")
            return [self._amend(info, result, cells=given, sidecar=raw, data=data, aliases=info.aliases)]
        moved = self._promote_alias(info)
        result = self._result(info, Status.UPDATED, "Same text, new metadata: nothing to embed.")
        return [*moved, self._amend(info, result, cells=given, sidecar=raw, data=data, aliases=())]

    def _amend(
        self,
        info: DocumentInfo,
        result: FileResult,
        *,
        aliases: tuple[str, ...],
        cells: Cells | None = None,
        sidecar: bytes | None = None,
        data: bytes | None = None,
        reported: bool = True,
    ) -> Change:
        """New aliases or metadata for a document, written into its record if that is on its way in this same drop."""
        told = info.metadata if cells is None else values(cells)
        self._known[info.id] = replace(info, aliases=aliases, metadata=told)
        waiting = self._records.get(info.id)
        if waiting is None or waiting.record is None:
            others = None if aliases == info.aliases else aliases
            change = Change(result, None, cells, sidecar, data, others, reported)
            if cells is not None:
                self._amended[info.id] = change
            return change
        waiting.record = replace(waiting.record, aliases=aliases)
        if cells is not None:
            kept = waiting.record.data if data is None else data
            waiting.record = replace(waiting.record, metadata=told, cells=cells, sidecar=sidecar, data=kept)
        return Change(result, reported=reported)

    def _promote_alias(self, old: DocumentInfo) -> list[Change]:
        """Before a document changes: what its aliases name lives on under the first of them."""
        if not old.aliases:
            return []
        waiting = self._records.get(old.id)
        record = waiting.record if waiting else None
        passage = record.passage if record else self._store.passage(old.id)
        data, raw = self._originals(old)
        name, *others = old.aliases
        document = replace(passage.document, id=read.document_id(name), name=name)
        passage = Passage(document, passage.sentences)
        promoted = Record(passage, data, raw, old.metadata, tuple(others), self._cells(old))
        return [self._remember(Change(self._result(old, Status.ADDED, name=name), promoted, reported=False))]

    def _originals(self, info: DocumentInfo) -> tuple[bytes, bytes | None]:
        held = self._held(info)
        return held.data, held.sidecar

    def _cells(self, info: DocumentInfo) -> Cells:
        return self._held(info).cells

    def _held(self, info: DocumentInfo) -> _Kept:
        """What is kept of a document, or will be once this batch is written; the store is asked once for each file."""
        waiting = self._records.get(info.id)
        if waiting and waiting.record:
            return _Kept(waiting.record.data, waiting.record.sidecar, waiting.record.cells)
        if info.id not in self._kept:
            cells = self._store.cells([info.id]).get(info.id, {})
            self._kept[info.id] = _Kept(*self._store.originals(info.id), cells)
        kept, amended = self._kept[info.id], self._amended.get(info.id)
        if amended is None or amended.cells is None:
            return kept
        return _Kept(kept.data if amended.data is None else amended.data, amended.sidecar, amended.cells)

    def _record(
        self, document: Document, data: bytes, raw: bytes | None, given: Cells, status: Status, note: str
    ) -> Change:
        passage = Passage(document, tuple(self._split(document)))
        record = Record(passage, data, raw, values(given), cells=given)
        return self._remember(Change(result_of(_info(record), status, note), record))

    def _remember(self, change: Change) -> Change:
        if change.record is not None:
            info = _info(change.record)
            self._known[info.id] = info
            self._records[info.id] = change
        return change

    def _result(self, info: DocumentInfo, status: Status, reason: str = "", name: str = "") -> FileResult:
        return result_of(info, status, reason, name)

    def _noted(self, changes: list[Change], origin: Origin | None) -> list[Change]:
        """The changes, told what was left out of the metadata, what does not fit, and which fields are new."""
        zeros = origin.zeros if origin else 0
        notes = (
            [f"{zeros} zero character{'s were' if zeros > 1 else ' was'} left out of its metadata."] if zeros else []
        )
        notes += self._rules.told()
        for change in changes:
            if change.reported:
                change.result = replace(change.result, notices=(*change.result.notices, *notes))
        return changes


def result_of(info: DocumentInfo, status: Status, reason: str = "", name: str = "") -> FileResult:
    """What became of the file that ``info`` was read from."""
    how = info.reading
    return FileResult(
        name or info.name, status, reason, info.id, info.sentences, characters=info.characters, pages=how.pages,
        language=how.language, blocks=how.blocks, cleaned=how.cleaned, notices=how.notices,
    )  # fmt: skip


def unpacked(uploads: Iterable[Upload], changes: list[Change]) -> dict[str, Upload]:
    """The files by name, those inside archives in place of the archive; what cannot be taken is added to ``changes``."""
    files: dict[str, Upload] = {}
    for upload in _members(uploads, changes):
        if upload.name in files and files[upload.name].data != upload.data:
            changes.append(_failed(upload, "Two files of this name in one drop: drop the folder that holds them."))
        files.setdefault(upload.name, upload)
    return files


def _members(uploads: Iterable[Upload], changes: list[Change]) -> Iterator[Upload]:
    for upload in uploads:
        if not formats.is_archive(upload.data, upload.name):
            yield upload
            continue
        try:
            for member in archive.unpack(upload.name, upload.data):
                if member.data is None:
                    changes.append(_failed(Upload(member.name, b""), member.reason))
                else:
                    yield Upload(member.name, member.data)
        except UnreadableFile as error:
            changes.append(_failed(upload, str(error)))


def gather(files: Mapping[str, Upload], known: Iterable[DocumentInfo], fields: Iterable[FieldSpec]) -> Gathered:
    """What the metadata files among ``files`` say, about those or about documents that are known."""
    names = [name for info in known for name in (info.name, *info.aliases)]
    lists = [spec.name for spec in fields if spec.type is FieldType.STRINGS]
    return metadata.gather({name: upload.data for name, upload in files.items()}, names, lists)


def raws(files: Mapping[str, Upload], gathered: Gathered) -> dict[str, metadata.Raw]:
    """What the files of a drop say about each document, by its name, before any is read whole; ``{}`` for nothing."""
    found: dict[str, metadata.Raw] = {}
    for name in dict.fromkeys([*files, *gathered.origins]):
        if name not in gathered.files:
            origin = gathered.origins.get(name)
            front = read.front(name, files[name].data) if name in files else {}
            found[name] = {**front, **(origin.raw if origin else {})}
    return found


def faults(uploads: Iterable[Upload], known: Sequence[DocumentInfo], fields: Iterable[FieldSpec]) -> list[FileResult]:
    """The archives and metadata files that cannot be read, or are about no document; no document is read for this."""
    changes: list[Change] = []
    files = unpacked(uploads, changes)
    gathered = gather(files, known, fields)
    documents = {*files, *(name for info in known for name in (info.name, *info.aliases))}
    changes += [_of_table(name, told) for name, told in gathered.tables.items() if told.error]
    for name, origin in gathered.origins.items():
        error = origin.error or (None if name in documents else _without_document(name))
        if error:
            changes.append(_failed(Upload(origin.files[-1], b""), str(error)))
    return [change.result for change in changes]


def _without_document(target: str) -> NotFound:
    return NotFound(f"A sidecar for {target!r}, but no document of that name.", "Add both in one drop.")


def _of_table(name: str, table: metadata.Table) -> Change:
    if table.error:
        return Change(FileResult(name, Status.FAILED, str(table.error)))
    said = f"Metadata of {table.documents:,} document{'' if table.documents == 1 else 's'}."
    notices: tuple[str, ...] = ()
    if table.unmatched:
        few = ", ".join(table.unmatched[:_FEW])
        more = f" and {len(table.unmatched) - _FEW:,} more" if len(table.unmatched) > _FEW else ""
        notices = (f"Rows that name no document here: {few}{more}.",)
    return Change(FileResult(name, Status.UPDATED, said, notices=notices))


def _failed(upload: Upload, reason: str) -> Change:
    return Change(FileResult(upload.name, Status.FAILED, reason))


def _info(record: Record) -> DocumentInfo:
    document = record.passage.document
    return DocumentInfo(
        document.id, document.name, document.revision, document.media_type, len(document.text),
        len(record.passage.sentences), record.aliases, datetime.min, record.metadata, document.reading,
    )  # fmt: skip


def names(paths: Iterable[str]) -> dict[str, str]:
    """Names for files given one by one: the file name, with as many parent folders as tell two of one name apart.

    Paths have ``/`` between their parts. A sidecar is named after its document if that is given too.
    """
    every = list(paths)
    found = {path: _shortest_name(path, every) for path in every}
    for path in every:
        document = path.removesuffix(metadata.SUFFIX)
        if document != path and document in found:
            found[path] = found[document] + metadata.SUFFIX
    return found


def _shortest_name(path: str, every: Sequence[str]) -> str:
    parts = path.split("/")
    for depth in range(1, len(parts)):
        name = "/".join(parts[-depth:])
        if sum(other in (path, name) or other.endswith("/" + name) for other in every) == 1:
            return name
    return path
