"""What a workspace remembers for its people: settings they named, and questions they asked."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.chunk import PRESETS, Preset
from core.errors import InvalidRequest
from core.named_filter import LONGEST_FILTER, NamedFilter
from core.saved import SavedSearch
from core.settings import MAX_QUESTION
from core.store.base import Store

_PRESETS = "presets"
_QUESTIONS = "questions"
_SEARCHES = "searches"
_FILTERS = "filters"
MOST_PRESETS = 100
MOST_QUESTIONS = 50
MOST_SEARCHES = 100
MOST_FILTERS = 100


class Remembered:
    """Named settings and questions of one workspace."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def presets(self) -> list[Preset]:
        """Those that were saved here, by name."""
        return sorted((Preset.from_json(text) for text in self._kept(_PRESETS)), key=lambda p: p.name.casefold())

    def save_preset(self, preset: Preset) -> None:
        """Keep settings under their name, in place of those that had it.

        Raises:
            InvalidRequest: the name is one of those that come with the product, or there are too many.
        """
        if preset.name.casefold() in {known.name.casefold() for known in PRESETS}:
            raise InvalidRequest(f"{preset.name!r} comes with Chunkscope.", "Choose another name.")
        others = [known for known in self.presets() if known.name.casefold() != preset.name.casefold()]
        if len(others) >= MOST_PRESETS:
            raise InvalidRequest(f"There are {MOST_PRESETS} presets already.", "Delete one first.")
        self._keep(_PRESETS, [known.to_json() for known in (*others, preset)])

    def delete_preset(self, name: str) -> None:
        """Forget settings; those that come with the product stay."""
        self._keep(_PRESETS, [known.to_json() for known in self.presets() if known.name != name])

    def questions(self) -> list[str]:
        """The last questions, the newest first, each once."""
        return self._kept(_QUESTIONS)

    def ask(self, question: str) -> None:
        """Keep a question as the newest."""
        asked = question.strip()[:MAX_QUESTION].encode("utf-8", "replace").decode()
        before = self.questions()
        if asked and before[:1] != [asked]:
            self._keep(_QUESTIONS, [asked, *(other for other in before if other != asked)][:MOST_QUESTIONS])

    def forget_questions(self) -> None:
        self._keep(_QUESTIONS, [])

    def searches(self) -> list[SavedSearch]:
        """Searches that were saved here, by name; one that cannot be read any more is left out."""
        read = (_search(text) for text in self._kept(_SEARCHES))
        return sorted((saved for saved in read if saved), key=lambda saved: saved.name.casefold())

    def save_search(self, search: SavedSearch) -> None:
        """Keep a search under its name, in place of one that had it.

        Raises:
            InvalidRequest: there are too many.
        """
        others = [known for known in self.searches() if known.name.casefold() != search.name.casefold()]
        if len(others) >= MOST_SEARCHES:
            raise InvalidRequest(f"There are {MOST_SEARCHES} saved searches already.", "Delete one first.")
        self._keep(_SEARCHES, [known.to_json() for known in (*others, search)])

    def delete_search(self, name: str) -> None:
        self._keep(_SEARCHES, [known.to_json() for known in self.searches() if known.name != name])

    def filters(self) -> list[NamedFilter]:
        """Filters that were saved here, by name; one that cannot be read any more is left out."""
        read = (_filter(text) for text in self._kept(_FILTERS))
        return sorted((named for named in read if named), key=lambda named: named.name.casefold())

    def save_filter(self, named: NamedFilter) -> None:
        """Keep a filter under its name, in place of one that had it.

        Raises:
            InvalidRequest: it is too long, or there are too many.
        """
        if len(named.to_json()) > LONGEST_FILTER:
            raise InvalidRequest("The filter is too long to be saved.", "Leave out some of its values.")
        others = [known for known in self.filters() if known.name.casefold() != named.name.casefold()]
        if len(others) >= MOST_FILTERS:
            raise InvalidRequest(f"There are {MOST_FILTERS} saved filters already.", "Delete one first.")
        self._keep(_FILTERS, [known.to_json() for known in (*others, named)])

    def delete_filter(self, name: str) -> None:
        self._keep(_FILTERS, [known.to_json() for known in self.filters() if known.name != name])

    def _kept(self, name: str) -> list[str]:
        found: list[str] = json.loads(self._store.setting(name) or "[]")
        return found

    def _keep(self, name: str, texts: Sequence[str]) -> None:
        self._store.set_setting(name, json.dumps(texts, ensure_ascii=False) if texts else None, counts=False)


def _search(text: str) -> SavedSearch | None:
    try:
        return SavedSearch.from_json(text)
    except InvalidRequest:
        return None


def _filter(text: str) -> NamedFilter | None:
    try:
        return NamedFilter.from_json(text)
    except InvalidRequest:
        return None
