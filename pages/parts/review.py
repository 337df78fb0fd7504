"""A drop whose metadata want a decision: looked at before anything is stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from core import metadata
from core.ingest import Upload
from core.jobs import Job
from core.jobs import jobs as registry
from core.metadata import Fix, Raw, Report
from core.workspace import Workspace
from pages.parts import findings, jobs, lint_panel
from pages.parts.findings import Decisions
from pages.parts.text import counted

Add = Callable[[Workspace, Sequence[Upload], Sequence[Fix]], None]
"""Begins to add files, with fixes to their metadata."""


@dataclass(slots=True)
class Review:
    """The files of a drop that waits, what they say about themselves, what is odd about it, and what is decided."""

    uploads: Sequence[Upload]
    raws: Mapping[str, Raw]
    report: Report
    decisions: Decisions = field(default_factory=Decisions)


def needed(opened: Workspace, uploads: Sequence[Upload]) -> Review | None:
    """What a person should see before these files are stored; None if they bring no metadata, or nothing odd."""
    raws = opened.raws(uploads)
    if not any(raws.values()):
        return None
    report = metadata.lint(raws, opened.fields(), strict=opened.strict)
    return Review(uploads, raws, report) if report.findings else None


def waiting() -> list[Job]:
    """The drops that wait for a decision, the oldest first."""
    return [job for job in reversed(jobs.finished("add")) if isinstance(job.result, Review)]


def draw(opened: Workspace, add: Add) -> None:
    """Draw the drop that has waited longest, if any does."""
    every = waiting()
    if every:
        st.fragment(partial(_draw, opened, every[0], add))()
        if len(every) > 1:
            st.caption(f"{counted(len(every) - 1, 'more drop')} to look at after this one.")


def _draw(opened: Workspace, job: Job, add: Add) -> None:
    review = job.result
    if not isinstance(review, Review):
        return
    decisions, strict, fields = review.decisions, opened.strict, opened.fields()
    items = findings.items(review.report, fields, review.raws, strict=strict)
    documents = counted(review.report.documents, "document")
    with st.container(border=True, key=f"review-{job.id}"):
        st.markdown(f"#### {documents} to add: {counted(len(items), 'thing')} to look at first")
        st.caption("Nothing is stored yet. Take what is right, leave the rest: files are never changed on your disk.")
        lint_panel.panel(
            items, decisions, review.raws, {spec.name: spec for spec in fields}, strict=strict, where=job.id
        )
        lint_panel.coverage(review.report.coverage, job.id)
        _buttons(opened, job, review, items, add)


def _buttons(opened: Workspace, job: Job, review: Review, items: Sequence[findings.Item], add: Add) -> None:
    fixes = review.decisions.fixes(items)
    documents = counted(review.report.documents, "document")
    with st.container(horizontal=True, vertical_alignment="center", key=f"lint-actions-{job.id}"):
        label = f"Add {documents} with {counted(len(fixes), 'fix')}" if fixes else f"Add {documents}"
        if st.button(label, key=f"add-{job.id}", type="primary", icon=":material/add:"):
            _go(job, partial(add, opened, review.uploads, fixes))
        if fixes and st.button("Add as they are", key=f"add-as-is-{job.id}"):
            _go(job, partial(add, opened, review.uploads, ()))
        if st.button("Cancel", key=f"cancel-{job.id}", type="tertiary", icon=":material/close:"):
            _go(job, lambda: None)
        refused = findings.refused(items, review.decisions, review.raws)
        if refused:
            left = f"As decided so far, {counted(refused, 'document')} would be refused."
            st.caption(f":orange[:material/block:] {left}", width="content")


def _go(job: Job, then: Callable[[], None]) -> None:
    """Do what was decided, unless another tab has decided first."""
    if job in waiting():
        registry.dismiss(job)
        then()
    st.rerun()
