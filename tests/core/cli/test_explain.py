"""``chunkscope search --explain``: the X-ray as JSON and in words."""

from __future__ import annotations

import json

import pytest

from core import cli

PUMP = "The north pump failed in May. The pump was replaced. Costs were low."
VALVE = "The south valve held in June. The pump was fine. The shift ended early."
WHERE = '{"all": [{"field": "year", "op": ">=", "value": 2023}, {"category": "log"}]}'


@pytest.fixture
def run(monkeypatch, tmp_path, capsys):
    """Run a command on a workspace of two documents; what it printed."""
    monkeypatch.setenv("CHUNKSCOPE_WORKSPACE", str(tmp_path / "w.duckdb"))
    for name, text, told in (
        ("pump.txt", PUMP, {"year": 2021, "category": "report"}),
        ("valve.txt", VALVE, {"year": 2024, "category": "log"}),
    ):
        (tmp_path / name).write_text(text)
        (tmp_path / f"{name}.meta.json").write_text(json.dumps(told))

    def command(*arguments: str) -> str:
        capsys.readouterr()
        assert cli.main([*arguments, "--workspace", str(tmp_path / "w.duckdb")]) == 0
        return capsys.readouterr().out

    command("add", str(tmp_path / "pump.txt"), str(tmp_path / "valve.txt"))
    return command


def explained(run, *more: str) -> tuple[dict, dict]:
    found = json.loads(run("search", "Which pump failed?", "--k", "4", "--json", "--explain", *more))
    return found, found["explanation"]


def test_the_explanation_has_both_ladders_and_who_removed_what(run):
    found, told = explained(run, "--filter", WHERE)
    plain = json.loads(run("search", "Which pump failed?", "--k", "4", "--json"))
    filtered = json.loads(run("search", "Which pump failed?", "--k", "4", "--json", "--filter", WHERE))
    assert "explanation" not in plain
    assert [rung["id"] for rung in told["unfiltered"]] == [hit["id"] for hit in plain["hits"]]
    assert [rung["id"] for rung in told["filtered"]] == [hit["id"] for hit in filtered["hits"]]
    assert [rung["score"] for rung in told["filtered"]] == [hit["score"] for hit in filtered["hits"]]
    assert found["hits"] == filtered["hits"]
    excluded = [rung for rung in told["unfiltered"] if rung["name"] == "pump.txt"]
    assert excluded
    assert all(rung["change"] == "excluded" and rung["filtered_rank"] is None for rung in excluded)
    assert told["attribution"] == [
        {"id": rung["id"], "rank": rung["unfiltered_rank"], "rejected_by": [0, 1]} for rung in excluded
    ]
    assert (told["badge"], told["why_fewer"]) == ("exact · 3 of 4", "3 nodes of 6 pass the filter.")
    assert set(told["timings_ms"]) == {"scan", "explain", "windows"}


def test_the_explanation_tells_how_selective_each_clause_is(run):
    _, told = explained(run, "--filter", WHERE)
    both = told["selectivity"]
    assert (both["matching"], both["total"], both["share"]) == (3, 6, 0.5)
    assert [clause["words"] for clause in both["clauses"]] == ["year ≥ 2023", "category = log"]
    for clause in both["clauses"]:
        assert (clause["matching"], clause["matching_without"], clause["share"]) == (3, 3, 0.5)
        assert clause["rejects"] == [row["id"] for row in told["attribution"]]
        assert clause["rejects_alone"] == []
        assert [place["ordinal"] for place in clause["alone"]] == [rung["ordinal"] for rung in told["filtered"]]
        assert clause["alone"] == clause["others"]
    assert [(tried["fetched"], tried["returned"]) for tried in told["post_filter"]][1:] == [(20, 3), (80, 3)]
    first = told["post_filter"][0]
    assert first["returned"] == 4 - len(told["attribution"])
    assert first["recall"] == first["returned"] / 3


def test_without_a_filter_nothing_is_removed(run):
    _, told = explained(run)
    assert told["unfiltered"] == told["filtered"]
    assert (told["attribution"], told["selectivity"]["clauses"], told["why_fewer"]) == ([], [], "")
    assert {rung["change"] for rung in told["filtered"]} == {"kept"}


def test_a_filter_that_matches_nothing_is_explained(run):
    _, told = explained(run, "--filter", '{"year": 1999}')
    assert told["filtered"] == []
    assert [row["rejected_by"] for row in told["attribution"]] == [[0]] * 4
    assert [tried["recall"] for tried in told["post_filter"]] == [None] * 3
    assert told["why_fewer"] == "No node of 6 passes the filter."


def test_in_words(run):
    out = run("search", "Which pump failed?", "--k", "4", "--explain", "--filter", WHERE)
    assert "exact · 3 of 4  3 nodes of 6 pass the filter." in out
    assert "year ≥ 2023: 3 of 6 nodes; without it 3; rejects" in out
    assert "excluded by year ≥ 2023; category = log  pump.txt #0" in out
    assert "post-filter of 20: 3 of 4 returned" in out
