"""Gold files are read with their spans checked, or refused with the line."""

from __future__ import annotations

import json

import pytest

from core.errors import InvalidGold
from core.evaluate.gold import Reference
from core.filters import EVERYTHING, from_json
from core.ingest import Upload
from core.settings import ChunkSettings
from core.types import Span
from tests.core.drops import drop, sidecar, text

DOCUMENT = "Yes. The 👩‍🔧 pump failed\u2028at noon. Yes."
FAILED = "The 👩‍🔧 pump failed\u2028at noon."


@pytest.fixture
def filled(workspace):
    drop(
        workspace,
        text("a.txt", DOCUMENT),
        text("copy.txt", DOCUMENT),
        sidecar("a.txt", year=1),
        sidecar("copy.txt", year=1),
    )
    return workspace


def line(*references, question="When did it fail?", **more):
    return json.dumps({"question": question, "references": list(references), **more}, ensure_ascii=False)


def refused(workspace, *lines):
    with pytest.raises(InvalidGold) as caught:
        workspace.read_gold("\n".join(lines).encode())
    return str(caught.value)


GOOD = line({"document": "a.txt", "content": FAILED, "start": 5, "end": 5 + len(FAILED)})


def test_a_question_points_into_the_text_by_code_points(filled):
    (question,) = filled.read_gold(GOOD.encode())
    assert question.text == "When did it fail?"
    assert question.filter == EVERYTHING
    (reference,) = question.references
    assert reference == Reference(
        filled.document("a.txt").id, Span(5, 5 + len(FAILED)), filled.document("a.txt").revision
    )
    found = filled.store.passage(reference.doc_id).document.text[reference.span.start : reference.span.end]
    assert found == FAILED


@pytest.mark.parametrize("separator", ["\n", "\r\n", "\n\n \n"])
def test_lines_end_only_at_line_feeds(filled, separator):
    assert "\u2028" in GOOD
    data = ("\ufeff" + separator.join([GOOD, GOOD, ""])).encode()
    assert len(filled.read_gold(data)) == 2


def test_content_alone_is_found_where_it_stands_once(filled):
    (question,) = filled.read_gold(line({"document": "a.txt", "content": "pump"}).encode())
    start = DOCUMENT.index("pump")
    assert question.references[0].span == Span(start, start + 4)


def test_a_document_may_be_named_by_its_alias(filled):
    (question,) = filled.read_gold(line({"document": "copy.txt", "start": 0, "end": 4}).encode())
    assert question.references[0].doc_id == filled.document("a.txt").id


def test_a_question_keeps_its_filter_and_comes_back_from_the_store_as_it_was(filled):
    rows = [line({"document": "a.txt", "start": 0, "end": 4}, filter={"year": 2023}), GOOD]
    questions = filled.read_gold("\n".join(rows).encode())
    assert questions[0].filter == from_json({"year": 2023})
    filled.keep_gold("mine", questions)
    assert filled.gold_sets() == {"mine": questions}
    filled.keep_gold("mine", questions[:1])
    assert filled.gold_sets() == {"mine": questions[:1]}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{", "is no JSON"),
        ("[]", '"question"'),
        ("3", '"question"'),
        (line(question=" "), '"question"'),
        (line(), '"references"'),
        (line({"content": "x"}), '"document"'),
        (line("a.txt"), '"document"'),
        (line({"document": "ghost.txt", "content": "x"}), "ghost.txt"),
        (line({"document": "a.txt", "content": "Yes."}), "stands 2 times"),
        (line({"document": "a.txt", "content": "absent"}), "stands 0 times"),
        (line({"document": "a.txt"}), "does not lie"),
        (line({"document": "a.txt", "start": 3, "end": 3}), "does not lie"),
        (line({"document": "a.txt", "start": -1, "end": 3}), "does not lie"),
        (line({"document": "a.txt", "start": 0, "end": 999}), "does not lie"),
        (line({"document": "a.txt", "start": "0", "end": 3}), "does not lie"),
        (line({"document": "a.txt", "start": 0, "end": 4, "content": "No.."}), "not 'No..'"),
        (line({"document": "a.txt", "start": 0, "end": 4}, filter={"any": 3}), "Line 2"),
        ('{"question": ' + "[" * 100_000, "nested"),
        ('{"question": ' + "9" * 5000 + "}", "number"),
    ],
)
def test_a_bad_line_is_named_by_its_number_and_reason(filled, bad, reason):
    told = refused(filled, GOOD, bad)
    assert told.startswith("Line 2")
    assert reason in told


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xff\xfe"])
def test_a_file_without_questions_is_refused(filled, data):
    with pytest.raises(InvalidGold, match="gold file"):
        filled.read_gold(data)


def test_a_filter_that_does_not_fit_the_schema_is_refused_with_its_line(filled):
    row = json.loads(GOOD)
    bad = json.dumps({**row, "filter": {"nope": 1}})
    with pytest.raises(InvalidGold, match=r"Line 2: There is no field 'nope'"):
        filled.read_gold(f"{GOOD}\n{bad}".encode())


def test_gold_of_a_text_that_has_changed_is_no_longer_valid(filled):
    questions = filled.read_gold(GOOD.encode())
    assert filled.still_valid(questions) == questions
    filled.keep_gold("kept", questions)
    assert filled.still_valid(filled.gold_sets()["kept"]) == filled.gold_sets()["kept"]
    filled.add([Upload("a.txt", b"Another text altogether.")], ChunkSettings())
    assert filled.still_valid(filled.gold_sets()["kept"]) == []
