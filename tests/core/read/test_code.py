"""Program text is kept whole; its blocks are definitions."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core import read
from core.read import code
from tests import texts

BODY = "    value = value + 1  # one step\n" * 30


def parts(text: str) -> list[str]:
    return [text[block.start : block.end] for block in code.blocks(text)]


def test_a_definition_stays_whole_and_small_neighbours_go_together():
    first = f"def first(value):\n{BODY}\n\n    return value"
    second = f"def second(value):\n\n{BODY}    return value"
    text = f"import this\n\nNUMBER = 3\n\n\n{first}\n\n\n{second}\n"
    assert parts(text) == [f"import this\n\nNUMBER = 3\n\n\n{first}", second]


def test_a_comment_stays_with_what_follows_it():
    filler = f"void first() {{\n{BODY}{BODY}}}"
    for comment in (
        "// about second",
        "/* about\n\n second */",
        "# about",
        "-- about",
        '"""About.\n\nIt.\n"""',
        '"""About.\n\nIt.\n\n"""',
        "/*\n\nabout\n\n*/",
    ):
        text = f"{filler}\n\n{comment}\n\nvoid second() {{\n{BODY}{BODY}}}\n"
        assert parts(text) == [filler, text.split(filler)[1].strip()]


def test_what_closes_at_the_margin_belongs_to_what_it_closes():
    text = f"function f() {{\n{BODY}{BODY}\n}}\n\nfunction g() {{\n{BODY}{BODY}\n}}"
    assert parts(text) == [*text.split("\n\nfunction g")[:1], "function g" + text.split("\n\nfunction g")[1]]
    branch = f"if x:\n{BODY}\n\nelse:\n    pass"
    assert parts(branch) == [branch]


def test_data_without_blank_lines_is_cut_at_line_ends():
    text = "<all>\n" + "  <one>text</one>\n" * 5_000 + "</all>\n"
    found = parts(text)
    assert max(map(len, found)) <= 1_500
    assert "\n".join(found) == text.strip()


def test_the_source_is_the_text_line_ends_apart():
    source = "\n\n\tint a;\r\n\r\n// ﬁ é\r\nint b;\r\n"
    made = read.content("a.c", source.encode())
    assert made.text.replace("fi", "ﬁ") == source.replace("\r\n", "\n")
    assert made.blocks[0].start == 2


def test_our_own_sources_are_tiled():
    for path in Path(code.__file__).parent.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        texts.assert_tiles(text, list(code.blocks(text)), stripped=False)


@pytest.mark.parametrize(
    "text",
    [
        "\n \n" * 200_000 + "x",
        "x" + "\n    " * 200_000 + "y",
        "# c\n\n" * 100_000,
        "/*\n\n" * 100_000,
        '"""a\n\n' * 100_000,
    ],
)
def test_no_source_takes_long(text):
    start = time.monotonic()
    texts.assert_tiles(text, list(code.blocks(text)), stripped=False)
    assert time.monotonic() - start < 20


LINES = st.sampled_from(
    [
        "def f():",
        "    x = 1",
        "",
        " ",
        "\t",
        "}",
        "else:",
        "# c",
        "/*",
        "*/",
        '"""',
        "@d",
        "x\x0c",
        "\x0b",
        "\u2028y",
        "'''",
        "<!--",
        "-->",
    ]
)


@given(st.one_of(st.lists(LINES, max_size=30).map("\n".join), texts.noise))
@example("/*")
@example('"""\n\n"""')
@example("\n\n  \x0b")
def test_blocks_tile_any_text(text):
    texts.assert_tiles(text, list(code.blocks(text)), stripped=False)
