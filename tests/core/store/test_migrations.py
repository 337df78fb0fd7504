"""A workspace written by an older version opens, keeps what it held, and can be worked with."""

from __future__ import annotations

import gzip
from pathlib import Path

import duckdb
import pytest

from core.filters import EVERYTHING, Condition, FieldType, Op
from core.ingest import Status, Upload
from core.settings import ChunkSettings, ReadSettings, SearchSettings
from core.store.base import Cell
from core.store.duckdb import DuckStore, file
from core.types import FieldSpec, Reading
from core.workspace import Workspace
from tests.fakes import BagEncoder

OLD = sorted((Path(__file__).parent / "workspaces").glob("format-*.duckdb.gz"))


@pytest.fixture(params=OLD, ids=lambda path: path.name)
def old(request, tmp_path):
    """A copy of a workspace of an older format."""
    path = tmp_path / "old.duckdb"
    path.write_bytes(gzip.decompress(request.param.read_bytes()))
    return path


def test_there_is_a_workspace_of_every_older_format():
    assert len(OLD) == file.FORMAT_VERSION - 1


def test_what_an_older_workspace_held_is_there(old):
    store = DuckStore(old)
    opened = Workspace(store, lambda name: BagEncoder())
    names = {info.name: info for info in opened.documents()}
    assert set(names) == {"a.md", "b.txt"}
    assert names["a.md"].metadata == {"category": "legal", "tags": ("x",), "year": 2023}
    assert names["b.txt"].reading == Reading()
    assert names["b.txt"].reading.settings == ReadSettings()
    assert store.passage(names["b.txt"].id).document.text == "Café. Ünï."
    assert not any(s.hard for s in store.passage(names["a.md"].id).sentences)
    assert opened.count(EVERYTHING) == (7, 7)
    found = opened.search("another one", SearchSettings(k=1), Condition("category", Op.EQ, "legal"))
    assert found.hits[0].text == "Another one."
    assert store.cells(field="year")[names["a.md"].id]["year"] == Cell(2023, 2023)
    assert opened.set_field(FieldSpec("year", FieldType.STRING)) == 0
    assert opened.document("a.md").metadata["year"] == "2023"
    store.close()


def test_an_older_workspace_takes_new_documents_and_stays_of_the_new_format(old):
    store = DuckStore(old)
    opened = Workspace(store, lambda name: BagEncoder())
    (result,) = opened.add([Upload("c.md", b"| a | b |\n|---|---|\n| 1 | 2 |")], ChunkSettings())
    assert (result.status, result.nodes) == (Status.ADDED, 1)
    assert opened.reread(opened.document("b.txt").id, ReadSettings(language="fr")).status is Status.REPLACED
    store.close()
    again = DuckStore(old)
    assert len(again.documents()) == 3
    assert again._connection.execute("SELECT format_version FROM workspace").fetchall() == [(file.FORMAT_VERSION,)]
    again.close()


def test_a_migration_that_fails_leaves_the_file_as_it_was(old, monkeypatch):
    last = file.FORMAT_VERSION - 1
    monkeypatch.setitem(file._MIGRATIONS, last, f"{file._MIGRATIONS[last]} SELECT nothing_of_that_name")
    with pytest.raises(duckdb.Error):
        DuckStore(old)
    monkeypatch.undo()
    store = DuckStore(old)
    assert len(store.documents()) == 2
    store.close()
