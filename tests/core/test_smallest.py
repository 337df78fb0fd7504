"""The smallest change of a filter: brute force over everything that can be done to a small tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core import smallest
from core.filters import EVERYTHING, All, Any, Condition, Filter, Not, Op, conditions
from core.smallest import narrowed, widened
from tests.core.test_filters import EVERY_FIELD, a_condition, a_filter, holds

KEEP, ALTER, DROP = range(3)
VALUES = st.fixed_dictionaries({}, optional={name: values for name, (_, values) in EVERY_FIELD.items()})
SMALL = st.recursive(
    a_condition({"n": EVERY_FIELD["n"], "title": EVERY_FIELD["title"], "page": EVERY_FIELD["page"]}),
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple).map(All)
        | st.lists(inner, max_size=3).map(tuple).map(Any)
        | inner.map(Not)
    ),
    max_leaves=4,
)


def change(where: Filter, values) -> smallest.Smallest:
    return smallest.change(where, [holds(one, values) for one in conditions(where)], values)


# ── the oracle ───────────────────────────────────────────────────────────────────────────────────


def leaves(where: Filter) -> Iterator[Filter]:
    """Conditions and empty groups, left to right."""
    match where:
        case Condition() | All(()) | Any(()):
            yield where
        case Not(part):
            yield from leaves(part)
        case All(parts) | Any(parts):
            for part in parts:
                yield from leaves(part)


def rebuilt(where: Filter, done: Iterator[Filter | None]) -> Filter | None:
    """The tree with its leaves replaced; None stands for one that is gone, and for what holds nothing else."""
    match where:
        case Condition() | All(()) | Any(()):
            return next(done)
        case Not(part):
            inside = rebuilt(part, done)
            return inside and Not(inside)
        case All(parts) | Any(parts):
            left = tuple(found for part in parts if (found := rebuilt(part, done)))
            return replace(where, parts=left) if left else None


def every(where: Filter, values) -> Iterator[tuple[tuple[int, int], Filter]]:
    """Everything that can be done: its cost (touched, dropped), and what the tree becomes."""
    options: list[Sequence[Filter | None]] = []
    for leaf in leaves(where):
        other = None
        if isinstance(leaf, Condition):
            turn = narrowed if holds(leaf, values) else widened
            other = turn(leaf, values.get(leaf.field))
        options.append((leaf, other, None))
    for choice in product(range(3), repeat=len(options)):
        chosen = [options[i][what] for i, what in enumerate(choice)]
        if all(what != ALTER or options[i][ALTER] for i, what in enumerate(choice)):
            cost = sum(what != KEEP for what in choice), sum(what == DROP for what in choice)
            yield cost, rebuilt(where, iter(chosen)) or EVERYTHING


YEAR, DRAFT = Condition("year", Op.GE, 2023), Condition("draft", Op.EQ, True)


@settings(max_examples=300)
@given(SMALL, VALUES)
@example(Not(All((Condition("n", Op.EQ, 1), Condition("page", Op.EQ, 1)))), {"n": 1, "page": 1})
@example(Any((Not(All()), All((Condition("n", Op.EQ, 1), Any())))), {"n": 2})
@example(Not(Any((Condition("n", Op.NOT_NULL), Condition("page", Op.NOT_NULL)))), {"n": 1, "page": 1})
def test_nothing_smaller_lets_the_node_in(where: Filter, values):
    found = change(where, values)
    cost = len(found.steps), sum(step.after is None for step in found.steps)
    assert holds(found.filter, values)
    assert cost == min(cost for cost, made in every(where, values) if holds(made, values))


@settings(max_examples=300)
@given(a_filter(EVERY_FIELD), VALUES)
def test_the_changed_filter_lets_the_node_in_and_one_that_did_is_left_alone(where: Filter, values):
    found = change(where, values)
    assert holds(found.filter, values)
    assert (not found.steps) == holds(where, values)
    if not found.steps:
        assert found.filter == where


@settings(max_examples=500)
@given(a_condition(EVERY_FIELD), VALUES)
def test_a_condition_that_is_turned_is_turned_for_this_node_and_of_the_same_field(condition: Condition, values):
    turned = (narrowed if holds(condition, values) else widened)(condition, values.get(condition.field))
    if turned:
        assert holds(turned, values) != holds(condition, values)
        assert turned.field == condition.field


@settings(max_examples=300)
@given(a_condition(EVERY_FIELD), VALUES, VALUES)
def test_who_passed_before_a_widening_passes_after_it(condition: Condition, values, others):
    if holds(condition, values):
        turned = narrowed(condition, values.get(condition.field))
        assert turned is None or holds(turned, others) <= holds(condition, others)
    else:
        turned = widened(condition, values.get(condition.field))
        assert turned is None or holds(turned, others) >= holds(condition, others)


# ── as an analyst reads it ───────────────────────────────────────────────────────────────────────

DATE = datetime(2021, 5, 1)


@pytest.mark.parametrize(
    ("where", "values", "words"),
    [
        (YEAR, {"year": 2023}, "nothing: it passes"),
        (YEAR, {"year": 2021}, "year ≥ 2023 → year ≥ 2021"),
        (YEAR, {}, "year ≥ 2023 → year ≥ 2023 (or missing)"),
        (Not(Condition("year", Op.LT, 2023)), {"year": 2021}, "year < 2023 → year < 2021"),
        (Condition("category", Op.EQ, "legal"), {"category": "log"}, "category = legal → category is one of legal, log"),
        (Condition("draft", Op.EQ, True), {"draft": False}, "without draft = true"),
        (Condition("at", Op.BETWEEN, (datetime(2022, 1, 1), datetime(2023, 1, 1))), {"at": DATE},
         "at between 2022-01-01 and 2023-01-01 → at between 2021-05-01 and 2023-01-01"),
        (Condition("tags", Op.CONTAINS_ANY, ("a",)), {"tags": ("b", "c")}, "tags has a → tags has any of a, b"),
        (Condition("tags", Op.CONTAINS_ALL, ("a", "b")), {"tags": ("b",)}, "tags has all of a, b → tags has b"),
        (Condition("title", Op.CONTAINS, "x"), {"title": "y"}, "without title contains x"),
        (Condition("category", Op.NOT_IN, ("a", "b")), {"category": "a"}, "category is none of a, b → category ≠ b"),
        (Condition("page", Op.NOT_NULL), {}, "without page is present"),
        (All((YEAR, DRAFT)), {"year": 2021, "draft": False}, "year ≥ 2023 → year ≥ 2021; without draft = true"),
        (Any((DRAFT, YEAR)), {"year": 2021, "draft": False}, "year ≥ 2023 → year ≥ 2021"),
        (Any((All((YEAR, DRAFT)), Condition("page", Op.IS_NULL))), {"year": 2024, "draft": False, "page": 1},
         "without draft = true"),
        (Any(), {}, "without nothing"),
    ],
)  # fmt: skip
def test_the_change_is_said_in_words(where: Filter, values, words: str):
    assert change(where, values).words == words


def test_a_group_of_which_one_part_is_left_becomes_that_part():
    found = change(All((YEAR, DRAFT)), {"year": 2024, "draft": False})
    assert found.filter == YEAR
    assert change(DRAFT, {"draft": False}).filter == EVERYTHING


def test_a_value_that_is_no_number_is_never_compared_with():
    nan = float("nan")
    for condition in (Condition("x", Op.LT, 1.0), Condition("x", Op.IN, (1.0,)), Condition("x", Op.NOT_IN, (nan,))):
        assert smallest.change(condition, [False], {"x": nan}).filter == EVERYTHING


def test_a_long_or_deep_filter_is_changed_without_trouble():
    many = All(tuple(Condition("n", Op.EQ, number) for number in range(5000)))
    assert len(change(many, {"n": 7}).steps) == 4999
    deep: Filter = YEAR
    for _ in range(100):
        deep = Not(deep)
    assert change(deep, {"year": 2021}).words == "year ≥ 2023 → year ≥ 2021"
