"""Tables as text: every value as it is written, every column reachable by a name of its own."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import read
from core.errors import UnreadableFile
from core.read import delimited
from tests import texts


def text_of(data: bytes | str, name: str = "a.csv") -> str:
    return read.content(name, data.encode() if isinstance(data, str) else data).text


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
        ("a;b\n1,5;2\n2,5;3\n", [["a", "b"], ["1,5", "2"], ["2,5", "3"]]),
        ("a\tb\n1, 2\t3\n", [["a", "b"], ["1, 2", "3"]]),
        ("a|b\n1|x, y\n2|z\n", [["a", "b"], ["1", "x, y"], ["2", "z"]]),
        ("sep=;\na;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]]),
        ('a,b\n"1\n2","say ""no"""\n', [["a", "b"], ["1\n2", 'say "no"']]),
        ('a, b\n1, "x, y"\n', [["a", "b"], ["1", "x, y"]]),
        ('size,note\n5" pipe,x\n6" pipe,y\n', [["size", "note"], ['5" pipe', "x"], ['6" pipe', "y"]]),
        (
            "zip,country\n00501,NA\n02134,None\n,null\n",
            [["zip", "country"], ["00501", "NA"], ["02134", "None"], ["", "null"]],
        ),
        ("a,b,,\n1,2,,\n", [["a", "b"], ["1", "2"]]),
        ("\n\na,b\n,\n1,2\n\n", [["a", "b"], ["1", "2"]]),
        ("country,2020,2021\nFR,1,2\nDE,3,4\n", [["country", "2020", "2021"], ["FR", "1", "2"], ["DE", "3", "4"]]),
        ("id,when\n1,2024-01-02\n", [["id", "when"], ["1", "2024-01-02"]]),
        ("a,b\nx,y\n", [["a", "b"], ["x", "y"]]),
        ("1,2\n3,4\n", [["column_1", "column_2"], ["1", "2"], ["3", "4"]]),
        ("x,2024-01-02\ny,2024-01-03\n", [["column_1", "column_2"], ["x", "2024-01-02"], ["y", "2024-01-03"]]),
        ("a,b\n1\n1,2,3\n", [["a", "b", "column_3"], ["1"], ["1", "2", "3"]]),
        ("", []),
        (" \n\n", []),
    ],
)
def test_rows_are_found_as_they_are_written(text, rows):
    assert delimited.rows(text) == rows


@pytest.mark.parametrize(
    ("header", "names"),
    [
        (["name", "Name", "name"], ["name", "Name_2", "name_3"]),
        (["name", "name", "name_2"], ["name", "name_3", "name_2"]),
        (["", "a", " "], ["column_1", "a", "column_3"]),
        (["column_2", ""], ["column_2", "column_2_2"]),
        (["a\n b", "c"], ["a b", "c"]),
        ([], ["column_1", "column_2"]),
    ],
)
def test_every_column_gets_a_name_of_its_own(header, names):
    found, notices = delimited.named(header, len(names))
    assert found == names
    assert bool(notices) is (names != [" ".join(name.split()) for name in header])


@given(
    st.lists(st.sampled_from(["a", "A", "a_2", "A_2", "", "column_1", "column_2", "ß", "SS", "İ"]), max_size=8),
    st.integers(0, 9),
)
def test_names_differ_in_more_than_their_case(header, more):
    width = len(header) + more
    found, _ = delimited.named(header, width)
    assert len({name.casefold() for name in found}) == len(found) == width
    assert all(found)


def test_new_names_and_a_missing_header_are_told():
    assert "Name → Name_2" in read.content("a.csv", b"name,Name\n1,2").notices[0]
    assert "looks like data" in read.content("a.csv", b"1,2\n3,4").notices[0]
    assert "2 of 4 rows" in read.content("a.csv", b"a,b\n1\n1,2\n1,2,3").notices[0]


def test_the_text_is_one_table_with_line_ends_kept_in_sight():
    made = read.content("a.csv", b'\xef\xbb\xbfid,note\r\n1,"One.\r\nTwo | three."\r\n')
    assert made.text == "| id | note |\n| --- | --- |\n| 1 | One.<br>Two \\| three. |"
    assert [block.kind.value for block in made.blocks] == ["table"]


def test_a_single_column_is_a_paragraph_a_line():
    made = read.content("a.csv", b'only\n"one, two"\nthree\n')
    assert [made.text[b.start : b.end] for b in made.blocks] == ["only", "one, two", "three"]
    assert read.content("a.csv", b"1\n2\n3").text == "1\n\n2\n\n3"


def test_a_quote_that_is_never_closed_swallows_nothing():
    made = read.content("a.csv", b'a,b\n1,"open\n' + b"2,3\n" * 60)
    assert made.text.count("| 2 | 3 |") == 60
    assert '"open' in made.text
    assert "never closed" in made.notices[0]


@pytest.mark.parametrize(
    ("name", "text", "rows"),
    [
        (
            "a.csv",
            'size,n\n"5 pipe,1\n6 pipe,2\n7 pipe,3\n',
            [["size", "n"], ['"5 pipe', "1"], ["6 pipe", "2"], ["7 pipe", "3"]],
        ),
        ("a.tsv", 'x\t"unclosed\ny\tz', [["x", '"unclosed'], ["y", "z"]]),
        ("a.csv", 'size,n\n"5 pipe,1\n"6 pipe,2\n', [["size", "n"], ['"5 pipe', "1"], ['"6 pipe', "2"]]),
        ("a.csv", 'a,b\n"x, y",1\n"open, 2\nz,3\n', [["a", "b"], ["x, y", "1"], ['"open', "2"], ["z", "3"]]),
    ],
)
def test_so_in_a_small_table(name, text, rows):
    made = read.content(name, text.encode())
    lines = [f"| {' | '.join(cell.strip() for cell in row)} |" for row in rows]
    assert [line for line in made.text.split("\n") if "---" not in line] == lines
    assert "never closed" in made.notices[0]


@given(st.lists(st.sampled_from(["a", "b c", "1", 'say ""no""', "x, y", "one\ntwo"]), min_size=1, max_size=6))
def test_a_quote_left_open_at_the_end_changes_no_row_before_it(cells):
    before = "h,i\n" + "".join(f'"{cell}",2\n' for cell in cells)
    assert delimited.rows(before + '"open,3\nlast,4\n') == [*delimited.rows(before), ['"open', "3"], ["last", "4"]]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("Report of sales\n\nname,qty\nbolt,5\n", ["Report of sales\n| name | qty |\n| --- | --- |\n| bolt | 5 |"]),
        (
            "Report of sales,,\n,,\nname,qty,price\nbolt,5,2\nnut,1,2\n",
            ["Report of sales\n| name | qty | price |\n| --- | --- | --- |\n| bolt | 5 | 2 |\n| nut | 1 | 2 |"],
        ),
        (
            "# one\n# made by X, version 2\nname,qty\nbolt,5\nnut,6\n",
            ["# one\n# made by X, version 2", "| name | qty |\n| --- | --- |\n| bolt | 5 |\n| nut | 6 |"],
        ),
        (
            "From;2024-01-01\nTo;2024-02-01\n\nDay;Text;Sum\n2024-01-02;x;5\n2024-01-03;y;6\n",
            [
                "From;2024-01-01\nTo;2024-02-01",
                "| Day | Text | Sum |\n| --- | --- | --- |\n| 2024-01-02 | x | 5 |\n| 2024-01-03 | y | 6 |",
            ],
        ),
        ("# id,name\n1,a\n2,b\n", ["| # id | name |\n| --- | --- |\n| 1 | a |\n| 2 | b |"]),
    ],
)
def test_lines_above_the_header_are_a_caption_or_a_paragraph(text, blocks):
    made = read.content("a.csv", text.encode())
    assert [made.text[block.start : block.end] for block in made.blocks] == blocks


@pytest.mark.parametrize(
    "text",
    [
        "The committee met, as usual, on Tuesday.\nNobody, except the chair, objected to the plan.\nIt was late.",
        "The committee met, as usual, on Tuesday to discuss\nthe budget, which was late, and the plan.\n\nNobody, save one, spoke.",
        "A single line of prose, with a comma.",
        "Hello there.\nWell, yes.\nOk.",
        'He said, "Go home, now," and left the room.\nNobody, it seems, heard him at all.',
    ],
)
def test_prose_stays_prose(text):
    made = read.content("a.csv", text.encode())
    assert made.text == text
    assert {block.kind.value for block in made.blocks} == {"paragraph"}


@pytest.mark.parametrize(
    "text",
    [
        "name, role\nAnn, head of the department of sales\nBob, clerk in the accounting office\n",
        "question, answer\nWhat is the capital of France?, Paris is the capital.\nAnd that of Spain?, Madrid is the capital.\n",
        'id,text\n1,"The valve was closed, then opened."\n2,"It works."\n',
    ],
)
def test_a_table_of_sentences_stays_a_table(text):
    assert [block.kind.value for block in read.content("a.csv", text.encode()).blocks] == ["table"]


def test_a_tab_separated_file_is_parted_by_tabs_whatever_else_it_holds():
    assert text_of("a,b\tc\n1,2\t3\n", "a.tsv").startswith("| a,b | c |")


def test_rows_of_wild_lengths_do_not_become_a_giant_table():
    made = read.content("a.csv", b"," * 5_000 + b"x\n" + b"a\n" * 50_000)
    assert len(made.text) < 300_000
    assert "differ too much" in made.notices[0]
    assert made.text.count("a\n") > 49_000


def test_a_field_of_a_million_characters_is_read():
    assert len(text_of("a,b\n1," + "x" * 1_000_000)) > 1_000_000


def test_an_empty_file_is_refused():
    with pytest.raises(UnreadableFile, match="no text"):
        read.content("a.csv", b"")


CELL = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=6)


@given(
    st.integers(2, 4).flatmap(
        lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=1, max_size=6)
    ),
    st.sampled_from(",;\t|"),
)
def test_no_field_is_lost_or_changed(rows, delimiter):
    header = [f"h{place}" for place in range(len(rows[0]))]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([header, *rows])
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    assert delimited.rows(out.getvalue().replace("\r\n", "\n")) == [header, *filled]


@given(
    st.one_of(
        st.text(max_size=80),
        st.lists(
            st.sampled_from([",", ";", '"', "\n", "a", "1", "|", "\t", " ", "\r", "é", '""', "\x00"]), max_size=40
        ).map("".join),
    )
)
def test_any_text_is_read_or_refused_and_its_blocks_tile_it(text):
    for name in ("a.csv", "a.tsv"):
        try:
            made = read.content(name, text.encode("utf-8", "surrogatepass"))
        except UnreadableFile:
            continue
        texts.assert_tiles(made.text, made.blocks, stripped=False)
