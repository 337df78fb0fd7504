"""What a parser does to itself stays in its own process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from core import read
from core.errors import Cancelled, UnreadableFile
from core.read.isolated import IsolatedReader
from core.settings import ReadSettings
from core.types import Progress, no_progress

ROOT = Path(__file__).parent.parent.parent.parent

TEXT = "# Titel\n\nÄ “quoted” 👩‍🔧 sentence. Another one, long enough to be told for English."

# What the other process runs in place of ours: it takes a request as ours does, then misbehaves.
_TAKES = "import sys, time, os, json; n = int(sys.stdin.buffer.readline()); asked = json.loads(sys.stdin.buffer.read(n)); sys.stdin.buffer.read(asked['size']); "
CRASHES = _TAKES + "os.abort()"
HANGS = _TAKES + "time.sleep(600)"
WORKS_ON = _TAKES + (
    "message = json.dumps({'progress': [1, 9, 'page 1']}).encode()\n"
    "while True: sys.stdout.buffer.write(b'%d\\n' % len(message) + message); sys.stdout.buffer.flush(); time.sleep(.05)"
)


@pytest.fixture(scope="module")
def reader():
    made = IsolatedReader()
    yield made
    made.close()


def running(code: str, patience: float = 60.0) -> IsolatedReader:
    return IsolatedReader((sys.executable, "-c", code), patience)


@pytest.mark.parametrize("settings", [ReadSettings(), ReadSettings(clean=False, language="de")])
def test_a_document_is_the_same_as_when_read_here(reader, settings):
    assert reader.read("a.md", TEXT.encode(), settings) == read.read("a.md", TEXT.encode(), settings)


def test_a_refusal_says_the_same_as_when_read_here(reader):
    with pytest.raises(UnreadableFile) as there:
        reader.read("a.pdf", b"no pdf")
    with pytest.raises(UnreadableFile) as here:
        read.read("a.pdf", b"no pdf")
    assert (there.value.what, there.value.do) == (here.value.what, here.value.do)


def test_one_process_reads_many_files(reader):
    reader.read("a.txt", b"One.")
    first = reader._process
    reader.read("b.txt", b"Two.")
    assert reader._process is first


def test_a_name_with_half_a_character_is_refused(reader):
    with pytest.raises(UnreadableFile, match="Rename"):
        reader.read("a\ud800.txt", b"One.")


def test_a_crash_is_a_refusal_and_the_next_file_is_read():
    crashing = running(CRASHES)
    for _ in range(2):
        with pytest.raises(UnreadableFile, match="crashed"):
            crashing.read("a.txt", b"x" * 1_000_000)
    crashing.close()


def test_a_parser_that_hangs_is_given_up():
    hanging = running(HANGS, patience=0.5)
    with pytest.raises(UnreadableFile, match="no sign of life"):
        hanging.read("a.txt", b"One.")
    assert hanging._process is None


def test_a_parser_that_hangs_can_be_cancelled_and_ends():
    hanging = running(HANGS)
    asked = time.monotonic()

    def stop(done: float, total: float, message: str) -> None:
        if time.monotonic() - asked > 0.3:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        hanging.read("a.txt", b"One.", progress=stop)
    assert hanging._process is None
    assert time.monotonic() - asked < 30


def test_progress_comes_through_and_can_stop_the_work():
    told = []

    def progress(done: float, total: float, message: str) -> None:
        told.append((done, total, message))
        if len(told) > 5:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        running(WORKS_ON).read("a.txt", b"One.", progress=progress)
    assert (1, 9, "page 1") in told


def test_what_was_told_last_stands_until_more_is_told():
    told = []

    def progress(done: float, total: float, message: str) -> None:
        told.append((done, message))
        if len(told) > 12:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        running(WORKS_ON.replace("sleep(.05)", "sleep(.4)")).read("a.txt", b"One.", progress=progress)
    first = told.index((1, "page 1"))
    assert set(told[first:]) == {(1, "page 1")}
    assert len(told[first:]) > 3


def test_a_program_that_cannot_be_started_again_does_not_lose_the_reader(reader):
    reader.close()
    assert reader.read("a.txt", b"One.", progress=no_progress).text == "One."


READS_NOTHING = "import time; time.sleep(600)"
ASKS = """
import threading, time
from core.read.isolated import IsolatedReader
reader = IsolatedReader()
slow = ("![[]()" * 400_000).encode()
threading.Thread(target=reader.read, args=("slow.md", slow), daemon=True).start()
while reader._process is None:
    time.sleep(0.05)
time.sleep(1.5)
print(reader._process.pid, flush=True)
time.sleep(600)
"""


def test_a_process_that_does_not_take_the_file_is_given_up():
    deaf = running(READS_NOTHING, patience=0.5)
    with pytest.raises(UnreadableFile, match="no sign of life"):
        deaf.read("a.txt", b"x" * 5_000_000)
    deaf.close()


def test_whoever_waits_for_another_file_can_be_cancelled():
    hanging = running(HANGS)
    released = Event()

    def read_until_released() -> None:
        with suppress(Cancelled):
            hanging.read("a.txt", b"One.", progress=until(released))

    busy = Thread(target=read_until_released)
    busy.start()
    while hanging._process is None:
        time.sleep(0.01)
    with pytest.raises(Cancelled):
        hanging.read("b.txt", b"Two.", progress=until(lambda: True))
    released.set()
    busy.join(30)
    assert not busy.is_alive()


def until(over: Event | Callable[[], bool]) -> Progress:
    """A progress that stops the work once it is over."""

    def progress(done: float, total: float, message: str) -> None:
        if over.is_set() if isinstance(over, Event) else over():
            raise Cancelled("Stopped.")

    return progress


@pytest.mark.skipif(sys.platform == "win32", reason="there a process does not lose its parent")
def test_the_other_process_ends_with_the_one_that_asks_even_in_the_middle_of_a_file():
    asking = subprocess.Popen([sys.executable, "-c", ASKS], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    child = int(asking.stdout.readline())
    os.kill(child, 0)
    asking.kill()
    asking.wait()
    for _ in range(200):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{child}/stat").exists() and Path(f"/proc/{child}/stat").read_text().split()[2] == "Z":
            return  # it has ended; nobody has asked after it yet
        time.sleep(0.1)
    os.kill(child, 9)
    pytest.fail("the other process lived on")
