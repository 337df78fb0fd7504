"""Documents: what is there, what became of a drop, and taking out and bringing back."""

from __future__ import annotations

import threading

import pytest

from core import home, workspace
from core.errors import ModelUnavailable
from tests.fakes import BagEncoder
from tests.pages.screen import app, documents, go, notices, open_row, plain, press, said, settle, table


def listed(tab):
    """The table's names, in order; none if there is no table."""
    found = documents(tab)
    return list(found.value["name"]) if found else []


def upload(tab, *files):
    tab.file_uploader(key="drop-Files").set_value([(name, data, "text/plain") for name, data in files])
    return settle(press(tab, "Add"))


def typed(tab, text, name=""):
    """Text put into the form, which is not sent yet."""
    tab.button_group(key="drop-kind").set_value("Paste text").run()
    tab.text_input(key="paste-name").set_value(name)
    tab.text_area(key="paste-text").set_value(text)
    return tab


def paste(tab, name, text):
    return settle(press(typed(tab, text, name), "Add"))


# ── what is there ────────────────────────────────────────────────────────────────────────────────


def test_the_first_start_shows_the_sample(shipped):
    tab = app()
    shown = documents(tab).value
    faq = shown[shown["name"] == "billing-faq.md"].iloc[0]
    assert tab.title[0].value == "Documents"
    assert "19 documents · 500 sentences" in said(tab)
    assert "This is the sample workspace." in said(tab)
    assert listed(tab) == [info.name for info in shipped.documents()]
    assert (faq["category"], list(faq["tags"]), list(faq["state"])) == ("billing", ["faq", "refunds"], ["indexed"])
    assert str(faq["published_at"]).startswith("2026-03-12")
    assert faq["nodes"] == faq["sentences"] > 0


def test_the_tour_goes_and_stays_away(shipped):
    tab = press(app(), "Got it")
    assert "sample workspace" not in said(tab)
    assert "sample workspace" not in said(go(go(tab, "search"), "documents"))


def test_an_empty_workspace_says_so_and_asks_for_files(empty):
    tab = app()
    assert "This workspace is empty." in said(tab)
    assert not tab.dataframe
    assert tab.file_uploader(key="drop-Files")


def test_a_documents_row_opens_its_details(plant):
    tab = open_row(app(), 0)
    assert "#### pump.md" in said(tab)
    assert "Markdown · 80 characters · 4 sentences · added" in said(tab)
    tab = press(tab, "Close")
    assert "#### pump.md" not in said(tab)


def test_a_document_opens_in_its_text(plant):
    tab = press(open_row(app(), 1), "Open in Windows")
    assert tab.selectbox(key="bound-document").value == plant.document("valve.txt").id


# ── what comes in ────────────────────────────────────────────────────────────────────────────────


def test_pasted_text_becomes_a_document(empty):
    tab = paste(app(), "rain", "Rain fell on Monday. It stopped on Tuesday.")
    assert listed(tab) == ["rain.md"]
    assert "1 document · 2 sentences" in said(tab)
    assert "added rain.md 2 nodes · 2 embedded" in said(tab)
    assert empty.preview(empty.document("rain.md").id, empty.index().settings)[0].document.text.startswith("Rain fell")


def test_pasted_text_without_a_name_gets_one_of_its_own(empty):
    """A second nameless paste replaces nothing, also while the first is still waiting its turn."""
    tab = paste(paste(app(), "", "Rain fell."), "", "Snow fell.")
    names = listed(tab)
    assert len(set(names)) == 2
    assert all(name.startswith("pasted-") and name.endswith(".md") for name in names)


def test_files_come_in_with_their_sidecars_and_a_bad_one_is_named(empty):
    tab = upload(
        app(),
        ("good.txt", b"All is well. Nothing broke."),
        ("good.txt.meta.json", b'{"category": "log"}'),
        ("bad.txt", b"\x00\x01\x02\xff\xfe\x00binary" * 40),
        ("void.md", b""),
    )
    assert listed(tab) == ["good.txt"]
    assert tab.dataframe[0].value["category"][0] == "log"
    assert [e.label for e in tab.expander if "failed" in e.label] == ["1 added, 2 failed"]
    assert "failed bad.txt The file is binary" in said(tab)
    assert "failed void.md The file holds no text." in said(tab)


def test_a_sidecar_that_is_no_json_fails_its_document_and_the_others_come_in(empty):
    tab = upload(app(), ("a.txt", b"One thing."), ("a.txt.meta.json", b"{nope"), ("b.txt", b"Another."))
    assert listed(tab) == ["b.txt"]
    assert "failed a.txt a.txt.meta.json: The sidecar is no JSON: " in said(tab)


def test_a_name_with_a_backslash_is_shown_as_it_came(empty):
    tab = upload(app(), (r"a\b.md", b"One thing. Another."))
    (name,) = listed(tab)
    assert name == empty.documents()[0].name
    tab = open_row(tab, 0)
    assert f"#### {name}" in said(tab)


def test_nothing_chosen_is_said(empty):
    assert "Nothing to add yet: choose files, or paste text." in notices(press(app(), "Add"))


def test_the_same_file_again_is_unchanged(empty):
    tab = upload(app(), ("a.txt", b"One thing."))
    tab = upload(tab, ("a.txt", b"One thing."))
    assert "unchanged a.txt" in said(tab)
    tab = press(tab, "Dismiss")
    assert "unchanged" not in said(tab)


def test_a_first_drop_on_the_sample_goes_to_a_new_workspace(shipped):
    tab = app()
    target = tab.text_input(key="drop-target")
    assert target.value == home.OWN
    own = workspace.open(home.named(home.OWN), shipped.encoders)
    tab = paste(tab, "mine", "My own words. They are few.")
    assert listed(tab) == ["mine.md"]
    assert [info.name for info in own.documents()] == ["mine.md"]
    assert len(shipped.documents()) == 19
    assert home.default() == home.named(home.OWN)
    assert tab.sidebar.get("popover")[0].proto.popover.label == r"my\-documents"


def test_a_first_drop_on_the_sample_stays_there_if_the_name_is_cleared(shipped):
    tab = typed(app(), "The refund policy is new.")
    tab.text_input(key="drop-target").set_value("")
    tab = settle(press(tab, "Add"))
    assert any(name.startswith("pasted-") for name in listed(tab))
    assert len(shipped.documents()) == 20


def test_a_workspace_name_that_is_no_file_name_is_refused(shipped):
    tab = typed(app(), "Something.")
    tab.text_input(key="drop-target").set_value("../elsewhere")
    tab = press(tab, "Add")
    assert any("'../elsewhere' cannot name a workspace." in notice for notice in notices(tab))
    assert len(shipped.documents()) == 19


def test_a_job_that_fails_says_why(plant, monkeypatch):
    def gone(name):
        raise ModelUnavailable("The model is gone.", "Bring it back.")

    monkeypatch.setattr(plant, "encoders", gone)
    tab = settle(press(typed(app(), "Something new."), "Add"))
    assert any("failed. The model is gone. Bring it back." in notice for notice in notices(tab))
    assert listed(tab) == ["pump.md", "valve.txt"]


class Held(BagEncoder):
    """An encoder that embeds nothing until it is let go."""

    asked = threading.Event()
    gate = threading.Event()

    def encode(self, texts):
        self.asked.set()
        assert self.gate.wait(30)
        return super().encode(texts)


@pytest.fixture
def held(empty, monkeypatch):
    monkeypatch.setattr(Held, "asked", threading.Event())
    monkeypatch.setattr(Held, "gate", threading.Event())
    monkeypatch.setattr(empty, "encoders", lambda name: Held())
    yield empty
    Held.gate.set()


def test_work_is_seen_on_every_page_and_in_another_tab_while_it_goes_on(held):
    tab = press(typed(app(), "One thing. Another.", "slow"), "Add")
    for here in (tab, go(tab, "settings"), app("search"), app()):
        assert any("Adding 1 file" in plain(bar.proto.text) for bar in here.get("progress"))
        assert [button.label for button in here.sidebar.button if button.key.startswith("stop-")] == ["Stop"]
    assert "Reading your files" in said(app())
    Held.gate.set()
    tab = settle(tab)
    assert not tab.get("progress")
    assert listed(go(tab, "documents")) == ["slow.md"]


def test_work_that_is_stopped_keeps_what_was_finished(held):
    many = [(f"{n:03}.txt", f"Number {n} stands here.".encode(), "text/plain") for n in range(100)]
    tab = app()
    tab.file_uploader(key="drop-Files").set_value(many)
    tab = press(tab, "Add")
    assert Held.asked.wait(30)
    tab = press(tab, next(button.key for button in tab.sidebar.button if button.key.startswith("stop-")))
    assert "Stopping …" in [button.label for button in tab.sidebar.button]
    Held.gate.set()
    tab = settle(tab)
    assert any("Adding 100 files was stopped. What was finished before is kept." in notice for notice in notices(tab))
    assert len(held.documents()) < 100


def test_uploads_stay_and_are_replaced_when_they_come_again(empty):
    """Case T02."""
    tab = upload(app(), ("a.txt", b"The first text."))
    tab.slider(key="bound-size").set_value(2).run()
    tab.slider(key="bound-size").set_value(3).run()
    tab = go(go(tab, "search"), "documents")
    assert listed(tab) == ["a.txt"]
    assert table(tab, "sentences")["sentences"].tolist() == [1]
    tab = upload(tab, ("a.txt", b"The second text. It is longer."))
    assert "replaced a.txt" in said(tab)
    assert table(tab, "sentences")["sentences"].tolist() == [2]


# ── what goes out ────────────────────────────────────────────────────────────────────────────────


def test_a_deleted_document_comes_back_with_its_vectors(plant):
    nodes = plant.index().nodes
    tab = press(open_row(app(), 0), "Delete")
    assert listed(tab) == ["valve.txt"]
    assert "pump.md was deleted." in said(tab)
    assert plant.index().nodes == nodes - 4
    tab = press(tab, "Undo")
    assert listed(tab) == ["pump.md", "valve.txt"]
    assert "was deleted" not in said(tab)
    assert plant.index().nodes == nodes


def test_the_last_document_can_be_deleted(plant):
    tab = press(open_row(app(), 1), "Delete")
    tab = press(open_row(tab, 0), "Delete")
    assert "This workspace is empty." in said(tab)
    tab = press(press(tab, "Undo"), "Undo")
    assert listed(tab) == ["pump.md", "valve.txt"]


def test_an_alias_is_told(empty):
    tab = upload(app(), ("a.txt", b"The same text."), ("b.txt", b"The same text."))
    assert listed(tab) == ["a.txt"]
    assert "also as b.txt" in said(open_row(tab, 0))
