"""``chunkscope …``: the same code path as the app, for scripts and terminals."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from core import __version__, cli_chunks, cli_metadata, folder, home, payload, payload_xray, workspace
from core.boosts import boosts_from_text
from core.errors import AppError, InvalidFilter
from core.explain import Explained
from core.filters import EVERYTHING, Filter, read
from core.ingest import FileResult, Status
from core.settings import SearchSettings
from core.types import Progress, no_progress
from core.workspace import Workspace

Args = argparse.Namespace


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0, 1 if something failed, 2 if the command line was not understood."""
    args = _parser().parse_args(argv)
    before = {opened.location for opened in workspace.opened()}
    try:
        code: int = args.run(args)
    except AppError as error:
        if args.json:
            _print_json({"error": error.what, "do": error.do})
        print(f"chunkscope: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of our output has gone: `chunkscope list | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("chunkscope: stopped; what was finished before is kept.", file=sys.stderr)
        return 130
    finally:
        for opened in workspace.opened():
            if opened.location not in before:
                workspace.close(Path(opened.location))
    return code


# ── commands ─────────────────────────────────────────────────────────────────────────────────────


def add(args: Args) -> int:
    """Read, embed and store files and folders."""
    opened = _open(args, home.default_for_adding)
    unreadable: list[FileResult] = []
    uploads = list(folder.uploads(args.paths, unreadable))
    model, settings = cli_chunks.chosen(args, opened)
    results = [*opened.add(uploads, settings, model, _terminal_progress(args)), *unreadable]
    if not args.workspace:
        home.remember(Path(opened.location))
    if args.json:
        _print_json({"files": [payload.file(result) for result in results]})
    else:
        if not results:
            print("chunkscope: no files there", file=sys.stderr)
        for result in results:
            print(f"{result.status:<10}{result.name}  {_counts(result)}  {result.reason}".rstrip())
            for notice in result.notices:
                print(f"{'':<10}{notice}")
    return int(any(result.status is Status.FAILED for result in results))


def _counts(result: FileResult) -> str:
    if not result.nodes:
        return ""
    pages = f"{result.pages} pages, " if result.pages else ""
    cleaned = "".join(f", {count} {what} cleaned" for what, count in result.cleaned.items())
    return f"{pages}{result.sentences} sentences, {result.nodes} nodes, {result.embedded} embedded{cleaned}"


def nodes(args: Args) -> int:
    """The nodes a document has under the given settings, each with its window. Nothing is stored."""
    return cli_chunks.nodes(args, _open(args), _terminal_progress(args))


def compare(args: Args) -> int:
    """Two settings on one document: statistics of each, and which nodes are kept, moved, gone and born."""
    return cli_chunks.compare(args, _open(args), _terminal_progress(args))


def search(args: Args) -> int:
    """The nodes nearest to a question among those that pass the filter."""
    opened = _open(args)
    boosts = tuple(boost for text in args.boost for boost in boosts_from_text(text))
    settings = SearchSettings(
        args.k, args.window, args.max_distance, args.boundary_marks, args.min_score, boosts, _where(args)
    )
    where = EVERYTHING if args.filter is None else read(args.filter, blank=False)
    result = opened.search(args.question, settings, where, args.index)
    if args.json:
        windows, once = opened.returned_tokens(result)
        tokens = {"windows": windows, "excerpts": once, "saved": windows - once}
        explained: dict[str, object] = {}
        if args.explain:
            explained["explanation"] = payload_xray.explanation(_explained(args, opened, settings, where))
        _print_json({**payload.search(result, opened.excerpts(result.hits)), "tokens": tokens, **explained})
        return 0
    print(f"{result.matching:,} of {result.total:,} nodes match the filter", file=sys.stderr)
    for hit in result.hits:
        final = f" → {hit.final:.3f}" if hit.factors else ""
        print(f"{hit.rank:>3}  {hit.score:.3f}{final}  {hit.name} #{hit.node.ordinal}")
        print(f"     {' '.join(hit.returned.split())}")
    if args.explain:
        print("", *payload_xray.in_words(_explained(args, opened, settings, where)), sep="\n")
    return 0


def _where(args: Args) -> str:
    where: str | None = args.where
    if where is not None and not where.strip():
        raise InvalidFilter("The condition is empty.", "For no condition leave --where out.")
    return where or ""


def _explained(args: Args, opened: Workspace, settings: SearchSettings, where: Filter) -> Explained:
    return opened.explain(args.question, settings, where, args.index)


def evaluate(args: Args) -> int:
    """Gold questions put to an index: hit rate, MRR, recall on spans, tokens returned."""
    opened = _open(args)
    window = SearchSettings(k=args.k, window=args.window).window
    questions = opened.read_gold(folder.contents(Path(args.gold)))
    (report,) = opened.evaluate(questions, args.k, [window], args.index, progress=_terminal_progress(args))
    found = payload.report(report)
    if args.json:
        _print_json(found)
    else:
        print(f"{len(report.outcomes)} questions, k {args.k}, window ±{window}")
        for name in report.mean.__dataclass_fields__:
            print(f"{name:<16}{getattr(report.mean, name):10.3f}")
    return 0


def listing(args: Args) -> int:
    """Documents and indexes."""
    opened = _open(args)
    documents, indexes = opened.documents(), opened.indexes()
    if args.json:
        _print_json(
            {
                "workspace": opened.location,
                "documents": [payload.document(info) for info in documents],
                "indexes": [payload.index(index) for index in indexes],
            }
        )
        return 0
    print(opened.location)
    for info in documents:
        also = f"  also {', '.join(info.aliases)}" if info.aliases else ""
        print(f"  {info.id}  {info.sentences:>6} sentences  {info.name}{also}")
    for index in indexes:
        print(f"  index {index.name}: {index.nodes:,} nodes of {index.documents} documents, {index.model.name}")
    return 0


def remove(args: Args) -> int:
    """Take a document out."""
    opened = _open(args)
    info = opened.document(args.document)
    alias = args.document in info.aliases
    if alias:
        opened.remove_alias(info, args.document)
        said = f"removed the name {args.document}; {info.name} stays"
    else:
        opened.remove(info.id)
        said = f"removed {info.name}" + (f", also known as {', '.join(info.aliases)}" if info.aliases else "")
    if args.json:
        _print_json({"removed": {**payload.document(info), "alias": args.document if alias else None}})
    else:
        print(said)
    return 0


def reset(args: Args) -> int:
    """Take everything out."""
    opened = _open(args)
    count = len(opened.documents())
    if not (args.yes or args.json) and sys.stdin.isatty():
        typed = input(f"Remove all {count} documents from {opened.location}? Type yes: ")
        if typed.strip().lower() != "yes":
            print("nothing was removed")
            return 1
    opened.reset()
    if args.json:
        _print_json({"removed_documents": count})
    else:
        print(f"removed {count} documents; {opened.location} is empty")
    return 0


# ── what commands share ──────────────────────────────────────────────────────────────────────────


def _open(args: Args, default: Callable[[], Path] = home.default) -> Workspace:
    return workspace.open(Path(args.workspace) if args.workspace else default())


def _terminal_progress(args: Args) -> Progress:
    if args.json or not sys.stderr.isatty():
        return no_progress

    def show(done: float, total: float, message: str) -> None:
        print(f"\r\033[K{message}", end="" if done < total else "\r\033[K", file=sys.stderr, flush=True)

    return show


def _print_json(data: object) -> None:
    print(payload.text(data))


# ── the command line ─────────────────────────────────────────────────────────────────────────────


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="chunkscope", description="Sentence-window retrieval, seen and measured.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[Args], int]) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=run.__doc__, description=run.__doc__)
        sub.set_defaults(run=run)
        sub.add_argument(
            "--workspace", metavar="FILE", help=f"the workspace file (default: ${home.VARIABLE}, or the last one)"
        )
        sub.add_argument("--index", metavar="NAME", help="the index to use, by name or id (default: the first built)")
        sub.add_argument("--json", action="store_true", help="print one JSON object")
        return sub

    cli_chunks.options(sub := command("add", add))
    sub.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="files and folders; metadata are in <name>.meta.json, metadata.csv or front matter",
    )
    cli_chunks.options(sub := command("nodes", nodes))
    sub.add_argument("document", metavar="DOC", help="a document's id or name")
    sub.add_argument("--window", type=int, default=0, metavar="K", help="sentences returned on each side")
    _mark_option(sub)
    cli_chunks.compare_options(command("compare", compare))
    _search_options(sub := command("search", search))
    sub.add_argument("question", metavar="QUESTION")
    sub.add_argument("--filter", metavar="FILTER", help="""such as 'year >= 2023 and category = legal', or JSON""")
    sub.add_argument("--max-distance", type=float, metavar="X", help="cosine distance, 0 to 2")
    sub.add_argument("--min-score", type=float, metavar="X", help="cosine, -1 to 1")
    sub.add_argument(
        "--boost",
        action="append",
        default=[],
        metavar="JSON",
        help="""multiply the score of what passes a filter: '{"filter": {"is_summary": true}, "factor": 1.2}'; may be repeated""",
    )
    sub.add_argument(
        "--where", metavar="SQL", help='a condition in SQL that must hold too: "year >= 2023 AND page < 9"'
    )
    sub.add_argument("--explain", action="store_true", help="tell what each part of the filter did to the answer")
    _mark_option(sub)
    _search_options(sub := command("evaluate", evaluate))
    sub.add_argument("gold", metavar="GOLD", help="a JSONL file of questions and the spans that answer them")
    command("list", listing)
    cli_metadata.lint_options(command("lint", cli_metadata.lint))
    cli_metadata.schema_options(command("schema", cli_metadata.schema))
    command("remove", remove).add_argument("document", metavar="DOC", help="a document's id or name")
    command("reset", reset).add_argument("--yes", action="store_true", help="do not ask")
    return parser


def _mark_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--boundary-marks", action="store_true", help="say [DOCUMENT_START], [DOCUMENT_END] where a window is clipped"
    )


def _search_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--k", type=int, default=5, metavar="N", help="hits at most (5)")
    parser.add_argument("--window", type=int, default=2, metavar="K", help="sentences returned on each side (2)")
