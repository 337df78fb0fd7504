"""Filters as values: built in Python, read from JSON or text, checked against a schema, said in words.

A filter is true or false for every node, never unknown: a missing value makes a condition false, except for
``!=``, ``not_in`` and ``not_contains``, where it makes it true; ``missing`` on the condition overrides. So
``Not`` is the exact complement. Compiling to a store's language is that store's business.
"""

from core.filters.grammar import parse
from core.filters.json import from_json, from_text, operator, to_json, unique_keys
from core.filters.pattern import refuse_heavy, steps
from core.filters.schema import (
    MAX_CONDITIONS,
    OPERATORS,
    TEXTS,
    TIMES,
    Field,
    FieldType,
    Schema,
    check,
    parse_instant,
    typed,
)
from core.filters.text import read, to_text
from core.filters.tree import (
    EVERYTHING,
    MAX_DEPTH,
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
    "MAX_CONDITIONS",
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
    "refuse_heavy",
    "steps",
    "to_json",
    "to_text",
    "typed",
    "unique_keys",
]
