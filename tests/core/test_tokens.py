"""Tokens of nodes, added up from sentences, and where a model stops reading."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import chunk, embed, read, split, tokens
from core.settings import ChunkSettings
from core.store.base import Passage
from core.types import BlockKind, ModelInfo, Node, Span
from tests.fakes import BagEncoder

SHORT = BagEncoder(ModelInfo("short", "r", 32, 10))
BODY = "One two three four five. Six seven! Eight nine ten eleven? Twelve.\n\nThirteen fourteen fifteen. Sixteen."


def passage_of(body: str, name: str = "a.txt") -> Passage:
    document = read.read(name, body.encode())
    return Passage(document, tuple(split.sentences(document)))


PASSAGE = passage_of(BODY)


@dataclass(frozen=True)
class Watched:
    """The tiny encoder, with how many characters it was asked to count."""

    asked: list[int]
    inner: BagEncoder = SHORT

    @property
    def info(self) -> ModelInfo:
        return self.inner.info

    def count_tokens(self, texts):
        self.asked.append(sum(map(len, texts)))
        return self.inner.count_tokens(texts)

    def token_spans(self, text):
        self.asked.append(len(text))
        return self.inner.token_spans(text)


def counted(passage: Passage, nodes: list[Node], encoder=SHORT) -> tokens.Counted:
    return tokens.of_nodes(passage, nodes, tokens.of_sentences(passage, encoder), encoder)


def node(ordinal: int, start: int, end: int, **more) -> Node:
    """A node of any span, as a strategy that does not know sentences would make it."""
    touched = [i for i, s in enumerate(PASSAGE.sentences) if s.start < end and s.end > start] or [0]
    return Node(ordinal, start, end, touched[0], touched[-1], more.pop("embedded", Span(start, end)), **more)


@given(st.lists(st.tuples(st.integers(0, len(BODY)), st.integers(1, 60)), min_size=1, max_size=12))
def test_tokens_of_any_spans_are_those_of_their_text(spans):
    nodes = [node(i, start, min(len(BODY), start + length)) for i, (start, length) in enumerate(spans)]
    texts = [PASSAGE.document.text[n.start : n.end] for n in nodes]
    assert counted(PASSAGE, nodes).own == counted(PASSAGE, nodes).embedded == SHORT.count_tokens(texts)


def test_whole_sentences_are_added_up_and_not_read_again():
    nodes = chunk.nodes(PASSAGE, ChunkSettings(2))
    sentences, watched = tokens.of_sentences(PASSAGE, SHORT), Watched([], BagEncoder())
    found = tokens.of_nodes(PASSAGE, nodes, sentences, watched)
    assert sum(watched.asked) == 0
    assert found.embedded == SHORT.count_tokens([PASSAGE.document.text[n.start : n.end] for n in nodes])


def test_the_context_line_and_what_stands_above_are_embedded_but_not_the_nodes_own():
    (plain,) = [node(0, 0, 24)]
    told = node(0, 0, 24, context="A title here", prefix="above › ")
    found = counted(PASSAGE, [told], BagEncoder())
    assert found.own == BagEncoder().count_tokens([BODY[0:24]])
    assert found.embedded == BagEncoder().count_tokens([chunk.embedded_text(PASSAGE.document, told)])
    assert counted(PASSAGE, [plain], BagEncoder()).embedded == found.own


@pytest.mark.parametrize("start", [0, 4, 30])
@pytest.mark.parametrize("context", ["", "A title"])
def test_the_model_stops_where_the_next_word_is_one_too_many(start, context):
    long = node(0, start, len(BODY), context=context)
    found = counted(PASSAGE, [long])
    at = found.lost[0]
    read_, rest = BODY[start:at], BODY[at:]
    head = f"{context}\n" if context else ""
    assert SHORT.count_tokens([head + read_])[0] <= 10
    assert SHORT.count_tokens([head + read_ + rest.split()[0] + " " + rest.split()[0]])[0] > 10
    assert rest.strip()


def test_what_is_embedded_around_a_node_counts_for_where_the_model_stops():
    inner = node(0, 36, 58, embedded=Span(0, len(BODY)))
    assert counted(PASSAGE, [inner]).lost == counted(PASSAGE, [node(0, 0, len(BODY))]).lost


def test_a_table_is_read_in_other_words_so_no_place_in_it_is_lost():
    table = "| name | value |\n|---|---|\n" + "".join(f"| name {i} | value {i} |\n" for i in range(60))
    passage = passage_of(table, "t.md")
    nodes = chunk.nodes(passage, ChunkSettings())
    assert nodes[0].kind is BlockKind.TABLE
    found = counted(passage, nodes)
    assert found.embedded[0] > 10
    assert found.lost == {}


def test_many_long_nodes_ask_the_tokenizer_a_few_times_in_all():
    passage = passage_of(("word " * 30 + "end. ") * 200)
    watched = Watched([])
    nodes = chunk.nodes(passage, ChunkSettings(2))
    found = tokens.of_nodes(passage, nodes, tokens.of_sentences(passage, SHORT), watched)
    assert len(found.lost) == len(nodes) == 100
    assert sum(watched.asked) < 2 * len(passage.document.text)
    assert len(watched.asked) < 3 * len(nodes)


def test_a_word_of_many_pieces_is_lost_from_the_piece_on_that_is_not_read():
    """The model reads tokens: a word of which it reads the beginning is lost from there, not before and not elsewhere."""
    bundled = embed.encoder()
    body = "electroencephalographically " * 60
    passage = passage_of(body.strip() + ".")
    (whole,) = [
        replace(chunk.nodes(passage, ChunkSettings(10))[0], start=0, end=len(body), embedded=Span(0, len(body)))
    ]
    at = tokens.of_nodes(passage, [whole], tokens.of_sentences(passage, bundled), bundled).lost[0]
    spans = bundled.token_spans(passage.document.text)
    assert at == spans[bundled.info.max_tokens - 3, 1], "all but [CLS] and [SEP]"
    assert passage.document.text[at : at + 1].strip() or passage.document.text[at - 1].isalpha()
