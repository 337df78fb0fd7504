"""PDFs made of our own words, for tests that know what must be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from typing import Any

import pypdfium2
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, SimpleDocTemplate

WIDTH, HEIGHT = A4
TOP = 750.0  # where body text begins, from the bottom
Draw = Callable[[Canvas], None]


def drawn(*pages: Draw, password: str | None = None) -> bytes:
    """One page per function, each given the canvas; ``password`` locks it ("" for a lock without a key)."""
    file = BytesIO()
    lock = None if password is None else StandardEncryption(password, ownerPassword="owner", canPrint=0)
    canvas = Canvas(file, pagesize=A4, encrypt=lock, invariant=True)
    for draw in pages:
        canvas.setFont("Helvetica", 11)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def lines(*texts: str, y: float = TOP, x: float = 60, font: str = "Helvetica", size: float = 11) -> Draw:
    """Lines of text one below the other; an empty one leaves a gap."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont(font, size)
        for number, text in enumerate(texts):
            canvas.drawString(x, y - number * size * 1.25, text)

    return draw


def header(text: str, y: float = 805) -> Draw:
    return lines(text, y=y, size=9)


def footer(text: str, x: float = 280) -> Draw:
    return lines(text, y=30, x=x, size=9)


def picture(canvas: Canvas, y: float = 300) -> None:
    """A small picture of noise, a quarter of the page."""
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    canvas.drawImage(ImageReader(Image.effect_noise((60, 40), 60).convert("RGB")), 60, y, 300, 200)


def all_of(*draws: Draw) -> Draw:
    def draw(canvas: Canvas) -> None:
        for each in draws:
            each(canvas)

    return draw


def turned(draw: Draw, degrees: int) -> Draw:
    """``draw`` turned counterclockwise by so many degrees (a multiple of 90), its left margin along an edge of the page."""

    def whole(canvas: Canvas) -> None:
        canvas.saveState()
        canvas.translate(WIDTH if degrees in (90, 180) else 0, HEIGHT if degrees in (180, 270) else 0)
        canvas.rotate(degrees)
        draw(canvas)
        canvas.restoreState()

    return whole


def shown(data: bytes, degrees: int) -> bytes:
    """The PDF with all pages to be shown turned clockwise by so many degrees."""
    file = BytesIO()
    with pypdfium2.PdfDocument(data) as document:
        for page in document:
            page.set_rotation(degrees)
        document.save(file)
    return file.getvalue()


def _nothing(page: int) -> str:
    return ""


def paged(
    bodies: Iterable[Sequence[str]], head: Callable[[int], str] = _nothing, foot: Callable[[int], str] = _nothing
) -> bytes:
    """Pages of these lines under ``head(page)`` and above ``foot(page)``, where those say something."""
    return drawn(*[
        all_of(*([header(head(n))] if head(n) else []), lines(*body), *([footer(foot(n))] if foot(n) else []))
        for n, body in enumerate(bodies, 1)
    ])  # fmt: skip


def flowing(*story: Flowable) -> bytes:
    """A document that reportlab sets by itself."""
    file = BytesIO()
    SimpleDocTemplate(file, pagesize=A4, invariant=True).build(list(story))
    return file.getvalue()


def unicode_font() -> str:
    """The name of a font of the system with letters of many scripts; empty if there is none."""
    for path in ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "DejaVuSans.ttf"):
        try:
            pdfmetrics.registerFont(TTFont("Unicode", path))
        except Exception:  # noqa: BLE001, S112 - reportlab raises its own kinds
            continue
        return "Unicode"
    return ""


def raw(objects: Mapping[int, bytes], root: int = 1) -> bytes:
    """A PDF of these objects, whatever they say."""
    out, places = bytearray(b"%PDF-1.7\n"), {}
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 %s \n" % (places.get(number, 0), b"n" if number in places else b"f")
    out += b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, root, table)
    return bytes(out)


def stream(body: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(body), body)


def one_page(text: bytes, catalog: bytes = b"", font: bytes = b"", more: Mapping[int, bytes] | None = None) -> bytes:
    """A page that shows ``text``, a PDF string with its brackets."""
    objects: dict[int, Any] = {
        1: b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        4: stream(b"BT /F1 12 Tf 60 700 Td %s Tj ET" % text),
        5: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica %s >>" % font,
        **(more or {}),
    }
    return raw(objects)
