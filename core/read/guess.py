"""Which encoding bytes are in that nothing names: the one in which their letters make words of some language.

Every encoding is tried with every language written in it. What counts is whether the letters above ASCII are letters of
that language, and whether they stand as letters do: no capital within a word, no sign between two letters, no Greek letter
in a Latin word. Where two readings look alike, a language model decides which of them is language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import log10

from core.read.language import likelihoods

_SAMPLE = 24_000  # bytes, of lines that are not plain ASCII
_FEW = 0.15  # a guess that scores lower is no text of any language here
_CLOSE = 0.75  # readings that score this much less than the best are not asked about
_WEIGHT = 0.3  # of the language model, per power of ten
_CONTEXT = 2_000  # characters of plain ASCII lines that the model reads too
_LETTERS = 40  # fewer tell the model little
_UNUSUAL = 1.2  # what a few odd bytes in ASCII text must tell for any encoding but the usual one

# Letters above ASCII by language: the common ones, then those met now and then. Capitals are implied.
_LATIN = {
    "en": ("", "éèêëïöüñçàáäôœæø"),
    "fr": ("éèàêçâîôùû", "ëïüœæÿ"),
    "de": ("äöüß", "éèàáçñ"),
    "es": ("áéíóúñ", "üçªº"),
    "pt": ("ãáçéíóõêâú", "àôüªº"),
    "it": ("èàùìòé", "óîúí"),
    "gl": ("áéíóúñ", "üï"),
    "eu": ("ñ", "éüáç"),
    "ca": ("àéèíòóúç", "ïü·"),
    "nl": ("ëéïè", "öüáóêâ"),
    "sv": ("äåö", "éàüè"),
    "fi": ("äö", "åéšž"),
    "da": ("øæå", "éöäüèôó"),
    "no": ("øåæ", "éòôêäöü"),
    "is": ("áðíóúéþæöý", ""),
    "pl": ("łążęóśćńź", "éöü"),
    "cs": ("íáéěšřčžýůúóňťď", "öüä"),
    "sk": ("áíéčšžýúľťňôóďä", "ĺŕöü"),
    "sl": ("čšž", "ćđéöü"),
    "hr": ("čšžćđ", "éöü"),
    "hu": ("áéöíóüőúű", "ä"),
    "ro": ("ăîâşţ", "éșțüö"),
    "tr": ("ıüşçğöİ", "âîû"),
    "lt": ("ėšųįąžčūę", "éöü"),
    "lv": ("āēīūšņļžčģķ", "éõöü"),
    "et": ("äõüö", "šžé"),
    "vi": ("đưôâêơă\u0300\u0301\u0303\u0309\u0323áàéèíóùú", "ñö"),
}
_OTHER = {
    "ru": ("оеаинтсрвлкмдпуяыьгзбч", "йхжшюцщэфъё"),
    "uk": ("оаниітвреслкудмпязьбгчїй", "хцшюжєщфґ’"),
    "be": ("аінеоркстлўдмыпувязьбгчйц", "хшжюэфё’"),
    "bg": ("аеиотнрвслкдпмзгуяъб", "чйжщцшхюфьѝ"),
    "sr": ("аиоенрстјвукдмплзгбчшћж", "хцљњђфџ"),
    "mk": ("аоеитнрсвкдлпумјзгбшч", "цфжхџќѓѕљњѐѝ"),
    "el": ("αοιετσνηυρπκμλςωόίδάγέθήύ", "χφβξώζψϊΐϋΰ"),
    "he": ("יוהלאתרבשמנםחדעקכצ", "טפגזןסףךץ" + "".join(map(chr, range(0x5B0, 0x5C3)))),
    "ar": ("اليمنرتوبعدسفهكقأةحجش", "صطخىذإزءضغثئؤآظ،؟؛" + "".join(map(chr, range(0x64B, 0x653)))),
    "fa": ("اینردهمتبوسلشکزفخق", "گعپحجآطصچضذغظثژئءأؤيكة،؟؛\u200c" + "".join(map(chr, range(0x64B, 0x653)))),
    "ur": ("اینرکےوہتسملبدگہںپج", "ھچحعٹشقزفطآخڑئصذضغءثظؤ،؟۔"),
    "th": ("านรอกเงวมยลตสดทปบคใจแหพไ่้ีิัุ", "ขชผูื็ะำโถซศธณภญษ์ฟๆึๅฐฏฎฑฒฆฉฌฝฤฦฮฯฺ๐๑๒๓๔๕๖๗๘๙"),
}
# The most frequent pairs of letters: Slavic languages share theirs.
_PAIRS = {
    language: frozenset(pairs.split())
    for language, pairs in {
        "ru": "ст но ен то на ов ни ра во ко ро ос по го пр ре не ер ли ка ал ол ан ет ва ор та ть от ом ел ти ло "
        "ль ат те де ла ри ве ин ск од ми до ма ог за ле да ой ие ия ем ам ес ед ил ки ак об оо ож ит ди ви "
        "ги ме се со ар ук ку ру му ав их им аю ют ым ых ый ая яв мо би бо бы ду ну ту оп ич ча че жи же из "
        "ис ус ур он ты ив чн нн тр др гр кт рт рс мп сп сл св вы вс дн тв ац ци ии ию іс ні ві ті ів ія мі "
        "лі рі її ає ій",
        "el": "αι το τη ου αν τα ει ος στ ης να ια εν ιο ικ τι ντ ερ ασ αρ κα απ πο ρο ατ τε πα λο ισ εσ τω ων εί "
        "με σε ση ηκ κη γι πρ οι λι ελ λλ νι νη ημ δη μο οκ κρ ρα σα λα αλ ρι μα κο ετ ορ ολ ομ ον συ νο υν "
        "θη σι σω ήσ ογ γο ρε μέ έρ κό όσ σμ γα αγ γρ αφ έν ία ιδ δι δα πι επ ιτ θε εξ τρ ρη ρί υρ κυ βα υμ "
        "μβ σί σύ",
    }.items()
}
_PAIRED = 2_000  # characters
_GREEK_ACCENT = re.compile("[άέήίόύώΐΰΆΈΉΊΌΎΏ]")
_WESTERN = ("en", "fr", "de", "es", "pt", "it", "ca", "gl", "eu", "nl", "sv", "fi", "da", "no", "is")
_CENTRAL = ("pl", "cs", "sk", "sl", "hr", "hu", "ro", "de")
_CYRILLIC = ("ru", "uk", "be", "bg", "sr", "mk")
_USUAL = "cp1252"
_ELSEWHERE = ("pl", "cs", "sk", "sl", "hr", "bs", "hu", "ro", "tr", "lt", "lv", "et", "vi", "az", "sq")
"""Languages in Latin letters that the usual encoding cannot write."""
# In the order of preference: the first of equals is taken.
_SINGLE = {
    "cp1252": _WESTERN,
    "cp1250": _CENTRAL,
    "cp1251": _CYRILLIC,
    "koi8-r": ("ru",),
    "koi8-u": ("uk",),
    "cp1253": ("el",),
    "cp1254": ("tr",),
    "cp1255": ("he",),
    "cp1256": ("ar", "fa", "ur"),
    "cp1257": ("lt", "lv", "et"),
    "cp1258": ("vi",),
    "cp874": ("th",),
    "iso8859-15": (*_WESTERN, "et"),
    "iso8859-2": _CENTRAL,
    "iso8859-5": _CYRILLIC,
    "iso8859-7": ("el",),
    "iso8859-9": ("tr",),
    "mac-roman": _WESTERN,
    "cp850": _WESTERN,
    "cp437": ("en", "fr", "de", "es", "it", "nl", "sv", "fi"),
    "cp852": _CENTRAL,
    "cp866": ("ru", "be", "bg"),
    "mac-cyrillic": ("ru", "uk", "bg"),
}
_SELDOM = {"mac-roman": 0.1, "mac-cyrillic": 0.1, "cp850": 0.1, "cp437": 0.15, "cp852": 0.1, "cp866": 0.05}
"""What a reading in an encoding of old systems must be better by."""
_TYPOGRAPHY = "“”„‘’‚–—…«»‹›€£¥¢§¶°•·©®™×÷½¼¾²³±µ¿¡\u00a0\u00ad\u200e\u200f№†‡₪฿´‰"
_RARE_SIGN = -0.7
_FOREIGN_LETTER = -1.5
_BROKEN = -3.0  # a byte that means nothing, or a control character

# The most frequent characters: what tells one language's double bytes from another's.
FREQUENT = {
    "zh": "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行"
    "学法所民得经三之进着等部度家里如水高自二理起小现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天四日那"
    "事平形相全表间样与关各重新线内数正心你明看原又么利比或但气第向道此条只没结问意建月公无系很情最立代想已通并提直题"
    "這為個國時來們於對會發動過說產種後學經進著裡實點從業應開還關與無樣題問間請參將準維護攜帶護照謝您请准维护谢",
    "ja": "のにはをたがでてとしれさいるなこもまりすんかくよあらっきけどだうそつちえせみめわやじおずばげろべ"
    "ーンスルトリアイラクドタロレカフジシグプマバテムサメコキデブパオニィチダ日一年大人国会中本月者社時出議三始料保資",
    "ko": "이다는의에을고가하지로한를은사기인도어리정서시대자아나해그부일있라전수장구원동게제들과보면만상스년국여"
    "니성주습공와트당경되적위회조연오소세으요신등유선모거역관발생비교방학명중진용우문분재무",
}  # fmt: skip
_DOUBLE = (("cp932", "ja"), ("euc_jp", "ja"), ("gb18030", "zh"), ("big5hkscs", "zh"), ("cp950", "zh"), ("cp949", "ko"))
_PUNCTUATION = "。、，．：；？！「」『』（）《》“”‘’—…・·～　【】〈〉"

_ASCII = re.compile(r"[\x00-\x7f]+")
ABOVE_ASCII = re.compile(r"[^\x00-\x7f]")
_LINE = re.compile(rb"[^\n\r]*[\x80-\xff][^\n\r]*[\n\r]*")
_PLAIN_LINE = re.compile(rb"^[\x00-\x7f]+$", re.MULTILINE)
_ASCII_LETTERS = re.compile(rb"[A-Za-z]")
_HIGH = re.compile(rb"[\x80-\xff]")


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read the bytes: ``score`` is about 1 for a text of ``language`` and negative for nonsense."""

    encoding: str
    language: str
    score: float


def readings(data: bytes, usual: str = _USUAL) -> list[Reading]:
    """The ways to read ``data`` that make sense, best first; empty if there are none.

    A few odd bytes in ASCII text are in the ``usual`` encoding unless another reading is far better.
    """
    sample = _sample(data)
    lead = _lead(sample, context := _context(data))
    found = sorted(
        (
            Reading(each.encoding, each.language, each.score + (lead if each.encoding == usual else 0.0))
            for each in (*_single_bytes(sample), *_double_bytes(sample))
        ),
        key=lambda each: -each.score,
    )
    if not found:
        return []
    near = [each for each in found if each.score > max(_FEW, found[0].score - _CLOSE)]
    if len(near) > 1:
        near = [Reading(each.encoding, each.language, each.score + _opinion(each, sample, context)) for each in near]
    return sorted(near, key=lambda each: -each.score)


def _context(data: bytes) -> str:
    """What stands around the sample in plain ASCII: it tells the language of a few odd bytes."""
    return b"\n".join(_PLAIN_LINE.findall(data[: 4 * _CONTEXT]))[:_CONTEXT].decode("ascii")


def _lead(sample: bytes, context: str) -> float:
    """What the usual encoding is ahead by: the fewer different bytes speak for another, the more."""
    high = _HIGH.findall(sample)
    if len(high) > 1 and len(high) >= len(_ASCII_LETTERS.findall(sample)):
        return 0.0
    plain = f"{context} {_HIGH.sub(b'', sample).decode('ascii')}"
    likely = likelihoods(_text(plain)) if len(plain) > _LETTERS // 2 else {}
    elsewhere = sum(likely.get(language, 0.0) for language in _ELSEWHERE)
    return _UNUSUAL * (1.0 - elsewhere) / max(1, len(set(high)))


def _text(text: str) -> str:
    """As the language model reads it best."""
    return text.lower() if text.isupper() else text


def _sample(data: bytes) -> bytes:
    """The first lines that are not plain ASCII."""
    lines, size = [], 0
    for line in _LINE.finditer(data):
        lines.append(line.group()[: _SAMPLE - size])
        size += len(lines[-1])
        if size >= _SAMPLE:
            break
    return b"".join(lines)


def _single_bytes(sample: bytes) -> Iterator[Reading]:
    for encoding, languages in _SINGLE.items():
        text = sample.decode(encoding, "replace")
        counts = Counter(ABOVE_ASCII.findall(text))
        standing = _standing(text)
        for language in languages:
            worth = sum(count * _worth(character, language) for character, count in counts.items())
            score = (worth + standing) / max(1, counts.total()) - _SELDOM.get(encoding, 0.0)
            yield Reading(encoding, language, score + _pairs(text, language))


def _pairs(text: str, language: str) -> float:
    """What letters add that follow each other as they do in words: what tells capitals from another encoding's small ones."""
    pairs = _PAIRS.get("el" if language == "el" else "ru" if language in _CYRILLIC else "")
    if pairs is None:
        return 0.0
    words = text[:_PAIRED].casefold().replace("ё", "е")
    met = [words[at : at + 2] for at in range(len(words) - 1) if words[at : at + 2].isalpha()]
    if language == "el" and len(met) > 2 and not text.isupper() and not _GREEK_ACCENT.search(text):
        return -0.7
    return min(0.1, 1.5 * (sum(pair in pairs for pair in met) / len(met) - 0.35)) if met else 0.0


@cache
def _weights(language: str) -> dict[str, float]:
    """What each character above ASCII adds in ``language``."""
    common, rare = _LATIN.get(language) or _OTHER[language]
    ranked = {letter: 1.0 - 0.3 * place / len(common) for place, letter in enumerate(common)}
    found = dict.fromkeys(_TYPOGRAPHY, 0.6) | dict.fromkeys(rare, 0.3) | ranked
    capital = 0.8 if language in _LATIN else 1.0
    return {c.upper(): w * capital for c, w in found.items() if len(c.upper()) == 1} | found


@cache
def _worth(character: str, language: str) -> float:
    known = _weights(language).get(character)
    if known is not None:
        return known
    if character == "\ufffd" or "\x80" <= character < "\xa0" or "\ue000" <= character <= "\uf8ff":
        return _BROKEN
    if _is_box(character):
        return 0.6
    if not character.isalpha():
        return _RARE_SIGN
    return _FOREIGN_LETTER if language in _LATIN else 3 * _FOREIGN_LETTER


# Signs where signs stand; letters and signs where they do not.
_FITTING = re.compile(
    r"[£€¥](?= ?\d)|(?<=\d)[£€¥¢]|(?<=\d )[£€¥]|(?<=\d)[°²³½¼¾‰]|(?<=\d )[°×÷±‰]|(?<=[a-z])[²³]\b|[±×÷] ?(?=\d)"
    r"|(?<=\d)µ(?=[A-Za-z])|(?<=\d )µ(?=[A-Za-z])|[§¶] ?(?=\d)|(?<=\b[Nn])[º°](?= ?\d)|(?<=\d)[ªº]\b"
    r"|^[ \t]*[•·–—](?= )|(?<= )[–—](?= )|(?<=\d)–(?=\d)|(?<=[a-z])…|(?<![\w“])[“‘¿¡«](?=\w)"
    r"|(?<=[^\W\d_][.,!?])[”»](?!\w)|(?<=\w)”(?!\w)|(?<=\w)’(?=[a-z]\b)|©(?= ?[\dA-Z])|(?<=[A-Za-z])[®™](?![a-z])",
    re.MULTILINE,
)
_MISFIT = re.compile(
    r"(?<=\d)(?![ªºµ¹²³¼½¾])[^\W\d_\x00-\x7f]|(?![ªºµ¹²³¼½¾])[^\W\d_\x00-\x7f](?=\d)|(?<=[^\W\d_])[‚„“‘¿¡‰§¶¼½¾£€¥±]"
    r"|(?<=[^\W\d_])–(?=[a-z])|[†‡¥§](?=[^\W\d_])|^¥(?= )|(?<![\d.])ª"
    r"|[\u0590-\u06ff\u0e00-\u0e7f](?=[A-Za-z])|(?<=[A-Za-z])[\u0590-\u06ff\u0e00-\u0e7f]"
    r"|\b[ыьъЫЬЪ]|ς(?=\w)|σ\b|[ąęĄĘ](?=[aeouyóAEOUYÓ])|(?<=[aeouyóAEOUYÓ])[ąęĄĘ]|(?<=[A-Z][A-Z])[ß-öø-ÿ]",
    re.MULTILINE,
)


def _standing(text: str) -> float:
    """How well the characters above ASCII stand where they do: about 0, and negative if they stand badly."""
    total = 0.4 * len(_FITTING.findall(text)) - 1.5 * len(_MISFIT.findall(text))
    for found in ABOVE_ASCII.finditer(text):
        at = found.start()
        total += _place(found.group(), text[at - 1 : at] if at else " ", text[at + 1 : at + 2] or " ")
    return total


def _place(this: str, before: str, after: str) -> float:
    if this == before == after and not _is_box(this) and this not in "–—…\u00a0":
        return -1.5
    if this in _THAI_MARKS and not "\u0e01" <= before <= "\u0e4e":
        return -2.0
    if _is_mark(this) and this >= "\u0591" and before.isascii():
        return -2.0
    if this.isalpha():
        if _script(this) and before.isascii() and after.isascii():
            return -2.0 if before.isalpha() or after.isalpha() else -0.7
        worth = -2.0 if this.isupper() and before.islower() else 0.0
        if not (before.isalpha() or after.isalpha() or _script(this) or this.lower() in _WORDS_OF_ONE_LETTER):
            worth -= 0.7
        worth -= 1.5 if this.islower() and after.isupper() else 0.0
        strangers = {_script(letter) for letter in (before, this, after) if letter.isalpha() and letter not in "ªºµ"}
        worth -= 1.0 if this.isupper() and before.isupper() and after.islower() else 0.0
        worth -= 1.0 if this in "םןץףך" and after.isalpha() else 0.0
        return worth - (2.0 if len(strangers) > 1 else 0.0)
    if _is_box(this):
        return -1.0 if before.isalpha() or after.isalpha() else 0.0 if _is_box(before) or _is_box(after) else -0.8
    if before.isalpha() and after.isalpha() and this not in "’‘·\u00ad\u00a0—–…\u200c" and not _is_mark(this):
        return -2.0
    if this in "–—" and (before == this or before.islower()) and after.isalpha():
        return -1.5 if before == this else -0.5
    if this == "’" and before.isalpha() and after.isalpha():
        return 0.3
    return -0.7 if (this in "“„¿¡" and before.isalnum()) or (this == "”" and after.isalnum()) else 0.0


_WORDS_OF_ONE_LETTER = "àáâéèêíòóôöőùúåäæø"
_THAI_MARKS = frozenset(map(chr, (*range(0xE30, 0xE3B), 0xE45, *range(0xE47, 0xE4F))))


def _script(letter: str) -> int:
    """A number for the script of a letter: Latin is 0."""
    code = ord(letter)
    return 0 if code < 0x250 or 0x1E00 <= code < 0x1F00 else 1 if code < 0x400 else 2 if code < 0x530 else code >> 8


def _is_box(character: str) -> bool:
    """Whether it is a line or block of a table drawn in DOS."""
    return "\u2500" <= character <= "\u259f"


def _is_mark(character: str) -> bool:
    """Accents and vowel signs, which stand between letters (Vietnamese, Hebrew, Arabic, Thai)."""
    return "\u0300" <= character <= "\u036f" or "\u0591" <= character <= "\u05c7" or "\u064b" <= character <= "\u0eff"


def _double_bytes(sample: bytes) -> Iterator[Reading]:
    for encoding, language in _DOUBLE:
        text = sample.decode(encoding, "replace")
        worths = [_double(found, text, language) for found in ABOVE_ASCII.finditer(text)]
        if worths:
            # A sign before a letter looks like a character; a text of such alone is none.
            strange = 1.5 if len(_HIGH.findall(sample)) <= len(worths) else 0.0
            yield Reading(encoding, language, sum(worths) / len(worths) - strange)


def _double(found: re.Match[str], text: str, language: str) -> float:
    """What one East Asian character adds: 1 if it is frequent in ``language``, less than 0 if it is none of its."""
    this, at = found.group(), found.start()
    if this == "\ufffd" or "\ue000" <= this <= "\uf8ff":
        return _BROKEN
    # Western letters read as double bytes swallow the letter after them: such a character stands within a word.
    before, after = text[at - 1 : at] if at else " ", text[at + 1 : at + 2] or " "
    within = before.isascii() and before.isalpha(), after.isascii() and after.isalpha()
    worth = 0.8 if this in _PUNCTUATION else 1.0 if this in FREQUENT[language] else _ordinary(this, language)
    return worth - (2.0 if all(within) else 0.4 if any(within) else 0.0)


_LEVELS = {"gb2312": (0xB0, 0xD7), "big5": (0xA4, 0xC6), "euc_jp": (0xB0, 0xCF)}
"""Where the character sets keep their everyday characters: the first bytes of the first level."""
_SHELVES = {"zh": ("gb2312", "big5"), "ja": ("euc_jp",)}


@cache
def _ordinary(this: str, language: str) -> float:
    if "\u3041" <= this <= "\u30ff":
        return 0.7 if language == "ja" else -1.0
    if "\uff61" <= this <= "\uff9f":
        return -0.3
    if "\uac00" <= this <= "\ud7a3":
        return 0.4 if language == "ko" else -1.0
    if language == "ko" or not "\u4e00" <= this <= "\u9fff":
        return 0.2 if "\uff01" <= this <= "\uff5e" else -0.7
    return 0.5 if any(is_everyday(this, charset) for charset in _SHELVES[language]) else -0.6


def is_everyday(character: str, charset: str) -> bool:
    """Whether a character is of the first level of ``gb2312``, ``big5`` or ``euc_jp``."""
    first, last = _LEVELS[charset]
    code = character.encode(charset, "ignore")
    return bool(code) and first <= code[0] <= last


def _opinion(reading: Reading, sample: bytes, context: str) -> float:
    """What a language model thinks of a reading: 0 if it is surely in that language, negative if it hardly is."""
    text = sample.decode(reading.encoding, "replace")
    text = f"{context} {text}" if reading.language in _LATIN else _ASCII.sub(" ", text)
    letters = sum(map(str.isalpha, text))
    likely = likelihoods(_text(text))
    # Languages without a table here are mostly written in Western European letters.
    others = 1 - sum(likely.get(each, 0.0) for each in (*_LATIN, *_OTHER, *FREQUENT, "bs", "af", "nn"))
    chance = sum(likely.get(each, 0.0) for each in _KIN.get(reading.language, (reading.language,)))
    chance += others / 5 if reading.language in _WESTERN else 0.0
    weight = _WEIGHT * min(1.0, letters / _LETTERS) if reading.language in _LATIN else _WEIGHT
    return weight * log10(max(chance, 0.001))


_CYRILLIC_KIN = (*_CYRILLIC, "kk", "ky", "mn", "tg", "tt", "ba")
_ARABIC_KIN = ("ar", "fa", "ur", "arz", "ary", "ps", "ug", "sdh")
_KIN = {
    **dict.fromkeys(_CYRILLIC, _CYRILLIC_KIN),
    **dict.fromkeys(("ar", "fa", "ur"), _ARABIC_KIN),
    "cs": ("cs", "sk"),
    "da": ("da", "no"),
    "el": ("el", "grc"),
    "he": ("he", "hbo"),
    "hr": ("hr", "bs"),
    "nl": ("nl", "af"),
    "no": ("no", "nn", "da"),
    "sk": ("sk", "cs"),
    "sl": ("sl", "hr", "bs"),
    "zh": ("zh", "wuu", "yue"),
}
"""Languages that the model takes for each other, where the alphabet tells them apart."""
