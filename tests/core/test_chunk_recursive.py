"""Cuts at the highest seam: what fits is never cut, and nothing is put together across a larger part's end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import chunk
from core.chunk import outline, ruler
from core.types import BlockKind
from tests.core import chunk_made as made
from tests.core.chunk_made import Model, sized

TEXT = """\
First paragraph here. It has two sentences.

Second one.

A third that is quite a bit longer than the others. It goes on for a while. Then it ends at last.
"""


def said(size: int, overlap: int = 0, text: str = TEXT, unit: str = "chars") -> list[str]:
    passage = made.passage(text)
    return made.said(passage, chunk.nodes(passage, sized(size, overlap, "recursive", unit), Model()))


def test_paragraphs_are_put_together_as_far_as_they_fit():
    assert said(60) == [
        "First paragraph here. It has two sentences.\n\nSecond one.",
        "A third that is quite a bit longer than the others.",
        "It goes on for a while. Then it ends at last.",
    ]


def test_a_paragraph_that_fits_is_not_cut_to_fill_the_node_before():
    assert said(44)[:2] == ["First paragraph here. It has two sentences.", "Second one."]


def test_a_sentence_that_does_not_fit_is_cut_between_words():
    assert said(25)[:4] == ["First paragraph here.", "It has two sentences.", "Second one.", "A third that is quite a"]


def test_a_word_that_does_not_fit_is_cut_where_it_must():
    assert said(4, text="abcdefghij kl") == ["abcd", "efgh", "ij", "kl"]


def test_a_line_is_a_seam_where_a_sentence_ends_and_none_where_it_goes_on():
    listed = (
        "- one thing. Here it is\n- another thing. There it was\n- a third thing, which is long enough to be parted"
    )
    passage = made.passage("\n".join([listed] * 8), "a.md")
    lines = {at for at, letter in enumerate(passage.document.text) if letter == "\n"}
    assert len(passage.sentences) > 1
    found = chunk.nodes(passage, sized(60, 0, "recursive"))
    assert all(node.end in lines for node in found[:-1])
    wrapped = "This sentence is wrapped\nover two lines. And this\none too, you see."
    assert said(45, text=wrapped) == ["This sentence is wrapped\nover two lines.", "And this\none too, you see."]


@given(made.documents, st.integers(1, 80), st.sampled_from(made.UNITS))
def test_no_block_and_no_sentence_that_fits_is_cut(document, size, unit):
    passage = made.passage(*document)
    chosen = sized(size, 0, "recursive", unit)
    measure, found = ruler.of(outline.of(passage), chosen, Model()), chunk.nodes(passage, chosen, Model())
    if all(block.kind is BlockKind.CODE for block in passage.document.blocks):
        return
    blocks: dict[int, list[int]] = {}
    for number, sentence in enumerate(passage.sentences):
        blocks.setdefault(sentence.block, []).append(number)
    parts = [(numbers[0], numbers[-1]) for numbers in blocks.values()]
    kinds = [passage.document.blocks[sentence.block].kind for sentence in passage.sentences]
    parts += [(n, n) for n, kind in enumerate(kinds) if kind not in (BlockKind.TABLE, BlockKind.CODE)]
    for first, last in parts:
        start, end = passage.sentences[first].start, passage.sentences[last].end
        if measure.size(start, end) <= size:
            assert any(node.start <= start and end <= node.end for node in found)


@given(made.documents, st.integers(1, 80), st.sampled_from(made.UNITS))
def test_a_node_that_holds_parts_of_two_blocks_holds_both_whole(document, size, unit):
    passage = made.passage(*document)
    ends = {}
    for sentence in passage.sentences:
        start, _ = ends.get(sentence.block, (sentence.start, 0))
        ends[sentence.block] = (start, sentence.end)
    for node in chunk.nodes(passage, sized(size, 0, "recursive", unit), Model()):
        held = {s.block for s in passage.sentences[node.first_sentence : node.last_sentence + 1]}
        if len(held) > 1:
            assert all(node.start <= ends[block][0] and ends[block][1] <= node.end for block in held)


@given(
    st.lists(st.lists(st.text("abcdefg", min_size=1, max_size=7), min_size=1, max_size=12).map(" ".join), min_size=1, max_size=9),
    st.integers(20, 80).flatmap(lambda size: st.tuples(st.just(size), st.integers(8, size // 2))),
    st.sampled_from(["chars", "words"]),
)  # fmt: skip
def test_neighbours_share_as_many_words_as_fit_into_the_overlap(paragraphs, numbers, unit):
    text = "\n\n".join(paragraphs)
    passage, chosen = made.passage(text), sized(*numbers, "recursive", unit)
    measure = ruler.of(outline.of(passage), chosen, None)
    bare = [n.start for n in chunk.nodes(passage, sized(numbers[0] - numbers[1], 0, "recursive", unit))]
    found = chunk.nodes(passage, chosen)
    if len(found) == 1:
        return
    assert len(found) == len(bare)
    for own, left, node in zip(bare[1:], found, found[1:], strict=False):
        assert measure.size(node.start, own) <= numbers[1]
        assert left.start < node.start
        before = text[: node.start].rstrip().rfind(" ") if " " in text[: node.start].rstrip() else -1
        before = max(before, text[: node.start].rstrip().rfind("\n")) + 1
        assert node.start in (0, own) or measure.size(before, own) > numbers[1] or before <= left.start


def test_an_overlap_begins_at_a_word_and_a_word_that_is_cut_itself_shares_exactly():
    assert said(30, 10, text="one two three four five six seven eight") == [
        "one two three four", "four five six seven eight",
    ]  # fmt: skip
    assert said(8, 3, text="abcdefghijklmno") == ["abcde", "cdefghij", "hijklmno"]


def test_code_shares_whole_lines_and_tables_share_nothing():
    code = "\n".join(f"line {n}" for n in range(12))
    table = "| a |\n|---|\n" + "\n".join(f"| row {n} |" for n in range(12))
    passage = made.passage(f"```\n{code}\n```\n\nText between.\n\n{table}", "a.md")
    text = passage.document.text
    found = chunk.nodes(passage, sized(50, 15, "recursive"))
    coded = [n for n in found if n.kind is BlockKind.CODE]
    assert len(coded) > 2
    for left, right in pairwise(coded):
        shared = text[right.start : left.end].split("\n")
        assert 1 <= len(shared) <= 2
        assert all(line.startswith(("line", "```")) for line in shared)
    tables = [n for n in found if n.kind is BlockKind.TABLE]
    assert len(tables) > 2
    assert all(left.end <= right.start for left, right in pairwise(tables))


def test_a_program_may_have_several_blocks_in_a_node_and_other_documents_one_alone():
    code = "a = 1\n\n\nb = 2\n\n\nc = 3"
    from core import read, split
    from core.store.base import Passage

    document = read.read("a.py", (code * 200).encode())
    passage = Passage(document, tuple(split.sentences(document)))
    assert len(document.blocks) > 1
    found = chunk.nodes(passage, sized(4000, 0, "recursive"))
    assert found[0].end - found[0].start > max(b.end - b.start for b in document.blocks)


@pytest.mark.parametrize("around", [0, 1, 2])
def test_whole_sentences_are_embedded_around_a_node(around):
    from dataclasses import replace

    passage = made.passage("One is here. Two is here. Three is here. Four is here. Five is here.")
    found = chunk.nodes(passage, replace(sized(14, 0, "recursive"), embed_around=around))
    sentences = passage.sentences
    for node in found:
        if around == 0:
            assert (node.embedded.start, node.embedded.end) == (node.start, node.end)
        else:
            low, high = max(0, node.first_sentence - around), min(4, node.last_sentence + around)
            assert (node.embedded.start, node.embedded.end) == (sentences[low].start, sentences[high].end)
