"""The context line says what was chosen of what is known, in one bounded line, and never touches a span."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import chunk, context, embed, read, split
from core.context.line import BETWEEN, LONGEST, one_line, shortened
from core.settings import ChunkSettings, ContextSettings
from core.store.base import Passage
from core.types import BlockKind, Document, Node, Span
from tests import texts

GUIDE = """\
# Pump guide

Read this first.

## Seals

They leak.

### Renewal

Every two years.

| part | life |
| --- | --- |
| seal | 2 years |
"""
BOTH = ContextSettings()


def passage(text: str, name: str = "guide.md") -> Passage:
    document = read.read(name, text.encode())
    return Passage(document, tuple(split.sentences(document)))


def told(text: str, settings: ContextSettings = BOTH, name: str = "guide.md", **metadata: object) -> dict[str, str]:
    """The line of each node by its text."""
    made = passage(text, name)
    nodes = chunk.nodes(made, ChunkSettings())
    lines = context.lines(nodes, context.title(made.document), metadata, settings)
    return {made.document.text[n.start : n.end]: line for n, line in zip(nodes, lines, strict=True)}


def node(*headings: str, kind: BlockKind = BlockKind.PARAGRAPH) -> Node:
    return Node(0, 0, 1, 0, 0, Span(0, 1), kind, headings=headings)


def line(node: Node, title: str = "", settings: ContextSettings = BOTH, **metadata: object) -> str:
    return context.lines([node], title, metadata, settings)[0]


# ── what it says ─────────────────────────────────────────────────────────────────────────────────


def test_a_line_is_the_title_and_the_headings_above_a_node_and_none_is_told_twice():
    assert told(GUIDE) == {
        "# Pump guide": "",
        "Read this first.": "Pump guide",
        "## Seals": "Pump guide",
        "They leak.": "Pump guide › Seals",
        "### Renewal": "Pump guide › Seals",
        "Every two years.": "Pump guide › Seals › Renewal",
        "| part | life |\n| --- | --- |\n| seal | 2 years |": "Pump guide › Seals › Renewal",
    }


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        (ContextSettings(headings=False), "Pump guide"),
        (ContextSettings(title=False), "Pump guide › Seals"),
        (ContextSettings(fields=("author",)), "Pump guide › Seals › author: Li"),
        (ContextSettings(False, False, ("year", "author")), "year: 2024, author: Li"),
        (ContextSettings(False, False, ("missing", "author")), "author: Li"),
        (ContextSettings(False, False, ("missing",)), ""),
    ],
)
def test_a_line_says_what_was_chosen_as_far_as_it_is_known(settings, wanted):
    assert told(GUIDE, settings, author="Li", year=2024)["They leak."] == wanted


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (datetime(2024, 3, 12), "2024-03-12"),
        (datetime(2024, 3, 12, 14, 30), "2024-03-12 14:30"),
        (("pumps", " oil\nand gas "), "pumps, oil and gas"),
        (True, "true"),
        (0, "0"),
        (2.5, "2.5"),
        (" a\n b ", "a b"),
    ],
)
def test_a_value_is_told_as_people_write_it(value, said):
    assert line(node(), settings=ContextSettings(False, False, ("f",)), f=value) == f"f: {said}"


@pytest.mark.parametrize("value", ["", " \n", "\u200b", (), ("", " "), "\x00"])
def test_a_value_that_says_nothing_is_left_out(value):
    assert line(node("H"), settings=ContextSettings(False, fields=("f",)), f=value) == "H"


@pytest.mark.parametrize(
    ("text", "name", "wanted"),
    [
        ("# One\n\nText.", "a/b.md", "One"),
        ("Text.\n\n## *Not* first\n\nMore.\n\n### Below", "a/b.md", "Not first"),
        ("# One\n\nText.\n\n# Two\n\nMore.", "manuals/pump.v2.md", "pump.v2"),
        ("Text alone.", "manuals/pump guide.txt", "pump guide"),
        ("Text alone.", ".notes", ".notes"),
    ],
)
def test_a_title_is_the_one_heading_of_the_first_level_or_the_name_of_the_file(text, name, wanted):
    made = read.read(name, text.encode()) if name != ".notes" else replace(texts.document(text), name=name)
    assert context.title(made).replace("*", "") == wanted


def test_a_first_heading_other_than_the_title_stays():
    assert line(node("A", "B"), "T") == "T › A › B"
    assert line(node("A", "A", "B"), "A") == "A › A › B"
    assert line(node("A", "", " \n", "B"), "T") == "T › A › B"


def test_a_heading_is_not_told_above_itself_even_where_it_is_the_title():
    heading = BlockKind.HEADING
    assert line(node("A", "B", kind=heading), "T") == "T › A"
    assert line(node("A", kind=heading), "A") == ""
    assert line(node("A", kind=heading), "A", ContextSettings(headings=False)) == ""
    assert line(node("A", "B", kind=heading), "A", ContextSettings(headings=False)) == "A"
    assert line(node(kind=heading), "T") == "T"


def test_an_edit_matters_only_if_it_changes_what_is_said():
    settings = ContextSettings(fields=("author", "tags"))
    before = {"author": "Li", "year": 2023, "tags": ("a", "b")}
    assert not context.changed(before, {**before, "year": 2024}, settings)
    assert not context.changed(before, {**before, "author": " Li "}, settings)
    assert context.changed(before, {**before, "author": "Ek"}, settings)
    assert context.changed(before, {"author": "Li"}, settings)
    assert not context.changed(before, {}, None)
    assert not context.changed(before, {}, ContextSettings(writer="m", base_url="http://h"))


# ── how long ─────────────────────────────────────────────────────────────────────────────────────


def test_a_long_part_is_shortened_so_that_the_others_keep_their_place():
    long = "word " * 100
    assert line(node("Seals"), long) == f"{' '.join(['word'] * 23)} … › Seals"
    said = line(node(*["heading " * 30] * 6), "Title", ContextSettings(fields=("year",)), year=2024)
    assert said.startswith("Title › heading heading")
    assert said.endswith(" … › year: 2024")
    assert said.count(BETWEEN) == 7
    said = line(node("Seals"), "Title", ContextSettings(fields=("a", "b", "c")), a=long, b=long, c="end")
    assert said.startswith("Title › Seals › a: word")
    assert said.endswith(" word …, c: end")


def test_no_line_takes_more_than_half_of_what_the_bundled_model_reads():
    scripts = ("The quarterly report on pumps, seals and valves. ", "会议三点开始请看材料", "Протокол заседания комиссии ",
               "مرحبا بالعالم كيف حالك ", "बैठक तीन बजे शुरू होगी ", "12.5-3/7;", "👩‍🔧🚀", "ﷺ", "Führungskräfteentwicklungs")  # fmt: skip
    settings = ContextSettings(fields=("a", "b"))
    lines = [
        line(node(*[script * 40] * 5), script * 30, settings, a=script * 50, b=(script,) * 50) for script in scripts
    ]
    assert max(embed.encoder().count_tokens(lines)) <= 128


@given(st.text(max_size=60), st.integers(30, 400))
def test_what_is_shortened_is_the_beginning(text, most):
    said, whole = shortened(one_line(text), most), one_line(text)
    assert said == whole or (said.endswith(" …") and whole.startswith(said[:-2].rstrip()))


# ── hostile words ────────────────────────────────────────────────────────────────────────────────

words = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=40),
    st.sampled_from(
        ["a\nb", "\r\n", "x\u2028y", "\u202eabc", "{title}", "\ud800", "a\x00b", " › ", "w" * 5000, "字" * 900]
    ),
)
values = st.one_of(
    words, st.integers(), st.floats(), st.booleans(), st.datetimes(), st.lists(words, max_size=5).map(tuple)
)
contexts = st.builds(
    ContextSettings, st.just(True), st.booleans(), st.lists(st.sampled_from("abc"), max_size=3).map(tuple)
)


@given(
    words,
    st.lists(words, max_size=5),
    st.dictionaries(st.sampled_from("abc"), values),
    contexts,
    st.sampled_from(BlockKind),
)
def test_a_line_is_one_bounded_line_and_always_the_same(title, headings, metadata, settings, kind):
    made = node(*headings, kind=kind)
    said = line(made, title, settings, **metadata)
    assert said == line(made, title, settings, **metadata)
    assert said == " ".join(said.split())
    assert len(said.splitlines()) <= 1
    assert len(said) <= LONGEST
    said.encode()
    assert not any(ord(c) < 32 or c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" for c in said)


@given(texts.hard, words, st.dictionaries(st.sampled_from("abc"), values), contexts, st.integers(1, 3))
def test_contextual_nodes_differ_in_their_line_alone_and_it_is_embedded_first(text, title, metadata, settings, size):
    document: Document = texts.document(text, "a.md")
    made = Passage(document, tuple(split.sentences(document)))
    plain = chunk.nodes(made, ChunkSettings(size))
    found = context.contextual(plain, title, metadata, settings)
    assert [replace(node, context="") for node in found] == plain
    assert [node.context for node in found] == context.lines(plain, title, metadata, settings)
    for before, after in zip(plain, found, strict=True):
        said = chunk.embedded_text(document, before)
        assert chunk.embedded_text(document, after) == (f"{after.context}\n{said}" if after.context else said)


def test_the_separator_is_the_one_between_list_items():
    assert BETWEEN == chunk.parts.BETWEEN
