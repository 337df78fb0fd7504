"""Word files: all text in order, each thing once; what is deleted, hidden or repeated on every page left out."""

from __future__ import annotations

from io import BytesIO

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from hypothesis import given, settings
from hypothesis import strategies as st

from core import read
from core.errors import UnreadableFile
from tests import texts
from tests.core.read.damage import assert_read_or_refused
from tests.core.read.made_word import PNG, paragraph, part, patched, put, run, saved

BODY = "<?xml version='1.0'?><w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body>{}</w:body></w:document>"


def blocks(document, *, headings=False):
    """What the file is read as: kind and text, and the headings above on demand."""
    made = read.read("a.docx", document if isinstance(document, bytes) else saved(document))
    texts.assert_tiles(made.text, made.blocks, stripped=False)
    found = [(b.kind.value, made.text[b.start : b.end], b.headings) for b in made.blocks]
    return found if headings else [(kind, text) for kind, text, _ in found]


def lines(*xml):
    """The texts of a file with these blocks in its body."""
    document = docx.Document()
    for block in xml:
        put(document, block)
    return [text for _, text in blocks(document)]


def test_headings_stand_under_the_title():
    document = docx.Document()
    document.add_heading("Pump manual", 0)
    document.add_heading("Safety", 1)
    document.add_heading("Oil", 2)
    document.add_paragraph("Wait.")
    document.add_heading("End", 1)
    assert blocks(document, headings=True) == [
        ("heading", "Pump manual", ("Pump manual",)),
        ("heading", "Safety", ("Pump manual", "Safety")),
        ("heading", "Oil", ("Pump manual", "Safety", "Oil")),
        ("paragraph", "Wait.", ("Pump manual", "Safety", "Oil")),
        ("heading", "End", ("Pump manual", "End")),
    ]


def test_headings_without_a_title_and_of_every_level():
    document = docx.Document()
    for level in range(1, 10):
        document.add_heading(f"L{level}", level)
    assert blocks(document, headings=True)[-1] == ("heading", "L9", tuple(f"L{level}" for level in range(1, 10)))


def test_a_style_based_on_a_heading_and_an_outline_level_are_headings():
    document = docx.Document()
    own = document.styles.add_style("Company Head", WD_STYLE_TYPE.PARAGRAPH)
    own.base_style = document.styles["Heading 2"]
    document.add_paragraph("Own", style=own)
    put(document, f'<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr>{run("Outlined")}</w:p>')
    assert blocks(document, headings=True) == [
        ("heading", "Own", ("Own",)),
        ("heading", "Outlined", ("Own", "Outlined")),
    ]


def test_lists_keep_their_depth_by_style_and_by_numbering():
    document = docx.Document()
    for style, text in (
        ("List Bullet", "one"),
        ("List Bullet 2", "in"),
        ("List Bullet 3", "deep"),
        ("List Bullet", "two"),
    ):
        document.add_paragraph(text, style=style)
    document.add_paragraph("Between.")
    for level in (0, 1, 0):
        put(
            document,
            f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="77"/></w:numPr></w:pPr>{run(f"n{level}")}</w:p>',
        )
    numbering = document.part.numbering_part.element
    levels = "".join(f'<w:lvl w:ilvl="{n}"><w:numFmt w:val="decimal"/></w:lvl>' for n in range(3))
    space = f'xmlns:w="{numbering.nsmap["w"]}"'
    numbering.insert(0, docx.oxml.parse_xml(f'<w:abstractNum {space} w:abstractNumId="77">{levels}</w:abstractNum>'))
    numbering.append(docx.oxml.parse_xml(f'<w:num {space} w:numId="77"><w:abstractNumId w:val="77"/></w:num>'))
    assert blocks(document) == [
        ("list", "- one\n  - in\n    - deep\n- two"),
        ("paragraph", "Between."),
        ("list", "- n0\n  - n1\n- n0"),
    ]


def test_quotes_code_and_captions_by_their_styles():
    document = docx.Document()
    code = document.styles.add_style("Source Code", WD_STYLE_TYPE.PARAGRAPH)
    document.add_paragraph("Said.", style="Quote")
    document.add_paragraph("def f():", style=code)
    document.add_paragraph("    return 1", style=code)
    document.add_paragraph("Table 1. Oil", style="Caption")
    document.add_table(1, 2).cell(0, 0).text = "warm"
    document.add_picture(BytesIO(PNG))
    document.inline_shapes[0]._inline.docPr.set("descr", "A pump.")
    document.add_paragraph("Figure 1. Pump", style="Caption")
    assert blocks(document) == [
        ("quote", "Said."),
        ("code", "def f():\n    return 1"),
        ("table", "Table 1. Oil\n| warm |  |\n| --- | --- |"),
        ("image", "A pump.\nFigure 1. Pump"),
    ]


def test_tables_in_a_row_stay_apart_and_in_order():
    document = docx.Document()
    document.add_paragraph("Before.")
    for name in ("a", "b"):
        table = document.add_table(2, 2)
        for row in range(2):
            for column in range(2):
                table.cell(row, column).text = f"{name}{row}{column}."
    document.add_paragraph("After.")
    assert blocks(document) == [
        ("paragraph", "Before."),
        ("table", "| a00. | a01. |\n| --- | --- |\n| a10. | a11. |"),
        ("table", "| b00. | b01. |\n| --- | --- |\n| b10. | b11. |"),
        ("paragraph", "After."),
    ]


def test_merged_cells_and_tables_in_cells():
    document = docx.Document()
    table = document.add_table(3, 3)
    for number, cell in enumerate(table._cells):
        cell.text = f"c{number}" if number not in (1, 5) else ""
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(0, 2).merge(table.cell(1, 2))
    inner = table.cell(2, 1).add_table(1, 2)
    inner.cell(0, 0).text, inner.cell(0, 1).text = "n1", "n2"
    assert blocks(document) == [
        ("table", "| c0 |  | c2 |\n| --- | --- | --- |\n| c3 | c4 | c2 |\n| c6 | c7<br>n1 n2 | c8 |")
    ]


def test_deleted_text_is_out_and_inserted_text_in():
    document = docx.Document()
    put(
        document,
        f'<w:p>{run("Kept ")}<w:del w:id="1" w:author="a"><w:r><w:delText>gone</w:delText></w:r></w:del>'
        f'<w:ins w:id="2" w:author="a">{run("added.")}</w:ins></w:p>',
    )
    put(
        document,
        f'<w:tbl><w:tr><w:trPr><w:del w:id="3" w:author="a"/></w:trPr><w:tc>{paragraph("gone")}</w:tc></w:tr></w:tbl>',
    )
    made = read.read("a.docx", saved(document))
    assert made.text == "Kept added."
    assert made.reading.cleaned == {"deletions": 1}


def test_hidden_text_and_prompts_are_out():
    assert lines(
        f"<w:p>{run('Shown.')}<w:r><w:rPr><w:vanish/></w:rPr><w:t>SECRET</w:t></w:r></w:p>",
        '<w:p><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>Shown too.</w:t></w:r></w:p>',
        f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{paragraph('Click here')}</w:sdtContent></w:sdt>",
    ) == ["Shown.", "Shown too."]


def test_content_controls_fields_links_and_breaks_keep_their_text():
    assert lines(
        f"<w:sdt><w:sdtContent>{paragraph('In a control.')}</w:sdtContent></w:sdt>",
        f'<w:p>{run("See ")}<w:fldSimple w:instr="REF x">{run("Table 1")}</w:fldSimple>{run(", ")}'
        f'<w:hyperlink w:anchor="x">{run("the link")}</w:hyperlink><w:sdt><w:sdtContent>{run(" and more.")}</w:sdtContent></w:sdt></w:p>',
        "<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t><w:cr/><w:t>d</w:t><w:noBreakHyphen/><w:t>e</w:t></w:r></w:p>",
        f"<w:tbl><w:sdt><w:sdtContent><w:tr><w:tc>{paragraph('x')}</w:tc><w:sdt><w:sdtContent><w:tc>{paragraph('y')}</w:tc></w:sdtContent></w:sdt></w:tr></w:sdtContent></w:sdt></w:tbl>",
    ) == ["In a control.", "See Table 1, the link and more.", "a\nb c\nd‑e", "| x | y |\n| --- | --- |"]


def test_no_run_tears_a_word():
    assert lines(f"<w:p>{run('Open the va')}<w:r><w:rPr><w:b/></w:rPr><w:t>lve</w:t></w:r>{run(' slowly.')}</w:p>") == [
        "Open the valve slowly."
    ]


def test_formulas_are_text():
    power = "<m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    half = "<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
    assert lines(
        f"<w:p>{run('So ')}<m:oMath><m:r><m:t>E=m</m:t></m:r>{power}</m:oMath>{run('.')}</w:p>",
        f"<w:p><m:oMathPara><m:oMath>{half}</m:oMath></m:oMathPara></w:p>",
    ) == ["So E=mc^2.", "(a+b)/2"]


BOX = (
    f"<w:txbxContent>{paragraph('In a box.')}<w:tbl><w:tr><w:tc>{paragraph('b1')}</w:tc><w:tc>{paragraph('b2')}</w:tc></w:tr></w:tbl>"
    "<w:p/></w:txbxContent>"
)
DRAWN = (
    f"<w:drawing><wp:inline><a:graphic><a:graphicData><wps:wsp><wps:txbx>{BOX}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline>"
    "</w:drawing>"
)
OLD = f"<w:pict><v:shape><v:textbox>{BOX}</v:textbox></v:shape></w:pict>"


@pytest.mark.parametrize(
    "box",
    [
        DRAWN,
        OLD,
        f'<mc:AlternateContent><mc:Choice Requires="wps">{DRAWN}</mc:Choice><mc:Fallback>{OLD}</mc:Fallback></mc:AlternateContent>',
        f'<mc:AlternateContent><mc:Choice Requires="wps">{DRAWN}</mc:Choice></mc:AlternateContent>',
    ],
    ids=["drawing", "old", "both", "without fallback"],
)
def test_a_text_box_is_read_once_after_the_paragraph_it_hangs_on(box):
    assert lines(f"<w:p>{run('Anchor.')}<w:r>{box}</w:r></w:p>", paragraph("Next.")) == [
        "Anchor.",
        "In a box.",
        "| b1 | b2 |\n| --- | --- |",
        "Next.",
    ]


def test_page_headers_and_footers_are_out():
    document = docx.Document()
    document.add_paragraph("Text.")
    document.sections[0].header.paragraphs[0].text = "Company"
    document.sections[0].footer.paragraphs[0].text = "Page 1"
    assert blocks(document) == [("paragraph", "Text.")]


def with_notes():
    """A file with a footnote, which python-docx cannot write."""
    document = docx.Document()
    put(document, f'<w:p>{run("Wait")}<w:r><w:footnoteReference w:id="2"/></w:r>{run(".")}</w:p>')
    document.add_heading("End", 1)
    data = saved(document)
    notes = (
        "<w:footnotes xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>"
        f"<w:footnote w:id='-1' w:type='separator'>{paragraph('sep')}</w:footnote><w:footnote w:id='2'>{paragraph('Two minutes.')}</w:footnote>"
        "</w:footnotes>"
    )
    return patched(data, {"word/footnotes.xml": notes.encode()})


def test_footnotes_are_kept_at_the_end_and_lead_back():
    assert blocks(with_notes(), headings=True) == [
        ("paragraph", "Wait[1].", ()),
        ("heading", "End", ("End",)),
        ("list", "- [1] Two minutes.", ("Notes",)),
    ]


def test_comments_and_charts_are_named_in_notices():
    document = docx.Document()
    run_ = document.add_paragraph("Wait.").runs[0]
    document.add_comment(run_, text="LEAK", author="a", initials="a")
    put(
        document,
        "<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><c:chart/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>",
    )
    made = read.read("a.docx", saved(document))
    assert made.text == "Wait."
    assert made.reading.notices == (
        "1 comment was left out.",
        "1 chart, diagram or inserted file is not read.",
    )


def test_pictures_without_text_are_counted():
    document = docx.Document()
    document.add_paragraph("Text.")
    document.add_picture(BytesIO(PNG))
    assert read.read("a.docx", saved(document)).reading.notices == ("1 picture has no text.",)


# Damage and hostility -------------------------------------------------------------------------------------------------

EMPTY = saved(docx.Document())


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (patched(EMPTY, {"word/document.xml": b""}), "damaged"),
        (patched(EMPTY, {"word/document.xml": BODY.format(paragraph("cut")).encode()[:-30]}), "damaged"),
        (patched(EMPTY, {"word/document.xml": b"<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>" + BODY.format("<w:p><w:r><w:t>&a;</w:t></w:r></w:p>").encode()[21:]}), "damaged"),
        (patched(EMPTY, {"word/document.xml": BODY.format("<w:tbl><w:tr><w:tc>" * 600 + paragraph("x") + "</w:tc></w:tr></w:tbl>" * 600).encode()}), "damaged|nested too deeply"),
        (patched(EMPTY, {"word/media/a.png": b"\0" * 200_000_000}), "times its size"),
        (patched(EMPTY, {"word/a.xml": b" " * 61_000_000}), "more than is read at once"),
        (EMPTY, "no text"),
        (EMPTY[: len(EMPTY) // 2], "no Word file|damaged"),
    ],
    ids=["empty", "cut", "entity", "deep", "bomb", "too much XML", "blank", "half"],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_in_words(data, reason):
    with pytest.raises(UnreadableFile, match=reason) as caught:
        read.read("a.docx", data)
    assert caught.value.do


def test_a_file_locked_by_a_password_says_so():
    locked = bytearray(EMPTY)
    at = 0
    while (at := locked.find(b"PK\x01\x02", at)) >= 0:
        locked[at + 8] |= 1
        at += 4
    with pytest.raises(UnreadableFile, match="password"):
        read.read("a.docx", bytes(locked))


def small():
    """A real file of few bytes: python-docx's own template weighs 36 kB, mostly styles."""
    document = docx.Document()
    document.add_heading("Pump", 1)
    document.add_paragraph("Open the valve.")
    document.add_table(1, 2).cell(0, 0).text = "a"
    return patched(saved(document), {"word/styles.xml": b"<styles/>", "word/stylesWithEffects.xml": b"<styles/>"})


SMALL = small()


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, len(SMALL) - 1), st.integers(0, 255)), min_size=1, max_size=6))
def test_flipped_bytes_are_read_or_refused(flips):
    data = bytearray(SMALL)
    for at, byte in flips:
        data[at] = byte
    assert_read_or_refused("a.docx", bytes(data))


@settings(max_examples=40)
@given(st.integers(0, len(SMALL)))
def test_a_file_cut_short_is_read_or_refused(length):
    assert_read_or_refused("a.docx", SMALL[:length])


_XML = part(SMALL, "word/document.xml")


@settings(max_examples=80)
@given(st.integers(0, len(_XML) - 1), st.integers(0, 60), st.binary(max_size=8))
def test_a_damaged_body_is_read_or_refused(at, length, instead):
    damaged = _XML[:at] + instead + _XML[at + length :]
    assert_read_or_refused("a.docx", patched(SMALL, {"word/document.xml": damaged}))


_PIECES = st.sampled_from(
    ("<w:p>", "</w:p>", "<w:r>", "</w:r>", "<w:t>one</w:t>", "<w:tbl>", "</w:tbl>", "<w:tr>", "</w:tr>", "<w:tc>", "</w:tc>", "<w:br/>", "<w:sym/>",
     "<w:footnoteReference w:id='9'/>", "<w:fldChar w:fldCharType='end'/>", "<w:sdt>", "</w:sdt>", "<w:sdtContent>", "</w:sdtContent>", "<w:pict/>",
     "<w:txbxContent>", "</w:txbxContent>", "<w:gridSpan w:val='x'/>", "<w:pPr><w:pStyle w:val='Heading1'/></w:pPr>", "<w:fldSimple>", "</w:fldSimple>",
     "<w:rPr><w:vanish/></w:rPr>", "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>", "<w:commentReference w:id='3'/>", "<w:drawing/>", "<w:tcPr><w:vMerge/></w:tcPr>")
)  # fmt: skip


def closed(pieces):
    """The pieces with every element closed, so that the XML is well formed."""
    made, open_names = [], []
    for piece in pieces:
        name = piece.strip("</>").split()[0]
        if piece.startswith("</"):
            if name not in open_names:
                continue
            while (last := open_names.pop()) != name:
                made.append(f"</{last}>")
        elif "/" not in piece:
            open_names.append(name)
        made.append(piece)
    return "".join([*made, *(f"</{name}>" for name in reversed(open_names))])


@settings(max_examples=150)
@given(st.lists(_PIECES, max_size=25).map(closed))
def test_any_word_xml_is_read_or_refused(xml):
    assert_read_or_refused("a.docx", patched(SMALL, {"word/document.xml": BODY.format(xml).encode()}))
