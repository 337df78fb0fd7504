"""Metrics agree with hand-made values and with a count of single characters."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluate.metrics import Score, common, length, mean, relevant, score, union
from core.types import Span

spans = st.builds(lambda start, size: Span(start, start + size), st.integers(0, 40), st.integers(1, 15))
located = st.tuples(st.sampled_from(["a", "b"]), spans)
windows = st.lists(located, max_size=7)
golds = st.lists(located, min_size=1, max_size=4)


def characters(found):
    """Every character that the located spans hold, as (document, position)."""
    return {(doc, at) for doc, span in found for at in range(span.start, span.end)}


def covers_half(window, gold):
    inside = characters([window]) & characters([gold])
    return 2 * len(inside) >= len(characters([gold]))


@given(windows, golds)
def test_interval_metrics_equal_a_count_of_characters(returned, gold):
    found = score(returned, gold, 0)
    out, want = characters(returned), characters(gold)
    assert math.isclose(found.span_recall, len(out & want) / len(want))
    assert math.isclose(found.span_precision, len(out & want) / len(out) if out else 0)
    assert math.isclose(found.span_iou, len(out & want) / len(out | want))


@given(windows, golds)
def test_rank_metrics_equal_their_definition(returned, gold):
    found = score(returned, gold, 0)
    ranks = [rank for rank, window in enumerate(returned, 1) if any(covers_half(window, span) for span in gold)]
    assert found.hit_rate == (1 if ranks else 0)
    assert found.mrr == (1 / min(ranks) if ranks else 0)
    assert found.recall == sum(any(covers_half(w, span) for w in returned) for span in gold) / len(gold)


@given(windows, golds)
def test_every_metric_lies_between_0_and_1(returned, gold):
    found = score(returned, gold, 5)
    for name in ("hit_rate", "mrr", "recall", "span_recall", "span_precision", "span_iou"):
        assert 0 <= getattr(found, name) <= 1
    assert found.tokens_returned == 5


@given(st.lists(located, min_size=1, max_size=7), golds, st.data())
def test_a_hit_that_comes_again_never_raises_a_score(returned, gold, data):
    again = data.draw(st.sampled_from(returned))
    before, after = score(returned, gold, 0), score([*returned, again], gold, 0)
    for name in Score.__dataclass_fields__:
        assert getattr(after, name) <= getattr(before, name)


@given(windows, golds, st.data())
def test_gold_marked_twice_changes_no_span_metric(returned, gold, data):
    again = data.draw(st.sampled_from(gold))
    before, after = score(returned, gold, 0), score(returned, [*gold, again], 0)
    for name in ("hit_rate", "mrr", "span_recall", "span_precision", "span_iou"):
        assert getattr(after, name) == getattr(before, name)


@given(golds)
def test_returning_exactly_the_gold_is_perfect(gold):
    found = score(gold, gold, 0)
    assert found == Score(1, 1, 1, 1, 1, 1, 0)


@given(st.lists(spans, max_size=8))
def test_a_union_holds_the_same_characters_once_in_order(parts):
    joined = union(parts)
    assert {at for span in joined for at in range(span.start, span.end)} == {
        at for span in parts for at in range(span.start, span.end)
    }
    assert all(left.end < right.start for left, right in pairwise(joined))
    assert length(joined) == len(characters([("a", span) for span in parts]))


@given(st.lists(spans, max_size=8), st.lists(spans, max_size=8))
def test_what_two_unions_share_is_counted_by_character(left, right):
    expected = characters([("a", s) for s in left]) & characters([("a", s) for s in right])
    assert common(union(left), union(right)) == common(union(right), union(left)) == len(expected)


def test_touching_spans_are_joined_and_empty_ones_vanish():
    assert union([Span(5, 9), Span(0, 5), Span(20, 20), Span(8, 12)]) == [Span(0, 12)]


def test_hand_made_values():
    returned = [("a", Span(100, 200)), ("b", Span(0, 10)), ("a", Span(0, 30)), ("a", Span(20, 40))]
    gold = [("a", Span(10, 50)), ("b", Span(0, 40))]
    # Third window: characters 10–29 of gold's 10–49, exactly half. Gold in b: 10 of 40, less than half.
    # Returned: a 0–39 and 100–199, b 0–9: 150 characters; gold 80; shared 30 + 10.
    assert score(returned, gold, 12) == Score(1, 1 / 3, 1 / 2, 40 / 80, 40 / 150, 40 / 190, 12)


@pytest.mark.parametrize(("end", "expected"), [(15, True), (14, False), (20, True), (10, False)])
def test_a_window_is_relevant_if_it_covers_at_least_half_of_the_gold(end, expected):
    assert relevant(Span(0, end), Span(10, 20)) is expected


def test_a_window_of_another_document_is_never_relevant():
    assert score([("b", Span(0, 10))], [("a", Span(0, 10))], 3) == Score(0, 0, 0, 0, 0, 0, 3)


def test_nothing_returned_scores_zero():
    assert score([], [("a", Span(0, 10))], 0) == Score(0, 0, 0, 0, 0, 0, 0)


def test_the_mean_is_of_reciprocal_ranks_and_counts_what_found_nothing():
    first = score([("a", Span(0, 10))], [("a", Span(0, 10))], 30)
    fourth = score([*[("b", Span(0, 10))] * 3, ("a", Span(0, 10))], [("a", Span(0, 10))], 60)
    nothing = score([], [("a", Span(0, 10))], 0)
    found = mean([first, fourth, nothing])
    assert found.mrr == pytest.approx((1 + 1 / 4 + 0) / 3)  # 1 / mean(1, 4) would be 0.4
    assert found.hit_rate == pytest.approx(2 / 3)
    assert found.tokens_returned == pytest.approx(30)


def test_the_mean_of_no_questions_is_zero():
    assert mean([]) == Score(0, 0, 0, 0, 0, 0, 0)
