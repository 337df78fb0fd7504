"""What stands before the text of a Markdown file, and where the text begins."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidMetadata
from core.read.front_matter import end, parse


def front(inside):
    """The mapping of a text whose body is known to begin where ``parse`` says."""
    text = f"---\n{inside}\n---\nBody"
    found, start = parse(text)
    assert text[start:] == "Body"
    return found


def test_plain_words_are_typed_as_json_and_nothing_more():
    found = front("a: 1\nb: -2.5\nc: true\nd: null\ne:\nf: text: no\n".replace("text: no", "plain text") + "g: 1e3")
    assert found == {"a": 1, "b": -2.5, "c": True, "d": None, "e": None, "f": "plain text", "g": 1000.0}
    assert type(found["a"]) is int


@pytest.mark.parametrize(
    "word",
    [
        "yes", "no", "on", "off", "y", "2024-01-01", "2024-03-10T23:30:00Z", "007", "0x1F", "0o17", "+49", "1_000", "12:30:00",
        ".inf", ".nan", "1e999", "25-11-2025", "1.2.3", "9" * 305, "tRue",
    ],
)  # fmt: skip
def test_what_yaml_would_change_stays_the_text_it_was_written_as(word):
    assert front(f"a: {word}") == {"a": word}


def test_quoted_words_and_blocks_are_text_and_nesting_is_kept():
    assert front("a: '1'\nb: \"true\"\nc: !!str 12\nd: |\n  x\n  y\ne: [1, {f: [a]}]\ng:\n  - h: i") == {
        "a": "1", "b": "true", "c": "12", "d": "x\ny\n", "e": [1, {"f": ["a"]}], "g": [{"h": "i"}],
    }  # fmt: skip


def test_keys_are_text():
    assert front('2024: a\ntrue: b\n"c d": e') == {"2024": "a", "true": "b", "c d": "e"}


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("---\na: 1\n---\nBody", 13),
        ("---\na: 1\n...\nBody", 13),
        ("---  \r\na: 1\r\n---\r\nBody", 18),
        ("\ufeff---\na: 1\n---\n", 14),
        ("---\na: 1\n---", 12),
        ("---\n\n# told\na: 1\n---\nBody\n---\n", 21),
    ],
)
def test_the_body_begins_after_the_closing_line(text, start):
    assert parse(text) == ({"a": 1}, start)


def test_empty_front_matter_is_no_metadata_and_no_body():
    assert parse("---\n---\nBody") == ({}, 8)
    assert parse("---\n# nothing yet\n---\nBody") == ({}, 22)


@pytest.mark.parametrize(
    "text",
    [
        "", "Body", "\n---\na: 1\n---\n", "---", "---\na: 1\n", "--- a: 1\n---\n", "---\nA rule across the page.\n---\nBody",
        "---\n- a\n- b\n---\n", "----\na: 1\n----\n", "---\nhttps://example.com\n---\n", "Body\n---\na: 1\n---\n",
        "---\nx = 1\n---\n", "+++\nBody\n+++\n",
    ],
)  # fmt: skip
def test_a_text_without_front_matter_is_all_body(text):
    assert parse(text) == ({}, 0)


@pytest.mark.parametrize(
    ("inside", "says", "line"),
    [
        ("a: 1\nb: 2\na: 3", "'a' twice", 4),
        ("a: {b: 1, b: 2}", "'b' twice", 2),
        ("a: 1\nb: c: d", "no YAML", 3),
        ("a: 1\nb:\n\t- c", "no YAML", 4),
        ("a: !!python/object/apply:os.system [ls]", "python/object", 2),
        ("a: !mine 1", "'!mine'", 2),
        ("a: !!binary aGk=", "binary", 2),
        ("a: &a [*a]", "*a", 2),
        ("a: *b", "*b", 2),
        ("a: 1\n? [b]\n: c", "no plain text", 3),
        ("a: 1\nb: \0", "U+0000", 3),
        ("a: 1\nb: \ud800", "U+D800", 3),
        ('a: 1\nb: "\\0"', "U+0000", 3),
        ('a: 1\n"\\ud800": b', "U+D800", 3),
        ('a: !!int "\\0"', "U+0000", 2),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(inside, says, line):
    with pytest.raises(InvalidMetadata) as refused:
        front(inside)
    assert says in str(refused.value)
    assert f"in line {line}." in str(refused.value)


@pytest.mark.parametrize("inside", [r'a: "\UFFFFFFFF"', r'a: "\U00110000"', f"%YAML 1.{'9' * 5000}\n--- \na: 1"])
def test_numbers_that_the_library_chokes_on_are_refused(inside):
    with pytest.raises(InvalidMetadata, match="too big"):
        front(inside)


def test_a_message_is_short_however_long_the_text():
    with pytest.raises(InvalidMetadata) as refused:
        front(f"a: !{'x' * 5000}!b c")
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    "text",
    ["---\na: 1\n---\nBody", "---\na: b: c\n---\nBody", "+++\na = \n+++\nBody", "---\na: 1\na: 2\n...\nBody"],
)
def test_the_body_begins_at_the_same_place_whether_the_front_matter_can_be_read_or_not(text):
    assert text[end(text) :] == "Body"


@pytest.mark.parametrize("text", ["", "Body", "---\na: 1\n", "---\nA rule across the page.\n---\nBody"])
def test_where_nothing_looks_like_front_matter_all_is_body(text):
    assert end(text) == 0


def test_a_second_yaml_document_is_refused_not_dropped():
    with pytest.raises(InvalidMetadata, match="more than one YAML document"):
        parse("---\na: 1\n--- !!map\nb: 2\n---\nBody")


def test_aliases_are_copies_and_few():
    found = front("a: &a [1]\nb: *a\nc: [*a, *a]")
    assert found == {"a": [1], "b": [1], "c": [[1], [1]]}
    assert found["a"] is not found["b"]
    with pytest.raises(InvalidMetadata, match="beyond all bounds"):
        front("a: &a x\nb: [" + ", ".join(["*a"] * 101) + "]")


def test_aliases_of_aliases_do_not_grow_beyond_all_bounds():
    lines = ["a: &a [" + ",".join(["x"] * 9) + "]"]
    lines += [f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]" for old, new in zip("abcdefgh", "bcdefghi", strict=True)]
    with pytest.raises(InvalidMetadata, match="beyond all bounds"):
        front("\n".join(lines))


@pytest.mark.parametrize("inside", ["a: " + "[" * 90_000, "a: " + "{a: " * 20_000, "- " * 40_000 + "a: 1"])
def test_deep_nesting_is_refused(inside):
    with pytest.raises(InvalidMetadata, match="nested too deeply"):
        front(inside if inside.startswith("a") else f"a:\n  {inside}")


def test_up_to_a_hundred_thousand_characters_are_read():
    assert len(front("a: " + "x" * 99_900)["a"]) == 99_900
    with pytest.raises(InvalidMetadata, match="100,000"):
        front("a: " + "x" * 100_000)


@pytest.mark.parametrize("inside", [" " * 90_000 + "x", "x" * 90_000, ":" * 90_000, "\n" * 90_000 + "x", "x=" * 45_000])
def test_a_long_text_between_rules_is_passed_over(inside):
    assert parse(f"---\n{inside}\n---\n") == ({}, 0)


def test_toml_between_plus_signs_is_read_too():
    text = "+++\na = 1\nday = 2024-03-10\nat = 2024-03-10T23:30:00Z\nx = inf\n[b]\nc = ['d', 1.5]\n+++\nBody"
    found, start = parse(text)
    assert text[start:] == "Body"
    assert found == {
        "a": 1, "day": "2024-03-10", "at": "2024-03-10T23:30:00+00:00", "x": "inf", "b": {"c": ["d", 1.5]},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("inside", "says"),
    [
        ("a = 1\na = 2", "no TOML: Cannot overwrite a value in line 3"),
        ("a = 1\nb = ", "no TOML: Invalid value in line 3"),
        ("a = " + "[" * 50_000, "nested too deeply"),
        (".".join("a" * 40_000) + " = 1", "nested too deeply"),
        ("a = " + "[" * 60 + "]" * 60, "nested too deeply"),
        ("a = " + "9" * 5000, "a number too long"),
        ("a = 0x" + "f" * 5000, "a number too long"),
        ('a = "\\u0000"', r"U\+0000"),
        ('"\\u0000" = 1', r"U\+0000"),
        ('a = [{b = "\\u0000"}]', r"U\+0000"),
    ],
)
def test_toml_that_cannot_be_read_is_refused(inside, says):
    with pytest.raises(InvalidMetadata, match=says):
        parse(f"+++\n{inside}\n+++\n")


texts = st.text(st.characters(exclude_characters="\0", codec="utf-8"))
keys = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=40)
"""YAML reads a key of 1,024 characters at most, escapes written out."""

json_able = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(keys, json_able, min_size=1, max_size=4))
def test_json_is_read_as_yaml_with_no_value_lost(data):
    assert front(json.dumps(data)) == data


lines = st.text(alphabet="ab1:-#&*!|>'\"%@`{}[],? \n\t.~=+\\", max_size=60)
words = st.sampled_from(
    [
        "a", ": ", " = ", "\n", "  ", "- ", '"', "'", "\\U", "\\u", "\\x", "FFFFFFFF", "d800", "0000", "9" * 5000, "0x", "f" * 5000, "1e999", "%YAML 1.",
        "--- ", "!!int ", "!!float ", "!<tag:yaml.org,2002:int> ", "&a ", "*a", "|", ">", "[", "]", "{", "}", "? ", "<<", '"""', "2024-01-01", "T00:00:00Z",
    ]
)  # fmt: skip


@given(lines | st.lists(words, max_size=12).map("".join), st.sampled_from(["---", "+++"]))
def test_any_text_is_front_matter_or_none_or_refused(inside, fence):
    text = f"{fence}\n{inside}\n{fence}\nBody"
    try:
        found, start = parse(text)
    except InvalidMetadata:
        assert end(text) > 0
        return
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    json.dumps(found, ensure_ascii=False).encode("utf-8")
    assert start in (0, end(text))
    assert found == parse(text)[0]
