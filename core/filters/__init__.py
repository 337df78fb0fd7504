"""Filters as values: built in Python, read from JSON or text, checked against a schema, said in words.

A filter is true or false for every node, never unknown: a missing value makes a condition false, except for
``!=``, ``not_in`` and ``not_contains``, where it makes it true; ``missing`` on the condition overrides. So
``Not`` is the exact complement. Compiling to a store's language is that store's business.
"""

from core.filters.grammar import parse
from core.filters.json import MAX_DEPTH, from_json, from_text, operator, to_json
from core.filters.schema import OPERATORS, TEXTS, TIMES, Field, FieldType, Schema, check, parse_instant, typed
from core.filters.text import read, to_text
from core.filters.tree import (
    EVERYTHING,
    NULL_OPS,
    All,
    Any,
    Condition,
    Filter,
    Missing,
    Not,
    Op,
    Operand,
    Scalar,
    conditions,
    conjunction,
)
from core.filters.words import describe, near

__all__ = [
    "EVERYTHING",
    "MAX_DEPTH",
    "NULL_OPS",
    "OPERATORS",
    "TEXTS",
    "TIMES",
    "All",
    "Any",
    "Condition",
    "Field",
    "FieldType",
    "Filter",
    "Missing",
    "Not",
    "Op",
    "Operand",
    "Scalar",
    "Schema",
    "check",
    "conditions",
    "conjunction",
    "describe",
    "from_json",
    "from_text",
    "near",
    "operator",
    "parse",
    "parse_instant",
    "read",
    "to_json",
    "to_text",
    "typed",
]
