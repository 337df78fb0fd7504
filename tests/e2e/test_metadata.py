"""Metadata in a real browser: narrowed by a facet, changed in a cell, in many rows and in the form, and taken back.

It fails on any exception, outside request or console error; see ``tests/e2e/browser.py``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.e2e.browser import Server, calm, executable, go, tab

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")
pytestmark = pytest.mark.skipif(
    executable() is None, reason="no Chromium on this machine: install one, or name it in CHROMIUM"
)

ROW = 35  # pixels of the table's header and of each of its rows
TICK, NAME, CATEGORY = 18, 90, 340  # pixels from the table's left edge into a column
FINANCE = ["financial-report-2024-annual.md", "financial-report-2025-q1.md", "financial-report-2026-q1.md"]


@pytest.fixture
def page(tmp_path_factory: pytest.TempPathFactory, browser) -> Iterator:
    """A tab on the sample, fresh as on the first start."""
    with Server(tmp_path_factory.mktemp("data")) as server, tab(server, browser, height=1000) as opened:
        opened.get_by_role("button", name="Got it").click()
        calm(opened)
        yield opened


def at(page, column: int, row: int) -> tuple[float, float]:
    """The middle of a cell of the table: it is drawn on a canvas, so by its place."""
    box = page.locator('[data-testid="stDataFrame"]').first.bounding_box()
    return box["x"] + column, box["y"] + ROW * row + ROW * 1.5


def says(page, text: str) -> None:
    page.get_by_text(text, exact=True).first.wait_for(timeout=30_000)
    calm(page)


def undo(page) -> None:
    page.mouse.move(640, 20)
    page.get_by_role("button", name="Undo").click()
    calm(page)


def matches(page, filter: dict, count: int) -> None:
    """A search under a filter finds so many nodes."""
    go(page, "Search")
    page.get_by_label("Question").fill("How much did revenue grow?")
    page.get_by_label("Question").press("Enter")
    calm(page)
    page.get_by_role("button", name="Text · JSON · SQL").click()
    calm(page)
    page.get_by_role("tab", name="JSON").click()
    page.get_by_label("Filter as JSON").fill(json.dumps(filter))
    page.get_by_role("tabpanel").filter(has=page.get_by_label("Filter as JSON")).get_by_role(
        "button", name="Apply"
    ).click()
    calm(page)
    page.keyboard.press("Escape")
    page.get_by_text(f"{count} of 500 nodes match").first.wait_for(timeout=30_000)


def test_metadata_are_narrowed_to_changed_searched_by_and_put_back(page) -> None:
    # A facet narrows the list; the others count under it.
    page.get_by_text("finance · 3", exact=True).click()
    says(page, "3 of 19")
    assert page.get_by_text("financial_report · 3", exact=True).count() == 1
    assert page.get_by_text("faq · 0", exact=True).count() == 0

    # One cell, where it stands. The row stays in sight.
    page.mouse.dblclick(*at(page, CATEGORY, 0))
    editor = page.locator("textarea.gdg-input")
    editor.wait_for(timeout=10_000)
    editor.fill("money")
    page.keyboard.press("Enter")
    says(page, f"category changed in {FINANCE[0]}")
    says(page, "3 of 19")
    assert page.get_by_text("finance · 2", exact=True).count() == 1

    # Two of the three rows get a word more.
    for row in (0, 2):
        page.mouse.click(*at(page, TICK, row))
        calm(page)
    page.get_by_role("button", name="Edit 2 documents").click()
    calm(page)
    page.get_by_role("combobox", name="Field").click()
    page.get_by_role("option", name="tags").click()
    calm(page)
    page.get_by_label("Words to add").click()
    page.keyboard.type("checked", delay=20)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Apply to 2 documents").click()
    says(page, "tags changed in 2 documents")
    assert page.get_by_role("button", name="Apply to").count() == 0, "the panel closes"
    assert page.get_by_text("checked · 1", exact=True).count() == 1, "of those two, one is still about finance"

    # The search knows both at once.
    matches(page, {"category": "money"}, 26)
    matches(page, {"field": "tags", "op": "contains_any", "value": ["checked"]}, 51)

    # The form beside the text knows, too, and changes one value more.
    go(page, "Documents")
    assert page.get_by_text("3 of 19", exact=True).count() == 1, "the choice outlives the page"
    page.mouse.click(*at(page, NAME, 0))
    page.get_by_role("heading", name=FINANCE[0]).wait_for()
    calm(page)
    form = page.locator('[data-testid="stForm"]').last
    assert form.get_by_role("combobox", name="category").input_value() == "money"
    author = form.get_by_role("combobox", name="author")
    author.scroll_into_view_if_needed()
    author.click()
    page.keyboard.type("Ada", delay=20)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Save").click()
    says(page, f"author changed in {FINANCE[0]}")
    assert author.input_value() == "Ada"

    # All of it back, step by step.
    undo(page)
    says(page, "tags changed in 2 documents")
    undo(page)
    says(page, f"category changed in {FINANCE[0]}")
    undo(page)
    assert page.get_by_role("button", name="Undo").count() == 0
    assert page.get_by_text("finance · 3", exact=True).count() == 1
    matches(page, {"field": "tags", "op": "contains_any", "value": ["checked"]}, 0)
