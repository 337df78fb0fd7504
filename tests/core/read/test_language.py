"""The language of a text, or nothing where that is not sure."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.read import language
from tests.core.read.sentences import SAMPLES


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.language)
def test_a_paragraph_is_known(sample):
    assert language.of(" ".join(sample.sentences)) == sample.language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("会議は三時に始まります。", "ja"),
        ("会议三点钟开始", "zh"),
        ("Ουδέν νέον", "el"),
        ("สวัสดี", "th"),
        ("यह एक छोटा वाक्य है जो हिन्दी में लिखा गया है।", "hi"),
        ("OK", ""),
        ("", ""),
        ("12 345 " * 50, ""),
        ("x" * 200, ""),
        ("| a | b |\n| 1 | 2 |\n" * 20, ""),
        ("A B C D E F G H I J K L M N O P Q R S T", ""),
        ("https://example.com/der/die/das/und " * 20, ""),
    ],
)
def test_a_script_tells_alone_and_too_little_tells_nothing(text, expected):
    assert language.of(text) == expected


TERMS = (
    "Calcium carbonate, magnesium stearate, titanium dioxide, lactose monohydrate",
    "Femur, tibia, fibula, patella, tarsus",
    "Aluminium, titanium, chromium, manganese",
    "Sodium chloride, potassium nitrate",
    "Homo sapiens, Canis lupus, Felis catus are species.",
    "Quercus robur, Fagus sylvatica, Pinus sylvestris, Betula pendula, Acer platanoides",
    "Res judicata, habeas corpus",
    "ab initio, de facto, de jure, pro bono, quid pro quo, status quo",
    "Café menu: croissant, espresso, cappuccino",
    "Menu: tagliatelle, ravioli, lasagne, gnocchi, penne, rigatoni",
    "Team: Hans Müller, Jürgen Weiß, Anna Schäfer",
    "Vendor: Société Générale, Crédit Agricole, BNP Paribas",
    "Universidad Nacional de Colombia, Universidad de los Andes, Universidad del Valle, Universidad de Antioquia",
    "Name: María de la Cruz\nName: José de los Santos\nName: Juan del Río\n",
    "Anna Nowak, Jan Kowalski, Piotr Wiśniewski, Katarzyna Wójcik",
    "name,street,city\nHans Müller,Hauptstraße 5,Berlin\nAnna Schäfer,Gartenweg 12,München\nJürgen Weiß,Am Markt 3,Köln\n"
    * 5,
    "| name | amount |\n| --- | --- |\n| García | 5 |\n| López | 7 |\n| Martínez | 12 |\n| Rodríguez | 9 |\n" * 3,
    "SELECT nombre, apellido FROM clientes WHERE ciudad = 'Madrid' AND edad > 30",
    "def main(argv):\n    for line in sys.stdin:\n        print(line.strip())\n    return 0\n" * 3,
)


@pytest.mark.parametrize("text", TERMS)
def test_terms_names_and_program_text_are_in_no_foreign_language(text):
    assert language.of(text) in ("", "en")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Le chat dort sur le canapé. Il ne veut pas sortir.", "fr"),
        ("Fermez la vanne avant l’entretien.", "fr"),
        ("Das Treffen beginnt um drei Uhr. Bitte seien Sie pünktlich.", "de"),
        ("Ich habe keine Zeit. Wir sehen uns morgen.", "de"),
        ("El perro duerme en el sofá. No quiere salir a la calle.", "es"),
        ("| Producto | Nota |\n| --- | --- |\n| Silla | La silla de madera es muy cómoda y no pesa. |", "es"),
        ("Pies śpi na kanapie. Nie chce wyjść na dwór.", "pl"),
        ("Il gatto dorme sul divano. Non vuole uscire di casa.", "it"),
        ("De hond slaapt op de bank. Hij wil niet naar buiten.", "nl"),
        ("Koira nukkuu sohvalla. Se ei halua mennä ulos.", "fi"),
        ("Pes spí na pohovce. Nechce jít ven, protože je zima.", "cs"),
        ("A kutya a kanapén alszik. Nem akar kimenni a házból.", "hu"),
        ("Anjing itu tidur di sofa. Dia tidak mau keluar dari rumah.", "id"),
        ("Con chó ngủ trên ghế. Nó không muốn đi ra ngoài.", "vi"),
        ("Meeting at three. Be on time.", "en"),
        ("Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae, aliam Aquitani, tertiam qui ipsorum lingua "
         "Celtae, nostra Galli appellantur. Hi omnes lingua, institutis, legibus inter se differunt. Gallos ab Aquitanis "
         "Garumna flumen, a Belgis Matrona et Sequana dividit. Horum omnium fortissimi sunt Belgae, propterea quod a cultu atque humanitate provinciae longissime absunt.", "la"),
    ],
)  # fmt: skip
def test_a_few_sentences_are_known(text, expected):
    assert language.of(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "x" * 60_000,
        "1_" * 30_000,
        "a@" * 30_000,
        "<" * 60_000,
        "a " * 30_000,
        "." * 60_000,
        "L'" * 30_000,
        "é" * 60_000,
        "会" * 60_000,
    ],
)
def test_no_text_takes_long(text):
    start = time.monotonic()
    language.of(text)
    assert time.monotonic() - start < 5


@given(st.text(max_size=300))
def test_any_text_has_a_language_code_or_none(text):
    found = language.of(text)
    assert found == "" or (len(found) == 2 and found.isalpha())
