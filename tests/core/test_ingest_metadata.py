"""Metadata on their way in: from any sidecar, table or front matter into typed cells, and again when files come again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from io import BytesIO
from itertools import permutations
from zipfile import ZipFile

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core import ingest, metadata
from core.errors import InvalidMetadata, InvalidRequest
from core.filters import Condition, FieldType, Op, from_json
from core.ingest import Status, Upload
from core.metadata.fixes import DropKey, FillMissing, MapValues, RenameKey, SetType
from core.metadata.values import Misfit, typed_value
from core.settings import SearchSettings
from core.store.base import RESERVED, Cell
from core.store.duckdb import file
from core.types import FieldSpec
from core.workspace import Workspace
from tests.core import drops
from tests.core.drops import drop, listed, sidecar, statuses, text

A = "The pump failed. It was replaced."
B = "The valve held. Nobody noticed. The shift ended."
FEW = 24  # examples: each is a workspace made anew


def table(rows: str, name: str = "metadata.csv") -> Upload:
    return Upload(name, rows.encode())


def raws(workspace: Workspace, name: str) -> dict[str, object]:
    """What was given for a document, by field."""
    row = workspace.cells()[workspace.document(name).id]
    return {field: cell.raw for field, cell in row.items() if cell.raw is not None}


def known(workspace: Workspace, name: str) -> Mapping[str, object]:
    return workspace.document(name).metadata


def edited(workspace: Workspace, name: str) -> set[str]:
    return {field for field, cell in workspace.cells()[workspace.document(name).id].items() if cell.edited}


def edit(workspace: Workspace, name: str, **values: object) -> None:
    workspace.edit({workspace.document(name).id: values})


def types(workspace: Workspace) -> dict[str, FieldType]:
    built_in = {spec.name for spec in metadata.BUILT_IN}
    return {spec.name: spec.type for spec in workspace.fields() if spec.name not in built_in}


def rows_of_every_table(workspace: Workspace) -> dict[str, int]:
    cursor = file.cursor(workspace.store._connection)
    names = [row[0] for row in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
    return {name: cursor.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0] for name in names}


# ── any sidecar ──────────────────────────────────────────────────────────────────────────────────

WORDS = st.sampled_from(
    [
        "", " ", "x", "O'Brien", "x') OR 1=1 --", 'a"b', "DROP TABLE given", "\x00", "a\x00b", "\ud800", "x\udfff", "\U0001f600", "007", "1e5",
        "2024-03-10", "10/03/2024", "yes", "False", "null", "2020", "0", "é", "e\u0301", "$1", "?", "\x1b[31m", "=1+1", "\u202e", "a|b",
    ]
)  # fmt: skip
KEYS = st.sampled_from(
    [
        "", " ", "n", "tags", "category", "created_at", "Author", "author", "AUTHOR", "a b", 'x"y', "x'; DROP TABLE documents; --", "select",
        "rowid", "doc", "name", "text", "id", "sentences", "aliases", "keywords", "node.keywords", "tokens", "a.b", "名前", "a\x00", "\ud800", "?", "page",
    ]
)  # fmt: skip
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([2**53 + 1, -(2**63), 2**63, 10**30, 1710113400, 20240310]),
    st.floats(allow_nan=False, allow_infinity=False),
    WORDS,
    st.text(max_size=5),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=6,
)
SIDECARS = st.dictionaries(KEYS | st.text(max_size=4), VALUES, max_size=6)

FIRST = {"n": 7, "tags": ["x", "y"], "category": "kept", "when": "2024-03-10"}


@settings(max_examples=FEW, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SIDECARS)
@example({"n": 2.5})
@example({"n": 2**60, "\ud800": 1})
@example({"tags": {"deep": [[[["x"]]]]}, "n": True, "category": ["a"]})
@example({"a\x00": 1, "a": 2})
def test_any_sidecar_is_kept_as_given_typed_as_its_field_says_and_touches_nothing_else(workspace, given_):
    workspace.reset()
    drop(workspace, text("first.txt", A), sidecar("first.txt", **FIRST))
    before, first = rows_of_every_table(workspace), workspace.cells()[workspace.document("first.txt").id]
    upload = Upload("a.txt.meta.json", json.dumps(given_).encode())
    result = drop(workspace, text("a.txt", B), upload)["a.txt"]
    try:
        asked = metadata.parse(upload.data)
        bad = [key for key in asked if key in RESERVED or any("\ud800" <= c <= "\udfff" for c in key)]
    except InvalidMetadata:
        asked, bad = {}, ["twice"]
    assert (result.status is Status.FAILED) == bool(bad), result
    after = rows_of_every_table(workspace)
    if bad:
        assert result.reason
        assert after == before
    else:
        assert after["documents"] == 2
        assert after["given"] == before["given"] + len(asked)
        assert json.dumps(raws(workspace, "a.txt"), sort_keys=True) == json.dumps(asked, sort_keys=True)
    assert {name: (cell.raw, cell.value) for name, cell in first.items()} == {
        name: (cell.raw, cell.value) for name, cell in workspace.cells()[workspace.document("first.txt").id].items()
    }
    fields = {spec.name: spec for spec in workspace.fields()}
    for info in workspace.documents():
        for name, cell in workspace.cells()[info.id].items():
            says = typed_value(cell.raw, fields[name].type)
            if isinstance(says, Misfit):
                assert (cell.value, cell.misfit, name in info.metadata) == (None, says.reason, False)
                continue
            assert (cell.value, info.metadata[name], cell.misfit) == (says, says, "")
            assert info in workspace.documents(Condition(name, Op.EQ, says))
    assert workspace.search("valve", SearchSettings(k=1)).total == (2 if bad else 5)


@settings(max_examples=FEW // 2, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(SIDECARS, min_size=2, max_size=3))
def test_the_types_and_values_of_a_drop_do_not_hang_on_the_order_of_its_files(workspace, sidecars):
    files = [
        [text(f"{n}.txt", f"Text number {n}."), Upload(f"{n}.txt.meta.json", json.dumps(told).encode())]
        for n, told in enumerate(sidecars)
    ]
    found = []
    for order in list(permutations(files))[:6:5]:
        workspace.reset()
        workspace.add([upload for pair in order for upload in pair], drops.SENTENCE)
        known_ = {info.name: info.metadata for info in workspace.documents()}
        found.append((types(workspace), workspace.cells(), known_))
    assert all(other == found[0] for other in found)


def test_a_file_of_more_keys_than_a_workspace_has_fields_fails_at_once_and_adds_none(workspace):
    found = drop(
        workspace, text("a.txt", A), sidecar("a.txt", **{f"key {n}": n for n in range(5000)}), text("b.txt", B)
    )
    assert found["a.txt"].status is Status.FAILED
    assert "more than 1,000 fields" in found["a.txt"].reason
    assert found["b.txt"].status is Status.ADDED
    assert types(workspace) == {}
    report = workspace.lint([text("a.txt", A), sidecar("a.txt", **{f"key {n}": n for n in range(5000)})])
    assert report.blocks


def test_a_document_that_fails_adds_no_field(workspace):
    found = drop(
        workspace,
        Upload("bad.txt", bytes(range(256)) * 8), sidecar("bad.txt", colour="red"),
        text("b.txt", B), sidecar("b.txt", shade=1, page=3),
        text("c.txt", A), Upload("c.txt.meta.json", b'{"hue": 1'),
    )  # fmt: skip
    assert {result.status for result in found.values()} == {Status.FAILED}
    assert types(workspace) == {}


def test_a_whole_number_beyond_what_a_number_keeps_is_not_widened_away(workspace):
    drop(workspace, text("a.txt", A), sidecar("a.txt", n=2**53 + 1))
    result = drop(workspace, text("b.txt", B), sidecar("b.txt", n=0.5))["b.txt"]
    assert known(workspace, "a.txt") == {"n": 2**53 + 1}
    assert any("0.5 is no whole number" in notice for notice in result.notices)
    assert raws(workspace, "b.txt") == {"n": 0.5}


# ── strict ───────────────────────────────────────────────────────────────────────────────────────


def test_a_strict_workspace_refuses_unknown_keys_names_the_one_that_is_meant_and_adds_no_field(workspace):
    workspace.strict = True
    found = drop(
        workspace,
        text("a.txt", A), sidecar("a.txt", categroy="x", category="y"),
        text("b.txt", B), sidecar("b.txt", category="z"),
        text("c.md", "---\ncolour: red\n---\nA third text."),
        text("d.txt", "A fourth."), table("file,shade\nd.txt,1\n"),
    )  # fmt: skip
    assert {name: result.status for name, result in found.items()} == {
        "a.txt": Status.FAILED, "b.txt": Status.ADDED, "c.md": Status.FAILED, "d.txt": Status.FAILED, "metadata.csv": Status.UPDATED,
    }  # fmt: skip
    assert "'categroy'" in found["a.txt"].reason
    assert 'Did you mean "category"?' in found["a.txt"].reason
    assert "a.txt.meta.json" in found["a.txt"].reason
    assert "The front matter" in found["c.md"].reason
    assert "metadata.csv" in found["d.txt"].reason
    assert types(workspace) == {}
    workspace.set_field(FieldSpec("colour", FieldType.STRING))
    assert statuses(workspace, text("c.md", "---\ncolour: red\n---\nA third text.")) == [("c.md", Status.ADDED)]
    workspace.strict = False
    assert statuses(workspace, text("a.txt", A), sidecar("a.txt", categroy="x")) == [("a.txt", Status.ADDED)]


def test_in_a_strict_workspace_a_fix_makes_a_key_a_known_one(workspace):
    workspace.strict = True
    uploads = [text("a.txt", A), sidecar("a.txt", categroy="x", shade=1)]
    results = workspace.add(uploads, drops.SENTENCE, fixes=[RenameKey("categroy", "category"), DropKey("shade")])
    assert [result.status for result in results] == [Status.ADDED]
    assert known(workspace, "a.txt") == {"category": "x"}


# ── files that come again ────────────────────────────────────────────────────────────────────────


def test_the_same_files_are_unchanged_and_edits_stay(counted, encoder):
    files = (text("a.txt", A), sidecar("a.txt", category="x", year=3), text("b.md", f"---\nowner: Bo\n---\n{B}"))
    drop(counted, *files)
    edit(counted, "a.txt", category="mine", year=None)
    edit(counted, "b.md", owner="Cy", tags=["t"])
    cells, asked, changes = counted.cells(), len(encoder.asked), counted.store.changes
    assert statuses(counted, *files) == [("a.txt", Status.UNCHANGED), ("b.md", Status.UNCHANGED)]
    assert counted.cells() == cells
    assert known(counted, "a.txt") == {"category": "mine"}
    assert len(encoder.asked) == asked
    assert counted.store.changes - changes <= 2


def test_a_changed_sidecar_brings_new_values_but_for_edits_whose_source_did_not_change(counted, encoder):
    drop(counted, text("a.txt", A), sidecar("a.txt", category="x", year=3, owner="Al", shade=1, hue="h"))
    edit(counted, "a.txt", category="mine", year=4, shade=None, author="Me", hue=None)
    asked = len(encoder.asked)
    result = drop(counted, text("a.txt", A), sidecar("a.txt", category="x", year=5, owner="Bo", shade=1, hue="g"))[
        "a.txt"
    ]
    assert result.status is Status.UPDATED
    assert known(counted, "a.txt") == {"category": "mine", "year": 5, "owner": "Bo", "author": "Me", "hue": "g"}
    assert edited(counted, "a.txt") == {"category", "shade", "author"}
    (notice,) = [notice for notice in result.notices if "Edited here" in notice]
    assert all(name in notice for name in ('"year"', '"hue"'))
    assert '"category"' not in notice
    assert len(encoder.asked) == asked


def test_an_edit_that_the_source_now_agrees_with_is_no_edit_any_more(counted):
    drop(counted, text("a.txt", A), sidecar("a.txt", year=3))
    edit(counted, "a.txt", year=4)
    result = drop(counted, text("a.txt", A), sidecar("a.txt", year=4))["a.txt"]
    assert known(counted, "a.txt") == {"year": 4}
    assert edited(counted, "a.txt") == set()
    assert not [notice for notice in result.notices if "Edited here" in notice]


def test_true_is_another_value_than_1_to_tell_whether_a_source_has_changed(counted):
    drop(counted, text("a.txt", A), sidecar("a.txt", flag=1))
    counted.set_field(FieldSpec("flag", FieldType.BOOLEAN))
    assert statuses(counted, text("a.txt", A), sidecar("a.txt", flag=True)) == [("a.txt", Status.UPDATED)]
    assert raws(counted, "a.txt")["flag"] is True
    edit(counted, "a.txt", flag=False)
    drop(counted, text("a.txt", A), sidecar("a.txt", flag=1))
    assert known(counted, "a.txt") == {"flag": True}


def test_a_sidecar_without_a_key_takes_its_value_away(counted):
    drop(counted, text("a.txt", A), sidecar("a.txt", category="x", year=3))
    drop(counted, text("a.txt", A), sidecar("a.txt", category="x", year=None))
    assert known(counted, "a.txt") == {"category": "x"}
    drop(counted, text("a.txt", A), sidecar("a.txt"))
    assert counted.cells()[counted.document("a.txt").id] == {}


def test_a_sidecar_written_another_way_is_kept_and_changes_nothing(counted):
    drop(counted, text("a.txt", A), sidecar("a.txt", category="x"))
    again = Upload("a.txt.meta.json", b'{ "category" : "x" , "year": null }')
    assert statuses(counted, text("a.txt", A), again) == [("a.txt", Status.UNCHANGED)]
    assert counted.store.originals(counted.document("a.txt").id) == (A.encode(), again.data)
    assert statuses(counted, text("a.txt", A), again) == [("a.txt", Status.UNCHANGED)]


def test_what_a_sidecar_says_too_outlives_the_front_matter(counted):
    drop(counted, text("a.md", f"---\nowner: Bo\n---\n{A}"))
    assert statuses(counted, sidecar("a.md", owner="Bo")) == [("a.md", Status.UNCHANGED)]
    assert statuses(counted, text("a.md", A)) == [("a.md", Status.UNCHANGED)]
    assert known(counted, "a.md") == {"owner": "Bo"}


def test_new_text_without_a_sidecar_keeps_all_metadata_and_the_edits(counted):
    drop(counted, text("a.txt", A), sidecar("a.txt", category="x", year="n/a", shade=1))
    counted.set_field(FieldSpec("year", FieldType.INTEGER))
    edit(counted, "a.txt", category="mine", shade=None)
    before = counted.cells()
    result = drop(counted, text("a.txt", B))["a.txt"]
    assert result.status is Status.REPLACED
    assert "Its metadata were kept." in result.reason
    assert counted.cells() == before


def test_new_text_with_a_sidecar_brings_its_values(counted):
    drop(counted, text("a.txt", A), sidecar("a.txt", category="x", year=3))
    edit(counted, "a.txt", category="mine")
    drop(counted, text("a.txt", B), sidecar("a.txt", category="x", year=4))
    assert known(counted, "a.txt") == {"category": "mine", "year": 4}


def test_front_matter_that_changes_brings_new_values_and_embeds_nothing(counted, encoder):
    drop(counted, text("a.md", f"---\nowner: Bo\nyear: 3\n---\n{A}"))
    edit(counted, "a.md", owner="Me")
    asked = len(encoder.asked)
    assert statuses(counted, text("a.md", f"---\nowner: Bo\nyear: 4\n---\n{A}")) == [("a.md", Status.UPDATED)]
    assert known(counted, "a.md") == {"owner": "Me", "year": 4}
    assert len(encoder.asked) == asked
    assert statuses(counted, text("a.md", A)) == [("a.md", Status.UPDATED)]
    assert known(counted, "a.md") == {}


def test_an_edit_stays_when_a_table_reads_the_same_words_as_another_type(counted):
    drop(counted, text("a.txt", A), text("b.txt", B), table("file,year,done\na.txt,2020,true\nb.txt,2021,false\n"))
    edit(counted, "a.txt", year=1999, done=False)
    drop(counted, table("file,year,done\na.txt,2020,true\nb.txt,n/a,maybe\n"))
    assert raws(counted, "a.txt") == {"year": 1999, "done": False}
    assert raws(counted, "b.txt") == {"year": "n/a", "done": "maybe"}


# ── which source counts ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_front_matter_gives_way_to_a_table_and_a_table_to_a_sidecar(workspace, order):
    files = (
        text("a.md", f"---\nowner: front\nyear: 1\nshade: 1\n---\n{A}"),
        table("file,owner,year\na.md,table,2\n"),
        sidecar("a.md", owner="sidecar"),
    )
    drop(workspace, *(files[i] for i in order))
    assert known(workspace, "a.md") == {"owner": "sidecar", "year": 2, "shade": 1}


@pytest.mark.parametrize("turned", [False, True])
def test_the_nearer_table_and_the_fuller_name_count_more_whatever_comes_first(workspace, turned):
    files = [
        text("x/a.txt", A),
        table("file,owner,year,shade\nx/a.txt,far,1,1\n"),
        table("file,owner,year\na.txt,near,2\n", "x/metadata.csv"),
        sidecar("x/a", owner="stem", hue="h"),
        sidecar("x/a.txt", owner="whole"),
    ]
    drop(workspace, *(reversed(files) if turned else files))
    assert known(workspace, "x/a.txt") == {"owner": "whole", "hue": "h", "year": 2, "shade": 1}


def test_a_table_or_sidecar_may_be_about_a_document_that_is_not_in_the_drop(counted, encoder):
    drop(counted, text("x/a.txt", A), text("y/a.txt", B), text("c.md", f"---\nowner: front\nhue: h\n---\n{A} More."))
    asked = len(encoder.asked)
    found = drop(counted, table("file,owner\nx/a.txt,T\nc.md,T\n"), sidecar("y/a", owner="S"))
    assert {name: result.status for name, result in found.items()} == {
        "metadata.csv": Status.UPDATED, "x/a.txt": Status.UPDATED, "c.md": Status.UPDATED, "y/a.txt": Status.UPDATED,
    }  # fmt: skip
    assert known(counted, "x/a.txt") == {"owner": "T"}
    assert known(counted, "y/a.txt") == {"owner": "S"}
    assert known(counted, "c.md") == {"owner": "T", "hue": "h"}
    assert len(encoder.asked) == asked


def test_a_name_in_a_table_means_the_file_beside_it_before_one_that_was_there(workspace):
    drop(workspace, text("old/a.txt", A))
    drop(workspace, text("new/a.txt", B), table("file,owner\na.txt,T\n"))
    assert known(workspace, "new/a.txt") == {"owner": "T"}
    assert known(workspace, "old/a.txt") == {}
    drop(workspace, text("new/a.txt", B), table("file,owner\nold/a.txt,O\n"))
    assert known(workspace, "old/a.txt") == {"owner": "O"}


def test_rows_that_name_nothing_are_told_and_a_table_of_them_alone_fails(workspace):
    found = drop(workspace, text("a.txt", A), table("file,owner\na.txt,T\nghost.txt,G\n"))
    assert found["metadata.csv"].notices == ("Rows that name no document here: ghost.txt.",)
    assert found["metadata.csv"].reason == "Metadata of 1 document."
    alone = drop(workspace, table("file,owner\nghost.txt,G\n"))["metadata.csv"]
    assert alone.status is Status.FAILED
    assert "None of its rows" in alone.reason
    assert set(listed(workspace)) == {"a.txt"}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"file,owner\na.txt,\xff\n", "not UTF-8"),
        (b'file,owner\na.txt,"open\n', "quotation mark"),
        (b"file,owner\na.txt,x\na.txt,y\n", "Rows 2 and 3"),
        (b"file,owner,owner\na.txt,x,y\n", "'owner' twice"),
        (b"file,owner\n,x\n", "names no file"),
        (b"file,owner\na.txt," + b"x" * 200_000, "more than 100,000 characters"),
    ],
)
def test_a_table_that_cannot_be_read_fails_by_name_and_its_documents_go_in_without_it(workspace, data, reason):
    found = drop(workspace, text("a.txt", A), Upload("metadata.csv", data))
    assert found["metadata.csv"].status is Status.FAILED
    assert reason in found["metadata.csv"].reason
    assert found["a.txt"].status is Status.ADDED
    assert known(workspace, "a.txt") == {}


def test_a_key_of_a_table_that_is_reserved_fails_the_documents_it_names(workspace):
    found = drop(workspace, text("a.txt", A), text("b.txt", B), table("file,page,owner\na.txt,3,\nb.txt,,Bo\n"))
    assert found["a.txt"].status is Status.FAILED
    assert "metadata.csv: 'page' is set by the system" in found["a.txt"].reason
    assert known(workspace, "b.txt") == {"owner": "Bo"}


def test_an_archive_brings_its_table_sidecars_and_front_matter(workspace):
    held = BytesIO()
    with ZipFile(held, "w") as archive:
        archive.writestr("docs/a.txt", A)
        archive.writestr("docs/metadata.csv", "file,owner,year\na.txt,Bo,3\nb.md,Cy,4\n")
        archive.writestr("docs/b.md", f"---\nowner: front\nhue: h\n---\n{B}")
        archive.writestr("docs/b.md.meta.json", '{"owner": "sidecar"}')
    upload = Upload("all.zip", held.getvalue())
    found = drop(workspace, upload)
    assert Status.FAILED not in {result.status for result in found.values()}
    by_end = {info.name.rsplit("/", 1)[-1]: info.metadata for info in workspace.documents()}
    assert by_end == {"a.txt": {"owner": "Bo", "year": 3}, "b.md": {"owner": "sidecar", "hue": "h", "year": 4}}
    assert {result.status for result in drop(workspace, upload).values()} <= {Status.UNCHANGED, Status.UPDATED}


def test_cells_of_a_list_field_are_parted_and_those_of_another_are_not(workspace):
    drop(workspace, text("a.txt", A), table("file,tags,owner\na.txt,x|y; z,p|q\n"))
    assert known(workspace, "a.txt") == {"tags": ("x", "y", "z"), "owner": "p|q"}


def test_metadata_larger_than_a_sidecar_may_be_are_read_again(workspace):
    """Two sources together, written with escapes, are longer than either of them was."""
    long = "名" * 90_000
    rows = f"file,{','.join(f'f{n}' for n in range(4))}\na.txt,{','.join([long] * 4)}\n"
    drop(workspace, text("a.txt", A), table(rows), sidecar("a.txt", owner="Bo"))
    edit(workspace, "a.txt", owner="Me")
    assert statuses(workspace, text("a.txt", B)) == [("a.txt", Status.REPLACED)]
    assert known(workspace, "a.txt") == {**{f"f{n}": long for n in range(4)}, "owner": "Me"}


# ── aliases ──────────────────────────────────────────────────────────────────────────────────────


def test_the_same_text_is_an_alias_only_where_the_same_was_given(counted):
    """A value that does not fit is a value, too: taking the second for an alias would lose it."""
    drop(counted, text("y.txt", B), sidecar("y.txt", year=3))
    drop(counted, text("a.txt", A))
    for number, year in enumerate(("n/a", "n/a", 3, "3", None)):
        drop(counted, text(f"{number}.txt", A), sidecar(f"{number}.txt", year=year))
    assert listed(counted) == {"a.txt": ("4.txt",), "0.txt": ("1.txt",), "2.txt": (), "3.txt": (), "y.txt": ()}
    assert [raws(counted, f"{number}.txt").get("year") for number in range(5)] == ["n/a", "n/a", 3, "3", None]


def test_an_alias_shares_the_default_of_a_field(counted):
    counted.set_field(FieldSpec("level", FieldType.STRING, default="public"))
    drop(counted, text("a.txt", A), text("b.txt", A), text("c.txt", A), sidecar("c.txt", level="public"))
    assert listed(counted) == {"a.txt": ("b.txt",), "c.txt": ()}
    counted.set_field(FieldSpec("level", FieldType.STRING, default="secret"))
    assert known(counted, "b.txt") == {"level": "secret"}
    assert known(counted, "c.txt") == {"level": "public"}


def test_an_alias_with_other_front_matter_is_a_document_of_its_own(counted, encoder):
    same = f"---\nowner: Bo\n---\n{A}"
    drop(counted, text("a.md", same), text("b.md", same))
    assert listed(counted) == {"a.md": ("b.md",)}
    asked = len(encoder.asked)
    assert statuses(counted, text("b.md", f"---\nowner: Cy\n---\n{A}")) == [("b.md", Status.ADDED)]
    assert (known(counted, "a.md"), known(counted, "b.md")) == ({"owner": "Bo"}, {"owner": "Cy"})
    assert len(encoder.asked) == asked
    assert statuses(counted, text("b.md", f"---\nowner: Cy\n---\n{A}")) == [("b.md", Status.UNCHANGED)]


def test_an_alias_with_new_text_keeps_what_was_known_but_what_its_front_matter_says(counted):
    same = f"---\nowner: Bo\nhue: h\n---\n{A}"
    drop(counted, text("a.md", same), sidecar("a.md", year=3), text("b.md", same), sidecar("b.md", year=3))
    edit(counted, "a.md", hue="mine")
    result = drop(counted, text("b.md", f"---\nowner: Cy\nhue: h\n---\n{B}"))["b.md"]
    assert result.status is Status.ADDED
    assert known(counted, "b.md") == {"owner": "Cy", "hue": "mine", "year": 3}
    assert known(counted, "a.md") == {"owner": "Bo", "hue": "mine", "year": 3}


def test_an_alias_named_again_with_its_own_sidecar_shares_the_edits_of_the_first(counted):
    both = (text("a.txt", A), sidecar("a.txt", year=3), text("b.txt", A), sidecar("b.txt", year=3))
    drop(counted, *both)
    edit(counted, "a.txt", year=4)
    assert {status for _, status in statuses(counted, *both)} == {Status.UNCHANGED}
    assert listed(counted) == {"a.txt": ("b.txt",)}
    assert known(counted, "b.txt") == {"year": 4}


def test_a_twin_of_a_document_that_changes_in_the_same_drop_is_compared_with_what_that_becomes(counted):
    drop(counted, text("a.txt", A), sidecar("a.txt", level="public"))
    drop(
        counted, text("a.txt", A), sidecar("a.txt", level="secret"), text("b.txt", A), sidecar("b.txt", level="secret")
    )
    assert listed(counted) == {"a.txt": ("b.txt",)}
    drop(counted, text("a.txt", A), sidecar("a.txt", level="open"), text("c.txt", A), sidecar("c.txt", level="secret"))
    assert {name: known(counted, name)["level"] for name in ("a.txt", "b.txt", "c.txt")} == {
        "a.txt": "open", "b.txt": "secret", "c.txt": "secret",
    }  # fmt: skip
    drops.assert_whole(counted)


# ── fixes to a drop ──────────────────────────────────────────────────────────────────────────────

FIXES = (
    RenameKey("Author", "author"),
    MapValues("category", {"Q1": "q1"}),
    FillMissing("owner", "nobody"),
    DropKey("junk"),
    SetType("year", FieldType.INTEGER),
)
GIVEN = {"Author": "X", "category": "Q1", "junk": 1, "year": "2020"}
FIXED = {"author": "X", "category": "q1", "owner": "nobody", "year": 2020}


def test_the_fixes_of_a_drop_are_what_is_stored_and_no_key_left_out_becomes_a_field(workspace):
    workspace.add([text("a.txt", A), sidecar("a.txt", **GIVEN)], drops.SENTENCE, fixes=FIXES)
    assert known(workspace, "a.txt") == FIXED
    assert raws(workspace, "a.txt")["year"] == "2020"
    assert types(workspace) == {"year": FieldType.INTEGER, "owner": FieldType.STRING}
    (year,) = [spec for spec in workspace.fields() if spec.name == "year"]
    assert year.confirmed


def test_fixes_outlive_new_text_the_same_files_and_a_change_of_other_keys(workspace):
    workspace.add([text("a.txt", A), sidecar("a.txt", **GIVEN)], drops.SENTENCE, fixes=FIXES)
    assert statuses(workspace, text("a.txt", A), sidecar("a.txt", **GIVEN)) == [("a.txt", Status.UNCHANGED)]
    drop(workspace, text("a.txt", B))
    assert known(workspace, "a.txt") == FIXED
    drop(workspace, text("a.txt", B), sidecar("a.txt", **GIVEN, shade=1))
    assert known(workspace, "a.txt") == {**FIXED, "shade": 1}
    drop(workspace, text("a.txt", B), sidecar("a.txt", **{**GIVEN, "category": "Q2"}))
    assert known(workspace, "a.txt") == {**FIXED, "category": "Q2"}
    assert "Author" not in types(workspace)


def test_fixes_are_made_to_files_that_are_there_already(workspace):
    files = [text("a.txt", A), sidecar("a.txt", **GIVEN)]
    workspace.add(files, drops.SENTENCE)
    (result,) = workspace.add(files, drops.SENTENCE, fixes=FIXES)
    assert result.status is Status.UPDATED
    assert known(workspace, "a.txt") == FIXED
    (again,) = workspace.add(files, drops.SENTENCE, fixes=FIXES)
    assert again.status is Status.UNCHANGED


def test_fixes_give_way_to_what_a_person_has_set(workspace):
    files = [text("a.txt", A), sidecar("a.txt", **GIVEN)]
    workspace.add(files, drops.SENTENCE, fixes=FIXES)
    edit(workspace, "a.txt", author="Me", owner="Me")
    workspace.add([text("a.txt", B)], drops.SENTENCE, fixes=FIXES)
    assert known(workspace, "a.txt") == {**FIXED, "author": "Me", "owner": "Me"}


def test_a_type_that_cannot_be_set_stops_the_drop_before_anything_changes(workspace):
    workspace.set_field(FieldSpec("year", FieldType.STRING, default="never"))
    before = workspace.fields()
    with pytest.raises(InvalidMetadata, match="default of 'year' does not fit"):
        workspace.add(
            [text("a.txt", A)],
            drops.SENTENCE,
            fixes=[SetType("n", FieldType.NUMBER), SetType("year", FieldType.INTEGER)],
        )
    assert workspace.fields() == before
    assert workspace.documents() == []


# ── out and in again ─────────────────────────────────────────────────────────────────────────────


def test_a_document_comes_back_with_its_metadata_edits_and_misfits(workspace):
    drop(workspace, text("a.txt", A), sidecar("a.txt", category="x", year="n/a", shade=1))
    workspace.set_field(FieldSpec("year", FieldType.INTEGER))
    edit(workspace, "a.txt", category="mine", shade=None)
    before = workspace.cells()
    workspace.restore(workspace.remove(workspace.document("a.txt").id))
    assert workspace.cells() == before
    assert statuses(workspace, text("a.txt", A), sidecar("a.txt", category="x", year="n/a", shade=1)) == [
        ("a.txt", Status.UNCHANGED)
    ]


def test_a_document_comes_back_in_the_types_that_fields_have_now(workspace):
    drop(workspace, text("a.txt", A), sidecar("a.txt", year="2020", when="10/03/2024", level=None))
    removed = workspace.remove(workspace.document("a.txt").id)
    workspace.set_field(FieldSpec("year", FieldType.INTEGER))
    workspace.set_field(FieldSpec("when", FieldType.DATE))
    workspace.set_field(FieldSpec("level", FieldType.STRING, default="open"))
    workspace.restore(removed)
    assert known(workspace, "a.txt") == {"year": 2020, "level": "open"}
    assert raws(workspace, "a.txt") == {"year": "2020", "when": "10/03/2024"}
    assert workspace.documents(from_json({"year": 2020})) == workspace.documents()


def test_a_document_comes_back_after_everything_was_taken_out(workspace):
    drop(workspace, text("a.txt", A), sidecar("a.txt", year=3, tags=["x"], junk=1))
    edit(workspace, "a.txt", junk=None, year=4)
    removed = workspace.remove(workspace.document("a.txt").id)
    workspace.reset()
    workspace.restore(removed)
    assert known(workspace, "a.txt") == {"year": 4, "tags": ("x",)}
    assert edited(workspace, "a.txt") == {"junk", "year"}
    assert types(workspace) == {"year": FieldType.INTEGER}


def test_fields_are_not_set_while_documents_are_added(workspace):
    refused = []

    def meanwhile(done: float, total: float, message: str) -> None:
        for ask in (
            lambda: workspace.set_field(FieldSpec("year", FieldType.STRING)),
            lambda: workspace.fix([DropKey("year")]),
        ):
            try:
                ask()
            except InvalidRequest as error:
                refused.append(error.what)

    workspace.add([text("a.txt", A), sidecar("a.txt", year=3)], drops.SENTENCE, progress=meanwhile)
    assert len(refused) > 2
    assert set(refused) == {"Documents are being added or indexed right now."}
    assert known(workspace, "a.txt") == {"year": 3}


def test_a_drop_of_the_kinds_a_linter_is_shown_tells_what_cannot_be_read(workspace):
    drop(workspace, text("old.txt", B))
    uploads = [
        text("a.txt", A), Upload("a.txt.meta.json", b"{nope"), sidecar("ghost.txt", year=1), sidecar("old.txt", year=1),
        table("file,owner\nnobody.txt,x\n"), table("file,owner\na.txt,x\n", "x/metadata.csv"), Upload("bad.zip", b"PK\x03\x04 broken"),
    ]  # fmt: skip
    told = {result.name: result.reason for result in ingest.faults(uploads, workspace.documents(), workspace.fields())}
    assert set(told) == {"a.txt.meta.json", "ghost.txt.meta.json", "metadata.csv", "x/metadata.csv", "bad.zip"}
    found = drop(workspace, *uploads)
    assert {name for name, result in found.items() if result.status is Status.FAILED} == {*told, "a.txt"} - {
        "a.txt.meta.json"
    }


def test_what_is_missing_is_missing_and_the_cell_says_nothing(workspace):
    drop(workspace, text("a.txt", A), sidecar("a.txt", when="2024-03-10", empty="", none=None, nothing=[]))
    row = workspace.cells()[workspace.document("a.txt").id]
    assert row == {
        "when": Cell("2024-03-10", datetime(2024, 3, 10)),
        "empty": Cell("", ""),
        "nothing": Cell([], ()),
    }


@pytest.mark.parametrize("known_before", [True, False])
@pytest.mark.parametrize("values", list(permutations(["2.5", 1.5, 3])))
def test_a_drop_widens_whole_numbers_to_numbers_whichever_file_comes_first(workspace, known_before, values):
    if known_before:
        drop(workspace, text("first.txt", A), sidecar("first.txt", k=1))
        assert types(workspace)["k"] is FieldType.INTEGER
    files = [
        part for n, value in enumerate(values) for part in (text(f"{n}.txt", f"{A} {n}"), sidecar(f"{n}.txt", k=value))
    ]
    results = drop(workspace, *files)
    assert types(workspace)["k"] is FieldType.NUMBER
    assert [known(workspace, f"{n}.txt")["k"] for n in range(3)] == [float(value) for value in values]
    assert not any("without a value" in notice for result in results.values() for notice in result.notices)
