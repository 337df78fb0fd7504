"""Settings with names: chosen with one move, saved under a name of one's own, deleted and brought back."""

from __future__ import annotations

import streamlit as st

from core.chunk import PRESETS, Preset
from core.workspace import Workspace
from pages.parts import errors, named, session
from pages.parts.text import literal, shortened

CUSTOM = ""


def row(opened: Workspace) -> None:
    """The preset in use, and beside it what saves and deletes those of this workspace."""
    with errors.shown():
        saved = opened.remembered.presets()
        every = {preset.name: preset for preset in (*PRESETS, *saved)}
        name = chosen(every)
        with st.container(key="preset-row", horizontal=True, vertical_alignment="bottom", gap="xsmall", wrap=False):
            st.selectbox(
                "Preset", [*([CUSTOM] if name == CUSTOM else []), *every], format_func=lambda n: n or "– custom",
                **session.tied("preset", name, lambda n: session.current().take(every[n]) if n in every else None),
            )  # fmt: skip
            with st.popover("", icon=":material/bookmark:", help="Save these settings as a preset", key="preset-menu"):
                _menu(opened, next((preset for preset in saved if preset.name == name), None))


def chosen(every: dict[str, Preset]) -> str:
    """The name of the preset that the draft and the window are; of several, the one that was chosen; else ``CUSTOM``."""
    state = session.current()
    same = [n for n, preset in every.items() if (preset.settings, preset.window) == (state.draft, state.window)]
    return state.preset if state.preset in same else same[0] if same else CUSTOM


def _menu(opened: Workspace, mine: Preset | None) -> None:
    state = session.current()
    named.form("preset", "Save as preset", 60, lambda name: _save(opened, name))
    if mine and st.button(
        f"Delete “{literal(shortened(mine.name, 30))}”", key="preset-delete", icon=":material/delete:", width="stretch"
    ):
        opened.remembered.delete_preset(mine.name)
        state.deleted_preset = mine
        st.rerun()
    if gone := state.deleted_preset:
        named.brought_back("preset", gone.name, lambda: _restore(opened, gone))


def _save(opened: Workspace, name: str) -> None:
    state = session.current()
    preset = Preset(name, state.draft, state.window)
    opened.remembered.save_preset(preset)
    state.preset, state.deleted_preset = preset.name, None


def _restore(opened: Workspace, gone: Preset) -> None:
    state = session.current()
    opened.remembered.save_preset(gone)
    state.take(gone)
    state.deleted_preset = None
