"""Where workspaces live, and which one opens when none is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import home
from core.errors import InvalidRequest


def touched(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_the_first_start_opens_the_sample():
    assert home.default() == home.sample() == home.folder() / "sample.duckdb"


def test_the_last_one_opened_opens_next_time(tmp_path):
    home.remember(touched(tmp_path / "w.duckdb"))
    assert home.default() == tmp_path / "w.duckdb"


def test_a_relative_path_is_remembered_as_the_place_it_was(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    home.remember(touched(Path("w.duckdb")))
    monkeypatch.chdir("/")
    assert home.default() == tmp_path / "w.duckdb"


def test_one_that_is_gone_gives_way_to_the_sample(tmp_path):
    home.remember(tmp_path / "gone.duckdb")
    assert home.default() == home.sample()


def test_the_environment_names_one_before_all_else(tmp_path, monkeypatch):
    home.remember(touched(tmp_path / "w.duckdb"))
    monkeypatch.setenv(home.VARIABLE, str(tmp_path / "new.duckdb"))
    assert home.default() == tmp_path / "new.duckdb"
    monkeypatch.setenv(home.VARIABLE, "~/mine.duckdb")
    assert home.default() == Path.home() / "mine.duckdb"
    monkeypatch.setenv(home.VARIABLE, "")
    assert home.default() == tmp_path / "w.duckdb"


def test_documents_of_ones_own_never_go_to_the_sample_unasked(tmp_path, monkeypatch):
    own = home.named(home.OWN)
    assert home.default_for_adding() == own
    home.remember(touched(home.sample()))
    assert home.default_for_adding() == own
    home.remember(touched(tmp_path / "w.duckdb"))
    assert home.default_for_adding() == tmp_path / "w.duckdb"
    monkeypatch.setenv(home.VARIABLE, str(home.sample()))
    assert home.default_for_adding() == home.sample(), "it was named"


def test_the_sample_is_known_under_a_link_too(tmp_path, monkeypatch):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "link"))
    home.remember(touched(home.sample()))
    assert home.default_for_adding() == home.named(home.OWN)


def test_workspaces_are_known_by_name():
    assert home.known() == []
    for name in ("b", "a"):
        touched(home.named(name))
    touched(home.folder() / "notes.txt")
    assert [path.stem for path in home.known()] == ["a", "b"]


@pytest.mark.parametrize("name", ["a", "contracts-2026", "v1.2 draft", "Überblick", "会议", "a_b", "x" * 61])
def test_a_plain_name_names_a_file_in_the_data_folder(name):
    assert home.named(name) == home.folder() / f"{name}.duckdb"
    assert home.named(f"  {name} ") == home.named(name)


@pytest.mark.parametrize(
    "name", ["", " ", "..", "../a", "a/b", "a\\b", ".a", "-a", "a:b", "a\x00b", "a\nb", "x" * 62, "~", "a*"]
)
def test_what_is_no_plain_name_is_refused(name):
    with pytest.raises(InvalidRequest, match="cannot name a workspace"):
        home.named(name)
