"""A search under a name: the question and all that decides what comes back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.boosts import boosts_from_json, boosts_to_json
from core.errors import AppError, InvalidRequest
from core.filters import EVERYTHING, Filter, from_json, to_json
from core.settings import MAX_QUESTION, SearchSettings

LONGEST_NAME = 60
_NUMBERS = ("k", "window", "max_distance", "min_score")


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A question with its filter, settings and index (by id), under a name."""

    name: str
    question: str
    filter: Filter = EVERYTHING
    settings: SearchSettings = SearchSettings()  # noqa: RUF009 - frozen
    index: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not 0 < len(self.name.strip()) <= LONGEST_NAME:
            raise InvalidRequest(
                "The search has no name, or a very long one.", f"Give it one of {LONGEST_NAME} characters at most."
            )
        if re.search("[\0-\x1f\ud800-\udfff]", self.name):
            raise InvalidRequest("The name of the search holds a character that is none.", "Type it again.")
        question = self.question.strip() if isinstance(self.question, str) else ""
        if not 0 < len(question) <= MAX_QUESTION or re.search("[\ud800-\udfff]", question):
            raise InvalidRequest(
                "There is no question to save, or one that cannot be asked.", "Ask one, then save the search."
            )
        object.__setattr__(self, "name", self.name.strip())
        object.__setattr__(self, "question", question)

    def to_json(self) -> str:
        """As text that ``from_json`` reads again."""
        told = {
            "name": self.name,
            "question": self.question,
            "filter": to_json(self.filter),
            "settings": settings_to_json(self.settings),
            "index": self.index,
        }
        return json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> SavedSearch:
        """A search from what ``to_json`` wrote; anything else is an ``InvalidRequest``."""
        try:
            kept = json.loads(text)
            narrowed, settings = from_json(kept["filter"]), settings_from_json(kept["settings"])
            return cls(kept["name"], kept["question"], narrowed, settings, str(kept["index"]))
        except (KeyError, TypeError, ValueError, RecursionError, AppError):
            raise InvalidRequest("This is no saved search.", "Save it anew.") from None


def settings_to_json(settings: SearchSettings) -> dict[str, object]:
    """What ``settings_from_json`` reads again; the same settings are always the same, so it tells others apart."""
    return {
        **{name: getattr(settings, name) for name in _NUMBERS},
        "boundary_marks": settings.boundary_marks,
        "boosts": boosts_to_json(settings.boosts),
        "where": settings.where,
    }


def settings_from_json(kept: Mapping[str, object]) -> SearchSettings:
    """Settings from what ``settings_to_json`` wrote.

    Raises:
        AppError, KeyError, TypeError: anything else.
    """
    numbers = {name: kept[name] for name in _NUMBERS}
    if not all(value is None or type(value) in (int, float) for value in numbers.values()):
        raise TypeError("a number is none")
    if type(kept["boundary_marks"]) is not bool or not isinstance(kept["where"], str):
        raise TypeError("not of that type")
    return SearchSettings(
        **numbers,  # type: ignore[arg-type]
        boundary_marks=kept["boundary_marks"],
        boosts=boosts_from_json(kept["boosts"]),
        where=kept["where"],
    )
