"""Workbooks: values as a reader sees them, one table per region, every sheet under its name."""

from __future__ import annotations

import io
from datetime import date, datetime, time, timedelta
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import read
from core.errors import Cancelled, UnreadableFile
from core.read.xlsx import workbook
from core.read.xlsx.workbook import _column, _style
from core.settings import ReadSettings
from core.types import no_progress
from tests import texts

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def book(**sheets: list[list[object]]) -> openpyxl.Workbook:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for number, row in enumerate(rows, 1):
            for column, value in enumerate(row, 1):
                if value is not None:
                    sheet.cell(number, column, value)
    return made


def saved(made: openpyxl.Workbook) -> bytes:
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def raw(cells: str, strings: str = "", main: str = MAIN) -> bytes:
    """A workbook of one sheet with exactly that XML for its rows."""
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as made:
        made.writestr("[Content_Types].xml", "<Types/>")
        made.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{RELATED}"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
        )
        made.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships><Relationship Id="r1" Type="{RELATED}/worksheet" Target="worksheets/s.xml"/>'
            f'<Relationship Id="r2" Type="{RELATED}/sharedStrings" Target="/xl/strings.xml"/></Relationships>',
        )
        made.writestr("xl/worksheets/s.xml", f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData></worksheet>')
        made.writestr("xl/strings.xml", f'<sst xmlns="{main}">{strings}</sst>')
    return out.getvalue()


def blocks_of(data: bytes):
    made = read.content("a.xlsx", data)
    texts.assert_tiles(made.text, made.blocks, stripped=False)
    return [(b.kind.value, made.text[b.start : b.end], b.page) for b in made.blocks]


def table_of(data: bytes) -> list[list[str]]:
    (table,) = [text for kind, text, _ in blocks_of(data) if kind == "table"]
    return [line.strip("| ").split(" | ") for line in table.split("\n") if "---" not in line]


def test_values_stand_as_a_reader_sees_them():
    made = book(
        S=[["kind", "value"], ["whole", 42], ["whole too", 42.0], ["part", 0.1 + 0.2], ["yes", True], ["no", False]]
    )
    sheet = made["S"]
    for name, value, style in [
        ("day", date(2024, 1, 2), "dd/mm/yyyy;@"),
        ("moment", datetime(2024, 1, 2, 13, 45), "yyyy-mm-dd h:mm"),
        ("midnight", datetime(2024, 1, 2), "yyyy-mm-dd h:mm:ss"),
        ("second", datetime(2024, 1, 2, 13, 45, 6), "[$-409]d\\-mmm\\-yy h:mm AM/PM"),
        ("clock", time(3, 4), "h:mm"),
        ("hours", timedelta(hours=30), "[h]:mm:ss"),
        ("month", datetime(2024, 5, 1), "mmm"),
        ("share", 0.256, "0.0%"),
        ("postcode", 501, "00000"),
        ("money", 12.5, '#,##0.00\\ [$€-407];[Red]-#,##0.00 "due"'),
        ("words", "00501", "@"),
    ]:
        sheet.append([name, value])
        sheet.cell(sheet.max_row, 2).number_format = style
    assert table_of(saved(made)) == [
        ["kind", "value"], ["whole", "42"], ["whole too", "42"], ["part", "0.3"], ["yes", "true"], ["no", "false"],
        ["day", "2024-01-02"], ["moment", "2024-01-02 13:45"], ["midnight", "2024-01-02"], ["second", "2024-01-02 13:45:06"],
        ["clock", "03:04"], ["hours", "30:00:00"], ["month", "2024-05-01"], ["share", "25.6%"], ["postcode", "00501"],
        ["money", "12.5"], ["words", "00501"],
    ]  # fmt: skip


def test_a_formula_is_its_result_and_one_without_is_told():
    data = raw(
        '<row><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>A1&amp;"x"</f><v>2x</v></c><c r="C1"><f>A1</f></c></row>'
    )
    assert blocks_of(data)[1][1] == "2 | 2x"
    assert "without a stored result: 1." in read.content("a.xlsx", data).notices[0]


def test_errors_strings_of_every_kind_and_unnamed_cells_are_read():
    cells = (
        '<row r="1"><c r="A1" t="e"><v>#DIV/0!</v></c><c t="inlineStr"><is><r><t>In</t></r><r><t>line</t></r></is></c>'
        '<c t="s"><v>0</v></c><c t="b"><v>1</v></c><c t="d"><v>2024-01-02</v></c><c t="s"><v>1</v></c></row>'
    )
    strings = "<si><t>東京</t><rPh><t>トウキョウ</t></rPh></si><si><t>a_x000D_b_x005F_</t></si>"
    assert blocks_of(raw(cells, strings))[1][1] == "#DIV/0! | Inline | 東京 | true | 2024-01-02 | a\nb_"


def test_the_strict_kind_of_workbook_is_read():
    assert (
        blocks_of(raw('<row><c t="str"><v>x</v></c></row>', main="http://purl.oclc.org/ooxml/spreadsheetml/main"))[1][1]
        == "x"
    )


def test_every_sheet_is_a_page_under_its_name_and_odd_ones_are_told():
    made = book(First=[["a", "b"], [1, 2]], Void=[], Back=[["secret"]])
    made["Back"].sheet_state = "veryHidden"
    made.create_chartsheet("Chart")
    data = saved(made)
    assert blocks_of(data) == [
        ("heading", "First", 1),
        ("table", "| a | b |\n| --- | --- |\n| 1 | 2 |", 1),
        ("heading", "Back", 3),
        ("paragraph", "secret", 3),
    ]
    found = read.content("a.xlsx", data)
    assert found.pages == 4
    assert found.notices == ("Hidden sheets were read too: Back.", "Sheets without text: Void, Chart.")


def test_empty_rows_and_columns_part_tables_and_a_title_is_their_caption():
    rows = [
        ["Pumps", None, None, None, None],
        ["name", "flow", None, "site", "open"],
        ["A", 5, None, "North", True],
        [None],
        ["Note: all values are estimates."],
        [None],
        ["x", None, "y"],
        [1, None, 2],
    ]
    assert [(kind, text) for kind, text, _ in blocks_of(saved(book(S=rows)))[1:]] == [
        ("table", "Pumps\n| name | flow |\n| --- | --- |\n| A | 5 |"),
        ("table", "| site | open |\n| --- | --- |\n| North | true |"),
        ("paragraph", "Note: all values are estimates."),
        ("table", "| x | y |\n| --- | --- |\n| 1 | 2 |"),
    ]


def test_a_cell_at_the_far_end_of_the_sheet_costs_nothing():
    data = raw(
        '<row r="1"><c r="A1" t="str"><v>near</v></c></row><row r="1048576"><c r="XFD1048576" t="str"><v>far</v></c></row>'
    )
    assert [text for _, text, _ in blocks_of(data)] == ["S", "near", "far"]


def test_a_large_sparse_region_is_read_row_by_row():
    rows = "".join(
        f'<row r="{n}"><c r="A{n}" t="str"><v>r{n}</v></c><c r="{openpyxl.utils.get_column_letter(n + 1)}{n}" t="str"><v>c{n}</v></c></row>'
        for n in range(1, 2000)
    )
    found = read.content("a.xlsx", raw(rows))
    assert len(found.text) < 100_000
    assert "r1999 | c1999" in found.text


def test_a_trap_that_unpacks_to_far_more_is_refused(monkeypatch):
    monkeypatch.setattr(workbook, "_SMALL", 100_000)
    with pytest.raises(UnreadableFile, match="unpacks to more"):
        read.content("a.xlsx", raw(f'<row><c t="str"><v>{"x" * 5_000_000}</v></c></row>'))


@pytest.mark.parametrize(
    "cells",
    [
        '<row><c t="s"><v>99</v></c></row>',
        "<row><c",
        '<row r="x"><c/></row>',
        '<row><c t="s"><v>no</v></c></row>',
        '<row><c s="999"><v>1</v></c></row><oops>',
    ],
)
def test_a_damaged_sheet_is_refused(cells):
    with pytest.raises(UnreadableFile, match="Excel file is damaged"):
        read.content("a.xlsx", raw(cells))


def test_entities_are_not_expanded():
    lol = '<!DOCTYPE x [<!ENTITY a "' + "ha" * 1000 + '">]>'
    data = raw("")
    out = io.BytesIO()
    with ZipFile(io.BytesIO(data)) as old, ZipFile(out, "w") as made:
        for name in old.namelist():
            sheet = f'{lol}<worksheet xmlns="{MAIN}"><sheetData><row><c t="str"><v>&a;</v></c></row></sheetData></worksheet>'
            made.writestr(name, sheet if name.endswith("s.xml") and "worksheets" in name else old.read(name))
    with pytest.raises(UnreadableFile, match="damaged"):
        read.content("a.xlsx", out.getvalue())


def test_reading_can_be_stopped():
    def stop(done: float, total: float, message: str) -> None:
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        read.content("a.xlsx", saved(book(S=[["a"]])), ReadSettings(), stop)


@pytest.mark.parametrize(("reference", "column"), [("A1", 0), ("Z9", 25), ("AB7", 27), ("XFD1048576", 16383)])
def test_columns_count_from_nothing(reference, column):
    assert _column(reference) == column


@pytest.mark.parametrize(
    "code", ["General", "0", "0.00", "#,##0", '"Day" 0', "[Red]0.0", "# ?/?", "0.00E+00", "@", '0 "hours"', "\\d0"]
)
def test_a_number_is_not_taken_for_a_date(code):
    assert _style(code).look == "plain"


SOUND = saved(book(S=[["name", "when"], ["Ann", date(2024, 1, 2)], ["é", 4.5]], T=[["x"]]))


@given(st.data())
def test_a_workbook_damaged_anywhere_is_read_or_refused(data):
    made = bytearray(SOUND)
    for _ in range(data.draw(st.integers(1, 8))):
        made[data.draw(st.integers(0, len(made) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = read.content("a.xlsx", bytes(made), ReadSettings(), no_progress)
    except UnreadableFile:
        return
    texts.assert_tiles(found.text, found.blocks, stripped=False)


SCRAPS = st.sampled_from(
    ["<row>", "</row>", '<row r="3">', "<c>", "</c>", '<c r="B2" t="s">', '<c t="n" s="1">', "<v>1</v>", "<v>x</v>", "<v/>", "<f>1</f>", "<is><t>q</t></is>", "<t>w</t>", "<v>-1e999</v>", "<v>NaN</v>", escape("<&>")]
)  # fmt: skip


@given(st.lists(SCRAPS, max_size=14).map("".join))
def test_any_cells_are_read_or_refused(cells):
    try:
        found = read.content("a.xlsx", raw(cells, "<si><t>s</t></si>"))
    except UnreadableFile:
        return
    texts.assert_tiles(found.text, found.blocks, stripped=False)
