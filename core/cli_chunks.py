"""The commands about chunking: ``chunkscope nodes`` and ``chunkscope compare``, and the options that say how to chunk."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from core import chunk, embed, folder, payload, payload_chunks, tokens, workspace
from core.chunk import compare as comparison
from core.errors import InvalidRequest, InvalidSetting, NotFound
from core.settings import PROMPT, ChunkSettings, ContextSettings, SearchSettings, Strategy, Unit
from core.types import Node, Progress
from core.workspace import Workspace

Args = argparse.Namespace
_PARTS = ("strategy", "size", "unit", "overlap", "embed_around", "percentile", "minimum")


def nodes(args: Args, opened: Workspace, progress: Progress) -> int:
    """The nodes a document has under the given settings, each with its window. Nothing is stored."""
    settings = SearchSettings(window=args.window or 0, boundary_marks=args.boundary_marks)
    info = opened.document(args.document)
    model, chunking = chosen(args, opened)
    passage, found = opened.preview(info.id, chunking, model, progress)
    encoder = opened.encoders(model)
    counted = tokens.of_nodes(passage, found, tokens.of_sentences(passage, encoder), encoder)
    index = opened.index_of(chunking, model)
    ids = [workspace.node_id(info.id, index.id if index else "draft", node.ordinal) for node in found]
    rows = payload_chunks.nodes(passage, found, ids, counted, encoder, settings)
    if args.json:
        length = len(passage.document.text)
        print(
            payload.text({"doc_id": info.id, "text_length": length, "nodes": rows, "tokenizer": encoder.tokenizer_name})
        )
    else:
        for row in rows:
            print(f"{row['ordinal']:>5}  {row['start']:>7}–{row['end']:<7} {' '.join(str(row['text']).split())}")
    return 0


def compare(args: Args, opened: Workspace, progress: Progress) -> int:
    """Two settings on one document: what each makes of it, and which nodes are kept, moved, gone and born."""
    info = opened.document(args.document)
    a, b = (_side(opened, info.id, *_read(Path(path)), args.window, progress) for path in (args.a, args.b))
    found = comparison.difference(a.nodes, b.nodes)
    if args.json:
        model = opened.encoders(embed.BUNDLED)
        said = {"doc_id": info.id, "tokenizer": model.tokenizer_name, "truncates_at": model.info.max_tokens}
        print(payload.text({**said, "a": a.told(), "b": b.told(), "difference": payload_chunks.difference(found)}))
        return 0
    for name, side in (("A", a), ("B", b)):
        print(f"{name}  {side.settings.name}, window ±{side.window}")
        for what, value in payload_chunks.in_words(side.statistics).items():
            print(f"   {what:<30}{value}")
    counts = ", ".join(f"{len(getattr(found, what)):,} {what}" for what in ("kept", "moved", "gone", "born"))
    print(f"nodes of A in B: {counts}")
    return 0


@dataclass(frozen=True, slots=True)
class _Side:
    """One of two settings, and what it makes of a document."""

    settings: ChunkSettings
    window: int
    nodes: Sequence[Node]
    statistics: comparison.Statistics
    cost: workspace.Cost

    def told(self) -> dict[str, object]:
        return {
            "settings": json.loads(self.settings.to_json()),
            "window": self.window,
            "statistics": payload_chunks.statistics(self.statistics),
            "build": payload_chunks.cost(**asdict(self.cost), rate=embed.texts_per_second()),
        }


def _side(
    opened: Workspace, doc_id: str, settings: ChunkSettings, own: int | None, window: int | None, progress: Progress
) -> _Side:
    size = SearchSettings(window=window if window is not None else own or 0).window
    passage, found = opened.preview(doc_id, settings, progress=progress)
    encoder = opened.encoders(embed.BUNDLED)
    counted = tokens.of_nodes(passage, found, tokens.of_sentences(passage, encoder), encoder)
    statistics = comparison.statistics(
        passage, found, counted.embedded, counted.sentences, window=size, max_tokens=encoder.info.max_tokens
    )
    return _Side(settings, size, found, statistics, opened.cost(settings))


def _read(path: Path) -> tuple[ChunkSettings, int | None]:
    """Settings and window from a JSON file: some of what the options say by name, or a preset as it is kept."""
    try:
        given = json.loads(folder.contents(path))
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        example = '{"strategy": "fixed", "size": 250, "unit": "tokens", "overlap": "20%", "window": 1}'
        raise InvalidSetting(f"{path} holds no settings.", f"Write such as {example}.")
    if isinstance(given.get("settings"), dict):
        given = {**given["settings"], "window": given.get("window")}
    window = given.pop("window", None)
    if window is not None and type(window) is not int:
        raise InvalidSetting(f"The window in {path} is {window!r}.", "Give a whole number of sentences.")
    return chunk.completed(given), window


# ── how to chunk ─────────────────────────────────────────────────────────────────────────────────


def chosen(args: Args, opened: Workspace) -> tuple[str, ChunkSettings]:
    """The model and chunk settings: of the index named, of a preset, or as given."""
    given = {name: value for name in _PARTS if (value := getattr(args, name)) is not None}
    line = args.context or args.writer
    if args.index is not None:
        if given or line or args.preset:
            raise InvalidRequest(
                "--index already says how documents are chunked.",
                "Leave out --preset, --strategy, --size, --unit, --overlap and the like, --context and --writer.",
            )
        index = opened.index(args.index)
        return index.model.name, index.settings
    if args.preset is not None:
        given = _kept(_preset(args.preset, opened).settings) | given
    return embed.BUNDLED, replace(chunk.completed(given), context=_context(args, opened))


def _kept(settings: ChunkSettings) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(settings.to_json())
    return kept


def _preset(name: str, opened: Workspace) -> chunk.Preset:
    every = [*opened.remembered.presets(), *chunk.PRESETS]
    found = next((preset for preset in every if preset.name.casefold() == name.casefold()), None)
    if found is None:
        raise NotFound(f"There is no preset {name!r}.", f"Presets: {', '.join(preset.name for preset in every)}.")
    return found


def _context(args: Args, opened: Workspace) -> ContextSettings | None:
    """The context line that the options ask for: ``title,headings,author``, or one that a model writes."""
    if args.writer:
        prompt = folder.contents(Path(args.prompt)).decode("utf-8", "replace") if args.prompt else PROMPT
        return ContextSettings(writer=args.writer, base_url=args.endpoint or "", prompt=prompt)
    if args.endpoint or args.prompt:
        raise InvalidRequest("--endpoint and --prompt go with --writer.", "Name the model that writes the line.")
    if args.context is None:
        return None
    parts = [part.strip() for part in args.context.split(",") if part.strip()]
    fields = tuple(part.removeprefix("field:") for part in parts if part not in ("title", "headings"))
    known = [spec.name for spec in opened.fields()]
    for name in fields:
        if name not in known:
            raise InvalidRequest(f"There is no field {name!r} for the context line.", f"Fields: {', '.join(known)}.")
    return ContextSettings("title" in parts, "headings" in parts, fields)


def options(parser: argparse.ArgumentParser) -> None:
    """How documents are chunked: what ``chosen`` reads."""

    def option(name: str, **more: Any) -> None:
        parser.add_argument(name, **more)

    option("--preset", metavar="NAME", help="settings with a name: of the product, or saved in the workspace")
    option("--strategy", metavar="NAME", help=f"{', '.join(Strategy)} (sentence_window)")
    option("--size", type=int, metavar="N", help="units in a node at most (1 sentence)")
    option("--unit", metavar="UNIT", help=f"{', '.join(Unit)}: what sizes are counted in (sentences; else tokens)")
    option("--overlap", metavar="N", help="units a node shares with the next, or a share such as 20%% (0)")
    option("--embed-around", type=int, metavar="E", help="sentences embedded on each side of a node (0)")
    option("--percentile", type=int, metavar="P", help="semantic: the share of gaps that are breaks, in percent (10)")
    option("--minimum", type=int, metavar="N", help="semantic, structure, code: units below which nodes are joined")
    line = "a line embedded before each node: title, headings and metadata fields, with commas between"
    option("--context", metavar="PARTS", help=line)
    option("--writer", metavar="MODEL", help="a language model that writes that line instead")
    option("--endpoint", metavar="URL", help="where it answers (OpenAI-compatible, http://localhost:11434/v1)")
    option("--prompt", metavar="FILE", help="what it is asked: {chunk}, {document} and {title} are filled in")


def compare_options(parser: argparse.ArgumentParser) -> None:
    """What ``compare`` reads."""
    parser.add_argument("document", metavar="DOC", help="a document's id or name")
    parser.add_argument("a", metavar="A.json", help='settings, such as {"size": 1, "window": 2}')
    parser.add_argument("b", metavar="B.json", help='settings, such as {"strategy": "fixed", "size": 250}')
    parser.add_argument(
        "--window", type=int, metavar="K", help="sentences returned on each side (as the files say, or 0)"
    )
