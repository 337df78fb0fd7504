"""A process that is killed while it changes metadata leaves the last committed state, and a file that opens."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from core.filters import FieldType
from core.ingest import Upload
from core.metadata import SetType
from core.metadata.fixes import MapValues, RenameKey
from core.settings import ChunkSettings, SearchSettings
from core.store.duckdb import DuckStore
from core.types import FieldSpec
from core.workspace import Workspace
from tests.core.drops import sidecar, text
from tests.fakes import BagEncoder
from tests.processes import python

KILLED = """
import os, signal, sys
from pathlib import Path
from core.store.duckdb import DuckStore, file
from core.workspace import Workspace
from tests.core import test_killed
from tests.fakes import BagEncoder

left, cursor = 0, file.cursor

class Dying:
    def __init__(self, inner):
        self.inner = inner
    def __getattr__(self, name):
        found = getattr(self.inner, name)
        return self.counted(found) if name in ("execute", "commit", "begin") else found
    def counted(self, ask):
        def asked(*arguments):
            global left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return ask(*arguments)
        return asked

def die(path, change, point):
    global left
    workspace = Workspace(DuckStore(Path(path)), lambda name: BagEncoder())
    left = int(point)
    file.cursor = lambda connection: Dying(cursor(connection))
    test_killed.CHANGES[change](workspace)

change, *points = sys.argv[2:]
for point in points:
    child = os.fork()
    if not child:
        die(f"{sys.argv[1]}/{point}.duckdb", change, point)
        os._exit(0)
    print(point, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Nothing of DuckDB runs before the fork: each process opens a file of its own."""

CHANGES: dict[str, Callable[[Workspace], object]] = {
    "a type": lambda w: w.set_field(FieldSpec("year", FieldType.STRINGS, default=("none",))),
    "a bulk edit": lambda w: w.edit({info.id: {"tags": ["new"], "category": "new", "year": 1} for info in w.documents()}),
    "fixes": lambda w: w.fix([RenameKey("category", "sort"), MapValues("sort", {"c1": "C1"}), SetType("year", FieldType.STRING)]),
    "an ingest": lambda w: w.add(
        [
            upload
            for n in range(4)
            for upload in (text(f"{n}.txt", f"New text {n}."), sidecar(f"{n}.txt", **{"year": n, f"fresh {n}": n, "more": [n]}))
        ],
        ChunkSettings(),
    ),
    "a table": lambda w: w.add([Upload("metadata.csv", b"file,year,fresh\n0.txt,7,f\n1.txt,8,g\n2.txt,9,h\n")], ChunkSettings()),
}  # fmt: skip
POINTS = (2, 5, 9, 14, 20, 27, 35, 44, 60, 80, 110, 150)
"""At which of its statements the process is killed."""


def state(workspace: Workspace) -> dict[str, tuple[object, ...]]:
    """Each document whole, with its fields."""
    return {
        info.name: (
            info.revision,
            tuple(sorted(info.metadata.items())),
            repr(sorted(workspace.cells()[info.id].items())),
        )
        for info in workspace.documents()
    }


def opened(path: Path) -> Workspace:
    return Workspace(DuckStore(path), lambda name: BagEncoder())


def prepared(path: Path) -> dict[str, tuple[object, ...]]:
    """A file with 12 documents that have metadata."""
    made = opened(path)
    uploads = [
        upload
        for n in range(12)
        for upload in (
            text(f"{n}.txt", f"Old text {n}."),
            sidecar(f"{n}.txt", category=f"c{n % 3}", year=2000 + n, tags=["old"]),
        )
    ]
    made.add(uploads, ChunkSettings())
    before = state(made)
    made.store.close()
    return before


@pytest.mark.parametrize("change", CHANGES)
def test_a_process_killed_anywhere_leaves_the_last_committed_state_and_a_file_that_opens(tmp_path, change):
    before = prepared(tmp_path / "w.duckdb")
    shutil.copy(tmp_path / "w.duckdb", tmp_path / "whole.duckdb")
    whole = opened(tmp_path / "whole.duckdb")
    CHANGES[change](whole)
    after, fields = state(whole), whole.fields()
    whole.store.close()
    assert after != before

    statuses = killed(tmp_path, change, POINTS)
    for point, status in statuses.items():
        found = opened(tmp_path / f"{point}.duckdb")
        now = state(found)
        if change in ("a type", "a bulk edit"):
            assert now in (before, after), point
        elif change == "fixes":
            assert all_or_none(now), point
        else:
            assert all(now[name] in (before[name], after[name]) for name in now), point
        assert now.keys() == before.keys() == after.keys()
        assert (status == 0) <= (now == after)
        assert {spec.name for spec in found.fields()} <= {spec.name for spec in fields}
        assert found.search("text", SearchSettings(k=50)).total == 12
        CHANGES[change](found)
        assert {name: told[:2] for name, told in state(found).items()} == {n: told[:2] for n, told in after.items()}
        found.store.close()
    assert list(statuses.values()).count(-signal.SIGKILL) > 4


def killed(folder: Path, change: str, points: Sequence[int]) -> dict[int, int]:
    """Change a copy of the file for each point in a process that is killed there; how each process ended."""
    for point in points:
        shutil.copy(folder / "w.duckdb", folder / f"{point}.duckdb")
    run = python(KILLED, folder, change, *points)
    told, errors = run.communicate(timeout=240)
    assert run.returncode == 0, errors
    pairs = (line.split() for line in told.splitlines())
    found = {int(point): int(status) for point, status in pairs}
    assert set(found.values()) <= {-signal.SIGKILL, 0}, errors
    return found


def all_or_none(now: Mapping[str, tuple[object, ...]]) -> bool:
    """Types are set before values: all documents are fixed or none is."""
    return len({"sort" in dict(told[1]) for told in now.values()}) == 1  # type: ignore[call-overload]


def test_the_kill_is_felt(tmp_path):
    """What the test above hangs on: a process is killed at its last statement, and at none beyond it."""
    prepared(tmp_path / "w.duckdb")
    statuses = killed(tmp_path, "a bulk edit", range(2, 110, 9))
    assert -signal.SIGKILL in statuses.values()
    assert 0 in statuses.values()
    ends = [statuses[point] for point in sorted(statuses)]
    assert ends == sorted(ends)
