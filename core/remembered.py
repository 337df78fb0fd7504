"""What a workspace remembers for its people: settings they named, and questions they asked."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.chunk import PRESETS, Preset
from core.errors import InvalidRequest
from core.settings import MAX_QUESTION
from core.store.base import Store

_PRESETS = "presets"
_QUESTIONS = "questions"
MOST_PRESETS = 100
MOST_QUESTIONS = 50


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

    def _kept(self, name: str) -> list[str]:
        found: list[str] = json.loads(self._store.setting(name) or "[]")
        return found

    def _keep(self, name: str, texts: Sequence[str]) -> None:
        self._store.set_setting(name, json.dumps(texts, ensure_ascii=False) if texts else None, counts=False)
