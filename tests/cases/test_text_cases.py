"""Faults of other tools that read files, each as a promise that ours does not have it."""

from __future__ import annotations

import codecs

import pytest

from core import read
from core.errors import UnreadableFile
from core.filters import Condition, Op
from core.ingest import Status, Upload
from core.read import delimited
from core.settings import ReadSettings
from core.workspace import Workspace
from tests.conftest import CASE_INPUTS
from tests.made import SENTENCES

PLAIN = (CASE_INPUTS / "enc_utf8.txt").read_bytes().decode()


def given(name: str) -> bytes:
    return (CASE_INPUTS / name).read_bytes()


def sliced(workspace: Workspace, name: str) -> list[str]:
    """Every node of a document, as the store has it."""
    passage, nodes = workspace.preview(workspace.document(name).id, SENTENCES)
    return [passage.document.text[node.start : node.end] for node in nodes]


@pytest.mark.parametrize(
    "name", ["enc_utf8_bom", "enc_utf16le_bom", "enc_utf16be_bom", "enc_utf16le_nobom", "enc_utf32le_bom"]
)
def test_every_unicode_file_gives_the_same_text(name):
    """X01"""
    text = read.read("a.txt", given(f"{name}.txt")).text
    assert text == PLAIN
    assert len(text) == 60
    assert text[0] == "P"
    assert not {"\ufeff", "\x00"} & set(text)


@pytest.mark.parametrize("encoding", ["utf-16-be", "utf-32-be", "utf-32-le"])
def test_so_do_those_without_a_mark(encoding):
    """X01"""
    assert read.read("a.txt", PLAIN.encode(encoding)).text == PLAIN


def test_western_text_is_neither_dropped_nor_taken_for_a_neighbour():
    """X02"""
    document = read.read("a.txt", given("enc_cp1252.txt"))
    assert document.text == PLAIN
    assert (document.reading.encoding, document.reading.guessed) == ("cp1252", True)
    assert "Western European (Windows-1252)" in document.reading.notices[0]
    again = read.read("a.txt", given("enc_cp1252.txt"), ReadSettings(encoding="cp1250"))
    assert (again.reading.encoding, again.reading.guessed) == ("cp1250", False)
    assert again.reading.settings.encoding == "cp1250"


def test_a_sign_in_a_long_english_text_does_not_choose_the_encoding():
    """X02"""
    plain = "The valve was closed before the maintenance began, and nobody opened it until it was done. " * 25
    for tail in ("Señor López", "À la carte", "Price: £5.", "5 µm filter", "1st — 2nd", "Brontë"):
        document = read.read("a.txt", (plain + tail).encode("cp1252"))
        assert document.text == plain + tail
        assert document.reading.encoding == "cp1252"


def test_japanese_text_is_two_sentences(workspace: Workspace):
    """X02"""
    results = workspace.add([Upload("a.txt", given("enc_shift_jis.txt"))], SENTENCES)
    assert [result.status for result in results] == [Status.ADDED]
    assert workspace.document("a.txt").reading.encoding == "cp932"
    assert sliced(workspace, "a.txt") == ["会議は三時に始まります。", "資料は届きましたか？"]


def test_a_truncated_file_loads_with_one_mark_and_a_warning():
    """X02"""
    document = read.read("a.txt", given("enc_truncated_utf8.txt"))
    assert document.text == "The sign reads caf\ufffd. Next sentence is fine."
    assert document.reading.notices == ("1 character could not be read as Unicode (UTF-8); \ufffd stands there.",)


def test_zero_characters_are_gone_before_any_offset_is_taken(workspace: Workspace):
    """X03"""
    results = workspace.add([Upload("a.txt", given("enc_nul.txt"))], SENTENCES)
    assert [result.status for result in results] == [Status.ADDED]
    assert workspace.document("a.txt").reading.cleaned == {"nul": given("enc_nul.txt").count(0)}
    assert sliced(workspace, "a.txt") == ["The denition was oered early.", "Second sentence is clean."]


def test_ligatures_are_written_out_in_the_one_text_there_is():
    """X04"""
    data = given("pdf_ligature_extracted.txt")
    document = read.read("a.txt", data)
    assert document.text == "The office filed the affidavit. The flow was defined."
    assert document.reading.cleaned == {"ligatures": 5}
    assert read.read("a.txt", data, ReadSettings(clean=False)).text == data.decode()


def test_what_looks_like_a_missing_value_or_a_number_stays_as_written():
    """X12"""
    data = given("csv_na_zero.csv")
    assert delimited.rows(data.decode()) == [
        ["code", "zip", "country", "ok"],
        ["001", "00501", "NA", "true"],
        ["002", "02134", "None", "False"],
        ["003", "", "null", "yes"],
    ]
    text = read.read("a.csv", data).text
    assert "| 001 | 00501 | NA | true |" in text
    assert "| 003 |  | null | yes |" in text


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("csv_semicolon_cp1252", ["| titre | prix | note |", "| Café | 1,50 | bon |", "| Thé | 2,00 | moyen |"]),
        (
            "csv_quoted_newline",
            ["| id | note |", "| 1 | First line.<br>Second line, with comma. |", '| 2 | He said "stop". |'],
        ),
        ("csv_bom_crlf", ["| name | year |", "| alpha | 2021 |", "| beta | 2022 |"]),
        ("csv_dup_headers", ["| name | Name_2 | name_3 |", "| a | b | c |"]),
    ],
)
def test_tables_of_every_make_have_their_columns_and_rows(name, lines):
    """X13"""
    made = read.content("a.csv", given(f"{name}.csv"))
    assert [line for line in made.text.split("\n") if "---" not in line] == lines
    assert [block.kind.value for block in made.blocks] == ["table"]


def test_new_column_names_are_told():
    """X13"""
    (notice,) = read.content("a.csv", given("csv_dup_headers.csv")).notices
    assert "Name → Name_2, name → name_3" in notice


def test_no_row_is_swallowed_by_a_quotation_mark_or_lost_to_a_title():
    """X13"""
    made = read.content("a.csv", b'Pipes in stock\n\nsize,n\n"5 pipe,1\n6 pipe,2\n7 pipe,3\n')
    lines = ["Pipes in stock", "| size | n |", "| --- | --- |", '| "5 pipe | 1 |', "| 6 pipe | 2 |", "| 7 pipe | 3 |"]
    assert made.text.split("\n") == lines
    assert "never closed" in made.notices[0]


REFUSED = [
    ("a.txt", given("enc_binary_named_txt.txt"), "binary"),
    ("a.docx", given("docx_old_doc_named_docx.docx"), "old Office file"),
    ("empty.txt", given("enc_empty.txt"), "no text"),
    ("blank.md", codecs.BOM_UTF8 + b" \n\t\n", "no text"),
    ("random.csv", bytes(range(256)) * 8, "binary"),
    ("picture.txt", b"\x89PNG\r\n\x1a\n" + bytes(200), "picture"),
    ("lost.txt", "\ufffd".encode() * 50, "lost characters"),
    ("icons.md", "\ue000\ue001 ".encode() * 20, "one font"),
    ("unseen.txt", "\u200b".encode() * 9, "no text"),
    ("half.txt", b"\xfe\xff\x00", "lost characters"),
    ("short.txt", bytes.fromhex("8f1ac3905ed177e2049ab3f86c21d50b"), "binary"),
    ("noext", b"text", "without an ending"),
    ("a.txt.pdf", b"some text", "no PDF file"),
]


def test_garbage_is_refused_with_a_reason_and_leaves_nothing_behind(workspace: Workspace):
    """X15, X16"""
    results = workspace.add([Upload(name, data) for name, data, _ in REFUSED], SENTENCES)
    assert {result.status for result in results} == {Status.FAILED}
    for result, (_, _, reason) in zip(results, REFUSED, strict=True):
        assert reason in result.reason
        assert not any(word in result.reason for word in ("Traceback", "Error", "None", "\ufffd"))
    assert workspace.documents() == []


def test_names_of_every_kind_load_and_the_content_tells_the_kind():
    """X16"""
    (odd,) = (CASE_INPUTS / "odd names").iterdir()
    for name, data in [
        ("A.TXT", b"Text."),
        ("B.Md", b"# Text."),
        (odd.name, odd.read_bytes()),
        (f"in/{odd.name}", odd.read_bytes()),
    ]:
        document = read.read(name, data)
        assert document.name == name
        assert document.text
    with pytest.raises(UnreadableFile, match=r"damaged|PDF"):
        read.read("b.txt", b"%PDF-1.4\nnothing")


def test_a_pdf_in_capitals_or_under_another_name_loads():
    """X16"""
    for name in ("B.Pdf", "B.txt"):
        assert read.read(name, given("pdf_plain.pdf")).media_type == "application/pdf"


def test_a_list_of_terms_is_not_called_a_language_the_model_cannot_read():
    """R03"""
    terms = b"Calcium carbonate, magnesium stearate, titanium dioxide, lactose monohydrate"
    assert read.read("a.txt", terms).reading.language in ("", "en")
    german = "Das Ventil ist geschlossen. Es wird erst nach der Wartung wieder geöffnet."
    assert read.read("a.txt", german.encode()).reading.language == "de"


def test_zero_characters_are_left_out_of_metadata_too_and_counted(workspace: Workspace):
    """X03: a scanner's name that ends in one, in a value, a list, a nested object and a key."""
    raw = rb'{"producer": "Scanner 1.3\u0000", "tags": ["a\u0000b", "c"], "in": {"x\u0000": "y"}, "k\u0000": "\\u0000 stays"}'
    (result,) = workspace.add([Upload("a.txt", b"One. Two."), Upload("a.txt.meta.json", raw)], SENTENCES)
    assert "4 zero characters were left out of its metadata." in result.notices
    (info,) = workspace.documents()
    assert info.metadata == {
        "producer": "Scanner 1.3", "tags": ("ab", "c"), "in": '{"x": "y"}', "k": "\\u0000 stays",
    }  # fmt: skip
    assert workspace.count(Condition("producer", Op.EQ, "Scanner 1.3"))[0] == 2


def test_so_they_are_of_a_sidecar_that_comes_alone(workspace: Workspace):
    workspace.add([Upload("a.txt", b"One. Two.")], SENTENCES)
    (result,) = workspace.add([Upload("a.txt.meta.json", rb'{"producer": "Scanner\u0000"}')], SENTENCES)
    assert "1 zero character was left out of its metadata." in result.notices
    assert workspace.documents()[0].metadata == {"producer": "Scanner"}


def test_two_keys_that_are_one_without_their_zero_character_are_refused(workspace: Workspace):
    raw = rb'{"a": 1, "a\u0000": 2}'
    (result,) = workspace.add([Upload("a.txt", b"One."), Upload("a.txt.meta.json", raw)], SENTENCES)
    assert result.status is Status.FAILED
    assert "twice" in result.reason
