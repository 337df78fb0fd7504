"""A filter as an analyst would say it, and the words that errors are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from difflib import get_close_matches

from core.filters.tree import NULL_OPS, All, Any, Condition, Filter, Not, Op, Operand, naive_utc

_WORDS = {
    Op.EQ: "=", Op.NE: "≠", Op.LT: "<", Op.LE: "≤", Op.GT: ">", Op.GE: "≥", Op.IN: "is one of", Op.NOT_IN: "is none of",
    Op.BETWEEN: "between", Op.CONTAINS_ALL: "has all of", Op.CONTAINS_ANY: "has any of", Op.CONTAINS: "contains",
    Op.NOT_CONTAINS: "does not contain", Op.STARTS_WITH: "starts with", Op.MATCHES: "matches", Op.IS_NULL: "is missing",
    Op.NOT_NULL: "is present",
}  # fmt: skip
_ALONE = {Op.IN: "=", Op.NOT_IN: "≠", Op.CONTAINS_ALL: "has", Op.CONTAINS_ANY: "has"}
"""For a list of one."""

_PLAIN = re.compile(r"[\w./@#%+-]+( [\w./@#%+-]+)*")


def describe(filter: Filter) -> str:
    """The filter as an analyst would say it; no filter is ``everything``."""
    return spelled(filter, _condition)


def spelled(filter: Filter, condition: Callable[[Condition], str]) -> str:
    """A filter joined by ``and``, ``or`` and ``not``, its conditions said by ``condition``; a group of one is its part."""
    match unwrapped(filter):
        case All(()):
            return "everything"
        case Any(()):
            return "nothing"
        case All(parts):
            return " and ".join(_bracketed(part, condition) for part in parts)
        case Any(parts):
            return " or ".join(_bracketed(part, condition) for part in parts)
        case Not(part):
            return f"not {_bracketed(part, condition)}"
        case Condition() as found:
            return condition(found)


def unwrapped(filter: Filter) -> Filter:
    """The part of a group of one."""
    match filter:
        case All((part,)) | Any((part,)):
            return unwrapped(part)
    return filter


def _bracketed(part: Filter, condition: Callable[[Condition], str]) -> str:
    inner = unwrapped(part)
    said = spelled(inner, condition)
    return f"({said})" if isinstance(inner, (All, Any)) and inner.parts else said


def _condition(condition: Condition) -> str:
    op, value, missing = condition.op, condition.value, condition.missing
    alone = isinstance(value, tuple) and len(value) == 1
    words = [condition.field, _ALONE.get(op, _WORDS[op]) if alone else _WORDS[op]]
    if op is Op.BETWEEN and isinstance(value, tuple):
        words.append(f"{_said(value[0])} and {_said(value[1])}")
    elif op not in NULL_OPS:
        words.append(_said(value))
    if missing is not None:
        words.append("(or missing)" if missing == "include" else "(and present)")
    return " ".join(words)


def _said(value: Operand) -> str:
    if isinstance(value, tuple):
        return ", ".join(_said(item) for item in value) or "nothing"
    if isinstance(value, datetime):
        return instant(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) and not _PLAIN.fullmatch(value) else str(value)


def instant(value: datetime) -> str:
    """A day, or a time in UTC, as a filter is written with it."""
    value = naive_utc(value)
    day = value == datetime(value.year, value.month, value.day)
    return value.date().isoformat() if day else f"{value.isoformat()}Z"


def near(word: str, words: Sequence[str]) -> str:
    """``Did you mean …?`` for the names closest to ``word``, the closest first; or nothing."""
    close = get_close_matches(word.casefold(), [w.casefold() for w in words], n=3, cutoff=0.6)
    names = sorted((w for w in words if w.casefold() in close), key=lambda w: close.index(w.casefold()))
    return f" Did you mean {' or '.join(repr(name) for name in names)}?" if names else ""


def shown(value: object) -> str:
    """A value as it was given, cut to a length that fits a message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
