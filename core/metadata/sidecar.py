"""``<name>.meta.json``: one flat JSON object beside a document."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import NoReturn

from core.errors import InvalidMetadata

SUFFIX = ".meta.json"
MAX_BYTES = 1_000_000
_MAX_DIGITS = 300  # a float holds up to 308


def match_sidecars(names: Iterable[str]) -> dict[str, str]:
    """Which sidecar belongs to which document, of the names in one drop: sidecar name → document name.

    ``report.txt.meta.json`` belongs to ``report.txt``; ``report.meta.json`` to the only document of that stem. A
    sidecar without a document in the drop names one that may be in the workspace already.
    """
    every = list(names)
    documents = {name for name in every if not name.endswith(SUFFIX)}
    by_stem: dict[str, list[str]] = {}
    for name in (name for name in every if name in documents):
        by_stem.setdefault(name.removesuffix(PurePosixPath(name).suffix), []).append(name)
    found: dict[str, str] = {}
    for sidecar in (name for name in every if name.endswith(SUFFIX)):
        target = sidecar.removesuffix(SUFFIX)
        same_stem = by_stem.get(target, [])
        found[sidecar] = target if target in documents or len(same_stem) != 1 else same_stem[0]
    return found


def parse(data: bytes, most: int | None = MAX_BYTES) -> dict[str, object]:
    """The object in a sidecar of up to ``most`` bytes, without its null values.

    Raises:
        InvalidMetadata: no UTF-8, no JSON, no object, a key twice, or a number that JSON does not have.
    """
    if most is not None and len(data) > most:
        raise InvalidMetadata(f"The sidecar has {len(data):,} bytes; up to {most:,} are read.")
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
