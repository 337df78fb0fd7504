"""Faults that people have reported of chunk offsets and identities (docs: the field's hard cases)."""

from __future__ import annotations

import json
import time
from itertools import pairwise

import pytest

from core import chunk, read, split
from core.errors import AppError, InvalidSetting
from core.filters import EVERYTHING
from core.ingest import Status, Upload
from core.settings import ChunkSettings, SearchSettings
from core.store.base import Passage
from core.types import Block, BlockKind, Document, Sentence
from core.utf16 import to_utf16
from tests.core.drops import drop, listed, node_texts


def expected(case_inputs, name):
    return json.loads((case_inputs / f"{name}.expected.json").read_text(encoding="utf-8"))["sentences"]


def test_repeated_sentences_each_keep_their_own_place(case_inputs):
    """C03: a line that stands six times is found at six places."""
    document = read.read("a.txt", (case_inputs / "off_repeated.txt").read_bytes())
    found = split.sentences(document)
    wanted = expected(case_inputs, "off_repeated.txt")
    assert [(s.start, s.end) for s in found] == [(s["start"], s["end"]) for s in wanted]
    assert len(found) == 12
    assert all(left.start < right.start for left, right in pairwise(found))


def test_windows_line_ends_shift_no_offset(workspace):
    """C06: one canonical text; line 500 is where it says, and reading the bytes again changes nothing."""
    data = "".join(f"Line {n} ends here.\r\n" for n in range(1, 501)).encode()
    upload = Upload("lines.txt", data)
    drop(workspace, upload)
    info = workspace.document("lines.txt")
    passage, nodes = workspace.preview(info.id, ChunkSettings())
    assert "\r" not in passage.document.text
    last = nodes[-1]
    assert len(nodes) == 500
    assert passage.document.text[last.start : last.end] == "Line 500 ends here."
    assert passage.document.text.split("\n")[499] == "Line 500 ends here."
    assert drop(workspace, upload)["lines.txt"].status is Status.UNCHANGED
    assert read.read("lines.txt", data).text == passage.document.text
    hits = workspace.search("Line 500 ends here.", SearchSettings(k=100)).hits
    assert [h.node.start for h in hits if h.text == "Line 500 ends here."] == [last.start]


def test_spans_after_emoji_are_right_in_code_points_and_in_the_browsers_units(case_inputs):
    """C07: a ZWJ sequence, a flag and a combining accent move no span and are never cut."""
    document = read.read("a.txt", (case_inputs / "off_emoji.txt").read_bytes())
    wanted = expected(case_inputs, "off_emoji.txt")
    found = split.sentences(document)
    assert [(s.start, s.end, document.text[s.start : s.end]) for s in found] == [
        (s["start"], s["end"], s["text"]) for s in wanted
    ]
    assert to_utf16(document.text, [s.start for s in found]) == [s["start_utf16"] for s in wanted]
    assert to_utf16(document.text, [s.end for s in found]) == [s["end_utf16"] for s in wanted]
    for at in (offset for s in found for offset in (s.start, s.end)):
        before, after = document.text[at - 1 : at], document.text[at : at + 1]
        assert "\u200d" not in (before, after)
        assert after not in ("\u0301", "\ufe0f")


@pytest.mark.parametrize(("size", "overlap", "count"), [(5, 4, 96), (1, 0, 100)])
def test_the_largest_overlap_still_moves_on(size, overlap, count):
    """C08: overlap one below the size gives one node per step, and ends."""
    sentences = [Sentence(2 * n, 2 * n + 1, 0) for n in range(100)]
    blocks = (Block(BlockKind.PARAGRAPH, 0, 200),)
    passage = Passage(Document("d", "r", "a.txt", "text/plain", "", blocks), tuple(sentences))
    assert len(chunk.nodes(passage, ChunkSettings(size, overlap))) == count


@pytest.mark.parametrize(("size", "overlap"), [(5, 5), (5, 6), (1, 1), (0, 0), (3, -1)])
def test_an_overlap_that_would_never_move_on_is_refused_at_once(size, overlap):
    """C08: no loop, no memory filled: an error that is both an AppError and a ValueError."""
    start = time.perf_counter()
    with pytest.raises(InvalidSetting) as caught:
        ChunkSettings(size, overlap)
    assert time.perf_counter() - start < 0.1
    assert isinstance(caught.value, AppError)
    assert isinstance(caught.value, ValueError)


def test_identical_sentences_have_ids_of_their_own(workspace, case_inputs):
    """C12: twelve sentences of two wordings are twelve nodes, rows and vectors."""
    drop(workspace, Upload("repeated.txt", (case_inputs / "off_repeated.txt").read_bytes()))
    hits = workspace.search("Valve open.", SearchSettings(k=100)).hits
    assert len({hit.id for hit in hits}) == len(hits) == 12
    index = workspace.index()
    assert index.nodes == len(workspace.store.vectors(index)) == workspace.store.count(index, EVERYTHING)[1] == 12
    assert len(node_texts(workspace)) == 12
    assert len({(hit.node.start, hit.node.end) for hit in hits}) == 12


def test_files_dropped_again_double_nothing_and_files_of_one_name_do_not_replace_one_another(workspace, case_inputs):
    """C13: two texts under three names are two documents; the repeat changes nothing and says so."""
    folder = case_inputs / "same_name"
    paths = ["v1/report.txt", "v2/report.txt", "copy/report_copy.txt"]
    uploads = [Upload(path, (folder / path).read_bytes()) for path in paths]
    found = drop(workspace, *uploads)
    assert [found[path].status for path in paths] == [Status.ADDED, Status.ADDED, Status.ALIAS]
    assert listed(workspace) == {"v1/report.txt": ("copy/report_copy.txt",), "v2/report.txt": ()}
    assert workspace.index().nodes == 4
    again = drop(workspace, uploads[0])["v1/report.txt"]
    assert again.status is Status.UNCHANGED
    assert again.reason
    assert workspace.index().nodes == 4
    every = [hit.text for hit in workspace.search("pump", SearchSettings(k=100)).hits]
    assert sum("north pump" in said for said in every) == sum("south pump" in said for said in every) == 1
