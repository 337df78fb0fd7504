"""Gold questions put to a search, once; every window size is then a matter of slicing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core import chunk
from core.evaluate.gold import Question
from core.evaluate.metrics import Score, mean, score, union
from core.filters import EVERYTHING, Filter
from core.store.base import Found
from core.types import Progress, Span

Searcher = Callable[[str, Filter], Sequence[Found]]
TokenCounter = Callable[[Sequence[str]], list[int]]


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with the nodes found for it."""

    question: Question
    found: Sequence[Found]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one question went at one window size. ``rank`` is that of the first relevant hit."""

    question: Question
    score: Score
    rank: int | None
    hits: int


@dataclass(frozen=True, slots=True)
class Report:
    """Every question's outcome and their mean. A question nothing was found for counts as 0; it does not vanish."""

    window: int
    k: int
    outcomes: tuple[Outcome, ...]

    @property
    def mean(self) -> Score:
        return mean([outcome.score for outcome in self.outcomes])


def ask(
    questions: Sequence[Question], search: Searcher, progress: Progress, *, filtered: bool = True
) -> list[Answered]:
    """Put every question to ``search``, under its own filter if ``filtered``."""
    answered = []
    for position, question in enumerate(questions):
        progress(position, len(questions), "Asking the gold questions")
        answered.append(Answered(question, search(question.text, question.filter if filtered else EVERYTHING)))
    return answered


def report(answered: Sequence[Answered], window: int, k: int, count_tokens: TokenCounter) -> Report:
    """The scores of the first ``k`` nodes of each answer, returned in windows of ``window`` sentences a side."""
    return Report(window, k, tuple(_outcome(item, window, k, count_tokens) for item in answered))


def _outcome(answered: Answered, window: int, k: int, count_tokens: TokenCounter) -> Outcome:
    found = answered.found[:k]
    windows = [(item.doc_id, chunk.window(item.node, item.passage.sentences, window)) for item in found]
    gold = [(reference.doc_id, reference.span) for reference in answered.question.references]
    result = score(windows, gold, float(sum(count_tokens(_returned(found, windows)))))
    return Outcome(answered.question, result, round(1 / result.mrr) if result.mrr else None, len(found))


def _returned(found: Sequence[Found], windows: Sequence[tuple[str, Span]]) -> list[str]:
    """The text that a reader gets: every character once, however many windows hold it."""
    texts = {item.doc_id: item.passage.document.text for item in found}
    return [
        text[span.start : span.end]
        for doc_id, text in texts.items()
        for span in union(span for other, span in windows if other == doc_id)
    ]
