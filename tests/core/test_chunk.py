"""Nodes and windows are whole sentences, sliced from the text, by a formula anyone can check."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import chunk, split
from core.errors import AppError, InvalidSetting
from core.settings import ChunkSettings
from core.store.base import Passage
from core.types import Block, BlockKind, Document, Node, Sentence, Span
from tests import texts

chunk_settings = st.integers(1, 6).flatmap(
    lambda size: st.builds(ChunkSettings, st.just(size), st.integers(0, size - 1), st.integers(0, 3))
)
BLOCKS = (Block(BlockKind.PARAGRAPH, 0, 10**6, ("Top",), 3),)


def nodes(found: Sequence[Sentence], blocks: Sequence[Block], chosen: ChunkSettings, text: str = "") -> list[Node]:
    """The nodes of these sentences; ``text`` matters only where lists and tables are parted."""
    return chunk.nodes(Passage(Document("d", "r", "a.txt", "text/plain", text, tuple(blocks)), tuple(found)), chosen)


def sentences(count: int) -> list[Sentence]:
    """``count`` sentences of growing length, one space between them."""
    ends = [sum(range(2, n + 3)) + n for n in range(count)]
    return [Sentence(end - n - 2, end, 0) for n, end in enumerate(ends)]


@given(texts.hard, chunk_settings, st.integers(0, 4))
def test_nodes_embedded_spans_and_windows_are_bounded_by_sentences_of_the_text(text, chosen, window):
    document = texts.document(text)
    found = split.sentences(document)
    starts, ends = {s.start for s in found}, {s.end for s in found}
    for node in nodes(found, document.blocks, chosen):
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
    found = nodes(split.sentences(document), document.blocks, ChunkSettings(size))
    texts.assert_tiles(document.text, found)


@given(st.integers(0, 40), chunk_settings)
def test_the_number_of_nodes_follows_the_formula(count, chosen):
    found = nodes(sentences(count), BLOCKS, chosen)
    full = max(0, count - chosen.overlap)
    assert len(found) == (max(1, ceil(full / (chosen.size - chosen.overlap))) if count else 0)
    assert [node.ordinal for node in found] == list(range(len(found)))


@given(st.integers(0, 40), chunk_settings)
def test_neighbouring_nodes_share_exactly_the_overlap_and_no_sentence_is_left_out(count, chosen):
    found = nodes(sentences(count), BLOCKS, chosen)
    for left, right in pairwise(found):
        assert left.last_sentence - right.first_sentence + 1 == chosen.overlap
        assert right.last_sentence > left.last_sentence
        assert left.last_sentence - left.first_sentence + 1 == chosen.size
    held = {n for node in found for n in range(node.first_sentence, node.last_sentence + 1)}
    assert held == set(range(count))


@given(st.integers(1, 25), chunk_settings, st.integers(1, 6))
def test_a_window_is_k_sentences_each_side_clipped_at_the_ends(count, chosen, k):
    every = sentences(count)
    for node in nodes(every, BLOCKS, chosen):
        first, last = max(0, node.first_sentence - k), min(count - 1, node.last_sentence + k)
        assert chunk.window(node, every, k) == Span(every[first].start, every[last].end)


@given(st.integers(1, 25), st.integers(0, 6))
def test_windows_are_symmetric_under_reading_backwards(count, k):
    every = sentences(count)

    def widths(found):
        spans = [chunk.window(node, found, k) for node in nodes(found, BLOCKS, ChunkSettings())]
        return [sum(span.start <= s.start and s.end <= span.end for s in found) for span in spans]

    end = every[-1].end
    backwards = [Sentence(end - s.end, end - s.start, 0) for s in reversed(every)]
    assert widths(every) == widths(backwards)[::-1]


@given(st.integers(1, 25), chunk_settings)
def test_embedding_around_a_node_takes_in_what_a_window_of_that_size_would(count, chosen):
    every = sentences(count)
    for node in nodes(every, BLOCKS, chosen):
        assert node.embedded == chunk.window(node, every, chosen.embed_around)


def test_a_window_of_zero_is_the_node_itself():
    every = sentences(5)
    node = nodes(every, BLOCKS, ChunkSettings(2))[1]
    assert chunk.window(node, every, 0) == Span(node.start, node.end)


def test_a_node_carries_the_kind_page_and_headings_of_the_block_it_begins_in():
    blocks = (Block(BlockKind.HEADING, 0, 2, ("A",), 1), Block(BlockKind.LIST, 3, 9, ("A", "B"), 2))
    every = [Sentence(0, 2, 0), Sentence(3, 5, 1), Sentence(6, 9, 1)]
    first, second = nodes(every, blocks, ChunkSettings(2), "# A - b c")
    assert (first.kind, first.page, first.headings) == (BlockKind.HEADING, 1, ("A",))
    assert (second.kind, second.page, second.headings) == (BlockKind.LIST, 2, ("A", "B"))


def test_a_window_below_zero_is_refused():
    every = sentences(3)
    with pytest.raises(InvalidSetting, match="-1"):
        chunk.window(nodes(every, BLOCKS, ChunkSettings())[0], every, -1)


@pytest.mark.parametrize("wrong", [{"size": 0}, {"size": 2, "overlap": 2}, {"overlap": -1}, {"embed_around": -1}])
def test_impossible_settings_cannot_be_made_even_by_replacing(wrong):
    with pytest.raises(AppError):
        replace(ChunkSettings(), **wrong)


def test_different_settings_have_different_names():
    every = [ChunkSettings(s, o, e) for s in range(1, 5) for o in range(s) for e in range(3)]
    assert len({chosen.name for chosen in every}) == len(every)


P, T, C, L = BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.CODE, BlockKind.LIST


@pytest.mark.parametrize(
    ("kinds", "size", "wanted"),
    [
        ((P, P, T, P, P), 3, [(0, 1), (2, 2), (3, 4)]),
        ((P, C, C, P), 2, [(0, 0), (1, 1), (2, 2), (3, 3)]),
        ((P, L, P, P), 2, [(0, 0), (1, 1), (2, 3)]),
        ((BlockKind.HEADING, P, BlockKind.QUOTE, P), 4, [(0, 3)]),
    ],
)
def test_tables_code_and_lists_are_not_mixed_with_what_stands_around_them(kinds, size, wanted):
    blocks = tuple(Block(kind, 2 * i, 2 * i + 1) for i, kind in enumerate(kinds))
    every = [Sentence(2 * i, 2 * i + 1, i) for i in range(len(kinds))]
    found = nodes(every, blocks, ChunkSettings(size), "a " * len(kinds))
    assert [(n.first_sentence, n.last_sentence) for n in found] == wanted
    assert all(n.kind is blocks[n.first_sentence].kind for n in found)


def test_what_is_embedded_around_a_node_stops_at_a_table():
    blocks = tuple(Block(kind, 2 * i, 2 * i + 1) for i, kind in enumerate((P, P, T, P)))
    every = [Sentence(2 * i, 2 * i + 1, i) for i in range(4)]
    found = nodes(every, blocks, ChunkSettings(1, 0, 3), "a b c d ")
    assert [(n.embedded.start, n.embedded.end) for n in found] == [(0, 3), (0, 3), (4, 5), (6, 7)]


TABLE = "Sales by quarter\n| quarter | sales |\n|---|---|\n| Q1 | 10 |\n| Q2 | 12 |\n| Q3 | 15 |"


def parted() -> Passage:
    """A table in three parts."""
    ends = [TABLE.index("\n| Q2"), TABLE.index("\n| Q3"), len(TABLE)]
    starts = [0, ends[0] + 1, ends[1] + 1]
    document = Document("d", "r", "a.md", "text/markdown", TABLE, (Block(T, 0, len(TABLE), ("Report", "Sales")),))
    return Passage(document, tuple(Sentence(a, b, 0) for a, b in zip(starts, ends, strict=True)))


def test_the_parts_of_a_table_carry_its_caption_and_header():
    passage = parted()
    header = "Sales by quarter\n| quarter | sales |\n|---|---|\n"
    found = chunk.nodes(passage, ChunkSettings())
    assert [n.prefix for n in found] == ["", header, header]
    assert [chunk.prefix(passage, i) for i in range(3)] == ["", header, header]


def test_a_table_is_embedded_by_a_summary_in_words():
    passage = parted()
    said = [chunk.embedded_text(passage.document, node) for node in chunk.nodes(passage, ChunkSettings())]
    assert said == [
        "Sales by quarter. Table of quarter, sales. 1 row: Q1, 10",
        "Sales by quarter. Table of quarter, sales. 1 row: Q2, 12",
        "Sales by quarter. Table of quarter, sales. 1 row: Q3, 15",
    ]


@pytest.mark.parametrize(
    ("table", "headings", "said"),
    [
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", ("Top", "Costs"), "Top › Costs. Table of a, b. 1 row: 1, 2"),
        ("| a | b |\n|---|---|", (), "Table of a, b. 0 rows."),
        ("| a\\|x | |\n|---|---|\n| 1 |  |\n| 2 | y |", (), "Table of a|x. 2 rows: 1; 2, y"),
        ("no table at all\nreally", (), "no table at all really"),
    ],
)  # fmt: skip
def test_a_summary_names_title_columns_rows_and_first_values(table, headings, said):
    assert chunk.table_summary(table, headings) == said


def test_a_summary_stays_short_however_large_the_table_is():
    rows = "\n".join(f"| {'word ' * 30}{i} | x |" for i in range(5000))
    assert len(chunk.table_summary(f"| a | b |\n|---|---|\n{rows}")) < 600


def test_nested_items_carry_the_items_they_belong_to():
    text = "- Pumps\n  - Seals\n    - check weekly\n  - Oil\n- Valves\n  1. open"
    ends = [i for i, c in enumerate(text) if c == "\n"] + [len(text)]
    lines = [(a, b) for a, b in zip([0, *[e + 1 for e in ends[:-1]]], ends, strict=True)]
    spans = [Sentence(a + len(text[a:b]) - len(text[a:b].lstrip()), b, 0) for a, b in lines]
    document = Document("d", "r", "a.md", "text/markdown", text, (Block(L, 0, len(text)),))
    passage = Passage(document, tuple(spans))
    wanted = ["", "Pumps › ", "Pumps › Seals › ", "Pumps › ", "", "Valves › "]
    assert [n.prefix for n in chunk.nodes(passage, ChunkSettings())] == wanted
    assert [chunk.prefix(passage, i) for i in range(6)] == wanted
    third = chunk.nodes(passage, ChunkSettings())[2]
    assert chunk.embedded_text(document, third) == "Pumps › Seals › - check weekly"


def test_boundary_marks_stand_where_the_document_clips_the_window_and_nowhere_else():
    every = sentences(5)
    passage = Passage(Document("d", "r", "a.txt", "text/plain", "x" * 100, BLOCKS), tuple(every))
    found = chunk.nodes(passage, ChunkSettings())
    marks = [chunk.around(passage, node, 1, marks=True) for node in found]
    start, end = "[DOCUMENT_START] ", " [DOCUMENT_END]"
    assert marks == [(start, ""), ("", ""), ("", ""), ("", ""), ("", end)]
    assert [chunk.around(passage, node, 1, marks=False) for node in found] == [("", "")] * 5
    assert [chunk.around(passage, node, 0, marks=True) for node in found] == [("", "")] * 5
    assert chunk.around(passage, found[2], 9, marks=True) == (start, end)


def listed(items: Sequence[tuple[int, str]]) -> Passage:
    """A list of lines with their indents, a paragraph before it and after it; each line's sentences end with a stop."""
    lines = "\n".join(f"{'  ' * depth}{text}" for depth, text in items)
    text = f"Before.\n\n{lines}\n\nAfter."
    blocks = (Block(P, 0, 7), Block(L, 9, 9 + len(lines)), Block(P, len(text) - 6, len(text)))
    spans = [(m.start(), m.end()) for m in re.finditer(r"[^\s.](?:[^\n.]*[^\s.])?\.?", text)]
    kinds = [next(n for n, block in enumerate(blocks) if block.start <= start < block.end) for start, _ in spans]
    document = Document("d", "r", "a.md", "text/markdown", text, blocks)
    return Passage(document, tuple(Sentence(*span, kind) for span, kind in zip(spans, kinds, strict=True)))


list_items = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from(["- Pump", "1) Seal. Then. a) more", "no marker", "- [x] Oil. - dash", "b) x"])),
    min_size=1, max_size=30,
)  # fmt: skip


@given(list_items, st.sampled_from([5000, 3, 1]))
def test_one_prefix_and_all_of_them_agree(items, back):
    passage = listed(items)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunk.parts, "_BACK", back)
        together = chunk.prefixes(passage)
        assert together == {n: p for n in range(len(passage.sentences)) if (p := chunk.prefix(passage, n))}


def test_sentences_inside_an_item_are_nested_as_it_is():
    passage = listed([(0, "- Pumps"), (1, "- Seals. Check them. a) or not"), (1, "- Oil"), (0, "- Valves")])
    assert [chunk.prefix(passage, n) for n in range(len(passage.sentences))] == [
        "", "", "Pumps › ", "Pumps › ", "Pumps › ", "Pumps › ", "", "",
    ]  # fmt: skip


class Counted(tuple[Sentence, ...]):
    """Sentences that count how often one is looked at."""

    looked = 0

    def __getitem__(self, at):
        Counted.looked += 1
        return super().__getitem__(at)


def test_one_prefix_looks_no_further_back_than_to_the_outermost_item():
    lines = [f"{'  ' * (n % 3)}- item" for n in range(30_000)]
    text = "\n".join(lines)
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    spans = [Sentence(a + (n % 3) * 2, a + len(lines[n]), 0) for n, a in enumerate(starts)]
    document = Document("d", "r", "a.md", "text/markdown", text, (Block(L, 0, len(text)),))
    passage = Passage(document, Counted(spans))
    Counted.looked = 0
    assert chunk.prefix(passage, 29_999) == "item › item › "
    assert Counted.looked < 100


def test_a_context_line_is_embedded_first_and_is_no_part_of_the_node():
    document = texts.document("Valve open. Valve shut.")
    (node, _) = nodes(split.sentences(document), document.blocks, ChunkSettings(), document.text)
    told = replace(node, context="Valves › States")
    assert chunk.embedded_text(document, told) == "Valves › States\nValve open."
    assert (told.start, told.end, told.embedded, told.prefix) == (node.start, node.end, node.embedded, node.prefix)


def test_a_context_line_stands_before_the_prefix_and_before_the_summary_of_a_table():
    passage = parted()
    table = replace(chunk.nodes(passage, ChunkSettings())[1], context="Report")
    said = chunk.embedded_text(passage.document, table)
    assert said == "Report\nSales by quarter. Table of quarter, sales. 1 row: Q2, 12"
    item = Node(0, 4, 8, 1, 1, Span(4, 8), L, prefix="Pumps › ", context="Guide")
    assert chunk.embedded_text(replace(passage.document, text="Oh. Seal"), item) == "Guide\nPumps › Seal"
