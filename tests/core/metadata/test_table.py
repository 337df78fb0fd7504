"""One table of metadata for a folder: every cell goes to its file, or the row is named."""

from __future__ import annotations

import codecs
import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidMetadata
from core.metadata import table
from core.metadata.table import for_documents, is_table, read, rows_to_sidecars


def test_a_row_is_what_is_known_about_its_file():
    rows = [["file", "category", "year"], ["a.txt", "legal", "2024"], ["b/c.txt", "", "007"], ["d.txt", " ", ""]]
    assert rows_to_sidecars(rows) == {
        "a.txt": {"category": "legal", "year": "2024"}, "b/c.txt": {"year": "007"}, "d.txt": {},
    }  # fmt: skip


@pytest.mark.parametrize("name", ["name", "File", "FILENAME", "path", "Document", "\ufefffile"])
def test_the_column_of_files_is_known_by_its_name(name):
    assert rows_to_sidecars([["category", name], ["legal", " a.txt "]]) == {"a.txt": {"category": "legal"}}


def test_without_such_a_name_it_is_the_first_column():
    assert rows_to_sidecars([["\ufeffwhich", "x"], ["a.txt", "1"]]) == {"a.txt": {"x": 1}}


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


def column(*cells, lists=()):
    """What becomes of the cells of one column, empty ones left out."""
    rows = [["file", "x"], *([f"{number}.txt", cell] for number, cell in enumerate(cells))]
    return [sidecar["x"] for sidecar in rows_to_sidecars(rows, lists=lists).values() if sidecar]


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["2023", "-5", "0", " 7 ", ""], [2023, -5, 0, 7]),
        (["9223372036854775807"], [9223372036854775807]),
        (["0.5", "-1.25", "3"], [0.5, -1.25, 3]),
        (["true", "FALSE", "", " True "], [True, False, True]),
    ],
)
def test_a_column_is_what_all_its_cells_plainly_say(cells, values):
    found = column(*cells)
    assert found == values
    assert list(map(type, found)) == list(map(type, values))


@pytest.mark.parametrize(
    "cells",
    [
        ["007"], ["+49"], ["1e5"], ["-0"], ["1,5"], ["1.50"], [".5"], ["5."], ["1_000"], ["٣"], ["²"], ["nan"], ["inf"], ["yes", "no"],
        ["2023", "about 2023"], ["true", "1"], ["1.0", "false"], ["2023-01-01"], ["9223372036854775808"], ["9" * 5000],
        ["9007199254740993", "0.5"], ["0." + "1" * 30],
    ],
)  # fmt: skip
def test_a_column_with_anything_else_stays_as_written(cells):
    assert column(*cells) == cells


def test_a_list_is_text_whatever_it_looks_like():
    assert column("1", "2|3", lists=("x",)) == [["1"], ["2", "3"]]


numbers = st.integers(-(2**53), 2**53).map(str) | st.floats(allow_nan=False, allow_infinity=False).map(str)


@given(st.lists(numbers | st.sampled_from(["true", "False", "007", "", "x"]), max_size=4))
def test_no_digit_is_ever_lost(cells):
    assert [str(value).lower() for value in column(*cells)] == [cell.lower() for cell in cells if cell]


@given(st.lists(st.lists(st.text(max_size=5), max_size=4), max_size=5))
def test_every_cell_is_placed_or_a_row_refused(rows):
    try:
        found = rows_to_sidecars(rows)
    except InvalidMetadata:
        return
    placed = sum(len(sidecar) + 1 for sidecar in found.values())
    assert placed == sum(bool(cell.strip()) for row in rows[1:] for cell in row)


# Bytes → rows


@pytest.mark.parametrize("name", ["metadata.csv", "a/b/METADATA.CSV", r"a\Metadata.csv", "metadata.tsv"])
def test_a_table_is_known_by_its_name(name):
    assert is_table(name)


@pytest.mark.parametrize(
    "name", ["my-metadata.csv", "metadata.csv/a.txt", "metadata.csv.meta.json", "metadata", "a.csv", ""]
)
def test_other_files_are_no_tables(name):
    assert not is_table(name)


ROWS = [["file", "title"], ["a.txt", "Ä, “b”; c"], ["b.txt", 'one "two"\nthree']]


def written(rows, **how):
    made = io.StringIO()
    csv.writer(made, **how).writerows(rows)
    return made.getvalue()


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_rows_are_read_whatever_parts_them(separator, end, quoting):
    data = written(ROWS, delimiter=separator, lineterminator=end, quoting=quoting)
    assert read(data.encode()) == ROWS


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [("utf-8", b""), ("utf-8-sig", b""), ("utf-16-le", codecs.BOM_UTF16_LE), ("utf-16-be", codecs.BOM_UTF16_BE)],
)
def test_unicode_is_read_in_the_ways_that_programs_write_it(encoding, mark):
    assert read(mark + written(ROWS).encode(encoding)) == ROWS


@pytest.mark.parametrize(
    "data",
    [
        "file,ä\n".encode("latin-1"), written(ROWS).encode("utf-32"), written(ROWS).encode("utf-16-le"), b"\xff\xfea",
        codecs.BOM_UTF16_LE + b"\x00\xd8", b"\x00\x00",
    ],
)  # fmt: skip
def test_other_encodings_are_refused_not_guessed(data):
    with pytest.raises(InvalidMetadata, match="not UTF-8") as refused:
        read(data)
    assert refused.value.do == "Save it as UTF-8."


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", []),
        ("\n \n\t\n", []),
        ("file\na.txt\n", [["file"], ["a.txt"]]),
        ("\n\nfile,x\n\na.txt,1\n", [["file", "x"], [], ["a.txt", "1"]]),
        ("file,a;b\nx.txt,1;2\n", [["file", "a;b"], ["x.txt", "1;2"]]),
        ("file;a,b\nx.txt;1,2\n", [["file", "a,b"], ["x.txt", "1,2"]]),
        ("which;size\na.txt;1,5\n", [["which", "size"], ["a.txt", "1,5"]]),
        ("sep=;\nfile;x\na.txt;1\n", [["file", "x"], ["a.txt", "1"]]),
        ('file, "x, y"\na.txt, 1\n', [["file", "x, y"], ["a.txt", "1"]]),
        ('file,size\na.txt,5" pipe\n', [["file", "size"], ["a.txt", '5" pipe']]),
        ("file,x\na.txt,1\0\n", [["file", "x"], ["a.txt", "1"]]),
    ],
)
def test_the_header_tells_what_parts_the_cells(text, rows):
    assert read(text.encode()) == rows


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('file,x\na.txt,"1\nb.txt,2\n', "Row 2 has a quotation mark"),
        ('file,x\na.txt,"5" pipe\n', "Row 2 has a quotation mark"),
        ('"file,x\n', "Row 1 has a quotation mark"),
        ("file,x\na.txt," + "y" * 100_001, "Row 2 holds a cell of more than 100,000"),
        ("file,x\na.txt," + "y" * 200_000, "Row 2 holds a cell of more than 100,000"),
        (" " * 100_001, "Row 1 holds a cell of more than 100,000"),
    ],
)
def test_a_row_that_cannot_be_read_is_named(text, says):
    with pytest.raises(InvalidMetadata, match=says) as refused:
        read(text.encode())
    assert refused.value.do


def test_a_table_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(table, "MAX_BYTES", 10)
    assert read(b"file,x\na,1") == [["file", "x"], ["a", "1"]]
    with pytest.raises(InvalidMetadata, match="11 bytes"):
        read(b"file,x\na,12")


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=8)


@given(st.lists(st.lists(cells, min_size=2, max_size=2), max_size=4), st.sampled_from(",;\t"))
def test_whatever_a_spreadsheet_writes_is_read_back(rows, separator):
    rows = [["file", "x"], *rows]
    assert read(written(rows, delimiter=separator, quoting=csv.QUOTE_ALL).encode()) == rows


table_like = st.text(alphabet='file,;\t\n\r" ab1\0\ufeff=sep', max_size=60).map(
    lambda text: b"file,x\n" + text.encode()
)


@given(st.one_of(st.binary(max_size=80), table_like))
def test_any_bytes_are_a_table_or_refused(data):
    try:
        found = rows_to_sidecars(read(data), lists=("x",))
    except InvalidMetadata:
        return
    assert all(file.strip() for file in found)


# What each says → documents


def test_rows_go_to_the_documents_that_they_name():
    rows = {"a.txt": {"x": 1}, r".\y\b.txt": {"x": 2}, "c": {}, "gone.txt": {"x": 3}}
    documents = ["sub/a.txt", "a.txt", "sub/y/b.txt", "sub/z/c.pdf", "sub/d.txt"]
    assert for_documents("sub/metadata.csv", rows, documents) == (
        {"sub/a.txt": {"x": 1}, "sub/y/b.txt": {"x": 2}, "sub/z/c.pdf": {}},
        ["gone.txt"],
    )


def test_a_table_beside_no_folder_is_about_all_documents():
    assert for_documents("metadata.csv", {"x/a.txt": {"y": "z"}}, {"x/a.txt"}) == ({"x/a.txt": {"y": "z"}}, [])


@pytest.mark.parametrize("rows", [["a.txt", "./a.txt"], ["a.txt", "sub/a.txt"], ["a", "a.txt"]])
def test_two_rows_about_one_document_are_refused_and_both_named(rows):
    with pytest.raises(InvalidMetadata) as refused:
        for_documents("sub/metadata.csv", {row: {} for row in rows}, {"sub/a.txt"})
    assert all(repr(row) in refused.value.what for row in rows)
    assert "'sub/a.txt'" in refused.value.what


def test_a_message_is_short_however_long_the_cell():
    with pytest.raises(InvalidMetadata) as refused:
        rows_to_sidecars([["file"], ["a" * 90_000], ["a" * 90_000]])
    assert len(str(refused.value)) < 200


@given(st.dictionaries(cells, st.just({"x": 1}), max_size=5), st.sets(cells, max_size=5))
def test_every_row_is_placed_or_told(rows, documents):
    try:
        placed, unknown = for_documents("metadata.csv", rows, documents)
    except InvalidMetadata:
        return
    assert set(placed) <= documents
    assert len(placed) + len(unknown) == len(rows)
    assert set(unknown) <= set(rows)
