"""Fields are named, ordered and switched off one by one; settings refuse what they do not know."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import enrich
from core.errors import InvalidSetting

NAMES = [field.name for field in enrich.COMPUTED]


def test_the_fields_are_these_in_this_order():
    assert NAMES == [
        "section", "subsection", "section_level", "content_type", "contains_code", "contains_math", "is_summary", "words",
        "entities", "keywords", "language", "is_complete", "coherence", "summary", "is_first", "is_last",
        "embedding_model", "strategy",
    ]  # fmt: skip


def test_each_method_is_told_in_one_sentence_of_its_own():
    methods = [field.method for field in enrich.COMPUTED]
    assert len(set(methods)) == len(methods)
    assert all(method.endswith(".") and method[0].isupper() and "\n" not in method for method in methods)


@given(st.frozensets(st.sampled_from(NAMES)), st.sampled_from(["", "en_core_web_sm", "en_core_web_sm fr_core_news_sm"]))
def test_settings_come_back_from_their_text(off, model):
    settings = enrich.EnrichSettings(off, model)
    assert enrich.EnrichSettings.from_json(settings.to_json()) == settings


def test_equal_settings_have_equal_texts():
    one, other = (enrich.EnrichSettings(frozenset(names)) for names in (["words", "language"], ["language", "words"]))
    assert one.to_json() == other.to_json()
    assert replace(one, off=frozenset()) == enrich.EnrichSettings()


def test_a_field_nobody_knows_is_refused_with_the_names_it_resembles():
    with pytest.raises(
        InvalidSetting, match=r"'keyword'.*Did you mean 'keywords' or 'words'\?.*Fields: section, subsection"
    ):
        enrich.EnrichSettings(frozenset({"keyword"}))


@pytest.mark.parametrize("model", ["/models/en", "../model", "a b;c", "modèle", "1st", "x" * 400])
def test_a_model_is_named_and_not_a_path(model):
    with pytest.raises(InvalidSetting):
        enrich.EnrichSettings(entity_model=model)


def test_models_are_named_as_python_imports_them():
    settings = enrich.EnrichSettings(entity_model=" en-core-web-sm, fr_core_news_sm,en_core_web_sm ")
    assert settings.models == ("en_core_web_sm", "fr_core_news_sm")
    assert settings == enrich.EnrichSettings(entity_model="en_core_web_sm fr_core_news_sm")


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{}", '{"off": 1, "entity_model": ""}', '{"off": "words", "entity_model": ""}',
     '{"off": [1], "entity_model": ""}', '{"off": [[]], "entity_model": ""}', '{"off": [], "entity_model": 3}', "[" * 100_000],
)  # fmt: skip
def test_what_is_no_settings_is_refused(text):
    with pytest.raises(InvalidSetting):
        enrich.EnrichSettings.from_json(text)
