"""The commands about metadata: ``chunkscope lint`` and ``chunkscope schema``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core import folder, home, ingest, metadata, payload, rules, workspace
from core.enrich.fields import COMPUTED
from core.errors import InvalidRequest, NotFound
from core.filters import FieldType
from core.ingest import FileResult, Upload
from core.types import DateOrder, FieldSpec
from core.workspace import Workspace

Args = argparse.Namespace
_SHOWN = 3  # changes that a fix is told with
_MOST_ALLOWED = 100


def lint(args: Args) -> int:
    """What is odd in metadata, before anything is stored. Exit code 1 if files could not be stored as they are."""
    path = _path(args, home.default_for_adding if args.paths else home.default)
    unreadable: list[FileResult] = []
    uploads = list(folder.uploads(args.paths, unreadable)) if args.paths else None
    opened = workspace.open(path) if path.exists() or uploads is None else None
    report, raws = _linted(opened, uploads)
    if uploads is not None:
        known, fields = (opened.documents(), opened.fields()) if opened else ([], list(metadata.BUILT_IN))
        unreadable += ingest.faults(uploads, known, fields)
    if args.json:
        refused = [{"name": result.name, "reason": result.reason} for result in unreadable]
        print(payload.text({**payload.lint(report, raws, _SHOWN), "unreadable": refused}))
    else:
        _say(report)
        for result in unreadable:
            print(printable(f"{result.name}: {result.reason}"), file=sys.stderr)
    return int(report.blocks or bool(unreadable))


def _path(args: Args, default: Callable[[], Path]) -> Path:
    return Path(args.workspace) if args.workspace else default()


def _linted(
    opened: Workspace | None, uploads: Sequence[Upload] | None
) -> tuple[metadata.Report, Mapping[str, metadata.Raw]]:
    """Held against the workspace's fields, or against those that every workspace begins with."""
    if opened is not None:
        return opened.lint(uploads), opened.raws(uploads)
    raws = workspace.raws(uploads or [], [], metadata.BUILT_IN)
    return metadata.lint(raws, metadata.BUILT_IN, strict=False), raws


def _say(report: metadata.Report) -> None:
    for finding in report.findings:
        print(printable(f"{'!' if finding.blocks else ' '} {finding.kind}: {finding.message}"))
        if finding.fix:
            print(printable(f"    fix: {metadata.describe(finding.fix)}"))
    for coverage in report.coverage:
        print(f"  {printable(coverage.field):<24}{coverage.present:>7,} of {coverage.documents:,} documents")


def printable(text: str) -> str:
    """``text`` in one line that a terminal shows and does not obey; half a character is escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def schema(args: Args) -> int:
    """The metadata fields; with options, change them: what was given for a field is then read again."""
    changes = (args.set, args.allow, args.default, args.describe, args.date_order, args.required, args.optional)
    change = any(changes) or args.confirm or bool(args.strict)
    opened = workspace.open(_path(args, home.default_for_adding if change else home.default))
    known = [spec.name for spec in opened.fields()]
    for spec in [rules.checked(spec, known) for spec in _wanted(args, opened)]:
        opened.set_field(spec)
    if args.strict:
        opened.strict = args.strict == "on"
    if change and not args.workspace:
        home.remember(Path(opened.location))
    told = payload.schema(opened.fields(), opened.documents(), opened.cells(), COMPUTED, strict=opened.strict)
    if args.json:
        print(payload.text(told))
        return 0
    documents = len(opened.documents())
    for spec in opened.fields():
        marks = [*(["required"] if spec.required else []), *([] if spec.confirmed else ["proposed"])]
        allowed = f" of {', '.join(spec.allowed)}" if spec.allowed else ""
        print(printable(f"{spec.name:<24}{spec.type}{allowed}  {' '.join(marks)}".rstrip()))
    for misfit in told["misfits"]:  # type: ignore[attr-defined]
        print(printable(f"! {misfit['document']}: {misfit['field']}: {misfit['reason']}"))
    print(f"{documents:,} documents{'; unknown keys are refused' if opened.strict else ''}", file=sys.stderr)
    return 0


def _wanted(args: Args, opened: Workspace) -> list[FieldSpec]:
    """The fields that the options change, as they shall be."""
    known = {spec.name: spec for spec in opened.fields()}
    wanted: dict[str, FieldSpec] = {}

    def change(name: str, **values: object) -> None:
        spec = wanted.get(name) or known.get(name)
        if spec is None:
            raise NotFound(f"There is no field {name!r}.", "Add it with --set FIELD=TYPE.")
        wanted[name] = replace(spec, confirmed=True, **values)  # type: ignore[arg-type]

    for text in args.set:
        name, kind = _last_pair(text, "--set")
        known.setdefault(name, FieldSpec(name, _type(kind)))
        change(name, type=_type(kind))
    for text in args.allow:
        name, listed = _pair(text, "--allow", known)
        change(name, allowed=_listed(listed))
    for text in args.default:
        name, value = _pair(text, "--default", known)
        change(name, default=value or None)
    for text in args.describe:
        name, said = _pair(text, "--describe", known)
        change(name, description=said)
    for text in args.date_order:
        name, order = _last_pair(text, "--date-order")
        change(name, date_order=_order(order))
    for name in args.required:
        change(name, required=True)
    for name in args.optional:
        change(name, required=False)
    for spec in known.values() if args.confirm else ():
        if not spec.confirmed:
            change(spec.name)
    return [_with_values(_with_list(spec), opened) for spec in wanted.values()]


def _with_list(spec: FieldSpec) -> FieldSpec:
    """The default of a list field is written as a list."""
    listed = spec.type is FieldType.STRINGS and isinstance(spec.default, str)
    return replace(spec, default=_listed(str(spec.default))) if listed else spec


def _listed(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _with_values(spec: FieldSpec, opened: Workspace) -> FieldSpec:
    """An enum that is told no values allows those that documents have."""
    if spec.type is not FieldType.ENUM or spec.allowed:
        return spec
    given = (row[spec.name].raw for row in opened.cells(spec.name).values() if spec.name in row)
    texts = (metadata.cell(raw, FieldSpec(spec.name, FieldType.STRING)).value for raw in given)
    found = sorted({str(text) for text in texts if text is not None})
    if len(found) > _MOST_ALLOWED:
        raise InvalidRequest(
            f"{spec.name!r} has {len(found):,} different values: too many for an enum.",
            f"List them with --allow {spec.name}=…, or keep it a string.",
        )
    return replace(spec, allowed=tuple(found))


def _pair(text: str, option: str, known: Collection[str]) -> tuple[str, str]:
    """A field and its value. A name may hold ``=``: it is the longest known one that fits, else all before the first."""
    signs = [position for position, character in enumerate(text) if character == "="]
    named = [position for position in signs if text[:position] in known]
    if not signs:
        raise _no_pair(text, option)
    end = max(named, default=signs[0])
    return text[:end], text[end + 1 :]


def _last_pair(text: str, option: str) -> tuple[str, str]:
    """A field and its value, which holds no ``=``."""
    name, sign, value = text.rpartition("=")
    if not sign:
        raise _no_pair(text, option)
    return name, value


def _no_pair(text: str, option: str) -> InvalidRequest:
    return InvalidRequest(f"{option} {printable(text)} has no field and value.", f"Write {option} FIELD=VALUE.")


def _type(word: str) -> FieldType:
    try:
        return FieldType(word.strip().lower())
    except ValueError:
        raise InvalidRequest(f"There is no type {word!r}.", f"Types: {', '.join(FieldType)}.") from None


def _order(word: str) -> DateOrder | None:
    words = {order.value.replace("_", "-"): order for order in DateOrder}
    found = words.get(word.strip().lower().replace("_", "-"))
    if found is None and word:
        raise InvalidRequest(f"{word!r} is no order of dates.", f"Choose one of {', '.join(words)}.")
    return found


def lint_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files and folders (default: the documents of the workspace)"
    )


def schema_options(parser: argparse.ArgumentParser) -> None:
    def many(option: str, metavar: str, said: str) -> None:
        parser.add_argument(option, action="append", default=[], metavar=metavar, help=said)

    many("--set", "FIELD=TYPE", f"add or re-type a field: {', '.join(FieldType)}")
    many("--allow", "FIELD=A,B", "the values an enum, text or list may have")
    many("--default", "FIELD=VALUE", "what documents without a value have; nothing to take it away")
    many("--describe", "FIELD=TEXT", "what the field means")
    many("--date-order", "FIELD=ORDER", "day-first or month-first, for dates with the year last")
    many("--required", "FIELD", "every document should have it")
    many("--optional", "FIELD", "documents may lack it")
    parser.add_argument("--confirm", action="store_true", help="confirm all types that were proposed")
    parser.add_argument("--strict", choices=("on", "off"), help="refuse files with keys that are no fields")
