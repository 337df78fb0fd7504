"""A field that is being changed or added, and what was done to the schema last: what the schema's dialog works on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from core.errors import AppError, InvalidMetadata
from core.filters import TIMES, FieldType
from core.metadata import cell, refuse
from core.metadata.values import near_misses
from core.types import FieldSpec, Value
from core.workspace import Workspace
from pages.parts.retyping import named
from pages.parts.text import counted

WITH_ALLOWED = frozenset({FieldType.STRING, FieldType.ENUM, FieldType.STRINGS})
"""Types whose values can be limited."""


@dataclass(slots=True)
class SchemaEdit:
    """``name`` is the field in hand, "" for one that is being added; ``former`` are fields as the last change found them.

    ``round`` grows when the choice of a row is to be forgotten; ``off`` are computed fields as switched, None as they are.
    """

    name: str = ""
    draft: FieldSpec | None = None
    round: int = 0
    told: str = ""
    refused: AppError | None = None
    former: tuple[FieldSpec, ...] = ()
    off: frozenset[str] | None = None

    def begin(self, spec: FieldSpec) -> None:
        """Take a field in hand."""
        self.name, self.draft, self.refused = spec.name, spec, None

    def begin_new(self) -> None:
        """Begin a field that is not there yet."""
        self.name, self.draft, self.refused = "", FieldSpec("", FieldType.STRING), None
        self.round += 1

    def close(self) -> None:
        """Forget the draft."""
        self.name, self.draft, self.refused = "", None, None
        self.round += 1

    def change(self, name: str, value: Any) -> None:
        """Set one thing about the draft; what a new type has no use for goes."""
        if self.draft is not None:
            draft = replace(self.draft, **{name: value})
            self.draft = _tidied(draft) if name == "type" else draft
            self.refused = None

    def apply(self, opened: Workspace) -> None:
        """Make the field what the draft says; what is refused is kept to be told."""
        if self.draft is None:
            return
        spec = replace(self.draft, name=self.draft.name.strip(), confirmed=True)
        before = [known for known in opened.fields() if known.name == self.name]
        if self._changed(opened, [spec]):
            self.former = tuple(before)
            self.close()

    def confirm(self, opened: Workspace, specs: Iterable[FieldSpec]) -> None:
        """Take proposed types as they are."""
        proposed = tuple(specs)
        if self._changed(opened, [replace(spec, confirmed=True) for spec in proposed]):
            self.former = proposed
            self.close()

    def undo(self, opened: Workspace) -> None:
        """Make the fields again what they were; what was given for them is read again so."""
        former, self.former = self.former, ()
        if self._changed(opened, former):
            names = ", ".join(f"“{spec.name}”" for spec in former[:3])
            self.told = f"{names}{' and more' if len(former) > 3 else ''} as before."
            self.close()

    def _changed(self, opened: Workspace, specs: Iterable[FieldSpec]) -> bool:
        self.refused, done = None, list[str]()
        try:
            for spec in specs:
                misfits = opened.set_field(spec)
                left = f"; {counted(misfits, 'value')} do{'es' if misfits == 1 else ''} not fit" if misfits else ""
                done.append(f"“{spec.name}” is {named(spec.type, spec.date_order)} now{left}.")
        except AppError as error:
            self.refused = error
            return False
        self.told = " ".join(done[:3]) + (f" And {len(done) - 3:,} more." if len(done) > 3 else "")
        return True


def _tidied(spec: FieldSpec) -> FieldSpec:
    """A field that has just got its type, without what that type has no use for or does not hold."""
    spec = replace(
        spec,
        allowed=spec.allowed if spec.type in WITH_ALLOWED else (),
        date_order=spec.date_order if spec.type in TIMES else None,
    )
    return replace(spec, default=None) if cell(spec.default, spec).misfit else spec


def fault(draft: FieldSpec, name: str, known: Iterable[str]) -> str:
    """Why a draft cannot be applied, or nothing; ``name`` is the field it changes, "" for a new one."""
    if not name and (said := _name_fault(draft.name, set(known))):
        return said
    if draft.type is FieldType.ENUM and not draft.allowed:
        return "An enum needs the values it allows."
    if draft.default is not None and (misfit := cell(draft.default, draft).misfit):
        return f"The default does not fit: {misfit}."
    return ""


def _name_fault(name: str, known: set[str]) -> str:
    try:
        refuse({name.strip(): ""}, {}, strict=False)
    except InvalidMetadata as error:
        return f"{error.what} Choose another name."
    if not name.strip():
        return "Give it a name: the key that files write."
    return f"There is a field {name.strip()!r} already: choose it in the table." if name.strip() in known else ""


def alike(name: str, known: Iterable[str]) -> list[str]:
    """Fields whose names are nearly that of a new one."""
    return near_misses(name.strip(), list(known)) if name.strip() else []


def default_text(value: Value | None) -> str:
    """A default as it is typed; dates as ISO writes them."""
    if value is None:
        return ""
    text = str(value)
    return text.removesuffix(" 00:00:00") if text.endswith(" 00:00:00") else text
