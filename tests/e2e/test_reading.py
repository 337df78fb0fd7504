"""Documents of many formats in a real browser: in one drop, looked at, read again, taken out and brought back.

It fails on any exception, outside request or console error; see ``tests/e2e/browser.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import made_files
from tests.e2e.browser import Server, calm, executable, go, tab

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")
pytestmark = pytest.mark.skipif(
    executable() is None, reason="no Chromium on this machine: install one, or name it in CHROMIUM"
)

UMLAUTS = "Größe und Übermaß stehen fest. Das Gerät läuft täglich."
NOTES = b"# Notes\n\nThe zip brought this. <script>window.PWNED=1</script> It stays text.\n"
SUMMARY = f"{made_files.TITLE}. Table of part, life. 2 rows: seal, 2 years; filter, 6 months"
ROW = 35  # pixels of a table's header and of each of its rows


@pytest.fixture
def page(tmp_path_factory: pytest.TempPathFactory, browser) -> Iterator:
    """A tab on the app, fresh as on the first start."""
    with Server(tmp_path_factory.mktemp("data")) as server, tab(server, browser, height=1000) as opened:
        yield opened


def drop(page, folder: Path, files: dict[str, bytes]) -> None:
    """Drop files, and wait until they are in."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    page.locator("summary", has_text="Add documents").click()
    page.locator("input[type=file]").set_input_files([str(folder / name) for name in files])
    calm(page)
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name=re.compile(r"^Add \d+ documents")).click(timeout=90_000)  # its metadata are new
    page.get_by_text(re.compile(r"^\d+ added")).first.wait_for(timeout=90_000)
    calm(page)


def choose(page, row: int) -> None:
    """Click a row of the table of documents: it is drawn on a canvas, so by its place."""
    grid = page.locator('[data-testid="stDataFrame"]').first
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    page.mouse.click(box["x"] + 80, box["y"] + ROW * row + ROW * 1.5)  # its name
    calm(page)


def look_at(page, view: str) -> None:
    page.get_by_role("radio", name=view, exact=True).or_(
        page.get_by_role("button", name=view, exact=True)
    ).first.click()
    calm(page)


def body(page) -> str:
    """The text of the opened document, as it is drawn."""
    return " ".join(" ".join(page.locator(".cs-block .cs-body").all_inner_texts()).split())


def pages(page) -> list[str]:
    """The page marks beside the opened document's blocks."""
    said = page.locator(".cs-block .cs-kind").all_inner_texts()
    return [text.split("\n")[1] for text in said if "\n" in text.strip()]


def test_many_formats_in_one_drop_looked_at_read_again_and_brought_back(page, tmp_path: Path) -> None:
    packed = made_files.packed(
        {"notes.md": NOTES, "notes.md.meta.json": b'{"category": "zipped", "year": 2024}', "broken.pdf": b"no pdf"}
    )
    made = (made_files.pdf(), made_files.word(), made_files.html(), made_files.sheet())
    drop(page, tmp_path, {m.name: m.data for m in made} | {"wide.txt": UMLAUTS.encode("cp1252"), "more.zip": packed})
    names = ["notes.md", "pump.docx", "pump.html", "pump.pdf", "pump.xlsx", "wide.txt"]

    # Six are in, the one that is broken is named with its reason.
    main = page.inner_text('[data-testid="stMain"]')
    assert "6 added, 1 failed" in main
    assert "6 documents" in main
    failed = page.locator(".cs-failed + div").inner_text()
    assert "broken.pdf" in failed
    assert "no PDF" in failed
    assert re.search(r"pump\.pdf\s+2 pages · 4 nodes", main)
    assert "German text, and all-MiniLM-L6-v2 reads English only" in main

    # The PDF: its pages beside the text.
    choose(page, names.index("pump.pdf"))
    assert "PDF · 2 pages" in page.inner_text('[data-testid="stMain"]')
    assert pages(page) == ["p. 1", "p. 2"]
    assert body(page) == f"{made_files.TITLE} {made_files.FIRST} {made_files.NEXT}"

    # What came out of the zip brought its sidecar, and is text.
    choose(page, names.index("notes.md"))
    assert "<script>window.PWNED=1</script> It stays text." in body(page)
    assert page.evaluate("() => window.PWNED") is None

    # A text in an old encoding, read again in another one and back.
    choose(page, names.index("wide.txt"))
    assert body(page) == UMLAUTS
    look_at(page, "How it was read")
    for label, text in (
        ("Cyrillic (Windows-1251)", UMLAUTS.encode("cp1252").decode("cp1251")),
        ("Western European (Windows-1252)", UMLAUTS),
    ):
        page.get_by_role("combobox", name="Encoding").click()
        page.keyboard.type(label)
        page.get_by_role("option", name=label).click()
        page.get_by_role("button", name="Read again").click()
        page.locator(".cs-replaced").first.wait_for(timeout=30_000)
        calm(page)
        look_at(page, "Text")
        assert body(page) == text
        look_at(page, "How it was read")
    look_at(page, "Text")

    # Out, and back as it was.
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_text("wide.txt was deleted.").wait_for()
    calm(page)
    assert "5 documents" in page.inner_text('[data-testid="stMain"]')
    page.mouse.move(640, 20)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("wide.txt was deleted.").wait_for(state="detached")
    calm(page)
    assert "6 documents" in page.inner_text('[data-testid="stMain"]')
    choose(page, names.index("wide.txt"))
    assert body(page) == UMLAUTS

    # A table in the viewer: the node is the table, what is embedded is its summary.
    choose(page, names.index("pump.xlsx"))
    page.get_by_role("button", name="Open in Windows").click()
    page.get_by_text(re.compile("node 1 of 2")).first.wait_for(timeout=60_000)
    calm(page)
    page.get_by_role("button", name=re.compile("^Next")).click()
    page.get_by_text(re.compile("node 2 of 2")).first.wait_for()
    assert page.locator('[data-ref="embeddedText"]').inner_text() == SUMMARY
    assert "| seal | 2 years |" in page.locator('[data-ref="returnedText"]').inner_text()
    assert "".join(page.locator(".doc .block.table .n").all_text_contents()) == made_files.TABLE

    # The PDF in the viewer: marks where its pages begin.
    page.locator('[data-testid="stMain"]').get_by_role("combobox").first.click()
    page.get_by_role("option", name="pump.pdf").click()
    page.locator('.doc [data-page="2"]').wait_for(timeout=30_000)
    calm(page)
    marks = page.locator(".doc [data-page]").evaluate_all(
        "all => all.map(el => [el.dataset.page, getComputedStyle(el, '::before').content + getComputedStyle(el, '::after').content])"
    )
    assert [number for number, _ in marks] == ["1", "2"]
    assert all(number in drawn or "attr(data-page)" in drawn for number, drawn in marks), marks

    # The way from the table to Undo is free: nothing of the table's lies over it.
    go(page, "Documents")
    choose(page, names.index("notes.md"))
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_text("notes.md was deleted.").wait_for()
    calm(page)
    box = page.get_by_role("button", name="Undo").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y + 110)
    page.wait_for_timeout(400)
    page.mouse.move(x, y, steps=12)
    page.wait_for_timeout(400)
    page.mouse.click(x, y)
    calm(page)
    assert page.get_by_text("notes.md was deleted.").count() == 0
