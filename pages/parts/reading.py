"""How a document was read, and reading it again in another way."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core import languages, split
from core.jobs import jobs as registry
from core.read import decode
from core.settings import ReadSettings
from core.types import DocumentInfo, Progress
from core.workspace import Workspace
from pages.parts import errors, jobs
from pages.parts.text import counted, literal

CLEANED = {
    "headers": "repeated page header", "footers": "repeated page footer", "hyphens": "hyphenated line end",
    "ligatures": "ligature", "nul": "zero character", "broken": "broken character", "menus": "menu or footer",
    "hidden": "hidden part",
}  # fmt: skip
_AUTOMATIC = ""


def panel(opened: Workspace, info: DocumentInfo) -> None:
    """What was found out and cleaned; and a form to read the file again."""
    left, right = st.columns(2, gap="large")
    with left:
        _facts(opened, info)
    with right:
        _again(opened, info)


def _facts(opened: Workspace, info: DocumentInfo) -> None:
    how = info.reading
    rows = [
        ("format", info.media_type),
        ("encoding", f"{how.encoding}{' (a guess)' if how.guessed else ''}" if how.encoding else "carried by the file"),
        ("language", languages.named(how.language) or "not known"),
        ("sentences by", split.describe(opened.split_settings(), how.language)),
        ("pages", f"{how.pages:,}" if how.pages else "–"),
        ("characters", f"{info.characters:,}"),
        ("blocks", ", ".join(f"{count:,} {kind}" for kind, count in how.blocks.items()) or "–"),
        ("cleaned", cleaned(how.cleaned) or "nothing"),
    ]
    st.dataframe([{"": name, "how": value} for name, value in rows], hide_index=True, key="reading-facts")
    for notice in how.notices:
        st.markdown(f":material/info: {literal(notice)}")


def cleaned(counts: Mapping[str, int]) -> str:
    """``3 repeated page headers, 1 ligature``."""
    return ", ".join(counted(count, CLEANED.get(what, what)) for what, count in counts.items() if count)


def _again(opened: Workspace, info: DocumentInfo) -> None:
    now = info.reading.settings
    with st.form(f"reread-{info.id}", border=False):
        st.markdown("**Read it again**")
        encoding = now.encoding
        if info.reading.encoding:
            encoding = st.selectbox(
                "Encoding", [_AUTOMATIC, *decode.CHOICES], index=_index([_AUTOMATIC, *decode.CHOICES], now.encoding),
                format_func=lambda e: decode.CHOICES.get(e, f"found out ({info.reading.encoding})"), key=f"encoding-{info.id}",
            )  # fmt: skip
        codes = [_AUTOMATIC, *languages.NAMES]
        spoken = st.selectbox(
            "Language", codes, index=_index(codes, now.language), key=f"language-{info.id}",
            format_func=lambda c: languages.NAMES.get(c, "found out"),
        )  # fmt: skip
        clean = st.toggle(
            "Clean: page headers and footers, hyphenated line ends, ligatures", value=now.clean, key=f"clean-{info.id}"
        )
        whole = now.whole_page
        if info.media_type in ("text/html", "message/rfc822"):
            whole = st.toggle("The whole page, menus and footers too", value=now.whole_page, key=f"whole-{info.id}")
        if st.form_submit_button("Read again", icon=":material/refresh:"):
            _start(opened, info, ReadSettings(encoding or "", clean, whole, spoken or ""))


def _index(choices: list[str], chosen: str) -> int:
    return choices.index(chosen) if chosen in choices else 0


def _start(opened: Workspace, info: DocumentInfo, settings: ReadSettings) -> None:
    def work(progress: Progress) -> object:
        return [opened.reread(info.id, settings, progress)]

    with errors.shown():
        for done in jobs.finished("add"):
            registry.dismiss(done)
        registry.start(jobs.owner(), "add", f"Reading {info.name} again", work, several=True)
        st.rerun()
