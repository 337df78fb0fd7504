"""The language of a text: its script tells most, a model that ships in a package tells the rest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

_SAMPLE = 20_000
_ENOUGH = 20  # letters of an alphabet; below that the guess is one
_SURE = 0.5  # how likely the best must be among those of its script
_VERY_SURE = 0.9
_MANY = 200  # letters
_FEW_LETTERS = 40  # a sentence of so few need not have two of the commonest words
_LATIN_TEXT = 300  # letters: shorter ones are lists of names of plants, bones and salts
_OF_A_SENTENCE = 0.1  # of its words are among the commonest of its language; in prose it is more than 0.3
_OF_A_TEXT = 0.06
_OF_PROSE = 0.6  # of its words are in small letters
_PROGRAM = 0.2  # of the words are pieces of program text
_LONGEST_WORD = 40
_NO_WORD = re.compile(r"[\d_@\\/<>={}()\[\]]")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"(^|[.!?:…]\W*|[¿¡«“„])?([^\W\d_]+(?:['’](?=\w))?)")
_PIECE_OF_PROGRAM = re.compile(r"\w[(\[{=<]|[={};<>]\w|[{};]$|^[={}<>&]+$|\w(?:_|::|->)\w|\)[:.;,]")

# First and last letter of each script that one language, or a few, are written in.
_SCRIPTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("\u0041", "\u024f", (
        "en", "fr", "de", "es", "pt", "it", "ca", "gl", "eu", "nl", "af", "sv", "fi", "da", "no", "nn", "is", "fo", "pl", "cs", "sk",
        "sl", "hr", "bs", "hu", "ro", "tr", "az", "lt", "lv", "et", "vi", "id", "ms", "tl", "sw", "sq", "ga", "gd", "cy", "mt", "eo",
        "la", "lb", "oc", "br", "ha", "yo", "ig", "zu", "xh", "so", "uz", "tk", "mg", "ht", "ku",
    )),
    ("\u0370", "\u03ff", ("el",)),
    ("\u0400", "\u052f", ("ru", "uk", "be", "bg", "sr", "mk", "kk", "ky", "mn", "tg", "tt", "ba")),
    ("\u0531", "\u058f", ("hy",)),
    ("\u0590", "\u05ff", ("he",)),
    ("\u0600", "\u077f", ("ar", "fa", "ur", "ps", "ug")),
    ("\u0900", "\u097f", ("hi", "mr", "ne", "sa")),
    ("\u0980", "\u09ff", ("bn", "as")),
    ("\u0a00", "\u0a7f", ("pa",)),
    ("\u0a80", "\u0aff", ("gu",)),
    ("\u0b00", "\u0b7f", ("or",)),
    ("\u0b80", "\u0bff", ("ta",)),
    ("\u0c00", "\u0c7f", ("te",)),
    ("\u0c80", "\u0cff", ("kn",)),
    ("\u0d00", "\u0d7f", ("ml",)),
    ("\u0d80", "\u0dff", ("si",)),
    ("\u0e00", "\u0e7f", ("th",)),
    ("\u0e80", "\u0eff", ("lo",)),
    ("\u0f00", "\u0fff", ("dz",)),
    ("\u1000", "\u109f", ("my",)),
    ("\u10a0", "\u10ff", ("ka",)),
    ("\u1100", "\u11ff", ("ko",)),
    ("\u1200", "\u137f", ("am",)),
    ("\u1780", "\u17ff", ("km",)),
    ("\u1e00", "\u1eff", ("vi",)),
    ("\u3040", "\u30ff", ("ja",)),
    ("\u3400", "\u9fff", ("zh",)),
    ("\uac00", "\ud7af", ("ko",)),
)  # fmt: skip
_LATIN = _SCRIPTS[0][2]
# The commonest words of languages written in Latin letters: lists of names and terms have none of them.
_COMMON: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the of and to in is that for it was on are with as be this by from or an not have has at which you a we they will",
        "fr": "le la les de du des un une et est à que qui dans en pour pas sur au aux ne se ce il elle on nous vous ils avec par son "
        "sa ses mais ou où sont été plus je l' d' qu' c' n' j' s' m' cette avant après sans leur votre",
        "de": "der die das und ist in den von zu mit sich des auf für nicht ein eine einen einem einer dem im es sie er wir ich war als "
        "auch an bei nach vor aus um am zum zur wie wird werden sind oder aber dass hat haben ihr über bis keine",
        "es": "el la los las de del un una y es en que por para con no se su sus lo al más pero como está son fue yo le a o muy antes "
        "ha este esta si nos hay porque ya",
        "pt": "o a os as de do da dos das um uma e é em que por para com não se na no nas nos ao à às mais mas como está são foi seu "
        "sua ele ela eu pelo pela você ou já",
        "it": "il lo la i gli le di del della dei delle un una e è in che per con non si su da al alla nel nella sono ma come più ha "
        "questo anche era suo sua l' dell' all' d' c' un' nell' prima dopo alle dal perché",
        "ca": "el la els les de del dels un una i és en que per amb no es al als més però com està són va seu seva l' d' aquest aquesta o "
        "perquè hi ha",
        "gl": "o a os as de do da dos das un unha e é en que por para con non se na no nas nos ao máis pero como está son foi seu súa",
        "nl": "de het een en van is in op te dat die voor met niet zijn aan er om hij ze zij ik je we maar ook als bij naar door of was "
        "uit over heeft hebben wordt nog dit deze wil",
        "af": "die en van is in op te dat vir met nie wat sy aan om hy ek ons maar ook as by na deur of was uit oor het hulle",
        "sv": "och att det i en ett som är på för av den med till inte de om har jag han hon vi var men ska kan från vid eller så vill "
        "sin sig måste efter före när",
        "da": "og at det i en et som er på for af den med til ikke de om har jeg han hun vi var men skal kan fra ved eller så vil sin sig "
        "efter før når",
        "no": "og at det i en et som er på for av den med til ikke de om har jeg han hun vi var men skal kan fra ved eller så vil sin seg "
        "må etter før når å ut fordi",
        "is": "og að í á er sem það til við um en ekki var með af fyrir hann hún ég þú þeir eru þetta verður hefur áður út þegar",
        "fi": "ja on ei se että hän oli mutta ovat kun tai myös niin mitä joka sen ole ennen kanssa jos minä me he tämä täytyy jälkeen "
        "ovat kuin voi nyt",
        "pl": "i w na z do się nie że to jest o jak po co za od ale dla przez czy są tego ma był była lub oraz jego jej który która które "
        "być przed musi chce proszę",
        "cs": "a v na se je to že z do s o i pro by ale jako za po k ve od jsem jsou není který která které nebo před při už má byl být "
        "musí protože třeba aby",
        "sk": "a v na sa je to že z do s o aj pre by ale ako za po k vo od som sú nie ktorý ktorá ktoré alebo pred pri už má bol byť musí "
        "pretože mi kde si",
        "sl": "in je na v se da za z so ne ki po ob pri pa s kot ali tudi bi od do sem ni pred mi ker treba",
        "hr": "i u je na se da za s od su ne o što po ali kao iz bi do koji koja koje nije sam prije mi jer mora biti li",
        "hu": "a az és hogy nem is egy van volt meg csak de ki el már mint vagy ez kell ha még után előtt lesz pedig akar",
        "ro": "și şi în de la cu pe un o că nu este sunt a din pentru care mai se al ale să sau dar fost după înainte îmi am lui prin",
        "tr": "ve bir bu da de için ile çok olarak daha gibi ne o ki var sonra önce kadar mi mı değil olan her ama en göre gerekir",
        "lt": "ir į yra kad iš su ne tai buvo apie kaip ant po bet jis ji nuo arba už tik per savo prie jau prieš turi būti nes todėl",
        "lv": "un ir uz ar no kas ka par bet tas nav kā viņš viņa lai pēc arī vai to pie bija tiek ļoti pirms tāpēc jau mēs",
        "et": "ja on ei et see oli kui ka ta aga mis oma või ning siis ma selle kes enne pärast nii väga tuleb sest välja",
        "vi": "và của là có không trong cho các được một những người này với đã ra đi nó khi đến từ tôi để trên về như",
        "id": "yang dan di itu dengan untuk tidak ini dari dalam akan pada ke karena ada saya dia oleh juga atau kami bisa mereka",
        "tl": "ang ng sa na mga ay at ko siya hindi si para kung ito nang may din ni mo",
        "sw": "ya na wa kwa ni katika la za hii huo kuwa cha yake hiyo sana lakini kama si",
        "sq": "të e në dhe një që për me nga është si se ka nuk i u do janë më ishte por",
        "ga": "an na agus ar i go a is le tá bhí do ní sé sí mar ó ag seo sin",
        "cy": "y yr a o i yn ac ar mae ei am wedi gan ond fel sydd oedd nid hwn hi",
        "eu": "eta da ez bat du zen dira izan baina hau ere dute egin edo den",
        "eo": "la de kaj en estas al ne mi li ŝi ke por kun sed ĝi pri kiu",
        "la": "et in est ad non ut cum qui quae quod ab ex sed si atque per aut sunt esse enim nec ac quam a hic eius neque omnes",
    }.items()
}  # fmt: skip
_ALIKE = {"nn": "no", "bs": "hr"}
"""Languages that a few sentences hardly tell apart: the second stands for both."""


def of(text: str) -> str:
    """The ISO 639-1 code of the language most of ``text`` is in; empty where that is not sure."""
    middle = max(0, len(text) // 2 - _SAMPLE // 2)
    tokens = text[middle : middle + _SAMPLE].split()
    if sum(map(_is_program, tokens)) > _PROGRAM * len(tokens):
        return ""
    sample = " ".join(filter(_is_word, tokens))
    counts = _scripts(sample)
    if not counts:
        return ""
    languages, letters = counts.most_common(1)[0]
    if len(languages) == 1:
        return languages[0] if letters >= 4 else ""
    if letters < _ENOUGH:
        return ""
    return _likeliest(sample, languages)


def _is_word(token: str) -> bool:
    """Whether it may be a word: no number, address, path or piece of program text."""
    bare = token.strip(".,;:!?()[]\"'|*")
    return not token.isascii() or (len(bare) <= _LONGEST_WORD and not _NO_WORD.search(bare))


def _is_program(token: str) -> bool:
    return token.isascii() and bool(_PIECE_OF_PROGRAM.search(token[:_LONGEST_WORD]))


def likelihoods(text: str) -> Mapping[str, float]:
    """How likely the text is to be in each language that the model knows; they add up to 1."""
    return _ranked(text)


def _scripts(text: str) -> Counter[tuple[str, ...]]:
    """How many letters of each script there are, by the languages written in it. A few kana make Han Japanese."""
    counts: Counter[tuple[str, ...]] = Counter()
    for letter, count in Counter(_LETTER.findall(text)).items():
        languages = _languages(letter)
        if languages:
            # A Chinese character or a syllable says as much as a few letters.
            counts[languages] += count * (3 if letter >= "\u3040" else 1)
    vietnamese = counts.pop(("vi",), 0)
    if vietnamese:
        counts[_LATIN] += vietnamese
    if counts[("ja",)] * 10 > counts[("zh",)]:
        counts[("ja",)] += counts.pop(("zh",), 0)
    return +counts


@cache
def _languages(letter: str) -> tuple[str, ...]:
    return next((languages for first, last, languages in _SCRIPTS if first <= letter <= last), ())


def _likeliest(sample: str, languages: Iterable[str]) -> str:
    chances: dict[str, float] = {}
    found = likelihoods(sample)
    for language in languages:
        known = _ALIKE.get(language, language)
        chances[known] = chances.get(known, 0.0) + found.get(language, 0.0)
    latin = "en" in chances
    if latin and len(_LETTER.findall(sample)) < _LATIN_TEXT:
        chances["la"] = 0.0
    best, chance = max(chances.items(), key=lambda item: item[1])
    if found.get("zxx", 0.0) > chance:
        return ""
    if chance <= _SURE * sum(chances.values()):
        return ""
    return _spoken(sample, best, chance / sum(chances.values())) if latin else best


def _spoken(sample: str, best: str, chance: float) -> str:
    """``best``, if the words of ``sample`` are those of sentences in it; English if they are so; else empty."""
    words = [(found[1] is not None, found[2].replace("’", "'")) for found in _WORD.finditer(sample)]
    common = {language: _commonest(words, language) for language in {best, "en"} if language in _COMMON}
    letters = sum(len(word) for _, word in words)
    if best == "en":
        return best
    if best not in common:
        small = sum(word.islower() for _, word in words)
        prose = letters >= _MANY / 2 and small > _OF_PROSE * len(words) and sample.count(",") * 5 < len(words)
        return best if prose and chance > _VERY_SURE else ""
    many = _OF_A_TEXT if letters >= _MANY else _OF_A_SENTENCE
    here, english = common[best], common["en"]
    enough = len(here) >= (2 if letters >= _FEW_LETTERS else 1) and bool(here.keys() - _OF_NAMES)
    if enough and here.total() > many * len(words):
        return best if here.total() >= english.total() else ""
    return "en" if len(english) >= 2 and english.total() > many * len(words) else ""


def _commonest(words: Sequence[tuple[bool, str]], language: str) -> Counter[str]:
    """Which of the commonest words of ``language`` there are; a capital within a sentence makes a word a name."""
    common = _COMMON[language]
    return Counter(word.lower() for begins, word in words if (begins or word.islower()) and word.lower() in common)


_OF_NAMES = frozenset(
    ("de", "del", "la", "las", "los", "el", "y", "da", "do", "dos", "das", "di", "della", "du", "des", "d'", "l'", "le", "les", "e", "van", "von")
)  # fmt: skip
"""Common words that stand in names too."""


@lru_cache(maxsize=64)
def _ranked(text: str) -> dict[str, float]:
    return dict(_model().rank(text))


@cache
def _model() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
