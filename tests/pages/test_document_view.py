"""A document opened on the Documents page: outline, text, tables, how it was read, and reading it again."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

from core import chunk
from core.ingest import Upload
from core.settings import ChunkSettings, ReadSettings
from tests import made_files, made_pdf
from tests.pages.screen import app, go, notices, open_row, press, raw, said, select_row, settle, table
from tests.pages.test_hostile_text import HOSTILE, PIECES, check

GUIDE = """\
# Plant

It stands by the river. *Nobody* knows why.

## Pumps

- Check the oil.
- Check the seal.

| part | life |
| --- | --- |
| seal | 2 years |
| filter | 6 months |

```
def check(pump): ...
```

> Call the desk.

## Valves

They hold.
"""
UMLAUTS = "Größe und Übermaß stehen fest. Das Gerät läuft täglich."
WIDE = UMLAUTS.encode("cp1252")


def put(workspace, **files):
    """Add files, ``_`` in a name for its dot, and open the page at the first."""
    add(workspace, {name.replace("_", "."): data for name, data in files.items()})
    return opened()


def add(workspace, files):
    results = workspace.add([Upload(name, data) for name, data in files.items()], ChunkSettings())
    assert all(result.doc_id for result in results), results


def opened(row=0):
    """The Documents page with that row chosen."""
    return open_row(app(), row)


def view(tab, name):
    tab.button_group(key="bound-document_view").set_value(name).run()
    assert not tab.exception, tab.exception
    return tab


def blocks(tab):
    """The blocks on the page: kind, page and text of each."""
    (body,) = (html for html in raw(tab)[1] if "cs-block" in html)
    found = re.findall(
        r'<div class="cs-block cs-(\w+)"><div class="cs-kind">\w+<br>(.*?)</div>(.*?)(?=<div class="cs-block|$)',
        body,
        re.DOTALL,
    )
    return [(kind, page, words(inside)) for kind, page, inside in found]


def words(html):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def outline(tab, title="place"):
    """The entries of the outline, as they are indented."""
    return list(table(tab, title)["place"])


def facts(tab):
    """How the document was read, by what it is called."""
    rows = table(tab, "how")
    return dict(zip(rows[""], rows["how"], strict=True))


def again(tab, document, encoding=None, language=None, clean=None, whole=None):
    """Fill in the form below "Read it again" and send it."""
    if encoding is not None:
        tab.selectbox(key=f"encoding-{document.id}").set_value(encoding)
    if language is not None:
        tab.selectbox(key=f"language-{document.id}").set_value(language)
    if clean is not None:
        tab.toggle(key=f"clean-{document.id}").set_value(clean)
    if whole is not None:
        tab.toggle(key=f"whole-{document.id}").set_value(whole)
    return settle(press(tab, "Read again"))


# ── text and outline ─────────────────────────────────────────────────────────────────────────────


def test_an_opened_document_shows_its_outline_and_its_text_with_the_kinds_of_its_blocks(empty):
    tab = put(empty, guide_md=GUIDE.encode())
    assert outline(tab) == ["Plant", "   Pumps", "   Valves"]
    assert "page" not in tab.dataframe[-1].proto.column_order
    assert blocks(tab) == [
        ("heading", "", "# Plant"),
        ("paragraph", "", "It stands by the river. *Nobody* knows why."),
        ("heading", "", "## Pumps"),
        ("list", "", "- Check the oil. - Check the seal."),
        ("table", "", "part life seal 2 years filter 6 months"),
        ("code", "", "``` def check(pump): ... ```"),
        ("quote", "", "> Call the desk."),
        ("heading", "", "## Valves"),
        ("paragraph", "", "They hold."),
    ]


def test_no_document_is_open_until_one_is_chosen(plant):
    tab = app()
    assert not [html for html in raw(tab)[1] if "cs-block" in html]
    assert "bound-document_view" not in [group.key for group in tab.button_group]


def test_a_text_without_headings_and_pages_says_so_and_is_shown(empty):
    tab = put(empty, plain_txt=b"One thing.\n\nAnother thing.")
    assert "No headings and no pages: one run of text." in said(tab)
    assert blocks(tab) == [("paragraph", "", "One thing."), ("paragraph", "", "Another thing.")]


def test_a_document_with_pages_shows_where_each_begins_and_can_be_gone_through_by_them(empty):
    tab = put(empty, pump_pdf=made_files.pdf().data)
    assert blocks(tab) == [
        ("heading", "p. 1", made_files.TITLE), ("paragraph", "", made_files.FIRST), ("paragraph", "p. 2", made_files.NEXT),
    ]  # fmt: skip
    assert outline(tab) == [made_files.TITLE]
    assert list(table(tab, "place")["page"]) == [1]
    tab.button_group(key="outline-kind").set_value("Pages").run()
    assert outline(tab) == [made_files.TITLE, made_files.NEXT]
    assert list(table(tab, "place")["page"]) == [1, 2]
    documents = table(tab, "name")
    assert list(documents["pages"]) == [2]
    assert "PDF · 2 pages · " in said(tab)


def long_guide(headings=30):
    """A document of more blocks than are shown at once: a heading and three paragraphs, over and over."""
    return "\n\n".join(f"# Part {n}\n\nOne {n}.\n\nTwo {n}.\n\nThree {n}." for n in range(headings)).encode()


def test_many_blocks_are_shown_part_by_part(empty):
    tab = put(empty, long_md=long_guide())
    assert "blocks 1–40 of 120" in said(tab)
    assert len(blocks(tab)) == 40
    assert tab.button(key="blocks-back").disabled
    tab = press(tab, "blocks-on")
    assert "blocks 41–80 of 120" in said(tab)
    assert blocks(tab)[0] == ("heading", "", "# Part 10")
    tab = press(tab, "blocks-on")
    assert tab.button(key="blocks-on").disabled
    assert blocks(tab)[-1] == ("paragraph", "", "Three 29.")
    tab = press(tab, "blocks-back")
    assert blocks(tab)[0] == ("heading", "", "# Part 10")


def test_the_text_begins_at_the_heading_that_is_chosen(empty):
    tab = select_row(put(empty, long_md=long_guide()), "outline", 25)
    assert outline(tab)[25] == "Part 25"
    assert blocks(tab)[0] == ("heading", "", "# Part 25")
    assert "blocks 101–120 of 120" in said(tab)
    tab = press(tab, "blocks-back")
    assert "blocks 61–100 of 120" in said(tab), "the choice is made once: turning back is not taken back"


def test_so_it_does_within_what_is_shown_already(empty):
    tab = select_row(put(empty, long_md=long_guide()), "outline", 8)
    assert blocks(tab)[0] == ("heading", "", "# Part 8")


def test_another_document_opens_at_its_beginning(empty):
    add(empty, {"a.md": long_guide(), "b.md": long_guide(31)})
    tab = press(press(opened(), "blocks-on"), "blocks-on")
    assert "blocks 81–120 of 120" in said(tab)
    tab = open_row(tab, 1)
    assert "blocks 1–40 of 124" in said(tab)


def test_a_page_without_text_is_named_and_harmless(empty):
    data = made_pdf.drawn(
        made_pdf.lines("The first page says this."), lambda canvas: None, made_pdf.lines("The third says that.")
    )
    tab = put(empty, gap_pdf=data)
    assert outline(tab) == ["The first page says this.", "no text on this page", "The third says that."]
    before = blocks(tab)
    assert blocks(select_row(tab, "outline", 1)) == before


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


def test_tables_stand_as_they_are_with_what_the_model_reads_in_their_place(empty):
    tab = view(put(empty, guide_md=GUIDE.encode()), "Tables")
    found = table(tab, "part")
    assert found.to_dict("list") == {"part": ["seal", "filter"], "life": ["2 years", "6 months"]}
    summary = "Plant › Pumps. Table of part, life. 2 rows: seal, 2 years; filter, 6 months"
    assert f"2 rows. What the model reads in its place: {summary}" in said(tab)
    passage, nodes = empty.preview(empty.documents()[0].id, ChunkSettings())
    assert summary in [chunk.embedded_text(passage.document, node) for node in nodes]


def test_every_table_can_be_chosen_by_its_caption_and_page(empty):
    tab = view(put(empty, book_xlsx=made_files.sheet().data), "Tables")
    (chosen,) = (box for box in tab.selectbox if box.label == "Table")
    assert chosen.options == [f"1 of 1: {made_files.TITLE} · p. 1"]
    two = b"# One\n\n| a |\n|---|\n| 1 |\n\n# Two\n\n| b |\n|---|\n| 2 |\n| 3 |"
    add(empty, {"a.md": two})
    tab = view(opened(), "Tables")
    (chosen,) = (box for box in tab.selectbox if box.label == "Table")
    assert chosen.options == ["1 of 2: One", "2 of 2: Two"]
    chosen.set_value(1).run()
    assert list(table(tab, "b")["b"]) == ["2", "3"]


def test_a_document_without_tables_says_so(empty):
    assert "No tables in this document." in said(view(put(empty, a_txt=b"One thing."), "Tables"))


def test_a_table_of_columns_with_one_name_or_none_loses_none(empty):
    source = b"| a | a | a (2) |  |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |"
    tab = view(put(empty, a_md=source), "Tables")
    (row,) = table(tab, "a").to_dict("records")
    assert list(row.values()) == ["1", "2", "3", "4"], row


def test_a_long_table_shows_its_first_rows_in_the_text_and_all_of_them_by_itself(empty):
    rows = "\n".join(f"{n},value {n}" for n in range(500))
    tab = put(empty, long_csv=f"number,what\n{rows}".encode())
    assert "… and 470 more" in (shown := blocks(tab)[0][2]) or "… and 470 rows more" in shown
    assert "value 29" in shown
    assert "value 30" not in shown
    assert len(table(view(tab, "Tables"), "number")) == 500


# ── how it was read ──────────────────────────────────────────────────────────────────────────────


def test_it_says_how_a_document_was_read(empty):
    tab = view(put(empty, wide_txt=WIDE), "How it was read")
    said_so = facts(tab)
    assert said_so["format"] == "text/plain"
    assert said_so["encoding"] == "cp1252 (a guess)"
    assert said_so["language"] == "German"
    assert said_so["sentences by"] == "NLTK Punkt (German)"
    assert said_so["characters"] == str(len(UMLAUTS))
    assert said_so["blocks"] == "1 paragraph"
    assert said_so["cleaned"] == "nothing"
    assert "The encoding is a guess: Western European (Windows-1252)" in said(tab)


def test_what_was_cleaned_is_counted_in_words(empty):
    tab = put(empty, fit_txt="The oﬃce ﬁts.".encode())
    assert facts(view(tab, "How it was read"))["cleaned"] == "2 ligatures"
    tab = view(put(empty, pump_pdf=made_files.pdf().data), "How it was read")
    tab = view(open_row(tab, 1), "How it was read")
    assert facts(tab)["encoding"] == "carried by the file"
    assert facts(tab)["pages"] == "2"
    assert not [box for box in tab.selectbox if box.label == "Encoding"]


def test_reading_again_in_another_encoding_changes_the_text_and_says_so(empty):
    tab = view(put(empty, wide_txt=WIDE), "How it was read")
    info = empty.document("wide.txt")
    tab = again(tab, info, encoding="cp1251")
    assert empty.document("wide.txt").reading.settings == ReadSettings(encoding="cp1251")
    assert facts(tab)["encoding"] == "cp1251"
    assert "replaced wide.txt" in said(tab)
    assert tab.selectbox(key=f"encoding-{info.id}").value == "cp1251"
    (shown,) = blocks(view(tab, "Text"))
    assert shown == ("paragraph", "", WIDE.decode("cp1251"))
    tab = again(view(tab, "How it was read"), info, encoding="")
    assert blocks(view(tab, "Text")) == [("paragraph", "", UMLAUTS)]


def test_an_encoding_it_is_not_in_is_refused_and_nothing_changes(empty):
    japanese = "会議は三時に始まります。資料を読んでください。"
    tab = view(put(empty, wide_txt=japanese.encode("cp932")), "How it was read")
    before = empty.documents()
    tab = again(tab, before[0], encoding="utf-8")
    assert any("The file is not in Unicode (UTF-8)." in notice for notice in notices(tab))
    assert empty.documents() == before
    assert blocks(view(tab, "Text")) == [("paragraph", "", japanese)]


def test_reading_again_without_cleaning_and_in_another_language(empty):
    tab = view(put(empty, fit_txt="The oﬃce ﬁts.".encode()), "How it was read")
    tab = again(tab, empty.documents()[0], clean=False, language="fr")
    assert (facts(tab)["cleaned"], facts(tab)["language"]) == ("nothing", "French")
    assert facts(tab)["sentences by"] == "NLTK Punkt (French)"
    assert blocks(view(tab, "Text")) == [("paragraph", "", "The oﬃce ﬁts.")]
    assert "French text" not in said(tab), "the tiny encoder's name says nothing of its languages"


def test_a_web_page_can_be_read_whole(empty):
    page = (
        b"<html><body><nav><a href='/'>Home</a> <a href='/x'>Shop</a></nav><main><p>The north pump failed in May. It was "
        b"replaced at once, and nobody on the shift had to wait for it.</p></main></body></html>"
    )
    tab = put(empty, page_html=page)
    assert "Shop" not in str(blocks(tab))
    tab = again(view(tab, "How it was read"), empty.documents()[0], whole=True)
    assert "Shop" in str(blocks(view(tab, "Text")))
    add(empty, {"a.txt": b"No page."})
    assert not [toggle for toggle in view(opened(), "How it was read").toggle if "whole page" in toggle.label]


def test_what_to_know_about_a_document_stands_in_the_list_and_beside_it(empty):
    tab = put(empty, wide_txt=WIDE)
    ((reason,),) = table(tab, "name")["state"]
    assert reason.startswith("The encoding is a guess")
    assert "The encoding is a guess" in said(tab)


def test_an_opened_document_stays_open_while_other_pages_are_visited(empty):
    tab = view(put(empty, guide_md=GUIDE.encode()), "Tables")
    tab = go(go(tab, "search"), "documents")
    assert tab.session_state["chunkscope"].document_view == "Tables"


# ── hostile text ─────────────────────────────────────────────────────────────────────────────────


def hostile_guide() -> bytes:
    cell = HOSTILE.replace("|", r"\|")
    return f"# {HOSTILE}\n\nText {HOSTILE}.\n\n| {cell} | b |\n| --- | --- |\n| {cell} | 1 |\n\n> {HOSTILE}\n\n- {HOSTILE}\n".encode()


def test_hostile_headings_cells_and_blocks_stay_text_in_every_view(empty):
    tab = check(put(empty, guide_md=hostile_guide()))
    assert all(piece.split()[0] in outline(tab)[0] for piece in PIECES[:3])
    shown = " ".join(inside for *_, inside in blocks(tab))
    for piece in PIECES:
        assert shown.count(piece) >= 5, piece
    tab = check(view(tab, "Tables"))
    assert HOSTILE in list(table(tab, "b").columns)
    assert "What the model reads in its place" in said(tab)
    assert "<script>alert(1)</script>" in said(tab)
    check(view(tab, "How it was read"))


def test_hostile_names_and_captions_stay_text_when_read_again(empty):
    add(empty, {f"{HOSTILE}.txt": WIDE})
    tab = check(view(opened(), "How it was read"))
    tab = check(again(tab, empty.documents()[0], encoding="cp1251"))
    assert HOSTILE in said(tab)
    page = f"<html><body><h1>x</h1><table><caption>{HOSTILE.replace('<', '&lt;')}</caption><tr><th>a</th></tr><tr><td>1</td></tr></table></body></html>"
    add(empty, {"0.html": page.encode()})
    tab = check(view(opened(), "Tables"))
    assert next(box for box in tab.selectbox if box.label == "Table").options[0].startswith(f"1 of 1: {HOSTILE[:50]}")
    check(view(tab, "Text"))


def test_hostile_notices_stay_text(empty, monkeypatch):
    """What a parser says of a file may quote the file."""
    real = empty._reader

    def noting(name, data, settings, progress):
        made = real(name, data, settings, progress)
        return replace(made, reading=replace(made.reading, notices=(HOSTILE,), language=HOSTILE))

    monkeypatch.setattr(empty, "_reader", noting)
    tab = check(put(empty, a_txt=b"One thing. Another."))
    assert HOSTILE in said(tab)
    tab = check(view(tab, "How it was read"))
    assert facts(tab)["language"] == HOSTILE
    tab = check(again(tab, empty.documents()[0], clean=False))
    assert HOSTILE in said(tab)


@pytest.mark.parametrize("make", made_files.EVERY, ids=lambda make: make.__name__)
def test_a_document_of_every_format_opens_in_every_view(empty, make):
    made = make()
    add(empty, {made.name: made.data})
    tab = opened()
    shown = blocks(tab)
    assert [kind for kind, *_ in shown] == [kind for kind, *_ in made.blocks]
    assert [page for _, page, _ in shown if page] == [f"p. {n}" for n in range(1, made.pages + 1)]
    for name in ("Tables", "How it was read", "Text"):
        view(tab, name)
    assert facts(view(tab, "How it was read"))["pages"] == (str(made.pages) if made.pages else "–")
