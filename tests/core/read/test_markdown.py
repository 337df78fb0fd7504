"""Front matter is what a file says about itself: it is told apart from the text, and nothing of the text goes with it."""

from __future__ import annotations

import codecs
import json

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from core import read
from core.errors import UnreadableFile
from core.read.isolated import IsolatedReader
from core.types import BlockKind
from tests import texts

FRONT = "---\ntitle: Pump\ntags: [a, b]\nyear: 2024\n---\n"
SAID = {"title": "Pump", "tags": ["a", "b"], "year": 2024}
BODY = "# Pump\n\nIt failed in May."


def document(text: str | bytes, name: str = "a.md") -> read.Document:
    return read.read(name, text.encode() if isinstance(text, str) else text)


def shown(made: read.Document) -> list[tuple[str, str]]:
    return [(block.kind.value, made.text[block.start : block.end]) for block in made.blocks]


def test_front_matter_is_no_part_of_the_text():
    made = document(f"{FRONT}\n{BODY}")
    assert made.text == BODY
    assert made.front == SAID
    assert shown(made) == [("heading", "# Pump"), ("paragraph", "It failed in May.")]
    assert made.blocks[1].headings == ("Pump",)
    assert (made.reading.notices, made.reading.cleaned) == ((), {})


def test_toml_between_plus_signs_is_front_matter_too():
    made = document(f"+++\ntitle = 'Pump'\nday = 2024-03-10\n+++\n{BODY}")
    assert (made.text, made.front) == (BODY, {"title": "Pump", "day": "2024-03-10"})


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + f"{FRONT}\n\n{BODY}".encode(),
        codecs.BOM_UTF16_LE + f"{FRONT}\n{BODY}".encode("utf-16-le"),
        f"{FRONT} \t\n\n{BODY}".replace("\n", "\r\n").encode(),
        f"{FRONT}{BODY}".replace("\n", "\r").encode(),
        f"{FRONT}{BODY}".replace("Pump", "Pu\0mp").encode(),
        f"{FRONT}{BODY}".replace("\n---\n", "\n...\n").encode(),
    ],
)
def test_it_is_found_in_every_encoding_and_with_every_line_end(data):
    made = document(data)
    assert (made.text, made.front) == (BODY, SAID)


def test_indented_code_at_the_beginning_stays_code():
    made = document(f"{FRONT}\n \n    code\n")
    assert (made.text, shown(made)) == ("    code\n", [("code", "    code")])


def test_new_front_matter_is_no_new_text():
    old, new = document(f"{FRONT}\n{BODY}"), document(f"---\ntitle: Valve\n---\n{BODY}")
    assert old.revision == new.revision == document(BODY).revision
    assert old.front != new.front


@pytest.mark.parametrize(
    "text",
    [
        "---\nA rule across the page.\n\n---\nBody.", "---\n- a: b\n---\nBody.", "\n---\na: 1\n---\nBody.", "---\na: 1\n\nNo end.",
        "Body.\n\n---\na: 1\n---\n",
    ],
)  # fmt: skip
def test_rules_across_the_page_are_text(text):
    made = document(text)
    assert (made.text, made.front, made.reading.notices) == (text, {}, ())
    assert BlockKind.CODE not in {block.kind for block in made.blocks}


def test_other_formats_have_no_front_matter():
    made = document(f"{FRONT}\n{BODY}", "a.txt")
    assert (made.text, made.front) == (f"{FRONT}\n{BODY}", {})


@pytest.mark.parametrize(
    ("front", "reason"),
    [
        (
            "---\ntitle: Pump: the north\nyear: 2024\n---",
            "it is no YAML: mapping values are not allowed here in line 2.",
        ),
        ("---\na: 1\na: 2\n---", "it has the key 'a' twice, again in line 3."),
        ("+++\ntitle = \n+++", "it is no TOML: Invalid value in line 2."),
        ("---\na: " + "x" * 100_001 + "\n...", "it has 100,005 characters; up to 100,000 are read."),
    ],
)
def test_what_cannot_be_read_stays_in_the_text_as_code_and_says_why(front, reason):
    made = document(f"{front}\n\n{BODY}")
    assert (made.text, made.front) == (f"{front}\n\n{BODY}", {})
    assert shown(made) == [("code", front), ("heading", "# Pump"), ("paragraph", "It failed in May.")]
    assert made.reading.notices == (f"The front matter was kept as text: {reason} Mend it and add the file again.",)


def test_front_matter_alone_is_no_text():
    for text in (FRONT, f"{FRONT}\n \n"):
        with pytest.raises(UnreadableFile, match=r"holds no text, only front matter\.") as refused:
            document(text)
        assert refused.value.do
    for text in ("---\n---\n", "---\n# nothing yet\n---\n"):
        with pytest.raises(UnreadableFile, match=r"holds no text\."):
            document(text)


def test_what_cannot_be_read_is_a_text_even_alone():
    assert shown(document("---\na: b: c\n---\n")) == [("code", "---\na: b: c\n---")]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.md", f"{FRONT}\n{BODY}".encode()),
        ("a.MD", codecs.BOM_UTF16_LE + f"{FRONT}\n{BODY}".encode("utf-16-le")),
        ("a.md", BODY.encode()),
        ("a.md", b"---\na: b: c\n---\nBody."),
        ("a.txt", f"{FRONT}\n{BODY}".encode()),
    ],
)
def test_front_matter_by_itself_is_that_of_the_whole_file(name, data):
    assert read.front(name, data) == document(data, name).front


def test_front_matter_by_itself_is_none_in_what_is_no_text():
    assert read.front("a.md", b"%PDF-1.7\n\x00\xff\x01\x02") == {}
    assert read.front("a", FRONT.encode()) == {}


def test_front_matter_comes_whole_out_of_the_other_process():
    reader = IsolatedReader()
    deep = '{"a": ' * 30 + "null" + "}" * 30
    hostile = [
        f"{FRONT}\n{BODY}",
        f'---\n"é 👩‍🔧": [null, true, -0.5, {10**299}, "\\uD83D\\uDE00", {deep}]\n__class__: x\n---\n{BODY}',
        f"+++\na = 0x{'f' * 9000}\n+++\n{BODY}",
        f'---\na: "\\UFFFFFFFF"\n---\n{BODY}',
        f"---\na: &a [{'x, ' * 50}]\nb: [{'*a, ' * 90}]\n---\n{BODY}",
    ]
    try:
        for text in hostile:
            assert reader.read("a.md", text.encode()) == document(text)
    finally:
        reader.close()


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("aé \"':", max_size=5), inner, max_size=3),
    max_leaves=6,
)
mappings = st.dictionaries(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20), values, min_size=1, max_size=4
)


def as_yaml(mapping: object) -> str:
    return yaml.safe_dump(mapping, default_style='"', width=10**6)


@given(mappings, st.sampled_from([json.dumps, as_yaml]), st.one_of(texts.noise, texts.hard))
def test_any_mapping_before_any_body_is_read_back_and_so_is_the_body(mapping, write, body):
    assume("\0" not in body)
    try:
        alone = document(f"{BODY}\n\n{body}")
    except UnreadableFile:
        assume(False)
    made = document(f"---\n{write(mapping)}\n---\n{BODY}\n\n{body}")
    assert made.front == mapping
    assert (made.text, made.blocks) == (alone.text, alone.blocks)


@given(texts.noise, st.sampled_from(["a: 1", "a: b: c", "- a", "a: 1\n\n# b\n\n* c", ""]), st.booleans())
def test_blocks_tile_the_text_below_and_with_front_matter(body, inside, closed):
    try:
        made = document(f"---\n{inside}\n{'---' if closed else ''}\n{body}")
    except UnreadableFile:
        return
    texts.assert_tiles(made.text, made.blocks, stripped=False)
