"""Lists and tables are written and read by the same rules."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import markup

cell = st.text(st.sampled_from("\\| <b>:-a") | st.characters(exclude_characters="\n\r")).map(str.strip)
TABLE = "Life of parts\n| part | life |\n| --- | :-: |\n| seal | 2 years |\n| - | - |"


@given(st.lists(cell, min_size=1))
def test_cells_come_out_of_a_row_as_they_went_in(cells):
    assert markup.cells(markup.row(cells)) == cells


@given(st.lists(st.lists(cell, min_size=1, max_size=4), max_size=5), cell)
def test_a_table_is_taken_apart_into_what_it_was_made_of(rows, caption):
    made = markup.table(rows)
    kept = [row for row in rows if any(row)]
    if not kept:
        assert made == ""
        return
    width = max(map(len, rows))
    filled = [row + [""] * (width - len(row)) for row in kept]
    assert markup.parts(made) == markup.Table("", filled[0], filled[1:], len(kept) - 1)
    title = caption.replace("|", "")
    if title.strip():
        assert markup.parts(f"{title}\n{made}", 1) == markup.Table(title.strip(), filled[0], filled[1:2], len(kept) - 1)


@pytest.mark.parametrize(
    ("cells", "line"),
    [
        (["C:\\temp\\new", "a  b"], "| C:\\temp\\new | a  b |"),
        (["a|b", "a\\|b", "\\"], "| a\\|b | a\\\\\\|b | \\ |"),
        (["one\ntwo", " x\r\ny "], "| one<br>two | x<br>y |"),
    ],
)
def test_only_the_pipe_is_escaped(cells, line):
    assert markup.row(cells) == line


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("| a | b |", ["a", "b"]),
        ("a | b", ["a", "b"]),
        ("| a | |", ["a", ""]),
        ("| a \\| b | c \\\\| d |", ["a | b", "c \\", "d"]),
        ("  |a|b  ", ["a", "b"]),
        ("| a | b \\|", ["a", "b |"]),
        ("", []),
    ],
)
def test_a_pipe_parts_cells_if_an_even_number_of_backslashes_stands_before_it(line, cells):
    assert markup.cells(line) == cells


def test_a_rule_has_dashes_in_every_cell():
    assert all(map(markup.is_rule, ["|---|---|", "--- | :-:", "| :-- |", "-|-", "  | - | -: |  "]))
    assert not any(map(markup.is_rule, ["", "| |", "| --- | |", "| a |", "::", "|", "--- x"]))


@pytest.mark.parametrize(
    ("table", "caption", "rows"),
    [
        (TABLE, "Life of parts", "| seal"),
        (TABLE.split("\n", 1)[1], "", "| seal"),
        ("a | b\n--- | ---\n1 | 2", "", "1 | 2"),
        ("a | b\n--- | ---\n--- | ---\n1 | 2", "", "--- | ---\n1"),
        ("Cap\n| - | - |\n| --- | --- |\n| 1 | 2 |", "Cap", "| 1"),
        ("| a | b |\n| 1 | 2 |\n| --- | --- |", "", "| a"),
        ("Cap\n| 1 | 2 |", "Cap", "Cap"),
        ("no table", "", "no table"),
        ("| a |\n| --- |", "", ""),
    ],
)
def test_the_caption_stands_before_the_header_and_the_rows_behind_the_rule(table, caption, rows):
    text = f"xx\n{table}"
    start = markup.rows_start(text, 3, len(text))
    assert markup.caption(table) == caption
    assert text[start:].startswith(rows)
    assert bool(rows) == (start < len(text))


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("- a", "a"), ("12. a", "a"), ("1.2) a", "a"), ("(3) a", "a"), ("iv. a", "a"), ("(ii) a", "a"), ("III. a", "a"),
        ("b) a", "a"), ("B) a", "a"), ("- [ ] a", "a"), ("1. [x] a", "a"), ("• a", "a"), ("-", ""),
        ("A. Smith", "A. Smith"), ("civil. It", "civil. It"), ("-5 degrees", "-5 degrees"), ("3.5 bar", "3.5 bar"), ("e.g. a", "e.g. a"),
    ],
)  # fmt: skip
def test_a_marker_is_told_from_words(item, words):
    text = f"  {item}"
    assert text[markup.marker_end(text, 2, len(text)) :] == words
    assert bool(list(markup.items(text, 0, len(text)))) == (words != item)


@pytest.mark.parametrize("piece", ["\\", "| ", " ", "-", "|-", "\\|", "1.", "- ", "(", "\t"])
def test_a_line_of_anything_takes_no_longer_than_it_must(piece):
    """A hang guard: with anything quadratic in it this takes minutes."""
    text = piece * (200_000 // len(piece)) + "x"
    start = time.perf_counter()
    markup.cells(markup.row([text, text]))
    markup.parts(text)
    assert not markup.is_rule(text)
    list(markup.items(text, 0, len(text)))
    assert time.perf_counter() - start < 5
