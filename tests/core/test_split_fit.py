"""What is too long for a model is cut where it hurts least."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from core import embed, split
from core.split import fit
from core.types import Block, BlockKind, Document
from tests import texts

READS = 256
SAMPLE = Path(__file__).parent.parent.parent / "assets" / "sample" / "docs"


def cut(text: str, kind: BlockKind = BlockKind.PARAGRAPH):
    document = Document("d", "r", "a", "text/plain", text, (Block(kind, 0, len(text)),))
    found = split.sentences(document)
    texts.assert_tiles(text, found)
    return found


def tokens(text: str, found) -> list[int]:
    return embed.encoder().count_tokens([text[s.start : s.end] for s in found])


def letters(count: int, alphabet: str) -> str:
    return "".join(random.Random(count).choices(alphabet, k=count))


CHINESE = letters(
    5000,
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经",
)
GIBBERISH = " ".join(letters(4 + n % 7, "abcdefghijklmnopqrstuvwxyz") + str(n % 3) * (n % 2) for n in range(2000))


@pytest.mark.parametrize(
    "text",
    [
        CHINESE,
        GIBBERISH,
        " ".join(f"{letters(32 + n, '0123456789abcdef')}" for n in range(60)),
        letters(5000, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"),
        "0123456789" * 500,
        "https://example.com/" + "/".join(f"segment{n}" for n in range(500)),
        "привет мир это проверка " * 200,
        "한국어 문장은 띄어쓰기가 있습니다 " * 100 + "끝",
        "ひらがなカタカナ" * 300,
        "ภาษาไทยไม่มีการเว้นวรรคระหว่างคำ" * 100,
        "The pump 系统已经启动 runs on " * 100 + "time",
        "\n".join(f"2024-01-{n % 28 + 1:02d}T12:33:33Z ERROR com.example.Http$Servlet line={n}" for n in range(200)),
        "(" * 5000,
    ],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_every_part_of_a_long_text_is_read_whole(text):
    text = text.strip()
    found = cut(text)
    assert len(found) > 1
    assert max(tokens(text, found)) <= READS
    assert all(s.hard for s in found[:-1])
    longest = max(
        len(word) for s in found for word in re.findall(r"[^\W_\u4e00-\u9fff]+", text[s.start : s.end]) or [""]
    )
    assert longest <= fit.LONGEST_WORD


def test_parts_are_of_about_equal_size():
    text = "open the valve read the gauge close the valve " * 60
    sizes = [s.end - s.start for s in cut(text.strip())]
    assert max(sizes) < 1.5 * min(sizes)


def test_cuts_fall_at_line_ends_then_after_commas_then_at_white_space():
    lines = "\n".join("open the valve and read the gauge " * 3 for _ in range(30)).strip()
    assert all(lines[left.end : right.start] == " \n" for left, right in pairwise(cut(lines)))
    clauses = ("open the valve, read the gauge and shut it " * 60).strip()
    assert all(clauses[s.end - 1] == "," for s in cut(clauses)[:-1])
    plain = ("open the valve " * 200).strip()
    assert all(plain[s.end] == " " for s in cut(plain)[:-1])


def test_a_number_is_not_cut_at_its_comma():
    text = ("1,000,000 units " * 200).strip()
    assert all(text[s.end] == " " for s in cut(text)[:-1])


def test_sentences_that_fit_stay_whole_and_only_such():
    """Measured with the tokenizer on the sample's paragraphs, put together to all lengths."""
    prose = [" ".join(p.split()) for path in sorted(SAMPLE.glob("*.md")) for p in path.read_text("utf-8").split("\n\n")]
    words = " ".join(p for p in prose if p[:1].isalpha()).split()
    pieces = [" ".join(words[at : at + size]) for size in (100, 150, 170) for at in range(0, 3000, size)]
    counts = embed.encoder().count_tokens(pieces)
    assert all(fit.fits(piece) for piece, count in zip(pieces, counts, strict=True) if count <= READS * 0.85)
    assert not any(fit.fits(piece) for piece, count in zip(pieces, counts, strict=True) if count > READS)


def test_a_long_sentence_that_fits_is_one():
    text = "The tenant, " + "who paid the rent on time and kept the house clean, " * 12 + "may stay."
    assert len(cut(text)) == 1


def test_a_sentence_with_a_word_too_long_to_read_is_cut_inside_it():
    text = f"See {'a1' * 90} for more."
    found = cut(text)
    assert [s.hard for s in found] == [True] * (len(found) - 1) + [False]
    assert all(len(word) <= fit.LONGEST_WORD for s in found for word in text[s.start : s.end].split())


clusters = st.lists(
    st.sampled_from(["e\u0301\u0301", "👩‍🔧", "🇳🇴", "👍🏽", "ก็", "क्षि", "한", "각", "a", "1️⃣", "🏴\U000e0067\U000e0062\U000e007f", "字︀", "か\u3099", " ", "\n", ",", "."]),
    min_size=1, max_size=12,
)  # fmt: skip


@given(clusters, st.integers(30, 120))
def test_no_cut_falls_inside_a_grapheme_cluster(parts, times):
    text = "".join(parts) * times
    ends = {found.end() for found in regex.finditer(r"\X", text)} | {0}
    assert set(fit.cuts(text)) <= ends


@given(st.text(max_size=300), st.integers(1, 30))
def test_cuts_are_in_order_inside_the_text(text, times):
    text = text * times
    found = fit.cuts(text)
    assert all(left < right for left, right in pairwise([0, *found, len(text)])) or not found
