"""The answer quotes hits and names them; the ladders tell every hit's fate."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import answer, filters
from core.explain import Comparison, Fate, Step
from core.filters import EVERYTHING
from core.settings import SearchSettings
from core.types import BlockKind, Hit, Node, SearchRequest, SearchResult, Span
from tests.core.drops import drop, sidecar, text


def hit(rank: int, score: float, said: str, name: str = "a.txt") -> Hit:
    node = Node(rank, 0, len(said), 0, 0, Span(0, len(said)))
    spans = (Span(0, len(said)),)
    return Hit(rank, score, f"{name}:i:{said}", name, name, node, Span(0, 99), said, f"before {said} after", spans, {})


def heading(rank: int, score: float, title: str, following: str) -> Hit:
    """A heading and, unless it is empty, the sentence after it, in a window of both."""
    text = f"{title}\n\n{following}".strip()
    node = Node(rank, 0, len(title), 0, 0, Span(0, len(title)), BlockKind.HEADING)
    after = (Span(len(title) + 2, len(text)),) if following else ()
    spans = (Span(0, len(title)), *after)
    return Hit(rank, score, f"h{rank}", "h", "h.md", node, Span(0, len(text)), title, text, spans, {})


def result(*hits: Hit) -> SearchResult:
    return SearchResult(SearchRequest("q", "i", EVERYTHING, SearchSettings()), hits, "", (), 9, 9)


def test_no_hits_give_no_answer():
    assert answer.extract([]) == ""


def test_the_answer_quotes_the_best_nodes_and_cites_their_ranks():
    hits = [hit(1, 0.8, "Refunds take\n 30 days."), hit(2, 0.7, "Ask billing."), hit(3, 0.5, "Unrelated.")]
    assert answer.extract(hits) == "Refunds take 30 days. [1] Ask billing. [2]"


def test_the_answer_is_at_most_three_sentences_and_none_twice():
    said = ["One.", "One.", "Two.", "Three.", "Four."]
    hits = [hit(rank, 0.9, words) for rank, words in enumerate(said, 1)]
    assert answer.extract(hits) == "One. [1] Two. [3] Three. [4]"


def test_the_sentence_after_a_heading_speaks_for_it():
    hits = [heading(1, 0.84, "## What is the refund policy?", "You get a full refund."), hit(2, 0.58, "Ask billing.")]
    assert answer.extract(hits) == "You get a full refund. [1]"


def test_a_heading_alone_answers_nothing_and_sets_no_measure():
    assert answer.extract([heading(1, 0.9, "# Refunds", ""), hit(2, 0.5, "You get it back.")]) == "You get it back. [2]"


def test_every_hit_of_either_search_has_its_fate_on_the_ladders():
    kept, excluded, promoted = hit(1, 0.9, "Kept."), hit(2, 0.8, "Out."), hit(2, 0.5, "In.")
    steps = Comparison(result(kept, excluded), result(kept, promoted)).steps
    assert steps == [
        Step(kept, 1, 1, Fate.KEPT),
        Step(promoted, None, 2, Fate.PROMOTED),
        Step(excluded, 2, None, Fate.EXCLUDED),
    ]


def test_without_a_filter_every_hit_is_kept_in_its_place():
    found = result(hit(1, 0.9, "A."), hit(2, 0.8, "B."))
    assert [(s.fate, s.unfiltered_rank, s.filtered_rank) for s in Comparison(found, found).steps] == [
        (Fate.KEPT, 1, 1),
        (Fate.KEPT, 2, 2),
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
        assert step.hit.metadata["odd"] is (step.fate is not Fate.EXCLUDED)
        assert (step.fate is Fate.EXCLUDED) == (step.filtered_rank is None)
        assert (step.fate is Fate.PROMOTED) == (step.unfiltered_rank is None)
    ids = [step.hit.id for step in compared.steps]
    assert len(ids) == len(set(ids))
    assert set(ids) == {h.id for h in (*compared.unfiltered.hits, *compared.filtered.hits)}
