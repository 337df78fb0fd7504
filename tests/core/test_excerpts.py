"""Windows of hits merged: every character once, in the order of the text, never across documents."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.excerpts import merged
from core.settings import ChunkSettings, SearchSettings
from core.types import BlockKind, Hit, Node, Span
from tests.core.drops import drop, text

LETTERS = "abc  def ghi\n\njkl mno pqr stu vwx yz."


def hit(rank: int, start: int, end: int, doc_id: str = "a", body: str = LETTERS, **more: str) -> Hit:
    node = Node(0, start, end, 0, 0, Span(start, end), BlockKind.PARAGRAPH, None, (), "")
    part = body[start:end]
    return Hit(rank, 0.5, f"{doc_id}{rank}", doc_id, doc_id, node, Span(start, end), part, part, (), {}, **more)


spans = st.tuples(st.integers(0, len(LETTERS) - 1), st.integers(1, 12)).map(
    lambda pair: (pair[0], min(len(LETTERS), sum(pair)))
)


@given(st.lists(st.tuples(st.sampled_from("ab"), spans), max_size=8))
def test_every_character_comes_once_in_the_order_of_the_text(found):
    hits = [hit(rank, *span, doc_id) for rank, (doc_id, span) in enumerate(found, 1)]
    excerpts = merged(hits, lambda _: LETTERS)
    assert [e.doc_id for e in excerpts] == sorted(
        (e.doc_id for e in excerpts), key=lambda d: next(h.rank for h in hits if h.doc_id == d)
    )
    for doc_id in "ab":
        mine = [e for e in excerpts if e.doc_id == doc_id]
        covered = {at for h in hits if h.doc_id == doc_id for at in range(h.window.start, h.window.end)}
        shown = [at for e in mine for at in range(e.span.start, e.span.end)]
        assert shown == sorted(set(shown))
        assert covered <= set(shown)
        assert all(LETTERS[at].isspace() for at in set(shown) - covered)
        for before, after in pairwise(mine):
            assert not LETTERS[before.span.end : after.span.start].isspace()
            assert before.span.end < after.span.start
    assert all(e.text == LETTERS[e.span.start : e.span.end] for e in excerpts)
    assert sorted(rank for e in excerpts for rank in e.ranks) == [h.rank for h in hits]


def test_what_stands_around_windows_stands_around_what_they_become():
    hits = [hit(1, 5, 12, prefix="| head |\n"), hit(2, 0, 8, prefix="[START]"), hit(3, 8, 20, suffix="[END]")]
    (found,) = merged(hits, lambda _: LETTERS)
    assert (found.prefix, found.suffix, found.ranks) == ("[START]", "[END]", (1, 2, 3))
    assert found.returned == f"[START]{LETTERS[:20]}[END]"


def test_a_window_inside_another_changes_nothing():
    outer, inner = hit(2, 0, 20), hit(1, 5, 8)
    assert merged([inner, outer], lambda _: LETTERS) == [replace(merged([outer], lambda _: LETTERS)[0], ranks=(1, 2))]


def test_tokens_are_those_of_the_windows_and_of_what_they_become(workspace):
    drop(workspace, text("a.txt", "A one. B two. C three. D four. E five. F six."))
    result = workspace.search("B two D four C three", SearchSettings(k=3, window=1))
    assert {h.text for h in result.hits} == {"B two.", "C three.", "D four."}
    assert workspace.returned_tokens(result) == (18, 10)
    nothing = workspace.search("one", SearchSettings(k=1, max_distance=0.0))
    assert workspace.excerpts(nothing.hits) == []
    assert workspace.returned_tokens(nothing) == (0, 0)
    assert workspace.index().settings == ChunkSettings()
