"""A small server that speaks ``/v1/chat/completions``, or fails at it as it is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread


@dataclass
class Served:
    """An endpoint that answers every prompt with ``says``, or with one of ``faults`` for as long as there are some.

    A fault is a status with a body, the word "garbage" or "page", or "hang" until ``release`` is set.
    """

    url: str = ""
    says: str = "It is about pumps."
    message: dict[str, object] | None = None
    faults: list[tuple[int, object] | str] = field(default_factory=list)
    asked: list[dict[str, object]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    release: Event = field(default_factory=Event)

    @property
    def prompts(self) -> list[str]:
        return [str(asked["messages"][0]["content"]) for asked in self.asked]

    def answer(self) -> tuple[int, str, bytes]:
        """Status, content type and body of the next answer."""
        fault = self.faults.pop(0) if self.faults else None
        if fault == "hang":
            self.release.wait(30)
        if fault == "garbage":
            return 200, "application/json", b'{"choices": [{"mess'
        if fault == "page":
            return 200, "text/html", b"<h1>Welcome</h1>"
        if isinstance(fault, tuple):
            return fault[0], "application/json", json.dumps(fault[1]).encode()
        message = self.message or {"role": "assistant", "content": self.says}
        body = {"id": "1", "object": "chat.completion", "created": 1, "model": "tiny",
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}  # fmt: skip
        return 200, "application/json", json.dumps(body).encode()


@contextmanager
def served() -> Iterator[Served]:
    """The endpoint, as long as the block runs."""
    state = Served()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append({"path": self.path, **body})
            state.headers.append({name.lower(): value for name, value in self.headers.items()})
            status, kind, content = state.answer()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("retry-after-ms", "1")
            if 300 <= status < 400:
                self.send_header("Location", "http://127.0.0.1:9/v1/chat/completions")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that has hung up is no news."""

    server = Server(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield state
    finally:
        state.release.set()
        server.shutdown()
        server.server_close()
