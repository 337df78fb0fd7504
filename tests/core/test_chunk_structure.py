"""Sections: headings stay with what they head, large ones are cut, small ones gathered under the same parent."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core import chunk
from core.types import BlockKind
from tests.core import chunk_made as made
from tests.core.chunk_made import Model, sized

TEXT = """\
Before any heading.

# Pumps

All about pumps.

## Seals

Seals wear out.

They leak.

## Oil

Oil it weekly.

# Valves

Valves shut.
"""


def said(text: str = TEXT, size: int = 300, overlap: int = 0, **more: int) -> list[str]:
    passage = made.passage(text, "a.md")
    return made.said(passage, chunk.nodes(passage, sized(size, overlap, "structure", **more)))


def test_a_section_is_a_node():
    assert said() == [
        "Before any heading.",
        "# Pumps\n\nAll about pumps.",
        "## Seals\n\nSeals wear out.\n\nThey leak.",
        "## Oil\n\nOil it weekly.",
        "# Valves\n\nValves shut.",
    ]


def test_small_sections_are_gathered_under_one_parent_and_not_beyond():
    assert said(minimum=35) == [
        "Before any heading.\n\n# Pumps\n\nAll about pumps.",
        "## Seals\n\nSeals wear out.\n\nThey leak.\n\n## Oil\n\nOil it weekly.",
        "# Valves\n\nValves shut.",
    ]
    assert said(minimum=300)[0].endswith("# Valves\n\nValves shut."), "all below one root, as far as they fit"


def test_gathered_sections_fit():
    assert said(size=50, minimum=50) == [
        "Before any heading.\n\n# Pumps\n\nAll about pumps.",
        "## Seals\n\nSeals wear out.\n\nThey leak.",
        "## Oil\n\nOil it weekly.",
        "# Valves\n\nValves shut.",
    ]


def test_a_heading_stays_with_the_first_part_of_a_section_that_is_cut():
    assert said(size=35) == [
        "Before any heading.",
        "# Pumps\n\nAll about pumps.",
        "## Seals\n\nSeals wear out.",
        "They leak.",
        "## Oil\n\nOil it weekly.",
        "# Valves\n\nValves shut.",
    ]


def test_a_long_paragraph_is_cut_so_that_its_heading_finds_room():
    text = "# Title\n\n" + "This sentence has six words. " * 5
    assert said(text, size=65)[0] == "# Title\n\nThis sentence has six words."
    assert said(text, size=67)[0] == "# Title\n\nThis sentence has six words. This sentence has six words."


def test_headings_without_text_go_with_the_section_below_them():
    text = "# Book\n\n## Part\n\n### Chapter\n\nAt last some text.\n\n## Next\n\nMore."
    assert said(text) == ["# Book\n\n## Part\n\n### Chapter\n\nAt last some text.", "## Next\n\nMore."]
    assert said(text, size=45)[:2] == ["# Book\n\n## Part", "### Chapter\n\nAt last some text."]
    assert said(text, size=30)[0] == "# Book\n\n## Part\n\n### Chapter"


def test_a_heading_with_nothing_below_it_is_a_node_of_its_own():
    assert said("# A\n\nText.\n\n# B\n\n# C\n\nMore.") == ["# A\n\nText.", "# B", "# C\n\nMore."]


def test_only_parts_of_one_section_share_an_overlap():
    text = "# A\n\nOne two three four five. Six seven eight nine ten.\n\n# B\n\nEleven twelve."
    assert said(text, size=41, overlap=11) == [
        "# A\n\nOne two three four five.", "four five. Six seven eight nine ten.", "# B\n\nEleven twelve.",
    ]  # fmt: skip


def test_a_table_in_a_section_is_a_node_with_the_headings_above_it():
    text = "# A\n\nBefore.\n\n| a |\n|---|\n| b |\n\nAfter.\n\n# B\n\nMore."
    passage = made.passage(text, "a.md")
    found = chunk.nodes(passage, sized(300, strategy="structure"))
    assert [(n.kind, n.headings) for n in found] == [
        (BlockKind.HEADING, ("A",)), (BlockKind.TABLE, ("A",)), (BlockKind.PARAGRAPH, ("A",)), (BlockKind.HEADING, ("B",)),
    ]  # fmt: skip


headed = st.lists(
    st.tuples(st.integers(1, 3), st.integers(0, 4)), min_size=1, max_size=8
).map(lambda parts: "\n\n".join(f"{'#' * level} Head\n\n{'Some text here. ' * count}" for level, count in parts))  # fmt: skip


@given(headed, st.integers(50, 200).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size))))
def test_no_node_ends_with_a_heading_that_has_text_below_it(text, numbers):
    passage = made.passage(text, "a.md")
    blocks, sentences = passage.document.blocks, passage.sentences
    for node in chunk.nodes(passage, sized(numbers[0], strategy="structure", minimum=numbers[1]), Model()):
        last = blocks[sentences[node.last_sentence].block]
        following = sentences[node.last_sentence + 1 : node.last_sentence + 2]
        if last.kind is BlockKind.HEADING and following and blocks[following[0].block].headings == last.headings:
            assert blocks[following[0].block].kind is BlockKind.HEADING


@given(headed, st.integers(20, 200))
def test_a_section_that_fits_is_not_cut(text, size):
    passage = made.passage(text, "a.md")
    found = chunk.nodes(passage, sized(size, strategy="structure"))
    heads = [b.start for b in passage.document.blocks if b.kind is BlockKind.HEADING]
    for start, end in zip(heads, [*heads[1:], len(text)], strict=True):
        section = text[start:end].strip()
        if len(section) <= size:
            assert any(n.start <= start and start + len(section) <= n.end for n in found)
