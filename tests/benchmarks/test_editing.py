"""What editing metadata costs with 10,000 documents: time, and growth of the file beside its vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import numpy as np
import pytest

from core import embed
from core.filters import FieldType
from core.ingest import Upload
from core.metadata.fixes import MapValues
from core.settings import ChunkSettings
from core.store.duckdb import DuckStore, file
from core.types import FieldSpec
from core.workspace import Workspace
from tests.benchmarks.test_ingest import NullEncoder
from tests.made import embedded, record

DOCUMENTS, NODES = 10_000, 10
ROWS = 500  # of a table that comes again


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """10,000 documents of ten nodes each: 100,000 vectors of 384 numbers. It takes some minutes to make."""
    store = DuckStore(tmp_path_factory.mktemp("editing") / "w.duckdb")
    workspace = Workspace(store, lambda name: NullEncoder())
    workspace.set_field(FieldSpec("owner", FieldType.STRING))
    index = store.create_index(ChunkSettings(), NullEncoder.info)
    rng = np.random.default_rng(0)
    for number in range(DOCUMENTS):
        told = {"tags": ("a", f"t{number % 7}"), "category": f"c{number % 5}", "owner": f"o{number % 50}"}
        made = record(f"f/{number}.txt", [f"Document {number} says {n}." for n in range(NODES)], told)
        store.put(made, index, embedded(made, rng.normal(size=(NODES, 384)).astype(np.float32)))
    yield workspace
    store.close()


def size(workspace: Workspace) -> float:
    """Megabytes of the file that are in use, once all is written."""
    cursor = file.cursor(workspace.store._connection)  # type: ignore[attr-defined]
    cursor.execute(f"CHECKPOINT {file.DATABASE}")
    ((blocks, block),) = cursor.execute(
        "SELECT used_blocks, block_size FROM pragma_database_size() WHERE database_name = ?", [file.DATABASE]
    ).fetchall()
    return blocks * block / 1e6


def measured(benchmark, workspace: Workspace, work: Callable[[], object], rounds: int = 5) -> None:
    before = size(workspace)
    benchmark.pedantic(work, rounds=rounds, warmup_rounds=0)
    benchmark.extra_info.update({"file, MB": round(before), "grown by MB": round(size(workspace) - before, 1)})
    print(benchmark.extra_info)


def test_the_tags_of_every_document(benchmark, filled: Workspace) -> None:
    """The aim: under 2 s, and the file grows by no more than the edit."""
    ids, turn = [info.id for info in filled.documents()], count()
    measured(benchmark, filled, lambda: filled.edit({doc_id: {"tags": ["new", f"{next(turn)}"]} for doc_id in ids}))


def test_taking_that_back(benchmark, filled: Workspace) -> None:
    ids = [info.id for info in filled.documents()]
    edited = filled.edit({doc_id: {"tags": ["undone"]} for doc_id in ids})
    measured(benchmark, filled, lambda: filled.undo(edited))


def test_three_fields_of_every_document(benchmark, filled: Workspace) -> None:
    ids, turn = [info.id for info in filled.documents()], count()

    def edit() -> None:
        number = next(turn)
        filled.edit({doc_id: {"tags": [f"{number}"], "category": f"{number}", "owner": f"{number}"} for doc_id in ids})

    measured(benchmark, filled, edit)


def test_one_cell(benchmark, filled: Workspace) -> None:
    doc_id, turn = filled.documents()[0].id, count()
    measured(benchmark, filled, lambda: filled.edit({doc_id: {"category": f"{next(turn)}"}}), 20)


def test_a_change_of_type(benchmark, filled: Workspace) -> None:
    kinds = (FieldType.STRINGS, FieldType.STRING)
    turn = count()
    measured(benchmark, filled, lambda: filled.set_field(FieldSpec("owner", kinds[next(turn) % 2])))


def test_a_fix_of_every_document(benchmark, filled: Workspace) -> None:
    ids = [info.id for info in filled.documents()]
    filled.edit({doc_id: {"category": "0"} for doc_id in ids})
    turn = count()

    def fix() -> None:
        number = next(turn)
        filled.fix([MapValues("category", {f"{number}": f"{number + 1}"})])

    measured(benchmark, filled, fix)


def test_the_linter_over_every_document(benchmark, filled: Workspace) -> None:
    benchmark.pedantic(filled.lint, rounds=3)


def test_a_table_about_documents_that_are_there(benchmark, filled: Workspace) -> None:
    """500 rows; the time for each is the same for 10,000."""
    turn = count()
    names = [info.name for info in filled.documents()[:ROWS]]

    def add() -> None:
        rows = "".join(f"{name},{next(turn)}\n" for name in names)
        filled.add([Upload("metadata.csv", f"file,category\n{rows}".encode())], ChunkSettings(), embed.BUNDLED)

    measured(benchmark, filled, add, 2)
