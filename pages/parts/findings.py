"""What the linter found, as decisions a person takes: one item each, with what can be done about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from core.errors import AppError
from core.filters import TIMES, FieldType
from core.metadata import Finding, FindingKind, Fix, Raw, Report, SetType, describe
from core.metadata.fixes import DropKey, FillMissing, MapValues, RenameKey
from core.metadata.propose import best_type
from core.metadata.values import near_misses, shown
from core.types import DateOrder, FieldSpec
from core.workspace import Edited
from pages.parts.retyping import Given, by_key, has_local_dates, in_words, named

_KEYS = frozenset({FindingKind.RESERVED_NAME, FindingKind.UNKNOWN_KEY})
_OF_TYPE = frozenset({FindingKind.MIXED_TYPES, FindingKind.DATE_FORMATS})
_ORDER: tuple[type[Fix], ...] = (MapValues, DropKey, RenameKey, FillMissing, SetType)
_TYPES = tuple(kind for kind in FieldType if kind is not FieldType.ENUM)  # an enum needs its values named first


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be done, in words, and the fixes that do it."""

    label: str
    fixes: tuple[Fix, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One decision. ``proposed`` is the option that is taken unless a person decides otherwise, "" for none.

    ``key`` stays the same while the finding does. ``given`` are the values of a key that is no field yet.
    """

    key: str
    finding: Finding
    messages: tuple[str, ...]
    options: tuple[Option, ...] = ()
    proposed: str = ""
    given: Given = ()

    @property
    def is_new_key(self) -> bool:
        return self.finding.kind in _KEYS


@dataclass(frozen=True, slots=True)
class Done:
    """Fixes that were made: how many in words, what takes them back, and fields as they were before."""

    label: str
    edited: Edited
    former: tuple[FieldSpec, ...]


@dataclass(slots=True)
class Decisions:
    """What a person decided about items, by key: the label of an option, or "" to leave things as they are.

    ``first`` and ``kind`` say which items are on the screen; ``done`` was applied last; ``refused`` is why the last attempt was not.
    """

    taken: dict[str, str] = field(default_factory=dict)
    first: int = 0
    kind: FindingKind | None = None
    done: Done | None = None
    refused: AppError | None = None

    def of(self, item: Item) -> Option | None:
        """What is to be done about an item."""
        label = self.taken.get(item.key, item.proposed)
        return next((option for option in item.options if option.label == label), None)

    def take(self, item: Item, label: str) -> None:
        self.taken[item.key] = label

    def take_all(self, items: Iterable[Item]) -> None:
        """Take the first option of every item where there is no choice between several."""
        for item in items:
            if item.is_new_key or len(item.options) == 1:
                self.taken[item.key] = item.proposed or (item.options[0].label if item.options else "")

    def leave_all(self, items: Iterable[Item]) -> None:
        self.taken.update((item.key, "") for item in items)

    def fixes(self, items: Iterable[Item]) -> list[Fix]:
        """Everything to be done, each once, values before the keys they stand under."""
        options = [option for item in items if (option := self.of(item))]
        every = list({repr(fix): fix for option in options for fix in option.fixes}.values())
        names = {fix.old: fix.new for fix in every if isinstance(fix, RenameKey)}
        return sorted(every, key=lambda fix: (_ORDER.index(type(fix)), _turn(fix, names)))


def _turn(fix: Fix, names: Mapping[str, str]) -> int:
    """A key that becomes one that is renamed itself goes first; a type that says how dates are read has the last word."""
    if isinstance(fix, RenameKey):
        steps, name = 0, fix.new
        while name in names and steps < len(names):
            steps, name = steps + 1, names[name]
        return -steps
    return int(isinstance(fix, SetType) and fix.date_order is not None)


def items(report: Report, specs: Sequence[FieldSpec], raws: Mapping[str, Raw], *, strict: bool) -> list[Item]:
    """The decisions that a report asks for: by kind, those kinds first that keep files or values out."""
    fields = {spec.name: spec for spec in specs}
    found = [finding for finding in report.findings if not _settled(finding, fields)]
    keys = {finding.field for finding in found if finding.kind in _KEYS and finding.fix}
    values = by_key(raws.values(), keys)
    made = [
        *_of_keys([finding for finding in found if finding.field in keys], fields, values, strict=strict),
        *(_item(finding, fields) for finding in found if finding.field not in keys),
    ]
    blocking = {item.finding.kind for item in made if item.finding.blocks}
    kinds = list(FindingKind)
    made.sort(key=lambda one: (one.finding.kind not in blocking, kinds.index(one.finding.kind), not one.finding.blocks))
    return made


def _settled(finding: Finding, fields: Mapping[str, FieldSpec]) -> bool:
    """Whether a person has confirmed already what the fix would set; values that do not fit are findings of their own."""
    spec = fields.get(finding.field)
    if finding.kind not in _OF_TYPE or not isinstance(finding.fix, SetType) or spec is None:
        return False
    return spec.confirmed and (spec.type, spec.date_order) == (finding.fix.type, finding.fix.date_order)


def _item(finding: Finding, fields: Mapping[str, FieldSpec]) -> Item:
    options = tuple(_options(finding, fields.get(finding.field)))
    return Item(_key(finding.kind, finding.field, options or finding.message), finding, (finding.message,), options)


def _options(finding: Finding, spec: FieldSpec | None) -> Iterator[Option]:
    if finding.fix:
        yield Option(describe(finding.fix), (finding.fix,))
    elif finding.kind is FindingKind.DATE_FORMATS and spec:
        for order in DateOrder:
            yield Option(in_words(order).capitalize(), (SetType(spec.name, spec.type, order),))


def _key(*parts: object) -> str:
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


# keys that are no fields yet: all that was found about one is one decision


def _of_keys(
    findings: Sequence[Finding], fields: Mapping[str, FieldSpec], values: Mapping[str, Given], *, strict: bool
) -> Iterator[Item]:
    by_field: dict[str, list[Finding]] = {}
    for finding in findings:
        by_field.setdefault(finding.field, []).append(finding)
    for name, about in by_field.items():
        first = next(finding for finding in about if finding.kind in _KEYS)
        rest = [finding for finding in about if finding.kind not in _KEYS]
        apart = [finding for finding in rest if isinstance(finding.fix, MapValues)]
        options = tuple(_ways(first, rest, fields, values[name], strict=strict))
        told = tuple(_told(first, [finding for finding in rest if finding not in apart], options))
        proposed = _proposed(first, rest, options)
        yield Item(_key("key", name), first, told, options, proposed, values[name])
        yield from (_item(finding, fields) for finding in apart)


def _told(first: Finding, rest: Sequence[Finding], options: Sequence[Option]) -> Iterator[str]:
    """What is odd about a key, beside its being new, which its place on the page says."""
    if first.kind is FindingKind.RESERVED_NAME:
        yield first.message
    elif not any(finding.kind is FindingKind.NEAR_DUPLICATE_KEYS for finding in rest):
        meant = [shown(fix.new) for option in options for fix in option.fixes if isinstance(fix, RenameKey)]
        yield from [f"Perhaps {' or '.join(meant)} is meant."] if meant else []
    yield from dict.fromkeys(finding.message for finding in rest)


def _ways(
    first: Finding, rest: Sequence[Finding], fields: Mapping[str, FieldSpec], given: Given, *, strict: bool
) -> Iterator[Option]:
    """What can be done about a key: call it otherwise, hold it as a type, or leave it out."""
    name = first.field
    meant = [fix.new for fix in (first.fix, *(f.fix for f in rest)) if isinstance(fix, RenameKey)]
    near = near_misses(name, list(fields)) if first.kind is FindingKind.UNKNOWN_KEY else []
    for new in dict.fromkeys([*meant, *near]):
        renamed = RenameKey(name, new)
        if strict and new not in fields:
            kind = best_type(given)
            yield Option(f"{describe(renamed)}, {named(kind)}", (renamed, SetType(new, kind)))
        else:
            yield Option(describe(renamed), (renamed,))
    if first.kind is FindingKind.UNKNOWN_KEY:
        yield from (Option(_held_as(fix), (fix,)) for fix in _types(name, given))
    yield Option(describe(DropKey(name)), (DropKey(name),))


def _types(name: str, given: Given) -> Iterator[SetType]:
    local = has_local_dates(given)
    for kind in _TYPES:
        yield SetType(name, kind)
        if kind in TIMES and local:
            yield from (SetType(name, kind, order) for order in DateOrder)


def _held_as(fix: SetType) -> str:
    return f"Hold it as {named(fix.type, fix.date_order)}"


def _proposed(first: Finding, rest: Sequence[Finding], options: Sequence[Option]) -> str:
    """A new key's type as its values show it; a name that is reserved has to change; nothing else is taken unasked."""
    dated = [f.fix for f in rest if f.kind is FindingKind.DATE_FORMATS and isinstance(f.fix, SetType)]
    for fix in (*dated, first.fix):
        if isinstance(fix, SetType):
            return _held_as(fix)
    return options[0].label if first.kind is FindingKind.RESERVED_NAME else ""


def consequence(finding: Finding, *, strict: bool) -> str:
    """What happens to a finding that is left as it is."""
    match finding.kind:
        case FindingKind.RESERVED_NAME:
            return "As they are, these files are refused."
        case FindingKind.UNKNOWN_KEY if strict:
            return "As they are, these files are refused: this workspace is strict."
        case FindingKind.UNKNOWN_KEY:
            return "As it is, it becomes a field whose type waits to be confirmed."
        case FindingKind.MISSING_REQUIRED if finding.blocks:
            return "There is no default to fill in: set it by hand."
        case FindingKind.MISFIT | FindingKind.DATE_FORMATS if finding.blocks:
            return "As it is, it is kept as given, but cannot be filtered by."
    return ""


def refused(items: Iterable[Item], decisions: Decisions, raws: Mapping[str, Raw]) -> int:
    """How many files are kept out by keys about which nothing is decided."""
    keys = {i.finding.field for i in items if i.is_new_key and i.finding.blocks and decisions.of(i) is None}
    return sum(not keys.isdisjoint(raw) for raw in raws.values())


def example(given: Given, most: int = 4) -> str:
    """The commonest of some values, as JSON writes them."""
    more = ", …" if len(given) > most else ""
    return ", ".join(shown(raw) for raw, _ in given[:most]) + more


def whole(text: str) -> str:
    """``text`` with half characters (lone surrogates) written out: no screen shows them, and no message carries them."""
    return text.encode("utf-8", "backslashreplace").decode()
