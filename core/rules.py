"""The metadata rules of a workspace at work: what a drop brings becomes typed cells, and new fields where it must."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from core import metadata
from core.errors import InvalidMetadata
from core.filters import FieldType
from core.metadata.fixes import Fix, apply
from core.metadata.values import shown
from core.store.base import Cell, Cells, Store
from core.types import FieldSpec

_FEW = 5


class Rules:
    """The fields of a workspace while documents come in, and the fixes that a person chose for this drop."""

    def __init__(self, store: Store, *, strict: bool, fixes: Sequence[Fix] = ()) -> None:
        self._store = store
        self._strict = strict
        self._fixes = fixes
        self._fields = {spec.name: spec for spec in store.metadata_fields()}
        self._expected: dict[str, FieldSpec] = {}
        self._notes: list[str] = []

    def expect(self, raws: Iterable[metadata.Raw]) -> None:
        """Propose types for the keys of a whole drop, so that they do not hang on which file comes first."""
        self._expected = metadata.proposed(filter(self._accepts, map(self.fixed, raws)), self._fields)

    def _accepts(self, raw: metadata.Raw) -> bool:
        try:
            metadata.refuse(raw, self._fields, strict=self._strict)
        except InvalidMetadata:
            return False
        return True

    def fixed(self, raw: metadata.Raw) -> metadata.Raw:
        """``raw`` with the fixes made."""
        return apply(self._fixes, {"": raw})[""] if self._fixes else raw

    def cells(self, raw: metadata.Raw, edited: Collection[str] = ()) -> Cells:
        """``raw`` in the types of the fields; those it needs and the workspace lacks are added.

        Raises:
            InvalidMetadata: a key that is refused, see ``metadata.refuse``. Nothing is added then.
        """
        raw = {key: value for key, value in raw.items() if value is not None}
        metadata.refuse(raw, self._fields, strict=self._strict)
        self._add(raw)
        found = metadata.cells(raw, self._fields, edited)
        misfits = [f"{shown(name)}: {cell.misfit}" for name, cell in found.items() if cell.misfit]
        if misfits:
            more = f"; and {len(misfits) - _FEW} more" if len(misfits) > _FEW else ""
            self._notes.append(f"Kept as given, but without a value to filter by: {'; '.join(misfits[:_FEW])}{more}.")
        return found

    def told(self) -> list[str]:
        """What is to be said since this was last asked."""
        notes, self._notes = self._notes, []
        return notes

    def _add(self, raw: metadata.Raw) -> None:
        lacking = {key: value for key, value in raw.items() if key not in self._fields}
        alone = metadata.proposed([lacking], self._fields)
        new = [self._expected.get(key, alone[key]) for key in lacking]
        if new:
            self._store.add_fields(new)
            self._fields.update((spec.name, spec) for spec in new)
            told = ", ".join(f"{shown(spec.name)} ({spec.type})" for spec in new[:_FEW])
            more = f" and {len(new) - _FEW} more" if len(new) > _FEW else ""
            self._notes.append(f"New in the schema, with a proposed type: {told}{more}.")
        for spec in metadata.widened(raw, self._fields):
            set_field(self._store, spec)
            self._fields[spec.name] = spec


def set_field(store: Store, spec: FieldSpec) -> int:
    """Make a field what ``spec`` says and read what was given for it again; how many values do not fit."""
    held = store.cells(field=spec.name)
    again = {
        doc_id: metadata.cell(row[spec.name].raw if spec.name in row else None, spec, edited=edited(row, spec.name))
        for doc_id, row in held.items()
    }
    store.set_field(spec, again)
    return sum(bool(cell.misfit) for cell in again.values())


def edited(row: Cells, name: str) -> bool:
    """Whether a person set the value of a field here."""
    return name in row and row[name].edited


def checked(spec: FieldSpec) -> FieldSpec:
    """``spec`` with its default in its type.

    Raises:
        InvalidMetadata: a name that is reserved or blank, a default that does not fit, an enum that allows nothing.
    """
    metadata.refuse({spec.name: ""}, {}, strict=False)
    if not spec.name.strip():
        raise InvalidMetadata("A field needs a name.", "Type one.")
    if spec.type is FieldType.ENUM and not spec.allowed:
        raise InvalidMetadata(f"The enum {spec.name!r} allows nothing.", "List the values it may have.")
    if spec.default is None:
        return spec
    held = metadata.cell(spec.default, spec)
    if held.misfit:
        raise InvalidMetadata(f"The default of {spec.name!r} does not fit: {held.misfit}.", "Choose another.")
    return replace(spec, default=held.value)


def edit(name: str, raw: object, fields: Mapping[str, FieldSpec]) -> Cell:
    """A value that a person sets.

    Raises:
        InvalidMetadata: no such field, or a value that it does not hold.
    """
    if name not in fields:
        raise InvalidMetadata(f"There is no field {name!r}.", "Add it to the schema first.")
    held = metadata.cell(raw, fields[name], edited=True)
    if held.misfit:
        raise InvalidMetadata(f"{name!r}: {held.misfit}.", "Choose a value that fits, or change the field's type.")
    return held
