"""The metadata rules of a workspace at work: what a drop brings becomes typed cells, and new fields where it must."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from core import metadata
from core.errors import InvalidMetadata
from core.filters import FieldType
from core.metadata.fixes import Fix, SetType, apply
from core.metadata.values import as_raw, shown
from core.store.base import Cell, Cells, Store
from core.types import FieldSpec

_FEW = 5

SetField = Callable[[FieldSpec], object]
"""Makes a field of the workspace what it says, and reads again what was given for it."""


class Rules:
    """The fields of a workspace while documents come in, and the fixes that a person chose for this drop."""

    def __init__(self, store: Store, set_field: SetField, *, strict: bool, fixes: Sequence[Fix] = ()) -> None:
        self._store = store
        self._set_field = set_field
        self._strict = strict
        self.fixes = fixes
        self._fields = {spec.name: spec for spec in store.metadata_fields()}
        self._expected: dict[str, FieldSpec] = {}
        self._notes: list[str] = []

    def expect(self, raws: Iterable[metadata.Raw]) -> None:
        """Propose types for the keys of a whole drop, and widen those there are, so that nothing hangs on which file comes first."""
        accepted = [raw for raw in map(self.fixed, raws) if self._accepts(raw)]
        self._expected = metadata.proposed(accepted, self._fields)
        for raw in accepted:
            self._expected.update((spec.name, spec) for spec in metadata.widened(raw, self._expected))
            self._widen(raw)

    def _accepts(self, raw: metadata.Raw) -> bool:
        try:
            metadata.refuse(raw, self._fields, strict=self._strict)
        except InvalidMetadata:
            return False
        return True

    def fixed(self, raw: metadata.Raw) -> metadata.Raw:
        """``raw`` with the fixes made."""
        return apply(self.fixes, {"": raw})[""] if self.fixes else raw

    def new(self, raw: metadata.Raw) -> Cells:
        """What a new document holds: what its files say, with the fixes made. Those count as set by hand."""
        fixed = self.fixed(raw)
        return self.cells(fixed, _touched(raw, fixed))

    def merged(self, now: metadata.Raw, was: metadata.Raw, held: Cells) -> Cells:
        """What a document holds that comes again: what its files say now, and the edits that they do not contradict."""
        given = self.fixed(now)
        merged = metadata.merge(given, self.fixed(was), held)
        if merged.replaced:
            names = ", ".join(map(shown, merged.replaced[:_FEW]))
            more = f" and {len(merged.replaced) - _FEW} more" if len(merged.replaced) > _FEW else ""
            self._notes.append(f"Edited here, and now as its files say, which have changed: {names}{more}.")
        return self.cells(merged.raw, merged.edited | _touched(now, given))

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
        self._widen(raw)

    def _widen(self, raw: metadata.Raw) -> None:
        for spec in metadata.widened(raw, self._fields):
            if self._keeps_digits(spec.name):
                self._set_field(spec)
                self._fields[spec.name] = spec

    def _keeps_digits(self, name: str) -> bool:
        """Whether every whole number that a field holds is the same as a number."""
        held = (row[name].value for row in self._store.cells(field=name).values() if name in row)
        return all(int(float(value)) == value for value in held if isinstance(value, int))


def _touched(raw: metadata.Raw, fixed: metadata.Raw) -> set[str]:
    """The keys that fixes have changed, those that are gone among them."""
    return {
        key
        for key in raw.keys() | fixed.keys()
        if metadata.distinct_key(raw.get(key)) != metadata.distinct_key(fixed.get(key))
    }


def types(fixes: Iterable[Fix], known: Iterable[FieldSpec]) -> list[FieldSpec]:
    """The fields whose types fixes set, as they shall be.

    Raises:
        InvalidMetadata: see ``checked``.
    """
    fields = {spec.name: spec for spec in known}
    found: dict[str, FieldSpec] = {}
    for fix in fixes:
        if isinstance(fix, SetType):
            old = found.get(fix.field) or fields.get(fix.field, FieldSpec(fix.field, fix.type))
            wanted = replace(old, type=fix.type, date_order=fix.date_order, confirmed=True)
            found[fix.field] = checked(wanted, fields)
    return list(found.values())


def check(raws: Iterable[metadata.Raw], known: Sequence[FieldSpec], fixes: Sequence[Fix], *, strict: bool) -> None:
    """See that documents can hold what fixes make of them.

    Raises:
        InvalidMetadata: see ``metadata.refuse`` and ``types``.
    """
    fields = {spec.name: spec for spec in (*known, *types(fixes, known))}
    for raw in raws:
        metadata.refuse(raw, fields, strict=strict)


def read_again(cell: Cell, spec: FieldSpec) -> Cell:
    """What was given for a field, as the field holds it now."""
    return metadata.cell(cell.raw, spec, edited=cell.edited)


def checked(spec: FieldSpec, known: Collection[str] = ()) -> FieldSpec:
    """``spec`` with its default in its type; a field that is ``known`` may have no name, as files may give such a key.

    Raises:
        InvalidMetadata: a name that is reserved or blank, a default that does not fit, an enum that allows nothing, or
            text that cannot be kept.
    """
    metadata.refuse({spec.name: ""}, dict.fromkeys(known, spec), strict=False)
    if not spec.name.strip() and spec.name not in known:
        raise InvalidMetadata("A field needs a name.", "Type one.")
    for text in (spec.description, *spec.allowed):
        if metadata.NO_TEXT.search(text):
            raise InvalidMetadata(
                f"{shown(text)} holds half a character (a lone surrogate) or a zero.", "Type it again."
            )
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
    try:
        held = metadata.cell(as_raw(raw), fields[name], edited=True)
    except ValueError as error:
        raise InvalidMetadata(f"{name!r} cannot hold {shown(raw)}: {error}.", "Choose another value.") from None
    if held.misfit:
        raise InvalidMetadata(f"{name!r}: {held.misfit}.", "Choose a value that fits, or change the field's type.")
    return held
