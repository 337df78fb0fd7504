"""What was given about a document, held against the fields of its workspace."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from core.errors import InvalidMetadata
from core.filters import FieldType
from core.metadata.propose import Distinct, best_type, distinct_key
from core.metadata.values import NO_TEXT, Misfit, as_json, near_misses, shown, typed_value
from core.store.base import RESERVED, Cell, Cells
from core.types import FieldSpec

Raw = Mapping[str, object]
"""Metadata as they were given: JSON values by key."""
Fields = Mapping[str, FieldSpec]
MOST_FIELDS = 1_000
"""Fields of one workspace: each is a column, and a file may hold a hundred thousand keys."""


def cell(raw: object, spec: FieldSpec, *, edited: bool = False) -> Cell:
    """A raw value as the field holds it, or why it does not; the field's default where nothing is given."""
    if raw is None:
        return Cell(None, spec.default, "", edited)
    typed = typed_value(raw, spec.type, date_order=spec.date_order, allowed=spec.allowed)
    if isinstance(typed, Misfit):
        return Cell(raw, None, typed.reason, edited)
    return Cell(raw, typed, "", edited)


def cells(raw: Raw, fields: Fields, edited: Collection[str] = ()) -> dict[str, Cell]:
    """What a document holds of every field that it was given or that has a default; ``edited`` ones were set by hand.

    A key that is no field can be ``edited`` too: it was left out by hand.
    """
    found = {name: cell(raw.get(name), spec, edited=name in edited) for name, spec in fields.items()}
    found.update((name, Cell(edited=True)) for name in edited if name not in fields and not NO_TEXT.search(name))
    return {name: held for name, held in found.items() if held != Cell()}


def refuse(raw: Raw, fields: Fields, *, strict: bool) -> None:
    """Refuse what no workspace can hold, and in a strict one every key that is no field.

    Raises:
        InvalidMetadata: with the key, and the field that may be meant.
    """
    for key in raw:
        if key in RESERVED:
            raise InvalidMetadata(f"{key!r} is set by the system.", "Rename that key in the sidecar.")
        if NO_TEXT.search(key):
            raise InvalidMetadata(
                f"The key {shown(key)} holds half a character (a lone surrogate) or a zero.", "Mend the sidecar."
            )
        if strict and key not in fields:
            near = near_misses(key, list(fields))
            meant = f" Did you mean {' or '.join(map(shown, near))}?" if near else ""
            raise InvalidMetadata(
                f"{key!r} is no field of this workspace, which refuses unknown keys.{meant}",
                "Rename the key, or add the field to the schema.",
            )
    if len(raw.keys() | fields.keys()) > max(MOST_FIELDS, len(fields)):
        raise InvalidMetadata(
            f"With these keys the workspace would have more than {MOST_FIELDS:,} fields.",
            "Leave out what is not needed.",
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
    stay = {name: raw for name, raw in edits.items() if _source(given.get(name)) == _source(before.get(name))}
    gone = [
        name for name, raw in edits.items() if name not in stay and distinct_key(raw) != distinct_key(given.get(name))
    ]
    raw = {key: value for key, value in {**given, **stay}.items() if value is not None}
    return Merged(raw, frozenset(stay), tuple(gone))


def _source(raw: object) -> object:
    """What a source says: the same word of a table is a number or text, as the rest of its column is."""
    text = raw if isinstance(raw, str) else as_json(raw)
    if raw is None or text is None:
        return distinct_key(raw)
    word = text.strip()
    return word.lower() if word.lower() in ("true", "false") else word


def alike(one: Cells, other: Cells) -> bool:
    """Whether the same was given for two documents, whatever type it is read as now or later."""
    return _given(one) == _given(other)


def unchanged(one: Cells, other: Cells) -> bool:
    """Whether the same was given, and the same of it set by hand."""
    return alike(one, other) and _edited(one) == _edited(other)


def _given(cells: Cells) -> dict[str, Distinct]:
    return {name: distinct_key(cell.raw) for name, cell in cells.items() if cell.raw is not None}


def _edited(cells: Cells) -> set[str]:
    return {name for name, cell in cells.items() if cell.edited}
