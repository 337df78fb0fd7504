"""The bundled model is the published one, unaltered, and gives the published figures."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from core import embed
from core.embed import BundledEncoder, TransformersEncoder
from core.errors import ModelUnavailable

THREE = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
HARD = ["", "x", "Dr. Li 👩‍🔧 会议 café\u0301", "שלום", "supercalifragilistic " * 200, "a" * 300, "\x00\u200b", "\n"]


@pytest.fixture(scope="module")
def bundled():
    return embed.encoder()


def test_the_published_reference_sentences_have_the_published_cosines(bundled):
    cosines = (vectors := bundled.encode(THREE)) @ vectors.T
    np.testing.assert_allclose(cosines, [[1, 0.6660, 0.1046], [0.6660, 1, 0.1411], [0.1046, 0.1411, 1]], atol=1e-3)


def test_vectors_are_unit_single_precision_and_the_same_in_any_company(bundled):
    texts = [*THREE, "word " * 400, "👩‍🔧"]
    vectors = bundled.encode(texts)
    assert vectors.dtype == np.float32
    assert vectors.shape == (5, bundled.info.dim) == (5, 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    alone = np.concatenate([bundled.encode([text]) for text in texts])
    np.testing.assert_allclose(vectors, alone, atol=1e-5)


def test_no_texts_give_no_vectors(bundled):
    assert bundled.encode([]).shape == (0, 384)
    assert bundled.count_tokens([]) == []


@pytest.mark.parametrize("blank", ["", " \n\t", "\u3000"])
def test_a_blank_text_is_refused(bundled, blank):
    with pytest.raises(ValueError, match="text 1 is blank"):
        bundled.encode(["fine", blank])


def test_the_model_is_found_by_name_once_per_process(bundled):
    assert embed.encoder(embed.BUNDLED) is bundled


def test_tokens_are_those_of_the_models_own_tokenizer_uncut(bundled):
    theirs = bundled._model.tokenizer(HARD, truncation=False, verbose=False)["input_ids"]
    assert bundled.count_tokens(HARD) == [len(ids) for ids in theirs]
    assert max(bundled.count_tokens(HARD)) > bundled.info.max_tokens == bundled._model.max_seq_length
    assert bundled.count_tokens(["", "x", "a " * 500]) == [2, 3, 502]


def test_text_beyond_the_limit_does_not_change_the_vector(bundled):
    limit = bundled.info.max_tokens - 2
    cut, longer = bundled.encode(["word " * limit, "word " * limit + "quite another end"])
    np.testing.assert_allclose(cut, longer, atol=1e-5)


def test_the_same_model_as_a_folder_gives_the_same_vectors_and_counts(bundled):
    folder = TransformersEncoder(str(embed._bundled_folder()))
    np.testing.assert_allclose(folder.encode(THREE), bundled.encode(THREE), atol=1e-6)
    assert folder.count_tokens(HARD) == bundled.count_tokens(HARD)
    assert (folder.info.dim, folder.info.max_tokens) == (384, 256)
    assert folder.encode([]).shape == (0, 384)
    assert folder.info.revision == TransformersEncoder(str(embed._bundled_folder())).info.revision
    with pytest.raises(ValueError, match="blank"):
        folder.encode([" "])


@pytest.mark.parametrize("file", sorted(embed._BUNDLED_FILES))
@pytest.mark.parametrize("deed", ["changed", "gone"])
def test_weights_that_are_not_the_published_ones_are_never_loaded(tmp_path, monkeypatch, file, deed):
    original = embed._bundled_folder()
    for name in embed._BUNDLED_FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        if name != file:
            (tmp_path / name).symlink_to(original / name)
        elif deed == "changed":
            shutil.copyfile(original / name, tmp_path / name)
            with (tmp_path / name).open("r+b") as opened:
                opened.seek(-2, 2)
                last = opened.read(1)[0]
                opened.seek(-2, 2)
                opened.write(bytes([last ^ 1]))
    monkeypatch.setattr(embed, "_bundled_folder", lambda: tmp_path)
    monkeypatch.setattr(embed, "_load", lambda *args, **kwargs: pytest.fail("loaded"))
    with pytest.raises(ModelUnavailable) as caught:
        BundledEncoder().encode(["text"])
    assert file.rsplit("/", 1)[-1] in str(caught.value)


@pytest.mark.parametrize("what", ["an empty folder", "a file", "a folder that is not there"])
def test_what_is_no_model_is_refused_with_the_ways_on(tmp_path, monkeypatch, what):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    path = tmp_path / "model"
    if what == "an empty folder":
        path.mkdir()
    elif what == "a file":
        path.write_text("text")
    with pytest.raises(ModelUnavailable, match=r"could not be loaded|not on this machine") as caught:
        embed.encoder(str(path))
    assert embed.BUNDLED in caught.value.do
