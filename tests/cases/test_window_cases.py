"""Faults that people have reported of sentence splitting and windows (docs: the field's hard cases)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core import chunk, read, split
from core.settings import ChunkSettings, SearchSettings
from core.store.base import Passage
from core.types import Span
from tests.core.drops import drop, text

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
