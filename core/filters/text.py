"""Filters as they are typed, in the grammar or in JSON; and as the text that ``parse`` reads."""

from __future__ import annotations

import math
import re
from datetime import datetime

from core.errors import InvalidFilter
from core.filters.condition import MAX_DIGITS
from core.filters.grammar import parse
from core.filters.json import from_text
from core.filters.tokens import ESCAPES, KEYWORDS, SPELLED, in_name
from core.filters.tree import EVERYTHING, NULL_OPS, Condition, Filter, Op, Operand, Scalar, refuse_large
from core.filters.words import instant, shown, spelled, unwrapped

_MISSING = {None: "", "include": " (or missing)", "exclude": " (and present)"}
_ESCAPED = {character: f"\\{letter}" for letter, character in ESCAPES.items() if letter != "'"}
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?)?"
)


def read(text: str, *, blank: bool = True) -> Filter:
    """The filter that was typed: JSON if it begins with a brace or is ``null``, else the grammar.

    A blank text is no filter; where that could be a slip (an empty shell variable), ``blank=False`` refuses it.

    Raises:
        InvalidFilter: see ``from_text`` and ``parse``.
    """
    typed = text.strip()
    if not (typed or blank):
        raise InvalidFilter(
            "The filter is empty.", 'For no filter leave it out; else for example {"category": "legal"}.'
        )
    return from_text(text) if typed.startswith("{") or typed == "null" else parse(text)


def to_text(filter: Filter) -> str:
    """The filter in the grammar; no filter is the empty text.

    ``parse(to_text(f)) == f`` up to two things that have no form of their own in the text: a group of one part is
    that part, and times become ISO texts, which ``check`` makes times again. Operands are as ``check`` wants them.

    Raises:
        InvalidFilter: a number that cannot be written: infinite, none, or too long; or it is nested too deeply.
    """
    refuse_large(filter)
    return "" if unwrapped(filter) == EVERYTHING else spelled(filter, _condition)


def _condition(condition: Condition) -> str:
    op = condition.op
    operand = "" if op in NULL_OPS else f" {_operand(condition.value, op)}"
    return f"{_field(condition.field)} {SPELLED[op]}{operand}{_MISSING[condition.missing]}"


def _field(name: str) -> str:
    bare = name and all(map(in_name, name)) and name.lower() not in KEYWORDS
    return name if bare else "`" + name.replace("`", "``") + "`"


def _operand(value: Operand, op: Op) -> str:
    if value is None:
        return "null"
    if not isinstance(value, tuple):
        return _scalar(value)
    items = [_scalar(item) for item in value]
    return " and ".join(items) if op is Op.BETWEEN and len(items) == 2 else f"({', '.join(items)})"


def _scalar(value: Scalar) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value if _INSTANT.fullmatch(value) else _quoted(value)
        case datetime():
            return instant(value)
    if not math.isfinite(value) if isinstance(value, float) else value.bit_length() > 3 * MAX_DIGITS:
        raise InvalidFilter(f"A filter cannot hold {_told(value)}.")
    return repr(value)


def _told(value: float) -> str:
    return shown(value) if isinstance(value, float) else "so long a number"


def _quoted(text: str) -> str:
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    if character in _ESCAPED:
        return _ESCAPED[character]
    if character.isprintable():
        return character
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
