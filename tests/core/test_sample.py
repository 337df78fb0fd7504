"""The shipped sample fits its documents, opens without a model, and its traps behave as they say."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest

from core import chunk, embed, filters, home, project, sample, split
from core import workspace as workspaces
from core.filters import EVERYTHING
from core.settings import ChunkSettings, SearchSettings
from core.store.duckdb import DuckStore
from core.workspace import Workspace
from tests.core.drops import drop, text

ROOT = sample.FOLDER.parent.parent


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    """The sample as a user gets it; questions go to the real model."""
    made = Workspace(DuckStore(tmp_path_factory.mktemp("sample") / "sample.duckdb"))
    sample.fill(made)
    yield made
    made.store.close()


def trap(name):
    return next(t for page in ("windows", "search", "map", "evaluate") for t in sample.traps(page) if t.id == name)


def top(workspace, question, k=5, window=0, filter=EVERYTHING):
    return workspace.search(question, SearchSettings(k=k, window=window), filter).hits


def embedded_texts(workspace):
    found = []
    for info in workspace.documents():
        passage, nodes = workspace.preview(info.id, sample.SETTINGS)
        found += [chunk.embedded_text(passage.document, node) for node in nodes]
    return found


# ── what ships ───────────────────────────────────────────────────────────────────────────────────


def test_the_recorded_vectors_are_exactly_those_of_the_documents(shipped):
    recorded = sample._vectors()
    assert set(recorded) == {embed.text_hash(said) for said in embedded_texts(shipped)}


def test_recorded_vectors_are_the_models_own(shipped):
    said = sorted(set(embedded_texts(shipped)))
    chosen = [said[n] for n in np.random.default_rng(7).choice(len(said), 24, replace=False)]
    recorded = sample._vectors()
    np.testing.assert_allclose(
        np.array([recorded[embed.text_hash(one)] for one in chosen]), embed.encoder().encode(chosen), atol=1e-3
    )


def test_the_shipped_map_has_a_point_for_every_node_and_keeps_neighbours(shipped):
    picture = shipped.picture()
    assert picture.method == "UMAP"
    assert len(picture.points) == shipped.index().nodes == len(embedded_texts(shipped))
    np.testing.assert_array_equal(picture.points, sample._map())
    shuffled = np.random.default_rng(0).permutation(picture.points)
    by_chance = project.neighbours_kept(shipped.store.vectors(shipped.index()), shuffled)
    assert picture.neighbours_kept > by_chance + 0.3


def test_the_recorded_sentences_are_the_splitters_own(shipped):
    recorded = sample._sentences()
    passages = [shipped.store.passage(info.id) for info in shipped.documents()]
    assert recorded == {p.document.revision: split.sentences(p.document) for p in passages}


def test_opening_the_sample_loads_no_model_and_no_splitter(tmp_path):
    code = (
        "import sys; from core import home, workspace; w = workspace.open(home.sample());"
        "assert len(w.documents()) >= 15 and w.index().nodes > 100 and w.gold_sets(), w.documents();"
        "heavy = {'torch', 'transformers', 'sentence_transformers', 'umap', 'nltk', 'sklearn'} & set(sys.modules);"
        "assert not heavy, heavy; workspace.close(home.sample())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.returncode == 0, done.stderr


def test_there_are_15_to_20_documents_each_with_metadata(shipped):
    documents = shipped.documents()
    assert 15 <= len(documents) <= 20
    for info in documents:
        usual = {"source", "doc_type", "category", "tags", "security_level", "published_at", "created_at"}
        assert usual <= set(info.metadata), info.name
        assert info.aliases == ()


def test_around_forty_gold_questions_point_at_their_answers(shipped):
    questions = shipped.gold_sets()[sample.GOLD]
    assert 35 <= len(questions) <= 50
    assert len({question.text for question in questions}) == len(questions)
    by_id = {info.id: shipped.store.passage(info.id) for info in shipped.documents()}
    for question in questions:
        for reference in question.references:
            whole = by_id[reference.doc_id].document.text
            answer = whole[reference.span.start : reference.span.end]
            assert answer == answer.strip() != ""
            assert not re.match(r"[a-z]", answer), "an answer begins with its sentence"
    assert sum(question.filter != EVERYTHING for question in questions) >= 5


def test_gold_filters_let_their_answers_through_but_for_the_trap(shipped):
    wrong = trap("filter").question
    for question in shipped.gold_sets()[sample.GOLD]:
        passing = {info.id for info in shipped.documents(question.filter)}
        reachable = {reference.doc_id for reference in question.references} <= passing
        assert reachable is (question.text != wrong), question.text


def test_evaluating_the_sample_finds_most_answers_and_windows_help(shipped):
    questions = shipped.gold_sets()[sample.GOLD]
    narrow, wide = shipped.evaluate(questions, 5, windows=[0, 2])
    assert 0.6 < narrow.mean.hit_rate < 1
    assert narrow.mean.recall < wide.mean.recall
    assert narrow.mean.tokens_returned < wide.mean.tokens_returned


def test_the_billing_faq_is_what_the_examples_say(shipped):
    info = shipped.document("billing-faq.md")
    assert info.metadata["category"] == "billing"
    assert set(info.metadata["tags"]) == {"faq", "refunds"}
    assert info.metadata["published_at"].isoformat() == "2026-03-12T00:00:00"
    first = top(shipped, "What is the refund policy?")[0]
    assert first.name == "billing-faq.md"
    assert "refund" in first.text.lower()
    condition = {"all": [{"category": "billing"}, {"field": "tags", "op": "contains_any", "value": ["refunds"]}]}
    found = top(shipped, "What is the refund policy?", filter=filters.from_json(condition))
    assert found
    assert {hit.name for hit in found} == {"billing-faq.md"}


# ── the traps ────────────────────────────────────────────────────────────────────────────────────


def test_every_trap_is_told_somewhere_and_names_a_document_and_a_gold_question(shipped):
    names = {info.name for info in shipped.documents()}
    asked = {question.text for question in shipped.gold_sets()[sample.GOLD]}
    told = {t.id: t for page in ("windows", "search", "map", "evaluate") for t in sample.traps(page)}
    assert set(told) == {"cut", "filter", "boilerplate", "wrong_year"}
    for one in told.values():
        assert one.document in names
        assert one.question in asked
    assert sample.traps("no such page") == []


def test_the_cut_answer_needs_a_window_of_one(shipped):
    one = trap("cut")
    narrow, wide = top(shipped, one.question), top(shipped, one.question, window=1)
    assert narrow[0].id == wide[0].id
    assert narrow[0].name == one.document
    assert "TF-200" in narrow[0].text
    assert "warranty" in narrow[0].text
    assert not any("42 months" in hit.window_text for hit in narrow)
    assert "It runs for 42 months" in wide[0].window_text


def test_the_filter_hides_the_answer_that_comes_first_without_it(shipped):
    one = trap("filter")
    hidden = top(shipped, one.question, filter=one.filter)
    assert {hit.metadata["doc_type"] for hit in hidden} == {"policy"}
    assert not any("$650" in hit.window_text for hit in hidden)
    assert any(hit.name.startswith("travel") and "cannot be claimed" in hit.text for hit in hidden)
    first = top(shipped, one.question)[0]
    assert first.name == one.document
    assert "$650" in first.text
    assert first.metadata["doc_type"] == "guide"


def test_boilerplate_of_four_documents_crowds_out_its_exception(shipped):
    one = trap("boilerplate")
    exception = "Auditors, insurers and outside counsel"

    def has(hits):
        return any(exception in hit.window_text for hit in hits)

    crowd = top(shipped, one.question)
    assert not has(crowd)
    copied = re.compile(
        r"This [\w ]+ contains confidential information of|Confidential information may not be disclosed"
    )
    assert all(copied.match(hit.text) for hit in crowd)
    assert len({hit.name for hit in top(shipped, one.question, k=7)}) == 4
    ranks = [hit.rank for hit in top(shipped, one.question, k=12) if exception in hit.text]
    assert ranks
    assert 7 <= ranks[0] <= 9
    assert has(top(shipped, one.question, k=8))
    assert has(top(shipped, one.question, filter=filters.from_json({"doc_type": "contract"})))
    assert has(top(shipped, one.question, window=2))


def test_the_wrong_year_ranks_first_until_the_year_is_asked_for(shipped):
    one = trap("wrong_year")
    ranked = top(shipped, one.question)
    assert ranked[0].name == "financial-report-2025-q1.md"
    assert "9.1%" in ranked[0].text
    assert [hit.rank for hit in ranked if "15.2%" in hit.text] == [3]
    assert ranked[2].name == one.document
    right = top(shipped, one.question, filter=one.filter)[0]
    assert right.name == one.document
    assert "15.2%" in right.text


# ── living with it ───────────────────────────────────────────────────────────────────────────────


def test_the_sample_leaves_ones_own_documents_when_it_is_removed(tmp_path):
    made = Workspace(DuckStore(tmp_path / "mixed.duckdb"))
    sample.fill(made)
    assert sample.is_in(made)
    recorded = sample._vectors()
    mine = Workspace(made.store, lambda name: sample.RecordedEncoder(embed.encoder(name), recorded))
    drop(mine, text("mine.txt", "A sentence of my own."))
    assert sample.remove(made) == len(sample.uploads()) // 2
    assert [info.name for info in made.documents()] == ["mine.txt"]
    assert not sample.is_in(made)
    assert made.gold_sets() == {}
    sample.fill(made)
    assert sample.is_in(made)
    made.store.close()


def test_the_sample_workspace_is_filled_when_it_is_first_opened_and_not_again():
    first = workspaces.open(home.sample())
    assert sample.is_in(first)
    sample.remove(first)
    workspaces.close(home.sample())
    again = workspaces.open(home.sample())
    assert again.documents() == []
    workspaces.close(home.sample())


def test_texts_that_were_not_recorded_go_to_the_model():
    class Inner:
        info, tokenizer_name = embed.encoder().info, "t"

        def encode(self, texts):
            assert list(texts) == ["unknown"]
            return np.full((1, 2), 7, np.float32)

    recorded = {embed.text_hash("known"): np.array([1, 2], np.float32)}
    encoder = sample.RecordedEncoder(Inner(), recorded)
    np.testing.assert_array_equal(encoder.encode(["unknown", "known", "unknown"]), [[7, 7], [1, 2], [7, 7]])
    np.testing.assert_array_equal(encoder.encode(["known"]), [[1, 2]])


def test_the_sample_can_be_indexed_in_other_ways_at_the_known_cost(shipped):
    cost = shipped.cost(ChunkSettings(3, 1))
    assert cost.documents == len(shipped.documents())
    assert 0 < cost.new <= cost.nodes < shipped.index().nodes


def test_an_interrupted_first_start_leaves_no_half_of_a_sample(monkeypatch):
    def interrupted(workspace):
        workspace.add(sample.uploads()[:2], sample.SETTINGS, progress=lambda *_: None)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(sample, "fill", interrupted)
        with pytest.raises(KeyboardInterrupt):
            workspaces.open(home.sample())
    assert not home.sample().exists()
    opened = workspaces.open(home.sample())
    assert opened.gold_sets()
    assert len(opened.documents()) >= 15
    workspaces.close(home.sample())


def test_taking_the_sample_out_leaves_a_document_of_ones_own_with_the_same_name(tmp_path):
    from core.ingest import Upload
    from core.store.duckdb import DuckStore
    from core.workspace import Workspace

    own = Workspace(DuckStore(tmp_path / "own.duckdb"))
    sample.fill(own)
    own.add([Upload("billing-faq.md", b"My own billing page.")], sample.SETTINGS)
    sample.remove(own)
    assert [info.name for info in own.documents()] == ["billing-faq.md"]
    own.store.close()
