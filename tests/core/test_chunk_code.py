"""Functions and classes become nodes; what cannot be parsed, or not soon, is cut at blank lines."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st

from core import chunk, read, split
from core.chunk import grammar
from core.errors import MissingExtra
from core.settings import ChunkSettings
from core.store.base import Passage
from core.types import Node
from tests import texts
from tests.core import chunk_made as made
from tests.core.chunk_made import Model, sized

CORE = Path(__file__).parent.parent.parent / "core"


def program(source: str, name: str = "a.py") -> Passage:
    document = read.read(name, source.encode())
    return Passage(document, tuple(split.sentences(document)))


def cut(source: str, name: str = "a.py", size: int = 300, overlap: int = 0, **more: int) -> tuple[Passage, list[Node]]:
    passage = program(source, name)
    return passage, chunk.nodes(passage, sized(size, overlap, "code", **more))


def said(source: str, name: str = "a.py", size: int = 300, overlap: int = 0, **more: int) -> list[str]:
    return made.said(*cut(source, name, size, overlap, **more))


PYTHON = '''\
"""About it."""

import os
import re

# What it does.
@cached
def one(a):
    return a  # as it is


def two(b):
    return b


class Three:
    """A class."""

    kind = 1

    def four(self):
        return 4

    def five(self):
        return 5
'''


def test_functions_and_classes_are_nodes_with_their_comments_and_decorators():
    found = said(PYTHON)
    assert found[0] == '"""About it."""\n\nimport os\nimport re'
    assert found[1].startswith("# What it does.\n@cached\ndef one(a):")
    assert found[1].endswith("# as it is")
    assert found[2] == "def two(b):\n    return b"
    assert found[3].startswith("class Three:")
    assert found[3].endswith("return 5")
    assert len(found) == 4


def test_a_class_that_is_too_large_is_cut_between_its_members_each_told_where_it_belongs():
    passage, found = cut(PYTHON, size=80)
    assert [(passage.document.text[n.start : n.end].split("\n")[0], n.prefix) for n in found[-3:]] == [
        ("class Three:", ""), ("def four(self):", "class Three › "), ("def five(self):", "class Three › "),
    ]  # fmt: skip
    text = chunk.embedded_text(passage.document, found[-1])
    assert text == "class Three › def five(self):\n        return 5"
    assert chunk.around(passage, found[-1], 0, marks=False) == ("class Three › ", "")


def test_a_function_that_is_too_large_is_cut_between_its_statements():
    body = "\n".join(f"    step_{n} = call(\n        {n},\n    )" for n in range(12))
    found = said(f"def long():\n{body}\n", size=120)
    assert len(found) > 3
    assert all(part.count("(") == part.count(")") for part in found)


def test_small_definitions_are_put_together_as_far_as_they_fit():
    source = "\n\n\n".join(f"def f{n}():\n    return {n}" for n in range(6))
    assert len(said(source)) == 6
    assert [part.count("def ") for part in said(source, size=100, minimum=40)] == [4, 2]
    assert len(said(source, size=100, minimum=20)) == 6


def test_neighbours_share_whole_lines():
    source = "\n\n".join(f"def f{n}():\n    return {n}" for n in range(6))
    passage, found = cut(source, size=60, overlap=20)
    text = passage.document.text
    for left, right in pairwise(found):
        assert text[right.start : left.end] == text[left.end - len("return 0") : left.end]


LANGUAGES = {
    "a.js": ("import x from 'y';\nconst f = (a) => {\n  return a;\n};\n\nexport class A {\n  m() { return 1; }\n}\n", 3),
    "a.ts": ("interface I { a: number }\n\nfunction f(a: I): number {\n  return a.a;\n}\n", 2),
    "a.tsx": ("const A = () => <b>x</b>;\n\nfunction B() { return <A/>; }\n", 2),
    "a.java": ("package a;\nimport b.C;\n\nclass A {\n  int x;\n}\n\nenum B { X }\n", 3),
    "a.go": ("package a\n\nimport \"fmt\"\n\nfunc F() { fmt.Println() }\n\nfunc (p *P) G() int { return 1 }\n", 3),
    "a.rs": ("use std::io;\n\n#[derive(Debug)]\nstruct P;\n\nimpl P {\n    fn a(&self) {}\n}\n", 3),
    "a.c": ("#include <a.h>\n\nint f(int a) { return a; }\n\nstatic int g(void)\n{\n  return 1;\n}\n", 3),
    "a.cpp": ("namespace n {\nint f();\n}\n\ntemplate <class T> T g(T t) { return t; }\n", 2),
    "a.h": ("#ifndef A\n#define A\nint f(void);\n#endif\n", 1),
    "a.cs": ("using System;\n\nclass A { int F() { return 1; } }\n\nrecord B(int X);\n", 3),
    "a.rb": ("require 'x'\n\nmodule M\n  def a; 1; end\nend\n\ndef b\n  2\nend\n", 3),
    "a.php": ("<?php\nnamespace X;\nuse Y\\Z;\n\nclass A { function f() { return 1; } }\n\nfunction g() { return 2; }\n", 3),
    "a.sh": ("set -e\n\nf() {\n  echo 1\n}\n\nf\n", 3),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "source", "count"), [(n, *made_of) for n, made_of in LANGUAGES.items()], ids=LANGUAGES
)
def test_every_grammar_finds_the_definitions_of_its_language(name, source, count):
    assert len(said(source, name)) == count


def test_every_grammar_that_is_named_is_tried():
    tried_ones = {
        grammar.of_document(program(source, name).document.media_type, name) for name, (source, _) in LANGUAGES.items()
    }
    assert {*tried_ones, "python"} == set(grammar._GRAMMARS)


def test_a_language_without_a_grammar_is_cut_at_blank_lines():
    source = "\n\n".join(f"SELECT {n}\nFROM t;" for n in range(10))
    found = said(source, "a.sql", size=60)
    assert all(part.startswith("SELECT") and part.endswith("FROM t;") for part in found)
    assert "\n\n" in found[0]


def test_offsets_are_characters_in_any_script():
    source = "# 会议 👩‍🔧\ndef a():\n    return '系统'\n\n\ndef b():\n    return 'é😀'\n"
    assert said(source) == ["# 会议 👩‍🔧\ndef a():\n    return '系统'", "def b():\n    return 'é😀'"]


def test_a_code_block_is_whole_if_it_fits_and_else_cut_by_the_language_its_fence_names():
    functions = "\n\n".join(f"def f{n}():\n    return {n}" for n in range(8))
    passage = made.passage(f"Prose before it. And more.\n\n```python\n{functions}\n```\n\nAfter.", "a.md")
    assert len(chunk.nodes(passage, sized(500, strategy="code"))) == 3
    found = made.said(passage, chunk.nodes(passage, sized(60, strategy="code")))
    assert found[0] == "Prose before it. And more."
    assert found[1] == "```python\ndef f0():\n    return 0"
    assert found[2] == "def f1():\n    return 1"
    assert found[8].endswith("return 7\n```")


@pytest.mark.parametrize(
    ("block", "named", "code"),
    [
        ("```py\nx\n```", "python", "x\n"),
        ("~~~~ C++ title\nx\n~~~~", "cpp", "x\n"),
        ("```{.rust .numbered}\nx\n```", "rust", "x\n"),
        ("```\nx\n```", "", "x\n"),
        ("```mermaid\nx\n```", "", "x\n"),
        ("```js\nx", "javascript", "x"),
        ("    indented", "", "    indented"),
        ("``` x", "", "``` x"),
    ],
)
def test_a_fence_says_what_is_inside(block, named, code):
    found, start, end = grammar.of_fence(block)
    assert (found, block[start:end]) == (named, code)


def test_what_is_no_program_does_not_keep_the_parser_busy():
    """Fifty kilobytes of these took the parser of C++ three minutes."""
    source = "+-*/%" * 10_000
    assert grammar.parse(source, "cpp") is None
    found = said(source, "a.cpp", size=1000)
    assert sum(map(len, found)) == len(source)


def test_a_parser_that_stopped_begins_anew_with_the_next_program():
    assert grammar.parse("+-*/%" * 10_000, "cpp") is None
    parsed = grammar.parse("int f() { return 1; }\n\nint g() { return 2; }", "cpp")
    assert parsed is not None
    assert [item.defines for item in parsed.items()] == [True, True]


@pytest.mark.parametrize(
    "source", ["(" * 20_000, "namespace a {" * 5_000, "class A:\n" * 3_000, "x" * 100_000, "a=b;" * 30_000]
)
def test_endless_nesting_ends(source):
    for name in ("a.py", "a.cpp"):
        found = said(source, name, size=500)
        assert "".join("".join(part.split()) for part in found) == "".join(source.split())


@given(st.lists(st.sampled_from([
    "def f():\n", "    return 1\n", "class A:\n", "    def m(self):\n", "        pass\n", "# note\n", "\n", "x = 1\n", "@d\n", ")\n", "'''\n", "é = '👩‍🔧'\n",
    "if x:\n", "  y\n", "\t\n", "}{", " ",
]), max_size=30).map("".join), st.integers(5, 120), st.integers(0, 60), st.sampled_from(["a.py", "a.js", "a.rb", "a.go"]))  # fmt: skip
@tried(max_examples=150)
def test_programs_in_any_state_are_cut_without_loss(source, size, least, name):
    if not source.strip():
        return
    passage, found = cut(source, name, size, minimum=min(least, size))
    texts.assert_tiles(passage.document.text, found)
    assert all(n.end - n.start <= size or n.end - n.start <= 5 for n in found)


@pytest.mark.parametrize("path", sorted(CORE.glob("chunk/*.py")), ids=lambda path: path.name)
def test_our_own_programs_are_cut_without_loss(path):
    for chosen in (sized(150, 0, "code", "tokens", minimum=20), sized(1200, 0, "code")):
        passage = program(path.read_text(encoding="utf-8"), path.name)
        texts.assert_tiles(passage.document.text, chunk.nodes(passage, chosen, Model()))


def test_without_tree_sitter_the_strategy_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "tree_sitter_rust", None)
    grammar._language.cache_clear()
    with pytest.raises(MissingExtra, match=r"pip install 'chunkscope\[code\]'"):
        chunk.nodes(made.passage("No code at all."), sized(100, strategy="code"))
    assert chunk.nodes(made.passage("No code at all."), ChunkSettings())
