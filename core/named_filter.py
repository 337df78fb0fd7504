"""A filter under a name."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from core.errors import AppError, InvalidRequest
from core.filters import Filter, conjunction, from_json, to_json

LONGEST_NAME = 60
LONGEST_FILTER = 100_000


@dataclass(frozen=True, slots=True)
class NamedFilter:
    """A filter with the name that it is saved under."""

    name: str
    filter: Filter

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not 0 < len(self.name.strip()) <= LONGEST_NAME:
            raise InvalidRequest(
                "The filter has no name, or a very long one.", f"Give it one of {LONGEST_NAME} characters at most."
            )
        if re.search("[\0-\x1f\ud800-\udfff]", self.name):
            raise InvalidRequest("The name of the filter holds a character that is none.", "Type it again.")
        object.__setattr__(self, "name", self.name.strip())

    def to_json(self) -> str:
        """As text that ``from_json`` reads again; times become ISO texts."""
        told = {"name": self.name, "filter": to_json(self.filter)}
        return json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> NamedFilter:
        """A filter from what ``to_json`` wrote; anything else is an ``InvalidRequest``."""
        try:
            kept = json.loads(text)
            return cls(kept["name"], conjunction(from_json(kept["filter"])))
        except (KeyError, TypeError, ValueError, RecursionError, AppError):
            raise InvalidRequest("This is no saved filter.", "Save it anew.") from None
