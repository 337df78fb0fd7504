"""Soft filters: what they do to a score, their JSON, and the ranks they give, told by a reference that knows no SQL."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import cli, home
from core import workspace as workspaces
from core.boosts import MOST_BOOSTS, Boost, boosted, boosts_from_json, boosts_from_text, boosts_to_json, checked
from core.errors import InvalidFilter, InvalidRequest, InvalidSetting
from core.filters import EVERYTHING, All, Any, Condition, FieldType, Filter, Not, Op, from_json
from core.settings import SearchSettings
from core.store.base import Store
from core.store.duckdb import DuckStore
from core.types import Index
from core.workspace import Workspace
from tests.core.drops import drop, sidecar, text
from tests.fakes import BagEncoder
from tests.made import MODEL, SENTENCES, embedded, fields, record

FACTORS = st.floats(0.01, 100)
CODE, SUMMARY = from_json({"content_type": "code"}), from_json({"is_summary": True})


# ── what a factor does ───────────────────────────────────────────────────────────────────────────


def test_a_score_is_multiplied_by_the_factors_of_the_boosts_that_hold():
    assert boosted(0.5, (("a", 1.2), ("b", 0.9))) == pytest.approx(0.54)
    assert boosted(0.5, ()) == 0.5


@given(st.floats(-1, 1), FACTORS)
def test_a_factor_over_one_never_makes_a_node_worse_and_one_below_never_better(score, factor):
    final = boosted(score, (("x", factor),))
    assert final >= score if factor >= 1 else final <= score
    assert math.copysign(1, final) == math.copysign(1, score)


@given(st.floats(-1, 1), st.floats(-1, 1), st.lists(FACTORS, max_size=4))
def test_the_same_factors_keep_the_order_of_two_scores(one, other, factors):
    passed = tuple(("x", factor) for factor in factors)
    low, high = sorted((one, other))
    assert boosted(low, passed) <= boosted(high, passed)


@pytest.mark.parametrize("factor", [0, -1, 0.009, 100.1, math.nan, math.inf, -math.inf, True, "1.2", None, [1]])
def test_a_factor_out_of_range_is_refused(factor):
    with pytest.raises(InvalidSetting, match="factor of a boost"):
        Boost(SUMMARY, factor)


def test_too_many_boosts_are_refused_and_so_is_what_is_none():
    with pytest.raises(InvalidSetting, match="too many"):
        SearchSettings(boosts=(Boost(SUMMARY, 1.1),) * (MOST_BOOSTS + 1))
    with pytest.raises(InvalidSetting, match="no list of boosts"):
        checked(("x",))  # type: ignore[arg-type]
    assert hash(SearchSettings(boosts=(Boost(SUMMARY, 1.1),))) == hash(SearchSettings(boosts=(Boost(SUMMARY, 1.1),)))


def test_boosts_come_back_from_their_json():
    boosts = (Boost(SUMMARY, 1.2), Boost(Not(CODE), 0.9), Boost(Any((CODE, SUMMARY)), 2))
    assert boosts_from_json(json.loads(json.dumps(boosts_to_json(boosts)))) == boosts
    assert boosts_from_text('{"filter": {"is_summary": true}, "factor": 1.2}') == boosts[:1]
    assert boosts_from_text('[{"filter": "is_summary = true", "factor": 1.2}]') == boosts[:1]
    assert boosts_from_text("null") == boosts_from_text("[]") == ()


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ("{", InvalidSetting),
        ("1", InvalidSetting),
        ('"x"', InvalidSetting),
        ("[1]", InvalidSetting),
        ('{"filter": {}}', InvalidSetting),
        ('{"filter": {}, "factor": 1, "more": 1}', InvalidSetting),
        ('{"filter": {}, "factor": "1"}', InvalidSetting),
        ('{"filter": {}, "factor": NaN}', InvalidSetting),
        ('{"filter": {}, "factor": 1e999}', InvalidSetting),
        ('{"filter": [], "factor": 1}', InvalidFilter),
        ('{"filter": "", "factor": 1}', InvalidFilter),
        ('{"filter": "a ~~ b", "factor": 1}', InvalidFilter),
        ("[" * 100_000, InvalidSetting),
        ('{"filter": {}, "factor": ' + "1" * 5000 + "}", InvalidSetting),
    ],
)
def test_what_is_no_boost_is_refused_in_words(typed, error):
    with pytest.raises(error):
        boosts_from_text(typed)


# ── the ranks: a reference in numpy ──────────────────────────────────────────────────────────────

CATEGORIES = ["a", "b", None]
NODES = 12
CLAUSES: list[Filter] = [
    Condition("category", Op.EQ, "a"),
    Condition("category", Op.NE, "a"),
    Condition("ordinal", Op.LT, 2),
    Any((Condition("category", Op.EQ, "b"), Condition("ordinal", Op.EQ, 0))),
    Not(Condition("category", Op.IN, ("a", "b"))),
    EVERYTHING,
    Any(()),
]


def holds(clause: int, category: str | None, ordinal: int) -> bool:
    return [
        category == "a",
        category != "a",
        ordinal < 2,
        category == "b" or ordinal == 0,
        category is None,
        True,
        False,
    ][clause]


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Iterator[Store]:
    made = DuckStore(tmp_path_factory.mktemp("boosts") / "w.duckdb")
    made.add_fields(fields(category=FieldType.STRING))
    yield made
    made.close()


def filled_index(store: Store, scores: list[list[float]]) -> tuple[Index, list[tuple[str, int, str | None, float]]]:
    """Three documents with nodes of these cosines with the first axis; each as (document, ordinal, category, score)."""
    index = store.create_index(SENTENCES, MODEL)
    told = []
    for name, category, cosines in zip("xyz", CATEGORIES, scores, strict=True):
        made = record(name, [f"{name} {i}." for i in range(len(cosines))], {"category": category} if category else {})
        vectors = np.array([[c, math.sqrt(1 - c * c), 0] for c in cosines], np.float32).reshape(-1, 3)
        store.put(made, index, embedded(made, vectors))
        told += [(made.passage.document.id, i, category, float(vectors[i][0])) for i in range(len(cosines))]
    return index, sorted(told)


# Few values, so that scores and products tie: 0.5 × 1 = 0.25 × 2.
COSINES = st.lists(st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=4)
SOME_BOOSTS = st.lists(
    st.tuples(st.integers(0, len(CLAUSES) - 1), st.sampled_from([0.5, 2.0, 1.2, 0.9, 1.0]) | FACTORS),
    min_size=1,
    max_size=4,
)


@settings(max_examples=60)
@given(
    st.tuples(COSINES, COSINES, COSINES), SOME_BOOSTS, st.integers(0, len(CLAUSES) - 1), st.integers(1, NODES + 1),
    st.none() | st.sampled_from([-1.0, -0.25, 0.0, 0.25, 0.3]),
)  # fmt: skip
def test_the_k_best_by_final_score_are_those_of_the_reference(store, scores, chosen, hard, k, least):
    index, told = filled_index(store, list(scores))
    boosts = tuple(Boost(CLAUSES[clause], factor) for clause, factor in chosen)
    expected = []
    for doc_id, ordinal, category, score in told:
        if holds(hard, category, ordinal) and (least is None or score >= least):
            product = np.prod([f if holds(c, category, ordinal) else 1.0 for c, f in chosen])
            expected.append((-(score * product if score >= 0 else score / product), doc_id, ordinal))
    outcome = store.search(index, np.array([1, 0, 0], np.float32), CLAUSES[hard], k, least, boosts)
    finals = [boosted(found.score, found.factors) for found in outcome.found]
    assert [(f.doc_id, f.node.ordinal) for f in outcome.found] == [(d, o) for _, d, o in sorted(expected)[:k]]
    assert finals == pytest.approx([-f for f, _, _ in sorted(expected)[:k]])
    assert outcome.matching == sum(holds(hard, category, ordinal) for _, ordinal, category, _ in told)
    by_key = {(doc_id, ordinal): (category, score) for doc_id, ordinal, category, score in told}
    for found in outcome.found:
        category, score = by_key[found.doc_id, found.node.ordinal]
        assert found.score == score
        assert found.factors == tuple(
            (b.words, b.factor)
            for b, (c, _) in zip(boosts, chosen, strict=True)
            if holds(c, category, found.node.ordinal)
        )


def test_a_boost_lets_a_node_in_that_is_not_among_the_k_nearest(store):
    index, _ = filled_index(store, [[0.9, 0.8, 0.7], [0.5], [0.6]])
    question = np.array([1, 0, 0], np.float32)
    found = store.search(
        index, question, EVERYTHING, 1, None, (Boost(CLAUSES[3], 1.0), Boost(from_json({"category": "b"}), 2))
    )
    assert [f.info.name for f in found.found] == ["y"]
    assert found.found[0].factors[1] == ("category = b", 2.0)


def test_a_field_that_is_not_there_is_refused_in_a_boost_too(store):
    index = store.create_index(SENTENCES, MODEL)
    with pytest.raises(InvalidFilter, match="'categori'"):
        store.search(index, np.ones(3, np.float32), EVERYTHING, 1, None, (Boost(from_json({"categori": "a"}), 2),))


# ── limits and histograms ────────────────────────────────────────────────────────────────────────


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    drop(
        workspace,
        text("pump.txt", "The north pump failed. It was replaced. Costs were low."), sidecar("pump.txt", year=2023, is_summary=True),
        text("valve.txt", "The south valve held. Nobody noticed the pump. The shift ended."), sidecar("valve.txt", year=2024),
    )  # fmt: skip
    return workspace


def test_the_stricter_of_two_limits_holds(filled):
    every = filled.search("the pump", SearchSettings(k=6)).hits
    for least in (-1, 0.0, 0.3, every[1].score, 1):
        for furthest in (None, 0.0, 0.5, 2.0):
            limited = SearchSettings(k=6, min_score=least, max_distance=furthest)
            bound = max(least, -1 if furthest is None else 1 - furthest)
            assert [h.id for h in filled.search("the pump", limited).hits] == [
                h.id for h in every if h.score >= bound - 1e-6
            ]


@pytest.mark.parametrize("least", [-1.01, 1.01, math.nan])
def test_a_least_score_is_a_cosine(least):
    with pytest.raises(InvalidSetting, match="least score"):
        SearchSettings(min_score=least)


def test_ranks_follow_what_boosts_make_of_the_cosine_and_limits_do_not(filled):
    plain = filled.search("the pump", SearchSettings(k=6)).hits
    boosts = (Boost(from_json({"year": 2024}), 3),)
    hits = filled.search("the pump", SearchSettings(k=6, boosts=boosts)).hits
    assert {h.id: h.score for h in hits} == {h.id: h.score for h in plain}
    assert [h.final for h in hits] == sorted(
        (h.score * (3 if h.name == "valve.txt" else 1) for h in plain), reverse=True
    )
    assert [h.rank for h in hits] == [1, 2, 3, 4, 5, 6]
    assert [h.id for h in hits] != [h.id for h in plain]
    limit = plain[2].score
    limited = filled.search("the pump", SearchSettings(k=6, boosts=boosts, min_score=limit)).hits
    assert [h.id for h in limited] == [h.id for h in hits if h.score >= limit - 1e-6]


@settings(max_examples=30)
@given(st.tuples(COSINES, COSINES, COSINES), st.integers(1, 50), st.none() | st.sampled_from([-1, -0.5, 0.1, 0.5]))
def test_distances_are_counted_as_numpy_counts_them(store, scores, bins, least):
    index, told = filled_index(store, list(scores))
    passing = np.array([score for _, _, category, score in told if category != "a"])
    found = store.distances(index, np.array([1, 0, 0], np.float32), CLAUSES[1], bins, least)
    expected = np.zeros(bins, int)
    np.add.at(expected, np.clip(np.floor((1 - passing) * bins / 2).astype(int), 0, bins - 1), 1)
    assert found.counts.tolist() == expected.tolist()
    assert found.cut == (0 if least is None else int((passing < least).sum()))
    assert found.kept + found.cut == len(passing)
    assert (len(found.edges), found.edges[0], found.edges[-1]) == (bins + 1, 0, 2)


def test_the_histogram_of_a_question_counts_what_its_search_leaves_out(filled):
    every = filled.search("the pump", SearchSettings(k=6)).hits
    limited = SearchSettings(k=6, max_distance=every[2].distance + 1e-6)
    found = filled.distances("the pump", limited, bins=8)
    near = sum(hit.distance <= limited.max_distance for hit in every)
    assert found.kept == len(filled.search("the pump", limited).hits) == near < 6
    assert found.counts.sum() == 6
    only = filled.distances("the pump", SearchSettings(where="year = 2023"), from_json({"ordinal": 0}))
    assert (only.counts.sum(), only.cut) == (1, 0)
    for bins in (0, -1, 1001):
        with pytest.raises(InvalidRequest):
            filled.distances("the pump", SearchSettings(), bins=bins)
    assert filled.distances("the pump", SearchSettings(), Any(())).counts.tolist() == [0] * 40


# ── the command line ─────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def said(monkeypatch, capsys, tmp_path) -> Iterator[Callable[..., tuple[int, dict]]]:
    """Run a command with --json on a workspace of two documents; its exit code and what it printed."""
    monkeypatch.setattr(cli.workspace, "open", partial(workspaces.open, encoders=lambda name: BagEncoder()))
    for name, year in (("pump", 2023), ("valve", 2024)):
        (tmp_path / f"{name}.txt").write_text(f"The {name} failed in May. The {name} was replaced. The pump was old.")
        (tmp_path / f"{name}.txt.meta.json").write_text(json.dumps({"year": year}))

    def command(*arguments) -> tuple[int, dict]:
        code = cli.main([*map(str, arguments), "--json"])
        return code, json.loads(capsys.readouterr().out)

    assert command("add", tmp_path / "pump.txt", tmp_path / "valve.txt")[0] == 0
    yield command
    for one in workspaces.opened():
        workspaces.close(Path(one.location))


def test_the_command_line_boosts_limits_and_takes_a_condition_as_the_facade_does(said):
    opened = workspaces.open(home.named(home.OWN))
    given = '{"filter": {"year": 2024}, "factor": 2}', '{"filter": "ordinal = 0", "factor": 0.5}'
    code, found = said(
        "search",
        "the pump",
        "--k",
        9,
        "--boost",
        given[0],
        "--boost",
        given[1],
        "--min-score",
        0.1,
        "--where",
        "ordinal < 2",
    )
    boosts = (Boost(from_json({"year": 2024}), 2), Boost(from_json({"ordinal": 0}), 0.5))
    expected = opened.search("the pump", SearchSettings(9, min_score=0.1, boosts=boosts, where="ordinal < 2"))
    assert code == 0
    assert [hit["id"] for hit in found["hits"]] == [hit.id for hit in expected.hits]
    assert [hit["final"] for hit in found["hits"]] == [hit.final for hit in expected.hits]
    for hit in found["hits"]:
        told = [{"filter": "year = 2024", "factor": 2.0}] * (hit["name"] == "valve.txt")
        assert hit["factors"] == told + [{"filter": "ordinal = 0", "factor": 0.5}] * (hit["ordinal"] == 0)
    assert {hit["ordinal"] for hit in found["hits"]} == {0, 1}
    assert found["matching"] == 4


def test_without_boosts_no_hit_tells_of_any(said):
    assert "final" not in said("search", "the pump")[1]["hits"][0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--boost", "{"), "no JSON"),
        (("--boost", '{"filter": {"yeer": 1}, "factor": 2}'), "Did you mean 'year'"),
        (("--boost", '{"filter": {"year": 1}, "factor": 0}'), "factor of a boost"),
        (("--min-score", "2"), "least score"),
        (("--where", ""), "condition is empty"),
        (("--where", "yeer = 1"), "Did you mean 'year'"),
    ],
)
def test_the_command_line_refuses_in_words(said, arguments, words):
    code, found = said("search", "the pump", *arguments)
    assert code == 1
    assert words in found["error"] + found["do"]


def test_no_boost_is_no_change(filled):
    always = SearchSettings(k=6, boosts=(Boost(All(()), 1.0),))
    plain = filled.search("the pump", SearchSettings(k=6)).hits
    assert [(h.id, h.final) for h in filled.search("the pump", always).hits] == [(h.id, h.score) for h in plain]
