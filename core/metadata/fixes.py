"""What a person may do about odd metadata before it is stored: fixes told, previewed and applied."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from core.filters import FieldType
from core.metadata.propose import distinct_key
from core.metadata.values import ISO_TEXT, Misfit, iso_text, shown, typed_value
from core.types import DateOrder, Value

Sidecar = Mapping[str, object]
Sidecars = Mapping[str, Sidecar]
_FEW = 5  # values that a description names


@dataclass(frozen=True, slots=True)
class RenameKey:
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class MapValues:
    """Text, alone or in a list, written another way."""

    field: str
    mapping: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SetType:
    """The field is of this type, and every value that fits is written as that type is."""

    field: str
    type: FieldType
    date_order: DateOrder | None = None


@dataclass(frozen=True, slots=True)
class FillMissing:
    field: str
    value: Value


@dataclass(frozen=True, slots=True)
class DropKey:
    field: str


Fix = RenameKey | MapValues | SetType | FillMissing | DropKey


@dataclass(frozen=True, slots=True)
class Change:
    """What a fix does to one file. ``conflict`` says why it leaves this file alone."""

    file: str
    field: str
    before: object
    after: object
    renamed_to: str = ""
    conflict: str = ""


def describe(fix: Fix) -> str:
    """The fix as an order in plain words."""
    match fix:
        case RenameKey(old, new):
            return f"Rename {shown(old)} to {shown(new)}"
        case MapValues(name, mapping):
            pairs = [f"{shown(old)} as {shown(new)}" for old, new in mapping.items()]
            more = f" and {len(pairs) - _FEW:,} more" if len(pairs) > _FEW else ""
            return f"In {shown(name)}, write {', '.join(pairs[:_FEW])}{more}"
        case SetType(name, kind, order):
            read = f", dates {order.replace('_', ' ')}" if order else ""
            return f"Hold {shown(name)} as {kind}{read}"
        case FillMissing(name, value):
            return f"Where {shown(name)} is missing, write {shown(_written(value))}"
        case DropKey(name):
            return f"Leave {shown(name)} out"


def preview(fix: Fix, sidecars: Sidecars, limit: int) -> list[Change]:
    """The first ``limit`` changes that ``apply`` would make, those it cannot make before all others."""
    conflicts: list[Change] = []
    changes: list[Change] = []
    for file, sidecar in sidecars.items():
        change = _change(fix, file, sidecar)
        if change is not None:
            (conflicts if change.conflict else changes).append(change)
    return (conflicts + changes)[:limit]


def apply(fixes: Iterable[Fix], sidecars: Sidecars) -> dict[str, dict[str, object]]:
    """New sidecars with the fixes made one after the other; keys stay in their order, and no two keys become one."""
    every = list(fixes)
    found = {}
    for file, given in sidecars.items():
        sidecar = {key: _own(value) if isinstance(value, (list, dict)) else value for key, value in given.items()}
        for fix in every:
            sidecar = _fixed(fix, sidecar)
        found[file] = sidecar
    return found


def _own(value: object) -> object:
    """A copy that shares no list or mapping with ``value``, however deep it is."""
    copied = [value]
    waiting: list[Any] = [copied]
    while waiting:
        holder = waiting.pop()
        for key, item in list(enumerate(holder) if isinstance(holder, list) else holder.items()):
            if isinstance(item, (list, dict)):
                holder[key] = item.copy()
                waiting.append(holder[key])
    return copied[0]


def _change(fix: Fix, file: str, sidecar: Sidecar) -> Change | None:
    if isinstance(fix, RenameKey):
        return _renaming(fix, file, sidecar)
    before, after = sidecar.get(fix.field), _fixed(fix, sidecar).get(fix.field)
    return None if distinct_key(before) == distinct_key(after) else Change(file, fix.field, before, after)


def _renaming(fix: RenameKey, file: str, sidecar: Sidecar) -> Change | None:
    if fix.old not in sidecar or fix.old == fix.new:
        return None
    value = sidecar[fix.old]
    if sidecar.get(fix.new) is None:
        return Change(file, fix.old, value, value, fix.new)
    why = f"{shown(fix.new)} is there already: {shown(sidecar[fix.new])}"
    return Change(file, fix.old, value, value, fix.new, why)


def _fixed(fix: Fix, sidecar: Sidecar) -> dict[str, object]:
    match fix:
        case RenameKey(old, new):
            return _renamed(sidecar, old, new)
        case MapValues(name, mapping) if name in sidecar:
            return {**sidecar, name: _mapped(sidecar[name], mapping)}
        case SetType(name, kind, order) if name in sidecar:
            return {**sidecar, name: _rewritten(sidecar[name], kind, order)}
        case FillMissing(name, value) if sidecar.get(name) is None:
            return {**sidecar, name: _written(value)}
        case DropKey(name):
            return {key: value for key, value in sidecar.items() if key != name}
    return dict(sidecar)


def _renamed(sidecar: Sidecar, old: str, new: str) -> dict[str, object]:
    if old not in sidecar or old == new or sidecar.get(new) is not None:
        return dict(sidecar)
    return {new if key == old else key: value for key, value in sidecar.items() if key != new}


def _mapped(value: object, mapping: Mapping[str, str]) -> object:
    if isinstance(value, list):
        return [mapping.get(item, item) if isinstance(item, str) else item for item in value]
    return mapping.get(value, value) if isinstance(value, str) else value


def _rewritten(raw: object, kind: FieldType, order: DateOrder | None) -> object:
    """``raw`` as JSON writes values of that kind, or as it is where it does not fit or would lose something."""
    typed = typed_value(raw, kind, date_order=order)
    match typed, raw:
        case ((Misfit() | None), _):
            return raw
        case datetime(), str() if ISO_TEXT.fullmatch(raw.strip()):
            return raw
        case float(), int() | float():
            return raw
        case float(), str():
            return _exact(raw, typed)
    return _written(typed)


def _exact(raw: str, number: float) -> object:
    """The number that ``raw`` writes, or ``raw`` if it has more digits than a number keeps."""
    whole = typed_value(raw, FieldType.INTEGER)
    found = whole if isinstance(whole, int) else number
    try:
        return found if Decimal(raw.strip()) == Decimal(repr(found)) else raw
    except InvalidOperation:
        return raw


def _written(value: object) -> object:
    """A typed value as JSON writes it; midnight is the day alone."""
    if isinstance(value, datetime):
        return iso_text(value)
    return list(value) if isinstance(value, tuple) else value
