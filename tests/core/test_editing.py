"""Values that a person sets: exactly those, at once, with a way back, and nothing else is touched."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.errors import InvalidMetadata, NotFound
from core.filters import FieldType, from_json
from core.ingest import Status, Upload
from core.metadata import SetType
from core.metadata.fixes import DropKey, FillMissing, MapValues, RenameKey, preview
from core.metadata.values import Misfit, typed_value
from core.settings import ChunkSettings, SearchSettings
from core.store.base import Cell
from core.store.duckdb import DuckStore, file
from core.types import FieldSpec
from core.workspace import Workspace
from tests.core.drops import drop, sidecar, text
from tests.fakes import BagEncoder
from tests.made import model, put

A = "The pump failed. It was replaced."
B = "The valve held. Nobody noticed. The shift ended."


@pytest.fixture
def filled(tmp_path, encoder) -> Iterator[Workspace]:
    made = Workspace(DuckStore(tmp_path / "w.duckdb"), lambda name: encoder)
    fill(made)
    yield made
    made.store.close()


def fill(workspace: Workspace) -> None:
    """Three documents with metadata of several types, one of them a value that does not fit."""
    workspace.set_field(FieldSpec("year", FieldType.INTEGER))
    drop(
        workspace,
        text("a.txt", A), sidecar("a.txt", category="x", year=3, tags=["p"], owner="Al"),
        text("b.txt", B), sidecar("b.txt", category="y", year="n/a"),
        text("c.txt", "A third text."),
    )  # fmt: skip


def named(workspace: Workspace, name: str) -> str:
    return workspace.document(name).id


def vectors(workspace: Workspace) -> list[object]:
    """Every index with its nodes and vectors, and the versions that pictures hang on."""
    return [
        (
            index,
            [part.tolist() for part in (now.keys.ordinals, now.keys.starts, now.keys.ends, now.vectors)],
            now.version,
        )
        for index in workspace.indexes()
        for now in [workspace.store.snapshot(index)]
    ]


# ── edit and undo ────────────────────────────────────────────────────────────────────────────────


def test_a_cell_is_set_and_searched_by_at_once_and_no_vector_is_touched(filled, encoder):
    before, asked = vectors(filled), len(encoder.asked)
    edited = filled.edit({named(filled, "a.txt"): {"category": "new"}})
    assert edited.documents == 1
    assert filled.document("a.txt").metadata["category"] == "new"
    assert filled.cells()[named(filled, "a.txt")]["category"] == Cell("new", "new", "", edited=True)
    hits = filled.search("pump", SearchSettings(k=9), from_json({"category": "new"})).hits
    assert {hit.name for hit in hits} == {"a.txt"}
    assert all(hit.metadata["category"] == "new" for hit in hits)
    assert filled.search("pump", SearchSettings(k=9), from_json({"category": "x"})).hits == ()
    assert vectors(filled) == before
    assert encoder.asked[asked:] == ["pump"]


def test_many_rows_and_several_fields_are_set_in_one_edit_and_taken_back_exactly(filled):
    before, shown = filled.cells(), filled.documents()
    changes = {
        named(filled, "a.txt"): {"category": None, "year": "2020", "tags": ["q", "r"]},
        named(filled, "b.txt"): {"year": 7, "tags": "one", "category": "Y"},
        named(filled, "c.txt"): {"created_at": "2024-03-10T23:30:00Z", "owner": {"first": "Al"}},
    }
    edited = filled.edit(changes)
    assert [info.metadata for info in filled.documents()] == [
        {"year": 2020, "tags": ("q", "r"), "owner": "Al"},
        {"category": "Y", "year": 7, "tags": ("one",)},
        {"created_at": datetime(2024, 3, 10, 23, 30), "owner": '{"first": "Al"}'},
    ]
    assert edited.documents == 3
    filled.undo(edited)
    assert filled.cells() == before
    assert filled.documents() == shown
    assert filled.cells()[named(filled, "b.txt")]["year"] == Cell("n/a", None, '"n/a" is no whole number')


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("year", "soon"), ("year", True), ("created_at", "10/03/2024"), ("tags", {"x": 1}), ("nothing", 1), ("category", "\ud800"),
        ("category", float("nan")), ("category", {1, 2}), ("page", 1), ("tags", [["x"]]),
    ],
)  # fmt: skip
def test_an_edit_with_one_value_that_cannot_be_held_changes_nothing(filled, name, value):
    before, changes = filled.cells(), filled.store.changes
    with pytest.raises(InvalidMetadata, match=name):
        filled.edit(
            {named(filled, "b.txt"): {"category": "fine"}, named(filled, "a.txt"): {"owner": "fine", name: value}}
        )
    assert (filled.cells(), filled.store.changes) == (before, changes)


def test_a_number_longer_than_json_writes_is_refused(filled):
    with pytest.raises(InvalidMetadata, match="'category' cannot hold a value too deep or too long to show"):
        filled.edit({named(filled, "a.txt"): {"category": 10**5000}})


@pytest.mark.parametrize("doc_id", ["f" * 15, "", "no id", "a.txt"])
def test_an_edit_of_a_document_that_is_not_there_is_refused_and_nothing_is_kept_of_it(filled, doc_id):
    before, rows = filled.cells(), given_rows(filled)
    with pytest.raises(NotFound, match="There is no document"):
        filled.edit({named(filled, "a.txt"): {"category": "z"}, doc_id: {"category": "z"}})
    assert (filled.cells(), given_rows(filled)) == (before, rows)


def given_rows(workspace: Workspace) -> int:
    cursor = file.cursor(workspace.store._connection)
    return cursor.execute("SELECT count(*) FROM given").fetchall()[0][0]


@pytest.mark.parametrize(
    ("value", "raw", "typed"),
    [
        (date(2024, 3, 10), "2024-03-10", datetime(2024, 3, 10)),
        (datetime(2024, 3, 10), "2024-03-10", datetime(2024, 3, 10)),
        (datetime(2024, 3, 10, 9, 30), "2024-03-10T09:30:00Z", datetime(2024, 3, 10, 9, 30)),
        (
            datetime.fromisoformat("2024-03-10T09:30:00+02:00"),
            "2024-03-10T09:30:00+02:00",
            datetime(2024, 3, 10, 7, 30),
        ),
    ],
)
def test_times_are_set_as_the_text_that_a_file_would_give(filled, value, raw, typed):
    filled.edit({named(filled, "a.txt"): {"created_at": value}})
    assert filled.cells()[named(filled, "a.txt")]["created_at"] == Cell(raw, typed, "", edited=True)


def test_lists_that_are_tuples_are_set_as_lists(filled):
    filled.edit({named(filled, "a.txt"): {"tags": ("p", "q")}})
    assert filled.cells()[named(filled, "a.txt")]["tags"] == Cell(["p", "q"], ("p", "q"), "", edited=True)


def test_taking_a_value_away_leaves_the_default_and_is_an_edit(filled):
    filled.set_field(FieldSpec("category", FieldType.STRING, default="none"))
    filled.edit({named(filled, "a.txt"): {"category": None}})
    assert filled.cells()[named(filled, "a.txt")]["category"] == Cell(None, "none", "", edited=True)
    assert filled.document("a.txt").metadata["category"] == "none"
    drop(filled, text("a.txt", A), sidecar("a.txt", category="x", year=4))
    assert filled.document("a.txt").metadata == {"category": "none", "year": 4}


def test_edits_are_taken_back_one_after_the_other(filled):
    doc_id = named(filled, "a.txt")
    states, steps = [], []
    for number in range(4):
        states.append(filled.cells())
        steps.append(filled.edit({doc_id: {"year": number, "category": f"c{number}"}}))
    for state, step in zip(reversed(states), reversed(steps), strict=True):
        filled.undo(step)
        assert filled.cells() == state


@pytest.mark.parametrize("kind", list(FieldType))
def test_undo_after_a_change_of_type_gives_what_was_given_as_the_field_reads_it_now(filled, kind):
    """The field decides how raw values are read; undo brings the raw values back, and whether they were edits."""
    before = {doc_id: row.get("year", Cell()) for doc_id, row in filled.cells("year").items()}
    edited = filled.edit(
        {named(filled, name): {"year": number} for number, name in enumerate(("a.txt", "b.txt", "c.txt"))}
    )
    spec = FieldSpec("year", kind, allowed=("3", "n/a") if kind is FieldType.ENUM else ())
    filled.set_field(spec)
    filled.undo(edited)
    after = {doc_id: row.get("year", Cell()) for doc_id, row in filled.cells("year").items()}
    assert {d: (cell.raw, cell.edited) for d, cell in after.items()} == {
        d: (cell.raw, cell.edited) for d, cell in before.items()
    }
    filled.set_field(FieldSpec("year", FieldType.INTEGER))
    assert {doc_id: row.get("year", Cell()) for doc_id, row in filled.cells("year").items()} == before


def test_undo_leaves_out_documents_and_fields_that_are_gone(filled):
    changes = {named(filled, name): {"owner": "me", "category": "me"} for name in ("a.txt", "b.txt")}
    edited = filled.edit(changes)
    filled.remove(named(filled, "b.txt"))
    filled.undo(edited)
    assert filled.document("a.txt").metadata["owner"] == "Al"
    filled.reset()
    drop(filled, text("a.txt", A), sidecar("a.txt", category="new"))
    filled.undo(edited)
    assert filled.document("a.txt").metadata == {"category": "new"}
    assert "owner" not in {spec.name for spec in filled.fields()}


def test_undo_leaves_what_a_source_has_said_since(filled):
    edited = filled.edit({named(filled, "a.txt"): {"owner": "me", "category": "me"}})
    drop(filled, text("a.txt", A), sidecar("a.txt", category="said since", year=3, tags=["p"], owner="Al"))
    filled.undo(edited)
    found = filled.document("a.txt").metadata
    assert (found["owner"], found["category"]) == ("Al", "said since")


def test_an_edit_of_nothing_is_nothing(filled):
    before = filled.cells()
    assert filled.edit({}).documents == 0
    filled.undo(filled.edit({}))
    assert filled.cells() == before


def test_editing_every_document_writes_the_edits_and_not_the_vectors_again(tmp_path):
    """Measured in the file: 200 documents of 50 vectors are 15 MB."""
    path = tmp_path / "w.duckdb"
    store = DuckStore(path)
    workspace = Workspace(store, lambda name: BagEncoder())
    index = store.create_index(ChunkSettings(), model(384))
    rng = np.random.default_rng(0)
    for number in range(200):
        put(store, index, f"{number}.txt", rng.normal(size=(50, 384)).astype(np.float32), {"tags": ("a", "b")})

    def size() -> int:
        file.cursor(store._connection).execute(f"CHECKPOINT {file.DATABASE}")
        return path.stat().st_size

    before, ids = size(), [info.id for info in workspace.documents()]
    for number in range(6):
        workspace.edit({doc_id: {"tags": ["new", f"tag {number}"]} for doc_id in ids})
    assert workspace.store.values("tags", 1) == [("new", 200)]
    assert before > 15_000_000
    assert size() - before < 3_000_000
    store.close()


# ── fixes ────────────────────────────────────────────────────────────────────────────────────────

ODD = {
    "a.txt": {"Author": "X", "category": "Q1", "junk": 1, "tags": ["Q1", "keep"]},
    "b.txt": {"author": "Y", "category": "q1", "n": "7"},
    "c.txt": {"Author": "Z", "author": "W", "n": "n/a"},
}


@pytest.fixture
def odd(workspace) -> Workspace:
    for number, (name, told) in enumerate(ODD.items()):
        drop(
            workspace,
            text(name, f"Text number {number}."),
            Upload(f"{name}.meta.json", json.dumps(told).encode()),
        )
    return workspace


def metadata(workspace: Workspace) -> dict[str, Mapping[str, object]]:
    return {info.name: info.metadata for info in workspace.documents()}


@pytest.mark.parametrize(
    ("fix", "after"),
    [
        (RenameKey("Author", "author"), {"a.txt": {"author": "X"}, "b.txt": {"author": "Y"}, "c.txt": {"Author": "Z", "author": "W"}}),
        (MapValues("category", {"Q1": "q1"}), {"a.txt": {"category": "q1"}, "b.txt": {"category": "q1"}, "c.txt": {}}),
        (MapValues("tags", {"Q1": "q1"}), {"a.txt": {"tags": ("q1", "keep")}}),
        (FillMissing("category", "none"), {"a.txt": {"category": "Q1"}, "b.txt": {"category": "q1"}, "c.txt": {"category": "none"}}),
        (FillMissing("seen", datetime(2024, 3, 10, 9)), {name: {"seen": datetime(2024, 3, 10, 9)} for name in ODD}),
        (DropKey("junk"), {"a.txt": {"junk": None}}),
        (SetType("n", FieldType.INTEGER), {"b.txt": {"n": 7}, "c.txt": {"n": None}}),
        (RenameKey("junk", "Ünï \"odd\"; --"), {"a.txt": {"Ünï \"odd\"; --": 1, "junk": None}}),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_each_fix_changes_what_it_says_is_taken_back_and_done_twice_changes_nothing_more(odd, fix, after):
    before, nodes = odd.cells(), vectors(odd)
    edited = odd.fix([fix])
    found = metadata(odd)
    for name, told in after.items():
        assert {key: found[name].get(key) for key in told} == told
        keys = set(told) | ({fix.old} if isinstance(fix, RenameKey) else set())
        others = {key: value for key, value in ODD[name].items() if key not in keys}
        assert {key: found[name].get(key) for key in others} == {
            k: tuple(v) if isinstance(v, list) else v for k, v in others.items()
        }
    assert odd.fix([fix]).documents == 0
    assert metadata(odd) == found
    assert vectors(odd) == nodes
    odd.undo(edited)
    raw = {
        d: {name: (cell.raw, cell.edited) for name, cell in row.items() if cell.raw is not None}
        for d, row in odd.cells().items()
    }
    assert raw == {d: {name: (cell.raw, cell.edited) for name, cell in row.items()} for d, row in before.items()}


def test_a_conflict_leaves_its_document_alone_and_is_still_found(odd):
    fix = RenameKey("Author", "author")
    odd.fix([fix])
    assert odd.raws()["c.txt"] == {"Author": "Z", "author": "W", "n": "n/a"}
    (change,) = preview(fix, odd.raws(), 5)
    assert (change.file, change.conflict) == ("c.txt", '"author" is there already: "W"')


def test_fixes_are_made_one_after_the_other(odd):
    odd.fix([DropKey("author"), RenameKey("Author", "author"), MapValues("author", {"Z": "Zed"}), DropKey("junk")])
    assert {name: told.get("author") for name, told in metadata(odd).items()} == {
        "a.txt": "X",
        "b.txt": None,
        "c.txt": "Zed",
    }


def test_the_type_of_a_key_that_a_fix_brings_is_proposed_from_all_documents(workspace):
    for number, value in enumerate((7, "7b")):
        drop(workspace, text(f"{number}.txt", f"Text {number}."), sidecar(f"{number}.txt", **{f"old{number}": value}))
    workspace.fix([RenameKey(f"old{number}", "new") for number in range(2)])
    (new,) = [spec for spec in workspace.fields() if spec.name == "new"]
    assert (new.type, new.confirmed) == (FieldType.STRING, False)
    assert [info.metadata for info in workspace.documents()] == [{"new": "7"}, {"new": "7b"}]


@pytest.mark.parametrize(
    "fixes",
    [
        [RenameKey("junk", "page")],
        [RenameKey("junk", "\ud800")],
        [FillMissing("fine", "x"), RenameKey("junk", "doc_id")],
        [SetType("n", FieldType.INTEGER), RenameKey("junk", "page")],
        [SetType("n", FieldType.INTEGER), SetType("category", FieldType.ENUM)],
        [RenameKey("category", "fresh"), SetType("kind", FieldType.STRING)],
    ],
)
def test_fixes_with_one_that_cannot_be_made_change_nothing(odd, fixes):
    before = odd.cells(), odd.fields(), odd.store.changes
    with pytest.raises(InvalidMetadata):
        odd.fix(fixes)
    assert (odd.cells(), odd.fields(), odd.store.changes) == before


def test_in_a_strict_workspace_a_fix_may_name_known_keys_only(odd):
    odd.strict = True
    before = odd.cells(), odd.fields()
    with pytest.raises(InvalidMetadata, match="refuses unknown keys"):
        odd.fix([SetType("n", FieldType.INTEGER), RenameKey("junk", "fresh")])
    assert (odd.cells(), odd.fields()) == before
    odd.fix([SetType("fresh", FieldType.INTEGER), RenameKey("junk", "fresh")])
    assert odd.document("a.txt").metadata["fresh"] == 1


def test_a_fix_is_an_edit_that_stays_when_files_come_again(odd):
    odd.fix([RenameKey("Author", "author"), MapValues("category", {"Q1": "q1"}), DropKey("junk")])
    before = odd.cells()
    told = Upload("a.txt.meta.json", json.dumps(ODD["a.txt"]).encode())
    assert drop(odd, text("a.txt", "Text number 0."), told)["a.txt"].status is Status.UNCHANGED
    drop(odd, text("a.txt", "Quite another text."))
    assert odd.cells() == before


# ── the law behind the cases above ───────────────────────────────────────────────────────────────

KEYS = ("category", "tags", "n")
VALUES = (1, True, "1", "true", "x", ["x"], "2024-03-10", "10/03/2024")
TYPES = [kind for kind in FieldType if kind is not FieldType.ENUM]
STEPS = st.one_of(
    st.tuples(st.just("sidecar"), st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES))),
    st.tuples(st.just("edit"), st.tuples(st.sampled_from(KEYS), st.sampled_from((None, *VALUES)))),
    st.tuples(st.just("type"), st.tuples(st.sampled_from(KEYS), st.sampled_from(TYPES))),
    st.tuples(st.sampled_from(["undo", "text", "out and in", "the same"]), st.none()),
)


class Model:
    """What a document holds: raw values, those set by hand, and what its sidecar said last."""

    def __init__(self) -> None:
        self.source: dict[str, object] = {}
        self.raw: dict[str, object] = {}
        self.edited: set[str] = set()

    def sidecar(self, given: dict[str, object]) -> None:
        kept = {key for key in self.edited if written(given.get(key)) == written(self.source.get(key))}
        held = {key: self.raw[key] for key in kept if key in self.raw}
        self.raw = {key: value for key, value in given.items() if key not in kept} | held
        self.source, self.edited = given, kept

    def put(self, key: str, value: object, *, edited: bool) -> None:
        self.raw = {name: raw for name, raw in self.raw.items() if name != key} | (
            {} if value is None else {key: value}
        )
        self.edited = self.edited - {key} | ({key} if edited else set())


def written(value: object) -> object:
    return value if value is None or isinstance(value, str) else json.dumps(value)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEPS, min_size=3, max_size=9))
@example([("edit", ("category", None)), ("sidecar", {"category": 1}), ("undo", None), ("text", None)])
def test_whatever_is_done_a_document_holds_what_was_given_last_and_the_edits_that_nothing_contradicts(workspace, steps):
    workspace.reset()
    for key in KEYS:
        workspace.set_field(FieldSpec(key, FieldType.STRING))
    drop(workspace, text("a.txt", A), text("other.txt", B), sidecar("other.txt", **dict.fromkeys(KEYS, "x")))
    other, doc_id = workspace.cells()[named(workspace, "other.txt")], named(workspace, "a.txt")
    model, done, content = Model(), list[tuple[object, object, str, object, bool]](), A
    for number, (what, how) in enumerate(steps):
        match what:
            case "sidecar":
                drop(workspace, text("a.txt", content), sidecar("a.txt", **how))
                model.sidecar(how)
            case "edit":
                key, value = how
                before = (key, model.raw.get(key), key in model.edited)
                with suppress(InvalidMetadata):
                    done.append((workspace.edit({doc_id: {key: value}}), value, *before))
                    model.put(key, value, edited=True)
            case "type":
                workspace.set_field(FieldSpec(*how))
            case "undo" if done:
                edited, set_to, key, value, by_hand = done.pop()
                workspace.undo(edited)
                if key in model.edited and model.raw.get(key) == set_to:  # else its source has overruled it since
                    model.put(key, value, edited=by_hand)
            case "text":
                content = f"Text number {number}."
                drop(workspace, text("a.txt", content))
            case "out and in":
                workspace.restore(workspace.remove(doc_id))
            case "the same":
                assert drop(workspace, text("a.txt", content))["a.txt"].status is Status.UNCHANGED
        cells = workspace.cells()[doc_id]
        held = {name: cell.raw for name, cell in cells.items() if cell.raw is not None}
        assert json.dumps(held, sort_keys=True) == json.dumps(model.raw, sort_keys=True)
        assert {name for name, cell in cells.items() if cell.edited} == model.edited
        fields = {spec.name: spec for spec in workspace.fields()}
        says = {name: typed_value(raw, fields[name].type) for name, raw in held.items()}
        fits = {name: value for name, value in says.items() if not isinstance(value, Misfit)}
        assert workspace.document("a.txt").metadata == fits
        assert {name: cell.raw for name, cell in workspace.cells()[named(workspace, "other.txt")].items()} == {
            name: cell.raw for name, cell in other.items()
        }
