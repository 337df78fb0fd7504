"""Background work as the analyst sees it: progress, time left, stop; found again after a page change or a reload."""

from __future__ import annotations

import streamlit as st

from core.jobs import Job, State, jobs
from core.workspace import BuildReport
from pages.parts import resources, session
from pages.parts.text import literal


def owner() -> str:
    """Whose jobs these are: the workspace's."""
    return resources.current_workspace().location


def running(kind: str) -> bool:
    """Whether such a job is at work on this workspace."""
    return any(job.kind == kind and job.state is State.RUNNING for job in jobs.of(owner()))


def finished(kind: str) -> list[Job]:
    """The jobs of this kind that have ended and were not dismissed, newest first."""
    return [job for job in jobs.of(owner()) if job.kind == kind and job.state is not State.RUNNING]


def panel() -> None:
    """Draw what is at work. While anything is, it redraws itself, and the whole page when something ends."""
    busy = [job for job in jobs.of(owner()) if job.state is State.RUNNING]
    session.current().seen_jobs |= {job.id for job in jobs.of(owner()) if job.state is not State.RUNNING}
    st.fragment(_draw, run_every=0.5 if busy else None)()


def use_what_was_built() -> None:
    """The index this tab asked for is the one it works with, once it is there."""
    state = session.current()
    job = next((job for job in jobs.of(owner()) if job.id == state.building), None)
    if job is None or job.state is State.RUNNING:
        return
    state.building = None
    if isinstance(job.result, BuildReport):
        state.index = job.result.index.id


def _draw() -> None:
    seen = session.current().seen_jobs
    for job in jobs.of(owner()):
        if job.state is State.RUNNING:
            _draw_running(job)
        elif job.id not in seen:
            st.rerun(scope="app")


def here(kind: str, place: str) -> None:
    """Draw what is at work of a kind where its result will stand, too; ``place`` tells such places apart."""
    st.fragment(_draw_here, run_every=0.5)(kind, place)


def _draw_here(kind: str, place: str) -> None:
    for job in jobs.of(owner()):
        if job.kind == kind and job.state is State.RUNNING:
            _draw_running(job, f"stop-{place}")


def _draw_running(job: Job, key: str = "stop") -> None:
    left = job.seconds_left
    if job.total:
        st.progress(job.fraction, text=f"**{literal(job.title)}**")
    else:  # nobody knows how far it is
        st.markdown(f":material/hourglass_top: **{literal(job.title)}** · {job.seconds:.0f} s")
    line = literal(job.message) + (f" · about {left:.0f} s left" if left is not None else "")
    st.caption(line)
    st.button(
        "Stopping …" if job.stopping else "Stop",
        key=f"{key}-{job.id}",
        on_click=job.cancel,
        disabled=job.stopping,
        icon=":material/stop_circle:",
    )


def outcome(job: Job) -> None:
    """Say how a job ended, if not well."""
    if job.state is State.FAILED:
        st.error(f"**{literal(job.title)}** failed. {literal(job.error)}", icon=":material/error:")
    elif job.state is State.CANCELLED:
        st.warning(
            f"**{literal(job.title)}** was stopped. What was finished before is kept.", icon=":material/stop_circle:"
        )
