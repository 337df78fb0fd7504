"""Faults that people have reported of sentence splitting and windows (docs: the field's hard cases)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core import chunk, read, split
from core.settings import ChunkSettings, ContextSettings, SearchSettings, Strategy, Unit
from core.store.base import Passage
from core.types import Span
from tests.core.drops import drop, sidecar, text

ROOT = Path(__file__).parent.parent.parent


def windows(content: str, size: int) -> tuple[str, list[Span]]:
    """The text and each sentence's window."""
    document = read.read("a.txt", content.encode())
    sentences = split.sentences(document)
    nodes = chunk.nodes(Passage(document, tuple(sentences)), ChunkSettings())
    return document.text, [chunk.window(node, sentences, size) for node in nodes]


OFFLINE = """
import json, socket, urllib.request
def refuse(*args, **kwargs):
    raise AssertionError("went to the network")
socket.socket.connect = socket.socket.connect_ex = socket.create_connection = refuse
socket.getaddrinfo = urllib.request.urlopen = refuse
import nltk.downloader
nltk.download = nltk.downloader.download = refuse
from core import read, split
document = read.read("a.txt", b"Dr. Li opened it. She left! Why? Nobody knows.")
for _ in range(2):
    found = [document.text[s.start : s.end] for s in split.sentences(document)]
print(json.dumps([found, split.SPLITTER]))
"""


@pytest.mark.parametrize("data", [None, ""], ids=["NLTK_DATA unset", "NLTK_DATA empty"])
def test_text_is_split_offline_with_a_home_that_cannot_be_written(tmp_path, data):
    """S10: the splitter's data ship with the app; nothing is downloaded, and the splitter has a name to show."""
    tmp_path.chmod(0o555)
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("NLTK", "XDG"))}
    environment |= {"HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"} | (
        {} if data is None else {"NLTK_DATA": data}
    )
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE], capture_output=True, text=True, cwd=ROOT, env=environment, timeout=60
    )
    tmp_path.chmod(0o755)
    assert done.returncode == 0, done.stderr
    sentences, name = json.loads(done.stdout)
    assert sentences == ["Dr. Li opened it.", "She left!", "Why?", "Nobody knows."]
    assert "Punkt" in name
    assert list(tmp_path.iterdir()) == []


def test_windows_count_the_sentences_each_side_and_are_symmetric(case_inputs):
    """W01: a window of 1 is one sentence on each side, at the start and at the end alike."""
    content = (case_inputs / "off_tiny_windows.txt").read_text(encoding="utf-8")
    assert content == "One. Two. Three. Four."
    _, found = windows(content, 1)
    assert found == [Span(0, 9), Span(0, 16), Span(5, 22), Span(10, 22)]
    sizes = [content[span.start : span.end].count(".") for span in found]
    backwards, mirrored = windows("Four. Three. Two. One.", 1)
    assert sizes == [2, 3, 3, 2]
    assert [backwards[span.start : span.end].count(".") for span in mirrored] == sizes[::-1]


def test_a_window_is_a_slice_of_the_text_not_sentences_joined_by_blanks(workspace):
    """W02: what is returned stands in the document letter for letter."""
    content = "Alpha opens.\n\n  Beta shuts.   Gamma stays.\tDelta ends.\nAlpha opens."
    document, found = windows(content, 1)
    assert document == content
    assert [content[span.start : span.end] for span in found] == [
        "Alpha opens.\n\n  Beta shuts.",
        "Alpha opens.\n\n  Beta shuts.   Gamma stays.",
        "Beta shuts.   Gamma stays.\tDelta ends.",
        "Gamma stays.\tDelta ends.\nAlpha opens.",
        "Delta ends.\nAlpha opens.",
    ]
    drop(workspace, text("a.txt", content))
    hits = workspace.search("alpha opens", SearchSettings(k=10, window=1)).hits
    assert len(hits) == 5
    for hit in hits:
        assert hit.window_text == content[hit.window.start : hit.window.end]


def test_overlapping_windows_come_as_one_in_the_order_of_the_text(workspace):
    """W07: every character once; those of different documents are never merged."""
    content = "A one. B two. C three. D four. E five. F six."
    drop(workspace, text("a.txt", content), text("b.txt", "D four. Another."))
    found = workspace.search("D four", SearchSettings(k=20, window=1)).hits
    by_text = {hit.text: hit for hit in found if hit.name == "a.txt"}
    hits = [replace(by_text[said], rank=rank) for rank, said in enumerate(("D four.", "B two.", "C three."), 1)]
    (block,) = workspace.excerpts(hits)
    assert (block.span, block.text) == (Span(0, 38), "A one. B two. C three. D four. E five.")
    other = next(hit for hit in found if hit.name == "b.txt")
    both = workspace.excerpts([*hits, replace(other, rank=4)])
    assert [excerpt.name for excerpt in both] == ["a.txt", "b.txt"]


def test_every_strategy_has_windows_beside_the_others(workspace):
    """W03: hits of an index that was not made for windows have theirs all the same."""
    plain = ChunkSettings(20, strategy=Strategy.FIXED, unit=Unit.CHARS)
    drop(workspace, text("a.txt", "The pump failed. It was replaced. Costs were low."))
    workspace.build(plain)
    for index in workspace.indexes():
        for hit in workspace.search("pump", SearchSettings(k=5, window=1), index=index.id).hits:
            assert hit.window.start <= hit.node.start < hit.node.end <= hit.window.end
            assert len(hit.window_text) > len(hit.text)
            assert hit.window_text.endswith(".")


def test_metadata_are_no_part_of_what_is_embedded(workspace):
    """W04: the same vectors, whatever folder a file came from; a context line is another index's affair."""
    content = "Lunch was served in the hall. The valve was shut at noon. Rain fell all day."
    drop(workspace, text("a.txt", content))
    drop(workspace, text("b.txt", content + " "), sidecar("b.txt", path="/data/inbox/2024/q/report_v7.pdf", leaf=12))
    index = workspace.index()
    one, other = (workspace.store.embedded(index, workspace.document(name).id) for name in ("a.txt", "b.txt"))
    assert one.hashes == other.hashes
    np.testing.assert_array_equal(one.vectors, other.vectors)
    told = ChunkSettings(context=ContextSettings(fields=("path",)))
    assert workspace.build(told).index.id != index.id


@pytest.mark.parametrize("chosen", [ChunkSettings(), ChunkSettings(64, strategy=Strategy.FIXED, unit=Unit.TOKENS)])
def test_long_metadata_take_no_room_from_nodes(workspace, chosen):
    """W06: how many nodes there are hangs on the text alone."""
    content = "Short text. Second one."
    workspace.add([text("a.txt", content), text("b.txt", content + " ")], chosen)
    workspace.add([text("c.txt", content + "  "), sidecar("c.txt", path="/very/long/" + "segment/" * 60)], chosen)
    counts = {info.name: len(workspace.preview(info.id, chosen)[1]) for info in workspace.documents()}
    assert len(set(counts.values())) == 1
    assert counts["c.txt"] == (2 if chosen == ChunkSettings() else 1)


def test_nodes_share_no_metadata_that_one_could_change(workspace):
    """W09: lists are tuples, and what is done to one hit's metadata is done to no other and to no document."""
    drop(workspace, text("a.txt", "One here. Two here. Three here."), sidecar("a.txt", tags=["a"]))
    hits = workspace.search("one two three", SearchSettings(k=3)).hits
    assert len(hits) == 3
    for hit in hits:
        with pytest.raises((TypeError, AttributeError)):
            hit.metadata["tags"].append("x")
    hits[0].metadata["tags"] += ("x",)
    assert [hit.metadata["tags"] for hit in hits] == [("a", "x"), ("a",), ("a",)]
    assert workspace.document("a.txt").metadata["tags"] == ("a",)
