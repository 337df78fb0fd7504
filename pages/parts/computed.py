"""The fields that are found out about every node: how each is, and which are wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from core.enrich.fields import COMPUTED, EnrichSettings
from core.jobs import jobs as registry
from core.types import Progress
from core.workspace import Workspace
from pages.parts import jobs, session
from pages.parts.retyping import named
from pages.parts.text import counted


def computed(opened: Workspace) -> None:
    """Every such field with its type, its method and a switch; what is switched takes effect once it is applied."""
    kept, edit = opened.enrich_settings(), session.current().schema
    off = kept.off if edit.off is None else edit.off
    st.caption("Computed when an index is built, to filter by; nobody types them in.")
    for job in jobs.finished("enrich"):
        jobs.outcome(job)
    for field in COMPUTED:
        left, right = st.columns([2, 7], vertical_alignment="center", gap="medium")
        with left:
            st.toggle(
                field.name,
                **session.tied(f"computed-{field.name}", field.name not in off, _switched(kept.off, field.name)),
            )
        with right:
            costly = " Takes time." if field.costly else ""
            st.caption(f"{named(field.type).split(' ', 1)[1]} · {field.method}{costly}")
    _apply(opened, replace(kept, off=off), kept)


def _switched(kept: frozenset[str], name: str) -> Callable[[bool], None]:
    def take(on: bool) -> None:
        edit = session.current().schema
        off = kept if edit.off is None else edit.off
        edit.off = off - {name} if on else off | {name}

    return take


def _apply(opened: Workspace, settings: EnrichSettings, kept: EnrichSettings) -> None:
    """Compute the fields of every index again, as a job that the sidebar shows."""
    indexes = len(opened.indexes())
    busy = jobs.running("enrich")
    label = f"Apply, and compute again for {counted(indexes, 'index')}" if indexes else "Apply"
    if st.button(label, key="computed-apply", disabled=settings == kept or busy, help="No vector is touched."):

        def work(progress: Progress) -> object:
            opened.enrich(settings, progress)
            return None

        for done in jobs.finished("enrich"):
            registry.dismiss(done)
        registry.start(jobs.owner(), "enrich", "Computing fields", work)
        session.current().schema.off = None
        session.current().show("")
        st.rerun()
