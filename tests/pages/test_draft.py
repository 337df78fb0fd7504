"""The draft's controls in the sidebar: every strategy, presets, units, overlap in percent, and the link that brings it back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import home, read, split, workspace
from core.chunk import DEFAULTS, PRESETS, RECOMMENDED, Preset
from core.errors import InvalidSetting
from core.settings import ChunkSettings, ContextSettings, Strategy, Unit
from core.store.base import Passage, Record
from core.workspace import Workspace
from pages.parts import drafting
from pages.parts.session import Session
from tests.pages.screen import app, go, notices, press, raw, said, settle
from tests.pages.test_shell import address

FIXED = DEFAULTS[Strategy.FIXED]
OTHERS = [strategy for strategy in Strategy if strategy is not Strategy.SENTENCE_WINDOW]


def draft(tab) -> ChunkSettings:
    return tab.session_state["chunkscope"].draft


def ran(tab):
    assert not tab.exception, tab.exception
    return tab


def choose(tab, strategy: Strategy):
    return ran(tab.selectbox(key="bound-strategy").set_value(strategy).run())


def preset(tab, name: str):
    return ran(tab.selectbox(key="preset").set_value(name).run())


def drag(tab, name: str, value: int):
    return ran(tab.slider(key=f"bound-{name}").set_value(value).run())


def count_in(tab, unit: Unit):
    return ran(tab.segmented_control(key="bound-unit").set_value(unit).run())


def save(tab, name: str):
    tab.text_input(key="preset-name").set_value(name)
    return press(tab, "Save")


def sliders(tab) -> list[str]:
    return [slider.key.removeprefix("bound-") for slider in tab.sidebar.slider]


def link(settings: ChunkSettings) -> str:
    return replace(settings, context=None).to_json()


# ── strategies ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("strategy", OTHERS)
def test_a_strategy_begins_with_what_is_usual_and_is_drawn_in_the_text(plant, strategy):
    plant.compare_sentences([info.id for info in plant.documents()], DEFAULTS[Strategy.SEMANTIC])
    tab = choose(app("windows"), strategy)
    assert draft(tab) == DEFAULTS[strategy]
    assert notices(tab) == []
    assert tab.number_input(key="size-number").value == DEFAULTS[strategy].size
    assert tab.button(key="build-draft").label.startswith("Build this index · ")


def test_the_controls_stand_in_the_same_order_for_every_strategy(plant):
    tab = app("documents")
    expected = {
        Strategy.SENTENCE_WINDOW: ["size", "embed_around"],
        Strategy.FIXED: ["size", "overlap_percent", "embed_around"],
        Strategy.RECURSIVE: ["size", "overlap_percent", "embed_around"],
        Strategy.SEMANTIC: ["size", "overlap_percent", "percentile", "minimum", "embed_around"],
        Strategy.STRUCTURE: ["size", "overlap_percent", "minimum", "embed_around"],
        Strategy.CODE: ["size", "overlap_percent", "minimum", "embed_around"],
    }
    for strategy, names in expected.items():
        assert sliders(choose(tab, strategy)) == names


def test_a_strategy_comes_back_as_it_was_left(plant):
    tab = drag(drag(app("documents"), "size", 4), "overlap", 2)
    tab = drag(choose(tab, Strategy.RECURSIVE), "size", 300)
    tab = drag(choose(tab, Strategy.SEMANTIC), "percentile", 25)
    assert draft(choose(tab, Strategy.SENTENCE_WINDOW)) == ChunkSettings(4, 2)
    assert draft(choose(tab, Strategy.RECURSIVE)) == replace(DEFAULTS[Strategy.RECURSIVE], size=300)
    assert draft(choose(tab, Strategy.SEMANTIC)).percentile == 25


def test_the_context_line_stays_when_the_strategy_changes(plant):
    tab = app("documents")
    tab.radio(key="bound-context_kind").set_value("known").run()
    assert draft(choose(tab, Strategy.FIXED)) == replace(FIXED, context=ContextSettings())
    tab.radio(key="bound-context_kind").set_value("off").run()
    assert draft(choose(tab, Strategy.SENTENCE_WINDOW)) == ChunkSettings()


def test_the_controls_survive_a_page_switch(plant):
    tab = drag(choose(app("documents"), Strategy.CODE), "minimum", 60)
    tab = go(go(tab, "search"), "documents")
    assert tab.selectbox(key="bound-strategy").value is Strategy.CODE
    assert tab.slider(key="bound-minimum").value == 60


@pytest.mark.parametrize("strategy", OTHERS)
def test_the_usual_overlap_is_marked_where_it_lies_on_the_slider(plant, strategy):
    (bar,) = [body for body in raw(choose(app("documents"), strategy))[1] if "cs-usual" in body]
    if strategy in RECOMMENDED:
        low, high = RECOMMENDED[strategy]
        assert f"left:{2 * low:.2f}%;width:{2 * (high - low):.2f}%" in bar
        assert f"usual: {low}–{high} %" in bar
    else:
        assert "usual" not in bar.replace("cs-usual", "")


def test_a_strategy_whose_package_is_missing_says_how_to_install_it_and_the_page_stands(plant, monkeypatch):
    monkeypatch.setattr("core.chunk.grammar.find_spec", lambda module: None)
    tab = choose(app("windows"), Strategy.CODE)
    assert any("chunkscope[code]" in notice for notice in notices(tab))
    assert not tab.exception
    tab = choose(tab, Strategy.FIXED)
    assert notices(tab) == []


# ── size, unit, overlap ──────────────────────────────────────────────────────────────────────────


def test_a_size_beyond_the_slider_is_typed_and_the_slider_reaches_it(plant):
    tab = choose(app("documents"), Strategy.FIXED)
    ran(tab.number_input(key="size-number").set_value(1800).run())
    assert (draft(tab).size, tab.slider(key="bound-size").max) == (1800, 1800)
    ran(tab.number_input(key="size-number").set_value(3).run())
    assert (draft(tab).size, tab.slider(key="bound-size").min) == (3, 3)
    assert tab.slider(key="bound-size").max == 1800, "the slider keeps its length while a hand may be on it"
    assert tab.slider(key="bound-size").step == 1
    tab = choose(choose(tab, Strategy.CODE), Strategy.FIXED)
    assert (tab.slider(key="bound-size").min, tab.slider(key="bound-size").max) == (3, 500)


def test_a_size_of_one_has_no_overlap_to_set_and_a_larger_one_brings_its_share_back(plant):
    tab = choose(app("documents"), Strategy.FIXED)
    ran(tab.number_input(key="size-number").set_value(1).run())
    assert (draft(tab).overlap, sliders(tab)) == (0, ["size", "embed_around"])
    assert "nodes of one token share none" in said(tab)
    assert draft(drag(tab, "size", 250)).overlap == 70


def test_the_overlap_keeps_its_share_when_the_size_moves(plant):
    tab = drag(choose(app("documents"), Strategy.FIXED), "overlap_percent", 20)
    assert "20 % · 50 tokens shared" in said(tab)
    for size, overlap in ((500, 100), (10, 2), (330, 66), (250, 50)):
        assert draft(drag(tab, "size", size)).overlap == overlap


def test_the_overlap_is_set_in_units_too(plant):
    tab = press(choose(app("documents"), Strategy.FIXED), "overlap-in")
    assert (tab.slider(key="bound-overlap").value, tab.slider(key="bound-overlap").max) == (70, 125)
    tab = drag(tab, "overlap", 33)
    assert "13 % · 33 tokens shared" in said(tab)
    tab = press(tab, "overlap-in")
    assert (tab.slider(key="bound-overlap_percent").value, draft(tab).overlap) == (13, 33)


def test_counting_in_another_unit_keeps_nodes_about_as_long_and_going_back_brings_back_what_was_set(plant):
    tab = choose(app("documents"), Strategy.FIXED)
    assert draft(count_in(tab, Unit.WORDS)) == replace(FIXED, size=190, overlap=55, unit=Unit.WORDS)
    assert draft(count_in(tab, Unit.CHARS)) == replace(FIXED, size=1150, overlap=320, unit=Unit.CHARS)
    assert draft(count_in(tab, Unit.TOKENS)) == FIXED
    tab = drag(count_in(tab, Unit.CHARS), "size", 900)
    assert draft(count_in(tab, Unit.TOKENS)) == replace(FIXED, size=200, overlap=55)


def test_a_size_above_what_the_model_reads_is_warned_of(plant):
    tab = choose(app("documents"), Strategy.FIXED)
    assert "The model reads" not in said(tab)
    tab = drag(tab, "size", 260)
    assert "The model reads 254 tokens: the rest of longer nodes is not embedded." in said(tab)
    assert "The model reads" not in said(count_in(tab, Unit.WORDS))


@given(
    st.sampled_from(OTHERS),
    st.lists(
        st.tuples(
            st.sampled_from(["size", "overlap", "overlap_percent", "minimum", "percentile", "embed_around"]),
            st.integers(-5, 2_000_000),
        )
        | st.tuples(st.just("unit"), st.sampled_from([None, *Unit]))
        | st.tuples(st.just("strategy"), st.sampled_from(Strategy)),
        max_size=12,
    ),
)
def test_no_move_of_any_control_makes_settings_that_cannot_be(strategy, moves):
    state = Session("w.duckdb")
    state.strategy = strategy
    for name, value in moves:
        setattr(state, name, value)
        assert ChunkSettings.from_json(state.draft.to_json()) == state.draft
        assert 0 <= state.overlap_percent <= 100


@pytest.mark.parametrize(("unit", "counting"), drafting.COUNTING.items())
def test_what_can_be_typed_is_what_core_allows(unit, counting):
    strategy = Strategy.SENTENCE_WINDOW if unit is Unit.SENTENCES else Strategy.FIXED
    assert ChunkSettings(counting.most, strategy=strategy, unit=unit).size == counting.most
    with pytest.raises(InvalidSetting):
        ChunkSettings(counting.most + 1, strategy=strategy, unit=unit)


# ── building ─────────────────────────────────────────────────────────────────────────────────────


def test_what_an_index_takes_is_said_before_it_is_built(plant):
    tab = choose(app("documents"), Strategy.RECURSIVE)
    cost = plant.cost(DEFAULTS[Strategy.RECURSIVE])
    assert tab.button(key="build-draft").label.startswith(f"Build this index · {cost.new} new of {cost.nodes} · ")
    assert f"{cost.nodes} nodes · about 0.1 MB on disk" in said(tab)


def test_sentences_that_must_be_compared_first_are_told_and_then_the_index_is_built(plant):
    document = read.read("late.txt", b"It came late. It was not embedded. Nor was it compared.")
    plant.store.put(Record(Passage(document, tuple(split.sentences(document))), b"", None, {}), None, None)
    tab = choose(app("documents"), Strategy.SEMANTIC)
    assert "Compares 3 sentences first; then the nodes are known." in said(tab)
    assert " new of " not in tab.button(key="build-draft").label
    tab = settle(press(tab, "build-draft"))
    assert plant.indexes()[-1].settings == DEFAULTS[Strategy.SEMANTIC]
    assert "This index is built and in use" in said(tab)


def test_following_an_index_shows_its_settings_in_the_controls(plant):
    made = ChunkSettings(120, 20, 1, strategy=Strategy.STRUCTURE, unit=Unit.WORDS, minimum=15)
    index = plant.build(made).index
    tab = ran(app("documents").selectbox(key="bound-index").set_value(index.id).run())
    assert tab.selectbox(key="bound-strategy").value is Strategy.STRUCTURE
    assert tab.segmented_control(key="bound-unit").value is Unit.WORDS
    shown = {name: tab.slider(key=f"bound-{name}").value for name in sliders(tab)}
    assert shown == {"size": 120, "overlap_percent": 17, "minimum": 15, "embed_around": 1}
    assert draft(tab) == made


# ── presets ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("chosen", PRESETS, ids=lambda p: p.name)
def test_a_preset_sets_the_draft_and_the_window(plant, chosen):
    tab = preset(app("documents", window="7"), chosen.name)
    state = tab.session_state["chunkscope"]
    assert (state.draft, state.window) == (chosen.settings, chosen.window)
    assert tab.selectbox(key="preset").value == chosen.name


def test_a_draft_that_is_no_preset_is_custom_until_it_is_one_again(plant):
    tab = app("documents")
    assert tab.selectbox(key="preset").value == "Sentence ±2"
    tab = drag(tab, "size", 2)
    assert (tab.selectbox(key="preset").value, tab.selectbox(key="preset").options[0]) == ("", "– custom")
    tab = drag(tab, "size", 1)
    assert tab.selectbox(key="preset").value == "Sentence ±2"
    assert "– custom" not in tab.selectbox(key="preset").options


def test_a_saved_preset_is_there_in_a_new_session(plant):
    tab = drag(choose(app("documents", window="4"), Strategy.RECURSIVE), "overlap_percent", 15)
    tab = save(tab, "contracts *long*")
    assert tab.selectbox(key="preset").value == "contracts *long*"
    assert plant.remembered.presets() == [Preset("contracts *long*", draft(tab), 4)]
    again = preset(app("documents"), "contracts *long*")
    assert (draft(again), again.session_state["chunkscope"].window) == (draft(tab), 4)


@pytest.mark.parametrize(("name", "why"), [("legal ±5", "comes with Chunkscope"), (" ", "no name"), ("a\0b", "none")])
def test_a_name_that_cannot_be_is_refused_in_place(plant, name, why):
    tab = save(drag(app("documents"), "size", 2), name)
    assert any(why in notice for notice in notices(tab))
    assert plant.remembered.presets() == []


def test_a_preset_saved_again_under_its_name_takes_its_place(plant):
    tab = save(drag(app("documents"), "size", 2), "mine")
    tab = save(drag(tab, "size", 3), "mine")
    assert plant.remembered.presets() == [Preset("mine", ChunkSettings(3), 2)]
    assert tab.selectbox(key="preset").value == "mine"


def test_a_deleted_preset_can_be_brought_back(plant):
    tab = save(drag(app("documents"), "size", 2), "mine")
    tab = press(tab, "preset-delete")
    assert (plant.remembered.presets(), tab.selectbox(key="preset").value) == ([], "")
    assert draft(tab) == ChunkSettings(2), "the settings in hand stay"
    tab = press(drag(tab, "size", 5), "preset-undo")
    assert plant.remembered.presets() == [Preset("mine", ChunkSettings(2), 2)]
    assert (tab.selectbox(key="preset").value, draft(tab)) == ("mine", ChunkSettings(2))


def test_presets_of_the_product_cannot_be_deleted(plant):
    tab = preset(app("documents"), "Fixed 250/125")
    assert "preset-delete" not in [button.key for button in tab.button]


def test_switching_the_workspace_begins_anew(plant):
    other = home.named("other")
    workspace.open(other)
    tab = save(drag(choose(app("documents"), Strategy.FIXED), "size", 300), "mine")
    tab = press(tab, f"open-{other}")
    state = tab.session_state["chunkscope"]
    assert (state.draft, state.drafts, state.preset) == (ChunkSettings(), {}, "")


# ── the address ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("strategy", OTHERS)
def test_a_link_brings_the_draft_back(plant, strategy):
    tab = drag(drag(choose(app("documents"), strategy), "overlap_percent", 10), "embed_around", 2)
    told = address(tab)
    assert told["nodes"] == ""
    assert len(told["chunks"]) < 200
    assert draft(app("documents", chunks=told["chunks"])) == draft(tab)


def test_a_link_brings_strategy_and_context_line_back(plant):
    tab = choose(app("documents"), Strategy.FIXED)
    tab.radio(key="bound-context_kind").set_value("known").run()
    told = address(tab)
    assert "context" not in told["chunks"]
    again = app("documents", chunks=told["chunks"], context=told["context"])
    assert draft(again) == draft(tab) == replace(FIXED, context=ContextSettings())


def test_a_link_to_sentence_windows_is_as_short_as_ever(plant):
    told = address(drag(app("documents"), "size", 3))
    assert (told["nodes"], told["chunks"]) == ("3-0-0", "")


@pytest.mark.parametrize(
    "wrong",
    [
        "{", "null", "[]", "1e999", '"fixed"', "[" * 399, "{}", '{"size":' + "9" * 300 + "}",
        json.dumps({"size": 250, "strategy": "fixed", "unit": "sentences"}),
        json.dumps({"size": 250, "overlap": 250, "strategy": "fixed", "unit": "tokens"}),
        json.dumps({"size": True, "strategy": "fixed", "unit": "tokens"}),
        json.dumps({"size": 250, "strategy": ["fixed"], "unit": {"a": 1}}),
        json.dumps({"size": 250, "strategy": "<script>", "unit": "tokens"}),
        json.dumps({"size": 10**9, "strategy": "fixed", "unit": "chars"}),
        json.dumps({"size": 250, "embed_around": 10_000, "strategy": "fixed", "unit": "tokens"}),
        json.dumps({"size": 250, "percentile": 0, "strategy": "semantic", "unit": "tokens"}),
        json.dumps({"size": 250, "strategy": "fixed", "unit": "tokens", "more": 1}),
        '{"size":250,"strategy":"fixed","unit":"tokens"}' + " " * 400,
        '{"size":NaN,"strategy":"fixed","unit":"tokens"}',
        "\0", json.dumps({"size": 3}),
    ],
)  # fmt: skip
def test_what_a_link_gets_wrong_is_ignored(plant, wrong):
    tab = app("windows", chunks=wrong, nodes="2-1-0")
    assert not tab.exception
    assert draft(tab) == ChunkSettings(2, 1)


def test_a_context_line_in_the_chunks_of_a_link_is_left_out(plant):
    """No text is sent anywhere because a link says so in an unusual place."""
    line = ContextSettings(writer="m", base_url="http://far.example/v1")
    hostile = replace(FIXED, context=replace(line, prompt="{chunk}")).to_json()
    assert draft(app("documents", chunks=hostile)) == FIXED


def test_an_empty_workspace_has_no_draft_to_set(empty: Workspace):
    tab = app("documents")
    assert len(tab.sidebar.slider) == 0
