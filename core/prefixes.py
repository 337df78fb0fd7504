"""The words some models want before a question and before a passage, and how a model's name says which.

``intfloat/e5-small-v2`` is used as its makers say. ``intfloat/e5-small-v2#query=&passage=`` is the same model without
them: another model, as far as indexes are concerned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from urllib.parse import parse_qsl, quote

import numpy as np
from numpy.typing import NDArray

from core.errors import ModelUnavailable
from core.types import Encoder, ModelInfo, Vectors

LONGEST = 300
_MARK = "#query="
_SENTENCE = "Represent this sentence for searching relevant passages: "


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What is put before a question and before a passage when it is embedded, and nowhere else."""

    query: str = ""
    passage: str = ""


_FAMILIES = (
    (re.compile(r"(^|[-_/])e5-(?!.*instruct|mistral)"), Prefixes("query: ", "passage: ")),
    (re.compile(r"(^|[-_/])bge-(small|base|large)-en"), Prefixes(_SENTENCE)),
    (re.compile(r"arctic-embed-(xs|s|m|l)(-v1\.5)?$|mxbai-embed-large"), Prefixes(_SENTENCE)),
    (re.compile(r"nomic-embed-text"), Prefixes("search_query: ", "search_document: ")),
)
"""As the models' cards say; nothing for models that are not known to want any."""


def of_family(name: str) -> Prefixes:
    """What a model is known to want, by its name."""
    last = name.rstrip("/").rsplit("/", 1)[-1].lower()
    return next((wanted for family, wanted in _FAMILIES if family.search(last)), Prefixes())


def of_prompts(prompts: Mapping[str, str]) -> Prefixes:
    """What a model's own configuration says, under the names in use for it."""
    passage = next((said for name in ("passage", "document", "corpus") if (said := prompts.get(name))), "")
    return Prefixes(prompts.get("query") or "", passage)


def parted(name: str) -> tuple[str, Prefixes | None]:
    """A model's name without its prefixes, and those that it says; None if it leaves them to the model.

    Raises:
        ModelUnavailable: what it says are no prefixes.
    """
    bare, mark, said = name.rpartition(_MARK)
    if not mark:
        return name, None
    try:
        told = dict(parse_qsl(mark[1:] + said, keep_blank_values=True, strict_parsing=True, max_num_fields=2))
        prefixes = Prefixes(**told)
    except (TypeError, ValueError):
        raise ModelUnavailable(
            f"The model's name {name[:80]!r} ends in no prefixes.", "Write NAME#query=…&passage=…."
        ) from None
    if max(len(prefixes.query), len(prefixes.passage)) > LONGEST:
        raise ModelUnavailable("A prefix is too long.", f"Keep to {LONGEST} characters.")
    return bare, prefixes


def named(bare: str, prefixes: Prefixes) -> str:
    """The name of a model with these prefixes."""
    return f"{bare}{_MARK}{quote(prefixes.query, safe='')}&passage={quote(prefixes.passage, safe='')}"


@dataclass(frozen=True, slots=True)
class PrefixedEncoder:
    """An encoder that reads a prefix before each text. Tokens are counted without: ``info.max_tokens`` allows for it."""

    inner: Encoder
    name: str
    prefixes: Prefixes
    info: ModelInfo = field(init=False)

    def __post_init__(self) -> None:
        inner = self.inner.info
        empty, prefixed = self.inner.count_tokens(["", self.prefixes.passage])
        told = f"{self.prefixes.query}\0{self.prefixes.passage}".encode("utf-8", "replace")
        revision = f"{inner.revision}-{blake2b(told, digest_size=4).hexdigest()}"
        room = max(1, inner.max_tokens - (prefixed - empty))
        object.__setattr__(self, "info", replace(inner, name=self.name, revision=revision, max_tokens=room))

    @property
    def tokenizer_name(self) -> str:
        return self.inner.tokenizer_name

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of passages: shape (len(texts), info.dim). A blank text is a ValueError."""
        return self._encode(self.prefixes.passage, texts)

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions: shape (len(texts), info.dim)."""
        return self._encode(self.prefixes.query, texts)

    def _encode(self, prefix: str, texts: Sequence[str]) -> Vectors:
        if blank := [text for text in texts if not text.strip()]:
            return self.inner.encode(blank)  # refuses them, as always
        return self.inner.encode([prefix + text for text in texts])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self.inner.count_tokens(texts)

    def count_unknown(self, texts: Sequence[str]) -> list[int]:
        return self.inner.count_unknown(texts)

    def token_spans(self, text: str) -> NDArray[np.int64]:
        return self.inner.token_spans(text)
