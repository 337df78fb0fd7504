"""Chunking 10 MB anew, as a slider does: our strategies against the same ones of chonkie and langchain-text-splitters.

Ours is measured twice: ``again`` with the document's outline at hand, as it is while a slider moves, and ``first``
without. Goal: at least as fast with sentence windows, fixed and recursive. Neither library is a dependency of ours.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from core import chunk, embed, read, split
from core.settings import ChunkSettings, Strategy, Unit
from core.store.base import Passage

chonkie = pytest.importorskip("chonkie")
langchain = pytest.importorskip("langchain_text_splitters")

SAMPLE = Path(__file__).parent.parent.parent / "assets" / "sample" / "docs"
SIZE = 10_000_000
TOKENS = 1_000_000  # tokenising takes most of the time, in every library
FIXED, RECURSIVE = Strategy.FIXED, Strategy.RECURSIVE

Chunker = Callable[[str], Sequence[object]]
CASES: dict[str, tuple[ChunkSettings, Callable[[], Chunker], Callable[[], Chunker] | None]] = {
    "sentences": (ChunkSettings(6, 1), lambda: chonkie.SentenceChunker("character", 1000, 100), None),
    "fixed chars 1000/0": (
        ChunkSettings(1000, strategy=FIXED, unit=Unit.CHARS),
        lambda: chonkie.TokenChunker("character", 1000, 0),
        lambda: langchain.CharacterTextSplitter(separator="", chunk_size=1000, chunk_overlap=0).split_text,
    ),
    "fixed chars 250/125": (
        ChunkSettings(250, 125, strategy=FIXED, unit=Unit.CHARS),
        lambda: chonkie.TokenChunker("character", 250, 125),
        lambda: langchain.CharacterTextSplitter(separator="", chunk_size=250, chunk_overlap=125).split_text,
    ),
    "fixed words 200/60": (
        ChunkSettings(200, 60, strategy=FIXED, unit=Unit.WORDS), lambda: chonkie.TokenChunker("word", 200, 60), None
    ),
    "recursive chars 1000/0": (
        ChunkSettings(1000, strategy=RECURSIVE, unit=Unit.CHARS),
        lambda: chonkie.RecursiveChunker("character", 1000),
        lambda: recursive(1000, 0),
    ),
    "recursive chars 200/0": (
        ChunkSettings(200, strategy=RECURSIVE, unit=Unit.CHARS),
        lambda: chonkie.RecursiveChunker("character", 200),
        lambda: recursive(200, 0),
    ),
    "recursive chars 250/40": (
        ChunkSettings(250, 40, strategy=RECURSIVE, unit=Unit.CHARS), lambda: None, lambda: recursive(250, 40)
    ),
    "recursive words 200/0": (
        ChunkSettings(200, strategy=RECURSIVE, unit=Unit.WORDS), lambda: chonkie.RecursiveChunker("word", 200), None
    ),
}  # fmt: skip


def recursive(size: int, overlap: int) -> Chunker:
    """With offsets, which ours always has."""
    splitter = langchain.RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap, add_start_index=True)
    return lambda text: splitter.create_documents([text])


@pytest.fixture(scope="module")
def passage() -> Passage:
    """The sample's paragraphs in random order."""
    chance = random.Random(1)
    texts = [path.read_text(encoding="utf-8") for path in sorted(SAMPLE.glob("*.md")) + sorted(SAMPLE.glob("*.txt"))]
    prose = [part for text in texts for part in text.split("\n\n") if len(part) > 80 and part[0].isalpha()]
    made, size = [], 0
    while size < SIZE:
        made.append(chance.choice(prose))
        size += len(made[-1]) + 2
    document = read.read("prose.txt", "\n\n".join(made).encode())
    return Passage(document, tuple(split.sentences(document)))


def measured(benchmark, chunker: Chunker, text: str, rounds: int = 3) -> None:
    benchmark.extra_info["nodes"] = len(benchmark.pedantic(chunker, (text,), rounds=rounds))
    benchmark.extra_info["MB/s"] = round(len(text) / 1e6 / benchmark.stats.stats.min, 2)


@pytest.mark.parametrize("case", CASES)
def test_ours_again(benchmark, passage: Passage, case: str) -> None:
    benchmark.group = case
    chunk.nodes(passage, CASES[case][0])
    measured(benchmark, lambda _: chunk.nodes(passage, CASES[case][0]), passage.document.text)


@pytest.mark.parametrize("case", CASES)
def test_ours_first(benchmark, passage: Passage, case: str) -> None:
    benchmark.group = case
    measured(
        benchmark,
        lambda _: chunk.nodes(Passage(passage.document, passage.sentences), CASES[case][0]),
        passage.document.text,
    )


@pytest.mark.parametrize("case", [case for case in CASES if case != "recursive chars 250/40"])
def test_chonkie(benchmark, passage: Passage, case: str) -> None:
    """Its recursive chunker has no overlap."""
    benchmark.group = case
    measured(benchmark, CASES[case][1](), passage.document.text, 1 if case == "sentences" else 3)


@pytest.mark.parametrize("case", [case for case, (_, _, made) in CASES.items() if made])
def test_langchain(benchmark, passage: Passage, case: str) -> None:
    benchmark.group = case
    made = CASES[case][2]
    assert made is not None
    measured(benchmark, made(), passage.document.text)


TOKENIZED = ChunkSettings(250, 125, strategy=FIXED, unit=Unit.TOKENS)


@pytest.fixture(scope="module")
def short(passage: Passage) -> Passage:
    text = passage.document.text[:TOKENS]
    document = read.read("prose.txt", text.encode())
    return Passage(document, tuple(split.sentences(document)))


@pytest.mark.parametrize("how", ["first", "again"])
def test_our_tokens(benchmark, short: Passage, how: str) -> None:
    benchmark.group = "fixed tokens 250/125"
    encoder = embed.encoder()
    chunk.nodes(short, TOKENIZED, encoder)
    at = (lambda: short) if how == "again" else (lambda: Passage(short.document, short.sentences))
    measured(benchmark, lambda _: chunk.nodes(at(), TOKENIZED, encoder), short.document.text)


def test_chonkie_tokens(benchmark, short: Passage) -> None:
    """With the same tokenizer; what it gives back is decoded, not sliced."""
    benchmark.group = "fixed tokens 250/125"
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(embed._bundled_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    measured(benchmark, chonkie.TokenChunker(tokenizer, 250, 125), short.document.text)
