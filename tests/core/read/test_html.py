"""Web pages: no word torn, nothing glued, nothing hidden shown; the structure kept and the menus left out."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core import read
from core.errors import UnreadableFile
from core.settings import ReadSettings
from tests import texts

WHOLE = ReadSettings(whole_page=True)
CRISP = "Open the valve slowly and wait until the gauge on the left shows two bar, then close it again."


def page(source: str | bytes, settings: ReadSettings = WHOLE) -> read.Document:
    data = source.encode() if isinstance(source, str) else source
    return read.read("a.html", data, settings)


def blocks(source: str | bytes, settings: ReadSettings = WHOLE) -> list[tuple[str, str]]:
    """The page's blocks as kind and text."""
    document = page(source, settings)
    texts.assert_tiles(document.text, document.blocks, stripped=False)
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]


def paragraphs(source: str) -> list[str]:
    found = blocks(source)
    assert {kind for kind, _ in found} <= {"paragraph"}
    return [text for _, text in found]


# Words and lines ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tag", ["a href=x", "abbr", "b", "bdo", "cite", "code", "em", "font", "i", "ins", "kbd", "mark", "q", "s", "samp", "small", "span",
            "strong", "sub", "sup", "time", "tt", "u", "var", "my-word", "o:p", "span style='color:red'"]
)  # fmt: skip
def test_no_element_in_the_line_tears_a_word(tag):
    assert paragraphs(f"<p>Open the <{tag}>va</{tag.split()[0]}>lve slowly.</p>") == ["Open the valve slowly."]


@pytest.mark.parametrize("mark", ["<wbr>", "&shy;", "<wbr/>", "<!-- c -->", "<script>x</script>", "<a name=x></a>"])
def test_what_is_not_seen_tears_no_word(mark):
    assert paragraphs(f"<p>Open the val{mark}ve slowly.</p>") == ["Open the valve slowly."]


def test_soft_hyphens_are_counted_and_kept_when_nothing_is_to_be_cleaned():
    assert page("<p>val&shy;ve</p>").reading.cleaned == {"hyphens": 1}
    assert page("<p>val&shy;ve</p>", ReadSettings(clean=False)).text == "val\u00adve"


@pytest.mark.parametrize(
    "tag", ["address", "article", "center", "details", "div", "fieldset", "figcaption", "hgroup", "main", "p", "section", "summary",
            "textarea", "span style='display: block'", "a style=display:flex"]
)  # fmt: skip
def test_block_elements_never_glue(tag):
    name = tag.split()[0]
    assert paragraphs(f"Before<{tag}>one</{name}><{tag}>two</{name}>after") == ["Before", "one", "two", "after"]


@pytest.mark.parametrize("between", ["<hr>", "<br><br>", "<br>\n<br/>", "<p></p>", "<div></div>"])
def test_what_parts_paragraphs_parts_them(between):
    assert paragraphs(f"one{between}two") == ["one", "two"]


def test_a_line_break_is_one_and_a_no_break_space_stays():
    assert paragraphs("<p>5&nbsp;€ <br> Second \n\t line.</p>") == ["5\u00a0€\nSecond line."]


def test_buttons_and_labels_are_words_of_their_own():
    assert paragraphs("<p>Press<button>OK</button>now<label>Name</label><label>Age</label></p>") == [
        "Press OK now Name Age"
    ]


def test_powers_and_note_marks_do_not_run_into_numbers():
    source = "<p>10<sup>6</sup> in 2020<sup><a href=x>3</a></sup>, H<sub>2</sub>O, m<sup>2</sup>, 1<sup>st</sup></p>"
    assert paragraphs(source) == ["10⁶ in 2020³, H2O, m2, 1st"]


def test_dollars_and_formulas_are_left_as_they_are():
    source = "<p>$5 and $x_1$ and <math><semantics><mi>E</mi><mo>=</mo><mi>m</mi><annotation>tex</annotation></semantics></math>"
    assert paragraphs(source) == ["$5 and $x_1$ and E=m"]


# What is not shown ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "leak",
    [
        "<script>LEAK</script>", "<style>LEAK</style>", "<noscript>LEAK</noscript>", "<template><p>LEAK</template>", "<!-- LEAK -->",
        "<p hidden>LEAK</p>", "<p hidden=''>LEAK<b>LEAK</b></p>", "<div aria-hidden=true>LEAK</div>", "<div aria-hidden='TRUE'>LEAK</div>",
        "<p style='display:none'>LEAK</p>", "<p style='color:red; DISPLAY : none !important'>LEAK</p>",
        "<p style='visibility:hidden'>LEAK</p>", "<dialog>LEAK</dialog>", "<datalist><option>LEAK</datalist>", "<iframe>LEAK</iframe>",
        "<video>LEAK</video>", "<canvas>LEAK</canvas>", "<object>LEAK</object>", "<table hidden><tr><td>LEAK</table>", "<img hidden alt=LEAK>",
        "<svg><style>LEAK</style></svg>", "<li hidden>LEAK</li>", "<title>LEAK</title>",
    ],
)  # fmt: skip
@pytest.mark.parametrize("settings", [WHOLE, ReadSettings()])
def test_what_a_browser_does_not_show_is_left_out(leak, settings):
    assert blocks(f"<h1>Top</h1><p>One.</p>{leak}<p>Two.</p>", settings) == [
        ("heading", "Top"), ("paragraph", "One."), ("paragraph", "Two."),
    ]  # fmt: skip


def test_a_hidden_cell_moves_no_column():
    assert blocks("<table><tr><td>a<td hidden>x<td>b<tr><td>1<td hidden>x<td>2</table>") == [
        ("table", "| a | b |\n| --- | --- |\n| 1 | 2 |")
    ]


def test_a_style_that_hides_something_else_hides_nothing():
    assert paragraphs("<p style='x-display:none-such; display:inline'>Shown.</p>") == ["Shown."]


def test_hidden_elements_are_counted_without_those_that_are_empty():
    source = "<p>a<p hidden>b<b hidden>c</b></p><p hidden></p><p aria-hidden=true>d</p><script>x</script>"
    assert page(source).reading.cleaned == {"hidden": 2}


def test_a_formula_shown_as_a_picture_is_read_by_its_text():
    source = "<p>So <span style='display:none'><math>x</math></span><img aria-hidden=true alt='x^2'> holds.</p>"
    assert paragraphs(source) == ["So x^2 holds."]


# Structure ------------------------------------------------------------------------------------------------------------


def test_headings_carry_their_path_and_the_title_stands_in_for_a_missing_one():
    document = page("<title>Site</title><h2>A<br>b</h2><p>x<h3>C</h3><p>y<div role=heading aria-level=2>D</div>z")
    assert [(document.text[b.start : b.end], b.headings) for b in document.blocks] == [
        ("Site", ("Site",)), ("A b", ("Site", "A b")), ("x", ("Site", "A b")), ("C", ("Site", "A b", "C")),
        ("y", ("Site", "A b", "C")), ("D", ("Site", "D")), ("z", ("Site", "D")),
    ]  # fmt: skip
    assert blocks("<title>Site</title><h1>Own</h1>x")[0] == ("heading", "Own")


def test_lists_keep_their_depth_and_items_what_is_in_them():
    source = (
        "<ul><li>one<ul><li>in<ol><li>deep</ol></ul></li><li><p>two</p><p>more</p></li><li></li>"
        "<li><blockquote>said</blockquote></ul><dl><dt>Term<dd>Meaning<dd>Other</dl><select><option>a<option>b</select>"
    )
    assert blocks(source) == [
        ("list", "- one\n  - in\n    - deep\n- two more\n- said"), ("list", "- Term\n  - Meaning\n  - Other"), ("list", "- a\n- b"),
    ]  # fmt: skip


def test_code_tables_and_headings_in_an_item_stand_by_themselves_in_order():
    source = "<ol><li>Do<pre>a\n  b</pre>then<li>next<table><tr><td>x<td>y</table><li>last<h2>H</h2>under</ol>"
    assert blocks(source) == [
        ("list", "- Do"), ("code", "a\n  b"), ("paragraph", "then"), ("list", "- next"), ("table", "| x | y |\n| --- | --- |"),
        ("list", "- last"), ("heading", "H"), ("paragraph", "under"),
    ]  # fmt: skip


def test_code_keeps_its_lines_and_indentation():
    assert blocks("<pre><code>  def f():\n\treturn  1\n\n  # end\n</code></pre>") == [
        ("code", "  def f():\n\treturn  1\n\n  # end")
    ]
    assert blocks("<pre><div>a</div><span style=display:block>  b</span>c<br>d</pre>") == [("code", "a\n  b\nc\nd")]


def test_quotes_are_quotes_paragraph_by_paragraph():
    assert blocks("<blockquote>One.<p>Two.<ul><li>x</ul></blockquote>Three.") == [
        ("quote", "One."), ("quote", "Two."), ("list", "- x"), ("paragraph", "Three."),
    ]  # fmt: skip


def test_pictures_are_their_text_alone_or_in_the_sentence():
    source = "<p>Press <img alt='Start'> now.</p><img alt='A pump.'><figure><img alt=Pump><figcaption>Figure 1.</figcaption></figure><img>"
    document = page(source)
    assert blocks(source) == [
        ("paragraph", "Press Start now."), ("image", "A pump."), ("image", "Pump\nFigure 1."),
    ]  # fmt: skip
    assert document.reading.notices == ("1 picture has no text.",)


def test_a_drawing_is_read_by_its_words():
    assert blocks("<svg><title>Flow</title><text>x</text></svg><svg><text>In</text><text>Out</text></svg>") == [
        ("image", "Flow"), ("image", "In Out"),
    ]  # fmt: skip


def test_a_caption_in_a_figure_goes_before_its_table():
    assert blocks("<figure><figcaption>Table 1.</figcaption><table><tr><th>a<th>b<tr><td>1<td>2</table></figure>") == [
        ("paragraph", "Table 1."), ("table", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
    ]  # fmt: skip


# Tables ---------------------------------------------------------------------------------------------------------------


def test_a_table_has_its_caption_and_its_first_row_as_the_header():
    source = "<table><caption>Values</caption><thead><tr><th>a|b<th>c</thead><tr><td>1<br>2<td><p>x<p>y</table>"
    assert blocks(source) == [("table", "Values\n| a\\|b | c |\n| --- | --- |\n| 1<br>2 | x<br>y |")]


def test_cells_that_span_stand_in_their_columns_and_rows():
    source = "<table><tr><th rowspan=2>Site<th colspan=2>Year<tr><th>2023<th>2024<tr><td rowspan=0>East<td>1<td>2<tr><td>3<td>4</table>"
    assert blocks(source) == [
        ("table", "| Site | Year |  |\n| --- | --- | --- |\n| Site | 2023 | 2024 |\n| East | 1 | 2 |\n| East | 3 | 4 |")
    ]


def test_a_long_cell_across_rows_is_not_repeated():
    assert page(f"<table><tr><td rowspan=2>{CRISP * 3}<td>a<tr><td>b</table>").text.count("Open the valve") == 3


def test_a_table_in_a_cell_is_text_of_the_cell():
    source = "<table><tr><th>a<th>b<tr><td>1<table><tr><td>n<td>m<tr><td>o<td>p</table><td>2</table>"
    assert blocks(source) == [("table", "| a | b |\n| --- | --- |\n| 1<br>n m o p | 2 |")]


@pytest.mark.parametrize(
    "table",
    [
        "<table><tr><td><p>One.<p>Two.</table>", "<table role=presentation><tr><td>One.<td>Two.</table>",
        "<table><tr><td><table><tr><td>One.</table><td>Two.</table>",
    ],
)  # fmt: skip
def test_a_table_that_only_lays_out_is_no_table(table):
    assert paragraphs(table) == ["One.", "Two."]


def test_a_page_laid_out_by_tables_keeps_its_headings_and_its_real_table():
    source = "<table><tr><td>Menu<td><h1>Pump</h1><p>Text.</p><table><tr><th>a<tr><th>b<td>c</table></table>"
    assert blocks(source) == [
        ("paragraph", "Menu"), ("heading", "Pump"), ("paragraph", "Text."), ("table", "| a |  |\n| --- | --- |\n| b | c |"),
    ]  # fmt: skip


def test_cells_never_glue_even_outside_a_table():
    assert blocks("<table>stray<tr><td>a</td><td>b</td></table>") == [("table", "stray\n| a | b |\n| --- | --- |")]
    assert " ".join(text for _, text in blocks("<td>a</td><td>b</td>")).split() == ["a", "b"]


# Main text ------------------------------------------------------------------------------------------------------------

ARTICLE = "".join(f"<h2>Part {n}</h2><p>{CRISP} Number {n} of the checks is done by two people.</p>" for n in range(40))
TABLE = "<table><tr><th>Oil<th>Bar<tr><td>warm<td>2</table>"
MENU = "".join(f"<li><a href=/{n}>Products {n}</a></li>" for n in range(30))
SITE = (
    f"<title>Pump | Shop</title><div class=top><ul>{MENU}</ul></div><nav>Home</nav><div><h1>Pump guide</h1>"
    f"<ul><li>Check oil</li></ul>{ARTICLE[:2000]}{TABLE}{ARTICLE[2000:]}</div><div><h3>Read more</h3><ul>{MENU}</ul></div><footer>Imprint</footer>"
)


def test_the_main_text_is_the_article_with_its_headings_and_tables():
    document = page(SITE, ReadSettings())
    assert document.text.startswith("Pump guide\n\n- Check oil\n\nPart 0\n\nOpen the valve")
    assert document.text.endswith("Number 39 of the checks is done by two people.")
    assert document.text.count("Open the valve slowly") == 40
    assert "| warm | 2 |" in document.text
    left_out = len(page(SITE).text) - len(document.text)
    said = re.fullmatch(
        r"Menus, footers and the like were left out \(([\d,]+) characters\); read the whole page to keep them\.",
        document.reading.notices[0],
    )
    assert said is not None
    assert 0.5 < int(said[1].replace(",", "")) / left_out <= 1
    assert document.reading.cleaned["menus"] > 0


def test_the_whole_page_is_kept_on_demand():
    document = page(SITE)
    assert "Products 29" in document.text
    assert "Imprint" in document.text
    assert document.reading.notices == ()


@pytest.mark.parametrize(
    "menu",
    [
        "<nav>Home | Shop</nav>", "<header><p>Home | Shop</header>", "<footer>Home | Shop</footer>", "<aside>Home | Shop</aside>",
        "<form>Home | Shop</form>", "<div role=navigation>Home | Shop</div>", "<div class='x menu'>Home | Shop</div>",
        "<div id=cookie-banner>Home | Shop</div>", "<ul class=breadcrumb><li>Home | Shop</ul>",
    ],
)  # fmt: skip
@pytest.mark.parametrize("before", [True, False])
def test_a_small_page_loses_its_menus_and_nothing_else(menu, before):
    body = "<h1>Pump</h1><p>Wait.</p><ul><li>Check oil</ul><p>One line.<br>Two.</p><table><tr><td>A1<td>B1</table>"
    source = f"<body>{menu}{body}</body>" if before else f"<body>{body}{menu}</body>"
    assert blocks(source, ReadSettings()) == [
        ("heading", "Pump"), ("paragraph", "Wait."), ("list", "- Check oil"), ("paragraph", "One line.\nTwo."),
        ("table", "| A1 | B1 |\n| --- | --- |"),
    ]  # fmt: skip


def test_the_title_in_a_pages_header_and_the_header_of_an_article_stay():
    source = "<header><h1>Pump</h1><nav>Home</nav></header><article><header><p>By Ek</p></header><p>Text of the article.</article>"
    assert [text for _, text in blocks(source, ReadSettings())] == ["Pump", "By Ek", "Text of the article."]


def test_a_form_around_the_whole_page_is_the_page():
    assert blocks(f"<form><h1>Pump</h1><p>{CRISP}</p></form><p>End.", ReadSettings())[0] == ("heading", "Pump")


def test_a_page_that_scripts_build_is_refused_with_the_way_on():
    with pytest.raises(UnreadableFile, match=r"without its scripts.*save what it shows"):
        page("<title>App</title><div id=root></div><script src=app.js></script><noscript>Enable it.</noscript>")


def test_a_page_without_text_is_refused():
    with pytest.raises(UnreadableFile, match="no text"):
        page("<p> &nbsp; <br></p>")


# Encodings ------------------------------------------------------------------------------------------------------------

PRICE = "Prix 12 € déjà payé."


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (f"<meta charset=windows-1252><p>{PRICE}".encode("cp1252"), "cp1252"),
        (f"<meta charset='ISO-8859-1'><p>{PRICE}".encode("cp1252"), "cp1252"),
        (
            f'<meta content="text/html; charset=windows-1252" http-equiv=Content-Type><p>{PRICE}'.encode("cp1252"),
            "cp1252",
        ),
        (f'<?xml version="1.0" encoding="iso-8859-15"?><html><p>{PRICE}</html>'.encode("iso8859-15"), "iso8859-15"),
        (f"<meta charset=windows-1252><p>{PRICE}".encode("utf-8-sig"), "utf-8"),
        (f"<meta charset=windows-1252><p>{PRICE}".encode("utf-16"), "utf-16-le"),
        (f"<meta charset=windows-1252><p>{PRICE}".encode(), "utf-8"),
        (f"<meta charset=utf-16><p>{PRICE}".encode(), "utf-8"),
        (f"<meta charset=no-such><p>{PRICE}".encode(), "utf-8"),
        (f"<p>{PRICE}".encode(), "utf-8"),
    ],
)
def test_a_page_is_in_the_encoding_it_names_unless_its_bytes_say_otherwise(data, encoding):
    document = page(data)
    assert document.text == PRICE
    assert (document.reading.encoding, document.reading.guessed) == (encoding, False)


def test_a_page_whose_declared_encoding_does_not_fit_is_guessed():
    document = page(f"<meta charset=utf-8><p>{PRICE}".encode("cp1252"))
    assert document.text == PRICE
    assert document.reading.guessed


def test_the_encoding_that_the_user_chose_comes_first():
    document = page(
        f"<meta charset=utf-8><p>{PRICE}".encode("cp1252"), ReadSettings(encoding="cp1252", whole_page=True)
    )
    assert document.text == PRICE


# Hostile and broken pages ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><p>a&x;b</p>',
        '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><html><title/><body><p>a&x;b</p></body></html>',
    ],
)
def test_entities_are_not_fetched(source):
    assert paragraphs(source) == ["a&x;b"]


@pytest.mark.parametrize("tag", ["div", "span", "b", "blockquote", "pre", "section", "figure"])
def test_text_in_and_after_100000_nested_elements_is_read(tag):
    found = blocks(f"<p>first</p>{f'<{tag}>' * 100_000}deep{f'</{tag}>' * 100_000}<p>after</p>")
    assert [text for _, text in found] == ["first", "deep", "after"]


def test_deep_lists_and_tables_lose_no_text():
    for nested in ("<ul><li>x", "<table><tr><td>x"):
        assert page(nested * 5000 + "<p>after").text.replace("after", "").count("x") == 5000


def test_unclosed_inline_elements_cost_no_structure():
    document = page("<font>" * 3000 + "<h1>Pump</h1><ul><li>a<li>b</ul><table><tr><th>a<tr><td>1</table>")
    assert [block.kind.value for block in document.blocks] == ["heading", "list", "table"]


@pytest.mark.parametrize(
    "source",
    [
        f"<article><h1>T</h1>{f'<p>{CRISP}</p>' * 100_000}</article>", "<p>" + "a<span hidden>x</span>" * 200_000,
        "<table><tr>" + "<td>x" * 20_000 + "</tr>" + "<tr><td>y" * 20_000 + "</table>", "<p>x" + "<" * 500_000,
        "<table>" + "<tr><td colspan=1000 rowspan=1000>x" * 10_000 + "</table>", "<p>x" + "<!DOCTYPE[" * 100_000,
        "<p>x" + "<div>" * 3000 + "<!-- " * 100_000, "<p>a" + " " * 3_000_000 + "b",
    ],
    ids=["9 MB", "hidden", "ragged", "angles", "spans", "doctypes", "comments", "spaces"],
)  # fmt: skip
def test_no_page_takes_more_than_linear_time(source):
    started = time.monotonic()
    assert page(source, ReadSettings()).text
    assert time.monotonic() - started < 60


_PIECES = st.sampled_from(
    ("<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<i>", "<li>", "</li>", "<ul>", "</ul>", "<ol>", "</ol>", "<dl>", "<dd>", "<table>", "</table>",
     "<tr>", "</tr>", "<td>", "</td>", "<td rowspan=3 colspan=2>", "<th>", "<caption>", "</caption>", "<h1>", "</h1>", "<h2>", "</h2>", "<br>",
     "<pre>", "</pre>", "<blockquote>", "</blockquote>", "<figure>", "<figcaption>", "</figcaption>", "</figure>", "<img alt='pic'>", "<hr>", "<a href=x>",
     "</a>", "<nav>", "</nav>", "<sup>", "</sup>", "<div role=heading>", "<select>", "<option>", "<button>", "<svg>", "</svg>", "<p", "'", "\"", "&", "&nbsp;",
     "&amp", "&#0;", "\n", " ", "one", "two.", "3", "ﬁ", "é", "会议", "\u00a0", "\u200b", "$x$")
)  # fmt: skip


@given(st.lists(_PIECES, max_size=40).map("".join), st.booleans())
@example("<li>a<div role=heading>b<pre>c", True)
def test_any_soup_of_tags_gives_blocks_or_is_refused(source, whole):
    try:
        document = page(source, ReadSettings(whole_page=whole))
    except UnreadableFile:
        return
    texts.assert_tiles(document.text, document.blocks, stripped=False)


_OPEN = ("<p>", "<div>", "<b>", "<li>", "<ul>", "<ol>", "<table>", "<tr>", "<td>", "<th>", "<h1>", "<h2>", "<br>", "<pre>", "<blockquote>", "<figure>",
         "<figcaption>", "</p>", "</div>", "</b>", "</li>", "</ul>", "</table>", "</tr>", "</td>", "</h1>", "</pre>", "</blockquote>", "</figure>")  # fmt: skip


@given(st.lists(st.sampled_from(_OPEN), min_size=1, max_size=40))
@example(["<table>", "<pre>", "<td>"])
@example(["<h1>", "<table>", "<td>", "<h2>", "</h1>"])
def test_no_word_of_a_page_is_lost_or_said_twice(tags):
    source = "".join(f"{tag} w{number} " for number, tag in enumerate(tags))
    said = re.findall(r"w\d+", page(source).text)
    assert sorted(said) == sorted(f"w{number}" for number in range(len(tags)))


@given(
    st.lists(
        st.sampled_from(
            ("<b>", "</b>", "<i>", "</i>", "<a href=x>", "</a>", "<span>", "</span>", "<wbr>", "v", "a", "l")
        ),
        max_size=30,
    )
)
def test_elements_in_the_line_add_no_character(pieces):
    source = "".join(["<p>x", *pieces])
    assert page(source).text == "x" + "".join(piece for piece in pieces if "<" not in piece)
