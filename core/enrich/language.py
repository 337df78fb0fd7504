"""The language of each node: its own where it is long enough to tell, else its document's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from core.languages import NAMES

_ENOUGH = 200  # letters
_SAMPLE = 500  # characters
_SURE = 0.99
_ALIKE = {"nn": "no", "nb": "no", "bs": "hr"}
_CLOSE = (
    frozenset({"da", "no", "sv"}),
    frozenset({"es", "gl", "pt", "ca", "oc"}),
    frozenset({"hr", "sr", "sl", "mk", "bg"}),
    frozenset({"cs", "sk"}),
    frozenset({"id", "ms"}),
    frozenset({"nl", "af"}),
    frozenset({"ru", "uk", "be", "bg"}),
)
"""Languages that a paragraph does not tell apart for sure: the document's stands."""


def of_nodes(texts: Sequence[str], whole: str) -> list[str | None]:
    """The ISO 639-1 code for each text; None where neither it nor the document's language, ``whole``, is known."""
    return [_of(text, whole) or None for text in texts]


def _of(text: str, whole: str) -> str:
    if len(text) < _ENOUGH or sum(map(str.isalpha, text)) < _ENOUGH:
        return whole
    middle = max(0, len(text) // 2 - _SAMPLE // 2)
    code, chance = _model().classify(" ".join(text[middle : middle + _SAMPLE].split()))
    code = _ALIKE.get(code, code)
    if chance < _SURE or code not in NAMES or code == "la":
        return whole
    close = any(whole in group and code in group for group in _CLOSE)
    return whole if close else str(code)


@cache
def _model() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
