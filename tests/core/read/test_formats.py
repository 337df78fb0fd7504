"""A file is read as what it is; what is not read is refused with what to do instead."""

from __future__ import annotations

import io
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UnreadableFile
from core.read import formats

PDF = b"%PDF-1.7\n1 0 obj"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)


def packed(*names: str, first: bytes = b"x") -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, first)
    return out.getvalue()


WORD = packed("[Content_Types].xml", "_rels/.rels", "word/document.xml")
EXCEL = packed("[Content_Types].xml", "xl/workbook.xml")
SLIDES = packed("[Content_Types].xml", "ppt/presentation.xml", "ppt/embeddings/x.xlsx")
FILES = packed("a.txt", "word/b.txt")


@pytest.mark.parametrize(
    ("name", "data", "format"),
    [
        ("A.TXT", b"text", "text"),
        ("B.Pdf", PDF, "PDF"),
        ("a.txt", PDF, "PDF"),
        ("a.html", b"\xef\xbb\xbf\n" + PDF, "PDF"),
        ("a.pdf", b"junk before\n" + PDF, "PDF"),
        ("a.txt", b"The mark %PDF-1.7 begins a PDF.", "text"),
        ("a.pdf", WORD, "Word"),
        ("a.csv", EXCEL, "Excel"),
        ("a.docx", SLIDES, "PowerPoint"),
        ("a.zip", WORD, "Word"),
        ("a.docx", WORD[:150], "Word"),
        ("a.txt", b"<!DOCTYPE html><html><body>page</body></html>", "text"),
        ("a.md", b"<html>", "Markdown"),
        ("notes.tar.txt", b"text", "text"),
        ("a.txt ", b"text", "text"),
        ("PK.txt", b"PK is the code of Pakistan.", "text"),
        ("a.jsonl", b"{}", "JSON lines"),
        ("répört #1 [final] (50%).txt", b"text", "text"),
    ],
)
def test_the_kind_is_decided_by_content_and_else_by_name(name, data, format):
    assert formats.of(name, data).name == format


@pytest.mark.parametrize(
    ("name", "data", "reason", "do"),
    [
        ("noext", b"text", "without an ending", ".txt"),
        ("a.xyz", b"text", ".xyz is not read", ".txt"),
        ("a.txt.pdf", b"some text", "Named .pdf, but it is no PDF file", "ending of what it is"),
        ("a.pdf", b"<!doctype HTML><html>Sign in", "it is a web page", "export it again"),
        ("a.pdf", b"", "is empty", "Export it again"),
        ("a.docx", FILES, "no Word file", "ending"),
        ("a.xlsx", b"a,b\n1,2\n", "no Excel file", "ending"),
        ("a.txt", FILES, "zip archive", "Name it .zip"),
        ("a.zip", FILES, "zip archive", "add its files"),
        ("a.zip", b"text", "no zip archive", "ending"),
        ("a.docx", OLE, "old Office file", "Save it as .docx"),
        ("a.docx", OLE + "WordDocument".encode("utf-16-le"), r"old Word file \(.doc\)", "Save it as .docx"),
        ("a.xlsx", OLE + "EncryptedPackage".encode("utf-16-le"), "locked with a password", "without a password"),
        ("a.txt", OLE + "Workbook".encode("utf-16-le"), "old Excel file", ".xlsx"),
        ("a.doc", b"", r"old Word file \(.doc\) is not read", ".docx"),
        ("a.XLS", b"", "old Excel file", ".xlsx"),
        ("a.ppt", b"", "old PowerPoint file", ".pptx"),
        ("a.rtf", b"", "RTF", ".docx"),
        ("a.txt", b"{\\rtf1\\ansi text}", "RTF", ".docx"),
        ("a.odt", b"", "OpenDocument text", ".docx"),
        ("a.docx", packed("mimetype", first=b"application/vnd.oasis.opendocument.text"), "OpenDocument text", ".docx"),
        ("a.epub", b"", "e-book", "Convert"),
        ("a.parquet", b"", "Parquet", ".csv"),
        ("a.txt", b"PAR1\x15\x04\x15", "Parquet", ".csv"),
        ("a.msg", b"", "Outlook", ".eml"),
        ("a.png", b"", "picture", "text recognition"),
        ("a.txt", b"\x89PNG\r\n\x1a\n", "picture", "text recognition"),
        ("a.txt", b"\xff\xd8\xff\xe0\x00\x10JFIF", "picture", "text recognition"),
        ("a.txt", b"\x00\x00\x00\x20ftypheic", "picture", "text recognition"),
        ("a.txt", b"ID3\x03\x00", "sound", "words"),
        ("a.txt", b"RIFF\x24\x08\x00\x00WAVEfmt ", "sound", "words"),
        ("a.txt", b"\x1f\x8b\x08\x00", "archive", ".zip"),
        ("a.tar.gz", b"", "archive", ".zip"),
        ("a.txt", b"a.txt".ljust(257, b"\x00") + b"ustar\x0000", "archive", ".zip"),
        ("a.txt", b"\x7fELF\x02", "program", "Leave it out"),
        ("a.txt", b"SQLite format 3\x00", "database", ".csv"),
    ],
)
def test_what_is_not_read_is_refused_with_what_to_do(name, data, reason, do):
    with pytest.raises(UnreadableFile, match=reason) as caught:
        formats.of(name, data)
    assert do in caught.value.do


def test_an_archive_is_a_zip_of_files_that_claims_to_be_nothing_else():
    assert formats.is_archive(FILES)
    assert formats.is_archive(FILES, "x.ZIP")
    assert formats.is_archive(packed(), "empty.zip")
    assert formats.is_archive(FILES[:40])
    for name in ("a.docx", "a.txt", "a.odt", "a.epub"):
        assert not formats.is_archive(FILES, name)
    for data in (WORD, EXCEL, SLIDES, b"PK is a code", b"", packed("mimetype", first=b"application/epub+zip")):
        assert not formats.is_archive(data)


def test_every_format_is_found_by_its_media_type():
    for found in formats.BY_SUFFIX.values():
        assert formats.titled(found.media_type) in {f.name for f in formats.BY_SUFFIX.values()}
    assert formats.titled("application/pdf") == "PDF"
    assert formats.titled("x/unknown") == "x/unknown"


def test_nothing_is_both_read_and_refused():
    assert not set(formats.BY_SUFFIX) & set(formats._REFUSED)
    assert all(
        suffix == suffix.lower() and suffix.startswith(".") for suffix in (*formats.BY_SUFFIX, *formats._REFUSED)
    )


@given(
    st.sampled_from([*sorted(formats.BY_SUFFIX), ".zip", ".doc", ""]),
    st.binary(max_size=60),
    st.sampled_from([b"", b"PK\x03\x04", OLE[:8], b"%PDF-", WORD[:100], b"\x89PNG"]),
)
def test_any_file_has_a_format_or_a_reason(suffix, data, start):
    try:
        found = formats.of(f"a{suffix}", start + data)
    except UnreadableFile as error:
        reason = error
    else:
        assert found in formats.BY_SUFFIX.values()
        return
    assert reason.what
    assert reason.do
