"""Windows: settings A beside B, their statistics, and a question asked of both."""

from __future__ import annotations

import re
from html import unescape

import pytest

from core import api
from core.chunk import DEFAULTS, grammar
from core.chunk.compare import statistics
from core.filters import EVERYTHING
from core.ingest import Upload
from core.settings import ChunkSettings, SearchSettings, Strategy, Unit
from pages.parts import comparing, session
from tests.pages.screen import app, go, notices, press, raw, said, settle

SEMANTIC = DEFAULTS[Strategy.SEMANTIC]
TABLED = "# Prices\n\nAll prices are net of tax.\n\n| part | price |\n|---|---|\n| pump | 40 |\n| valve | 12 |\n\nNo more is said. It ends.\n"


@pytest.fixture(autouse=True)
def tiny_model(monkeypatch):
    """Sessions begin with the model of the test's workspace, so that what was built is found again."""
    kept = session.Session.__init__

    def begin(self, *args, **named):
        kept(self, *args, **{"model": "bag", **named})

    monkeypatch.setattr(session.Session, "__init__", begin)


def state(tab):
    return tab.session_state["chunkscope"]


def draft(tab, settings):
    """Take settings in hand, by whatever way."""
    state(tab).draft = settings
    tab.run()
    assert not tab.exception, tab.exception
    return tab


def comparison(tab):
    """The rows of the table by their letter: the settings, then what stands under each heading."""
    (html,) = [body for body in raw(tab)[1] if "cs-compared" in body]
    heads = [_seen(head) for head in re.findall(r'<th scope="col" title.*?</th>', html)]
    found = {}
    for row in re.findall(r'<tr><th scope="row".*?</tr>', html):
        letter, name = _seen(re.search(r'<th scope="row".*?</th>', row)[0]).split(" ", 1)
        cells = [_seen(cell) for cell in re.findall(r"<td.*?</td>", row)]
        found[letter] = (name, list(zip(heads, cells, strict=True)))
    return found


def cell(tab, letter, head, number=0):
    return [value for name, value in comparison(tab)[letter][1] if name == head][number]


def _seen(html):
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))).strip()


def text_shown(tab):
    return any(one.key == "viewer" for one in tab.get("bidi_component"))


def sides(tab):
    """The notes on the hits, in order of the page."""
    return [_seen(note) for body in raw(tab)[1] for note in re.findall(r'<span class="cs-fate">(.*?)</span>', body)]


def cards(tab):
    return [_seen(body) for body in raw(tab)[1] if 'class="cs-hit' in body]


def ask(tab, question):
    tab.text_input(key="question-on-both").input(question).run()
    assert not tab.exception, tab.exception
    return tab


def labels(tab):
    return [button.label for button in tab.button]


def test_the_settings_in_hand_have_a_row_with_what_core_says(plant):
    tab = app("windows")
    name, cells = comparison(tab)["B"]
    assert name == "nodes of 1 sentence"
    pump = plant.document("pump.md").id
    passage, nodes = api.preview(plant, pump, ChunkSettings(), "bag")
    counted, _, most = api.counted(plant, pump, ChunkSettings(), "bag")
    found = statistics(passage, nodes, counted.embedded, counted.sentences, window=2, max_tokens=most)
    index = plant.index()
    assert [value for _, value in cells] == [
        str(found.nodes),
        f"{found.node_tokens.median:,.0f}",
        str(found.node_tokens.most),
        f"{found.window_tokens.median:,.0f}",
        str(found.window_tokens.most),
        "100 %",
        "0 %",
        "0 %",
        f"{found.redundancy:.1f} ×",
        "–",
        "–",
        f"{index.nodes * (4 * 32 + 180) / 1000:.1f} kB",
        "built",
        "–",
    ]
    assert (found.nodes, found.tiny) == (4, 1.0), "four sentences of fewer than ten words"
    titles = re.findall(r'title="(.*?)"', "".join(body for body in raw(tab)[1] if "cs-compared" in body))
    assert any("Counted by words." in title for title in titles)


def test_a_stands_above_b_and_b_says_where_it_is_better_or_worse(empty):
    empty.add([Upload("prices.md", TABLED.encode())], ChunkSettings())
    tab = draft(app("windows"), ChunkSettings(12, strategy=Strategy.FIXED, unit=Unit.CHARS))
    tab = draft(press(tab, "pin-a"), ChunkSettings())
    rows = comparison(tab)
    assert list(rows) == ["A", "B"]
    assert rows["A"][0] == "nodes of 12 characters"
    assert cell(tab, "A", "tables") == "1 of 1"
    assert cell(tab, "B", "tables").startswith("0 of 1 ▲ better")
    assert cell(tab, "B", "mid-sentence") == "0 % ▲ better"
    assert cell(tab, "A", "mid-sentence") == f"{100 * _cut(empty, rows):.0f} %"
    assert "B against A · ▲ Better: fewer nodes cut in mid-sentence, less redundancy, fewer tables cut" in said(tab)
    tab = press(tab, "swap-a")
    assert comparison(tab)["B"][0] == "nodes of 12 characters"
    assert cell(tab, "B", "tables") == "1 of 1 ▼ worse"
    assert "▼ Worse: more nodes cut in mid-sentence, more redundancy, more tables cut" in said(tab)
    tab = press(tab, "pin-a")
    assert list(comparison(tab)) == ["B"]


def _cut(opened, rows):
    settings = ChunkSettings(12, strategy=Strategy.FIXED, unit=Unit.CHARS)
    passage, nodes = opened.preview(opened.documents()[0].id, settings, "bag")
    whole = {s.start for s in passage.sentences}, {s.end for s in passage.sentences}
    return sum(n.start not in whole[0] or n.end not in whole[1] for n in nodes) / len(nodes)


def test_equal_settings_have_no_better_and_no_worse(plant):
    tab = press(app("windows"), "pin-a")
    assert "No clear difference between A and B." in said(tab)
    assert "better" not in "".join(body for body in raw(tab)[1] if "cs-compared" in body)


def test_the_window_in_use_decides_what_is_returned(plant):
    tab = app("windows")
    before = cell(tab, "B", "redundancy")
    state(tab).window = 0
    tab.run()
    assert cell(tab, "B", "redundancy") == "1.0 ×"
    assert before != "1.0 ×"
    assert "Window ±0 tokens" in "".join(raw(tab)[1])


def test_bars_tell_the_same_in_words(plant):
    bars = [body for body in raw(press(app("windows"), "pin-a"))[1] if "cs-bars" in body]
    (label,) = {found for body in bars for found in re.findall(r'aria-label="(Nodes.*?)"', body)}
    assert label == "Nodes by their tokens. A: 4 with 0–9 tokens; B: 4 with 0–9 tokens"


def test_an_index_that_is_not_built_says_what_it_takes(plant):
    tab = draft(app("windows"), ChunkSettings(2))
    cost = plant.cost(ChunkSettings(2), "bag")
    assert cell(tab, "B", "new") == str(cost.new)
    assert cell(tab, "B", "time") == "1 s"


def test_a_is_chosen_among_indexes_and_presets(plant):
    tab = app("windows")
    choose = tab.selectbox(key="choose-a")
    assert choose.options[0] == "index sentence"
    assert "preset Fixed 250/125" in choose.options
    assert not any("FAQ" in name for name in choose.options), "the same nodes as the index"
    choose.select("preset Fixed 250/125").run()
    assert comparison(tab)["A"][0] == "nodes of 250 tokens, 125 shared"
    assert tab.selectbox(key="choose-a").value is None
    assert comparison(go(go(tab, "settings"), "windows"))["A"][0] == "nodes of 250 tokens, 125 shared"


def test_another_workspace_forgets_what_was_compared(plant):
    tab = ask(press(app("windows"), "pin-a"), "What failed?")
    tab.text_input(key="new-name").input("other").run()
    tab = go(press(tab, "new-create"), "windows")
    assert (state(tab).compared, state(tab).question) == (None, "")


def test_a_long_text_is_counted_on_request(plant, monkeypatch):
    monkeypatch.setattr(comparing, "LONG", 10)
    tab = app("windows")
    assert not any("cs-compared" in body for body in raw(tab)[1])
    tab = press(tab, "count-tokens")
    assert cell(tab, "B", "nodes") == "4"
    assert cell(draft(tab, ChunkSettings(2)), "B", "nodes") == "2"


def test_a_question_is_asked_of_both_indexes(plant):
    plant.build(ChunkSettings(2), "bag")
    tab = draft(press(app("windows"), "pin-a"), ChunkSettings(2))
    tab = ask(tab, "Which valve held in June?")
    a, b = (
        plant.search("Which valve held in June?", SearchSettings(5, 2), EVERYTHING, plant.index_of(s, "bag").id)
        for s in (ChunkSettings(), ChunkSettings(2))
    )
    found = cards(tab)
    assert len(found) == len(a.hits) + len(b.hits)
    for card, hit in zip(found, (*a.hits, *b.hits), strict=True):
        assert card.startswith(f"{hit.rank} {hit.score:.3f} · {hit.name} #{hit.node.ordinal + 1}")
    assert sides(tab)[0] == "also #1 in B"
    first_b = f"also {' '.join(f'#{h.rank}' for h in a.hits if h.doc_id == b.hits[0].doc_id and h.node.start < b.hits[0].node.end and b.hits[0].node.start < h.node.end)} in A"
    assert first_b in sides(tab)
    for result in (a, b):
        words = sum(len(re.findall(r"\w+", hit.window_text)) for hit in result.hits)
        assert f"{words} tokens returned in {len(result.hits)} windows" in said(tab)
    assert plant.remembered.questions() == ["Which valve held in June?"]


def test_the_filter_holds_on_both(plant):
    tab = app("windows", filter='{"category": "log"}', q="Which valve held in June?")
    assert state(tab).filter != EVERYTHING
    assert {card.split()[3] for card in cards(tab)} == {"valve.txt"}


def test_a_hit_opens_in_the_text(plant):
    plant.build(ChunkSettings(2), "bag")
    tab = ask(draft(press(app("windows"), "pin-a"), ChunkSettings(2)), "The shift ended early")
    assert re.match(r"1 [\d.]+ · valve.txt #3 ", cards(tab)[0])
    tab = press(tab, "try-A-1")
    valve = plant.document("valve.txt").id
    assert state(tab).document == valve
    _, nodes = plant.preview(valve, ChunkSettings(2), "bag")
    assert "The shift ended early" in plant.store.passage(valve).document.text[nodes[state(tab).node].start :][:100]
    assert state(tab).node == 1


def test_an_index_that_is_missing_is_built_from_here(plant):
    tab = ask(draft(press(app("windows"), "pin-a"), ChunkSettings(3)), "What failed?")
    new = plant.cost(ChunkSettings(3), "bag").new
    assert f"Build B · {new} new vectors · about 1 s" in labels(tab)
    tab = settle(press(tab, "build-B"))
    assert plant.index_of(ChunkSettings(3), "bag").nodes == 3
    assert "build-B" not in [button.key for button in tab.button]
    assert any("also #" in note for note in sides(tab))


def test_building_a_leaves_the_index_in_use(plant):
    tab = draft(app("windows"), ChunkSettings(2))
    tab = ask(draft(press(tab, "pin-a"), ChunkSettings()), "What failed?")
    tab = settle(press(tab, "build-A"))
    assert plant.index_of(ChunkSettings(2), "bag").nodes
    assert state(tab).index in (None, plant.index_of(ChunkSettings(), "bag").id)


def test_questions_asked_before_and_gold_can_be_asked_again(plant):
    gold = plant.read_gold(
        b'{"question": "What failed in May?", "references": [{"content": "The north pump failed in May.", "document": "pump.md"}]}'
    )
    plant.keep_gold("pumps", gold)
    tab = ask(ask(app("windows"), "Who noticed?"), "What held?")
    assert tab.selectbox(key="asked-windows").options == ["What held?", "Who noticed?", "pumps · What failed in May?"]
    tab.selectbox(key="asked-windows").select("pumps · What failed in May?").run()
    assert tab.text_input(key="question-on-both").value == "What failed in May?"
    assert cards(tab)
    tab = go(tab, "search")
    assert tab.text_input(key="bound-question").value == "What failed in May?"
    tab.text_input(key="bound-question").input("What was replaced?").run()
    assert plant.remembered.questions()[0] == "What was replaced?"
    tab.selectbox(key="asked-search").select("Who noticed?").run()
    assert tab.text_input(key="bound-question").value == "Who noticed?"


def test_a_question_that_cannot_be_asked_says_so_in_its_place(plant):
    tab = ask(app("windows"), "a" * 9_999_999)
    assert any("characters" in notice for notice in notices(tab))
    assert cell(tab, "B", "nodes") == "4"


def test_sentences_are_compared_before_semantic_nodes_are_shown(plant):
    fresh = plant.add(
        [Upload("tide.txt", b"The tide came in. Boats rose. Nobody sailed. The lamp was lit.")], ChunkSettings(2)
    )
    tab = app("windows")
    tab.selectbox(key="bound-document").select(fresh[0].doc_id).run()
    tab = draft(tab, SEMANTIC)
    assert not text_shown(tab)
    assert "Compare 4 sentences · about 1 s" in labels(tab)
    tab = settle(press(tab, "compare-"))
    assert text_shown(tab)
    _, nodes = plant.preview(fresh[0].doc_id, SEMANTIC, "bag")
    assert cell(tab, "B", "nodes") == str(len(nodes))


def test_all_documents_can_be_compared_at_once(empty):
    texts = {"tide.txt": "The tide came in. Boats rose.", "lamp.txt": "The lamp was lit. It burnt. It went out."}
    empty.add([Upload(name, text.encode()) for name, text in texts.items()], ChunkSettings(5))
    tab = draft(app("windows"), SEMANTIC)
    assert "For all 2 documents · 5 sentences · about 1 s" in labels(tab)
    tab = settle(press(tab, "compare-all-"))
    assert text_shown(tab)
    assert [empty.uncompared(info.id, SEMANTIC, "bag") for info in empty.documents()] == [0, 0]
    assert not cell(tab, "B", "size").startswith(">")


def test_a_that_is_not_compared_yet_says_so_and_b_stays(empty):
    empty.add([Upload("tide.txt", b"The tide came in. Boats rose. Nobody sailed.")], ChunkSettings(5))
    tab = app("windows")
    tab.selectbox(key="choose-a").select("preset Semantic").run()
    assert text_shown(tab)
    assert list(comparison(tab)) == ["B"]
    tab = settle(press(tab, "compare-A"))
    assert list(comparison(tab)) == ["A", "B"]


def test_a_strategy_without_its_packages_leaves_the_page_usable(plant, monkeypatch):
    monkeypatch.setattr(grammar, "check_installed", _missing)
    tab = press(app("windows"), "pin-a")
    tab = draft(tab, DEFAULTS[Strategy.CODE])
    assert any("pip install" in notice for notice in notices(tab))
    assert list(comparison(tab)) == ["A"]
    tab = press(tab, "swap-a")
    assert text_shown(tab)
    assert list(comparison(tab)) == ["B"]


def _missing():
    raise grammar.MissingExtra(grammar._WHAT, grammar._DO)


def test_hostile_questions_and_names_stay_text(empty):
    empty.add([Upload("a.txt", b"<script>alert(1)</script> came in. **Bold** rose.")], ChunkSettings())
    tab = ask(press(app("windows"), "pin-a"), "<img src=x onerror=alert(1)> $x$")
    markdown, html = raw(tab)
    assert not any("<script" in body or "<img" in body for body in html)
    assert not any(re.search(r"(?<!\\)<img", text) for text in markdown)
