"""Metadata on the Documents page: narrowing by facets, changing one cell or many rows, the form, and the way back."""

from __future__ import annotations

import json

import pytest

from core import home, workspace
from core.filters import FieldType
from core.ingest import Upload
from core.settings import ChunkSettings
from core.types import FieldSpec
from tests.fakes import BagEncoder
from tests.pages.screen import app, documents, go, notices, open_row, plain, press, said, tick, type_in
from tests.pages.test_hostile_text import HOSTILE, check

ANIMALS = {
    "ant.md": {"category": "insect", "tags": ["small", "six legs"], "published_at": "2023-05-01", "year": 2023},
    "bee.md": {"category": "insect", "tags": ["small"], "published_at": "2024-01-31", "year": 2024},
    "cat.md": {"category": "mammal", "tags": ["pet"], "published_at": "2024-12-31T23:59:59Z", "year": 2024},
    "dog.txt": {"tags": [], "year": 2025},
}


def put(workspace, files, *fields):
    """Add documents of one line each with the metadata given, into fields that are there before."""
    for field in fields:
        workspace.set_field(field)
    uploads = [Upload(name, f"This is about {name}. It is short.".encode()) for name in files]
    uploads += [Upload(f"{name}.meta.json", json.dumps(given).encode()) for name, given in files.items()]
    results = workspace.add(uploads, ChunkSettings())
    assert all(result.doc_id for result in results), results
    return workspace


@pytest.fixture
def zoo(empty):
    return put(empty, ANIMALS)


def listed(tab):
    return list(documents(tab).value["name"])


def held(workspace, name):
    """A document's metadata without what no test of these changed."""
    return dict(workspace.document(name).metadata)


def facet(tab, title):
    """The values of a facet, with their counts, as they stand below each other."""
    start = f"facet-{'group' if title in ('format', 'needs attention') else 'field'} {title}-"
    return [plain(box.label) for box in tab.checkbox if box.key.startswith(start)]


def choose(tab, title, value, *, on=True):
    kind = "group" if title in ("format", "needs attention") else "field"
    tab.checkbox(key=f"facet-{kind} {title}-{value!r}").set_value(on).run()
    assert not tab.exception, tab.exception
    return tab


def titles(tab):
    """The facets there are, in order."""
    return [box.key.split(" ", 1)[1] for box in tab.expander if (box.key or "").startswith("facet-")]


def configured(tab, column):
    """How a column of the table is shown and changed, as the browser is told."""
    return json.loads(documents(tab).proto.columns)[column]


def order(tab):
    """The columns in sight, without the ticks and the names."""
    return list(documents(tab).proto.column_order)[2:]


def bulk(tab, field, does, value=None):
    """Fill in the panel for many documents; ``value`` is put into the widget that is there."""
    tab.selectbox(key="bulk-field").set_value(field).run()
    tab.button_group(key=next(group.key for group in tab.button_group if group.key.startswith("bulk-do"))).set_value(
        does
    ).run()
    if value is not None:
        write_in(widget(tab, "bulk-value-", f"-{field}-{does}"), value).run()
    assert not tab.exception, tab.exception
    return tab


def widget(tab, start, end=""):
    """The widget whose key begins and ends so."""
    kinds = (
        tab.selectbox,
        tab.multiselect,
        tab.text_input,
        tab.text_area,
        tab.number_input,
        tab.date_input,
        tab.datetime_input,
        tab.checkbox,
    )
    (found,) = (
        one
        for kind in kinds
        for one in kind
        if (one.key or "").startswith(start) and one.key.endswith(end) and not (not end and one.key.endswith("-away"))
    )
    return found


def write_in(found, value):
    """Put a value into a widget; a selectbox takes one that it does not offer as the browser sends it."""
    if isinstance(value, str) and value not in getattr(found, "options", [value]):
        found.options.append(value)
    return found.set_value(value)


def entry(tab, workspace, name, field):
    """The widget of a field in an opened document's form."""
    return widget(tab, f"metadata-{workspace.document(name).id}-{field}-")


def vectors(workspace):
    index = workspace.index()
    return index.version, workspace.store.vectors(index).tobytes()


# ── facets ───────────────────────────────────────────────────────────────────────────────────────


def test_facets_count_the_values_there_are_and_the_documents_without_any(zoo):
    tab = app()
    assert titles(tab) == ["category", "tags", "published_at", "format", "year"]
    assert facet(tab, "category") == ["insect · 2", "mammal · 1", "(missing) · 1"]
    assert facet(tab, "tags") == ["small · 2", "pet · 1", "six legs · 1", "(missing) · 1"], "an empty list is none"
    assert facet(tab, "published_at") == ["2024 · 2", "2023 · 1", "(missing) · 1"]
    assert facet(tab, "format") == ["Markdown · 3", "text · 1"]
    assert facet(tab, "year") == ["2024 · 2", "2023 · 1", "2025 · 1"]


def test_values_of_one_facet_are_alternatives_and_facets_hold_together(zoo):
    tab = choose(app(), "category", "insect")
    assert listed(tab) == ["ant.md", "bee.md"]
    assert "2 of 4" in said(tab)
    tab = choose(tab, "category", "mammal")
    assert listed(tab) == ["ant.md", "bee.md", "cat.md"]
    tab = choose(tab, "published_at", 2024)
    assert listed(tab) == ["bee.md", "cat.md"], "the last second of a year is in it"
    tab = choose(tab, "category", "insect", on=False)
    assert listed(tab) == ["cat.md"]
    tab = press(tab, "Clear")
    assert listed(tab) == list(ANIMALS)
    assert not [box for box in tab.checkbox if box.key.startswith("facet-") and box.value]


@pytest.mark.parametrize(
    ("title", "value", "names"),
    [
        ("category", None, ["dog.txt"]), ("tags", None, ["dog.txt"]), ("published_at", None, ["dog.txt"]),
        ("tags", "small", ["ant.md", "bee.md"]), ("year", 2024, ["bee.md", "cat.md"]), ("format", "text", ["dog.txt"]),
        ("published_at", 2023, ["ant.md"]),
    ],
)  # fmt: skip
def test_every_sort_of_facet_narrows_the_list_to_as_many_as_it_counts(zoo, title, value, names):
    tab = app()
    (count,) = (
        int(label.rsplit(" ", 1)[1]) for label in facet(tab, title) if label.startswith(str(value or "(missing)"))
    )
    assert listed(choose(tab, title, value)) == names
    assert len(names) == count


def test_a_facet_counts_under_the_choices_of_the_others_and_not_under_its_own(zoo):
    tab = choose(app(), "category", "insect")
    assert facet(tab, "category") == ["insect · 2", "mammal · 1", "(missing) · 1"]
    assert facet(tab, "tags") == ["small · 2", "six legs · 1"]
    assert facet(tab, "format") == ["Markdown · 2", "text · 0"]
    assert facet(tab, "published_at") == ["2024 · 1", "2023 · 1"]


def test_a_value_that_is_chosen_stays_to_be_seen_where_the_others_leave_it_none(zoo):
    tab = choose(choose(choose(app(), "category", "mammal"), "category", "insect"), "tags", "pet")
    tab = choose(tab, "category", "mammal", on=False)
    assert listed(tab) == []
    assert "pet · 0" in facet(tab, "tags")
    assert listed(choose(tab, "tags", "pet", on=False)) == ["ant.md", "bee.md"]


def test_rare_values_are_chosen_from_a_list(empty):
    put(empty, {f"{n:02}.md": {"category": f"c{n // 2}"} for n in range(20)})
    tab = app()
    assert facet(tab, "category") == [f"c{n} · 2" for n in range(5)]
    more = tab.selectbox(key="more-field category")
    assert more.options == [f"c{n} · 2" for n in range(5, 10)]
    more.set_value("c7").run()
    assert listed(tab) == ["14.md", "15.md"]
    assert "c7 · 2" in facet(tab, "category")


def test_what_names_each_document_is_no_facet(empty):
    put(
        empty,
        {
            f"{n:02}.md": {"source_url": f"https://example.org/{n}", "number": n, "author": f"A {n // 2}"}
            for n in range(14)
        },
    )
    assert titles(app()) == ["author"]


def test_what_all_documents_share_is_no_facet(empty):
    put(
        empty,
        {name: {"category": "one", "published_at": f"2024-0{n + 1}-01"} for n, name in enumerate(("a.md", "b.md"))},
    )
    assert titles(app()) == []


def test_one_document_alone_has_no_facets(empty):
    put(empty, {"a.md": {"category": "one", "tags": ["x", "y"]}})
    assert titles(app()) == []
    assert "Narrow" not in said(app())


def test_at_most_six_facets_are_unfolded(empty):
    put(empty, {"a.md": {f"f{n}": True for n in range(9)}, "b.md": {f"f{n}": False for n in range(9)}})
    tab = app()
    assert len(titles(tab)) == 9
    assert [facet(tab, f"f{n}") != [] for n in range(9)] == [True] * 6 + [False] * 3
    assert facet(tab, "f0") == ["no · 1", "yes · 1"]
    tab.session_state["facet-field f8"] = True
    assert facet(tab.run(), "f8") == ["no · 1", "yes · 1"]


def test_blank_values_can_be_told_from_none(empty):
    put(empty, {"a.md": {"category": " "}, "b.md": {"category": "x"}, "c.md": {}})
    assert facet(app(), "category") == ["“ ” · 1", "x · 1", "(missing) · 1"]


def test_a_choice_in_a_field_that_is_read_otherwise_now_is_forgotten(zoo):
    tab = choose(app(), "year", 2024)
    assert len(listed(tab)) == 2
    zoo.set_field(FieldSpec("year", FieldType.DATE))
    tab.run()
    assert not tab.exception
    assert listed(tab) == list(ANIMALS)


def test_what_needs_attention_is_counted_marked_and_can_be_narrowed_to(empty):
    due, owner = FieldSpec("due", FieldType.DATE), FieldSpec("owner", FieldType.STRING, required=True)
    put(
        empty,
        {"a.md": {"due": "10/03/2024", "owner": "me"}, "b.md": {"due": "2024-03-10"}, "c.md": {"owner": "me"}},
        due,
        owner,
    )
    tab = app()
    assert "2 need attention" in said(tab)
    assert [list(state) for state in documents(tab).value["state"]] == [
        ["due does not fit"],
        ["owner is missing"],
        ["indexed"],
    ]
    colours = {option["value"]: option["color"] for option in configured(tab, "state")["type_config"]["options"]}
    assert colours["due does not fit"] == colours["owner is missing"] != colours["indexed"]
    assert facet(tab, "needs attention") == ["values do not fit · 1", "required missing · 1"]
    assert listed(choose(tab, "needs attention", "required missing")) == ["b.md"]


# ── one cell ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("type", "before", "typed", "value"),
    [
        ("string", "old", "new", "new"), ("integer", 1, 2, 2), ("number", 0.5, 1.25, 1.25), ("boolean", True, False, False),
        ("strings", ["a"], ["a", "b"], ("a", "b")), ("date", "2024-01-01", "2024-02-03", "2024-02-03"),
        ("datetime", "2024-01-01", "2024-02-03T10:20:30", "2024-02-03T10:20:30"), ("string", "old", None, None),
        ("string", "old", "", None), ("strings", ["a"], [], None), ("date", "2024-01-01", None, None),
    ],
)  # fmt: skip
def test_a_cell_is_written_at_once_and_nothing_else_is(empty, type, before, typed, value):
    other = {"thing": before, "kept": "as it is"}
    put(empty, {"a.md": other, "b.md": other}, FieldSpec("thing", FieldType(type)))
    untouched, index = empty.cells(), vectors(empty)
    tab = type_in(app(), {0: {"thing": typed}})
    now = empty.document("a.md").metadata.get("thing")
    assert (now.isoformat().removesuffix("T00:00:00") if hasattr(now, "isoformat") else now) == value
    a, b = empty.document("a.md").id, empty.document("b.md").id
    assert empty.cells()[b] == untouched[b]
    assert empty.cells()[a]["kept"] == untouched[a]["kept"]
    assert vectors(empty) == index
    assert "thing changed in a.md" in said(tab)
    press(tab, "Undo")
    assert empty.cells() == untouched


def test_a_change_shows_in_the_next_search(zoo):
    tab = app("search", q="what is it about", filter='{"category": "insect"}')
    assert "4 of 8 nodes match" in said(tab)
    type_in(app(), {2: {"category": "insect"}})
    assert "6 of 8 nodes match" in said(tab.run())


def test_several_cells_of_one_paste_are_one_step(zoo):
    tab = type_in(app(), {0: {"category": "x", "year": 1}, 1: {"category": "y"}})
    assert (held(zoo, "ant.md")["category"], held(zoo, "ant.md")["year"], held(zoo, "bee.md")["category"]) == (
        "x",
        1,
        "y",
    )
    assert "2 fields changed in 2 documents" in said(tab)
    press(tab, "Undo")
    assert held(zoo, "ant.md")["category"] == held(zoo, "bee.md")["category"] == "insect"


def test_what_was_typed_before_is_not_written_over_what_was_changed_since(zoo):
    """The table tells all that was typed and is not drawn as stored; only what is new in it counts."""
    tab = type_in(app(), {0: {"category": "x"}})
    zoo.edit({zoo.document("ant.md").id: {"category": "z"}})
    type_in(tab, {0: {"category": "x"}, 1: {"category": "y"}})
    assert (held(zoo, "ant.md")["category"], held(zoo, "bee.md")["category"]) == ("z", "y")


def test_a_value_that_is_there_already_is_no_step(zoo):
    tab = type_in(
        app(), {0: {"category": "insect", "tags": ["small", "six legs"], "published_at": "2023-05-01T00:00:00.000"}}
    )
    assert "changed" not in said(tab)


def test_a_value_that_does_not_fit_is_refused_with_the_reason_and_the_old_one_stays(empty):
    put(
        empty,
        {"a.md": {"level": "low", "copies": 3}},
        FieldSpec("level", FieldType.ENUM, allowed=("low", "high")),
        FieldSpec("copies", FieldType.INTEGER),
    )
    tab = app()
    key = documents(tab).key
    tab = type_in(tab, {0: {"level": "middle", "copies": 4}})
    assert any("'level': \"middle\" is not one of the allowed values" in notice for notice in notices(tab))
    assert (held(empty, "a.md")["level"], held(empty, "a.md")["copies"]) == ("low", 3)
    assert documents(tab).key != key, "the table forgets what was typed"
    tab = type_in(tab, {0: {"level": "high"}})
    assert notices(tab) == []
    assert held(empty, "a.md")["level"] == "high"


def test_every_type_has_its_editor(empty):
    types = {
        name: FieldSpec(name, FieldType(name))
        for name in ("string", "integer", "number", "boolean", "date", "datetime", "strings")
    }
    enum = FieldSpec("enum", FieldType.ENUM, allowed=("low", "high"), description="How *high* it is")
    values = {
        "string": "x",
        "integer": 2**60,
        "number": 0.5,
        "boolean": True,
        "date": "2024-01-01",
        "datetime": "2024-01-01T10:20:30",
        "strings": ["x"],
        "enum": "low",
    }
    put(empty, {"a.md": values}, enum, *types.values())
    tab = app()
    tab.multiselect(key="columns").set_value([*types, "enum"]).run()
    kinds = {name: configured(tab, name)["type_config"]["type"] for name in (*types, "enum")}
    assert kinds == {
        "string": "text", "integer": "text", "number": "number", "boolean": "checkbox", "date": "date",
        "datetime": "datetime", "strings": "multiselect", "enum": "selectbox",
    }  # fmt: skip
    assert documents(tab).value["integer"][0] == str(2**60), "a browser would round it"
    assert configured(tab, "enum")["type_config"]["options"] == ["low", "high"]
    assert plain(configured(tab, "enum")["help"]) == "How *high* it is"
    assert not any(configured(tab, name).get("disabled") for name in kinds)
    assert all(configured(tab, name)["disabled"] for name in ("name", "state"))


def test_fields_that_are_called_like_columns_of_ours_are_columns_too(empty):
    put(empty, {"a.md": {"name": "Anna", "state": "good", "tick": "tock", "_index": "i", "format": "A4"}})
    tab = app()
    tab.multiselect(key="columns").set_value(
        ["name (field)", "state (field)", "tick (field)", "_index (field)", "format (field)", "format"]
    ).run()
    (row,) = documents(tab).value.to_dict("records")
    assert (row["name"], row["name (field)"], row["format"], row["format (field)"]) == (
        "a.md",
        "Anna",
        "Markdown",
        "A4",
    )
    type_in(tab, {0: {"state (field)": "better", "tick (field)": "tack", "_index (field)": "j"}})
    assert held(empty, "a.md") == {"name": "Anna", "state": "better", "tick": "tack", "_index": "j", "format": "A4"}


def test_the_usual_columns_come_first_and_a_person_chooses_others(zoo):
    tab = app()
    assert order(tab)[:5] == ["category", "tags", "published_at", "year", "state"]
    tab.multiselect(key="columns").set_value(["year", "state"]).run()
    assert order(tab) == ["year", "state"]
    tab = go(go(tab, "search"), "documents")
    assert order(tab) == ["year", "state"], "the choice outlives the page"
    assert order(press(tab, "The usual ones"))[0] == "category"


def test_the_columns_to_begin_with_are_as_many_as_a_narrow_screen_has_room_for(empty):
    many = {"doc_type": "x", "category": "y", "tags": ["z"], "published_at": "2024-01-01", "author": "A", "year": 1}
    put(empty, {"a.md": many, "b.md": {"category": "y"}})
    assert order(app()) == ["doc_type", "category", "tags", "published_at", "state", "nodes"]
    empty.reset()
    put(empty, {"a.md": {"category": "x"}})
    assert order(app()) == ["category", "state", "nodes", "sentences", "format"]


def test_a_column_does_not_vanish_with_its_last_value(zoo):
    tab = app()
    tab = type_in(tab, {0: {"category": None}, 1: {"category": None}, 2: {"category": None}})
    assert "category" in order(tab)


def test_a_document_stays_in_sight_after_a_change_until_the_list_is_narrowed_anew(zoo):
    tab = choose(app(), "category", None)
    assert listed(tab) == ["dog.txt"]
    tab = type_in(tab, {0: {"category": "mammal"}})
    assert listed(tab) == ["dog.txt"]
    assert "(missing) · 0" in facet(tab, "category")
    tab = choose(tab, "category", "mammal")
    assert listed(tab) == ["cat.md", "dog.txt"]


def test_a_document_that_another_tab_has_deleted_meanwhile_is_left_out(zoo):
    tab = app()
    zoo.remove(zoo.document("ant.md").id)
    tab = type_in(tab, {0: {"category": "x"}, 1: {"category": "y"}})
    assert listed(tab) == ["bee.md", "cat.md", "dog.txt"]
    assert held(zoo, "bee.md")["category"] == "y", "rows are those that were seen"
    assert held(zoo, "cat.md")["category"] == "mammal"


# ── many rows ────────────────────────────────────────────────────────────────────────────────────


def test_words_are_added_to_the_ticked_documents_alone(zoo):
    tab = bulk(tick(app(), 0, 2), "tags", "Add", ["small", "new"])
    assert "Edit 2 documents" in [box.proto.popover.label for box in tab.get("popover")]
    tab = press(tab, "Apply to 2 documents")
    assert [info.metadata.get("tags") for info in zoo.documents()] == [
        ("small", "six legs", "new"),
        ("small",),
        ("pet", "small", "new"),
        (),
    ]
    assert "tags changed in 2 documents" in said(tab)
    press(tab, "Undo")
    assert [info.metadata.get("tags") for info in zoo.documents()] == [("small", "six legs"), ("small",), ("pet",), ()]


def test_words_are_taken_away_and_only_documents_that_have_them_are_changed(zoo):
    tab = press(bulk(app(), "tags", "Remove", ["small"]), "Apply to 2 documents")
    assert [info.metadata.get("tags") for info in zoo.documents()] == [("six legs",), None, ("pet",), ()]
    assert "tags changed in 2 documents" in said(tab)


def test_a_value_is_set_or_cleared_in_all_documents_that_are_shown(zoo):
    tab = bulk(choose(app(), "published_at", 2024), "category", "Set", "mammal")
    tab = press(tab, "Apply to 1 document")
    assert [info.metadata.get("category") for info in zoo.documents()] == ["insect", "mammal", "mammal", None]
    tab = press(bulk(press(tab, "facets-clear"), "category", "Clear"), "Apply to 3 documents")
    assert not [info for info in zoo.documents() if "category" in info.metadata]


def test_all_shown_can_be_changed_though_some_are_ticked(zoo):
    tab = tick(app(), 1)
    tab.button_group(key="bulk-all").set_value(True).run()
    press(bulk(tab, "author", "Set", "Ada"), "Apply to 4 documents")
    assert {info.metadata["author"] for info in zoo.documents()} == {"Ada"}


def test_what_would_change_nothing_cannot_be_applied(zoo):
    tab = bulk(app(), "tags", "Add")
    assert (tab.button(key="bulk-apply").label, tab.button(key="bulk-apply").disabled) == ("Choose a value", True)
    tab = bulk(tab, "tags", "Remove", ["nowhere"])
    assert (tab.button(key="bulk-apply").label, tab.button(key="bulk-apply").disabled) == ("Nothing would change", True)
    assert bulk(tab, "author", "Clear").button(key="bulk-apply").disabled


def test_only_lists_have_words_added_and_taken_away(zoo):
    tab = bulk(app(), "tags", "Set")
    assert tab.button_group(key="bulk-do-4").options == ["Add", "Remove", "Set", "Clear"]
    tab.selectbox(key="bulk-field").set_value("year").run()
    assert tab.button_group(key="bulk-do-2").options == ["Set", "Clear"]


def test_values_that_do_not_fit_can_be_cleared_from_many(empty):
    put(
        empty,
        {"a.md": {"due": "10/03/2024"}, "b.md": {"due": "2024-03-10"}, "c.md": {}},
        FieldSpec("due", FieldType.DATE),
    )
    before = empty.cells()
    tab = press(bulk(app(), "due", "Clear"), "Apply to 2 documents")
    assert "attention" not in said(tab)
    tab = press(tab, "Undo")
    assert empty.cells() == before
    assert "1 needs attention" in said(tab)


def test_many_documents_are_deleted_together_and_brought_back(zoo):
    nodes, cells = zoo.index().nodes, zoo.cells()
    tab = press(tick(open_row(app(), 0), 0, 3), "Delete 2 documents")
    assert listed(tab) == ["bee.md", "cat.md"]
    assert "2 documents were deleted." in said(tab)
    assert "#### ant.md" not in said(tab), "what is gone is closed"
    tab = press(tab, "Undo")
    assert listed(tab) == list(ANIMALS)
    assert (zoo.index().nodes, zoo.cells()) == (nodes, cells)


# ── the way back ─────────────────────────────────────────────────────────────────────────────────


def test_steps_are_undone_the_newest_first_through_edits_and_deletions(zoo):
    before = zoo.cells()
    tab = type_in(app(), {0: {"category": "x"}})
    tab = press(open_row(tab, 0), "delete-document")
    tab = type_in(tab, {0: {"category": "y"}})
    assert "category changed in bee.md" in said(tab)
    tab = press(tab, "Undo")
    assert "ant.md was deleted." in said(tab)
    tab = press(tab, "Undo")
    assert held(zoo, "ant.md")["category"] == "x"
    assert "category changed in ant.md" in said(tab)
    tab = press(tab, "Undo")
    assert zoo.cells() == before
    assert "undo" not in [button.key for button in tab.button]


def test_a_step_that_cannot_be_undone_says_why_and_stays(zoo):
    tab = press(open_row(app(), 0), "delete-document")
    put(zoo, {"ant.md": {}})
    tab = press(tab.run(), "Undo")
    assert any("'ant.md' has been added again since." in notice for notice in notices(tab))
    assert "ant.md was deleted." in said(tab)


def test_a_step_whose_documents_are_gone_is_forgotten(zoo):
    tab = type_in(app(), {0: {"category": "x"}})
    zoo.remove(zoo.document("ant.md").id)
    assert "undo" not in [button.key for button in tab.run().button]


def test_what_is_undone_after_a_change_of_type_is_read_in_the_new_one(empty):
    put(empty, {"a.md": {"year": "soon"}})
    tab = type_in(app(), {0: {"year": "2024"}})
    empty.set_field(FieldSpec("year", FieldType.INTEGER))
    tab = tab.run()
    assert "attention" not in said(tab)
    tab = press(tab, "Undo")
    assert [list(state) for state in documents(tab).value["state"]] == [["year does not fit"]]


def test_steps_belong_to_their_workspace(zoo):
    other = workspace.open(home.named("other"), lambda name: BagEncoder())
    put(other, {"z.md": {"category": "other"}})
    tab = type_in(app(), {0: {"category": "x"}})
    tab = press(choose(tab, "category", "x"), f"open-{home.named('other')}")
    assert listed(tab) == ["z.md"]
    assert "undo" not in [button.key for button in tab.button]


# ── the form ─────────────────────────────────────────────────────────────────────────────────────


EVERY = {
    "text": (FieldSpec("text", FieldType.STRING), "old", "new"),
    "long": (FieldSpec("long", FieldType.STRING), "line\n" * 30, "one line"),
    "level": (FieldSpec("level", FieldType.ENUM, allowed=("low", "high")), "low", "high"),
    "copies": (FieldSpec("copies", FieldType.INTEGER), 3, 4),
    "cost": (FieldSpec("cost", FieldType.NUMBER), 0.125, 2.5),
    "public": (FieldSpec("public", FieldType.BOOLEAN), True, False),
    "words": (FieldSpec("words", FieldType.STRINGS), ["a", "b"], ["b"]),
}


@pytest.mark.parametrize("name", EVERY)
def test_a_field_of_every_type_is_shown_and_saved(empty, name):
    spec, before, after = EVERY[name]
    put(empty, {"a.md": {name: before, "kept": "as it is"}}, spec)
    cells, index = empty.cells(), vectors(empty)
    tab = open_row(app(), 0)
    assert entry(tab, empty, "a.md", name).value == before
    entry(tab, empty, "a.md", name).set_value(after)
    tab = press(tab, "Save")
    expected = tuple(after) if isinstance(after, list) else after
    assert held(empty, "a.md") == {name: expected, "kept": "as it is"}
    assert entry(tab, empty, "a.md", name).value == after
    assert plain(entry(tab, empty, "a.md", name).label).endswith("edited here]")
    assert f"{name} changed in a.md" in said(tab)
    tab = press(tab, "Undo")
    assert empty.cells() == cells
    assert entry(tab, empty, "a.md", name).value == before
    assert vectors(empty) == index


@pytest.mark.parametrize(
    ("given", "kind", "changed", "value"),
    [
        ("2024-01-02", "date_input", "2024-03-04", "2024-03-04T00:00:00"),
        ("2024-01-02T10:20:00", "datetime_input", "2024-03-04T11:00:00", "2024-03-04T11:00:00"),
        ("2024-01-02T10:20:30", "text_input", "2024-03-04T11:00:01", "2024-03-04T11:00:01"),
    ],
)
def test_a_time_is_shown_as_exactly_as_it_is(empty, given, kind, changed, value):
    from datetime import date, datetime

    put(empty, {"a.md": {"when": given}}, FieldSpec("when", FieldType.DATETIME))
    tab = open_row(app(), 0)
    found = entry(tab, empty, "a.md", "when")
    assert found in list(getattr(tab, kind))
    made = {"date_input": date.fromisoformat, "datetime_input": datetime.fromisoformat, "text_input": str}[kind]
    assert found.value == made(given)
    found.set_value(made(changed))
    press(tab, "Save")
    assert held(empty, "a.md")["when"].isoformat() == value


def test_saving_writes_what_was_changed_alone(empty):
    awkward = {
        "words": ["a", "a", ""],
        "lines": "one\r\ntwo",
        "blank": "",
        "huge": 2**60,
        "tiny": 1e-9,
        "when": "2024-01-02T10:20:30.123456Z",
        "due": "10/03/2024",
    }
    put(
        empty,
        {"a.md": {**awkward, "text": "old"}},
        FieldSpec("when", FieldType.DATETIME),
        FieldSpec("due", FieldType.DATE),
    )
    before = empty.cells()[empty.document("a.md").id]
    tab = press(open_row(app(), 0), "Save")
    assert "changed" not in said(tab)
    entry(tab, empty, "a.md", "text").set_value("new")
    press(tab, "Save")
    after = empty.cells()[empty.document("a.md").id]
    assert {name for name in after if after[name] != before[name]} == {"text"}


def test_what_the_form_is_refused_is_said_in_it_and_what_was_typed_stays(empty):
    put(empty, {"a.md": {"when": "2024-01-02T10:20:30", "text": "old"}}, FieldSpec("when", FieldType.DATETIME))
    tab = open_row(app(), 0)
    entry(tab, empty, "a.md", "when").set_value("half past ten")
    entry(tab, empty, "a.md", "text").set_value("new")
    tab = press(tab, "Save")
    assert any("'when': \"half past ten\" is no date" in notice for notice in notices(tab))
    assert held(empty, "a.md")["text"] == "old", "all or nothing"
    assert entry(tab, empty, "a.md", "text").value == "new"
    entry(tab, empty, "a.md", "when").set_value("2024-01-02T10:30:01")
    tab = press(tab, "Save")
    assert notices(tab) == []
    assert held(empty, "a.md")["text"] == "new"


def test_fields_without_a_value_are_folded_away_unless_they_are_required(empty):
    put(empty, {"a.md": {"category": "x"}}, FieldSpec("owner", FieldType.STRING, required=True))
    tab = open_row(app(), 0)
    (folded,) = (box for box in tab.expander if "more field" in box.label)
    assert folded.label == "12 more fields"
    inside = [
        plain(box.label) for box in (*folded.text_input, *folded.selectbox, *folded.multiselect, *folded.date_input)
    ]
    assert len(inside) == 12
    assert "owner *" not in inside
    assert plain(entry(tab, empty, "a.md", "owner").label) == "owner *"
    assert "required, and missing" in said(tab)


def test_a_description_helps_and_a_default_is_shown_as_one(empty):
    fields = (
        FieldSpec("level", FieldType.ENUM, allowed=("low", "high"), default="low", description="How *high*"),
        FieldSpec("public", FieldType.BOOLEAN, default=False),
        FieldSpec("due", FieldType.DATE, default="2024-01-01"),
    )
    put(empty, {"a.md": {}}, *fields)
    tab = open_row(app(), 0)
    assert entry(tab, empty, "a.md", "level").value is None, "a default is not this document's"
    assert plain(entry(tab, empty, "a.md", "level").help) == "How *high*"
    assert entry(tab, empty, "a.md", "level").placeholder == "default: low"
    assert entry(tab, empty, "a.md", "public").placeholder == "default: no"
    assert "default: 2024-01-01" in said(tab)
    entry(tab, empty, "a.md", "level").set_value("high")
    tab = press(tab, "Save")
    assert held(empty, "a.md")["level"] == "high"
    entry(tab, empty, "a.md", "level").set_value(None)
    tab = press(tab, "Save")
    assert held(empty, "a.md")["level"] == "low"


def test_what_was_given_and_does_not_fit_is_told_with_the_reason_and_can_be_put_right(empty):
    put(empty, {"a.md": {"due": "10/03/2024"}, "b.md": {"due": "10/03/2024"}}, FieldSpec("due", FieldType.DATE))
    tab = open_row(app(), 0)
    assert 'given: "10/03/2024" leaves the order of day and month unclear' in said(tab)
    from datetime import date

    entry(tab, empty, "a.md", "due").set_value(date(2024, 3, 10))
    tab = press(tab, "Save")
    assert held(empty, "a.md")["due"].isoformat() == "2024-03-10T00:00:00"
    assert "given:" not in said(tab)
    tab = press(tab, "Undo")
    assert 'given: "10/03/2024"' in said(tab)


def test_what_does_not_fit_can_be_taken_away(empty):
    put(empty, {"a.md": {"due": "10/03/2024"}}, FieldSpec("due", FieldType.DATE))
    tab = open_row(app(), 0)
    next(box for box in tab.checkbox if box.label == "Take away what was given").check()
    tab = press(tab, "Save")
    cell = empty.cells()[empty.document("a.md").id].get("due")
    assert cell is None or (cell.raw, cell.misfit) == (None, "")
    assert "attention" not in said(tab)


def test_values_of_other_documents_are_offered(zoo):
    tab = open_row(app(), 3)
    assert entry(tab, zoo, "dog.txt", "category").options == ["insect", "mammal"]
    assert entry(tab, zoo, "dog.txt", "tags").options == ["small", "pet", "six legs"]
    write_in(entry(tab, zoo, "dog.txt", "category"), "reptile")
    press(tab, "Save")
    assert held(zoo, "dog.txt")["category"] == "reptile"


def test_a_field_can_be_added_from_the_form(zoo):
    tab = press(open_row(app(), 0), "metadata-schema")
    assert [box.label for box in tab.button if box.key == "schema-add"] == ["Add a field"]


# ── hostile metadata ─────────────────────────────────────────────────────────────────────────────


def test_hostile_fields_and_values_stay_text_everywhere(empty):
    field = FieldSpec(HOSTILE, FieldType.STRINGS, required=True, description=HOSTILE)
    level = FieldSpec("level", FieldType.ENUM, allowed=(HOSTILE, "low"), default=HOSTILE, description=HOSTILE)
    files = {
        f"{HOSTILE}.md": {HOSTILE: [HOSTILE, "b"], "category": HOSTILE},
        "b.md": {"category": "x", "level": f"no {HOSTILE}"},
    }
    put(empty, files, field, level)
    tab = check(app())
    assert any(label.startswith(HOSTILE[:20]) for label in facet(tab, "category"))
    tab = check(choose(tab, "category", HOSTILE))
    assert listed(tab) == [f"{HOSTILE}.md"]
    tab = check(open_row(tab, 0))
    tab = check(type_in(tab, {0: {HOSTILE: [f"new {HOSTILE}"]}}))
    assert empty.document(f"{HOSTILE}.md").metadata[HOSTILE] == (f"new {HOSTILE}",)
    assert f"{HOSTILE[:20]}" in said(tab)
    check(bulk(tab, HOSTILE, "Add", [f"more {HOSTILE}"]))
    tab = check(open_row(press(tab, "facets-clear"), 1))
    assert "given:" in said(tab)
    check(type_in(tab, {0: {"level": f"no {HOSTILE}"}} if "level" in order(tab) else {}))
