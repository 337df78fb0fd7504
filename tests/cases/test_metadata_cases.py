"""Faults of other tools that keep metadata, each as a promise that ours does not have it."""

from __future__ import annotations

import json

from core.filters import EVERYTHING, All, Condition, Op, from_json
from core.ingest import Status, Upload
from core.settings import SearchSettings
from core.store.duckdb import file
from core.workspace import Workspace
from tests.conftest import CASE_INPUTS
from tests.made import SENTENCES


def rows_of_every_table(workspace: Workspace) -> dict[str, int]:
    cursor = file.cursor(workspace.store._connection)
    names = [row[0] for row in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
    return {name: cursor.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0] for name in names}


def test_every_odd_key_is_kept_and_filtered_by_and_none_reaches_the_sql(workspace: Workspace):
    """M08"""
    (given,) = json.loads((CASE_INPUTS / "meta_odd_keys.json").read_text())
    assert len(given) == 17
    results = workspace.add(
        [
            Upload("a.txt", b"The pump is loud."),
            Upload("a.txt.meta.json", json.dumps(given).encode()),
            Upload("b.txt", b"Cats sleep."),
        ],
        SENTENCES,
    )
    assert [r.status for r in results] == [Status.ADDED, Status.ADDED]
    expected = {**given, "a": '{"b": 7}'}
    info = workspace.document("a.txt")
    assert info.metadata == expected
    assert set(given) <= {field.name for field in workspace.store.metadata_fields()}
    before = rows_of_every_table(workspace)
    for key, value in expected.items():
        for where in (Condition(key, Op.EQ, value), from_json(json.loads(json.dumps({key: value})))):
            assert [d.name for d in workspace.documents(where)] == ["a.txt"], key
            hits = workspace.search("cats", SearchSettings(k=5), where).hits
            assert [hit.name for hit in hits] == ["a.txt"], key
        assert [d.name for d in workspace.documents(Condition(key, Op.NE, value))] == ["b.txt"], key
        assert workspace.store.values(key, 5) == [(value, 1)], key
    together = All(tuple(Condition(key, Op.EQ, value) for key, value in expected.items()))
    assert workspace.count(together) == (1, 2)
    assert rows_of_every_table(workspace) == before

    # the store's own columns are untouched by keys of the same name
    assert (info.id, info.name) == (workspace.documents()[0].id, "a.txt")
    assert workspace.store.passage(info.id).document.text == "The pump is loud."
    assert workspace.search("pump", SearchSettings(k=1), EVERYTHING).hits[0].text == "The pump is loud."


def test_only_reserved_keys_are_refused_and_the_reason_is_told(workspace: Workspace):
    """M08"""
    for key in ("doc_id", "revision", "ordinal", "start", "end", "page", "kind"):
        results = workspace.add(
            [
                Upload("a.txt", b"The pump is loud."),
                Upload("a.txt.meta.json", json.dumps({key: 1, "fine": 2}).encode()),
            ],
            SENTENCES,
        )
        (result,) = results
        assert result.status is Status.FAILED, key
        assert f"a.txt.meta.json: {key!r} is set by the system" in result.reason
    assert workspace.documents() == []
    assert "fine" not in workspace.store.schema()
