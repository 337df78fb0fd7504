"""Functions and classes as nodes; what is no code is cut as ``recursive`` does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.chunk import grammar, layout, parts, recursive
from core.chunk.grammar import Item, Program
from core.chunk.layout import Layout, Piece, Run, Stretch
from core.chunk.pack import Packing
from core.chunk.ruler import Powers
from core.settings import ChunkSettings
from core.store.base import Passage
from core.types import BlockKind, Node

_DEEPEST = 12  # bodies inside bodies


def nodes(passage: Passage, settings: ChunkSettings, powers: Powers | None = None) -> list[Node]:
    """A node for each function and class of a program, the statements between them put together.

    A comment goes with what it stands before. One of more than ``settings.size`` units is cut between the members of
    its body, each with a prefix that says what it belongs to; where there are none left, at blank lines and lines. One
    below ``settings.minimum`` is put together with its neighbour as far as both fit. Code blocks of other documents are
    cut like that where they are too large. Code in a language without a grammar, or that is no program, is cut at
    blank lines. What nodes share are whole lines.

    Raises:
        MissingExtra: tree-sitter is not installed.
        InvalidSetting: the unit is tokens, and ``powers`` is missing.
    """
    grammar.check_installed()
    laid = Layout(passage, settings, powers)
    return layout.nodes(laid, lambda run: _cut(laid, run))


def _cut(laid: Layout, run: Run) -> Iterator[Stretch]:
    if run.kind is not BlockKind.CODE:
        return recursive.cut(laid, run)
    start, end = laid.piece(run.low, run.high)
    if laid.is_program:
        document = laid.passage.document
        named, low, high = grammar.of_document(document.media_type, document.name), start, end
    elif laid.size(run.low, run.high) <= laid.settings.size:
        return iter((Stretch(((start, end),)),))
    else:
        named, low, high = grammar.of_fence(laid.text[start:end])
        low, high = start + low, start + high
    program = grammar.parse(laid.text[low:high], named) if named else None
    if program is None:
        return recursive.alone(laid, run)
    cutting = _Cutting(laid, program, low)
    cutting.cut(start, end, program.items(), "")
    return iter((Stretch(cutting.pieces, cutting.prefixes),))


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of a program that is not parted without need; ``items`` are what it holds."""

    start: int
    end: int
    defines: bool
    items: tuple[Item, ...]


class _Cutting:
    """A program being cut; ``low`` is where it begins in the document."""

    def __init__(self, laid: Layout, program: Program, low: int) -> None:
        self.pieces: list[Piece] = []
        self.prefixes: dict[int, str] = {}
        self._laid, self._program, self._low = laid, program, low

    def cut(self, start: int, end: int, items: Sequence[Item], prefix: str, depth: int = 0) -> None:
        """Cut ``text[start:end]``, which consists of ``items``."""
        for part in self._gathered(self._parts(start, end, items)):
            if self._fits(part.start, part.end):
                self._add([(part.start, part.end)], prefix)
            else:
                self._deeper(part, prefix, depth)

    def _deeper(self, part: _Part, prefix: str, depth: int) -> None:
        members = self._program.inside(part.items[0]) if len(part.items) == 1 and depth < _DEEPEST else []
        if not members:
            self._add(Packing(self._laid).code(part.start, part.end).pieces, prefix)
            return
        first = len(self.pieces)
        above = prefix + (self._named(part.items[0]) if part.defines else "")
        self.cut(part.start, part.end, members, above, depth + 1)
        # The first piece begins with the definition's own line.
        for start, _ in self.pieces[first : first + 1]:
            self.prefixes[start] = prefix

    def _add(self, pieces: Sequence[Piece], prefix: str) -> None:
        held = [(start, end) for start, end in pieces if self._laid.text[start:end].strip()]
        self.pieces += held
        if prefix:
            self.prefixes |= dict.fromkeys((start for start, _ in held), prefix)

    def _named(self, item: Item) -> str:
        """The line a definition begins with, as it stands before its members."""
        text = self._laid.text[item.start : item.end]
        lines = (line.strip() for line in text.split("\n", 40))
        named = next((line for line in lines if line and not line.startswith(("@", "#[", "[", "//", "/*", "*"))), "")
        return parts.named(named.rstrip(" {:"))

    def _fits(self, start: int, end: int) -> bool:
        end = start + len(self._laid.text[start:end].rstrip())
        return self._laid.ruler.size(start, end) <= self._laid.room

    def _parts(self, start: int, end: int, items: Sequence[Item]) -> Iterator[_Part]:
        """The text in parts of one item each, with the comments before it and what stands behind it on its line."""
        held: list[Item] = []
        begun = start
        moved = (replace(item, start=self._low + item.start, end=self._low + item.end) for item in items)
        for item in moved:
            if held and self._is_new(held, item):
                line = self._line(item.start, begun)
                yield self._part(begun, line, held)
                begun, held = line, []
            held.append(item)
        yield self._part(begun, end, held)

    def _part(self, start: int, end: int, held: Sequence[Item]) -> _Part:
        told = tuple(item for item in held if not (_is_comment(item) or self._is_mark(item)))
        return _Part(start, end, any(item.defines for item in held), told)

    def _is_new(self, held: Sequence[Item], item: Item) -> bool:
        """Whether an item does not belong to the ones before it: not on their line, no bracket, no comment before it."""
        text = self._laid.text
        if held[-1].end > item.start or self._is_mark(item) or all(self._is_mark(part) for part in held):
            return False
        between = text[held[-1].end - 1 : item.start].count("\n")
        commented = all(_is_comment(part) for part in held)
        return between > (1 if commented else 0)

    def _is_mark(self, item: Item) -> bool:
        return not any(
            character.isalnum() for character in self._laid.text[item.start : min(item.end, item.start + 40)]
        )

    def _line(self, at: int, low: int) -> int:
        """Where the line begins that ``at`` stands on."""
        return max(low, self._laid.text.rfind("\n", 0, at) + 1)

    def _gathered(self, parts: Iterator[_Part]) -> Iterator[_Part]:
        """Neighbours put together: statements, and what is too small, as far as they fit."""
        held: _Part | None = None
        for part in parts:
            if held is not None and self._belong(held, part):
                held = _Part(held.start, part.end, held.defines or part.defines, held.items + part.items)
                continue
            if held is not None:
                yield held
            held = part
        if held is not None:
            yield held

    def _belong(self, held: _Part, part: _Part) -> bool:
        least, size = self._laid.settings.minimum, self._laid.ruler.size
        small = size(held.start, held.end) < least or size(part.start, part.end) < least
        return (small or not (held.defines or part.defines)) and self._fits(held.start, part.end)


def _is_comment(item: Item) -> bool:
    return "comment" in item.syntax.type or item.syntax.type == "attribute_item"
