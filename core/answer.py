"""An answer from what was found: for now the best sentences as they stand, each with its source."""

from __future__ import annotations

from collections.abc import Sequence

from core.types import BlockKind, Hit

SENTENCES = 3
_CLOSE = 0.75


def extract(hits: Sequence[Hit]) -> str:
    """The nodes of the best hits, cited by rank: ``Refunds take 30 days. [1]``. No hits give no answer.

    At most three, each within three quarters of the best score, none twice. A heading answers nothing itself: the
    sentence that follows it in the window speaks for it, and where the window ends with the heading, the next hit does.
    """
    said = [(text, hit) for hit in hits if (text := " ".join(_quotable(hit).split()))]
    chosen: dict[str, int] = {}
    for text, hit in said:
        if hit.score >= _CLOSE * said[0][1].score and len(chosen) < SENTENCES:
            chosen.setdefault(text, hit.rank)
    return " ".join(f"{text} [{rank}]" for text, rank in chosen.items())


def _quotable(hit: Hit) -> str:
    if hit.node.kind is not BlockKind.HEADING:
        return hit.text
    offset = hit.window.start
    following = (hit.window_text[s.start - offset : s.end - offset] for s in hit.sentences if s.start >= hit.node.end)
    return next(following, "")
