"""Faults that people have reported of sentence splitting (docs: the field's hard cases), with either engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from core import embed, read, split
from core.abbreviations import ABBREVIATIONS
from core.settings import Engine, SplitSettings
from core.types import Document, Sentence
from tests import texts

ROOT = Path(__file__).parent.parent.parent
READS = 256

pytestmark = pytest.mark.parametrize("engine", list(Engine))


def cut(text: str | bytes, engine: Engine, abbreviations: tuple[str, ...] = ABBREVIATIONS):
    document = read.read("a.txt", text if isinstance(text, bytes) else text.encode())
    return document, split.sentences(document, SplitSettings(engine, abbreviations))


def said(text: str | bytes, engine: Engine, abbreviations: tuple[str, ...] = ABBREVIATIONS) -> list[str]:
    document, found = cut(text, engine, abbreviations)
    return [document.text[s.start : s.end] for s in found]


def spans(found: list[Sentence]) -> list[tuple[int, int]]:
    return [(s.start, s.end) for s in found]


def expected(case_inputs: Path, name: str) -> list[tuple[int, int]]:
    known = json.loads((case_inputs / f"{name}.expected.json").read_text(encoding="utf-8"))
    return [(s["start"], s["end"]) for s in known["sentences"]]


def tokens(document: Document, found: list[Sentence]) -> list[int]:
    return embed.encoder().count_tokens([document.text[s.start : s.end] for s in found])


@pytest.fixture(autouse=True)
def loaded(engine):
    """Hang guards time the splitting, not the loading of parameters."""
    said("Warm. Up.", engine)


def test_a_numbered_reference_stays_in_its_sentence(engine):
    """S01."""
    _, found = cut(
        "The tribunal cited Regulation No. 5 and Order No. 12 in its ruling. Appeal No. 7 was dismissed.", engine
    )
    assert spans(found) == [(0, 67), (68, 95)]


@pytest.mark.parametrize(
    "text",
    [
        "The panel weighed Art. 5, Sec. 4, Fig. 3 and pp. 3-4 of Vol. II.",
        "See Nos. 7 and 8, Eq. 2 and Ref. 12.",
        "It was shipped on Jan. 5 and on Dec. 31.",
        "Order No. B-12 replaces order no. 11.",
    ],
)
def test_every_kind_of_numbered_reference_stays_in_its_sentence(engine, text):
    """S01."""
    assert said(f"{text} Nobody objected.", engine) == [text, "Nobody objected."]


def test_a_word_that_is_also_an_abbreviation_ends_a_sentence_where_no_number_follows(engine):
    """S01, the other way round."""
    assert said("She said no. Then she left. He loves art. Nobody knows. We sat in the sun. It set.", engine) == [
        "She said no.", "Then she left.", "He loves art.", "Nobody knows.", "We sat in the sun.", "It set.",
    ]  # fmt: skip


def test_latin_abbreviations_end_no_sentence(engine):
    """S02."""
    _, found = cut(
        "As shown by Marlow et al. the drift is small. Later work by Okafor et al. (2019) disagreed.", engine
    )
    assert spans(found) == [(0, 45), (46, 91)]
    one = "Use a short probe, e.g. Kelvin type, or i.e. Something similar, when the line is live."
    assert said(one, engine) == [one]


def test_an_abbreviation_that_can_end_a_sentence_does_before_a_word_that_begins_one(engine, case_inputs):
    """S04."""
    _, found = cut((case_inputs / "sent_join_errors.txt").read_bytes(), engine)
    assert spans(found) == expected(case_inputs, "sent_join_errors.txt")


def test_taking_an_abbreviation_out_and_putting_one_in_changes_the_result(engine):
    """S04: the list is the user's."""
    text = "Acme Inc. reported a loss. It sold the Mfgr. Works of Oslo."
    assert said(text, engine) == ["Acme Inc. reported a loss.", "It sold the Mfgr.", "Works of Oslo."]
    more = (*ABBREVIATIONS, "Mfgr.")
    assert said(text, engine, more) == ["Acme Inc. reported a loss.", "It sold the Mfgr. Works of Oslo."]
    less = tuple(entry for entry in ABBREVIATIONS if entry != "Inc")
    assert said(text, engine, less) == ["Acme Inc.", "reported a loss.", "It sold the Mfgr.", "Works of Oslo."]


@pytest.mark.parametrize("entry", ["No", "Dr", "e.g", "U.S", "Fig", "p.m", "al", "vs"])
def test_every_entry_matters(engine, entry):
    """S04: each is an abbreviation while it is listed, and an ordinary word when it is not."""
    text = {"No": "Order No. 5 holds.", "Fig": "See Fig. 5 here.", "p.m": "At 6 p.m. they left."}.get(
        entry, f"We met {entry}. Smith there."
    )
    less = tuple(kept for kept in ABBREVIATIONS if kept != entry)
    assert said(text, engine) == [text]
    assert len(said(text, engine, less)) == 2


def test_full_width_stops_end_sentences_without_a_space(engine, case_inputs):
    """S05."""
    _, found = cut((case_inputs / "sent_cjk.txt").read_bytes(), engine)
    assert spans(found) == expected(case_inputs, "sent_cjk.txt")


def test_ellipses_quotes_and_brackets_stay_with_their_sentence(engine, case_inputs):
    """S07."""
    document, found = cut((case_inputs / "sent_ellipsis_quotes.txt").read_bytes(), engine)
    assert spans(found) == expected(case_inputs, "sent_ellipsis_quotes.txt")
    texts.assert_tiles(document.text, found)


@pytest.mark.parametrize("name", ["sent_no_punct.txt", "sent_one_token_60k.txt"])
def test_text_without_stops_is_cut_to_what_the_model_reads_and_says_so(engine, case_inputs, name):
    """S08: every part fits, all but the last are marked, nothing is lost, in linear time."""
    document = read.read("a.txt", (case_inputs / name).read_bytes())
    start = time.perf_counter()
    found = split.sentences(document, SplitSettings(engine))
    assert time.perf_counter() - start < 1
    assert max(tokens(document, found)) <= READS
    assert [s.hard for s in found] == [True] * (len(found) - 1) + [False]
    texts.assert_tiles(document.text, found)


def test_eighty_thousand_spaces_are_split_at_once(engine, case_inputs):
    """S09."""
    document = read.read("a.txt", (case_inputs / "sent_spaces_80k.txt").read_bytes())
    start = time.perf_counter()
    found = split.sentences(document, SplitSettings(engine))
    assert time.perf_counter() - start < 1
    assert spans(found) == [(80_000, 80_013)]


def test_tokens_with_stops_are_never_cut_and_a_missing_space_is_seen(engine, case_inputs):
    """S11."""
    assert said((case_inputs / "sent_no_space_after_stop.txt").read_bytes(), engine) == [
        "The test failed.",
        "The crew left.",
        "Nobody spoke.",
        "See file v1.2.3 at example.com/a.b now.",
    ]


@pytest.mark.parametrize(
    "token",
    [
        "v1.2.3", "3.5", "10.0.0.1", "example.com/a.b", "https://a.example.org/B.C?d=E.F", "a.b@c.example", "Node.js", "ASP.NET",
        "e.g.this", "U.S.A", "README.md", "java.util.List", "System.Out.println", "os.Path", "./Run.Me", "C:\\A.B", ".env", "$5.00",
        "main.The_Class", "J.R.R.", "Wait...what",
    ],
)  # fmt: skip
def test_nothing_is_cut_inside_a_token(engine, token):
    """S11."""
    text = f"we use {token} here"
    assert said(text, engine) == [text]


def test_inline_list_numbers_stay_with_their_item(engine):
    """S13."""
    _, found = cut("1. Open the valve. 2. Read the gauge. 3. Close it.", engine)
    assert spans(found) == [(0, 18), (19, 37), (38, 50)]


@pytest.mark.parametrize(
    "items",
    [
        ["(a) Open it.", "(b) Read it."],
        ["a) Open it.", "b) Read it."],
        ["a. Open it.", "b. Read it."],
        ["i. Open it.", "ii. Read it.", "iii. Close it.", "iv. Rest."],
        ["1.1. Open it.", "1.2. Read it."],
        ["1) Open it.", "2) Read it."],
        ["Step 1. Open it.", "Step 2. Read it."],
        ["• open it", "• read it"],
        ["1. Open it", "2. Read it", "3. Close it"],
    ],
)
def test_every_kind_of_inline_enumeration_is_cut_between_its_items(engine, items):
    """S13."""
    assert said(" ".join(items), engine) == items


OFFLINE = """
import json, socket, sys, urllib.request
def refuse(*args, **kwargs):
    raise AssertionError("went to the network")
socket.socket.connect = socket.socket.connect_ex = socket.create_connection = refuse
socket.getaddrinfo = urllib.request.urlopen = refuse
from core import read, split
from core.settings import SplitSettings
assert not {"nltk", "nupunkt", "punkt"} & set(sys.modules)
settings = SplitSettings(sys.argv[1])
document = read.read("a.txt", b"Dr. Li opened it. She left! Why? Nobody knows.")
for _ in range(2):
    found = [document.text[s.start : s.end] for s in split.sentences(document, settings)]
print(json.dumps([found, split.describe(settings, "en")]))
"""


def test_text_is_split_offline_with_a_home_that_cannot_be_written(engine, tmp_path):
    """S10: nothing is fetched or written, nothing is loaded before it is needed, and the splitter has a name."""
    tmp_path.chmod(0o555)
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("NLTK", "XDG"))}
    environment |= {"HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, engine], capture_output=True, text=True, cwd=ROOT, env=environment, timeout=60
    )
    tmp_path.chmod(0o755)
    assert done.returncode == 0, done.stderr
    found, name = json.loads(done.stdout)
    assert found == ["Dr. Li opened it.", "She left!", "Why?", "Nobody knows."]
    assert name in ("NLTK Punkt (English)", "nupunkt")
    assert list(tmp_path.iterdir()) == []


def test_a_document_in_another_language_is_split_with_its_parameters(engine):
    """The parameters follow the language that was found, or the one the user chose."""
    document = read.read("a.txt", "Er kam am 3. Mai bzw. am 4. Juni an. Die Art. 5 und 6 gelten. Das war’s.".encode())
    german = replace(document, reading=replace(document.reading, language="de"))
    found = [german.text[s.start : s.end] for s in split.sentences(german, SplitSettings(engine))]
    if engine is Engine.PUNKT:
        assert found == ["Er kam am 3. Mai bzw. am 4. Juni an.", "Die Art. 5 und 6 gelten.", "Das war’s."]
    assert found[-1] == "Das war’s."
