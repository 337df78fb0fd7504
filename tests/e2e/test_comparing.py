"""Comparing two settings in a real browser: pin, move, read, ask, build.

With ``CHUNKSCOPE_PICTURES=docs/pictures`` it also makes pictures, light and dark.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.e2e.browser import ROOT, Server, calm, executable, go, tab

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")
pytestmark = pytest.mark.skipif(
    executable() is None, reason="no Chromium on this machine: install one, or name it in CHROMIUM"
)

TABLE = ".cs-compared tbody tr"
QUESTION = "What is the refund policy?"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(params=[("light", 1280), ("dark", 1920)], ids=["light", "dark"])
def page(request, server: Server, browser) -> Iterator:
    scheme, width = request.param
    with tab(server, browser, "/windows", width=width, scheme=scheme, ready=TABLE) as opened:
        yield opened


def picture(page, name: str) -> None:
    """Keep a picture of the comparison, where pictures are asked for."""
    folder = os.environ.get("CHUNKSCOPE_PICTURES")
    if folder:
        page.evaluate(
            """() => { const main = document.querySelector('.stMain');
                       main.scrollTop += document.querySelector('.cs-compared').getBoundingClientRect().top - 130; }"""
        )
        calm(page)
        path = ROOT / folder / f"{name}-{page.viewport_size['width']}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path)


def rows(page) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(TABLE).all_inner_texts()]


def longer(page, steps: int) -> None:
    """Move the slider of the node's size."""
    page.get_by_role("slider", name="Sentences per node").first.focus()
    for _ in range(steps):
        page.keyboard.press("ArrowRight")
    calm(page)


def side(page, number: int) -> object:
    """The column of A, or of B."""
    return page.locator('[data-testid="stColumn"]', has=page.locator(".cs-side")).nth(number)


def fits(page) -> bool:
    """Nothing on the page is wider than the page."""
    return page.evaluate(
        """() => { const main = document.querySelector('.stMain'), edge = main.getBoundingClientRect().right;
                   return main.scrollWidth <= main.clientWidth
                       && [...document.querySelectorAll('.cs-compared, .cs-both')].every(e => e.getBoundingClientRect().right <= edge); }"""
    )


def test_two_settings_are_compared_and_a_question_is_asked_of_both(page):
    size = {1280: 2, 1920: 3}[page.viewport_size["width"]]  # an index of its own to build
    assert len(rows(page)) == 1
    assert "nodes of 1 sentence" in rows(page)[0]
    top = page.locator('[data-testid="stMain"] iframe, .st-key-viewer').first.bounding_box()
    page.get_by_role("button", name="Pin as A").click()
    calm(page)
    assert page.locator('[data-testid="stMain"] iframe, .st-key-viewer').first.bounding_box() == top, "the text jumped"
    longer(page, size - 1)
    a, b = rows(page)
    assert a.startswith("A nodes of 1 sentence")
    assert b.startswith(f"B nodes of {size} sentences")
    assert "▲ better" in b
    assert page.locator(".cs-bars[role=img]").count() == 2
    assert all(box.bounding_box()["height"] > 2 for box in page.locator(".cs-bar-b[title*='with']").all() if box.is_visible())  # fmt: skip
    assert fits(page)

    page.get_by_label("Question", exact=True).fill(QUESTION)
    page.keyboard.press("Enter")
    calm(page)
    assert side(page, 0).locator(".cs-hit").count() == 5
    assert side(page, 1).locator(".cs-hit").count() == 0
    side(page, 1).get_by_role("button", name="Build B").click()
    side(page, 1).locator(".cs-hit").first.wait_for(timeout=180_000)
    calm(page)
    assert side(page, 1).locator(".cs-hit").count() == 5
    assert "also #" in side(page, 0).inner_text()
    assert "in A" in side(page, 1).inner_text()
    assert "tokens returned in 5 windows" in side(page, 1).inner_text()
    assert fits(page)
    picture(page, "comparing")

    side(page, 1).get_by_role("button", name="Open in text").first.click()
    calm(page)
    chosen = page.locator('[data-testid="stMain"] [data-testid="stSelectbox"] input').first
    assert chosen.get_attribute("aria-label") is not None
    assert "billing-faq.md" in page.locator('[data-testid="stMain"]').inner_text()
    go(page, "Settings")
    go(page, "Windows")
    assert len(rows(page)) == 2, "what was compared is still there"
    assert page.get_by_label("Question", exact=True).input_value() == QUESTION


def test_a_preset_is_chosen_as_a_and_swapped_into_the_hand(page):
    page.get_by_role("combobox", name="Choose A").click()
    page.get_by_role("option", name="preset Fixed 250/125").click()
    page.locator(TABLE).nth(1).wait_for()
    calm(page)
    assert rows(page)[0].startswith("A nodes of 250 tokens, 125 shared")
    page.get_by_role("button", name="Swap A and B").click()
    calm(page)
    a, b = rows(page)
    assert a.startswith("A nodes of 1 sentence")
    assert b.startswith("B nodes of 250 tokens, 125 shared")
    assert "▲ better" in b, "its windows share less"
    assert (
        "nodes of 250 tokens, 125 shared" in page.locator('[data-testid="stMain"]').inner_text().split("Statistics")[0]
    )
    assert fits(page)
