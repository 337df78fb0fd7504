"""A real server in a process of its own, and a real browser that notes everything that goes wrong."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
STREAMLITS_OWN = re.compile(r"/[^/]+/_stcore/(health|host-config)$")
"""Streamlit asks for these two below the page's address on a deep link, and logs that they are not there."""


def executable() -> str | None:
    """A Chromium on this machine: the one ``CHROMIUM`` names, or one on the path."""
    named = os.environ.get("CHROMIUM")
    return named or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Server:
    """``streamlit run app.py`` with a data folder of its own."""

    def __init__(self, data: Path, **environment: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self._port = port
        self._environment = {**os.environ, "XDG_DATA_HOME": str(data), "HOME": str(data), **environment}
        self._log = data / "server.log"

    def __enter__(self) -> Server:
        self._log.parent.mkdir(parents=True, exist_ok=True)
        command = [
            sys.executable,
            "-m",
            "streamlit",
            "run",
            "app.py",
            "--server.headless=true",
            f"--server.port={self._port}",
        ]
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self._environment, stdout=log, stderr=subprocess.STDOUT
            )
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self._port), 0.2).close()
            except OSError:
                time.sleep(0.1)
            else:
                return self
        raise RuntimeError(f"the server did not start: {self.log()}")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")


@contextmanager
def chromium() -> Iterator:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=FLAGS)
        yield browser
        browser.close()


def watched(page) -> list[str]:
    """Everything that goes wrong on ``page`` from now on: console errors, exceptions, failed and outside requests."""
    faults: list[str] = []

    def console(message) -> None:
        where = (message.location or {}).get("url", "")
        if message.type == "error" and not STREAMLITS_OWN.search(where):
            faults.append(f"console: {message.text} {where}")

    def request(sent) -> None:
        if not re.match(r"(https?|wss?)://(127\.0\.0\.1|localhost)[:/]|data:|blob:", sent.url):
            faults.append(f"outside request: {sent.url}")

    page.on("console", console)
    page.on("pageerror", lambda error: faults.append(f"script: {error}"))
    page.on("request", request)
    return faults


def calm(page, limit: float = 90.0) -> None:
    """Wait until Streamlit has stopped running and the page no longer changes."""
    look = (
        "() => [document.querySelector('.stApp')?.dataset.testScriptState ?? '', document.body.innerText.length].join()"
    )
    deadline, last, since = time.time() + limit, None, time.time()
    while time.time() < deadline:
        now = page.evaluate(look)
        if now != last:
            last, since = now, time.time()
        if time.time() - since > 0.7 and not now.startswith("running"):
            return
        time.sleep(0.1)
    raise AssertionError(f"the page did not come to rest in {limit} s")


def go(page, name: str) -> None:
    """Open a page through the navigation."""
    page.locator('[data-testid="stSidebarNavLink"]', has_text=name).click()
    calm(page)


def eventually(read: Callable[[], object], wanted: object, limit: float = 30.0) -> None:
    """Wait until ``read`` gives what is wanted; fail with what it gives instead."""
    deadline = time.monotonic() + limit
    while (found := read()) != wanted and time.monotonic() < deadline:
        time.sleep(0.1)
    assert found == wanted


@contextmanager
def tab(
    server: Server,
    browser,
    path: str = "",
    *,
    width: int = 1280,
    height: int = 900,
    scheme: str = "light",
    ready: str = "h1",
) -> Iterator:
    """A fresh tab at an address, once ``ready`` is there; at the end nothing may have gone wrong."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    opened = context.new_page()
    faults = watched(opened)
    opened.goto(f"{server.url}{path}")
    opened.wait_for_selector(ready, timeout=120_000)
    calm(opened)
    yield opened
    calm(opened)
    assert opened.locator('[data-testid="stException"]').count() == 0
    assert opened.evaluate("() => window.PWNED") is None
    assert not opened.evaluate("() => document.documentElement.scrollWidth > innerWidth"), "scrolls sideways"
    assert faults == [], faults
    assert _OURS.search(server.log()) is None, "Streamlit itself may stumble over a tab that is closed"
    context.close()


_OURS = re.compile(rf'File "{re.escape(str(ROOT))}/(core|pages)/')
