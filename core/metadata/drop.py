"""The metadata files of one drop: which say something about which document, in this drop or in the workspace."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from core.errors import InvalidMetadata
from core.metadata import sidecar, table
from core.metadata.paths import slashed
from core.metadata.schema import Raw


@dataclass(frozen=True, slots=True)
class Origin:
    """What metadata files say about one document, and their bytes as they are kept; ``error`` if they cannot be read.

    ``files`` are those it comes from; ``zeros`` counts characters that were left out.
    """

    files: tuple[str, ...]
    raw: Raw = field(default_factory=dict)
    data: bytes = b""
    zeros: int = 0
    error: InvalidMetadata | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """What became of one ``metadata.csv``: how many documents its rows are about, rows that name none, or an error."""

    documents: int = 0
    unmatched: tuple[str, ...] = ()
    error: InvalidMetadata | None = None


@dataclass(frozen=True, slots=True)
class Gathered:
    """All that metadata files say, by document name, and what became of the tables. ``files`` are no documents."""

    origins: Mapping[str, Origin]
    tables: Mapping[str, Table]
    files: frozenset[str]


def gather(files: Mapping[str, bytes], known: Collection[str], lists: Collection[str] = ()) -> Gathered:
    """The metadata in ``files`` by the document they are about, of those in ``files`` and the ``known`` ones.

    A sidecar says more than a table: where both name a field, the sidecar's value is taken. So does a table further down
    than one above it, and a sidecar named after the whole file than one without the ending. Cells of the fields in
    ``lists`` are parted, see ``table.rows_to_sidecars``.
    """
    tables = sorted(filter(table.is_table, files), key=lambda name: (slashed(name).count("/"), name))
    beside = sidecar.match_sidecars(name for name in files if name not in tables)
    documents = [name for name in files if name not in tables and name not in beside]
    origins: dict[str, Origin] = {}
    outcomes: dict[str, Table] = {}
    for name in tables:
        found, outcomes[name] = _rows(name, files[name], documents, known, lists)
        for document, origin in found.items():
            origins[document] = _joined(origins[document], origin) if document in origins else origin
    about = {name: target if target in documents else _stored(target, known) for name, target in beside.items()}
    for name, document in sorted(about.items(), key=lambda pair: pair[0] == pair[1] + sidecar.SUFFIX):
        origin = _sidecar(name, files[name])
        origins[document] = _joined(origins[document], origin) if document in origins else origin
    return Gathered(origins, outcomes, frozenset([*tables, *beside]))


def _stored(target: str, known: Collection[str]) -> str:
    """The document of the workspace that a sidecar without one in its drop is about."""
    stems = [name for name in known if name.removesuffix(PurePosixPath(name).suffix) == target]
    return stems[0] if target not in known and len(stems) == 1 else target


def _rows(
    name: str, data: bytes, documents: Collection[str], known: Collection[str], lists: Collection[str]
) -> tuple[dict[str, Origin], Table]:
    try:
        rows = table.rows_to_sidecars(table.read(data), lists=lists)
        found, unmatched = table.for_documents(name, rows, {*documents, *known}, first=documents)
        if rows and not found:
            raise InvalidMetadata(
                "None of its rows names a document here.",
                "Write the files' names in its first column, and add it with them.",
            )
    except InvalidMetadata as error:
        return {}, Table(error=InvalidMetadata(f"{name}: {error.what}", error.do))
    origins = {document: Origin((name,), raw, _written(raw)) for document, raw in found.items()}
    return origins, Table(len(found), tuple(unmatched))


def _sidecar(name: str, data: bytes) -> Origin:
    try:
        return Origin((name,), sidecar.parse(data), data, sidecar.zeros(data))
    except InvalidMetadata as error:
        return Origin((name,), error=InvalidMetadata(f"{name}: {error.what}", error.do))


def _joined(one: Origin, other: Origin) -> Origin:
    raw = {**one.raw, **other.raw}
    return Origin((*one.files, *other.files), raw, _written(raw), one.zeros + other.zeros, one.error or other.error)


def _written(raw: Raw) -> bytes:
    return json.dumps(raw).encode()


def read_back(data: bytes | None) -> Raw:
    """What the kept bytes of a document's metadata files say; nothing, if an older version kept what is refused now."""
    try:
        return {} if data is None else sidecar.parse(data, most=None)
    except InvalidMetadata:
        return {}
