"""What holds for the nodes of every strategy, on hard texts, the case files and the sample."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
import regex
from hypothesis import given
from hypothesis import settings as tried

from core import chunk, markup, read, split
from core.chunk import outline, ruler
from core.errors import InvalidSetting, UnreadableFile
from core.settings import ChunkSettings, Strategy, Unit
from core.store.base import Passage
from core.types import BlockKind
from tests import texts
from tests.core import chunk_made as made
from tests.core.chunk_made import Model, sized

ROOT = Path(__file__).parent.parent.parent
FILES = sorted(
    [*(ROOT / "assets" / "sample" / "docs").glob("*.md"), *(ROOT / "assets" / "sample" / "docs").glob("*.txt"),
     *(path for path in (ROOT / "tests" / "cases" / "inputs").iterdir() if path.suffix in (".txt", ".html", ".docx", ".csv"))]
)  # fmt: skip
ALIKE = [
    sized(size, overlap, strategy, unit, minimum=size // 8)
    for strategy in made.SIZED
    for unit in made.UNITS
    for size, overlap in ((300, 0), (60, 12))
]


def check(passage: Passage, chosen: ChunkSettings) -> None:
    text, sentences = passage.document.text, passage.sentences
    found = chunk.nodes(passage, chosen, Model())
    assert [node.ordinal for node in found] == list(range(len(found)))
    at = 0
    for node in found:
        said = text[node.start : node.end]
        assert said == said.strip()
        assert not markup.is_nothing(said)
        assert markup.is_nothing(text[at : max(at, node.start)]), "nothing is lost"
        first, last = sentences[node.first_sentence], sentences[node.last_sentence]
        assert first.start <= node.start < first.end
        assert last.start < node.end <= last.end
        assert node.embedded.start <= node.start
        assert node.end <= node.embedded.end
        block = passage.document.blocks[first.block]
        assert (node.kind, node.page, node.headings) == (block.kind, block.page, block.headings)
        at = node.end
    assert markup.is_nothing(text[at:])
    for left, right in pairwise(found):
        assert left.start < right.start
        assert left.end < right.end
    if not chosen.overlap:
        texts.assert_tiles(text, found)
    assert_no_larger(passage, chosen)


def assert_no_larger(passage: Passage, chosen: ChunkSettings) -> None:
    """No node is larger than its size, but one of a single grapheme, word or token."""
    measure = ruler.of(outline.of(passage), chosen, Model())
    text = passage.document.text
    for node in chunk.nodes(passage, chosen, Model()):
        if measure.size(node.start, node.end) <= chosen.size:
            continue
        if isinstance(measure, ruler.Counted):
            starts = measure.starts
            assert ((node.start <= starts) & (starts < node.end)).sum() == 1
        else:
            assert len(regex.findall(r"\X", text[node.start : node.end])) == 1


@given(made.documents, made.settings)
@tried(max_examples=300)
def test_nodes_are_slices_in_order_that_lose_nothing_and_are_no_larger_than_said(document, chosen):
    passage = made.passage(*document)
    check(passage, chosen)


@given(made.documents, made.settings)
def test_the_same_document_and_settings_give_the_same_nodes(document, chosen):
    passage = made.passage(*document)
    anew = Passage(passage.document, tuple(passage.sentences))
    assert chunk.nodes(passage, chosen, Model()) == chunk.nodes(anew, chosen, Model())


@given(made.documents, made.settings)
def test_no_grapheme_is_cut(document, chosen):
    passage = made.passage(*document)
    text = passage.document.text
    edges = {edge for node in chunk.nodes(passage, chosen, Model()) for edge in (node.start, node.end)}
    edges -= {edge for sentence in passage.sentences for edge in (sentence.start, sentence.end)}
    for cluster in regex.finditer(r"\X", text):
        # A mark on white space has nothing to stand on; a virama before a letter of another script joins nothing.
        if not cluster.group()[0].isspace() and not regex.search(r"\p{InCB=Linker}", cluster.group()):
            assert not edges & set(range(cluster.start() + 1, cluster.end())), ascii(cluster.group())


@given(made.documents, made.settings)
def test_tables_and_code_share_no_node_with_what_stands_around_them(document, chosen):
    passage = made.passage(*document)
    blocks = passage.document.blocks
    if all(block.kind is BlockKind.CODE for block in blocks):
        return
    for node in chunk.nodes(passage, chosen, Model()):
        held = {s.block for s in passage.sentences[node.first_sentence : node.last_sentence + 1]}
        alone = {number for number in held if blocks[number].kind in (BlockKind.TABLE, BlockKind.CODE)}
        assert not alone or len(held) == 1
        if alone:
            assert (node.embedded.start, node.embedded.end) == (node.start, node.end)


@given(made.documents, made.settings)
def test_a_window_takes_whole_sentences_around_a_node_that_ends_in_the_middle_of_one(document, chosen):
    passage = made.passage(*document)
    sentences = passage.sentences
    for node in chunk.nodes(passage, chosen, Model()):
        window = chunk.window(node, sentences, 1)
        assert window.start == sentences[max(0, node.first_sentence - 1)].start
        assert window.end == sentences[min(len(sentences) - 1, node.last_sentence + 1)].end


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_all_holds_for_the_case_files_and_the_sample(path):
    try:
        document = read.read(path.name, path.read_bytes())
    except UnreadableFile:
        pytest.skip("not read at all")
    passage = Passage(document, tuple(split.sentences(document)))
    for chosen in ALIKE:
        check(passage, chosen)


@pytest.mark.parametrize("chosen", ALIKE, ids=lambda chosen: chosen.name)
@pytest.mark.parametrize(
    "text",
    ["", " \n ", "x", "👩‍🔧", "\u200b", "\u0301", "。", "| a |\n|---|\n| b |", "```\nx\n```", "# A", "- a\n  - b"],
)
def test_the_smallest_documents_have_at_most_one_node(chosen, text):
    passage = made.passage(text, "a.md")
    found = chunk.nodes(passage, chosen, Model())
    assert len(found) == min(1, len(passage.sentences))


ENDLESS = {
    "one word": "x" * 300_000,
    "emoji": "👩‍🔧" * 100_000,
    "flags": "🇳🇴" * 150_000,
    "marks": "e" + "\u0301" * 300_000,
    "chinese": "系统已经启动" * 50_000,
    "thai": "สวัสดีครับ" * 30_000,
    "hindi": "क्षत्रिय" * 40_000,
    "spaces": "a" + " " * 300_000 + "b",
    "zero width": "a" + "\u200b" * 300_000,
}


@pytest.mark.parametrize("strategy", made.SIZED)
@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS.keys())
def test_text_without_an_end_is_cut_in_the_time_of_its_length(text, strategy):
    """Whatever were quadratic would not come back from here."""
    passage = made.hard_cut(text)
    for unit in made.UNITS:
        found = chunk.nodes(passage, sized(200, 20, strategy, unit), Model())
        assert found[0].start == 0
        assert text[found[-1].end :].strip("\u200b") == ""


def test_what_needs_a_model_says_so():
    passage = made.passage("One. Two.")
    for chosen in (sized(10, 0, "fixed", "tokens"), sized(10, 0, "semantic", "chars")):
        assert chosen.needs_model
        with pytest.raises(InvalidSetting, match="Choose a model"):
            chunk.nodes(passage, chosen)
    for chosen in (ChunkSettings(), sized(10), sized(10, 0, "structure", "words")):
        assert not chosen.needs_model
        assert chunk.nodes(passage, chosen)


def test_a_model_is_asked_once_for_a_document_however_often_settings_change():
    passage, model = made.passage("Alpha beta. Gamma delta. Epsilon."), Model()
    for size in (2, 3, 5):
        chunk.nodes(passage, sized(size, 1, "recursive", "tokens"), model)
    assert model.asked == ["token_spans"]
    for percentile in (10, 50):
        chunk.nodes(passage, sized(30, 0, "semantic", "chars", percentile=percentile), model)
    assert model.asked == ["token_spans", "likeness"]
    for size in (5, 9, 5):
        chunk.nodes(passage, sized(size, 0, "semantic", "tokens"), model)
    assert model.asked == ["token_spans", "likeness"]
    other = Model()
    chunk.nodes(passage, sized(2, 1, "recursive", "tokens"), other)
    assert other.asked == ["token_spans"], "another model has other tokens"


@given(made.documents)
def test_without_limits_sentences_window_nodes_and_sized_ones_cover_the_same(document):
    passage = made.passage(*document)
    whole = chunk.nodes(passage, ChunkSettings())
    sized_ones = chunk.nodes(passage, sized(100_000, 0, "fixed", "chars"))
    assert {n for node in whole for n in range(node.first_sentence, node.last_sentence + 1)} == {
        n for node in sized_ones for n in range(node.first_sentence, node.last_sentence + 1)
    }


@given(made.documents, made.settings)
def test_the_place_of_a_node_is_told_by_its_neighbours(document, chosen):
    passage = made.passage(*document)
    found = chunk.nodes(passage, chosen, Model())
    places = chunk.overlap_spans(found)
    assert len(places) == len(found)
    assert [place.is_first for place in places] == [number == 0 for number in range(len(found))]
    assert [place.is_last for place in places] == [number == len(found) - 1 for number in range(len(found))]
    for (left, here), (right, there) in pairwise(zip(found, places, strict=True)):
        assert here.with_next == there.with_previous
        shared = here.with_next
        assert (shared is None) == (left.end <= right.start)
        if shared is not None:
            assert (shared.start, shared.end) == (right.start, left.end)
    if found:
        assert places[0].with_previous is places[-1].with_next is None


def test_sentence_windows_share_whole_sentences():
    passage = made.passage("One. Two. Three. Four.")
    places = chunk.overlap_spans(chunk.nodes(passage, ChunkSettings(2, 1)))
    text = passage.document.text
    assert [place.with_next and text[place.with_next.start : place.with_next.end] for place in places] == [
        "Two.", "Three.", None
    ]  # fmt: skip


def test_every_strategy_is_named_in_the_settings():
    for strategy in Strategy:
        unit = Unit.SENTENCES if strategy is Strategy.SENTENCE_WINDOW else Unit.CHARS
        assert chunk.nodes(made.passage("One. Two."), ChunkSettings(9, strategy=strategy, unit=unit), Model())
