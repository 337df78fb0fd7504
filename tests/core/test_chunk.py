"""Nodes and windows are whole sentences, sliced from the text, by a formula anyone can check."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import chunk, split
from core.errors import AppError, InvalidSetting
from core.settings import ChunkSettings
from core.types import Block, BlockKind, Sentence, Span
from tests import texts

chunk_settings = st.integers(1, 6).flatmap(
    lambda size: st.builds(ChunkSettings, st.just(size), st.integers(0, size - 1), st.integers(0, 3))
)
BLOCKS = (Block(BlockKind.PARAGRAPH, 0, 10**6, ("Top",), 3),)


def sentences(count: int) -> list[Sentence]:
    """``count`` sentences of growing length, one space between them."""
    ends = [sum(range(2, n + 3)) + n for n in range(count)]
    return [Sentence(end - n - 2, end, 0) for n, end in enumerate(ends)]


@given(texts.hard, chunk_settings, st.integers(0, 4))
def test_nodes_embedded_spans_and_windows_are_bounded_by_sentences_of_the_text(text, chosen, window):
    document = texts.document(text)
    found = split.sentences(document)
    starts, ends = {s.start for s in found}, {s.end for s in found}
    for node in chunk.nodes(found, document.blocks, chosen):
        around = chunk.window(node, found, window)
        for span in (node, node.embedded, around):
            assert span.start in starts
            assert span.end in ends
            assert document.text[span.start : span.end].strip() == document.text[span.start : span.end] != ""
        assert around.start <= node.start < node.end <= around.end
        assert node.embedded.start <= node.start < node.end <= node.embedded.end


@given(texts.hard, st.integers(1, 5))
def test_nodes_without_overlap_tile_the_text(text, size):
    document = texts.document(text)
    found = chunk.nodes(split.sentences(document), document.blocks, ChunkSettings(size))
    texts.assert_tiles(document.text, found)


@given(st.integers(0, 40), chunk_settings)
def test_the_number_of_nodes_follows_the_formula(count, chosen):
    found = chunk.nodes(sentences(count), BLOCKS, chosen)
    full = max(0, count - chosen.overlap)
    assert len(found) == (max(1, ceil(full / (chosen.size - chosen.overlap))) if count else 0)
    assert [node.ordinal for node in found] == list(range(len(found)))


@given(st.integers(0, 40), chunk_settings)
def test_neighbouring_nodes_share_exactly_the_overlap_and_no_sentence_is_left_out(count, chosen):
    found = chunk.nodes(sentences(count), BLOCKS, chosen)
    for left, right in pairwise(found):
        assert left.last_sentence - right.first_sentence + 1 == chosen.overlap
        assert right.last_sentence > left.last_sentence
        assert left.last_sentence - left.first_sentence + 1 == chosen.size
    held = {n for node in found for n in range(node.first_sentence, node.last_sentence + 1)}
    assert held == set(range(count))


@given(st.integers(1, 25), chunk_settings, st.integers(1, 6))
def test_a_window_is_k_sentences_each_side_clipped_at_the_ends(count, chosen, k):
    every = sentences(count)
    for node in chunk.nodes(every, BLOCKS, chosen):
        first, last = max(0, node.first_sentence - k), min(count - 1, node.last_sentence + k)
        assert chunk.window(node, every, k) == Span(every[first].start, every[last].end)


@given(st.integers(1, 25), st.integers(0, 6))
def test_windows_are_symmetric_under_reading_backwards(count, k):
    every = sentences(count)

    def widths(found):
        spans = [chunk.window(node, found, k) for node in chunk.nodes(found, BLOCKS, ChunkSettings())]
        return [sum(span.start <= s.start and s.end <= span.end for s in found) for span in spans]

    end = every[-1].end
    backwards = [Sentence(end - s.end, end - s.start, 0) for s in reversed(every)]
    assert widths(every) == widths(backwards)[::-1]


@given(st.integers(1, 25), chunk_settings)
def test_embedding_around_a_node_takes_in_what_a_window_of_that_size_would(count, chosen):
    every = sentences(count)
    for node in chunk.nodes(every, BLOCKS, chosen):
        assert node.embedded == chunk.window(node, every, chosen.embed_around)


def test_a_window_of_zero_is_the_node_itself():
    every = sentences(5)
    node = chunk.nodes(every, BLOCKS, ChunkSettings(2))[1]
    assert chunk.window(node, every, 0) == Span(node.start, node.end)


def test_a_node_carries_the_kind_page_and_headings_of_the_block_it_begins_in():
    blocks = (Block(BlockKind.HEADING, 0, 2, ("A",), 1), Block(BlockKind.LIST, 3, 9, ("A", "B"), 2))
    every = [Sentence(0, 2, 0), Sentence(3, 5, 1), Sentence(6, 9, 1)]
    first, second = chunk.nodes(every, blocks, ChunkSettings(2))
    assert (first.kind, first.page, first.headings) == (BlockKind.HEADING, 1, ("A",))
    assert (second.kind, second.page, second.headings) == (BlockKind.LIST, 2, ("A", "B"))


def test_a_window_below_zero_is_refused():
    every = sentences(3)
    with pytest.raises(InvalidSetting, match="-1"):
        chunk.window(chunk.nodes(every, BLOCKS, ChunkSettings())[0], every, -1)


@pytest.mark.parametrize("wrong", [{"size": 0}, {"size": 2, "overlap": 2}, {"overlap": -1}, {"embed_around": -1}])
def test_impossible_settings_cannot_be_made_even_by_replacing(wrong):
    with pytest.raises(AppError):
        replace(ChunkSettings(), **wrong)


def test_different_settings_have_different_names():
    every = [ChunkSettings(s, o, e) for s in range(1, 5) for o in range(s) for e in range(3)]
    assert len({chosen.name for chosen in every}) == len(every)
