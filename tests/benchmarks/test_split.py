"""Sentences of 2 MB of varied prose: ours with either engine, against NLTK's Punkt alone (goal: at least 0.8x its speed)."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from core import read, split
from core.settings import Engine, SplitSettings
from core.types import Document

SAMPLE = Path(__file__).parent.parent.parent / "assets" / "sample" / "docs"
SIZE = 2_000_000
_LONG = re.compile(r"\b[a-z]{5,}\b")


@pytest.fixture(scope="module")
def document() -> Document:
    """The sample's paragraphs in random order, three in ten of their longer words exchanged: no sentence repeats."""
    chance = random.Random(1)
    texts = [path.read_text(encoding="utf-8") for path in sorted(SAMPLE.glob("*.md")) + sorted(SAMPLE.glob("*.txt"))]
    prose = [part for text in texts for part in text.split("\n\n") if len(part) > 80 and part[0].isalpha()]
    words = sorted({word for part in prose for word in _LONG.findall(part)})
    made, size = [], 0
    while size < SIZE:
        part = chance.choice(prose)
        made.append(_LONG.sub(lambda found: chance.choice(words) if chance.random() < 0.3 else found.group(), part))
        size += len(made[-1]) + 2
    return read.read("prose.txt", "\n\n".join(made).encode())


def test_plain_punkt(benchmark, document: Document) -> None:
    """The measure: NLTK's own walk over the whole text, with the same parameters."""
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
    from punkt import load_model

    learned, parameters = load_model("english"), PunktParameters()
    parameters.abbrev_types = set(learned.abbrev_types)
    parameters.collocations = set(learned.collocations)
    parameters.sent_starters = set(learned.sent_starters)
    parameters.ortho_context.update(learned.ortho_context)
    tokenizer = PunktSentenceTokenizer(parameters)
    found = benchmark.pedantic(lambda: list(tokenizer.span_tokenize(document.text)), rounds=5)
    assert len(found) > 10_000


@pytest.mark.parametrize("engine", list(Engine))
def test_ours(benchmark, document: Document, engine: Engine) -> None:
    """Everything: blocks, lines, stops, repairs, what is too long. Nothing decided before is remembered."""

    def anew() -> tuple[tuple[Document, SplitSettings], dict[str, object]]:
        settings = SplitSettings(engine, (*SplitSettings().abbreviations, f"zq{random.randrange(10**9)}"))
        split.sentences(read.read("a.txt", b"Dr. Li left. So did Mr. Ek."), settings)
        return (document, settings), {}

    found = benchmark.pedantic(split.sentences, setup=anew, rounds=5)
    assert len(found) > 10_000
