"""The answer quotes hits and names them."""

from __future__ import annotations

from core import answer
from core.types import BlockKind, Hit, Node, Span


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
