"""One value per node and field, of the type that is declared; what place and vectors say."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import chunk, enrich
from core.filters import FieldType
from core.settings import ChunkSettings
from core.store.base import Passage
from core.types import BlockKind, Sentence, Span
from tests import texts
from tests.core.enrich.made import ALL, PATTERN, field, nodes, only, passage

TYPES = {
    FieldType.STRING: str,
    FieldType.STRINGS: tuple,
    FieldType.INTEGER: int,
    FieldType.NUMBER: float,
    FieldType.BOOLEAN: bool,
}
ALWAYS = {"section_level", "content_type", "contains_code", "contains_math", "is_summary", "words", "is_complete", "summary",
          "is_first", "is_last"}  # fmt: skip
OF_THE_INDEX = {"keywords", "embedding_model", "strategy"}
PER_DOCUMENT = [known for known in enrich.COMPUTED if known.name not in OF_THE_INDEX]
chunk_settings = st.integers(1, 4).flatmap(
    lambda size: st.builds(ChunkSettings, st.just(size), st.integers(0, size - 1))
)


@given(st.one_of(texts.hard, texts.noise), chunk_settings, st.sampled_from(["", "en", "de", "zh", "xx"]), st.booleans())
def test_every_field_has_one_value_of_its_type_for_each_node_and_the_same_each_time(text, chosen, language, embedded):
    made = passage(text, language)
    of = chunk.nodes(made, chosen)
    rows = np.random.default_rng(len(of)).standard_normal((len(of), 3)).astype(np.float32)
    vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True) if embedded else None
    found = enrich.compute(made, of, vectors, ALL, PATTERN)
    assert list(found) == [known.name for known in PER_DOCUMENT]
    for known in PER_DOCUMENT:
        values = found[known.name]
        assert len(values) == len(of)
        assert all(type(value) is TYPES[known.type] for value in values if value is not None)
        assert known.name not in ALWAYS or None not in values
    assert found == enrich.compute(made, of, vectors, ALL, PATTERN)


@given(st.frozensets(st.sampled_from([known.name for known in enrich.COMPUTED])))
def test_a_field_that_is_off_is_absent_and_changes_no_other(off):
    made = passage("# One\n\nThe NASA flew. It fell.\n\n## Two\n\n- a\n- b\n")
    of = nodes(made)
    every = enrich.compute(made, of, None, ALL, PATTERN)
    some = enrich.compute(made, of, None, enrich.EnrichSettings(off), PATTERN)
    assert some == {name: values for name, values in every.items() if name not in off}


def test_a_finder_is_not_asked_when_entities_are_off():
    class Never:
        name = "never"

        def __call__(self, texts, language):
            raise AssertionError

    made = passage("The NASA flew.")
    settings = enrich.EnrichSettings(frozenset({"entities"}))
    assert "entities" not in enrich.compute(made, nodes(made), None, settings, Never())


def test_a_document_without_nodes_has_no_values():
    made = passage("", "en")
    assert set(map(len, enrich.compute(made, [], None, ALL, PATTERN).values())) == {0}


OUTLINE = "Before.\n\n# Pumps\n\nOne.\n\n## Seals\n\nTwo.\n\n### Rings\n\nThree.\n\n# Valves\n\nFour.\n"


def test_sections_are_the_headings_that_a_node_stands_under():
    paths = list(zip(*(field(name, OUTLINE) for name in ("section", "subsection", "section_level")), strict=True))
    assert paths == [
        (None, None, 0), ("Pumps", None, 1), ("Pumps", None, 1), ("Pumps", "Seals", 2), ("Pumps", "Seals", 2),
        ("Pumps", "Seals", 3), ("Pumps", "Seals", 3), ("Valves", None, 1), ("Valves", None, 1),
    ]  # fmt: skip


def test_the_first_and_the_last_node_know_that_they_are():
    assert field("is_first", "One. Two. Three.") == [True, False, False]
    assert field("is_last", "One. Two. Three.") == [False, False, True]
    assert field("is_first", "Alone.") == field("is_last", "Alone.") == [True]


def test_content_is_called_by_the_blocks_its_sentences_stand_in():
    text = "# Title\n\nText.\n\n> Quoted.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx = 1\n```\n\n![A map](a.png)\n"
    assert field("content_type", text)[:6] == ["text", "text", "text", "list", "table", "code"]


def test_a_node_across_several_sorts_of_block_is_mixed_and_text_with_its_heading_is_not():
    made = passage("# Title\n\nText.\n\n- one\n- two\n")
    first, _, items = nodes(made)
    assert enrich.compute(made, [replace(first, last_sentence=1)], None, only("content_type"), PATTERN) == {
        "content_type": ["text"]
    }
    across = replace(first, last_sentence=items.last_sentence, end=items.end)
    assert enrich.compute(made, [across], None, only("content_type"), PATTERN) == {"content_type": ["mixed"]}


def test_an_image_is_one():
    made = passage("A map of Rome")
    image = replace(made.document.blocks[0], kind=BlockKind.IMAGE)
    made = Passage(replace(made.document, blocks=(image,)), made.sentences)
    found = enrich.compute(made, nodes(made), None, only("content_type", "is_complete"), PATTERN)
    assert found == {"content_type": ["image"], "is_complete": [True]}


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("It ends.", True), ("Does it end?", True), ("“It ends.”", True), ("It ends.[12]", True), ("(It ends!)", True),
        ("It *ends.*", True), ("会议三点开始。", True), ("هل انتهى؟", True), ("यह समाप्त हुआ।", True), ("ประชุมเริ่มบ่ายสาม", True),
        ("It does not", False), ("The following:", False), ("It goes on,", False), ("# A heading", True), ("- one\n- two", True),
        ("| a | b |\n|---|---|\n| 1 | 2 |", True), ("```\nx = 1\n```", True), ("> Quoted.", True), ("> Quoted", False),
    ],
)  # fmt: skip
def test_a_node_is_complete_where_its_block_or_sentence_is(text, complete):
    assert field("is_complete", text) == [complete]


def test_a_sentence_that_no_model_reads_whole_is_complete_in_none_of_its_parts():
    text = f"It {'goes on and ' * 400}ends. And this one is short."
    found = field("is_complete", text)
    assert len(found) > 2
    assert set(found[:-1]) == {False}
    assert found[-1] is True


def test_a_part_of_a_table_is_not_complete():
    rows = "\n".join(f"| {n} | value number {n} of the table |" for n in range(200))
    found = field("is_complete", f"| n | value |\n|---|---|\n{rows}\n\nText.")
    assert len(found) > 3
    assert set(found[:-1]) == {False}
    assert found[-1] is True


def test_a_node_that_begins_or_ends_inside_a_sentence_is_not_complete():
    made = passage("One is here. Two is there.")
    whole = nodes(made, 2)[0]
    cut = [replace(whole, start=4), replace(whole, end=whole.end - 3), whole]
    found = enrich.compute(made, cut, None, only("is_complete"), PATTERN)
    assert found == {"is_complete": [False, False, True]}


def unit(*rows: tuple[float, ...]) -> np.ndarray:
    vectors = np.array(rows, np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def coherence(text: str, vectors: np.ndarray | None):
    made = passage(text)
    return enrich.compute(made, nodes(made), vectors, only("coherence"), PATTERN)["coherence"]


def test_coherence_is_the_mean_cosine_with_the_neighbours():
    found = coherence("One. Two. Three.", unit((1, 0), (0, 1), (1, 1)))
    assert found == pytest.approx([0.0, np.sqrt(0.5) / 2, np.sqrt(0.5)], abs=1e-4)


def test_coherence_is_unknown_without_vectors_and_without_neighbours():
    assert coherence("One. Two.", None) == [None, None]
    assert coherence("One.", unit((1, 0))) == [None]


def test_a_vector_that_compares_with_nothing_is_nobodys_neighbour():
    vectors = np.array([[1, 0], [1, 0], [np.nan, 0], [0, 0], [0, 1]], np.float32)
    assert coherence("One. Two. Three. Four. Five.", vectors) == [1.0, 1.0, None, None, None]


@given(st.integers(2, 30), st.integers(0, 99))
def test_coherence_agrees_with_cosines_taken_one_by_one(count, seed):
    rows = np.random.default_rng(seed).standard_normal((count, 8))
    vectors = unit(*map(tuple, rows))
    cosines = [float(left @ right) for left, right in pairwise(vectors)]
    expected = [np.mean(cosines[max(0, n - 1) : n + 1]) for n in range(count)]
    assert coherence("One. " * count, vectors) == pytest.approx(expected, abs=1e-4)


def test_a_node_whose_sentences_do_not_fill_it_is_summed_up_all_the_same():
    made = passage("One is here. Two is there.")
    node = nodes(made, 2)[0]
    part = replace(node, start=node.start + 4, embedded=Span(node.start + 4, node.end))
    assert enrich.compute(made, [part], None, only("summary"), PATTERN)["summary"][0] in ("is here.", "Two is there.")


def test_sentences_are_hard_where_the_splitter_says_so():
    made = passage("One is here. Two is there.")
    first, second = made.sentences
    cut = Passage(made.document, (Sentence(first.start, first.end, first.block, hard=True), second))
    assert enrich.compute(cut, nodes(made), None, only("is_complete"), PATTERN) == {"is_complete": [False, False]}
