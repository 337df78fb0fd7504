"""``chunkscope nodes`` and ``chunkscope compare`` under every strategy, and the options that choose one."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from core import chunk, home
from core import workspace as workspaces
from core.chunk import Preset
from core.settings import ChunkSettings, Strategy, Unit
from tests.fakes import BagEncoder

TEXT = """\
# Pumps

The north pump failed in May. It was replaced at once. The north pump is loud. Costs were low.

## Valves

Rain fell on the valve. The valve held. Nobody noticed the noise of the valve.

| part | price |
|---|---|
| valve | 3 |
"""


@pytest.fixture
def body(run, tmp_path):
    """The text of a document that has been added."""
    (tmp_path / "plant.md").write_text(TEXT)
    assert run("add", tmp_path / "plant.md")[0] == 0
    opened = workspaces.open(home.named(home.OWN))
    return opened.store.passage(opened.document("plant.md").id).document.text


CHOICES = [
    ["--size", "2", "--overlap", "1"],
    ["--strategy", "fixed", "--size", "60", "--unit", "chars", "--overlap", "25%"],
    ["--strategy", "fixed", "--size", "9", "--unit", "tokens", "--overlap", "4"],
    ["--strategy", "recursive", "--size", "12", "--unit", "words"],
    ["--strategy", "semantic", "--size", "40", "--unit", "tokens", "--percentile", "40", "--minimum", "5"],
    ["--strategy", "structure"],
    ["--strategy", "code", "--size", "80", "--unit", "chars"],
    ["--preset", "recursive 200/0"],
]


@pytest.mark.parametrize("options", CHOICES, ids=" ".join)
def test_nodes_of_every_strategy_slice_the_text(said, body, options):
    code, found = said("nodes", "plant.md", "--window", 1, *options)
    assert code == 0
    rows = found["nodes"]
    assert [row["text"] for row in rows] == [body[row["start"] : row["end"]] for row in rows]
    assert {at for row in rows for at in range(row["start"], row["end"])} >= {
        at for at, c in enumerate(body) if c.isalnum()
    }
    assert [row["is_first"] for row in rows] == [True, *[False] * (len(rows) - 1)]
    assert [row["is_last"] for row in rows] == [*[False] * (len(rows) - 1), True]
    for left, right in pairwise(rows):
        shared = right["node_overlap"]["previous"]
        assert shared == left["node_overlap"]["next"]
        assert (shared is not None) == (right["start"] < left["end"])
        if shared:
            assert (shared["start"], shared["end"]) == (right["start"], left["end"])
            assert shared["tokens"] == BagEncoder().count_tokens([body[right["start"] : left["end"]]])[0] - 2
        both = right["window_overlap"]["previous"]
        assert both == left["window_overlap"]["next"]
        assert (both is not None) == (right["window"]["start"] < left["window"]["end"])


def test_sizes_and_overlaps_are_in_the_unit_that_was_said(said, body):
    fixed = ["--strategy", "fixed", "--size", "8", "--unit", "words"]
    rows = said("nodes", "plant.md", *fixed, "--overlap", "25%")[1]["nodes"]
    assert max(len(row["text"].split()) for row in rows if row["kind"] != "table") <= 8
    assert {
        len(body[o["start"] : o["end"]].split()) for row in rows if (o := row["node_overlap"]["next"]) is not None
    } == {2}


def test_an_index_is_added_with_a_strategy_and_searched(said, body, tmp_path):
    more = ["--strategy", "fixed", "--size", "10", "--unit", "tokens", "--overlap", "20%"]
    code, found = said("add", tmp_path / "plant.md", *more)
    assert code == 0
    nodes = said("nodes", "plant.md", *more)[1]["nodes"]
    assert found["files"][0]["nodes"] == len(nodes)
    name = "fixed-10-tokens-overlap-2"
    assert name in [index["name"] for index in said("list")[1]["indexes"]]
    hits = said("search", "valve noise", "--index", name)[1]["hits"]
    by_id = {row["id"]: row["text"] for row in nodes}
    assert hits
    assert all(by_id[hit["id"]] == hit["text"] for hit in hits)
    assert said("nodes", "plant.md", "--index", name)[1]["nodes"] == nodes


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (["--strategy", "magic"], "No strategy is called 'magic'"),
        (["--strategy", "fixed", "--unit", "sentences"], "does not count sentences"),
        (["--unit", "tokens"], "Sentence windows count sentences"),
        (["--strategy", "fixed", "--size", "10", "--overlap", "10"], "Overlap 10 does not fit"),
        (["--strategy", "fixed", "--size", "10", "--overlap", "51%"], "An overlap of 51% is too much"),
        (["--strategy", "fixed", "--size", "10", "--overlap", "some"], "'some' is no overlap"),
        (["--strategy", "fixed", "--size", "10", "--overlap", "-1"], "Overlap -1 does not fit"),
        (["--strategy", "semantic", "--percentile", "0"], "The percentile is 0"),
        (["--preset", "none"], "There is no preset 'none'"),
        (["--index", "sentence", "--strategy", "fixed"], "--index already says"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_what_does_not_fit_is_said(run, body, options, wrong):
    code, _, err = run("nodes", "plant.md", *options)
    assert code == 1
    assert wrong in err


def test_a_saved_preset_can_be_named(said, body):
    opened = workspaces.open(home.named(home.OWN))
    opened.remembered.save_preset(Preset("Mine", ChunkSettings(6, 2, strategy=Strategy.FIXED, unit=Unit.WORDS)))
    explicit = ["--strategy", "fixed", "--size", "6", "--overlap", "2", "--unit", "words"]
    assert said("nodes", "plant.md", "--preset", "mine") == said("nodes", "plant.md", *explicit)
    assert len(said("nodes", "plant.md", "--preset", "mine", "--overlap", "0")[1]["nodes"]) < len(
        said("nodes", "plant.md", "--preset", "mine")[1]["nodes"]
    )


# ── compare ──────────────────────────────────────────────────────────────────────────────────────


def settings(folder: Path, name: str, **given: object) -> Path:
    path = folder / name
    path.write_text(json.dumps(given))
    return path


def test_two_settings_are_compared(said, body, tmp_path):
    a = settings(tmp_path, "a.json", size=1, window=1)
    b = settings(tmp_path, "b.json", strategy="fixed", size=9, unit="tokens", overlap="20%")
    code, found = said("compare", "plant.md", a, b)
    assert code == 0
    one, two = (
        said("nodes", "plant.md", *options)[1]["nodes"]
        for options in ([], ["--strategy", "fixed", "--size", "9", "--unit", "tokens", "--overlap", "20%"])
    )
    assert (found["a"]["statistics"]["nodes"], found["b"]["statistics"]["nodes"]) == (len(one), len(two))
    assert (found["a"]["window"], found["b"]["window"]) == (1, 0)
    assert found["b"]["settings"] == {
        "strategy": "fixed", "size": 9, "unit": "tokens", "overlap": 2, "embed_around": 0,
    }  # fmt: skip
    assert found["a"]["build"]["documents"] == 0, "that index is built"
    assert found["b"]["build"]["nodes"] == len(two)
    spans = [{(row["start"], row["end"]) for row in rows} for rows in (one, two)]
    assert len(found["difference"]["kept"]) == len(spans[0] & spans[1])
    counted = [len(found["difference"][what]) for what in ("kept", "moved", "gone", "born")]
    assert counted[0] + counted[1] + counted[2] == len(one)
    assert counted[0] + counted[1] + counted[3] == len(two)


def test_settings_against_themselves_change_nothing(said, body, tmp_path):
    a = settings(tmp_path, "a.json", strategy="recursive", size=12, unit="words")
    found = said("compare", "plant.md", a, a, "--window", 2)[1]
    assert found["a"] == found["b"]
    assert found["a"]["window"] == 2
    assert found["difference"]["moved"] == found["difference"]["gone"] == found["difference"]["born"] == []


def test_a_preset_as_it_is_kept_can_be_compared(said, body, tmp_path):
    (tmp_path / "p.json").write_text(chunk.PRESETS[3].to_json())
    found = said("compare", "plant.md", tmp_path / "p.json", settings(tmp_path, "b.json"))[1]
    assert found["a"]["settings"]["size"] == 250
    assert found["b"]["settings"] == {"size": 1, "overlap": 0, "embed_around": 0}


def test_a_comparison_in_words(run, body, tmp_path):
    code, out, _ = run("compare", "plant.md", settings(tmp_path, "a.json"), settings(tmp_path, "b.json", size=2))
    assert code == 0
    assert "A  sentence, window ±0" in out
    assert "B  2-sentences, window ±0" in out
    assert out.splitlines()[-1].startswith("nodes of A in B: ")


@pytest.mark.parametrize(
    "text",
    ["", "[]", "nonsense", '{"size": "two"}', '{"siez": 2}', '{"window": 2.5}', '{"strategy": {"a": 1}}', "[" * 5000],
    ids=lambda text: text[:12],
)
def test_a_file_that_holds_no_settings_is_refused(run, body, tmp_path, text):
    (tmp_path / "a.json").write_text(text)
    code, out, err = run("compare", "plant.md", tmp_path / "a.json", settings(tmp_path, "b.json"))
    assert (code, out) == (1, "")
    assert err.startswith("chunkscope: ")
    assert "Traceback" not in err


def test_a_file_that_is_not_there_is_named(run, body, tmp_path):
    code, _, err = run("compare", "plant.md", tmp_path / "gone.json", settings(tmp_path, "b.json"))
    assert code == 1
    assert "gone.json" in err
