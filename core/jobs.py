"""Background work that outlives a page: one thread each, with progress, an estimate and a way to stop it.

The registry belongs to the process. A job has an owner (the workspace it works on), so that every page and every
reload of that workspace finds it again.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Event, Lock, Thread
from uuid import uuid4

from core.errors import AppError, Cancelled
from core.types import Progress


class State(StrEnum):
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(slots=True)
class Job:
    """One piece of work. Read it from any thread; only its own thread writes."""

    id: str
    owner: str
    kind: str
    title: str
    state: State = State.RUNNING
    done: float = 0
    total: float = 0
    message: str = "Starting"
    result: object = None
    error: str = ""
    started: float = field(default_factory=time.monotonic)
    ended: float | None = None
    _stop: Event = field(default_factory=Event)

    @property
    def fraction(self) -> float:
        return min(1.0, self.done / self.total) if self.total else 0.0

    @property
    def seconds(self) -> float:
        """How long it has run, or ran."""
        return (self.ended or time.monotonic()) - self.started

    @property
    def seconds_left(self) -> float | None:
        """An estimate from the rate so far, or None while there is too little to go by."""
        if self.state is not State.RUNNING or self.fraction < 0.02 or self.seconds < 1:
            return None
        return self.seconds * (1 - self.fraction) / self.fraction

    def cancel(self) -> None:
        """Ask it to stop; it does at its next report of progress."""
        self._stop.set()

    @property
    def stopping(self) -> bool:
        return self._stop.is_set() and self.state is State.RUNNING

    def report(self, done: float, total: float, message: str) -> None:
        """The ``Progress`` that the work calls."""
        if self._stop.is_set():
            raise Cancelled("Stopped.", "What was finished before is kept.")
        self.done, self.total, self.message = done, total, message


Work = Callable[[Progress], object]


class Jobs:
    """All jobs of a process. The same kind of work is not started twice for one owner, unless asked for."""

    def __init__(self, keep: int = 20) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = Lock()
        self._keep = keep

    def start(self, owner: str, kind: str, title: str, work: Work, *, several: bool = False) -> Job:
        """Run ``work`` in a thread; or, unless ``several`` may run at once, return the owner's running job of that kind."""
        with self._lock:
            running = (
                None
                if several
                else next(
                    (j for j in self._jobs.values() if (j.owner, j.kind) == (owner, kind) and j.state is State.RUNNING),
                    None,
                )
            )
            if running:
                return running
            job = Job(uuid4().hex[:12], owner, kind, title)
            self._jobs[job.id] = job
            self._forget()
        Thread(target=_run, args=(job, work), name=f"job-{kind}", daemon=True).start()
        return job

    def of(self, owner: str) -> list[Job]:
        """The owner's jobs, newest first."""
        with self._lock:
            return [job for job in reversed(self._jobs.values()) if job.owner == owner]

    def dismiss(self, job: Job) -> None:
        """Forget a job that has ended."""
        if job.state is not State.RUNNING:
            with self._lock:
                self._jobs.pop(job.id, None)

    def _forget(self) -> None:
        ended = [job for job in self._jobs.values() if job.state is not State.RUNNING]
        for job in ended[: max(0, len(ended) - self._keep)]:
            del self._jobs[job.id]


def _run(job: Job, work: Work) -> None:
    try:
        job.result = work(job.report)
        state = State.DONE
    except Cancelled:
        state = State.CANCELLED
    except AppError as error:
        job.error, state = str(error), State.FAILED
    except Exception as error:  # noqa: BLE001 - a thread has no caller: the job carries the fault to the page
        traceback.print_exc()
        job.error, state = f"{type(error).__name__}: {error}", State.FAILED
    job.ended = time.monotonic()
    job.state = state


jobs = Jobs()
"""This process's jobs."""
