"""The context line that a language model writes: what it is asked, what that would take, and what it answered."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from typing import Protocol

from core.context.line import LONGEST, one_line, shortened
from core.errors import AppError
from core.settings import ContextSettings
from core.types import Document, Node, Progress, no_progress

EXCERPT = 24_000
"""Characters of a document that a prompt holds. Excerpts begin at multiples of a third of it, so that chunks near each
other share one: an endpoint that remembers what it has read need not read it again."""

AT_ONCE = 4
CHARACTERS_PER_TOKEN = 4
ANSWER_TOKENS = 50
"""What an estimate reckons for an answer: a sentence."""

_STEP = EXCERPT // 3
_CHUNK = 8000  # characters of a chunk that a prompt holds
_ANSWER = 10_000  # characters of an answer that are looked at
_KEEP = 16  # answers kept at a time: what a killed process loses
_PATIENCE = 0.2  # seconds between two looks whether the user has stopped it
_HOPELESS = 3  # first answers that may be empty before it is taken for a fault
_PLACES = re.compile(r"\{(?:document|chunk|title)\}")
_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_QUOTES = ('""', "“”", "„“", "«»", "''", "‘’")


class Writer(Protocol):
    """A language model. It is called from several threads at once."""

    def write(self, prompt: str) -> str:
        """The answer to a prompt; empty if the model says nothing. What goes wrong is an ``AppError``."""
        ...


class Kept(Protocol):
    """Where lines are kept by key, so that none is paid for twice."""

    def contexts(self, keys: Sequence[str]) -> dict[str, str]: ...
    def keep_contexts(self, found: Mapping[str, str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Remembered:
    """Lines kept as long as this is."""

    lines: dict[str, str] = field(default_factory=dict)

    def contexts(self, keys: Sequence[str]) -> dict[str, str]:
        return {key: self.lines[key] for key in keys if key in self.lines}

    def keep_contexts(self, found: Mapping[str, str]) -> None:
        self.lines.update(found)


@dataclass(frozen=True, slots=True)
class Request:
    """A line to be written for one node. ``key`` is a hash of all that the answer depends on."""

    document: Document
    title: str
    node: Node
    settings: ContextSettings
    key: str

    @property
    def prompt(self) -> str:
        """The settings' prompt with the document, the chunk and the title in their places, each as it stands."""
        filled = {
            "{document}": lambda: excerpt(self.document.text, self.node.start),
            "{chunk}": lambda: _chunk(self.document, self.node),
            "{title}": lambda: self.title,
        }
        found = _PLACES.sub(lambda place: filled[place[0]](), self.settings.prompt)
        return found.encode("utf-8", "replace").decode()


def requests(document: Document, nodes: Sequence[Node], title: str, settings: ContextSettings) -> list[Request]:
    """What is asked for each node, in order."""
    shown = one_line(title) if "{title}" in settings.prompt else ""
    asked = [settings.writer, settings.base_url, settings.prompt, shown, document.revision]
    base = blake2b(json.dumps(asked).encode(), digest_size=16)
    found = []
    for node in nodes:
        digest = base.copy()
        digest.update(json.dumps([*_around(len(document.text), node.start), _chunk(document, node)]).encode())
        found.append(Request(document, shown, node, settings, digest.hexdigest()))
    return found


def excerpt(text: str, at: int) -> str:
    """``text`` around the offset ``at``: ``EXCERPT`` characters at most, and how many are left out on each side."""
    start, end = _around(len(text), at)
    before = f"[… {start:,} characters left out …]\n" if start else ""
    after = f"\n[… {len(text) - end:,} characters left out …]" if end < len(text) else ""
    return before + text[start:end] + after


def _around(length: int, at: int) -> tuple[int, int]:
    start = max(0, min((at // _STEP - 1) * _STEP, length - EXCERPT))
    return start, min(length, start + EXCERPT)


def _chunk(document: Document, node: Node) -> str:
    text = node.prefix + document.text[node.start : node.end]
    return text if len(text) <= _CHUNK else f"{text[:_CHUNK]} […]"


@dataclass(frozen=True, slots=True)
class Estimate:
    """What writing the lines of some nodes would take; those of different documents can be added.

    Of the nodes, ``cached`` have their line already. Tokens are characters divided by four, and a sentence for each
    answer: endpoints count their own.
    """

    nodes: int = 0
    cached: int = 0
    requests: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(
            self.nodes + other.nodes,
            self.cached + other.cached,
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.answer_tokens + other.answer_tokens,
        )

    def cost(self, prompt_price: float, answer_price: float) -> float:
        """In the currency of the two prices, which are for a million tokens."""
        return (self.prompt_tokens * prompt_price + self.answer_tokens * answer_price) / 1e6


def estimate(requests: Sequence[Request], kept: Kept) -> Estimate:
    """What ``write`` would send. Nothing is sent."""
    known = kept.contexts([request.key for request in requests])
    lacking = {request.key: request for request in requests if request.key not in known}
    tokens = sum(-(-len(request.prompt) // CHARACTERS_PER_TOKEN) for request in lacking.values())
    cached = sum(request.key in known for request in requests)
    return Estimate(len(requests), cached, len(lacking), tokens, ANSWER_TOKENS * len(lacking))


def write(
    requests: Iterable[Request], writer: Writer | None, kept: Kept, progress: Progress = no_progress
) -> dict[str, str]:
    """The line for each request, by key; what is not kept yet is asked of the writer, each once, and kept.

    An answer becomes one line without what cannot be seen, no heavier than a line may be. It is empty where the model
    said nothing, which is kept too, so that it is not asked over and over; but not if it said nothing at all.

    Raises:
        AppError: there is no writer and something to ask, the writer failed, or it only ever says nothing.
        Cancelled: from ``progress``. In either case what was answered before is kept.
    """
    wanted = {request.key: request for request in requests}
    found = kept.contexts(list(wanted))
    lacking = [request for key, request in wanted.items() if key not in found]
    if not lacking:
        return found
    if writer is None:
        raise AppError(
            f"{len(lacking):,} context lines are not written yet.", "Name a model that writes them, and its endpoint."
        )
    fresh: dict[str, str] = {}
    unkept: dict[str, str] = {}
    said = False
    try:
        for request, answer in _answers(lacking, writer, progress):
            fresh[request.key] = unkept[request.key] = _line(answer)
            said = said or bool(fresh[request.key])
            if not said and len(fresh) >= _HOPELESS:
                raise _says_nothing(request)
            if said and len(unkept) >= _KEEP:
                kept.keep_contexts(unkept)
                unkept = {}
    finally:
        if said and unkept:
            kept.keep_contexts(unkept)
    return found | fresh


def _says_nothing(request: Request) -> AppError:
    return AppError(
        f"The model {request.settings.writer!r} gave {_HOPELESS} empty answers and no other.",
        "Try the prompt in a chat with it, or choose another model; one that thinks may have run out of tokens.",
    )


def _answers(lacking: Sequence[Request], writer: Writer, progress: Progress) -> Iterator[tuple[Request, str]]:
    """Each request with its answer, as they come; ``AT_ONCE`` are on their way at a time."""
    rest = iter(lacking)
    running: dict[Future[str], Request] = {}
    answered = 0
    pool = ThreadPoolExecutor(AT_ONCE, "context-line")
    try:
        while True:
            progress(answered, len(lacking), "Writing context lines")
            for request in islice(rest, AT_ONCE - len(running)):
                running[pool.submit(_ask, writer, request)] = request
            if not running:
                return
            done, _ = wait(running, _PATIENCE, FIRST_COMPLETED)
            for future in sorted(done, key=lambda future: future.exception() is not None):
                yield running.pop(future), future.result()
                answered += 1
    finally:
        pool.shutdown(wait=False)


def _ask(writer: Writer, request: Request) -> str:
    return writer.write(request.prompt)


def _line(answer: str) -> str:
    """An answer as a line: without what the model thought first and without quotes around it."""
    line = one_line(_THOUGHT.sub("", answer)[:_ANSWER])
    inside = line[1:-1]
    if len(line) > 1 and line[0] + line[-1] in _QUOTES and not {line[0], line[-1]} & set(inside):
        line = inside.strip()
    return shortened(line, LONGEST)
