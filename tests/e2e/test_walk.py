"""The main job in a real browser: documents in, windows on the text, filtered search, a map, an evaluation.

It fails on any exception, outside request or console error but the two that Streamlit itself makes on deep links.
With ``CHUNKSCOPE_PICTURES=docs/pictures`` it also makes the README's pictures.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.browser import ROOT, Server, calm, eventually, executable, go, tab

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")
pytestmark = pytest.mark.skipif(
    executable() is None, reason="no Chromium on this machine: install one, or name it in CHROMIUM"
)

REPORT = (
    "The harbour opened a second quay in spring. Revenue rose by 15 % over the year before. "
    "Most of it came from container fees. Costs stayed where they were. 🚢 Ferries carried more people than ever. "
    "The outlook for summer is good."
)
UGLY = "Price is $5 and $6. <script>window.PWNED=1</script> **not bold** `code` [a](javascript:alert(1)). \u202eRight to left. 日本語の文。 The end."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture
def page(server: Server, browser) -> Iterator:
    with tab(server, browser) as opened:
        yield opened


def picture(page, name: str) -> None:
    """Keep a picture of the page, where pictures are asked for."""
    folder = os.environ.get("CHUNKSCOPE_PICTURES")
    if folder:
        page.mouse.move(1270, 890)
        page.evaluate("() => document.activeElement?.blur()")
        path = ROOT / folder / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path)


def marked(page, look: str) -> str:
    """The text under one of the viewer's marks, in order: ``.w`` the window, ``.n`` the node."""
    return page.evaluate(
        """look => [...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(r => r?.querySelector('.doc'))
                    .map(r => [...r.querySelectorAll('.doc ' + look)].map(e => e.textContent).join('')).join('')""",
        look,
    )


def shown_window(page) -> str:
    return marked(page, ".w")


def shown_node(page) -> str:
    return marked(page, ".n")


def choose_document(page, name: str) -> None:
    page.locator('[data-testid="stMain"]').get_by_role("combobox").first.click()
    page.get_by_role("option", name=name).click()
    calm(page)


def test_the_sample_can_be_looked_at_searched_mapped_and_measured(page) -> None:
    assert "19 documents" in page.inner_text("body")
    picture(page, "documents")

    go(page, "Search")
    page.get_by_role("button", name="What is the refund policy?").click()
    page.wait_for_selector(".cs-hit", timeout=60_000)
    calm(page)
    assert "billing-faq.md" in page.locator(".cs-hit").first.inner_text()

    page.get_by_role("button", name="Sample traps").click()
    page.get_by_role("button", name="Try it").last.click()
    calm(page)
    page.keyboard.press("Escape")
    calm(page)
    assert "181 of 500 nodes match" in page.inner_text('[data-testid="stMain"]')
    assert page.locator(".cs-filled").first.locator("mark").inner_text().startswith("Revenue")
    picture(page, "search")

    go(page, "Map")
    page.wait_for_selector(".js-plotly-plot .legendtext")
    calm(page)
    legend = page.locator(".legendtext").all_text_contents()
    assert any(text.startswith("excluded by the filter") for text in legend)
    assert any(text.startswith("in both searches") for text in legend)
    picture(page, "map")

    go(page, "Evaluate")
    page.get_by_role("button", name=re.compile("^Measure|Measure 45")).click()
    page.get_by_text("Hit rate and MRR by window").wait_for(timeout=60_000)
    calm(page)
    assert "0.933" in page.inner_text('[data-testid="stMain"]')
    picture(page, "evaluate")

    go(page, "Settings")
    assert "all-MiniLM-L6-v2" in page.inner_text('[data-testid="stMain"]')


def test_from_upload_to_map(page, tmp_path: Path) -> None:
    files = {
        "harbour.txt": REPORT.encode(),
        "harbour.txt.meta.json": json.dumps(
            {"category": "ports", "tags": ["quay"], "published_at": "2026-05-01"}
        ).encode(),
        "ugly.md": UGLY.encode(),
        "broken.txt": b"\x00\x01binary",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)

    # Documents in: into a workspace of their own, the bad file by name with the reason.
    page.locator("summary", has_text="Add documents").click()
    page.locator("input[type=file]").set_input_files([str(tmp_path / name) for name in files])
    calm(page)
    assert page.get_by_label("Into the new workspace").input_value() == "my-documents"
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_text("2 added, 1 failed").first.wait_for(timeout=90_000)
    calm(page)
    main = page.inner_text('[data-testid="stMain"]')
    assert "failed\nbroken.txt" in main
    assert "control characters" in main
    assert "2 documents" in main

    # Windows on the text: the slider in the viewer redraws while it moves; a click selects a node.
    go(page, "Windows")
    slider = page.get_by_label("Window, sentences on each side")
    eventually(lambda: shown_node(page), "The harbour opened a second quay in spring.")
    slider.focus()
    page.keyboard.press("Home")
    eventually(lambda: shown_window(page), "The harbour opened a second quay in spring.")
    page.keyboard.press("ArrowRight")
    assert shown_window(page).endswith("Revenue rose by 15 % over the year before.")
    page.get_by_text("Costs stayed where they were.").first.click()
    assert shown_node(page) == "Costs stayed where they were."
    assert shown_window(page).startswith("Most of it came from container fees.")
    assert "Ferries carried more people than ever." in shown_window(page)
    page.get_by_text("The outlook for summer is good.").first.click()
    assert shown_node(page) == "The outlook for summer is good."
    calm(page)

    # Sentences per node: a draft at once, an index when it is built.
    page.get_by_role("slider", name="Sentences per node").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name=re.compile("Build this index")).wait_for()
    calm(page)
    page.get_by_role("button", name=re.compile("Build this index")).click()
    page.get_by_text("This index is built and in use").wait_for(timeout=60_000)
    calm(page)

    # Search with a filter.
    go(page, "Search")
    assert "Window" in page.inner_text('[data-testid="stMain"]')
    page.get_by_label("Question").fill("How much did revenue grow?")
    page.get_by_label("Question").press("Enter")
    page.wait_for_selector(".cs-hit", timeout=60_000)
    calm(page)
    page.get_by_role("button", name="Add a filter").click()
    page.get_by_role("button", name=re.compile("^ports · ")).click()
    calm(page)
    main = page.inner_text('[data-testid="stMain"]')
    assert "3 of" in main
    assert "Revenue rose by 15 %" in page.locator(".cs-filled").first.inner_text()
    assert all("harbour.txt" in text for text in page.locator(".cs-filled").all_inner_texts())
    assert page.evaluate("() => window.PWNED") is None

    # The hit in its text, and on the map.
    page.get_by_role("button", name="Open in text").last.click()
    calm(page)
    assert shown_node(page)
    go(page, "Map")
    page.wait_for_selector(".js-plotly-plot .legendtext")
    calm(page)
    assert any("only without" in t or "in both" in t for t in page.locator(".legendtext").all_text_contents())


def test_hostile_text_stays_text(page) -> None:
    """The document that the walk above brought in, as the viewer shows it."""
    go(page, "Windows")
    choose_document(page, "ugly.md")
    page.wait_for_function(
        """text => [...document.querySelectorAll('*')].map(e => e.shadowRoot)
                    .some(r => r?.querySelector('.doc')?.textContent === text)""",
        arg=UGLY,
    )
    assert page.evaluate("() => window.PWNED") is None


def test_a_pinned_place_can_be_linked_to(page, server: Server) -> None:
    """A link brings back document, node, window and question in a new tab."""
    page.goto(f"{server.url}/windows?window=3&node=2&nodes=2-1-0")
    page.get_by_text("node 3 of").first.wait_for(timeout=60_000)
    calm(page)
    assert page.get_by_label("Window, sentences on each side").input_value() == "3"
    assert page.get_by_role("slider", name="Sentences per node").input_value() == "2"


def test_the_windows_page_by_hand(page) -> None:
    """The picture for the README: the sample, a window in the middle of a text."""
    page.get_by_role("button", name="my-documents").click()
    page.get_by_role("button", name="sample", exact=True).click()
    calm(page)
    page.keyboard.press("Escape")
    go(page, "Windows")
    choose_document(page, "product-faq.md")
    for _ in range(10):
        page.get_by_role("button", name=re.compile("^Next")).click()
    calm(page)
    assert "11 of" in page.locator("text=/node 11 of/").first.inner_text()
    assert len(shown_window(page)) > len(shown_node(page)) > 0
    picture(page, "windows")
