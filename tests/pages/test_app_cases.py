"""Faults that people have reported of apps like this one: selections, large documents, many tabs, hasty sliders."""

from __future__ import annotations

import json
import pickle
import re
from dataclasses import dataclass, field

import pytest
from streamlit.testing.v1 import AppTest

from core import embed, home, workspace
from core.ingest import Upload
from core.settings import ChunkSettings
from core.store.base import Passage, Record
from core.types import Sentence
from core.workspace import node_id
from tests import texts
from tests.fakes import BagEncoder
from tests.pages.screen import app, click_point, go, layers, report, said, settle


@dataclass(frozen=True)
class Counting(BagEncoder):
    """Counts the texts it embeds."""

    asked: list[str] = field(default_factory=list)

    def encode(self, texts):
        self.asked.extend(texts)
        return super().encode(texts)


def test_a_clicked_point_is_the_one_that_opens_whatever_layer_it_lies_in(empty):
    """T06: points carry their ids; an index into a trace says nothing."""
    files = {"a.txt": "Alpha pump. Beta rain.", "b.txt": "Gamma court. Delta noise."}
    empty.add([Upload(name, body.encode()) for name, body in files.items()], ChunkSettings())
    tab = go(app("search", q="pump", k="1"), "map")
    found = layers(tab)
    every = [point for points in found.values() for point in points]
    assert len(found) == 2, "the hit is a layer of its own"
    assert len(every) == len(set(every)) == 4
    for name, texts_ in {"a.txt": ["Alpha pump.", "Beta rain."], "b.txt": ["Gamma court.", "Delta noise."]}.items():
        for ordinal, text in enumerate(texts_):
            shown = said(click_point(tab, node_id(empty.document(name).id, empty.index().id, ordinal)))
            assert f"##### {name} #{ordinal + 1}" in shown
            assert text in shown
    assert f"##### {name} #2" in said(tab.run()), "a rerun keeps it"


def sent(tab: AppTest) -> int:
    """Bytes of what a rerun sends to the browser, roughly."""
    return sum(len(e.proto.SerializeToString()) for e in tab._tree if getattr(e, "proto", None) is not None)


def test_a_rerun_of_a_large_document_sends_little(empty):
    """T10: the browser fetches the text once; a rerun is numbers, however long the document."""
    lines = "".join(f"Line {number} ends here. " for number in range(100_000))
    document = texts.document(lines, "lines.txt")
    ends = [found.end() - 1 for found in re.finditer(r"\. ", lines)]
    sentences = [Sentence(start, end, 0) for start, end in zip([0, *(end + 1 for end in ends)], ends, strict=False)]
    empty.store.put(Record(Passage(document, tuple(sentences)), lines.encode(), None, {}), None, None)
    tab = app("windows", doc=document.id)
    (viewer,) = [part for part in tab.get("bidi_component") if "text_url" in part.proto.json]
    assert len(viewer.proto.json) < 5000
    assert sent(tab) < 1_000_000
    tab = report(tab, viewer, "json_value", {"view": {"selected": 99_999, "window": 3, "seq": 1, "pinned": [5]}})
    assert json.loads(tab.get("bidi_component")[0].proto.json)["selected"] == 99_999
    assert sent(tab) < 1_000_000


def test_tabs_share_one_workspace_and_one_model(plant, monkeypatch):
    """T13: what is large is held once per process; what a tab holds of its own is small."""
    opened: list[str] = []
    monkeypatch.setattr(plant, "encoders", lambda name: opened.append(name) or BagEncoder())
    tabs = [go(app("search", q="north pump failed"), "windows") for _ in range(10)]
    assert len(workspace.opened()) == 1
    assert embed.encoder() is embed.encoder()
    for tab in tabs:
        session = tab.session_state["chunkscope"]
        assert len(pickle.dumps(session.draft)) < 1000
        assert not any(isinstance(getattr(session, name), BagEncoder) for name in session.__slots__)
        assert session.workspace == str(home.named("plant"))


def test_a_slider_that_goes_and_comes_back_embeds_nothing(empty):
    """T14: the window is cut from what is there, and what is shown says what it was made with."""
    counting = Counting()
    empty.encoders = lambda name: counting
    empty.add([Upload("a.txt", " ".join(f"Sentence {n} is here." for n in range(300)).encode())], ChunkSettings())
    tab = app("search", q="sentence seven", window="3")
    embedded = len(counting.asked)
    for window in (5, 3, 5, 3):
        tab.slider(key="bound-window").set_value(window).run()
        assert f"±{window}" in said(tab) or str(window) == str(tab.slider(key="bound-window").value)
    assert len(counting.asked) == embedded
    tab = go(tab, "windows")
    for window in (5, 3):
        (viewer,) = [part for part in tab.get("bidi_component") if "text_url" in part.proto.json]
        tab = report(
            tab, viewer, "json_value", {"view": {"selected": 0, "window": window, "seq": window, "pinned": []}}
        )
    assert len(settle(tab).exception) == 0
    assert len(counting.asked) == embedded


@pytest.mark.parametrize("model", ["/no/such/folder", "no-such-org/no-such-model"])
def test_a_model_that_is_not_there_stops_no_page_that_needs_none(plant, monkeypatch, model):
    """R06: the message names the model and what to do; text, metadata and the stored map go on working."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    plant.encoders = embed.encoder
    monkeypatch.setattr(embed, "_hub_answers", lambda: False)
    tab = app("settings")
    tab.text_input(key="model-name").set_value(model)
    next(b for b in tab.button if b.label == "Apply").click().run()
    assert not tab.exception
    (error,) = [box.value for box in tab.error]
    assert model.rsplit("/", 1)[-1] in error.replace("\\", "")
    assert embed.BUNDLED in error.replace("\\", "")
    for page in ("documents", "windows", "map"):
        assert not go(tab, page).exception
