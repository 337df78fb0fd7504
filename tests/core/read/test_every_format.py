"""Every format becomes the blocks that stand in the file, spans of one text, in a process of its own and in a zip too."""

from __future__ import annotations

import pytest

from core import read
from core.ingest import Status, Upload
from core.read.isolated import IsolatedReader
from core.settings import ChunkSettings
from tests import made_files, texts


@pytest.mark.parametrize("make", made_files.EVERY, ids=lambda make: make.__name__)
def test_a_file_of_the_format_is_read_as_its_blocks(make):
    made = make()
    document = read.read(made.name, made.data)
    found = [(b.kind.value, document.text[b.start : b.end], b.page) for b in document.blocks]
    assert found == made.blocks
    assert document.reading.pages == made.pages
    assert not document.reading.cleaned.get("broken")
    texts.assert_tiles(document.text, document.blocks, stripped=False)


@pytest.mark.parametrize("make", made_files.EVERY, ids=lambda make: make.__name__)
def test_reading_twice_gives_the_same_and_so_does_another_process(make, elsewhere):
    made = make()
    first = read.read(made.name, made.data)
    assert read.read(made.name, made.data) == first
    assert elsewhere.read(made.name, made.data) == first


@pytest.fixture(scope="module")
def elsewhere():
    reader = IsolatedReader()
    yield reader
    reader.close()


def test_a_zip_of_every_format_and_sidecars_is_the_same_as_its_files(workspace):
    every = [make() for make in made_files.EVERY]
    files = {f"pumps/{made.name}": made.data for made in every} | {"pumps/pump.md.meta.json": b'{"category": "manual"}'}
    results = workspace.add([Upload("pumps.zip", made_files.packed(files))], ChunkSettings())
    assert {result.name for result in results} == {f"pumps/{made.name}" for made in every}
    assert {result.status for result in results} <= {Status.ADDED, Status.ALIAS}
    assert workspace.document("pumps/pump.md").metadata == {"category": "manual"}
    again = workspace.add([Upload(name, data) for name, data in files.items()], ChunkSettings())
    assert {result.status for result in again} == {Status.UNCHANGED}


def test_a_bad_file_in_a_zip_is_named_and_the_others_go_in(workspace):
    data = made_files.packed({"a.txt": b"One. Two.", "b.pdf": b"no pdf", "c/d.exe": b"MZ", ".DS_Store": b"x"})
    results = {
        r.name: r for r in workspace.add([Upload("x.zip", data), Upload("broken.zip", data[:60])], ChunkSettings())
    }
    assert {name: r.status for name, r in results.items()} == {
        "a.txt": Status.ADDED,
        "b.pdf": Status.FAILED,
        "c/d.exe": Status.FAILED,
        "broken.zip": Status.FAILED,
    }
    assert all(r.reason for r in results.values() if r.status is Status.FAILED)


def test_a_file_under_another_name_is_read_as_what_it_is_and_says_so():
    made = made_files.word()
    document = read.read("pump.txt", made.data)
    assert document.text == read.read(made.name, made.data).text
    assert document.reading.notices == ("Named .txt, but it is Word, and was read as that.",)
    assert read.read(made.name, made.data).reading.notices == ()
