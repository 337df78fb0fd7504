"""An expert's condition in SQL, read and refused before anything of it runs.

DuckDB's own parser reads it; every part of the tree must be on the lists below; the names of fields become columns of
ours. What is written out again is read once more, and must be the same tree: only that runs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import accumulate
from threading import Lock
from typing import Any

import duckdb

from core.errors import InvalidFilter
from core.filters import near, refuse_heavy, steps

LONGEST = 4000
MOST_PARTS = 2000
DEEPEST = 200
MOST_STEPS = 1000

Tree = dict[str, Any]

LOCKED: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
    "threads": "1",
}
"""Settings of a DuckDB that reads what others wrote; ``lock`` adds those that must come last."""

_CLASSES = frozenset(
    {
        "CONJUNCTION",
        "COMPARISON",
        "BETWEEN",
        "CONSTANT",
        "COLUMN_REF",
        "FUNCTION",
        "CASE",
        "CAST",
        "OPERATOR",
        "COLLATE",
        "TYPE",
    }
)
_OPERATORS = frozenset(
    {
        "OPERATOR_NOT",
        "OPERATOR_IS_NULL",
        "OPERATOR_IS_NOT_NULL",
        "OPERATOR_COALESCE",
        "COMPARE_IN",
        "COMPARE_NOT_IN",
        "ARRAY_EXTRACT",
        "ARRAY_SLICE",
    }
)
_LITERALS = frozenset({"INTEGER", "NUMERIC", "STRING", "BOOLEAN", "NULL_LITERAL"})
_COLLATIONS = frozenset({"nocase", "noaccent"})
_TYPES = """
    boolean bool tinyint smallint integer int int1 int2 int4 int8 bigint hugeint utinyint usmallint uinteger ubigint
    real float float4 float8 double decimal numeric varchar text string char date time timestamp datetime interval list
"""
_FUNCTIONS = """
    || ~~ !~~ ~~* !~~* ~~~ ^@ lower upper lcase ucase trim ltrim rtrim length len strlen char_length character_length
    substring substr left right contains starts_with prefix ends_with suffix strpos instr position reverse concat ascii
    unicode strip_accents split_part string_split regexp_matches regexp_full_match regexp_extract nfc_normalize

    + - * / // % ** pow power abs ceil ceiling floor round trunc sign greatest least sqrt ln log log10 log2 exp mod
    isnan isfinite isinf nullif

    year month day hour minute second quarter week weekday isodow dayofweek dayofmonth dayofyear isoyear date_part
    datepart date_trunc datetrunc date_diff datediff date_sub datesub make_date last_day dayname monthname epoch epoch_ms
    strftime strptime try_strptime today to_years to_months to_weeks to_days to_hours to_minutes to_seconds

    && @> <@ list_value list_contains array_contains list_has array_has list_has_any array_has_any list_has_all
    array_has_all list_extract array_extract list_element list_position list_indexof array_length list_distinct
    list_unique
"""
_WITH_PATTERN = frozenset({"regexp_matches", "regexp_full_match", "regexp_extract"})
TYPES, FUNCTIONS = frozenset(_TYPES.split()), frozenset(_FUNCTIONS.split())
"""Functions are those of one row that read nothing but their arguments, and whose results stay about as small as those."""

_EXAMPLE = "For example year >= 2023 AND list_contains(tags, 'v2')."
_NEAR = re.compile(r'at or near "(.{1,60}?)"')

_REFUSED = {
    "SUBQUERY": "another query inside (or ANY and ALL; write list_contains instead)",
    "WINDOW": "a window function",
    "LAMBDA": "a lambda",
    "LAMBDA_REF": "a lambda",
    "PARAMETER": "a parameter",
    "POSITIONAL_REFERENCE": "a column by its number",
    "STAR": "a star",
    "DEFAULT": "DEFAULT",
}


def lock(connection: duckdb.DuckDBPyConnection, memory: str) -> None:
    """Let the connection reach no file and no network, and let nothing change that."""
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(f"SET memory_limit = '{memory}'")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def translated(expression: str, columns: Mapping[str, str]) -> str:
    """The condition over columns of ours: ``columns`` gives the bare column of each field's name.

    Names of fields are told apart by upper and lower case where two differ by nothing else.

    Raises:
        InvalidFilter: it is not one expression, names no field, or does something that is not allowed here.
    """
    _refuse_odd(expression)
    try:
        return _translated(expression, columns)
    except RecursionError:
        raise _too_deep() from None


def _translated(expression: str, columns: Mapping[str, str]) -> str:
    tree = _read(expression)
    parts = list(_parts(tree["statements"][0]["node"]["where_clause"]))
    if len(parts) > MOST_PARTS:
        raise InvalidFilter(f"The condition has {len(parts):,} parts.", f"Up to {MOST_PARTS:,} are read.")
    _refuse_heavy_patterns(parts)
    for part in parts:
        _check(part)
        if part["class"] == "COLUMN_REF":
            part["column_names"] = [_column(part["column_names"], columns)]
    written = _written(tree)
    if _parsed(written) != tree:
        raise InvalidFilter("The condition cannot be read without doubt.", "Write it in simpler words.")
    return written.removeprefix(_BEFORE)


def _too_deep() -> InvalidFilter:
    return InvalidFilter("The condition is nested too deeply.", "Write it flatter.")


def _refuse_odd(expression: str) -> None:
    if not expression.strip():
        raise InvalidFilter("The condition is empty.", _EXAMPLE)
    if len(expression) > LONGEST:
        raise InvalidFilter(f"The condition has {len(expression):,} characters.", f"Up to {LONGEST:,} are read.")
    if any((c < " " and c not in "\t\r\n") or c == "\x7f" or "\ud800" <= c <= "\udfff" for c in expression):
        raise InvalidFilter("The condition holds a character that is none.", "Type it again.")
    if (
        max(accumulate((c in "([{") - (c in ")]}") for c in expression)) > DEEPEST
    ):  # the parser is slow at brackets left open
        raise _too_deep()


_BEFORE = "SELECT 1 WHERE "


def _read(expression: str) -> Tree:
    """The statement around the condition; it must be one with brackets around it and without, with nothing beside it."""
    tree = _parsed(f"{_BEFORE}\n{expression}\n")
    if len(tree["statements"]) != 1:
        raise InvalidFilter("The condition is more than one statement.", "Write one expression, without a semicolon.")
    if _around(tree) != _around(_parsed(f"{_BEFORE}true")) or _parsed(f"{_BEFORE}(\n{expression}\n)") != tree:
        raise InvalidFilter("There is more than a condition.", "Write what stands after WHERE, and nothing else.")
    return tree


def _around(tree: Tree) -> Tree:
    """The statement without its condition (and without the list of parameters, which are refused by name)."""
    (statement,) = tree["statements"]
    node = {key: value for key, value in statement["node"].items() if key != "where_clause"}
    return {"node": node, "rest": sorted(statement.keys() - {"named_param_map"})}


def _parts(tree: Any) -> Iterator[Tree]:
    """Every part of the tree that has a class, wherever it hangs: none can be passed over."""
    waiting = [tree]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            if "class" in found:
                yield found
            waiting.extend(found.values())
        elif isinstance(found, list):
            waiting.extend(found)


def _check(part: Tree) -> None:
    kind, type_ = part["class"], part["type"]
    if kind not in _CLASSES:
        raise _refusal(_REFUSED.get(kind, kind.lower().replace("_", " ")))
    if kind == "OPERATOR" and type_ not in _OPERATORS:
        raise _refusal(type_.removeprefix("OPERATOR_").lower().replace("_", " "))
    if kind == "CONSTANT" and part["literal"]["kind"] not in _LITERALS:
        raise _refusal(f"a value of the kind {part['literal']['kind'].lower()}")
    if kind == "COLLATE" and part["collation"].lower() not in _COLLATIONS:
        raise _refusal(f"the collation {part['collation']!r}")
    if kind == "TYPE" and (part["catalog"] or part["schema"] or part["type_name"].lower() not in TYPES):
        raise _refusal(f"the type {part['type_name']!r}")
    if kind == "FUNCTION":
        _check_function(part)


def _check_function(part: Tree) -> None:
    name = part["function_name"]
    if part["schema"] or part["catalog"]:
        raise _refusal(f"{part['schema']}.{name}", f"Write {name}(…) with all it takes in brackets.")
    if name.lower() not in FUNCTIONS:
        raise InvalidFilter(
            f"The function {name!r} cannot be used here.{near(name, sorted(FUNCTIONS))}",
            "Functions of text, numbers, dates and lists can; those that read files, settings or other rows cannot.",
        )
    if part["filter"] or part["distinct"] or part["order_bys"]["orders"] or part["export_state"]:
        raise _refusal("DISTINCT, FILTER or ORDER BY in a function")
    if any(argument["name"] for argument in part["arguments"]):
        raise _refusal("a named argument")


def _refuse_heavy_patterns(parts: Iterable[Tree]) -> None:
    """Patterns must be written out, so that it is known how much work they can be."""
    total = 0
    for part in parts:
        if part["class"] == "FUNCTION" and part["function_name"].lower() in _WITH_PATTERN:
            _, *given = [argument["expression"] for argument in part["arguments"]] or [None]
            if not given or given[0]["class"] != "CONSTANT" or given[0]["literal"]["kind"] != "STRING":
                raise _refusal("a pattern that is put together", "Write the pattern in single quotes.")
            refuse_heavy(given[0]["literal"]["text"])
            total += steps(given[0]["literal"]["text"])
    if total > MOST_STEPS:
        raise InvalidFilter(
            f"The patterns repeat too much: written out they have more than {MOST_STEPS:,} steps together.",
            "Write smaller numbers in {…}, or fewer patterns.",
        )


def _refusal(what: str, do: str = "Write one expression over the fields of one node.") -> InvalidFilter:
    return InvalidFilter(f"The condition has {what}, which cannot be used here.", do)


def _column(names: list[str], columns: Mapping[str, str]) -> str:
    name = ".".join(names)
    if name in columns:
        return columns[name]
    alike = [known for known in columns if known.casefold() == name.casefold()]
    if len(alike) == 1:
        return columns[alike[0]]
    if alike:
        raise InvalidFilter(f"{name!r} may be {' or '.join(map(repr, alike))}.", "Write it as it is, in double quotes.")
    hint = " Text stands in single quotes." if not near(name, list(columns)) else ""
    raise InvalidFilter(
        f"There is no field {name!r}.{near(name, list(columns))}{hint}", f"Fields: {', '.join(sorted(columns))}."
    )


# ── DuckDB's parser ──────────────────────────────────────────────────────────────────────────────


_parsing = Lock()


@cache
def _parser() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(":memory:", config=LOCKED)
    lock(connection, "200MB")
    return connection


def _parsed(statement: str) -> Tree:
    """DuckDB's tree of a statement, without the places in the text that its parts came from."""
    tree: Tree = json.loads(_asked("SELECT json_serialize_sql(?::VARCHAR)", statement), object_hook=_placeless)
    if tree["error"]:
        if "depth limit" in tree["error_message"]:
            raise _too_deep()
        raise _unread(tree["error_message"])
    return tree


def _unread(told: str) -> InvalidFilter:
    """What DuckDB's parser says, in our own words."""
    if "Only SELECT" in told:
        return InvalidFilter("The condition is more than one statement.", "Write one expression, without a semicolon.")
    if "unterminated" in told:
        return InvalidFilter(
            "A quote or a comment in the condition is not closed.", "Text stands in single quotes: 'legal'."
        )
    place = _NEAR.search(told)
    where = f" at {place[1]!r}" if place else ""
    return InvalidFilter(
        f"The condition is no SQL expression: it cannot be read{where}.",
        f"{_EXAMPLE} A field called like a word of SQL stands in double quotes.",
    )


def _placeless(part: Tree) -> Tree:
    return {key: value for key, value in part.items() if not key.startswith("query_location")}


def _written(tree: Tree) -> str:
    return _asked("SELECT json_deserialize_sql(?::JSON)", json.dumps(tree))


def _asked(statement: str, value: str) -> str:
    with _parsing:
        try:
            ((text,),) = _parser().execute(statement, [value]).fetchall()
        except duckdb.Error:
            raise _too_deep() from None
    return str(text)
