"""PowerPoint files: a page per slide, every shape in reading order, notes after it, nothing said twice."""

from __future__ import annotations

from io import BytesIO

import pptx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from core import read
from core.errors import UnreadableFile
from core.settings import ReadSettings
from tests import texts
from tests.core.read.damage import assert_read_or_refused
from tests.core.read.made_word import PNG, part, patched, saved

TITLE_SLIDE, TITLE_AND_CONTENT, TITLE_ONLY, BLANK = 0, 1, 5, 6


def read_deck(deck, settings=ReadSettings()):  # noqa: B008 - a frozen value
    made = read.read("a.pptx", deck if isinstance(deck, bytes) else saved(deck), settings)
    texts.assert_tiles(made.text, made.blocks, stripped=False)
    return made


def blocks(deck):
    """What the deck is read as: kind, text, slide."""
    made = read_deck(deck)
    return [(b.kind.value, made.text[b.start : b.end], b.page) for b in made.blocks]


def slide(deck, layout=BLANK, title=""):
    made = deck.slides.add_slide(deck.slide_layouts[layout])
    if title:
        made.shapes.title.text = title
    return made


def box(shapes, text, left, top):
    made = shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(0.5))
    made.text_frame.text = text
    return made


def test_titles_bullets_and_notes_stand_under_their_slide():
    deck = pptx.Presentation()
    slide(deck, TITLE_SLIDE, "Pump\vmanual").placeholders[1].text = "For two people"
    second = slide(deck, TITLE_AND_CONTENT, "Steps")
    frame = second.placeholders[1].text_frame
    frame.text = "Open it."
    for level, text in ((1, "Slowly."), (0, "Wait.")):
        paragraph = frame.add_paragraph()
        paragraph.text, paragraph.level = text, level
    second.notes_slide.notes_text_frame.text = "Say this.\nAnd that."
    box(slide(deck).shapes, "No title here.", 1, 1)
    made = read_deck(deck)
    assert [(b.kind.value, made.text[b.start : b.end], b.page, b.headings) for b in made.blocks] == [
        ("heading", "Pump manual", 1, ("Pump manual",)),
        ("paragraph", "For two people", 1, ("Pump manual",)),
        ("heading", "Steps", 2, ("Steps",)),
        ("list", "- Open it.\n  - Slowly.\n- Wait.", 2, ("Steps",)),
        ("paragraph", "Say this.", 2, ("Steps", "Notes")),
        ("paragraph", "And that.", 2, ("Steps", "Notes")),
        ("paragraph", "No title here.", 3, ("Slide 3",)),
    ]
    assert made.reading.pages == 3


def test_a_single_bullet_and_lines_without_bullets_are_paragraphs():
    deck = pptx.Presentation()
    slide(deck, TITLE_AND_CONTENT, "One").placeholders[1].text = "Alone."
    box(slide(deck).shapes, "First.\nSecond\vline.", 1, 1)
    assert blocks(deck) == [
        ("heading", "One", 1),
        ("paragraph", "Alone.", 1),
        ("paragraph", "First.", 2),
        ("paragraph", "Second\nline.", 2),
    ]


def test_shapes_are_read_from_the_top_and_from_the_left_and_groups_as_one():
    deck = pptx.Presentation()
    shapes = slide(deck).shapes
    box(shapes, "last", 1, 6)
    box(shapes, "right", 5, 1)
    box(shapes, "left", 1, 1.1)
    group = shapes.add_group_shape()
    inner = group.shapes.add_group_shape()
    box(inner.shapes, "inner", 1, 3)
    box(group.shapes, "below it", 1, 4)
    box(shapes, "beside the group", 5, 5)
    assert [text for _, text, _ in blocks(deck)] == ["left", "right", "inner", "below it", "beside the group", "last"]


def test_tables_with_merged_cells():
    deck = pptx.Presentation()
    table = slide(deck).shapes.add_table(3, 3, Inches(1), Inches(1), Inches(6), Inches(2)).table
    for row in range(3):
        for column in range(3):
            table.cell(row, column).text = f"c{row}{column}" if (row, column) not in ((0, 1), (2, 0)) else ""
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(1, 0).merge(table.cell(2, 0))
    assert blocks(deck) == [
        ("table", "| c00 |  | c02 |\n| --- | --- | --- |\n| c10 | c11 | c12 |\n| c10 | c21 | c22 |", 1)
    ]


def test_charts_are_tables_of_their_numbers():
    deck = pptx.Presentation()
    data = CategoryChartData()
    data.categories = ["East", "West"]
    data.add_series("Q1", (1.5, 2))
    data.add_series("Q2", (3, None))
    place = (Inches(1), Inches(1), Inches(4), Inches(2))
    chart = slide(deck).shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Sales"
    points = XyChartData()
    series = points.add_series("Bar")
    series.add_data_point(1, 2)
    slide(deck).shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, *place, points)
    assert blocks(deck) == [
        ("table", "Sales\n|  | Q1 | Q2 |\n| --- | --- | --- |\n| East | 1.5 | 3 |\n| West | 2 |  |", 1),
        ("table", "|  | Bar |\n| --- | --- |\n| 1 | 2 |", 2),
    ]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("A pump.", [("image", "A pump.", 1)]),
        ("A pump.\n\nDescription automatically generated", [("image", "A pump.", 1)]),
        ("image1.png", []),
        ("", []),
    ],
)
def test_a_picture_is_its_text_and_a_file_name_is_none(said, found):
    deck = pptx.Presentation()
    shapes = slide(deck).shapes
    shapes.add_picture(BytesIO(PNG), Inches(1), Inches(5))._element.nvPicPr.cNvPr.set("descr", said)
    box(shapes, "Text.", 1, 6)
    made = read_deck(deck)
    assert blocks(deck) == [*found, ("paragraph", "Text.", 1)]
    assert made.reading.notices == (() if found else ("1 picture has no text.",))


def test_silent_and_hidden_slides_are_named():
    deck = pptx.Presentation()
    slide(deck)
    box(slide(deck).shapes, "Text.", 1, 1)
    slide(deck)
    deck.slides[1]._element.set("show", "0")
    assert read_deck(deck).reading.notices == (
        "Slides without text: 1, 3.",
        "Slides hidden in the show, read all the same: 2.",
    )


def test_footers_are_left_out_when_cleaning_and_slide_numbers_always():
    deck = pptx.Presentation()
    made = slide(deck, TITLE_ONLY, "Pump")
    for shape in deck.slide_layouts[TITLE_ONLY].placeholders:
        if shape.placeholder_format.type.name in ("FOOTER", "SLIDE_NUMBER"):
            made.shapes.clone_placeholder(shape)
            made.placeholders[shape.placeholder_format.idx].text = shape.placeholder_format.type.name
    assert read_deck(deck).text == "Pump"
    assert read_deck(deck).reading.cleaned == {"footers": 2}
    assert read_deck(deck, ReadSettings(clean=False)).text == "Pump\n\nFOOTER"


def test_fields_formulas_and_alternatives_are_text():
    deck = pptx.Presentation()
    shapes = slide(deck).shapes
    box(shapes, "Kept. ", 1, 1)
    xml = part(saved(deck), "ppt/slides/slide1.xml").decode()
    at, end = xml.index("<p:sp>"), xml.index("</p:sp>") + len("</p:sp>")
    formula = (
        '<a14:m xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"><m:oMath '
        'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>E=m</m:t></m:r></m:oMath></a14:m>'
    )
    shape = xml[at:end].replace("</a:r>", f"</a:r><a:fld id='{{1}}' type='x'><a:t>Field.</a:t></a:fld>{formula}")
    both = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="a14">'
        f"{shape}</mc:Choice><mc:Fallback>{xml[at:end]}</mc:Fallback></mc:AlternateContent>"
    )
    data = patched(saved(deck), {"ppt/slides/slide1.xml": (xml[:at] + both + xml[end:]).encode()})
    assert blocks(data) == [("paragraph", "Kept. Field.E=m", 1)]


def test_a_smart_art_diagram_is_a_list():
    deck = pptx.Presentation()
    made = slide(deck)
    box(made.shapes, "x", 1, 1)
    data = saved(deck)
    xml = part(data, "ppt/slides/slide1.xml").decode()
    at, end = xml.index("<p:sp>"), xml.index("</p:sp>") + len("</p:sp>")
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="d"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/>'
        '<a:ext cx="1" cy="1"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/diagram"><dgm:relIds '
        'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
        'r:dm="rId9"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    relation = '<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData" Target="../diagrams/data1.xml"/>'
    relations = (
        part(data, "ppt/slides/_rels/slide1.xml.rels")
        .decode()
        .replace("</Relationships>", relation + "</Relationships>")
    )
    points = "".join(
        f"<dgm:pt><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>" for text in ("Open", "Wait")
    )
    diagram = (
        '<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
        f'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst>{points}<dgm:pt/></dgm:ptLst></dgm:dataModel>'
    )
    assert blocks(
        patched(
            data,
            {
                "ppt/slides/slide1.xml": (xml[:at] + frame + xml[end:]).encode(),
                "ppt/slides/_rels/slide1.xml.rels": relations.encode(),
                "ppt/diagrams/data1.xml": diagram.encode(),
            },
        )
    ) == [("list", "- Open\n- Wait", 1)]


# Damage ---------------------------------------------------------------------------------------------------------------


def small():
    deck = pptx.Presentation()
    made = slide(deck, TITLE_AND_CONTENT, "Pump")
    made.placeholders[1].text = "Open the valve."
    made.notes_slide.notes_text_frame.text = "Say it."
    made.shapes.add_table(1, 2, 0, 0, 1, 1).table.cell(0, 0).text = "a"
    return saved(deck)


SMALL = small()


def test_a_deck_without_text_and_a_bomb_are_refused_in_words():
    for data, reason in (
        (saved(pptx.Presentation()), "no text"),
        (patched(SMALL, {"ppt/media/a.png": b"\0" * 200_000_000}), "times its size"),
    ):
        with pytest.raises(UnreadableFile, match=reason):
            read.read("a.pptx", data)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, len(SMALL) - 1), st.integers(0, 255)), min_size=1, max_size=6))
def test_flipped_bytes_are_read_or_refused(flips):
    data = bytearray(SMALL)
    for at, byte in flips:
        data[at] = byte
    assert_read_or_refused("a.pptx", bytes(data))


@settings(max_examples=20)
@given(st.integers(0, len(SMALL)))
def test_a_file_cut_short_is_read_or_refused(length):
    assert_read_or_refused("a.pptx", SMALL[:length])


_PARTS = {
    name: part(SMALL, name)
    for name in (
        "ppt/presentation.xml",
        "ppt/slides/slide1.xml",
        "ppt/slides/_rels/slide1.xml.rels",
        "[Content_Types].xml",
    )
}


@settings(max_examples=80)
@given(st.sampled_from(sorted(_PARTS)), st.floats(0, 1), st.integers(0, 60), st.binary(max_size=8))
def test_a_damaged_part_is_read_or_refused(name, where, length, instead):
    xml = _PARTS[name]
    at = int(where * (len(xml) - 1))
    assert_read_or_refused("a.pptx", patched(SMALL, {name: xml[:at] + instead + xml[at + length :]}))
