"""Code point offsets to UTF-16 units: Python counts the former, a browser the latter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def to_utf16(text: str, offsets: Sequence[int]) -> list[int]:
    """For each code point offset into ``text`` the offset in UTF-16 units."""
    if text.isascii():
        return list(offsets)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    astral = np.concatenate([[0], np.cumsum(points > 0xFFFF)])
    at = np.asarray(offsets, np.int64)
    return [int(value) for value in at + astral[at]]
