"""Files come out of a zip one by one, harmless in name and size; what does not come out has a reason."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UnreadableFile
from core.read import archive


def packed(*files: tuple[str | ZipInfo, bytes], compression: int = ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w", compression) as made, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the same name twice
        for name, data in files:
            made.writestr(name, data)
    return out.getvalue()


def unpacked(data: bytes, name: str = "x.zip") -> list[tuple[str, bytes | None]]:
    return [(member.name, member.data) for member in archive.unpack(name, data)]


def reasons(data: bytes) -> dict[str, str]:
    return {member.name: member.reason for member in archive.unpack("x.zip", data) if member.data is None}


def test_files_come_by_path_and_hidden_ones_do_not():
    data = packed(
        ("z.txt", b"z"),
        ("b/", b""),
        ("b/a.txt", b"ba"),
        ("a.txt", b"a"),
        (".DS_Store", b"x"),
        ("__MACOSX/b/._a.txt", b"x"),
        (".git/config.txt", b"x"),
        ("b/Thumbs.db", b"x"),
        ("b/~$a.docx", b"x"),
    )
    assert unpacked(data) == [("a.txt", b"a"), ("b/a.txt", b"ba"), ("z.txt", b"z")]
    assert unpacked(data, "in/x.zip")[0] == ("in/a.txt", b"a")


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("../../etc/a.txt", "etc/a.txt"),
        ("/abs/a.txt", "abs/a.txt"),
        ("C:\\Users\\me\\a.txt", "Users/me/a.txt"),
        ("\\\\server\\share\\a.txt", "server/share/a.txt"),
        ("./a//b/./a.txt", "a/b/a.txt"),
        ("a/ .. /b.txt", "a/b.txt"),
        ("a\nb\t.txt", "a_b_.txt"),
    ],
)
def test_no_name_leads_out_of_the_folder(name, path):
    assert archive.safe(name) == path
    info = ZipInfo("placeholder")
    info.filename = name
    assert unpacked(packed((info, b"x"))) == [(path, b"x")]


@given(st.text(max_size=30), st.sampled_from(["..", "../", "..\\", "/", "C:", "\\\\", "./", "\x00"]))
def test_no_name_at_all_leads_out(text, bad):
    for name in (bad + text, text + bad, f"a/{bad}{text}/{bad}b"):
        parts = archive.safe(name).split("/")
        assert all(part == "" or part.strip() not in ("", ".", "..") for part in parts)
        assert not archive.safe(name).startswith("/")
        assert "\\" not in archive.safe(name)


def test_sidecars_and_metadata_come_with_their_data():
    files = [("a.txt", b"a"), ("a.txt.meta.json", b"{}"), ("metadata.csv", b"name\na.txt")]
    assert unpacked(packed(*files)) == files


def test_what_is_not_read_comes_with_a_reason_and_is_not_unpacked(monkeypatch):
    opened = []
    inflated = archive.inflated
    monkeypatch.setattr(
        archive, "inflated", lambda of, info, limit: opened.append(info.filename) or inflated(of, info, limit)
    )
    link = ZipInfo("link.txt")
    link.external_attr = 0o120777 << 16
    data = packed(
        ("a.exe", b"MZ"),
        ("b.doc", b"x"),
        ("c.zip", packed(("a.txt", b"a"))),
        ("README", b"x"),
        (link, b"/etc/passwd"),
        ("ok.txt", b"ok"),
    )
    found = reasons(data)
    assert list(found) == ["README", "a.exe", "b.doc", "c.zip", "link.txt"]
    assert "zip inside a zip" in found["c.zip"]
    assert "link" in found["link.txt"]
    assert ".docx" in found["b.doc"]
    assert opened == ["ok.txt"]


def test_of_two_files_with_one_name_the_later_is_reported():
    members = list(archive.unpack("x.zip", packed(("a.txt", b"first"), ("./a.txt", b"second"), ("a.txt", b"third"))))
    assert [(m.name, m.data) for m in members] == [("a.txt", b"first"), ("a.txt", None), ("a.txt", None)]
    assert "twice" in members[1].reason


def flags(data: bytes, bits: int) -> bytes:
    """``data`` with those bits set in the flags of every file."""
    made = bytearray(data)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = made.find(mark)
        while at >= 0:
            made[at + offset] |= bits
            at = made.find(mark, at + 4)
    return bytes(made)


def test_locked_damaged_and_oddly_packed_files_are_told_and_the_others_come():
    data = packed(("a.txt", b"alpha text"), compression=ZIP_STORED)
    assert "password" in reasons(flags(data, 1))["a.txt"]
    assert "damaged" in reasons(data.replace(b"alpha text", b"alpha tent", 1))["a.txt"]
    odd = data.replace(struct.pack("<HHH", 20, 0, 0), struct.pack("<HHH", 20, 0, 97))
    assert "not known" in reasons(odd)["a.txt"]
    both = packed(("a.txt", b"alpha text"), ("b.txt", b"beta"), compression=ZIP_STORED)
    assert unpacked(both.replace(b"alpha text", b"alpha tent", 1)) == [("a.txt", None), ("b.txt", b"beta")]


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("größe/übung.txt", "größe/übung.txt".encode("cp437")),
        ("größe/übung.txt", "größe/übung.txt".encode()),
        ("отчёт за год.txt", "отчёт за год.txt".encode("cp866")),
        ("会議の資料.txt", "会議の資料.txt".encode("cp932")),
    ],
)
def test_a_name_is_read_in_the_encoding_of_the_system_that_packed_it(name, raw):
    info = ZipInfo("x" * len(raw))
    data = packed((info, b"x"))
    assert unpacked(data.replace(b"x" * len(raw), raw)) == [(name, b"x")]


def test_a_name_that_is_marked_as_utf8_is_taken_as_it_is():
    assert unpacked(packed(("会議 größe.txt", b"x"))) == [("会議 größe.txt", b"x")]


def test_a_file_packed_too_tightly_or_too_large_is_left_out(monkeypatch):
    bomb, fine = bytes(5_000_000), b"text " * 1_000
    data = packed(("bomb.txt", bomb), ("fine.txt", fine))
    assert [(m.name, m.data) for m in archive.unpack("x.zip", data)] == [("bomb.txt", None), ("fine.txt", fine)]
    monkeypatch.setattr(archive, "MAX_BYTES", 1_000)
    assert "far more" in reasons(data)["fine.txt"]


def test_the_size_that_the_archive_claims_is_not_believed():
    data = packed(("a.txt", bytes(5_000_000)))
    claimed = data.replace(struct.pack("<I", 5_000_000), struct.pack("<I", 10))
    assert list(reasons(claimed)) == ["a.txt"]


def test_all_files_together_have_a_bound(monkeypatch):
    monkeypatch.setattr(archive, "MAX_UNPACKED", 25)
    data = packed(("a.txt", b"a" * 10), ("b.txt", b"b" * 10), ("c.txt", b"c" * 10), ("d.txt", b"d" * 4))
    assert [name for name, data in unpacked(data) if data is not None] == ["a.txt", "b.txt", "d.txt"]
    assert "25 bytes" in reasons(data)["c.txt"]


def test_too_many_files_are_refused_before_any_is_unpacked(monkeypatch):
    monkeypatch.setattr(archive, "MAX_FILES", 3)
    with pytest.raises(UnreadableFile, match="more than 3 files"):
        list(archive.unpack("x.zip", packed(*((f"{i}.txt", b"x") for i in range(4)))))
    with pytest.raises(UnreadableFile, match="more than 3 files"):
        list(archive.unpack("x.zip", b"PK\x01\x02" * 13))


@pytest.mark.parametrize(
    "data",
    [b"", b"PK\x03\x04", b"PK\x05\x06", packed(("a.txt", b"text"))[:40], b"text"],
    ids=["empty", "a beginning", "an end", "cut", "text"],
)
def test_a_damaged_archive_is_refused(data):
    with pytest.raises(UnreadableFile, match="damaged"):
        list(archive.unpack("x.zip", data))


def test_an_empty_archive_holds_nothing():
    assert unpacked(packed()) == []


SOUND = packed(("a.txt", b"alpha " * 40), ("b/ü.csv", b"a,b\n1,2\n"), ("c.json", b"{}"))


@given(st.data())
def test_an_archive_damaged_anywhere_gives_files_and_reasons_or_is_refused(data):
    made = bytearray(SOUND)
    for _ in range(data.draw(st.integers(1, 6))):
        made[data.draw(st.integers(0, len(made) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(made)))
    for damaged in (bytes(made), bytes(made[:cut])):
        try:
            members = list(archive.unpack("x.zip", damaged))
        except UnreadableFile:
            continue
        assert all((member.data is None) is bool(member.reason) for member in members)


def test_zip64_archives_are_read(monkeypatch):
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 5)
    assert unpacked(packed(("a.txt", b"more than five"))) == [("a.txt", b"more than five")]
