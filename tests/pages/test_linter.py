"""The linter's dialog on what is stored; and findings as decisions."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from core.filters import FieldType
from core.ingest import Upload
from core.metadata import FindingKind, SetType, lint
from core.metadata.fixes import DropKey, FillMissing, MapValues, RenameKey
from core.settings import ChunkSettings
from core.types import DateOrder, FieldSpec
from pages.parts import findings, lint_watch
from pages.parts.findings import Decisions, items
from tests.pages.screen import notices, press, raw, said, table


def page():
    """A page that holds nothing but the linter's button."""
    from pages.parts import linter, resources

    linter.button(resources.current_workspace())


def opened_dialog():
    return press(AppTest.from_function(page, default_timeout=60).run(), "open-linter")


def label():
    tab = AppTest.from_function(page, default_timeout=60).run()
    assert not tab.exception, tab.exception
    return next(button.label for button in tab.button if button.key == "open-linter")


def fill(opened, **metadata):
    """Documents by name, with their metadata."""
    files = [f for n, m in metadata.items() for f in (Upload(f"{n}.txt", f"The text {n}.".encode()), Upload(f"{n}.txt.meta.json", json.dumps(m).encode()))]  # fmt: skip
    opened.add(files, ChunkSettings())


@pytest.fixture
def odd(empty):
    """Two spellings of one category, and a year that is none."""
    empty.set_field(FieldSpec("year", FieldType.INTEGER))
    fill(empty, a={"category": "Ports", "year": 2023}, b={"category": "ports", "year": "soon"}, c={"category": "ports"})
    return empty


def category(opened, name):
    return opened.document(f"{name}.txt").metadata["category"]


def of(opened, raws):
    report = lint(raws, opened.fields(), strict=opened.strict)
    return items(report, opened.fields(), raws, strict=opened.strict)


# ── the button ───────────────────────────────────────────────────────────────────────────────────


def test_the_button_says_how_many_problems_there_are(odd):
    assert label() == "Fix 2 problems"


def test_without_a_problem_the_button_still_opens_the_coverage(plant):
    assert label() == "Check metadata"
    tab = opened_dialog()
    assert "Nothing odd in the metadata of 2 documents." in said(tab)
    coverage = table(tab, "share")
    assert dict(zip(coverage["field"], coverage["documents"], strict=True))["category"] == 2


def test_it_opens_in_an_empty_workspace(empty):
    assert "Nothing odd in the metadata of 0 documents." in said(opened_dialog())


def test_where_looking_takes_long_the_page_goes_on_with_the_number_that_was(odd, monkeypatch):
    assert label() == "Fix 2 problems"
    monkeypatch.setattr(lint_watch, "QUICK", 0.0)
    odd.edit({odd.document("a.txt").id: {"category": "ports"}})
    watch = lint_watch._watch(odd.location)
    with watch.lock:  # as if it took for ever
        assert label() == "Fix 2 problems"
    watch.thread.join(30)
    assert label() == "Fix 1 problem"


def test_while_documents_come_in_nothing_is_looked_at(odd):
    label()
    odd.edit({odd.document("a.txt").id: {"category": "ports"}})
    assert lint_watch.soon(odd, busy=True) == (2, True)
    assert lint_watch.soon(odd, busy=False) == (1, True)


# ── the dialog ───────────────────────────────────────────────────────────────────────────────────


def test_what_keeps_values_out_comes_first(odd):
    kinds = [item.finding.kind for item in of(odd, odd.raws())]
    assert kinds == [FindingKind.MISFIT, FindingKind.NEAR_DUPLICATE_VALUES]
    shown = said(opened_dialog())
    assert shown.index("Values that do not fit") < shown.index("Values that are nearly alike")
    assert "kept as given, but cannot be filtered by" in shown


def test_nothing_is_taken_unasked(odd):
    tab = opened_dialog()
    assert [box.value for box in tab.checkbox] == [False]
    assert next(button for button in tab.button if button.key == "lint-apply").disabled


def test_a_fix_that_is_taken_and_applied_changes_the_documents_and_can_be_undone(odd):
    tab = opened_dialog()
    tab.checkbox[0].check().run()
    tab = press(tab, "Apply 1 fix")
    assert [category(odd, name) for name in "abc"] == ["ports"] * 3
    assert "1 fix applied: 1 document changed." in said(tab)
    assert "1 problem in the metadata" in said(tab)
    tab = press(tab, "lint-undo")
    assert [category(odd, name) for name in "abc"] == ["Ports", "ports", "ports"]
    assert "2 problems in the metadata" in said(tab)
    assert "applied" not in said(tab)


def test_an_applied_fix_is_a_step_that_the_page_can_take_back(odd):
    tab = opened_dialog()
    tab.checkbox[0].check().run()
    tab = press(tab, "Apply 1 fix")
    ((what, edited),) = tab.session_state["chunkscope"].edits
    assert (what, edited.documents) == ("1 fix", 1)
    press(tab, "lint-undo")
    assert tab.session_state["chunkscope"].edits == []


def test_all_fixes_are_taken_or_left_at_once(odd):
    tab = press(opened_dialog(), "Take all")
    assert [box.value for box in tab.checkbox] == [True]
    tab = press(tab, "Leave all")
    assert [box.value for box in tab.checkbox] == [False]


def test_a_decision_stays_while_the_dialog_is_closed_and_documents_change(odd):
    tab = opened_dialog()
    tab.checkbox[0].check().run()
    odd.edit({odd.document("a.txt").id: {"author": "Ann"}})
    tab.run()
    assert [box.value for box in tab.checkbox] == [True]


def test_the_order_of_day_and_month_is_chosen_here_too_and_undone(empty):
    fill(empty, a={"published_at": "03/04/2024"}, b={"published_at": "2024-05-06"})
    tab = opened_dialog()
    tab.radio[0].set_value("Month first").run()
    tab = press(tab, "Apply 1 fix")
    assert f"{empty.document('a.txt').metadata['published_at']:%d %B}" == "04 March"
    assert "Nothing odd" in said(tab)
    tab = press(tab, "lint-undo")
    assert "published_at" not in empty.document("a.txt").metadata
    assert tab.radio[0].value == "Leave it"


def test_a_type_that_was_confirmed_is_no_problem_for_ever(empty):
    """Numbers as text stay as they were given; once the type is confirmed there is nothing more to do about it."""
    fill(empty, a={"year": 2023}, b={"year": "2022"})
    assert [item.finding.kind for item in of(empty, empty.raws())] == [FindingKind.MIXED_TYPES]
    tab = opened_dialog()
    tab.checkbox[0].check().run()
    tab = press(tab, "Apply 1 fix")
    assert "Nothing odd" in said(tab)
    assert empty.document("b.txt").metadata == {"year": 2022}


def test_a_required_field_that_is_missing_is_filled_with_its_default(empty):
    fill(empty, a={"category": "x"}, b={})
    empty.set_field(FieldSpec("category", FieldType.STRING, required=True, default="none"))
    tab = opened_dialog()
    tab.checkbox[0].check().run()
    press(tab, "Apply 1 fix")
    assert empty.cells("category")[empty.document("b.txt").id]["category"].raw == "none"


def test_what_cannot_be_applied_says_why(odd, monkeypatch):
    tab = opened_dialog()
    tab.checkbox[0].check().run()
    with odd._adding:
        tab = press(tab, "Apply 1 fix")
    assert any("Documents are being added or indexed right now." in notice for notice in notices(tab))
    assert category(odd, "a") == "Ports"
    assert [box.value for box in tab.checkbox] == [True]


def test_many_findings_come_a_page_at_a_time_and_by_kind(empty):
    names = [f"field{chr(97 + n)}" for n in range(25)]
    fill(empty, a=dict.fromkeys(names, "Word"), b=dict.fromkeys(names, "word"), c={"published_at": "someday"})
    tab = opened_dialog()
    assert len(tab.checkbox) == 19
    assert "1–20 of 26" in said(tab)
    tab = press(tab, "linter-on")
    assert "21–26 of 26" in said(tab)
    assert len(tab.checkbox) == 6
    tab = press(press(tab, "Take all"), "Apply 25 fixes")
    assert "Nothing odd" not in said(tab)
    assert [finding.kind for finding in empty.lint().findings] == [FindingKind.MISFIT]


def test_hostile_metadata_stays_text(empty):
    fill(empty, a={"category": "<b>X</b> **y** $z$"}, b={"category": "<b>x</b> **y** $z$"})
    markdown, html = raw(opened_dialog())
    assert not any("<b>X" in body.replace("\\<", "") or "**y**" in body or "$z$" in body for body in [*markdown, *html])


# ── findings as decisions ────────────────────────────────────────────────────────────────────────


def test_all_that_was_found_about_a_new_key_is_one_decision(empty):
    found = of(empty, {"a": {"publish_date": "25/12/2023"}, "b": {"published_at": "2024-01-01", "publish_date": None}})
    (item,) = found
    assert item.finding.field == "publish_date"
    assert len(item.messages) == 2
    assert item.proposed == "Hold it as a date, day first"
    assert item.options[0].fixes == (RenameKey("publish_date", "published_at"),)


def test_every_type_but_an_enum_can_be_chosen_for_a_new_key(empty):
    (item,) = of(empty, {"a": {"colour": "03/04/2024"}})
    types = {fix.type for option in item.options for fix in option.fixes if isinstance(fix, SetType)}
    assert types == set(FieldType) - {FieldType.ENUM}
    orders = [fix.date_order for o in item.options for fix in o.fixes if isinstance(fix, SetType) and fix.type is FieldType.DATE]  # fmt: skip
    assert orders == [None, *DateOrder]
    assert item.options[-1].fixes == (DropKey("colour"),)


def test_fixes_are_made_in_an_order_in_which_none_undoes_another():
    """Values are mapped under the name they have; a chain of names is followed; defaults do not get in a name's way."""
    every = [
        SetType("d", FieldType.DATE, DateOrder.DAY_FIRST), SetType("d", FieldType.DATE), FillMissing("c", "x"),
        RenameKey("b", "c"), RenameKey("a", "b"), DropKey("e"), MapValues("a", {"X": "x"}),
    ]  # fmt: skip
    finding = findings.Finding(FindingKind.MISFIT, "", "", (), 1)
    asked = [findings.Item(str(n), finding, (), (findings.Option("do", (fix,)),), "do") for n, fix in enumerate(every)]
    assert Decisions().fixes(asked) == [
        MapValues("a", {"X": "x"}), DropKey("e"), RenameKey("a", "b"), RenameKey("b", "c"), FillMissing("c", "x"),
        SetType("d", FieldType.DATE), SetType("d", FieldType.DATE, DateOrder.DAY_FIRST),
    ]  # fmt: skip


def test_names_that_go_in_a_circle_are_renamed_all_the_same():
    finding = findings.Finding(FindingKind.UNKNOWN_KEY, "", "", (), 1)
    fixes = (RenameKey("a", "b"), RenameKey("b", "a"))
    asked = [findings.Item(str(n), finding, (), (findings.Option("do", (fix,)),), "do") for n, fix in enumerate(fixes)]
    assert set(Decisions().fixes(asked)) == set(fixes)


def test_a_decision_is_found_again_in_a_new_report(empty):
    first = of(empty, {"a": {"category": "Ports"}, "b": {"category": "ports"}})
    again = of(empty, {"z": {"colour": 1}, "a": {"category": "Ports"}, "b": {"category": "ports"}})
    assert {item.key for item in first} < {item.key for item in again}


def test_only_files_with_an_undecided_key_count_as_refused(empty):
    empty.strict = True
    raws = {"a": {"page": 1}, "b": {"page": 2, "colour": 1}, "c": {"category": "x"}}
    found, decisions = of(empty, raws), Decisions()
    assert findings.refused(found, decisions, raws) == 0
    decisions.leave_all(found)
    assert findings.refused(found, decisions, raws) == 2
