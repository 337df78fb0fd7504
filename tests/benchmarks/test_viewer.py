"""The viewer in Chromium: opening a text, frames while a slider is dragged and while the text scrolls, and from a slider's
release to the repaint.

    pytest tests/benchmarks/test_viewer.py -s

Wall times want a quiet machine; beside each stands the main thread's own time, which a busy one does not change much.
Needs playwright and a Chromium (``CHROMIUM`` names one).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.e2e import viewer
from tests.e2e.browser import Server, calm, chromium

pytest.importorskip("playwright")

SAMPLE = Path(__file__).parent.parent.parent / "assets" / "sample" / "docs"
FRAME = """
const frame = work => new Promise(done => requestAnimationFrame(() => {
  const start = performance.now(), channel = new MessageChannel();
  channel.port1.onmessage = () => done(performance.now() - start);
  work();
  channel.port2.postMessage(0);
}));
"""


def prose(size: int) -> bytes:
    """The sample's prose, repeated."""
    once = "\n\n".join(path.read_text(encoding="utf-8") for path in sorted(SAMPLE.glob("*.md"))) + "\n\n"
    return (once * (size // len(once) + 1))[:size].encode()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("bench")
    files = {"small.md": prose(20_000), "one.md": prose(1_000_000), "five.md": prose(5_000_000)}
    viewer.store_of(folder / "w.duckdb", files, indexed=True)
    with Server(folder, CHUNKSCOPE_WORKSPACE=str(folder / "w.duckdb")) as running:
        warmed_up(running)
        yield running


def warmed_up(server: Server) -> None:
    """Let the model be loaded, which a server begins once a page has been drawn: it takes both cores for seconds."""
    with chromium() as browser, viewer.tab(server, browser):
        time.sleep(15)


@pytest.fixture
def page(server: Server) -> Iterator:
    with chromium() as browser, viewer.tab(server, browser) as opened:
        viewer.choose(opened, "small.md")
        yield opened


@pytest.fixture
def alone(tmp_path: Path) -> Iterator:
    """A tab on a workspace that holds one text of 1 MB: what a build would cost is told for all documents."""
    viewer.store_of(tmp_path / "w.duckdb", {"one.md": prose(1_000_000)}, indexed=True)
    with (
        Server(tmp_path, CHUNKSCOPE_WORKSPACE=str(tmp_path / "w.duckdb")) as server,
        chromium() as browser,
        viewer.tab(server, browser) as opened,
    ):
        time.sleep(15)  # as warmed_up
        viewer.choose(opened, "one.md")
        yield opened


class Own:
    """The main thread's own time in Chromium, in milliseconds."""

    def __init__(self, page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
        self._session.send("Performance.enable")

    def __call__(self) -> float:
        found = self._session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(metric["value"] for metric in found if metric["name"] == "TaskDuration")


def told(benchmark, name: str, values: Sequence[float], own: float | None = None) -> None:
    """Keep a series of milliseconds with the benchmark, and print what matters of it."""
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    line = f"{name}: median {statistics.median(ordered):.1f}, p95 {p95:.1f}, most {ordered[-1]:.1f} ms (n = {len(ordered)})"
    line += "" if own is None else f"; main thread {own / len(values):.1f} ms each"
    benchmark.extra_info[name] = {"values": list(values), "own": own}
    print(f"\n{line}")


@pytest.fixture(autouse=True)
def measured_by_hand(benchmark) -> None:
    """The figures are made in the page; what pytest-benchmark times itself is nothing."""
    benchmark.pedantic(lambda: None, rounds=1)


def seconds_to_paint(page, name: str) -> float:
    """From the click on a document's name until its text is painted with a node marked."""
    page.locator('[data-testid="stMain"]').get_by_role("combobox").first.click()
    option = page.get_by_role("option", name=name, exact=True)
    page.evaluate(
        f"""name => {{ window.painted = new Promise(done => document.addEventListener('pointerdown', () => {{
          const start = performance.now();
          const look = () => {{
            {viewer.INSIDE}
            const there = all('.scroll')[0]?.ariaLabel.startsWith(`Text of ${{name}}.`) && all('.doc .n').length;
            requestAnimationFrame(there ? () => done(performance.now() - start) : look);
          }};
          look();
        }}, {{ once: true, capture: true }})) }}""",
        name,
    )
    option.click()
    return page.evaluate("() => window.painted") / 1000


def test_opening(benchmark, page) -> None:
    own = Own(page)
    for size, name in (("1 MB", "one.md"), ("5 MB", "five.md")):
        for turn in ("first time", "again"):
            before, wall = own(), seconds_to_paint(page, name)
            told(benchmark, f"open {size}, {turn}", [1000 * wall], own() - before)
            viewer.choose(page, "small.md")
            time.sleep(8 if turn == "first time" else 1)  # tokens are counted meanwhile


@pytest.mark.parametrize("name", ["one.md", "five.md"])
def test_frames_of_a_drag(benchmark, page, name: str) -> None:
    viewer.choose(page, name)
    viewer.focus_text(page)
    for _ in range(30):
        page.keyboard.press("j")
    calm(page)
    own = Own(page)
    before = own()
    frames = viewer.look(
        page,
        f"""(async () => {{ {FRAME}
          const slider = all('[data-ref=slider]')[0], times = [];
          for (let turn = 0; turn < 200; turn++) times.push(await frame(() => {{
            slider.value = Math.abs(turn % 20 - 10);
            slider.dispatchEvent(new Event('input', {{ bubbles: true }}));
          }}));
          return times;
        }})()""",
    )
    told(benchmark, f"drag frame, {name}", frames, own() - before)


@pytest.mark.parametrize("name", ["one.md", "five.md"])
def test_frames_of_scrolling(benchmark, page, name: str) -> None:
    viewer.choose(page, name)
    own = Own(page)
    for kind, move in (
        ("scroll", "scroll.scrollTop += 300"),
        ("jump", "scroll.scrollTop = scroll.scrollHeight * ((turn * 0.381966) % 1)"),
    ):
        before = own()
        frames = viewer.look(
            page,
            f"""(async () => {{ {FRAME}
              const scroll = all('.scroll')[0], times = [];
              for (let turn = 0; turn < 200; turn++) times.push(await frame(() => {{ {move} }}));
              return times;
            }})()""",
        )
        told(benchmark, f"{kind} frame, {name}", frames, own() - before)


def test_from_a_slider_of_nodes_to_the_repaint(benchmark, alone) -> None:
    """Sentences per node, in the sidebar: through Python and back. The text stays in the page; nodes travel as numbers."""
    page = alone
    page.get_by_role("slider", name="Sentences per node").focus()
    page.evaluate(
        f"""() => {{ window.times = []; document.addEventListener('keydown', () => {{
          {viewer.INSIDE}
          const start = performance.now(), before = all('[data-ref=title]')[0].textContent.split(' of ')[1];
          const look = () => requestAnimationFrame(() => all('[data-ref=title]')[0].textContent.split(' of ')[1] === before ? look() : window.times.push(performance.now() - start));
          look();
        }}, true) }}"""
    )
    for turn in range(36):
        page.keyboard.press("ArrowLeft" if (turn // 9) % 2 else "ArrowRight")
        page.wait_for_function("n => window.times.length > n", arg=turn)
        time.sleep(0.4)
    told(benchmark, "slider of nodes to repaint, 1 MB, new nodes", page.evaluate("() => window.times.slice(0, 9)"))
    told(benchmark, "slider of nodes to repaint, 1 MB, nodes seen before", page.evaluate("() => window.times.slice(9)"))


def test_from_the_release_of_the_window_to_a_page_at_rest(benchmark, page) -> None:
    """The window: repainted while it moves; here until Python has heard of it and the page is at rest. And what was sent."""
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(len(frame))))
    page.reload()
    page.wait_for_selector(".viewer .n")
    calm(page)
    viewer.choose(page, "one.md")
    slider = page.get_by_label("Window, sentences on each side")
    slider.focus()
    repaint = []
    page.evaluate(
        f"""() => {{ {viewer.INSIDE} window.times = []; all('[data-ref=slider]')[0].addEventListener('input', () => {{
          const start = performance.now(), channel = new MessageChannel();
          channel.port1.onmessage = () => window.times.push(performance.now() - start);
          requestAnimationFrame(() => channel.port2.postMessage(0));
        }}) }}"""
    )
    sent.clear()
    for turn in range(20):
        page.keyboard.press("ArrowLeft" if turn % 2 else "ArrowRight")
        time.sleep(0.4)
    repaint = page.evaluate("() => window.times")
    told(benchmark, "window slider to repaint, 1 MB", repaint)
    told(benchmark, "bytes sent for each move (not ms)", sent)
