"""Bytes of any encoding become the text they were, or an error that says why not; what was guessed is told."""

from __future__ import annotations

import codecs
import random
import struct
import time
import zlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.errors import UnreadableFile
from core.read import decode, guess
from core.read.decode import decoded
from core.settings import ReadSettings
from tests.core.read.sentences import SAMPLES

AUTOMATIC = ReadSettings()
RUSSIAN = "Совещание начнётся в три часа дня.\nПеред обслуживанием закройте клапан."
CHINESE = "会议三点钟开始，请准时参加。请在维护之前关闭阀门。"
WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")


def pairs(parts):
    """Each text of each language with each of its encodings that can write it, if that is not plain ASCII."""
    for sample in SAMPLES:
        for encoding in sample.encodings:
            for text in parts(sample):
                plain = text.translate({0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2014: "-", 0x2013: "-", 0x20AC: "EUR"})
                try:
                    data = text.encode(encoding)
                except UnicodeEncodeError:
                    text, data = plain, plain.encode(encoding)
                if not data.isascii() or b"\x1b$" in data:
                    yield pytest.param(text, data, encoding, id=f"{sample.language}-{encoding}-{text[:12]}")


@pytest.mark.parametrize(("text", "data", "encoding"), pairs(lambda sample: (" ".join(sample.sentences),)))
def test_three_sentences_come_back_exact_from_every_encoding_they_may_be_in(text, data, encoding):
    found = decoded(data, AUTOMATIC)
    assert found.text == text, found.encoding
    assert found.guessed is (encoding != "utf-8")
    assert found.guessed is any("guess" in notice for notice in found.notices)
    assert decoded(data, ReadSettings(encoding=found.encoding)).text == text


@pytest.mark.parametrize(("text", "data", "encoding"), pairs(lambda sample: sample.sentences))
def test_so_does_a_single_sentence(text, data, encoding):
    assert decoded(data, AUTOMATIC).text == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("São Paulo", "cp1252"),
        ("Café;1,50;bon\nThé;2,00;moyen", "cp1252"),
        ("Über", "cp1252"),
        ("10 µm ± 2 °C", "cp1252"),
        ("It’s “fine” — really…", "cp1252"),
        ("Łódź", "cp1250"),
        ("привет", "cp1251"),
        ("naïve café", "mac-roman"),
    ],
)
def test_a_few_words_come_back_exact(text, encoding):
    assert decoded(text.encode(encoding), AUTOMATIC).text == text


ENGLISH = "The committee met on Tuesday to discuss the budget for the coming year. Nobody objected to the plan. " * 20
WESTERN = (
    "Señor López", "À la carte", "Nº 5", "¶ 4", "§ 12 applies.", "Price: £5.", "It costs £1,200 per unit.", "5 µm filter", "20 µg/ml",
    "• item one\n• item two", "· one\n· two", "1st — 2nd", "€ 100 fee", "Cost 5 € each", "50€", "5¢ each", "¥500", "Brontë", "Citroën", "Noël",
    "naïveté", "Genève", "Château", "Curaçao is nice.", "œuvre", "Æsop", "Øl", "see † below", "wait…", "«oui»", "5 ‰", "Acme™", "Acme® widgets",
    "He said — and I agree — no.", "the ’90s", "rock ’n’ roll", "100 m³", "3¼ inches", "x² + y²", "5 ÷ 2", "25 °C", "± 2 mm", "1º de mayo",
    "name,price\nwidget,£5\ngadget,£10", "$5 / £4 / €5", "ß-carotene", "“Hello,” she said.", "EL AÑO", "GRÖSSE", "PEÑA", "LE FRANÇAIS",
)  # fmt: skip


@pytest.mark.parametrize("before", ["", ENGLISH, ENGLISH + "\n"], ids=["alone", "same line", "own line"])
@pytest.mark.parametrize("text", WESTERN)
def test_a_few_signs_in_english_are_not_taken_for_a_neighbour_code_page(text, before):
    assert decoded((before + text).encode("cp1252"), AUTOMATIC).text == before + text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("ДОГОВОР ПОСТАВКИ", "cp1251"),
        ("РЕШЕНИЕ СУДА", "cp1251"),
        ("О ПОРЯДКЕ ВЫПЛАТЫ", "cp1251"),
        ("ПРИВЕТ МИР", "koi8-r"),
        ("ИНСТРУКЦИЯ ПО ЭКСПЛУАТАЦИИ", "koi8-r"),
        ("привет мир", "koi8-r"),
        ("ПРИВЕТ МИР", "cp866"),
        ("ΕΛΛΗΝΙΚΗ ΔΗΜΟΚΡΑΤΙΑ", "cp1253"),
        ("EL AÑO", "cp850"),
        ("LE FRANÇAIS EST PARLÉ", "cp850"),
        ("UMOWA SPRZEDAŻY", "cp1250"),
    ],
)
def test_a_title_in_capitals_is_not_read_in_swapped_case(text, encoding):
    assert decoded(text.encode(encoding), AUTOMATIC).text == text


def test_the_usual_encoding_of_a_source_is_taken_for_a_few_odd_bytes():
    assert guess.readings("Übersicht.txt".encode("cp437"), usual="cp437")[0].encoding == "cp437"


@pytest.mark.parametrize("encoding", WIDE)
@pytest.mark.parametrize(
    "text",
    [RUSSIAN, CHINESE, "Hi there", "ab", "Zażółć gęślą", "שלום עולם. מה שלומך?", "😀 and 🚀 go", "会议 at three"],
)
def test_wide_characters_are_read_with_a_mark_and_without(text, encoding):
    bare = text.encode(encoding)
    marked = decoded("\ufeff".encode(encoding) + bare, AUTOMATIC)
    assert (marked.text, marked.encoding, marked.guessed) == (text, encoding, False)
    found = decoded(bare, AUTOMATIC)
    assert (found.text, found.encoding, found.guessed) == (text, encoding, True)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("The café".encode()[:-1], "The caf\ufffd"),
        ("naïve".encode()[:3], "na\ufffd"),
        ("It is 😀".encode()[:-1], "It is \ufffd"),
        ("Price: 5 €".encode()[:-1], "Price: 5 \ufffd"),
        (b"caf\xc3. Next sentence.", "caf\ufffd. Next sentence."),
        ("déjà vu, ".encode() * 5 + b"d\xe9j\xe0 vu", "déjà vu, " * 5 + "d\ufffdj\ufffd vu"),
        ("déjà vu \ufffd ".encode() + b"caf\xc3. ", "déjà vu \ufffd caf\ufffd. "),
    ],
)
def test_damaged_utf8_is_read_and_the_bad_places_are_counted(data, text):
    found = decoded(data, AUTOMATIC)
    assert (found.text, found.encoding) == (text, "utf-8")
    bad = text.count("\ufffd") - data.count("\ufffd".encode())
    assert found.notices[0].startswith(f"{bad} character{'s' if bad > 1 else ''} could not be read")


@pytest.mark.parametrize(("mark", "encoding"), [(codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF8, "utf-8")])
def test_a_marked_file_that_was_cut_short_is_read_to_its_end(mark, encoding):
    found = decoded(mark + "Ends with é".encode(encoding)[:-1], AUTOMATIC)
    assert (found.text, found.encoding) == ("Ends with \ufffd", encoding)
    assert found.notices


def test_zero_characters_are_taken_out_and_counted_and_other_controls_stay():
    found = decoded(b"The de\x00nition was o\x00ered.\x00\x00", AUTOMATIC)
    assert (found.text, found.cleaned) == ("The denition was oered.", {"nul": 4})
    log = b"\x1b[31mred\x1b[0m alert\x07\n\x0cpage\tnext"
    assert decoded(log, AUTOMATIC).text == log.decode()


def test_a_log_that_a_crash_filled_up_with_zeros_is_read():
    found = decoded(b"log line\n" * 50 + bytes(3000), AUTOMATIC)
    assert (found.text, found.cleaned) == ("log line\n" * 50, {"nul": 3000})


BINARY = {
    "one byte": b"\xc5" * 4096,
    "two bytes": b"\x80\x81" * 500,
    "all bytes": bytes(range(256)) * 16,
    "zeros": bytes(500),
    "controls": b"\x01\x02\x03\x04 abc",
    "random": random.Random(1).randbytes(4096),
    "packed": zlib.compress(random.Random(2).randbytes(2000)),
    "sound": b"".join(round(900 * random.Random(i).gauss(0, 1)).to_bytes(2, "little", signed=True) for i in range(800)),
    "high bytes": bytes(random.Random(3).choices(range(128, 256), k=2000)),
    "picture": b"\x89PNG\r\n\x1a\n" + random.Random(4).randbytes(900),
    "marked": codecs.BOM_UTF16_LE + random.Random(5).randbytes(900),
    "marked too": codecs.BOM_UTF8 + random.Random(6).randbytes(900),
}


@pytest.mark.parametrize("data", BINARY.values(), ids=BINARY)
def test_what_is_no_text_is_refused_with_a_reason(data):
    with pytest.raises(UnreadableFile, match="binary") as caught:
        decoded(data, AUTOMATIC)
    assert caught.value.do


PRIVATE = "\ue000\uf8ff"
UNREADABLE = {
    "lost": "\ufffd" * 50,
    "mostly lost": "\ufffd\ufffd a " * 20,
    "one lost": "\ufffd",
    "private": PRIVATE * 10,
    "private plane": "\U000f0000" * 3,
    "unassigned": "\u0378\u0379" * 4,
    "invisible": "\u200b" * 5,
    "invisible lines": "\u200b\n\u2060\n\ufeff",
}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_characters_that_say_nothing_are_refused_in_every_encoding(text, encoding):
    with pytest.raises(UnreadableFile) as caught:
        decoded(text.encode(encoding), AUTOMATIC)
    assert caught.value.do
    with pytest.raises(UnreadableFile):
        decoded(text.encode(encoding), ReadSettings(encoding=encoding))


def test_half_a_character_after_a_mark_is_no_text():
    for mark in (codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE):
        with pytest.raises(UnreadableFile):
            decoded(mark + b"\x00", AUTOMATIC)


@pytest.mark.parametrize("size", [16, 24, 32, 48, 64])
def test_hardly_any_random_bytes_pass_for_a_text(size):
    source = random.Random(size)
    passed = 0
    for _ in range(100):
        try:
            decoded(source.randbytes(size), AUTOMATIC)
        except UnreadableFile:
            continue
        passed += 1
    assert passed <= 2


@pytest.mark.parametrize("layout", ["<H", ">H", "<I", ">I"])
def test_a_table_of_numbers_is_not_taken_for_wide_characters(layout):
    data = b"".join(struct.pack(layout, 0x4DB4 + 61 * step) for step in range(200))
    with pytest.raises(UnreadableFile):
        decoded(data, AUTOMATIC)


WORDS = (
    "Hello", "Да", "こんにちは", "你好", "안녕", "שלום", "مرحبا", "Γειά", "สวัสดี", "नमस्ते", "é", "😀", "👩‍🔧", "🏴\U000e0067\U000e007f", "\U0001fae8", "½", "€",
    "ქართული", "አማርኛ", "ᏣᎳᎩ", "𝔘𝔫𝔦", "A", "→", "x \ufffd y z",
)  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("word", WORDS)
def test_a_single_word_of_any_script_is_read(word, encoding):
    assert decoded(word.encode(encoding), AUTOMATIC).text == word


def test_the_encoding_that_is_named_overrides_everything():
    data = "Prix café".encode("cp1252")
    assert decoded(data, ReadSettings(encoding="cp1250")).text == "Prix café"
    assert decoded(data, ReadSettings(encoding="latin-1")).text == "Prix café"
    found = decoded("Prix café".encode(), ReadSettings(encoding="Windows-1252"))
    assert (found.text, found.encoding, found.guessed, found.notices) == ("Prix cafÃ©", "cp1252", False, ())
    marked = decoded("\ufeffPrix".encode("utf-16-le"), ReadSettings(encoding="utf-16-le"))
    assert marked.text == "Prix"


def test_what_does_not_fit_the_named_encoding_is_counted_and_little_of_it_is_let_through():
    found = decoded("Un café et un thé, s’il vous plaît.".encode("cp1252"), ReadSettings(encoding="utf-8"))
    assert found.text == "Un caf\ufffd et un th\ufffd, sil vous pla\ufffdt.".replace("sil", "s\ufffdil")
    assert found.notices[0].startswith("4 characters could not be read")
    with pytest.raises(UnreadableFile, match=r"not in Unicode \(UTF-8\)"):
        decoded(RUSSIAN.encode("cp1251"), ReadSettings(encoding="utf-8"))


@pytest.mark.parametrize(
    "name", ["windows-125", "shift-jiss", "nonsense", "base64", "rot13", "idna", "utf-7", "undefined", "a\x00b", "é"]
)
def test_an_encoding_that_is_none_is_refused_with_near_ones(name):
    with pytest.raises(UnreadableFile, match="no encoding") as caught:
        decoded(b"text", ReadSettings(encoding=name))
    assert caught.value.do.startswith("Did you mean ")


def test_the_near_ones_are_near():
    with pytest.raises(UnreadableFile, match="windows-1252"):
        decoded(b"text", ReadSettings(encoding="windows-125"))


def test_every_encoding_offered_is_one_and_has_a_label():
    for name in decode.CHOICES:
        assert decoded("Plain text.".encode(name), ReadSettings(encoding=name)).text == "Plain text."
        assert decode.label(name) != name
    assert {*guess._SINGLE, *(name for name, _ in guess._DOUBLE)} <= set(decode.CHOICES)


def test_an_encoding_that_the_first_lines_declare_is_taken():
    source = "# -*- coding: koi8-r -*-\nx = 'да'\n"
    found = decoded(source.encode("koi8-r"), AUTOMATIC)
    assert (found.text, found.encoding, found.guessed) == (source, "koi8-r", False)


def test_one_odd_byte_does_not_turn_a_whole_text_into_another_encoding():
    text = "Der Prüfer öffnete die Tür. Größe und Maße sind geprüft. " * 20
    found = decoded(text.encode("cp1252") + b"\x81\x9d", AUTOMATIC)
    assert found.text.startswith(text)


def test_a_declaration_that_cannot_be_true_is_not_believed():
    text = '<?xml version="1.0" encoding="UTF-16"?>\n<a>déjà vu, dit-elle</a>\n'
    assert decoded(text.encode("cp1252"), AUTOMATIC).text == text


def test_what_only_the_end_of_a_large_file_shows_is_not_lost():
    text = "Déjà vu, encore une fois.\n" * 2000
    found = decoded(text.encode("cp1252") + b"\x81 fin", AUTOMATIC)
    assert found.text in (text + "\ufffd fin", text + "\x81 fin")
    assert found.notices


def test_a_large_file_is_read_in_little_time():
    plain, western = b"The quick brown fox.\r\n" * 1_000_000, "Déjà vu encore.\n".encode("cp1252") * 1_000_000
    start = time.monotonic()
    decoded(plain, AUTOMATIC)
    decoded(western, AUTOMATIC)
    assert time.monotonic() - start < 20


@settings(max_examples=300)
@given(st.binary(max_size=200))
@example(codecs.BOM_UTF16_LE + b"\x00")
@example(codecs.BOM_UTF32_LE + b"\x00\x00")
@example(b"\x1b$B\x00\x1b(B")
@example(b"\xff")
def test_any_bytes_are_a_text_or_refused(data):
    try:
        found = decoded(data, AUTOMATIC)
    except UnreadableFile:
        return
    assert "\r" not in found.text
    assert "\x00" not in found.text
    assert found.encoding in decode.CHOICES
    found.text.encode("utf-8")
    assert found.guessed is any("guess" in notice for notice in found.notices)


@given(st.sampled_from(sorted(decode.CHOICES)), st.binary(max_size=120))
def test_any_bytes_in_any_named_encoding_are_a_text_or_refused(name, data):
    try:
        decoded(data, ReadSettings(encoding=name)).text.encode("utf-8")
    except UnreadableFile:
        return


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Co", "Cn", "Cf", "Z"]), min_size=1))
def test_valid_utf8_is_never_guessed_about(text):
    found = decoded(text.encode(), ReadSettings(clean=False))
    assert (found.text, found.encoding, found.guessed) == (text, "utf-8", False)
