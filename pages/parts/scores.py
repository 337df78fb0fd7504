"""What an evaluation found: in a sentence, in numbers, question by question."""

from __future__ import annotations

import streamlit as st

from core.evaluate.run import Outcome, Report
from pages.parts import charts
from pages.parts.text import counted, literal


def verdict(reports: list[Report], chosen: Report) -> None:
    """In one sentence: what the window in use does, and which would do more."""
    mean, best = chosen.mean, max(reports, key=lambda r: (round(r.mean.hit_rate, 6), -r.mean.tokens_returned))
    said = f"Window ±{chosen.window} finds {mean.hit_rate:.0%} of {counted(len(chosen.outcomes), 'question')} for {mean.tokens_returned:,.0f} tokens each"
    if best.window != chosen.window and best.mean.hit_rate > mean.hit_rate:
        said += f"; ±{best.window} would find {best.mean.hit_rate:.0%} for {best.mean.tokens_returned:,.0f}"
    st.markdown(f"#### {said}.")


def numbers(report: Report, tokenizer: str) -> None:
    mean = report.mean
    shown = [
        (
            f"Hit rate@{report.k}",
            f"{mean.hit_rate:.3f}",
            "Share of questions with at least one relevant hit: a window that covers at least half of a gold span.",
        ),
        ("MRR", f"{mean.mrr:.3f}", "Mean of 1 / rank of the first relevant hit; 0 where there is none."),
        ("Recall on spans", f"{mean.span_recall:.3f}", "Share of the gold characters that were returned."),
        (
            "Tokens returned",
            f"{mean.tokens_returned:,.0f}",
            f"Mean per question, overlapping windows counted once, in {literal(tokenizer)}.",
        ),
    ]
    for column, (label, value, help_text) in zip(st.columns(4), shown, strict=True):
        column.metric(label, value, help=help_text, border=True)


def questions(report: Report, key: str) -> Outcome | None:
    """How each question went; the chosen one. Another ``key`` is another table, with nothing chosen in it."""
    outcomes = sorted(report.outcomes, key=lambda o: (o.score.hit_rate, o.score.mrr))
    rows = [
        {
            "found": "missed" if not o.rank else f"rank {o.rank}",
            "question": o.question.text,
            "recall": o.score.span_recall,
            "tokens": o.score.tokens_returned,
        }
        for o in outcomes
    ]
    config = {
        "found": st.column_config.TextColumn("found", width=65),
        "recall": st.column_config.ProgressColumn(
            "recall", min_value=0, max_value=1, format="percent", width=95, help="On spans"
        ),
        "tokens": st.column_config.NumberColumn("tokens", format="%d", width=60),
        "question": st.column_config.TextColumn("question", width=235),
    }
    picked = st.dataframe(
        rows,
        key=f"gold-rows-{key}",
        on_select="rerun",
        selection_mode="single-row",
        hide_index=True,
        column_config=config,
    )
    return outcomes[picked.selection.rows[0]] if picked.selection.rows else None


def by_window(reports: list[Report], chosen: int) -> None:
    """Hit rate and MRR as lines over window sizes, and every mean as a table."""
    series = {
        f"Hit rate@{reports[0].k}": [r.mean.hit_rate for r in reports],
        "MRR": [r.mean.mrr for r in reports],
    }
    figure = charts.lines([r.window for r in reports], series, chosen)
    st.plotly_chart(figure, key="windows-chart", config={"displayModeBar": False})
    rows = [
        {
            "window": f"±{r.window}",
            "hit rate": r.mean.hit_rate,
            "MRR": r.mean.mrr,
            "recall on spans": r.mean.span_recall,
            "precision": r.mean.span_precision,
            "tokens": r.mean.tokens_returned,
        }
        for r in reports
    ]
    formats = {name: st.column_config.NumberColumn(name, format="%.3f") for name in list(rows[0])[1:-1]}
    formats["tokens"] = st.column_config.NumberColumn("tokens", format="%d")
    st.dataframe(rows, hide_index=True, key="windows-table", column_config=formats)
