"""Small real things that stand in for large ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from core.types import ModelInfo, Vectors


@dataclass(frozen=True)
class BagEncoder:
    """A bag of hashed words: texts that share words are near, and every run gives the same vectors."""

    info: ModelInfo = field(default=ModelInfo("bag", "bag-1", 32, 256))
    tokenizer_name: str = "words"

    def encode(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.info.dim), np.float32)
        for row, text in enumerate(texts):
            for word in _words(text) or [text]:
                vectors[
                    row,
                    int(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest(), 16) % self.info.dim,
                ] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        return self.encode(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(_words(text)) + 2 for text in texts]

    def count_unknown(self, texts: Sequence[str]) -> list[int]:
        """Words with a letter outside ASCII are unknown to it."""
        return [sum(not word.isascii() for word in _words(text)) for text in texts]

    def token_spans(self, text: str) -> NDArray[np.int64]:
        """Words are its tokens."""
        return np.array([found.span() for found in re.finditer(r"\w+", text)], np.int64).reshape(-1, 2)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
