"""What was given about a document, held against the fields of its workspace."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from core.errors import InvalidMetadata
from core.filters import FieldType
from core.metadata.propose import Distinct, best_type, distinct_key
from core.metadata.values import Misfit, near_misses, shown, typed_value
from core.store.base import RESERVED, Cell, Cells
from core.types import FieldSpec

Raw = Mapping[str, object]
"""Metadata as they were given: JSON values by key."""
Fields = Mapping[str, FieldSpec]


def cell(raw: object, spec: FieldSpec, *, edited: bool = False) -> Cell:
    """A raw value as the field holds it, or why it does not; the field's default where nothing is given."""
    if raw is None:
        return Cell(None, spec.default, "", edited)
    typed = typed_value(raw, spec.type, date_order=spec.date_order, allowed=spec.allowed)
    if isinstance(typed, Misfit):
        return Cell(raw, None, typed.reason, edited)
    return Cell(raw, typed, "", edited)


def cells(raw: Raw, fields: Fields, edited: Collection[str] = ()) -> dict[str, Cell]:
    """What a document holds of every field that it was given or that has a default; ``edited`` ones were set by hand."""
    found = {name: cell(raw.get(name), spec, edited=name in edited) for name, spec in fields.items()}
    return {name: held for name, held in found.items() if held != Cell()}


def refuse(raw: Raw, fields: Fields, *, strict: bool) -> None:
    """Refuse what no workspace can hold, and in a strict one every key that is no field.

    Raises:
        InvalidMetadata: with the key, and the field that may be meant.
    """
    for key in raw:
        if key in RESERVED:
            raise InvalidMetadata(f"{key!r} is set by the system.", "Rename that key in the sidecar.")
        if any("\ud800" <= character <= "\udfff" for character in key):
            raise InvalidMetadata(f"The key {key!r} holds half a character (a lone surrogate).", "Mend the sidecar.")
        if strict and key not in fields:
            near = near_misses(key, list(fields))
            meant = f" Did you mean {' or '.join(map(shown, near))}?" if near else ""
            raise InvalidMetadata(
                f"{key!r} is no field of this workspace, which refuses unknown keys.{meant}",
                "Rename the key, or add the field to the schema.",
            )


def proposed(raws: Iterable[Raw], fields: Fields) -> dict[str, FieldSpec]:
    """A field for every key that ``fields`` lacks, its type proposed from all its values and not confirmed yet."""
    seen: dict[str, dict[Distinct, tuple[object, int]]] = {}
    for raw in raws:
        for key, value in raw.items():
            if key not in fields and value is not None:
                told = seen.setdefault(key, {})
                what = distinct_key(value)
                told[what] = (value, told.get(what, (value, 0))[1] + 1)
    return {key: FieldSpec(key, best_type(list(told.values())), confirmed=False) for key, told in seen.items()}


def widened(raw: Raw, fields: Fields) -> list[FieldSpec]:
    """Fields of whole numbers that nobody has confirmed and that were given a number now: numbers, then."""
    return [
        replace(spec, type=FieldType.NUMBER)
        for name, spec in fields.items()
        if spec.type is FieldType.INTEGER and not spec.confirmed and isinstance(raw.get(name), float)
        and isinstance(typed_value(raw[name], FieldType.INTEGER), Misfit)
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Merged:
    """Metadata given anew, with the edits that stay; ``replaced`` edits gave way to what was given."""

    raw: Raw
    edited: frozenset[str]
    replaced: tuple[str, ...]


def merge(given: Raw, before: Raw, held: Cells) -> Merged:
    """What a document holds once ``given`` takes the place of ``before``: a value edited here stays if its source did not change."""
    edits = {name: cell.raw for name, cell in held.items() if cell.edited}
    stay = {name: raw for name, raw in edits.items() if given.get(name) == before.get(name)}
    raw = {key: value for key, value in {**given, **stay}.items() if value is not None}
    return Merged(raw, frozenset(stay), tuple(name for name in edits if name not in stay))
