"""What every store promises. A store's own test file runs this suite by inheriting ``StoreContract``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
from numpy.typing import ArrayLike

from core.boosts import Boost
from core.enrich import fields as computed_fields
from core.errors import InvalidFilter, InvalidMetadata, ModelMismatch, NotFound
from core.filters import EVERYTHING, All, Any, Condition, FieldType, Not, Op
from core.settings import ChunkSettings
from core.store.base import RESERVED, Cell, Cells, Computed, Store, StoredGold, StoredMap, Unread, values
from core.types import BlockKind, DateOrder, FieldSpec, Index, ModelInfo
from tests.made import MODEL, SENTENCES, cells, embedded, fields, model, put, record

Reopen = Callable[[], Store]
X, Y, Z = np.eye(3, dtype=np.float32)
MANY_TYPES = {
    "title": (FieldType.STRING, "Ünïcode 名前 🎈"),
    "year": (FieldType.INTEGER, 2**53 + 1),
    "price": (FieldType.NUMBER, 0.1),
    "draft": (FieldType.BOOLEAN, False),
    "at": (FieldType.DATETIME, datetime(2026, 3, 12, 9, 30, 0, 123456)),
    "tags": (FieldType.STRINGS, ("b", "a", "")),
}


COMPUTED = {"tokens", *(field.name for field in computed_fields.COMPUTED)}
"""Fields of nodes that every index has."""


def store_with(store: Store, index: Index, name: str, told: Cells) -> str:
    """Store a document of one node that holds these cells; its id."""
    made = record(name, [f"{name} sentence 0."], values(told))
    store.put(replace(made, cells=told), index, embedded(made, [X]))
    return made.passage.document.id


def computed(store: Store, index: Index, name: str, vectors: ArrayLike, columns: Computed) -> str:
    """Store a document with one node per vector and these computed fields; its id."""
    made = record(name, [f"{name} sentence {i}." for i in range(len(np.asarray(vectors)))])
    store.put(made, index, replace(embedded(made, vectors), computed=columns))
    return made.passage.document.id


class StoreContract:
    """Subclasses give a fixture ``reopen``: each call closes the workspace if it is open, and opens it."""

    @pytest.fixture
    def store(self, reopen: Reopen) -> Store:
        return reopen()

    @pytest.fixture
    def index(self, store: Store) -> Index:
        return store.create_index(SENTENCES, MODEL)

    # ── documents ────────────────────────────────────────────────────────────────────────────────

    def test_a_document_comes_back_as_it_was_put(self, store: Store, index: Index):
        made = record("folder/a.txt", ["Fïrst 🎈.", "Second."], {}, ["b.txt"], b'{"raw": 1}')
        assert store.put(made, index, embedded(made, [X, Y])) == 0
        (info,) = store.documents()
        document = made.passage.document
        assert (info.id, info.name, info.revision) == (document.id, "folder/a.txt", document.revision)
        assert (info.characters, info.sentences, info.aliases) == (len(document.text), 2, ("b.txt",))
        assert store.passage(info.id) == made.passage
        assert store.originals(info.id) == (made.data, b'{"raw": 1}')

    def test_documents_are_listed_by_name(self, store: Store, index: Index):
        for name in ("b.txt", "Ä.txt", "a.txt"):
            put(store, index, name, [X])
        assert [info.name for info in store.documents()] == ["a.txt", "b.txt", "Ä.txt"]

    def test_a_document_can_be_put_without_nodes(self, store: Store, index: Index):
        made = record("a.txt", ["One."])
        assert store.put(made, None, None) == 0
        assert [d.name for d in store.documents()] == ["a.txt"]
        assert store.indexed(index) == {}
        assert store.count(index, EVERYTHING) == (0, 0)

    def test_replacing_a_document_leaves_nothing_of_the_old(self, store: Store, index: Index):
        store.add_fields(fields(year=FieldType.INTEGER))
        old, new = record("a.txt", ["One.", "Two.", "Three."], {"year": 1}), record("a.txt", ["Other."])
        store.put(old, index, embedded(old, [X, Y, Z]))
        store.put(new, index, embedded(new, [Y]))
        (info,) = store.documents()
        assert info.metadata == {}
        assert store.passage(info.id).document.text == "Other."
        assert store.keys(index, EVERYTHING).ordinals.tolist() == [0]
        assert store.indexed(index) == {info.id: new.passage.document.revision}
        np.testing.assert_array_equal(store.vectors(index), [Y])

    def test_rewriting_keeps_every_index_whole_and_the_date(self, store: Store, index: Index):
        pairs = store.create_index(ChunkSettings(2, 1), MODEL)
        old, new = record("a.txt", ["One.", "Two."]), record("a.txt", ["One. Two."])
        store.put(old, index, embedded(old, [X, Y]))
        store.put_nodes(pairs, old.passage.document.id, old.passage.document.revision, embedded(old, [X, Y]))
        before = store.documents()[0]
        assert store.rewrite(new, [(index, embedded(new, [Z])), (pairs, embedded(new, [X]))]) == [0, 0]
        (info,) = store.documents()
        assert (info.ingested_at, info.sentences) == (before.ingested_at, 1)
        assert info.layout != before.layout
        np.testing.assert_array_equal(store.vectors(index), [Z])
        np.testing.assert_array_equal(store.vectors(pairs), [X])
        assert store.passage(info.id) == new.passage

    def test_a_rewriting_that_fails_changes_nothing(self, store: Store, index: Index):
        other = store.create_index(SENTENCES, model(2, "other"))
        old, new = record("a.txt", ["One.", "Two."]), record("a.txt", ["One. Two."])
        store.put(old, index, embedded(old, [X, Y]))
        with pytest.raises(ModelMismatch):
            store.rewrite(new, [(index, embedded(new, [Z])), (other, embedded(new, [X]))])
        assert store.documents()[0].sentences == 2
        np.testing.assert_array_equal(store.vectors(index), [X, Y])

    def test_what_a_model_does_not_read_is_told_by_document(self, store: Store):
        short = store.create_index(SENTENCES, ModelInfo("short", "1", 3, 10))
        long, plain = record("long.txt", ["A long one.", "Short."]), record("plain.txt", ["Plain."])
        nodes = replace(embedded(long, [X, Y]), tokens=[12, 8], unknown=[8, 0])
        store.put(long, short, nodes)
        store.put(plain, short, replace(embedded(plain, [X]), tokens=[8]))
        assert store.unread(short) == {long.passage.document.id: Unread(1, 8 / 16)}

    def test_settings_are_kept_until_they_are_forgotten_or_everything_is(self, store: Store):
        assert store.setting("split") is None
        store.set_setting("split", "a")
        store.set_setting("split", "b")
        store.set_setting("other", "c")
        assert (store.setting("split"), store.setting("other")) == ("b", "c")
        store.set_setting("other", None)
        assert store.setting("other") is None
        store.clear()
        assert store.setting("split") is None

    def test_a_replaced_document_leaves_the_other_indexes_until_they_are_built(self, store: Store, index: Index):
        pairs = store.create_index(ChunkSettings(2, 1), MODEL)
        old, new = record("a.txt", ["One.", "Two."]), record("a.txt", ["Other."])
        other = put(store, index, "b.txt", [X])
        store.put(old, index, embedded(old, [X, Y]))
        document = old.passage.document
        store.put_nodes(pairs, document.id, document.revision, embedded(old, [X, Y]))
        store.put(new, index, embedded(new, [Z]))
        assert set(store.indexed(index)) == {document.id, other}
        assert store.indexed(pairs) == {}
        assert store.search(pairs, X, EVERYTHING, 5, None).found == ()

    def test_nodes_of_a_text_that_was_replaced_meanwhile_are_not_stored(self, store: Store, index: Index):
        old, new = record("a.txt", ["One."]), record("a.txt", ["Other."])
        store.put(new, index, embedded(new, [X]))
        document = old.passage.document
        assert store.put_nodes(index, document.id, document.revision, embedded(old, [Y])) == 0
        np.testing.assert_array_equal(store.vectors(index), [X])

    def test_a_removed_document_is_gone_everywhere(self, store: Store, index: Index):
        kept, gone = put(store, index, "kept.txt", [X]), put(store, index, "gone.txt", [Y])
        store.remove(gone)
        assert [d.id for d in store.documents()] == [kept]
        assert set(store.indexed(index)) == {kept}
        assert store.count(index, EVERYTHING) == (1, 1)
        for absent in (gone, "f" * 15, "not an id", ""):
            for ask in (store.remove, store.passage, store.originals):
                with pytest.raises(NotFound, match="There is no document"):
                    ask(absent)

    def test_aliases_are_replaced(self, store: Store, index: Index):
        doc_id = put(store, index, "a.txt", [X])
        store.set_aliases(doc_id, ["b.txt", "ü.txt"])
        assert store.documents()[0].aliases == ("b.txt", "ü.txt")
        store.set_aliases(doc_id, [])
        assert store.documents()[0].aliases == ()

    def test_clear_leaves_a_workspace_like_new(self, store: Store, index: Index):
        store.add_fields(fields(year=FieldType.INTEGER))
        put(store, index, "a.txt", [X], {"year": 1})
        store.put_map(index, StoredMap("PCA", store.indexes()[0].version, np.zeros((1, 2), np.float32)))
        store.put_gold("g", [StoredGold("?", (("a", "r", 0, 1),), None)])
        store.clear()
        assert (store.documents(), store.indexes(), store.metadata_fields(), store.gold()) == ([], [], [], {})
        store.add_fields(fields(year=FieldType.STRING))
        again = store.create_index(SENTENCES, MODEL)
        put(store, again, "a.txt", [Y], {"year": "MMXXVI"})
        assert store.documents()[0].metadata == {"year": "MMXXVI"}
        assert store.map(again, "PCA") is None
        np.testing.assert_array_equal(store.vectors(again), [Y])

    def test_every_write_is_counted(self, store: Store):
        before = store.changes
        index = store.create_index(SENTENCES, MODEL)
        put(store, index, "a.txt", [X])
        written = store.changes
        assert written > before + 1
        store.documents(), store.search(index, X, EVERYTHING, 1, None), store.vectors(index)
        assert store.changes == written

    # ── metadata and fields ──────────────────────────────────────────────────────────────────────

    def test_values_of_every_type_come_back_equal(self, store: Store, index: Index):
        store.add_fields([FieldSpec(name, kind) for name, (kind, _) in MANY_TYPES.items()])
        metadata = {name: value for name, (_, value) in MANY_TYPES.items()}
        put(store, index, "a.txt", [X], metadata)
        put(store, index, "b.txt", [X], {"tags": (), "title": ""})
        first, second = store.documents()
        assert first.metadata == metadata
        assert {name: type(value) for name, value in first.metadata.items()} == {
            name: type(value) for name, (_, value) in MANY_TYPES.items()
        }
        assert second.metadata == {"tags": (), "title": ""}

    def test_new_metadata_replace_the_old_ones_and_touch_no_vector(self, store: Store, index: Index):
        store.add_fields(fields(year=FieldType.INTEGER, title=FieldType.STRING))
        doc_id = put(store, index, "a.txt", [X], {"year": 1, "title": "t"})
        other = put(store, index, "b.txt", [X], {"year": 7})
        version = store.indexes()[0].version
        store.set_metadata(doc_id, cells({"year": 2}), b"new")
        assert {d.id: d.metadata for d in store.documents()} == {doc_id: {"year": 2}, other: {"year": 7}}
        assert store.originals(doc_id)[1] == b"new"
        assert store.indexes()[0].version == version
        with pytest.raises(NotFound):
            store.set_metadata("f" * 15, cells({"year": 2}), None)

    def test_metadata_of_a_field_that_is_not_there_are_refused(self, store: Store, index: Index):
        doc_id = put(store, index, "a.txt", [X])
        with pytest.raises(InvalidMetadata, match=r"no field 'year' any more\. Add the file again"):
            put(store, index, "b.txt", [X], {"year": 1})
        with pytest.raises(InvalidMetadata, match="no field 'year'"):
            store.set_metadata(doc_id, cells({"year": 1}), None)
        assert [d.name for d in store.documents()] == ["a.txt"]

    def test_fields_keep_their_order_and_names(self, store: Store):
        names = ["b", "Author", "author", "a b", 'x"y', "select", "", "名前", "text", "embedding", "id", "name", "doc"]
        store.add_fields([FieldSpec(name, FieldType.STRING) for name in names])
        store.add_fields([FieldSpec("b", FieldType.STRING), FieldSpec("later", FieldType.NUMBER)])
        assert [field.name for field in store.metadata_fields()] == [*names, "later"]
        assert set(store.schema()) == {*names, "later", *RESERVED, *COMPUTED}

    def test_keys_that_look_alike_hold_their_own_values(self, store: Store, index: Index):
        odd = ["Author", "author", "AUTHOR", "author_2", "a b", "a_b", "a.b", "text", "tokens", "page 1", "x'; DROP--"]
        store.add_fields([FieldSpec(name, FieldType.STRING) for name in odd])
        put(store, index, "a.txt", [X], {name: f"value of {name}" for name in odd})
        put(store, index, "b.txt", [X])
        assert store.documents()[0].metadata == {name: f"value of {name}" for name in odd}
        for name in odd:
            only = Condition(name, Op.EQ, f"value of {name}")
            assert [d.name for d in store.documents(only)] == ["a.txt"], name
            assert store.count(index, only) == (1, 2), name

    @pytest.mark.parametrize("name", sorted(RESERVED))
    def test_a_reserved_name_is_refused_and_nothing_is_added(self, store: Store, name: str):
        with pytest.raises(InvalidMetadata, match=f"'{name}' is set by the system"):
            store.add_fields([FieldSpec("fine", FieldType.STRING), FieldSpec(name, FieldType.STRING)])
        assert store.metadata_fields() == []

    def test_a_field_changes_its_type_with_its_values(self, store: Store, index: Index):
        store.add_fields(fields(n=FieldType.INTEGER))
        doc_id = put(store, index, "a.txt", [X], {"n": 2})
        store.set_field(FieldSpec("n", FieldType.NUMBER), {doc_id: Cell(2, 2.0)})
        put(store, index, "b.txt", [X], {"n": 2.5})
        assert store.metadata_fields() == [FieldSpec("n", FieldType.NUMBER)]
        assert [d.metadata["n"] for d in store.documents()] == [2, 2.5]
        assert [d.name for d in store.documents(Condition("n", Op.GT, 2.25))] == ["b.txt"]

    @pytest.mark.parametrize(
        ("first", "then"), [(FieldType.NUMBER, FieldType.INTEGER), (FieldType.STRING, FieldType.INTEGER)]
    )
    def test_no_type_changes_by_adding(self, store: Store, first: FieldType, then: FieldType):
        store.add_fields(fields(n=first))
        with pytest.raises(InvalidMetadata, match=f"'n' is of type {first} in this workspace, not {then}"):
            store.add_fields(fields(n=then))

    def test_values_are_counted_by_document(self, store: Store, index: Index):
        store.add_fields(fields(tags=FieldType.STRINGS, year=FieldType.INTEGER))
        put(store, index, "a.txt", [X, Y], {"tags": ("x", "x", "y"), "year": 1})
        put(store, index, "b.txt", [X], {"tags": ("y",)})
        assert store.values("tags", 5) == [("y", 2), ("x", 1)]
        assert store.values("tags", 1) == [("y", 2)]
        assert store.values("year", 5) == [(1, 1)]
        for name in ("kind", "nothing"):
            with pytest.raises(InvalidFilter, match=name):
                store.values(name, 5)

    # ── cells ────────────────────────────────────────────────────────────────────────────────────

    def test_cells_come_back_as_given_and_as_typed_and_are_asked_for_by_document_or_field(
        self, store: Store, index: Index
    ):
        store.add_fields(fields(year=FieldType.INTEGER, tags=FieldType.STRINGS, title=FieldType.STRING))
        told = {
            "year": Cell("n/a", None, "no number"),
            "tags": Cell([1, None, {"deep": ["\ud800", 'x"y']}], ("1",), "", edited=True),
            "title": Cell(None, "a default"),
        }
        first = store_with(store, index, "a.txt", told)
        second = store_with(store, index, "b.txt", {"year": Cell(True, 1)})
        bare = put(store, index, "c.txt", [X])
        assert store.cells() == {first: told, second: {"year": Cell(True, 1)}, bare: {}}
        assert store.cells()[second]["year"].raw is True
        assert store.cells([second, "f" * 15, "no id"]) == {second: {"year": Cell(True, 1)}}
        assert store.cells([]) == {}
        assert store.cells(field="title") == {first: {"title": told["title"]}, second: {}, bare: {}}
        assert store.cells([first], "year") == {first: {"year": told["year"]}}
        assert store.cells(field="nothing") == {first: {}, second: {}, bare: {}}
        assert store.documents()[0].metadata == {"tags": ("1",), "title": "a default"}

    def test_what_a_person_took_away_is_remembered_for_a_key_that_is_no_field_too(self, store: Store, index: Index):
        store.add_fields(fields(year=FieldType.INTEGER))
        gone = Cell(edited=True)
        doc_id = store_with(store, index, "a.txt", {"year": gone, "no field": gone})
        assert store.cells() == {doc_id: {"year": gone, "no field": gone}}
        store.set_metadata(doc_id, {"year": Cell(2, 2), "other": gone}, None)
        assert store.cells() == {doc_id: {"year": Cell(2, 2), "other": gone}}
        store.set_cells({doc_id: {"year": gone}})
        assert store.cells([doc_id], "year") == {doc_id: {"year": gone}}
        assert store.documents()[0].metadata == {}

    def test_setting_cells_leaves_other_fields_documents_and_all_vectors_alone(self, store: Store, index: Index):
        store.add_fields(fields(year=FieldType.INTEGER, title=FieldType.STRING, tags=FieldType.STRINGS))
        first = put(store, index, "a.txt", [X, Y], {"year": 1, "title": "t"})
        second = put(store, index, "b.txt", [Z], {"year": 2, "tags": ("x",)})
        third = put(store, index, "c.txt", [Z], {"title": "c"})
        before = store.snapshot(index)
        store.set_cells({first: {"year": Cell("7", 7), "tags": Cell(["y"], ("y",))}, second: {"tags": Cell()}})
        assert {d.id: d.metadata for d in store.documents()} == {
            first: {"year": 7, "title": "t", "tags": ("y",)}, second: {"year": 2}, third: {"title": "c"},
        }  # fmt: skip
        assert store.cells()[first]["year"] == Cell("7", 7)
        assert store.cells()[second] == {"year": Cell(2, 2)}
        after = store.snapshot(index)
        assert after.version == before.version
        np.testing.assert_array_equal(after.vectors, before.vectors)
        assert [d.name for d in store.documents(Condition("tags", Op.CONTAINS_ANY, ("y",)))] == ["a.txt"]

    def test_cells_of_documents_that_are_gone_are_left_out_and_of_fields_that_are_not_there_refused(
        self, store: Store, index: Index
    ):
        store.add_fields(fields(year=FieldType.INTEGER))
        kept, gone = put(store, index, "kept.txt", [X]), put(store, index, "gone.txt", [Y])
        store.remove(gone)
        store.set_cells({kept: {"year": Cell(1, 1)}, gone: {"year": Cell(2, 2)}, "no id": {"year": Cell(3, 3)}})
        assert store.cells() == {kept: {"year": Cell(1, 1)}}
        with pytest.raises(InvalidMetadata, match="no field 'month'"):
            store.set_cells({kept: {"year": Cell(9, 9), "month": Cell(1, 1)}})
        assert store.cells() == {kept: {"year": Cell(1, 1)}}
        put(store, index, "gone.txt", [Y])
        assert store.cells()[gone] == {}

    def test_a_replaced_or_removed_document_leaves_no_cell(self, store: Store, index: Index):
        store.add_fields(fields(year=FieldType.INTEGER))
        doc_id = put(store, index, "a.txt", [X], {"year": 1})
        put(store, index, "a.txt", [X])
        assert store.cells() == {doc_id: {}}
        store.set_cells({doc_id: {"year": Cell(1, 1)}})
        store.remove(doc_id)
        assert store.cells() == {}

    def test_a_field_keeps_all_that_was_said_about_it_and_its_place(self, store: Store, index: Index, reopen: Reopen):
        store.add_fields(fields(first=FieldType.STRING, second=FieldType.STRING))
        specs = [
            FieldSpec("first", FieldType.ENUM, required=True, default="b", allowed=("a", "b"), description="Ünï 'x'"),
            FieldSpec("third", FieldType.DATE, default=datetime(2024, 3, 10), date_order=DateOrder.DAY_FIRST, confirmed=False),
            FieldSpec("fourth", FieldType.STRINGS, default=("x", "")),
            FieldSpec("fifth", FieldType.BOOLEAN, default=False),
            FieldSpec("sixth", FieldType.NUMBER, default=-0.5),
        ]  # fmt: skip
        for spec in specs:
            store.set_field(spec, {})
        assert store.metadata_fields() == [specs[0], FieldSpec("second", FieldType.STRING), *specs[1:]]
        assert reopen().metadata_fields() == [specs[0], FieldSpec("second", FieldType.STRING), *specs[1:]]

    @pytest.mark.parametrize("then", list(FieldType))
    @pytest.mark.parametrize("first", [FieldType.STRINGS, FieldType.INTEGER, FieldType.DATETIME])
    def test_a_field_changes_from_any_type_to_any_other(
        self, store: Store, index: Index, first: FieldType, then: FieldType
    ):
        held = {
            FieldType.STRING: "s", FieldType.ENUM: "e", FieldType.INTEGER: 2**53 + 1, FieldType.NUMBER: 0.1, FieldType.BOOLEAN: True,
            FieldType.DATE: datetime(2024, 3, 10), FieldType.DATETIME: datetime(2024, 3, 10, 9), FieldType.STRINGS: ("a", ""),
        }  # fmt: skip
        store.add_fields(fields(f=first, other=FieldType.INTEGER))
        doc_id = put(store, index, "a.txt", [X], {"f": held[first], "other": 7})
        bare = put(store, index, "b.txt", [X])
        store.set_field(FieldSpec("f", then), {doc_id: Cell("raw", held[then]), bare: Cell()})
        assert [d.metadata for d in store.documents()] == [{"f": held[then], "other": 7}, {}]
        assert store.cells([doc_id], "f") == {doc_id: {"f": Cell("raw", held[then])}}
        assert store.schema()["f"].type is then
        assert [d.name for d in store.documents(Condition("f", Op.EQ, held[then]))] == ["a.txt"]
        assert store.values("other", 5) == [(7, 1)]

    def test_a_change_of_type_that_fails_half_way_changes_nothing(self, store: Store, index: Index):
        store.add_fields(fields(n=FieldType.STRING))
        doc_id = put(store, index, "a.txt", [X], {"n": "x"})
        with pytest.raises(Exception, match="int"):
            store.set_field(FieldSpec("n", FieldType.INTEGER), {doc_id: Cell("x", "x")})
        assert store.metadata_fields() == fields(n=FieldType.STRING)
        assert store.documents()[0].metadata == {"n": "x"}
        assert store.cells() == {doc_id: {"n": Cell("x", "x")}}

    def test_values_are_counted_among_the_documents_that_pass(self, store: Store, index: Index):
        store.add_fields(fields(tags=FieldType.STRINGS, year=FieldType.INTEGER, at=FieldType.DATE))
        put(store, index, "a.txt", [X], {"tags": ("x", "y"), "year": 1, "at": datetime(2024, 3, 10)})
        put(store, index, "b.txt", [X], {"tags": ("y", "z"), "year": 2})
        put(store, index, "c.txt", [X], {"year": 2})
        late = Condition("year", Op.GE, 2)
        assert store.values("tags", 5, late) == [("y", 1), ("z", 1)]
        assert store.values("year", 5, Condition("tags", Op.CONTAINS_ANY, ("y",))) == [(1, 1), (2, 1)]
        assert store.values("at", 5, Not(late)) == [(datetime(2024, 3, 10), 1)]
        assert store.values("year", 5, Any(())) == []
        assert store.values("doc_id", 9, late) == [(d.id, 1) for d in sorted(store.documents(late), key=lambda d: d.id)]
        with pytest.raises(InvalidFilter, match="belongs to the nodes"):
            store.values("year", 5, Condition("ordinal", Op.EQ, 0))

    # ── computed fields and context lines ────────────────────────────────────────────────────────

    def test_computed_fields_come_back_by_node_and_by_field_with_gaps_where_nothing_was_found(
        self, store: Store, index: Index
    ):
        first = computed(
            store, index, "a.txt", [X, Y], {"words": [3, None], "entities": [("NASA", ""), ()], "summary": ["s", "t"]}
        )
        second = computed(store, index, "b.txt", [Z], {})
        assert store.computed(index, first) == [
            {"words": 3, "entities": ("NASA", ""), "summary": "s"}, {"entities": (), "summary": "t"},
        ]  # fmt: skip
        assert store.computed(index, second) == [{}]
        assert store.computed(index, "f" * 15) == []
        assert store.computed_field(index, "words") == {first: [3, None], second: [None]}
        assert store.count(index, Condition("words", Op.EQ, 3)) == (1, 3)
        assert store.count(index, Not(Condition("words", Op.EQ, 3))) == (2, 3)
        hit = store.search(index, X, EVERYTHING, 1, None).found[0]
        assert hit.computed == {"words": 3, "entities": ("NASA", ""), "summary": "s"}
        assert list(store.facet(index, "entities", EVERYTHING, 5).values) == [("", 1), ("NASA", 1)]
        assert list(store.facet(index, "kind", EVERYTHING, 5).values) == [("paragraph", 3)]

    def test_setting_some_computed_fields_leaves_others_and_all_vectors_and_versions(self, store: Store, index: Index):
        pairs = store.create_index(ChunkSettings(2), MODEL)
        first = computed(store, index, "a.txt", [X, Y], {"words": [3, 4], "summary": ["s", "t"]})
        second = computed(store, index, "b.txt", [Z], {"words": [5], "summary": ["u"]})
        made = record("a.txt", ["One."])
        store.put_nodes(
            pairs, first, store.documents()[0].revision, replace(embedded(made, [X]), computed={"words": [9]})
        )
        before = store.snapshot(index), store.indexes()
        store.set_computed(index, {first: {"words": [None, 7], "keywords": [("k",), None]}})
        assert store.computed(index, first) == [{"keywords": ("k",), "summary": "s"}, {"words": 7, "summary": "t"}]
        assert store.computed(index, second) == [{"words": 5, "summary": "u"}]
        assert store.computed(pairs, first) == [{"words": 9}]
        store.set_computed(index, {})
        store.set_computed(index, {first: {}})
        assert store.snapshot(index).version == before[0].version
        np.testing.assert_array_equal(store.snapshot(index).vectors, before[0].vectors)
        assert store.indexes() == before[1]

    def test_refused_nodes_keep_the_others_with_their_own_fields(self, store: Store, index: Index):
        """Columns have a value for every node that was made, by its ordinal."""
        doc_id = computed(store, index, "a.txt", [X, [0, 0, 0], Y], {"words": [1, 2, 3]})
        assert store.computed(index, doc_id) == [{"words": 1}, {"words": 3}]
        store.set_computed(index, {doc_id: {"words": [4, 5, 6]}})
        assert store.computed(index, doc_id) == [{"words": 4}, {"words": 6}]

    def test_nodes_bring_their_computed_fields_along(self, store: Store, index: Index):
        doc_id = computed(store, index, "a.txt", [X, Y], {"words": [3, None], "entities": [("NASA",), ()]})
        kept = store.embedded(index, doc_id)
        before = store.computed(index, doc_id)
        made = record("a.txt", ["a.txt sentence 0.", "a.txt sentence 1."])
        store.remove(doc_id)
        store.rewrite(made, [(index, kept)])
        assert store.computed(index, doc_id) == before

    def test_a_document_that_is_forgotten_waits_and_is_found_as_it_was_till_it_is_stored_anew(
        self, store: Store, index: Index
    ):
        pairs = store.create_index(ChunkSettings(2), MODEL)
        first, second = put(store, index, "a.txt", [X]), put(store, index, "b.txt", [Y])
        revision = {d.id: d.revision for d in store.documents()}
        store.put_nodes(pairs, first, revision[first], embedded(record("a.txt", ["a.txt sentence 0."]), [Z]))
        store.forget(index, [first, "f" * 15])
        assert set(store.indexed(index)) == {second}
        assert set(store.indexed(pairs)) == {first}
        assert [f.doc_id for f in store.search(index, X, EVERYTHING, 1, None).found] == [first]
        store.put_nodes(index, first, revision[first], embedded(record("a.txt", ["a.txt sentence 0."]), [Z]))
        assert set(store.indexed(index)) == {first, second}
        assert store.count(index, EVERYTHING) == (2, 2)
        np.testing.assert_array_equal(store.embedded(index, first).vectors, [Z])

    @pytest.mark.parametrize("how", ["remove", "put", "rewrite"])
    def test_a_forgotten_document_that_goes_or_is_replaced_leaves_no_node(self, store: Store, index: Index, how: str):
        other = store.create_index(ChunkSettings(2), MODEL)
        doc_id, stays = put(store, index, "a.txt", [X, Y]), put(store, index, "b.txt", [Z])
        store.forget(index, [doc_id])
        version = store.indexes()[0].version
        new = record("a.txt", ["Other."])
        if how == "remove":
            store.remove(doc_id)
        elif how == "put":
            store.put(new, other, embedded(new, [Z]))
        else:
            store.rewrite(new, [(other, embedded(new, [Z]))])
        assert [f.doc_id for f in store.search(index, X, EVERYTHING, 9, None).found] == [stays]
        assert store.computed_field(index, "words") == {stays: [None]}
        assert store.indexes()[0].version > version
        assert store.keys(index, EVERYTHING).doc_ids == (stays,)

    def test_context_lines_are_kept_until_they_are_written_anew_or_everything_goes(self, store: Store, reopen: Reopen):
        assert store.contexts(["a"]) == {}
        store.keep_contexts({"a": "one", "b": "", "c'": "Ünï\n🎈"})
        store.keep_contexts({"a": "two"})
        store.keep_contexts({})
        assert store.contexts(["a", "b", "c'", "d", "a"]) == {"a": "two", "b": "", "c'": "Ünï\n🎈"}
        assert store.contexts([]) == {}
        store = reopen()
        assert store.contexts(["a", "b"]) == {"a": "two", "b": ""}
        store.clear()
        assert store.contexts(["a", "b"]) == {}

    def test_how_alike_sentences_are_is_kept_and_replaced(self, store: Store, reopen: Reopen):
        none, some = np.empty(0, np.float32), np.array([0.25, -1, 1], np.float32)
        assert store.likeness(b"a") is None
        store.keep_likeness(b"a", some)
        store.keep_likeness(b"\x00'", none)
        np.testing.assert_array_equal(store.likeness(b"a"), some)
        store.keep_likeness(b"a", some[:1])
        store = reopen()
        np.testing.assert_array_equal(store.likeness(b"a"), some[:1])
        kept = store.likeness(b"\x00'")
        assert kept is not None
        assert kept.shape == (0,)
        store.clear()
        assert store.likeness(b"a") is None

    # ── indexes ──────────────────────────────────────────────────────────────────────────────────

    def test_an_index_is_made_once(self, store: Store, index: Index):
        put(store, index, "a.txt", [X])
        again = store.create_index(SENTENCES, MODEL)
        assert (again.id, again.documents, again.nodes) == (index.id, 1, 1)
        assert (index.settings, index.model, index.documents, index.nodes) == (SENTENCES, MODEL, 0, 0)
        assert len(store.indexes()) == 1

    def test_settings_model_and_revision_each_make_an_index_of_their_own(self, store: Store):
        made = [
            store.create_index(SENTENCES, MODEL),
            store.create_index(ChunkSettings(2), MODEL),
            store.create_index(ChunkSettings(2, 1), MODEL),
            store.create_index(ChunkSettings(1, 0, 1), MODEL),
            store.create_index(SENTENCES, model(3, "other/bag")),
            store.create_index(SENTENCES, model(3, "other/bag", "bag-2")),
            store.create_index(SENTENCES, model(4)),
        ]
        assert store.indexes() == made
        assert len({index.id for index in made}) == len({index.name for index in made}) == len(made)

    def test_indexes_of_several_dimensions_stand_side_by_side(self, store: Store):
        small, large = store.create_index(SENTENCES, model(3)), store.create_index(SENTENCES, model(768, "large"))
        made = record("a.txt", ["One.", "Two."])
        store.put(made, small, embedded(made, [X, Y]))
        document = made.passage.document
        wide = np.eye(2, 768, dtype=np.float32)
        store.put_nodes(large, document.id, document.revision, embedded(made, wide))
        np.testing.assert_array_equal(store.vectors(small), [X, Y])
        np.testing.assert_array_equal(store.vectors(large), wide)
        assert [f.node.ordinal for f in store.search(large, wide[1], EVERYTHING, 1, None).found] == [1]
        assert [f.node.ordinal for f in store.search(small, X, EVERYTHING, 1, None).found] == [0]

    def test_a_dropped_index_is_gone_and_the_documents_stay(self, store: Store, index: Index):
        put(store, index, "a.txt", [X])
        other = store.create_index(ChunkSettings(2), MODEL)
        store.drop_index(index.id)
        assert [i.id for i in store.indexes()] == [other.id]
        assert len(store.documents()) == 1
        for ask in (
            lambda: store.search(index, X, EVERYTHING, 1, None),
            lambda: store.vectors(index),
            lambda: store.keys(index, EVERYTHING),
            lambda: store.drop_index(index.id),
            lambda: put(store, index, "b.txt", [X]),
        ):
            with pytest.raises(NotFound, match="There is no index"):
                ask()
        assert [d.name for d in store.documents()] == ["a.txt"]
        again = store.create_index(SENTENCES, MODEL)
        assert (again.documents, again.nodes) == (0, 0)

    def test_nodes_come_back_as_they_were_put(self, store: Store, index: Index):
        made = record("a.txt", ["One.", "Two."])
        given = embedded(made, [X, Y], [BlockKind.TABLE, BlockKind.LIST], [3, None])
        store.put(made, index, given)
        found = store.embedded(index, made.passage.document.id)
        assert (found.nodes, found.hashes, found.tokens) == (given.nodes, given.hashes, given.tokens)
        np.testing.assert_array_equal(found.vectors, [X, Y])
        assert store.node_counts(index) == {made.passage.document.id: 2}
        hits = store.search(index, X, EVERYTHING, 2, None).found
        assert [hit.node for hit in hits] == given.nodes
        assert [hit.passage for hit in hits] == [made.passage, made.passage]
        assert [hit.info.name for hit in hits] == ["a.txt", "a.txt"]

    def test_known_vectors_are_those_of_the_same_model(self, store: Store, index: Index):
        made = record("a.txt", ["One.", "Two.", "One."])
        given = embedded(made, [X, Y, X])
        store.put(made, index, given)
        found = store.known_vectors(MODEL, [*given.hashes, bytes(16)])
        assert set(found) == set(given.hashes)
        np.testing.assert_array_equal(found[given.hashes[0]], X)
        np.testing.assert_array_equal(found[given.hashes[1]], Y)
        for other in (model(3, revision="bag-2"), model(3, "other"), model(4)):
            assert store.known_vectors(other, given.hashes) == {}
        assert store.known_vectors(MODEL, []) == {}

    def test_known_vectors_come_from_any_index_of_the_model(self, store: Store, index: Index):
        pairs = store.create_index(ChunkSettings(2), MODEL)
        one, two = record("a.txt", ["One."]), record("b.txt", ["Two."])
        store.put(one, index, embedded(one, [X]))
        store.put(two, pairs, embedded(two, [Y]))
        hashes = [embedded(made, [X]).hashes[0] for made in (one, two)]
        assert set(store.known_vectors(MODEL, hashes)) == set(hashes)

    def test_keys_and_vectors_stand_in_the_same_order(self, store: Store, index: Index):
        rng = np.random.default_rng(0)
        expected = {}
        for name in ("c.txt", "a.txt", "b.txt", "d.txt"):
            vectors = rng.normal(size=(5, 3)).astype(np.float32)
            doc_id = put(store, index, name, vectors)
            for ordinal, vector in enumerate(vectors):
                expected[doc_id, ordinal] = vector / np.linalg.norm(vector)
        keys = store.keys(index, EVERYTHING)
        pairs = list(zip(keys.doc_ids, keys.ordinals.tolist(), strict=True))
        assert pairs == sorted(expected)
        np.testing.assert_allclose(store.vectors(index), [expected[pair] for pair in pairs], atol=1e-6)
        one = sorted(expected)[7]
        part = store.keys(index, All((Condition("doc_id", Op.EQ, one[0]), Condition("ordinal", Op.EQ, one[1]))))
        assert (part.doc_ids, part.ordinals.tolist()) == ((one[0],), [one[1]])

    def test_an_empty_index_answers_with_nothing(self, store: Store, index: Index):
        assert store.vectors(index).shape == (0, 3)
        assert store.keys(index, EVERYTHING).doc_ids == ()
        assert store.count(index, EVERYTHING) == (0, 0)
        outcome = store.search(index, X, EVERYTHING, 5, None)
        assert (outcome.found, outcome.matching, outcome.total) == ((), 0, 0)

    # ── search ───────────────────────────────────────────────────────────────────────────────────

    def test_k_rows_come_back_whenever_k_match(self, store: Store, index: Index):
        store.add_fields(fields(rare=FieldType.BOOLEAN))
        rng = np.random.default_rng(1)
        for i in range(30):
            put(store, index, f"{i}.txt", rng.normal(size=(4, 3)), {"rare": i % 10 == 0})
        rare = Condition("rare", Op.EQ, True)
        for k, matching in ((1, 12), (5, 12), (12, 12), (50, 12)):
            outcome = store.search(index, X, rare, k, None)
            assert len(outcome.found) == min(k, matching)
            assert (outcome.matching, outcome.total) == (matching, 120)
            assert all(f.info.metadata["rare"] for f in outcome.found)

    def test_scores_are_cosines_best_first(self, store: Store, index: Index):
        vectors = np.random.default_rng(2).normal(size=(40, 3)).astype(np.float32)
        put(store, index, "a.txt", vectors)
        question = np.float32([0.6, 0.8, 0])
        cosines = vectors @ question / np.linalg.norm(vectors, axis=1)
        found = store.search(index, question, EVERYTHING, 40, None).found
        assert [f.node.ordinal for f in found] == np.argsort(-cosines).tolist()
        np.testing.assert_allclose([f.score for f in found], np.sort(cosines)[::-1], atol=1e-6)

    def test_ties_stand_by_document_and_ordinal(self, store: Store, index: Index):
        ids = sorted(put(store, index, f"{i}.txt", [X, Y, X]) for i in range(8))
        expected = [(doc_id, ordinal) for doc_id in ids for ordinal in (0, 2)]
        for k in (1, 5, 16):
            found = store.search(index, X, EVERYTHING, k, None).found
            assert [(f.doc_id, f.node.ordinal) for f in found] == expected[:k]

    def test_hits_below_the_least_score_are_left_out(self, store: Store, index: Index):
        put(store, index, "a.txt", [X, [0.8, 0.6, 0], Y, -X])
        for least, ordinals in ((None, [0, 1, 2, 3]), (0.5, [0, 1]), (0.0, [0, 1, 2]), (-1.0, [0, 1, 2, 3])):
            outcome = store.search(index, X, EVERYTHING, 10, least)
            assert [f.node.ordinal for f in outcome.found] == ordinals
            assert (outcome.matching, outcome.total) == (4, 4)
        assert [f.node.ordinal for f in store.search(index, X, EVERYTHING, 1, 0.5).found] == [0]
        assert store.search(index, Z, Condition("ordinal", Op.EQ, 0), 10, 0.5).found == ()

    def test_boosts_rank_by_the_multiplied_score_and_limits_and_counts_go_by_the_cosine(
        self, store: Store, index: Index
    ):
        store.add_fields(fields(year=FieldType.INTEGER))
        old = put(store, index, "old.txt", [X, [0.8, 0.6, 0], -X], {"year": 1})
        new = put(store, index, "new.txt", [[0.6, 0.8, 0], -X], {"year": 2})
        boosts = (Boost(Condition("year", Op.EQ, 2), 2.0), Boost(Condition("ordinal", Op.EQ, 0), 0.9))
        found = store.search(index, X, EVERYTHING, 4, None, boosts).found
        # 0.6 × 2 × 0.9, then 1 × 0.9, then 0.8; below 0 a factor over 1 divides.
        assert [(f.doc_id, f.node.ordinal) for f in found] == [(new, 0), (old, 0), (old, 1), (new, 1)]
        assert [[factor for _, factor in f.factors] for f in found] == [[2.0, 0.9], [0.9], [], [2.0]]
        assert found[0].score == pytest.approx(0.6)
        limited = store.search(index, X, EVERYTHING, 2, 0.7, boosts)
        assert [(f.doc_id, f.node.ordinal) for f in limited.found] == [(old, 0), (old, 1)]
        assert (limited.matching, limited.total) == (5, 5)
        hard = store.search(index, X, Condition("year", Op.EQ, 1), 1, None, boosts)
        assert ([f.doc_id for f in hard.found], hard.matching) == ([old], 3)

    def test_boosted_ties_stand_by_document_and_ordinal(self, store: Store, index: Index):
        ids = sorted(put(store, index, f"{i}.txt", [[0.6, 0.8, 0], [0.6, 0.8, 0]]) for i in range(5))
        halved = (Boost(EVERYTHING, 0.5), Boost(Condition("ordinal", Op.EQ, 9), 7))
        found = store.search(index, X, EVERYTHING, 7, None, halved).found
        assert [(f.doc_id, f.node.ordinal) for f in found] == [(d, o) for d in ids for o in (0, 1)][:7]

    def test_distances_of_all_that_pass_are_counted_in_bins(self, store: Store, index: Index):
        put(store, index, "a.txt", [X, Y, -X, [0.8, 0.6, 0]])
        found = store.distances(index, X, EVERYTHING, 4, 0.5)
        assert (found.counts.tolist(), found.kept, found.cut) == ([2, 0, 1, 1], 2, 2)
        assert found.edges.tolist() == [0, 0.5, 1, 1.5, 2]
        some = store.distances(index, X, Condition("ordinal", Op.GE, 1), 1, None, "ordinal < 3")
        assert (some.counts.tolist(), some.kept) == ([2], 2)
        with pytest.raises(ModelMismatch):
            store.distances(index, np.ones(4, np.float32), EVERYTHING, 4, None)

    def test_an_experts_condition_holds_beside_the_filter(self, store: Store, index: Index):
        store.add_fields(fields(year=FieldType.INTEGER))
        one = put(store, index, "a.txt", [X, Y], {"year": 1})
        put(store, index, "b.txt", [X, Y])
        where = "year > 0 AND ordinal < 5"
        outcome = store.search(index, X, Condition("ordinal", Op.EQ, 1), 9, None, (), where)
        assert ([(f.doc_id, f.node.ordinal) for f in outcome.found], outcome.matching) == ([(one, 1)], 1)
        assert store.count(index, EVERYTHING, where) == (2, 4)
        boosted = store.search(index, X, EVERYTHING, 9, None, (Boost(Condition("ordinal", Op.EQ, 1), 2),), "year = 1")
        assert {f.doc_id for f in boosted.found} == {one}
        with pytest.raises(InvalidFilter, match="no field 'secret'"):
            store.search(index, X, EVERYTHING, 9, None, (), "secret > 0")

    def test_vectors_of_another_dimension_are_refused_before_anything_is_written(self, store: Store, index: Index):
        put(store, index, "a.txt", [X])
        before, changes = store.documents(), store.changes
        with pytest.raises(ModelMismatch, match="holds vectors of 3 numbers; these have 4"):
            put(store, index, "b.txt", np.eye(4))
        replaced = record("a.txt", ["Other."])
        with pytest.raises(ModelMismatch):
            store.put(replaced, index, embedded(replaced, np.eye(1, 4)))
        assert (store.documents(), store.changes) == (before, changes)
        np.testing.assert_array_equal(store.vectors(index), [X])
        with pytest.raises(ModelMismatch, match="the question's has 4"):
            store.search(index, np.ones(4, np.float32), EVERYTHING, 1, None)

    @pytest.mark.parametrize("bad", [[0, 0, 0], [np.nan, 0, 1], [np.inf, 0, 0], [-np.inf, 1, 1]])
    def test_vectors_that_cannot_be_compared_are_refused_and_counted(
        self, store: Store, index: Index, bad: list[float]
    ):
        made = record("a.txt", ["One.", "Two.", "Three.", "Four."])
        assert store.put(made, index, embedded(made, [bad, X, bad, Y])) == 2
        assert store.keys(index, EVERYTHING).ordinals.tolist() == [1, 3]
        assert [f.node.ordinal for f in store.search(index, X, EVERYTHING, 10, None).found] == [1, 3]
        document = made.passage.document
        assert store.put_nodes(index, document.id, document.revision, embedded(made, [bad] * 4)) == 4
        assert store.indexed(index) == {document.id: document.revision}
        assert store.node_counts(index) == {document.id: 0}

    def test_fields_of_nodes_and_of_documents_mix_in_one_filter(self, store: Store, index: Index):
        store.add_fields(fields(year=FieldType.INTEGER))
        ids = {}
        for name, year in (("a.txt", 1), ("b.txt", 2), ("c.txt", None)):
            made = record(name, ["One.", "Two.", "Three."], {} if year is None else {"year": year})
            kinds = [BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.CODE]
            store.put(made, index, embedded(made, [X, X, X], kinds, [1, 2, None]))
            ids[made.passage.document.id] = name
        table, first = Condition("kind", Op.EQ, "table"), Condition("year", Op.EQ, 1)

        def found(where) -> set[tuple[str, int]]:
            keys = store.keys(index, where)
            return {(ids[d][0], int(o)) for d, o in zip(keys.doc_ids, keys.ordinals, strict=True)}

        every = {(name, ordinal) for name in "abc" for ordinal in range(3)}
        tables, firsts = {(n, o) for n, o in every if o == 1}, {(n, o) for n, o in every if n == "a"}
        assert found(All((first, table))) == firsts & tables
        assert found(Any((first, table))) == firsts | tables
        assert found(Not(Any((first, table)))) == every - (firsts | tables)
        assert found(Not(All((table, first)))) == every - (firsts & tables)
        assert found(Condition("page", Op.GE, 2)) == tables
        assert found(Condition("page", Op.NE, 2)) == every - tables
        assert found(Condition("page", Op.IS_NULL)) == {(n, o) for n, o in every if o == 2}
        assert found(Any(())) == set()
        assert found(Not(Any(()))) == found(All(())) == every

    def test_documents_cannot_be_asked_about_fields_of_nodes(self, store: Store):
        with pytest.raises(InvalidFilter, match="'ordinal' belongs to the nodes"):
            store.documents(Not(Condition("ordinal", Op.EQ, 1)))

    def test_a_pattern_the_store_does_not_read_is_refused_everywhere(self, store: Store, index: Index):
        store.add_fields(fields(title=FieldType.STRING))
        put(store, index, "a.txt", [X], {"title": "abc"})
        where = Condition("title", Op.MATCHES, "(?=a)abc")
        for ask in (
            lambda: store.documents(where),
            lambda: store.keys(index, where),
            lambda: store.count(index, where),
            lambda: store.search(index, X, where, 1, None),
        ):
            with pytest.raises(InvalidFilter, match="pattern cannot be used"):
                ask()

    # ── pictures and gold ────────────────────────────────────────────────────────────────────────

    def test_a_map_is_kept_until_the_index_changes(self, store: Store, index: Index):
        doc_id = put(store, index, "a.txt", [X, Y])
        points = np.float32([[0.5, -1], [2, 3]])
        store.put_map(index, StoredMap("PCA", store.indexes()[0].version, points))
        store.put_map(index, StoredMap("UMAP", store.indexes()[0].version, points + 1))
        np.testing.assert_array_equal(store.map(index, "PCA").points, points)
        np.testing.assert_array_equal(store.map(index, "UMAP").points, points + 1)
        store.set_metadata(doc_id, {}, None)
        assert store.map(index, "PCA") is not None
        other = store.create_index(ChunkSettings(2), MODEL)
        store.put_nodes(other, doc_id, store.documents()[0].revision, embedded(record("a.txt", []), np.empty((0, 3))))
        assert store.map(index, "PCA") is not None
        put(store, index, "b.txt", [Z])
        assert store.map(index, "PCA") is None
        assert store.map(index, "UMAP") is None

    def test_removing_a_document_outdates_the_map(self, store: Store, index: Index):
        doc_id = put(store, index, "a.txt", [X])
        store.put_map(index, StoredMap("PCA", store.indexes()[0].version, np.zeros((1, 2), np.float32)))
        store.remove(doc_id)
        assert store.map(index, "PCA") is None

    def test_a_map_made_of_an_older_index_is_not_shown(self, store: Store, index: Index):
        put(store, index, "a.txt", [X])
        before = store.indexes()[0].version
        put(store, index, "b.txt", [Y])
        store.put_map(index, StoredMap("PCA", before, np.zeros((1, 2), np.float32)))
        assert store.map(index, "PCA") is None

    def test_gold_comes_back_as_it_was_kept(self, store: Store):
        questions = [
            StoredGold("Why 🎈?", (("a", "r", 0, 5), ("b", "s", 7, 9)), '{"year": 1}'),
            StoredGold("", (), None),
            StoredGold("Why 🎈?", (("a", "r", 0, 5),), None),
        ]
        store.put_gold("z", questions)
        store.put_gold("a", questions[:1])
        assert store.gold() == {"a": questions[:1], "z": questions}
        assert list(store.gold()) == ["a", "z"]
        store.put_gold("z", questions[1:])
        assert store.gold()["z"] == questions[1:]
        store.remove_gold("z")
        assert list(store.gold()) == ["a"]

    # ── the scan behind the filter X-ray ─────────────────────────────────────────────────────────

    def test_a_scan_tells_score_and_filters_of_every_node_in_order(self, store: Store, index: Index):
        store.add_fields(fields(year=FieldType.INTEGER))
        ids = [put(store, index, "b.txt", [Y, X], {"year": 1}), put(store, index, "a.txt", [X], {})]
        clauses = [Condition("year", Op.EQ, 1), Condition("ordinal", Op.EQ, 0), Any(())]
        scan = store.scan(index, X, clauses)
        expected = sorted([(ids[0], 0, 0.0, True, True), (ids[0], 1, 1.0, True, False), (ids[1], 0, 1.0, False, True)])
        assert [scan.key(position) for position in range(len(scan))] == [row[:2] for row in expected]
        assert scan.scores.tolist() == [row[2] for row in expected]
        assert scan.masks.T.tolist() == [[*row[3:], False] for row in expected]
        assert scan.found == {}
        assert store.scan(index, X, []).masks.shape == (0, 3)

    def test_nodes_come_with_the_scan_as_a_search_finds_them(self, store: Store, index: Index):
        put(store, index, "a.txt", [X, Y, Z])
        found = store.search(index, X, EVERYTHING, 3, None).found
        scan = store.scan(index, X, [], lambda scan: [2, 0])
        assert scan.found == {position: found[position] for position in (0, 2)}

    def test_a_node_is_judged_by_every_condition_and_what_it_holds(self, store: Store, index: Index):
        store.add_fields(fields(year=FieldType.INTEGER, at=FieldType.DATETIME))
        doc_id = put(store, index, "a.txt", [X, Y], {"year": 3})
        old, page, on = Condition("year", Op.LT, 2), Condition("page", Op.IS_NULL), Condition("at", Op.NE, "2026-03-12")
        verdict = store.judge(index, doc_id, 1, Any((Not(old), All((page, on)))))
        assert verdict.passes == (False, True, True)
        assert verdict.values == {"year": 3, "page": None, "at": None}
        assert verdict.filter == Any((Not(old), All((page, replace(on, value=datetime(2026, 3, 12))))))
        assert store.judge(index, doc_id, 1, EVERYTHING).passes == ()
        for gone in ((doc_id, 2), ("0" * 15, 0)):
            with pytest.raises(NotFound):
                store.judge(index, *gone, EVERYTHING)

    # ── on disk ──────────────────────────────────────────────────────────────────────────────────

    def test_everything_is_there_after_closing_and_opening(self, store: Store, index: Index, reopen: Reopen):
        store.add_fields([FieldSpec(name, kind) for name, (kind, _) in MANY_TYPES.items()])
        doc_id = put(store, index, "a.txt", [X, Y], {name: value for name, (_, value) in MANY_TYPES.items()})
        store.set_aliases(doc_id, ["b.txt"])
        store.put_gold("g", [StoredGold("?", ((doc_id, "r", 0, 1),), None)])
        store.put_map(index, StoredMap("PCA", store.indexes()[0].version, np.ones((2, 2), np.float32)))

        def state(store: Store) -> Iterator[object]:
            yield from (store.documents(), store.passage(doc_id), store.originals(doc_id), store.metadata_fields())
            yield from (store.indexes(), dict(store.indexed(index)), store.gold(), store.vectors(index).tolist())
            yield from (store.map(index, "PCA").points.tolist(), store.search(index, X, EVERYTHING, 2, None))

        before = list(state(store))
        assert list(state(reopen())) == before

    def test_a_write_that_fails_half_way_leaves_nothing(self, store: Store, index: Index, reopen: Reopen):
        put(store, index, "a.txt", [X])
        broken = record("a.txt", ["New.", "Text."])
        nodes = embedded(broken, [X, Y])
        with pytest.raises(IndexError):
            store.put(broken, index, type(nodes)(nodes.nodes, nodes.hashes[:1], nodes.tokens[:1], nodes.vectors))
        for again in (lambda: store, reopen):
            now = again()
            assert now.passage(now.documents()[0].id).document.text == "a.txt sentence 0."
            np.testing.assert_array_equal(now.vectors(index), [X])
