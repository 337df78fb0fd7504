"""Odd metadata in a real browser: looked at before they are stored, mended, told by the linter, and typed anew."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.browser import Server, calm, executable, tab

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")
pytestmark = pytest.mark.skipif(
    executable() is None, reason="no Chromium on this machine: install one, or name it in CHROMIUM"
)

FILES = {
    "harbour.txt": {"category": "Ports", "year": 2023, "published_at": "03/04/2024"},
    "crane.txt": {"category": "ports", "year": "2022"},
    "ferry.txt": {"category": "ports", "year": "soon", "Author": "<b>Bo</b>"},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="module")
def page(server: Server, browser) -> Iterator:
    """One tab for the whole story."""
    with tab(server, browser) as opened:
        yield opened


def cells(page, within: str = "") -> list[str]:
    """The cells of the tables on the page as assistive technology reads them."""
    return page.locator(f'{within} [data-testid="stDataFrame"] canvas [role="gridcell"]').all_text_contents()


def close(page) -> None:
    page.get_by_role("button", name="Close").click()
    calm(page)


def choose(page, what: str, option: str) -> None:
    """Choose in a select box."""
    page.get_by_role("combobox", name=what).click()
    page.get_by_role("option", name=option, exact=True).click()
    calm(page)


def fits(page) -> bool:
    """Whether nothing scrolls sideways."""
    return page.evaluate(
        """() => [document.documentElement, ...document.querySelectorAll('[data-testid=stMain], [role=dialog]')]
                 .every(e => e.scrollWidth <= e.clientWidth + 1)"""
    )


def test_a_drop_with_odd_metadata_waits_until_it_is_looked_at(page, tmp_path: Path) -> None:
    for name, metadata in FILES.items():
        (tmp_path / name).write_text(f"This is {name}. It is short.")
        (tmp_path / f"{name}.meta.json").write_text(json.dumps(metadata))
    page.locator("summary", has_text="Add documents").click()
    page.locator("input[type=file]").set_input_files([str(path) for path in tmp_path.iterdir()])
    calm(page)
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_text("3 documents to add: 4 things to look at first").wait_for(timeout=60_000)
    calm(page)
    assert fits(page)
    assert "Nothing is stored yet." in page.inner_text('[data-testid="stMain"]')
    assert page.get_by_role("combobox", name="What to do with year").input_value() == "Hold it as an integer"


def until(true, seconds: float = 30.0) -> None:
    """Wait for what the browser draws when it comes to it."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_what_a_fix_changes_is_seen_before_it_is_taken(page) -> None:
    fix = page.get_by_text('In "category", write "Ports" as "ports"')
    item = page.locator('[data-testid="stVerticalBlock"]', has=fix).last
    item.get_by_text("What changes").click()
    calm(page)
    until(lambda: '"Ports"' in cells(page))
    fix.click()
    calm(page)
    choose(page, "What to do with Author", 'Rename "Author" to "author"')
    page.get_by_text("Day first", exact=True).click()
    calm(page)


def test_one_click_goes_on_and_the_table_shows_the_result(page) -> None:
    page.get_by_role("button", name="Add 3 documents with 4 fixes").click()
    page.get_by_text("3 added").first.wait_for(timeout=60_000)
    calm(page)
    shown = cells(page)
    assert shown.count("ports") == 3
    assert "Ports" not in shown
    assert any("2024-04-03" in cell for cell in shown)


def test_the_linter_tells_what_is_left_and_the_schema_takes_it(page) -> None:
    page.get_by_role("button", name="Fix 1 problem").click()
    page.get_by_role("dialog").wait_for()
    calm(page)
    assert '"year" does not hold "soon"' in page.get_by_role("dialog").inner_text()
    close(page)

    page.get_by_role("button", name=re.compile("^.*Fields")).click()
    page.get_by_role("dialog").wait_for()
    calm(page)
    names = cells(page, '[role="dialog"]')
    assert {"year", "author"} <= set(names)
    row = [name for name in names if name in ("year", "author", "category", "published_at")].index("year")
    pick(page, row)
    choose(page, "Type", "string")
    assert "As a string, 3 of 3 values would fit." in page.get_by_role("dialog").inner_text()
    page.get_by_role("button", name="Apply").click()
    calm(page)
    assert "“year” is a string now." in page.get_by_role("dialog").inner_text()
    assert fits(page)
    close(page)
    assert page.get_by_role("button", name="Check metadata").count() == 1


def pick(page, row: int) -> None:
    """Tick a row of the dialog's table."""
    box = page.locator('[role="dialog"] [data-testid="stDataFrame"]').first.bounding_box()
    page.mouse.click(box["x"] + 16, box["y"] + 54 + 35 * row)
    calm(page)


def test_a_dialog_that_was_closed_stays_closed(page) -> None:
    page.get_by_role("button", name="Check metadata").click()
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    calm(page)
    page.locator("summary", has_text="Add documents").click()
    page.get_by_text("Paste text", exact=True).click()
    calm(page)
    assert page.get_by_role("dialog").count() == 0
