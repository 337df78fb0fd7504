"""Edits while other things go on: indexes whose context lines tell metadata, running jobs, many threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Thread
from typing import Any

import pytest

from core import read, split
from core.errors import InvalidFilter, InvalidRequest
from core.filters import FieldType, from_json
from core.metadata.fixes import MapValues
from core.settings import ChunkSettings, ContextSettings, ReadSettings, SearchSettings, SplitSettings
from core.store.base import Cell
from core.store.duckdb import DuckStore
from core.types import FieldSpec, Vectors
from core.workspace import Workspace
from tests.core import drops
from tests.core.drops import CountingEncoder, drop, sidecar, text
from tests.core.test_editing import A, B, fill, named

TELLING = ChunkSettings(context=ContextSettings(title=False, headings=False, fields=("category",)))
TELLING_TOO = ChunkSettings(context=ContextSettings(fields=("owner", "year")))


@pytest.fixture
def filled(tmp_path, encoder) -> Iterator[Workspace]:
    made = Workspace(DuckStore(tmp_path / "w.duckdb"), lambda name: encoder)
    fill(made)
    yield made
    made.store.close()


def waiting(workspace: Workspace) -> dict[str, set[str]]:
    """The documents that wait in each index, by the index's name."""
    names = {info.id: info.name for info in workspace.documents()}
    return {
        index.name: {names[doc_id] for doc_id in names.keys() - workspace.store.indexed(index).keys()}
        for index in workspace.indexes()
    }


# ── the context line ─────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def told(filled) -> Workspace:
    """A plain index, and two whose context lines tell different fields."""
    filled.build(TELLING)
    filled.build(TELLING_TOO)
    return filled


PLAIN, CATEGORY, OWNER = "sentence", TELLING.name, TELLING_TOO.name
NOBODY = {PLAIN: set(), CATEGORY: set(), OWNER: set()}


def test_an_edit_of_a_told_field_lets_exactly_its_documents_wait_in_exactly_the_indexes_that_tell_it(told, encoder):
    assert waiting(told) == NOBODY
    told.edit({named(told, "a.txt"): {"category": "new"}, named(told, "b.txt"): {"tags": ["t"]}})
    assert waiting(told) == {**NOBODY, CATEGORY: {"a.txt"}}
    told.edit({named(told, "b.txt"): {"owner": "Bo"}, named(told, "c.txt"): {"year": 5}})
    assert waiting(told) == {PLAIN: set(), CATEGORY: {"a.txt"}, OWNER: {"b.txt", "c.txt"}}

    hits = told.search("Nobody noticed.", SearchSettings(k=9), from_json({"owner": "Bo"}), index=OWNER).hits
    assert {(hit.name, hit.text) for hit in hits} == {
        ("b.txt", s) for s in ("The valve held.", "Nobody noticed.", "The shift ended.")
    }

    asked = len(encoder.asked)
    report = told.build(TELLING)
    assert (report.nodes, report.embedded) == (2, 2)
    assert encoder.asked[asked:] == ["category: new\nThe pump failed.", "category: new\nIt was replaced."]
    assert waiting(told) == {**NOBODY, OWNER: {"b.txt", "c.txt"}}
    assert told.build(TELLING_TOO).embedded == 4
    assert waiting(told) == NOBODY
    contexts = {hit.node.context for hit in told.search("pump", SearchSettings(k=9), index=CATEGORY).hits}
    assert contexts == {"category: new", "category: y", ""}


def test_an_edit_that_reads_the_same_lets_nothing_wait(told):
    told.edit({named(told, "a.txt"): {"year": "3", "category": "x", "owner": "Al"}})
    assert waiting(told) == NOBODY


def test_taking_an_edit_back_costs_no_embedding(told):
    told.undo(told.edit({named(told, "a.txt"): {"category": "new"}}))
    assert told.build(TELLING).embedded == 0
    assert waiting(told) == NOBODY


def test_a_change_of_a_told_fields_type_or_default_lets_those_wait_whose_line_it_changes(told):
    told.set_field(FieldSpec("year", FieldType.STRING))
    assert waiting(told) == {**NOBODY, OWNER: {"b.txt"}}, "3 is told as before, n/a was not told"
    told.set_field(FieldSpec("category", FieldType.STRING, default="none"))
    assert waiting(told) == {PLAIN: set(), CATEGORY: {"c.txt"}, OWNER: {"b.txt"}}


def test_a_fix_lets_those_wait_whose_line_it_changes(told):
    told.fix([MapValues("category", {"y": "z"})])
    assert waiting(told) == {**NOBODY, CATEGORY: {"b.txt"}}


def test_a_new_sidecar_completes_the_index_it_is_added_to_and_lets_the_document_wait_in_others(told, encoder):
    asked = len(encoder.asked)
    told.add([sidecar("a.txt", category="new", owner="Bo", year=3)], TELLING)
    assert waiting(told) == {**NOBODY, OWNER: {"a.txt"}}
    assert encoder.asked[asked:] == ["category: new\nThe pump failed.", "category: new\nIt was replaced."]


def test_a_waiting_document_is_taken_out_and_brought_back_as_it_was(told):
    told.edit({named(told, "a.txt"): {"category": "new"}})
    before = [hit.text for hit in told.search("pump", SearchSettings(k=9), index=CATEGORY).hits]
    removed = told.remove(named(told, "a.txt"))
    for name in (PLAIN, CATEGORY, OWNER):
        assert {hit.name for hit in told.search("pump", SearchSettings(k=9), index=name).hits} == {"b.txt", "c.txt"}
    told.restore(removed)
    assert [hit.text for hit in told.search("pump", SearchSettings(k=9), index=CATEGORY).hits] == before
    assert waiting(told) == {**NOBODY, CATEGORY: {"a.txt"}}


def test_a_waiting_document_that_is_replaced_leaves_no_node_of_its_old_text(told):
    told.edit({named(told, "a.txt"): {"category": "new"}})
    drop(told, text("a.txt", "Another text now."))
    for name in (PLAIN, CATEGORY, OWNER):
        texts = {hit.text for hit in told.search("pump", SearchSettings(k=9), index=name).hits}
        assert texts.isdisjoint({"The pump failed.", "It was replaced."})
        assert all(texts)
    assert waiting(told) == {PLAIN: set(), CATEGORY: {"a.txt"}, OWNER: {"a.txt"}}
    told.build(TELLING)
    told.build(TELLING_TOO)
    assert waiting(told) == NOBODY


def test_a_document_brought_back_after_a_told_field_was_read_anew_waits(told):
    removed = told.remove(named(told, "b.txt"))
    told.set_field(FieldSpec("year", FieldType.STRING))
    told.restore(removed)
    assert waiting(told) == {**NOBODY, OWNER: {"b.txt"}}


# ── while a job runs ─────────────────────────────────────────────────────────────────────────────


def edit(workspace: Workspace, name: str, **values: object) -> None:
    workspace.edit({named(workspace, name): values})


class Meanwhile:
    """A ``Progress`` that does something once, at its n-th report; readers, splitters and encoders report to it, too."""

    def __init__(self) -> None:
        self.n, self.reports = 0, 0
        self.act: Callable[[], object] = lambda: None

    def at(self, n: int, act: Callable[[], object]) -> Meanwhile:
        self.n, self.reports, self.act = n, 0, act
        return self

    def __call__(self, *_: object) -> None:
        self.reports += 1
        if self.reports == self.n:
            self.act()

    def after(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def worked(*arguments: object) -> object:
            found = work(*arguments)
            self()
            return found

        return worked


@dataclass(frozen=True)
class ActingEncoder(CountingEncoder):
    meanwhile: Meanwhile = field(default_factory=Meanwhile)

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.meanwhile()
        return super().encode(texts)


@pytest.fixture
def meanwhile() -> Meanwhile:
    return Meanwhile()


@pytest.fixture
def busy(tmp_path, meanwhile) -> Iterator[Workspace]:
    """A workspace in which something may happen while a file is read, split or embedded."""
    encoder = ActingEncoder(meanwhile=meanwhile)
    store = DuckStore(tmp_path / "busy.duckdb")
    made = Workspace(store, lambda name: encoder, meanwhile.after(split.sentences), meanwhile.after(read.read))
    fill(made)
    yield made
    made.store.close()


JOBS: dict[str, Callable[[Workspace, Meanwhile], object]] = {
    "new text": lambda w, act: w.add([text("a.txt", B + " More.")], drops.SENTENCE, progress=act),
    "new text and sidecar": lambda w, act: w.add(
        [text("a.txt", "Other."), sidecar("a.txt", category="file", year=9)], drops.SENTENCE, progress=act
    ),
    "new sidecar": lambda w, act: w.add([sidecar("a.txt", category="file", year=9)], drops.SENTENCE, progress=act),
    "the same": lambda w, act: w.add([text("a.txt", A)], drops.SENTENCE, progress=act),
    "another index": lambda w, act: w.build(ChunkSettings(2), progress=act),
    "read again": lambda w, act: w.reread(named(w, "a.txt"), ReadSettings(clean=False), act),
    "split again": lambda w, act: w.resplit(SplitSettings(abbreviations=("failed",)), act),
    "fields": lambda w, act: w.enrich(w.enrich_settings(), act),
}


@pytest.mark.parametrize("job", JOBS)
def test_what_is_set_while_a_job_runs_stays_whenever_it_is_set(busy, meanwhile, job):
    at = 0
    while True:
        at += 1
        act = meanwhile.at(at, partial(edit, busy, "a.txt", category=f"set {at}", owner=None))
        JOBS[job](busy, act)
        if act.reports < at:
            break
        found = busy.cells()[named(busy, "a.txt")]
        assert found["category"] == Cell(f"set {at}", f"set {at}", "", edited=True)
        assert found["owner"] == Cell(edited=True)
        meanwhile.at(0, list)
        busy.remove(named(busy, "a.txt"))
        drop(busy, text("a.txt", A), sidecar("a.txt", category="x", year=3, tags=["p"], owner="Al"))
    assert at > 2


@pytest.mark.parametrize("job", ["new text", "new text and sidecar", "new sidecar"])
def test_what_is_taken_back_while_a_job_runs_is_what_the_files_say(busy, meanwhile, job):
    edited = busy.edit({named(busy, "a.txt"): {"category": "mine", "owner": "mine"}})
    JOBS[job](busy, meanwhile.at(2, partial(busy.undo, edited)))
    says = {"new text": ("x", "Al"), "new text and sidecar": ("file", None), "new sidecar": ("file", None)}[job]
    found = busy.document("a.txt").metadata
    assert (found.get("category"), found.get("owner")) == says
    assert not busy.cells()[named(busy, "a.txt")]["category"].edited


@pytest.mark.parametrize("job", ["index", "text"])
def test_a_document_whose_line_is_edited_while_it_is_embedded_waits(busy, meanwhile, job):
    at = 0
    while True:
        at += 1
        act = meanwhile.at(at, partial(edit, busy, "b.txt", category=f"late {at}"))
        if job == "index":
            busy.build(TELLING, progress=act)
        else:
            busy.add([text("b.txt", f"{B} For the {at}th time."), text("c.txt", f"C {at}.")], TELLING, progress=act)
        if act.reports < at:
            break
        hits = busy.search("valve", SearchSettings(k=9), from_json({"category": f"late {at}"}), CATEGORY).hits
        told = {hit.node.context for hit in hits}
        assert told == {f"category: late {at}"} or "b.txt" in waiting(busy)[CATEGORY]
        meanwhile.at(0, list)
        assert busy.build(TELLING).refused == 0
        assert waiting(busy)[CATEGORY] == set()
        hits = busy.search("valve", SearchSettings(k=9), from_json({"category": f"late {at}"}), CATEGORY).hits
        assert {hit.node.context for hit in hits} == {f"category: late {at}"}
        busy.drop_index(busy.index(CATEGORY).id)
    assert at > 2


class Eight:
    """What eight threads do to one workspace, and what went wrong."""

    names = tuple(f"{number}.txt" for number in range(6))

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.wrong: list[object] = []
        workspace.set_field(FieldSpec("n", FieldType.INTEGER))
        for number, name in enumerate(self.names):
            group = ("even", "odd")[number % 2]
            drop(workspace, text(name, f"Pump {number} ran. It stopped."), sidecar(name, group=group, n=number))
        self.ids = {name: named(workspace, name) for name in self.names}

    def guarded(self, work: Callable[[], object]) -> Callable[[], None]:
        def run() -> None:
            try:
                work()
            except BaseException as error:
                self.wrong.append(error)
                raise

        return run

    def edits(self, *mine: str) -> None:
        for turn in range(12):
            step = self.workspace.edit({self.ids[n]: {"tags": [f"{n} {turn}"], "author": n} for n in mine})
            held = {name: self.workspace.document(name).metadata["tags"] for name in mine}
            self.wrong += [(turn, name, tags) for name, tags in held.items() if tags != (f"{name} {turn}",)]
            if turn % 3 == 1:
                self.workspace.undo(step)
                self.workspace.edit({self.ids[name]: {"tags": [f"{name} {turn}"]} for name in mine})

    def types(self) -> None:
        for turn in range(16):
            kind = (FieldType.STRING, FieldType.NUMBER, FieldType.INTEGER, FieldType.STRINGS)[turn % 4]
            with suppress(InvalidRequest):  # documents are being added
                self.workspace.set_field(FieldSpec("n", kind))

    def searches(self, group: str) -> None:
        expected = {name for number, name in enumerate(self.names) if ("even", "odd")[number % 2] == group}
        for _ in range(25):
            result = self.workspace.search("pump ran", SearchSettings(k=50), from_json({"group": group}))
            if {hit.name for hit in result.hits} != expected or result.matching != 6:
                self.wrong.append((group, [hit.name for hit in result.hits], result.matching))
            with suppress(InvalidFilter):  # n holds text at the moment
                found = {info.name for info in self.workspace.documents(from_json({"n": 3}))}
                if found != {"3.txt"}:
                    self.wrong.append(found)

    def ingest(self) -> None:
        for turn in range(5):
            pump = text("5.txt", f"Pump 5 ran {turn} times. It stopped.")
            drop(self.workspace, text("new.txt", f"Valve {turn} held."), pump)


def test_edits_types_searches_and_an_ingest_in_eight_threads_give_no_wrong_answer(workspace):
    every = Eight(workspace)
    work = (
        partial(every.edits, "0.txt", "1.txt"), partial(every.edits, "2.txt"), partial(every.edits, "5.txt"), every.types,
        partial(every.searches, "even"), partial(every.searches, "odd"), every.ingest, lambda: [workspace.cells() for _ in range(30)],
    )  # fmt: skip
    threads = [Thread(target=every.guarded(each), daemon=True) for each in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)
    assert every.wrong == []
    for name in ("0.txt", "1.txt", "2.txt", "5.txt"):
        assert workspace.document(name).metadata["tags"] == (f"{name} 11",)
    workspace.set_field(FieldSpec("n", FieldType.INTEGER))
    assert [workspace.document(name).metadata["n"] for name in every.names] == list(range(6))
    drops.assert_whole(workspace)
