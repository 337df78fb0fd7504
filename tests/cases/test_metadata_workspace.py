"""Faults of other tools that keep metadata, each through the whole workspace: added, typed, filtered, searched."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime

import pytest

from core.errors import InvalidFilter
from core.filters import EVERYTHING, Condition, FieldType, Filter, Not, Op, from_json
from core.ingest import Status, Upload
from core.metadata import FindingKind, SetType
from core.metadata.fixes import RenameKey
from core.settings import SearchSettings
from core.types import DateOrder, FieldSpec
from core.workspace import Workspace
from tests.conftest import CASE_INPUTS
from tests.core.drops import drop, sidecar, text
from tests.core.test_ingest_metadata import rows_of_every_table

HALF_PAST_ELEVEN = datetime(2024, 3, 10, 23, 30)


def rows(name: str) -> dict[str, dict[str, object]]:
    """Each document's metadata by its letter."""
    return {row.pop("doc"): row for row in json.loads((CASE_INPUTS / name).read_text(encoding="utf-8"))}


def fill(workspace: Workspace, given: dict[str, dict[str, object]]) -> None:
    """A document for each row, all in one drop; a null in a row is written as one."""
    uploads = []
    for name, row in given.items():
        sidecar_ = Upload(f"{name}.txt.meta.json", json.dumps(row).encode())
        uploads += [text(f"{name}.txt", f"Document {name} is here."), sidecar_]
    assert {result.status for result in drop(workspace, *uploads).values()} == {Status.ADDED}


@pytest.fixture
def found(workspace: Workspace) -> Callable[..., set[str]]:
    """The letters of the documents that pass a filter; the list, the count and the search say the same."""

    def ask(where: object) -> set[str]:
        filter_: Filter = where if isinstance(where, (Condition, Not)) else from_json(where)
        listed = {info.name.removesuffix(".txt") for info in workspace.documents(filter_)}
        result = workspace.search("document", SearchSettings(k=100), filter_)
        assert {hit.name.removesuffix(".txt") for hit in result.hits} == listed
        assert workspace.count(filter_) == (len(listed), result.total)
        return listed

    return ask


def misfits(workspace: Workspace, field: str) -> dict[str, str]:
    """Why values of a field do not fit, by letter."""
    cells = workspace.cells(field)
    reasons = {info.name.removesuffix(".txt"): cells[info.id].get(field) for info in workspace.documents()}
    return {name: cell.misfit for name, cell in reasons.items() if cell and cell.misfit}


def type_of(workspace: Workspace, field: str) -> FieldType:
    return next(spec.type for spec in workspace.fields() if spec.name == field)


@pytest.mark.parametrize("kind", [None, FieldType.INTEGER, FieldType.NUMBER])
def test_numbers_in_text_compare_as_numbers_and_a_word_is_listed(workspace, found, kind):
    """M01"""
    fill(workspace, rows("meta_mixed_types.json"))
    if kind:
        workspace.set_field(FieldSpec("year", kind))
    assert type_of(workspace, "year") == (kind or FieldType.INTEGER)
    assert (
        found({"field": "year", "op": ">=", "value": 10})
        == found({"field": "year", "op": ">", "value": 9})
        == {"b", "c"}
    )
    assert found({"field": "year", "op": "<", "value": 10}) == {"a"}
    assert set(misfits(workspace, "year")) == {"f"}
    assert '"n/a" is no' in misfits(workspace, "year")["f"]
    assert found({"field": "year", "op": "is_null"}) == {"d", "e", "f"}
    assert found({"field": "price", "op": "between", "value": [7, 12.5]}) == {"a", "b"}


def test_false_is_false_however_it_is_written(workspace, found):
    """M02"""
    fill(workspace, rows("meta_mixed_types.json"))
    assert type_of(workspace, "draft") is FieldType.BOOLEAN
    assert found({"draft": True}) == {"a", "b", "f"}
    assert found({"draft": False}) == {"c", "d"}
    assert misfits(workspace, "draft") == {}


def test_what_is_not_equal_keeps_documents_without_a_value_and_is_the_complement(workspace, found):
    """M03"""
    fill(workspace, {"a": {"lang": "en"}, "b": {"lang": "de"}, "c": {"lang": None}, **{f"n{i}": {} for i in range(9)}})
    differs = {"field": "lang", "op": "!=", "value": "en"}
    assert len(found(differs)) == 11
    assert found({**differs, "missing": "exclude"}) == {"b"}
    assert found(differs) == found({"not": {"lang": "en"}})
    assert found({"not": differs}) == {"a"}
    (lang,) = [each for each in workspace.lint().coverage if each.field == "lang"]
    assert (lang.present, lang.documents) == (2, 12)


@pytest.mark.parametrize(
    "written",
    ["2024-03-10T23:30:00+00:00", "2024-03-10T23:30:00Z", "2024-03-11T00:30:00+01:00", "2024-03-10 18:30:00-05:00"],
)
def test_the_same_instant_is_equal_in_every_spelling(workspace, found, written):
    """M05"""
    fill(workspace, rows("meta_dates.json"))
    assert type_of(workspace, "when") is FieldType.DATETIME
    assert found({"when": written}) == found({"field": "when", "op": "in", "value": [written]}) == {"a", "b", "c", "e"}
    assert found({"field": "when", "op": ">=", "value": "2024-03-10T20:00Z"}) == {"a", "b", "c", "e"}
    assert found({"when": "2024-03-10"}) == {"d"}, "a day alone is its midnight in UTC"


def test_dates_that_are_unclear_or_impossible_are_listed_and_lost_to_no_search(workspace, found):
    """M07"""
    fill(workspace, rows("meta_dates.json"))
    assert workspace.document("e.txt").metadata == {"when": HALF_PAST_ELEVEN}
    assert set(misfits(workspace, "when")) == {"f", "g", "h"}
    assert "choose day first or month first" in misfits(workspace, "when")["f"]
    assert len(workspace.search("document", SearchSettings(k=100), EVERYTHING).hits) == 8
    assert workspace.raws()["f.txt"] == {"when": "10/03/2024"}
    workspace.set_field(FieldSpec("when", FieldType.DATE, date_order=DateOrder.DAY_FIRST))
    assert found({"when": "2024-03-10"}) == {"a", "b", "c", "d", "e", "f"}
    assert set(misfits(workspace, "when")) == {"g", "h"}
    workspace.set_field(FieldSpec("when", FieldType.DATE, date_order=DateOrder.MONTH_FIRST))
    assert found({"when": "2024-10-03"}) == {"f"}
    workspace.set_field(FieldSpec("when", FieldType.STRING))
    assert misfits(workspace, "when") == {}
    assert found({"when": "10/03/2024"}) == {"f"}
    assert found({"when": ""}) == {"h"}


def test_every_odd_key_can_be_retyped_and_filtered_by_and_none_reaches_the_sql(workspace, found):
    """M08"""
    (given,) = json.loads((CASE_INPUTS / "meta_odd_keys.json").read_text(encoding="utf-8"))
    fill(workspace, {"a": given, "b": {}})
    before = rows_of_every_table(workspace)
    for key in given:
        kind = type_of(workspace, key)
        for other in (FieldType.STRINGS, FieldType.STRING, kind):
            workspace.set_field(FieldSpec(key, other))
        value = workspace.document("a.txt").metadata[key]
        assert found(Condition(key, Op.EQ, value)) == {"a"}, key
        assert found(Not(Condition(key, Op.EQ, value))) == {"b"}, key
        workspace.undo(workspace.edit({workspace.document("b.txt").id: {key: given[key]}}))
    assert rows_of_every_table(workspace) == before
    assert workspace.raws()["a.txt"] == given


def test_values_with_quotes_are_values_and_a_text_is_no_list(workspace, found):
    """M09"""
    given = rows("meta_values.json")
    fill(workspace, given)
    assert found({"who": "O'Brien"}) == {"a"}
    assert found({"who": "x') OR 1=1 --"}) == {"d"}
    assert found({"field": "who", "op": "contains", "value": "100%_"}) == {"b"}
    assert found({"who": ""}) == {"e"}
    assert found({"field": "who", "op": "is_null"}) == {"f", "g"}
    with pytest.raises(InvalidFilter, match="takes a list"):
        found({"field": "who", "op": "in", "value": "Émile"})
    assert found({"field": "who", "op": "in", "value": [given["h"]["who"]]}) == {"h"}
    for where in ("x') OR 1=1 --", "'; DROP TABLE given; --", '" OR ""="'):
        assert found({"who": where}) <= {"d"}
    near = [each.fix for each in workspace.lint().findings if each.kind is FindingKind.NEAR_DUPLICATE_VALUES]
    assert len(near) == 2
    workspace.fix([fix for fix in near if fix])
    assert found({"who": "O'Brien"}) == {"a", "j"}, "blanks are trimmed where a person says so"
    assert {frozenset(found({"who": given[name]["who"]})) for name in "hi"} == {frozenset({"h", "i"}), frozenset()}


def test_keys_that_differ_in_case_are_three_fields_until_a_person_merges_them(workspace, found):
    """M11"""
    fill(workspace, {"1": {"Author": "X"}, "2": {"author": "Y"}, "3": {"AUTHOR": "Z"}})
    assert (found({"Author": "X"}), found({"author": "Y"}), found({"AUTHOR": "Z"})) == ({"1"}, {"2"}, {"3"})
    edited = workspace.fix([RenameKey("Author", "author"), RenameKey("AUTHOR", "author")])
    assert [found({"author": value}) for value in "XYZ"] == [{"1"}, {"2"}, {"3"}]
    workspace.undo(edited)
    assert workspace.raws() == {"1.txt": {"Author": "X"}, "2.txt": {"author": "Y"}, "3.txt": {"AUTHOR": "Z"}}
    assert (found({"Author": "X"}), found({"author": "X"}), found({"AUTHOR": "Z"})) == ({"1"}, set(), {"3"})


def test_a_single_text_is_one_tag_and_empty_is_not_missing(workspace, found):
    """M13"""
    fill(workspace, rows("meta_lists_nested.json"))
    for op in ("contains_any", "contains_all"):
        assert found({"field": "tags", "op": op, "value": ["x"]}) == {"a", "b"}
    assert found({"field": "tags", "op": "=", "value": []}) == {"c"}
    assert found({"field": "tags", "op": "is_null"}) == {"e", "f"}
    assert set(misfits(workspace, "tags")) == {"f"}
    assert workspace.document("g.txt").metadata == {"tags": ("1", "1")}
    assert workspace.raws()["g.txt"] == {"tags": [1, "1", None]}
    assert workspace.store.values("tags", 9) == [("x", 2), ("1", 1), ("xy", 1), ("y", 1)]


FIRST = {"id": "007", "when": "25-11-2025", "flag": 1}
SECOND = {"id": "A1", "when": "n/a", "flag": "yes"}


@pytest.mark.parametrize("together", [True, False])
def test_another_file_changes_no_value_of_the_first(workspace, found, together):
    """M14"""
    if together:
        fill(workspace, {"1": FIRST, "2": SECOND})
    else:
        fill(workspace, {"1": FIRST})
        asked = [{"id": "007"}, {"when": "25-11-2025"}, {"flag": 1}, {"field": "id", "op": "starts_with", "value": "0"}]
        before = [found(where) for where in asked]
        assert before == [{"1"}] * 4
        fill(workspace, {"2": SECOND})
        assert [found(where) for where in asked] == before
    assert {key: workspace.raws()["1.txt"][key] for key in FIRST} == FIRST
    assert found({"id": "007"}) == found({"when": "25-11-2025"}) == {"1"}
    mixed = {each.field: each.message for each in workspace.lint().findings if each.kind is FindingKind.MIXED_TYPES}
    assert "mixed: number, text" in mixed["flag"]
    workspace.set_field(FieldSpec("flag", FieldType.BOOLEAN))
    assert found({"flag": True}) == {"1", "2"}
    workspace.fix([SetType("when", FieldType.DATE, DateOrder.DAY_FIRST)])
    assert found({"when": "2025-11-25"}) == {"1"}
    assert workspace.raws()["1.txt"]["when"] == "25-11-2025"
    assert set(misfits(workspace, "when")) == {"2"}


@pytest.mark.parametrize("files", [[FIRST, SECOND], [SECOND, FIRST]])
def test_the_table_of_types_says_what_is_mixed_before_anything_is_stored(workspace, files):
    """M14"""
    uploads = [
        upload for n, row in enumerate(files) for upload in (text(f"{n}.txt", f"Text {n}."), sidecar(f"{n}.txt", **row))
    ]
    told = {
        each.field: each.message for each in workspace.lint(uploads).findings if each.kind is FindingKind.MIXED_TYPES
    }
    assert set(told) == {"when", "flag"}
    assert "mixed: date, text" in told["when"]
    assert "mixed: number, text" in told["flag"]


def test_digits_are_never_lost_on_the_way(workspace, found):
    """Numbers at the edges of what is kept."""
    given = rows("meta_numbers.json")
    fill(workspace, given)
    assert type_of(workspace, "n") is FieldType.NUMBER
    workspace.set_field(FieldSpec("n", FieldType.INTEGER))
    assert found({"n": 9007199254740993}) == {"a"}
    assert found({"n": 9007199254740992}) == set()
    assert found({"n": 0}) == {"g"}
    assert set(misfits(workspace, "n")) == {"b", "c", "d", "e", "f"}
    workspace.set_field(FieldSpec("n", FieldType.NUMBER))
    assert found({"n": 1e308}) == {"b"}
    assert set(misfits(workspace, "n")) == {"d", "e", "f"}
    workspace.set_field(FieldSpec("n", FieldType.STRING))
    assert found({"n": "00123"}) == {"f"}
    assert found({"n": "1180591620717411303424"}) == {"c"}
    assert json.dumps(workspace.raws()) == json.dumps({f"{name}.txt": row for name, row in given.items()})
