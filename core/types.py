"""The vocabulary every stage speaks. Offsets are code points into ``Document.text``, half open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.boosts import Factors, boosted
from core.filters import FieldType, Filter
from core.settings import ChunkSettings, ReadSettings, SearchSettings

Vectors = NDArray[np.float32]
"""Unit vectors, one row each: shape (n, dim)."""

Value = str | int | float | bool | datetime | tuple[str, ...]
"""One metadata value, as its field's type holds it; times are UTC without a zone."""

Metadata = Mapping[str, Value]


class DateOrder(StrEnum):
    """How 10/03/2024 is read; nothing in the text tells, so a person chooses."""

    DAY_FIRST = "day_first"
    MONTH_FIRST = "month_first"


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One metadata field of a workspace.

    ``required`` and ``default`` say what a document without it means; ``allowed`` limits text; ``date_order`` is how
    dates are read that have the year last. A type that was proposed from the data is not ``confirmed`` yet.
    """

    name: str
    type: FieldType
    required: bool = False
    default: Value | None = None
    allowed: tuple[str, ...] = ()
    description: str = ""
    date_order: DateOrder | None = None
    confirmed: bool = True


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    QUOTE = "quote"
    IMAGE = "image"


@dataclass(frozen=True, slots=True)
class Block:
    """One structural part of a document; ``headings`` is the path of headings above it.

    An image is its caption or alternative text. A table is Markdown, its caption (if any) on a line before it.
    ``page`` counts from 1 where the format has pages (a slide, a sheet).
    """

    kind: BlockKind
    start: int
    end: int
    headings: tuple[str, ...] = ()
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """How a document was read: what was found out, what was cleaned, and what the reader should know.

    ``encoding`` is empty for formats that carry their own; ``guessed`` if nothing in the bytes named it.
    ``language`` is an ISO 639-1 code or empty; ``pages`` is 0 where there are none; ``blocks`` counts them by kind;
    ``cleaned`` counts what was changed or left out, by a word for it (headers, footers, hyphens, ligatures, nul …).
    """

    settings: ReadSettings = field(default_factory=ReadSettings)
    encoding: str = ""
    guessed: bool = False
    language: str = ""
    pages: int = 0
    blocks: Mapping[str, int] = field(default_factory=dict)
    cleaned: Mapping[str, int] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """One immutable text. ``id`` follows the name, ``revision`` the text.

    ``front`` is what the file says about itself before its text begins (the front matter of Markdown), untyped.
    """

    id: str
    revision: str
    name: str
    media_type: str
    text: str
    blocks: tuple[Block, ...]
    reading: Reading = Reading()
    front: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence's span and the number of the block it lies in.

    ``hard`` marks one that does not end where a sentence does: it was cut because no model reads a text so long.
    """

    start: int
    end: int
    block: int
    hard: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Node:
    """The unit of retrieval: a span, the span that is embedded for it, and its sentences (both ends included).

    ``prefix`` stands before the node's text without being part of its span: the header of a table whose rows were
    parted, the items that a nested list item belongs to. ``context`` stands before both where the model reads it.
    """

    ordinal: int
    start: int
    end: int
    first_sentence: int
    last_sentence: int
    embedded: Span
    kind: BlockKind = BlockKind.PARAGRAPH
    page: int | None = None
    headings: tuple[str, ...] = ()
    prefix: str = ""
    context: str = ""


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """One row of the document list: everything about a document but its text.

    ``layout`` tells one way of cutting the text into blocks and sentences from another.
    """

    id: str
    name: str
    revision: str
    media_type: str
    characters: int
    sentences: int
    aliases: tuple[str, ...]
    ingested_at: datetime
    metadata: Metadata
    reading: Reading = Reading()
    layout: str = ""

    @property
    def version(self) -> str:
        """Changes with the text and with the way it is cut."""
        return self.revision + self.layout


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What an index remembers of the model that made it. ``revision`` is a hash of the weights."""

    name: str
    revision: str
    dim: int
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Index:
    """Chunk settings and a model: immutable. ``version`` grows whenever its nodes change."""

    id: str
    name: str
    settings: ChunkSettings
    model: ModelInfo
    created_at: datetime
    version: int
    documents: int
    nodes: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A node that answers, in its window. ``score`` is a cosine; ``distance`` is 1 − cosine.

    ``sentences`` are those of the window, as spans of the document. ``prefix`` and ``suffix`` stand around the window's
    text without being in the document there: a table's header, the items above a nested one, a boundary mark.
    ``tokens`` were embedded for the node; ``computed`` are its computed fields. ``factors`` are the boosts it passes, and
    ``final`` what they make of the score: ranks follow it.
    """

    rank: int
    score: float
    id: str
    doc_id: str
    name: str
    node: Node
    window: Span
    text: str
    window_text: str
    sentences: tuple[Span, ...]
    metadata: Metadata
    prefix: str = ""
    suffix: str = ""
    tokens: int = 0
    computed: Metadata = field(default_factory=dict)
    factors: Factors = ()

    @property
    def final(self) -> float:
        return boosted(self.score, self.factors)

    @property
    def returned(self) -> str:
        """What a reader or an LLM gets."""
        return self.prefix + self.window_text + self.suffix

    @property
    def distance(self) -> float:
        return 1.0 - self.score


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """All that determines a result."""

    question: str
    index: str
    filter: Filter
    settings: SearchSettings


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits best first, the SQL that found them with its bound values, and how many nodes the filter left."""

    request: SearchRequest
    hits: tuple[Hit, ...]
    sql: str
    params: tuple[object, ...]
    matching: int
    total: int
    timings_ms: Mapping[str, float] = field(default_factory=dict)


class Encoder(Protocol):
    """Turns texts into unit vectors and counts tokens as the model does."""

    @property
    def info(self) -> ModelInfo: ...

    @property
    def tokenizer_name(self) -> str: ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of passages: shape (len(texts), dim). Blank texts are an error."""
        ...

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions, which some models read in another way: shape (len(texts), dim)."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as the model reads it, its special tokens included, never cut."""
        ...

    def count_unknown(self, texts: Sequence[str]) -> list[int]:
        """How many of those tokens stand for something the model has no word piece for."""
        ...

    def token_spans(self, text: str) -> NDArray[np.int64]:
        """Where the tokens of ``text`` lie, in code points and in order, special ones left out: shape (n, 2)."""
        ...


class Progress(Protocol):
    """Long work tells how far it is; the call raises ``Cancelled`` once the user has asked to stop."""

    def __call__(self, done: float, total: float, message: str) -> None: ...


def no_progress(done: float, total: float, message: str) -> None:
    """For callers nobody watches."""
