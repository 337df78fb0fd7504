"""Sections, as the headings of a document have them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from core.chunk import layout, recursive
from core.chunk.layout import Layout, Run, Stretch
from core.chunk.ruler import Powers
from core.settings import ChunkSettings
from core.store.base import Passage
from core.types import BlockKind, Node


@dataclass(frozen=True, slots=True)
class _Section:
    """Sentences ``low`` to ``high`` (half open) below the headings of ``path``; ``heading`` of them are headings."""

    low: int
    high: int
    path: tuple[str, ...]
    heading: int

    @property
    def is_bare(self) -> bool:
        return self.low + self.heading == self.high

    def joined(self, after: _Section) -> _Section:
        """Both as one, on the way to the first place where either has text."""
        heading = self.heading + (after.heading if self.is_bare else 0)
        return _Section(self.low, after.high, after.path if self.is_bare else self.path, heading)


def nodes(passage: Passage, settings: ChunkSettings, powers: Powers | None = None) -> list[Node]:
    """A node for each section: a heading with what stands below it, up to the next heading.

    A section of more than ``settings.size`` units is cut as ``recursive`` does, its heading with the first part; only
    its parts share an overlap. One below ``settings.minimum`` is put together with a neighbour under the same parent
    as far as both fit, and a heading that has only further headings below it with the first of them, if that is not
    cut for it. Tables and code blocks are nodes of their own.

    Raises:
        InvalidSetting: the unit is tokens, and ``powers`` is missing.
    """
    laid = Layout(passage, settings, powers)
    return layout.nodes(laid, lambda run: _cut(laid, run))


def _cut(laid: Layout, run: Run) -> Iterator[Stretch]:
    if not run.is_prose:
        yield from recursive.alone(laid, run)
        return
    for section in _gathered(laid, _attached(laid, _sections(laid, run))):
        yield recursive.packed(laid, section.low, section.high, section.heading)


def _sections(laid: Layout, run: Run) -> Iterator[_Section]:
    """The run's sections: each begins at a heading, or where the headings above change."""
    begun, path, heading = run.low, laid.block(run.low).headings, 0
    for first, after in pairwise([*laid.blocks_in(run.low, run.high), run.high]):
        block = laid.block(first)
        is_heading = block.kind is BlockKind.HEADING
        if first > begun and (is_heading or block.headings != path):
            yield _Section(begun, first, path, heading)
            begun, heading = first, 0
        path = block.headings
        if is_heading:
            heading = after - begun
    yield _Section(begun, run.high, path, heading)


def _attached(laid: Layout, sections: Iterator[_Section]) -> Iterator[_Section]:
    """Headings without text of their own go with the first section below them, unless it fits into a node without."""
    bare: _Section | None = None
    for section in sections:
        joined = section
        if bare is not None:
            below = section.path[: len(bare.path)] == bare.path and len(section.path) > len(bare.path)
            if below and _is_cut_no_more(laid, bare, section):
                joined = bare.joined(section)
            else:
                yield bare
        bare = joined if joined.is_bare else None
        if bare is None:
            yield joined
    if bare is not None:
        yield bare


def _is_cut_no_more(laid: Layout, bare: _Section, section: _Section) -> bool:
    """Whether a section is whole with the headings above it if it is whole without."""
    size = laid.settings.size
    return laid.size(bare.low, section.high) <= size or laid.size(section.low, section.high) > size


def _gathered(laid: Layout, sections: Iterator[_Section]) -> Iterator[_Section]:
    """Small sections put together with the next under the same parent, from the first on."""
    held: _Section | None = None
    for section in sections:
        if held is not None and _belong(laid, held, section):
            held = _Section(held.low, section.high, held.path, held.heading)
            continue
        if held is not None:
            yield held
        held = section
    if held is not None:
        yield held


def _belong(laid: Layout, held: _Section, section: _Section) -> bool:
    least = laid.settings.minimum
    small = laid.size(held.low, held.high) < least or laid.size(section.low, section.high) < least
    parent = held.path[:-1]
    related = section.path[: len(parent)] == parent and len(section.path) >= len(held.path)
    return small and related and laid.size(held.low, section.high) <= laid.settings.size
