"""Settings: workspaces, indexes and the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import embed, home, prefixes, sample
from core.abbreviations import ABBREVIATIONS
from core.errors import Cancelled, ModelUnavailable
from core.ingest import Upload
from core.prefixes import PrefixedEncoder
from core.settings import ChunkSettings, Engine, SplitSettings
from tests.core.drops import CancelAt
from tests.fakes import BagEncoder
from tests.pages.screen import app, go, notices, press, said, settle


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


# ── sentences ────────────────────────────────────────────────────────────────────────────────────

ZWEB = b"The gauge was made by Zweb. Marlow in 2019. It held."


def abbreviations(tab):
    return next(area for area in tab.text_area if area.key.startswith("split-abbreviations"))


def cut_again(tab, words=None, engine=None):
    """Fill in the form of the Sentences section, send it, and wait for the documents to be cut."""
    return settle(sent(tab, words, engine))


def sent(tab, words=None, engine=None):
    if words is not None:
        abbreviations(tab).set_value(words)
    if engine is not None:
        next(group for group in tab.button_group if group.key.startswith("split-engine")).set_value(engine)
    return press(tab, "Cut again")


@pytest.fixture
def gauge(empty):
    """A workspace with a document that Punkt parts after a word it does not know."""
    empty.add([Upload("gauge.txt", ZWEB)], ChunkSettings())
    assert empty.documents()[0].sentences == 3
    return empty


def test_the_sentences_section_shows_the_splitter_and_the_whole_list(plant):
    tab = app("settings")
    assert "##### Sentences" in said(tab)
    assert "nothing is downloaded" in said(tab)
    assert abbreviations(tab).value.split() == list(ABBREVIATIONS)
    engine = next(group for group in tab.button_group if group.key.startswith("split-engine"))
    assert [option.split(",")[0].split(" (")[0] for option in engine.options] == ["NLTK Punkt", "nupunkt"]
    assert engine.value == Engine.PUNKT


def test_an_abbreviation_put_in_cuts_every_document_again(gauge):
    tab = cut_again(app("settings"), " ".join([*ABBREVIATIONS, "Zweb"]))
    assert gauge.split_settings() == SplitSettings(abbreviations=(*ABBREVIATIONS, "Zweb"))
    assert gauge.documents()[0].sentences == 2
    assert abbreviations(tab).value.split()[-1] == "Zweb"
    assert "1 document · 2 sentences" in said(go(tab, "documents"))
    tab = cut_again(go(tab, "settings"), " ".join(ABBREVIATIONS))
    assert gauge.documents()[0].sentences == 3


def test_words_may_be_separated_by_commas_and_lines_and_end_in_their_stop(gauge):
    cut_again(app("settings"), "Zweb., Dr.,\nMr.  Zweb")
    assert gauge.split_settings().abbreviations == ("Zweb", "Dr", "Mr")
    assert gauge.documents()[0].sentences == 2


def test_the_other_splitter_is_chosen_and_named_with_the_document(gauge):
    tab = cut_again(app("settings"), engine=Engine.NUPUNKT)
    assert gauge.split_settings().engine is Engine.NUPUNKT
    engine = next(group for group in tab.button_group if group.key.startswith("split-engine"))
    assert engine.value == Engine.NUPUNKT


def test_as_it_came_brings_back_the_list_and_the_splitter(gauge):
    tab = cut_again(app("settings"), "Zweb", Engine.NUPUNKT)
    tab = settle(press(tab, "As it came"))
    assert gauge.split_settings() == SplitSettings()
    assert abbreviations(tab).value.split() == list(ABBREVIATIONS)
    assert gauge.documents()[0].sentences == 3


def test_the_list_as_it_is_cuts_nothing_again(gauge):
    changes = gauge.store.changes
    tab = sent(app("settings"))
    assert "Nothing has changed." in said(tab)
    assert gauge.store.changes == changes


def test_an_entry_that_is_no_abbreviation_is_refused_with_the_reason_and_changes_nothing(gauge):
    tab = sent(app("settings"), f"Dr {'x' * 41}")
    assert any("has 41 characters" in notice for notice in notices(tab))
    assert gauge.split_settings() == SplitSettings()
    tab = sent(app("settings"), " ".join(f"w{n}" for n in range(2001)))
    assert any("2,001 abbreviations are too many." in notice for notice in notices(tab))
    tab = sent(app("settings"), "Dr . Mr")
    assert any("An abbreviation is empty." in notice for notice in notices(tab))
    assert gauge.split_settings() == SplitSettings()
    assert gauge.documents()[0].sentences == 3


def test_hostile_abbreviations_are_shown_as_they_are(gauge):
    tab = cut_again(app("settings"), "<b>Zweb</b> $x$ **y**")
    assert abbreviations(tab).value == "<b>Zweb</b> $x$ **y**"


def test_cutting_that_was_stopped_can_be_gone_on_with(gauge):
    """The settings are kept before the documents are cut: the page must not say that nothing has changed."""
    chosen = SplitSettings(abbreviations=(*ABBREVIATIONS, "Zweb"))
    with pytest.raises(Cancelled):
        gauge.resplit(chosen, CancelAt(0))
    cut_again(app("settings"), " ".join(chosen.abbreviations))
    assert gauge.split_settings() == chosen
    assert gauge.documents()[0].sentences == 2


def test_every_page_stands_after_the_documents_were_cut_again(gauge):
    tab = cut_again(app("settings"), "Zweb")
    for page in ("documents", "windows", "search", "map", "evaluate"):
        assert not go(tab, page).exception


def test_other_prefixes_are_another_model_and_ask_for_an_index_of_their_own(plant, monkeypatch):
    """R05."""
    made = {}
    monkeypatch.setattr(embed, "encoder", lambda name=embed.BUNDLED: made.setdefault(name, _prefixed(name)))
    plant.encoders = embed.encoder
    tab = app("settings")
    assert "without a prefix" in said(tab)
    model = tab.text_input(key=f"prefix-query-{embed.BUNDLED}")
    model.set_value("query: ")
    tab.text_input(key=f"prefix-passage-{embed.BUNDLED}").set_value("passage: ")
    tab = press(tab, "Use these")
    assert "before questions “query:”, before passages “passage:”" in said(tab)
    named = next(key for key in made if "#query=" in key)
    assert plant.index_of(ChunkSettings(), named) is None
    tab.text_input(key=f"prefix-query-{named}").set_value("")
    tab.text_input(key=f"prefix-passage-{named}").set_value("")
    tab = press(tab, "Use these")
    assert "without a prefix" in said(tab)


def _prefixed(name):
    _, chosen = prefixes.parted(name)
    return PrefixedEncoder(BagEncoder(), name, chosen) if chosen else BagEncoder()
