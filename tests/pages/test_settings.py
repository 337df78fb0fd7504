"""Settings: workspaces, indexes and the model."""

from __future__ import annotations

from pathlib import Path

from core import embed, home, sample
from core.errors import ModelUnavailable
from core.ingest import Upload
from core.settings import ChunkSettings
from tests.fakes import BagEncoder
from tests.pages.screen import app, go, notices, press, said


def test_the_workspace_is_named_with_its_size_and_documents(plant):
    text = said(app("settings"))
    assert f"{Path(plant.location)} · " in text
    assert "MB · 2 documents" in text
    assert "New indexes are built with all-MiniLM-L6-v2:" in text
    assert "How texts are cut into sentences" in text


def test_indexes_are_listed_used_and_deleted(plant):
    built = plant.build(ChunkSettings(2, 1)).index
    tab = app("settings")
    text = said(tab)
    assert "sentence · in use  \n7 nodes of 2 / 2 documents · bag" in text
    assert f"2-sentences-overlap-1  \n{built.nodes} nodes of 2 / 2 documents · bag" in text
    tab = press(tab, f"use-{built.id}")
    assert "2-sentences-overlap-1 · in use" in said(tab)
    tab = press(tab, f"drop-{built.id}")
    assert "2-sentences" not in said(tab)
    assert "sentence · in use" in said(tab)
    assert [index.name for index in plant.indexes()] == ["sentence"]


def test_the_last_index_can_be_deleted_and_every_page_still_stands(plant):
    tab = press(app("settings"), f"drop-{plant.index().id}")
    assert "None yet: adding documents builds the first." in said(tab)
    assert len(plant.documents()) == 2
    for page, text in (
        ("documents", "2 documents · 7 sentences"),
        ("windows", "80 characters"),
        ("search", "Nothing to search yet."),
        ("map", "Nothing to search yet."),
        ("evaluate", "Nothing to search yet."),
    ):
        assert text in said(go(tab, page)), page


def test_reset_asks_for_the_name_and_empties_the_workspace(plant):
    tab = app("settings")
    assert tab.button(key="reset").disabled
    tab.text_input(key="reset-typed").set_value("plan").run()
    assert tab.button(key="reset").disabled
    tab.text_input(key="reset-typed").set_value("plant").run()
    tab = press(tab, "reset")
    assert not plant.documents()
    assert not plant.indexes()
    assert "0 documents" in said(tab)
    assert "This workspace is empty." in said(go(tab, "documents"))


def test_the_sample_is_taken_out_with_its_questions(shipped):
    tab = press(app("settings"), "remove-sample")
    assert "0 documents" in said(tab)
    assert [toast.value for toast in tab.toast] in ([], ["19 sample documents removed."])
    assert not shipped.documents()
    assert not shipped.gold_sets()
    assert "This workspace is empty." in said(go(tab, "documents"))


def test_the_sample_can_be_put_into_an_empty_workspace(empty):
    tab = press(app("settings"), "fill-sample")
    assert "19 documents" in said(tab)
    assert sample.is_in(empty)
    assert list(empty.gold_sets()) == [sample.GOLD]


def test_the_sample_does_not_go_among_ones_own_documents(plant):
    assert app("settings").button(key="fill-sample").disabled


def test_removing_the_sample_leaves_ones_own_document(empty):
    sample.fill(empty)
    empty.add([Upload("mine.txt", b"My own words.")], ChunkSettings())
    tab = press(app("settings"), "remove-sample")
    assert [info.name for info in empty.documents()] == ["mine.txt"]
    assert "1 document" in said(tab)


def test_a_model_that_cannot_be_loaded_is_refused_with_the_reason(plant, monkeypatch):
    def gone(name="all-MiniLM-L6-v2"):
        raise ModelUnavailable(f"The model {name!r} could not be loaded: no such file.", "Name a folder.")

    monkeypatch.setattr(embed, "encoder", gone)
    tab = app("settings")
    tab.text_input(key="model-name").set_value("/no/such/folder")
    tab = press(tab, "Apply")
    assert any("The model '/no/such/folder' could not be loaded" in notice for notice in notices(tab))
    assert "New indexes are built with all-MiniLM-L6-v2:" in said(tab)


def test_another_model_is_taken_for_new_indexes(plant, monkeypatch):
    monkeypatch.setattr(embed, "encoder", lambda name="all-MiniLM-L6-v2": BagEncoder())
    tab = app("settings")
    tab.text_input(key="model-name").set_value("bag")
    tab = press(tab, "Apply")
    assert "New indexes are built with bag: build one on any page to use it." in said(tab)


def test_the_default_workspace_is_the_sample_once_ones_own_file_is_gone(plant):
    assert home.default() == home.named("plant")
    Path(plant.location).unlink()
    assert home.default() == home.sample()
