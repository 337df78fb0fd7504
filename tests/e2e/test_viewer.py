"""The viewer in a real browser: what is marked is read back from the page and compared with what core says.

It fails on any exception, outside request or console error; see ``tests/e2e/browser.py``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import chunk, payload, tokens
from core.chunk.compare import boundaries, difference
from core.settings import ChunkSettings, Strategy, Unit
from core.store.base import Passage
from core.types import Node
from tests import made_files
from tests.e2e import viewer
from tests.e2e.browser import Server, calm, executable, go
from tests.fakes import BagEncoder

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[test]'")
pytestmark = pytest.mark.skipif(
    executable() is None, reason="no Chromium on this machine: install one, or name it in CHROMIUM"
)

CASES = Path(__file__).parent.parent / "cases" / "inputs"
PROSE = "".join(
    f"# Part {part}\n\n"
    + "".join(f"Sentence {number} of part {part} says little. " for number in range(1, 31))
    + "\n\n## Below\n\nA closing remark stands here. It is short.\n\n"
    for part in range(1, 9)
)
RTL = (
    "שלום עולם. זהו משפט שני בעברית! האם זה השלישי? כן, בהחלט.\n\n"
    "مرحبا بالعالم. هذه جملة ثانية. هل هذه الثالثة؟ نعم.\n\nMixed שלום in English. And مرحبا too. 🚀 Last."
)
TABLE = "# Parts\n\n| part | life of it |\n|---|---|\n| seal | 2 years |\n| 濾過器 | 6 |\n\nAfter it. The end.\n"
LONG = "The valve " + "opened and closed, " * 120 + "and stood still. It was quiet. Nobody came.\n"
FILES = {
    "emoji.txt": (CASES / "off_emoji.txt").read_bytes(),
    "crlf.txt": "".join(f"Line {n} ends here.\r\n" for n in range(1, 61)).encode(),
    "cjk.txt": (CASES / "sent_cjk.txt").read_bytes(),
    "rtl.txt": RTL.encode(),
    "bidi.txt": (CASES / "show_bidi.txt").read_bytes(),
    "dollars.txt": (CASES / "show_dollars.txt").read_bytes(),
    "xss.txt": (CASES / "show_xss.txt").read_bytes(),
    "prose.md": PROSE.encode(),
    "table.md": TABLE.encode(),
    "long.txt": LONG.encode(),
    "pump.pdf": made_files.pdf().data,
    "huge.txt": "".join(f"Line {n} ends here. " for n in range(40_000)).encode(),
}

SENTENCE = ChunkSettings()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("viewer")


@pytest.fixture(scope="module")
def passages(folder: Path) -> dict[str, Passage]:
    return viewer.store_of(folder / "w.duckdb", FILES)


@pytest.fixture(scope="module")
def server(folder: Path, passages) -> Iterator[Server]:
    with Server(folder, CHUNKSCOPE_WORKSPACE=str(folder / "w.duckdb")) as running:
        yield running


@pytest.fixture
def page(server: Server, browser) -> Iterator:
    with viewer.tab(server, browser) as opened:
        yield opened


def nodes_of(passage: Passage, settings: ChunkSettings = SENTENCE) -> list[tuple[int, int]]:
    """The spans of a document's nodes, in UTF-16 units."""
    body = passage.document.text
    return [tuple(viewer.units(body, n.start, n.end)) for n in chunk.nodes(passage, settings)]


def window_text(passage: Passage, ordinal: int, size: int) -> str:
    """A window as the page has it: what lies between blocks is not underlined, so it is left out here too."""
    span = chunk.window(chunk.nodes(passage, ChunkSettings())[ordinal], passage.sentences, size)
    return squeezed(passage.document.text[span.start : span.end])


def squeezed(text: str) -> str:
    return "".join(text.split())


# ── exact, and nothing but text ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["emoji.txt", "crlf.txt", "cjk.txt", "rtl.txt", "table.md", "pump.pdf"])
def test_every_node_and_window_is_marked_exactly(page, passages, name):
    """Cases C03, C06, C07: code points in Python, UTF-16 units in the browser, the same characters."""
    passage = passages[name]
    viewer.choose(page, name)
    assert viewer.text(page) == passage.document.text
    viewer.set_window(page, 1)
    viewer.focus_text(page)
    spans = nodes_of(passage)
    for ordinal, span in enumerate(spans):
        if ordinal:
            page.keyboard.press("j")
        assert viewer.spans(page, "n") == [span], viewer.marked(page, "n")
        assert squeezed(viewer.marked(page, "w")) == window_text(passage, ordinal, 1)
    assert viewer.text(page) == passage.document.text, "marks add nothing to the text"
    assert viewer.points(page, "c0") == [start for start, _ in spans]
    assert viewer.points(page, "c1") == [end for _, end in spans]


@pytest.mark.parametrize("name", ["dollars.txt", "xss.txt", "bidi.txt"])
def test_text_stays_text_in_the_document_and_in_the_panel(page, passages, name):
    """Cases T08 and T09."""
    body = passages[name].document.text
    viewer.choose(page, name)
    page.locator("summary", has_text="Neighbours").click()
    assert viewer.text(page) == body
    viewer.focus_text(page)
    for _ in passages[name].sentences:
        assert viewer.said(page, "embeddedText") == viewer.marked(page, "n")
        assert viewer.said(page, "returnedText") in body
        page.keyboard.press("j")
    made = viewer.look(page, "all('.doc *').map(e => e.localName).filter(n => !['div', 'span', 'i'].includes(n))")
    assert made == []
    assert page.evaluate("() => window.PWNED") is None
    assert page.evaluate("() => getSelection().toString()") == ""
    page.evaluate(
        f"() => {{ {viewer.INSIDE} getSelection().selectAllChildren(root.querySelector('.doc')); document.execCommand('copy') }}"
    )
    assert page.evaluate("() => navigator.clipboard.readText()").strip() == body.strip()


def test_end_in_the_hostile_text_is_exactly_what_is_marked(page, passages):
    """Case T09: escaping must not shift the spans."""
    body = passages["xss.txt"].document.text
    viewer.choose(page, "xss.txt")
    focus = body.index("end.")
    viewer.focus_text(page)
    page.keyboard.press("/")
    page.get_by_label("Find in the document").fill("end.")
    page.wait_for_function(f"() => {{ {viewer.INSIDE} return all('.doc .f').length === 1 }}")
    assert viewer.spans(page, "fc") == [(focus, focus + 4)]


def test_a_directional_override_does_not_leave_its_sentence(page, passages):
    """The right-to-left override in one sentence leaves the next one as it is."""
    body = passages["bidi.txt"].document.text
    viewer.choose(page, "bidi.txt")
    start = body.index("done")
    first, last = (viewer.place_of(page, at)[0] for at in (start, start + 3))
    assert first < last


def test_a_long_sentence_without_a_break_does_not_scroll_the_page_sideways(page, passages):
    viewer.choose(page, "long.txt")
    assert page.evaluate("() => document.scrollingElement.scrollWidth - innerWidth") <= 0
    assert viewer.look(page, "all('.scroll')[0].scrollWidth - all('.scroll')[0].clientWidth") <= 0


def test_a_table_is_aligned_without_a_character_more(page, passages):
    body = passages["table.md"].document.text
    viewer.choose(page, "table.md")
    assert viewer.text(page) == body
    bars = [at for at, sign in enumerate(body) if sign == "|"]
    columns: dict[int, set[int]] = {}
    for line in body.splitlines():
        if line.startswith("|") and line.isascii():
            start = body.index(line)
            for column, at in enumerate(bar for bar in bars if start <= bar < start + len(line)):
                columns.setdefault(column, set()).add(round(viewer.place_of(page, at)[0]))
    assert all(len(places) == 1 for places in columns.values()), columns


# ── nodes of any strategy ────────────────────────────────────────────────────────────────────────


def test_nodes_that_are_no_sentences_are_drawn_where_they_lie(page, passages):
    """Spans of 50 characters that share 12 with the next, and end in mid-word: as another strategy would make them."""
    passage = passages["prose.md"]
    body, length = passage.document.text, len(passage.document.text)
    spans = [(at, min(at + 50, length)) for at in range(0, length - 12, 38)]

    def fulfil(route) -> None:
        rows = []
        for start, end in spans:
            touched = [i for i, s in enumerate(passage.sentences) if s.start < end and s.end > start] or [0]
            rows += [start, end, touched[0], touched[-1], start, end]
        route.fulfill(json={"nodes": rows, "embedded": {}, "contexts": [], "context": []})

    page.route("**/api/nodes/**", fulfil)
    page.route(
        "**/api/tokens/**",
        lambda route: route.fulfill(
            json={
                "sentences": [8] * len(passage.sentences), "special": 2, "nodes": [300, *[12] * (len(spans) - 1)], "own": [],
                "lost": {"0": 40}, "tokenizer": "words", "truncates_at": 256,
            }
        ),
    )  # fmt: skip
    viewer.choose(page, "prose.md")
    viewer.focus_text(page)
    for ordinal in range(6):
        start, end = spans[ordinal]
        inked = [(a, b) for a, b in viewer.spans(page, "n") if body[a:b].strip()]
        assert (inked[0][0], inked[-1][1]) == (start, end)
        assert squeezed(viewer.marked(page, "n")) == squeezed(body[start:end])
        first = next(s for s in passage.sentences if s.end > start)
        assert viewer.spans(page, "w")[0][0] <= first.start, "the window has whole sentences around the node"
        page.keyboard.press("j")
    assert viewer.spans(page, "l") == [(40, 50)], "what the model does not read of node 1 is flagged at its place"
    assert f"{len(spans)} nodes" in viewer.said(page, "totals")
    assert "1 truncated" in viewer.said(page, "totals")
    assert viewer.look(page, "all('.doc i.torn').length") > 10

    # A click finds the node at the character, and where two overlap the other one when clicked again.
    at = body.index("Sentence 2 of part 1") + 3
    holding = [n for n, (start, end) in enumerate(spans) if start <= at < end]
    viewer.click_at(page, at)
    nearest = min(holding, key=lambda n: abs(spans[n][0] - at))
    assert f"node {nearest + 1} of" in viewer.said(page, "title")
    both = spans[nearest + 1][0] + 5
    viewer.click_at(page, both)
    viewer.click_at(page, both)
    assert f"node {nearest + 1} of" in viewer.said(page, "title")


@pytest.mark.parametrize("name", ["emoji.txt", "prose.md", "table.md"])
@pytest.mark.parametrize(
    "settings",
    [
        ChunkSettings(24, 6, strategy=Strategy.FIXED, unit=Unit.CHARS),
        ChunkSettings(7, 0, strategy=Strategy.RECURSIVE, unit=Unit.WORDS),
        ChunkSettings(60, 10, strategy=Strategy.STRUCTURE, unit=Unit.WORDS),
    ],
    ids=lambda settings: settings.name,
)  # fmt: skip
def test_nodes_of_every_strategy_are_drawn_where_they_lie(page, passages, name, settings):
    passage = passages[name]
    body, nodes = passage.document.text, chunk.nodes(passage, settings)
    page.route("**/api/nodes/**", lambda route: route.fulfill(json=payload.viewer_nodes(passage.document, nodes, {})))
    page.route("**/api/tokens/**", lambda route: route.fulfill(json=_counted(passage, nodes)))
    viewer.choose(page, name)
    viewer.focus_text(page)
    for node in nodes[:12]:
        start, end = viewer.units(body, node.start, node.end)
        inked = [span for span in viewer.spans(page, "n") if viewer.cut(body, [span])[0].strip()]
        lead = len(body[node.start : node.end]) - len(body[node.start : node.end].lstrip())
        tail = len(body[node.start : node.end]) - len(body[node.start : node.end].rstrip())
        assert start <= inked[0][0] <= start + lead
        assert end - tail <= inked[-1][1] <= end
        assert squeezed(viewer.marked(page, "n")) == squeezed(body[node.start : node.end])
        window = chunk.window(node, passage.sentences, 2)
        assert squeezed(viewer.marked(page, "w")) == squeezed(body[window.start : window.end])
        page.keyboard.press("j")
    assert viewer.text(page) == body
    whole = boundaries(passage, nodes).whole
    cut = round(len(nodes) * (1 - whole))
    assert f"· {cut} cut" in viewer.said(page, "totals")


def _counted(passage: Passage, nodes: list[Node]) -> dict[str, object]:
    encoder = BagEncoder()
    counted = tokens.of_nodes(passage, nodes, tokens.of_sentences(passage, encoder), encoder)
    return payload.viewer_tokens(passage.document, counted, "words", 256)


# ── hands ────────────────────────────────────────────────────────────────────────────────────────


def test_keys_move_find_help_and_let_go(page, passages):
    viewer.choose(page, "prose.md")
    viewer.focus_text(page)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert "node 2 of" in viewer.said(page, "title")
    page.keyboard.press("End")
    assert (
        viewer.said(page, "title")
        == f"node {len(passages['prose.md'].sentences)} of {len(passages['prose.md'].sentences)}"
    )
    page.keyboard.press("Home")

    page.keyboard.press("/")
    page.keyboard.type("closing  REMARK")
    page.wait_for_function(f"() => {{ {viewer.INSIDE} return all('[data-ref=found]')[0].textContent === '1 of 8' }}")
    body = passages["prose.md"].document.text
    places = [found.start() for found in re.finditer("closing remark", body)]
    for at in (places[0], places[1]):
        assert [a for a, _ in viewer.spans(page, "fc")] == [at]
        page.keyboard.press("Enter")
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    assert viewer.said(page, "found") == "8 of 8", "before the first comes the last"
    assert "node 1 of" in viewer.said(page, "title"), "letters typed into the find bar move nothing"
    page.keyboard.press("Escape")
    assert viewer.marked(page, "f") == ""
    page.keyboard.press("j")
    assert "node 2 of" in viewer.said(page, "title"), "the focus is back in the text"

    page.keyboard.press("?")
    assert page.get_by_role("heading", name="Keys and signs").is_visible()
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    assert not page.get_by_role("heading", name="Keys and signs").is_visible()
    assert "node 2 of" in viewer.said(page, "title")


def test_no_key_fires_while_one_types_elsewhere(page):
    viewer.choose(page, "prose.md")
    page.locator('[data-testid="stMain"]').get_by_role("combobox").first.click()
    page.keyboard.type("jj/?kp")
    assert "node 1 of" in viewer.said(page, "title")
    assert not page.get_by_label("Find in the document").is_visible()
    page.keyboard.press("Escape")
    page.get_by_role("slider", name="Sentences per node").focus()
    page.keyboard.press("j")
    assert "node 2 of" in viewer.said(page, "title"), "a slider takes no letters, so they are ours"
    viewer.focus_text(page)
    page.keyboard.press("?")
    page.get_by_label("Single keys also work").uncheck()
    page.keyboard.press("Escape")
    page.get_by_role("slider", name="Sentences per node").focus()
    page.keyboard.press("j")
    assert "node 2 of" in viewer.said(page, "title"), "unless they are switched off"
    viewer.focus_text(page)
    page.keyboard.press("j")
    assert "node 3 of" in viewer.said(page, "title")


def test_the_window_is_redrawn_while_the_slider_moves_and_python_hears_of_it_once(page, passages):
    passage = passages["prose.md"]
    viewer.choose(page, "prose.md")
    viewer.click_at(page, nodes_of(passage)[6][0] + 3)
    calm(page)
    sent: list[int] = []
    fetched: list[int] = []
    told: list[str | bytes] = []

    def hear(socket) -> None:
        socket.on("framesent", lambda frame: sent.append(len(frame)))
        socket.on("framereceived", told.append)

    page.on("websocket", hear)
    page.on("requestfinished", lambda request: fetched.append(request.sizes()["responseBodySize"]))
    page.reload()
    page.wait_for_selector(".viewer .n")
    calm(page)
    viewer.choose(page, "prose.md")
    viewer.click_at(page, nodes_of(passage)[6][0] + 3)
    calm(page)
    for heard in (sent, fetched, told):
        heard.clear()
    box = page.get_by_label("Window, sentences on each side").bounding_box()
    seen = []
    page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + box["height"] / 2)
    page.mouse.down()
    for step in range(3, 11):
        page.mouse.move(box["x"] + 8 + (box["width"] - 16) * step / 10, box["y"] + box["height"] / 2)
        size = int(page.get_by_label("Window, sentences on each side").input_value())
        assert squeezed(viewer.marked(page, "w")) == window_text(passage, 6, size)
        seen.append(size)
    assert sent == fetched == told == [], "nothing travels while it moves"
    page.mouse.up()
    calm(page)
    assert seen[-1] == 10
    assert 0 < sum(sent) + sum(fetched) < 5000, "numbers, and nothing is fetched again"
    text = b"Sentence 7 of part 1"
    assert not any(text in (frame if isinstance(frame, bytes) else frame.encode()) for frame in told), (
        "nor is the text sent"
    )
    assert page.get_by_label("Window, sentences on each side").input_value() == "10"


def test_hover_previews_click_selects_and_shift_click_pins(page, passages):
    spans = nodes_of(passages["prose.md"])
    viewer.choose(page, "prose.md")
    page.mouse.move(*viewer.place_of(page, spans[5][0] + 4))
    page.wait_for_function("() => CSS.highlights.has('viewer-node')")
    shown = "name => [...CSS.highlights.get(name)].map(range => range.toString()).join('')"
    body = passages["prose.md"].document.text
    assert page.evaluate(shown, "viewer-node") == body[slice(*spans[5])]
    assert squeezed(page.evaluate(shown, "viewer-window")) == window_text(passages["prose.md"], 5, 2)
    assert viewer.look(page, "all('.bracket.ghost').length") > 0
    assert viewer.spans(page, "n") == [spans[0]], "a preview selects nothing"

    viewer.click_at(page, spans[5][0] + 4)
    assert viewer.spans(page, "n") == [spans[5]]
    viewer.click_at(page, spans[8][0] + 4, shift=True)
    viewer.click_at(page, spans[9][0] + 4, shift=True)
    assert [cut for cut in viewer.spans(page, "n") if body[slice(*cut)].strip()] == [spans[5], spans[8], spans[9]] or (
        viewer.spans(page, "n") == [spans[5], (spans[8][0], spans[9][1])]
    )
    assert viewer.look(page, "all('.bracket:not(.ghost)').length") >= 3
    assert viewer.look(page, "all('.doc i.tag').map(e => e.dataset.node)") == ["6", "9", "10"]
    lanes = viewer.look(page, "all('.bracket:not(.ghost)').map(e => Math.round(e.getBoundingClientRect().left))")
    assert len(set(lanes)) == 3, "windows that overlap have brackets beside each other"
    assert "Pinned 6×9×" in viewer.said(page, "pins")
    assert page.evaluate("() => getSelection().toString()") == "", "shift-click selects no text"
    calm(page)

    # They outlive a visit to another page; Escape lets them go.
    go(page, "Search")
    go(page, "Windows")
    page.wait_for_function(f"() => {{ {viewer.INSIDE} return all('.doc i.tag').length === 3 }}")
    viewer.focus_text(page)
    page.keyboard.press("Escape")
    assert viewer.said(page, "pins").strip() in ("", "Pinned")
    assert viewer.spans(page, "n") == [spans[9]]


def test_three_windows_over_one_place_are_three_layers(page, passages):
    """Overlap is drawn as a density, and its number is told."""
    spans = nodes_of(passages["prose.md"])
    viewer.choose(page, "prose.md")
    viewer.click_at(page, spans[5][0] + 4)
    for other in (6, 7, 8):
        viewer.click_at(page, spans[other][0] + 4, shift=True)
    # Windows ±2 of nodes 5 to 8 all hold sentences 6 and 7: three others beside any one of them.
    assert viewer.spans(page, "o3") == [(spans[6][0], spans[7][1])]
    assert re.search(r"also in1.*2.*3other pinned windows", viewer.said(page, "legendShared"))


def test_a_screen_reader_hears_what_is_selected(page, passages):
    viewer.choose(page, "prose.md")
    viewer.focus_text(page)
    page.keyboard.press("j")
    page.wait_for_function(
        f"() => {{ {viewer.INSIDE} return all('[data-ref=live]')[0].textContent.startsWith('Node 2 of') }}"
    )
    spoken = viewer.said(page, "live")
    assert re.search(r"Node 2 of 272, embedded \d+ tokens, returned \d+ tokens in sentences 1 to 4", spoken)
    assert "section Part 1" in spoken
    assert "Sentence 1 of part 1 says little." in spoken
    roles = viewer.look(
        page, "[all('[role=status]').length, all('.scroll')[0].getAttribute('role'), all('.block.heading')[0].role]"
    )
    assert roles == [1, "region", "heading"]
    assert viewer.look(page, "all('button').filter(e => !e.ariaLabel && !e.textContent.trim()).length") == 0


def test_copy_as_text_json_and_citation(page, passages):
    passage = passages["pump.pdf"]
    viewer.choose(page, "pump.pdf")
    node = chunk.nodes(passage, ChunkSettings())[0]
    span = chunk.window(node, passage.sentences, 2)
    copied = {}
    for form in ("Text", "JSON", "Citation"):
        page.get_by_role("group", name="Copy as").get_by_role("button", name=form).click()
        page.wait_for_timeout(100)
        copied[form] = page.evaluate("() => navigator.clipboard.readText()")
    assert copied["Text"] == passage.document.text[span.start : span.end]
    told = json.loads(copied["JSON"])
    assert (told["node"]["start"], told["node"]["end"]) == (node.start, node.end)
    assert told["window"]["text"] == copied["Text"]
    assert copied["Citation"] == f"pump.pdf, p. 1, characters {node.start}–{node.end}"


# ── the whole document ───────────────────────────────────────────────────────────────────────────


def test_only_what_is_near_is_laid_out_and_all_of_it_is_there(page, passages):
    """One block of 0.7 MB: its text is in the page whole, sentences are made as they come into sight."""
    passage = passages["huge.txt"]
    viewer.choose(page, "huge.txt")
    assert viewer.text(page) == passage.document.text
    assert 0 < viewer.look(page, "all('.doc .s').length") < 2000
    viewer.focus_text(page)
    page.keyboard.press("End")
    page.wait_for_function(
        f"() => {{ {viewer.INSIDE} const e = all('.doc .n')[0]?.getBoundingClientRect(); return e && e.top > 100 && e.bottom < innerHeight }}"
    )
    assert viewer.spans(page, "n") == [nodes_of(passage)[-1]]
    assert viewer.look(page, "all('.doc .s').length") < 4000
    assert viewer.text(page) == passage.document.text


def test_the_minimap_shows_the_whole_and_scrolls_to_where_it_is_pressed(page, passages):
    viewer.choose(page, "prose.md")
    box = page.locator(".viewer .map").bounding_box()
    place = "all('.scroll')[0].scrollTop / (all('.scroll')[0].scrollHeight - all('.scroll')[0].clientHeight)"
    x = box["x"] + box["width"] / 2
    page.mouse.move(x, box["y"] + box["height"] * 0.5)
    assert viewer.said(page, "tip").startswith("Below") or viewer.said(page, "tip").startswith("Part")
    page.mouse.down()
    middle = viewer.look(page, place)
    page.mouse.move(x, box["y"] + box["height"] * 0.98, steps=4)
    low = viewer.look(page, place)
    page.mouse.move(x, box["y"] + 1, steps=4)
    top = viewer.look(page, place)
    page.mouse.up()
    assert 0.35 < middle < 0.65
    assert low > 0.9
    assert top < 0.1
    inked = "(c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.filter((v, i) => i % 4 === 3 && v).length)(all('.map canvas')[0])"
    before = viewer.look(page, inked)
    page.keyboard.press("/")
    page.keyboard.type("closing remark")
    page.wait_for_function(f"() => {{ {viewer.INSIDE} return all('.doc .f').length > 0 }}")
    page.wait_for_timeout(200)
    assert viewer.look(page, inked) > before > 0, "matches are ticks on it"


def test_headings_and_pages_stand_above_the_text_and_lead_to_their_place(page, passages):
    viewer.choose(page, "prose.md")
    assert viewer.said(page, "path") == "Part 1"
    page.locator(".viewer .path").click()
    page.locator(".viewer .outline").get_by_text("Part 5", exact=True).click()
    page.wait_for_function(
        f"() => {{ {viewer.INSIDE} return /Part [45]/.test(all('[data-ref=path]')[0].textContent) }}"
    )
    heading = viewer.place_of(page, passages["prose.md"].document.text.index("# Part 5"))
    assert 100 < heading[1] < 880
    viewer.choose(page, "pump.pdf")
    assert viewer.said(page, "leaf") == "page 1"


def test_what_became_of_the_nodes_of_a_is_marked_in_the_text(page, passages):
    """A: three sentences each. B: four. Counted as core counts them, and marked at the boundaries."""
    passage = passages["prose.md"]
    viewer.choose(page, "prose.md")
    size = page.get_by_role("slider", name="Sentences per node")
    size.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    calm(page)
    page.get_by_role("button", name="Pin as A").click()
    calm(page)
    told = "all('[data-ref=diffs]')[0].textContent"
    page.wait_for_function(f"() => {{ {viewer.INSIDE} return / 0 moved.* 0 born/.test({told}) }}")
    assert viewer.points(page, "born") == viewer.points(page, "gone") == viewer.points(page, "moved") == []
    size.focus()
    page.keyboard.press("ArrowRight")
    calm(page)
    page.wait_for_function(f"() => {{ {viewer.INSIDE} return !/ 0 moved.* 0 born/.test({told}) }}")

    text, nodes = passage.document.text, {n: chunk.nodes(passage, ChunkSettings(n)) for n in (3, 4)}
    found = difference(nodes[3], nodes[4])
    counts = {name: int(n) for n, name in re.findall(r"(\d+) (kept|moved|born|gone)", viewer.said(page, "diffs"))}
    assert counts == {name: len(getattr(found, name)) for name in ("kept", "moved", "born", "gone")}
    cuts = {n: {_ink(text, at) for node in nodes[n] for at in (node.start, node.end)} - {0, len(text)} for n in (3, 4)}
    seen = {name: set(viewer.points(page, name)) for name in ("kept", "moved", "born", "gone", "left")}
    last = max(at for places in seen.values() for at in places)
    assert seen["kept"] == {at for at in cuts[3] & cuts[4] if at <= last}
    assert seen["born"] | seen["moved"] == {at for at in cuts[4] - cuts[3] if at <= last}
    assert seen["gone"] | seen["left"] == {at for at in cuts[3] - cuts[4] if at <= last}
    ends = {_ink(text, nodes[4][b].end) for a, b in found.moved if nodes[3][a].start == nodes[4][b].start}
    assert seen["moved"] >= {at for at in ends & (cuts[4] - cuts[3]) if at <= last}
    page.get_by_role("button", name="A: 3-sentences").click()
    calm(page)
    assert viewer.points(page, "kept") == []


def _ink(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


# ── with an index: hits, gold, what is near ──────────────────────────────────────────────────────


def test_hits_gold_and_what_an_index_knows_of_a_node(browser, tmp_path):
    """The sample as on the first start: a question's hits are numbered in the text, its gold is starred."""
    with Server(tmp_path) as server, viewer.tab(server, browser, page="Search") as page:
        page.get_by_role("button", name="What is the refund policy?").click()
        page.wait_for_selector(".cs-hit", timeout=90_000)
        calm(page)
        page.get_by_role("button", name="Open in text").first.click()
        page.wait_for_selector(".viewer .n")
        calm(page)
        (first, *_) = viewer.look(page, "all('.doc i.hit').map(e => [e.dataset.rank, offsetOf(e)])")
        assert first[0] == "1"
        assert viewer.points(page, "hit")[0] in [start for start, _ in viewer.spans(page, "n")] or viewer.points(
            page, "hit"
        )
        assert viewer.text(page).startswith("# ")

        page.locator("summary", has_text="Metadata").click()
        page.locator("summary", has_text="Nearest").click()
        page.wait_for_function(f"() => {{ {viewer.INSIDE} return all('[data-ref=near] .row').length === 5 }}")
        facts = dict(viewer.look(page, "all('.facts > div').map(e => [...e.children].map(c => c.textContent))"))
        assert facts["doc_type"] == "faq"
        assert "is first" in facts
        names = viewer.look(page, "all('[data-ref=near] .row small bdi:first-child').map(e => e.textContent)")
        other = next(i for i, name in enumerate(names) if name.endswith(".md") and name != "this document")
        page.locator(".viewer [data-ref=near] .row button").nth(other).click()
        page.wait_for_function(
            f"name => {{ {viewer.INSIDE} return all('.scroll')[0].ariaLabel.startsWith(`Text of ${{name}}.`) }}",
            arg=names[other],
        )
        calm(page)

        page.get_by_role("button", name="Sample traps").click()
        page.get_by_role("button", name="Try it").first.click()
        calm(page)
        page.keyboard.press("Escape")
        page.wait_for_function(f"() => {{ {viewer.INSIDE} return all('.doc .g').length > 0 }}")
        assert viewer.look(page, "getComputedStyle(all('.doc .g0')[0], '::before').content") == '"★"'
