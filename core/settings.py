"""Settings are values: frozen, compared, hashed, swept with ``dataclasses.replace``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum

from core.errors import InvalidSetting

MAX_WINDOW = 10
MAX_NODE_SIZE = 10
MAX_K = 100
MAX_QUESTION = 2000
MOST_SENTENCES = 10_000
MOST_ABBREVIATIONS = 2000
LONGEST_ABBREVIATION = 40


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ABBREVIATIONS = _listed(
    """
    Mr Mrs Ms Mx Dr Drs Prof St Sr Jr Fr Hon Rev Gov Pres Sen Rep Reps Gen Col Maj Capt Cpt Cmdr Lt Sgt Cpl Pvt Adm Brig
    Supt Insp Det Msgr Messrs Mme Mlle Esq Ph.D M.D B.A M.A B.Sc M.Sc D.Phil LL.B LL.M LL.D M.B.A
    Inc Corp Co Ltd Plc Bros Cie Assn Dept Univ Inst Intl Mfg Mgmt Dir Govt Natl S.A N.V B.V S.p.A
    e.g i.e cf vs v viz al etc ibid id op cit loc approx ca incl excl resp esp abbr max min avg est encl attn
    No Nos Nr Fig Figs Eq Eqs Tab Ref Refs Sec Secs Sect Ch Chap Vol Vols Ed Eds Art Arts Par Para Paras Cl Reg Regs
    Sch App Ex Exh p pp ff nn ll Suppl Ser tel ext
    Cir Ct Cal Rptr Supp Stat Proc Crim Civ Evid Fed Const Amend F.Supp Cert Aff'd Rev'd Ass'n Int'l Dep't Gov't
    a.m p.m A.D B.C B.C.E C.E U.S U.S.A U.K U.N E.U U.S.S.R U.S.C U.A.E D.C N.Y L.A Calif Mass Conn Ariz Colo Fla Ga
    Minn Okla Tenn Tex Va Wis
    Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun
    Ave Blvd Rd Mt Ft sq cu hr hrs yr yrs lb lbs oz gal sp spp subsp var
    i.v i.m p.o s.c b.i.d t.i.d q.i.d q.d p.r.n temp conc
    """
)
"""Words whose stop ends no sentence, or not always, without that stop: what Punkt's parameters know too little of."""


class Engine(StrEnum):
    """Who decides about a stop that no rule of ours settles."""

    PUNKT = "punkt"
    NUPUNKT = "nupunkt"


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
class SplitSettings:
    """How texts become sentences. ``abbreviations`` is the whole list, upper or lower case, without the last stop.

    An entry taken out is an ordinary word again. One that is not among ``ABBREVIATIONS`` never ends a sentence.
    """

    engine: Engine = Engine.PUNKT
    abbreviations: tuple[str, ...] = ABBREVIATIONS

    def __post_init__(self) -> None:
        try:
            engine = Engine(self.engine)
        except ValueError:
            raise InvalidSetting(
                f"No splitter is called {self.engine!r}.", f"Choose one of {', '.join(Engine)}."
            ) from None
        if isinstance(self.abbreviations, str) or not all(isinstance(entry, str) for entry in self.abbreviations):
            raise InvalidSetting("The abbreviations are not a list of words.", "Give one word per entry.")
        entries = tuple(dict.fromkeys(_abbreviation(entry) for entry in self.abbreviations))
        if len(entries) > MOST_ABBREVIATIONS:
            raise InvalidSetting(
                f"{len(entries):,} abbreviations are too many.", f"Keep {MOST_ABBREVIATIONS:,} at most."
            )
        object.__setattr__(self, "engine", engine)
        object.__setattr__(self, "abbreviations", entries)

    def to_json(self) -> str:
        """As text that ``from_json`` reads again."""
        return json.dumps({"engine": self.engine, "abbreviations": self.abbreviations}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> SplitSettings:
        """Settings from what ``to_json`` wrote; anything else is an ``InvalidSetting``."""
        try:
            kept = json.loads(text)
            return cls(kept["engine"], tuple(kept["abbreviations"]))
        except (KeyError, TypeError, json.JSONDecodeError):
            raise InvalidSetting("These are no settings of a splitter.", "Choose them anew.") from None


def _abbreviation(entry: str) -> str:
    """One entry without white space around it and without its last stop."""
    word = entry.strip().removesuffix(".")
    if not word:
        raise InvalidSetting("An abbreviation is empty.", "Take the empty entry out.")
    if len(word.split()) > 1:
        raise InvalidSetting(f"The abbreviation {entry.strip()!r} has white space in it.", "Enter its last word alone.")
    if len(word) > LONGEST_ABBREVIATION:
        raise InvalidSetting(
            f"The abbreviation {word[:20]!r}… has {len(word):,} characters.", f"Keep to {LONGEST_ABBREVIATION}."
        )
    return word


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

    ``max_distance`` is a cosine distance (1 − cosine, 0 to 2); hits further away are left out. With
    ``boundary_marks`` a window that the document's start or end clips says so.
    """

    k: int = 5
    window: int = 2
    max_distance: float | None = None
    boundary_marks: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.k <= MAX_K:
            raise InvalidSetting(f"k is {self.k}.", f"Choose a k from 1 to {MAX_K}.")
        if not 0 <= self.window <= MAX_WINDOW:
            raise InvalidSetting(f"The window is {self.window}.", f"Choose 0 to {MAX_WINDOW} sentences each side.")
        if self.max_distance is not None and not 0 <= self.max_distance <= 2:
            raise InvalidSetting(
                f"The distance limit is {self.max_distance}.", "A cosine distance lies between 0 and 2."
            )
