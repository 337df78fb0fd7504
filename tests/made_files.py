"""A small real file of every format, made from our own text, with the blocks it must be read as."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage

Blocks = list[tuple[str, str, int | None]]
"""Kind, text and page of every block in order."""

TITLE = "Pump maintenance"
FIRST = "The north pump is checked every Monday. Its seal lasts two years."
NEXT = "Call the service desk before you open the valve."
ITEMS = ("Check the oil.", "Check the seal.")
ROWS = (("part", "life"), ("seal", "2 years"), ("filter", "6 months"))
TABLE = "| part | life |\n| --- | --- |\n| seal | 2 years |\n| filter | 6 months |"
LIST = "- Check the oil.\n- Check the seal."
CODE = "def check(pump):\n    return pump.oil > 0"


@dataclass(frozen=True)
class Made:
    name: str
    data: bytes
    blocks: Blocks
    pages: int = 0


def text() -> Made:
    return Made(
        "pump.txt", f"{TITLE}\n\n{FIRST}\n\n{NEXT}".encode(),
        [("paragraph", TITLE, None), ("paragraph", FIRST, None), ("paragraph", NEXT, None)],
    )  # fmt: skip


def markdown() -> Made:
    source = f"# {TITLE}\n\n{FIRST}\n\n{LIST}\n\n{TABLE}\n\n```\n{CODE}\n```\n\n> {NEXT}"
    return Made(
        "pump.md", source.encode(),
        [
            ("heading", f"# {TITLE}", None), ("paragraph", FIRST, None), ("list", LIST, None), ("table", TABLE, None),
            ("code", f"```\n{CODE}\n```", None), ("quote", f"> {NEXT}", None),
        ],
    )  # fmt: skip


def html() -> Made:
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in ROWS)
    items = "".join(f"<li>{item}</li>" for item in ITEMS)
    source = (
        f"<!doctype html><html><head><title>x</title></head><body><nav>Home | Shop</nav><article><h1>{TITLE}</h1>"
        f"<p>{FIRST}</p><ul>{items}</ul><table>{rows}</table><pre>{CODE}</pre><blockquote>{NEXT}</blockquote></article></body></html>"
    )
    return Made(
        "pump.html", source.encode(),
        [
            ("heading", TITLE, None), ("paragraph", FIRST, None), ("list", LIST, None), ("table", TABLE, None),
            ("code", CODE, None), ("quote", NEXT, None),
        ],
    )  # fmt: skip


def pdf() -> Made:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

    styles, out = getSampleStyleSheet(), io.BytesIO()
    SimpleDocTemplate(out, invariant=1).build(
        [Paragraph(TITLE, styles["Title"]), Paragraph(FIRST, styles["BodyText"]), PageBreak(), Paragraph(NEXT, styles["BodyText"])]
    )  # fmt: skip
    return Made("pump.pdf", out.getvalue(), [("heading", TITLE, 1), ("paragraph", FIRST, 1), ("paragraph", NEXT, 2)], 2)


def word() -> Made:
    from docx import Document

    made, out = Document(), io.BytesIO()
    made.add_heading(TITLE, 1)
    made.add_paragraph(FIRST)
    for item in ITEMS:
        made.add_paragraph(item, style="List Bullet")
    table = made.add_table(rows=0, cols=2)
    for row in ROWS:
        for cell, value in zip(table.add_row().cells, row, strict=True):
            cell.text = value
    made.add_paragraph(NEXT)
    made.save(out)
    return Made(
        "pump.docx", out.getvalue(),
        [("heading", TITLE, None), ("paragraph", FIRST, None), ("list", LIST, None), ("table", TABLE, None), ("paragraph", NEXT, None)],
    )  # fmt: skip


def slides() -> Made:
    from pptx import Presentation

    made, out = Presentation(), io.BytesIO()
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text = TITLE
    slide.placeholders[1].text_frame.text = ITEMS[0]
    slide.placeholders[1].text_frame.add_paragraph().text = ITEMS[1]
    made.save(out)
    return Made("pump.pptx", out.getvalue(), [("heading", TITLE, 1), ("list", LIST, 1)], 1)


def sheet() -> Made:
    from openpyxl import Workbook

    made, out = Workbook(), io.BytesIO()
    made.active.title = TITLE
    for row in ROWS:
        made.active.append(row)
    made.save(out)
    return Made("pump.xlsx", out.getvalue(), [("heading", TITLE, 1), ("table", TABLE, 1)], 1)


def csv() -> Made:
    return Made("pump.csv", "\n".join(",".join(row) for row in ROWS).encode(), [("table", TABLE, None)])


def tsv() -> Made:
    return Made("pump.tsv", "\n".join("\t".join(row) for row in ROWS).encode(), [("table", TABLE, None)])


def json_() -> Made:
    header, *rows = ROWS
    return Made(
        "pump.json",
        json.dumps([dict(zip(header, row, strict=True)) for row in rows]).encode(),
        [("table", TABLE, None)],
    )


def lines() -> Made:
    header, *rows = ROWS
    source = "\n".join(json.dumps(dict(zip(header, row, strict=True))) for row in rows)
    return Made("pump.jsonl", source.encode(), [("table", TABLE, None)])


def code() -> Made:
    return Made("pump.py", f"{CODE}\n".encode(), [("code", CODE, None)])


def mail() -> Made:
    made = EmailMessage()
    made["Subject"], made["From"], made["To"] = TITLE, "ada@example.com", "desk@example.com"
    made.set_content(f"{FIRST}\n\n{NEXT}\n")
    head = "- From: ada@example.com\n- To: desk@example.com"
    return Made(
        "pump.eml", made.as_bytes(),
        [("heading", TITLE, None), ("list", head, None), ("paragraph", FIRST, None), ("paragraph", NEXT, None)],
    )  # fmt: skip


EVERY: tuple[Callable[[], Made], ...] = (
    text, markdown, html, pdf, word, slides, sheet, csv, tsv, json_, lines, code, mail,
)  # fmt: skip


def packed(files: dict[str, bytes]) -> bytes:
    """A zip of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()
