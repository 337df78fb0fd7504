"""JSON as readable text: nothing in it is lost, and what is no JSON is named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import read
from core.errors import UnreadableFile
from tests import texts

LONG = "A long sentence about pumps. " * 10


def blocks_of(data: object, name: str = "a.json"):
    made = read.content(name, data if isinstance(data, bytes) else json.dumps(data).encode())
    texts.assert_tiles(made.text, made.blocks, stripped=False)
    return [(b.kind.value, made.text[b.start : b.end], b.headings) for b in made.blocks]


def test_a_list_of_flat_objects_is_a_table_with_columns_in_order_of_appearance():
    assert blocks_of(b'[{"b": "x", "a": 1}, {"a": 2.50, "c": null, "b": "y|z"}, {"d": ["p", "q"], "a": true}]') == [
        (
            "table",
            "| b | a | c | d |\n| --- | --- | --- | --- |\n| x | 1 |  |  |\n| y\\|z | 2.50 |  |  |\n|  | true |  | p, q |",
            (),
        )
    ]


def test_other_records_are_sections_of_short_values_and_long_texts():
    found = blocks_of(
        [
            {"title": "One", "n": {"a": 1, "b": [1, 2]}, "body": f"{LONG}\n\nSecond."},
            {"n": {"a": 2}, "parts": [{"k": "v"}, {"k": "w"}]},
            "alone",
        ]
    )
    assert found == [
        ("list", "- title: One\n- n.a: 1\n- n.b: 1, 2", ("One",)),
        ("paragraph", LONG.strip(), ("One", "body")),
        ("paragraph", "Second.", ("One", "body")),
        ("list", "- n.a: 2", ("Record 2",)),
        ("table", "| k |\n| --- |\n| v |\n| w |", ("Record 2", "parts")),
        ("paragraph", "alone", ("Record 3",)),
    ]


def test_a_single_object_is_read_the_same_way():
    assert blocks_of({"title": "One", "body": LONG}) == [
        ("list", "- title: One", ()),
        ("paragraph", LONG.strip(), ("body",)),
    ]


@pytest.mark.parametrize(("value", "text"), [("words", "words"), (42, "42"), (["a", "b"], "a\n\nb"), (True, "true")])
def test_a_bare_value_is_a_paragraph(value, text):
    assert read.content("a.json", json.dumps(value).encode()).text == text


@pytest.mark.parametrize("data", [b"null", b"{}", b"[]", b"[[], {}]", b"", b" "])
def test_a_file_without_a_value_holds_no_text(data):
    with pytest.raises(UnreadableFile, match="no text"):
        read.content("a.json", data)


def test_numbers_and_keys_stay_as_they_are_written():
    digits = "1234567890" * 600
    text = read.content(
        "a.json", f'{{"n": {digits}, "x": NaN, "y": -Infinity, "z": 1.10, "k": 1, "k": 2}}'.encode()
    ).text
    assert text == f"- x: NaN\n- y: -Infinity\n- z: 1.10\n- k: 1\n- k: 2\n\n{digits}"


def test_lines_that_are_no_json_are_named_and_the_rest_is_read():
    made = read.content("a.jsonl", b'\xef\xbb\xbf{"a": 1}\r\nbad\r\n\r\n{"a": 2}\r\n{"a": ')
    assert made.text == "| a |\n| --- |\n| 1 |\n| 2 |"
    assert made.notices == ("Lines left out for not being JSON: 2, 5.",)
    with pytest.raises(UnreadableFile, match="No line"):
        read.content("a.jsonl", b"bad\nworse")


def test_json_lines_under_the_name_json_are_read_too():
    assert read.content("a.json", b'{"a": 1}\n{"a": 2}\n').text == "| a |\n| --- |\n| 1 |\n| 2 |"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[1, 2,]", "line 1, column "),
        (b'{\n "a": 1,\n}', "line [23], column "),
        (b'{"a": 1}\n{"a": }', "line 2, column 7"),
        (b'{"a": 1} {"b": 2}', "line 1, column 10|line 1, column 9"),
        (b"just words", "line 1, column 1"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "nested too deeply"),
    ],
)
def test_what_is_no_json_is_refused_with_the_place(data, reason):
    with pytest.raises(UnreadableFile, match=reason):
        read.content("a.json", data)


JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.just(LONG), st.just("a\n\nb")
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)),
    max_leaves=12,
)


def leaves(value):
    if isinstance(value, dict):
        return [leaf for inner in value.values() for leaf in leaves(inner)]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in leaves(inner)]
    return [value] if isinstance(value, str | int) and not isinstance(value, bool) else []


@given(JSON)
def test_no_value_is_lost(value):
    try:
        made = read.content("a.json", json.dumps(value).encode())
    except UnreadableFile:
        assert not "".join(str(leaf) for leaf in leaves(value)).replace("\x00", "").strip() or not json.dumps(
            value
        ).strip("[]{} \n")
        return
    texts.assert_tiles(made.text, made.blocks, stripped=False)
    said = made.text.replace("\\|", "|").replace("\\\\", "\\").replace("<br>", " ").split()
    for leaf in leaves(value):
        if isinstance(leaf, int) or (leaf.isalnum() and leaf.isascii()):
            assert any(str(leaf) in word for word in said), leaf


@given(
    st.one_of(
        st.text(max_size=60),
        st.lists(st.sampled_from([*list('[]{},:"\\\n1aé\x00'), "null", '"k"']), max_size=30).map("".join),
    )
)
def test_any_text_is_read_or_refused(text):
    for name in ("a.json", "a.jsonl"):
        try:
            made = read.content(name, text.encode("utf-8", "surrogatepass"))
        except UnreadableFile:
            continue
        texts.assert_tiles(made.text, made.blocks, stripped=False)
