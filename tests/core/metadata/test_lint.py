"""What is odd in sidecars is told before they are stored, and a fix taken loses nothing."""

from __future__ import annotations

import copy
import time
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.filters import FieldType
from core.metadata.fields import BUILT_IN
from core.metadata.fixes import Change, DropKey, FillMissing, MapValues, RenameKey, SetType, apply, describe, preview
from core.metadata.lint import FindingKind, lint
from core.metadata.values import Misfit, typed_value
from core.store.base import RESERVED
from core.types import DateOrder, FieldSpec
from tests.core.metadata.test_values import json_values

UNKNOWN, KEYS, VALUES = FindingKind.UNKNOWN_KEY, FindingKind.NEAR_DUPLICATE_KEYS, FindingKind.NEAR_DUPLICATE_VALUES
MIXED, MISFIT, DATES = FindingKind.MIXED_TYPES, FindingKind.MISFIT, FindingKind.DATE_FORMATS


def numbered(*sidecars):
    return {f"{i}.txt": each for i, each in enumerate(sidecars)}


def held(name, values):
    """One file for each value of one field."""
    return numbered(*({name: value} for value in values))


def findings(sidecars, kind, fields=BUILT_IN, strict=False):
    return [found for found in lint(sidecars, fields, strict=strict).findings if found.kind is kind]


def renames(sidecars, fields=BUILT_IN):
    return [found.fix for found in findings(sidecars, KEYS, fields)]


# fields


def test_the_fields_of_every_workspace_are_thirteen_and_none_is_reserved():
    names = {spec.name for spec in BUILT_IN}
    assert len(names) == len(BUILT_IN) == 13
    assert not RESERVED & names


# keys


def test_an_unknown_key_is_named_with_the_field_that_may_be_meant():
    sidecars = numbered({"catgory": "legal"}, {"catgory": "hr", "year": 2024})
    catgory, year = findings(sidecars, UNKNOWN)
    assert (catgory.field, catgory.count, catgory.files, catgory.blocks) == ("catgory", 2, ("0.txt", "1.txt"), False)
    assert 'Did you mean "category"?' in catgory.message
    assert catgory.fix == RenameKey("catgory", "category")
    assert (year.fix, year.count) == (SetType("year", FieldType.INTEGER), 1)


def test_unknown_keys_block_in_strict_mode_alone():
    sidecars = held("year", [2024])
    assert [found.blocks for found in findings(sidecars, UNKNOWN, strict=True)] == [True]
    assert lint(sidecars, BUILT_IN, strict=True).blocks
    assert not lint(sidecars, BUILT_IN, strict=False).blocks
    assert not lint(held("category", ["legal"]), BUILT_IN, strict=True).findings


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_a_reserved_name_is_refused_and_a_free_one_proposed(name):
    sidecars = numbered({name: 7, f"source_{name}": 1})
    (found,) = findings(sidecars, FindingKind.RESERVED_NAME)
    assert (found.field, found.blocks, found.fix) == (name, True, RenameKey(name, f"source_{name}_"))
    assert name not in [other.field for other in findings(sidecars, UNKNOWN)]


@pytest.mark.parametrize(
    ("variants", "kept"),
    [
        (["Author", "author", "AUTHOR"], "author"),
        (["security-level", "security level", "securityLevel", "Security_Level", "security_level"], "security_level"),
        (["tag", "tags"], "tags"),
        (["categories", "category"], "category"),
        (["publish_date", "published_at"], "published_at"),
        (["date_created", "createdAt", "created_at"], "created_at"),
        (["langauge", "language"], "language"),
    ],
)
def test_keys_written_another_way_are_renamed_to_the_field(variants, kept):
    sidecars = numbered(*({name: f"value {name}"} for name in variants))
    assert set(renames(sidecars)) == {RenameKey(name, kept) for name in variants if name != kept}
    merged = apply(renames(sidecars), sidecars)
    assert [list(each.items()) for each in merged.values()] == [[(kept, f"value {name}")] for name in variants]


def test_among_unknown_keys_the_commonest_is_kept_then_the_one_in_small_letters():
    assert renames(numbered({"Team": 1}, {"Team": 2}, {"team": 3})) == [RenameKey("team", "Team")]
    assert renames(numbered({"Team": 1}, {"team": 3})) == [RenameKey("Team", "team")]


@pytest.mark.parametrize(
    "pair",
    [
        ("q1_2", "q12"), ("part1", "part2"), ("$.x", "x"), ("published", "published_at"), ("source", "source_url"),
        ("x", "y"), ("", " "), ("class", "clas"), ("名前", "名称"), ("from", "form"),
    ],
)  # fmt: skip
def test_keys_that_are_merely_alike_are_left_alone(pair):
    assert renames(numbered({pair[0]: 1}, {pair[1]: 2}), fields=()) == []


def test_keys_that_stand_side_by_side_are_two_things_unless_they_differ_in_case_alone():
    assert renames(numbered({"latitude": 1, "altitude": 2}, *[{"latitude": 1}] * 9), fields=()) == []
    assert renames(numbered({"tag": 1, "tags": 2}), fields=()) == []
    sidecars = numbered({"Author": "X", "author": "Y"})
    assert renames(sidecars) == [RenameKey("Author", "author")]
    assert apply(renames(sidecars), sidecars) == sidecars


def test_declared_fields_are_never_renamed():
    fields = (FieldSpec("tag", FieldType.STRING), FieldSpec("tags", FieldType.STRINGS))
    assert findings(numbered({"tag": "a"}, {"tags": ["b"]}), KEYS, fields) == []


def test_a_reserved_name_is_no_ones_near_duplicate():
    assert renames(numbered({"pages": 1}, {"page": 3}), fields=()) == []
    assert renames(numbered({"Page": 1}, {"Page": 2}, {"PAGE": 3}, {"page": 4}), fields=()) == [
        RenameKey("PAGE", "Page")
    ]


# types


def test_mixed_types_are_told_with_what_there_is_and_the_kind_most_fit():
    (found,) = findings(held("year", [9, "10", 2021.0, None, "n/a"]), MIXED)
    assert '"year" is mixed: number, text.' in found.message
    assert "1 file would not fit integer" in found.message
    assert found.count == 4
    assert found.fix == SetType("year", FieldType.INTEGER)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([True, "true", "False", 0, "yes"], FieldType.BOOLEAN),
        ([1, 0, "n/a"], FieldType.INTEGER),
        ([12.5, "7"], FieldType.NUMBER),
        ([["x"], "x", []], FieldType.STRINGS),
        ([["x"], {"x": 1}], FieldType.STRING),
        ([1, "a", "b"], FieldType.STRING),
    ],
)
def test_the_kind_for_mixed_values_is_the_narrowest_most_fit(values, kind):
    (found,) = findings(held("x", values), MIXED)
    assert found.fix == SetType("x", kind)


def test_values_of_one_sort_are_not_mixed():
    assert findings(held("x", [1, 2.5, None]), MIXED) == []
    assert findings(held("author", ["Ann", "2024-03-10", "7", ""]), MIXED) == []


def test_each_value_that_does_not_fit_is_told_with_its_files():
    fields = (FieldSpec("year", FieldType.INTEGER),)
    found = findings(held("year", [1, "n/a", "00123", "n/a"]), MISFIT, fields)
    assert [(each.values, each.files, each.count, each.blocks) for each in found] == [
        (("n/a",), ("1.txt", "3.txt"), 2, True), (("00123",), ("2.txt",), 1, True),
    ]  # fmt: skip
    assert found[0].message == '"year" does not hold "n/a" (2 files): "n/a" is no whole number.'


def test_a_near_miss_of_an_allowed_value_is_mapped_to_it():
    fields = (FieldSpec("level", FieldType.ENUM, allowed=("internal", "public")),)
    (found,) = findings(held("level", ["internal", "interal"]), MISFIT, fields)
    assert found.fix == MapValues("level", {"interal": "internal"})
    sidecars = held("level", ["Public", "interal"])
    fixed = apply([each.fix for each in lint(sidecars, fields, strict=True).findings], sidecars)
    assert [each["level"] for each in fixed.values()] == ["public", "internal"]
    assert not lint(fixed, fields, strict=True).findings


def test_misfits_beyond_fifty_are_counted():
    found = findings(held("year", [f"no {i}" for i in range(70)]), MISFIT, (FieldSpec("year", FieldType.INTEGER),))
    assert len(found) == 51
    assert found[-1].message == "20 more findings of this sort are not listed."
    assert (found[-1].count, found[-1].blocks) == (20, True)


# dates


def test_dates_in_several_formats_are_read_by_the_order_that_some_show():
    sidecars = held("when", ["2024-03-10", "25-11-2025", "10/03/2024", 1710113400])
    (found,) = findings(sidecars, DATES)
    assert "ISO (1), date with the day first (1), date in an unclear order (1), seconds" in found.message
    assert found.fix == SetType("when", FieldType.DATETIME, DateOrder.DAY_FIRST)
    assert [each["when"] for each in apply([found.fix], sidecars).values()] == [
        "2024-03-10", "2025-11-25", "2024-03-10", "2024-03-10T23:30:00Z",
    ]  # fmt: skip
    assert findings(sidecars, MIXED) == []


@pytest.mark.parametrize("values", [["10/03/2024"], ["25-11-2025", "11/25/2025"], ["2024-03-10", "10/03/2024"]])
def test_where_nothing_shows_the_order_a_person_chooses(values):
    (found,) = findings(held("published_at", values), DATES)
    assert "Choose whether the day or the month comes first." in found.message
    assert (found.fix, found.blocks) == (None, True)
    assert findings(held("published_at", values), MISFIT) == []


def test_an_order_chosen_before_is_kept():
    fields = (FieldSpec("when", FieldType.DATE, date_order=DateOrder.DAY_FIRST),)
    assert lint(held("when", ["10/03/2024", "25-11-2025"]), fields, strict=True).findings == ()
    sidecars = held("when", ["10/03/2024", "11/25/2025", "2024-01-01"])
    (misfit,) = findings(sidecars, MISFIT, fields)
    assert misfit.values == ("11/25/2025",)
    (formats,) = findings(sidecars, DATES, fields)
    assert (formats.fix, formats.blocks) == (SetType("when", FieldType.DATE, DateOrder.DAY_FIRST), False)


def test_dates_in_one_format_and_dates_among_texts_are_not_told():
    assert findings(held("when", ["2024-03-10", "2024-03-11T10:00Z"]), DATES) == []
    assert findings(held("created_at", [1710113400, 0]), DATES) == []
    assert findings(held("note", ["a", "b", "c", "10/03/2024"]), DATES) == []
    assert findings(held("author", ["10/03/2024"]), DATES) == []


# values


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        (["Q1", "q1", " Q1"], "Q1"),
        (["legal", "legal", "Legal "], "legal"),
        (["E\u0301mile"], "\u00c9mile"),
        (["\u00c9mile", "E\u0301mile"], "\u00c9mile"),
        ([" O'Brien "], "O'Brien"),
        (["North-West", "north west", "North-West"], "North-West"),
    ],
)
def test_values_written_another_way_are_mapped_to_one(values, kept):
    sidecars = held("category", values)
    (found,) = findings(sidecars, VALUES)
    assert found.fix == MapValues("category", {value: kept for value in values if value != kept})
    assert found.count == len(values)
    assert {each["category"] for each in apply([found.fix], sidecars).values()} == {kept}


def test_a_slip_in_a_longer_word_is_mapped_to_the_common_one():
    (found,) = findings(held("category", ["finance"] * 10 + ["finace"]), VALUES)
    assert found.fix == MapValues("category", {"finace": "finance"})
    assert (found.files, found.count) == (("10.txt",), 1)


@pytest.mark.parametrize(
    ("common", "rare"),
    [
        ("report 2023", "report 2024"),
        ("Team A", "Team B"),
        ("hr", "pr"),
        ("legal", "regal case"),
        ("finance", "finances due"),
    ],
)
def test_values_that_are_merely_alike_are_left_alone(common, rare):
    assert findings(held("category", [common] * 10 + [rare]), VALUES) == []


def test_no_slip_without_lopsided_counts():
    assert findings(held("category", ["planning"] * 6 + ["planting"] * 5), VALUES) == []


def test_allowed_values_are_never_mapped():
    fields = (FieldSpec("unit", FieldType.ENUM, allowed=("Mw", "mW", "finace", "finance")),)
    assert findings(held("unit", ["Mw", "mW"] + ["finance"] * 10 + ["finace"]), VALUES, fields) == []


def test_the_items_of_lists_are_compared_too():
    sidecars = numbered({"tags": ["Q1", "x"]}, {"tags": ["q1", 7]}, {"tags": "Q1"})
    (found,) = findings(sidecars, VALUES)
    assert found.fix == MapValues("tags", {"q1": "Q1"})
    assert apply([found.fix], sidecars)["1.txt"] == {"tags": ["Q1", 7]}


def test_names_of_files_and_typed_values_are_not_compared():
    fields = (*BUILT_IN, FieldSpec("draft", FieldType.BOOLEAN))
    assert findings(held("source", ["Readme.md", "README.md"]), VALUES, fields) == []
    assert findings(held("draft", ["Yes", "yes"]), VALUES, fields) == []


# missing, and what is there


def test_a_required_field_that_is_missing_is_filled_with_its_default():
    fields = (
        FieldSpec("level", FieldType.STRING, required=True, default="internal"),
        FieldSpec("when", FieldType.DATE, required=True),
    )
    sidecars = numbered({"level": "public", "when": "2024-01-01"}, {"level": None}, {})
    level, when = findings(sidecars, FindingKind.MISSING_REQUIRED, fields)
    assert (level.field, level.count, level.files, level.blocks) == ("level", 2, ("1.txt", "2.txt"), False)
    assert (when.field, when.count, when.fix, when.blocks) == ("when", 2, None, True)
    assert apply([level.fix], sidecars)["2.txt"] == {"level": "internal"}


def test_coverage_is_the_share_of_documents_that_have_a_value():
    report = lint(numbered({"author": "Ann", "x": 1}, {"author": None}, {}, {}), BUILT_IN, strict=False)
    shares = {each.field: (each.present, each.share) for each in report.coverage}
    assert shares["author"] == (1, 0.25)
    assert shares["x"] == (1, 0.25)
    assert shares["domain"] == (0, 0.0)
    assert lint({}, BUILT_IN, strict=True).coverage[0].share == 0.0


def test_tidy_sidecars_have_no_findings():
    good = {"category": "legal", "tags": ["a", "b"], "published_at": "2024-03-10", "author": "Ann"}
    assert lint(numbered(good, good, {**good, "category": "hr"}), BUILT_IN, strict=True).findings == ()


# fixes


@pytest.mark.parametrize(
    ("fix", "said"),
    [
        (RenameKey("Author", "author"), 'Rename "Author" to "author"'),
        (MapValues("q", {"q1": "Q1", " Q1": "Q1"}), 'In "q", write "q1" as "Q1", " Q1" as "Q1"'),
        (SetType("when", FieldType.DATE, DateOrder.DAY_FIRST), 'Hold "when" as date, dates day first'),
        (FillMissing("when", datetime(2024, 3, 10)), 'Where "when" is missing, write "2024-03-10"'),
        (DropKey("x"), 'Leave "x" out'),
    ],
)
def test_a_fix_says_what_it_does(fix, said):
    assert describe(fix) == said


def test_a_preview_shows_what_apply_does_file_by_file():
    sidecars = held("when", ["25-11-2025", "2024-01-01", "n/a", 1710113400, None])
    fix = SetType("when", FieldType.DATETIME, DateOrder.DAY_FIRST)
    assert preview(fix, sidecars, 10) == [
        Change("0.txt", "when", "25-11-2025", "2025-11-25"), Change("3.txt", "when", 1710113400, "2024-03-10T23:30:00Z"),
    ]  # fmt: skip
    assert preview(fix, sidecars, 1) == [Change("0.txt", "when", "25-11-2025", "2025-11-25")]


@pytest.mark.parametrize(
    ("kind", "raw", "after"),
    [
        (FieldType.INTEGER, "10", 10), (FieldType.INTEGER, 2021.0, 2021), (FieldType.INTEGER, "007", "007"), (FieldType.NUMBER, "7", 7),
        (FieldType.NUMBER, "7.50", 7.5), (FieldType.NUMBER, 9, 9), (FieldType.NUMBER, 9007199254740993, 9007199254740993),
        (FieldType.NUMBER, "9007199254740993", 9007199254740993), (FieldType.NUMBER, "0.10000000000000000001", "0.10000000000000000001"),
        (FieldType.NUMBER, "1e-99999999999999999999", "1e-99999999999999999999"), (FieldType.BOOLEAN, "yes", True),
        (FieldType.STRING, 7, "7"), (FieldType.STRINGS, "x", ["x"]), (FieldType.STRINGS, [], []), (FieldType.STRINGS, {"x": 1}, {"x": 1}),
        (FieldType.DATE, "2024-03-10T23:30:00+01:00", "2024-03-10T23:30:00+01:00"), (FieldType.DATETIME, "2024/3/10", "2024-03-10"),
    ],
)  # fmt: skip
def test_a_type_set_writes_what_fits_and_leaves_what_would_lose(kind, raw, after):
    (found,) = apply([SetType("x", kind)], {"a": {"x": raw}}).values()
    assert found == {"x": after}
    assert type(found["x"]) is type(after)


def test_renaming_onto_a_key_that_is_there_is_a_conflict_and_changes_nothing():
    sidecars = numbered({"a": 1, "b": 2}, {"a": 1, "c": 3}, {"b": None, "c": 3, "a": 1})
    fix = RenameKey("a", "b")
    conflict, *rest = preview(fix, sidecars, 10)
    assert (conflict.file, conflict.conflict) == ("0.txt", '"b" is there already: 2')
    assert [(change.file, change.renamed_to, change.conflict) for change in rest] == [
        ("1.txt", "b", ""),
        ("2.txt", "b", ""),
    ]
    fixed = apply([fix], sidecars)
    assert [list(each.items()) for each in fixed.values()] == [
        [("a", 1), ("b", 2)], [("b", 1), ("c", 3)], [("c", 3), ("b", 1)],
    ]  # fmt: skip


def test_fixes_are_made_one_after_the_other_and_the_given_sidecars_stay_as_they_are():
    sidecars = numbered({"Tag": ["q1"], "x": 1}, {"tags": "q1"})
    before = copy.deepcopy(sidecars)
    fixes = [
        RenameKey("Tag", "tags"),
        MapValues("tags", {"q1": "Q1"}),
        SetType("tags", FieldType.STRINGS),
        DropKey("x"),
    ]
    fixed = apply(fixes, sidecars)
    assert fixed == numbered({"tags": ["Q1"]}, {"tags": ["Q1"]})
    fixed["0.txt"]["tags"].append("more")
    assert sidecars == before


def test_values_nested_or_long_beyond_all_bounds_are_judged_and_kept():
    deep: list[object] = []
    for _ in range(50_000):
        deep = [deep]
    sidecars = numbered(
        {"x": deep, "n": 10**5000, "author": "a" * 1_000_000}, {"x": 1, "n": 1, "author": "1," * 100_000}
    )
    report = lint(sidecars, (*BUILT_IN, FieldSpec("n", FieldType.INTEGER)), strict=True)
    assert {found.field for found in report.findings} == {"x", "n"}
    assert all(len(found.message) < 400 for found in report.findings)
    fixed = apply([DropKey("n")], sidecars)
    assert fixed["1.txt"] == {"x": 1, "author": "1," * 100_000}
    assert fixed["0.txt"]["x"] is not deep


# any sidecars at all


names = st.sampled_from(
    ["Author", "author", "when", "published_at", "tags", "Tag", "page", "a b", "a-b", ""]
) | st.text(max_size=6)
written = st.sampled_from(
    ["Q1", " q1", "10/03/2024", "25-11-2025", "2024-03-10", "n/a", 1710113400, "007", "yes", ["Q1"], []]
)
any_sidecars = st.dictionaries(
    st.text(max_size=4), st.dictionaries(names, written | json_values, max_size=6), max_size=6
)
SPECS = (
    *BUILT_IN,
    FieldSpec("when", FieldType.DATE, required=True),
    FieldSpec("level", FieldType.ENUM, required=True, default="low", allowed=("low", "high")),
    FieldSpec("n", FieldType.INTEGER),
)


@given(any_sidecars)
def test_without_fixes_nothing_changes(sidecars):
    assert apply([], sidecars) == sidecars


@given(any_sidecars, st.booleans())
def test_any_sidecars_are_judged_the_same_each_time_and_not_touched(sidecars, strict):
    before = copy.deepcopy(sidecars)
    report = lint(sidecars, SPECS, strict=strict)
    assert report == lint(copy.deepcopy(sidecars), SPECS, strict=strict)
    assert sidecars == before
    for found in report.findings:
        assert 0 < found.count <= len(sidecars)
        assert set(found.files) <= sidecars.keys()
        found.message.encode()
        if found.fix is not None:
            describe(found.fix).encode()


@given(any_sidecars)
def test_every_fix_proposed_keeps_every_value_and_previews_what_it_does(sidecars):
    for found in lint(sidecars, SPECS, strict=True).findings:
        if found.fix is None:
            continue
        fixed = apply([found.fix], sidecars)
        changes = preview(found.fix, sidecars, len(sidecars))
        changed = {change.file for change in changes if not change.conflict}
        for file, given_ in sidecars.items():
            kept = sum(value is not None for value in fixed[file].values())
            assert kept >= sum(value is not None for value in given_.values())
            if file not in changed:
                assert fixed[file] == given_
        if isinstance(found.fix, RenameKey):
            assert all(change.before == change.after for change in changes)


@given(any_sidecars)
def test_a_value_that_fits_its_field_is_not_told_and_one_that_does_not_is(sidecars):
    report = lint(sidecars, SPECS, strict=False)
    told = {found.field for found in report.findings if found.kind in (MISFIT, DATES) and found.blocks}
    misfits = set()
    for spec in SPECS:
        for each in sidecars.values():
            typed = typed_value(each.get(spec.name), spec.type, allowed=spec.allowed)
            if isinstance(typed, Misfit):
                misfits.add(spec.name)
    assert told == misfits


def timed(sidecars):
    start = time.process_time()
    lint(sidecars, BUILT_IN, strict=False)
    return time.process_time() - start


@pytest.mark.parametrize(
    "made",
    [
        lambda i, j: (f"k{j}", f"value {i * 31 % 997} of {i}"),
        lambda i, j: (f"key{i}{j}abcdef", i),
        lambda i, j: (f"k{j}", "a common value" if i % 2 else f"a common valu{chr(97 + i % 26)} {i}"),
        lambda i, j: (f"k{j}", ["2024-03-10", "10/03/2024", 1710113400, "x", None, [str(i)]][i % 6]),
    ],
    ids=["titles", "keys", "slips", "mixed"],
)
def test_the_time_grows_with_the_values_and_not_with_their_pairs(made):
    def files(n):
        return {f"{i}.txt": dict(made(i, j) for j in range(10)) for i in range(n)}

    timed(files(200))
    small, large = min(timed(files(500)) for _ in range(3)), timed(files(4000))
    assert large < max(8 * small * 4, 1)
