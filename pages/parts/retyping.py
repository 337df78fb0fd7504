"""What holding a field as another type would do to the values that were given for it, before it is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.filters import TIMES, FieldType
from core.metadata import Raw, cell, distinct_key
from core.metadata.propose import Distinct, Spelling, spelling
from core.metadata.values import shown
from core.store.base import Cells
from core.types import DateOrder, FieldSpec

EXAMPLES = 8
_LOCAL = frozenset({Spelling.DAY_FIRST, Spelling.MONTH_FIRST, Spelling.EITHER_ORDER})
_AN = frozenset({FieldType.INTEGER, FieldType.ENUM})

Given = Sequence[tuple[object, int]]
"""Different raw values, each with the number of documents that have it."""


@dataclass(frozen=True, slots=True)
class Misfitting:
    """A value that does not fit, as JSON writes it; in how many documents; and why."""

    value: str
    documents: int
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of ``given`` documents with a value, how many fit; the first that do not; how many are dates in an open order."""

    given: int
    fitting: int
    examples: tuple[Misfitting, ...] = ()
    unordered: int = 0

    @property
    def misfits(self) -> int:
        return self.given - self.fitting


@dataclass(frozen=True, slots=True)
class Held:
    """How many documents were given a value for a field, and how many of these values do not fit."""

    given: int = 0
    misfits: int = 0


def given(raws: Iterable[object]) -> Given:
    """The different values among ``raws`` without null, the commonest first."""
    values: dict[Distinct, object] = {}
    times: Counter[Distinct] = Counter()
    for raw in raws:
        if raw is not None:
            key = distinct_key(raw)
            values.setdefault(key, raw)
            times[key] += 1
    return [(values[key], count) for key, count in times.most_common()]


def by_key(raws: Iterable[Raw], keys: Iterable[str]) -> dict[str, Given]:
    """The different values of some keys in the metadata of many files."""
    found: dict[str, list[object]] = {key: [] for key in keys}
    for raw in raws:
        for key in raw.keys() & found.keys():
            found[key].append(raw[key])
    return {key: given(values) for key, values in found.items()}


def outcome(values: Given, spec: FieldSpec) -> Outcome:
    """What becomes of ``values`` in a field like ``spec``."""
    fitting = unordered = 0
    examples: list[Misfitting] = []
    for raw, documents in values:
        misfit = cell(raw, spec).misfit
        if not misfit:
            fitting += documents
            continue
        unordered += documents * needs_order(raw, spec)
        if len(examples) < EXAMPLES:
            examples.append(Misfitting(shown(raw), documents, misfit))
    return Outcome(sum(documents for _, documents in values), fitting, tuple(examples), unordered)


def needs_order(raw: object, spec: FieldSpec) -> bool:
    """Whether a value is a date that can be read once a person says whether the day or the month comes first."""
    return spec.type in TIMES and spec.date_order is None and spelling(raw) in _LOCAL


def has_local_dates(values: Given) -> bool:
    """Whether there is a date among them that has its year last."""
    return any(spelling(raw) in _LOCAL for raw, _ in values)


def held(documents: Iterable[Cells]) -> Mapping[str, Held]:
    """What documents hold, by field."""
    with_value: Counter[str] = Counter()
    misfits: Counter[str] = Counter()
    for cells in documents:
        with_value.update(name for name, one in cells.items() if one.raw is not None)
        misfits.update(name for name, one in cells.items() if one.misfit)
    return {name: Held(count, misfits[name]) for name, count in with_value.items()}


def named(type: FieldType, order: DateOrder | None = None) -> str:
    """A type in words: ``a list of strings``, ``a date, day first``."""
    words = {FieldType.STRINGS: "list of strings", FieldType.DATETIME: "datetime (UTC)"}.get(type, str(type))
    article = "an" if type in _AN else "a"
    return f"{article} {words}{f', {in_words(order)}' if order else ''}"


def in_words(order: DateOrder) -> str:
    return order.replace("_", " ")
