"""Where sentences of running text end: English of several fields, other languages and scripts, lines, long runs."""

from __future__ import annotations

import textwrap
import time

import pytest

from core import chunk, split
from core.settings import Engine, SplitSettings
from core.store.base import Passage
from core.types import Block, BlockKind, Document, Reading
from tests.core.split_texts import ENGLISH

CASES = [(field, case) for field, cases in ENGLISH.items() for case in cases]


def said(text: str, language: str = "en", engine: Engine = Engine.PUNKT) -> list[str]:
    blocks = (Block(BlockKind.PARAGRAPH, 0, len(text)),)
    document = Document("d", "r", "a.txt", "text/plain", text, blocks, Reading(language=language))
    return [text[s.start : s.end] for s in split.sentences(document, SplitSettings(engine))]


@pytest.mark.parametrize(("field", "sentences"), CASES, ids=[f"{field}-{' '.join(case)[:30]}" for field, case in CASES])
def test_english_sentences_end_where_a_reader_would_end_them(field, sentences):
    assert said(" ".join(sentences)) == list(sentences)


def test_nupunkt_is_right_about_nearly_all_of_them_too():
    right = sum(said(" ".join(case), engine=Engine.NUPUNKT) == list(case) for _, case in CASES)
    assert right >= len(CASES) - 2


@pytest.mark.parametrize(
    "sentences",
    [
        ["See Art. 5 and pp. 3-4, p. 12.", "Dr. Who vs. Mr. X.", "It ended."],
        ["The U.S. Navy sails.", "Approx. 5 units left on Jan. 5.", "Then none."],
        ["I live in the U.S.", "It is big.", "She works for N.A.S.A.", "They pay well."],
        ["Yahoo! Inc. bought it.", "Take vitamin B.", "Take it daily."],
        ["It ended....", "Then nothing.", "He left . . . .", "She stayed."],
        ["(See above.)", "[Note.]", "Next.", "Is it (really?) true?", "Yes."],
        ["He cried \"Stop!\" and ran.", "He said \"No.\" and left.", "‘Yes.’"],
        ["Fell.[1]", "The crew left.[2][3]", "Nobody spoke.¹", "Then all did."],
        ["**Bold.**", "Next one.", "_It._", "And `x`."],
        ["the valve is open.", "the gauge is fine.", "then we left."],
        ["THE VALVE IS OPEN.", "CLOSE IT NOW."],
        ["Q. What is it?", "A. It is a pump."],
        ["No.", "I did not.", "No. 7 is here.", "She said no.", "Nothing more."],
        ["Henry VIII. was king.", "World War II.", "It ended."],
        ["Stop‼️", "Now."],
        ["We chose plan B.", "We won.", "I met Dr. No.", "Then he left.", "He has a Ph.D.", "He teaches."],
        ["Sales rose in Q1.", "No. 2 brand fell.", "The U.S. Supreme Court ruled.", "The value is 3.", "Increase it by 2."],
        ["She left on Fri.", "He came on Mon.", "They met in Sept.", "It rained."],
    ],
)  # fmt: skip
def test_harder_english(sentences):
    assert said(" ".join(sentences)) == sentences


IN_ANY_LANGUAGE = [
    ("de", "Das ist z. B. ein Satz. | Er gilt i. d. R. auch dort."),
    ("de", "Der Preis zzgl. Versand beträgt 5 Euro. | Das ist viel."),
    ("de", "Siehe BGH, Urt. v. 5.3.2020. | Das Gericht folgt dem."),
    ("de", "Frau Prof. Dr. med. Weber und Dr. phil. Vogt kamen. | Danach ging sie."),
    ("de", "Die GmbH i. Gr. haftet dafür. | Die Meier & Co. KG zahlt."),
    ("de", "Nach Art. 6 Abs. 1 lit. a DSGVO gilt das. | Vgl. § 5 BGB, Ziff. 7 ff. m. w. N."),
    ("de", "Um 500 v. Chr. begann es. | Es gibt Äpfel, Birnen usw. | Die Äpfel sind rot."),
    ("de", "Der Verein e. V. Berlin zahlt. | Sie wohnt in der Hauptstr. 5. | Es regnet."),
    ("fr", "Voir p. ex. la page 3. | Le boul. Voltaire est long."),
    ("es", "Viajó a EE. UU. y volvió. | —¡Basta! —dijo él. | Nació en el año 50 a. C. en Roma."),
    ("it", "Vedi pag. 5. | Il dott. Bianchi compra pane, latte ecc. | Poi va via."),
    ("hi", "डॉ. शर्मा और श्री. वर्मा आए। | वह घर गया।"),
    ("ru", "Ул. Ленина длинная. | Он живёт на ул. Ленина, д. 5, кв. 3."),
    ("ru", "В 1941 г. Германия напала. | Пришёл проф. Иванов."),
]


@pytest.mark.parametrize("engine", list(Engine))
@pytest.mark.parametrize("found", [True, False])
@pytest.mark.parametrize(("language", "text"), IN_ANY_LANGUAGE)
def test_abbreviations_of_a_language_hold_whether_it_was_found_or_not(language, text, found, engine):
    sentences = text.split(" | ")
    assert said(" ".join(sentences), language if found else "", engine) == sentences


@pytest.mark.parametrize("engine", list(Engine))
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Dr. rer. nat. Vogt kam. | Vgl. § 5 S. 2 BGB, Rn. 7 ff. | Im 19. Jahrhundert war Krieg."),
        ("fr", "En 50 av. J.-C. tout va bien. | Il habite av. de Paris."),
        ("it", "Il sig. Rossi vede. | Poi va via."),
        ("ru", "Купил хлеб, соль и т. д. | Потом ушёл. | Цена 5 руб. | Потом выросла. | В 2020 г. Иванов уехал."),
    ],
)
def test_abbreviations_that_are_english_words_hold_in_their_language(language, text, engine):
    assert said(text.replace(" | ", " "), language, engine) == text.split(" | ")


@pytest.mark.parametrize(
    ("language", "between", "sentences"),
    [
        ("zh", "", ["系统已经启动。", "请检查日志！", "没有……那就好。", "价格是3.5元。", "他走了.", "她来了!", "真的?", "版本v1.2.3发布了。"]),
        ("zh", "", ["他说：“今天很热。”", "她点点头。", "“走吧！”他说。", "（第一条。）", "【注】完。"]),
        ("ja", "", ["「遅れないで。」と彼は言った。", "すごい！！", "「はい。」", "はい、そうです。", "３．５キロです｡", "終わり．", "次へ"]),
        ("ko", " ", ["회의는 세 시에 시작합니다.", "늦지 마세요!", "네."]),
        ("ar", " ", ["مرحبا بالعالم.", "كيف حالك؟", "د. محمد هنا."]),
        ("ur", " ", ["یہ ایک جملہ ہے۔", "کیا آپ ٹھیک ہیں؟", "ہاں۔"]),
        ("hi", " ", ["वह घर गया।", "क्या आप ठीक हैं?", "वह आया॥", "अंत ।"]),
        ("hi", "", ["वह घर गया।", "वह आया॥"]),
        ("km", "", ["ប្រព័ន្ធបានចាប់ផ្តើម។", "សូមពិនិត្យ។"]),
        ("my", " ", ["စနစ်စတင်ပြီ။", "ပြီးပြီ။"]),
        ("am", " ", ["ሰላም ነው።", "እንዴት ነህ?"]),
        ("hy", " ", ["Բարեւ աշխարհ։", "Լավ:", "Այո։"]),
        ("el", " ", ["Καλημέρα κόσμε.", "Τι κάνεις;", "Είμαι καλά\u037e", "Ναι."]),
        ("he", " ", ["שלום עולם.", "מה שלומך?"]),
        ("ru", " ", ["Привет, мир!", "Ул. Ленина, д. 5.", "А. С. Пушкин писал."]),
        ("de", " ", ["Dr. Müller kam am 3. Mai an.", "Er sagte: „Komm.“", "Z. B. so, d.h. anders.", "Vgl. S. 5 und Abb. 3.", "»Nein!«", "Er ging."]),
        ("fr", " ", ["M. Dupont est là.", "Comment allez-vous ?", "Il dit : « Viens. »", "C'est ce qu'il est.", "L'art. 5 s'applique."]),
        ("es", " ", ["¿Qué tal?", "¡Bien!", "El Sr. López vino.", "Él dijo que no.", "Véase pág. 5 y art. 3."]),
        ("it", " ", ["Il sig. Rossi è qui.", "Vedi pag. 5.", "L'art. 3 vale."]),
        ("cs", " ", ["Dr. Novák přišel 5. května.", "Viz str. 5."]),
        ("nl", " ", ["Dhr. Jansen kwam.", "Zie blz. 5.", "Dr. Vos is er."]),
        ("", " ", ["The pump 系统已经启动。", "Then it stops.", "वह गया।", "Привет.", "مرحبا.", "End."]),
    ],
)  # fmt: skip
def test_sentences_of_other_scripts_and_languages_end_at_their_own_stops(language, between, sentences):
    assert said(between.join(sentences), language) == sentences


@pytest.mark.parametrize("engine", list(Engine))
@pytest.mark.parametrize(
    "text",
    [
        "Current is 3 A. | Voltage is 5 V. | Power is 15 W. | It works.",
        "Add 5 g. | Stir well. | Add 2 tbsp. | Salt it.",
        "Max. load is 5 t. | Min. load is 1 t. | Approx. 3 m. | Max. 4.",
        "The box is 3 in. | The lid is 2.5 in. | Both fit.",
        "He is 5 ft. 3 in. tall and thin. | She is not.",
        "Add 1 tsp. salt to it. | Then wait.",
        "He lives at 123 N. Main St. in Oslo. | In 1990 J. Smith wrote it.",
        "See 12 S. Ct. 5 and 410 U. S. 113. | They hold.",
        "We worked 10 hrs. Monday. | Then we slept.",
    ],
)
def test_a_unit_ends_a_sentence_and_an_initial_does_not(text, engine):
    assert said(text.replace(" | ", " "), engine=engine) == text.split(" | ")


@pytest.mark.parametrize("engine", list(Engine))
@pytest.mark.parametrize(
    "text",
    [
        "The Bd. of Educ. met in May. | It voted.",
        "She lives in Apt. 5 of Bldg. 3. | We moved to Ste. 200, Rm. 7.",
        "The Oxford Univ. Press. was founded. | The assoc. stayed open.",
        "He is apt. | Then he left. | The fire was lit. | Nobody knew. | She left me. | He knew.",
        "She uses Yahoo! and likes it. | Panic! at the Disco played. | “Why?” she asked.",
        "Will he come? asked Tom. | Nobody knew.",
        "It failed. | iPhone sales rose. | main.py is gone. | The valve shut. | x_1 is set. | `x` is too. | **bold** is set. | n < 4 fails. | numpy: none.",
    ],
)
def test_a_small_letter_goes_on_with_the_sentence(text, engine):
    assert said(text.replace(" | ", " "), engine=engine) == text.split(" | ")


@pytest.mark.parametrize("engine", list(Engine))
def test_sentences_are_found_in_a_text_that_has_no_capitals(engine):
    text = "it broke. | we fixed it. | then it broke again! | what now? | nobody knows, e.g. me."
    assert said(text.replace(" | ", " "), engine=engine) == text.split(" | ")


@pytest.mark.parametrize("engine", list(Engine))
@pytest.mark.parametrize(
    "text",
    [
        "Costs fell.[13,14] | Profit rose.[3–5] | All fell.[1, 2; 7] | Then none.",
        "Costs fell.¹³ | Profit rose.¹,² | All fell.²⁻⁴ | Then none.",
        "Costs fell.13 | Profit rose.1,2 | All fell.(9) | Then none.",
        "As Fig.3 Shows it stops. | Then it ends.",
    ],
)
def test_notes_belong_to_the_sentence_before_them(text, engine):
    assert said(text.replace(" | ", " "), engine=engine) == text.split(" | ")


@pytest.mark.parametrize("engine", list(Engine))
@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Growth was 5%.Then it stopped.", 2),
        ("We left (see above).Then it stopped.", 2),
        ("It was 3.5.The rest is lost.", 2),
        ("Run promise.get().Then it works.", 1),
        ("1.The pump is off.", 1),
        ("We use v1.2.The-one here.", 1),
    ],
)
def test_a_missing_space_is_seen_behind_numbers_and_brackets(text, sentences, engine):
    assert len(said(text, engine=engine)) == sentences


@pytest.mark.parametrize("markers", [["i.", "ii.", "iii.", "iv."], ["a.", "b.", "c."], ["9.", "10.", "11."]])
def test_an_enumeration_in_a_paragraph_is_cut_between_its_items(markers):
    items = [f"{marker} Open the valve." for marker in markers]
    assert said(" ".join(items)) == items


def test_thai_is_cut_at_spaces_into_pieces_of_a_sentences_length():
    text = "การประชุมเริ่มเวลาสามโมง กรุณาอย่ามาสาย เอกสารมาถึงแล้วหรือยัง ราคา 10 บาทต่อชิ้น " * 6
    found = said(text.strip(), "th")
    assert len(found) > 4
    assert all(30 <= len(piece) <= 160 for piece in found)
    assert all("10 บาท" in piece for piece in found if "10" in piece)


@pytest.mark.parametrize("width", [40, 50, 60, 70, 72, 80, 100])
def test_wrapped_prose_is_never_cut_at_the_end_of_a_line(width):
    for cases in ENGLISH.values():
        for case in cases:
            text = textwrap.fill(" ".join(case), width, break_long_words=False, break_on_hyphens=False)
            assert [" ".join(sentence.split()) for sentence in said(text)] == list(case)


@pytest.mark.parametrize(
    "lines",
    [
        ["Introduction", "The pump is a device that moves fluid from one place to another\nby means of a valve"],
        ["Name: John", "Age: 5", "City: Oslo"],
        ["Agenda", "Opening", "Budget for 2025", "Any other business"],
        ["Ingredients:", "2 eggs", "100 g flour"],
        ["- one thing", "- another thing", "- third"],
        ["1. First step", "2. Second step\ncontinues here", "3. Third"],
        ["the quick brown fox\njumps over the dog"],
        ["The pump\n- which was old - failed\nin March."],
    ],
)
def test_short_items_and_headings_on_lines_of_their_own_are_sentences(lines):
    assert said("\n".join(lines)) == lines


def test_a_missing_space_is_seen_where_a_sentence_surely_ends():
    text = "The pump stopped.Valves were closed.Then stop!Valves open.What now?Nobody knew.“Why?”“Because.”"
    assert said(text) == [
        "The pump stopped.", "Valves were closed.", "Then stop!", "Valves open.", "What now?", "Nobody knew.", "“Why?”", "“Because.”",
    ]  # fmt: skip


LONG = {
    "a.": "a.", "a. ": "a. ", "A. ": "A. ", "(": "(", ".": ".", ". ": ". ", "stops on lines": ".\n", "!? ": "!? ", "newlines": "\n",
    "quotes": '"', ".)": ".)", "x.) ": "x.) ", "bullets": "• ", "numbers": "1. ", "No. ": "No. ", "。": "。", "我。": "我。", "…": "…",
    "items": "- a\n", "tags": ".</b>", "notes": ".[1]", "marks": "\u0301", "joined": "👩\u200d", "flags": "🇳🇴", "Thai": "ก ", "word": "x",
    "rule": "| ", "tabs": "\t-", "guillemets": ". »",
}  # fmt: skip


@pytest.mark.parametrize("kind", [BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.TABLE, BlockKind.CODE])
@pytest.mark.parametrize("name", LONG)
def test_a_hundred_thousand_characters_of_anything_take_no_longer_than_they_must(kind, name):
    """A hang guard: with anything quadratic in it this takes minutes."""
    text = "x" + LONG[name] * (100_000 // len(LONG[name])) + "y"
    document = Document("d", "r", "a", "text/plain", text, (Block(kind, 0, len(text)),))
    start = time.perf_counter()
    found = split.sentences(document)
    chunk.prefixes(Passage(document, tuple(found)))
    assert time.perf_counter() - start < 5
    assert found
