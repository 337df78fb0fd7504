"""The fields of a workspace in their dialog: seen, changed with the effect shown first, added, and taken back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.enrich.fields import COMPUTED
from core.filters import FieldType
from core.ingest import Upload
from core.jobs import jobs
from core.metadata import cell
from core.settings import ChunkSettings
from core.types import DateOrder, FieldSpec
from pages.parts import retyping
from tests.pages.screen import notices, press, raw, said, select_row, settle, table


def page():
    """A page that holds nothing but the schema's button."""
    from pages.parts import resources, schema

    schema.button(resources.current_workspace())


def dialog():
    return press(AppTest.from_function(page, default_timeout=60).run(), "open-schema")


def spec(opened, name):
    return next(one for one in opened.fields() if one.name == name)


def rows(tab):
    return {row["field"]: row for row in table(tab, "misfits").to_dict("records")}


def hold(tab, name):
    """Choose a field's row."""
    names = list(table(tab, "misfits")["field"])
    return select_row(tab, "schema-fields", names.index(name))


def box(tab, label):
    return next(one for one in (*tab.selectbox, *tab.text_input, *tab.multiselect, *tab.toggle) if one.label == label)


def choose(tab, label, value):
    box(tab, label).set_value(value).run()
    assert not tab.exception, tab.exception
    return tab


@pytest.fixture
def years(empty):
    """Three documents whose years are a number, digits and a word; the type is proposed."""
    for name, year in (("a", 2023), ("b", "2022"), ("c", "soon")):
        sidecar = json.dumps({"year": year}).encode()
        empty.add(
            [Upload(f"{name}.txt", f"Text {name}.".encode()), Upload(f"{name}.txt.meta.json", sidecar)], ChunkSettings()
        )
    empty.set_field(FieldSpec("year", FieldType.STRING, confirmed=False))
    return empty


def year(opened, name):
    return opened.document(f"{name}.txt").metadata.get("year")


# ── what is there ────────────────────────────────────────────────────────────────────────────────


def test_the_button_says_how_many_types_wait_to_be_confirmed(years):
    tab = AppTest.from_function(page, default_timeout=60).run()
    assert [button.label for button in tab.button] == ["Fields · 1 to confirm"]


def test_every_field_is_listed_with_its_coverage_and_misfits(years):
    years.set_field(FieldSpec("year", FieldType.INTEGER, required=True, default=2000, description="When"))
    row = rows(dialog())["year"]
    assert (row["type"], row["documents"], row["misfits"]) == ("integer", 3, 1)
    assert (row["required"], row["default"], row["description"]) == (True, "2000", "When")
    assert len(rows(dialog())) == len(years.fields())


def test_proposed_fields_come_first_and_say_so(years):
    first = table(dialog(), "misfits").iloc[0]
    assert (first["field"], first["state"]) == ("year", "proposed")


def test_it_opens_in_an_empty_workspace(empty):
    tab = dialog()
    assert len(rows(tab)) == 13
    assert "13 fields" in said(tab)


# ── changing a field ─────────────────────────────────────────────────────────────────────────────


def test_what_retyping_would_do_is_shown_and_nothing_is_changed(years):
    tab = choose(hold(dialog(), "year"), "Type", FieldType.INTEGER)
    assert "As an integer, 2 of 3 values would fit." in said(tab)
    reasons = table(tab, "why it does not fit").to_dict("records")
    assert reasons == [{"value": '"soon"', "documents": 1, "why it does not fit": '"soon" is no whole number'}]
    assert [year(years, name) for name in "abc"] == ["2023", "2022", "soon"]


def test_retyping_reads_again_what_was_given_and_can_be_undone(years):
    tab = press(choose(hold(dialog(), "year"), "Type", FieldType.INTEGER), "Apply")
    assert [year(years, name) for name in "abc"] == [2023, 2022, None]
    assert spec(years, "year").confirmed
    assert "“year” is an integer now; 1 value does not fit." in said(tab)
    tab = press(tab, "Undo")
    assert [year(years, name) for name in "abc"] == ["2023", "2022", "soon"]
    assert spec(years, "year") == FieldSpec("year", FieldType.STRING, confirmed=False)
    assert "“year” as before." in said(tab)
    assert "schema-undo" not in [button.key for button in tab.button]


def test_cancel_forgets_the_draft(years):
    tab = press(choose(hold(dialog(), "year"), "Type", FieldType.INTEGER), "Cancel")
    assert "would fit" not in said(tab)
    assert spec(years, "year").type is FieldType.STRING
    assert box(hold(tab, "year"), "Type").value is FieldType.STRING


def test_another_row_begins_another_draft(years):
    tab = choose(hold(dialog(), "year"), "Type", FieldType.INTEGER)
    tab = hold(tab, "author")
    assert (box(tab, "Name").value, box(tab, "Type").value) == ("author", FieldType.STRING)
    assert box(hold(tab, "year"), "Type").value is FieldType.STRING


def test_a_proposed_type_is_confirmed_as_it_is(years):
    tab = press(hold(dialog(), "year"), "Confirm")
    assert spec(years, "year") == FieldSpec("year", FieldType.STRING)
    assert rows(tab)["year"]["state"] == ""


def test_all_proposed_types_are_confirmed_at_once_and_that_is_undone_at_once(years):
    years.set_field(FieldSpec("place", FieldType.STRING, confirmed=False))
    tab = press(dialog(), "Confirm all 2")
    assert all(one.confirmed for one in years.fields())
    press(tab, "Undo")
    assert sorted(one.name for one in years.fields() if not one.confirmed) == ["place", "year"]


def test_dates_that_need_an_order_say_so_until_it_is_chosen(empty):
    sidecar = b'{"published_at": "03/04/2024"}'
    empty.add([Upload("a.txt", b"Text."), Upload("a.txt.meta.json", sidecar)], ChunkSettings())
    tab = hold(dialog(), "published_at")
    assert "1 date can be read once you say whether the day or the month comes first." in said(tab)
    tab = choose(tab, "Order of 10/03/2024", DateOrder.MONTH_FIRST)
    assert "1 of 1 value would fit" in said(tab)
    press(tab, "Apply")
    assert f"{empty.document('a.txt').metadata['published_at']:%d %B}" == "04 March"


def test_the_order_of_dates_is_asked_for_dates_alone(years):
    tab = hold(dialog(), "year")
    assert "Order of 10/03/2024" not in [one.label for one in tab.selectbox]
    tab = choose(tab, "Type", FieldType.DATE)
    assert "Order of 10/03/2024" in [one.label for one in tab.selectbox]


def test_allowed_values_are_taken_from_what_is_there(years):
    tab = choose(hold(dialog(), "year"), "Type", FieldType.ENUM)
    assert "An enum needs the values it allows." in said(tab)
    assert next(button for button in tab.button if button.key == "schema-apply").disabled
    tab = press(tab, "Only what is there: 2 values")
    press(tab, "Apply")
    assert spec(years, "year").allowed == ("2022", "soon")
    assert [year(years, name) for name in "abc"] == [None, "2022", "soon"]


def test_a_default_that_does_not_fit_is_told_before_it_is_applied(years):
    tab = choose(hold(dialog(), "year"), "Type", FieldType.INTEGER)
    tab = choose(tab, "Default", "never")
    assert 'The default does not fit: "never" is no whole number.' in said(tab)
    assert next(button for button in tab.button if button.key == "schema-apply").disabled
    press(choose(tab, "Default", "2000"), "Apply")
    assert spec(years, "year").default == 2000


@pytest.mark.parametrize(
    ("type", "typed", "held"),
    [
        (FieldType.BOOLEAN, True, True), (FieldType.NUMBER, "2.5", 2.5), (FieldType.STRING, "x", "x"),
        (FieldType.STRINGS, ["a", "b"], ("a", "b")),
    ],
)  # fmt: skip
def test_a_default_is_set_and_taken_away_in_every_type(empty, type, typed, held):
    empty.set_field(FieldSpec("thing", type, allowed=("a", "b") if type is FieldType.STRINGS else ()))
    tab = press(choose(hold(dialog(), "thing"), "Default", typed), "Apply")
    assert spec(empty, "thing").default == held
    nothing = [] if type is FieldType.STRINGS else ""
    press(choose(hold(tab, "thing"), "Default", nothing), "Apply")
    assert spec(empty, "thing").default is None


def test_a_date_as_default_is_shown_as_it_is_typed(empty):
    empty.set_field(FieldSpec("day", FieldType.DATE))
    tab = press(choose(hold(dialog(), "day"), "Default", "2024-03-10"), "Apply")
    assert box(hold(tab, "day"), "Default").value == "2024-03-10"


def test_required_and_description_are_set_without_rereading(years):
    tab = choose(choose(hold(dialog(), "year"), "Required", True), "Description", "When")
    press(tab, "Apply")
    assert spec(years, "year") == FieldSpec("year", FieldType.STRING, required=True, description="When")


# ── adding a field ───────────────────────────────────────────────────────────────────────────────


def test_a_field_is_added(empty):
    tab = choose(press(dialog(), "Add a field"), "Name", " colour ")
    tab = press(choose(tab, "Type", FieldType.STRINGS), "Add the field")
    assert spec(empty, "colour") == FieldSpec("colour", FieldType.STRINGS)
    assert "“colour” is a list of strings now." in said(tab)
    assert "schema-undo" not in [button.key for button in tab.button]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("page", "'page' is set by the system. Choose another name."),
        ("", "Give it a name"),
        ("  ", "Give it a name"),
        ("category", "There is a field 'category' already"),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_the_reason(empty, name, why):
    tab = choose(press(dialog(), "Add a field"), "Name", name)
    assert why in said(tab)
    assert next(button for button in tab.button if button.key == "schema-apply").disabled


def test_a_name_that_nearly_is_there_is_pointed_out(empty):
    tab = choose(press(dialog(), "Add a field"), "Name", "Category")
    assert "There is category already." in said(tab)
    assert not next(button for button in tab.button if button.key == "schema-apply").disabled


def test_no_field_can_be_taken_away(years):
    tab = hold(dialog(), "year")
    assert not [button.label for button in tab.button if "elete" in button.label or "emove" in button.label]


# ── the rest ─────────────────────────────────────────────────────────────────────────────────────


def test_strict_is_switched_and_says_what_it_means(empty):
    tab = dialog()
    assert "Off: a new key becomes a field" in said(tab)
    tab = choose(tab, "Strict: only keys that are fields", True)
    assert empty.strict
    assert "On: a file with another key is not stored" in said(tab)
    choose(tab, "Strict: only keys that are fields", False)
    assert not empty.strict


def test_what_cannot_be_done_now_says_why(years):
    tab = choose(hold(dialog(), "year"), "Type", FieldType.INTEGER)
    with years._adding:
        tab = press(tab, "Apply")
    assert any("Documents are being added or indexed right now." in notice for notice in notices(tab))
    assert box(tab, "Type").value is FieldType.INTEGER


def test_hostile_names_and_values_stay_text(empty):
    name, value = "<b>f</b> **n**", "$x$ `y`"
    sidecar = json.dumps({name: value}).encode()
    empty.add([Upload("a.txt", b"Text."), Upload("a.txt.meta.json", sidecar)], ChunkSettings())
    tab = choose(hold(dialog(), name), "Type", FieldType.INTEGER)
    tab = press(tab, "Apply")
    markdown, html = raw(tab)
    assert not any("<b>f" in body.replace("\\<", "") or "**n**" in body or "$x$" in body for body in [*markdown, *html])


def test_half_a_character_is_no_allowed_value(empty):
    sidecar = b'{"category": "x\\ud800"}'
    empty.add([Upload("a.txt", b"Text."), Upload("a.txt.meta.json", sidecar)], ChunkSettings())
    tab = hold(dialog(), "category")
    assert "0 of 1 value" in said(tab)
    assert box(tab, "Allowed values").options == []


def computed_dialog():
    tab = dialog()
    tab.session_state["schema-computed"] = True
    return tab.run()


def test_computed_fields_are_listed_with_their_method_and_cannot_be_edited(plant):
    tab = computed_dialog()
    labels = [toggle.label for toggle in tab.toggle]
    assert set(labels) >= {field.name for field in COMPUTED}
    assert COMPUTED[0].method in said(tab)


def test_a_computed_field_is_switched_off_by_a_job(plant):
    tab = choose(computed_dialog(), "keywords", False)
    assert plant.enrich_settings().off == frozenset()
    tab = settle(press(tab, "computed-apply"))
    assert plant.enrich_settings().off == {"keywords"}
    assert [job.error for job in jobs.of(plant.location)] == [""]


# ── what retyping would do ───────────────────────────────────────────────────────────────────────

VALUES = st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.text("0123/-ab", max_size=10), st.sampled_from(["03/04/2024", "2024-03-04"]), st.lists(st.text("ab", max_size=2), max_size=2))  # fmt: skip
TYPES = st.sampled_from([kind for kind in FieldType if kind is not FieldType.ENUM])


@given(st.lists(VALUES, max_size=12), TYPES, st.one_of(st.none(), st.sampled_from(DateOrder)))
def test_the_effect_that_is_shown_is_the_one_it_will_have(raws, kind, order):
    """As many values fit as cells would hold one, document by document."""
    field = FieldSpec("f", kind, date_order=order)
    found = retyping.outcome(retyping.given(raws), field)
    cells = [cell(one, field) for one in raws if one is not None]
    assert (found.given, found.misfits) == (len(cells), sum(bool(one.misfit) for one in cells))
    assert sum(example.documents for example in found.examples) <= found.misfits
    assert found.unordered <= found.misfits
