"""The commands about metadata: ``chunkscope lint`` and ``chunkscope schema``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core import folder, home, metadata, payload, workspace
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
    path = Path(args.workspace) if args.workspace else home.default()
    unreadable: list[FileResult] = []
    uploads = list(folder.uploads(args.paths, unreadable)) if args.paths else None
    opened = workspace.open(path) if path.exists() or uploads is None else None
    report, raws = _linted(opened, uploads)
    if args.json:
        print(payload.text(payload.lint(report, raws, _SHOWN)))
    else:
        _say(report)
        for result in unreadable:
            print(f"{result.name}: {result.reason}", file=sys.stderr)
    return int(report.blocks)


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
        print(f"{'!' if finding.blocks else ' '} {finding.kind}: {finding.message}")
        if finding.fix:
            print(f"    fix: {metadata.describe(finding.fix)}")
    for coverage in report.coverage:
        print(f"  {coverage.field:<24}{coverage.present:>7,} of {coverage.documents:,} documents")


def schema(args: Args) -> int:
    """The metadata fields; with options, change them: what was given for a field is then read again."""
    opened = workspace.open(Path(args.workspace) if args.workspace else home.default())
    for spec in _wanted(args, opened):
        opened.set_field(spec)
    if args.strict:
        opened.strict = args.strict == "on"
    told = payload.schema(opened.fields(), opened.documents(), opened.cells(), COMPUTED, strict=opened.strict)
    if args.json:
        print(payload.text(told))
        return 0
    documents = len(opened.documents())
    for spec in opened.fields():
        marks = [*(["required"] if spec.required else []), *([] if spec.confirmed else ["proposed"])]
        allowed = f" of {', '.join(spec.allowed)}" if spec.allowed else ""
        print(f"{spec.name:<24}{spec.type}{allowed}  {' '.join(marks)}".rstrip())
    for misfit in told["misfits"]:  # type: ignore[attr-defined]
        print(f"! {misfit['document']}: {misfit['field']}: {misfit['reason']}")
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
        name, kind = _pair(text, "--set", last=True)
        known.setdefault(name, FieldSpec(name, _type(kind)))
        change(name, type=_type(kind))
    for text in args.allow:
        name, listed = _pair(text, "--allow")
        change(name, allowed=tuple(word.strip() for word in listed.split(",") if word.strip()))
    for text in args.default:
        name, value = _pair(text, "--default")
        change(name, default=value or None)
    for text in args.describe:
        name, said = _pair(text, "--describe")
        change(name, description=said)
    for text in args.date_order:
        name, order = _pair(text, "--date-order", last=True)
        change(name, date_order=_order(order))
    for name in args.required:
        change(name, required=True)
    for name in args.optional:
        change(name, required=False)
    for spec in known.values() if args.confirm else ():
        if not spec.confirmed:
            change(spec.name)
    return [_with_values(spec, opened) for spec in wanted.values()]


def _with_values(spec: FieldSpec, opened: Workspace) -> FieldSpec:
    """An enum that is told no values allows those that documents have."""
    if spec.type is not FieldType.ENUM or spec.allowed:
        return spec
    given = (row[spec.name].raw for row in opened.cells(spec.name).values() if spec.name in row)
    found = sorted({str(raw) for raw in given if raw is not None})
    if len(found) > _MOST_ALLOWED:
        raise InvalidRequest(
            f"{spec.name!r} has {len(found):,} different values: too many for an enum.",
            f"List them with --allow {spec.name}=…, or keep it a string.",
        )
    return replace(spec, allowed=tuple(found))


def _pair(text: str, option: str, *, last: bool = False) -> tuple[str, str]:
    name, sign, value = text.rpartition("=") if last else text.partition("=")
    if not sign or not name:
        raise InvalidRequest(f"{option} {text} has no field and value.", f"Write {option} FIELD=VALUE.")
    return name, value


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
