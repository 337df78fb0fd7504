"""Excel workbooks: each sheet is a page under its name, each region of filled cells a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.read import delimited, package
from core.read.content import Assembler, Content
from core.read.formats import Format
from core.read.xlsx.workbook import Cells, Workbook
from core.settings import ReadSettings
from core.types import BlockKind, Progress

_REPORT_EVERY = 2_000  # rows


def content(data: bytes, _format: Format, settings: ReadSettings, progress: Progress) -> Content:
    """Every sheet's name as a heading and its tables; hidden and empty sheets are named in a notice.

    Raises:
        UnreadableFile: damaged, or too large unpacked.
    """
    with package.reading("Excel"):
        put = Assembler(ligatures=settings.clean)
        book = Workbook(data)
        empty = []
        for number, sheet in enumerate(book.sheets, 1):
            put.page = number
            rows = _told(book.rows(sheet), sheet.name, progress) if sheet.part else iter(())
            tables = [part for band in _bands(rows) for part in _side_by_side(band)]
            if not tables:
                empty.append(sheet.name)
                continue
            put.heading(sheet.name, 1)
            for table in tables:
                _put(put, table)
        hidden = [sheet.name for sheet in book.sheets if sheet.hidden]
        return put.content(pages=len(book.sheets), notices=list(_notices(hidden, empty, book.uncalculated)))


def _notices(hidden: Sequence[str], empty: Sequence[str], uncalculated: int) -> Iterator[str]:
    if hidden:
        yield f"Hidden sheets were read too: {', '.join(hidden)}."
    if empty:
        yield f"Sheets without text: {', '.join(empty)}."
    if uncalculated:
        yield f"Formulas without a stored result: {uncalculated:,}. Open the file in Excel, save it and add it again."


def _told(rows: Iterator[Cells], name: str, progress: Progress) -> Iterator[Cells]:
    """The rows, with word of how many there were so far."""
    for number, row in enumerate(rows):
        if number % _REPORT_EVERY == 0:
            progress(0, 0, f"{name}, row {number + 1:,}")
        yield row


def _bands(rows: Iterator[Cells]) -> Iterator[list[Cells]]:
    """Rows without an empty one between them."""
    band: list[Cells] = []
    for row in rows:
        if row:
            band.append(row)
        elif band:
            yield band
            band = []
    if band:
        yield band


def _side_by_side(band: list[Cells]) -> Iterator[list[Cells]]:
    """The tables beside each other: parted by empty columns, if each has two columns or more."""
    groups: list[list[int]] = []
    for at in sorted({at for row in band for at, _ in row}):
        if groups and at == groups[-1][-1] + 1:
            groups[-1].append(at)
        else:
            groups.append([at])
    if len(groups) == 1 or any(len(group) < 2 for group in groups):
        yield band
        return
    of = {at: number for number, group in enumerate(groups) for at in group}
    parts: list[list[Cells]] = [[] for _ in groups]
    for row in band:
        split: dict[int, Cells] = {}
        for at, text in row:
            split.setdefault(of[at], []).append((at, text))
        for number, cells in split.items():
            parts[number].append(cells)
    yield from parts


def _put(put: Assembler, region: list[Cells]) -> None:
    """A table. Rows of one cell above it are paragraphs, the last its caption; so are all where no row has two."""
    wide = next((number for number, row in enumerate(region) if len(row) > 1), len(region))
    columns = sorted({at for row in region for at, _ in row})
    texts = [[text for _, text in row] for row in region]
    if wide == len(region) or len(region) == 1 or delimited.sparse(texts, len(columns)):
        for row in texts:
            put.add(BlockKind.PARAGRAPH, " | ".join(row))
        return
    for row in texts[: max(0, wide - 1)]:
        put.add(BlockKind.PARAGRAPH, row[0])
    places = {at: place for place, at in enumerate(columns)}
    rows = [[""] * len(columns) for _ in region[wide:]]
    for line, cells in zip(rows, region[wide:], strict=True):
        for at, text in cells:
            line[places[at]] = text
    put.table(rows, texts[wide - 1][0] if wide else "")
