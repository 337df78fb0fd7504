"""Rows of pages become the parts of a text: headings, paragraphs, lists, tables, code; across the ends of pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from core.read.content import Assembler
from core.read.pdf.hyphens import Joiner, without_space
from core.read.pdf.pages import Cells, Page, Row
from core.types import BlockKind

_LARGER = 1.12  # times the body's size: a heading
_LONGEST_HEADING = 200  # characters
_BULLET = re.compile(r"[•◦▪▫■□●○‣⁃∙➢➤►▶✓✔❖\uf000-\uf0ff]")
_DASH = re.compile(r"[-–—*·o+§]$")
_ORDERED = re.compile(r"(?:[1-9]\d{0,2}[.)]|\([1-9]\d{0,2}\)|[a-zA-Z]\)|\([a-zA-Z]\)|\(?[ivxl]{1,6}[.)])$")
_LETTERED = re.compile(r"[a-zA-Z]\.$")
_COUNTED = re.compile(r"\d{1,3}$")
_LEADERS = re.compile(r"\s*(?:(?:\. ?){4,}|…{2,}|(?:_ ?){5,})\s*")
_CAPTION = re.compile(
    r"(?:table|tab\.|tabelle|tableau|tabla|figure|fig\.|abbildung|abb\.|figura|schéma|chart|listing)\s*\d[\w.\-]*\s*[:.–—-]?\s",
    re.IGNORECASE,
)
_OF_TABLE = re.compile(r"tab", re.IGNORECASE)
_END = re.compile(r"[.!?…。！？؟:;][\"'”’»)\]]*$")
_NUMBERED = re.compile(
    r"(?i:(?:chapter|section|part|appendix)\s+|§\s*)?((?:\d{1,3}|[A-Z](?=[.)]))(?:\.\d{1,3})*)[.):]?\s"
)


@dataclass(frozen=True, slots=True)
class Item:
    """A list's item: where its marker stands, and its own left edge."""

    marker: str
    at: float
    text_at: float
    rows: list[Row]


@dataclass(slots=True)
class Part:
    """Rows that belong together, on the page where they begin."""

    kind: BlockKind
    page: int
    rows: list[Row]
    items: list[Item] = field(default_factory=list)
    cells: Cells = ()
    caption: list[Row] = field(default_factory=list)
    level: int = 0


@dataclass(frozen=True, slots=True)
class _Body:
    """How most of the document is set."""

    size: float
    bold: bool
    mono: bool

    @classmethod
    def of(cls, pages: Iterable[Page]) -> _Body:
        sizes: Counter[float] = Counter()
        bold = mono = total = 0
        for row in (row for page in pages if not page.plain for row in page.rows):
            length = len(row.text)
            sizes[round(row.size * 2) / 2] += length
            bold, mono, total = bold + length * row.bold, mono + length * row.mono, total + length
        return cls(sizes.most_common(1)[0][0] if sizes else 0.0, bold > total / 2, mono > 0.6 * total)


Titles = Mapping[str, Sequence[tuple[int, int]]]
"""Bookmarks by ``title_key`` of their title: page and depth, both from 1."""


def title_key(title: str) -> str:
    """A heading's words, whatever its number, spaces and capitals."""
    return re.sub(r"[\W\d_]+", "", title).casefold()


def put_together(pages: Sequence[Page], titles: Titles, joiner: Joiner, out: Assembler) -> tuple[int, int]:
    """Put the pages' text into ``out`` part by part; the number of pictures, and of those that have a caption."""
    body = _Body.of(pages)
    parts = [part for page in pages for part in _parts(page, body)]
    parts = _captioned(_one_text(_settled(_with_titles(parts, titles), body)))
    _level(parts, titles)
    for part in parts:
        out.page = part.page
        _put(part, joiner, out)
    pictures = _pictures(pages)
    return pictures, min(pictures, sum(part.kind is BlockKind.IMAGE for part in parts))


def _parts(page: Page, body: _Body) -> Iterator[Part]:
    part: Part | None = None
    pitch = _pitches(page.rows)
    for row in page.rows:
        if row.region in page.grids:
            if part is None or part.kind is not BlockKind.TABLE or part.rows[0].region != row.region:
                if part is not None:
                    yield part
                part = Part(BlockKind.TABLE, page.number, [], cells=page.grids[row.region])
            part.rows.append(row)
        elif (
            part is not None
            and part.kind is not BlockKind.TABLE
            and _added(part, row, body, pitch.get(row.region, 0.0))
        ):
            part.rows.append(row)
        else:
            if part is not None:
                yield part
            part = _opened(page, row, body)
    if part is not None:
        yield part


def _pitches(rows: Sequence[Row]) -> dict[int, float]:
    """The usual distance from line to line in each region."""
    steps: dict[int, list[float]] = {}
    for above, below in pairwise(rows):
        if above.region == below.region and below.y > above.y:
            steps.setdefault(above.region, []).append(below.y - above.y)
    return {region: median(found) for region, found in steps.items()}


def _opened(page: Page, row: Row, body: _Body) -> Part:
    if _is_code(row, body):
        return Part(BlockKind.CODE, page.number, [row])
    if (
        not page.plain
        and not row.turn
        and (row.size >= body.size * _LARGER or (row.bold and not body.bold))
        and not _bulleted(row)
    ):
        return Part(BlockKind.HEADING, page.number, [row])
    item = _item(row)
    if item is not None:
        return Part(BlockKind.LIST, page.number, [row], [item])
    return Part(BlockKind.PARAGRAPH, page.number, [row])


def _is_code(row: Row, body: _Body) -> bool:
    return row.mono and not body.mono and not _bulleted(row)


def _bulleted(row: Row) -> bool:
    return bool(_BULLET.match(row.text))


def _item(row: Row) -> Item | None:
    """The item that begins with this row, if one does."""
    if _LEADERS.search(row.text):
        return Item("", row.x, row.x, [row])
    words = row.text.split(None, 3)
    markers = 0
    while markers < len(words) - 1 and _BULLET.fullmatch(words[markers]):
        markers += 1
    marker = words[0]
    if not markers and not _BULLET.match(marker):
        lone = len(row.pieces) > 1 and row.pieces[0][1] == marker
        known = _DASH.match(marker) or _ORDERED.match(marker) or (_LETTERED.match(marker) and row.hint == "list_item")
        if len(words) < 2 or not (known or (lone and _COUNTED.match(marker))):
            return None
        markers = 1
    text_at = row.pieces[markers][0] if len(row.pieces) > markers else row.x + row.size
    at = row.pieces[markers - 1][0] if markers > 1 and len(row.pieces) >= markers else row.x
    return Item(marker, at, text_at, [row])


def _added(part: Part, row: Row, body: _Body, pitch: float) -> bool:
    """Whether ``row`` goes on with ``part``; a list takes it in as an item or as more of its last one."""
    last = part.rows[-1]
    step = row.y - last.y
    if part.kind is BlockKind.CODE:
        return _is_code(row, body) and 0 < step < 5 * last.height
    if _is_code(row, body):
        return row.region == last.region and _unfinished(last, row) and 0 < step < 1.8 * last.height
    if not _like(last, row) and not (part.kind is BlockKind.LIST and abs(last.size - row.size) < 2):
        return False
    if part.kind is BlockKind.LIST:
        return _more_of_list(part, row)
    if part.kind is BlockKind.HEADING:
        return 0 < step < 1.6 * last.height and _aligned(last, row) and not _NUMBERED.match(row.text + " ")
    return _more_of_paragraph(last, row, step, pitch)


def _like(last: Row, row: Row) -> bool:
    """Whether both are set alike, or the change is an emphasis within a sentence."""
    if abs(last.size - row.size) > 0.06 * last.size + 0.3:
        # A line that begins in another font is measured by that.
        return abs(last.size - row.size) < 0.15 * last.size and abs(last.x - row.x) < 3 and _unfinished(last, row)
    return last.bold == row.bold or row.text[0].islower() or last.text[-1] in ",;-"


def _aligned(last: Row, row: Row) -> bool:
    centred = abs((last.x + last.right) - (row.x + row.right)) < 8
    return centred or abs(last.x - row.x) < 3 or (row.x > last.x and bool(_NUMBERED.match(last.text)))


def _more_of_list(part: Part, row: Row) -> bool:
    last, item = part.rows[-1], part.items[-1]
    step = row.y - last.y
    new = _item(row)
    if new is not None:
        if not 0 < step < 3.2 * last.height or (new.marker == "") != (part.items[0].marker == ""):
            return False
        part.items.append(new)
        return True
    if item.marker == "" or not 0 < step < 1.7 * last.height or (row.bold and not last.bold and row.text[0].isupper()):
        return False
    hanging = row.x > item.at + 2 and abs(row.x - item.text_at) < row.size
    flush = row.region == last.region and row.x > item.at - 2 and not _END.search(last.text)
    if not hanging and not flush:
        return False
    item.rows.append(row)
    return True


def _more_of_paragraph(last: Row, row: Row, step: float, pitch: float) -> bool:
    if _CAPTION.match(row.text) and _END.search(last.text):
        return False
    if row.hint == "table" and max(len(row.pieces), len(last.pieces)) > 1:
        return False
    if row.region == last.region:
        if _item(row) is not None and (
            row.hint == "list_item" or _bulleted(row) or "...." in row.text.replace(" ", "")
        ):
            return False
        return step <= 0 or step <= max(1.45 * pitch, 1.3 * last.height)
    if row.hint == "list_item" or row.turn or last.turn or _item(row) is not None:
        return False
    filled = (
        step > 0 and abs(last.x - row.x) < 2 and last.right > row.right - 3 * row.size and not _END.search(last.text)
    )
    return (filled or _unfinished(last, row)) and step < 1.6 * last.height


def _unfinished(last: Row, row: Row) -> bool:
    """Whether a sentence runs from one row into the other."""
    if _END.search(last.text):
        return False
    return row.text[0].islower() or _hyphenated(last.text) or without_space(last.text[-1], row.text[0])


def _hyphenated(text: str) -> bool:
    return text[-1] in "-\u2010\u00ad" and text[-2:-1].isalpha()


def _with_titles(parts: list[Part], titles: Titles) -> list[Part]:
    """Short parts that a bookmark names are headings, however they are set."""
    if titles:
        for part in parts:
            if part.kind in (BlockKind.PARAGRAPH, BlockKind.LIST) and len(part.rows) <= 2 and _depth(part, titles):
                part.kind = BlockKind.HEADING
    return parts


def _depth(part: Part, titles: Titles) -> int:
    """The depth of the bookmark that names this part, 0 where none does."""
    text = title_key(" ".join(row.text for row in part.rows))
    return next((depth for page, depth in titles.get(text, ()) if page == part.page), 0) if text else 0


def _settled(parts: Iterable[Part], body: _Body) -> Iterator[Part]:
    """What looked like a heading or a list and is too long or too lonely to be one is a paragraph."""
    for part in parts:
        if not _is_itself(part, body):
            part.kind = BlockKind.PARAGRAPH
        yield part


def _is_itself(part: Part, body: _Body) -> bool:
    if part.kind is BlockKind.HEADING:
        return _is_heading(part, body)
    return part.kind is not BlockKind.LIST or _is_list(part)


def _is_heading(part: Part, body: _Body) -> bool:
    text = " ".join(row.text for row in part.rows)
    if len(part.rows) > 3 or len(text) > _LONGEST_HEADING or text[-1] in ",;" or not any(c.isalpha() for c in text):
        return False
    if text.endswith(".") and len(text) > 60:
        return False
    large = part.rows[0].size >= body.size * _LARGER
    return large or (len(text) <= 120 and not text.endswith((".", ":", "!")))


def _is_list(part: Part) -> bool:
    if any(_BULLET.match(item.marker) or item.marker == "" for item in part.items):
        return True
    if len(part.rows) > 6 * len(part.items):
        return False
    numbers = [int(item.marker) for item in part.items if item.marker.isdigit()]
    if len(numbers) == len(part.items):
        return len(numbers) > 1 and all(right == left + 1 for left, right in pairwise(numbers))
    return len(part.items) > 1 or (part.rows[0].hint == "list_item" and not _DASH.match(part.items[0].marker))


def _one_text(parts: Iterable[Part]) -> list[Part]:
    """Paragraphs and list items that a page or a column cut in two are one, where they begin."""
    made: list[Part] = []
    for part in parts:
        before = made[-1] if made else None
        if before is not None and part.kind is BlockKind.PARAGRAPH and _goes_on(before, part):
            before.rows += part.rows
            if before.kind is BlockKind.LIST:
                before.items[-1].rows.extend(part.rows)
        else:
            made.append(part)
    return made


def _goes_on(before: Part, part: Part) -> bool:
    last, first = before.rows[-1], part.rows[0]
    if before.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST) or (
        before.kind is BlockKind.LIST and not before.items[-1].marker
    ):
        return False
    moved = before.page != part.page or first.y < last.y
    return last.turn == first.turn and moved and _unfinished(last, first) and abs(last.size - first.size) < 1.1


def _captioned(parts: list[Part]) -> list[Part]:
    """Captions of tables go with their table, those of figures are images."""
    made: list[Part] = []
    for at, part in enumerate(parts):
        if part.kind is BlockKind.PARAGRAPH and len(part.rows) <= 6 and _CAPTION.match(part.rows[0].text):
            after = parts[at + 1] if at + 1 < len(parts) else None
            if not _OF_TABLE.match(part.rows[0].text):
                part.kind = BlockKind.IMAGE
            elif after is not None and after.kind is BlockKind.TABLE and after.page == part.page:
                after.caption = part.rows
                continue
            elif made and made[-1].kind is BlockKind.TABLE and not made[-1].caption and made[-1].page == part.page:
                made[-1].caption = part.rows
                continue
        made.append(part)
    return made


def _level(parts: Sequence[Part], titles: Titles) -> None:
    """Headings' levels: bookmarks tell; else the larger, bolder and less deeply numbered, the higher."""
    styles: dict[tuple[float, bool, int], Counter[int]] = {}
    for part in (part for part in parts if part.kind is BlockKind.HEADING):
        part.level = _depth(part, titles)
        told = styles.setdefault(_style(part), Counter())
        if part.level:
            told[part.level] += 1
    levels: dict[tuple[float, bool, int], int] = {}
    above = 0
    for style in sorted(styles, key=lambda style: (-style[0], not style[1], style[2])):
        above = levels[style] = styles[style].most_common(1)[0][0] if styles[style] else min(6, above + 1)
    for part in (part for part in parts if part.kind is BlockKind.HEADING and not part.level):
        part.level = levels[_style(part)]


def _style(part: Part) -> tuple[float, bool, int]:
    row = part.rows[0]
    numbered = _NUMBERED.match(row.text)
    depth = numbered.group(1).count(".") + 1 if numbered else 0
    return round(row.size), row.bold, depth


def _put(part: Part, joiner: Joiner, out: Assembler) -> None:
    if part.kind is BlockKind.TABLE:
        out.table(part.cells, joiner.join([row.text for row in part.caption]))
    elif part.kind is BlockKind.LIST:
        out.items(_items(part, joiner))
    elif part.kind is BlockKind.CODE:
        out.add(BlockKind.CODE, _code(part.rows))
    elif part.kind is BlockKind.HEADING:
        out.heading(joiner.join([row.text for row in part.rows]), part.level)
    else:
        out.add(part.kind, joiner.join([row.text for row in part.rows]))


def _items(part: Part, joiner: Joiner) -> Iterator[tuple[int, str]]:
    """Each item's depth, by how far in its marker stands, and its text; bullets go, numbers stay."""
    edges: list[float] = []
    for item in part.items:
        while edges and item.at < edges[-1] - 3:
            edges.pop()
        if not edges or item.at > edges[-1] + 3:
            edges.append(item.at)
        text = joiner.join([row.text for row in item.rows])
        if item.marker and not _ORDERED.match(item.marker) and not item.marker[:1].isalnum():
            text = re.sub(rf"^(?:{_BULLET.pattern}\s*)+", "", text) if _BULLET.match(text) else text[len(item.marker) :]
        elif item.marker == "o":
            text = text[1:]
        yield len(edges) - 1, text if item.marker or not joiner.clean else _LEADERS.sub(" … ", text)


def _code(rows: Sequence[Row]) -> str:
    """Lines as they stand, indented as far as they stand in."""
    left = min(row.x for row in rows)
    width = median((row.right - row.x) / max(1, len(row.text)) for row in rows) or 1.0
    lines: list[str] = []
    for above, row in zip((None, *rows), rows, strict=False):
        if above is not None and row.y - above.y > 1.8 * max(above.height, row.height):
            lines.append("")
        lines.append(" " * min(80, round((row.x - left) / width)) + row.text)
    return "\n".join(lines)


def _pictures(pages: Sequence[Page]) -> int:
    """Pictures; one that stands at the same place on three pages (a logo) counts once."""
    places = Counter(box for page in pages for box in page.pictures)
    return sum(1 if count >= 3 else count for count in places.values())
