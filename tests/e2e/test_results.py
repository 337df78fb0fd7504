"""The list of hits in a real browser: read, moved through by keyboard, copied, merged, and used to narrow the search.

It fails on any exception, outside request or console error; see ``tests/e2e/browser.py``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from core.ingest import Upload
from core.settings import ChunkSettings
from core.store.duckdb import DuckStore
from core.workspace import Workspace
from tests.e2e.browser import Server, calm, eventually, executable, tab

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")
pytestmark = pytest.mark.skipif(
    executable() is None, reason="no Chromium on this machine: install one, or name it in CHROMIUM"
)

HOSTILE = "<img src=x onerror=window.PWNED=1> $x$ **b**"
DOCUMENTS = {
    "pump.md": (
        f"# Pumps\n\nThe north pump failed in May. It was replaced at once. Costs were low. {HOSTILE} stands here.",
        {"category": "report", "tags": ["north", HOSTILE], "year": 2023},
    ),
    "valve.txt": (
        "The south valve held in June. A pump was near it. Nobody noticed the noise of the pump.",
        {"category": "log", "tags": ["south"], "year": 2024},
    ),
}
QUESTION = "Which pump failed in May?"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("results")
    store = DuckStore(folder / "w.duckdb")
    files = [
        upload
        for name, (text, data) in DOCUMENTS.items()
        for upload in (Upload(name, text.encode()), Upload(f"{name}.meta.json", json.dumps(data).encode()))
    ]
    Workspace(store).add(files, ChunkSettings())
    store.close()
    with Server(folder, CHUNKSCOPE_WORKSPACE=str(folder / "w.duckdb")) as running:
        yield running


@pytest.fixture
def page(server: Server, browser) -> Iterator:
    """A tab after the question."""
    asked = urlencode({"q": QUESTION, "window": 1})
    with tab(server, browser, f"/search?{asked}", ready=".cs-item") as opened:
        yield opened
        assert opened.locator(".cs-list img").count() == 0


def focused(page) -> int:
    """The number of the hit that has the focus."""
    return page.evaluate("() => [...document.querySelectorAll('.cs-item')].indexOf(document.activeElement)")


def copied(page) -> str:
    return page.evaluate("() => navigator.clipboard.readText()")


def summary(page) -> str:
    return page.locator(".st-key-search-summary").inner_text()


def test_words_of_the_question_stand_out_and_the_node_is_marked(page):
    first = page.locator(".cs-item").first
    assert "pump" in first.locator(".cs-text b").all_inner_texts()
    assert first.locator(".cs-text mark").inner_text().startswith("The north pump failed")
    assert HOSTILE in page.locator(".cs-list").inner_text()


def test_hits_are_moved_through_copied_and_opened_by_keyboard(page):
    page.locator(".cs-item").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert focused(page) == 2
    page.keyboard.press("ArrowUp")
    assert focused(page) == 1
    page.keyboard.press("End")
    page.keyboard.press("ArrowDown")
    assert focused(page) == page.locator(".cs-item").count() - 1
    page.keyboard.press("Home")
    assert page.locator(".cs-item[tabindex='0']").count() == 1
    page.keyboard.press("c")
    page.locator(".cs-item").first.get_by_text("Copied").wait_for()
    cited = r"“[^”]*The north pump failed in May\.[^”]*” \(pump\.md, § Pumps, characters \d+–\d+\)"
    assert re.fullmatch(cited, copied(page), re.DOTALL)
    page.keyboard.press("Enter")
    page.wait_for_url("**/windows*")
    calm(page)


def test_a_chip_narrows_the_search_by_keyboard(page):
    log = page.locator(".cs-chip > button", has_text="log").first
    log.focus()
    page.keyboard.press("Enter")
    assert page.locator(".cs-menu:visible").count() == 1
    page.keyboard.press("Escape")
    assert page.locator(".cs-menu:visible").count() == 0
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => document.querySelector('.st-key-search-summary').innerText.includes('5 of 8 nodes match')"
    )
    calm(page)
    assert {text.split("\n")[0] for text in page.locator(".cs-item .cs-name").all_inner_texts()} == {"pump.md"}
    hostile = page.locator(".cs-chip > button", has_text="onerror").first
    hostile.click()
    page.locator(".cs-menu:visible").get_by_text("Only this").click()
    calm(page)
    assert "5 of 8 nodes match" in summary(page)


def test_merged_windows_are_copied_as_the_context_of_a_prompt(page):
    assert re.search(r"merging saves \d+ of \d+ tokens \(MiniLM word pieces\)", summary(page))
    hits = page.locator(".cs-item").count()
    page.get_by_text("Merge overlapping windows").click()
    page.wait_for_function("many => document.querySelectorAll('.cs-item').length < many", arg=hits)
    calm(page)
    assert page.locator(".cs-item .cs-badge").count() == hits
    page.get_by_role("button", name="Copy all").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert re.match(r"\[1(, \d)*\] pump\.md, § Pumps, characters ", copied(page))
    assert copied(page).count("The north pump failed in May.") == 1


def test_a_search_is_saved_and_asked_again(page, server):
    page.get_by_role("button", name="Saved searches").click()
    page.get_by_label("Save this search as").fill("May")
    page.keyboard.press("Enter")
    calm(page)
    page.goto(f"{server.url}/search")
    page.wait_for_selector("h1")
    calm(page)
    page.get_by_role("button", name="May", exact=True).first.click()
    page.wait_for_selector(".cs-item")
    eventually(lambda: page.get_by_label("Question").first.input_value(), QUESTION)


def test_a_filter_that_matches_nothing_offers_the_way_on(page, server):
    every = {"all": [{"category": "log"}, {"year": 2023}, {"field": "ordinal", "op": "<", "value": 9}]}
    page.goto(f"{server.url}/search?{urlencode({'q': 'pump', 'filter': json.dumps(every)})}")
    page.get_by_role("button", name=re.compile("Remove .* match")).first.click()
    page.wait_for_selector(".cs-item")
    calm(page)
