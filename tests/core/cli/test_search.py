"""``chunkscope search --filter``: JSON, text and a dict of equalities are one filter with one result."""

from __future__ import annotations

import json

import pytest

from core import cli, home, payload
from core import workspace as workspaces
from core.filters import check, conjunction, from_json, read, to_json, to_text
from core.settings import SearchSettings

DOCUMENTS: dict[str, dict[str, object]] = {
    "pump.md": {"category": "report", "tags": ["north", "v2"], "year": 2023, "odd key": "it's"},
    "valve.txt": {"category": "log", "tags": ["south"], "year": 2024},
    "spring.txt": {"category": "report", "year": 2024, "draft": True},
    "bare.txt": {},
}
QUESTION = "north pump"


@pytest.fixture
def filled(tmp_path, capsys) -> workspaces.Workspace:
    """A workspace that commands find, of four documents, each with its metadata; its encoder is the tiny one."""
    for name, metadata in DOCUMENTS.items():
        (tmp_path / name).write_text(f"The north pump of {name} failed in May. Nobody noticed the noise.")
        (tmp_path / f"{name}.meta.json").write_text(json.dumps(metadata))
    assert cli.main(["add", *(str(tmp_path / name) for name in DOCUMENTS)]) == 0
    capsys.readouterr()
    return workspaces.open(home.named(home.OWN))


@pytest.fixture
def found(filled, capsys):
    """All that a search prints under a filter, but for the time it took."""

    def search(filter: str) -> dict[str, object]:
        assert cli.main(["search", QUESTION, "--k", "20", "--json", "--filter", filter]) == 0
        printed = json.loads(capsys.readouterr().out)
        del printed["timings_ms"]
        return printed

    return search


EQUALITIES = [
    ({"year": 2023}, "year = 2023", {"pump.md"}),
    ({"category": "report", "year": 2024}, "category = report AND year == 2024", {"spring.txt"}),
    ({"tags": ["north", "v2"]}, 'tags = ("north", v2)', {"pump.md"}),
    ({"odd key": "it's"}, "`odd key` = 'it\\'s'", {"pump.md"}),
    ({"draft": True, "category": "report"}, "(draft = true) and category = 'report'", {"spring.txt"}),
    ({"year": 1900}, "year = 1900", set()),
    ({}, "everything", set(DOCUMENTS)),
]


@pytest.mark.parametrize(("equalities", "text", "names"), EQUALITIES)
def test_equalities_json_and_text_give_one_result(filled, found, equalities, text, names):
    short, full, typed = (found(f) for f in (json.dumps(equalities), json.dumps(to_json(from_json(equalities))), text))
    assert short == full == typed
    assert {hit["name"] for hit in short["hits"]} == names
    facade = filled.search(QUESTION, SearchSettings(k=20), from_json(equalities))
    assert short["hits"] == [payload.hit(hit) for hit in facade.hits]
    assert (short["sql"], short["matching"], short["total"]) == (facade.sql, facade.matching, facade.total)


@pytest.mark.parametrize(
    ("data", "text", "names"),
    [
        (
            {"any": [{"field": "year", "op": ">=", "value": 2024}, {"field": "tags", "op": "contains_any", "value": ["v2"]}]},
            "year >= 2024 or tags contains_any ['v2']",
            {"pump.md", "valve.txt", "spring.txt"},
        ),
        (
            {"not": {"field": "tags", "op": "contains_any", "value": ["north", "south"]}},
            "not tags contains_any (north, south)",
            {"spring.txt", "bare.txt"},
        ),
        ({"field": "year", "op": "!=", "value": 2023, "missing": "exclude"}, "year <> 2023 (and present)", {"valve.txt", "spring.txt"}),
        ({"field": "year", "op": "between", "value": [2000, 2023], "missing": "include"}, "year between 2000 and 2023 (or missing)", {"pump.md", "bare.txt"}),
        ({"field": "category", "op": "is_null"}, "category IS NULL", {"bare.txt"}),
        ({"any": []}, "nothing", set()),
    ],
)  # fmt: skip
def test_the_full_json_and_the_text_give_one_result(filled, found, data, text, names):
    as_json, as_text = found(json.dumps(data)), found(text)
    assert as_json == as_text
    assert {hit["name"] for hit in as_text["hits"]} == names
    written = to_text(check(read(text), filled.store.schema()))
    assert found(written) == as_text
    assert conjunction(read(written)) == conjunction(from_json(data))


@pytest.mark.parametrize(
    ("filter", "told"),
    [
        ("yeer >= 2023", "There is no field 'yeer'. Did you mean 'year'?"),
        ("year => 2023", "There is no operator '=>' at column 6. Did you mean '>='?"),
        ("year >= 2023 and", "Expected a field at column 17, but the filter ends."),
        ("category = 2023", "'category' holds a string, not 2023. Put it in quotes."),
        (" ", "The filter is empty. For no filter leave it out"),
    ],
)
def test_a_filter_that_is_wrong_is_told_with_the_way_on(filled, capsys, filter, told):
    assert cli.main(["search", QUESTION, "--filter", filter]) == 1
    assert told in capsys.readouterr().err
