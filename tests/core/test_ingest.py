"""What a drop of files does: identity by name, revision by text, aliases by both, and no file spoils another."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import indexing, ingest, read
from core.errors import Cancelled
from core.ingest import Status, Upload
from core.settings import ChunkSettings
from core.store.duckdb import DuckStore
from core.workspace import Workspace
from tests.core import drops
from tests.core.drops import CancelAt, CountingEncoder, drop, listed, sidecar, statuses, text

A = "The pump failed. It was replaced."
B = "The valve held. Nobody noticed. The shift ended."


def test_a_new_file_is_added_and_each_of_its_sentences_embedded(counted, encoder):
    result = drop(counted, text("a.txt", A), sidecar("a.txt", category="pumps"))["a.txt"]
    assert (result.status, result.sentences, result.nodes, result.embedded) == (Status.ADDED, 2, 2, 2)
    assert sorted(encoder.asked) == ["It was replaced.", "The pump failed."]
    (info,) = counted.documents()
    assert (info.id, info.name, info.metadata) == (read.document_id("a.txt"), "a.txt", {"category": "pumps"})
    assert info.sentences == 2
    drops.assert_whole(counted)


def test_the_same_file_again_is_unchanged_and_embeds_nothing(counted, encoder):
    drop(counted, text("a.txt", A), sidecar("a.txt", year=2024))
    before, first = len(encoder.asked), counted.documents()
    assert statuses(counted, text("a.txt", A), sidecar("a.txt", year=2024)) == [("a.txt", Status.UNCHANGED)]
    assert statuses(counted, text("a.txt", A)) == [("a.txt", Status.UNCHANGED)]
    assert len(encoder.asked) == before
    assert counted.documents() == first


def test_new_text_under_the_same_name_replaces_and_embeds_only_what_is_new(counted, encoder):
    drop(counted, text("a.txt", A))
    before = len(encoder.asked)
    result = drop(counted, text("a.txt", A + " A new one came."))["a.txt"]
    assert (result.status, result.nodes, result.embedded) == (Status.REPLACED, 3, 1)
    assert encoder.asked[before:] == ["A new one came."]
    assert [info.name for info in counted.documents()] == ["a.txt"]
    assert drops.node_texts(counted) == ["The pump failed.", "It was replaced.", "A new one came."]
    drops.assert_whole(counted)


def test_replacing_without_a_sidecar_keeps_the_metadata_and_says_so(counted):
    drop(counted, text("a.txt", A), sidecar("a.txt", category="pumps"))
    result = drop(counted, text("a.txt", B))["a.txt"]
    assert "kept" in result.reason
    (info,) = counted.documents()
    assert info.metadata == {"category": "pumps"}
    assert counted.store.originals(info.id) == (B.encode(), b'{"category": "pumps"}')


def test_a_changed_sidecar_updates_and_embeds_nothing(counted, encoder):
    drop(counted, text("a.txt", A), sidecar("a.txt", category="pumps", year=2023))
    before, version = len(encoder.asked), counted.index().nodes
    result = drop(counted, text("a.txt", A), sidecar("a.txt", category="valves"))["a.txt"]
    assert (result.status, result.embedded) == (Status.UPDATED, 0)
    assert len(encoder.asked) == before
    (info,) = counted.documents()
    assert info.metadata == {"category": "valves"}
    assert counted.index().nodes == version
    assert counted.store.originals(info.id)[1] == b'{"category": "valves"}'


def test_a_sidecar_alone_updates_the_document_it_names(counted, encoder):
    drop(counted, text("a.txt", A), text("b.md", B))
    before = len(encoder.asked)
    assert statuses(counted, sidecar("a.txt", year=2025)) == [("a.txt", Status.UPDATED)]
    assert statuses(counted, sidecar("b", year=2026)) == [("b.md", Status.UPDATED)]
    assert statuses(counted, sidecar("b", year=2026)) == [("b.md", Status.UNCHANGED)]
    assert {info.name: info.metadata for info in counted.documents()} == {
        "a.txt": {"year": 2025},
        "b.md": {"year": 2026},
    }
    assert len(encoder.asked) == before


def test_a_sidecar_alone_without_its_document_fails_by_name(counted):
    drop(counted, text("a.txt", A), text("a.md", B))
    found = drop(counted, sidecar("ghost.txt", year=1), sidecar("a", year=1))
    assert {name: result.status for name, result in found.items()} == {
        "ghost.txt.meta.json": Status.FAILED,
        "a.meta.json": Status.FAILED,
    }
    assert "ghost.txt" in found["ghost.txt.meta.json"].reason
    assert all(info.metadata == {} for info in counted.documents())


def test_a_sidecar_named_after_the_stem_belongs_to_the_only_document_of_that_stem(counted):
    drop(counted, text("a.txt", A), text("b.txt", B), sidecar("a", year=2024))
    assert {info.name: info.metadata for info in counted.documents()} == {"a.txt": {"year": 2024}, "b.txt": {}}


def test_the_same_text_under_a_second_name_is_an_alias(counted, encoder):
    found = drop(counted, text("a.txt", A), text("copy.txt", A))
    assert found["copy.txt"].status is Status.ALIAS
    assert "a.txt" in found["copy.txt"].reason
    assert found["copy.txt"].doc_id == found["a.txt"].doc_id
    assert listed(counted) == {"a.txt": ("copy.txt",)}
    assert counted.document("copy.txt").name == "a.txt"
    assert len(encoder.asked) == 2
    assert statuses(counted, text("copy.txt", A)) == [("copy.txt", Status.UNCHANGED)]
    drops.assert_whole(counted)


def test_an_alias_found_in_a_later_drop_is_listed_too(counted):
    drop(counted, text("a.txt", A))
    assert drop(counted, text("copy.txt", A))["copy.txt"].status is Status.ALIAS
    drop(counted, text("third.txt", A))
    assert listed(counted) == {"a.txt": ("copy.txt", "third.txt")}


def test_the_same_text_with_other_metadata_is_a_document_of_its_own(counted, encoder):
    uploads = (text("a.txt", A), sidecar("a.txt", level="public"), text("b.txt", A), sidecar("b.txt", level="secret"))
    found = drop(counted, *uploads)
    assert found["b.txt"].status is Status.ADDED
    assert "a.txt" in found["b.txt"].reason
    assert listed(counted) == {"a.txt": (), "b.txt": ()}
    assert len(encoder.asked) == 2
    assert counted.index().nodes == 4
    drops.assert_whole(counted)


def test_an_alias_becomes_the_document_when_the_text_of_the_first_changes(counted, encoder):
    drop(counted, text("a.txt", A), sidecar("a.txt", year=1), text("b.txt", A), sidecar("b.txt", year=1))
    drop(counted, text("c.txt", A), sidecar("c.txt", year=1))
    before = len(encoder.asked)
    assert statuses(counted, text("a.txt", B)) == [("a.txt", Status.REPLACED)]
    assert listed(counted) == {"a.txt": (), "b.txt": ("c.txt",)}
    assert counted.document("c.txt").metadata == {"year": 1}
    passage = counted.store.passage(counted.document("b.txt").id)
    assert passage.document.text == A
    assert len(encoder.asked) == before + 3
    drops.assert_whole(counted)


def test_an_alias_becomes_the_document_when_the_metadata_of_the_first_change(counted, encoder):
    drop(counted, text("a.txt", A), text("b.txt", A))
    before = len(encoder.asked)
    assert statuses(counted, sidecar("a.txt", level="secret")) == [("a.txt", Status.UPDATED)]
    assert listed(counted) == {"a.txt": (), "b.txt": ()}
    assert {i.name: i.metadata for i in counted.documents()} == {"a.txt": {"level": "secret"}, "b.txt": {}}
    assert len(encoder.asked) == before
    drops.assert_whole(counted)


def test_an_alias_given_metadata_of_its_own_leaves_the_first(counted, encoder):
    drop(counted, text("a.txt", A), text("b.txt", A))
    before = len(encoder.asked)
    assert statuses(counted, text("b.txt", A), sidecar("b.txt", level="secret")) == [("b.txt", Status.ADDED)]
    assert listed(counted) == {"a.txt": (), "b.txt": ()}
    assert counted.document("b.txt").metadata == {"level": "secret"}
    assert len(encoder.asked) == before
    drops.assert_whole(counted)


def test_an_alias_given_new_text_leaves_the_first(counted):
    drop(counted, text("a.txt", A), text("b.txt", A))
    assert statuses(counted, text("b.txt", B)) == [("b.txt", Status.ADDED)]
    assert listed(counted) == {"a.txt": (), "b.txt": ()}
    drops.assert_whole(counted)


def test_an_alias_may_move_to_another_document(counted):
    drop(counted, text("a.txt", A), text("b.txt", A), text("c.txt", B))
    assert statuses(counted, text("b.txt", B)) == [("b.txt", Status.ALIAS)]
    assert listed(counted) == {"a.txt": (), "c.txt": ("b.txt",)}


def test_aliases_and_replacements_within_one_drop_agree_with_the_same_files_one_by_one(counted, tmp_path):
    drop(counted, text("a.txt", A), text("b.txt", A))
    other = Workspace(DuckStore(tmp_path / "other.duckdb"), lambda name: CountingEncoder())
    drop(other, text("a.txt", A), text("b.txt", A))
    changes = [text("a.txt", B), text("c.txt", B), text("d.txt", A), text("e.txt", "New. Text.")]
    drop(counted, *changes)
    for change in changes:
        drop(other, change)
    assert listed(counted) == listed(other) == {"a.txt": ("c.txt",), "b.txt": ("d.txt",), "e.txt": ()}
    drops.assert_whole(counted)
    other.store.close()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"doc_id": "x"}', "doc_id"),
        (b'{"page": 3}', "page"),
        (b'{"a": 1', "line 1, column"),
        (b"[1, 2]", "no object"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": -Infinity}', "-Infinity"),
        (b'{"a": 1e999}', "too big"),
        (b'{"a": ' + b"9" * 400 + b"}", "too big"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too big"),
        (b'{"a": 1, "a": 2}', "'a' twice"),
        (b'{"\\ud800": 1}', "lone surrogate"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"", "no JSON"),
    ],
)
def test_a_bad_sidecar_fails_its_document_with_the_reason_and_the_others_go_in(counted, data, reason):
    drop(counted, text("first.txt", "Known."), sidecar("first.txt", year=2024))
    found = drop(counted, text("a.txt", A), Upload("a.txt.meta.json", data), text("b.txt", B))
    assert found["a.txt"].status is Status.FAILED
    assert "a.txt.meta.json" in found["a.txt"].reason or "doc_id" in reason or "page" in reason
    assert reason in found["a.txt"].reason
    assert found["b.txt"].status is Status.ADDED
    assert sorted(listed(counted)) == ["b.txt", "first.txt"]
    drops.assert_whole(counted)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'{"tags": [["a"]]}', "no single value"),
        (b'{"published_at": "yesterday"}', "no date as ISO writes it"),
        (b'{"year": "MMXXIV"}', "no whole number"),
        (b'{"year": true}', "true or false"),
        (b'{"a": "\\ud800"}', "lone surrogate"),
    ],
)
def test_a_value_that_does_not_fit_is_kept_as_given_and_told_and_its_document_goes_in(counted, data, why):
    drop(counted, text("first.txt", "Known."), sidecar("first.txt", year=2024))
    found = drop(counted, text("a.txt", A), Upload("a.txt.meta.json", data))["a.txt"]
    assert found.status is Status.ADDED
    assert any(why in notice for notice in found.notices)
    ((field, raw),) = json.loads(data).items()
    cell = counted.cells()[found.doc_id][field]
    assert (cell.raw, cell.value) == (raw, None)
    assert why in cell.misfit
    assert field not in counted.document("a.txt").metadata
    drops.assert_whole(counted)


@pytest.mark.parametrize(
    "bad",
    [
        Upload("scan.pdf", b"%PDF-1.7"),
        Upload("noise.txt", bytes(range(256))),
        Upload("noise.txt", bytes(range(256)) * 8),
        Upload("empty.txt", b""),
        Upload("odd\udce9.txt", b"Text."),
        Upload("", b"Text."),
        Upload(".", b"Text."),
    ],
    ids=lambda upload: repr(upload.name),
)
def test_a_bad_file_fails_by_name_and_the_others_go_in(counted, bad):
    found = drop(counted, text("a.txt", A), bad, text("b.txt", B), sidecar("b", year=1))
    assert found[bad.name].status is Status.FAILED
    assert found[bad.name].reason
    assert found["a.txt"].status is found["b.txt"].status is Status.ADDED
    drops.assert_whole(counted)


def test_two_files_of_one_name_in_one_drop_the_first_goes_in_the_second_fails(counted):
    results = counted.add([text("a.txt", A), text("a.txt", B)], drops.SENTENCE)
    assert sorted((r.name, r.status) for r in results) == [("a.txt", Status.ADDED), ("a.txt", Status.FAILED)]
    assert "Two files" in next(r.reason for r in results if r.status is Status.FAILED)
    (info,) = counted.documents()
    assert counted.store.passage(info.id).document.text == A


def test_results_come_one_per_document_in_the_order_of_the_drop(counted):
    uploads = [text("z.txt", A), sidecar("z.txt", year=1), Upload("m.pdf", b"%"), text("a.txt", B), text("k.txt", A)]
    assert [r.name for r in counted.add(uploads, drops.SENTENCE)] == ["z.txt", "m.pdf", "a.txt", "k.txt"]


def test_files_of_one_name_in_two_folders_are_two_documents(counted):
    drop(counted, text("v1/report.txt", A), text("v2/report.txt", B))
    assert listed(counted) == {"v1/report.txt": (), "v2/report.txt": ()}


def test_a_new_field_gets_the_type_of_its_first_value(counted):
    values = {
        "s": "x",
        "i": 3,
        "f": 0.5,
        "b": True,
        "l": ["p", "q"],
        "o": {"k": 1},
        "published_at": "2024-05-01T10:00:00+02:00",
    }
    drop(counted, text("a.txt", A), sidecar("a.txt", **values, nothing=None))
    (info,) = counted.documents()
    assert info.metadata == {
        "s": "x", "i": 3, "f": 0.5, "b": True, "l": ("p", "q"), "o": '{"k": 1}', "published_at": datetime(2024, 5, 1, 8),
    }  # fmt: skip
    assert {name: type(value) for name, value in info.metadata.items()} == {
        "s": str, "i": int, "f": float, "b": bool, "l": tuple, "o": str, "published_at": datetime,
    }  # fmt: skip


def test_a_whole_number_field_widens_when_a_fraction_comes(counted):
    drop(counted, text("a.txt", A), sidecar("a.txt", score=3))
    drop(counted, text("b.txt", B), sidecar("b.txt", score=3.5))
    assert {info.name: info.metadata["score"] for info in counted.documents()} == {"a.txt": 3, "b.txt": 3.5}
    assert statuses(counted, text("a.txt", A), sidecar("a.txt", score=3)) == [("a.txt", Status.UNCHANGED)]


@pytest.mark.parametrize("stop_at", range(13))
def test_a_cancelled_drop_keeps_finished_documents_and_nothing_half(counted, monkeypatch, stop_at):
    monkeypatch.setattr(indexing, "POOL", 1)
    uploads = [text(f"{n}.txt", f"First of {n}. Second of {n}. Third of {n}.") for n in range(6)]
    uploads.append(sidecar("0.txt", year=2024))
    with pytest.raises(Cancelled):
        counted.add(uploads, drops.SENTENCE, progress=CancelAt(stop_at))
    if counted.indexes():
        drops.assert_whole(counted)
    kept = len(counted.documents())
    assert kept == max(0, stop_at - 7)
    found = drop(counted, *uploads)
    assert [r.status for r in found.values()] == [Status.UNCHANGED] * kept + [Status.ADDED] * (6 - kept)
    drops.assert_whole(counted)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param([sidecar("a.txt", level="secret")], id="metadata of the first"),
        pytest.param([text("a.txt", "Quite another text.")], id="text of the first"),
        pytest.param([text("b.txt", A), sidecar("b.txt", level="secret")], id="metadata of the alias"),
        pytest.param([text("b.txt", "Quite another text.")], id="text of the alias"),
    ],
)
def test_no_name_is_lost_when_a_drop_that_moves_an_alias_is_cancelled(counted, change):
    drop(counted, text("a.txt", A), text("b.txt", A))
    new = text("new.txt", "Nobody has embedded this yet.")
    for stop_at in range(12):
        try:
            counted.add([*change, new], drops.SENTENCE, progress=CancelAt(stop_at))
        except Cancelled:
            held = {name for info in counted.documents() for name in (info.name, *info.aliases)}
            assert {"a.txt", "b.txt"} <= held
            assert A in [counted.store.passage(counted.document(n).id).document.text for n in ("a.txt", "b.txt")]
            continue
        break
    assert {"a.txt", "b.txt", "new.txt"} == set(listed(counted))
    drops.assert_whole(counted)


def test_documents_go_into_an_index_of_other_settings_when_named_again(counted, encoder):
    drop(counted, text("a.txt", A))
    before = len(encoder.asked)
    result = drop(counted, text("a.txt", A), settings=ChunkSettings(2))["a.txt"]
    assert (result.status, result.nodes, result.embedded) == (Status.UNCHANGED, 1, 1)
    assert encoder.asked[before:] == [A]
    assert [index.nodes for index in counted.indexes()] == [2, 1]


def test_embedded_counts_texts_that_no_index_had(counted, encoder):
    found = drop(counted, text("a.txt", "Yes. No. Yes. No. Maybe."), text("b.txt", "Yes. Never."))
    assert [r.nodes for r in found.values()] == [5, 2]
    assert sum(r.embedded for r in found.values()) == len(encoder.asked) == 4


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["/x/a.txt"], ["a.txt"]),
        (["/x/v1/a.txt", "/x/v2/a.txt"], ["v1/a.txt", "v2/a.txt"]),
        (["/x/v1/a.txt", "/x/v2/b.txt"], ["a.txt", "b.txt"]),
        (["/p/q/a.txt", "/r/q/a.txt", "/r/b.txt"], ["p/q/a.txt", "r/q/a.txt", "b.txt"]),
        (["/x/v1/a.txt", "/x/v2/a.txt", "/x/v1/a.txt.meta.json"], ["v1/a.txt", "v2/a.txt", "v1/a.txt.meta.json"]),
        (["a.txt", "b/a.txt"], ["a.txt", "b/a.txt"]),
    ],
)
def test_files_given_one_by_one_get_the_shortest_names_that_tell_them_apart(paths, expected):
    assert list(ingest.names(paths).values()) == expected
    assert len(set(expected)) == len(expected)


# ── the law behind the cases above ───────────────────────────────────────────────────────────────

NAMES = ("a.txt", "b.txt", "c.txt")
TEXTS = (A, B, "Third text.")
LEVELS = (None, "public", "secret")
one_file = st.tuples(st.sampled_from(NAMES), st.sampled_from((*TEXTS, None)), st.sampled_from(LEVELS))
one_drop = st.lists(one_file, min_size=1, max_size=3, unique_by=lambda file: file[0])


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(one_drop, min_size=1, max_size=5))
def test_every_name_answers_with_its_last_text_and_its_last_metadata(counted, drops_made):
    counted.reset()
    wanted: dict[str, tuple[str, dict[str, str]]] = {}
    for files in drops_made:
        uploads = []
        for name, content, level in files:
            content = content or (None if name in wanted else A)  # a sidecar alone needs its document
            uploads += [text(name, content)] if content else []
            uploads += [sidecar(name, level=level)] if level else []
            old_text, old_metadata = wanted.get(name, ("", {}))
            wanted[name] = (content or old_text, {"level": level} if level else old_metadata)
        results = counted.add(uploads, drops.SENTENCE)
        assert [r for r in results if r.status is Status.FAILED] == []
        for name, (content, meta) in wanted.items():
            info = counted.document(name)
            assert (counted.store.passage(info.id).document.text, info.metadata) == (content, meta), name
        held = [name for info in counted.documents() for name in (info.name, *info.aliases)]
        assert sorted(held) == sorted(wanted)
        drops.assert_whole(counted)


def test_a_drop_that_is_stopped_while_it_reads_keeps_what_was_read_long_before(counted, monkeypatch):
    monkeypatch.setattr(ingest, "BATCH", 4)
    files = [text(f"{n:02}.txt", f"One of {n}. Two of {n}. Three of {n}.") for n in range(10)]

    def stop(done: float, total: float, message: str) -> None:
        if message.startswith("Reading 09.txt"):
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        counted.add(files, drops.SENTENCE, progress=stop)
    assert [info.name for info in counted.documents()] == [f"{n:02}.txt" for n in range(8)]
    drops.assert_whole(counted)


small_drops = st.lists(
    st.lists(
        st.one_of(
            st.builds(text, st.sampled_from(["a.txt", "b.txt", "c.txt", "d/a.txt"]), st.sampled_from([A, B, "C."])),
            st.builds(lambda name, year: sidecar(name, year=year), st.sampled_from(["a.txt", "b.txt", "c.txt"]), st.integers(1, 2)),
        ),
        min_size=1, max_size=6, unique_by=lambda upload: upload.name,
    ),
    min_size=1, max_size=3,
)  # fmt: skip


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drops_=small_drops)
def test_what_a_drop_means_does_not_depend_on_where_its_batches_end(drops_, tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("batches")
    found = []
    for size in (1, 10**9):
        monkeypatch.setattr(ingest, "BATCH", size)
        store = DuckStore(folder / f"{size}.duckdb")
        workspace = Workspace(store, lambda name: CountingEncoder())
        said = [statuses(workspace, *uploads) for uploads in drops_]
        documents = [(i.name, i.aliases, dict(i.metadata), i.revision) for i in workspace.documents()]
        drops.assert_whole(workspace)
        found.append((said, documents))
        store.close()
    assert found[0] == found[1]
