"""A parsed PDF page as rows in reading order: liteparse tells the regions; what stands in them is put together here.

Its blocks' own text is not used: it is joined already, line ends and hyphens gone, and at times says a word twice.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from liteparse.types import AnnotationRect, LayoutBlock, LayoutCell, ParsedPage, TextItem

from core.read.pdf.pages import SLANTED, Cells, Page, Placed, Row

_BOLD = re.compile(r"bold|black|heavy|demi|[-_]medi(?:um)?\b|cmbx|sfbx", re.IGNORECASE)
_MONO = re.compile(
    r"courier|mono|nimbusmon|menlo|monaco|typewriter|fixed|andale|(consol|cmtt|sftt|sourcecode)", re.IGNORECASE
)
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_LEADERS = re.compile(r"(?:\. ?){5,}|…{2,}")
_BULLET = re.compile(r"[•◦▪▫■□●○‣⁃∙·➢➤►▶✓✔❖\uf000-\uf0ff\-–—*o]+")
_PROSE = 80  # characters that a table's cell seldom has
_BAND = 20.0  # points
_ASKEW, _ASLANT = 2.0, 10.0  # degrees from which a line leans; that a scan may lie askew
_MOST_REGIONS = 1_000_000  # of one view of a page
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


def turns(parsed: ParsedPage) -> Counter[int]:
    """How many letters of the page are upright once it is turned so many quarters clockwise; see ``Placed.turn``."""
    found: Counter[int] = Counter()
    for item in parsed.text_items:
        found[_turn(item)] += sum(map(str.isalnum, item.text))
    return +found


def page(views: Mapping[int, ParsedPage], plain: str) -> Page:
    """What stands on a page, in reading order; ``plain`` is the page's text as PDFium gives it.

    ``views`` are the page as it is shown (0), and turned by as many quarters as bring more of its text upright. The one
    with most text is laid out; text that is turned in it follows its own lines, and stands where its first one is.
    """
    shown = views[0]
    letters = turns(shown)
    main = max(views, key=lambda turn: (letters[turn], -turn))
    original = _Original(plain)
    rows, grids = _laid_out(views[main], original, 0)
    strays = [(row.y, [row]) for row in _slanted(shown, original, views)]
    for number, turn in enumerate(sorted(views.keys() - {main}), 1):
        lines, more = _laid_out(views[turn], original, number * _MOST_REGIONS)
        grids |= more
        strays += _aside(lines, (turn - main) % 4, views[turn])
    figures = (block.bbox for block in views[main].blocks or () if block.kind == "figure" and block.bbox is not None)
    return Page(
        shown.page_num,
        _finite(views[main].height),
        tuple(_woven(rows, strays)),
        grids,
        tuple(map(_rounded, figures)),
        width=_finite(views[main].width),
    )


def _aside(rows: Iterable[Row], turn: int, view: ParsedPage) -> Iterator[tuple[float, list[Row]]]:
    """The regions of a view turned by ``turn`` quarters more, and how far down each begins on the page."""
    for _, region in groupby(rows, lambda row: row.region):
        lines = [replace(row, turn=turn) for row in region]
        yield _top(lines, turn, view), lines


def _top(rows: Sequence[Row], turn: int, view: ParsedPage) -> float:
    """How far down these rows of a page turned by ``turn`` quarters begin on the page before it was turned."""
    if turn == 1:
        return _finite(view.width) - max(row.right for row in rows)
    return min(row.x for row in rows) if turn == 3 else _finite(view.height) - max(row.bottom for row in rows)


def _slanted(shown: ParsedPage, original: _Original, views: Iterable[int]) -> list[Row]:
    """Strings that are upright in none of the views, each a line of its own."""
    pieces = original.pieces(
        _piece(item) for item in shown.text_items if item.text.strip() and _turn(item) not in views
    )
    return [replace(_row([piece]), turn=SLANTED, region=-1) for piece in pieces]


def _laid_out(parsed: ParsedPage, original: _Original, first: int) -> tuple[list[Row], dict[int, Cells]]:
    """The upright rows of a page in reading order, and its tables; regions are numbered from ``first`` on."""
    regions = [
        block for block in parsed.blocks or () if block.bbox is not None and block.kind not in ("rule", "figure")
    ]
    boxes = [_box(block.bbox) for block in regions if block.bbox is not None]
    upright = [item for item in parsed.text_items if item.text.strip() and _turn(item) == 0]
    inside, outside = _assigned([_piece(item) for item in upright if not _leans(item)], boxes)
    cells = [_grid(region, pieces) for region, pieces in zip(regions, inside, strict=True)]
    _absorb(regions, boxes, cells, inside)
    cells = [original.cells(grid, pieces) for grid, pieces in zip(cells, inside, strict=True)]
    inside = [original.pieces(pieces) for pieces in inside]
    outside = original.pieces(outside)
    rows: list[Row] = []
    for number, (region, pieces) in enumerate(zip(regions, inside, strict=True)):
        columns = [pieces] if cells[number] else _columns(pieces)
        rows += [replace(row, region=first + number, hint=region.kind) for column in columns for row in _rows(column)]
    # The boxes of leaning lines overlap.
    leaning = original.pieces(_piece(item) for item in upright if _leans(item))
    alone = [*_rows(outside), *(_row([piece]) for piece in leaning)]
    strays = [(row.y, [replace(row, region=first + len(regions))]) for row in alone]
    return _woven(rows, strays), {first + number: grid for number, grid in enumerate(cells) if grid}


class _Original:
    """Gives dashes and quotation marks back, which liteparse writes as hyphens and straight quotes."""

    def __init__(self, plain: str) -> None:
        self._plain = plain if len(plain) < _MOST_SEARCHED else ""
        self._levelled = self._plain.translate(_LEVELLED)
        self._from: dict[str, int] = {}

    def pieces(self, pieces: Iterable[Placed]) -> list[Placed]:
        return [replace(piece, text=self._text(piece.text)) for piece in pieces]

    def cells(self, cells: Cells, pieces: Sequence[Placed]) -> Cells:
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


def _turn(item: TextItem) -> int:
    """See ``Placed.turn``."""
    quarters = round(_finite(item.rotation) / 90)
    return -quarters % 4 if abs(_finite(item.rotation) - 90 * quarters) <= _ASLANT else SLANTED


def _leans(item: TextItem) -> bool:
    return (_finite(item.rotation) + _ASKEW) % 90 > 2 * _ASKEW


def _piece(item: TextItem) -> Placed:
    x, y, font = _finite(item.x), _finite(item.y), item.font_name or ""
    text = item.text.translate(_BROKEN).strip()
    height = _finite(item.height) or 1.0
    return Placed(
        text,
        x,
        y,
        x + _finite(item.width),
        y + height,
        _finite(item.font_size) or height,
        bool(_BOLD.search(font)),
        _is_mono(font, _finite(item.width) / (len(text) or 1) / (_finite(item.font_size) or 1.0)),
    )


def _is_mono(font: str, width: float) -> bool:
    named = _MONO.search(font)
    return bool(named) and width >= (_NARROW if named and named.group(1) else _WIDE)


def _assigned(pieces: list[Placed], boxes: list[_Box]) -> tuple[list[list[Placed]], list[Placed]]:
    """The pieces of each box, by the smallest that holds a piece's middle; and those in none."""
    bands: dict[int, list[int]] = {}
    for number, box in enumerate(boxes):
        for band in range(int(box.top // _BAND), min(int(box.bottom // _BAND), int(box.top // _BAND) + 500) + 1):
            bands.setdefault(band, []).append(number)
    inside: list[list[Placed]] = [[] for _ in boxes]
    outside: list[Placed] = []
    for piece in pieces:
        x, y = piece.middle
        near = [number for number in bands.get(int(y // _BAND), ()) if boxes[number].holds(x, y)]
        if near:
            inside[min(near, key=lambda number: boxes[number].area)].append(piece)
        else:
            outside.append(piece)
    return inside, outside


def _absorb(regions: list[LayoutBlock], boxes: list[_Box], cells: list[Cells], inside: list[list[Placed]]) -> None:
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


def _rows(pieces: Iterable[Placed]) -> list[Row]:
    """The pieces line by line, from the top."""
    lines: list[list[Placed]] = []
    tallest: Placed | None = None
    for piece in sorted(pieces, key=lambda piece: (piece.y, piece.x)):
        if tallest is not None and _beside(tallest, piece):
            lines[-1].append(piece)
            tallest = max(tallest, piece, key=lambda each: each.bottom - each.y)
        else:
            lines.append([piece])
            tallest = piece
    return [_row(line) for line in lines]


def _beside(one: Placed, other: Placed) -> bool:
    shared = min(one.bottom, other.bottom) - max(one.y, other.y)
    return shared >= 0.45 * min(one.bottom - one.y, other.bottom - other.y)


def _row(line: list[Placed]) -> Row:
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


def _joined(line: Sequence[Placed], backwards: bool) -> str:
    parts = [line[0].text]
    for left, right in pairwise(line):
        gap = left.x - right.right if backwards else right.x - left.right
        parts += ["" if gap < 0.12 * min(left.size, right.size) else " ", right.text]
    return "".join(parts)


def _columns(pieces: list[Placed]) -> list[list[Placed]]:
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


def _grid(region: LayoutBlock, pieces: Sequence[Placed]) -> Cells:
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


def _woven(rows: list[Row], strays: list[tuple[float, list[Row]]]) -> list[Row]:
    """``rows`` with the lines that belong to no region, each below where it begins, put before the first that does further down."""
    if not strays:
        return rows
    tops: dict[int, float] = {}
    for row in rows:
        tops.setdefault(row.region, row.y)
    waiting = sorted(strays, key=lambda stray: stray[0], reverse=True)
    made: list[Row] = []
    seen = -1
    for row in rows:
        if row.region != seen:
            seen = row.region
            made += _taken(waiting, tops[seen])
        made.append(row)
    return [*made, *_taken(waiting, math.inf)]


def _taken(waiting: list[tuple[float, list[Row]]], top: float) -> Iterator[Row]:
    while waiting and waiting[-1][0] < top:
        yield from waiting.pop()[1]
