"""Faults that people have reported of reading web pages and Word files (docs: the field's hard cases)."""

from __future__ import annotations

import pytest

from core import read, split
from core.errors import UnreadableFile
from core.ingest import Upload
from core.settings import ChunkSettings, ReadSettings, SearchSettings
from tests.core.drops import drop


def test_a_pages_words_are_whole_and_its_blocks_apart(case_inputs):
    """X10: inline tags tear nothing, block elements glue nothing, and nothing hidden is read."""
    document = read.read("a.html", (case_inputs / "html_noise.html").read_bytes())
    assert [(b.kind.value, document.text[b.start : b.end]) for b in document.blocks] == [
        ("heading", "Pump guide"),
        ("paragraph", "Open the valve slowly."),
        ("paragraph", "Then wait."),
        ("list", "- Check oil\n- Check seal"),
        ("paragraph", "Fish & chips cost <5\u00a0€.\nSecond line."),
        ("table", "| A1 | B1 |\n| --- | --- |"),
    ]
    assert document.reading.cleaned == {"menus": 1, "hidden": 1}
    assert document.reading.notices == (
        "Menus, footers and the like were left out (18 characters); read the whole page to keep them.",
    )


def test_the_whole_page_has_its_menu_and_still_nothing_hidden(case_inputs):
    """X10"""
    document = read.read("a.html", (case_inputs / "html_noise.html").read_bytes(), ReadSettings(whole_page=True))
    assert document.text.startswith("Home | Shop | Help\n\nPump guide\n\nOpen the valve slowly.")
    assert "LEAK" not in document.text
    assert "HIDDEN" not in document.text


def test_a_page_names_its_encoding(case_inputs):
    """X10"""
    document = read.read("a.html", (case_inputs / "html_cp1252_meta.html").read_bytes())
    assert document.text == "Prix 12 € déjà payé."
    assert (document.reading.encoding, document.reading.guessed) == ("cp1252", False)


def test_word_tables_stand_where_they_are_written(case_inputs):
    """X08: no cell is missing and the order is kept; the page header is no part of the text."""
    document = read.read("a.docx", (case_inputs / "docx_table_order.docx").read_bytes())
    assert [(b.kind.value, document.text[b.start : b.end]) for b in document.blocks] == [
        ("paragraph", "Before the table."),
        ("table", "| Cell 00. | Cell 01. |\n| --- | --- |\n| Cell 10. | Cell 11. |"),
        ("paragraph", "After the table."),
    ]


def test_a_word_file_that_is_only_a_table_has_its_sentences(case_inputs):
    """X08: one cell around everything is a frame, not a table."""
    document = read.read("a.docx", (case_inputs / "docx_only_table.docx").read_bytes())
    assert [document.text[s.start : s.end] for s in split.sentences(document)] == [
        "All content sits in one table cell.",
        "It has two sentences.",
    ]


@pytest.mark.parametrize("name", ["html_noise.html", "docx_table_order.docx"])
def test_every_node_and_every_window_of_a_page_or_word_file_has_its_place(workspace, case_inputs, name):
    """W10: start and end lie in the text and slice back to what is shown."""
    drop(workspace, Upload(name, (case_inputs / name).read_bytes()))
    passage, nodes = workspace.preview(workspace.document(name).id, ChunkSettings())
    text = passage.document.text
    assert nodes
    assert all(0 <= node.start < node.end <= len(text) for node in nodes)
    hits = workspace.search("open the valve before the table", SearchSettings(k=100, window=1)).hits
    assert {hit.node.ordinal for hit in hits} == {node.ordinal for node in nodes}
    for hit in hits:
        assert hit.text == text[hit.node.start : hit.node.end]
        assert hit.window.start <= hit.node.start < hit.node.end <= hit.window.end
        assert hit.window_text == text[hit.window.start : hit.window.end]


def test_an_old_word_file_under_a_new_name_is_refused():
    """X15: nothing of it is indexed, and the reason says what to do."""
    old = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504
    with pytest.raises(UnreadableFile) as caught:
        read.read("a.docx", old)
    assert ".docx" in caught.value.do
