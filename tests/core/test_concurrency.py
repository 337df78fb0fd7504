"""Searches while documents come, change and go: every answer is that of one state of the workspace, never of a mixture.

``CHUNKSCOPE_SEARCHES`` says how many searches each of the eight threads makes.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from itertools import count, product
from threading import Event

import numpy as np
import pytest

from core.filters import EVERYTHING, Filter, read
from core.ingest import Upload
from core.settings import ChunkSettings, SearchSettings
from core.store.duckdb import DuckStore
from core.types import SearchResult, Vectors
from core.workspace import Workspace
from tests.fakes import BagEncoder

THREADS = 8
SEARCHES = int(os.environ.get("CHUNKSCOPE_SEARCHES", "40"))
ENOUGH = 6
"""States that each writer has brought about before the searches end."""

QUESTIONS = ("Which pump failed?", "Who closed the valve?", "What did it cost?")
GROUPS = ("red", "green", "blue")
Data = Mapping[str, object]

# Each filter as the store is given it, and in plain Python; "number" is missing in some documents.
FILTERS: tuple[tuple[Filter, Callable[[Data], bool]], ...] = (
    (EVERYTHING, lambda data: True),
    (read('group = "red"'), lambda data: data["group"] == "red"),
    (read("number >= 3"), lambda data: data.get("number", -1) >= 3),
    (
        read('number < 4 or tags contains_any ("x", "y")'),
        lambda data: ("number" in data and data["number"] < 4) or bool({"x", "y"} & set(data["tags"])),
    ),
    (
        read('not (group in ("red", "blue")) and number != 2'),
        lambda data: data["group"] not in ("red", "blue") and data.get("number") != 2,
    ),
)


class ScatteringEncoder(BagEncoder):
    """Every text has a direction of its own: no two are equally near to a third."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        return np.stack([direction(text) for text in texts])


@lru_cache(100_000)
def direction(text: str) -> np.ndarray:
    seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
    vector = np.random.default_rng(seed).normal(size=32)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


@dataclass(frozen=True)
class Doc:
    """A document as it should be found: its sentences, each a node, and its metadata."""

    sentences: tuple[str, ...]
    data: Data


Documents = Mapping[str, Doc]


@dataclass
class Timeline:
    """The states that one writer brings about, one after the other. A state is there before it is written."""

    states: list[Documents] = field(default_factory=list)
    written: int = 0

    def step(self, state: Documents, write: Callable[[], object]) -> None:
        self.states.append(state)
        write()
        self.written = len(self.states) - 1

    def since(self, written: int) -> list[Documents]:
        """The states that may have been seen by who began when ``written`` was the last that was."""
        return self.states[written : len(self.states)]


def files(name: str, doc: Doc) -> list[Upload]:
    return [Upload(name, " ".join(doc.sentences).encode()), Upload(f"{name}.meta.json", json.dumps(doc.data).encode())]


def made(rng: random.Random, name: str, turn: int) -> Doc:
    sentences = tuple(f"In {name} the part {turn} {part} was seen." for part in range(rng.randint(1, 4)))
    data: dict[str, object] = {"group": rng.choice(GROUPS), "tags": rng.sample(["x", "y", "z"], rng.randint(1, 2))}
    if rng.random() < 0.8:
        data["number"] = rng.randint(0, 6)
    return Doc(sentences, data)


def answer(documents: Documents, question: str, passes: Callable[[Data], bool], k: int) -> tuple[object, ...]:
    """What a search of these documents must give, worked out in plain Python."""
    asked = direction(question)
    nodes = [
        (float(np.dot(direction(sentence), asked)), name, sentence)
        for name, doc in documents.items()
        if passes(doc.data)
        for sentence in doc.sentences
    ]
    best = sorted(nodes, reverse=True)[:k]
    told = [(name, sentence, plain(documents[name].data)) for _, name, sentence in best]
    return told, len(nodes), sum(len(doc.sentences) for doc in documents.values())


def given(result: SearchResult) -> tuple[object, ...]:
    return [(hit.name, hit.window_text, plain(hit.metadata)) for hit in result.hits], result.matching, result.total


def plain(data: Data) -> dict[str, object]:
    wanted = {name: data[name] for name in ("group", "number", "tags") if name in data}
    return {name: sorted(value) if isinstance(value, (list, tuple)) else value for name, value in wanted.items()}


@pytest.fixture
def workspace(tmp_path) -> Iterator[Workspace]:
    opened = Workspace(DuckStore(tmp_path / "w.duckdb"), lambda name: ScatteringEncoder())
    yield opened
    opened.store.close()


def ingest(workspace: Workspace, line: Timeline, done: Event) -> None:
    """Add documents, replace their texts, and take them out, until it is done."""
    rng, turn = random.Random(1), 0
    while not done.is_set():
        turn += 1
        before, name = line.states[-1], f"in-{rng.randrange(12)}.txt"
        if name in before and rng.random() < 0.4:
            doc_id = workspace.document(name).id
            rest = {known: doc for known, doc in before.items() if known != name}
            line.step(rest, lambda doc_id=doc_id: workspace.remove(doc_id))
        else:
            doc = made(rng, name, turn)
            added = files(name, doc)
            line.step({**before, name: doc}, lambda added=added: workspace.add(added, ChunkSettings()))


def edit(workspace: Workspace, line: Timeline, done: Event) -> None:
    """Change the metadata of several documents at once, and take some changes back, until it is done."""
    rng = random.Random(2)
    ids = {name: workspace.document(name).id for name in line.states[-1]}
    while not done.is_set():
        before = line.states[-1]
        changes = {name: made(rng, name, 0).data for name in rng.sample(sorted(before), 3)}
        cleared = {name: {"number": None, **data} for name, data in changes.items()}
        after = {name: Doc(doc.sentences, changes.get(name, doc.data)) for name, doc in before.items()}
        edited = []
        raw = {ids[name]: data for name, data in cleared.items()}
        line.step(after, lambda raw=raw, edited=edited: edited.append(workspace.edit(raw)))
        if rng.random() < 0.3:
            line.step(before, lambda edited=edited: workspace.undo(edited[0]))


def test_every_answer_is_that_of_one_state_while_documents_are_added_replaced_removed_and_edited(workspace):
    rng = random.Random(0)
    kept = {f"kept-{n}.txt": made(rng, f"kept-{n}.txt", 0) for n in range(10)}
    coming = {f"in-{n}.txt": made(rng, f"in-{n}.txt", 0) for n in range(6)}
    workspace.add([upload for name, doc in {**kept, **coming}.items() for upload in files(name, doc)], ChunkSettings())
    ingested, edited, done = Timeline([coming]), Timeline([kept]), Event()

    def ask(thread: int) -> list[str]:
        rng, wrong = random.Random(100 + thread), []
        for made in count():
            stopped = any(writer.done() for writer in writers)
            if made >= SEARCHES and (stopped or min(len(ingested.states), len(edited.states)) >= ENOUGH):
                break
            question, (given_filter, passes), k = rng.choice(QUESTIONS), rng.choice(FILTERS), rng.choice((1, 3, 10, 50))
            began = ingested.written, edited.written
            result = given(workspace.search(question, SearchSettings(k=k, window=0), given_filter))
            seen = product(ingested.since(began[0]), edited.since(began[1]))
            if not any(answer({**one, **other}, question, passes, k) == result for one, other in seen):
                wrong.append(f"{question} {given_filter} {k}: {result}")
        return wrong

    with ThreadPoolExecutor(THREADS + 2) as pool:
        writers = [pool.submit(ingest, workspace, ingested, done), pool.submit(edit, workspace, edited, done)]
        try:
            wrong = [line for lines in pool.map(ask, range(THREADS)) for line in lines]
        finally:
            done.set()
        for writer in writers:
            writer.result()  # raises what went wrong there
    assert wrong == []
    for question, (given_filter, passes) in product(QUESTIONS, FILTERS):
        last = answer({**ingested.states[-1], **edited.states[-1]}, question, passes, 100)
        assert given(workspace.search(question, SearchSettings(k=100, window=0), given_filter)) == last
