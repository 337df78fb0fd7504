"""PDF: liteparse finds the regions of a page and its text; pypdfium2 opens the file, and reads what liteparse loses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from threading import Lock

import pypdfium2
from liteparse import LiteParse, ParseError
from liteparse.types import ParsedPage
from pypdfium2 import raw

from core.errors import UnreadableFile
from core.read import language
from core.read.content import Assembler, Content
from core.read.formats import Format
from core.read.pdf import layout
from core.read.pdf.hyphens import Joiner
from core.read.pdf.pages import SLANTED, Page, Row, without_running
from core.read.pdf.parts import put_together, title_key
from core.settings import ReadSettings
from core.types import Progress

MAX_PAGES = 5_000
_BATCH = 25  # pages parsed at once
_FEW_UNKNOWN, _MOST_UNKNOWN = 0.02, 0.5  # of a document's characters
_MOST_BOOKMARKS = 20_000
_MOST_NAMED = 12  # pages that a notice names one by one
_STAMP = 60  # letters that a scanner's mark has at most
_OCR = "Run text recognition (OCR) on it and add the result."
_AGAIN = "Export or download it again."
_UNKNOWN = re.compile("[\ufffd\ue000-\uefff\uf100-\uf8ff\U000f0000-\U0010ffff\x01-\x08\x0e-\x1f]|\\(cid:\\d+\\)")
_ENDS = re.compile(r"[.!?…。！？:][\"'”’»)]*$")
_NO_PAGES = re.compile(rb"/Count\s+0\b")
_ONE_PAGE = re.compile(rb"/Type\s*/Page\b")
# PDFium is not made for several threads.
_ONE_AT_A_TIME = Lock()


@dataclass(slots=True)
class _Found:
    """What the pages hold, and what is to be told of them."""

    pages: list[Page] = field(default_factory=list)
    pictured: list[int] = field(default_factory=list)
    stamped: list[int] = field(default_factory=list)
    empty: list[int] = field(default_factory=list)
    plain: list[int] = field(default_factory=list)


def content(data: bytes, _format: Format, settings: ReadSettings, progress: Progress) -> Content:
    """A PDF's text, its blocks with page and headings.

    Raises:
        UnreadableFile: no PDF, damaged, locked, without pages or text, or with too many pages.
    """
    start = data.find(b"%PDF-", 0, 1024)
    if not data:
        raise UnreadableFile("The file is empty: no byte of a PDF file.", _AGAIN)
    if start < 0:
        raise UnreadableFile("The file is no PDF: it does not begin as one.", "Give it the ending of what it is.")
    data = data[start:]
    with _ONE_AT_A_TIME:
        document = _opened(data)
        try:
            found = _read(document, data, progress)
            titles = _titles(document)
            notices = _extras(document, data)
        finally:
            document.close()
    return _content(found, titles, notices, settings)


def _opened(data: bytes) -> pypdfium2.PdfDocument:
    try:
        document = pypdfium2.PdfDocument(data)
        pages = len(document)
    except pypdfium2.PdfiumError as error:
        # PDFium may name an earlier file's error.
        locked = b"/Encrypt" in data
        if locked and error.err_code == raw.FPDF_ERR_PASSWORD:
            raise UnreadableFile("The PDF is locked: it opens with a password only.", "Save it without one.") from None
        if locked and error.err_code == raw.FPDF_ERR_SECURITY:
            raise UnreadableFile(
                "The PDF is locked in a way that is not read.", "Save it without protection."
            ) from None
        if _NO_PAGES.search(data) and not _ONE_PAGE.search(data):
            raise UnreadableFile("The PDF has no pages.", _AGAIN) from None
        raise UnreadableFile("The PDF is damaged: it is cut short or its parts do not fit together.", _AGAIN) from None
    if 0 < pages <= MAX_PAGES:
        return document
    document.close()
    if pages > MAX_PAGES:
        raise UnreadableFile(f"{pages:,} pages are more than the {MAX_PAGES:,} read at once.", "Split it.")
    raise UnreadableFile("The PDF has no pages.", _AGAIN)


def _read(document: pypdfium2.PdfDocument, data: bytes, progress: Progress) -> _Found:
    """All pages."""
    found = _Found()
    total = len(document)
    for first in range(1, total + 1, _BATCH):
        progress(first - 1, total, f"page {first:,} of {total:,}")
        last = min(total, first + _BATCH - 1)
        views = _views(document, data, first, last)
        for number in range(first, last + 1):
            _take(document, number, views.get(number), found)
    progress(total, total, f"page {total:,} of {total:,}")
    return found


def _views(document: pypdfium2.PdfDocument, data: bytes, first: int, last: int) -> dict[int, dict[int, ParsedPage]]:
    """Pages ``first`` to ``last`` as shown, and turned so that their other text is upright; see ``layout.page``.

    Liteparse tears and shuffles text that is not.
    """
    views = {number: {0: page} for number, page in _parsed(data, first, last).items()}
    letters = {number: layout.turns(shown[0]) for number, shown in views.items()}
    for turn in (1, 2, 3):
        asked = [number for number in views if letters[number][turn]]
        for number, page in _turned(document, data, asked, turn).items() if asked else ():
            views[number][turn] = page
    return views


def _turned(document: pypdfium2.PdfDocument, data: bytes, numbers: Sequence[int], turn: int) -> dict[int, ParsedPage]:
    """These pages laid out after a turn by so many quarters clockwise, as far as it can be done."""
    out = BytesIO()
    # Pages put into another document lose what is filled into their forms.
    whole = document.get_formtype() != raw.FORMTYPE_NONE
    places = numbers if whole else range(1, len(numbers) + 1)
    copy = pypdfium2.PdfDocument(data) if whole else pypdfium2.PdfDocument.new()
    try:
        if not whole:
            copy.import_pages(document, [number - 1 for number in numbers])
        for place in places:
            page = copy[place - 1]
            page.set_rotation((page.get_rotation() + 90 * turn) % 360)
            page.close()
        copy.save(out)
    except (pypdfium2.PdfiumError, ValueError, OSError):
        return {}
    finally:
        copy.close()
    parsed = _parsed(out.getvalue(), places[0], places[-1])
    return {number: parsed[place] for number, place in zip(numbers, places, strict=True) if place in parsed}


def _parsed(data: bytes, first: int, last: int) -> dict[int, ParsedPage]:
    """Pages ``first`` to ``last`` as liteparse lays them out, as far as it can."""
    parser = LiteParse(
        ocr_enabled=False,
        keep_headers_footers=True,
        quiet=True,
        extract_blocks=True,
        extract_text_metadata=True,  # keeps strings apart that are set apart
        preserve_very_small_text=True,
        continue_on_page_error=True,
        max_pages=MAX_PAGES,
        target_pages=f"{first}-{last}",
    )
    try:
        return {page.page_num: page for page in parser.parse(data).pages}
    except ParseError:
        return {}
    except BaseException as fault:
        # A panic of its Rust code is no Exception.
        if type(fault).__name__ != "PanicException":
            raise
        return {}


def _take(document: pypdfium2.PdfDocument, number: int, views: Mapping[int, ParsedPage] | None, found: _Found) -> None:
    """Note page ``number``: as laid out, or its plain text where the layout lost some of it."""
    text, pictured = _plain_text(document, number)
    page = layout.page(views, text) if views is not None and _upright(views) else None
    wanted, got = _letters(text), sum(_letters(row.text) for row in page.rows) if page is not None else 0
    if page is None or (got < 0.75 * wanted and wanted - got > 15):
        rows = tuple(_plain_rows(text))
        page = Page(number, rows[-1].bottom if rows else 0.0, rows, plain=True)
        if page.rows:
            found.plain.append(number)
    found.pages.append(page)
    if page.rows and pictured:
        found.stamped.append(number)
    if not page.rows:
        (found.pictured if pictured else found.empty).append(number)


def _upright(views: Mapping[int, ParsedPage]) -> bool:
    """Whether the views show most of what is turned by quarters upright."""
    letters = layout.turns(views[0])
    return 2 * sum(letters[turn] for turn in (*views, SLANTED)) >= letters.total()


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _plain_text(document: pypdfium2.PdfDocument, number: int) -> tuple[str, bool]:
    """A page's text without its layout, and whether what it shows is a picture, with hardly any text."""
    try:
        page = document[number - 1]
        try:
            textpage = page.get_textpage()
            text: str = textpage.get_text_bounded()
            textpage.close()
            return text, _letters(text) < _STAMP and _is_picture(page, bare=not text.strip())
        finally:
            page.close()
    except (pypdfium2.PdfiumError, ValueError, OSError):
        return "", False


def _is_picture(page: pypdfium2.PdfPage, *, bare: bool) -> bool:
    """Whether a picture covers most of the page; without text, any picture or drawing will do."""
    if bare:
        return next(page.get_objects(max_depth=1), None) is not None
    width, height = page.get_size()
    for image in page.get_objects([raw.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        left, bottom, right, top = image.get_bounds()
        if (right - left) * (top - bottom) > 0.5 * width * height:
            return True
    return False


def _plain_rows(text: str) -> Iterator[Row]:
    """Lines of plain text; a short one that ends a sentence ends a paragraph."""
    # What PDFium takes for a broken word's hyphen it writes as U+0002 or U+FFFE, without the line's end.
    text = re.sub("[\x02\ufffe]", "-\n", text)
    lines = [line.strip() for line in text.splitlines()]
    longest = max(map(len, lines), default=0)
    region = 0
    for at, line in enumerate(lines):
        if line:
            yield Row(line, 0.0, at * 12.0, len(line) * 5.0, at * 12.0 + 10.0, 10.0, region=region)
        if not line or (_ENDS.search(line) and len(line) < 0.75 * longest):
            region += 1


def _titles(document: pypdfium2.PdfDocument) -> dict[str, list[tuple[int, int]]]:
    """The bookmarks: see ``pdf_parts.Titles``."""
    titles: dict[str, list[tuple[int, int]]] = {}
    try:
        for number, mark in enumerate(document.get_toc(max_depth=8)):
            if number >= _MOST_BOOKMARKS:
                break
            target = mark.get_dest()
            page = target.get_index() if target is not None else None
            if page is not None:
                titles.setdefault(title_key(mark.get_title()), []).append((page + 1, mark.level + 1))
    except (pypdfium2.PdfiumError, ValueError, UnicodeError):
        return titles
    return titles


def _extras(document: pypdfium2.PdfDocument, data: bytes) -> list[str]:
    """What is in the file beside its pages, and is not read."""
    notices = []
    attached = max(0, document.count_attachments())
    if attached:
        notices.append(f"{_counted(attached, 'attached file')} not read.")
    if document.get_formtype() in (raw.FORMTYPE_XFA_FULL, raw.FORMTYPE_XFA_FOREGROUND):
        notices.append("An XFA form: what was filled in may be missing.")
    if b"%%EOF" not in data[-2048:]:
        notices.append("The file’s end is missing: so may be some of its pages.")
    return notices


def _content(
    found: _Found, titles: dict[str, list[tuple[int, int]]], notices: list[str], settings: ReadSettings
) -> Content:
    """The text of the pages, or the reason why there is none."""
    _refuse_scans(found)
    unknown = _unknown(found.pages)
    pages, counts = without_running(found.pages) if settings.clean else (found.pages, {})
    lines = [row.text for page in pages for row in page.rows]
    spoken = settings.language or language.of("\n".join(lines[len(lines) // 2 :][:400]))
    joiner = Joiner(lines, clean=settings.clean, language=spoken)
    out = Assembler(ligatures=settings.clean)
    pictures, captioned = put_together(pages, titles, joiner, out)
    out.cleaned.update(counts)
    out.cleaned.update({"hyphens": joiner.hyphens} if joiner.hyphens else {})
    told = _notices(found, pictures - captioned, unknown)
    return out.content(pages=len(found.pages), notices=[*told, *notices])


def _notices(found: _Found, pictures: int, unknown: float) -> Iterator[str]:
    """What the reader should know of the pages."""
    total = len(found.pages)
    yield from _told(found.pictured + found.empty, total, "no text")
    yield from _told(found.stamped, total, "hardly any text beside a picture: text recognition (OCR) may find more")
    yield from _told(found.plain, total, "plain text only: the layout was not understood", "gave")
    if pictures > 0:
        yield f"{_counted(pictures, 'picture')} without a caption."
    if unknown > _FEW_UNKNOWN:
        yield f"{unknown:.0%} of the characters could not be decoded: the fonts do not say what they are."


def _refuse_scans(found: _Found) -> None:
    """Refuse pages of pictures, be it that a scanner has put its mark on them."""
    pages = [page for page in found.pages if page.rows]
    marks = {re.sub(r"\d+", "", row.text) for page in pages for row in page.rows}
    if pages and (len(found.stamped) < len(pages) or (len(marks) > 2 or len(pages) < 2)):
        return
    pictured, empty = len(found.pictured) + len(pages), len(found.empty)
    if not pictured:
        raise UnreadableFile(f"No text layer: {_counted(empty, 'empty page')}.", "Leave it out, or export it again.")
    beside = f" and {_counted(empty, 'empty page')}" if empty else ""
    raise UnreadableFile(f"No text layer: {_counted(pictured, 'page')} of pictures only{beside}.", _OCR)


def _unknown(pages: Sequence[Page]) -> float:
    """The share of characters that nobody can read.

    Raises:
        UnreadableFile: it is most of them.
    """
    text = "".join("".join(row.text.split()) for page in pages for row in page.rows)
    share = sum(len(match.group()) for match in _UNKNOWN.finditer(text)) / (len(text) or 1)
    if share > _MOST_UNKNOWN:
        raise UnreadableFile(
            f"The PDF’s text cannot be decoded: its fonts do not say which letters {share:.0%} of its signs are.", _OCR
        )
    return share


def _told(numbers: list[int], total: int, what: str, verb: str = "") -> list[str]:
    """One sentence on the pages of these numbers: Pages 3, 7 and 9 of 12 have no text."""
    if not numbers:
        return []
    numbers = sorted(numbers)
    if len(numbers) == 1:
        return [f"Page {numbers[0]:,} of {total:,} {verb or 'has'} {what}."]
    if len(numbers) > _MOST_NAMED:
        return [f"{len(numbers):,} of {total:,} pages {verb or 'have'} {what}."]
    listed = ", ".join(f"{number:,}" for number in numbers[:-1])
    return [f"Pages {listed} and {numbers[-1]:,} of {total:,} {verb or 'have'} {what}."]


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
