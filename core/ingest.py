"""What a drop of files means: which are new, replaced, updated, unchanged, an alias, or cannot be read.

Values in, values out: ``plan`` reads the files and compares them with the documents that are there; nothing is
embedded here, and nothing stored but the metadata fields that sidecars bring.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from core import metadata, read
from core.errors import AppError, Cancelled, InvalidMetadata, NotFound, UnreadableFile
from core.progress import Part
from core.read import archive, formats
from core.settings import ReadSettings
from core.store.base import Passage, Record, Store
from core.types import Document, DocumentInfo, Metadata, Progress, Sentence, no_progress


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
    metadata: Metadata | None = None
    sidecar: bytes | None = None
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


class Planner:
    """Compares files with a workspace one after another; each sees what those before it will have changed."""

    def __init__(self, store: Store, reader: Reader, split: Split) -> None:
        self._store = store
        self._read = reader
        self._split = split
        self._known = {info.id: info for info in store.documents()}
        self._records: dict[str, Change] = {}

    def plan(self, uploads: Sequence[Upload], progress: Progress) -> Iterator[Batch]:
        """The changes that ``uploads`` ask for, in order, in batches; each must be written before the next is asked for.

        A file that cannot be read is a failed result, no error. A batch ends with the file that makes it ``BATCH``
        sentences or more; progress counts files, those read but not yet written as ``READING`` of one.
        """
        files: dict[str, Upload] = {}
        changes: list[Change] = []
        for upload in _unpacked(uploads, changes):
            if upload.name in files and files[upload.name].data != upload.data:
                changes.append(_failed(upload, "Two files of this name in one drop: drop the folder that holds them."))
            files.setdefault(upload.name, upload)
        sidecars = metadata.match_sidecars(files)
        beside = {document: files[sidecar] for sidecar, document in sidecars.items()}
        first = 0
        for position, upload in enumerate(files.values()):
            start = first + READING * (position - first)
            part = Part(progress, start, READING, len(files), f"Reading {upload.name}")
            part(0, 0, "")
            if upload.name not in sidecars:
                changes += self._guarded(upload, beside.get(upload.name), part)
            elif sidecars[upload.name] not in files:
                changes += self._guarded_sidecar(upload, sidecars[upload.name])
            if self._waiting() >= BATCH:
                yield self._flushed(changes, first, position + 1, len(files))
                changes, first = [], position + 1
        yield self._flushed(changes, first, len(files), len(files))

    def _waiting(self) -> int:
        """Sentences of documents that are still to be written."""
        return sum(len(c.record.passage.sentences) for c in self._records.values() if c.record)

    def _flushed(self, changes: list[Change], first: int, end: int, files: int) -> Batch:
        self._records.clear()
        return Batch(changes, first + READING * (end - first), (1 - READING) * (end - first), files)

    def _guarded(self, upload: Upload, sidecar: Upload | None, progress: Progress) -> list[Change]:
        start = time.perf_counter()
        try:
            known = self._known.get(read.document_id(upload.name)) or self._first_of(upload.name)
            settings = self._settings(known, upload.data) if known else read.AUTOMATIC
            document = self._read(upload.name, upload.data, settings, progress)
            given = None if sidecar is None else self._metadata(sidecar)
            changes = self._document(document, upload.data, sidecar, given)
        except Cancelled:
            raise
        except AppError as error:
            changes = [_failed(upload, str(error))]
        for change in changes:
            change.result = replace(change.result, seconds=time.perf_counter() - start)
        return _noted(changes, sidecar)

    def _settings(self, known: DocumentInfo, data: bytes) -> ReadSettings:
        """A document is read again as it was read before; but an encoding chosen for other bytes must still fit."""
        settings = known.reading.settings
        if settings.encoding and self._originals(known)[0] != data and read.says_its_encoding(data):
            return replace(settings, encoding="")
        return settings

    def _guarded_sidecar(self, upload: Upload, target: str) -> list[Change]:
        return _noted(self._sidecar(upload, target), upload)

    def _sidecar(self, upload: Upload, target: str) -> list[Change]:
        try:
            info = self._known.get(read.document_id(target))
            first = self._first_of(target)
            if info is None and first is not None:
                data, given = self._originals(first)[0], self._metadata(upload)
                document = self._read(target, data, first.reading.settings, no_progress)
                return self._new_name(document, data, upload.data, given)
            return self._update(info or self._only_of_stem(target), self._metadata(upload), upload.data)
        except AppError as error:
            return [_failed(upload, str(error))]

    def _first_of(self, alias: str) -> DocumentInfo | None:
        return next((info for info in self._known.values() if alias in info.aliases), None)

    def _only_of_stem(self, stem: str) -> DocumentInfo:
        found = [info for info in self._known.values() if info.name.rsplit(".", 1)[0] == stem]
        if len(found) != 1:
            raise NotFound(f"A sidecar for {stem!r}, but no document of that name.", "Add both in one drop.")
        return found[0]

    def _metadata(self, sidecar: Upload) -> Metadata:
        """The sidecar's values, typed; fields it brings are added to the workspace."""
        try:
            data = metadata.parse(sidecar.data)
            types = {known.name: known.type for known in self._store.metadata_fields()}
            new = metadata.field_specs(data, types)
            types.update({added.name: added.type for added in new})
            typed = metadata.typed(data, types)
            if new:
                self._store.add_fields(new)
        except InvalidMetadata as error:
            raise InvalidMetadata(f"{sidecar.name}: {error.what}", error.do) from None
        return typed

    def _document(
        self, document: Document, data: bytes, sidecar: Upload | None, given: Metadata | None
    ) -> list[Change]:
        old = self._known.get(document.id)
        raw = sidecar.data if sidecar else None
        if old is None:
            return self._new_name(document, data, raw, given)
        if old.revision == document.revision:
            return [self._unchanged(old)] if given is None else self._update(old, given, raw)
        note = ""
        if given is None and old.metadata:
            given, note = old.metadata, _KEPT
            raw = self._originals(old)[1]
        return [*self._promote_alias(old), self._record(document, data, raw, given or {}, Status.REPLACED, note)]

    def _new_name(self, document: Document, data: bytes, raw: bytes | None, given: Metadata | None) -> list[Change]:
        first = self._first_of(document.name)
        left: list[Change] = []
        kept = ""
        if first and first.revision == document.revision and given in (None, first.metadata):
            return [self._unchanged(first, document.name, f"An alias of {first.name}.")]
        if first:
            others = tuple(alias for alias in first.aliases if alias != document.name)
            left = [self._amend(first, self._result(first, Status.UPDATED), aliases=others, reported=False)]
            if given is None and first.metadata:
                given, raw, kept = first.metadata, self._originals(first)[1], _KEPT
        alike = (document.revision, document.media_type)
        twins = [info for info in self._known.values() if (info.revision, info.media_type) == alike]
        same = next((twin for twin in twins if twin.metadata == (given or {})), None)
        if same:
            note = f"The same text and metadata as {same.name}. {kept}".strip()
            result = self._result(same, Status.ALIAS, note, document.name)
            return [*left, self._amend(same, result, aliases=(*same.aliases, document.name))]
        note = f"The same text as {twins[0].name} with other metadata: a document of its own." if twins else ""
        note = f"{note} {kept}".strip()
        return [*left, self._record(document, data, raw, given or {}, Status.ADDED, note)]

    def _unchanged(self, info: DocumentInfo, name: str = "", note: str = "Same name, same text.") -> Change:
        return Change(self._result(info, Status.UNCHANGED, note, name))

    def _update(self, info: DocumentInfo, given: Metadata, raw: bytes | None) -> list[Change]:
        if given == info.metadata:
            return [self._unchanged(info, note="Same text, same metadata.")]
        moved = self._promote_alias(info)
        result = self._result(info, Status.UPDATED, "Same text, new metadata: nothing to embed.")
        return [*moved, self._amend(info, result, metadata=given, sidecar=raw, aliases=())]

    def _amend(
        self,
        info: DocumentInfo,
        result: FileResult,
        *,
        aliases: tuple[str, ...],
        metadata: Metadata | None = None,
        sidecar: bytes | None = None,
        reported: bool = True,
    ) -> Change:
        """New aliases or metadata for a document, written into its record if that is on its way in this same drop."""
        self._known[info.id] = replace(info, aliases=aliases, metadata=info.metadata if metadata is None else metadata)
        waiting = self._records.get(info.id)
        if waiting is None or waiting.record is None:
            return Change(result, None, metadata, sidecar, aliases, reported)
        waiting.record = replace(waiting.record, aliases=aliases)
        if metadata is not None:
            waiting.record = replace(waiting.record, metadata=metadata, sidecar=sidecar)
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
        promoted = Record(Passage(document, passage.sentences), data, raw, old.metadata, tuple(others))
        return [self._remember(Change(self._result(old, Status.ADDED, name=name), promoted, reported=False))]

    def _originals(self, info: DocumentInfo) -> tuple[bytes, bytes | None]:
        waiting = self._records.get(info.id)
        if waiting and waiting.record:
            return waiting.record.data, waiting.record.sidecar
        return self._store.originals(info.id)

    def _record(
        self, document: Document, data: bytes, raw: bytes | None, given: Metadata, status: Status, note: str
    ) -> Change:
        record = Record(Passage(document, tuple(self._split(document))), data, raw, given)
        return self._remember(Change(result_of(_info(record), status, note), record))

    def _remember(self, change: Change) -> Change:
        if change.record is not None:
            info = _info(change.record)
            self._known[info.id] = info
            self._records[info.id] = change
        return change

    def _result(self, info: DocumentInfo, status: Status, reason: str = "", name: str = "") -> FileResult:
        return result_of(info, status, reason, name)


def result_of(info: DocumentInfo, status: Status, reason: str = "", name: str = "") -> FileResult:
    """What became of the file that ``info`` was read from."""
    how = info.reading
    return FileResult(
        name or info.name, status, reason, info.id, info.sentences, characters=info.characters, pages=how.pages,
        language=how.language, blocks=how.blocks, cleaned=how.cleaned, notices=how.notices,
    )  # fmt: skip


def _unpacked(uploads: Iterable[Upload], changes: list[Change]) -> Iterator[Upload]:
    """The files, those inside archives in place of the archive; what cannot be unpacked is added to ``changes``."""
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


def _noted(changes: list[Change], sidecar: Upload | None) -> list[Change]:
    """The changes, told how many zero characters were left out of the sidecar."""
    zeros = metadata.zeros(sidecar.data) if sidecar else 0
    note = f"{zeros} zero character{'s were' if zeros > 1 else ' was'} left out of its metadata."
    for change in changes:
        if zeros and change.reported:
            change.result = replace(change.result, notices=(*change.result.notices, note))
    return changes


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
