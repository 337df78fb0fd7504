"""What a workspace expects of its documents' metadata: fields, their kinds, and what every workspace begins with."""

from __future__ import annotations

from core.filters import FieldType
from core.types import FieldSpec

BUILT_IN = (
    FieldSpec("source", FieldType.STRING, description="Where the document came from: a path, a system, a publisher"),
    FieldSpec("source_filename", FieldType.STRING, description="The name of the original file"),
    FieldSpec("source_format", FieldType.STRING, description="The format of the original file"),
    FieldSpec("source_url", FieldType.STRING, description="The address of the original"),
    FieldSpec("doc_type", FieldType.STRING, description="What sort of document it is: contract, report, FAQ …"),
    FieldSpec("category", FieldType.STRING, description="What it is about, in one word"),
    FieldSpec("tags", FieldType.STRINGS, description="Any number of words for it"),
    FieldSpec("security_level", FieldType.STRING, description="Who may read it"),
    FieldSpec("created_at", FieldType.DATETIME, description="When it was written"),
    FieldSpec("published_at", FieldType.DATETIME, description="When it was made public"),
    FieldSpec("author", FieldType.STRING, description="Who wrote it"),
    FieldSpec("language", FieldType.STRING, description="Its language, as an ISO 639-1 code"),
    FieldSpec("domain", FieldType.STRING, description="The field of knowledge or the part of the organisation"),
)
"""The fields of every workspace, before anything is added."""
