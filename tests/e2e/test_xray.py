"""The filter X-ray in a real browser: the ladders by keyboard and by hand, what if, and a node asked about in its text.

It fails on any exception, outside request or console error; see ``tests/e2e/browser.py``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from tests.e2e.browser import Server, calm, eventually, executable, go, tab

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")
pytestmark = pytest.mark.skipif(
    executable() is None, reason="no Chromium on this machine: install one, or name it in CHROMIUM"
)

QUESTION = "How much did revenue grow in Q1 2026?"
FILTER = {
    "all": [
        {"field": "year", "op": ">=", "value": 2026},
        {"field": "doc_type", "op": "=", "value": "financial_report"},
    ]
}
OPTIONS = "ul => [...ul.children].map(li => [li.classList[1], li.querySelector('.fate').textContent])"
SCROLLED = "() => document.querySelector('.stMain').scrollTop"
LINES = "svg => [...svg.querySelectorAll('path:not(.end)')].map(p => p.classList[0])"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(params=[("light", 1280), ("dark", 1920)], ids=["light", "dark"])
def page(request, server: Server, browser) -> Iterator:
    """A fresh tab on Search with a question under two conditions."""
    scheme, width = request.param
    asked = urlencode({"q": QUESTION, "filter": json.dumps(FILTER), "k": 5})
    with tab(server, browser, f"/search?{asked}", width=width, height=1000, scheme=scheme) as opened:
        opened.get_by_role("listbox", name="Without the filter: 5 hits").wait_for(timeout=120_000)
        calm(opened)
        yield opened


def ladder(page, name: str):
    return page.get_by_role("listbox", name=re.compile(f"^{re.escape(name)}"))


def fates(page, name: str) -> list[list[str]]:
    return ladder(page, name).evaluate(OPTIONS)


def focused(page) -> str:
    """What a screen reader hears of the rung that has the focus."""
    return page.evaluate(
        "() => { let el = document.activeElement; while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement; return el?.ariaLabel ?? '' }"
    )


def test_fates_are_told_by_word_and_each_has_its_line(page):
    left, right = fates(page, "Without the filter"), fates(page, "With the filter")
    assert [fate for fate, _ in left] == ["excluded", "excluded", "displaced", "displaced", "excluded"]
    assert left[0][1] == "struck by year ≥ 2026"
    assert [fate for fate, _ in right] == ["displaced", "displaced", "promoted", "promoted", "promoted"]
    assert (left[2][1], right[0][1]) == ("up to #1", "up from #3")
    assert all(re.fullmatch(r"promoted from #\d+", said) for fate, said in right if fate == "promoted")
    lines = page.locator(".pair svg").evaluate(LINES)
    assert sorted(lines) == sorted(["excluded"] * 3 + ["displaced"] * 2 + ["promoted"] * 3)
    shapes = {
        page.locator(f".rung.{fate} .cs-badge").first.evaluate(
            "e => [e.tagName, getComputedStyle(e).borderStyle, getComputedStyle(e).borderRadius, getComputedStyle(e).clipPath].join()"
        )
        for fate in ("excluded", "displaced", "promoted")
    }
    dashes = {
        page.locator(f".pair path.{fate}").first.evaluate("e => getComputedStyle(e).strokeDasharray")
        for fate in ("excluded", "displaced", "promoted")
    }
    assert len(shapes) == len(dashes) == 3


def test_a_line_ends_where_its_rungs_are_and_follows_the_pages_width(page):
    page.set_viewport_size({"width": 1400, "height": 900})
    calm(page)
    far = page.evaluate(
        """() => { const root = [...document.querySelectorAll('*')].map(e => e.shadowRoot).find(r => r?.querySelector('.pair'));
          const box = root.querySelector('.pair svg').getBoundingClientRect();
          const middle = (ul, at) => { const el = root.querySelector(`[data-ref=${ul}] [data-position="${at}"]`).getBoundingClientRect(); return el.top + el.height / 2 - box.top };
          return [...root.querySelectorAll('.pair path.displaced:not(.end)')].map(p => {
            const start = p.getPointAtLength(0), end = p.getPointAtLength(p.getTotalLength()), at = p.dataset.position;
            return Math.max(Math.abs(start.y - middle('left', at)), Math.abs(end.y - middle('right', at)), box.width - end.x - 8) }) }"""
    )
    assert len(far) == 2
    assert max(far) < 1.5
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(".stMain").evaluate("e => e.scrollWidth <= e.clientWidth")


def test_hover_brings_out_a_hit_on_both_ladders_with_its_line(page):
    ladder(page, "With the filter").get_by_role("option").first.hover()
    assert page.locator(".rung.lit").count() == 2
    assert page.locator(".pair path.lit").count() == 2  # the line and its arrow
    page.mouse.move(3, 3)
    eventually(page.locator(".rung.lit").count, 0)


def test_the_ladders_are_walked_by_keyboard_and_heard(page):
    ladder(page, "Without the filter").get_by_role("option").first.focus()
    assert focused(page).startswith("Rank 1, struck by year ≥ 2026, score 0.706, financial-report-2025-q1.md #4")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert focused(page).startswith("Rank 3, up to #1")
    page.keyboard.press("ArrowRight")
    assert focused(page).startswith("Rank 1, up from #3")
    page.keyboard.press("End")
    assert focused(page).startswith("Rank 5, promoted from")
    page.keyboard.press("ArrowDown")
    assert focused(page).startswith("Rank 5, promoted from")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.locator(".st-key-fate").wait_for()
    calm(page)
    assert "In the answer: hit 1 of 5." in page.locator(".st-key-fate").inner_text()
    assert ladder(page, "With the filter").get_by_role("option", selected=True).count() == 1
    assert focused(page).startswith("Rank 1, up from #3")
    page.keyboard.press("Shift+Tab")
    assert focused(page).startswith("Rank 3, up to #1")


def test_what_if_shows_one_clause_alone_and_all_but_it_at_once(page):
    page.get_by_role("button", name="What if all held but year ≥ 2026").click()
    assert page.locator("[data-ref=rightTitle]").inner_text() == "With all but year ≥ 2026"
    assert [fate for fate, _ in fates(page, "Without the filter")] == ["kept"] * 5
    page.get_by_role("button", name="What if there were only year ≥ 2026").click()
    assert [fate for fate, _ in fates(page, "Without the filter")][:2] == ["excluded", "excluded"]
    assert "With only year ≥ 2026: 5 hits" in page.locator("[data-ref=live]").inner_text()
    page.get_by_role("button", name="Show the whole filter again").click()
    assert page.locator("[data-ref=rightTitle]").inner_text() == "With the filter"
    first = page.locator(".clause").first.inner_text()
    assert "removed 3 of the top 5 · 3 only by it" in first
    assert "alone 181 of 500 nodes (36 %) · without it 76" in first


def test_a_fate_is_told_under_the_filter_that_is_tried_which_can_then_be_used(page):
    page.get_by_role("button", name="What if all held but year ≥ 2026").click()
    ladder(page, "With all but").get_by_role("option").first.click()
    fate = page.locator(".st-key-fate")
    fate.get_by_text("In the answer with all but year ≥ 2026: hit 1 of 5.").wait_for()
    page.get_by_role("button", name="Show the whole filter again").click()
    fate.get_by_text("Not in the answer: the filter rejects it.").wait_for()
    page.get_by_role("button", name="What if all held but year ≥ 2026").click()
    fate.get_by_text("In the answer with all but year ≥ 2026: hit 1 of 5.").wait_for()
    page.locator(".under").get_by_role("button", name="Use this filter").click()
    page.locator(".st-key-search-summary").get_by_text("76 of 500 nodes match").wait_for()
    calm(page)
    assert page.locator("[data-ref=rightTitle]").inner_text() == "With the filter"
    assert page.locator(".clause").count() == 1
    assert page.locator(".under button:visible").count() == 0


def test_choosing_a_rung_leaves_the_ladders_where_they_are(page):
    rung = ladder(page, "Without the filter").get_by_role("option").nth(4)
    before = rung.bounding_box()
    rung.click()
    page.locator(".st-key-fate").get_by_text("Not in the answer:").wait_for()
    calm(page)
    assert (rung.bounding_box(), page.evaluate(SCROLLED)) == (before, 0)
    assert focused(page).startswith("Rank 5, struck by")
    below = page.locator(".st-key-fate").bounding_box()["y"] - (before["y"] + before["height"])
    assert 0 < below < 80  # between the last rung and the fate there is one line


def test_many_rungs_scroll_in_their_own_place_and_the_chosen_one_stays_in_sight(page):
    page.goto(page.url.replace("k=5", "k=20"))
    ladder(page, "Without the filter: 20 hits").wait_for()
    calm(page)
    pair = page.locator(".pair")
    assert pair.evaluate("e => e.scrollHeight > e.clientHeight + 100 && e.clientHeight < 0.6 * innerHeight")
    ladder(page, "Without the filter").get_by_role("option").first.focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.locator(".st-key-fate").wait_for()
    calm(page)
    seen = "e => { const box = e.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight }"
    assert ladder(page, "Without the filter").get_by_role("option").nth(19).evaluate(seen)
    assert page.locator(".st-key-fate").evaluate("e => e.getBoundingClientRect().top < innerHeight - 60")


def test_the_list_says_what_the_ladder_says_of_each_hit(page):
    said = page.locator(".cs-item .cs-fate").all_inner_texts()
    assert said == [words for _, words in fates(page, "With the filter")]
    look = "all => all.map(e => { const s = getComputedStyle(e); return [e.textContent, s.backgroundColor, s.borderRadius, s.clipPath].join() })"
    badges = page.locator("[data-ref=right] .cs-badge").evaluate_all(look)
    assert page.locator(".cs-item .cs-badge").evaluate_all(look) == badges
    assert len({badge.split(",", 1)[1] for badge in badges}) == 2  # displaced, and promoted
    heard = page.locator(".cs-item").first.get_attribute("aria-label")
    assert heard.startswith("Hit 1 (up from #3): financial-report-2026-q1.md")


@pytest.mark.parametrize("page", [("light", 1280)], indirect=True)
def test_the_first_hit_begins_within_about_a_screen(page):
    assert page.locator(".cs-item").first.bounding_box()["y"] < 960


def test_an_excluded_hit_tells_its_value_and_the_filter_that_lets_it_in(page):
    ladder(page, "Without the filter").get_by_role("option").first.click()
    fate = page.locator(".st-key-fate")
    fate.wait_for()
    calm(page)
    assert "struck by year ≥ 2026: year is 2025" in fate.inner_text()
    fate.get_by_role("button", name="Use this filter").click()
    eventually(lambda: fates(page, "Without the filter")[0][1], "kept")
    calm(page)
    assert "In the answer: hit 1 of 5." in fate.inner_text()


def test_a_node_is_asked_about_in_its_text(page):
    go(page, "Windows")
    page.get_by_role("button", name="Why is it not in the answer?").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("What became of api-changelog.md #1").wait_for()
    calm(page)
    assert "struck by year ≥ 2026: year is missing" in dialog.inner_text()
    page.keyboard.press("Escape")
    eventually(dialog.count, 0)


def test_a_hit_is_asked_why_it_is_in_the_answer(page):
    page.locator(".cs-item").first.get_by_role("button", name="Open in text").click()
    page.get_by_role("button", name="Why is it in the answer?").click()
    page.get_by_role("dialog").get_by_text("In the answer: hit 1 of 5.").wait_for()
