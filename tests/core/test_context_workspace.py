"""Contextual and plain indexes side by side in one workspace: what is embedded, told, cached and made stale."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import AppError
from core.filters import EVERYTHING, Condition, Op
from core.ingest import Upload
from core.settings import ChunkSettings, ContextSettings, SearchSettings
from core.store.duckdb import DuckStore
from core.workspace import Workspace
from tests.fakes import BagEncoder

PLAIN = ChunkSettings()
TITLED = ChunkSettings(context=ContextSettings(fields=("author",)))
WRITTEN = ChunkSettings(context=ContextSettings(writer="tiny", base_url="http://localhost:9/v1"))
PUMP = b"# Pump\n\nIt is loud. It is green.\n"


class Talker:
    """A writer that says what it was asked, and counts."""

    def __init__(self):
        self.asked: list[str] = []

    def write(self, prompt):
        self.asked.append(prompt)
        return f"About the pump, part {len(self.asked)}."


@pytest.fixture
def talker():
    return Talker()


@pytest.fixture
def opened(tmp_path: Path, talker):
    encoder = BagEncoder()
    store = DuckStore(tmp_path / "w.duckdb")
    made = Workspace(store, lambda name: encoder, writers=lambda line: talker)
    made.add(
        [Upload("a.md", PUMP), Upload("a.md.meta.json", b'{"author": "Ann"}'), Upload("b.txt", b"Cats sleep.")], PLAIN
    )
    yield made
    store.close()


def test_plain_and_contextual_indexes_stand_side_by_side(opened):
    report = opened.build(TITLED)
    assert (report.index.name, report.index.settings, report.nodes) == (TITLED.name, TITLED, 4)
    assert report.embedded == 4
    plain, contextual = opened.indexes()
    assert plain.settings == PLAIN
    for index, line in ((plain, ""), (contextual, "Pump › author: Ann")):
        (hit,) = opened.search("It is loud.", SearchSettings(k=1), Condition("author", Op.EQ, "Ann"), index.id).hits
        assert (hit.text, hit.node.context) == ("It is loud.", line)
        assert hit.returned.count("author") == 0
        assert opened.node(hit.doc_id, hit.node.ordinal, 1, index.id).node.context == line
    assert opened.build(TITLED).embedded == 0


def test_an_edit_of_a_told_field_makes_its_document_wait_in_the_index_that_tells_it_and_stays_findable(opened):
    opened.build(TITLED)
    info = opened.document("a.md")
    edited = opened.edit({info.id: {"author": "Bob"}})
    assert [index.documents for index in opened.indexes()] == [2, 1]
    assert opened.count(EVERYTHING, TITLED.name) == (4, 4)
    assert opened.cost(TITLED).new == 3
    assert opened.cost(PLAIN).documents == 0
    assert opened.build(TITLED).embedded == 3
    (hit,) = opened.search("It is loud.", SearchSettings(k=1), EVERYTHING, TITLED.name).hits
    assert hit.node.context == "Pump › author: Bob"
    opened.undo(edited)
    assert opened.cost(TITLED).documents == 1
    opened.edit({info.id: {"category": "machines"}})
    opened.build(TITLED)
    assert opened.cost(TITLED).documents == 0


def test_a_new_sidecar_is_told_at_once_in_the_index_that_documents_are_added_to(opened):
    opened.build(TITLED)
    (result,) = opened.add([Upload("a.md.meta.json", b'{"author": "Cid"}')], TITLED)
    assert result.status == "updated"
    assert [index.documents for index in opened.indexes()] == [2, 2]
    (hit,) = opened.search("It is loud.", SearchSettings(k=1), EVERYTHING, TITLED.name).hits
    assert hit.node.context == "Pump › author: Cid"


def test_a_written_line_is_asked_for_once_and_kept(opened, talker):
    cost = opened.writing_cost(WRITTEN)
    assert (cost.nodes, cost.cached, cost.requests) == (4, 0, 4)
    assert talker.asked == []
    opened.build(WRITTEN)
    assert len(talker.asked) == 4
    assert opened.writing_cost(WRITTEN).requests == 0
    index = opened.index(WRITTEN.name)
    opened.drop_index(index.id)
    assert opened.build(WRITTEN).nodes == 4
    assert len(talker.asked) == 4
    (hit,) = opened.search("It is loud.", SearchSettings(k=1), EVERYTHING, WRITTEN.name).hits
    assert hit.node.context.startswith("About the pump, part ")
    assert hit.text == "It is loud."


def test_a_preview_sends_nothing_and_shows_what_is_written(opened, talker):
    info = opened.document("a.md")
    assert {node.context for node in opened.preview(info.id, WRITTEN)[1]} == {""}
    assert talker.asked == []
    opened.build(WRITTEN)
    assert all(node.context for node in opened.preview(info.id, WRITTEN)[1])


def test_no_key_is_kept_in_the_workspace(tmp_path, monkeypatch):
    monkeypatch.setenv("CHUNKSCOPE_API_KEY", "sk-very-secret-0123456789")
    path = tmp_path / "w.duckdb"
    store = DuckStore(path)
    encoder = BagEncoder()
    opened = Workspace(store, lambda name: encoder)
    opened.add([Upload("a.txt", b"One. Two.")], PLAIN)
    pytest.importorskip("openai")
    with pytest.raises(AppError, match="localhost:9"):
        opened.build(WRITTEN)
    store.close()
    assert all(b"sk-very-secret" not in held.read_bytes() for held in tmp_path.iterdir())


def test_the_settings_of_a_contextual_index_come_back_as_they_were(opened, tmp_path):
    opened.build(TITLED)
    opened.build(WRITTEN)
    assert [index.settings for index in opened.store.indexes()] == [PLAIN, TITLED, WRITTEN]
    assert json.loads(WRITTEN.to_json())["context"]["writer"] == "tiny"
