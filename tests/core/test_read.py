"""Bytes become one canonical text and its blocks, or an error that says why not."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from core import read
from core.errors import AppError, UnreadableFile
from core.read import markdown, plain
from core.read.decode import decoded
from core.settings import ReadSettings
from core.types import BlockKind
from tests import texts

WORDS = "Prix: 12 € — “déjà vu”, naïve façade. 会议 👩‍🔧 café."
ENCODED = [
    ("utf-8", WORDS.encode()),
    ("utf-8 with mark", WORDS.encode("utf-8-sig")),
    ("utf-16-le", codecs.BOM_UTF16_LE + WORDS.encode("utf-16-le")),
    ("utf-16-be", codecs.BOM_UTF16_BE + WORDS.encode("utf-16-be")),
    ("utf-32-le", codecs.BOM_UTF32_LE + WORDS.encode("utf-32-le")),
    ("utf-32-be", codecs.BOM_UTF32_BE + WORDS.encode("utf-32-be")),
]


def text_of(data: bytes) -> str:
    return decoded(data, ReadSettings(clean=False)).text


@pytest.mark.parametrize("data", [data for _, data in ENCODED], ids=[name for name, _ in ENCODED])
def test_a_byte_order_mark_decides_the_encoding_and_is_no_part_of_the_text(data):
    assert text_of(data) == WORDS


@pytest.mark.parametrize("name", ["enc_utf8", "enc_utf8_bom", "enc_utf16le_bom", "enc_utf16be_bom", "enc_utf32le_bom"])
def test_files_of_every_marked_encoding_read_the_same(case_inputs, name):
    text = read.read("a.txt", (case_inputs / f"{name}.txt").read_bytes()).text
    assert text == (case_inputs / "enc_utf8.txt").read_text(encoding="utf-8")
    assert "\ufeff" not in text


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no text"),
        (b" \r\n\t \n", "no text"),
        (codecs.BOM_UTF8, "no text"),
        (codecs.BOM_UTF16_LE, "no text"),
        (bytes(range(256)), "control characters"),
        (b"\x01\x02\x03\x04 abc", "control characters"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(1, 256)), "picture"),
        (bytes(20), "binary"),
        (codecs.BOM_UTF32_BE + b"\xff\xff\xff\xff" * 3, "damaged or binary"),
    ],
)
def test_what_is_no_text_is_refused_with_the_reason(data, reason):
    with pytest.raises(UnreadableFile, match=reason) as caught:
        read.read("a.txt", data)
    assert caught.value.do


@pytest.mark.parametrize("name", ["enc_empty", "enc_binary_named_txt"])
def test_a_file_that_holds_no_text_is_refused_whole(case_inputs, name):
    with pytest.raises(UnreadableFile):
        read.read("a.txt", (case_inputs / f"{name}.txt").read_bytes())


@pytest.mark.parametrize(
    ("name", "said"), [("a.xyz", ".xyz"), ("a", "without an ending"), ("", "without"), ("a.", "is not read")]
)
def test_a_format_we_do_not_read_is_refused_and_the_formats_are_named(name, said):
    with pytest.raises(UnreadableFile, match=said) as caught:
        read.read(name, b"text")
    assert ".txt" in caught.value.do


def test_a_text_longer_than_the_limit_is_refused(monkeypatch):
    monkeypatch.setattr(read, "MAX_CHARACTERS", 10)
    assert read.read("a.txt", b"0123456789").text == "0123456789"
    with pytest.raises(UnreadableFile, match="11 characters"):
        read.read("a.txt", b"0123456789x")


@given(st.binary(max_size=80))
@example(codecs.BOM_UTF16_LE + b"\x00")
@example(codecs.BOM_UTF32_LE + b"\x00\x00")
def test_any_bytes_are_read_or_refused_never_a_crash(data):
    try:
        document = read.read("a.md", data)
    except UnreadableFile:
        return
    assert "\r" not in document.text
    texts.assert_tiles(document.text, document.blocks, stripped=False)


@given(texts.hard)
def test_line_ends_of_any_system_give_the_same_text(text):
    base = text.replace("\r\n", "\n").replace("\r", "\n")
    assume("\x00" not in base and not base.startswith("\ufeff"))
    try:
        expected = text_of(base.encode())
    except UnreadableFile:
        return
    assert expected == base
    assert text_of(base.replace("\n", "\r\n").encode()) == expected
    assert text_of(base.replace("\n", "\r").encode()) == expected


def test_a_document_is_named_by_its_name_and_revised_by_its_text():
    one, edited = read.read("a.txt", b"Text."), read.read("a.txt", b"Other.")
    moved, windows = read.read("b/a.txt", b"Text."), read.read("a.txt", b"\xef\xbb\xbfText.")
    assert one.id == edited.id != moved.id
    assert one.revision == moved.revision == windows.revision != edited.revision


@settings(max_examples=150)
@given(texts.hard)
def test_paragraphs_tile_the_text(text):
    document = texts.document(text)
    texts.assert_tiles(document.text, document.blocks)
    for block in document.blocks:
        assert "\n\n" not in document.text[block.start : block.end]


@settings(max_examples=250)
@given(st.one_of(texts.noise, texts.hard))
@example("- a\n\n\n> b\n> > c\n\n[x]: /y\n")
@example("1. a\n\n   b\n2. c\n\n---\n\n    code\n\n\n    more\n")
@example("\ta\n\n# \n#\n")
@example("a\u0000b\n===")
def test_markdown_blocks_tile_the_text(text):
    document = texts.document(text, "a.md")
    texts.assert_tiles(document.text, document.blocks, stripped=False)


@given(texts.noise)
def test_heading_paths_grow_from_the_headings_before(text):
    text = text.replace("\r", "\n")  # as it is decoded
    path: tuple[str, ...] = ()
    for block in markdown.blocks(text):
        if block.kind is BlockKind.HEADING:
            assert block.headings[:-1] == path[: len(block.headings) - 1]
            path = block.headings
        else:
            assert block.headings == path


def test_every_block_knows_its_kind_and_the_headings_above_it():
    text = (
        "Intro.\n\n# A\n\nOne.\n\n### C *x*\n\n- i\n- j\n\n## B\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> q\n\n"
        "```\ncode\n```\n\nNew title\n=========\n\n    indented\n\n[ref]: /url\n\n<div>\nhtml\n</div>\n"
    )
    found = [(b.kind.value, text[b.start : b.end], b.headings) for b in markdown.blocks(text)]
    assert found == [
        ("paragraph", "Intro.", ()),
        ("heading", "# A", ("A",)),
        ("paragraph", "One.", ("A",)),
        ("heading", "### C *x*", ("A", "C *x*")),
        ("list", "- i\n- j", ("A", "C *x*")),
        ("heading", "## B", ("A", "B")),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |", ("A", "B")),
        ("quote", "> q", ("A", "B")),
        ("code", "```\ncode\n```", ("A", "B")),
        ("heading", "New title\n=========", ("New title",)),
        ("code", "    indented", ("New title",)),
        ("paragraph", "[ref]: /url", ("New title",)),
        ("paragraph", "<div>\nhtml\n</div>", ("New title",)),
    ]


def test_plain_text_is_not_read_as_markdown():
    text = "# no heading\n- no list\n\nnext"
    assert [(b.kind, text[b.start : b.end]) for b in plain.blocks(text)] == [
        (BlockKind.PARAGRAPH, "# no heading\n- no list"),
        (BlockKind.PARAGRAPH, "next"),
    ]


@pytest.mark.parametrize("name", ["odd\udce9.txt", "half\ud83d.md"])
def test_a_name_that_cannot_be_stored_is_refused(name):
    with pytest.raises(AppError):
        read.read(name, b"Text.")
