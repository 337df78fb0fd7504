"""The statistics of one or two settings as a table, the verdict on them in a sentence, and their tokens as bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby

from core.chunk.compare import EDGES, TINY, Histogram
from pages.parts.measured import Measured
from pages.parts.text import escaped
from pages.parts.wording import about, nodes_of, size_of

_SHARE, _RATIO = 0.005, 0.05
"""Half a percent of the nodes, and a twentieth of a number: a smaller difference is none."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A column. Of two the lower ``worth`` is better, if it is lower by more than ``slack`` (``relative``: of the other).

    ``names`` say that it is lower, and higher. A measure without ``worth`` is neither good nor bad; where ``worth``
    gives None nothing can be said.
    """

    group: str
    label: str
    help: str
    show: Callable[[Measured], str]
    worth: Callable[[Measured], float | None] | None = None
    slack: float = 0.0
    relative: bool = False
    names: tuple[str, str] = ("", "")

    def judged(self, a: Measured, b: Measured) -> int:
        """1 if ``b`` is clearly better than ``a``, −1 if it is clearly worse, else 0."""
        before, now = (self.worth(a), self.worth(b)) if self.worth else (None, None)
        if before is None or now is None:
            return 0
        slack = self.slack * max(abs(before), abs(now)) if self.relative else self.slack
        return (now < before - slack) - (now > before + slack)


def measures(one: Measured, window: int) -> list[Measure]:
    """The columns, in order; ``one`` names the tokenizer."""
    by, most = f"Counted by {one.tokenizer}.", one.max_tokens
    node, returned = "Node tokens", f"Window ±{window} tokens"
    share, cut, whole = "Of the nodes", "Cut apart", "Index of all documents"
    return [
        Measure("", "nodes", "Nodes of this document: each is embedded as one vector.", lambda m: f"{m.found.nodes:,}"),
        Measure(node, "median", f"Half of the nodes have fewer tokens. {by}", lambda m: f"{m.found.node_tokens.median:,.0f}"),
        Measure(node, "most", f"The largest node. {by}", lambda m: f"{m.found.node_tokens.most:,}"),
        Measure(returned, "median", f"Half of the windows have fewer tokens. {by}", lambda m: f"{m.found.window_tokens.median:,.0f}"),
        Measure(returned, "most", f"The largest window. {by}", lambda m: f"{m.found.window_tokens.most:,}"),
        Measure(share, "tiny", f"Nodes of fewer than {TINY} tokens: too little to be found by. {by}", lambda m: _percent(m.found.tiny),
                lambda m: m.found.tiny, _SHARE, names=("fewer tiny nodes", "more tiny nodes")),
        Measure(share, "truncated", f"Nodes longer than the {most:,} tokens that the model reads: the end is not embedded. {by}",
                lambda m: _percent(m.found.truncated), lambda m: m.found.truncated, _SHARE, names=("fewer truncated nodes", "more truncated nodes")),
        Measure(share, "mid-sentence", "Nodes that begin or end in the middle of a sentence.", lambda m: _percent(1 - m.found.boundaries.whole),
                lambda m: 1 - m.found.boundaries.whole, _SHARE, names=("fewer nodes cut in mid-sentence", "more nodes cut in mid-sentence")),
        Measure("", "redundancy", f"Tokens of all windows ÷ tokens of the text they cover: 1 if no two windows share any. {by}",
                lambda m: f"{m.found.redundancy:.1f} ×", lambda m: m.found.redundancy, _RATIO, relative=True, names=("less redundancy", "more redundancy")),
        Measure(cut, "tables", "Tables of which no node holds all.", lambda m: _of(m.found.boundaries.tables_cut, m.found.boundaries.tables),
                lambda m: m.found.boundaries.tables_cut, names=("fewer tables cut", "more tables cut")),
        Measure(cut, "code", "Code blocks of which no node holds all.", lambda m: _of(m.found.boundaries.code_cut, m.found.boundaries.code),
                lambda m: m.found.boundaries.code_cut, names=("fewer code blocks cut", "more code blocks cut")),
        Measure(whole, "size", "About: nodes × (4 × the vector’s numbers + 180) bytes.", lambda m: _known(m, size_of(m.taken.bytes)),
                lambda m: None if m.taken.uncompared else m.taken.bytes, _RATIO, relative=True, names=("a smaller index", "a larger index")),
        Measure(whole, "new", "Texts that no index of this model holds yet: these are embedded if you build it.",
                lambda m: "built" if m.taken.built else _known(m, f"{m.taken.new:,}")),
        Measure(whole, "time", "About how long building takes, at the rate of the last texts embedded here.",
                lambda m: "–" if m.taken.built else _known(m, about(m.taken.seconds))),
    ]  # fmt: skip


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share in (0, 1) or share >= 0.1 else f"{100 * share:.1f} %"


def _of(count: int, total: int) -> str:
    return f"{count:,} of {total:,}" if total else "–"


def _known(row: Measured, said: str) -> str:
    """A number of the whole workspace; more than it where documents are still to be compared."""
    return f"> {said}" if row.taken.uncompared else said


def verdict(a: Measured, b: Measured, window: int) -> str:
    """In a sentence: where B is clearly better than A, and where worse."""
    judged = [(measure, measure.judged(a, b)) for measure in measures(b, window)]
    better = ", ".join(measure.names[0] for measure, said in judged if said > 0)
    worse = ", ".join(measure.names[1] for measure, said in judged if said < 0)
    said = [
        f"{mark} {word}: {names}" for mark, word, names in (("▲", "Better", better), ("▼", "Worse", worse)) if names
    ]
    return f"B against A · {' · '.join(said)}" if said else "No clear difference between A and B."


def table(rows: Mapping[str, Measured], window: int) -> str:
    """Rows by their letter, as HTML; where there are two, the second says where it is better or worse."""
    columns = measures(next(iter(rows.values())), window)
    groups = [(name, len(list(members))) for name, members in groupby(columns, lambda measure: measure.group)]
    above = "".join(f'<th scope="colgroup" colspan="{count}">{escaped(name)}</th>' for name, count in groups)
    heads = "".join(f'<th scope="col" title="{escaped(m.help)}"><span>{escaped(m.label)}</span></th>' for m in columns)
    body = "".join(_row(letter, row, columns, rows) for letter, row in rows.items())
    return (
        f'<table class="cs-compared"><thead><tr><td></td>{above}</tr>'
        f'<tr><th scope="col" class="cs-of">settings</th>{heads}</tr></thead><tbody>{body}</tbody></table>'
    )


def _row(letter: str, row: Measured, columns: list[Measure], rows: Mapping[str, Measured]) -> str:
    against = rows.get("A") if letter == "B" else None
    cells = "".join(
        f'<td title="{escaped(m.help)}">{escaped(m.show(row))}{_mark(m.judged(against, row) if against else 0)}</td>'
        for m in columns
    )
    name = f'<span class="cs-letter cs-letter-{letter.lower()}">{letter}</span> {escaped(nodes_of(row.settings))}'
    return f'<tr><th scope="row" class="cs-of">{name}</th>{cells}</tr>'


def _mark(judged: int) -> str:
    if not judged:
        return ""
    return f'<small class="cs-{"better" if judged > 0 else "worse"}">{"▲ better" if judged > 0 else "▼ worse"}</small>'


# ── bars ─────────────────────────────────────────────────────────────────────────────────────────


def bars(title: str, groups: Mapping[str, Histogram]) -> str:
    """How many tokens the members of each group have, as HTML: the share of the group in each class, and all in words."""
    most = max(0.01, *(max(_shares(group)) for group in groups.values()))
    classes = "".join(
        f'<div class="cs-class">{"".join(_bar(letter, group, number, most) for letter, group in groups.items())}</div>'
        for number in range(len(EDGES))
    )
    ticks = "".join(f"<span>{_class(number)}</span>" for number in range(len(EDGES)))
    told = "; ".join(f"{letter}: {_told(group)}" for letter, group in groups.items())
    return (
        f'<div class="cs-bars" role="img" aria-label="{escaped(f"{title}. {told}")}">'
        f"<div>{escaped(title)}{_legend(groups)}<span>{_percent(most)}</span></div>"
        f'<div class="cs-plot">{classes}</div><div class="cs-ticks">{ticks}</div></div>'
    )


def _legend(groups: Mapping[str, Histogram]) -> str:
    return "".join(f' <i class="cs-key cs-bar-{letter.lower()}"></i> {letter}' for letter in groups)


def _bar(letter: str, group: Histogram, number: int, most: float) -> str:
    count, share = group.counts[number], _shares(group)[number]
    said = f"{letter}: {count:,} with {_class(number)} tokens"
    tall = f"max({100 * share / most:.1f}%, 3px)" if count else "0"
    return f'<i class="cs-bar-{letter.lower()}" style="height: {tall}" title="{said}"></i>'


def _shares(group: Histogram) -> list[float]:
    total = max(1, sum(group.counts))
    return [count / total for count in group.counts]


def _class(number: int) -> str:
    return f"{EDGES[number]:,}–{EDGES[number + 1] - 1:,}" if number + 1 < len(EDGES) else f"{EDGES[number]:,}+"


def _told(group: Histogram) -> str:
    return ", ".join(f"{count:,} with {_class(n)} tokens" for n, count in enumerate(group.counts) if count) or "none"
