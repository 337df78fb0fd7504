"""``<name>.meta.json``: one flat JSON object beside a document.

The fields every workspace has are typed; any further key gets the type of its first value. A nested object is kept
as its JSON text. Nothing else is guessed: a string that looks like a number or a date stays a string.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import NoReturn

from core.errors import InvalidMetadata
from core.filters import Field, FieldType, parse_instant
from core.types import Metadata, Value

SUFFIX = ".meta.json"
MAX_BYTES = 1_000_000
BUILT_IN: Mapping[str, FieldType] = {
    "source": FieldType.STRING,
    "doc_type": FieldType.STRING,
    "category": FieldType.STRING,
    "tags": FieldType.STRINGS,
    "security_level": FieldType.STRING,
    "published_at": FieldType.DATETIME,
    "created_at": FieldType.DATETIME,
}
_BIGGEST = 2**63 - 1
_MAX_DIGITS = 300  # a float holds up to 308


def match_sidecars(names: Iterable[str]) -> dict[str, str]:
    """Which sidecar belongs to which document, of the names in one drop: sidecar name → document name.

    ``report.txt.meta.json`` belongs to ``report.txt``; ``report.meta.json`` to the only document of that stem. A
    sidecar without a document in the drop names one that may be in the workspace already.
    """
    every = list(names)
    documents = [name for name in every if not name.endswith(SUFFIX)]
    found: dict[str, str] = {}
    for sidecar in (name for name in every if name.endswith(SUFFIX)):
        target = sidecar.removesuffix(SUFFIX)
        same_stem = [name for name in documents if name.removesuffix(PurePosixPath(name).suffix) == target]
        found[sidecar] = target if target in documents or len(same_stem) != 1 else same_stem[0]
    return found


def parse(data: bytes) -> dict[str, object]:
    """The object in a sidecar, without its null values.

    Raises:
        InvalidMetadata: no UTF-8, no JSON, no object, a key twice, or a number that JSON does not have.
    """
    if len(data) > MAX_BYTES:
        raise InvalidMetadata(f"The sidecar has {len(data):,} bytes; up to {MAX_BYTES:,} are read.")
    try:
        found = _without_zeros(
            json.loads(
                data.decode("utf-8-sig"),
                object_pairs_hook=_unique,
                parse_constant=_no_constant,
                parse_float=_finite,
                parse_int=_integer,
            )
        )
    except UnicodeDecodeError:
        raise InvalidMetadata("The sidecar is not UTF-8 text.", "Save it as UTF-8.") from None
    except json.JSONDecodeError as error:
        raise InvalidMetadata(
            f"The sidecar is no JSON: {error.msg} in line {error.lineno}, column {error.colno}.",
            "Mend it and add the file again.",
        ) from None
    except RecursionError:
        raise InvalidMetadata("The sidecar is nested too deeply.") from None
    if not isinstance(found, dict):
        raise InvalidMetadata("The sidecar is JSON, but no object.", 'Write {"category": "legal", …}.')
    return {key: value for key, value in found.items() if value is not None}


def zeros(data: bytes) -> int:
    """How many zero characters a sidecar holds; ``parse`` leaves them out, as they are left out of texts."""
    return len(_ZERO.findall(data))


_ZERO = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def _clean(text: str) -> str:
    return text.replace("\x00", "")


def _without_zeros(value: object) -> object:
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, list):
        return [_without_zeros(item) for item in value]
    if isinstance(value, dict):
        return _unique([(_clean(key), _without_zeros(item)) for key, item in value.items()])
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, _ in pairs if [k for k, _ in pairs].count(key) > 1)
        raise InvalidMetadata(f"The sidecar has the key {twice!r} twice.", "Keep one of them.")
    return found


def _no_constant(word: str) -> object:
    raise InvalidMetadata(f"The sidecar holds {word}, which is no number.", "Leave the key out, or write a number.")


def _finite(digits: str) -> float:
    value = float(digits)
    return value if math.isfinite(value) else _too_big(digits)


def _integer(digits: str) -> int:
    return int(digits) if len(digits) <= _MAX_DIGITS else _too_big(digits)


def _too_big(digits: str) -> NoReturn:
    raise InvalidMetadata(f"The sidecar holds the number {digits[:20]}…, which is too big.", "Write it as text.")


def field_specs(data: Mapping[str, object], known: Mapping[str, FieldType]) -> list[Field]:
    """The fields that storing ``data`` needs and ``known`` lacks, an integer field widened to numbers included."""
    specs = []
    for name, value in data.items():
        kind = BUILT_IN.get(name) or known.get(name)
        if kind is None or (kind is FieldType.INTEGER and isinstance(value, float)):
            specs.append(Field(name, _type_of(value) if kind is None else FieldType.NUMBER))
        elif name not in known:
            specs.append(Field(name, kind))
    return specs


def _type_of(value: object) -> FieldType:
    if isinstance(value, bool):
        return FieldType.BOOLEAN
    if isinstance(value, int):
        return FieldType.INTEGER if abs(value) <= _BIGGEST else FieldType.NUMBER
    if isinstance(value, float):
        return FieldType.NUMBER
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return FieldType.STRINGS
    return FieldType.STRING


def field_type(value: Value) -> FieldType:
    """The type of field that holds such a value."""
    kinds = {bool: FieldType.BOOLEAN, int: FieldType.INTEGER, float: FieldType.NUMBER, tuple: FieldType.STRINGS}
    if isinstance(value, datetime):
        return FieldType.DATETIME
    return kinds.get(type(value), FieldType.STRING)


def typed(data: Mapping[str, object], types: Mapping[str, FieldType]) -> Metadata:
    """``data`` with every value in its field's type.

    Raises:
        InvalidMetadata: a value of another type, with the field and the value.
    """
    return {name: _value(name, value, types[name]) for name, value in data.items()}


def _value(name: str, value: object, kind: FieldType) -> Value:
    found: Value | None = None
    match kind:
        case FieldType.STRING:
            found = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        case FieldType.BOOLEAN if isinstance(value, bool):
            found = value
        case FieldType.INTEGER if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _BIGGEST:
            found = value
        case FieldType.NUMBER if isinstance(value, (int, float)) and not isinstance(value, bool):
            found = float(value)
        case FieldType.DATETIME:
            found = _instant(value)
        case FieldType.STRINGS if isinstance(value, str):
            found = (value,)
        case FieldType.STRINGS if isinstance(value, list) and all(isinstance(item, str) for item in value):
            found = tuple(value)
    if found is None:
        raise InvalidMetadata(
            f"{name!r} is {json.dumps(value, ensure_ascii=False)[:80]}; this workspace holds {_WANTED[kind]} there.",
            "Mend the sidecar and add the file again.",
        )
    _refuse_surrogates(name, found)
    return found


_WANTED = {
    FieldType.STRING: "text",
    FieldType.INTEGER: "whole numbers",
    FieldType.NUMBER: "numbers",
    FieldType.BOOLEAN: "true or false",
    FieldType.DATETIME: "ISO dates (2026-03-12, or 2026-03-12T09:30:00Z)",
    FieldType.STRINGS: "lists of text",
}


def _instant(value: object) -> datetime | None:
    """An ISO date or time, or seconds since 1970."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            return datetime.fromtimestamp(value, UTC).replace(tzinfo=None)
        except (OverflowError, OSError, ValueError):
            return None
    return parse_instant(value)


def _refuse_surrogates(name: str, value: Value) -> None:
    for text in [name, *(value if isinstance(value, tuple) else [value])]:
        if isinstance(text, str) and any("\ud800" <= character <= "\udfff" for character in text):
            raise InvalidMetadata(f"{name!r} holds half a character (a lone surrogate).", "Mend the sidecar.")
