"""HTTP beside the pages, in the same process and on the same store: ``POST /ask``, ``GET /health``, and what the
viewer fetches: a text, its nodes, their tokens, and what is known about one."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core import __version__, answer, chunk, components, embed, home, payload, tokens, workspace
from core.errors import AppError, InvalidFilter, InvalidRequest, InvalidSetting, NotFound
from core.filters import EVERYTHING, Condition, Filter, Op, conjunction, from_json, unique_keys
from core.settings import MAX_QUESTION, MAX_WINDOW, ChunkSettings, SearchSettings, Strategy
from core.store.base import Passage
from core.tokens import Counted
from core.types import BlockKind, Index, Metadata, Node
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
        json.loads(body, object_pairs_hook=unique_keys)
    except InvalidFilter as error:
        return _refused(422, str(error))
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

NEAREST = 5
SHOWN = 240  # characters of a near node's text


def workspace_key(opened: Workspace) -> str:
    """How a workspace is named in an address: only those that are open can be reached."""
    return blake2b(opened.location.encode(), digest_size=6).hexdigest()


def text_url(opened: Workspace, doc_id: str, revision: str, model: str) -> str:
    """Where the viewer finds a document's text. ``revision`` is a passage's ``version``: the address changes with it."""
    return f"/api/text/{_place(opened, doc_id, revision)}?v={__version__}&model={_named(model)}"


def nodes_url(opened: Workspace, doc_id: str, revision: str, settings: ChunkSettings, model: str) -> str:
    """Where the viewer finds the nodes a document has under ``settings``."""
    return f"/api/nodes/{_place(opened, doc_id, revision)}?{_query(opened, settings, model)}"


def tokens_url(opened: Workspace, doc_id: str, revision: str, settings: ChunkSettings, model: str) -> str:
    """Where the viewer finds how many tokens those nodes have: it takes seconds for a long text, so it comes after."""
    return f"/api/tokens/{_place(opened, doc_id, revision)}?{_query(opened, settings, model)}"


def curve_url(opened: Workspace, doc_id: str, revision: str, settings: ChunkSettings, model: str) -> str:
    """Where the viewer finds how alike neighbouring sentences are, under settings of the semantic strategy."""
    return f"/api/curve/{_place(opened, doc_id, revision)}?{_query(opened, settings, model)}"


def about_url(opened: Workspace, doc_id: str, revision: str, index: Index | None) -> str:
    """Where the viewer finds what is known about a node; its ordinal is added as ``&node=``."""
    held = f"&index={_named(index.id)}" if index else ""
    return f"/api/about/{_place(opened, doc_id, revision)}?changes={opened.store.changes}{held}"


def near_url(opened: Workspace, doc_id: str, revision: str, index: Index) -> str:
    """Where the viewer finds the nodes nearest to one of ``index``; its ordinal is added as ``&node=``."""
    return f"/api/near/{_place(opened, doc_id, revision)}?changes={opened.store.changes}&index={_named(index.id)}"


def _place(opened: Workspace, doc_id: str, revision: str) -> str:
    return f"{workspace_key(opened)}/{doc_id}/{revision}"


def _query(opened: Workspace, settings: ChunkSettings, model: str) -> str:
    query = (
        f"size={settings.size}&overlap={settings.overlap}&embed_around={settings.embed_around}&model={_named(model)}"
    )
    if settings.context or settings.strategy is not Strategy.SENTENCE_WINDOW:
        query += f"&settings={_named(settings.to_json())}"
    if settings.context:  # its lines change with the metadata and with what has been written
        query += f"&changes={opened.store.changes}"
    return query


def _named(model: str) -> str:
    from urllib.parse import quote

    return quote(model, safe="")


def preview(
    opened: Workspace, doc_id: str, settings: ChunkSettings, model: str = embed.BUNDLED
) -> tuple[Passage, Sequence[Node]]:
    """A document and the nodes it would have: the same that the viewer fetches, made once for both.

    Raises:
        InvalidRequest: its sentences have not been compared, see ``Workspace.uncompared``.
    """
    passage = opened.store.passage(doc_id)
    return passage, _found(opened, doc_id, passage.version, settings, model, _moment(opened, settings))


def counted(
    opened: Workspace, doc_id: str, settings: ChunkSettings, model: str = embed.BUNDLED
) -> tuple[Counted, str, int]:
    """The tokens of a document and its nodes, what counted them, and how many the model reads: as the viewer shows them."""
    passage, encoder = opened.store.passage(doc_id), opened.encoders(model)
    found = _counted(opened, doc_id, passage.version, model, settings, _moment(opened, settings))
    return found, encoder.tokenizer_name, encoder.info.max_tokens


def _moment(opened: Workspace, settings: ChunkSettings) -> int:
    return opened.store.changes if settings.context else 0


@lru_cache(4)
def _found(
    opened: Workspace, doc_id: str, revision: str, settings: ChunkSettings, model: str, _moment: int
) -> tuple[Node, ...]:
    _passage(opened, doc_id, revision)
    _check_compared(opened, doc_id, settings, model)
    return tuple(opened.preview(doc_id, settings, model)[1])


def _check_compared(opened: Workspace, doc_id: str, settings: ChunkSettings, model: str) -> None:
    """An answer must not have to embed a book first."""
    if opened.uncompared(doc_id, settings, model):
        raise InvalidRequest("The sentences of that document have not been compared yet.", "Compare them first.")


async def script(request: Request) -> Response:
    """``GET /script/…``: one of the modules of one of our components."""
    body = components.module(request.path_params["component"], request.path_params["name"])
    if body is None:
        return _refused(404, "There is no such module. Reload the page.")
    return Response(body, media_type="text/javascript", headers=dict(_FOREVER))


async def text(request: Request) -> Response:
    """``GET /api/text/…``: a document's text, sentences and blocks."""
    return await _answered(lambda: _text(*_target(request)))


def _text(opened: Workspace, doc_id: str, revision: str, _model: str) -> Response:
    return _immutable(_text_body(opened, doc_id, revision))


@lru_cache(8)
def _text_body(opened: Workspace, doc_id: str, revision: str) -> bytes:
    passage = _passage(opened, doc_id, revision)
    return _json(payload.viewer_text(passage, chunk.prefixes(passage)))


async def nodes(request: Request) -> Response:
    """``GET /api/nodes/…``: the nodes a document has under the settings in the query."""
    return await _answered(lambda: _nodes(*_target(request), _settings(request)))


def _nodes(opened: Workspace, doc_id: str, revision: str, model: str, settings: ChunkSettings) -> Response:
    return _immutable(_nodes_body(opened, doc_id, revision, settings, model, _moment(opened, settings)))


@lru_cache(32)
def _nodes_body(
    opened: Workspace, doc_id: str, revision: str, settings: ChunkSettings, model: str, moment: int
) -> bytes:
    document = _passage(opened, doc_id, revision).document
    found = _found(opened, doc_id, revision, settings, model, moment)
    other = {
        node.ordinal: chunk.embedded_text(document, replace(node, context=""))
        for node in found
        if node.prefix or node.kind is BlockKind.TABLE
    }
    return _json(payload.viewer_nodes(document, found, other))


async def token_counts(request: Request) -> Response:
    """``GET /api/tokens/…``: the tokens of a document's sentences, and of its nodes under the settings in the query."""
    return await _answered(lambda: _tokens(*_target(request), _settings(request)))


def _tokens(opened: Workspace, doc_id: str, revision: str, model: str, settings: ChunkSettings) -> Response:
    return _immutable(_tokens_body(opened, doc_id, revision, model, settings, _moment(opened, settings)))


@lru_cache(32)
def _tokens_body(
    opened: Workspace, doc_id: str, revision: str, model: str, settings: ChunkSettings, moment: int
) -> bytes:
    passage, encoder = _passage(opened, doc_id, revision), opened.encoders(model)
    found = _counted(opened, doc_id, revision, model, settings, moment)
    return _json(payload.viewer_tokens(passage.document, found, encoder.tokenizer_name, encoder.info.max_tokens))


@lru_cache(4)
def _counted(
    opened: Workspace, doc_id: str, revision: str, model: str, settings: ChunkSettings, moment: int
) -> Counted:
    passage = _passage(opened, doc_id, revision)
    found = _found(opened, doc_id, revision, settings, model, moment)
    return tokens.of_nodes(passage, found, _sentence_tokens(opened, doc_id, revision, model), opened.encoders(model))


@lru_cache(16)
def _sentence_tokens(opened: Workspace, doc_id: str, revision: str, model: str) -> tuple[int, ...]:
    return tokens.of_sentences(_passage(opened, doc_id, revision), opened.encoders(model))


async def curve(request: Request) -> Response:
    """``GET /api/curve/…``: how alike neighbouring sentences are, and where the semantic strategy breaks."""
    return await _answered(lambda: _curve(*_target(request), _settings(request)))


def _curve(opened: Workspace, doc_id: str, revision: str, model: str, settings: ChunkSettings) -> Response:
    _passage(opened, doc_id, revision)
    if settings.strategy is not Strategy.SEMANTIC:
        raise InvalidRequest("Only the semantic strategy compares sentences.", "Choose it.")
    _check_compared(opened, doc_id, settings, model)
    return _immutable(_json(payload.viewer_curve(opened.likeness(doc_id, settings, model))))


async def about(request: Request) -> Response:
    """``GET /api/about/…``: a document's metadata, and what is computed for one of its nodes in an index."""
    return await _answered(lambda: _about(*_here(request), _index(request), _ordinal(request)))


def _about(opened: Workspace, doc_id: str, revision: str, index: Index | None, ordinal: int) -> Response:
    _passage(opened, doc_id, revision)
    told = _computed(opened, doc_id, index, opened.store.changes) if index else ()
    return _immutable(
        _json(
            {
                "metadata": payload.metadata(opened.document(doc_id).metadata),
                "computed": payload.metadata(told[ordinal]) if ordinal < len(told) else {},
            }
        )
    )


@lru_cache(4)
def _computed(opened: Workspace, doc_id: str, index: Index, _changes: int) -> tuple[Metadata, ...]:
    return tuple(opened.store.computed(index, doc_id))


async def near(request: Request) -> Response:
    """``GET /api/near/…``: the nodes of an index whose vectors are nearest to that of one of its nodes, exactly."""
    return await _answered(lambda: _near(*_here(request), _index(request), _ordinal(request)))


def _near(opened: Workspace, doc_id: str, revision: str, index: Index | None, ordinal: int) -> Response:
    if index is None:
        raise InvalidRequest("The address names no index.", "Add index=.")
    document = _passage(opened, doc_id, revision).document
    every = preview(opened, doc_id, index.settings, index.model.name)[1]
    if ordinal >= len(every):
        raise NotFound(f"{document.name!r} has no node {ordinal} in that index.", "The document may have changed.")
    key = embed.text_hash(chunk.embedded_text(document, every[ordinal]))
    vector = opened.store.known_vectors(index.model, [key]).get(key)
    if vector is None:
        raise NotFound("That node is not in the index.", "Build the index again.")
    found = opened.store.search(index, vector, EVERYTHING, NEAREST + 1, None).found
    others = [item for item in found if (item.doc_id, item.node.ordinal) != (doc_id, ordinal)][:NEAREST]
    return _immutable(_json(payload.near(others, SHOWN)))


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _immutable(body: bytes) -> Response:
    # A response of its own each time: middleware that compresses one writes into it.
    return Response(body, media_type="application/json", headers=dict(_FOREVER))


def _here(request: Request) -> tuple[Workspace, str, str]:
    key = request.path_params["workspace"]
    opened = next((w for w in workspace.opened() if workspace_key(w) == key), None)
    if opened is None:
        raise NotFound("That workspace is not open.", "Reload the page.")
    return opened, request.path_params["doc_id"], request.path_params["revision"]


def _target(request: Request) -> tuple[Workspace, str, str, str]:
    opened, doc_id, revision = _here(request)
    model = request.query_params.get("model", embed.BUNDLED)
    if not embed.is_loaded(model) and model not in {index.model.name for index in opened.indexes()}:
        raise NotFound(f"No index uses the model {model!r}.")  # an address must not make us load a model
    return opened, doc_id, revision, model


def _index(request: Request) -> Index | None:
    named = request.query_params.get("index")
    found = None if named is None else next((i for i in _here(request)[0].indexes() if i.id == named), None)
    if named is not None and found is None:
        raise NotFound("That index is not there.", "Reload the page.")
    return found


def _ordinal(request: Request) -> int:
    asked = request.query_params.get("node", "0")
    if not (asked.isascii() and asked.isdecimal() and len(asked) < 10):
        raise InvalidRequest("node is the number of a node.", "Count from 0.")
    return int(asked)


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
    Route("/script/{component}/{version}/{name}", script, methods=["GET"]),
    Route("/api/text/{workspace}/{doc_id}/{revision}", text, methods=["GET"]),
    Route("/api/nodes/{workspace}/{doc_id}/{revision}", nodes, methods=["GET"]),
    Route("/api/tokens/{workspace}/{doc_id}/{revision}", token_counts, methods=["GET"]),
    Route("/api/curve/{workspace}/{doc_id}/{revision}", curve, methods=["GET"]),
    Route("/api/about/{workspace}/{doc_id}/{revision}", about, methods=["GET"]),
    Route("/api/near/{workspace}/{doc_id}/{revision}", near, methods=["GET"]),
]
