"""What is odd in a set of sidecars, told before anything is stored, and the fixes a person may take or leave."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from core.filters import FieldType
from core.metadata.alike import key_letters, key_stems, key_words, typo_index, typos
from core.metadata.fixes import FillMissing, Fix, MapValues, RenameKey, SetType, Sidecars
from core.metadata.propose import (
    DATES,
    Distinct,
    Spelling,
    best_type,
    distinct_key,
    fitting,
    mixture,
    spelling,
)
from core.metadata.schema import MOST_FIELDS
from core.metadata.values import NO_TEXT, Misfit, near_misses, shown, typed_value
from core.store.base import RESERVED
from core.types import DateOrder, FieldSpec

Key = TypeVar("Key")

_FEW = 5  # files that a finding names
_MOST = 50  # findings of one sort about one field, or about keys; the rest are counted
_LONGEST = 100  # characters of a value that is compared with others
_MAX_KEYS = 2_000  # keys, the commonest, that are compared for slips of the pen
_TYPO_LENGTH = 5  # letters of a word that may be a slip for another
_TYPO_COMMON, _TYPO_RATIO = 5, 5  # the right one is in five files and in five times as many
_TOGETHER = 1_000  # files looked through for two keys side by side
_EPOCH_LEAST = 100_000_000  # seconds: 1973, and more than most counts of anything
_DATE_TYPES = frozenset({FieldType.DATE, FieldType.DATETIME})
_TEXT_TYPES = frozenset({FieldType.STRING, FieldType.ENUM, FieldType.STRINGS})
_LOCAL = frozenset({Spelling.DAY_FIRST, Spelling.MONTH_FIRST, Spelling.EITHER_ORDER})
_NAMES_OF_FILES = frozenset({"source", "source_filename", "source_url"})
"""Fields whose values may differ in one letter and mean two things."""


class FindingKind(StrEnum):
    RESERVED_NAME = "reserved name"
    UNKNOWN_KEY = "unknown key"
    NEAR_DUPLICATE_KEYS = "near-duplicate keys"
    MIXED_TYPES = "mixed types"
    DATE_FORMATS = "date formats"
    MISFIT = "value that does not fit"
    NEAR_DUPLICATE_VALUES = "near-duplicate values"
    MISSING_REQUIRED = "missing required field"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is odd. ``count`` is the number of files concerned, ``files`` the first few of them.

    ``values`` are those it is about, as they were written. ``blocks``: as it stands, the files cannot be stored whole.
    """

    kind: FindingKind
    field: str
    message: str
    files: tuple[str, ...]
    count: int
    fix: Fix | None = None
    values: tuple[object, ...] = ()
    blocks: bool = False


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of all documents have a value for a field."""

    field: str
    present: int
    documents: int

    @property
    def share(self) -> float:
        return self.present / self.documents if self.documents else 0.0


@dataclass(frozen=True, slots=True)
class Report:
    """What a linter found in ``documents`` sidecars: by kind and field, then the coverage of every field and key."""

    documents: int
    findings: tuple[Finding, ...]
    coverage: tuple[Coverage, ...]

    @property
    def blocks(self) -> bool:
        return any(finding.blocks for finding in self.findings)


@dataclass(slots=True)
class _Seen:
    """One value, or one key, how it is written, and the files it is in."""

    value: object
    how: Spelling
    files: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        return len(self.files)


@dataclass(slots=True)
class _Column:
    """All values of one key. ``texts`` are its strings, those in lists included."""

    name: str
    keyed: _Seen
    present: int = 0
    distinct: dict[Distinct, _Seen] = field(default_factory=dict)
    texts: dict[str, _Seen] = field(default_factory=dict)

    @property
    def values(self) -> list[_Seen]:
        return [seen for seen in self.distinct.values() if seen.value is not None]

    @property
    def counted(self) -> list[tuple[object, int]]:
        return [(seen.value, seen.count) for seen in self.values]

    def add(self, file: str, value: object) -> None:
        self.keyed.files.append(file)
        self.present += value is not None
        _seen(self.distinct, distinct_key(value), value).files.append(file)
        items = dict.fromkeys(item for item in value if isinstance(item, str)) if isinstance(value, list) else (value,)
        for text in items:
            if isinstance(text, str):
                _seen(self.texts, text, text).files.append(file)


def _seen(known: dict[Key, _Seen], key: Key, value: object) -> _Seen:
    found = known.get(key)
    if found is None:
        found = known[key] = _Seen(value, spelling(value))
    return found


@dataclass(frozen=True, slots=True)
class _Drop:
    """All that the checks look at."""

    sidecars: Sidecars
    columns: Mapping[str, _Column]
    specs: Mapping[str, FieldSpec]
    strict: bool

    @property
    def settled(self) -> frozenset[str]:
        """The fields that a person has confirmed; the others may be slips of the pen like any key."""
        return frozenset(name for name, spec in self.specs.items() if spec.confirmed)


def lint(sidecars: Sidecars, fields: Sequence[FieldSpec], *, strict: bool) -> Report:
    """What is odd in these sidecars, by document; a document without one has ``{}``. ``strict`` refuses unknown keys."""
    columns: dict[str, _Column] = {}
    for file, sidecar in sidecars.items():
        for key, value in sidecar.items():
            columns.setdefault(key, _Column(key, _Seen(key, Spelling.TEXT))).add(file, value)
    drop = _Drop(sidecars, dict(sorted(columns.items())), {spec.name: spec for spec in fields}, strict)
    slips = list(_key_slips(drop))
    findings = [
        *_reserved(drop),
        *_capped(_unnameable(drop)),
        *_unknown(drop, {slip.old: slip for slip in slips}),
        *_capped(_near_keys(drop, slips)),
        *(found for column in _fields(drop) for found in _of_column(drop, column)),
        *_missing(drop),
    ]
    order = list(FindingKind)
    findings.sort(key=lambda finding: order.index(finding.kind))
    names = dict.fromkeys([*drop.specs, *drop.columns])
    present = {name: columns[name].present if name in columns else 0 for name in names}
    return Report(
        len(sidecars), tuple(findings), tuple(Coverage(name, n, len(sidecars)) for name, n in present.items())
    )


def _fields(drop: _Drop) -> Iterator[_Column]:
    return (column for name, column in drop.columns.items() if name not in RESERVED)


def _of_column(drop: _Drop, column: _Column) -> Iterator[Finding]:
    spec = drop.specs.get(column.name)
    formats = _date_formats(column, spec)
    if formats is not None:
        yield formats
    yield from _mixed(column, spec, dated=formats is not None)
    if spec is not None:
        yield from _capped(_misfits(column, spec, dated=formats is not None))
    if (spec is None or spec.type in _TEXT_TYPES) and column.name not in _NAMES_OF_FILES:
        yield from _capped(_near_values(column, spec))


def _capped(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The first ``_MOST`` findings, and one that says how many more there are; a file may count twice in it."""
    every = list(findings)
    yield from every[:_MOST]
    more = every[_MOST:]
    if more:
        files = tuple(dict.fromkeys(file for finding in more[:_FEW] for file in finding.files))[:_FEW]
        message = f"{len(more):,} more findings of this sort are not listed."
        count = sum(finding.count for finding in more)
        yield Finding(more[0].kind, more[0].field, message, files, count, blocks=any(f.blocks for f in more))


def _found(
    kind: FindingKind,
    field: str,
    message: str,
    seen: Sequence[_Seen],
    fix: Fix | None = None,
    *,
    values: Sequence[object] = (),
    blocks: bool = False,
) -> Finding:
    files = tuple(dict.fromkeys(file for one in seen for file in one.files))
    return Finding(kind, field, message, files[:_FEW], len(files), fix, tuple(values[:_FEW]), blocks)


def _in_files(count: int) -> str:
    return f"{count:,} file{'' if count == 1 else 's'}"


# keys


def _reserved(drop: _Drop) -> Iterator[Finding]:
    for column in drop.columns.values():
        if column.name in RESERVED:
            message = f"{shown(column.name)} is set by the system; a sidecar may not name it."
            fix = RenameKey(column.name, _free(f"source_{column.name}", drop))
            yield _found(FindingKind.RESERVED_NAME, column.name, message, [column.keyed], fix, blocks=True)


def _free(name: str, drop: _Drop) -> str:
    while name in drop.columns or name in drop.specs:
        name += "_"
    return name


def _unnameable(drop: _Drop) -> Iterator[Finding]:
    for column in drop.columns.values():
        if NO_TEXT.search(column.name):
            message = f"{shown(column.name)} holds half a character: no field can be called that."
            fix = RenameKey(column.name, _free(NO_TEXT.sub("", column.name), drop))
            yield _found(FindingKind.UNKNOWN_KEY, column.name, message, [column.keyed], fix, blocks=True)


def _unknown(drop: _Drop, slips: Mapping[str, _Slip]) -> Iterator[Finding]:
    unknown = [c for c in _fields(drop) if c.name not in drop.specs and not NO_TEXT.search(c.name)]
    unknown.sort(key=lambda column: -column.keyed.count)
    for column in unknown[:_MOST]:
        slip = slips.get(column.name)
        meant = [slip.new] if slip and slip.new in drop.specs else []
        near = meant or near_misses(column.name, list(drop.specs))
        asked = f" Did you mean {' or '.join(map(shown, near))}?" if near else ""
        message, key = f"{shown(column.name)} is no field of this workspace.{asked}", [column.keyed]
        fix: Fix = RenameKey(column.name, meant[0]) if meant else SetType(column.name, _proposed(column))
        yield _found(FindingKind.UNKNOWN_KEY, column.name, message, key, fix, blocks=drop.strict)
    rest = [column.keyed for column in unknown[_MOST:]]
    if rest:
        message = f"{len(rest):,} more keys are no fields of this workspace."
        yield _found(FindingKind.UNKNOWN_KEY, str(rest[0].value), message, rest, blocks=drop.strict)
    if (count := len(drop.specs) + len(unknown)) > MOST_FIELDS and rest:
        message = f"With these keys the workspace would have {count:,} fields; it has up to {MOST_FIELDS:,}."
        yield _found(FindingKind.UNKNOWN_KEY, str(rest[-1].value), message, rest, blocks=True)


def _proposed(column: _Column) -> FieldType:
    return best_type(column.counted)


@dataclass(frozen=True, slots=True)
class _Slip:
    """``old`` is probably ``new`` written another way."""

    old: str
    new: str
    how: str


def _near_keys(drop: _Drop, slips: Sequence[_Slip]) -> Iterator[Finding]:
    for slip in slips:
        old, new = drop.columns[slip.old], drop.columns.get(slip.new)
        if new is None:
            continue  # told as an unknown key, with the field that may be meant
        both = f"{shown(old.name)} ({_in_files(old.keyed.count)}) and {shown(new.name)} ({_in_files(new.keyed.count)})"
        message = f"{both} {slip.how}."
        fix = RenameKey(slip.old, slip.new)
        yield _found(FindingKind.NEAR_DUPLICATE_KEYS, slip.old, message, [old.keyed], fix)


def _key_slips(drop: _Drop) -> Iterator[_Slip]:
    """Keys that nobody has confirmed and that are probably another key or field; at most one slip for each."""
    settled = drop.settled
    files = {name: drop.columns[name].keyed.count if name in drop.columns else 0 for name in drop.specs}
    files |= {name: column.keyed.count for name, column in drop.columns.items()}
    ranked = sorted(
        files.keys() - RESERVED, key=lambda name: (name not in settled, -files[name], not name.islower(), name)
    )
    told: set[str] = set()
    for form, how in ((key_letters, "differ only in case, gaps or signs"), (key_stems, "may mean the same")):
        for names in _buckets(ranked, form).values():
            for old in names[1:]:
                apart = form is key_letters or not _together(drop, old, names[0])
                if old in drop.columns and old not in settled and old not in told and apart:
                    told.add(old)
                    yield _Slip(old, names[0], how)
    yield from _key_typos(drop, [name for name in ranked if name not in told][:_MAX_KEYS], files)


def _buckets(words: Iterable[str], form: Callable[[str], object]) -> dict[object, list[str]]:
    found: dict[object, list[str]] = defaultdict(list)
    for word in words:
        alike = form(word)
        if alike:
            found[alike].append(word)
    return found


def _together(drop: _Drop, one: str, other: str) -> bool:
    """Whether a file has both keys, so that they are two things."""
    if one not in drop.columns or other not in drop.columns:
        return False
    fewer, more = sorted((one, other), key=lambda name: drop.columns[name].keyed.count)
    return any(more in drop.sidecars[file] for file in drop.columns[fewer].keyed.files[:_TOGETHER])


def _key_typos(drop: _Drop, names: Sequence[str], files: Mapping[str, int]) -> Iterator[_Slip]:
    settled = drop.settled
    words = {name: " ".join(key_words(name)) for name in names}
    by_words = {text: name for name, text in reversed(words.items())}
    index = typo_index(words.values())
    for old in names:
        if old in settled or old not in drop.columns:
            continue
        for text in typos(words[old], index):
            new = by_words[text]
            known = new in settled or files[new] >= _TYPO_RATIO * files[old]
            if known and not _together(drop, old, new):
                yield _Slip(old, new, "differ in one letter")
                break


# values


def _mixed(column: _Column, spec: FieldSpec | None, *, dated: bool) -> Iterator[Finding]:
    counts: Counter[Spelling] = Counter()
    for seen in column.values:
        plain = spec and spec.type not in _DATE_TYPES and seen.how in DATES
        counts[Spelling.TEXT if plain else seen.how] += seen.count
    mixed = mixture(counts)
    if not mixed or (dated and mixed == "mixed: date, number"):
        return
    kind = spec.type if spec else fitting(column.counted)
    left = sum(seen.count for seen in column.values if isinstance(typed_value(seen.value, kind), Misfit))
    if spec and spec.type is FieldType.STRINGS and not left:
        return  # a text alone is a list of one
    does_not = f"; {_in_files(left)} would not fit {kind}" if left and not spec else ""
    told = ", ".join(f"{how} ({count:,})" for how, count in counts.most_common())
    message = f"{shown(column.name)} is {mixed}. It holds {told}{does_not}."
    fix = None if kind is FieldType.ENUM else SetType(column.name, kind, spec.date_order if spec else None)
    yield _found(FindingKind.MIXED_TYPES, column.name, message, column.values, fix)


def _date_formats(column: _Column, spec: FieldSpec | None) -> Finding | None:
    if spec and spec.type not in _DATE_TYPES:
        return None
    seen_by = _by_date_format(column)
    every = [seen for group in seen_by.values() for seen in group]
    local = _LOCAL & seen_by.keys()
    chosen = spec.date_order if spec else None
    unread = bool(local) and chosen is None
    ways = len(seen_by.keys() - _LOCAL) + bool(local)
    written = sum(seen.count for seen in every if isinstance(seen.value, str))
    if not written or not (unread or ways > 1) or (spec is None and 2 * written < column.present):
        return None
    order = chosen or _order(seen_by)
    told = ", ".join(f"{how} ({sum(seen.count for seen in group):,})" for how, group in seen_by.items())
    choose = " Choose whether the day or the month comes first." if local and order is None else ""
    message = f"{shown(column.name)} holds dates written as {told}.{choose}"
    kind = spec.type if spec else _date_type(every)
    fix = None if choose else SetType(column.name, kind, order if local else None)
    values = [seen.value for seen in every]
    return _found(
        FindingKind.DATE_FORMATS, column.name, message, every, fix, values=values, blocks=unread and bool(spec)
    )


def _by_date_format(column: _Column) -> dict[str, list[_Seen]]:
    found: dict[str, list[_Seen]] = defaultdict(list)
    for seen in column.values:
        how = _date_format(seen)
        if how:
            found[how].append(seen)
    return found


def _date_format(seen: _Seen) -> str:
    """The way of writing dates that a value follows, or nothing."""
    value = seen.value
    if seen.how in DATES:
        return "ISO" if seen.how in (Spelling.ISO_DATE, Spelling.ISO_TIME) else seen.how
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) >= _EPOCH_LEAST
    digits = seen.how is Spelling.NUMBER_TEXT
    timed = (number or digits) and not isinstance(typed_value(value, FieldType.DATETIME), Misfit)
    return "seconds or milliseconds since 1970" if timed else ""


def _order(found: Mapping[str, object]) -> DateOrder | None:
    """The order that some dates show and none contradicts."""
    day_first, month_first = Spelling.DAY_FIRST in found, Spelling.MONTH_FIRST in found
    if day_first == month_first:
        return None
    return DateOrder.DAY_FIRST if day_first else DateOrder.MONTH_FIRST


def _date_type(every: Sequence[_Seen]) -> FieldType:
    days = all(isinstance(seen.value, str) and ":" not in seen.value for seen in every)
    return (
        FieldType.DATE
        if days and all(seen.how in DATES - {Spelling.ISO_TIME} for seen in every)
        else FieldType.DATETIME
    )


def _misfits(column: _Column, spec: FieldSpec, *, dated: bool) -> Iterator[Finding]:
    for seen in column.values:
        typed = typed_value(seen.value, spec.type, date_order=spec.date_order, allowed=spec.allowed)
        if not isinstance(typed, Misfit) or (dated and not spec.date_order and seen.how in _LOCAL):
            continue
        message = f"{shown(column.name)} does not hold {shown(seen.value)} ({_in_files(seen.count)}): {typed.reason}."
        near = near_misses(seen.value, spec.allowed) if isinstance(seen.value, str) else []
        fix = MapValues(column.name, {str(seen.value): near[0]}) if near else None
        yield _found(FindingKind.MISFIT, column.name, message, [seen], fix, values=(seen.value,), blocks=True)


def _near_values(column: _Column, spec: FieldSpec | None) -> Iterator[Finding]:
    allowed = spec.allowed if spec else ()
    forms = _buckets((text for text in column.texts if len(text) <= _LONGEST), _value_form)
    kept: dict[object, str] = {}
    for form, texts in forms.items():
        seen = [column.texts[text] for text in texts]
        kept[form] = _kept(seen, allowed)
        others = [text for text in texts if text != kept[form] and text not in allowed]
        if others:
            ways = ", ".join(f"{shown(one.value)} ({_in_files(one.count)})" for one in seen[:_FEW])
            yield _alike(column, f"is written in more than one way: {ways}", seen, others, kept[form])
    yield from _value_typos(column, forms, kept, allowed)


def _alike(column: _Column, how: str, seen: Sequence[_Seen], others: Sequence[str], kept: str) -> Finding:
    message = f"In {shown(column.name)}, {shown(kept)} {how}."
    fix = MapValues(column.name, dict.fromkeys(others, kept))
    values = [one.value for one in seen]
    return _found(FindingKind.NEAR_DUPLICATE_VALUES, column.name, message, seen, fix, values=values)


_GAPS = re.compile(r"(?<=[^\W\d_])[-_\s]+(?=[^\W\d_])")


def _value_form(text: str) -> str:
    """Alike for values that differ in case, gaps, hyphens between letters or Unicode composition; empty without letters."""
    if spelling(text) not in (Spelling.TEXT, Spelling.TRUTH_WORD):
        return ""
    form = unicodedata.normalize("NFC", _GAPS.sub(" ", " ".join(text.split())).casefold())
    return form if any(character.isalpha() for character in form) else ""


def _kept(seen: Sequence[_Seen], allowed: Sequence[str]) -> str:
    """The spelling to keep: an allowed one, else the one in most files, without outer blanks and composed."""
    if len(seen) == 1 and seen[0].value not in allowed:
        return _tidy(seen[0].value)
    known = [str(one.value) for one in seen if one.value in allowed]
    files: Counter[str] = Counter()
    for one in seen:
        files[_tidy(one.value)] += one.count
    return known[0] if known else min(files, key=lambda text: (-files[text], text))


def _tidy(text: object) -> str:
    return unicodedata.normalize("NFC", str(text)).strip()


def _value_typos(
    column: _Column, forms: Mapping[object, Sequence[str]], kept: Mapping[object, str], allowed: Sequence[str]
) -> Iterator[Finding]:
    files = {str(form): sum(column.texts[text].count for text in texts) for form, texts in forms.items()}
    common = [form for form, count in files.items() if count >= _TYPO_COMMON]
    index = typo_index(common)
    for form in files if common else ():
        right = [near for near in typos(form, index) if files[near] >= _TYPO_RATIO * files[form]]
        if right and kept[form] not in allowed:
            best = max(right, key=lambda near: files[near])
            texts = forms[form]
            ways = ", ".join(f"{shown(text)} ({_in_files(column.texts[text].count)})" for text in texts[:_FEW])
            how = f"({_in_files(files[best])}) may be meant by {ways}"
            yield _alike(column, how, [column.texts[text] for text in texts], texts, kept[best])


# fields


def _missing(drop: _Drop) -> Iterator[Finding]:
    for spec in drop.specs.values():
        without = _Seen(spec.name, Spelling.TEXT)
        for file, sidecar in drop.sidecars.items() if spec.required else ():
            if sidecar.get(spec.name) is None:
                without.files.append(file)
        if without.count:
            message = f"{shown(spec.name)} is required and missing from {_in_files(without.count)}."
            fix, blocks = None, spec.default is None
            if spec.default is not None:
                fix = FillMissing(spec.name, spec.default)
            yield _found(FindingKind.MISSING_REQUIRED, spec.name, message, [without], fix, blocks=blocks)
