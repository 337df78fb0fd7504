"""Programs parsed by tree-sitter: which language it is, and where its definitions lie.

Each grammar is a package of its own; none is fetched when it is needed.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.errors import MissingExtra

if TYPE_CHECKING:
    from tree_sitter import Language, Parser, Tree
    from tree_sitter import Node as Syntax

_GRAMMARS: Mapping[str, tuple[str, str]] = {
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "java": ("tree_sitter_java", "language"),
    "go": ("tree_sitter_go", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "ruby": ("tree_sitter_ruby", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "bash": ("tree_sitter_bash", "language"),
}
_MEDIA_TYPES = {
    "text/x-python": "python", "text/javascript": "javascript", "text/typescript": "typescript", "text/x-java": "java",
    "text/x-go": "go", "text/x-rust": "rust", "text/x-c": "c", "text/x-csharp": "csharp", "text/x-ruby": "ruby",
    "text/x-php": "php", "text/x-sh": "bash",
}  # fmt: skip
# A header may be C or C++: the grammar of C++ reads both.
_SUFFIXES = {".tsx": "tsx", ".h": "cpp", **dict.fromkeys((".cc", ".cpp", ".cxx", ".hh", ".hpp"), "cpp")}
_ALIASES = {
    "py": "python", "python3": "python", "pycon": "", "js": "javascript", "jsx": "javascript", "mjs": "javascript",
    "node": "javascript", "ts": "typescript", "golang": "go", "rs": "rust", "c++": "cpp", "cxx": "cpp", "h": "cpp",
    "hpp": "cpp", "cs": "csharp", "c#": "csharp", "rb": "ruby", "sh": "bash", "shell": "bash", "zsh": "bash",
}  # fmt: skip
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*\{?\.?([^\s`{},]*)[^\n]*\n")
_DEFINED = re.compile(
    r"function|method|class|interface|struct|enum|impl_item|trait|module|namespace|constructor|record_declaration"
    r"|macro_definition|mod_item|type_(?:alias_)?declaration|type_item"
)
_VALUES = re.compile(r"arrow_function|function_expression|function$|class$")
_WRAPPERS = frozenset({"decorated_definition", "export_statement", "template_declaration"})
# Sound programs take 5 to 13 steps a kilobyte; without an end, 50 KB of signs can keep a parser busy for minutes.
_STEPS, _FREE_STEPS = 40, 400
_SECONDS, _PER_MEGABYTE = 10.0, 10.0
_SLICE = 1 << 16
_WHAT = "The strategy code needs tree-sitter and its grammars, and they are not installed."
_DO = "Install them: pip install 'chunkscope[code]', or choose another strategy."


@dataclass(frozen=True, slots=True)
class Item:
    """One statement or definition: where it lies, whether it defines something, and its syntax to look into."""

    start: int
    end: int
    defines: bool
    syntax: Syntax


class Program:
    """A text in one language, parsed. Offsets are code points."""

    def __init__(self, text: str, tree: Tree) -> None:
        self._characters = _characters(text)
        self._tree = tree

    def items(self) -> list[Item]:
        """What the program consists of at its top level."""
        return list(self._items(self._tree.root_node))

    def inside(self, item: Item) -> list[Item]:
        """What the body of a definition consists of; empty if it has none."""
        body = _body(item.syntax)
        return [] if body is None else list(self._items(body))

    def _items(self, parent: Syntax) -> Iterator[Item]:
        for child in parent.children:
            start, end = self._place(child.start_byte), self._place(child.end_byte)
            if start < end:
                yield Item(start, end, _defines(child), child)

    def _place(self, byte: int) -> int:
        return byte if self._characters is None else int(self._characters[byte])


def check_installed() -> None:
    """That programs can be parsed at all.

    Raises:
        MissingExtra: the packages are not installed.
    """
    if any(find_spec(module) is None for module in _modules()):
        raise MissingExtra(_WHAT, _DO)


def _modules() -> set[str]:
    return {"tree_sitter", *(module for module, _ in _GRAMMARS.values())}


def of_document(media_type: str, name: str) -> str:
    """The grammar for a program file; empty if none is known."""
    dot = name.rfind(".")
    found = _SUFFIXES.get(name[dot:].lower(), "") if dot >= 0 else ""
    return found if found and media_type.startswith("text/") else _MEDIA_TYPES.get(media_type, "")


def of_fence(block: str) -> tuple[str, int, int]:
    """The grammar that the fence of a code block names, and where the code inside it lies; empty if it names none."""
    fence = _FENCE.match(block)
    if fence is None:
        return "", 0, len(block)
    last = block.rfind("\n") + 1
    closed = last >= fence.end() and block[last:].strip().startswith(fence[1])
    named = fence[2].lower()
    named = _ALIASES.get(named, named)
    return (named if named in _GRAMMARS else ""), fence.end(), last if closed else len(block)


def parse(text: str, grammar: str) -> Program | None:
    """The program; None if the parser finds no end in what is no program.

    Raises:
        MissingExtra: the packages are not installed.
    """
    data = text.encode("utf-8", "surrogatepass")
    left = _FREE_STEPS + len(data) * _STEPS // 1024
    latest = time.monotonic() + _SECONDS + _PER_MEGABYTE * len(data) / 1_000_000

    def is_enough(*_: object) -> bool:
        nonlocal left
        left -= 1
        return left < 0 or time.monotonic() > latest

    try:
        tree = _parser(grammar).parse(lambda at, _: data[at : at + _SLICE], progress_callback=is_enough)
    except ValueError:
        return None
    return Program(text, tree)


def _parser(grammar: str) -> Parser:
    """A parser of its own each time: what one left unfinished must not go on in the next text."""
    from_module, function = _GRAMMARS[grammar]
    try:
        from tree_sitter import Parser

        return Parser(_language(from_module, function))
    except ImportError as error:
        raise MissingExtra(_WHAT, _DO) from error


@cache
def _language(module: str, function: str) -> Language:
    from tree_sitter import Language

    return Language(getattr(import_module(module), function)())


def _defines(syntax: Syntax) -> bool:
    inner = _unwrapped(syntax)
    if inner.type in ("lexical_declaration", "variable_declaration", "assignment"):
        values = [child.child_by_field_name("value") for child in inner.named_children]
        return any(value is not None and _VALUES.search(value.type) for value in values)
    if _DEFINED.search(inner.type) is None or "_use_" in inner.type:
        return False
    return "namespace" not in inner.type or inner.child_by_field_name("body") is not None


def _unwrapped(syntax: Syntax) -> Syntax:
    """The definition inside what exports, decorates or parametrises it."""
    while syntax.type in _WRAPPERS and syntax.named_children:
        syntax = syntax.named_children[-1]
    return syntax


def _body(syntax: Syntax) -> Syntax | None:
    inner = _unwrapped(syntax)
    if inner.type.startswith("preproc_if"):
        return inner
    if body := inner.child_by_field_name("body"):
        return body
    for child in inner.named_children:
        if child.type in ("declaration_list", "class_body", "field_declaration_list"):
            return child
        value = child.child_by_field_name("value")
        if value is not None and _VALUES.search(value.type):
            return value.child_by_field_name("body")
    return None


def _characters(text: str) -> NDArray[np.int64] | None:
    """How many characters begin before each byte of the text in UTF-8; None if they are the same."""
    if text.isascii():
        return None
    data = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
    begins = (data & 0xC0) != 0x80
    return np.concatenate([[0], np.cumsum(begins)])
