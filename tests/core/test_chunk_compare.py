"""Statistics and differences of two settings, counted by hand on small documents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import chunk
from core.chunk import compare
from core.settings import ChunkSettings
from core.store.base import Passage
from core.types import Block, BlockKind, Document, Node, Sentence, Span
from tests.core import chunk_made as made
from tests.core.chunk_made import Model, sized

FOUR = made.passage("One is. Two is. Three is. Four is.")


def numbers(passage: Passage) -> list[int]:
    """Five tokens a sentence."""
    return [5] * len(passage.sentences)


def of(passage: Passage, chosen: ChunkSettings, window: int = 0) -> compare.Statistics:
    found = chunk.nodes(passage, chosen, Model())
    counts = [5 * (n.last_sentence - n.first_sentence + 1) + 2 for n in found]
    return compare.statistics(passage, found, counts, numbers(passage), window=window, max_tokens=10)


def test_windows_that_share_nothing_return_every_token_once():
    assert of(FOUR, ChunkSettings(2)).redundancy == 1
    assert of(FOUR, ChunkSettings()).redundancy == 1


def test_redundancy_is_what_is_returned_by_what_there_is():
    """Windows of one sentence a side hold 2, 3, 3 and 2 sentences of four."""
    assert of(FOUR, ChunkSettings(), window=1).redundancy == 10 / 4
    assert of(FOUR, ChunkSettings(2, 1)).redundancy == 6 / 4
    assert of(FOUR, ChunkSettings(), window=9).redundancy == 4


def test_shares_of_tiny_and_truncated_nodes():
    single, double = of(FOUR, ChunkSettings()), of(FOUR, ChunkSettings(2))
    assert (single.nodes, single.tiny, single.truncated) == (4, 1.0, 0.0)
    assert (double.nodes, double.tiny, double.truncated) == (2, 0.0, 1.0)


def test_a_histogram_counts_tokens_by_class():
    found = compare.histogram([0, 9, 10, 19, 20, 300, 5000])
    assert found.counts == (2, 2, 1, 0, 0, 1, 0, 0, 1)
    assert (found.least, found.median, found.most) == (0, 19.0, 5000)
    assert found.mean == pytest.approx(5358 / 7)
    assert compare.histogram([4, 6]).median == 5
    assert sum(compare.histogram([]).counts) == 0


@given(st.lists(st.integers(0, 3000), max_size=50))
def test_every_member_is_in_one_class(counts):
    found = compare.histogram(counts)
    assert sum(found.counts) == len(counts)
    for edge, upto, count in zip(compare.EDGES, [*compare.EDGES[1:], 10**9], found.counts, strict=True):
        assert count == sum(edge <= number < upto for number in counts)


def test_windows_are_told_apart_from_nodes():
    found = of(FOUR, ChunkSettings(), window=1)
    assert found.node_tokens.most == 5
    assert (found.window_tokens.least, found.window_tokens.most) == (10, 15)


def test_a_part_of_a_sentence_counts_by_its_characters():
    scale = compare.Scale(FOUR, [10, 10, 10, 10])
    assert scale.tokens(Span(0, 7)) == 10
    assert scale.tokens(Span(0, len("One is. Two is."))) == 20
    assert scale.tokens(Span(0, 3)) == pytest.approx(30 / 7)
    assert scale.tokens(Span(7, 8)) == 0


@given(made.documents, made.settings, st.integers(0, 3))
def test_statistics_are_shares_and_nothing_is_returned_less_than_once(document, chosen, window):
    passage = made.passage(*document)
    found = of(passage, chosen, window)
    assert found.nodes == sum(found.node_tokens.counts) == sum(found.window_tokens.counts)
    for share in (found.tiny, found.truncated, found.boundaries.whole):
        assert 0 <= share <= 1
    assert found.redundancy >= 1 - 1e-9
    assert 0 <= found.boundaries.tables_cut <= found.boundaries.tables
    assert 0 <= found.boundaries.code_cut <= found.boundaries.code
    if not chosen.overlap and not window:
        assert found.redundancy == pytest.approx(1)


def test_boundaries_are_sound_where_sentences_end():
    assert of(FOUR, ChunkSettings(2)).boundaries.whole == 1
    assert of(FOUR, sized(10)).boundaries.whole == 0
    assert of(FOUR, sized(20, 0, "recursive")).boundaries.whole == 1


def test_a_sentence_that_was_cut_hard_is_no_sound_boundary():
    text = "abcd efgh. Next."
    sentences = (Sentence(0, 4, 0, True), Sentence(5, 10, 0), Sentence(11, 16, 0))
    document = Document("d", "r", "a.txt", "text/plain", text, (Block(BlockKind.PARAGRAPH, 0, 16),))
    passage = Passage(document, sentences)
    assert compare.boundaries(passage, chunk.nodes(passage, ChunkSettings())).whole == 1 / 3
    assert compare.boundaries(passage, chunk.nodes(passage, ChunkSettings(2))).whole == 1


def test_tables_and_code_blocks_that_are_cut_are_counted():
    table = "| a |\n|---|\n" + "\n".join(f"| row {n} |" for n in range(9))
    passage = made.passage(f"{table}\n\n```\nx = 1\n```\n\n{table}", "a.md")
    whole, cut = (of(passage, sized(size)).boundaries for size in (500, 40))
    assert (whole.tables, whole.tables_cut, whole.code, whole.code_cut) == (2, 0, 1, 0)
    assert (cut.tables, cut.tables_cut, cut.code, cut.code_cut) == (2, 2, 1, 0)


def test_a_program_has_no_code_blocks_to_be_kept_whole():
    from core import read, split

    document = read.read("a.py", b"def a():\n    return 1\n\n\ndef b():\n    return 2\n")
    passage = Passage(document, tuple(split.sentences(document)))
    assert of(passage, sized(25, strategy="code")).boundaries.code == 0


# ── what changed ─────────────────────────────────────────────────────────────────────────────────


def nodes(*spans: tuple[int, int]) -> list[Node]:
    return [Node(n, start, end, 0, 0, Span(start, end)) for n, (start, end) in enumerate(spans)]


def test_the_same_nodes_are_kept():
    found = compare.difference(nodes((0, 5), (6, 9)), nodes((0, 5), (6, 9)))
    assert found == compare.Difference(((0, 0), (1, 1)), (), (), (), (0, 5, 6, 9), (), ())


def test_a_boundary_between_two_nodes_moves_both():
    found = compare.difference(nodes((0, 5), (6, 9)), nodes((0, 7), (8, 9)))
    assert (found.kept, found.moved, found.gone, found.born) == ((), ((0, 0), (1, 1)), (), ())
    assert (found.cuts_kept, found.cuts_gone, found.cuts_born) == ((0, 9), (5, 6), (7, 8))


def test_two_that_were_joined_are_one_moved_and_one_gone():
    found = compare.difference(nodes((0, 5), (6, 9)), nodes((0, 9)))
    assert (found.moved, found.gone, found.born) == (((0, 0),), (1,), ())


def test_one_that_was_parted_is_one_moved_and_one_born():
    found = compare.difference(nodes((0, 9)), nodes((0, 5), (6, 9)))
    assert (found.moved, found.gone, found.born) == (((0, 0),), (), (1,))


def test_a_node_in_the_middle_that_shares_no_boundary_is_new():
    found = compare.difference(nodes((0, 9)), nodes((0, 3), (3, 6), (6, 9)))
    assert (found.moved, found.gone, found.born) == (((0, 0),), (), (1, 2))
    backwards = compare.difference(nodes((0, 3), (3, 6), (6, 9)), nodes((0, 9)))
    assert (backwards.moved, backwards.gone, backwards.born) == (((0, 0),), (1, 2), ())


def test_a_node_that_only_ends_alike_has_moved_too():
    found = compare.difference(nodes((0, 3), (4, 9)), nodes((2, 3), (4, 9)))
    assert (found.kept, found.moved) == (((1, 1),), ((0, 0),))


@given(made.documents, made.settings, made.settings)
def test_every_node_is_in_one_class_and_the_reverse_is_the_mirror(document, one, other):
    passage = made.passage(*document)
    a, b = (chunk.nodes(passage, chosen, Model()) for chosen in (one, other))
    found, back = compare.difference(a, b), compare.difference(b, a)
    pairs = [*found.kept, *found.moved]
    assert sorted([*(pair[0] for pair in pairs), *found.gone]) == list(range(len(a)))
    assert sorted([*(pair[1] for pair in pairs), *found.born]) == list(range(len(b)))
    assert all((a[x].start, a[x].end) == (b[y].start, b[y].end) for x, y in found.kept)
    assert all((a[x].start == b[y].start) != (a[x].end == b[y].end) for x, y in found.moved)
    edges_a = {edge for node in a for edge in (node.start, node.end)}
    edges_b = {edge for node in b for edge in (node.start, node.end)}
    assert {*found.cuts_kept, *found.cuts_gone} == edges_a
    assert {*found.cuts_kept, *found.cuts_born} == edges_b
    assert {(y, x) for x, y in found.kept} == set(back.kept)
    assert (found.cuts_kept, found.cuts_gone, found.cuts_born) == (back.cuts_kept, back.cuts_born, back.cuts_gone)


def test_two_hundred_thousand_nodes_are_compared_at_once():
    a = nodes(*((n * 10, n * 10 + 9) for n in range(200_000)))
    b = nodes(*((n * 10, n * 10 + 9 + n % 2) for n in range(200_000)))
    found = compare.difference(a, b)
    assert len(found.kept) == len(found.moved) == 100_000
