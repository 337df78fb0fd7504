"""Fields that change: what was given is never lost, and filters always agree with the types as they are now."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.errors import InvalidMetadata
from core.filters import OPERATORS, Condition, FieldType, Filter, Not, Op, from_json
from core.ingest import Upload
from core.metadata import FindingKind
from core.metadata.fixes import FillMissing
from core.metadata.values import Misfit, typed_value
from core.settings import SearchSettings
from core.store.base import RESERVED
from core.types import DateOrder, FieldSpec
from core.workspace import Workspace
from tests.core.drops import drop, sidecar, text
from tests.core.test_filters import holds

SHAPES: tuple[object, ...] = (
    0, 1, 7, -3, 2**53 + 1, 2**63, 2.5, 3.0, -0.0, 1e300, True, False, "", " ", "7", "007", "2.5", "1e5", "true", "No", "yes", "x", "X",
    "2024-03-10", "2024-03-10T23:30:00Z", "2024-03-11T00:30:00+01:00", "10/03/2024", "25-11-2025", "2024-02-30", 1710113400, "1710113400",
    ["x", "y"], ["x"], [], [1, "1"], ["x", None], [["x"]], {"x": 1}, "O'Brien", "x') OR 1=1 --", "a\x00b", "\ud800", ["\ud800"], "é", "e\u0301",
    "名前", "n/a", "2024", 20240310, "31/12/2024 09:30",
)  # fmt: skip
"""What people write into one field."""

NAME = "f'; DROP TABLE given; --"


@pytest.fixture(scope="module")
def shaped(tmp_path_factory):
    """A document for each of those values, and one without any; the field's types change with every example."""
    from core.store.duckdb import DuckStore
    from tests.fakes import BagEncoder

    workspace = Workspace(DuckStore(tmp_path_factory.mktemp("shapes") / "w.duckdb"), lambda name: BagEncoder())
    workspace.set_field(FieldSpec(NAME, FieldType.STRING))
    uploads = [text("none.txt", "Without any.")]
    for number, shape in enumerate(SHAPES):
        uploads += [text(f"{number:02}.txt", f"Text {number}."), sidecar(f"{number:02}.txt", **{NAME: shape})]
    drop(workspace, *uploads)
    yield workspace
    workspace.store.close()


def raws(workspace: Workspace) -> str:
    """Everything that was given, so that 1, 1.0 and true differ."""
    rows = workspace.cells(NAME)
    held = {doc_id: row[NAME].raw for doc_id, row in rows.items() if NAME in row}
    return json.dumps({doc_id: raw for doc_id, raw in held.items() if raw is not None}, sort_keys=True)


def state(workspace: Workspace) -> dict[str, object]:
    return {info.name: info.metadata.get(NAME) for info in workspace.documents()}


TYPES = st.one_of(
    st.sampled_from([FieldSpec(NAME, kind) for kind in FieldType if kind is not FieldType.ENUM]),
    st.builds(
        lambda kind, order: FieldSpec(NAME, kind, date_order=order),
        st.sampled_from([FieldType.DATE, FieldType.DATETIME]), st.sampled_from(DateOrder),
    ),
    st.builds(
        lambda kind, allowed: FieldSpec(NAME, kind, allowed=allowed),
        st.sampled_from([FieldType.ENUM, FieldType.STRING, FieldType.STRINGS]),
        st.lists(st.sampled_from(["x", "y", "7", "true", "é", "", "10/03/2024"]), min_size=1, max_size=3, unique=True).map(tuple),
    ),
    st.sampled_from(
        [
            FieldSpec(NAME, FieldType.INTEGER, default=7),
            FieldSpec(NAME, FieldType.STRINGS, default=("x", "new")),
            FieldSpec(NAME, FieldType.DATE, default=datetime(2024, 3, 10)),
            FieldSpec(NAME, FieldType.BOOLEAN, default=False),
        ]
    ),
)  # fmt: skip


def filters(spec: FieldSpec, values: list[object]) -> list[Filter]:
    """Every operator with values that stand there, as a person would take them from the list."""
    found: list[Filter] = []
    scalars = [v for v in values if not isinstance(v, tuple)][:4]
    lists = [v for v in values if isinstance(v, tuple)][:3]
    for op in OPERATORS[spec.type]:
        match op:
            case Op.IS_NULL | Op.NOT_NULL:
                found.append(Condition(NAME, op))
            case Op.BETWEEN:
                found += [Condition(NAME, op, tuple(sorted((a, b)))) for a in scalars[:2] for b in scalars[:2]]
            case Op.IN | Op.NOT_IN:
                found += [Condition(NAME, op, tuple(scalars)), Condition(NAME, op, ())]
            case Op.CONTAINS_ALL | Op.CONTAINS_ANY:
                found += [Condition(NAME, op, value) for value in (*lists, ("x",))]
            case Op.MATCHES:
                found.append(Condition(NAME, op, "[0-9]"))
            case _:
                found += [Condition(NAME, op, v) for v in (lists if spec.type is FieldType.STRINGS else scalars)]
    return [*found, *(Not(part) for part in found[:3]), *(replace(part, missing="include") for part in found[:3])]


@settings(max_examples=16, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TYPES, min_size=1, max_size=4))
@example([FieldSpec(NAME, kind) for kind in FieldType if kind is not FieldType.ENUM])
@example([FieldSpec(NAME, FieldType.DATE, date_order=order) for order in DateOrder])
def test_whatever_types_a_field_goes_through_nothing_is_lost_and_filters_say_what_its_values_are(shaped, specs):
    given_, plain = raws(shaped), FieldSpec(NAME, FieldType.STRING)
    shaped.set_field(plain)
    former = state(shaped)
    for spec in specs:
        told = shaped.set_field(spec)
        assert raws(shaped) == given_
        assert spec in shaped.fields()
        cells = {doc_id: row[NAME] for doc_id, row in shaped.cells(NAME).items() if NAME in row}
        assert told == sum(bool(cell.misfit) for cell in cells.values())
        values: dict[str, object] = {}
        for info in shaped.documents():
            cell = cells.get(info.id)
            raw = None if cell is None else cell.raw
            says = typed_value(raw, spec.type, date_order=spec.date_order, allowed=spec.allowed)
            held = None if isinstance(says, Misfit) else spec.default if raw is None else says
            assert info.metadata.get(NAME) == (cell.value if cell else None) == held
            assert (cell.misfit if cell else "") == (says.reason if isinstance(says, Misfit) else "")
            values[info.name] = held
        present = list(dict.fromkeys(v for v in values.values() if v is not None))
        for where in filters(spec, present):
            passing = sorted(name for name, value in values.items() if holds(where, {NAME: value}))
            assert [info.name for info in shaped.documents(where)] == passing, where
            assert shaped.count(where)[0] == len(passing), where
    shaped.set_field(plain)
    assert state(shaped) == former


def test_the_same_answers_come_after_closing_and_opening(tmp_path):
    from core import workspace as workspaces
    from tests.fakes import BagEncoder

    path = tmp_path / "w.duckdb"
    spec = FieldSpec(
        "when", FieldType.DATE, required=True, default=datetime(2020, 1, 1), description="Day", date_order=DateOrder.DAY_FIRST
    )  # fmt: skip
    made = workspaces.open(path, lambda name: BagEncoder())
    drop(made, text("a.txt", "One."), sidecar("a.txt", when="10/03/2024"), text("b.txt", "Two."))
    made.set_field(spec)
    before = (made.fields(), made.cells(), made.documents())
    workspaces.close(path)
    made = workspaces.open(path, lambda name: BagEncoder())
    assert (made.fields(), made.cells(), made.documents()) == before
    assert made.document("a.txt").metadata == {"when": datetime(2024, 3, 10)}
    assert made.document("b.txt").metadata == {"when": datetime(2020, 1, 1)}
    assert made.fields()[-1] == spec
    workspaces.close(path)


def test_day_and_month_are_read_in_the_order_chosen_and_unread_without_one(workspace):
    drop(
        workspace,
        text("a.txt", "One."),
        sidecar("a.txt", when="10/03/2024"),
        text("b.txt", "Two."),
        sidecar("b.txt", when="25/12/2024"),
    )
    when = FieldSpec("when", FieldType.DATE)
    assert workspace.set_field(when) == 2
    assert workspace.documents(from_json({"field": "when", "op": "not_null"})) == []
    assert workspace.set_field(replace(when, date_order=DateOrder.DAY_FIRST)) == 0
    march = from_json({"when": "2024-03-10"})
    assert [info.name for info in workspace.documents(march)] == ["a.txt"]
    assert workspace.set_field(replace(when, date_order=DateOrder.MONTH_FIRST)) == 1
    assert workspace.documents(march) == []
    assert [info.name for info in workspace.documents(from_json({"when": "2024-10-03"}))] == ["a.txt"]


def test_an_enum_holds_what_it_allows_and_names_what_may_be_meant(workspace):
    drop(
        workspace,
        text("a.txt", "One."),
        sidecar("a.txt", status="draft"),
        text("b.txt", "Two."),
        sidecar("b.txt", status="drafft"),
    )
    status = FieldSpec("status", FieldType.ENUM, allowed=("draft", "final"))
    assert workspace.set_field(status) == 1
    (misfit,) = [row["status"].misfit for row in workspace.cells("status").values() if row["status"].misfit]
    assert 'did you mean "draft"?' in misfit
    assert [info.name for info in workspace.documents(from_json({"status": "draft"}))] == ["a.txt"]
    assert workspace.set_field(replace(status, allowed=("draft", "drafft"))) == 0
    assert [info.name for info in workspace.documents(from_json({"status": "drafft"}))] == ["b.txt"]
    (again,) = drop(workspace, text("c.txt", "Three."), sidecar("c.txt", status="done")).values()
    assert any("is not one of the allowed values" in notice for notice in again.notices)


def test_a_default_is_what_documents_without_a_value_have_those_to_come_too(workspace):
    drop(workspace, text("a.txt", "One here."), sidecar("a.txt", level="secret"), text("b.txt", "Two here."))
    level = FieldSpec("level", FieldType.STRING, required=True, default="public")
    workspace.set_field(level)
    drop(workspace, text("c.txt", "Three here."), text("d.txt", "Four here."), sidecar("d.txt", level=["odd"]))
    public = from_json({"level": "public"})
    assert [info.name for info in workspace.documents(public)] == ["b.txt", "c.txt"]
    assert {hit.name for hit in workspace.search("here", SearchSettings(k=9), public).hits} == {"b.txt", "c.txt"}
    assert workspace.store.values("level", 5) == [("public", 2), ('["odd"]', 1), ("secret", 1)]
    missing = [each for each in workspace.lint().findings if each.kind is FindingKind.MISSING_REQUIRED]
    assert [(each.files, each.blocks, each.fix) for each in missing] == [
        (("b.txt", "c.txt"), False, FillMissing("level", "public"))
    ]
    workspace.set_field(replace(level, default=None))
    assert workspace.documents(public) == []
    assert [each.blocks for each in workspace.lint().findings if each.kind is FindingKind.MISSING_REQUIRED] == [True]
    workspace.set_field(replace(level, default="open"))
    assert [info.metadata["level"] for info in workspace.documents()] == ["secret", "open", "open", '["odd"]']


def test_a_default_goes_with_its_field_to_another_type_or_the_change_is_refused_whole(workspace):
    drop(workspace, text("a.txt", "One."))
    day = FieldSpec("day", FieldType.DATE, default=datetime(2024, 3, 10))
    workspace.set_field(day)
    workspace.set_field(replace(day, type=FieldType.STRING))
    assert workspace.document("a.txt").metadata == {"day": "2024-03-10"}
    text_ = workspace.fields()[-1]
    workspace.set_field(replace(text_, type=FieldType.DATE))
    assert workspace.fields()[-1] == day
    before = workspace.fields(), workspace.documents(), workspace.store.changes
    with pytest.raises(InvalidMetadata, match="The default of 'day' does not fit"):
        workspace.set_field(replace(day, type=FieldType.BOOLEAN))
    assert (workspace.fields(), workspace.documents(), workspace.store.changes) == before


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        *((FieldSpec(name, FieldType.STRING), "set by the system") for name in sorted(RESERVED)),
        (FieldSpec("", FieldType.STRING), "needs a name"),
        (FieldSpec(" \t", FieldType.STRING), "needs a name"),
        (FieldSpec("x\ud800", FieldType.STRING), "half a character"),
        (FieldSpec("a\x00b", FieldType.STRING), "half a character"),
        (FieldSpec("x", FieldType.ENUM), "allows nothing"),
        (FieldSpec("x", FieldType.INTEGER, default="many"), "no whole number"),
        (FieldSpec("x", FieldType.ENUM, default="c", allowed=("a", "b")), "not one of the allowed"),
        (FieldSpec("x", FieldType.STRING, description="\udfff"), "half a character"),
        (FieldSpec("x", FieldType.ENUM, allowed=("a", "\ud800")), "half a character"),
        (FieldSpec("x", FieldType.STRING, default="\ud800"), "lone surrogate"),
    ],
)
def test_a_field_that_cannot_be_is_refused_and_nothing_changes(workspace, spec, told):
    before = workspace.fields(), workspace.store.changes
    with pytest.raises(InvalidMetadata, match=told):
        workspace.set_field(spec)
    assert (workspace.fields(), workspace.store.changes) == before


ODD = [
    "x y",
    "Ünï",
    'a"b',
    "x'; DROP TABLE documents; --",
    "select",
    "doc",
    "layout",
    "SELECT",
    "Author",
    "author",
    "AUTHOR",
    "a.b",
    "名",
    "🎈",
    "_",
    "1",
    "x" * 300,
]


def test_a_field_may_be_called_anything_else_and_each_is_its_own(workspace):
    drop(
        workspace,
        text("a.txt", "One."),
        Upload("a.txt.meta.json", json.dumps({name: f"value of {name}" for name in ODD}).encode()),
    )
    for name in ODD:
        workspace.set_field(FieldSpec(name, FieldType.STRINGS, description=name))
    assert workspace.document("a.txt").metadata == {name: (f"value of {name}",) for name in ODD}
    for name in ODD:
        has = Condition(name, Op.CONTAINS_ANY, (f"value of {name}",))
        assert [info.name for info in workspace.documents(has)] == ["a.txt"]
        workspace.set_field(FieldSpec(name, FieldType.STRING))
    assert workspace.document("a.txt").metadata == {name: f"value of {name}" for name in ODD}


def test_a_field_without_a_name_that_a_file_brought_can_be_retyped(workspace):
    drop(workspace, text("a.txt", "One."), sidecar("a.txt", **{"": "7", " ": "8"}))
    for name in ("", " "):
        workspace.set_field(FieldSpec(name, FieldType.INTEGER))
    assert workspace.document("a.txt").metadata == {"": 7, " ": 8}


def test_a_proposed_type_is_confirmed_by_setting_it_and_widens_no_more(workspace):
    drop(workspace, text("a.txt", "One."), sidecar("a.txt", n=3))
    (spec,) = [spec for spec in workspace.fields() if spec.name == "n"]
    assert not spec.confirmed
    workspace.set_field(replace(spec, confirmed=True))
    (result,) = drop(workspace, text("b.txt", "Two."), sidecar("b.txt", n=3.5)).values()
    assert any("3.5 is no whole number" in notice for notice in result.notices)
    assert [info.metadata for info in workspace.documents()] == [{"n": 3}, {}]
