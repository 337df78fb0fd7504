"""The viewer by itself, in a real browser: the likeness of neighbouring sentences, and settings of every strategy.

Its fetches are real ones, answered by the app's own server; only what the page tells it comes from here.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from core import chunk, workspace
from core.chunk.compare import difference
from core.settings import ChunkSettings, Strategy, Unit
from core.store.base import Passage
from tests.e2e import viewer
from tests.e2e.browser import Server, calm, chromium, eventually, executable

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")
pytestmark = pytest.mark.skipif(
    executable() is None, reason="no Chromium on this machine: install one, or name it in CHROMIUM"
)

TALK = """# On pumps

The pump moves water through the plant. The pump has a seal that wears. A worn seal lets water out of the pump. Seals are
changed every second year.

Our office closes at five o'clock. On Fridays the office closes at three. Visitors of the office sign the book.

| part | life |
|---|---|
| seal | 2 years |

## Apples

Apples ripen in autumn. An apple tree bears fruit after some years. Fruit is kept in the cellar. 🍎 Some like it baked.
"""
PROSE = "".join(
    f"# Part {part}\n\n"
    + "".join(f"Sentence {number} of part {part} says little. " for number in range(1, 31))
    + "\n\n"
    for part in range(1, 9)
)
FILES = {
    "talk.md": TALK.encode(),
    "prose.md": PROSE.encode(),
    "long.md": b"Each sentence of the long part says little. " * 100,
    "one.txt": b"Only one sentence stands here.",
    "word.txt": b"w" * 60_000,
    "rtl.txt": "שלום עולם. זהו משפט שני בעברית!\r\n\r\nمرحبا بالعالم. هذه جملة ثانية. 👩‍👩‍👧 And 🚀 last.".encode(),
}
SEMANTIC = replace(chunk.DEFAULTS[Strategy.SEMANTIC], percentile=30, minimum=0)
FIXED = ChunkSettings(250, 125, strategy=Strategy.FIXED, unit=Unit.CHARS)
RECURSIVE = ChunkSettings(80, 0, strategy=Strategy.RECURSIVE, unit=Unit.WORDS)
TALL, PAD = 48, 5
"""The strip's height and the room above and below its curve, as curve.js has them."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """A server, a browser, and what core says of the documents there."""
    path = tmp_path_factory.mktemp("alone") / "w.duckdb"
    ids = {name: passage.document.id for name, passage in viewer.store_of(path, FILES).items()}
    opened = workspace.open(path)
    opened.compare_sentences([ids[name] for name in ("talk.md", "one.txt")], SEMANTIC)
    curves = {wanted: opened.likeness(ids["talk.md"], replace(SEMANTIC, percentile=wanted)) for wanted in (30, 60)}
    passages = {name: opened.store.passage(doc_id) for name, doc_id in ids.items()}
    location = Path(opened.location)
    workspace.close(path)
    with Server(path.parent, CHUNKSCOPE_WORKSPACE=str(path)) as server, chromium() as browser:
        with viewer.tab(server, browser):
            pass  # the model is loaded once a page has been drawn
        yield SimpleNamespace(server=server, browser=browser, curves=curves, passages=passages, location=location)


@pytest.fixture
def page(made) -> Iterator:
    with viewer.alone(made.server, made.browser) as opened:
        yield opened


def show(page, made, name: str, settings: ChunkSettings, **more: object) -> Passage:
    passage = made.passages[name]
    viewer.give(page, **viewer.addresses(made.location, passage, settings, **more))
    if settings.strategy is Strategy.SEMANTIC:
        page.wait_for_function(
            f"() => {{ {viewer.INSIDE} return /break|nothing/.test(all('[data-ref=curveTold]')[0].textContent) }}"
        )
        page.wait_for_timeout(100)  # drawn with the next frame
    return passage


def ink_at(page, canvas: str, x: float, y: float, reach: int = 1) -> list[list[int]]:
    """The colours of a canvas around a place, without what is transparent."""
    return viewer.look(
        page,
        """(([look, x, y, reach]) => {
          const pen = all(look)[0].getContext('2d'), size = 2 * reach + 1;
          const { data } = pen.getImageData(Math.round(x) - reach, Math.round(y) - reach, size, size), found = [];
          for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 80) found.push([...data.slice(i, i + 3)]);
          return found;
        })(argument)""",
        [canvas, x, y, reach],
    )


def is_red(colour: list[int]) -> bool:
    """The colour of the threshold and the breaks, not the grey of the curve."""
    return colour[0] - colour[2] > 60


def places(page, curve: chunk.Curve) -> list[tuple[float, float | None]]:
    """Where the strip has each gap: x, and y of its value."""
    width = page.locator(".strip").bounding_box()["width"]
    known = [*(float(value) for value in curve.similarities if not math.isnan(value)), curve.threshold]
    low, high = math.floor(min(known) * 10) / 10, math.ceil(max(known) * 10) / 10
    count = len(curve.similarities)
    return [
        ((g + 0.5) * width / count, None if math.isnan(v) else PAD + (TALL - 2 * PAD) * (high - v) / (high - low))
        for g, v in enumerate(curve.similarities.tolist())
    ]


def test_the_curve_is_drawn_where_its_values_are(page, made):
    show(page, made, "talk.md", SEMANTIC)
    curve = made.curves[30]
    assert len(curve.breaks) >= 2, "the text has some"
    drawn = places(page, curve)
    assert any(y is None for _, y in drawn), "none lies beside the table"
    for g, (x, y) in enumerate(drawn):
        if y is not None:
            assert ink_at(page, ".strip canvas", x, y), f"gap {g} has its value"
        reds = sum(map(is_red, ink_at(page, ".strip canvas", x, TALL - PAD if y is None else y)))
        if g + 1 in curve.breaks:
            assert reds >= 6, f"a dot marks the break before sentence {g + 2}"
    values = [y for _, y in drawn if y is not None]
    assert max(values) - min(values) > 15, "and they are not all alike"


def test_the_lane_beside_the_map_shows_the_curve_along_the_text(page, made):
    show(page, made, "talk.md", ChunkSettings())
    narrow = page.locator(".viewer .map").bounding_box()["width"]
    assert not page.locator(".strip").is_visible(), "nothing without a curve"
    show(page, made, "talk.md", SEMANTIC)
    wide = page.locator(".viewer .map").bounding_box()["width"]
    assert wide > narrow + 20
    reds = viewer.look(
        page,
        """(from => { const c = all('.map canvas')[0], { data } = c.getContext('2d').getImageData(from, 0, c.width - from, c.height);
          const rows = new Set(); for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 120 && data[i] - data[i + 2] > 60) rows.add(Math.floor(i / 4 / (c.width - from)));
          return [...rows] })(argument)""",
        round(narrow),
    )
    assert len(reds) > 20, "the threshold runs along the text, dashed"
    show(page, made, "talk.md", ChunkSettings())
    page.wait_for_function(
        f"w => {{ {viewer.INSIDE} return all('.map')[0].getBoundingClientRect().width === w }}", arg=narrow
    )
    assert not page.locator(".strip").is_visible()


def test_hovering_tells_a_gap_and_a_click_goes_there(page, made):
    passage = show(page, made, "talk.md", SEMANTIC, height=330)
    curve, box = made.curves[30], page.locator(".strip").bounding_box()
    for g, (x, y) in enumerate(places(page, curve)):
        page.mouse.move(box["x"] + x, box["y"] + 20)
        told = viewer.said(page, "curveTip")
        assert told.startswith(f"sentence {g + 1} → {g + 2}: ")
        assert ("not compared" in told) == (y is None)
        assert (": break" in told.removeprefix("sentence")) == (g + 1 in curve.breaks)
        if y is not None:
            value = float(re.search(r": (−?[\d.]+) \(threshold", told)[1].replace("−", "-"))
            assert abs(value - curve.similarities[g]) < 0.006
    for g in (len(curve.similarities) - 1, 0):
        page.mouse.click(box["x"] + places(page, curve)[g][0], box["y"] + 20)
        (at,) = viewer.units(passage.document.text, passage.sentences[g + 1].start)
        page.wait_for_timeout(150)
        frame, (_, y) = page.locator(".viewer .scroll").bounding_box(), viewer.place_of(page, at)
        assert frame["y"] < y < frame["y"] + frame["height"]
        lit = page.evaluate("() => [...CSS.highlights.get('viewer-gap')].map(range => range.toString()).join('')")
        first, second = passage.sentences[g : g + 2]
        body = passage.document.text
        assert lit == body[first.start : first.end] + body[second.start : second.end]
    page.mouse.move(5, 5)
    page.evaluate("() => document.activeElement?.shadowRoot?.activeElement?.blur()")
    assert not page.evaluate("() => CSS.highlights.has('viewer-gap')")


def test_the_curve_is_reached_and_read_by_keys(page, made):
    show(page, made, "talk.md", SEMANTIC)
    breaks = made.curves[30].breaks
    strip = page.get_by_role("slider", name="Likeness of neighbouring sentences")
    page.get_by_label("Window, sentences on each side").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if viewer.look(page, "root.activeElement?.className") == "strip":
            break
    assert viewer.look(page, "root.activeElement.className") == "strip"
    page.keyboard.press("Home")
    told = viewer.look(page, "all('.strip')[0].getAttribute('aria-valuetext')")
    assert told.startswith("sentence 1 → 2: ")
    page.keyboard.press("ArrowRight")
    assert strip.get_attribute("aria-valuenow") == "2"
    page.keyboard.press("Home")
    for sentence in [b for b in breaks if b > 1]:
        page.keyboard.press("PageDown")
        assert strip.get_attribute("aria-valuenow") == str(sentence)
    page.keyboard.press("Enter")
    assert page.evaluate("() => CSS.highlights.has('viewer-gap')")
    assert "node 1 of" in viewer.said(page, "title"), "keys on the curve move no node"


def test_another_percentile_brings_another_curve(page, made):
    show(page, made, "talk.md", SEMANTIC)
    first = len(made.curves[30].breaks)
    assert f"{first} break" in viewer.said(page, "curveTold")
    show(page, made, "talk.md", replace(SEMANTIC, percentile=60))
    second = len(made.curves[60].breaks)
    assert second > first
    page.wait_for_function(
        f"told => {{ {viewer.INSIDE} return all('[data-ref=curveTold]')[0].textContent.endsWith(told) }}",
        arg=f"{second} breaks",
    )
    show(page, made, "one.txt", SEMANTIC)
    assert viewer.said(page, "curveTold") == "nothing to compare"


def test_the_page_gives_the_viewer_a_curve_with_the_semantic_strategy(made):
    with viewer.tab(made.server, made.browser) as page:
        viewer.choose(page, "talk.md")
        assert not page.locator(".strip").is_visible()
        page.get_by_role("combobox", name="Strategy").click()
        page.get_by_role("option", name="Semantic").click()
        page.wait_for_selector(".strip")
        calm(page)
        told = viewer.said(page, "curveTold")
        assert re.search(r"threshold −?0\.\d\d · \d+ break", told)
        page.get_by_role("slider", name="Breaks at the least alike").focus()
        for _ in range(8):
            page.keyboard.press("ArrowRight")
        page.wait_for_function(
            f"told => {{ {viewer.INSIDE} return all('[data-ref=curveTold]')[0].textContent !== told }}", arg=told
        )
        calm(page)


@pytest.mark.parametrize(
    ("a", "b"),
    [(FIXED, RECURSIVE), (RECURSIVE, FIXED), (ChunkSettings(3), RECURSIVE), (ChunkSettings(6, 5), ChunkSettings(5, 4)), (FIXED, replace(FIXED, overlap=25))],
    ids=lambda settings: settings.name,
)  # fmt: skip
def test_nodes_of_two_strategies_are_counted_as_core_counts_them(page, made, a, b):
    passage = made.passages["prose.md"]
    other = viewer.addresses(made.location, passage, a)["nodes_url"]
    show(page, made, "prose.md", b, compare_url=other)
    page.wait_for_function(f"() => {{ {viewer.INSIDE} return /gone/.test(all('[data-ref=diffs]')[0].textContent) }}")
    found = difference(chunk.nodes(passage, a), chunk.nodes(passage, b))
    told = {name: int(n) for n, name in re.findall(r"(\d+) (kept|moved|born|gone)", viewer.said(page, "diffs"))}
    assert told == {name: len(getattr(found, name)) for name in ("kept", "moved", "born", "gone")}


def test_what_two_nodes_share_is_told_in_tokens(page, made):
    passage = show(page, made, "prose.md", ChunkSettings(6, 5), selected=8)
    counted = page.evaluate("() => fetch(window.given.tokens_url).then(r => r.json())")
    nodes = chunk.nodes(passage, ChunkSettings(6, 5))
    told = re.findall(r"shares (≈ )?(\d+) tokens? with node (\d+)", viewer.said(page, "twice"))
    assert [int(n) for *_, n in told] == [6, 7, 8, 10, 11, 12]
    for about, count, number in told:
        other = nodes[int(number) - 1]
        first, last = (
            max(other.first_sentence, nodes[8].first_sentence),
            min(other.last_sentence, nodes[8].last_sentence),
        )
        assert int(count) == sum(counted["sentences"][first : last + 1])
        assert not about, "whole sentences are counted, not guessed"
    assert viewer.said(page, "share").startswith("Returned twice: shares 10 sentences with nodes 6")
    assert [name for name in ("x1", "x2", "x3", "x4", "x5", "x6") if viewer.spans(page, name)] == ["x4"]
    show(page, made, "prose.md", FIXED, selected=3)
    guessed = re.compile(r"shares ≈ \d+ tokens with node 3")
    eventually(lambda: guessed.search(viewer.said(page, "twice")) is not None, True)


def test_what_the_model_does_not_read_is_told_and_marked(page, made):
    passage = show(page, made, "long.md", replace(RECURSIVE, size=300), selected=0)
    counted = page.evaluate("() => fetch(window.given.tokens_url).then(r => r.json())")
    node, lost = chunk.nodes(passage, replace(RECURSIVE, size=300))[0], counted["lost"]["0"]
    body = passage.document.text
    assert viewer.spans(page, "l")[0][0] == lost
    flag = viewer.said(page, "flag")
    assert f"the last {node.end - lost} characters, from “{' '.join(body[lost : lost + 20].split())[:15]}" in flag
    marked = viewer.look(page, "all('[data-ref=embeddedText] [data-lost]').map(e => e.textContent).join('')")
    assert marked == body[lost : node.end]
    assert "is first" in viewer.said(page, "where")


@pytest.mark.parametrize("name", ["one.txt", "word.txt", "rtl.txt"])
@pytest.mark.parametrize(
    "settings", [ChunkSettings(), replace(FIXED, size=60, overlap=20), RECURSIVE], ids=lambda s: s.name
)
def test_odd_documents_are_drawn_and_walked(page, made, name, settings):
    passage = show(page, made, name, settings)
    nodes = chunk.nodes(passage, settings)
    assert viewer.text(page) == passage.document.text
    viewer.focus_text(page)
    page.keyboard.press("End")
    page.wait_for_timeout(150)
    last = nodes[-1]
    assert viewer.said(page, "title") == f"node {len(nodes):,} of {len(nodes):,}"
    assert "".join(viewer.marked(page, "n").split()) == "".join(passage.document.text[last.start : last.end].split())
    assert "is last" in viewer.said(page, "where")
    assert page.evaluate("() => document.scrollingElement.scrollWidth - innerWidth") <= 0


def test_a_document_without_nodes_says_so(page, made):
    passage = made.passages["one.txt"]
    page.route(
        "**/api/nodes/**",
        lambda route: route.fulfill(json={"nodes": [], "embedded": {}, "contexts": [], "context": []}),
    )
    page.route(
        "**/api/tokens/**",
        lambda route: route.fulfill(
            body=json.dumps(
                {
                    "sentences": [6],
                    "special": 2,
                    "nodes": [],
                    "own": [],
                    "lost": {},
                    "tokenizer": "words",
                    "truncates_at": 256,
                }
            )
        ),
    )
    viewer.give(page, **viewer.addresses(made.location, passage, ChunkSettings()))
    viewer.focus_text(page)
    for key in ("j", "k", "End", "p", "Escape"):
        page.keyboard.press(key)
    assert viewer.said(page, "title") == "no nodes"
    assert "NaN" not in viewer.said(page, "totals")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_layer_of_overlap_is_drawn_more_densely(made, theme):
    """Windows ±2 of nodes of 6 sentences that share 5: up to nine others over one place."""
    with viewer.alone(made.server, made.browser, theme=theme, width=1920) as page:
        show(page, made, "prose.md", ChunkSettings(6, 5), selected=12)
        drawn = viewer.look(
            page,
            "['o1', 'o2', 'o3', 'o4', 'o5', 'o6'].map(name => { const e = document.createElement('span'); e.className = name; all('.doc')[0].append(e); const found = getComputedStyle(e).backgroundImage; e.remove(); return found })",
        )
        gaps = [float(re.search(r"([\d.]+)px\)$", image)[1]) for image in drawn]
        assert gaps == sorted(gaps, reverse=True)
        assert len(set(gaps)) == 6
        nodes = chunk.nodes(made.passages["prose.md"], ChunkSettings(6, 5))
        over = [
            sum(n.first_sentence - 2 <= i <= n.last_sentence + 2 for n in nodes if n is not nodes[12])
            for i in range(nodes[12].first_sentence - 2, nodes[12].last_sentence + 3)
        ]
        assert viewer.said(page, "legendShared") == "also in9other windows"
        assert set(over) == {9}
        assert viewer.spans(page, "o6"), "nine others lie over one place"
