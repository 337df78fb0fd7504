"""PowerPoint files: a page per slide, its title as the heading, its shapes from top to bottom, then its notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import groupby
from typing import Any

from lxml import etree

from core.read import package
from core.read.content import Assembler, Content
from core.read.formats import Format
from core.read.html.parts import Part, picture_notices, put
from core.read.tables import Cell, grid
from core.settings import ReadSettings
from core.types import BlockKind, Progress

# Shapes whose tops differ by less than this share of all shapes' height stand in one row.
_ROW = 0.03
_MOST_NAMED = 20
_TITLES = frozenset({"TITLE", "CENTER_TITLE", "VERTICAL_TITLE"})
_BULLETED = frozenset({"BODY", "OBJECT", "VERTICAL_BODY", "VERTICAL_OBJECT"})
_FOOTERS = frozenset({"DATE", "FOOTER", "HEADER", "SLIDE_NUMBER"})
_BULLETS = frozenset({"buChar", "buAutoNum", "buBlip"})
# What PowerPoint and its like write as alternative text when nobody wrote one.
_FILE_NAME = re.compile(r"[^/\\]*\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)", re.IGNORECASE)
_GENERATED = re.compile(r"\s*Description automatically generated.*$", re.DOTALL)


def content(data: bytes, format: Format, settings: ReadSettings, progress: Progress) -> Content:
    """A PowerPoint file.

    Raises:
        UnreadableFile: damaged, locked, or too large to unpack.
    """
    from pptx import Presentation

    found: Counter[str] = Counter()
    hidden: list[int] = []
    silent: list[int] = []
    text = Assembler(ligatures=settings.clean)
    with package.reading(format.name):
        package.opened(data, format.name)
        slides = list(Presentation(BytesIO(data)).slides)
        for number, slide in enumerate(slides, 1):
            progress(number - 1, len(slides), f"Slide {number:,} of {len(slides):,}")
            text.page = number
            if not _put_slide(slide, number, text, found, settings):
                silent.append(number)
            if slide.element.get("show") in ("0", "false"):
                hidden.append(number)
    made = text.content(pages=len(slides), notices=list(_notices(hidden, silent, found["pictures"])))
    counts = Counter(made.cleaned)
    counts["footers"] = found["footers"]
    return replace(made, cleaned=dict(+counts))


def _put_slide(slide: Any, number: int, text: Assembler, found: Counter[str], settings: ReadSettings) -> bool:
    """Add a slide's title, shapes and notes; say whether there was any text."""
    _choose_alternatives(slide.element)
    skipped = _FOOTERS if settings.clean else frozenset({"SLIDE_NUMBER"})
    shapes = [shape for shape in slide.shapes if not _is_skipped(shape, skipped, found)]
    title = next((shape for shape in shapes if _placeholder(shape) in _TITLES and shape.text_frame.text.strip()), None)
    if title is None:
        text.section(f"Slide {number}", 1)
    else:
        text.heading("\n".join(map(_text, title.text_frame.paragraphs)), 1)
    parts = list(_parts([shape for shape in shapes if shape is not title], found))
    put(parts, text)
    notes = _notes(slide)
    text.section("Notes", 2)
    put(notes, text)
    return bool(title or parts or notes)


def _notes(slide: Any) -> list[Part]:
    frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    return [] if frame is None else [Part(BlockKind.PARAGRAPH, text) for text in _texts(frame.paragraphs)]


def _notices(hidden: Sequence[int], silent: Sequence[int], pictures: int) -> Iterator[str]:
    if silent:
        yield f"Slides without text: {_listed(silent)}."
    if hidden:
        yield f"Slides hidden in the show, read all the same: {_listed(hidden)}."
    yield from picture_notices(pictures)


def _listed(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:_MOST_NAMED]))
    return f"{shown} and {len(numbers) - _MOST_NAMED:,} more" if len(numbers) > _MOST_NAMED else shown


def _is_skipped(shape: Any, skipped: frozenset[str], found: Counter[str]) -> bool:
    if _placeholder(shape) not in skipped:
        return False
    found["footers"] += bool(shape.has_text_frame and shape.text_frame.text.strip())
    return True


def _placeholder(shape: Any) -> str:
    """What a placeholder is for, by its name in python-pptx; empty for other shapes."""
    kind = shape.placeholder_format.type if shape.is_placeholder else None
    return "" if kind is None else str(kind.name)


def _parts(shapes: Iterable[Any], found: Counter[str]) -> Iterator[Part]:
    """What shapes say, from top to bottom and left to right; a group is read as a whole."""
    for shape in _in_reading_order(list(shapes)):
        if hasattr(shape, "shapes"):
            yield from _parts(shape.shapes, found)
        elif shape.has_text_frame:
            yield from _frame_parts(shape.text_frame.paragraphs, bulleted=_placeholder(shape) in _BULLETED)
        elif shape.has_table:
            yield Part(BlockKind.TABLE, rows=_table(shape.table))
        elif shape.has_chart:
            yield from _chart(shape.chart.element)
        elif diagram := _diagram(shape):
            yield Part(BlockKind.LIST, items=tuple((0, text) for text in diagram))
        else:
            yield from _picture(shape, found)


def _in_reading_order(shapes: list[Any]) -> list[Any]:
    """Rows of shapes from the top, each from the left; what differs little in height is one row."""
    placed = sorted(((shape.top or 0, shape.left or 0, number) for number, shape in enumerate(shapes)))
    bottom = max(((shape.top or 0) + (shape.height or 0) for shape in shapes), default=0)
    tolerance = _ROW * (bottom - placed[0][0]) if placed else 0
    rows: list[list[tuple[int, int, int]]] = []
    for place in placed:
        if rows and place[0] - rows[-1][0][0] <= tolerance:
            rows[-1].append(place)
        else:
            rows.append([place])
    return [shapes[number] for row in rows for _, _, number in sorted(row, key=lambda place: place[1:])]


# Text -----------------------------------------------------------------------------------------------------------------


def _text(paragraph: Any) -> str:
    """A paragraph's text with its line breaks; fields and formulas are text too."""
    pieces = []
    for element in paragraph._p.iter():
        kind = etree.QName(element).localname if isinstance(element.tag, str) else ""
        if kind == "t":
            pieces.append(element.text or "")
        elif kind == "br":
            pieces.append("\n")
    return "".join(pieces).replace("\v", "\n")


def _texts(paragraphs: Iterable[Any]) -> list[str]:
    return [text for paragraph in paragraphs if (text := _text(paragraph).strip())]


def _frame_parts(paragraphs: Sequence[Any], *, bulleted: bool) -> Iterator[Part]:
    """Paragraphs with bullets as lists, a single one and those without as paragraphs."""
    spoken = [(paragraph, text) for paragraph in paragraphs if (text := _text(paragraph).strip())]
    for is_item, group in groupby(spoken, key=lambda pair: _is_item(pair[0], bulleted=bulleted)):
        texts = [(paragraph.level, text) for paragraph, text in group]
        if is_item and len(spoken) > 1:
            yield Part(BlockKind.LIST, items=tuple(texts))
        else:
            yield from (Part(BlockKind.PARAGRAPH, text) for _, text in texts)


def _is_item(paragraph: Any, *, bulleted: bool) -> bool:
    properties = paragraph._p.pPr
    marks = set() if properties is None else {etree.QName(child).localname for child in properties}
    if "buNone" in marks:
        return False
    return bulleted or bool(marks & _BULLETS) or paragraph.level > 0


# What is no text ------------------------------------------------------------------------------------------------------


def _table(table: Any) -> tuple[tuple[str, ...], ...]:
    return grid(
        [
            [
                Cell(_texts(cell.text_frame.paragraphs), cell.span_width, cell.span_height)
                for cell in row.cells
                if not cell.is_spanned
            ]
            for row in table.rows
        ]
    )


def _chart(space: Any) -> Iterator[Part]:
    """A chart's title over a table: a row per category, a column per series."""
    title = "".join(text.text or "" for each in space.iterfind(".//{*}chart/{*}title") for text in each.iter("{*}t"))
    series = list(space.iter("{*}ser"))
    names = [
        "".join(value.text or "" for one in each.iterfind("{*}tx") for value in one.iter("{*}v")) for each in series
    ]
    columns = [_points(each, "val", "yVal") for each in series]
    labels = _points(series[0], "cat", "xVal") if series else {}
    numbers = sorted({*labels, *(number for column in columns for number in column)})
    rows = [(labels.get(number, ""), *(column.get(number, "") for column in columns)) for number in numbers]
    if rows:
        yield Part(BlockKind.TABLE, title, rows=(("", *names), *rows))
    elif title:
        yield Part(BlockKind.PARAGRAPH, title)


def _points(series: Any, *names: str) -> dict[int, str]:
    """The values of a series by their numbers; of categories in several levels, the innermost."""
    for name in names:
        source = series.find(f"{{*}}{name}")
        if source is None:
            continue
        level = source.find(".//{*}lvl")
        points = (source if level is None else level).iter("{*}pt")
        return {int(point.get("idx", "0")): point.findtext("{*}v") or "" for point in points}
    return {}


def _diagram(shape: Any) -> list[str]:
    """The texts of a SmartArt diagram, in its own order; none for any other shape."""
    related = next(shape.element.iter("{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"), None)
    if related is None:
        return []
    name = next((value for key, value in related.attrib.items() if key.endswith("}dm")), "")
    root = package.xml(shape.part.related_part(name).blob)
    points = ["".join(text.text or "" for text in point.iter("{*}t")) for point in root.iter("{*}pt")]
    return [text for text in points if text.strip()]


def _picture(shape: Any, found: Counter[str]) -> Iterator[Part]:
    described = next(shape.element.iter("{*}cNvPr"), None)
    said = "" if described is None else described.get("descr") or described.get("title") or ""
    said = _GENERATED.sub("", said).strip()
    if said and not _FILE_NAME.fullmatch(said):
        yield Part(BlockKind.IMAGE, said)
    elif etree.QName(shape.element).localname == "pic":
        found["pictures"] += 1


def _choose_alternatives(slide: Any) -> None:
    """Put what newer programs show where python-pptx looks: it does not look into alternatives."""
    for choice in list(slide.iter("{*}Choice")):
        alternatives = choice.getparent()
        if alternatives.getparent() is not None and choice is alternatives[0]:
            for child in list(choice):
                alternatives.addprevious(child)
            alternatives.getparent().remove(alternatives)
