"""A drop whose metadata are odd is looked at before it is stored; any other comes in at once."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from core import home, workspace
from core.filters import FieldType
from core.ingest import Upload
from core.jobs import jobs
from core.settings import ChunkSettings
from core.types import DateOrder, FieldSpec
from pages.parts import review
from tests.pages.screen import app, go, press, raw, said, settle, table


def beside(name, **metadata):
    """A text with a sidecar."""
    return (name, f"This is {name}. It is short.".encode()), (f"{name}.meta.json", json.dumps(metadata).encode())


def drop(tab, *files):
    """Files put into the uploader and sent off."""
    tab.file_uploader(key="drop-Files").set_value([(name, data, "text/plain") for name, data in files])
    return settle(press(tab, "Add"))


def add(tab):
    """The button that adds what was looked at."""
    return settle(press(tab, next(b.key for b in tab.button if b.key.startswith("add-") and "as-is" not in b.key)))


def choice(tab, name):
    return next(box for box in tab.selectbox if box.label.endswith(name))


def held(opened, name):
    return opened.store.cells([opened.document(name).id])[opened.document(name).id]


def test_files_without_metadata_come_in_at_once(empty):
    tab = drop(app(), ("a.txt", b"One thing."))
    assert "1 document ·" in said(tab)
    assert "look at first" not in said(tab)


def test_metadata_in_order_come_in_at_once(empty):
    drop(app(), *beside("a.txt", category="ports", tags=["q1"], published_at="2026-05-01"))
    assert empty.document("a.txt").metadata["category"] == "ports"


def test_nothing_is_stored_while_a_new_key_waits_for_its_type(empty):
    tab = drop(app(), *beside("a.txt", year=2023))
    assert "1 document to add: 1 thing to look at first" in said(tab)
    assert empty.documents() == []
    assert [spec.name for spec in empty.fields()] == [spec.name for spec in workspace.metadata.BUILT_IN]


def test_one_click_goes_on_with_the_types_that_are_proposed(empty):
    tab = add(drop(app(), *beside("a.txt", year=2023, title="A")))
    assert empty.document("a.txt").metadata == {"year": 2023, "title": "A"}
    assert {spec.name: (spec.type, spec.confirmed) for spec in empty.fields() if spec.name in ("year", "title")} == {
        "year": (FieldType.INTEGER, True),
        "title": (FieldType.STRING, True),
    }
    assert "added a.txt" in said(tab)
    assert "look at first" not in said(tab)


def test_another_type_can_be_chosen_and_says_what_does_not_fit_it(empty):
    tab = drop(app(), *beside("a.txt", year=2023), *beside("b.txt", year="soon"))
    choice(tab, "year").select("Hold it as a number").run()
    assert "1 of 2 values would not fit" in said(tab)
    add(tab)
    assert empty.document("a.txt").metadata == {"year": 2023.0}
    assert empty.document("b.txt").metadata == {}
    assert held(empty, "b.txt")["year"].raw == "soon"


def test_a_key_can_be_renamed_or_left_out(empty):
    tab = drop(app(), *beside("a.txt", Author="Ann", remark="x"))
    choice(tab, "Author").select('Rename "Author" to "author"')
    choice(tab, "remark").select('Leave "remark" out').run()
    add(tab)
    assert empty.document("a.txt").metadata == {"author": "Ann"}
    assert not {"Author", "remark"} & {spec.name for spec in empty.fields()}


def test_as_they_are_leaves_types_to_be_confirmed(empty):
    tab = drop(app(), *beside("a.txt", year=2023))
    settle(press(tab, "Add as they are"))
    assert empty.document("a.txt").metadata == {"year": 2023}
    assert not next(spec for spec in empty.fields() if spec.name == "year").confirmed


def test_a_cancelled_drop_leaves_nothing(empty):
    tab = settle(press(drop(app(), *beside("a.txt", year=2023)), "Cancel"))
    assert "look at first" not in said(tab)
    assert (empty.documents(), jobs.of(empty.location)) == ([], [])


def test_a_fix_is_made_only_once_it_is_taken(empty):
    files = *beside("a.txt", category="Ports"), *beside("b.txt", category="ports")
    tab = drop(app(), *files)
    assert [box.value for box in tab.checkbox] == [False]
    tab.checkbox[0].check().run()
    add(tab)
    assert {info.metadata["category"] for info in empty.documents()} == {"Ports"}


def test_what_is_left_comes_in_as_it_is(empty):
    add(drop(app(), *beside("a.txt", category="Ports"), *beside("b.txt", category="ports")))
    assert [info.metadata["category"] for info in empty.documents()] == ["Ports", "ports"]


def test_a_person_says_whether_the_day_or_the_month_comes_first(empty):
    tab = drop(app(), *beside("a.txt", published_at="03/04/2024"), *beside("b.txt", published_at="2024-05-06"))
    assert tab.radio[0].value == "Leave it"
    tab.radio[0].set_value("Day first").run()
    add(tab)
    assert f"{empty.document('a.txt').metadata['published_at']:%d %B}" == "03 April"
    assert next(s for s in empty.fields() if s.name == "published_at").date_order is DateOrder.DAY_FIRST


def test_what_a_fix_changes_is_shown_file_by_file_once_it_is_opened(empty):
    tab = drop(app(), *beside("a.txt", category="Ports"), *beside("b.txt", category="ports"))
    (opener,) = (e.proto.id for e in tab.expander if e.label == "What changes")
    key = opener.split("-", 2)[2]
    tab.session_state[key] = True
    tab.run()
    changed = table(tab, "before")
    assert changed.to_dict("records") == [{"file": "b.txt", "before": '"ports"', "after": '"Ports"', "note": ""}]


def test_a_key_that_is_reserved_is_renamed_or_its_file_is_refused(empty):
    files = beside("a.txt", page=4)
    tab = drop(app(), *files)
    assert choice(tab, "page").value == 'Rename "page" to "source_page"'
    choice(tab, "page").select("Leave it").run()
    assert "As decided so far, 1 document would be refused" in said(tab)
    choice(tab, "page").select('Rename "page" to "source_page"').run()
    assert "would be refused" not in said(tab)
    add(tab)
    assert empty.document("a.txt").metadata == {"source_page": 4}


def test_a_strict_workspace_says_what_it_would_refuse(empty):
    empty.strict = True
    tab = drop(app(), *beside("a.txt", year=2023), *beside("b.txt", category="x"))
    assert "this workspace is strict" in said(tab)
    choice(tab, "year").select("Leave it").run()
    assert "As decided so far, 1 document would be refused" in said(tab)
    tab = settle(press(tab, next(b.key for b in tab.button if b.key.startswith("add-"))))
    assert [info.name for info in empty.documents()] == ["b.txt"]
    assert "no field of this workspace" in said(tab)


def test_a_strict_workspace_takes_a_field_that_is_confirmed_in_the_review(empty):
    empty.strict = True
    add(drop(app(), *beside("a.txt", year=2023)))
    assert empty.document("a.txt").metadata == {"year": 2023}


def test_a_strict_workspace_takes_a_reserved_key_under_another_name(empty):
    empty.strict = True
    add(drop(app(), *beside("a.txt", page=4)))
    assert empty.document("a.txt").metadata == {"source_page": 4}


def test_front_matter_and_tables_are_looked_at_too(empty):
    tab = drop(app(), ("a.md", b"---\nyear: 2023\n---\nA text."), ("b.txt", b"Another."), ("metadata.csv", b"file,place\nb.txt,Oslo\n"))  # fmt: skip
    assert {box.label.rsplit(" ", 1)[1] for box in tab.selectbox if box.label.startswith("What")} == {"year", "place"}
    add(tab)
    assert (empty.document("a.md").metadata, empty.document("b.txt").metadata) == ({"year": 2023}, {"place": "Oslo"})


def test_a_sidecar_about_a_document_that_is_here_is_looked_at_too(plant):
    tab = drop(app(), ("valve.txt.meta.json", b'{"colour": "red"}'))
    assert plant.document("valve.txt").metadata["category"] == "log"
    add(tab)
    assert plant.document("valve.txt").metadata == {"colour": "red"}


def test_the_files_of_a_zip_are_looked_at(empty):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        for name, data in beside("in/a.txt", year=2023):
            made.writestr(name, data)
    tab = drop(app(), ("all.zip", archive.getvalue()))
    assert "1 document to add" in said(tab)
    add(tab)
    assert [info.metadata for info in empty.documents()] == [{"year": 2023}]


def test_a_drop_that_waits_is_there_after_a_page_change_and_in_another_tab(empty):
    tab = drop(app(), *beside("a.txt", year=2023))
    choice(tab, "year").select("Hold it as a string").run()
    tab = go(go(tab, "settings"), "documents")
    assert choice(tab, "year").value == "Hold it as a string"
    assert choice(app(), "year").value == "Hold it as a string"


def test_a_second_drop_does_not_push_out_one_that_waits(empty):
    tab = drop(app(), *beside("a.txt", year=2023))
    tab = drop(tab, ("b.txt", b"Another thing."))
    assert [info.name for info in empty.documents()] == ["b.txt"]
    tab = drop(tab, *beside("c.txt", month=3))
    assert "1 more drop to look at after this one." in said(tab)
    assert choice(tab, "year")
    tab = add(tab)
    assert choice(tab, "month")
    add(tab)
    assert [info.name for info in empty.documents()] == ["a.txt", "b.txt", "c.txt"]


def test_a_decision_that_another_tab_took_is_not_taken_twice(empty):
    tab = drop(app(), *beside("a.txt", year=2023))
    other = app()
    add(tab)
    settle(press(other, "Cancel"))
    assert [info.name for info in empty.documents()] == ["a.txt"]


def test_a_first_drop_on_the_sample_is_looked_at_in_its_own_workspace(shipped):
    tab = app()
    own = workspace.open(home.named(home.OWN), shipped.encoders)
    tab = drop(tab, *beside("mine.txt", year=2023))
    assert "1 document to add" in said(tab)
    add(tab)
    assert [info.name for info in own.documents()] == ["mine.txt"]


def test_a_file_that_cannot_be_read_is_told_after_the_review(empty):
    tab = add(drop(app(), *beside("a.txt", year=2023), ("b.txt", b"\x00\x01\x02\xff\xfe\x00binary" * 40)))
    assert "failed b.txt The file is binary" in said(tab)


def test_the_same_key_in_two_spellings_can_become_one(empty):
    empty.set_field(FieldSpec("author", FieldType.STRING))
    tab = drop(app(), *beside("a.txt", Autor="A"), *(f for n in range(6) for f in beside(f"{n}.txt", author="A")))
    assert choice(tab, "Autor").options[0] == 'Rename "Autor" to "author"'


HOSTILE = ("<script>x</script>", "**bold**", "$x$", "`code`", "[a](javascript:b)", ":material/home:", "a\u202eb", 'x"y')


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_keys_values_and_names_stay_text(empty, text):
    tab = drop(
        app(), *beside(f"{text.replace('/', '')}.txt", **{text: text}), *beside("b.txt", **{text: text.upper() + " "})
    )
    markdown, html = raw(tab)
    for body in markdown:
        assert "<script>" not in body.replace("\\<", "")
        assert "**bold**" not in body
        assert "](javascript" not in body
        assert "$x$" not in body
        assert ":material/home:" not in body
    assert not any("<script>" in body for body in html)
    add(tab)
    assert empty.document("b.txt").metadata


def test_half_a_character_in_keys_and_values_is_written_out(empty):
    sidecar = b'{"a\\ud800": "x\\udfff", "category": "y\\ud800"}'
    tab = drop(app(), ("a.txt", b"Text."), ("a.txt.meta.json", sidecar), *beside("b.txt", category="Y\ud800"))
    assert r"a\ud800" in said(tab)
    assert any(r"a\ud800" in field for field in table(tab, "share")["field"])
    settle(press(tab, "Cancel"))


def test_needed_reads_no_bytes_twice(empty):
    """What waits are the very bytes that were dropped."""
    data = b"Some text. " * 1000
    found = review.needed(empty, [Upload("a.txt", data), Upload("a.txt.meta.json", b'{"year": 1}')])
    assert found.uploads[0].data is data


def test_a_drop_of_many_files_is_looked_at_a_page_at_a_time(empty):
    files = [f for n in range(120) for f in beside(f"{n:03}.txt", **{f"key {n // 3}": n})]
    tab = drop(app(), *files)
    assert len([box for box in tab.selectbox if box.label.startswith("What")]) == 20
    assert "1–20 of 40" in said(tab)
    tab = press(tab, next(b.key for b in tab.button if b.key.endswith("-on")))
    assert "21–40 of 40" in said(tab)
    tab = add(tab)
    assert len(empty.documents()) == 120
    assert all(spec.confirmed for spec in empty.fields())


def test_it_is_the_model_and_the_index_in_use_that_take_the_files(plant):
    plant.build(ChunkSettings(2))
    tab = app()
    tab.selectbox(key="bound-index").select(plant.indexes()[1].id).run()
    add(drop(tab, *beside("new.txt", colour="red")))
    assert plant.indexes()[1].documents == 3
