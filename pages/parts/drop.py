"""Where files come in, and what became of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from core import home, workspace
from core.ingest import FileResult, Status, Upload
from core.jobs import jobs as registry
from core.metadata import Fix
from core.read import revision
from core.types import Progress
from core.workspace import Workspace
from pages.parts import context, errors, jobs, reading, resources, review, session, sidebar
from pages.parts.review import Review
from pages.parts.text import counted, escaped


def zone(opened: Workspace, *, empty: bool) -> None:
    """Where files come in: dropped, as a folder, or pasted."""
    kind = (
        st.segmented_control(
            "How", ["Files", "Folder", "Paste text"], default="Files", key="drop-kind", label_visibility="collapsed"
        )
        or "Files"
    )
    with st.form("drop", clear_on_submit=True, border=False):
        uploads: list[Upload] = []
        if kind == "Paste text":
            name = st.text_input("Name", placeholder="notes.md", key="paste-name")
            text = st.text_area("Text", key="paste-text", height=160)
            if text.strip():
                uploads = [Upload(_file_name(name, text), text.encode("utf-8", "surrogatepass"))]
        else:
            files = st.file_uploader(
                "PDF, Word, PowerPoint, Excel, web pages, Markdown, text, CSV, JSON, e-mail, code, or a zip of them; with sidecars (name.meta.json) or a metadata.csv",
                accept_multiple_files="directory" if kind == "Folder" else True,
                key=f"drop-{kind}",
            )
            uploads = [Upload(file.name.replace("\\", "/"), file.getvalue()) for file in files]
        target = _target(empty=empty)
        if (index := resources.current_index()) and not target:
            context.warn(index.settings)
        if st.form_submit_button("Add", type="primary", icon=":material/add:"):
            _start(opened, uploads, target)


def _file_name(name: str, text: str) -> str:
    """The name of a pasted text; without one it is named after its content, so that no other paste is replaced."""
    name = name.strip() or f"pasted-{revision(text)[:8]}.md"
    return name if name.endswith((".txt", ".md", ".markdown")) else f"{name}.md"


def _target(*, empty: bool) -> str:
    """Nobody's first upload ends up among the sample's documents by accident."""
    if not sidebar.sample_note() or empty:
        return ""
    return st.text_input(
        "Into the new workspace (clear this to add to the sample instead)",
        value=_free_name(),
        key="drop-target",
        width=420,
    )


def _free_name() -> str:
    taken = {path.stem for path in home.known()}
    return next(n for n in (home.OWN, *(f"{home.OWN}-{i}" for i in range(2, 1000))) if n not in taken)


def _start(opened: Workspace, uploads: list[Upload], target: str) -> None:
    """Begin the job that reads, splits, embeds and stores."""
    if not uploads:
        st.warning("Nothing to add yet: choose files, or paste text.", icon=":material/info:")
        return
    with errors.shown():
        if target.strip():
            path = home.named(target)
            opened = workspace.open(path)
            home.remember(path)
            session.current().switch_workspace(str(path))
        _work(opened, uploads, None)
        st.rerun()


def _work(opened: Workspace, uploads: Sequence[Upload], fixes: Sequence[Fix] | None) -> None:
    """Add files as a job, with fixes to their metadata; None for a drop nobody has looked at: it may want a review first."""
    state, index = session.current(), resources.current_index()
    settings = index.settings if index else state.draft
    model = index.model.name if index else state.model

    def work(progress: Progress) -> object:
        if fixes is None:
            progress(0, len(uploads), "Looking at the metadata")
            if found := review.needed(opened, uploads):
                return found
        return opened.add(uploads, settings, model, progress, fixes or ())

    for done in jobs.finished("add"):
        if not isinstance(done.result, Review):
            registry.dismiss(done)
    registry.start(jobs.owner(), "add", f"Adding {counted(len(uploads), 'file')}", work, several=True)


def outcomes() -> None:
    """The drop that waits for a decision; and what became of each file of those that were not dismissed."""
    review.draw(resources.current_workspace(), _work)
    for job in jobs.finished("add"):
        if isinstance(job.result, Review):
            continue
        jobs.outcome(job)
        if isinstance(job.result, list):
            _outcome(job.result)
        if st.button("Dismiss", key=f"dismiss-{job.id}", type="tertiary", icon=":material/close:"):
            registry.dismiss(job)
            st.rerun()


def _outcome(results: list[FileResult]) -> None:
    """One line per file, the failed ones first."""
    counts = Counter(result.status for result in results)
    title = ", ".join(f"{counts[status]:,} {status}" for status in Status if counts[status])
    failed = counts[Status.FAILED] > 0
    icon = ":material/error:" if failed else ":material/check_circle:"
    with st.expander(title or "Nothing to add", icon=icon, expanded=failed or len(results) <= 8):
        shown = sorted(results, key=lambda r: r.status is not Status.FAILED)[:200]
        with st.container(height=340 if len(shown) > 8 else "content", border=False):
            st.html(f'<div class="cs-results">{"".join(_row(result) for result in shown)}</div>')
        if len(results) > 200:
            st.caption(f"… and {len(results) - 200:,} more")


def _row(result: FileResult) -> str:
    """One file: what became of it, its numbers, and what to know about it."""
    numbers = [counted(result.pages, "page")] if result.pages else []
    if result.nodes:
        numbers += [counted(result.nodes, "node"), f"{result.embedded:,} embedded", f"{result.seconds:.1f} s"]
    notes = [result.reason, *_cleaned(result), *result.notices]
    said = "".join(f"<div>{escaped(note)}</div>" for note in notes if note)
    return (
        f'<div class="cs-status cs-{result.status.value}">{result.status.value}</div>'
        f'<div><b>{escaped(result.name)}</b> <span class="cs-numbers">{" · ".join(numbers)}</span>{said}</div>'
    )


def _cleaned(result: FileResult) -> list[str]:
    said = reading.cleaned(result.cleaned)
    return [f"Cleaned: {said}."] if said else []
