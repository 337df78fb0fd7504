"""What a workspace expects of its documents' metadata: fields, their kinds, and what every workspace begins with."""

from __future__ import annotations

from dataclasses import dataclass

from core.metadata.values import DateOrder, Kind
from core.types import Value


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field as users confirmed it.

    ``required`` and ``default`` say what a document without it means; ``allowed`` limits text; ``date_order`` is how
    dates are read that have the year last.
    """

    name: str
    kind: Kind
    required: bool = False
    default: Value | None = None
    allowed: tuple[str, ...] = ()
    description: str = ""
    date_order: DateOrder | None = None


BUILT_IN = (
    FieldSpec("source", Kind.STRING, description="Where the document came from: a path, a system, a publisher"),
    FieldSpec("source_filename", Kind.STRING, description="The name of the original file"),
    FieldSpec("source_format", Kind.STRING, description="The format of the original file"),
    FieldSpec("source_url", Kind.STRING, description="The address of the original"),
    FieldSpec("doc_type", Kind.STRING, description="What sort of document it is: contract, report, FAQ …"),
    FieldSpec("category", Kind.STRING, description="What it is about, in one word"),
    FieldSpec("tags", Kind.STRINGS, description="Any number of words for it"),
    FieldSpec("security_level", Kind.STRING, description="Who may read it"),
    FieldSpec("created_at", Kind.DATETIME, description="When it was written"),
    FieldSpec("published_at", Kind.DATETIME, description="When it was made public"),
    FieldSpec("author", Kind.STRING, description="Who wrote it"),
    FieldSpec("language", Kind.STRING, description="Its language, as an ISO 639-1 code"),
    FieldSpec("domain", Kind.STRING, description="The field of knowledge or the part of the organisation"),
)
"""The fields of every workspace, before anything is added."""
