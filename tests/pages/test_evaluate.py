"""Evaluate: the numbers are core's own, and a bad gold file is refused with its line."""

from __future__ import annotations

import json

import pytest

from core.ingest import Upload
from core.settings import ChunkSettings
from tests.pages.screen import app, cards, figure, go, notices, plain, press, said, select_row, settle, table

GOLD = b"""\
{"question": "What failed?", "references": [{"document": "pump.md", "content": "The north pump failed in May."}]}
{"question": "Who noticed the noise?", "references": [{"document": "valve.txt", "content": "Nobody noticed the noise."}], "filter": {"category": "log"}}
{"question": "Zebra?", "references": [{"document": "pump.md", "content": "Costs were low."}], "filter": {"category": "none"}}
"""


@pytest.fixture
def judged(plant):
    plant.keep_gold("plant", plant.read_gold(GOLD))
    return plant


def measured(**address):
    return settle(press(app("evaluate", **address), "evaluate"))


def metrics(tab):
    return {metric.label: metric.value for metric in tab.metric}


def upload(tab, data, name="mine.jsonl"):
    tab.file_uploader(key="gold-file").set_value([(name, data, "application/json")])
    return press(tab, "Add")


def test_an_empty_workspace_says_so(empty):
    assert "Nothing to search yet." in said(app("evaluate"))


def test_without_gold_a_file_is_asked_for(plant):
    tab = app("evaluate")
    assert tab.file_uploader(key="gold-file")
    assert not [button for button in tab.button if button.key == "evaluate"]


@pytest.mark.parametrize("window", [0, 2, 5])
def test_the_numbers_are_those_of_core(judged, window):
    tab = measured(k="2", window=str(window))
    report = judged.evaluate(judged.gold_sets()["plant"], 2, [window])[0]
    mean = report.mean
    assert metrics(tab) == {
        "Hit rate@2": f"{mean.hit_rate:.3f}",
        "MRR": f"{mean.mrr:.3f}",
        "Recall on spans": f"{mean.span_recall:.3f}",
        "Tokens returned": f"{mean.tokens_returned:,.0f}",
    }
    assert f"Window ±{window} finds {mean.hit_rate:.0%} of 3 questions for {mean.tokens_returned:,.0f} tokens" in said(
        tab
    )
    questions = table(tab, "question")
    ranks = {outcome.question.text: f"rank {outcome.rank}" if outcome.rank else "missed" for outcome in report.outcomes}
    assert dict(zip(questions["question"], questions["found"], strict=True)) == ranks
    assert questions["found"].iloc[0] == "missed", "the worst stands first"


def test_the_chart_has_hit_rate_and_mrr_over_windows_0_to_5(judged):
    tab = measured(k="2")
    reports = judged.evaluate(judged.gold_sets()["plant"], 2)
    traces = {trace["name"]: trace for trace in figure(tab)["data"]}
    assert list(traces) == ["Hit rate@2", "MRR"]
    assert list(traces["MRR"]["x"]) == [0, 1, 2, 3, 4, 5]
    assert traces["MRR"]["y"] == pytest.approx([r.mean.mrr for r in reports])
    assert traces["Hit rate@2"]["y"] == pytest.approx([r.mean.hit_rate for r in reports])
    assert table(tab, "precision")["tokens"].tolist() == pytest.approx([r.mean.tokens_returned for r in reports])


def test_filters_can_be_switched_off(judged):
    tab = app("evaluate")
    tab.toggle(key="bound-gold_filtered").set_value(False).run()
    tab = settle(press(tab, "evaluate"))
    mean = judged.evaluate(judged.gold_sets()["plant"], 5, [2], filtered=False)[0].mean
    assert metrics(tab)["MRR"] == f"{mean.mrr:.3f}"
    assert mean != judged.evaluate(judged.gold_sets()["plant"], 5, [2])[0].mean


def test_a_result_of_other_settings_is_marked_as_old(judged):
    tab = measured(k="2")
    assert "measure again" not in said(tab)
    tab.slider(key="bound-k").set_value(7).run()
    assert "Made with k 2 on plant, filters on: measure again" in said(tab)
    assert "Hit rate@2" in metrics(tab)


def test_a_window_beyond_those_measured_shows_the_last(judged):
    tab = measured(window="9")
    assert "Window ±5 finds" in said(tab)
    assert tab.slider(key="bound-measured_window").value == 5
    tab.slider(key="bound-measured_window").set_value(3).run()
    assert "Window ±3 finds" in said(tab)
    assert go(tab, "search").slider(key="bound-window").value == 3


def test_a_question_opens_in_its_text_with_the_passage_starred(judged):
    tab = measured()
    row = table(tab, "question")["question"].tolist().index("What failed?")
    tab = press(select_row(tab, "gold-rows", row), "gold-open")
    viewer = json.loads(tab.get("bidi_component")[0].proto.json)
    assert tab.selectbox(key="bound-document").value == judged.document("pump.md").id
    assert (viewer["selected"], viewer["gold"]) == (1, [[9, 38]])


def test_a_question_is_asked_on_search_under_its_filter(judged):
    tab = measured()
    row = table(tab, "question")["question"].tolist().index("Who noticed the noise?")
    tab = press(select_row(tab, "gold-rows", row), "gold-search")
    assert tab.text_input(key="bound-question").value == "Who noticed the noise?"
    assert "3 of 7 nodes match" in said(tab)
    assert "Nobody noticed the noise." in " ".join(cards(tab))


def test_a_gold_file_of_ones_own_is_added_and_chosen(judged):
    tab = upload(app("evaluate"), GOLD.splitlines(keepends=True)[0])
    assert tab.selectbox(key="bound-gold").value == "mine"
    assert tab.button(key="evaluate").label.startswith("Measure 1 question on ")
    assert set(judged.gold_sets()) == {"plant", "mine"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{nope}\n", "Line 1 is no JSON:"),
        (b"", "The gold file holds no questions."),
        (b"\xff\xfe\x00", "The gold file is not UTF-8 text."),
        (b'{"question": "Q?", "references": [{"document": "gone.md", "content": "x"}]}', "Line 1: There is no document 'gone.md'"),
        (b'{"question": "Q?", "references": [{"document": "pump.md", "start": 5, "end": 500}]}', "does not lie in 'pump.md'"),
        (b'{"question": "Q?", "references": []}', 'There are no "references".'),
        (b'{"question": "Q?", "references": [{"document": "pump.md", "content": "Costs were low."}], "filter": {"op": "="}}', None),
    ],
)  # fmt: skip
def test_a_bad_gold_file_is_refused_and_nothing_is_kept(plant, data, message):
    tab = upload(app("evaluate"), data)
    assert not tab.exception
    if message:
        assert any(message in notice for notice in notices(tab))
        assert not plant.gold_sets()


def test_gold_whose_document_has_changed_is_left_out_and_said(judged):
    before = judged.gold_sets()["plant"]
    text = judged.store.passage(judged.document("pump.md").id).document.text
    judged.add([Upload("pump.md", f"An opening that was not there. {text}".encode())], ChunkSettings())
    tab = app("evaluate")
    left = [q for q in before if any(r.doc_id == judged.document("pump.md").id for r in q.references)]
    assert any(f"{len(left)} question" in notice and "changed or gone" in notice for notice in notices(tab))


def test_the_index_in_use_is_the_one_measured(judged):
    built = judged.build(ChunkSettings(2)).index
    tab = app("evaluate")
    tab.selectbox(key="bound-index").select(built.id).run()
    assert "2-sentences" in plain(tab.button(key="evaluate").label)
    tab = settle(press(tab, "evaluate"))
    mean = judged.evaluate(judged.gold_sets()["plant"], 5, [2], built.id)[0].mean
    assert metrics(tab)["MRR"] == f"{mean.mrr:.3f}"


def test_the_samples_questions_are_there(shipped):
    tab = app("evaluate")
    assert tab.selectbox(key="bound-gold").options == ["Sample questions · 45 questions"]
    assert tab.button(key="evaluate").label.startswith("Measure 45 questions on ")
