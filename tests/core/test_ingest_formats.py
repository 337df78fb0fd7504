"""A drop of many formats: zips, folders that hold zips, bad files among good ones, and parsers that crash."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import pytest

from core import cli, indexing, read
from core import workspace as workspaces
from core.errors import Cancelled
from core.ingest import READING, Status, Upload
from core.read import archive
from core.read.isolated import IsolatedReader
from core.settings import ChunkSettings
from core.store.duckdb import DuckStore
from core.workspace import Workspace
from tests import made_files, made_pdf
from tests.core import drops
from tests.core.drops import CancelAt, drop, listed, sidecar, text
from tests.fakes import BagEncoder
from tests.made_files import packed
from tests.processes import ROOT

PUMP = "The north pump failed in May. It was replaced at once."
VALVE = "The valve held. Nobody noticed."


def found(workspace, *uploads):
    """What became of every file, by name."""
    return {name: result.status for name, result in drop(workspace, *uploads).items()}


# ── zips ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_zips_files_are_documents_of_their_own_where_the_zip_lies(workspace):
    inside = packed({"a.txt": PUMP.encode(), "deep/b.md": VALVE.encode(), "deep/b.md.meta.json": b'{"year": 2024}'})
    assert found(workspace, Upload("plant/files.zip", inside)) == {
        "plant/a.txt": Status.ADDED,
        "plant/deep/b.md": Status.ADDED,
    }
    assert workspace.document("plant/deep/b.md").metadata == {"year": 2024}
    assert workspace.store.originals(workspace.document("plant/a.txt").id) == (PUMP.encode(), None)
    drops.assert_whole(workspace)


def test_a_sidecar_beside_a_zip_belongs_to_the_file_inside_it(workspace):
    uploads = (Upload("x.zip", packed({"a.txt": PUMP.encode()})), sidecar("a.txt", year=2024))
    assert found(workspace, *uploads) == {"a.txt": Status.ADDED}
    assert workspace.document("a.txt").metadata == {"year": 2024}


def test_two_zips_with_other_files_of_one_name_say_so_and_with_the_same_file_do_not(workspace):
    one, same, other = (packed({"a.txt": content.encode()}) for content in (PUMP, PUMP, VALVE))
    results = workspace.add([Upload("1.zip", one), Upload("2.zip", same), Upload("3.zip", other)], ChunkSettings())
    assert sorted((r.name, r.status) for r in results) == [("a.txt", Status.ADDED), ("a.txt", Status.FAILED)]
    assert "Two files of this name" in next(r.reason for r in results if r.status is Status.FAILED)


def test_a_zip_again_changes_only_what_has_changed_inside_it(workspace):
    first = {"a.txt": PUMP.encode(), "b.txt": VALVE.encode()}
    drop(workspace, Upload("x.zip", packed(first)))
    again = Upload("renamed.zip", packed({**first, "b.txt": b"Another text.", "c.txt": b"A third one."}))
    assert found(workspace, again) == {"a.txt": Status.UNCHANGED, "b.txt": Status.REPLACED, "c.txt": Status.ADDED}
    drops.assert_whole(workspace)


def test_every_bad_member_is_named_with_its_reason_and_the_others_go_in(workspace):
    members = {
        "good.txt": PUMP.encode(),
        "empty.txt": b"",
        "scan.pdf": b"no pdf",
        "tool.exe": b"MZ",
        "old.doc": b"x",
        "inner.zip": packed({"x.txt": b"x"}),
        "noise.txt": bytes(range(256)) * 8,
        "bomb.txt": bytes(5_000_000),
        "good.txt.meta.json": b'{"year": 2024}',
        "bad.md": VALVE.encode(),
        "bad.md.meta.json": b"{nope",
    }
    results = drop(workspace, Upload("x.zip", packed(members)), text("beside.txt", VALVE))
    failed = {name: r.reason for name, r in results.items() if r.status is Status.FAILED}
    reasons = {
        "empty.txt": "no text", "scan.pdf": "no PDF", "tool.exe": "program", "old.doc": ".docx", "inner.zip": "zip inside a zip",
        "noise.txt": "binary", "bomb.txt": "far more", "bad.md": "no JSON",
    }  # fmt: skip
    assert set(failed) == set(reasons)
    assert {name: part in failed[name] for name, part in reasons.items()} == dict.fromkeys(reasons, True), failed
    assert sorted(listed(workspace)) == ["beside.txt", "good.txt"]
    assert workspace.document("good.txt").metadata == {"year": 2024}
    drops.assert_whole(workspace)


def test_a_zip_that_unpacks_to_more_than_all_may_goes_in_as_far_as_it_may(workspace, monkeypatch):
    monkeypatch.setattr(archive, "MAX_UNPACKED", 2 * len(PUMP))
    members = {f"{n}.txt": (PUMP[:-1] + f"{n}").encode() for n in range(4)}
    results = drop(workspace, Upload("x.zip", packed(members)))
    assert [results[f"{n}.txt"].status for n in range(4)] == [Status.ADDED] * 2 + [Status.FAILED] * 2
    assert "unpacks to more" in results["3.txt"].reason


@pytest.mark.parametrize("damage", ["cut", "not a zip", "nothing"])
def test_a_damaged_zip_fails_by_its_name_and_the_others_go_in(workspace, damage):
    data = {"cut": packed({"a.txt": PUMP.encode()})[:60], "not a zip": b"no zip at all", "nothing": b""}[damage]
    results = drop(workspace, Upload("x.zip", data), text("b.txt", VALVE))
    assert results["x.zip"].status is Status.FAILED
    assert results["x.zip"].reason
    assert listed(workspace) == {"b.txt": ()}


def test_an_empty_zip_adds_nothing_and_breaks_nothing(workspace):
    assert found(workspace, Upload("x.zip", packed({})), text("b.txt", VALVE)) == {"b.txt": Status.ADDED}


def test_a_zip_named_docx_is_told_and_not_unpacked(workspace):
    results = drop(workspace, Upload("letter.docx", packed({"a.txt": PUMP.encode()})), text("b.txt", VALVE))
    assert results["letter.docx"].status is Status.FAILED
    assert "Named .docx, but it is no Word file." in results["letter.docx"].reason
    assert listed(workspace) == {"b.txt": ()}


def test_a_word_file_named_zip_is_read_as_what_it_is(workspace):
    made = made_files.word()
    result = drop(workspace, Upload("letter.zip", made.data))["letter.zip"]
    assert result.status is Status.ADDED
    assert result.blocks == {"heading": 1, "paragraph": 2, "list": 1, "table": 1}
    assert workspace.document("letter.zip").media_type.endswith("wordprocessingml.document")


def test_a_zip_whose_name_says_nothing_is_unpacked(workspace):
    """Its content decides, where the name is no format's."""
    assert found(workspace, Upload("backup.2024", packed({"a.txt": PUMP.encode()}))) == {"a.txt": Status.ADDED}


# ── parsers that crash ───────────────────────────────────────────────────────────────────────────

# The other process as it is, but for two files that take it down: one by a crash, one by never ending.
CRASHING = f"""
import os, sys, time
sys.path.insert(0, {str(ROOT)!r})
from core.read import isolated
answer = isolated._answer
def crashing(name, *rest):
    if name == "crash.pdf":
        os.abort()
    if name == "hang.pdf":
        time.sleep(600)
    return answer(name, *rest)
isolated._answer = crashing
isolated.main()
"""


@pytest.fixture
def crashing(tmp_path):
    """A workspace that reads in another process, which some files take down."""
    reader = IsolatedReader((sys.executable, "-c", CRASHING), patience=8.0)
    fresh = Workspace(DuckStore(tmp_path / "crashing.duckdb"), lambda name: BagEncoder(), reader=reader.read)
    yield fresh
    reader.close()
    fresh.store.close()


def test_a_parser_that_crashes_fails_one_file_and_the_others_go_in(crashing):
    good = made_files.pdf()
    results = drop(
        crashing,
        text("a.txt", PUMP),
        Upload("crash.pdf", good.data),
        Upload(good.name, good.data),
        text("z.txt", VALVE),
    )
    assert [(name, r.status) for name, r in results.items()] == [
        ("a.txt", Status.ADDED), ("crash.pdf", Status.FAILED), ("pump.pdf", Status.ADDED), ("z.txt", Status.ADDED),
    ]  # fmt: skip
    assert "crashed on the file" in results["crash.pdf"].reason
    assert results["pump.pdf"].pages == 2
    drops.assert_whole(crashing)


def test_a_parser_that_hangs_fails_one_file_and_the_others_go_in(crashing):
    results = drop(crashing, Upload("hang.pdf", made_files.pdf().data), text("z.txt", VALVE))
    assert {name: r.status for name, r in results.items()} == {"hang.pdf": Status.FAILED, "z.txt": Status.ADDED}
    assert "no sign of life" in results["hang.pdf"].reason


def test_a_drop_is_stopped_while_a_parser_hangs(crashing):
    with pytest.raises(Cancelled):
        crashing.add([Upload("hang.pdf", made_files.pdf().data)], ChunkSettings(), progress=CancelAt(5))
    assert crashing.documents() == []
    assert found(crashing, text("z.txt", VALVE)) == {"z.txt": Status.ADDED}


def test_a_reading_that_is_stopped_stops_the_job_and_stores_nothing(workspace):
    def stopped(name, data, settings, progress):
        if name == "b.txt":
            raise Cancelled("Stopped.")
        return read.read(name, data, settings, progress)

    stopping = Workspace(workspace.store, workspace.encoders, reader=stopped)
    with pytest.raises(Cancelled):
        drop(stopping, text("a.txt", PUMP), text("b.txt", VALVE), text("c.txt", PUMP))
    assert workspace.documents() == []
    assert workspace.indexes() == []


def test_the_progress_of_a_reader_is_part_of_the_whole(workspace):
    told = []

    def slow(name, data, settings, progress):
        progress(1, 4, "page 1")
        progress(4, 4, "page 4")
        return read.read(name, data, settings, progress)

    reading = Workspace(workspace.store, workspace.encoders, reader=slow)
    reading.add([text("a.txt", PUMP), text("b.txt", VALVE)], ChunkSettings(), progress=lambda *said: told.append(said))
    assert (READING / 4, 2, "Reading a.txt · page 1") in told
    assert (2 * READING, 2, "Reading b.txt · page 4") in told
    assert [done for done, *_ in told] == sorted(done for done, *_ in told)
    assert {total for _, total, _ in told} == {2}


# ── twenty files ─────────────────────────────────────────────────────────────────────────────────


def guide() -> bytes:
    """A PDF of four pages, each with a header and a number below."""
    bodies = [
        ["The valve is opened by hand.", "Its seal lasts two years.", "Order a new one in time."],
        ["Oil is changed in spring.", "Nobody does it in winter.", "The old oil goes back to the shop."],
        ["A gauge hangs beside every door.", "Read it before you go in.", "Write down what it says."],
        ["Call the desk when it is red.", "They send somebody at once.", "Wait outside until then."],
    ]
    return made_pdf.paged(bodies, lambda page: "The plant guide", lambda page: f"Page {page} of 4")


def twenty() -> dict[str, bytes]:
    """Twenty files of every format that is read, three of which cannot be."""
    files = {f"plant/{made.name}": made.data for made in (make() for make in made_files.EVERY)}
    return files | {
        "plant/guide.pdf": guide(),
        "latin.txt": "Größe und Übermaß: das Gerät läuft täglich.".encode("cp1252"),
        "japanese.txt": "会議は三時に始まります。資料を読んでください。".encode("cp932"),
        "wide.txt": "The seal is new. It holds.".encode("utf-16"),
        "broken.pdf": made_files.pdf().data[:300],
        "picture.png": b"\x89PNG\r\n\x1a\n",
        "locked.docx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
    }


def test_twenty_files_of_every_format_in_one_drop(crashing, monkeypatch):
    monkeypatch.setattr(indexing, "POOL", 8)
    files = twenty()
    assert len(files) == 20
    results = drop(crashing, *(Upload(name, data) for name, data in files.items()))
    assert set(results) == set(files)
    failed = {name for name, result in results.items() if result.status is Status.FAILED}
    assert failed == {"broken.pdf", "picture.png", "locked.docx"}
    for name, result in results.items():
        if name in failed:
            assert result.reason
            assert not result.doc_id
            continue
        assert result.status in (Status.ADDED, Status.ALIAS), result
        info = crashing.document(name)
        assert (result.doc_id, result.characters, result.pages) == (info.id, info.characters, info.reading.pages)
        assert dict(result.blocks) == dict(info.reading.blocks) != {}
        assert result.nodes > 0
    assert crashing.document("japanese.txt").reading.language == "ja"
    drops.assert_whole(crashing)
    again = crashing.add([Upload(name, data) for name, data in files.items()], ChunkSettings())
    assert {r.status for r in again} == {Status.UNCHANGED, Status.FAILED}
    assert sum(r.embedded for r in again) == 0


def test_a_file_is_known_by_its_content_whatever_it_is_called(workspace):
    made = {make().name: make().data for make in (made_files.pdf, made_files.word, made_files.sheet, made_files.slides)}
    results = drop(
        workspace,
        Upload("a.docx", made["pump.pdf"]),
        Upload("b.pdf", made["pump.docx"]),
        Upload("c.txt", made["pump.xlsx"]),
        Upload("d.md", made["pump.pptx"]),
    )
    assert {name: r.status for name, r in results.items()} == dict.fromkeys(
        ("a.docx", "b.pdf", "c.txt", "d.md"), Status.ADDED
    )
    assert [results[name].pages for name in ("a.docx", "b.pdf", "c.txt", "d.md")] == [2, 0, 1, 1]


# ── the command line ─────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def add(monkeypatch, capsys, tmp_path):
    """``chunkscope add … --json``: its exit code and the files by name."""
    opened = partial(workspaces.open, encoders=lambda name: BagEncoder())
    monkeypatch.setattr(cli.workspace, "open", opened)

    def command(*paths):
        code = cli.main(["add", *map(str, paths), "--workspace", str(tmp_path / "cli.duckdb"), "--json"])
        return code, {row["name"]: row for row in json.loads(capsys.readouterr().out)["files"]}

    yield command
    for one in workspaces.opened():
        workspaces.close(Path(one.location))


def write(folder, files):
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def test_add_reports_pages_characters_blocks_and_what_was_cleaned(add, tmp_path):
    word, pdf = made_files.word(), made_files.pdf()
    folder = write(
        tmp_path / "in",
        {"pump.docx": word.data, "pump.pdf": pdf.data, "guide.pdf": guide(), "fit.txt": "The oﬃce ﬁts.".encode()},
    )
    code, rows = add(folder)
    assert code == 0
    assert {name: row["status"] for name, row in rows.items()} == dict.fromkeys(rows, "added")
    assert rows["pump.pdf"]["pages"] == 2
    assert rows["pump.pdf"]["blocks"] == {"heading": 1, "paragraph": 2}
    assert (rows["guide.pdf"]["pages"], rows["guide.pdf"]["cleaned"]) == (4, {"headers": 4, "footers": 4})
    assert rows["pump.docx"]["pages"] == 0
    assert rows["pump.docx"]["blocks"] == {"heading": 1, "paragraph": 2, "list": 1, "table": 1}
    assert rows["fit.txt"]["cleaned"] == {"ligatures": 2}
    assert rows["fit.txt"]["characters"] == len("The office fits.")
    assert rows["pump.docx"]["characters"] == len(read.read(word.name, word.data).text)
    assert rows["pump.docx"]["language"] == "en"
    assert rows["pump.pdf"]["notices"] == []
    assert rows["pump.docx"]["nodes"] == rows["pump.docx"]["sentences"] == 6


def test_add_unpacks_the_zips_in_a_folder_and_those_named(add, tmp_path):
    inside = packed({"deep/a.txt": PUMP.encode(), "deep/a.txt.meta.json": b'{"year": 2024}', "b.exe": b"MZ"})
    folder = write(tmp_path / "in", {"sub/files.zip": inside, "c.txt": VALVE.encode()})
    alone = write(tmp_path / "out", {"alone.zip": packed({"d.txt": b"One more text."})}) / "alone.zip"
    code, rows = add(folder, alone)
    assert code == 1
    assert {name: row["status"] for name, row in rows.items()} == {
        "sub/deep/a.txt": "added", "sub/b.exe": "failed", "c.txt": "added", "d.txt": "added",
    }  # fmt: skip


def test_add_unpacks_a_zip_whose_ending_is_in_capitals(add, tmp_path):
    code, rows = add(write(tmp_path / "in", {"FILES.ZIP": packed({"a.txt": PUMP.encode()}), "B.TXT": VALVE.encode()}))
    assert {name: row["status"] for name, row in rows.items()} == {"a.txt": "added", "B.TXT": "added"}, rows
    assert code == 0


def test_add_ends_with_1_if_any_file_failed_and_with_0_if_none_did(add, tmp_path):
    good = write(tmp_path / "good", {"a.txt": PUMP.encode()})
    assert add(good)[0] == 0
    code, rows = add(write(tmp_path / "bad", {"b.txt": VALVE.encode(), "scan.pdf": b"no pdf"}))
    assert code == 1
    assert (rows["b.txt"]["status"], rows["scan.pdf"]["status"]) == ("added", "failed")
    assert "no PDF" in rows["scan.pdf"]["reason"]
    assert add(good)[0] == 0
    code, rows = add(write(tmp_path / "zip", {"x.zip": packed({"c.txt": b"Fine. Good.", "empty.md": b""})}))
    assert (code, rows["empty.md"]["status"], rows["c.txt"]["status"]) == (1, "failed", "added")


def test_add_takes_twenty_files_of_every_format_as_the_app_does(add, tmp_path, workspace):
    files = twenty()
    code, rows = add(write(tmp_path / "in", files))
    assert code == 1
    there = drop(workspace, *(Upload(name, data) for name, data in sorted(files.items())))
    told = ("status", "nodes", "characters", "pages", "language", "blocks", "cleaned")
    assert {name: [row[key] for key in told] for name, row in rows.items()} == {
        name: [getattr(result, key) for key in told] for name, result in there.items()
    }
    assert {name for name, row in rows.items() if row["status"] == "failed"} == {
        "broken.pdf",
        "picture.png",
        "locked.docx",
    }
