"""One table of metadata for a folder: every cell goes to its file, or the row is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidMetadata
from core.metadata.table import rows_to_sidecars


def test_a_row_is_what_is_known_about_its_file():
    rows = [["file", "category", "year"], ["a.txt", "legal", "2024"], ["b/c.txt", "", "007"], ["d.txt", " ", ""]]
    assert rows_to_sidecars(rows) == {
        "a.txt": {"category": "legal", "year": "2024"}, "b/c.txt": {"year": "007"}, "d.txt": {},
    }  # fmt: skip


@pytest.mark.parametrize("name", ["name", "File", "FILENAME", "path", "Document", "\ufefffile"])
def test_the_column_of_files_is_known_by_its_name(name):
    assert rows_to_sidecars([["category", name], ["legal", " a.txt "]]) == {"a.txt": {"category": "legal"}}


def test_without_such_a_name_it_is_the_first_column():
    assert rows_to_sidecars([["\ufeffwhich", "x"], ["a.txt", "1"]]) == {"a.txt": {"x": "1"}}


def test_the_first_of_several_such_columns_is_taken():
    assert rows_to_sidecars([["path", "name"], ["a.txt", "Ann"]]) == {"a.txt": {"name": "Ann"}}


def test_lists_are_parted_and_other_cells_are_not():
    rows = [["file", "tags", "note"], ["a.txt", "x| y;;z ", "p|q; r"], ["b.txt", "x", ""]]
    assert rows_to_sidecars(rows, lists=("tags",)) == {
        "a.txt": {"tags": ["x", "y", "z"], "note": "p|q; r"}, "b.txt": {"tags": ["x"]},
    }  # fmt: skip


def test_nothing_gives_nothing_and_empty_rows_are_passed_over():
    assert rows_to_sidecars([]) == {}
    assert rows_to_sidecars([["file", "x"]]) == {}
    assert rows_to_sidecars([["file", "x"], [], ["", " "], ["a.txt"]]) == {"a.txt": {}}


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([["file"], ["a.txt"], [""], ["a.txt"]], "Rows 2 and 4 are both about 'a.txt'"),
        ([["file", "x"], ["", "1"]], "Row 2 names no file"),
        ([["x", "file"], ["1"]], "Row 2 names no file"),
        ([["file", "x", "x"], ["a.txt", "1", "2"]], "Row 1 names the column 'x' twice"),
        ([["file", ""], ["a.txt", "1"]], "Row 2 holds '1' in a column without a name"),
        ([["file", "x"], ["a.txt", "1", "2"]], "Row 2 holds '2' in a column without a name"),
    ],
)
def test_a_row_that_cannot_be_placed_is_named(rows, says):
    with pytest.raises(InvalidMetadata, match=says):
        rows_to_sidecars(rows)


@given(st.lists(st.lists(st.text(max_size=5), max_size=4), max_size=5))
def test_every_cell_is_placed_or_a_row_refused(rows):
    try:
        found = rows_to_sidecars(rows)
    except InvalidMetadata:
        return
    placed = sum(len(sidecar) + 1 for sidecar in found.values())
    assert placed == sum(bool(cell.strip()) for row in rows[1:] for cell in row)
