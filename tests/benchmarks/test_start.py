"""From the server answering to the first page with content, in a real browser; the first start ever, and a later one.

Needs playwright and a Chromium (``CHROMIUM`` names one).
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.e2e.browser import Server, chromium

pytest.importorskip("playwright")


@pytest.mark.parametrize("start", ["first", "later"])
def test_first_paint(benchmark, tmp_path: Path, start: str) -> None:
    if start == "later":
        with Server(tmp_path) as server, chromium() as browser:
            _paint(browser.new_page(), server.url)

    def measured() -> float:
        with Server(tmp_path if start == "later" else tmp_path / str(time.time_ns())) as server, chromium() as browser:
            return _paint(browser.new_page(), server.url)

    seconds = [measured() for _ in range(3)]
    benchmark.extra_info["seconds_to_first_paint"] = seconds
    benchmark.pedantic(lambda: None, rounds=1)
    print(f"\n{start} start: first paint after {', '.join(f'{s:.2f}' for s in seconds)} s")


def _paint(page, url: str) -> float:
    start = time.perf_counter()
    page.goto(url)
    page.wait_for_selector('[data-testid="stDataFrame"]')
    return time.perf_counter() - start
