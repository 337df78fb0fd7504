"""HTTP beside the pages, in the same process and on the same store: ``POST /ask``, ``GET /health``, and the text and
nodes that the viewer fetches."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core import __version__, answer, chunk, embed, home, payload, workspace
from core.errors import AppError, InvalidFilter, InvalidRequest, InvalidSetting, NotFound
from core.filters import Condition, Filter, Op, conjunction, from_json
from core.settings import MAX_QUESTION, MAX_WINDOW, ChunkSettings, SearchSettings
from core.store.base import Passage
from core.types import BlockKind, Node
from core.workspace import Workspace

_FOREVER = {"Cache-Control": "private, max-age=31536000, immutable"}
MAX_BODY = 100_000


class Ask(BaseModel):
    """A question; all given conditions must hold."""

    model_config = ConfigDict(extra="forbid", strict=True)

    question: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION)]
    k: Annotated[int, Field(ge=1, le=20)] = 5
    window: Annotated[int, Field(ge=0, le=MAX_WINDOW)] = 2
    filter: dict[str, object] | None = None
    category: str | None = None
    tags: list[str] | None = None
    after: str | None = None
    max_distance: Annotated[float, Field(ge=0, le=2)] | None = None
    boundary_marks: bool = False

    def conditions(self) -> Filter:
        """The filter and the short forms, joined by AND. ``after`` means published then or later."""
        parts = [from_json(self.filter)]
        if self.category is not None:
            parts.append(Condition("category", Op.EQ, self.category))
        if self.tags:
            parts.append(Condition("tags", Op.CONTAINS_ALL, tuple(self.tags)))
        if self.after is not None:
            parts.append(Condition("published_at", Op.GE, self.after))
        return conjunction(*parts)


async def ask(request: Request) -> Response:
    """``POST /ask``: the nodes that answer, their windows, and the best sentences as an answer."""
    if request.method != "POST":
        return JSONResponse({"error": "POST a question to /ask."}, status_code=405, headers={"Allow": "POST"})
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BODY:
            return _refused(413, f"The request is too long: up to {MAX_BODY:,} bytes are read.")
    try:
        asked = Ask.model_validate_json(body)
    except ValidationError as error:
        return _refused(422, _said(error))
    return await _answered(lambda: _ask(asked))


def _ask(asked: Ask) -> Response:
    opened = workspace.open(home.default())
    settings = SearchSettings(asked.k, asked.window, asked.max_distance, asked.boundary_marks)
    result = opened.search(asked.question, settings, asked.conditions())
    sources = [payload.hit(hit) for hit in result.hits]
    return JSONResponse({"question": asked.question, "answer": answer.extract(result.hits), "sources": sources})


async def health(_: Request) -> Response:
    """``GET /health``: alive, and what is open."""
    return await _answered(_health)


def _health() -> Response:
    opened = workspace.open(home.default())
    indexes = opened.indexes()
    return JSONResponse(
        {
            "status": "ok",
            "version": __version__,
            "workspace": opened.location,
            "documents": len(opened.documents()),
            "nodes": sum(index.nodes for index in indexes),
        }
    )


# ── what the viewer fetches ──────────────────────────────────────────────────────────────────────


def workspace_key(opened: Workspace) -> str:
    """How a workspace is named in an address: only those that are open can be reached."""
    return blake2b(opened.location.encode(), digest_size=6).hexdigest()


def text_url(opened: Workspace, doc_id: str, revision: str, model: str) -> str:
    """Where the viewer finds a document's text. ``revision`` is a passage's ``version``: the address changes with it."""
    return f"/api/text/{workspace_key(opened)}/{doc_id}/{revision}?v={__version__}&model={_named(model)}"


def nodes_url(opened: Workspace, doc_id: str, revision: str, settings: ChunkSettings, model: str) -> str:
    """Where the viewer finds the nodes a document has under ``settings``."""
    query = (
        f"size={settings.size}&overlap={settings.overlap}&embed_around={settings.embed_around}&model={_named(model)}"
    )
    if settings.context:  # its lines change with the metadata and with what has been written
        query += f"&settings={_named(settings.to_json())}&changes={opened.store.changes}"
    return f"/api/nodes/{workspace_key(opened)}/{doc_id}/{revision}?{query}"


def _named(model: str) -> str:
    from urllib.parse import quote

    return quote(model, safe="")


async def text(request: Request) -> Response:
    """``GET /api/text/…``: a document's text, sentences and blocks."""
    return await _answered(lambda: _text(*_target(request)))


def _text(opened: Workspace, doc_id: str, revision: str, model: str) -> Response:
    return _immutable(_text_body(opened, doc_id, revision, model))


@lru_cache(32)
def _text_body(opened: Workspace, doc_id: str, revision: str, model: str) -> bytes:
    passage, encoder = _passage(opened, doc_id, revision), opened.encoders(model)
    tokens = list(_sentence_tokens(opened, doc_id, revision, model))
    before = chunk.prefixes(passage)
    return _json(payload.viewer_text(passage, before, tokens, encoder.tokenizer_name, encoder.info.max_tokens))


@lru_cache(64)
def _sentence_tokens(opened: Workspace, doc_id: str, revision: str, model: str) -> tuple[int, ...]:
    passage = _passage(opened, doc_id, revision)
    texts = [passage.document.text[s.start : s.end] for s in passage.sentences]
    return tuple(opened.encoders(model).count_tokens(texts))


async def nodes(request: Request) -> Response:
    """``GET /api/nodes/…``: the nodes a document has under the settings in the query."""
    return await _answered(lambda: _nodes(*_target(request), _settings(request)))


def _nodes(opened: Workspace, doc_id: str, revision: str, model: str, settings: ChunkSettings) -> Response:
    changes = opened.store.changes if settings.context else 0
    return _immutable(_nodes_body(opened, doc_id, revision, model, settings, changes))


@lru_cache(128)
def _nodes_body(
    opened: Workspace,
    doc_id: str,
    revision: str,
    model: str,
    settings: ChunkSettings,
    _changes: int,
) -> bytes:
    passage = _passage(opened, doc_id, revision)
    found = opened.preview(doc_id, settings)[1]
    encoder = opened.encoders(model)
    (special,) = encoder.count_tokens([""])
    tokens = _node_tokens(passage, _sentence_tokens(opened, doc_id, revision, model), found, special)
    other = {
        node.ordinal: chunk.embedded_text(passage.document, replace(node, context=""))
        for node in found
        if node.prefix or node.kind is BlockKind.TABLE
    }
    for ordinal, count in zip(other, encoder.count_tokens(list(other.values())), strict=True):
        tokens[ordinal] = count
    lines = dict.fromkeys(node.context for node in found if node.context)
    length = dict(zip(lines, encoder.count_tokens(list(lines)), strict=True))
    tokens = [count + length.get(node.context, special) - special for node, count in zip(found, tokens, strict=True)]
    return _json(payload.viewer_nodes(passage.document, found, tokens, other, encoder.info.max_tokens))


def _node_tokens(passage: Passage, counts: tuple[int, ...], found: Sequence[Node], special: int) -> list[int]:
    """Tokens of the slice embedded for each node, from those of its sentences: a slider must not tokenise a book again.

    Every count holds the model's ``special`` tokens, which a node has once.
    """
    sums = list(accumulate((count - special for count in counts), initial=0))
    starts = [sentence.start for sentence in passage.sentences]
    return [
        sums[bisect_left(starts, node.embedded.end)] - sums[bisect_left(starts, node.embedded.start)] + special
        for node in found
    ]


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _immutable(body: bytes) -> Response:
    # A response of its own each time: middleware that compresses one writes into it.
    return Response(body, media_type="application/json", headers=dict(_FOREVER))


def _target(request: Request) -> tuple[Workspace, str, str, str]:
    key = request.path_params["workspace"]
    opened = next((w for w in workspace.opened() if workspace_key(w) == key), None)
    if opened is None:
        raise NotFound("That workspace is not open.", "Reload the page.")
    model = request.query_params.get("model", embed.BUNDLED)
    if not embed.is_loaded(model) and model not in {index.model.name for index in opened.indexes()}:
        raise NotFound(f"No index uses the model {model!r}.")  # an address must not make us load a model
    return opened, request.path_params["doc_id"], request.path_params["revision"], model


def _settings(request: Request) -> ChunkSettings:
    if "settings" in request.query_params:
        return ChunkSettings.from_json(request.query_params["settings"])
    try:
        asked = (("size", 1), ("overlap", 0), ("embed_around", 0))
        size, overlap, around = (int(request.query_params.get(name, usual)) for name, usual in asked)
        return ChunkSettings(size, overlap, around)
    except ValueError as error:
        raise (
            error if isinstance(error, AppError) else InvalidRequest("size, overlap and embed_around are numbers.")
        ) from None


def _passage(opened: Workspace, doc_id: str, revision: str) -> Passage:
    passage = opened.store.passage(doc_id)
    if passage.version != revision:
        raise NotFound("That text has been replaced since.", "Reload the page.")
    return passage


# ── errors ───────────────────────────────────────────────────────────────────────────────────────

_STATUS: dict[type[AppError], int] = {InvalidFilter: 422, InvalidRequest: 422, InvalidSetting: 422, NotFound: 404}


async def _answered(work: Callable[[], Response]) -> Response:
    """The response of ``work``, run beside the event loop; an error of the user's as its message."""
    try:
        return await run_in_threadpool(work)
    except AppError as error:
        return _refused(next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 503), str(error))


def _refused(status: int, message: str) -> Response:
    return JSONResponse({"error": message}, status_code=status)


def _said(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'body'}: {e['msg']}" for e in error.errors(include_url=False))


routes = [
    Route("/ask", ask, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
    Route("/health", health, methods=["GET"]),
    Route("/api/text/{workspace}/{doc_id}/{revision}", text, methods=["GET"]),
    Route("/api/nodes/{workspace}/{doc_id}/{revision}", nodes, methods=["GET"]),
]
