"""What chunking asks of a model, answered by an encoder and kept in the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from core import embed
from core.store.base import Store
from core.types import Encoder, Progress, Vectors, no_progress


@dataclass(frozen=True, slots=True)
class ModelPowers:
    """The ``Powers`` of an encoder; two of the same encoder are equal.

    Texts whose vectors an index holds are not embedded again, and how alike they are is worked out once.
    """

    encoder: Encoder
    store: Store = field(compare=False)
    progress: Progress = field(default=no_progress, compare=False)

    def token_spans(self, text: str) -> NDArray[np.int64]:
        return self.encoder.token_spans(text)

    def likeness(self, texts: Sequence[str]) -> Vectors:
        """The cosine of each text with the next: shape (len(texts) − 1,).

        Raises:
            Cancelled: from ``progress``, which hears of every text that is embedded for it.
        """
        hashes = [embed.text_hash(text) for text in texts]
        key = self._key(hashes)
        kept = self.store.likeness(key)
        if kept is None:
            kept = self._compared(texts, hashes)
            self.store.keep_likeness(key, kept)
        return kept

    def lacking(self, texts: Sequence[str]) -> int:
        """How many texts ``likeness`` would embed."""
        hashes = [embed.text_hash(text) for text in texts]
        if self.store.likeness(self._key(hashes)) is not None:
            return 0
        wanted = set(hashes)
        return len(wanted) - len(self.store.known_vectors(self.encoder.info, list(wanted)))

    def _compared(self, texts: Sequence[str], hashes: Sequence[bytes]) -> Vectors:
        vectors = self.store.known_vectors(self.encoder.info, hashes)
        fresh = {h: text for h, text in zip(hashes, texts, strict=True) if h not in vectors}
        vectors.update(zip(fresh, embed.encode_all(self.encoder, list(fresh.values()), self._said), strict=True))
        rows = np.array([vectors[h] for h in hashes], np.float32).reshape(len(texts), self.encoder.info.dim)
        cosines: Vectors = np.einsum("ij,ij->i", rows[:-1], rows[1:])
        return cosines

    def _said(self, done: float, total: float, message: str) -> None:  # noqa: ARG002 - as every Progress
        self.progress(done, total, "Comparing sentences")

    def _key(self, hashes: Sequence[bytes]) -> bytes:
        model = self.encoder.info
        told = repr((model.name, model.revision, model.dim)).encode("utf-8", "surrogatepass")
        return blake2b(told + b"".join(hashes), digest_size=16).digest()
