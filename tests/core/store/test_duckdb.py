"""The DuckDB store keeps the contract, and what is particular to a file that one process holds."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import duckdb
import numpy as np
import pytest

from core.boosts import Boost
from core.errors import WorkspaceInUse, WorkspaceUnusable
from core.filters import EVERYTHING, Any, Condition, FieldType, Op
from core.store.duckdb import DuckStore, file
from core.store.duckdb.file import FORMAT_VERSION
from tests.core.store.contract import Reopen, StoreContract, X
from tests.made import MODEL, SENTENCES, fields, put
from tests.processes import python


@pytest.fixture
def reopen(tmp_path: Path) -> Iterator[Reopen]:
    held: list[DuckStore] = []

    def again() -> DuckStore:
        while held:
            held.pop().close()
        held.append(DuckStore(tmp_path / "w.duckdb"))
        return held[0]

    yield again
    while held:
        held.pop().close()


class TestDuckStore(StoreContract):
    """All of the contract."""


def plan(store: DuckStore, outcome) -> str:
    cursor = file.cursor(store._connection)
    return cursor.execute(f"EXPLAIN {outcome.sql}", list(outcome.params)).fetchall()[0][1]


class TestPlan:
    """The statement that is shown is the one that ran, and it filters before it ranks."""

    @pytest.fixture
    def store(self, reopen: Reopen) -> DuckStore:
        store = reopen()
        store.add_fields(fields(year=FieldType.INTEGER))
        index = store.create_index(SENTENCES, MODEL)
        rng = np.random.default_rng(0)
        for i in range(20):
            put(store, index, f"{i}.txt", rng.normal(size=(50, 3)), {"year": i})
        return store

    def test_a_filter_on_documents_is_a_semi_join_below_the_ranking(self, store: DuckStore):
        outcome = store.search(store.indexes()[0], X, Condition("year", Op.EQ, 3), 5, None)
        shown = plan(store, outcome)
        assert shown.index("Top N") < shown.index("Join Type: SEMI") < shown.index("Table: w.main.documents")
        assert re.search(r"year = 3", shown[shown.index("Table: w.main.documents") :])
        assert "Filter" not in shown[: shown.index("Top N")]

    def test_a_filter_on_nodes_is_applied_in_their_scan(self, store: DuckStore):
        outcome = store.search(store.indexes()[0], X, Condition("ordinal", Op.LT, 3), 5, None)
        shown = plan(store, outcome)
        assert shown.index("Top N") < shown.index("Table: w.main.nodes_1") < shown.index("ordinal < 3")
        assert "documents" not in shown

    def test_the_score_limit_stays_above_the_ranking(self, store: DuckStore):
        outcome = store.search(store.indexes()[0], X, Condition("year", Op.EQ, 3), 5, 0.5)
        shown = plan(store, outcome)
        assert shown.index("score AS DOUBLE) >= 0.5") < shown.index("Top N") < shown.index("Join Type: SEMI")

    def test_no_filter_joins_nothing(self, store: DuckStore):
        shown = plan(store, store.search(store.indexes()[0], X, EVERYTHING, 5, None))
        assert "documents" not in shown

    def test_the_shown_statement_gives_the_hits(self, store: DuckStore):
        outcome = store.search(
            store.indexes()[0], X, Any((Condition("year", Op.IN, (3, 4)), Condition("ordinal", Op.EQ, 0))), 7, 0.1
        )
        found = file.cursor(store._connection).execute(outcome.sql, list(outcome.params)).fetchall()
        assert [row[-1] for row in found] == [f.score for f in outcome.found]
        assert len(found) == 7

    def test_boosts_are_one_statement_that_filters_before_it_ranks_and_the_shown_one_gives_the_hits(
        self, store: DuckStore
    ):
        boosts = (Boost(Condition("year", Op.EQ, 3), 2), Boost(Condition("ordinal", Op.LT, 9), 0.9))
        outcome = store.search(store.indexes()[0], X, Condition("year", Op.IN, (3, 4)), 5, 0.1, boosts)
        shown = plan(store, outcome)
        below = shown[shown.index("Top N") :]
        assert below.index("Join Type: SEMI") < below.index("Table: w.main.documents")
        found = file.cursor(store._connection).execute(outcome.sql, list(outcome.params)).fetchall()
        assert [row[-1] for row in found] == [f.score for f in outcome.found]
        assert len(found) == 5

    def test_an_experts_condition_is_no_part_of_the_statement(self, store: DuckStore):
        outcome = store.search(store.indexes()[0], X, EVERYTHING, 5, None, (), "year = 3 AND 'evil' != kind")
        assert "evil" not in outcome.sql
        assert "evil" not in str(outcome.params)
        assert {f.info.metadata["year"] for f in outcome.found} == {3}

    def test_values_are_bound_and_never_part_of_the_statement(self, store: DuckStore):
        store.add_fields(fields(title=FieldType.STRING))
        evil = "x'); DROP TABLE documents; --"
        outcome = store.search(store.indexes()[0], X, Condition("title", Op.EQ, evil), 5, None)
        assert "DROP" not in outcome.sql
        assert evil in outcome.params
        assert len(store.documents()) == 20


def test_a_filter_of_thousands_of_parts_is_answered(reopen: Reopen):
    store = reopen()
    store.add_fields(fields(n=FieldType.INTEGER))
    index = store.create_index(SENTENCES, MODEL)
    put(store, index, "a.txt", [X], {"n": 1999})
    where = Any(tuple(Condition("n", Op.EQ, i) for i in range(2000)))
    assert store.count(index, where) == (1, 1)


# ── files that are no workspace ──────────────────────────────────────────────────────────────────


def digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def test_a_newer_format_is_refused_and_the_file_left_as_it_was(tmp_path: Path):
    path = tmp_path / "w.duckdb"
    DuckStore(path).close()
    with duckdb.connect(path) as connection:
        connection.execute("UPDATE workspace SET format_version = ?", [FORMAT_VERSION + 1])
    before = digest(path)
    with pytest.raises(WorkspaceUnusable, match=rf"newer version \(format {FORMAT_VERSION + 1}.*Update Chunkscope"):
        DuckStore(path)
    assert digest(path) == before
    assert [p.name for p in tmp_path.iterdir()] == ["w.duckdb"]


@pytest.mark.parametrize("name", ["notes.duckdb", "blocks.duckdb"])
def test_a_file_that_is_no_database_is_refused_and_left_as_it_was(tmp_path: Path, name: str):
    path = tmp_path / name
    path.write_bytes(b"Minutes of the meeting. " * 1000)
    before = digest(path)
    with pytest.raises(WorkspaceUnusable, match=f"{name} is not a workspace"):
        DuckStore(path)
    assert digest(path) == before


@pytest.mark.parametrize("table", ["t (a INTEGER)", "workspace (a INTEGER)"])
def test_another_programs_database_is_refused_and_left_as_it_was(tmp_path: Path, table: str):
    path = tmp_path / "theirs.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute(f"CREATE TABLE {table}")
    before = digest(path)
    with pytest.raises(WorkspaceUnusable, match=r"is a DuckDB file, but not a workspace"):
        DuckStore(path)
    assert digest(path) == before


def test_a_database_cut_short_is_refused_in_words(tmp_path: Path):
    path = tmp_path / "w.duckdb"
    DuckStore(path).close()
    path.write_bytes(path.read_bytes()[:14_000])
    with pytest.raises(WorkspaceUnusable, match="cannot be opened"):
        DuckStore(path)


def test_a_path_that_cannot_be_made_is_refused_in_words(tmp_path: Path):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.duckdb").mkdir()
    for path in (tmp_path / "file" / "w.duckdb", tmp_path / "folder.duckdb"):
        with pytest.raises(WorkspaceUnusable, match=re.escape(str(path))):
            DuckStore(path)


def test_folders_on_the_way_are_made(tmp_path: Path):
    DuckStore(tmp_path / "a" / "b" / "w.duckdb").close()
    assert (tmp_path / "a" / "b" / "w.duckdb").is_file()


# ── one process holds the file ───────────────────────────────────────────────────────────────────


HOLD = """
import sys, time
from pathlib import Path
from core.store.duckdb import DuckStore
store = DuckStore(Path(sys.argv[1]))
if sys.argv[2]:
    store.publish_address(sys.argv[2])
print("open", flush=True)
sys.stdin.read()
time.sleep(60)
"""


@pytest.mark.parametrize("address", ["", "http://127.0.0.1:8501"])
def test_a_second_process_is_told_which_one_holds_the_file(tmp_path: Path, address: str):
    path = tmp_path / "w.duckdb"
    holder = python(HOLD, path, address)
    try:
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(WorkspaceInUse) as refused:
            DuckStore(path)
        assert f"{path} is in use by process {holder.pid}" in refused.value.what
        assert (f"at {address}" in refused.value.what) == bool(address)
        assert f"kill {holder.pid}" in refused.value.do
        assert "--workspace" in refused.value.do
        assert holder.poll() is None
        assert json.loads((tmp_path / "w.duckdb.holder").read_text())["pid"] == holder.pid
    finally:
        holder.kill()
        holder.communicate()
    DuckStore(path).close()


def test_the_note_beside_the_file_goes_with_the_store(tmp_path: Path):
    store = DuckStore(tmp_path / "w.duckdb")
    store.publish_address("http://127.0.0.1:8501")
    note = tmp_path / "w.duckdb.holder"
    assert json.loads(note.read_text()) == {"pid": os.getpid(), "address": "http://127.0.0.1:8501"}
    store.close()
    assert not note.exists()


INGEST = """
import sys
from pathlib import Path
import numpy as np
from core.store.duckdb import DuckStore
from tests.made import MODEL, SENTENCES, put
store = DuckStore(Path(sys.argv[1]))
index = store.create_index(SENTENCES, MODEL)
rng = np.random.default_rng(0)
for number in range(10_000):
    put(store, index, f"{number}.txt", rng.normal(size=(100, 3)))
    print(number, flush=True)
"""


def test_a_killed_ingest_leaves_whole_documents_and_a_file_that_opens(tmp_path: Path):
    path = tmp_path / "w.duckdb"
    ingest = python(INGEST, path)
    told = [int(ingest.stdout.readline()) for _ in range(12)]
    ingest.send_signal(signal.SIGKILL)
    told += [int(line) for line in ingest.communicate()[0].split()]
    assert ingest.returncode == -signal.SIGKILL
    store = DuckStore(path)
    try:
        (index,) = store.indexes()
        names = {info.name for info in store.documents()}
        assert {f"{number}.txt" for number in told} <= names
        assert len(names) <= len(told) + 1
        assert set(store.node_counts(index).values()) == {100}
        assert index.nodes == 100 * index.documents == 100 * len(names)
        for info in store.documents():
            assert len(store.passage(info.id).sentences) == 100
        put(store, index, "after.txt", [X])
        assert store.search(index, X, EVERYTHING, 1, None).found[0].info.name == "after.txt"
    finally:
        store.close()


def test_a_file_opened_twice_in_one_process_is_one_database(tmp_path: Path):
    """A hot reload forgets what is open; the lock on the file keeps other processes out, but not ourselves."""
    first, second = DuckStore(tmp_path / "it's.duckdb"), DuckStore(tmp_path / "it's.duckdb")
    put(first, first.create_index(SENTENCES, MODEL), "a.txt", [X])
    assert [info.name for info in second.documents()] == ["a.txt"]
    assert [info.id for info in second.documents()] == [info.id for info in first.documents()]
    first.close()
    assert len(second.documents()) == 1
    second.close()
