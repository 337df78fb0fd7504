"""Faults that people have reported of embedding models (docs: the field's hard cases), with the bundled model."""

from __future__ import annotations

import numpy as np
import pytest

from core import embed, read, split
from core.embed import BUNDLED
from core.filters import EVERYTHING
from core.ingest import Status, Upload
from core.settings import ChunkSettings, SearchSettings
from core.store.duckdb import DuckStore
from core.workspace import Workspace, misfit
from tests.core import drops
from tests.core.drops import drop, text
from tests.fakes import BagEncoder

CHINESE = ("你看到错误了吗", "系统已经启动啦")
EMOJI = ("😀", "🚀")
GERMAN = (
    "Der Vertrag wurde gestern unterschrieben. Alle Beteiligten waren sehr zufrieden damit. Das Gerät läuft wieder."
)
ENGLISH = "The contract was signed yesterday. Everybody was pleased with it. The gauge is running again."


@pytest.fixture(scope="module")
def bundled():
    return embed.encoder()


@pytest.fixture
def real(tmp_path):
    """A workspace with the bundled model."""
    fresh = Workspace(DuckStore(tmp_path / "real.duckdb"))
    yield fresh
    fresh.store.close()


# ── R03: a model that knows nothing of the script ────────────────────────────────────────────────


@pytest.mark.parametrize("known", [*CHINESE, *EMOJI])
def test_every_token_of_another_script_is_unknown(bundled, known):
    """R03: 100 % here; what remains is the mark of the beginning and that of the end."""
    assert bundled.count_unknown([known])[0] == bundled.count_tokens([known])[0] - 2 > 0


def test_texts_of_unknown_tokens_are_one_and_the_same_to_the_model(bundled):
    """R03: why the warning is needed at all."""
    for pair in (CHINESE, EMOJI):
        vectors = bundled.encode(list(pair))
        assert vectors[0] @ vectors[1] == pytest.approx(1, abs=1e-5)


def test_english_has_no_unknown_tokens(bundled):
    assert bundled.count_unknown([ENGLISH, "Dr. Li's café costs £5 – or 7 %.", ""]) == [0, 0, 0]


def test_a_chinese_document_is_told_with_its_file_and_wherever_it_is_found(real):
    """R03: the share of unknown tokens, and what to use instead."""
    result = drop(real, text("zh.txt", "\n\n".join(CHINESE)), text("en.txt", ENGLISH))["zh.txt"]
    assert result.status is Status.ADDED
    (notice,) = result.notices
    assert notice == (
        f"Chinese text, and {BUNDLED} reads English only: similarities mean little here. "
        f"100% of its tokens are unknown to {BUNDLED}. Use a multilingual model."
    )
    assert real.unfit(real.index()) == {real.document("zh.txt").id: notice}


def test_a_document_of_emoji_is_told_by_the_share_alone(real):
    """R03: no language, but nothing that the model knows either."""
    result = drop(real, text("faces.txt", "\n\n".join(EMOJI)))["faces.txt"]
    assert result.notices == (f"100% of its tokens are unknown to {BUNDLED}. Use a multilingual model.",)
    assert list(real.unfit(real.index())) == [result.doc_id]


def test_a_german_document_is_told_by_its_language(real):
    """Its tokens are known, letter by letter: the language alone says that the model reads none of it."""
    result = drop(real, text("de.txt", GERMAN))["de.txt"]
    assert result.language == "de"
    (notice,) = result.notices
    assert notice.startswith(f"German text, and {BUNDLED} reads English only")
    assert "unknown" not in notice
    assert real.unfit(real.index()) == {result.doc_id: notice}


def test_an_english_document_is_told_nothing(real):
    result = drop(real, text("en.txt", ENGLISH))["en.txt"]
    assert (result.language, result.notices) == ("en", ())
    assert real.unfit(real.index()) == {}


def test_the_share_is_of_the_whole_document_and_a_few_emoji_are_none(real, bundled):
    few = drop(real, text("few.txt", f"{ENGLISH} {ENGLISH} 🚀"), text("half.txt", f"{ENGLISH} {' '.join(EMOJI * 12)}"))
    assert few["few.txt"].notices == ()
    (notice,) = few["half.txt"].notices
    passage = real.store.passage(few["half.txt"].doc_id)
    sentences = [passage.document.text[s.start : s.end] for s in passage.sentences]
    tokens = sum(bundled.count_tokens(sentences)) - 2 * len(sentences)
    share = sum(bundled.count_unknown(sentences)) / tokens
    assert 0.3 < share < 0.8
    assert f"{share:.0%} of its tokens are unknown" in notice
    assert list(real.unfit(real.index())) == [few["half.txt"].doc_id]


def test_a_file_that_comes_again_is_told_again(real):
    uploads = (text("de.txt", GERMAN), text("zh.txt", "\n\n".join(CHINESE)))
    first = drop(real, *uploads)
    again = drop(real, *uploads)
    assert {r.status for r in again.values()} == {Status.UNCHANGED}
    for name in first:
        assert [n.split(":")[0] for n in again[name].notices] == [n.split(":")[0] for n in first[name].notices]
    assert again["zh.txt"].notices == first["zh.txt"].notices, "the share too: the index still knows it"


def test_the_languages_of_a_multilingual_model_are_its_own_affair():
    assert misfit("paraphrase-multilingual-MiniLM-L12-v2", "de", 0.0) == ""
    assert misfit("intfloat/multilingual-e5-small", "zh", 0.0) == ""
    assert misfit("BAAI/bge-m3", "zh", 0.0) == ""
    for english in (
        BUNDLED,
        "sentence-transformers/all-mpnet-base-v2",
        "BAAI/bge-small-en-v1.5",
        "multi-qa-MiniLM-L6-cos-v1",
    ):
        assert "reads English only" in misfit(english, "de", 0.0)
        assert misfit(english, "en", 0.0) == misfit(english, "", 0.0) == ""
        assert "100% of its tokens" in misfit(english, "", 1.0)


def test_the_notice_names_the_model_of_the_index(tmp_path):
    small = Workspace(DuckStore(tmp_path / "small.duckdb"), lambda name: BagEncoder())
    (result,) = small.add([text("a.txt", "Ünïcödé wörds öñly hérè.")], ChunkSettings(), "bag")
    assert "of its tokens are unknown to bag" in result.notices[0]
    assert "reads English only" not in result.notices[0]
    small.store.close()


# ── R01: texts longer than the model reads ───────────────────────────────────────────────────────


@pytest.fixture
def long_tails(real, case_inputs):
    names = ("long_tail_fire.txt", "long_tail_profit.txt")
    results = real.add([Upload(name, (case_inputs / name).read_bytes()) for name in names], ChunkSettings())
    assert [result.status for result in results] == [Status.ADDED, Status.ADDED]
    return real


def test_the_answer_at_the_end_of_a_long_text_is_found_first(long_tails):
    """R01: no stop in 3,500 characters, the answer in the last six words."""
    hits = long_tails.search("Did the warehouse burn down?", SearchSettings(k=3, window=0)).hits
    assert hits[0].name == "long_tail_fire.txt"
    assert hits[0].text.endswith("The warehouse burned down on Friday.")


def test_two_texts_with_opposite_ends_have_not_the_same_vectors(long_tails):
    """R01: what differs lies beyond what the model reads of the whole."""
    index = long_tails.index()
    fire, profit = (long_tails.store.embedded(index, info.id).vectors for info in long_tails.documents())
    assert not all(np.isclose(profit @ row, 1, atol=1e-4).any() for row in fire)


def test_a_long_text_is_parted_so_that_no_part_is_cut_and_parted_nodes_say_so(long_tails, bundled):
    """R01: the count of tokens is exact, and none is beyond the model's."""
    index = long_tails.index()
    for info in long_tails.documents():
        held = long_tails.store.embedded(index, info.id)
        body = long_tails.store.passage(info.id)
        texts = [body.document.text[n.start : n.end] for n in held.nodes]
        assert list(held.tokens) == bundled.count_tokens(texts)
        assert max(held.tokens) <= index.model.max_tokens
        assert len(texts) > 1
        assert all(sentence.hard for sentence in body.sentences[:-1])
    assert long_tails.store.unread(index) == {}


def test_a_node_that_is_too_long_all_the_same_is_counted_and_flagged(long_tails):
    """R01: nodes of several parts are longer than the model reads: with the file, and in the index."""
    report = long_tails.build(ChunkSettings(10))
    unread = long_tails.store.unread(report.index)
    assert {long_tails.document(doc_id).name: found.cut for doc_id, found in unread.items()} == {
        "long_tail_fire.txt": 1,
        "long_tail_profit.txt": 1,
    }
    again = long_tails.add([Upload("more.txt", b"the pump is fine and " * 400)], ChunkSettings(10))
    assert "longer than the model reads" in again[0].reason


# ── R04: nothing to embed ────────────────────────────────────────────────────────────────────────


def test_no_texts_give_no_vectors_of_the_right_width(bundled):
    """R04."""
    assert bundled.encode([]).shape == (0, bundled.info.dim)


@pytest.mark.parametrize("blank", ["", "   ", "\n\t", None, "\u200b", "\u200b\ufeff\u2060", "\u00ad"])
def test_what_is_blank_is_never_embedded_and_the_error_names_it(bundled, blank):
    """R04: a vector of nothing would compete in every search."""
    with pytest.raises(ValueError, match="text 1 is blank"):
        bundled.encode(["fine", blank])


@pytest.mark.parametrize("nothing", ["", "  \n", "\u200b", "\u200b\n\n\ufeff\n\n\u2060", "\u00ad\u00ad"])
def test_a_file_of_nothing_is_refused_and_nothing_is_stored(real, nothing):
    """R04: also one of characters without width, which are no white space to Python."""
    results = drop(real, text("nothing.txt", nothing), text("en.txt", ENGLISH))
    assert results["nothing.txt"].status is Status.FAILED
    assert [info.name for info in real.documents()] == ["en.txt"]


def test_a_line_of_nothing_becomes_no_node(real):
    """R04: between two paragraphs of a web page or a PDF stands a space without width."""
    drop(real, text("a.txt", "The pump failed.\n\n\u200b\n\nThe valve held.\n\n\u00a0\n\n\ufeff\u2060\n\nAll is well."))
    assert drops.node_texts(real) == ["The pump failed.", "The valve held.", "All is well."]
    assert real.store.count(real.index(), EVERYTHING) == (3, 3)


@pytest.mark.parametrize(
    "content", ["a\u200bb. \u200b\n\nC.", "- \n- x\n\n\u200b", "| a |\n|---|\n|  |\n\n> \n\n#\n\nEnd."]
)
def test_no_sentence_is_nothing(content):
    """R04: whatever the format makes of it."""
    for name in ("a.txt", "a.md"):
        document = read.read(name, content.encode())
        for sentence in split.sentences(document):
            assert document.text[sentence.start : sentence.end].strip(" \n\u200b\ufeff\u2060\u00ad")
