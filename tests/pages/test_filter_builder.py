"""The filter built by hand, as text and as JSON: the same filter, the same counts; boosts, limits and SQL beside it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.boosts import Boost
from core.filters import EVERYTHING, All, Any, Condition, Not, Op, conjunction, from_json, parse, to_json, to_text
from core.ingest import Upload
from core.settings import ChunkSettings, SearchSettings
from pages.parts import filter_tree
from pages.parts.distances import bars
from pages.parts.filter_tree import Group
from pages.parts.text import percent
from tests.pages.screen import app, go, notices, plain, press, raw, said

QUESTION = "north pump failed"
HOSTILE = "<script>alert(1)</script> **b** $x$ :material/star: `c`"


def state(tab):
    return tab.session_state["chunkscope"]


def opened(tab, box):
    """The same tab with a box of the filter row open."""
    tab.session_state[box] = True
    tab.run()
    assert not tab.exception, tab.exception
    return tab


def under(tab, filter):
    state(tab).filter = conjunction(from_json(filter))
    tab.run()
    assert not tab.exception, tab.exception
    return tab


def shown_values(tab, key="add-all"):
    return [
        plain(b.label).replace(":gray[", "").rstrip("]")
        for b in tab.button
        if b.key.startswith(key) and "-value-" in b.key
    ]


def typed(tab, kind, text):
    next(area for area in tab.text_area if area.key.startswith(f"filter-{kind}")).set_value(text).run()
    assert not tab.exception, tab.exception
    return tab


# ── built by hand ────────────────────────────────────────────────────────────────────────────────


def test_an_equality_takes_the_box_the_field_and_the_value(plant):
    tab = opened(app("search", q=QUESTION), "more-all")
    assert tab.radio(key="add-all-field").value == "category"
    assert shown_values(tab) == ["report · 4", "log · 3"]
    tab.radio(key="add-all-field").set_value("year").run()
    assert shown_values(tab) == ["2023 · 4", "2024 · 3"]
    tab = press(tab, "add-all-year-=-value-1")
    assert state(tab).filter == Condition("year", Op.EQ, 2024)
    assert not tab.session_state["more-all"]
    assert "3 of 7 nodes match" in said(tab)


def test_counts_are_under_the_other_conditions_and_values_of_none_stand_last(plant):
    tab = opened(under(app("search"), {"year": 2024}), "more-all")
    assert shown_values(tab) == ["log · 3", "report · 0"]
    assert any(button.label.startswith(":gray[report") for button in tab.button)
    tab = opened(tab, "chip-0")
    assert shown_values(tab, "edit-0") == ["2023 · 4", "2024 · 3"], "a condition does not narrow its own values"


def test_what_would_match_is_told_before_it_is_added(plant):
    tab = opened(app("search"), "more-all")
    tab.selectbox(key="add-all-op-category").set_value("in+").run()
    tab.multiselect(key="add-all-category-in+-many").set_value(["log"]).run()
    assert "3 of 7 nodes match" in said(tab)
    assert state(tab).filter == EVERYTHING
    tab = press(tab, "add-all-use")
    assert state(tab).filter == Condition("category", Op.IN, ("log",))


def test_a_missing_value_counts_as_is_chosen(plant):
    plant.add([Upload("bare.txt", b"Nothing is known.")], ChunkSettings())
    tab = opened(app("search"), "more-all")
    assert any("(1 is missing)" in box.label for box in tab.selectbox)
    tab.selectbox(key="add-all-missing-category").set_value("include").run()
    tab = press(tab, "add-all-category-=-value-1")
    assert state(tab).filter == Condition("category", Op.EQ, "log", "include")
    assert "4 of 8 nodes" in said(tab)


@pytest.mark.parametrize(
    "name", ["tags", "published_at", "year", "urgent", "share", "doc_id", "page", "text_like", "keywords"]
)
def test_every_kind_of_field_offers_operators_and_values(plant, name):
    sidecar = b'{"urgent": true, "share": 0.5, "text_like": "x"}'
    plant.add([Upload("more.txt", b"One more."), Upload("more.txt.meta.json", sidecar)], ChunkSettings())
    tab = opened(app("search"), "more-all")
    tab.radio(key="add-all-field").set_value(name).run()
    for number in range(len(tab.selectbox(key=f"add-all-op-{name}").options)):
        tab.selectbox(key=f"add-all-op-{name}").select_index(number).run()
        assert not tab.exception, tab.selectbox(key=f"add-all-op-{name}").value


def test_a_condition_is_changed_in_its_place(plant):
    tab = opened(under(app("search"), {"all": [{"category": "log"}, {"year": 2024}]}), "chip-0")
    assert tab.radio(key="edit-0-field").value == "category"
    tab.selectbox(key="edit-0-op-category").set_value("!=").run()
    tab = press(tab, "edit-0-category-!=-value-1")
    assert state(tab).filter == from_json(
        {"all": [{"field": "category", "op": "!=", "value": "report"}, {"year": 2024}]}
    )


def test_a_list_opens_with_what_it_holds(plant):
    tab = opened(under(app("search"), {"field": "category", "op": "in", "value": ["log", "report"]}), "chip-0")
    assert tab.multiselect(key="edit-0-category-in+-many").value == ["log", "report"]
    tab.multiselect(key="edit-0-category-in+-many").set_value(["report"]).run()
    assert state(press(tab, "edit-0-use")).filter == Condition("category", Op.IN, ("report",))


def test_conditions_are_grouped_moved_negated_removed_and_undone(plant):
    a, b, c = from_json({"category": "log"}), from_json({"year": 2023}), from_json({"year": 2024})
    tab = opened(under(app("search"), to_json(All((a, b, c)))), "chip-0")
    tab = press(tab, "wrap-any-0")
    assert state(tab).filter == All((Any((a,)), b, c))
    tab = opened(tab, "chip-1")
    tab.selectbox(key="move-1").set_value((0,)).run()
    assert state(tab).filter == All((Any((a, b)), c))
    assert "7 of 7" not in said(tab)
    tab = press(opened(tab, "chip-0-1"), "negate-0-1")
    assert state(tab).filter == All((Any((a, Not(b))), c))
    tab = opened(tab, "kind-0")
    tab.radio(key="as-0").set_value(Group.NONE).run()
    assert state(tab).filter == All((Not(Any((a, Not(b)))), c))
    tab = press(tab, "remove-1")
    assert state(tab).filter == Not(Any((a, Not(b))))
    for expected in (All((Not(Any((a, Not(b)))), c)), All((Any((a, Not(b))), c)), All((Any((a, b)), c))):
        tab = press(tab, "filter-undo")
        assert state(tab).filter == expected


def test_a_condition_is_added_inside_a_group(plant):
    a, b = from_json({"category": "log"}), from_json({"year": 2023})
    tab = opened(under(app("search"), to_json(Any((a, b)))), "more-0")
    assert shown_values(tab, "add-0") == ["report · 4", "log · 3"], "neighbours in any of do not narrow"
    tab = press(tab, "add-0-category-=-value-0")
    assert state(tab).filter == Any((a, b, from_json({"category": "report"})))


def test_any_of_begins_a_group_and_opens_it_for_the_next(plant):
    tab = opened(under(app("search"), {"category": "log"}), "more-any")
    tab.radio(key="add-any-field").set_value("year").run()
    tab = press(tab, "add-any-year-=-value-0")
    first = from_json({"year": 2024})
    assert state(tab).filter == All((from_json({"category": "log"}), Any((first,))))
    assert tab.session_state["more-1"], "the box for the next one is open"
    tab.radio(key="add-1-field").set_value("year").run()
    tab = press(tab, "add-1-year-=-value-1")
    assert state(tab).filter == All((from_json({"category": "log"}), Any((first, from_json({"year": 2023})))))


def test_a_field_that_is_found_is_named_above_its_operator(plant):
    plant.add([Upload("w.txt", b"Wide."), Upload("w.txt.meta.json", json.dumps({f"f{n}": n for n in range(20)}).encode())], ChunkSettings())  # fmt: skip
    tab = opened(app("search"), "more-all")
    tab.selectbox(key="add-all-find").set_value("f17").run()
    assert "\nf17\n" in f"\n{said(tab)}\n"
    assert tab.radio(key="add-all-field").value == "f17"


def test_a_field_of_numbers_or_days_tells_its_ends_and_how_many_have_one(plant):
    told = b'{"share": 0.25, "published_at": "2024-03-01"}'
    plant.add([Upload("more.txt", b"One more."), Upload("more.txt.meta.json", told)], ChunkSettings())
    tab = opened(app("search"), "more-all")
    for field, ends in (("year", "2023 to 2024 · 7 nodes have one"), ("share", "0.25 to 0.25 · 1 node has one"),
                        ("published_at", "2024-03-01 to 2024-03-01 · 1 node has one")):  # fmt: skip
        tab.radio(key="add-all-field").set_value(field).run()
        assert ends in said(tab)


def test_the_ends_are_those_of_all_documents_where_there_are_many_values(empty):
    uploads = [one for n in range(230) for one in (Upload(f"{n}.txt", b"One."), Upload(f"{n}.txt.meta.json", json.dumps({"year": n}).encode()))]  # fmt: skip
    empty.add(uploads, ChunkSettings())
    tab = opened(app("search"), "more-all")
    tab.radio(key="add-all-field").set_value("year").run()
    assert "0 to 229 · 230 nodes have one" in said(tab)


def test_a_value_that_no_node_has_is_told_with_the_one_that_may_be_meant(plant):
    tab = opened(app("search"), "more-all")
    tab.selectbox(key="add-all-op-category").set_value("in+").run()
    tab.multiselect(key="add-all-category-in+-many").set_value(["reprot"]).run()
    assert "No node has category 'reprot'. Did you mean 'report'?" in said(tab)
    tab.multiselect(key="add-all-category-in+-many").set_value(["report"]).run()
    assert "No node has" not in said(tab)


# ── three forms of one filter ────────────────────────────────────────────────────────────────────

FILTERS = [
    {"category": "log"},
    {"all": [{"category": "log"}, {"field": "tags", "op": "contains_any", "value": ["south", "x y"]}]},
    {"any": [{"year": 2023}, {"not": {"any": [{"category": "log"}, {"field": "year", "op": "is_null"}]}}]},
    {"field": "category", "op": "!=", "value": HOSTILE, "missing": "exclude"},
    {"field": "published_at", "op": "between", "value": ["2024-01-01", "2024-12-31"], "missing": "include"},
]


@pytest.mark.parametrize("told", FILTERS, ids=str)
def test_builder_text_and_json_give_the_same_filter_and_the_same_counts(plant, told):
    built = under(app("search", q=QUESTION), told)
    texts = {
        kind: next(a.value for a in built.text_area if a.key.startswith(f"filter-{kind}")) for kind in ("text", "json")
    }
    wanted = state(built).filter
    matching, _ = plant.count(wanted)
    for kind, text in texts.items():
        tab = typed(app("search", q=QUESTION), kind, text)
        assert f"{matching} of 7 nodes match ({percent(matching, 7)}) · not applied yet" in said(tab)
        assert state(tab).filter == EVERYTHING
        tab = press(tab, f"filter-{kind}-apply")
        assert state(tab).filter == wanted
        assert f"{matching} of 7 nodes match" in said(tab)
        assert state(tab).comparison.filtered.matching == matching


def test_the_sql_shown_is_the_sql_that_runs(plant):
    tab = opened(under(app("search", q=QUESTION), {"category": "report"}), "filter-forms")
    ran = plant.search(QUESTION, SearchSettings(), from_json({"category": "report"}))
    assert [code.value for code in tab.code].count(ran.sql) == 2, "in the box and below the answer"


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("category = log or or", "Expected a field", "                  ▲"),
        ("year >= 2023\nand (category =", "at line 2, column", "               ▲"),
        ("yaer = 2023", "There is no field 'yaer'. Did you mean 'year'", None),
    ],
)
def test_what_is_wrong_is_told_at_the_box_and_nothing_is_lost(plant, text, message, place):
    tab = typed(under(app("search"), {"year": 2023}), "text", text)
    for _ in range(2):
        assert any(message in notice for notice in notices(tab))
        assert next(a for a in tab.text_area if a.key.startswith("filter-text")).value == text
        assert state(tab).filter == from_json({"year": 2023})
        assert place is None or any(code.value.endswith(place) for code in tab.code)
        tab = press(tab, "filter-text-apply")


def test_what_is_half_typed_stays_while_other_pages_are_visited_and_goes_with_another_filter(plant):
    tab = typed(app("search"), "text", "category = lo")
    tab = go(go(tab, "map"), "search")
    assert tab.text_area(key="filter-text").value == "category = lo"
    tab = under(tab, {"year": 2023})
    assert tab.text_area(key="filter-text").value == "year = 2023"


# ── saved filters ────────────────────────────────────────────────────────────────────────────────


def test_a_filter_is_saved_applied_deleted_and_brought_back(plant):
    tab = opened(under(app("search"), {"year": 2023}), "named-filters")
    tab.text_input(key="named-name").set_value(f"Old {HOSTILE}"[:60])
    tab = press(tab, "named-save")
    (kept,) = plant.remembered.filters()
    assert kept.filter == from_json({"year": 2023})
    other = opened(app("search"), "named-filters")
    assert "· 4" in next(b.label for b in other.button if b.key == "named-0")
    assert state(press(other, "named-0")).filter == kept.filter
    tab = press(opened(other, "named-filters"), "named-delete-0")
    assert plant.remembered.filters() == []
    press(tab, "named-undo")
    assert plant.remembered.filters() == [kept]


def test_a_saved_filter_on_a_field_that_has_gone_cannot_be_applied(plant):
    from core.named_filter import NamedFilter

    plant.remembered.save_filter(NamedFilter("gone", from_json({"no such": 1})))
    tab = opened(app("search"), "named-filters")
    (row,) = [b for b in tab.button if b.key == "named-0"]
    assert row.disabled
    assert "its fields have changed" in row.label


# ── boosts, limits, SQL ──────────────────────────────────────────────────────────────────────────


def test_boosts_are_typed_weighed_and_removed(plant):
    tab = opened(app("search", q=QUESTION), "boosts")
    tab.text_input(key="boost-new").set_value("category = log").run()
    tab.slider(key="boost-factor-0").set_value(3.0).run()
    boost = Boost(from_json({"category": "log"}), 3.0)
    assert state(tab).search_settings.boosts == (boost,)
    ran = plant.search(QUESTION, SearchSettings(boosts=(boost,)))
    assert [hit.id for hit in state(tab).comparison.filtered.hits] == [hit.id for hit in ran.hits]
    tab.text_input(key="boost-text-0").set_value("catgory = log").run()
    assert any("Did you mean 'category'" in notice for notice in notices(tab))
    assert tab.text_input(key="boost-text-0").value == "catgory = log"
    assert state(tab).boosts == (boost,)
    assert state(press(tab, "boost-remove-0")).boosts == ()


def test_examples_of_boosts_are_offered_where_their_fields_are(plant):
    tab = press(opened(app("search"), "boosts"), "boost-example-is_summary")
    assert state(tab).boosts == (Boost(from_json({"is_summary": True}), 1.2),)
    assert "boost-example-is_summary" not in [button.key for button in tab.button]


def test_the_distances_are_drawn_with_the_cut_while_their_box_is_open(plant):
    tab = app("search", q=QUESTION)
    assert not [body for body in raw(tab)[1] if "cs-bars" in body]
    assert "Ask a question to see" in said(opened(app("search"), "distances"))
    tab = opened(tab, "distances")
    tab.slider(key="limit-distance").set_value(0.8).run()
    found = plant.distances(QUESTION, SearchSettings(max_distance=0.8))
    assert f"Leaves {found.kept} of 7 nodes · distance 0.80 at most, which is score 0.20 at least" in said(tab)
    (drawn,) = [body for body in raw(tab)[1] if "cs-bars" in body]
    assert drawn == bars(plant.distances(QUESTION, SearchSettings(max_distance=0.8), bins=200), 0.8)
    assert drawn.count("<b ") == 1
    assert state(press(tab, "chip-limit")).limit is None


def test_the_limit_moves_within_the_nodes_and_its_end_is_none(plant):
    tab = opened(app("search", q=QUESTION), "distances")
    slider = tab.slider(key="limit-distance")
    every = [1 - hit.score for hit in plant.search(QUESTION, SearchSettings(7)).hits]
    assert slider.min <= min(every) < slider.min + 0.0101
    assert slider.max - 0.0101 <= max(every) <= slider.max
    assert slider.value == slider.max
    assert "No limit: all 7 nodes are left" in said(tab)
    slider.set_value(round(slider.max - 0.05, 2)).run()
    assert state(tab).search_settings.max_distance == round(slider.max - 0.05, 2)
    tab.slider(key="limit-distance").set_value(slider.max).run()
    assert state(tab).search_settings.max_distance is None


def test_a_limit_read_as_a_score_is_the_same_limit_on_a_mirrored_scale(plant):
    tab = opened(app("search", q=QUESTION, max="0.80"), "distances")
    before = [hit.id for hit in state(tab).comparison.filtered.hits]
    ends = tab.slider(key="limit-distance")
    tab.segmented_control(key="limit-read").set_value(True).run()
    slider = tab.slider(key="limit-score")
    assert (slider.value, slider.min, slider.max) == (0.2, round(1 - ends.max, 2), round(1 - ends.min, 2))
    assert (state(tab).search_settings.max_distance, state(tab).search_settings.min_score) == (None, 0.2)
    assert [hit.id for hit in state(tab).comparison.filtered.hits] == before
    assert "Score ≥ 0.20" in [button.label for button in tab.button]
    (drawn,) = [body for body in raw(tab)[1] if "cs-bars" in body]
    found = plant.distances(QUESTION, SearchSettings(min_score=0.2), bins=200)
    assert drawn == bars(found, 0.8, by_score=True)
    slider.set_value(0.5).run()
    wanted = plant.search(QUESTION, SearchSettings(min_score=0.5)).hits
    assert [hit.id for hit in state(tab).comparison.filtered.hits] == [hit.id for hit in wanted]
    assert 0 < len(wanted) < 5


def test_a_condition_in_sql_is_checked_at_once_and_narrows(plant):
    tab = opened(app("search", q=QUESTION), "expert")
    tab.text_area(key="expert-where").set_value("category = 'log'").run()
    assert state(tab).where == "category = 'log'"
    assert "In use: 3 of 7 nodes match" in said(tab)
    for wrong in ("1=1) or (secret>0", "catgory = 'log'", "ordinal", "exists (select 1)"):
        tab.text_area(key="expert-where").set_value(wrong).run()
        assert notices(tab)
        assert tab.text_area(key="expert-where").value == wrong
        assert state(tab).where == "category = 'log'"
        assert "SQL not used" in [button.label for button in tab.button]
    tab.session_state["expert"] = False
    tab = press(tab.run(), "chip-unused")
    assert tab.text_area(key="expert-where").value == "exists (select 1)", "its box is open again"
    tab = press(tab, "expert-drop")
    assert "SQL not used" not in [button.label for button in tab.button]
    assert tab.text_area(key="expert-where").value == "category = 'log'"
    assert state(press(tab, "chip-where")).where == ""


# ── the address ──────────────────────────────────────────────────────────────────────────────────


def test_an_address_brings_back_filter_boosts_limits_and_sql(plant):
    from pages.parts import session

    boosts = '[{"filter":{"category":"log"},"factor":1.5}]'
    tab = app("search", filter='{"year":2023}', boosts=boosts, min="0.25", max="0.90", where="ordinal > 0")
    chosen = state(tab).search_settings
    assert (chosen.min_score, chosen.max_distance, chosen.where) == (0.25, None, "ordinal > 0"), "the stricter of both"
    assert chosen.boosts == (Boost(from_json({"category": "log"}), 1.5),)
    assert isinstance(state(tab), session.Session)
    written = next(json.loads(one.proto.json) for one in tab.get("bidi_component") if "said" in one.proto.json)["said"]
    assert (written["min"], written["max"], written["where"]) == ("0.25", "", "ordinal > 0")
    assert state(app("search", min="0.05", max="0.90")).search_settings.max_distance == 0.9
    assert not notices(tab)
    assert json.loads(written["boosts"])[0]["factor"] == 1.5


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ({"boosts": "[" * 1000}, "Without its boosts: "),
        ({"boosts": '[{"filter":{},"factor":1e9}]'}, "Without its boosts: The factor"),
        ({"boosts": "x" * 5000}, "Without its boosts: 5,000 characters are too many."),
        ({"min": "nan"}, "It is 'nan'."),
        ({"min": "-7"}, "It is '-7'."),
        ({"max": "2.5"}, "It is '2.5'."),
        ({"where": "x" * 5000}, "5,000 characters"),
        ({"filter": '{"not":' * 500}, "Without its filter: "),
        ({"filter": "notjson"}, "Without its filter: "),
        ({"filter": json.dumps({"category": "x" * 5000})}, "Without its filter: "),
        ({"k": "500"}, "k is '500', and goes from 1 to 20."),
        ({"k": "five"}, "k is 'five', and goes from 1 to 20."),
        ({"window": "11"}, "window is '11', and goes from 0 to 10."),
        ({"ws": "gone"}, "There is no workspace 'gone' here."),
        ({"nodes": "x"}, "Its nodes cannot be made."),
    ],
)
def test_what_an_address_gets_wrong_is_left_out_and_told_once(plant, address, told):
    tab = app("search", q=QUESTION, **address)
    assert not tab.exception
    assert state(tab).search_settings == SearchSettings()
    assert state(tab).filter == EVERYTHING
    (notice,) = notices(tab)
    assert notice.startswith("Not all of this link could be used.")
    assert told in notice
    assert not notices(tab.run())


def test_a_condition_in_sql_that_a_link_gets_wrong_is_set_aside(plant):
    tab = app("search", q=QUESTION, where="yeer = 3")
    assert state(tab).where == ""
    assert state(tab).comparison.filtered.matching == 7
    assert "SQL not used" in [button.label for button in tab.button]


def test_hostile_names_and_values_stay_text(plant):
    told = json.dumps({HOSTILE: HOSTILE, "category": HOSTILE}).encode()
    plant.add([Upload("odd.txt", b"Odd."), Upload("odd.txt.meta.json", told)], ChunkSettings())
    tab = under(app("search", q=QUESTION), {"any": [{"category": HOSTILE}, {HOSTILE: HOSTILE}]})
    for box in ("more-all", "chip-0-0", "kind-0", "named-filters", "boosts", "expert"):
        tab = opened(tab, box)
    tab.radio(key="add-all-field").set_value(HOSTILE).run()
    assert not tab.exception
    markdown, html = raw(tab)
    assert not [text for text in markdown if "**b**" in text or "<script" in text.replace("\\<", "")]
    assert not [body for body in html if "<script" in body]
    assert go(tab, "map")


# ── the tree ─────────────────────────────────────────────────────────────────────────────────────

leaves = st.builds(lambda n: Condition("year", Op.EQ, n), st.integers(0, 9))
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda p: All(tuple(p))),
        st.lists(inner, min_size=1, max_size=3).map(lambda p: Any(tuple(p))),
        inner.map(Not),
    ),
    max_leaves=12,
).map(conjunction)


def places(filter, start=()):
    inside = filter_tree.parts(filter) if not start else (filter_tree.group(filter) or (None, ()))[1]
    for number, part in enumerate(inside):
        yield (*start, number)
        yield from places(part, (*start, number))


def holds(filter, year):
    match filter:
        case Condition(_, _, value):
            return value == year
        case All(parts):
            return all(holds(part, year) for part in parts)
        case Any(parts):
            return any(holds(part, year) for part in parts)
        case Not(part):
            return not holds(part, year)


def meaning(filter):
    return [holds(filter, year) for year in range(10)]


@settings(deadline=None)
@given(trees, st.data())
def test_a_part_changed_into_itself_and_turned_round_twice_means_the_same(tree, data):
    path = data.draw(st.sampled_from(list(places(tree))))
    part = filter_tree.at(tree, path)
    assert meaning(filter_tree.replaced(tree, path, part)) == meaning(tree)
    assert meaning(filter_tree.wrapped(tree, path, Group.ANY)) == meaning(tree)
    turned = filter_tree.replaced(tree, path, Not(Not(part)))
    assert meaning(turned) == meaning(tree)
    assert meaning(parse(to_text(tree))) == meaning(tree)


@settings(deadline=None)
@given(trees, st.data())
def test_what_is_moved_is_taken_away_here_and_stands_there(tree, data):
    path = data.draw(st.sampled_from(list(places(tree))))
    targets = [(), *(place for place, _, _ in filter_tree.groups(tree))]
    target = data.draw(st.sampled_from([place for place in targets if place[: len(path)] != path]))
    after = filter_tree.moved(tree, path, target)
    assert sorted(map(repr, leaves_of(after))) == sorted(map(repr, leaves_of(tree)))


def test_a_part_is_moved_within_a_group_that_holds_it_alone():
    one, other, third = (Condition(name, Op.EQ, 1) for name in "abc")
    tree = All((one, other, All((third,))))
    assert leaves_of(filter_tree.moved(tree, (2, 0), (2,))) == [one, other, third]


def leaves_of(filter):
    from core.filters import conditions

    return list(conditions(filter))


@settings(deadline=None)
@given(trees, leaves, st.data())
def test_the_others_are_what_must_hold_whatever_the_part_is(tree, leaf, data):
    path = data.draw(st.sampled_from(list(places(tree))))
    beside = meaning(filter_tree.others(tree, path))
    whole = meaning(filter_tree.replaced(tree, path, leaf))
    assert all(other for other, both in zip(beside, whole, strict=True) if both)
