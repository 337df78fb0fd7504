"""Settings of the context line: canonical values, told in a name, kept as JSON, and never a secret among them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidSetting
from core.settings import PROMPT, ChunkSettings, ContextSettings, Strategy, Unit

WRITTEN = ContextSettings(writer="tiny", base_url="http://localhost:11434/v1/")

field_names = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=30
).filter(str.strip)
told = st.builds(ContextSettings, st.just(True), st.booleans(), st.lists(field_names, max_size=5).map(tuple))
asked = st.builds(
    ContextSettings,
    writer=st.sampled_from(["tiny", "org/Model:7b", "模型"]),
    prompt=st.sampled_from([PROMPT, "{chunk}", 'Say "{title}"\n{chunk} {other}']),
    base_url=st.sampled_from(["http://localhost:8080/v1", "https://api.openai.com/v1", "http://[::1]:9"]),
)
sized = st.builds(
    ChunkSettings, st.just(40), st.integers(0, 39), st.integers(0, 3), st.none() | told | asked,
    st.sampled_from(list(Strategy)[1:]), st.sampled_from(list(Unit)[1:]), st.integers(1, 99), st.integers(0, 40),
)  # fmt: skip
chunk_settings = (
    st.builds(ChunkSettings, st.just(4), st.integers(0, 3), st.integers(0, 3), st.none() | told | asked) | sized
)


@given(chunk_settings)
def test_settings_come_back_from_json_as_they_were_and_the_same_are_the_same_text(settings):
    text = settings.to_json()
    assert ChunkSettings.from_json(text) == settings
    assert ChunkSettings.from_json(text).to_json() == text
    assert hash(ChunkSettings.from_json(text)) == hash(settings)


def test_the_json_of_settings_without_a_line_says_no_word_of_it():
    assert ChunkSettings(2, 1, 1).to_json() == '{"embed_around":1,"overlap":1,"size":2}'


def test_the_json_of_a_strategy_says_what_it_uses_and_no_more():
    fixed = ChunkSettings(250, 125, strategy=Strategy.FIXED, unit=Unit.CHARS)
    assert fixed.to_json() == '{"embed_around":0,"overlap":125,"size":250,"strategy":"fixed","unit":"chars"}'
    semantic = ChunkSettings(200, strategy=Strategy.SEMANTIC, unit=Unit.TOKENS, minimum=20)
    assert json.loads(semantic.to_json()) == {
        "size": 200, "overlap": 0, "embed_around": 0, "strategy": "semantic", "unit": "tokens", "percentile": 10, "minimum": 20,
    }  # fmt: skip


def test_what_a_strategy_does_not_use_is_set_back_so_that_like_settings_are_equal():
    assert ChunkSettings(percentile=50, minimum=1) == ChunkSettings()
    plain = ChunkSettings(9, strategy=Strategy.FIXED, unit=Unit.WORDS)
    assert replace(plain, percentile=50, minimum=5) == plain
    assert ChunkSettings(9, strategy="fixed", unit="words") == plain
    assert replace(plain, strategy=Strategy.STRUCTURE, minimum=5).minimum == 5


@pytest.mark.parametrize(
    "wrong",
    [
        {"strategy": "fixed"},
        {"unit": "chars"},
        {"strategy": "fixed", "unit": "sentences"},
        {"strategy": "magic", "unit": "chars"},
        {"strategy": "fixed", "unit": "bytes"},
        {"strategy": None},
        {"strategy": "fixed", "unit": "chars", "size": 5, "overlap": 5},
        {"strategy": "fixed", "unit": "chars", "size": 5, "overlap": 6},
        {"strategy": "fixed", "unit": "chars", "size": 0},
        {"strategy": "fixed", "unit": "chars", "size": 5, "overlap": -1},
        {"strategy": "fixed", "unit": "chars", "size": 10**7},
        {"strategy": "fixed", "unit": "tokens", "size": 10**6},
        {"strategy": "semantic", "unit": "chars", "size": 9, "percentile": 0},
        {"strategy": "semantic", "unit": "chars", "size": 9, "percentile": 100},
        {"strategy": "structure", "unit": "chars", "size": 9, "minimum": 10},
        {"strategy": "structure", "unit": "chars", "size": 9, "minimum": -1},
    ],
)
def test_impossible_chunk_settings_are_refused_in_words(wrong):
    with pytest.raises(InvalidSetting) as refused:
        ChunkSettings(**wrong)
    assert refused.value.do
    with pytest.raises(InvalidSetting):
        ChunkSettings.from_json(json.dumps(wrong))


def test_a_large_overlap_below_the_size_is_allowed():
    assert ChunkSettings(5, 4, strategy=Strategy.FIXED, unit=Unit.CHARS).overlap == 4


def test_settings_have_names_of_their_own():
    every = [
        ChunkSettings(size, overlap, around, None, strategy, unit, percentile, least)
        for size, overlap in ((30, 0), (30, 6), (36, 0))
        for around in (0, 2)
        for strategy in list(Strategy)[1:]
        for unit in list(Unit)[1:]
        for percentile in (10, 20)
        for least in (0, 5)
    ]
    assert len({chosen.name for chosen in every}) == len(set(every))
    assert ChunkSettings(250, 125, strategy=Strategy.FIXED, unit=Unit.CHARS).name == "fixed-250-chars-overlap-125"
    semantic = ChunkSettings(200, 20, 1, ContextSettings(), Strategy.SEMANTIC, Unit.TOKENS, 15, 30)
    assert semantic.name == "semantic-200-tokens-overlap-20-percentile-15-from-30-around-1-context"


def test_json_of_another_version_reads_with_what_it_leaves_out_at_its_default():
    assert ChunkSettings.from_json("{}") == ChunkSettings()
    assert ChunkSettings.from_json('{"size": 3, "context": null}') == ChunkSettings(3)
    assert ChunkSettings.from_json('{"context": {}}') == ChunkSettings(context=ContextSettings())
    assert ChunkSettings.from_json('{"context": {"fields": ["a"]}}').context == ContextSettings(fields=("a",))


def test_the_prompt_of_a_written_line_is_always_kept_as_its_default_may_change():
    assert json.loads(ChunkSettings(context=WRITTEN).to_json())["context"] == {
        "writer": "tiny",
        "prompt": PROMPT,
        "base_url": "http://localhost:11434/v1",
    }


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "3", '"size"', '{"sizes": 1}', '{"size": "1"}', '{"size": 1.0}', '{"size": true}', '{"size": 0}',
     '{"context": []}', '{"context": {"api_key": "x"}}', '{"context": {"title": 1}}', '{"context": {"fields": "author"}}',
     '{"context": {"fields": [1]}}', '{"context": {"writer": null}}', '{"context": {"writer": "m"}}', "[" * 100_000,
     '{"strategy": 1}', '{"unit": null}', '{"strategy": ["fixed"]}', '{"percentile": 10.5}', '{"minimum": "1"}'],
)  # fmt: skip
def test_other_json_is_no_settings(text):
    with pytest.raises(InvalidSetting):
        ChunkSettings.from_json(text)


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": False, "headings": False},
        {"title": "yes"},
        {"fields": "author"},
        {"fields": ("",)},
        {"fields": ("a\0",)},
        {"fields": ("\ud800",)},
        {"fields": tuple(map(str, range(21)))},
        {"writer": "m"},
        {"writer": "m", "base_url": "localhost:8080"},
        {"writer": "m", "base_url": "ftp://host/v1"},
        {"writer": "m", "base_url": "http://"},
        {"writer": "m", "base_url": "http://host:99999"},
        {"writer": "m", "base_url": "http://host/v 1"},
        {"writer": "m", "base_url": "http://user:secret@host/v1"},
        {"writer": "m", "base_url": "http://host/v1?key=secret"},
        {"writer": "m", "base_url": "http://host/v1#secret"},
        {"writer": "m", "base_url": "http://host", "prompt": ""},
        {"writer": "m", "base_url": "http://host", "prompt": "Describe {document}."},
        {"writer": "m", "base_url": "http://host", "prompt": "{chunk}" + "x" * 8000},
        {"writer": "m" * 301, "base_url": "http://host"},
    ],
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(InvalidSetting) as refused:
        ContextSettings(**wrong)
    assert refused.value.do
    assert "secret" not in str(refused.value)


def test_what_the_other_way_would_use_is_set_back_so_that_like_settings_are_equal():
    assert ContextSettings(prompt="Other {chunk}", base_url="http://host") == ContextSettings()
    assert replace(WRITTEN, title=False, fields=("a",)) == WRITTEN
    assert replace(WRITTEN, writer="") == ContextSettings()
    assert WRITTEN.base_url == "http://localhost:11434/v1"
    assert ContextSettings(fields=["b", "a", "b"]).fields == ("b", "a")


def test_a_name_says_what_is_in_the_line():
    names = {
        None: "sentence",
        ContextSettings(): "sentence-context",
        ContextSettings(headings=False): "sentence-context-title",
        ContextSettings(title=False): "sentence-context-headings",
        ContextSettings(fields=("author", "Ünser Jahr_1")): "sentence-context-with-author-ünser-jahr-1",
        ContextSettings(False, False, ("author",)): "sentence-context-with-author-only",
        ContextSettings(fields=("a", "b", "c", "d", "e")): "sentence-context-with-a-b-c-and-2-more",
        ContextSettings(fields=("?!",)): "sentence-context-with-field",
        WRITTEN: "sentence-context-written",
    }
    assert {context: ChunkSettings(context=context).name for context in names} == names
    assert ChunkSettings(3, 1, 2, ContextSettings()).name == "3-sentences-overlap-1-around-2-context"


@given(st.lists(field_names, min_size=1, max_size=20))
def test_a_name_stays_short_and_plain_whatever_the_fields_are_called(fields):
    name = ChunkSettings(context=ContextSettings(fields=tuple(fields))).name
    assert len(name) <= 120
    assert not any(character.isspace() or character in "/\\<>\"'" for character in name)


def test_settings_tell_which_fields_are_embedded():
    assert ChunkSettings().told_fields == frozenset()
    assert ChunkSettings(context=ContextSettings(fields=("a", "b"))).told_fields == {"a", "b"}
    assert ChunkSettings(context=WRITTEN).told_fields == frozenset()
