"""What stands on a page before it is text: lines with their places, and which of them are running headers and footers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from statistics import median

_EDGE = 4  # lines from the top or bottom of a page that can be a header or footer
_MARGIN = 0.07  # of the page's height: no body begins so high
_SAME = 6.0  # points by which a header may move from page to page
_BIN = 3.0  # points
_NUMBER = re.compile(r"\d+|\b(?=[ivxlcdm]+\b)m{0,3}(?:c[md]|d?c{0,3})(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})\b")
_WORD = re.compile(r"[^\W\d_]")
_PAGE = re.compile(
    r"\b(?:page|pages|p|pp|pg|seite|s|página|pagina|pág|pag|strona|strana|str|стр|страница|сторінка|sida|side|sivu)\b|[页頁쪽]|ページ"
)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


SLANTED = 4


@dataclass(frozen=True, slots=True)
class Placed:
    """A string on a page: its box in points from the top left, and how it is set.

    ``turn`` tells how to turn the page, as most of it is read, until the string is upright: by so many quarters
    clockwise, and the box is that on the page turned so; or ``SLANTED``.
    """

    text: str
    x: float
    y: float
    right: float
    bottom: float
    size: float
    bold: bool = False
    mono: bool = False
    turn: int = 0

    @property
    def height(self) -> float:
        return self.bottom - self.y

    @property
    def middle(self) -> tuple[float, float]:
        return (self.x + self.right) / 2, (self.y + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Row(Placed):
    """One line of a page's text.

    ``region`` numbers the part of the page that it belongs to, ``hint`` says what the layout took that for.
    ``pieces`` are the strings that stand apart in it, each with its left edge.
    """

    region: int = 0
    hint: str = ""
    pieces: tuple[tuple[float, str], ...] = ()


Cells = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A page's rows in reading order; ``grids`` are the tables among its regions, ``pictures`` the boxes of its figures.

    ``height`` and ``width`` are those of the page as most of its text is read.
    """

    number: int
    height: float
    rows: tuple[Row, ...] = ()
    grids: dict[int, Cells] = field(default_factory=dict)
    pictures: tuple[tuple[int, int, int, int], ...] = ()
    plain: bool = False
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class _Line:
    """All rows at one height of a page, near its top or its bottom."""

    page: int
    text: str
    distance: float  # from that edge of the page
    height: float
    apart: float  # from the next line towards the middle
    size: float
    deep: float  # distance as a share of the page's height
    rows: tuple[Row, ...]


def without_running(pages: Sequence[Page]) -> tuple[list[Page], Counter[str]]:
    """The pages without running headers and footers, and how many lines of each were left out.

    Such a line stands at the same place near an edge of at least three pages, or of half of them and two, and says the
    same but for a number that counts the pages. Where nothing but such lines stands on the pages, they are the text.
    """
    total = sum(1 for page in pages if page.rows)
    body = median([row.size for page in pages for row in page.rows] or [0.0])
    views = [view for page in pages for view in _views(page)]
    lines = [_lines(view) for view in views]
    headers, footers = (
        _running(
            [_at(*both, top=top) for both in zip(views, lines, strict=True)], _crowd(views, lines, top), total, body
        )
        for top in (True, False)
    )
    spared = _all_running(pages, headers + footers)
    headers, footers = ([line for line in found if line.page not in spared] for found in (headers, footers))
    dropped = {id(row) for line in headers + footers for row in line.rows}
    kept = [replace(page, rows=tuple(row for row in page.rows if id(row) not in dropped)) for page in pages]
    return kept, +Counter(headers=len(headers), footers=len(footers))


def _views(page: Page) -> Iterator[Page]:
    """The page once for each way that text on it is turned: a header stands above upright text, whatever lies below."""
    yield replace(page, rows=tuple(row for row in page.rows if not row.turn))
    for turn in sorted({row.turn for row in page.rows} - {0, SLANTED}):
        height = page.width if turn % 2 else page.height
        yield replace(page, height=height, rows=tuple(row for row in page.rows if row.turn == turn))


def _lines(page: Page) -> list[list[Row]]:
    """The rows by height, whatever column they stand in; rows of real tables are no lines of their own."""
    tables = {number for number, cells in page.grids.items() if len(cells) > 2}
    lines: list[list[Row]] = []
    for row in sorted((row for row in page.rows if row.region not in tables), key=lambda row: (row.y, row.x)):
        if lines and (row.y + row.bottom) / 2 < max(other.bottom for other in lines[-1][:8]):
            lines[-1].append(row)
        else:
            lines.append([row])
    return lines


def _at(page: Page, lines: list[list[Row]], *, top: bool) -> list[_Line]:
    """The outermost lines of one edge, from the edge inwards; those of a short page count for the nearer edge."""
    middle = page.height / 2
    near = [line for line in (lines if top else lines[::-1]) if (line[0].y < middle) == top][:_EDGE]
    made: list[_Line] = []
    for line in near:
        y, bottom = min(row.y for row in line), max(row.bottom for row in line)
        distance = y if top else page.height - bottom
        made.append(
            _Line(
                page.number,
                " ".join(" ".join(row.text for row in sorted(line, key=lambda row: row.x)).split()).casefold(),
                distance,
                bottom - y,
                _apart(lines, line, top),
                max(row.size for row in line),
                distance / (page.height or 1.0),
                tuple(line),
            )
        )
    return made


def _apart(lines: list[list[Row]], line: list[Row], top: bool) -> float:
    at = next(number for number, other in enumerate(lines) if other is line)
    if top:
        return lines[at + 1][0].y - line[0].bottom if at + 1 < len(lines) else float("inf")
    return line[0].y - lines[at - 1][0].bottom if at else float("inf")


def _crowd(pages: Sequence[Page], lines: list[list[list[Row]]], top: bool) -> Counter[int]:
    """How many lines stand at each distance from one edge of the pages."""
    crowd: Counter[int] = Counter()
    for page, own in zip(pages, lines, strict=True):
        for line in own:
            middle = (line[0].y + line[0].bottom) / 2
            crowd[_bin(middle if top else page.height - middle)] += 1
    return crowd


def _running(edges: list[list[_Line]], crowd: Counter[int], total: int, body: float) -> list[_Line]:
    """The lines at one edge of the pages that run through them."""
    groups: dict[tuple[object, ...], list[_Line]] = {}
    for line in (line for own in edges for line in own):
        for signature in _signatures(line, body):
            groups.setdefault(signature, []).append(line)
    accepted: dict[int, _Line] = {}
    for group in groups.values():
        usual = median(line.distance for line in group)
        steady = [line for line in group if abs(line.distance - usual) <= _SAME]
        if _repeats(steady, total, body):
            accepted |= {id(line): line for line in steady}
    accepted |= _same_shape(accepted.values(), edges)
    accepted = _reserved(accepted, crowd)
    return [line for own in edges for line in _from_the_edge(own, accepted)]


def _signatures(line: _Line, body: float) -> Iterator[tuple[object, ...]]:
    """What a running line shares with its like: its text; or its words, and numbers of which one counts the pages."""
    skeleton = _NUMBER.sub("#", line.text)
    if any(character.isalpha() for character in skeleton):
        yield ("text", line.text)
    numbers = [_value(number) for number in _NUMBER.findall(line.text)][:6]
    if len(numbers) == 1 and _WORD.search(skeleton) and not _PAGE.search(skeleton) and _like_a_heading(line, body):
        return
    for at, number in enumerate(numbers):
        yield (skeleton, *numbers[:at], ("page", number - line.page), *numbers[at + 1 :])


def _like_a_heading(line: _Line, body: float) -> bool:
    """Whether "Section 7" on page 7 may head what follows it."""
    return line.size > 1.15 * body or (line.apart < 1.2 * line.height and line.deep > 0.04)


def _value(number: str) -> int:
    if number.isdigit():
        return int(number[:12])
    digits = [_ROMAN[letter] for letter in number]
    return sum(-d if any(later > d for later in digits[at + 1 : at + 2]) else d for at, d in enumerate(digits))


def _repeats(group: Sequence[_Line], total: int, body: float) -> bool:
    count = len({line.page for line in group})
    if count >= 3:
        return True
    # Two alike may be a heading that happens to come twice.
    return (
        count == 2
        and total <= 4
        and all(line.size <= body * 1.2 and (line.deep < _MARGIN or line.apart >= 2 * line.height) for line in group)
    )


def _same_shape(accepted: Iterable[_Line], edges: list[list[_Line]]) -> dict[int, _Line]:
    """Lines at the place of many accepted ones that count on as they do, or have their words: a chapter of two pages."""
    places: dict[object, list[float]] = {}
    for line in accepted:
        for trait in _traits(line):
            places.setdefault(trait, []).append(line.distance)
    usual = {trait: median(found) for trait, found in places.items() if len(found) >= 3}
    return {
        id(line): line
        for own in edges
        for line in own
        if any(abs(usual.get(trait, float("inf")) - line.distance) <= _SAME for trait in _traits(line))
    }


def _traits(line: _Line) -> set[object]:
    """Its words with any numbers, if it has some; and what is between the page's number and one at its ends."""
    numbers = [found for found in _NUMBER.finditer(line.text) if found.start() == 0 or found.end() == len(line.text)]
    shape = _NUMBER.sub("#", line.text)
    return ({shape} if "#" in shape else set()) | {_value(found.group()) - line.page for found in numbers}


def _reserved(accepted: dict[int, _Line], crowd: Counter[int]) -> dict[int, _Line]:
    """Those of ``accepted`` that stand where few other lines do: body text keeps out of a header's place."""
    mine = Counter(_bin(line.distance + line.height / 2) for line in accepted.values())

    def share(line: _Line) -> float:
        at, reach = _bin(line.distance + line.height / 2), min(8, ceil(line.height / 2 / _BIN))
        around = range(at - reach, at + reach + 1)
        return sum(mine[place] for place in around) / (sum(crowd[place] for place in around) or 1)

    return {key: line for key, line in accepted.items() if line.deep < _MARGIN or share(line) >= 0.5}


def _bin(place: float) -> int:
    return int(place // _BIN)


def _from_the_edge(own: list[_Line], accepted: dict[int, _Line]) -> Iterator[_Line]:
    """The running lines of one edge of a page: none inside of a line that stays, unless it is in the margin."""
    outer = True
    for line in own:
        if id(line) in accepted and (outer or line.deep < _MARGIN):
            yield line
        else:
            outer = False


def _all_running(pages: Sequence[Page], running: list[_Line]) -> set[int]:
    """Numbers of the pages that hold nothing but running lines, where most are like that: there they are the text."""
    gone = Counter(line.page for line in running for _ in line.rows)
    touched = [page for page in pages if gone[page.number]]
    eaten = {page.number for page in touched if gone[page.number] >= len(page.rows)}
    return eaten if 2 * len(eaten) > len(touched) else set()
