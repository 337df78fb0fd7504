"""The frame of every page: workspaces that cannot be opened, switching between them, and links."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from core import home, workspace
from core.errors import NotFound
from core.ingest import Upload
from core.settings import ChunkSettings
from tests.fakes import BagEncoder
from tests.pages.screen import app, go, notices, press, said
from tests.processes import python

HOLD = (
    "import sys; from pathlib import Path; from core import workspace;"
    "workspace.open(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
)
PAGES = ("documents", "windows", "search", "map", "evaluate", "settings")


def address(tab) -> dict[str, str]:
    """What the tab keeps in its address."""
    (said,) = (data["said"] for e in tab.get("bidi_component") if "said" in (data := json.loads(e.proto.json)))
    return said


def stands_with_message(tab, *parts):
    """One error with all of ``parts``, no traceback, and the switcher to go on with."""
    assert not tab.exception
    (message,) = [notice for notice in notices(tab) if parts[0] in notice]
    assert all(part in message for part in parts)
    assert not tab.title
    assert [area.key for area in tab.main.text_input] == ["open-path", "new-name"]
    return tab


# ── workspaces that cannot be opened ─────────────────────────────────────────────────────────────


def test_a_file_that_is_no_workspace_is_told_and_another_can_be_opened(tmp_path, shipped):
    path = tmp_path / "letter.txt"
    path.write_text("Dear all, this is no database." * 100)
    home.remember(path)
    tab = stands_with_message(app(), f"{path} is not a workspace.", "Name another file")
    assert path.read_text().startswith("Dear all"), "it is left as it was"
    tab = press(tab, f"open-{home.sample()}")
    assert tab.title[0].value == "Documents"
    assert "19 documents" in said(tab)


def test_a_database_of_someone_elses_is_told_and_left_alone(tmp_path):
    path = tmp_path / "other.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE cats (name VARCHAR)")
    home.remember(path)
    stands_with_message(app(), "is a DuckDB file, but not a workspace.")
    with duckdb.connect(path) as connection:
        assert connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("cats",)]


def test_a_workspace_of_a_newer_version_is_told_and_a_new_one_can_be_made(plant):
    path = Path(plant.location)
    workspace.close(path)
    with duckdb.connect(path) as connection:
        connection.execute("UPDATE workspace SET format_version = 99")
    tab = stands_with_message(app(), "was written by a newer version (format 99;", "Update Chunkscope")
    tab.text_input(key="new-name").set_value("fresh").run()
    tab = press(tab, "new-create")
    assert "This workspace is empty." in said(tab)
    assert home.default() == home.named("fresh")


def test_a_workspace_another_process_holds_is_told_with_the_ways_on(plant):
    path = Path(plant.location)
    workspace.close(path)
    holder = python(HOLD, path)
    try:
        assert holder.stdout.readline() == "open\n"
        tab = stands_with_message(app(), f"is in use by process {holder.pid}", "stop it", "name another workspace")
        for page in PAGES[1:]:
            stands_with_message(go(tab, page), "is in use by process")
    finally:
        holder.communicate("")
    tab.run()
    assert "MB · 2 documents" in said(tab), "it opens once the other process has ended"


def test_an_error_of_a_page_is_shown_in_its_place(plant, monkeypatch):
    def gone():
        raise NotFound("The questions are gone.", "Bring them back.")

    monkeypatch.setattr(plant, "gold_sets", gone)
    tab = app("evaluate")
    assert "The questions are gone.  \nBring them back." in notices(tab)
    assert tab.title[0].value == "Evaluate"
    assert not tab.exception


# ── switching ────────────────────────────────────────────────────────────────────────────────────


def test_every_page_stands_in_every_workspace(plant):
    tab = app()
    for page in PAGES[1:]:
        go(tab, page)
    assert tab.title[0].value == "Settings"


def test_a_new_workspace_is_empty_and_opens_next_time(plant):
    tab = app()
    tab.text_input(key="new-name").set_value("contracts 2026").run()
    tab = press(tab, "new-create")
    assert "This workspace is empty." in said(tab)
    assert home.default() == home.named("contracts 2026")
    assert "This workspace is empty." in said(app())


@pytest.mark.parametrize("name", ["../up", "a/b", ".hidden", "x" * 80, "a:b", "…"])
def test_a_name_that_is_no_file_name_is_refused(plant, name):
    tab = app()
    tab.text_input(key="new-name").set_value(name).run()
    tab = press(tab, "new-create")
    assert any("cannot name a workspace." in notice for notice in notices(tab))
    assert home.known() == [home.named("plant")]


def test_a_name_that_is_taken_is_refused(plant):
    tab = app()
    tab.text_input(key="new-name").set_value("plant").run()
    assert any("There is one of that name already" in notice for notice in notices(press(tab, "new-create")))


def test_a_file_elsewhere_is_opened_and_remembered(plant, tmp_path):
    path = tmp_path / "elsewhere.duckdb"
    workspace.open(path, lambda name: BagEncoder()).add([Upload("far.txt", b"Far away.")], ChunkSettings())
    tab = app()
    tab.text_input(key="open-path").set_value(str(path)).run()
    tab = press(tab, "open-other")
    assert "1 document · 1 sentence" in said(tab)
    assert home.default() == path


def test_a_file_that_is_not_there_is_said_and_not_made(plant, tmp_path):
    tab = app()
    tab.text_input(key="open-path").set_value(str(tmp_path / "none.duckdb")).run()
    assert "There is no such file." in notices(press(tab, "open-other"))
    assert not (tmp_path / "none.duckdb").exists()


def test_a_workspace_chosen_from_the_list_is_the_one_next_time(plant):
    other = home.named("other")
    workspace.open(other, lambda name: BagEncoder()).add([Upload("o.txt", b"Another.")], ChunkSettings())
    tab = press(app(), f"open-{other}")
    assert "1 document · 1 sentence" in said(tab)
    assert home.default() == other


def test_switching_forgets_document_filter_and_index_but_keeps_window_and_k(plant):
    other = home.named("other")
    workspace.open(other, lambda name: BagEncoder()).add([Upload("o.txt", b"Another.")], ChunkSettings())
    tab = app("search", q="pump", k="3", window="4", doc=plant.document("pump.md").id)
    tab = go(press(tab, f"open-{other}"), "search")
    assert tab.text_input(key="bound-question").value == ""
    assert (tab.slider(key="bound-k").value, tab.slider(key="bound-window").value) == (3, 4)


# ── the address ──────────────────────────────────────────────────────────────────────────────────


def test_the_address_brings_back_question_k_and_window(plant):
    tab = app("search", q="north pump", k="3", window="1")
    assert tab.text_input(key="bound-question").value == "north pump"
    assert (tab.slider(key="bound-k").value, tab.slider(key="bound-window").value) == (3, 1)
    tab.slider(key="bound-k").set_value(9).run()
    assert address(tab)["k"] == "9"


def test_the_address_brings_back_workspace_filter_and_distance_limit(plant, tmp_path):
    tab = app("search", q="pump", ws="plant", max="0.75", filter='{"category":"pumps"}')
    assert tab.session_state["chunkscope"].workspace == plant.location
    assert tab.session_state["chunkscope"].max_distance == 0.75
    assert json.loads(address(tab)["filter"]) == {"field": "category", "op": "=", "value": "pumps"}
    assert address(tab)["ws"] == "plant"


@pytest.mark.parametrize(
    "wrong",
    [{"ws": "../../etc/passwd"}, {"ws": "nobody"}, {"filter": "{"}, {"max": "far"}, {"max": "nan"}, {"k": "9" * 5000}],
)
def test_what_an_address_gets_wrong_is_ignored(plant, wrong):
    tab = app("search", q="pump", **wrong)
    assert not tab.exception
    assert tab.session_state["chunkscope"].workspace == plant.location
