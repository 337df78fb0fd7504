"""The filter row in a real browser: few moves, nothing jumps, by hand and by keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from tests.e2e.browser import Server, calm, executable, tab

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")
pytestmark = pytest.mark.skipif(
    executable() is None, reason="no Chromium on this machine: install one, or name it in CHROMIUM"
)
MAIN = '[data-testid="stMain"]'
HOSTILE = "<img src=x onerror='window.PWNED=1'> **b** " * 8


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(params=["light", "dark"])
def page(server: Server, browser, request) -> Iterator:
    with tab(server, browser, width=1280 if request.param == "light" else 1920, scheme=request.param) as opened:
        yield opened


def search(page, server: Server, filter: object = None) -> None:
    told = f"&filter={quote(json.dumps(filter))}" if filter else ""
    page.goto(f"{server.url}/search?q={quote('How much did revenue grow?')}{told}")
    page.wait_for_selector("h1")
    calm(page)


def test_an_equality_is_added_with_three_clicks(page, server: Server) -> None:
    search(page, server)
    page.get_by_role("button", name="Add a filter").click()
    page.locator('[data-testid="stPopoverBody"]').get_by_text("doc_type", exact=True).click()
    calm(page)
    value = page.get_by_role("button", name=re.compile(r"^financial_report · \d+$"))
    count = value.inner_text().split(" · ")[1]
    value.click()
    calm(page)
    assert f"{count} of 500 nodes match" in page.inner_text(MAIN)
    assert page.get_by_role("button", name="doc_type = financial_report", exact=True).count() == 1
    assert page.locator('[data-testid="stPopoverBody"]').count() == 0, "the box has closed"


def test_a_condition_is_chosen_by_keyboard(page, server: Server) -> None:
    search(page, server)
    page.get_by_role("button", name="Add a filter").focus()
    page.keyboard.press("Enter")
    calm(page)
    page.get_by_role("radio", name="category").focus()
    page.keyboard.press("ArrowDown")
    calm(page)
    page.get_by_role("button", name=re.compile("^financial_report · ")).focus()
    page.keyboard.press("Enter")
    calm(page)
    assert page.get_by_role("button", name="doc_type = financial_report", exact=True).count() == 1


def test_boxes_that_open_move_nothing(page, server: Server) -> None:
    search(page, server, {"any": [{"year": 2026}, {"category": "legal"}]})
    before = page.locator(".st-key-search-summary").bounding_box()
    for name in (
        "any of",
        "year = 2026",
        "Add a condition",
        "Text · JSON · SQL",
        "Boosts",
        "Limit",
        "SQL condition",
    ):
        page.get_by_role("button", name=name).first.click()
        calm(page)
        assert page.locator(".st-key-search-summary").bounding_box() == before, name
        box = page.locator('[data-testid="stPopoverBody"]').last.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= page.viewport_size["width"], f"{name} is cut off"
        page.keyboard.press("Escape")
        calm(page)


def test_text_is_typed_and_the_chips_follow(page, server: Server) -> None:
    search(page, server)
    page.get_by_role("button", name="Text · JSON · SQL").click()
    area = page.get_by_label("Filter as text")
    area.fill("category = finance and yaer = 2026")
    area.press("Control+Enter")
    page.get_by_text("Did you mean 'year'").wait_for()
    calm(page)
    assert area.input_value() == "category = finance and yaer = 2026"
    area.fill("category = finance and (year = 2026 or not quarter = Q1)")
    area.press("Control+Enter")
    page.get_by_text("not applied yet").wait_for()
    page.get_by_role("button", name="Apply").first.click()
    calm(page)
    page.keyboard.press("Escape")
    calm(page)
    assert page.get_by_role("button", name="category = finance", exact=True).count() == 1
    assert page.get_by_role("button", name="not quarter = Q1", exact=True).count() == 1


def test_the_limit_is_dragged_with_the_box_open_and_the_cut_is_drawn(page, server: Server) -> None:
    search(page, server)
    page.get_by_role("button", name="Limit", exact=True).click()
    calm(page)
    page.get_by_role("slider", name="Furthest distance").focus()
    for _ in range(30):
        page.keyboard.press("ArrowLeft")
    page.get_by_text(re.compile(r"Leaves \d+ of 500")).wait_for()
    calm(page)
    assert page.locator(".cs-bars i.cs-cut").count() > 0
    in_line(page)
    page.locator('[data-testid="stPopoverBody"]').get_by_text("score", exact=True).first.click()
    calm(page)
    in_line(page)


def in_line(page) -> None:
    """The line in the histogram stands over the slider's thumb."""
    line = page.locator(".cs-bars b").bounding_box()
    thumb = page.locator('[data-testid="stPopoverBody"] input[type="range"]').locator("xpath=../..").bounding_box()
    assert abs(line["x"] + line["width"] / 2 - (thumb["x"] + thumb["width"] / 2)) < 4


def test_a_group_of_any_is_begun_in_the_row_and_its_box_for_the_next_is_open(page, server: Server) -> None:
    search(page, server)
    page.get_by_role("button", name="Any of …").click()
    box = page.locator('[data-testid="stPopoverBody"]')
    for field, value in (("year", "2026"), ("doc_type", "policy")):
        box.get_by_text(field, exact=True).click()
        calm(page)
        page.get_by_role("button", name=re.compile(f"^{value} · ")).click()
        calm(page)
    assert box.count() == 0
    group = page.locator('[class*="st-key-group-0"]')
    assert group.get_by_role("button", name="any of").count() == 1
    assert "year = 2026" in group.inner_text()
    assert "doc_type = policy" in group.inner_text()


def test_a_condition_in_sql_that_is_not_used_leaves_a_mark_that_opens_its_box(page, server: Server) -> None:
    search(page, server)
    page.get_by_role("button", name="SQL condition").click()
    area = page.get_by_label("A condition that must hold beside the filter")
    area.fill("yeer = 3")
    area.press("Control+Enter")
    page.get_by_text("Did you mean 'year'").wait_for()
    page.keyboard.press("Escape")
    calm(page)
    page.get_by_role("button", name="SQL not used").click()
    page.get_by_text("Did you mean 'year'").wait_for()
    assert area.input_value() == "yeer = 3"


def test_a_long_hostile_filter_wraps_and_stays_text(page, server: Server) -> None:
    every = [{"category": HOSTILE}, *({"field": "category", "op": "!=", "value": f"{n} {HOSTILE}"} for n in range(8))]
    search(page, server, {"all": [{"any": every[:4]}, *every[4:]]})
    row = page.locator(".st-key-filter-row")
    main = page.locator(MAIN).bounding_box()
    for chip in row.locator('[class*="st-key-box-"]').all():
        box = chip.bounding_box()
        assert box["x"] + box["width"] <= main["x"] + main["width"]
    assert "<img src=x" in row.inner_text()
