"""Cells that span several columns or rows are laid out on a grid, so that every row can be read by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

# A longer text is not repeated in each row it spans.
_LONGEST_LABEL = 200
_MOST_CELLS = 100_000


@dataclass(frozen=True, slots=True)
class Cell:
    """Its paragraphs, and how many columns and rows it covers; ``rows`` 0: all that follow."""

    texts: Sequence[str] = field(default_factory=list)
    columns: int = 1
    rows: int = 1

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


def grid(rows: Sequence[Sequence[Cell]]) -> tuple[tuple[str, ...], ...]:
    """Rows of texts in which each text stands in its column.

    A cell across columns is followed by empty ones; a short text across rows is repeated in each. Spans that would
    make far more cells than there are count as 1.
    """
    budget = _MOST_CELLS + 10 * sum(map(len, rows))
    made: list[tuple[str, ...]] = []
    # Column → text and how many more rows it covers.
    above: dict[int, tuple[str, int]] = {}
    for number, row in enumerate(rows):
        line: dict[int, str] = {}
        below: dict[int, tuple[str, int]] = {}
        for column, (text, left) in above.items():
            line[column] = text
            if left > 1:
                below[column] = (text, left - 1)
        column = 0
        for cell in row:
            while column in line:
                column += 1
            columns, down = _spans(cell, len(rows) - number, budget)
            budget -= columns * down
            for offset in range(columns):
                line[column + offset] = cell.text if offset == 0 else ""
                if down > 1:
                    repeated = cell.text if offset == 0 and len(cell.text) <= _LONGEST_LABEL else ""
                    below[column + offset] = (repeated, down - 1)
            column += columns
        above = below
        made.append(tuple(line.get(column, "") for column in range(max(line, default=-1) + 1)))
    return tuple(made)


def _spans(cell: Cell, rows_left: int, budget: int) -> tuple[int, int]:
    columns = max(1, cell.columns)
    down = min(cell.rows or rows_left, rows_left)
    return (columns, down) if columns * down <= max(1, budget) else (1, 1)
