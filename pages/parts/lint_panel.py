"""Findings as a list of decisions: what is odd, what can be done about it, and what that would change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.metadata import Change, Coverage, FindingKind, Raw, SetType, preview
from core.metadata.values import shown
from core.types import FieldSpec
from pages.parts import session
from pages.parts.findings import Decisions, Item, Option, consequence, example, whole
from pages.parts.retyping import Given, by_key, outcome
from pages.parts.text import counted, literal, shortened

PAGE = 20
CHANGES = 50
_LEAVE = "Leave it"
_TITLES = {
    FindingKind.RESERVED_NAME: "Keys the system sets itself",
    FindingKind.UNKNOWN_KEY: "Keys that are no fields yet",
    FindingKind.NEAR_DUPLICATE_KEYS: "Keys that are nearly alike",
    FindingKind.MIXED_TYPES: "Fields with several sorts of values",
    FindingKind.DATE_FORMATS: "Dates written in several ways",
    FindingKind.MISFIT: "Values that do not fit",
    FindingKind.NEAR_DUPLICATE_VALUES: "Values that are nearly alike",
    FindingKind.MISSING_REQUIRED: "Required fields that are missing",
}


def panel(
    items: Sequence[Item], decisions: Decisions, raws: Mapping[str, Raw], fields: Mapping[str, FieldSpec], *,
    strict: bool, where: str,
) -> None:  # fmt: skip
    """Draw the items, a page at a time; what a person decides goes into ``decisions``. ``where`` keeps two panels apart."""
    _kinds(items, decisions, where)
    chosen = [item for item in items if decisions.kind in (None, item.finding.kind)]
    first = decisions.first if decisions.first < len(chosen) else 0
    kind = None
    for item in chosen[first : first + PAGE]:
        if item.finding.kind is not kind:
            kind = item.finding.kind
            blocks = ":material/block: " if item.finding.blocks else ""
            st.markdown(f"**{_TITLES[kind]}**")
            if said := consequence(item.finding, strict=strict):
                st.caption(f"{blocks}{said}")
        _item(item, decisions, raws, fields, where)
    if len(chosen) > PAGE:
        _turn(decisions, first, len(chosen), where)


def coverage(found: Sequence[Coverage], where: str) -> None:
    """How many documents have each field, as bars."""
    with st.expander("How many have each field", icon=":material/bar_chart:", key=f"{where}-coverage", type="compact"):
        rows = [
            {"field": whole(one.field), "documents": one.present, "share": 100 * one.share}
            for one in sorted(found, key=lambda one: -one.present)
        ]
        st.dataframe(
            rows, hide_index=True, key=f"{where}-coverage-table", height=min(38 + 35 * len(rows), 300), width=560,
            column_config={
                "field": st.column_config.TextColumn("field", width=220),
                "documents": st.column_config.NumberColumn("documents", width=90, format="localized"),
                "share": st.column_config.ProgressColumn("share", min_value=0, max_value=100, format="%d %%"),
            },
        )  # fmt: skip


def _kinds(items: Sequence[Item], decisions: Decisions, where: str) -> None:
    """Where there are many items: show those of one kind."""
    if len(items) <= PAGE:
        decisions.kind = None
        return
    counts = Counter(item.finding.kind for item in items)
    decisions.kind = decisions.kind if decisions.kind in counts else None

    def take(kind: FindingKind | None) -> None:
        decisions.kind, decisions.first = kind, 0

    st.pills(
        "Show", list(counts), format_func=lambda kind: f"{_TITLES[kind]} · {counts[kind]:,}",
        label_visibility="collapsed", **session.tied(f"{where}-kind", decisions.kind, take),
    )  # fmt: skip


def _turn(decisions: Decisions, first: int, count: int, where: str) -> None:
    """Go on to the next items, or back."""

    def to(place: int) -> None:
        decisions.first = place

    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Back", key=f"{where}-back", icon=":material/chevron_left:", disabled=first == 0,
            on_click=to, args=(max(0, first - PAGE),),
        )  # fmt: skip
        last = min(count, first + PAGE)
        st.button(
            "On", key=f"{where}-on", icon=":material/chevron_right:", disabled=last >= count,
            on_click=to, args=(last,),
        )  # fmt: skip
        st.caption(f"{first + 1:,}–{last:,} of {count:,}", width="content")


def _item(
    item: Item, decisions: Decisions, raws: Mapping[str, Raw], fields: Mapping[str, FieldSpec], where: str
) -> None:
    with st.container(border=True, gap="xsmall"):
        if item.is_new_key and item.options:
            _key(item, decisions, where)
        else:
            st.markdown(_lines(item.messages))
            st.caption(_literal(_files(item)))
            _choice(item, decisions, where)
        option = decisions.of(item) or (item.options[0] if len(item.options) == 1 else None)
        if option:
            _changes(item, option, raws, fields, where)


def _key(item: Item, decisions: Decisions, where: str) -> None:
    """A key that is no field yet: what it holds on the left, what to do with it on the right."""
    left, right = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with left:
        st.markdown(f"**{_literal(shortened(item.finding.field, 60))}** · {_literal(example(item.given))}")
        st.caption(_lines([*item.messages, _files(item)]))
    with right:
        option = decisions.of(item)
        labels = [*(option.label for option in item.options), _LEAVE]
        st.selectbox(
            f"What to do with {_literal(shortened(item.finding.field, 40))}", labels, label_visibility="collapsed",
            **session.tied(
                f"{where}-key-{item.key}", option.label if option else _LEAVE,
                lambda label: decisions.take(item, "" if label in (None, _LEAVE) else label),
            ),
        )  # fmt: skip
        if option and isinstance(option.fixes[-1], SetType):
            _misfits(item.given, option.fixes[-1], {})


def _files(item: Item) -> str:
    """The files that an item is about: the first few, and how many more."""
    names = ", ".join(shortened(name, 40) for name in item.finding.files)
    more = item.finding.count - len(item.finding.files)
    return f"{names} and {more:,} more" if more > 0 and names else names


def _choice(item: Item, decisions: Decisions, where: str) -> None:
    """Take or leave the one fix; or one of several; or nothing to choose."""
    option = decisions.of(item)
    if len(item.options) == 1:
        label = item.options[0].label
        st.checkbox(
            _literal(label),
            **session.tied(f"{where}-take-{item.key}", option is not None, lambda on: decisions.take(item, label if on else "")),
        )  # fmt: skip
    elif item.options:
        st.radio(
            "What to do", [_LEAVE, *(option.label for option in item.options)], horizontal=True,
            label_visibility="collapsed",
            **session.tied(
                f"{where}-choose-{item.key}", option.label if option else _LEAVE,
                lambda label: decisions.take(item, "" if label in (None, _LEAVE) else label),
            ),
        )  # fmt: skip
    elif item.finding.kind is FindingKind.MISFIT:
        st.caption("No fix to propose: set the value by hand, or give the field another type.")


def _changes(item: Item, option: Option, raws: Mapping[str, Raw], fields: Mapping[str, FieldSpec], where: str) -> None:
    """What an option would change, file by file; worked out only once it is opened."""
    opened = st.expander("What changes", type="compact", key=f"{where}-changes-{item.key}", on_change="rerun")
    if not opened.open:
        return
    with opened:
        fix = option.fixes[0]
        if isinstance(fix, SetType) and not item.is_new_key:
            _misfits(by_key(raws.values(), [fix.field])[fix.field], fix, fields)
        found = preview(fix, raws, CHANGES + 1)
        if not found:
            st.caption("Nothing is written differently.")
            return
        conflicts = any(change.conflict for change in found)
        rows = [_row(change) for change in found[:CHANGES]]
        st.dataframe(
            rows, hide_index=True, key=f"{where}-changed-{item.key}", height=min(38 + 35 * len(rows), 250),
            column_order=("file", "before", "after", "note") if conflicts else ("file", "before", "after"),
        )  # fmt: skip
        if len(found) > CHANGES:
            st.caption(f"The first {CHANGES}; there are more.")


def _row(change: Change) -> dict[str, str]:
    before, after = shown(change.before), shown(change.after)
    if change.renamed_to:
        before, after = f"{shown(change.field)}: {before}", f"{shown(change.renamed_to)}: {after}"
    left = "left as it is" if change.conflict else "left out" if change.after is None else after
    return {"file": whole(change.file), "before": before, "after": left, "note": change.conflict}


def _misfits(given: Given, fix: SetType, fields: Mapping[str, FieldSpec]) -> None:
    """How many values would not fit a type, and why the first does not."""
    spec = replace(fields.get(fix.field, FieldSpec(fix.field, fix.type)), type=fix.type, date_order=fix.date_order)
    found = outcome(given, spec)
    if found.misfits:
        st.caption(
            f":material/warning: {found.misfits:,} of {counted(found.given, 'value')} would not fit: "
            f"{_literal(found.examples[0].reason)}."
        )


def _lines(texts: Iterable[str]) -> str:
    """Texts for Markdown, each on a line of its own."""
    return "  \n".join(map(_literal, texts))


def _literal(text: str) -> str:
    """``text`` for Markdown, its blanks in a row to be seen: two spellings may differ in nothing else."""
    return literal(re.sub(r" {2,}", lambda found: "␣" * len(found[0]), whole(text)))
