"""Which window is better, and on which questions?"""

from __future__ import annotations

from pathlib import PurePosixPath

import streamlit as st

from core.evaluate.gold import Question
from core.evaluate.run import Outcome
from core.filters import describe
from core.jobs import jobs as registry
from core.types import Index, Progress
from core.workspace import Workspace
from pages.parts import errors, jobs, resources, scores, session, traps
from pages.parts.text import counted, literal


def choose(opened: Workspace, sets: dict[str, list[Question]]) -> list[Question]:
    """The gold set to measure with, and its options."""
    state = session.current()
    if state.gold not in sets:
        state.gold = next(iter(sets), "")
    gold, k, filtered = st.columns([4, 2, 3], vertical_alignment="bottom")
    if sets:
        gold.selectbox(
            "Gold questions",
            list(sets),
            format_func=lambda n: f"{n} · {len(sets[n])} questions" if n in sets else n,
            **session.bound("gold"),
        )
    k.slider("k, hits at most", 1, 20, **session.bound("k"))
    filtered.toggle("Ask each question under its own filter", **session.bound("gold_filtered"))
    with st.expander("Add a gold file", icon=":material/upload:", expanded=not sets):
        upload(opened)
    every = sets.get(state.gold, [])
    valid = opened.still_valid(every)
    if len(valid) < len(every):
        st.warning(
            f"{counted(len(every) - len(valid), 'question')} left out: their documents have changed or gone since. "
            "Add the gold file again.",
            icon=":material/history:",
        )
    return valid


def upload(opened: Workspace) -> None:
    st.caption(
        'JSON lines: `{"question", "references": [{"document", "content", "start", "end"}], "filter"?}`. Offsets are code points.'
    )
    with st.form("gold-form", clear_on_submit=True, border=False):
        file = st.file_uploader(
            "Gold file", type=["jsonl", "json", "txt"], key="gold-file", label_visibility="collapsed"
        )
        if st.form_submit_button("Add", type="primary") and file is not None:
            with errors.shown():
                name = PurePosixPath(file.name).stem
                opened.keep_gold(name, opened.read_gold(file.getvalue()))
                session.current().gold = name
                st.rerun()


def start(opened: Workspace, index: Index, questions: list[Question]) -> None:
    """Begin the job that asks every question."""
    state = session.current()
    name, k, filtered = state.gold, state.k, state.gold_filtered

    def work(progress: Progress) -> object:
        reports = opened.evaluate(questions, k, index=index.id, filtered=filtered, progress=progress)
        return session.Evaluation(index.id, index.version, questions, name, k, filtered, reports)

    state.evaluating = registry.start(jobs.owner(), "evaluate", f"Evaluating {name}", work).id
    st.rerun()


def collect() -> None:
    """Take over the result of a job that has ended."""
    state = session.current()
    for job in jobs.finished("evaluate"):
        if job.id == state.evaluating:
            jobs.outcome(job)
            state.evaluation = job.result or state.evaluation  # type: ignore[assignment]


def open_question(outcome: Outcome, index: Index) -> None:
    reference = outcome.question.references[0]
    with st.container(horizontal=True, vertical_alignment="center"):
        asked = outcome.question
        under = "" if not asked.filter_json else f" · under {literal(describe(asked.filter))}"
        st.markdown(f"**{literal(asked.text)}**{under}")
        if st.button("See the passage in the text", key="gold-open", icon=":material/star:"):
            state = session.current()
            state.gold_question, state.draft = outcome.question.text, index.settings
            opened = resources.current_workspace()
            _, nodes = opened.preview(reference.doc_id, index.settings, index.model.name)
            inside = [n.ordinal for n in nodes if n.start < reference.span.end and n.end > reference.span.start]
            state.open_node(reference.doc_id, inside[0] if inside else 0)
            st.switch_page("windows.py")
        if st.button("Ask it on Search", key="gold-search", icon=":material/search:"):
            state = session.current()
            state.question, state.filter, state.gold_question = (
                outcome.question.text,
                outcome.question.filter,
                outcome.question.text,
            )
            st.switch_page("search.py")


def results(index: Index, opened: Workspace, questions: list[Question]) -> None:
    state = session.current()
    found = state.evaluation
    if found is None:
        return
    now = (index.id, index.version, questions, state.gold, state.k, state.gold_filtered)
    if (found.index, found.version, found.questions, found.gold, found.k, found.filtered) != now:
        st.caption(
            f":material/history: Made with k {found.k} on {literal(found.gold)}, filters {'on' if found.filtered else 'off'}: measure again for the settings above."
        )
    window = state.measured_window
    chosen = next(r for r in found.reports if r.window == window)
    scores.verdict(found.reports, chosen)
    scores.numbers(chosen, opened.encoders(index.model.name).tokenizer_name)
    left, right = st.columns([5, 6], gap="medium")
    with left:
        st.markdown("##### Hit rate and MRR by window")
        scores.by_window(found.reports, window)
        st.slider("Window to look at", 0, found.reports[-1].window, **session.bound("measured_window"))
    with right:
        st.markdown("##### Questions, the worst first")
        picked = scores.questions(chosen, f"{found.gold}-{found.k}-{window}-{found.version}")
        if picked:
            open_question(picked, index)


def main() -> None:
    opened, index = resources.searchable("Evaluate")
    questions = choose(opened, opened.gold_sets())
    if not questions:
        return
    collect()
    label = f"Measure {counted(len(questions), 'question')} on {literal(index.name)}"
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button(
            label, key="evaluate", type="primary", icon=":material/fact_check:", disabled=jobs.running("evaluate")
        )
        traps.button("evaluate", opened)
    if pressed:
        start(opened, index, questions)
    results(index, opened, questions)


main()
