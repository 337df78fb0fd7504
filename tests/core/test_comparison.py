"""Every hit of two searches, and what a filter made of it."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import filters
from core.comparison import Change, Comparison, Step
from core.filters import EVERYTHING
from core.settings import SearchSettings
from core.types import Hit, Node, SearchRequest, SearchResult, Span
from tests.core.drops import drop, sidecar, text


def hit(rank: int, score: float, said: str, name: str = "a.txt") -> Hit:
    node = Node(rank, 0, len(said), 0, 0, Span(0, len(said)))
    spans = (Span(0, len(said)),)
    return Hit(rank, score, f"{name}:i:{said}", name, name, node, Span(0, 99), said, f"before {said} after", spans, {})


def result(*hits: Hit) -> SearchResult:
    return SearchResult(SearchRequest("q", "i", EVERYTHING, SearchSettings()), hits, "", (), 9, 9)


def test_every_hit_of_either_search_tells_what_became_of_it():
    kept, excluded, third = hit(1, 0.9, "Kept."), hit(2, 0.8, "Out."), hit(3, 0.7, "Third.")
    now, promoted = replace(third, rank=2), hit(3, 0.5, "In.")
    steps = Comparison(result(kept, excluded, third), result(kept, now, promoted)).steps
    assert steps == [
        Step(kept, 1, 1, Change.KEPT),
        Step(now, 3, 2, Change.DISPLACED),
        Step(promoted, None, 3, Change.PROMOTED),
        Step(excluded, 2, None, Change.EXCLUDED),
    ]


def test_without_a_filter_every_hit_is_kept_in_its_place():
    found = result(hit(1, 0.9, "A."), hit(2, 0.8, "B."))
    assert [(s.change, s.unfiltered_rank, s.filtered_rank) for s in Comparison(found, found).steps] == [
        (Change.KEPT, 1, 1),
        (Change.KEPT, 2, 2),
    ]


words = st.sampled_from(["pump", "valve", "shift", "north", "south", "failed"])


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(st.tuples(words, words), min_size=1, max_size=4), min_size=1, max_size=5),
    st.integers(1, 6),
    st.sampled_from([None, 0.4, 0.8]),
)
def test_what_is_called_excluded_fails_the_filter_and_what_is_kept_or_promoted_passes(workspace, documents, k, limit):
    workspace.reset()
    for number, sentences in enumerate(documents):
        content = " ".join(f"The {a} {b}." for a, b in sentences)
        drop(workspace, text(f"{number}.txt", content), sidecar(f"{number}.txt", odd=bool(number % 2)))
    chosen = SearchSettings(k=k, window=1, max_distance=limit)
    compared = workspace.compare("north pump", chosen, filters.from_json({"odd": True}))
    for step in compared.steps:
        assert step.hit.metadata["odd"] is (step.change is not Change.EXCLUDED)
        assert (step.change is Change.EXCLUDED) == (step.filtered_rank is None)
        assert (step.change is Change.PROMOTED) == (step.unfiltered_rank is None)
    ids = [step.hit.id for step in compared.steps]
    assert len(ids) == len(set(ids))
    assert set(ids) == {h.id for h in (*compared.unfiltered.hits, *compared.filtered.hits)}
