"""A type proposed for a key from its values over all files, for a person to confirm."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.filters import FieldType
from core.metadata.values import ISO_TEXT, LOCAL_TEXT, YEAR_FIRST_TEXT, Misfit, as_json, typed_value
from core.types import DateOrder


class Spelling(StrEnum):
    """How a value is written: its JSON type, and for text what it looks like."""

    NULL = "null"
    BOOLEAN = "true or false"
    INTEGER = "whole number"
    NUMBER = "number"
    ISO_DATE = "ISO date"
    ISO_TIME = "ISO time"
    YEAR_FIRST = "date with the year first"
    DAY_FIRST = "date with the day first"
    MONTH_FIRST = "date with the month first"
    EITHER_ORDER = "date in an unclear order"
    TRUTH_WORD = "true or false as text"
    NUMBER_TEXT = "number as text"
    EMPTY = "empty text"
    TEXT = "text"
    LIST = "list"
    NESTED_LIST = "list of lists or objects"
    OBJECT = "object"


Distinct = tuple[type, object]
"""What makes two raw values the same: ``1``, ``1.0``, ``"1"`` and ``true`` are four."""

DATES = frozenset(
    {
        Spelling.ISO_DATE,
        Spelling.ISO_TIME,
        Spelling.YEAR_FIRST,
        Spelling.DAY_FIRST,
        Spelling.MONTH_FIRST,
        Spelling.EITHER_ORDER,
    }
)
_SORTS: Mapping[Spelling, str] = {
    Spelling.BOOLEAN: "boolean",
    Spelling.INTEGER: "number",
    Spelling.NUMBER: "number",
    **dict.fromkeys(sorted(DATES), "date"),
    Spelling.TRUTH_WORD: "text",
    Spelling.NUMBER_TEXT: "text",
    Spelling.EMPTY: "text",
    Spelling.TEXT: "text",
    Spelling.LIST: "list",
    Spelling.NESTED_LIST: "list",
    Spelling.OBJECT: "object",
}
_OF_TEXTS = frozenset({how for how, sort in _SORTS.items() if sort in ("text", "date")} | {Spelling.LIST})
_NUMBER_TEXT = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?", re.ASCII)
_TRUTH_WORDS = frozenset({"true", "false"})
_EXAMPLES = 3
_EXACT = 2**53  # whole numbers up to here are told apart as numbers, too
_BEYOND = 2**63
_ENUM_VALUES, _ENUM_SHARE, _ENUM_LENGTH = 12, 5, 40  # up to 12 different, each in 5 files on average, and short


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a key holds, and the type that holds every value without changing what it means.

    ``counts`` are by spelling, nulls included; ``mixed`` is "mixed: date, text" where there is more than one sort of
    value, else empty; ``examples`` are the first values of each spelling as they were written; ``distinct`` counts
    different values without null; ``hint`` names a type that may be meant, for a person to decide.
    """

    type: FieldType
    counts: Mapping[Spelling, int]
    mixed: str
    examples: Mapping[Spelling, tuple[object, ...]]
    distinct: int
    hint: FieldType | None = None


def propose(values: Sequence[object]) -> Proposal:
    """A type for a key with these raw values, one per file that has the key."""
    seen: dict[Distinct, object] = {}
    times: Counter[Distinct] = Counter()
    for value in values:
        key = distinct_key(value)
        seen.setdefault(key, value)
        times[key] += 1
    return propose_counted([(value, times[key]) for key, value in seen.items()])


def propose_counted(values: Iterable[tuple[object, int]]) -> Proposal:
    """``propose`` for different values, each with the number of files it is in."""
    counts: Counter[Spelling] = Counter()
    groups: dict[Spelling, list[object]] = {}
    for value, times in values:
        how = spelling(value)
        counts[how] += times
        groups.setdefault(how, []).append(value)
    held: dict[Spelling, list[object]] = {how: group for how, group in groups.items() if how is not Spelling.NULL}
    files = sum(counts[how] for how in held)
    return Proposal(
        type=_type(held),
        counts=counts,
        mixed=mixture(counts),
        examples={how: tuple(group[:_EXAMPLES]) for how, group in groups.items()},
        distinct=sum(len(group) for group in held.values()),
        hint=FieldType.ENUM if _like_an_enum(held, files) else None,
    )


def best_type(values: Sequence[tuple[object, int]]) -> FieldType:
    """What to hold a key as whose different values are in so many files each: all of them, or most where they are mixed."""
    proposal = propose_counted(values)
    return fitting(values) if proposal.mixed else proposal.type


def fitting(values: Sequence[tuple[object, int]]) -> FieldType:
    """The narrowest type that more than half of the values fit; text if there is none."""
    held = [(value, times) for value, times in values if value is not None]
    present = sum(times for _, times in held)
    truths: tuple[FieldType, ...] = (FieldType.BOOLEAN,) if any(_is_truth(value) for value, _ in held) else ()
    for found in (*truths, FieldType.INTEGER, FieldType.NUMBER, FieldType.DATETIME):
        if 2 * sum(times for value, times in held if not isinstance(typed_value(value, found), Misfit)) > present:
            return found
    lists = any(isinstance(value, list) for value, _ in held)
    all_fit = not any(isinstance(typed_value(value, FieldType.STRINGS), Misfit) for value, _ in held)
    return FieldType.STRINGS if lists and all_fit else FieldType.STRING


def _is_truth(value: object) -> bool:
    words = ("true", "false", "yes", "no")
    return isinstance(value, bool) or (isinstance(value, str) and value.strip().casefold() in words)


def mixture(counts: Mapping[Spelling, int]) -> str:
    """``mixed: date, text`` for values of more than one sort; empty for one or none. Nulls do not count."""
    sorts = sorted({_SORTS[how] for how in counts if how in _SORTS})
    return f"mixed: {', '.join(sorts)}" if len(sorts) > 1 else ""


def distinct_key(value: object) -> Distinct:
    """The same for values that are written alike."""
    if value is None or isinstance(value, (str, int, float)):
        return type(value), value
    return type(value), as_json(value) or id(value)


def spelling(value: object) -> Spelling:
    """How a raw value is written."""
    match value:
        case None:
            return Spelling.NULL
        case bool():
            return Spelling.BOOLEAN
        case int():
            return Spelling.INTEGER
        case float():
            return Spelling.NUMBER
        case str():
            return _text_spelling(value.strip())
        case list() | tuple():
            nested = any(isinstance(item, (list, tuple, dict)) for item in value)
            return Spelling.NESTED_LIST if nested else Spelling.LIST
    return Spelling.OBJECT


def _text_spelling(text: str) -> Spelling:
    if not text:
        return Spelling.EMPTY
    if text[0] in "-0123456789":
        return Spelling.NUMBER_TEXT if _NUMBER_TEXT.fullmatch(text) else _date_spelling(text)
    return Spelling.TRUTH_WORD if text.casefold() in _TRUTH_WORDS else Spelling.TEXT


def _date_spelling(text: str) -> Spelling:
    """The way of writing dates that ``text`` follows; text for a day that does not exist."""
    if LOCAL_TEXT.fullmatch(text):
        day_first, month_first = (
            isinstance(typed_value(text, FieldType.DATE, date_order=o), datetime) for o in DateOrder
        )
        if day_first and month_first:
            return Spelling.EITHER_ORDER
        either = Spelling.DAY_FIRST if day_first else Spelling.MONTH_FIRST
        return either if day_first or month_first else Spelling.TEXT
    iso = ISO_TEXT.fullmatch(text)
    if not (iso or YEAR_FIRST_TEXT.fullmatch(text)) or not isinstance(typed_value(text, FieldType.DATETIME), datetime):
        return Spelling.TEXT
    if iso is None:
        return Spelling.YEAR_FIRST
    return Spelling.ISO_TIME if iso["time"] else Spelling.ISO_DATE


def _type(held: Mapping[Spelling, Sequence[object]]) -> FieldType:
    """The narrowest type that holds all of them as they are meant; text holds anything."""
    there = held.keys()
    if not there:
        return FieldType.STRING
    if there <= {Spelling.BOOLEAN, Spelling.TRUTH_WORD}:
        return FieldType.BOOLEAN
    if there <= {Spelling.INTEGER, Spelling.NUMBER}:
        return _number_type(held)
    if there <= {Spelling.ISO_DATE}:
        return FieldType.DATE
    if there <= {Spelling.ISO_DATE, Spelling.ISO_TIME}:
        return FieldType.DATETIME
    if Spelling.LIST in there and there <= _OF_TEXTS:
        return FieldType.STRINGS
    return FieldType.STRING


def _number_type(held: Mapping[Spelling, Sequence[object]]) -> FieldType:
    """Whole numbers if all are; text if a number would lose digits."""
    whole = [value for value in held.get(Spelling.INTEGER, ()) if isinstance(value, int)]
    if Spelling.NUMBER not in held and all(abs(value) < _BEYOND for value in whole):
        return FieldType.INTEGER
    finite = all(isinstance(typed_value(value, FieldType.NUMBER), float) for group in held.values() for value in group)
    exact = finite and all(abs(value) <= _EXACT or int(float(value)) == value for value in whole)
    return FieldType.NUMBER if exact else FieldType.STRING


def _like_an_enum(held: Mapping[Spelling, Sequence[object]], files: int) -> bool:
    distinct = sum(len(group) for group in held.values())
    short = all(isinstance(value, str) and len(value) <= _ENUM_LENGTH for group in held.values() for value in group)
    return held.keys() == {Spelling.TEXT} and short and distinct <= min(_ENUM_VALUES, files // _ENUM_SHARE)
