"""Questions are asked once; each window size is scored from the same hits."""

from __future__ import annotations

import json

import pytest

from core.errors import Cancelled, InvalidSetting
from core.evaluate import metrics, run
from core.filters import EVERYTHING
from core.settings import SearchSettings
from core.types import Span, no_progress
from tests.core.drops import CancelAt, CountingEncoder, drop, sidecar, text

DOCUMENTS = {
    "pump": "The north pump failed in May. It was replaced. Costs were low. The crew went home.",
    "valve": "The south valve held in June. Nobody noticed. The shift ended early.",
}


@pytest.fixture
def filled(workspace):
    for name, content in DOCUMENTS.items():
        drop(workspace, text(f"{name}.txt", content), sidecar(f"{name}.txt", kind_of=name))
    return workspace


def gold(workspace, *rows):
    lines = [
        json.dumps(
            {"question": q, "references": [{"document": f"{d}.txt", "content": c}], **({"filter": f} if f else {})}
        )
        for q, d, c, f in rows
    ]
    return workspace.read_gold("\n".join(lines).encode())


def test_a_wider_window_reaches_the_sentence_beside_the_hit(filled):
    questions = gold(filled, ("north pump failed May", "pump", "It was replaced.", None))
    reports = {report.window: report for report in filled.evaluate(questions, 1)}
    assert list(reports) == [0, 1, 2, 3, 4, 5]
    assert reports[0].mean.hit_rate == 0
    assert reports[0].outcomes[0].rank is None
    assert reports[1].mean.hit_rate == 1
    assert reports[1].outcomes[0].rank == 1
    tokens = [report.mean.tokens_returned for report in reports.values()]
    assert tokens == sorted(tokens)
    recalls = [report.mean.span_recall for report in reports.values()]
    assert recalls == sorted(recalls)


def test_a_report_equals_scoring_the_windows_that_a_search_returns(filled):
    questions = gold(
        filled,
        ("north pump failed May", "pump", "Costs were low.", None),
        ("who noticed the valve", "valve", "Nobody noticed.", {"kind_of": "valve"}),
        ("crew went home", "pump", "went home", {"kind_of": "valve"}),
    )
    for report in filled.evaluate(questions, 3):
        for question, outcome in zip(questions, report.outcomes, strict=True):
            found = filled.search(question.text, SearchSettings(k=3, window=report.window), question.filter).hits
            expected = metrics.score(
                [(hit.doc_id, hit.window) for hit in found],
                [(reference.doc_id, reference.span) for reference in question.references],
                outcome.score.tokens_returned,
            )
            assert outcome.score == expected
            assert outcome.hits == len(found)
        assert report.mean == metrics.mean([outcome.score for outcome in report.outcomes])


def test_a_question_for_which_nothing_is_found_counts_zero_and_does_not_vanish(filled):
    questions = gold(
        filled,
        ("north pump failed May", "pump", "The north pump failed in May.", None),
        ("north pump failed May", "pump", "The north pump failed in May.", {"kind_of": "nothing"}),
    )
    (report,) = filled.evaluate(questions, 2, windows=[0])
    assert [outcome.hits for outcome in report.outcomes] == [2, 0]
    assert report.mean.hit_rate == report.mean.mrr == 0.5
    (unfiltered,) = filled.evaluate(questions, 2, windows=[0], filtered=False)
    assert unfiltered.mean.hit_rate == 1


def test_text_that_two_windows_share_is_returned_once(filled):
    (question,) = gold(filled, ("pump", "pump", "Costs were low.", None))
    whole = DOCUMENTS["pump"]
    (report,) = filled.evaluate([question], 100, windows=[10])
    count = CountingEncoder().count_tokens
    assert report.outcomes[0].score.tokens_returned == sum(count([whole, DOCUMENTS["valve"]]))


def test_every_question_is_asked_once_and_under_its_own_filter(filled):
    asked = []
    questions = gold(filled, ("one", "pump", "Costs", None), ("two", "valve", "June", {"kind_of": "valve"}))

    def search(question, filter):
        asked.append((question, filter))
        return ()

    run.ask(questions, search, no_progress)
    run.ask(questions, search, no_progress, filtered=False)
    assert asked == [("one", EVERYTHING), ("two", questions[1].filter), ("one", EVERYTHING), ("two", EVERYTHING)]


def test_only_the_first_k_hits_are_scored(filled):
    questions = gold(filled, ("north pump failed May", "pump", "The crew went home.", None))
    index = filled.index()
    found = filled.store.search(
        index, CountingEncoder().encode(["north pump failed May"])[0], EVERYTHING, 100, None
    ).found
    last = run.Answered(questions[0], sorted(found, key=lambda item: item.node.ordinal == 3))
    assert run.report([last], 0, len(found) - 1, CountingEncoder().count_tokens).mean.hit_rate == 0
    assert run.report([last], 0, len(found), CountingEncoder().count_tokens).outcomes[0].rank == len(found)


def test_evaluation_stops_when_asked_and_refuses_an_impossible_k(filled):
    questions = gold(filled, *[("pump", "pump", "Costs", None)] * 3)
    with pytest.raises(Cancelled):
        filled.evaluate(questions, 1, progress=CancelAt(2))
    with pytest.raises(InvalidSetting):
        filled.evaluate(questions, 0)


def test_gold_stays_valid_for_every_chunking(filled):
    from core.settings import ChunkSettings

    questions = gold(filled, ("north pump failed May", "pump", "It was replaced.", None))
    other = filled.build(ChunkSettings(2, 1)).index
    (report,) = filled.evaluate(questions, 1, windows=[0], index=other.id)
    assert report.mean.span_recall == 1
    assert questions[0].references[0].span == Span(30, 46)
