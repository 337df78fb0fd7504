"""What the words of a node say: code, mathematics, summaries, how many words, which language, which sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.enrich import words
from tests.core.enrich.made import field


@pytest.mark.parametrize(
    "text",
    [
        "Call `f()` now.", "```py\nx\n```", "def f(x):", "  return x;", "import os", "from a.b import c", "#include <stdio.h>",
        "const x = 1;", "public static void main(String[] args) {", "$ pip install x", ">>> print(1)", "console.log(x);",
        "function f(a) {", "if (a) {", "} else {", "result = compute(a, b)", "<?php echo 1; ?>", "import { a } from 'b'",
        "Text before it.\nfor (i = 0; i < 3; i++) {\nmore",
    ],
)  # fmt: skip
def test_program_text_is_found(text):
    assert True in field("contains_code", text)


@pytest.mark.parametrize(
    "text",
    [
        "Plain text.", "He said ``quoted'' and ``again''.", "`quoted' and `again'", "import duties rose by ten percent.",
        "Class action suits: many.", "For example: this.", "Public (private) schools.", "If (and only if) it rains.",
        "E = mc²", "Select from the list.", "It costs $5 for a pip.", "See (above).", "[link](http://a.example)", "Fig. 3 (a)", "let it be",
    ],
)  # fmt: skip
def test_prose_is_no_program_text(text):
    assert True not in field("contains_code", text)


@pytest.mark.parametrize(
    "text",
    [
        "Let $x$ be a number.", "We have $a^2 + b^2 = c^2$.", r"Thus $$\int_0^1 f(x) dx$$.", r"So \(x + y\) holds.", r"\[ E = mc^2 \]",
        r"\begin{equation} x \end{equation}", "The sum ∑ is finite.", "It has p ≤ 0.05.", "E = mc²", "E = mc^2 is known.",
        "y = mx + b", "a² + b² = c²", "where f(x) = 2x + 1.", "x = (-b ± √(b² - 4ac)) / 2a", "Total = price × quantity", "F = m·a",
        r"The rate is $\alpha_i$.", "set $n-1$ and $f(x)$", "y = sin(x) + 1", "v = d/t", r"\frac{a}{b}", "x_1 + x_2 = y_1",
    ],
)  # fmt: skip
def test_mathematics_is_found(text):
    assert field("contains_math", text) == [True]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $6.", "Between $5-$6 per unit.", "It rose from $17.5 million to $19.1 million.", "It is US$5 or A$ 7.",
        "Pay $10/month or A$20.", "a = b", "timeout = 30", "Set `x = y + 1` first.", "Use `$x$` here.", "https://a.example/?x=a+b&c=d",
        "key=value", "mode = on / off", "status = open - pending", "date = 2020-01-02", 'class="a-b"', "$HOME/bin:$PATH",
        "From $$ to $$$.", "A -> B => C", "x == y", r"Is it \[not\] so?", "√ done", "10 × 20 cm", "± 5 °C", "$name_of_var$",
        "1 = yes, 2 = no", "```\nx = a + b\n```",
    ],
)  # fmt: skip
def test_prices_settings_and_programs_are_no_mathematics(text):
    assert True not in field("contains_math", text)


@pytest.mark.parametrize(
    "heading",
    [
        "Summary", "5. Conclusions", "V. Conclusion", "Executive summary", "Abstract", "TL;DR", "Key takeaways",
        "Conclusion and future work", "Zusammenfassung", "6 Zusammenfassung und Ausblick", "Fazit", "Résumé", "En bref", "Resumen ejecutivo",
        "Conclusiones y recomendaciones", "Conclusioni", "Riassunto", "Conclusões", "Resumo", "Samenvatting", "Conclusie",
        "**Summary**", "Chapter 5: Conclusion", "摘要", "まとめ",
    ],
)  # fmt: skip
def test_what_stands_under_a_heading_of_a_summary_is_one_and_the_heading_is_not(heading):
    assert field("is_summary", f"# T\n\n## {heading}\n\nIt works.\n\n## Next\n\nMore.") == [
        False,
        False,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    "heading", ["Summary judgment", "Abstract classes", "Conclusion of contract", "Overview", "Introduction", "Results"]
)
def test_other_headings_announce_no_summary(heading):
    assert field("is_summary", f"# {heading}\n\nIt works.") == [False, False]


@pytest.mark.parametrize(
    "text",
    [
        "In summary, it works.", "To summarise, it works.", "To sum up: it works.", "In conclusion, it works.",
        "Zusammenfassend lässt sich sagen, dass es geht.", "En résumé, oui.", "En resumen, sí.", "In sintesi, sì.", "Em resumo, sim.",
        "Samengevat is het goed.", "**TL;DR** it works", "Abstract. We show", "总之，好。", "> In short, yes.",
    ],
)  # fmt: skip
def test_a_summary_is_known_by_how_it_begins(text):
    assert field("is_summary", text)[0] is True


@pytest.mark.parametrize(
    "text",
    ["In summary judgment cases.", "Summary judgment was given.", "Abstract art is fine.", "He said: in summary, no."],
)
def test_the_same_words_elsewhere_sum_nothing_up(text):
    assert field("is_summary", text) == [False]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("One two three.", 3), ("Don't re-enter well-known rooms.", 4), ("It is 3.5 or 1,000 kg.", 6), ("Café, naïve, Straße!", 3),
        ("Cafe\u0301 x", 2), ("会议三点开始。", 6), ("東京タワーです", 7), ("हिन्दी में", 2), ("한국어 단어", 2), ("Привет, мир", 2), ("GPT 4 会议", 4), ("…", 0),
    ],
)  # fmt: skip
def test_words_are_counted_in_any_script(text, number):
    assert sum(field("words", text)) == number


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_a_word_in_another_script_adds_itself_to_the_count_and_changes_no_other(text):
    assert words.count(f"{text} é") == words.count(text) + 1


ENGLISH = (
    "The quick brown fox jumps over the lazy dog and runs away from the many hounds of the hunters, who had been waiting "
    "since early in the morning, when the rain began to fall on the fields and nobody else was outside to see them there."
)
GERMAN = (
    "Die Wartung der Pumpe erfolgt einmal im Jahr und muss von geschultem Personal durchgeführt werden, das die Anleitung "
    "sorgfältig gelesen hat und genau weiß, welche Teile ersetzt werden müssen, wenn der Druck im Behälter unter den zulässigen Wert fällt."
)


def test_a_long_node_has_its_own_language_and_a_short_one_that_of_its_document():
    assert field("language", f"{ENGLISH}\n\nDie Pumpe steht.\n\n{GERMAN}") == ["en", "en", "de"]
    assert field("language", f"{GERMAN}\n\nShort.", language="") == ["de", None]
    assert field("language", "Kurz.", language="de") == ["de"]


@pytest.mark.parametrize("text", ["abc def " * 100, "|".join("0123456789" * 40), "ACGT" * 100])
def test_what_is_in_no_language_for_sure_has_that_of_its_document(text):
    assert set(field("language", text, language="fr")) == {"fr"}


def test_the_summary_of_one_sentence_is_that_sentence_in_one_line():
    assert field("summary", "It is\nso   here.") == ["It is so here."]
    assert field("summary", "## The *second* heading") == ["The *second* heading"]
    assert field("summary", "#") == ["#"]
    assert field("summary", "1. Open the valve.")[0] in ("Open the valve.", "1. Open the valve.")


def test_a_table_is_summed_up_by_its_caption_or_columns():
    assert field("summary", "| Part | Price |\n|---|---|\n| Seal | 3 |") == ["Part, Price"]


def test_the_summary_is_the_sentence_most_like_the_others():
    text = (
        "Breakfast was late. The red valve controls the pump pressure. The pump pressure rises quickly. "
        "The red valve closes by hand. Somebody whistled."
    )
    assert field("summary", text, size=5) == ["The red valve controls the pump pressure."]


def test_the_summary_is_prose_where_there_is_some():
    assert field("summary", "# Pumps and pumps\n\nPumps are loud.", size=2) == ["Pumps are loud."]


def test_sentences_that_are_alike_in_nothing_are_summed_up_by_the_first():
    assert field("summary", "One here. Two there.", size=2) == ["One here."]
    assert field("summary", "!? …. ?!", size=3)[0]


@given(st.text(min_size=1, max_size=3000).filter(lambda text: text.strip()), st.integers(1, 4))
def test_a_summary_is_one_line_of_at_most_200_characters(text, size):
    for summary in field("summary", text.replace("\r", " "), size):
        assert 1 <= len(summary) <= 200
        assert summary == " ".join(summary.split())


def test_a_long_summary_is_cut_at_a_word():
    summary = field("summary", f"The {'word ' * 60}ends here.")[0]
    assert summary.endswith("word …")
    assert 190 <= len(summary) <= 200
