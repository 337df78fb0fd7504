"""A session as a link: what its address says, and what an address brings back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core import home
from core.boosts import boosts_from_text, boosts_to_json
from core.errors import AppError, InvalidSetting
from core.filters import EVERYTHING, from_text, to_json
from core.settings import MAX_NODE_SIZE, MAX_WINDOW, ChunkSettings, Strategy

if TYPE_CHECKING:
    from pages.parts.session import Session

_LONGEST = 4000
_LONGEST_CHUNKS = 400
_LONGEST_EXTRA = 1500
"""Characters of the boosts, and of the condition in SQL."""


def written(session: Session) -> dict[str, str]:
    """What a link should bring back, by the names of the address; an empty text for what need not be said."""
    path = Path(session.workspace)
    plain = session.strategy is Strategy.SENTENCE_WINDOW
    filtered = _compact(to_json(session.filter))
    return {
        "ws": path.stem if path.parent == home.folder() else "",
        "index": session.index or "",
        "doc": session.document or "",
        "node": str(session.node or ""),
        "window": str(session.window),
        "k": str(session.k),
        "nodes": "-".join(map(str, (session.size, session.overlap, session.embed_around))) if plain else "",
        "chunks": "" if plain else replace(session.draft, context=None).to_json(),
        "context": told if session.draft.context and len(told := session.draft.to_json()) < _LONGEST else "",
        "q": session.question[:500],
        "filter": filtered if session.filter != EVERYTHING and len(filtered) < _LONGEST else "",
        "max": f"{session.max_distance:.2f}" if session.max_distance < 2 else "",
        "min": "" if session.min_score is None else f"{session.min_score:.2f}",
        "boosts": boosts
        if session.boosts and len(boosts := _compact(boosts_to_json(session.boosts))) < _LONGEST_EXTRA
        else "",
        "where": session.where if len(session.where) < _LONGEST_EXTRA else "",
    }


def _compact(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def read(session: Session, said: Mapping[str, str]) -> None:
    """Give a fresh session what an address asks for; what cannot be had is noted in it, to be told once."""
    for name, low, high in (("window", 0, MAX_WINDOW), ("k", 1, 20), ("node", 0, 10**9)):
        value = said.get(name, "")
        if value.isdecimal() and len(value) < 12 and low <= int(value) <= high:
            setattr(session, name, int(value))
        elif value:
            session.refused.append(f"{name} is {value[:20]!r}, and goes from {low} to {high:,}.")
    nodes, chunks = said.get("nodes", ""), said.get("chunks", "")
    draft = _draft_of(nodes, chunks)
    session.draft = draft or session.draft
    if (nodes or chunks) and not draft:
        session.refused.append("Its nodes cannot be made.")
    with _refusing(session, "context line"):
        if said.get("context"):
            session.draft = replace(session.draft, context=ChunkSettings.from_json(said["context"]).context)
            session.follow_context(session.draft.context)
    _workspace_of(session, said.get("ws", ""))
    with _refusing(session, "filter"):
        if told := _short(said.get("filter", ""), _LONGEST):
            session.filter = from_text(told)
    with _refusing(session, "boosts"):
        if told := _short(said.get("boosts", ""), _LONGEST_EXTRA):
            session.boosts = boosts_from_text(told)
    with _refusing(session, "SQL condition"):
        session.where = _short(said.get("where", ""), _LONGEST_EXTRA).strip()
    for name, attribute, low, high, none in (("max", "max_distance", 0, 2, 2.0), ("min", "min_score", -1, 1, None)):
        with _refusing(session, f"limit ({name})"):
            if told := said.get(name, ""):
                limit = _between(told, low, high)
                setattr(session, attribute, none if limit == (2 if name == "max" else -1) else limit)
    session.one_limit()
    session.index, session.document = said.get("index") or None, said.get("doc") or None
    session.question = said.get("q", "")


@contextmanager
def _refusing(session: Session, what: str) -> Iterator[None]:
    """Note what an address has wrong, and go on without it."""
    try:
        yield
    except AppError as error:
        session.refused.append(f"Without its {what}: {error.what}")


def _workspace_of(session: Session, name: str) -> None:
    with suppress(AppError):
        if (named := home.named(name)).is_file():
            session.workspace = str(named)
            return
    if name:
        session.refused.append(f"There is no workspace {name[:60]!r} here.")


def _short(text: str, longest: int) -> str:
    if len(text) >= longest:
        raise InvalidSetting(f"{len(text):,} characters are too many.", f"A link holds less than {longest:,}.")
    return text


def _between(text: str, low: int, high: int) -> float:
    with suppress(ValueError):
        if low <= (number := float(text)) <= high:
            return number
    raise InvalidSetting(f"It is {text[:20]!r}.", f"It goes from {low} to {high}.")


def _draft_of(nodes: str, chunks: str) -> ChunkSettings | None:
    """The nodes that an address asks for: ``2-1-0`` are sentence windows, others are settings as JSON."""
    with suppress(ValueError, TypeError, AppError):
        if chunks and len(chunks) < _LONGEST_CHUNKS:
            draft = ChunkSettings.from_json(chunks)
            if draft.strategy is not Strategy.SENTENCE_WINDOW and draft.embed_around <= MAX_NODE_SIZE:
                return replace(draft, context=None)
    with suppress(ValueError, TypeError, AppError):
        size, overlap, around = (int(part) for part in nodes.split("-"))
        draft = ChunkSettings(size, overlap, around)
        if max(draft.size, draft.embed_around) <= MAX_NODE_SIZE:
            return draft
    return None
