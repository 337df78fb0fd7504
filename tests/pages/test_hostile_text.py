"""Text of users' making is shown as it is: in no place does the browser read it as Markdown, LaTeX, HTML or an icon."""

from __future__ import annotations

import json
import re

import pytest

from core import home, workspace
from core.ingest import Upload
from core.settings import ChunkSettings
from tests.fakes import BagEncoder
from tests.pages.screen import (
    app,
    cards,
    click_point,
    figure,
    go,
    layers,
    open_row,
    plain,
    press,
    raw,
    said,
    select_row,
    settle,
    table,
)

PIECES = (
    "<script>alert(1)</script>",
    "$x$",
    "[link](javascript:alert(1))",
    ":material/skull:",
    ":red[hot]",
    "**bold**",
    "`code`",
    "a -> b -- c",
    "\u202ebidi\u202c",
)
HOSTILE = " ".join(PIECES)
IN_MARKDOWN = ("<script", "$x$", "[link]", ":material/skull", ":red[", "**bold", "`code")
TEXT = f"Pumps {HOSTILE} fail. A second sentence stands here. The third has {HOSTILE} too."


NAME = f"{HOSTILE}.md"


@pytest.fixture
def hostile(empty):
    sidecar = json.dumps({"category": HOSTILE, "tags": [HOSTILE, "b"], HOSTILE: HOSTILE, "year": 2024})
    empty.add([Upload(NAME, TEXT.encode()), Upload(f"{NAME}.meta.json", sidecar.encode())], ChunkSettings())
    assert [info.name for info in empty.documents()] == [NAME]
    return empty


def check(tab):
    """Nothing hostile is live on this page."""
    assert not tab.exception, tab.exception
    markdown, html = raw(tab)
    for body in markdown:
        live = re.sub(r"\\[\\`*_{}\[\]()#+\-.!|~$:<>&^=]", "·", body)
        assert not [piece for piece in IN_MARKDOWN if piece in live], body
        assert not re.search(r":material/skull|(^|\s)(\\-\\?>|\\-\\-)(\s|$)", body), (
            "drawn as icon or arrow, escaped or not"
        )
    for body in html:
        assert "<script" not in body
        assert not re.findall(r"\son\w+=", body)
    return tab


def test_on_documents(hostile):
    tab = check(app())
    assert table(tab, "category")["name"][0] == NAME
    assert table(tab, "category")["category"][0] == HOSTILE
    tab = check(open_row(tab, 0))
    assert f"#### {NAME}" in said(tab)
    assert any(HOSTILE[:50] in plain(box.label) for box in (*tab.text_input, *tab.text_area))
    tab = check(press(tab, "delete-document"))
    assert f"{NAME} was deleted." in said(tab)
    check(press(tab, "undo"))


def test_in_what_became_of_a_drop(empty):
    tab = app()
    failing = f"failing {HOSTILE}.md"
    files = [
        (NAME, TEXT.encode(), "text/markdown"),
        (failing, b"", "text/markdown"),
        ("b.txt", TEXT.encode(), "text/plain"),
    ]
    tab.file_uploader(key="drop-Files").set_value(files)
    tab = check(settle(press(tab, "Add")))
    assert f"added {NAME}" in said(tab)
    assert f"failed {failing}" in said(tab)


def test_on_windows(hostile):
    tab = check(app("windows"))
    assert tab.selectbox(key="bound-document").options == [NAME]


def test_on_search_in_question_filter_and_hits(hostile):
    tab = check(app("search", q=f"pumps {HOSTILE}"))
    (first, *_) = cards(tab)
    assert NAME in first
    assert all(piece in first for piece in PIECES)
    assert f":material/search: pumps {HOSTILE}"[:60] in said(tab)
    for condition in ({"category": HOSTILE}, {HOSTILE: HOSTILE}, {"doc_id": hostile.documents()[0].id}):
        area = next(a for a in tab.text_area if a.key.startswith("filter-json"))
        area.set_value(json.dumps(condition)).run()
        tab = check(press(tab, "filter-json-apply"))
        (chip,) = [one.proto.popover.label for one in tab.get("popover") if one.proto.popover.id.endswith("-chip-0")]
        assert HOSTILE[:20] in plain(chip) or NAME[:20] in plain(chip)
        assert "3 of 3 nodes match" in said(tab)
    area = next(a for a in tab.text_area if a.key.startswith("filter-json"))
    area.set_value(json.dumps({f"no {HOSTILE}": 1})).run()
    check(press(tab, "filter-json-apply"))


def test_on_the_map(hostile):
    tab = check(app("map", q="pumps"))
    node = next(iter(layers(tab).values()))[0]
    tab = check(click_point(tab, node))
    assert NAME in said(tab)
    hovers = [text for trace in figure(tab)["data"] for text in trace.get("hovertext", [])]
    assert len(hovers) == 3
    assert not [text for text in hovers if "<script" in text]


def test_on_evaluate(hostile):
    gold = {
        "question": f"Is it {HOSTILE}?",
        "references": [{"document": NAME, "content": "A second sentence stands here."}],
        "filter": {"category": HOSTILE},
    }
    hostile.keep_gold(HOSTILE, hostile.read_gold(json.dumps(gold).encode()))
    tab = check(app("evaluate"))
    tab = check(settle(press(tab, "evaluate")))
    assert table(tab, "question")["question"][0] == f"Is it {HOSTILE}?"
    tab = check(select_row(tab, "gold-rows", 0))
    assert f"Is it {HOSTILE}?" in said(tab)
    tab.slider(key="bound-k").set_value(7).run()
    check(tab)
    tab.file_uploader(key="gold-file").set_value(
        [("x.jsonl", json.dumps({**gold, "references": [{"document": HOSTILE}]}).encode(), "")]
    )
    check(press(tab, "Add"))


def test_in_the_name_of_a_workspace(tmp_path):
    path = tmp_path / (HOSTILE.replace("/", "∕") + ".duckdb")
    workspace.open(path, lambda name: BagEncoder()).add([Upload("a.txt", b"One.")], ChunkSettings())
    home.remember(path)
    tab = check(app())
    for page in ("windows", "search", "map", "evaluate", "settings"):
        check(go(tab, page))
    assert path.stem in said(tab)


def test_in_a_path_that_is_no_workspace(tmp_path):
    path = tmp_path / (HOSTILE.replace("/", "∕") + ".duckdb")
    path.write_text("nothing")
    home.remember(path)
    tab = check(app())
    assert tab.error


def test_in_the_name_of_a_model(empty, monkeypatch):
    from core.types import ModelInfo

    info = ModelInfo(HOSTILE, "r1", 32, 256)
    monkeypatch.setattr(empty, "encoders", lambda name: BagEncoder(info))
    empty.add([Upload("a.txt", b"One. Two.")], ChunkSettings(), HOSTILE)
    empty.keep_gold(
        "g", empty.read_gold(b'{"question": "One?", "references": [{"document": "a.txt", "content": "One."}]}')
    )
    tab = check(app())
    for page in ("windows", "search", "map", "evaluate", "settings"):
        check(go(tab, page))
    empty.build(ChunkSettings(2), HOSTILE)
    for page in ("windows", "evaluate", "settings"):
        check(go(tab, page))
