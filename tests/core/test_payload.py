"""Values as JSON, the same on the command line and over HTTP."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from core import payload
from core.errors import NotFound
from core.ingest import Upload
from core.settings import ChunkSettings, SearchSettings
from core.tokens import Counted
from tests.core.drops import drop, sidecar, text

TEXT = "🚀 The pump failed. Café stayed open. The end."


@pytest.fixture
def filled(workspace):
    drop(
        workspace, text("a.txt", TEXT), sidecar("a.txt", tags=["x", "y"], published_at="2026-03-12T10:00:00+02:00", n=3)
    )
    return workspace


def test_every_payload_is_json_and_the_same_after_a_round_trip(filled):
    (info,) = filled.documents()
    found = filled.search("pump", SearchSettings())
    gold = filled.read_gold(b'{"question": "Pump?", "references": [{"document": "a.txt", "content": "The end."}]}')
    for value in (
        payload.search(found),
        payload.document(info),
        payload.index(filled.index()),
        payload.report(filled.evaluate(gold, 5, [1])[0]),
        *(payload.file(result) for result in filled.add([Upload("b.txt", b"B.")], ChunkSettings())),
    ):
        assert json.loads(json.dumps(value, allow_nan=False)) == value


def test_times_are_utc_and_lists_are_lists():
    assert payload.jsonable(datetime(2026, 3, 12, 8)) == "2026-03-12T08:00:00Z"
    assert payload.jsonable(("a", ("b",))) == ["a", ["b"]]
    assert payload.jsonable(2.5) == 2.5


def test_a_hits_offsets_slice_its_document(filled):
    body = filled.preview(filled.documents()[0].id, ChunkSettings())[0].document.text
    for hit in map(payload.hit, filled.search("pump", SearchSettings(window=1)).hits):
        assert body[hit["start"] : hit["end"]] == hit["text"]
        assert body[hit["window"]["start"] : hit["window"]["end"]] == hit["window"]["text"]
        assert hit["distance"] == pytest.approx(1 - hit["score"])
        assert hit["metadata"] == {"tags": ["x", "y"], "published_at": "2026-03-12T08:00:00Z", "n": 3}


def test_the_viewers_offsets_are_utf_16_units(filled):
    passage, nodes = filled.preview(filled.documents()[0].id, ChunkSettings(2, 1, 1))
    encoded = TEXT.encode("utf-16-le")

    def cut(start, end):
        return encoded[2 * start : 2 * end].decode("utf-16-le")

    shown = payload.viewer_text(passage, {1: "above › "})
    pairs = list(zip(shown["sentences"][::2], shown["sentences"][1::2], strict=True))
    assert [cut(*pair) for pair in pairs] == ["🚀 The pump failed.", "Café stayed open.", "The end."]
    kind, start, end, page, above = shown["blocks"]
    assert (shown["kinds"][kind], cut(start, end), page, above) == ("paragraph", TEXT, 0, 0)
    assert (shown["text"], shown["prefixes"], shown["hard"]) == (TEXT, {1: "above › "}, [])

    flat = payload.viewer_nodes(passage.document, nodes, {1: "a summary"})
    rows = [flat["nodes"][at : at + 6] for at in range(0, len(flat["nodes"]), 6)]
    assert [(cut(r[0], r[1]), r[2], r[3], cut(r[4], r[5])) for r in rows] == [
        ("🚀 The pump failed. Café stayed open.", 0, 1, TEXT), ("Café stayed open. The end.", 1, 2, TEXT),
    ]  # fmt: skip
    assert flat["embedded"] == {1: "a summary"}

    told = payload.viewer_tokens(passage.document, Counted([4, 3, 2], 2, [9, 7], [9, 7], {0: 19}), "words", 8)
    assert cut(told["lost"][0], len(encoded) // 2) == "Café stayed open. The end."
    assert told["own"] == [], "as the others are"


def test_a_block_says_how_many_headings_stand_above_it(workspace):
    drop(workspace, text("a.md", "Before.\n\n# A\n\nUnder A.\n\n## B\n\nUnder B.\n\n# C\n"))
    passage, _ = workspace.preview(workspace.documents()[0].id, ChunkSettings())
    shown = payload.viewer_text(passage, {})
    rows = [shown["blocks"][at : at + 5] for at in range(0, len(shown["blocks"]), 5)]
    assert [(shown["kinds"][row[0]], shown["text"][row[1] : row[2]], row[4]) for row in rows] == [
        ("paragraph", "Before.", 0), ("heading", "# A", 0), ("paragraph", "Under A.", 1), ("heading", "## B", 1),
        ("paragraph", "Under B.", 2), ("heading", "# C", 0),
    ]  # fmt: skip


def test_a_report_names_what_was_asked_and_found(filled):
    gold = filled.read_gold(
        b'{"question": "Pump?", "references": [{"document": "a.txt", "content": "The end."}], "filter": {"n": 4}}'
    )
    found = payload.report(filled.evaluate(gold, 5, [1])[0])
    assert set(found["metrics"]) == {
        "hit_rate",
        "mrr",
        "recall",
        "span_recall",
        "span_precision",
        "span_iou",
        "tokens_returned",
    }
    assert found["metrics"]["hit_rate"] == 0
    (question,) = found["questions"]
    assert question["question"] == "Pump?"
    with pytest.raises(NotFound):
        filled.document("b.txt")
