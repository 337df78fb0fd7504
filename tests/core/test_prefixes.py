"""Models that want a word before questions and passages get it, and nobody else sees it."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import embed, prefixes
from core.errors import ModelUnavailable
from core.prefixes import PrefixedEncoder, Prefixes, named, of_family, of_prompts, parted
from core.settings import ChunkSettings, SearchSettings
from core.store.duckdb import DuckStore
from core.types import ModelInfo
from core.workspace import Workspace
from tests.core.drops import text
from tests.fakes import BagEncoder

PROSE = "The pump failed in May. It was replaced at once."


@dataclass(frozen=True)
class Recording(BagEncoder):
    """Keeps what it was given to embed."""

    asked: list[str] = field(default_factory=list)

    def encode(self, texts):
        self.asked.extend(texts)
        return super().encode(texts)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("intfloat/e5-small-v2", Prefixes("query: ", "passage: ")),
        ("intfloat/multilingual-e5-base", Prefixes("query: ", "passage: ")),
        ("/models/e5-large/", Prefixes("query: ", "passage: ")),
        ("intfloat/e5-mistral-7b-instruct", Prefixes()),
        ("intfloat/multilingual-e5-large-instruct", Prefixes()),
        ("BAAI/bge-small-en-v1.5", Prefixes(prefixes._SENTENCE)),
        ("BAAI/bge-m3", Prefixes()),
        ("Snowflake/snowflake-arctic-embed-m", Prefixes(prefixes._SENTENCE)),
        ("nomic-ai/nomic-embed-text-v1.5", Prefixes("search_query: ", "search_document: ")),
        (embed.BUNDLED, Prefixes()),
        ("sentence-transformers/multi-qa-MiniLM-L6-cos-v1", Prefixes()),
        ("", Prefixes()),
    ],
)
def test_families_are_known_by_their_names(name, wanted):
    assert of_family(name) == wanted


def test_what_a_model_says_itself_is_taken_under_the_names_in_use():
    assert of_prompts({"query": "q: ", "passage": "p: "}) == Prefixes("q: ", "p: ")
    assert of_prompts({"query": "q: ", "document": ""}) == Prefixes("q: ")
    assert of_prompts({"document": "d: ", "clustering": "c: "}) == Prefixes("", "d: ")
    assert of_prompts({}) == Prefixes()


@given(st.text(max_size=20).filter(lambda s: "#query=" not in s), st.text(max_size=50), st.text(max_size=50))
def test_a_name_keeps_its_prefixes(bare, query, passage):
    whole = Prefixes(*(part.encode("utf-8", "replace").decode() for part in (query, passage)))
    assert parted(named(bare, whole)) == (bare, whole)
    assert parted(bare) == (bare, None)


@pytest.mark.parametrize(
    "said", ["query=a&other=b", "query=a&passage=b&passage=c", "query=" + "x" * 301, "query=a&", "query=&="]
)
def test_what_follows_the_sign_must_be_prefixes(said):
    with pytest.raises(ModelUnavailable):
        parted(f"model#{said}")


def test_a_path_may_hold_the_sign():
    assert parted("/data/c#/models#1") == ("/data/c#/models#1", None)


def test_a_prefix_is_read_by_the_model_and_counted_by_nobody():
    inner = Recording()
    made = PrefixedEncoder(inner, "e5", Prefixes("query: ", "some passage: "))
    np.testing.assert_array_equal(made.encode([PROSE]), BagEncoder().encode([f"some passage: {PROSE}"]))
    np.testing.assert_array_equal(made.encode_query(["Why?"]), BagEncoder().encode(["query: Why?"]))
    assert inner.asked == [f"some passage: {PROSE}", "query: Why?"]
    assert made.count_tokens([PROSE]) == inner.count_tokens([PROSE])
    assert made.token_spans(PROSE).tolist() == inner.token_spans(PROSE).tolist()
    assert made.info.max_tokens == inner.info.max_tokens - 2
    assert made.info.name == "e5"
    assert made.info.revision != inner.info.revision


def test_a_blank_text_is_refused_with_a_prefix_too():
    made = PrefixedEncoder(embed.encoder(), "x", Prefixes("q: ", "p: "))
    for encode in (made.encode, made.encode_query):
        with pytest.raises(ValueError, match="blank"):
            encode(["fine", " \n"])


def test_other_prefixes_are_another_index_and_the_first_is_still_searched(tmp_path):
    """R05: questions and passages each get their own; texts and spans hold none; a change asks for embedding again."""
    inner = Recording()
    by_name = {}

    def encoders(name):
        bare, said = parted(name)
        wanted = of_family(bare) if said is None else said
        return by_name.setdefault(name, PrefixedEncoder(inner, name, wanted))

    opened = Workspace(DuckStore(tmp_path / "w.duckdb"), encoders)
    opened.add([text("a.txt", PROSE)], ChunkSettings(), "e5-small")
    assert inner.asked == ["passage: The pump failed in May.", "passage: It was replaced at once."] or sorted(
        inner.asked
    ) == ["passage: It was replaced at once.", "passage: The pump failed in May."]
    inner.asked.clear()
    first = opened.index()
    hits = opened.search("What failed?", SearchSettings(k=2, window=1), index=first.id).hits
    assert inner.asked == ["query: What failed?"]
    assert {hit.text for hit in hits} == {"The pump failed in May.", "It was replaced at once."}
    assert all(hit.window_text == PROSE for hit in hits)
    assert hits[0].tokens in (7, 8)

    bare = named("e5-small", Prefixes())
    assert opened.index_of(ChunkSettings(), bare) is None
    assert opened.cost(ChunkSettings(), bare).new == 2
    opened.build(ChunkSettings(), bare)
    inner.asked.clear()
    opened.search("What failed?", SearchSettings(), index=opened.index_of(ChunkSettings(), bare).id)
    opened.search("What failed?", SearchSettings(), index=first.id)
    assert inner.asked == ["What failed?"], "the first question is known"
    opened.store.close()


def test_the_bundled_model_gets_none_unless_it_is_asked_to():
    assert not isinstance(embed.encoder(), PrefixedEncoder)
    with_one = embed.encoder(named(embed.BUNDLED, Prefixes("", "passage: ")))
    assert with_one.info.dim == 384
    assert with_one.info.max_tokens == embed.encoder().info.max_tokens - 2
    np.testing.assert_allclose(
        with_one.encode(["The pump failed."]), embed.encoder().encode(["passage: The pump failed."]), atol=1e-6
    )
    assert embed.encoder(with_one.info.name) is with_one


def test_a_model_that_would_put_a_prompt_before_every_text_gets_no_prefix_twice(tmp_path):
    folder = tmp_path / "prompted"
    shutil.copytree(embed._bundled_folder(), folder)
    prompts = {"prompts": {"query": "query: ", "document": "passage: "}, "default_prompt_name": "document"}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    made = embed.encoder(str(folder))
    assert isinstance(made, PrefixedEncoder)
    assert made.prefixes == Prefixes("query: ", "passage: ")
    plain = embed.encoder().encode(["passage: A pump.", "query: A pump."])
    np.testing.assert_allclose(made.encode(["A pump."])[0], plain[0], atol=1e-5)
    np.testing.assert_allclose(made.encode_query(["A pump."])[0], plain[1], atol=1e-5)


def test_a_folder_that_is_named_after_a_family_is_used_as_its_makers_say(tmp_path):
    folder = tmp_path / "e5-tiny"
    folder.symlink_to(embed._bundled_folder(), target_is_directory=True)
    made = embed.encoder(str(folder))
    assert isinstance(made, PrefixedEncoder)
    assert made.prefixes == Prefixes("query: ", "passage: ")
    assert isinstance(made.info, ModelInfo)
    bare = embed.encoder(named(str(folder), Prefixes()))
    np.testing.assert_allclose(bare.encode(["A pump."]), embed.encoder().encode(["A pump."]), atol=1e-6)
