"""Settings are values: frozen, compared, hashed, swept with ``dataclasses.replace``."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import InvalidSetting

MAX_WINDOW = 10
MAX_NODE_SIZE = 10
MAX_K = 100
MAX_QUESTION = 2000
MOST_SENTENCES = 10_000


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """How a file's bytes become text; kept with the document, so that it is read the same way again.

    ``encoding`` names a Python codec; empty, it is found out. ``clean`` leaves out repeated page headers and footers,
    joins hyphenated line ends and writes ligatures out. ``whole_page`` keeps a web page's menus and footers.
    ``language`` is an ISO 639-1 code; empty, it is found out.
    """

    encoding: str = ""
    clean: bool = True
    whole_page: bool = False
    language: str = ""


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """How a document becomes nodes: ``size`` sentences each, sharing ``overlap`` with the next.

    ``embed_around`` sentences on each side are embedded with the node but not part of it; 0 is the
    textbook sentence window. The window that is returned is no part of these settings.
    """

    size: int = 1
    overlap: int = 0
    embed_around: int = 0

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InvalidSetting(f"A node needs at least 1 sentence, not {self.size}.", "Choose a node size from 1 up.")
        if not 0 <= self.overlap < self.size:
            raise InvalidSetting(
                f"Overlap {self.overlap} does not fit nodes of {self.size} sentence(s).",
                f"Choose an overlap from 0 to {self.size - 1}.",
            )
        if self.embed_around < 0:
            raise InvalidSetting(f"Cannot embed {self.embed_around} sentences around a node.", "Choose 0 or more.")
        if max(self.size, self.embed_around) > MOST_SENTENCES:
            raise InvalidSetting(f"No node has more than {MOST_SENTENCES:,} sentences.", "Choose fewer.")

    @property
    def name(self) -> str:
        """A short name to pick an index by: ``sentence``, ``3-sentences-overlap-1``, ``sentence-around-1``."""
        parts = ["sentence" if self.size == 1 else f"{self.size}-sentences"]
        if self.overlap:
            parts.append(f"overlap-{self.overlap}")
        if self.embed_around:
            parts.append(f"around-{self.embed_around}")
        return "-".join(parts)


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """``k`` hits at most, each returned in a window of ``window`` sentences a side.

    ``max_distance`` is a cosine distance (1 − cosine, 0 to 2); hits further away are left out.
    """

    k: int = 5
    window: int = 2
    max_distance: float | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.k <= MAX_K:
            raise InvalidSetting(f"k is {self.k}.", f"Choose a k from 1 to {MAX_K}.")
        if not 0 <= self.window <= MAX_WINDOW:
            raise InvalidSetting(f"The window is {self.window}.", f"Choose 0 to {MAX_WINDOW} sentences each side.")
        if self.max_distance is not None and not 0 <= self.max_distance <= 2:
            raise InvalidSetting(
                f"The distance limit is {self.max_distance}.", "A cosine distance lies between 0 and 2."
            )
