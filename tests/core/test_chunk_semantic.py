"""Breaks where neighbouring sentences are least alike, by the document's own measure."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import chunk
from core.chunk import semantic
from core.powers import ModelPowers
from core.store.base import Passage
from core.store.duckdb import DuckStore
from core.types import BlockKind
from tests.core import chunk_made as made
from tests.core.chunk_made import Model, Vectored, sized

VALVES, RAIN, LAW = (1.0, 0.0), (0.0, 1.0), (-1.0, 0.1)
MODEL = Vectored({"valve": VALVES, "rain": RAIN, "court": LAW})
TEXT = (
    "The valve is open. Another valve is shut. A third valve leaks. "
    "The rain is heavy. More rain will come. The court has ruled. The court is closed."
)


def said(text: str, model: chunk.Powers = MODEL, name: str = "a.txt", size: int = 500, **more: int) -> list[str]:
    passage = made.passage(text, name)
    return made.said(passage, chunk.nodes(passage, sized(size, strategy="semantic", **more), model))


def test_a_node_ends_where_the_subject_changes():
    assert said(TEXT, percentile=40) == [
        "The valve is open. Another valve is shut. A third valve leaks.",
        "The rain is heavy. More rain will come.",
        "The court has ruled. The court is closed.",
    ]


def test_the_curve_says_how_alike_sentences_are_and_where_that_is_too_little():
    passage = made.passage(TEXT)
    curve = semantic.curve(passage, sized(500, strategy="semantic", percentile=40), MODEL)
    assert curve.similarities.tolist() == pytest.approx([1, 1, 0, 1, 0.0995, 1], abs=1e-3)
    assert curve.breaks == (3, 5)
    assert max(curve.similarities[2], curve.similarities[4]) < curve.threshold <= 1


@given(made.documents, st.integers(1, 99))
def test_the_percentile_is_one_of_the_documents_own_values(document, percentile):
    passage = made.passage(*document)
    curve = semantic.curve(passage, sized(500, strategy="semantic", percentile=percentile), Model())
    assert curve.similarities.shape == (max(0, len(passage.sentences) - 1),)
    known = curve.similarities[np.isfinite(curve.similarities)]
    below = int((known < curve.threshold).sum()) if len(known) else 0
    assert below <= np.ceil(len(known) * percentile / 100)
    assert len(curve.breaks) <= below
    assert all(0 < at < len(passage.sentences) for at in curve.breaks)


def test_sentences_that_are_all_alike_have_no_break():
    assert said("Valve open. " * 9, Model(), percentile=99) == [("Valve open. " * 9).strip()]


def test_a_heading_goes_with_what_stands_below_it():
    model = Vectored({"Weather": LAW, "valve": VALVES, "rain": RAIN})
    text = "The valve is open. The valve is shut.\n\n# Weather\n\nThe rain is heavy. The rain will go."
    assert said(text, model, "a.md", percentile=60) == [
        "The valve is open. The valve is shut.",
        "# Weather\n\nThe rain is heavy. The rain will go.",
    ]


def test_what_is_too_small_is_put_together_with_what_follows_and_the_last_with_what_is_before():
    assert said(TEXT, percentile=40, minimum=41) == [
        "The valve is open. Another valve is shut. A third valve leaks.",
        "The rain is heavy. More rain will come. The court has ruled. The court is closed.",
    ]
    last = "The valve is open. The valve is shut. The rain fell."
    assert said(last, percentile=50) == ["The valve is open. The valve is shut.", "The rain fell."]
    assert said(last, percentile=50, minimum=20) == [last]


def test_what_is_put_together_still_fits():
    last = "The valve is open. The valve is shut. The rain fell."
    assert said(last, percentile=50, minimum=20, size=50) == ["The valve is open. The valve is shut.", "The rain fell."]


def test_what_is_too_large_is_cut_between_sentences():
    assert said(TEXT, percentile=40, size=45)[:2] == [
        "The valve is open. Another valve is shut.",
        "A third valve leaks.",
    ]


def test_tables_and_code_are_compared_with_nothing():
    text = "The valve is open.\n\n| a |\n|---|\n| b |\n\nThe rain fell. The rain stopped."
    passage = made.passage(text, "a.md")
    assert semantic.texts(passage) == ["The valve is open.", "The rain fell.", "The rain stopped."]
    curve = semantic.curve(passage, sized(500, strategy="semantic"), MODEL)
    assert np.isfinite(curve.similarities).tolist() == [False, False, True]
    kinds = [node.kind for node in chunk.nodes(passage, sized(500, strategy="semantic"), MODEL)]
    assert kinds == [BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.PARAGRAPH]


@pytest.mark.parametrize("text", ["", "One alone.", "| a |\n|---|\n| b |"])
def test_without_two_sentences_there_is_no_threshold(text):
    curve = semantic.curve(made.passage(text, "a.md"), sized(500, strategy="semantic"), Model())
    assert np.isnan(curve.threshold)
    assert curve.breaks == ()


def test_noise_beyond_what_a_model_repeats_changes_nothing():
    """The same sentence among others in a batch has a vector that differs in the last digits."""

    class Noisy:
        def likeness(self, texts):
            noise = np.random.default_rng().normal(0, 1e-6, len(texts) - 1)
            return (MODEL.likeness(texts) + noise).astype(np.float32)

        def token_spans(self, text):
            raise NotImplementedError

    for _ in range(5):
        assert said(TEXT + " " + TEXT, Noisy(), percentile=30) == said(TEXT + " " + TEXT, percentile=30)


def test_neighbours_share_words_before_the_break():
    passage = made.passage(TEXT)
    found = chunk.nodes(passage, sized(200, 12, "semantic", percentile=40), MODEL)
    assert made.said(passage, found)[1].startswith("leaks. The rain is heavy.")


def test_the_bundled_model_finds_where_a_new_subject_begins(tmp_path):
    from core import embed

    text = (
        "The centrifugal pump moves water through the cooling circuit. A worn seal lets the pump leak water. "
        "The court dismissed the appeal last week. Its judges found no error in the ruling."
    )
    passage: Passage = made.passage(text)
    chosen = sized(1000, strategy="semantic", percentile=34)
    assert semantic.curve(passage, chosen, ModelPowers(embed.encoder(), DuckStore(tmp_path / "w.duckdb"))).breaks == (
        2,
    )
