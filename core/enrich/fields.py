"""The fields that are found out about every node, each with how; and which of them are wanted."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from difflib import get_close_matches

from core.errors import InvalidSetting
from core.filters import FieldType


@dataclass(frozen=True, slots=True)
class Computed:
    """One computed field. ``method`` says in a sentence how it is found; ``costly`` ones take noticeable time."""

    name: str
    type: FieldType
    method: str
    costly: bool = False


COMPUTED: tuple[Computed, ...] = (
    Computed("section", FieldType.STRING, "The outermost heading that the node stands under."),
    Computed("subsection", FieldType.STRING, "The second heading on the way down to the node."),
    Computed("section_level", FieldType.INTEGER, "How many headings the node stands under; 0 is none."),
    Computed(
        "content_type",
        FieldType.STRING,
        "What its sentences stand in: text (headings and quotes too), code, table, list or image; mixed if in several.",
    ),
    Computed(
        "contains_code",
        FieldType.BOOLEAN,
        "It has a code block, code between backticks, or a line that has the form of program text.",
    ),
    Computed(
        "contains_math",
        FieldType.BOOLEAN,
        "Outside code it has LaTeX, a mathematical operator (∑ ∫ √ ≤ …) or an equation with an operation in it.",
    ),
    Computed(
        "is_summary",
        FieldType.BOOLEAN,
        "It stands under a heading such as Summary, Abstract or Conclusion, or begins with words such as “In summary,”;"
        " in seven European languages, Chinese and Japanese.",
    ),
    Computed(
        "words",
        FieldType.INTEGER,
        "Runs of letters and digits with their hyphens and apostrophes; each Chinese or Japanese character is one.",
    ),
    Computed(
        "entities",
        FieldType.STRINGS,
        "Names of several capitalised words and acronyms, found by a pattern; or what a spaCy model recognises.",
        costly=True,
    ),
    Computed(
        "keywords",
        FieldType.STRINGS,
        "Up to five of its words with the greatest class-based TF-IDF; a class is a document, or a section where there"
        " is one document only.",
        costly=True,
    ),
    Computed(
        "language",
        FieldType.STRING,
        "ISO 639-1 code, by py3langid where it has 200 letters or more and the answer is sure; else the document's.",
    ),
    Computed(
        "is_complete",
        FieldType.BOOLEAN,
        "It begins where a sentence does and ends at the mark that ends one, or is a heading, an item, a whole table or"
        " code block.",
    ),
    Computed(
        "coherence",
        FieldType.NUMBER,
        "Mean cosine of its vector with those of the nodes before and after it, with which it may share text.",
    ),
    Computed(
        "summary",
        FieldType.STRING,
        "Its most central sentence (the most like all the others, by TF-IDF cosine), in 200 characters at most.",
    ),
    Computed("is_first", FieldType.BOOLEAN, "It is the first node of its document."),
    Computed("is_last", FieldType.BOOLEAN, "It is the last node of its document."),
    Computed("embedding_model", FieldType.STRING, "The model that made its vector."),
    Computed("strategy", FieldType.STRING, "The name of the index's settings: how it was cut."),
)
NAMES: tuple[str, ...] = tuple(field.name for field in COMPUTED)
_LONGEST_MODELS = 300
_MODEL = re.compile(r"[a-z]\w*")


@dataclass(frozen=True, slots=True)
class EnrichSettings:
    """Which computed fields are ``off``, and what finds entities: "" is the pattern, else a spaCy model by name.

    ``entity_model`` may name several models, white space or commas between them: each reads its own language.
    """

    off: frozenset[str] = frozenset()
    entity_model: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.off, str) or not all(isinstance(name, str) for name in self.off):
            raise InvalidSetting("The fields to leave out are not a list of names.", f"Fields: {', '.join(NAMES)}.")
        off = frozenset(self.off)
        unknown = min(off.difference(NAMES), default=None)
        if unknown is not None:
            raise InvalidSetting(
                f"No computed field is called {unknown[:60]!r}.{_near(unknown)}", f"Fields: {', '.join(NAMES)}."
            )
        object.__setattr__(self, "off", off)
        object.__setattr__(self, "entity_model", " ".join(_models(self.entity_model)))

    @property
    def models(self) -> tuple[str, ...]:
        """The spaCy models, one by one."""
        return tuple(self.entity_model.split())

    def to_json(self) -> str:
        """As text that ``from_json`` reads again."""
        return json.dumps({"off": sorted(self.off), "entity_model": self.entity_model})

    @classmethod
    def from_json(cls, text: str) -> EnrichSettings:
        """Settings from what ``to_json`` wrote; anything else is an ``InvalidSetting``."""
        try:
            kept = json.loads(text)
            return cls(kept["off"], kept["entity_model"])
        except (KeyError, TypeError, json.JSONDecodeError, RecursionError):
            raise InvalidSetting("These are no settings of computed fields.", "Choose them anew.") from None


def _models(text: object) -> list[str]:
    """The names of packages in ``text``, written as Python imports them."""
    if not isinstance(text, str) or len(text) > _LONGEST_MODELS:
        raise InvalidSetting("This is no name of a spaCy model.", "Name one, en_core_web_sm for example.")
    names = list(dict.fromkeys(text.replace(",", " ").replace("-", "_").split()))
    for name in names:
        if not (name.isascii() and _MODEL.fullmatch(name)):
            raise InvalidSetting(
                f"{name[:60]!r} is no name of a spaCy model.", "Give the name of an installed one, not a path."
            )
    return names


def _near(name: str) -> str:
    close = get_close_matches(name.casefold(), NAMES, n=3, cutoff=0.6)
    return f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
