"""The table of documents: every value is changed where it stands, a name opens its document, ticks choose several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from core import metadata, workspace
from core.filters import TIMES, FieldType, Filter
from core.read import formats
from core.types import DocumentInfo, FieldSpec, Index
from core.workspace import Workspace
from pages.parts import attention, columns, edits, session

TICK, NAME, STATE = "tick", "name", "state"
_OPEN = "documents-open"
_JOINER = "\u2060"  # no width, no break


@dataclass(frozen=True, slots=True)
class Rows:
    """The documents of the list with their table; ``fields`` are its columns that hold metadata, ``reasons`` the amber marks."""

    infos: tuple[DocumentInfo, ...]
    frame: pd.DataFrame
    fields: Mapping[str, FieldSpec]
    reasons: tuple[str, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(info.id for info in self.infos)

    @property
    def key(self) -> str:
        """Names the table: another when it holds other documents, or is to begin anew."""
        digest = blake2b("".join(self.ids).encode(), digest_size=6).hexdigest()
        return f"documents-{session.current().listing.round}-{digest}"


def rows(opened: Workspace, index: Index | None, where: Filter, shown: Sequence[str]) -> Rows:
    """The documents that pass ``where`` with the columns that are shown, worked out once for each state of the workspace."""
    held = (index.id, index.version) if index else ("", 0)
    return _rows(opened.location, opened.store.changes, *held, repr(where), tuple(shown), where)


@st.cache_resource(max_entries=8, show_spinner=False)
def _rows(
    location: str, changes: int, index_id: str, version: int, key: str, shown: tuple[str, ...], _where: Filter  # noqa: ARG001 - part of the key
) -> Rows:  # fmt: skip
    opened = workspace.open(Path(location))
    index = next((index for index in opened.indexes() if index.id == index_id), None)
    counts = opened.store.node_counts(index) if index else {}
    infos, reasons = opened.documents(_where), attention.of(opened, index).reasons
    state = "indexed" if index else "no index"
    fields = {name: spec for name, spec in columns.every(opened.fields()).items() if spec and name in shown}
    frame = pd.DataFrame(
        {
            TICK: pd.array([False] * len(infos), dtype="boolean"),
            NAME: columns.texts(_label(info.name) for info in infos),
            **{name: columns.values(spec, infos) for name, spec in fields.items()},
            STATE: columns.lists(list(reasons.get(info.id, (state,))) for info in infos),
            "format": columns.texts(formats.titled(info.media_type) for info in infos),
            "pages": columns.wholes(info.reading.pages or None for info in infos),
            "sentences": columns.wholes(info.sentences for info in infos),
            "nodes": columns.wholes(counts.get(info.id) for info in infos),
        }
    )
    marked = Counter(reason for info in infos for reason in reasons.get(info.id, ()))
    return Rows(tuple(infos), frame, fields, tuple(reason for reason, _ in marked.most_common(columns.OFFERED)))


def _label(name: str) -> str:
    """A name for a button of the table, which would draw icons, and take ``[…]`` for a list."""
    plain = not name.strip().startswith(("[", ":"))
    return name if plain else _JOINER + name


def ticked(found: Rows) -> list[str]:
    """The documents whose rows are ticked."""
    state = session.widget(found.key)
    typed = state["edited_rows"] if state else {}
    return [found.infos[row].id for row, cells in sorted(typed.items()) if cells.get(TICK) and row < len(found.infos)]


def draw(opened: Workspace, found: Rows, shown: Sequence[str], height: int) -> None:
    """The table; what is typed into it is written at once."""
    st.data_editor(
        found.frame, key=found.key, on_change=_typed, args=(opened, found.key, found.ids, found.fields), hide_index=True,
        height=min(38 + 35 * max(1, len(found.infos)), height), placeholder="–", alt="Documents",
        column_order=(TICK, NAME, *shown), column_config=_config(opened, found, shown),
        disabled=[name for name in found.frame.columns if name != TICK and name not in found.fields],
    )  # fmt: skip


def _config(opened: Workspace, found: Rows, shown: Sequence[str]) -> dict[str, Any]:
    config, width = st.column_config, columns.WIDTHS
    marks = ["rgba(230, 159, 0, 0.35)"] * len(found.reasons)
    plain = ["rgba(128, 128, 128, 0)"] * 2
    told: dict[str, Any] = {
        STATE: config.MultiselectColumn(
            STATE, options=[*found.reasons, "indexed", "no index"], color=[*marks, *plain], width=width[STATE]
        ),
        "format": config.TextColumn("format", width=width["format"]),
        **{name: config.NumberColumn(name, width=width[name], format="localized") for name in columns.NUMBERS},
        **{name: columns.config(opened, spec, found.frame[name]) for name, spec in found.fields.items()},
    }
    wide = columns.room() < sum(told[name]["width"] for name in shown)  # a pinned column never grows
    opener = config.ButtonColumn(
        NAME, type="tertiary", width=200 if wide else width[NAME], pinned=wide, alignment="left", key=_OPEN,
        on_click=_open, args=(found.ids,),
    )  # fmt: skip
    ticks = config.CheckboxColumn("", width=width[TICK], pinned=True, help="Tick rows to change them together")
    return {TICK: ticks, NAME: opener, **told}


def _open(ids: Sequence[str]) -> None:
    click = session.widget(_OPEN)
    if click and click["row"] < len(ids):
        session.current().open(ids[click["row"]])


def _typed(opened: Workspace, key: str, ids: Sequence[str], fields: Mapping[str, FieldSpec]) -> None:
    """Write what was typed since the last time. The table tells all that was typed and is not yet drawn as stored."""
    listing, state = session.current().listing, session.widget(key)
    if not state:
        return
    now = {row: {c: v for c, v in cells.items() if c in fields} for row, cells in state["edited_rows"].items()}
    fresh = [
        (ids[row], fields[column], value)
        for row, cells in now.items() for column, value in cells.items()
        if row < len(ids) and (column not in (told := listing.typed.get(row, {})) or told[column] != value)
    ]  # fmt: skip
    changes = _changes(opened, fresh)
    names = {name for row in changes.values() for name in row}
    what = f"{next(iter(names))} changed" if len(names) == 1 else f"{len(names)} fields changed"
    if edits.write(opened, changes, what, in_table=True):
        listing.typed = {row: cells for row, cells in now.items() if cells}


def _changes(opened: Workspace, typed: Iterable[tuple[str, FieldSpec, object]]) -> dict[str, dict[str, object]]:
    """What was typed as raw values, without what is so already."""
    held = {info.id: info.metadata for info in opened.documents()}
    changes: dict[str, dict[str, object]] = {}
    for doc_id, spec, value in typed:
        given = _given(spec, value)
        cell = metadata.cell(given, spec)
        if cell.misfit or cell.value != held.get(doc_id, {}).get(spec.name):
            changes.setdefault(doc_id, {})[spec.name] = given
    return changes


def _given(spec: FieldSpec, value: object) -> object:
    """A cell of the table as a raw value: nothing is no value, a moment at midnight is a day."""
    if value in ("", []):
        return None
    if spec.type in TIMES and isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return value
        at_midnight = moment == datetime(moment.year, moment.month, moment.day)
        return moment.date().isoformat() if at_midnight else moment.isoformat()
    return value if spec.type is not FieldType.STRINGS or not isinstance(value, str) else [value]
