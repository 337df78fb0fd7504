"""What a test sees of the viewer: marks read back as text and as offsets, and hands that move it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from core import chunk, embed, read, split
from core.settings import ChunkSettings
from core.store.base import EmbeddedNodes, Passage, Record
from core.store.duckdb import DuckStore
from core.types import Index
from tests.e2e.browser import ROOT, Server, calm, go, watched

OURS = re.compile(rf'File "{re.escape(str(ROOT))}/(core|pages)/')
"""A frame of ours in a traceback."""

INSIDE = """
const root = [...document.querySelectorAll('*')].map(e => e.shadowRoot).find(r => r?.querySelector('.viewer'));
const all = look => root ? [...root.querySelectorAll(look)] : [];
const offsetOf = el => { const range = document.createRange(); range.setStart(root.querySelector('.doc'), 0); range.setEndBefore(el); return range.toString().length; };
"""


def store_of(path: Path, files: Mapping[str, bytes], *, indexed: bool = False) -> dict[str, Passage]:
    """A workspace file that holds these documents as passages; ``indexed`` with vectors that mean nothing, but quickly."""
    store, found = DuckStore(path), {}
    index = store.create_index(ChunkSettings(), embed.encoder().info) if indexed else None
    for name, data in files.items():
        document = read.read(name, data)
        found[name] = Passage(document, tuple(split.sentences(document)))
        store.put(Record(found[name], data, None, {}), index, _embedded(found[name], index) if index else None)
    store.close()
    return found


def _embedded(passage: Passage, index: Index) -> EmbeddedNodes:
    nodes = chunk.nodes(passage, index.settings)
    texts = [chunk.embedded_text(passage.document, node) for node in nodes]
    vectors = np.random.default_rng(0).normal(size=(len(nodes), index.model.dim)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return EmbeddedNodes(nodes, [embed.text_hash(text) for text in texts], [len(text) // 5 for text in texts], vectors)


@contextmanager
def tab(server: Server, browser, *, page: str = "Windows", width: int = 1280, height: int = 900) -> Iterator:
    """A fresh tab at a page; at the end nothing may have gone wrong."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme="light")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    faults = watched(opened)
    opened.goto(server.url)
    opened.wait_for_selector("h1")
    calm(opened)
    go(opened, page)
    yield opened
    calm(opened)
    assert opened.locator('[data-testid="stException"]').count() == 0
    assert faults == [], faults
    assert OURS.search(server.log()) is None, "Streamlit itself may stumble over a tab that is closed"
    context.close()


def choose(page, name: str) -> None:
    """Open a document; wait until its nodes are drawn and their tokens counted."""
    page.locator('[data-testid="stMain"]').get_by_role("combobox").first.click()
    page.get_by_role("option", name=name, exact=True).click()
    calm(page)
    page.wait_for_function(
        f"name => {{ {INSIDE} return all('.scroll')[0]?.ariaLabel.startsWith(`Text of ${{name}}.`) && all('[data-ref=totals]')[0].textContent.includes('embedded') }}",
        arg=name,
    )


def look(page, expression: str, argument: object = None):
    """The value of a JavaScript expression in which ``all(selector)`` and ``offsetOf(element)`` look into the viewer."""
    return page.evaluate(f"argument => {{ {INSIDE} return {expression} }}", argument)


def text(page) -> str:
    """All text of the document, as it stands in the page."""
    return look(page, "all('.doc').map(e => e.textContent).join('')")


def marked(page, name: str) -> str:
    """The text under a mark, in order: ``n`` the node, ``w`` the window, ``f`` what was found."""
    return look(page, "all('.doc .' + argument).map(e => e.textContent).join('')", name)


def spans(page, name: str) -> list[tuple[int, int]]:
    """Where a mark lies, in UTF-16 units, adjoining pieces as one."""
    pieces = look(page, "all('.doc .' + argument).map(e => [offsetOf(e), e.textContent.length])", name)
    found: list[tuple[int, int]] = []
    for at, length in pieces:
        if found and found[-1][1] == at:
            found[-1] = (found[-1][0], at + length)
        else:
            found.append((at, at + length))
    return found


def points(page, name: str) -> list[int]:
    """Where the empty elements of a kind stand, in UTF-16 units."""
    return look(page, "all('.doc i.' + argument).map(offsetOf)", name)


def said(page, ref: str) -> str:
    """The text of one part of the viewer."""
    return look(page, "all(`[data-ref=${argument}]`)[0].textContent", ref)


def focus_text(page) -> None:
    page.locator(".viewer .scroll").focus()


def set_window(page, size: int) -> None:
    slider = page.get_by_label("Window, sentences on each side")
    slider.focus()
    page.keyboard.press("Home")
    for _ in range(size):
        page.keyboard.press("ArrowRight")


def click_at(page, offset: int, *, shift: bool = False) -> None:
    """Click the character at an offset in UTF-16 units; it must be in sight."""
    x, y = place_of(page, offset)
    if shift:
        page.keyboard.down("Shift")
    page.mouse.click(x, y)
    if shift:
        page.keyboard.up("Shift")


def place_of(page, offset: int) -> tuple[float, float]:
    """The middle of the character at an offset, on the screen."""
    found = look(
        page,
        """(() => {
          const walker = document.createTreeWalker(root.querySelector('.doc'), NodeFilter.SHOW_TEXT);
          for (let left = argument; walker.nextNode(); left -= walker.currentNode.length) {
            if (left >= walker.currentNode.length) continue;
            const range = document.createRange();
            range.setStart(walker.currentNode, left);
            range.setEnd(walker.currentNode, left + 1);
            const box = range.getClientRects()[0];
            return [box.left + box.width / 2, box.top + box.height / 2];
          }
        })()""",
        offset,
    )
    return found[0], found[1]


def units(body: str, *offsets: int) -> list[int]:
    """Code point offsets in UTF-16 units, counted by encoding what stands before each."""
    return [len(body[:offset].encode("utf-16-le", "surrogatepass")) // 2 for offset in offsets]


def cut(body: str, pairs: Sequence[tuple[int, int]]) -> list[str]:
    """The text of spans in UTF-16 units."""
    encoded = body.encode("utf-16-le", "surrogatepass")
    return [encoded[2 * a : 2 * b].decode("utf-16-le", "surrogatepass") for a, b in pairs]
