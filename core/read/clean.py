"""Characters that no text holds, and ligatures that are two letters to whoever searches."""

from __future__ import annotations

import re
from collections import Counter

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE = re.compile("[ﬀ-ﬆ]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def characters(text: str, *, ligatures: bool) -> tuple[str, Counter[str]]:
    """``text`` without zero characters, half characters as U+FFFD, and ligatures written out if asked; and the counts."""
    counts: Counter[str] = Counter()
    if "\x00" in text:
        counts["nul"] = text.count("\x00")
        text = text.replace("\x00", "")
    if not text.isascii():
        text, counts["broken"] = _SURROGATE.subn("\ufffd", text)
        if ligatures:
            text, counts["ligatures"] = _LIGATURE.subn(lambda found: _LIGATURES[found.group()], text)
    return text, +counts
