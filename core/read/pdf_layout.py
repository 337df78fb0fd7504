"""A parsed PDF page as rows in reading order: liteparse tells the regions; what stands in them is put together here.

Its blocks' own text is not used: it is joined already, line ends and hyphens gone, and at times says a word twice.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from liteparse.types import AnnotationRect, LayoutBlock, LayoutCell, ParsedPage, TextItem

from core.read.pages import Cells, Page, Row

_BOLD = re.compile(r"bold|black|heavy|demi|[-_]medi(?:um)?\b|cmbx|sfbx", re.IGNORECASE)
_MONO = re.compile(
    r"courier|mono|nimbusmon|menlo|monaco|typewriter|fixed|andale|(consol|cmtt|sftt|sourcecode)", re.IGNORECASE
)
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_LEADERS = re.compile(r"(?:\. ?){5,}|…{2,}")
_BULLET = re.compile(r"[•◦▪▫■□●○‣⁃∙·➢➤►▶✓✔❖\uf000-\uf0ff\-–—*o]+")
_PROSE = 80  # characters that a table's cell seldom has
_BAND = 20.0  # points
_MOST_SEARCHED = 200_000  # characters of one page
# How wide a letter of a fixed-width font is at least, of its size; a string of several fonts bears the name of its first.
_WIDE, _NARROW = 0.57, 0.49


# What liteparse makes one of; PDFium writes a hyphen that it takes for a broken word's as U+0002 or U+FFFE.
_LEVEL = re.compile("[-'\"]")
_BROKEN = {0x02: "-", 0xFFFE: "-"}
_LEVELLED = {
    **_BROKEN,
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
    **dict.fromkeys(map(ord, "‘’‚‛"), "'"),
    **dict.fromkeys(map(ord, "“”„‟"), '"'),
    **dict.fromkeys(
        map(ord, "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000"), " "
    ),
}


@dataclass(frozen=True, slots=True)
class _Piece:
    """A string on the page with its box."""

    text: str
    x: float
    y: float
    right: float
    bottom: float
    size: float
    bold: bool
    mono: bool
    turned: bool

    @property
    def middle(self) -> tuple[float, float]:
        return (self.x + self.right) / 2, (self.y + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)

    def holds(self, x: float, y: float) -> bool:
        return self.left - 1 <= x <= self.right + 1 and self.top - 1 <= y <= self.bottom + 1


def page(parsed: ParsedPage, plain: str) -> Page:
    """What stands on ``parsed``, in reading order; ``plain`` is the page's text as PDFium gives it."""
    blocks = [block for block in parsed.blocks or () if block.bbox is not None]
    regions = [block for block in blocks if block.kind not in ("rule", "figure")]
    boxes = [_box(block.bbox) for block in regions if block.bbox is not None]
    inside, outside = _assigned([_piece(item) for item in parsed.text_items if item.text.strip()], boxes)
    cells = [_grid(region, pieces) for region, pieces in zip(regions, inside, strict=True)]
    _absorb(regions, boxes, cells, inside)
    original = _Original(plain)
    cells = [original.cells(grid, pieces) for grid, pieces in zip(cells, inside, strict=True)]
    inside = [original.pieces(pieces) for pieces in inside]
    outside = original.pieces(outside)
    rows: list[Row] = []
    for number, (region, pieces) in enumerate(zip(regions, inside, strict=True)):
        columns = [pieces] if cells[number] else _columns(pieces)
        rows += [replace(row, region=number, hint=region.kind) for column in columns for row in _rows(column)]
    turned = [row for piece in outside if piece.turned for row in _rows([piece])]
    strays = [*_rows(piece for piece in outside if not piece.turned), *(replace(row, hint="turned") for row in turned)]
    rows = _woven(rows, [replace(row, region=len(regions)) for row in sorted(strays, key=lambda row: row.y)])
    pictures = tuple(_rounded(block.bbox) for block in blocks if block.kind == "figure" and block.bbox is not None)
    grids = {number: grid for number, grid in enumerate(cells) if grid}
    return Page(parsed.page_num, _finite(parsed.height), tuple(rows), grids, pictures)


class _Original:
    """Gives dashes and quotation marks back, which liteparse writes as hyphens and straight quotes."""

    def __init__(self, plain: str) -> None:
        self._plain = plain if len(plain) < _MOST_SEARCHED else ""
        self._levelled = self._plain.translate(_LEVELLED)
        self._from: dict[str, int] = {}

    def pieces(self, pieces: Iterable[_Piece]) -> list[_Piece]:
        return [replace(piece, text=self._text(piece.text)) for piece in pieces]

    def cells(self, cells: Cells, pieces: Sequence[_Piece]) -> Cells:
        changed = {piece.text: self._text(piece.text) for piece in pieces} if cells else {}
        changed = {levelled: text for levelled, text in changed.items() if levelled != text}
        self._from.clear()

        def given_back(cell: str) -> str:
            for levelled, text in changed.items():
                cell = cell.replace(levelled, text)
            return cell

        return tuple(tuple(given_back(cell) for cell in row) for row in cells)

    def _text(self, text: str) -> str:
        """What the page says where ``text`` stands; of several places, the next one that was not asked for."""
        if len(text) < 3 or not _LEVEL.search(text):
            return text
        at = self._levelled.find(text, self._from.get(text, 0))
        if at < 0:
            return text
        self._from[text] = at + len(text)
        return self._plain[at : at + len(text)].translate(_BROKEN)


def _finite(value: float | None) -> float:
    return value if value is not None and math.isfinite(value) and abs(value) < 1e7 else 0.0


def _box(rect: AnnotationRect) -> _Box:
    x, y = _finite(rect.x), _finite(rect.y)
    return _Box(x, y, x + _finite(rect.width), y + _finite(rect.height))


def _rounded(rect: AnnotationRect) -> tuple[int, int, int, int]:
    box = _box(rect)
    return round(box.left), round(box.top), round(box.right), round(box.bottom)


def _piece(item: TextItem) -> _Piece:
    x, y, font = _finite(item.x), _finite(item.y), item.font_name or ""
    text = item.text.translate(_BROKEN).strip()
    turned = min(item.rotation % 90, -item.rotation % 90) > 2 or 45 < item.rotation % 360 < 315
    height = _finite(item.height) or 1.0
    return _Piece(
        text,
        x,
        y,
        x + _finite(item.width),
        y + height,
        _finite(item.font_size) or height,
        bool(_BOLD.search(font)),
        _is_mono(font, _finite(item.width) / (len(text) or 1) / (_finite(item.font_size) or 1.0)),
        turned,
    )


def _is_mono(font: str, width: float) -> bool:
    named = _MONO.search(font)
    return bool(named) and width >= (_NARROW if named and named.group(1) else _WIDE)


def _assigned(pieces: list[_Piece], boxes: list[_Box]) -> tuple[list[list[_Piece]], list[_Piece]]:
    """The pieces of each box, by the smallest that holds a piece's middle; and those in none."""
    bands: dict[int, list[int]] = {}
    for number, box in enumerate(boxes):
        for band in range(int(box.top // _BAND), min(int(box.bottom // _BAND), int(box.top // _BAND) + 500) + 1):
            bands.setdefault(band, []).append(number)
    inside: list[list[_Piece]] = [[] for _ in boxes]
    outside: list[_Piece] = []
    for piece in pieces:
        x, y = piece.middle
        near = [number for number in bands.get(int(y // _BAND), ()) if boxes[number].holds(x, y)]
        if near and not piece.turned:
            inside[min(near, key=lambda number: boxes[number].area)].append(piece)
        else:
            outside.append(piece)
    return inside, outside


def _absorb(regions: list[LayoutBlock], boxes: list[_Box], cells: list[Cells], inside: list[list[_Piece]]) -> None:
    """Give what stands within a table that is none to it, so that its lines come in order."""
    false = [number for number, region in enumerate(regions) if region.kind == "table" and not cells[number]]
    for number, box in enumerate(boxes):
        x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        whole = next(
            (one for one in false if one != number and boxes[one].holds(x, y) and boxes[one].area > box.area), None
        )
        if whole is not None and not cells[number]:
            inside[whole] += inside[number]
            inside[number] = []


def _rows(pieces: Iterable[_Piece]) -> list[Row]:
    """The pieces line by line, from the top."""
    lines: list[list[_Piece]] = []
    tallest: _Piece | None = None
    for piece in sorted(pieces, key=lambda piece: (piece.y, piece.x)):
        if tallest is not None and _beside(tallest, piece):
            lines[-1].append(piece)
            tallest = max(tallest, piece, key=lambda each: each.bottom - each.y)
        else:
            lines.append([piece])
            tallest = piece
    return [_row(line) for line in lines]


def _beside(one: _Piece, other: _Piece) -> bool:
    shared = min(one.bottom, other.bottom) - max(one.y, other.y)
    return shared >= 0.45 * min(one.bottom - one.y, other.bottom - other.y)


def _row(line: list[_Piece]) -> Row:
    backwards = 2 * sum(len(_RTL.findall(piece.text)) for piece in line) > sum(len(piece.text) for piece in line)
    line = sorted(line, key=lambda piece: piece.x, reverse=backwards)
    line = line[:1] + [
        piece for last, piece in pairwise(line) if (piece.text, round(piece.x)) != (last.text, round(last.x))
    ]
    weights: Counter[float] = Counter()
    for piece in line:
        weights[piece.size] += len(piece.text)
    length = sum(weights.values())
    return Row(
        _joined(line, backwards),
        min(piece.x for piece in line),
        min(piece.y for piece in line),
        max(piece.right for piece in line),
        max(piece.bottom for piece in line),
        weights.most_common(1)[0][0],
        sum(len(piece.text) for piece in line if piece.bold) >= 0.9 * length,
        sum(len(piece.text) for piece in line if piece.mono) >= 0.9 * length,
        pieces=tuple((piece.x, piece.text) for piece in line),
    )


def _joined(line: Sequence[_Piece], backwards: bool) -> str:
    parts = [line[0].text]
    for left, right in pairwise(line):
        gap = left.x - right.right if backwards else right.x - left.right
        parts += ["" if gap < 0.12 * min(left.size, right.size) else " ", right.text]
    return "".join(parts)


def _columns(pieces: list[_Piece]) -> list[list[_Piece]]:
    """The pieces of a region that is no table after all, split at a gutter between two columns of prose, if there is one."""
    if all(piece.mono for piece in pieces):
        return [pieces] if pieces else []
    by_left = sorted(pieces, key=lambda piece: piece.x)
    reach, best = by_left[0].right, (0.0, 0)
    for at, piece in enumerate(by_left[1:], 1):
        best = max(best, (piece.x - reach, at))
        reach = max(reach, piece.right)
    gap, at = best
    left, right = by_left[:at], by_left[at:]
    if gap < 8 or not all(len(side) > 2 and sum(len(p.text) for p in side) / len(side) > 20 for side in (left, right)):
        return [pieces]
    return [left, *_columns(right)]


def _grid(region: LayoutBlock, pieces: Sequence[_Piece]) -> Cells:
    """The cells of a real table that holds just what stands there, or nothing."""
    if region.kind != "table":
        return ()
    rows = [row for row in ([region.header] if region.header else []) + (region.rows or []) if row]
    cells = tuple(tuple(" ".join(cell.text.split()) for cell in row) for row in rows)
    if Counter("".join("".join(row) for row in cells).replace(" ", "")) != Counter(
        "".join("".join(piece.text.split()) for piece in pieces)
    ):
        return ()
    code = sum(piece.mono for piece in pieces) > 0.9 * len(pieces)
    return cells if not code and _is_table(cells) and not any(_overlap(row) for row in rows) else ()


def _is_table(cells: Cells) -> bool:
    filled = [cell for row in cells for cell in row if cell]
    width = max((len(row) for row in cells), default=0)
    if len(cells) < 2 or width < 2 or len(filled) < 0.4 * len(cells) * width:
        return False
    if sum(1 for row in cells if sum(map(bool, row)) > 1) < 2:
        return False
    if any(_BULLET.fullmatch(cell.replace(" ", "")) and cell not in "-–—o*" for cell in filled) or any(
        _LEADERS.search(cell) for cell in filled
    ):
        return False
    if sum(map(len, filled)) / len(filled) > _PROSE:
        return False
    return not any(_runs_on([row[at] for row in cells if at < len(row) and row[at]]) for at in range(width))


def _runs_on(column: list[str]) -> bool:
    """Whether the cells below one another are the lines of one text: most go on in the middle of a sentence."""
    long = [cell for cell in column if len(cell) > 20]
    return len(long) >= 4 and sum(cell[0].islower() for cell in long) > 0.5 * len(column)


def _overlap(row: Sequence[LayoutCell]) -> bool:
    """Whether cells of one row stand above one another, or in no place: lines that belong to no common row."""
    spans = sorted((cell.bbox.x, cell.bbox.x + cell.bbox.width) for cell in row if cell.bbox is not None and cell.text)
    return any(left == right for left, right in spans) or any(b[0] < a[1] - 3 for a, b in pairwise(spans))


def _woven(rows: list[Row], strays: list[Row]) -> list[Row]:
    """``rows`` with the lines that belong to no region put before the first region that begins further down."""
    if not strays:
        return rows
    tops: dict[int, float] = {}
    for row in rows:
        tops.setdefault(row.region, row.y)
    waiting = list(reversed(strays))
    made: list[Row] = []
    seen = -1
    for row in rows:
        if row.region != seen:
            seen = row.region
            made += _taken(waiting, tops[seen])
        made.append(row)
    return made + waiting[::-1]


def _taken(waiting: list[Row], top: float) -> Iterator[Row]:
    while waiting and waiting[-1].y < top:
        yield waiting.pop()
