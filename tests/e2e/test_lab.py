"""The draft in a real browser: a strategy chosen, sizes set by keyboard, nodes seen to change, the index built and searched.

It fails on any exception, outside request or console error; see ``tests/e2e/browser.py``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import chunk
from core.embed import encoder
from core.powers import ModelPowers
from core.settings import ChunkSettings, Strategy, Unit
from core.store.base import Passage
from tests.e2e import viewer
from tests.e2e.browser import Server, calm, executable, go

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")
pytestmark = pytest.mark.skipif(
    executable() is None, reason="no Chromium on this machine: install one, or name it in CHROMIUM"
)

PROSE = "\n\n".join(
    f"# Part {part}\n\n"
    + " ".join(f"The valve of part {part} was opened {number} times before it failed." for number in range(1, 25))
    for part in range(1, 6)
)
FIXED = chunk.DEFAULTS[Strategy.FIXED]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="module")
def passage(folder: Path) -> Passage:
    return viewer.store_of(folder / "w.duckdb", {"prose.md": PROSE.encode()}, indexed=True)["prose.md"]


@pytest.fixture(scope="module")
def server(folder: Path, passage) -> Iterator[Server]:
    with Server(folder, CHUNKSCOPE_WORKSPACE=str(folder / "w.duckdb")) as running:
        yield running


@pytest.fixture
def page(server: Server, browser) -> Iterator:
    with viewer.tab(server, browser) as opened:
        yield opened


def strategy(page, name: str) -> None:
    page.locator('[data-testid="stSidebar"]').get_by_role("combobox", name=re.compile("Strategy")).click()
    page.get_by_role("option", name=name, exact=True).click()
    calm(page)


def press(page, slider: str, *keys: str) -> None:
    """Move a slider of the sidebar by keyboard."""
    page.locator('[data-testid="stSidebar"]').get_by_role("slider", name=slider).focus()
    for key in keys:
        page.keyboard.press(key)
    calm(page)


def top(page, label: str) -> float:
    """Where a slider stands on the screen."""
    return page.get_by_role("slider", name=re.compile(label)).first.bounding_box()["y"]


def marked(page) -> tuple[int, int]:
    """Where the node in hand begins and ends; what lies between blocks is not marked."""
    spans = viewer.spans(page, "n")
    return spans[0][0], spans[-1][1]


def second_node(passage: Passage, settings: ChunkSettings) -> tuple[int, int]:
    node = chunk.nodes(passage, settings, ModelPowers(encoder(), None))[1]
    start, end = viewer.units(passage.document.text, node.start, node.end)
    return start, end


def test_fixed_nodes_are_chosen_dragged_seen_built_and_searched(page, passage):
    strategy(page, "Fixed size")
    viewer.focus_text(page)
    page.keyboard.press("j")
    assert marked(page) == second_node(passage, FIXED)
    press(page, "Overlap", *["ArrowLeft"] * 8)
    page.get_by_text("20 % · 50 tokens shared").wait_for()
    calm(page)
    fewer = ChunkSettings(250, 50, strategy=Strategy.FIXED, unit=Unit.TOKENS)
    viewer.focus_text(page)
    page.keyboard.press("j")  # the first node holds the place where the second began
    assert marked(page) == second_node(passage, fewer)
    page.get_by_role("button", name=re.compile("Build this index")).click()
    page.get_by_text("This index is built and in use").wait_for(timeout=120_000)
    calm(page)
    go(page, "Search")
    page.get_by_label("Question").first.fill("How often was the valve opened?")
    page.keyboard.press("Enter")
    calm(page)
    assert page.locator(".cs-hit").count() > 0
    in_use = page.locator('[data-testid="stSidebar"]').get_by_role("combobox", name=re.compile("Index in use"))
    assert in_use.input_value().startswith("fixed-250-tokens-overlap-50")


def test_every_step_of_the_size_is_reached_by_keyboard_and_by_typing(page):
    strategy(page, "Recursive")
    press(page, "Size, tokens at most", "ArrowRight")
    number = page.get_by_label("Size in numbers")
    assert number.input_value() == "210"
    number.fill("1234")
    number.press("Enter")
    calm(page)
    slider = page.get_by_role("slider", name="Size, tokens at most")
    assert slider.input_value() == "1234"
    page.get_by_text("The model reads 254 tokens").wait_for()
    press(page, "Size, tokens at most", "ArrowLeft")
    assert number.input_value() == slider.input_value() == "1233"


def test_no_step_is_lost_while_a_key_is_held(page):
    """What Python says while a hand is still moving does not take the slider out of it."""
    strategy(page, "Code")
    slider = page.get_by_role("slider", name="Overlap")
    slider.focus()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(45)
    calm(page)
    page.get_by_text("40 % · 100 tokens shared").wait_for()
    assert slider.input_value() == "40"
    calm(page)
    go(page, "Settings")
    assert page.get_by_role("slider", name="Overlap").input_value() == "40"
    go(page, "Windows")
    assert page.get_by_role("slider", name="Overlap").input_value() == "40"


def test_the_size_keeps_its_place_whatever_the_strategy(page):
    places = set()
    for name in ("Fixed size", "Recursive", "Semantic", "Sections", "Code"):
        strategy(page, name)
        places.add(round(top(page, "Size, tokens at most")))
    assert len(places) == 1
    strategy(page, "Sentence window")
    assert abs(top(page, "Sentences per node") - places.pop()) < 12


def test_the_mark_of_the_usual_overlap_lies_below_the_track_at_its_place(page):
    strategy(page, "Fixed size")
    press(page, "Overlap", "Home", *["ArrowRight"] * 25)
    usual, slider = page.locator(".cs-usual i").bounding_box(), page.get_by_role("slider", name="Overlap")
    thumb = slider.evaluate("e => e.closest('div:has(> div > input)').getBoundingClientRect().toJSON()")
    assert abs(usual["x"] - (thumb["x"] + thumb["width"] / 2)) < 3, (usual, thumb)
    assert thumb["y"] + thumb["height"] / 2 < usual["y"] < thumb["y"] + 30


def test_a_preset_is_saved_chosen_and_kept_by_the_address(page, server):
    strategy(page, "Recursive")
    press(page, "Overlap", *["ArrowRight"] * 15)
    page.locator('[data-testid="stSidebar"] .st-key-preset-menu button').first.click()
    page.get_by_label("Save as preset").last.fill("contracts")
    page.keyboard.press("Enter")
    calm(page)
    page.keyboard.press("Escape")
    preset = page.locator('[data-testid="stSidebar"]').get_by_role("combobox", name=re.compile("Preset"))
    assert preset.input_value() == "contracts"
    told = page.evaluate("new URLSearchParams(location.search).get('chunks')")
    assert json.loads(told)["overlap"] == 30
    page.reload()
    calm(page)
    page.get_by_text("15 % · 30 tokens shared").wait_for()
    assert page.get_by_role("slider", name="Overlap").input_value() == "15"
