"""A document at a glance: every entry names the block that it stands for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import outline, read
from core.outline import Entry, Table
from core.types import Block, BlockKind, Document, Reading
from tests import made_files, texts

GUIDE = """\
# Plant

Intro.

## Pumps

They pump.

### Seals

| part | life |
| --- | --- |
| seal | 2 years |

## Valves

They hold.

# Office

End.
"""


def made(*blocks: tuple[BlockKind, str, int | None], pages: int = 0, headings: tuple[str, ...] = ()) -> Document:
    """A document of these blocks, a blank line between them."""
    parts, found, at = [], [], 0
    for kind, body, page in blocks:
        parts.append(body)
        found.append(Block(kind, at, at + len(body), headings, page))
        at += len(body) + 2
    text = "\n\n".join(parts)
    return Document("0" * 15, "r", "a.txt", "text/plain", text, tuple(found), Reading(pages=pages))


def table(*lines: str, page: int | None = None, headings: tuple[str, ...] = ()) -> Document:
    return made((BlockKind.TABLE, "\n".join(lines), page), headings=headings)


# ── headings ─────────────────────────────────────────────────────────────────────────────────────


def test_headings_come_in_order_each_as_deep_as_there_are_headings_above_it():
    document = read.read("guide.md", GUIDE.encode())
    found = outline.headings(document)
    assert [(entry.depth, entry.title) for entry in found] == [
        (0, "Plant"), (1, "Pumps"), (2, "Seals"), (1, "Valves"), (0, "Office"),
    ]  # fmt: skip
    for entry in found:
        block = document.blocks[entry.block]
        assert block.kind is BlockKind.HEADING
        assert entry.title in document.text[block.start : block.end]


def test_a_heading_that_skips_a_level_is_no_deeper_than_its_parents_are_many():
    document = read.read("guide.md", b"# One\n\n#### Deep\n\n## Two\n\nText.")
    assert [(entry.depth, entry.title) for entry in outline.headings(document)] == [(0, "One"), (1, "Deep"), (1, "Two")]


@pytest.mark.parametrize("make", [made_files.html, made_files.word, made_files.pdf, made_files.sheet, made_files.mail])
def test_the_headings_of_other_formats_are_found_too(make):
    file = make()
    document = read.read(file.name, file.data)
    (entry,) = outline.headings(document)
    assert (entry.depth, entry.title) == (0, made_files.TITLE)
    assert entry.page == (1 if file.pages else None)


def test_a_document_without_headings_tables_and_pages_has_none():
    document = read.read("a.txt", b"One run of text. Nothing else.")
    assert outline.headings(document) == outline.tables(document) == outline.pages(document) == []


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


def test_a_table_is_called_by_its_caption():
    document = table(
        "Life of parts", "| part | life |", "| --- | --- |", "| seal | 2 years |", headings=("Plant", "Pumps")
    )
    assert outline.tables(document) == [Entry(0, 0, "Life of parts", None)]
    assert outline.caption(document, 0) == "Life of parts"


def test_a_table_without_a_caption_is_called_by_the_headings_above_it():
    document = read.read("guide.md", GUIDE.encode())
    (entry,) = outline.tables(document)
    assert entry.title == "Plant › Pumps › Seals"
    assert document.blocks[entry.block].kind is BlockKind.TABLE
    assert outline.caption(document, entry.block) == ""


def test_a_table_without_either_has_no_name():
    assert outline.tables(table("| a |", "| - |", "| 1 |", page=3)) == [Entry(0, 0, "", 3)]


def test_a_table_has_its_header_as_columns_and_its_rows_without_the_rule():
    document = read.read("guide.md", GUIDE.encode())
    (entry,) = outline.tables(document)
    assert outline.table(document, entry.block, 10) == Table(("part", "life"), (("seal", "2 years"),), 1)


@pytest.mark.parametrize(
    ("lines", "columns", "rows"),
    [
        (("Caption", "| a | b |", "|:--|--:|", "| 1 | 2 |"), ("a", "b"), (("1", "2"),)),
        (("| a | b |", "| - | - |", "|  |  |", "| - | x |"), ("a", "b"), (("", ""), ("-", "x"))),
        ((r"| a \| b | c |", "| --- | --- |", "| 1 | 2 |"), ("a | b", "c"), (("1", "2"),)),
        (("| a |", "| --- |"), ("a",), ()),
        (("| a | b |", "| --- | --- |", "| - | -- |"), ("a", "b"), (("-", "--"),)),
        (("| a | a |  |", "|---|---|---|", "| 1 | 2 | 3 |"), ("a", "a (2)", "column 3"), (("1", "2", "3"),)),
    ],
    ids=["caption and alignment", "empty cells", "a bar in a cell", "a header alone", "a row of dashes", "one name"],
)
def test_rows_are_cut_where_cells_are(lines, columns, rows):
    assert outline.table(table(*lines), 0, 10) == Table(columns, rows, len(rows))


@pytest.mark.parametrize("make", [made_files.html, made_files.word, made_files.sheet, made_files.csv, made_files.json_])
def test_every_format_gives_the_same_table(make):
    file = make()
    document = read.read(file.name, file.data)
    (entry,) = outline.tables(document)
    header, *rows = made_files.ROWS
    assert outline.table(document, entry.block, 10) == Table(header, tuple(rows), len(rows))


@pytest.mark.parametrize("caption", [(), ("A caption",)], ids=["no caption", "caption"])
@pytest.mark.parametrize("limit", [1, 3, 4, 5, 100])
def test_no_more_rows_than_asked_for_are_given_and_all_are_counted(limit, caption):
    document = table(*caption, "| n |", "| --- |", *(f"| {n} |" for n in range(4)))
    found = outline.table(document, 0, limit)
    assert found.rows == tuple((str(n),) for n in range(min(limit, 4)))
    assert found.total == 4


CELL = st.text(
    st.characters(exclude_characters="|\\\n\r", exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=8
)


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=5))
def test_what_is_written_as_a_table_is_read_as_its_cells(rows):
    lines = [f"| {left} | {right} |" for left, right in rows]
    document = table("| one | two |", "| --- | --- |", *lines)
    found = outline.table(document, 0, 10)
    assert found == Table(("one", "two"), tuple((left.strip(), right.strip()) for left, right in rows), len(rows))


# ── pages ────────────────────────────────────────────────────────────────────────────────────────


def test_every_page_is_called_by_its_first_words():
    file = made_files.pdf()
    document = read.read(file.name, file.data)
    assert outline.pages(document) == [Entry(0, 0, made_files.TITLE, 1), Entry(2, 0, made_files.NEXT, 2)]


def test_a_page_without_text_is_there_too_and_has_no_block():
    document = made((BlockKind.PARAGRAPH, "First.", 1), (BlockKind.PARAGRAPH, "Third.", 3), pages=4)
    assert outline.pages(document) == [
        Entry(0, 0, "First.", 1), Entry(-1, 0, "", 2), Entry(1, 0, "Third.", 3), Entry(-1, 0, "", 4),
    ]  # fmt: skip


def test_the_page_begins_at_its_first_block_and_the_words_are_on_one_line_and_few():
    long = "word\nand  more " * 40
    document = made((BlockKind.PARAGRAPH, long.strip(), 1), (BlockKind.PARAGRAPH, "Same page.", 1), pages=1)
    (entry,) = outline.pages(document)
    assert entry.block == 0
    assert len(entry.title) <= 120
    assert "\n" not in entry.title
    assert "  " not in entry.title
    assert " ".join(long.split()).startswith(entry.title)


def test_pages_of_blocks_count_where_the_reading_says_none():
    assert [entry.page for entry in outline.pages(made((BlockKind.PARAGRAPH, "x", 2)))] == [1, 2]


# ── names of columns ─────────────────────────────────────────────────────────────────────────────


@given(st.lists(st.sampled_from(["a", "a (2)", "a (3)", "", "column 1", "column 2", "b"]), min_size=1, max_size=8))
def test_no_two_columns_have_one_name(names):
    """Also where a name looks like one that was told apart: a row is shown by its columns' names."""
    cells = tuple(map(str, range(len(names))))
    found = outline.table(table(*(f"| {' | '.join(line)} |" for line in (names, ["---"] * len(names), cells))), 0, 10)
    assert len(set(found.columns)) == len(found.columns) == len(names)
    assert found.rows == (cells,)
    assert all(told.startswith(name or "column ") for told, name in zip(found.columns, names, strict=True))


# ── any text ─────────────────────────────────────────────────────────────────────────────────────


@given(texts.noise)
def test_every_entry_stands_for_a_block_of_its_kind(text):
    document = texts.document(text, "a.md")
    kinds = [(outline.headings, BlockKind.HEADING), (outline.tables, BlockKind.TABLE)]
    for entries, kind in kinds:
        found = entries(document)
        assert [entry.block for entry in found] == [n for n, b in enumerate(document.blocks) if b.kind is kind]
        assert all(entry.depth >= 0 for entry in found)
    for entry in outline.tables(document):
        found = outline.table(document, entry.block, 3)
        assert len(found.rows) <= min(3, found.total)
        assert len(set(found.columns)) == len(found.columns)
