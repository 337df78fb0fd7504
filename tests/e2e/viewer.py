"""What a test sees of the viewer: marks read back as text and as offsets, and hands that move it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np

from core import api, chunk, components, embed, read, split
from core.settings import ChunkSettings, Strategy
from core.store.base import EmbeddedNodes, Passage, Record
from core.store.duckdb import DuckStore
from core.types import Index
from core.workspace import Workspace
from tests.e2e.browser import Server, calm, go, watched
from tests.e2e.browser import tab as browser_tab

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
    with browser_tab(server, browser, width=width, height=height) as opened:
        go(opened, page)
        yield opened


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


# ── the viewer by itself ─────────────────────────────────────────────────────────────────────────

THEMES = {
    "light": "--st-text-color: #1f2733; --st-background-color: #fff; --st-secondary-background-color: #f4f4f6;",
    "dark": "--st-text-color: #e6e9ef; --st-background-color: #0f141b; --st-secondary-background-color: #1a212b;",
}
MOUNT = """
async ([script, theme]) => {
  document.body.replaceChildren();
  document.body.style.cssText = `margin: 12px; ${theme} background: var(--st-background-color)`;
  const holder = document.createElement('div'), inside = document.createElement('div');
  document.body.append(holder);
  holder.attachShadow({ mode: 'open' }).append(inside);
  const viewer = (await import(script)).default;
  window.sent = [];
  window.given = { name: '', selected: 0, pinned: [], window: 2, window_max: 10, seq: 0, hits: [], gold: [], compare_url: '', curve_url: '', about_url: '', near_url: '', height: 840 };
  window.give = (data) => {
    Object.assign(window.given, data, { at: performance.now() });
    viewer({ data: { ...window.given }, parentElement: inside, setStateValue: (_, value) => window.sent.push(value), setTriggerValue: () => {} });
  };
}
"""


@contextmanager
def alone(server: Server, browser, *, theme: str = "light", width: int = 1280, height: int = 900) -> Iterator:
    """The viewer without the app around it: ``give`` hands it data of any settings, its fetches are real ones."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
    opened = context.new_page()
    faults = watched(opened)
    opened.goto(f"{server.url}/health")
    opened.evaluate(MOUNT, [components.script_url("viewer"), THEMES[theme]])
    yield opened
    assert faults == [], faults
    context.close()


def give(page, **data: object) -> None:
    """Hand data to a viewer by itself; wait until its nodes are drawn and their tokens counted."""
    page.evaluate("data => window.give(data)", data)
    page.wait_for_function(
        f"name => {{ {INSIDE} return all('.scroll')[0]?.ariaLabel?.startsWith(`Text of ${{name}}.`) && /embedded|no nodes/.test(all('[data-ref=totals]')[0].textContent + all('[data-ref=title]')[0].textContent) }}",
        arg=page.evaluate("() => window.given.name"),
    )


def addresses(workspace: Path, passage: Passage, settings: ChunkSettings, **more: object) -> dict[str, object]:
    """Where a document's text and its nodes under ``settings`` are, as the page tells the viewer."""
    document, place = passage.document, SimpleNamespace(location=str(workspace))
    at = (cast("Workspace", place), document.id, passage.version)
    curved = settings.strategy is Strategy.SEMANTIC
    return {
        "name": document.name,
        "text_url": api.text_url(*at, embed.BUNDLED),
        "nodes_url": api.nodes_url(*at, settings, embed.BUNDLED),
        "tokens_url": api.tokens_url(*at, settings, embed.BUNDLED),
        "curve_url": api.curve_url(*at, settings, embed.BUNDLED) if curved else "",
        **more,
    }
