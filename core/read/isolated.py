"""Reading in a process of its own: a parser that crashes, hangs or swallows memory takes nothing down with it.

The process is kept for the next file and ends by itself once nothing has been read for a while. What passes between
the two is JSON, so that a document which takes over the parser still cannot run code here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Lock, Thread, Timer
from typing import IO, Any

from core import read
from core.errors import AppError, UnreadableFile
from core.read.content import Content
from core.settings import ReadSettings
from core.types import Block, BlockKind, Document, Progress, no_progress

PATIENCE = 120.0
"""Seconds without a sign of life after which a file is given up."""

_MEMORY = 4 << 30  # bytes the process may take
_IDLE = 120.0  # seconds it is kept without work
_ROOT = Path(__file__).parent.parent.parent
_COMMAND = (sys.executable, "-m", "core.read.isolated")
Message = dict[str, Any]


class IsolatedReader:
    """Reads files as ``read.read`` does, in another process. Safe to share between threads; one file at a time."""

    def __init__(self, command: tuple[str, ...] = _COMMAND, patience: float = PATIENCE) -> None:
        self._command = command
        self._patience = patience
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._messages: Queue[Message | None] = Queue()
        self._idle: Timer | None = None

    def read(
        self, name: str, data: bytes, settings: ReadSettings = read.AUTOMATIC, progress: Progress = no_progress
    ) -> Document:
        """See ``read.read``.

        Raises:
            UnreadableFile: as there; or its parser crashed, or gave no sign of life for ``PATIENCE`` seconds.
            Cancelled: from ``progress``; the parser is stopped.
        """
        if any("\ud800" <= character <= "\udfff" for character in name):
            raise UnreadableFile("The file's name is no valid Unicode.", "Rename the file.")
        while not self._lock.acquire(timeout=0.2):
            progress(0, 0, "Waiting for another file")
        try:
            try:
                return read.document(name, self._content(name, data, settings, progress), settings)
            except UnreadableFile:
                raise
            except BaseException:
                self._stop()
                raise
            finally:
                self._rest()
        finally:
            self._lock.release()

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._stop()

    def _content(self, name: str, data: bytes, settings: ReadSettings, progress: Progress) -> Content:
        process = self._running()
        asked = {"name": name, "settings": _fields(settings), "size": len(data)}
        # A process that has stopped reading would hold up whoever writes to it.
        Thread(target=_ask, args=(process.stdin, asked, data), name="asker", daemon=True).start()
        waited, told = 0.0, (0.0, 0.0, "")
        while True:
            progress(*told)
            try:
                message = self._messages.get(timeout=0.1)
            except Empty:
                waited += 0.1
                if waited > self._patience:
                    self._stop()
                    raise UnreadableFile(
                        f"Reading was given up: no sign of life for {self._patience:.0f} seconds.",
                        "The file may be damaged, or made to stop programs. Export it again, or split it.",
                    ) from None
                continue
            waited = 0.0
            if message is None:
                self._stop()
                raise _crashed()
            if "refused" in message:
                raise UnreadableFile(*message["refused"])
            if "content" in message:
                return _content_of(message["content"])
            told = tuple(message["progress"])

    def _running(self) -> subprocess.Popen[bytes]:
        if self._idle:
            self._idle.cancel()
        if self._process is None or self._process.poll() is not None:
            self._stop()
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(_ROOT), *_paths()])}
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
            )
            self._messages = Queue()
            listen = (self._process.stdout, self._messages)
            Thread(target=_listen, args=listen, name="reader", daemon=True).start()
        return self._process

    def _rest(self) -> None:
        """End the process if nothing is read for a while."""
        if self._process is None:
            return
        self._idle = Timer(_IDLE, self.close)
        self._idle.daemon = True
        self._idle.start()

    def _stop(self) -> None:
        if self._idle:
            self._idle.cancel()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):
                    if pipe:
                        pipe.close()
        self._process = None


def _paths() -> list[str]:
    given = os.environ.get("PYTHONPATH")
    return [given] if given else []


def _crashed() -> UnreadableFile:
    return UnreadableFile(
        "The program that reads this format crashed on the file.", "It may be damaged: export it again."
    )


def _ask(pipe: IO[bytes] | None, asked: Message, data: bytes) -> None:
    """Send a file; what goes wrong shows in that no answer comes."""
    with suppress(OSError, ValueError):
        _send(pipe, asked, data)


def _listen(pipe: IO[bytes], messages: Queue[Message | None]) -> None:
    """Pass on what the process says; None once it says no more."""
    with suppress(OSError, ValueError):
        while (message := _receive(pipe)) is not None:
            messages.put(message)
    messages.put(None)


# ── what passes between the processes: the length of a JSON object on a line, the object, then raw bytes ─────────


def _send(pipe: IO[bytes] | None, message: Message, data: bytes = b"") -> None:
    assert pipe is not None  # noqa: S101 - pipes were asked for
    body = json.dumps(message).encode()
    pipe.write(b"%d\n" % len(body))
    pipe.write(body)
    pipe.write(data)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> Message | None:
    line = pipe.readline()
    if not line:
        return None
    message: Message = json.loads(pipe.read(int(line)))
    return message


def _fields(value: ReadSettings | Content) -> Message:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def _row_of(block: Block) -> list[object]:
    return [block.kind.value, block.start, block.end, block.headings, block.page]


def _content_of(message: Message) -> Content:
    blocks = tuple(
        Block(BlockKind(kind), int(start), int(end), tuple(map(str, headings)), page)
        for kind, start, end, headings, page in message["blocks"]
    )
    return Content(**{**message, "blocks": blocks, "notices": tuple(message["notices"])})


# ── the other process ────────────────────────────────────────────────────────────────────────────


def main() -> None:
    """Read what is asked for, one file after another, until the asking ends."""
    asking = os.fdopen(os.dup(0), "rb")
    answering = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no message
    _limit_memory()
    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    while (asked := _receive(asking)) is not None:
        data = asking.read(asked["size"])
        _send(answering, _answer(asked["name"], data, ReadSettings(**asked["settings"]), answering))


def _answer(name: str, data: bytes, settings: ReadSettings, answering: IO[bytes]) -> Message:
    def progress(done: float, total: float, message: str) -> None:
        _send(answering, {"progress": [done, total, message]})

    try:
        made = read.content(name, data, settings, progress)
    except AppError as error:
        return {"refused": [error.what, error.do]}
    except MemoryError:
        return {"refused": ["Reading the file takes more memory than a file may have here.", "Split it."]}
    except RecursionError:
        return {"refused": ["The file is nested too deeply to be read.", "Export it again in a simpler form."]}
    except Exception as error:  # noqa: BLE001 - a library's fault on a file of the user's
        return {"refused": [f"The file cannot be read ({type(error).__name__}: {error}).", "It may be damaged."]}
    return {"content": {**_fields(made), "blocks": [_row_of(block) for block in made.blocks]}}


def _end_with(parent: int) -> None:
    """End when the process that asks is gone, be it in the middle of a file."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _limit_memory() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


if __name__ == "__main__":
    main()
