"""Tables part between rows, lists between items, code between lines; what stands above comes along as a prefix."""

from __future__ import annotations

import time

from core import chunk, embed, split
from core.store.base import Passage
from core.types import Block, BlockKind, Document
from tests import texts

READS = 256


def cut(kind: BlockKind, text: str):
    document = Document("d", "r", "a.md", "text/markdown", text, (Block(kind, 0, len(text)),))
    found = split.sentences(document)
    texts.assert_tiles(text, found)
    before = chunk.prefixes(Passage(document, tuple(found)))
    return document, found, [text[s.start : s.end] for s in found], [before.get(n, "") for n in range(len(found))]


def table(rows: int, cell: str = "a value of some length") -> str:
    lines = [f"| row {n} | {cell} {n} | {n * 37} |" for n in range(rows)]
    return "\n".join(["Readings", "| name | value | number |", "|---|:-:|--:|", *lines])


def test_a_short_table_is_one_sentence():
    _, found, said, prefixes = cut(BlockKind.TABLE, table(20))
    assert len(said[0]) > 800
    assert len(found) == 1
    assert prefixes == [""]


def test_a_long_table_parts_between_rows_and_each_part_fits_with_its_header():
    text = table(200)
    _, found, said, prefixes = cut(BlockKind.TABLE, text)
    assert len(found) > 5
    assert said[0].startswith("Readings\n| name | value | number |\n|---|:-:|--:|\n| row 0 |")
    assert all(part.startswith("| row ") for part in said[1:])
    assert all(part.endswith(" |") for part in said)
    assert not any(s.hard for s in found)
    header = "Readings\n| name | value | number |\n|---|:-:|--:|\n"
    assert prefixes == ["", *[header] * (len(found) - 1)]
    assert max(embed.encoder().count_tokens([p + part for p, part in zip(prefixes, said, strict=True)])) <= READS


def test_a_hundred_thousand_rows_are_put_together_in_groups_at_once():
    start = time.perf_counter()
    _, found, _, _ = cut(BlockKind.TABLE, table(100_000, "pump"))
    assert time.perf_counter() - start < 10
    assert 2000 < len(found) < 20_000


def test_a_line_of_dashes_among_the_rows_is_a_row():
    body = "\n".join(f"| {n} | {'-' if n % 2 else 'open'} |" for n in range(300))
    _, found, said, prefixes = cut(BlockKind.TABLE, f"Valves\n| - | - |\n| --- | --- |\n| - | - |\n{body}")
    assert said[0].startswith("Valves\n| - | - |\n| --- | --- |\n| - | - |\n| 0 |")
    assert prefixes == ["", *["Valves\n| - | - |\n| --- | --- |\n"] * (len(found) - 1)]


def test_an_indented_table_has_its_header_once():
    lines = table(200).split("\n")[1:]
    text = "\n".join(f"  {line}" for line in lines)
    document = Document("d", "r", "a.md", "text/markdown", text, (Block(BlockKind.TABLE, 0, len(text)),))
    before = chunk.prefixes(Passage(document, tuple(split.sentences(document))))
    assert 0 not in before
    assert before[1].split() == " ".join(lines[:2]).split()


def test_a_row_too_long_for_a_model_is_cut_and_says_so():
    text = table(3, "open the valve " * 120)
    _, found, said, prefixes = cut(BlockKind.TABLE, text)
    assert max(embed.encoder().count_tokens(said)) <= READS
    assert any(s.hard for s in found)
    assert [s.hard for s in found if text[s.end - 1] == "|"].count(True) == 0
    assert all(prefixes[1:])


def test_a_table_without_a_header_has_no_prefix():
    _, found, _, prefixes = cut(BlockKind.TABLE, "\n".join(f"| {n} | x |" for n in range(500)))
    assert len(found) > 1
    assert not any(prefixes)


def test_a_short_list_is_one_sentence():
    _, _, said, prefixes = cut(BlockKind.LIST, "- One. Two.\n- Three\n  - Four")
    assert said == ["- One. Two.\n- Three\n  - Four"]
    assert prefixes == [""]


def test_each_item_of_a_long_list_is_a_sentence_with_its_own_lines():
    items = [
        f"{n}. Check valve number {n} of the line\n   and write down what it shows. Then go on." for n in range(1, 12)
    ]
    _, _, said, prefixes = cut(BlockKind.LIST, "\n".join(items))
    assert said == items
    assert not any(prefixes)


def test_a_long_item_is_split_into_its_sentences():
    long = "- " + " ".join(f"Step number {n} of this procedure takes about a minute." for n in range(10))
    _, _, said, _ = cut(BlockKind.LIST, f"{long}\n" + "\n".join(f"- Item {n} is short. It stays." for n in range(10)))
    assert said[0] == "- Step number 0 of this procedure takes about a minute."
    assert said[1] == "Step number 1 of this procedure takes about a minute."
    assert said[10:] == [f"- Item {n} is short. It stays." for n in range(10)]


def test_a_nested_item_comes_with_the_items_above_it():
    filler = "\n".join(f"- Filler item number {n} that makes the list a long one" for n in range(12))
    text = f"- Pumps\n  - [x] Seals\n    - check weekly\n  - Oil\n- Valves\n  1. open\n{filler}"
    _, _, said, prefixes = cut(BlockKind.LIST, text)
    assert dict(zip(said[:6], prefixes[:6], strict=True)) == {
        "- Pumps": "",
        "- [x] Seals": "Pumps › ",
        "- check weekly": "Pumps › Seals › ",
        "- Oil": "Pumps › ",
        "- Valves": "",
        "1. open": "Valves › ",
    }
    assert not any(prefixes[6:])


def test_items_of_every_kind_of_marker_are_sentences_and_no_word_is_a_marker():
    long = "that is written out so that the list becomes a long one and is parted"
    markers = [
        "-",
        "*",
        "+",
        "1.",
        "2)",
        "1.1.",
        "(3)",
        "a.",
        "b)",
        "(c)",
        "iv.",
        "(ii)",
        "II.",
        "B)",
        "•",
        "–",
        "- [ ]",
        "1. [x]",
    ]
    items = [f"{marker} item {n} {long}" for n, marker in enumerate(markers)]
    items[3] += "\n   A. Smith wrote\n   civil. It is\n   3.5 bar\n   mix. Then"
    _, _, said, _ = cut(BlockKind.LIST, "\n".join(items))
    assert said == items


def test_code_that_fits_is_one_sentence_and_longer_code_parts_between_lines():
    function = "def check(valve):\n    value = valve.read()\n    return value > 3\n"
    _, _, said, _ = cut(BlockKind.CODE, function.strip())
    assert said == [function.strip()]
    text = "\n".join([function] * 60).strip()
    _, found, said, _ = cut(BlockKind.CODE, text)
    assert len(found) > 5
    assert max(embed.encoder().count_tokens(said)) <= READS
    assert all(part.startswith("def check") for part in said)
    assert not any(s.hard for s in found)


def test_a_line_of_code_too_long_for_a_model_is_cut_and_says_so():
    text = "x = [" + ", ".join(str(n) for n in range(2000)) + "]"
    _, found, said, _ = cut(BlockKind.CODE, text)
    assert max(embed.encoder().count_tokens(said)) <= READS
    assert [s.hard for s in found] == [True] * (len(found) - 1) + [False]


def test_headings_and_captions_are_one_sentence_each():
    for kind in (BlockKind.HEADING, BlockKind.IMAGE):
        assert len(cut(kind, "# One. Two! Three? Fig. 4.")[1]) == 1


def test_quotes_are_prose():
    _, _, said, _ = cut(BlockKind.QUOTE, "> One is here. Two is\n> there. Three.")
    assert said == ["> One is here.", "Two is\n> there.", "Three."]


def test_one_item_is_no_list_and_is_split_like_any_prose():
    _, _, said, _ = cut(BlockKind.LIST, "1. Open the valve. 2. Read the gauge. 3. Close it.")
    assert said == ["1. Open the valve.", "2. Read the gauge.", "3. Close it."]
