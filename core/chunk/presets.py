"""Settings with names: what to begin with for each strategy, what is usual, and what people save for themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from types import MappingProxyType

from core.errors import InvalidSetting
from core.settings import MAX_WINDOW, ChunkSettings, Strategy, Unit

MOST_OVERLAP = 50
"""Percent of a node's size up to which an overlap makes sense: with more, every text is embedded three times."""

RECOMMENDED: Mapping[Strategy, tuple[int, int]] = MappingProxyType(
    {
        Strategy.FIXED: (25, 30),
        Strategy.RECURSIVE: (15, 20),
        Strategy.SEMANTIC: (10, 15),
        Strategy.CODE: (5, 10),
    }
)
"""The overlap that is usual with a strategy, from and to, in percent of the size."""

_LONGEST_NAME = 60
_OVERLAP = re.compile(r"\s*(\d{1,7})(\.\d{1,6})?\s*(%?)\s*", re.ASCII)


def overlap_units(text: str, size: int) -> int:
    """An overlap as people write it, in units: "20%" of ``size`` rounded to the nearest, or "40" as it stands.

    Raises:
        InvalidSetting: no number, more than ``MOST_OVERLAP`` percent, or not below ``size``.
    """
    found = _OVERLAP.fullmatch(text)
    if found is None or (found[2] and not found[3]):
        raise InvalidSetting(f"{text[:40]!r} is no overlap.", "Give a whole number of units, or a share such as 20%.")
    share = float(found[1] + (found[2] or ""))
    if found[3] and share > MOST_OVERLAP:
        raise InvalidSetting(f"An overlap of {share:g}% is too much.", f"Choose 0% to {MOST_OVERLAP}%.")
    units = floor(size * share / 100 + 0.5) if found[3] else int(found[1])
    if units and units >= size:
        raise InvalidSetting(f"An overlap of {text.strip()} does not fit nodes of {size}.", "Choose less.")
    return units


@dataclass(frozen=True, slots=True)
class Preset:
    """Chunk settings and a window under a name; ``window`` sentences are returned on each side of a node."""

    name: str
    settings: ChunkSettings
    window: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not 0 < len(self.name.strip()) <= _LONGEST_NAME:
            raise InvalidSetting(
                "The preset has no name, or a very long one.", f"Give it one of {_LONGEST_NAME} characters at most."
            )
        if re.search("[\0-\x1f\ud800-\udfff]", self.name):
            raise InvalidSetting("The preset's name holds a character that is none.", "Type it again.")
        if type(self.window) is not int or not 0 <= self.window <= MAX_WINDOW:
            raise InvalidSetting(f"The window is {self.window!r}.", f"Choose 0 to {MAX_WINDOW} sentences each side.")
        object.__setattr__(self, "name", self.name.strip())

    def to_json(self) -> str:
        """As text that ``from_json`` reads again."""
        told = {"name": self.name, "settings": json.loads(self.settings.to_json()), "window": self.window}
        return json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Preset:
        """A preset from what ``to_json`` wrote; anything else is an ``InvalidSetting``."""
        try:
            kept = json.loads(text)
            name, settings, window = kept["name"], json.dumps(kept["settings"]), kept["window"]
        except (KeyError, TypeError, ValueError, RecursionError):
            raise InvalidSetting("This is no preset.", "Save it anew.") from None
        return cls(name, ChunkSettings.from_json(settings), window)


DEFAULTS: Mapping[Strategy, ChunkSettings] = MappingProxyType(
    {
        Strategy.SENTENCE_WINDOW: ChunkSettings(),
        Strategy.FIXED: ChunkSettings(250, 70, strategy=Strategy.FIXED, unit=Unit.TOKENS),
        Strategy.RECURSIVE: ChunkSettings(200, strategy=Strategy.RECURSIVE, unit=Unit.TOKENS),
        Strategy.SEMANTIC: ChunkSettings(200, strategy=Strategy.SEMANTIC, unit=Unit.TOKENS, minimum=30),
        Strategy.STRUCTURE: ChunkSettings(250, strategy=Strategy.STRUCTURE, unit=Unit.TOKENS, minimum=50),
        Strategy.CODE: ChunkSettings(250, strategy=Strategy.CODE, unit=Unit.TOKENS, minimum=30),
    }
)
"""What to begin with when a strategy is chosen; every size fits a model that reads 256 tokens."""

PRESETS: tuple[Preset, ...] = (
    Preset("Sentence ±2", ChunkSettings(), 2),
    Preset("FAQ ±1", ChunkSettings(), 1),
    Preset("Legal ±5", ChunkSettings(), 5),
    Preset("Fixed 250/125", ChunkSettings(250, 125, strategy=Strategy.FIXED, unit=Unit.TOKENS)),
    Preset("Recursive 200/0", DEFAULTS[Strategy.RECURSIVE]),
    Preset("Semantic", DEFAULTS[Strategy.SEMANTIC]),
    Preset("Sections", DEFAULTS[Strategy.STRUCTURE]),
    Preset("Code", DEFAULTS[Strategy.CODE]),
)
"""Settings that come with the product. Fixed 250/125 and recursive 200/0 are rows of Chroma's report on chunking."""


def completed(given: Mapping[str, object]) -> ChunkSettings:
    """Settings from some of their parts, named as in ``ChunkSettings.to_json``; the others are usual with the strategy.

    An overlap may be a share of the size, such as "20%". With a size or unit of one's own there is none unless given.

    Raises:
        InvalidSetting: a name that is no part of them, or a value that does not fit.
    """
    told = {name: value for name, value in given.items() if value is not None}
    usual = json.loads(DEFAULTS[_strategy(told.get("strategy", Strategy.SENTENCE_WINDOW))].to_json())
    if "size" in told or "unit" in told:
        usual = {name: value for name, value in usual.items() if name not in ("overlap", "minimum")}
    told = {**usual, **told}
    share, size = told.get("overlap"), told["size"]
    if isinstance(share, str) and type(size) is int:
        told["overlap"] = overlap_units(share, size) if "%" in share else _whole(share)
    return ChunkSettings.from_json(json.dumps(told))


def _strategy(name: object) -> Strategy:
    try:
        return Strategy(str(name))
    except ValueError:
        raise InvalidSetting(
            f"No strategy is called {str(name)[:40]!r}.", f"Choose one of {', '.join(Strategy)}."
        ) from None


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InvalidSetting(
            f"{text[:40]!r} is no overlap.", "Give a whole number of units, or a share such as 20%."
        ) from None
