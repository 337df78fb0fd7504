"""An answer from what was found: for now the best sentences as they stand, each with its source."""

from __future__ import annotations

from collections.abc import Sequence

from core.types import Hit

SENTENCES = 3
_CLOSE = 0.75


def extract(hits: Sequence[Hit]) -> str:
    """The nodes of the best hits, cited by rank: ``Refunds take 30 days. [1]``. No hits give no answer.

    At most three, each within three quarters of the best score, none twice.
    """
    chosen: dict[str, int] = {}
    for hit in hits:
        near = hit.score >= _CLOSE * hits[0].score
        if near and len(chosen) < SENTENCES:
            chosen.setdefault(" ".join(hit.text.split()), hit.rank)
    return " ".join(f"{text} [{rank}]" for text, rank in chosen.items())
