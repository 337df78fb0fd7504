"""A model is asked once for each line, is told what it must know, and what it answered is kept whatever happens next."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from threading import Barrier, Event, Lock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import chunk, split
from core.context import written
from core.context.line import LONGEST
from core.context.written import Estimate, Remembered, Request
from core.errors import AppError, Cancelled
from core.settings import ChunkSettings, ContextSettings
from core.store.base import Passage
from core.types import Document, Node, no_progress
from tests import texts
from tests.core.drops import CancelAt

SETTINGS = ContextSettings(writer="tiny", prompt="{title}|{document}|{chunk}", base_url="http://localhost/v1")
TEN = " ".join(f"Pump {n} runs." for n in range(10))
MANY = " ".join(f"Pump {n} runs." for n in range(100))


def made(text: str) -> tuple[Document, list[Node]]:
    document = texts.document(text)
    return document, chunk.nodes(Passage(document, tuple(split.sentences(document))), ChunkSettings())


def requests(text: str, title: str = "Pumps", settings: ContextSettings = SETTINGS) -> list[Request]:
    return written.requests(*made(text), title, settings)


@dataclass
class Echo:
    """A writer that says which chunk it was asked about, and remembers what it was asked."""

    prompts: list[str] = field(default_factory=list)

    def write(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return f"About {prompt.rsplit('|', 1)[-1]}"


@dataclass
class Says:
    """A writer with one answer."""

    answer: str

    def write(self, prompt: str) -> str:
        return self.answer


# ── what is asked ────────────────────────────────────────────────────────────────────────────────


def test_a_prompt_holds_the_document_the_chunk_and_the_title_as_they_stand():
    hostile = "Say {chunk} and {0} and {document.__class__}. Ignore {title} all."
    found = [request.prompt for request in requests(hostile, "{chunk} %s {document}")]
    assert found == [
        f"{{chunk}} %s {{document}}|{hostile}|Say {{chunk}} and {{0}} and {{document.__class__}}.",
        f"{{chunk}} %s {{document}}|{hostile}|Ignore {{title}} all.",
    ]


@given(texts.hard, st.text(st.characters(exclude_categories=()), max_size=20))
def test_every_prompt_can_be_sent_and_holds_its_chunk(text, title):
    for request in requests(text, title):
        request.prompt.encode()
        assert request.prompt.endswith(f"|{text_of(request)}")


def test_half_a_character_in_a_document_does_not_stop_a_prompt_from_being_sent():
    document, nodes = made("One x two.")
    (request,) = written.requests(replace(document, text="One \ud800 two."), nodes, "", SETTINGS)
    assert request.prompt.encode() == b"|One ? two.|One ? two."


def text_of(request: Request) -> str:
    return request.document.text[request.node.start : request.node.end]


@given(st.integers(0, 100_000), st.integers(0, 100_000))
def test_an_excerpt_is_bounded_holds_its_place_and_says_what_is_left_out(at, length):
    text = "".join(chr(0x10000 + n) for n in range(length))
    at = min(at, max(0, length - 1))
    said = written.excerpt(text, at)
    assert text[at : at + 1000] in said
    inside = "".join(c for c in said if c >= "\U00010000")
    assert len(inside) == min(length, written.EXCERPT)
    start = text.index(inside) if inside else 0
    left = (start, length - start - len(inside))
    assert [f"[… {n:,} characters left out …]" in said for n in left] == [n > 0 for n in left]
    assert said.count("left out") == sum(n > 0 for n in left)


def test_a_long_document_is_sent_in_few_different_excerpts_so_that_an_endpoint_can_remember_them():
    found = [request.prompt.split("|")[1] for request in requests("The pump runs well. " * 5000)]
    assert len(found) == 5000
    assert len(set(found)) <= 100_000 / (written.EXCERPT / 3) + 1


def test_a_chunk_of_any_length_is_bounded_in_the_prompt():
    document, (node, *_) = made("One. Two.")
    huge = replace(document, text="x" * 50_000)
    (request,) = written.requests(huge, [replace(node, start=0, end=50_000)], "", SETTINGS)
    assert len(request.prompt) < written.EXCERPT + 9000


def test_the_key_changes_with_all_that_the_answer_depends_on_and_with_nothing_else():
    def key(text="One. Two.", title="Pumps", **changed):
        return requests(text, title, replace(SETTINGS, **changed))[0].key

    assert key() == key()
    others = [key(text="One. Ten."), key(title="Valves"), key(writer="large"), key(base_url="http://other/v1"),
              key(prompt="{title} {document} {chunk}"), requests("One. Two.")[1].key]  # fmt: skip
    assert len({key(), *others}) == 7
    assert key(prompt="{chunk}", title="Pumps") == key(prompt="{chunk}", title="Valves")


def test_the_key_does_not_depend_on_where_the_document_lies():
    document, nodes = made(TEN)
    moved = replace(document, id="elsewhere", name="b/c.txt")
    assert [r.key for r in written.requests(moved, nodes, "Pumps", SETTINGS)] == [r.key for r in requests(TEN)]


# ── what it would take ───────────────────────────────────────────────────────────────────────────


def test_an_estimate_says_what_would_be_sent_and_sends_nothing():
    found, kept = requests("Yes. No. Yes. Then more."), Remembered()
    told = written.estimate(found, kept)
    assert (told.nodes, told.cached, told.requests) == (4, 0, 3)
    assert told.prompt_tokens == sum(-(-len(r.prompt) // 4) for r in (found[0], found[1], found[3]))
    writer = Echo()
    written.write(found, writer, kept)
    assert len(writer.prompts) == 3
    assert written.estimate(found, kept) == Estimate(4, 4)
    assert written.estimate(found, Remembered({found[0].key: "x"})).cached == 2


def test_estimates_add_up_and_cost_what_a_million_tokens_cost():
    total = sum((Estimate(2, 1, 1, 1000, 50), Estimate(3, 0, 3, 2000, 150)), Estimate())
    assert total == Estimate(5, 1, 4, 3000, 200)
    assert total.cost(prompt_price=0.5, answer_price=10) == pytest.approx(0.0035)


# ── what is answered ─────────────────────────────────────────────────────────────────────────────


def test_each_line_is_asked_for_once_and_then_kept():
    writer, kept, found = Echo(), Remembered(), requests("Yes. No. Yes.")
    lines = written.write(found, writer, kept)
    assert [lines[request.key] for request in found] == ["About Yes.", "About No.", "About Yes."]
    assert len(writer.prompts) == 2
    assert written.write(found, None, kept) == lines == kept.lines


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ("  It is\nabout\r\npumps.\u2028 ", "It is about pumps."),
        ("“It is about pumps.”", "It is about pumps."),
        ('"Pumps" and "seals"', '"Pumps" and "seals"'),
        ("<think>Well, pumps…\nor seals?</think>\n\nPumps.", "Pumps."),
        ("<think>Well, pumps", ""),
        ("Pumps <think> they run.", "Pumps <think> they run."),
        ("\x1b[31mPu\x00mps\u202e.", "[31mPumps."),
        ('"', '"'),
    ],
)
def test_an_answer_becomes_one_plain_line(answer, line):
    assert written.write(requests("One."), Says(answer), Remembered()).popitem()[1] == line


@given(
    st.text(st.characters(exclude_categories=())) | st.sampled_from(["word " * 9000, "字" * 9000, '"' * 500, "\n" * 9])
)
def test_an_answer_is_untrusted_text(answer):
    line = written.write(requests("One."), Says(answer), Remembered()).popitem()[1]
    assert line == " ".join(line.split())
    assert len(line) <= LONGEST
    line.encode()


def test_a_chunk_the_model_says_nothing_about_has_no_line_and_is_not_asked_for_again():
    class Shy(Echo):
        def write(self, prompt: str) -> str:
            return "" if "|Pump 7" in prompt else super().write(prompt)

    kept, found = Remembered(), requests(TEN)
    lines = written.write(found, Shy(), kept)
    assert [request.node.ordinal for request in found if not lines[request.key]] == [7]
    assert kept.lines == lines


def test_a_model_that_only_ever_says_nothing_is_given_up_and_nothing_is_kept_of_it():
    kept, writer = Remembered(), Says("<think>hm</think> \n")
    with pytest.raises(AppError, match=r"empty answers.*choose another model"):
        written.write(requests(TEN), writer, kept)
    assert written.write(requests("One."), writer, kept) == {requests("One.")[0].key: ""}
    assert kept.lines == {}


# ── what happens in between ──────────────────────────────────────────────────────────────────────


def test_several_requests_are_on_their_way_at_once():
    barrier = Barrier(written.AT_ONCE, timeout=20)

    class Together(Echo):
        def write(self, prompt: str) -> str:
            barrier.wait()
            return super().write(prompt)

    assert len(written.write(requests(TEN)[: 2 * written.AT_ONCE], Together(), Remembered())) == 2 * written.AT_ONCE


def test_progress_is_told_from_nothing_to_all():
    told: list[tuple[float, float]] = []
    written.write(requests(TEN), Echo(), Remembered(), lambda done, total, message: told.append((done, total)))
    assert told[0] == (0, 10)
    assert told[-1] == (10, 10)
    assert told == sorted(told)


def test_stopping_keeps_what_was_written_and_asks_for_no_more():
    kept, writer, found = Remembered(), Echo(), requests(MANY)
    seen: list[float] = []

    def stop(done: float, total: float, message: str) -> None:
        seen.append(done)
        if done >= 20:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        written.write(found, writer, kept, stop)
    assert len(kept.lines) == seen[-1] >= 20
    asked = len(writer.prompts)
    assert asked <= len(kept.lines) + written.AT_ONCE
    again = Echo()
    written.write(found, again, kept)
    assert len(again.prompts) == len({r.key for r in found}) - seen[-1]


def test_stopping_does_not_wait_for_an_endpoint_that_hangs():
    release, late = Event(), list[str]()

    class Hangs:
        def write(self, prompt: str) -> str:
            release.wait(20)
            late.append(prompt)
            return "late"

    with pytest.raises(Cancelled):
        written.write(requests(TEN), Hangs(), Remembered(), CancelAt(2))
    assert late == []
    release.set()


def test_a_failure_stops_the_rest_keeps_what_came_before_and_is_told():
    lock = Lock()

    class Fails(Echo):
        def write(self, prompt: str) -> str:
            with lock:
                if len(self.prompts) == 5:
                    raise AppError("The endpoint failed.", "Try again.")
                return super().write(prompt)

    kept, writer = Remembered(), Fails()
    with pytest.raises(AppError, match=r"The endpoint failed. Try again."):
        written.write(requests(TEN), writer, kept, no_progress)
    assert len(kept.lines) >= 5 - written.AT_ONCE + 1
    assert len(writer.prompts) == 5


def test_what_is_written_is_kept_before_the_end_so_that_a_killed_process_loses_little():
    sizes: list[int] = []

    class Counted(Remembered):
        def keep_contexts(self, found):
            sizes.append(len(found))
            super().keep_contexts(found)

    written.write(requests(MANY), Echo(), Counted())
    assert sum(sizes) == 100
    assert max(sizes) <= 16


def test_without_a_writer_what_is_lacking_is_an_error_that_says_how_much():
    found = requests(TEN)
    with pytest.raises(AppError, match="9 context lines are not written"):
        written.write(found, None, Remembered({found[0].key: "x"}))
