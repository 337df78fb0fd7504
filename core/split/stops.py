"""Where sentences end in running text: one pass over what may be an end, and a reason for each decision."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.markup import ROMAN, SIGNS
from core.split import words
from core.split.engines import Opinion
from core.split.marks import CANDIDATE, EXCLAIM, OPENERS, WIDE, Stop, is_cjk, is_ellipsis, is_quoted, is_upper

_NAME = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ENUMERATOR = re.compile(rf"\d{{1,3}}(?:\.\d{{1,3}})*|[^\W\d_]|{ROMAN}|{ROMAN.upper()}")
_NUMERALS = [
    tens + ones
    for tens in ("", "x", "xx", "xxx")
    for ones in ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]
]
_REGNAL = re.compile(r"[IVX]{1,5}")
# A letter, or a doubled capital for a plural: "z. B.", "EE. UU.".
_LETTER = re.compile(r"[^\W\d_]|([A-Z])\1")
_LETTER_NEXT = re.compile(r"(?:[^\W\d_]|([A-Z])\1)\.[,;:)\]]*")
_SHORT_NEXT = re.compile(r"[A-ZÄÖÜ][a-zäöü]{1,2}\.")
_PAIR = re.compile(r"[A-Z]\.-[A-Z]\.")  # "av. J.-C."
_YEAR = re.compile(r"1[0-9]\d\d|20\d\d")
_STREET = re.compile(rf"(?:[A-Z][\w.'’-]{{0,30}}+\s++){{1,3}}{words.STREETS}\b")
# What may begin a sentence with its small letter: iPhone, pH, x_1, main.py, https://…, b), numpy: …, n < 4.
_SMALL = re.compile(
    rf"[a-z]+[A-Z]|[a-z]\w*(?:[_(\d]|://)|\w{{2,30}}\.[a-z]\w+|(?:[a-z]|{ROMAN})\)|[a-z][\w./+-]{{0,30}}:\s|[a-z]\s?[=<>≤≥≈]"
)
_INITIALISM = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_REFERENCE = re.compile(r"[§#¶]|[\W_]*(?:[A-Za-z]{0,3}[-.]?\d|[IVXLC]+\b|[A-Z]\b)")
_NUMBERED = re.compile(r"[§#¶]|[\W_]*(?:[A-Za-z]{0,3}[-./]?\d|[B-HJ-Z]\b)")
_LAST_PART = re.compile(r"^(?:.*[-'’/(](?=.)|\w{3,30}(?=str$|nr$))")  # "Tel.-Nr.", "Hauptstr."
_GLUED_BEFORE = re.compile(r"[^\w@/\\]*(?:[^\W\d_]+[-'’,])*[^\W\d_]*[^\W\d_]{2}")
_GLUED_AFTER = re.compile(
    r"(?P<word>I|[^\W\d_][^\W\d_]*(?:['’][^\W\d_]+)?)(?P<more>[,;:!?]?(?:\s|$)|[.!?…](?=[\s\"'”’»]|$|[A-Z][a-z]))"
)
# A number or a bracket before a glued stop: "5%.Then it", "(see above).Then it"; not "get().Then".
_FIGURE = re.compile(r"[(~$€£<>≤≥±+–-]*\d[\d.,]*(?:[%‰€]|°[CF]?)?\)?|\(?[^\s()]+\)")
_PAST = re.compile(r"[a-z]{4}ed$")  # "stopped.Valves were": no module or object is called so
_LOWER_WORD = re.compile(r"\s+[a-zà-ÿ]+\b")
_SAID = re.compile(rf"[A-Z][\w’'-]*+(?: [A-Z][\w’'-]*+)? (?:{words.SAYING})\b")
_SAID_CJK = re.compile(r"[^\W\d_]{0,6}?[说說道问問喊叫答想笑哭][道着著了]?[，。,：:！!？?、]")
# Japanese particles after a closing quote: the sentence goes on. "はい" and "でも" begin one.
_GOES_ON = re.compile(r"と|って|[をのへ]|は(?!い)|が(?!ん)|など|[,，、；;：:)）\]」』.。．]")
_PRONOUNS = frozenset({"He", "She", "They", "I", "We", "You", "It"})
_LABEL = re.compile(r"([^\W\d_]+)\.?\s+\S+")


class Stops:
    """Finds where sentences begin in running text, by one engine's opinion and the abbreviations in force."""

    def __init__(self, opinion: Opinion, language: str) -> None:
        """``language`` is an ISO 639-1 code or empty."""
        self._opinion = opinion
        self._ordinals = language in words.ORDINALS_WITH_STOP
        self._starters = words.STARTERS | words.STARTERS_OF.get(language, frozenset())
        self._months = words.AFTER_ORDINALS | (words.MONTHS if language == "de" else frozenset())

    def starts(self, text: str, start: int, end: int, *, small: bool) -> Iterator[int]:
        """Where sentences begin in ``text[start:end]`` after the first, in order.

        ``small``: the text begins its sentences with small letters.
        """
        first, counted = start, ""
        for found in CANDIDATE.finditer(text, start, end):
            close, gap, following = found["close"], found["gap"], found.start("open")
            if following >= end:
                return
            if found["inside"] is not None:
                continue
            stop = Stop(text, first, found.start(), text[found.start() : found.start("close")], close, gap,
                         found["open"], following, end)  # fmt: skip
            if stop.run[0] in SIGNS:
                if gap and first < stop.at:
                    first, counted = stop.at, ""
                    yield first
                continue
            if stop.run == "." and gap:
                token = stop.token
                at = stop.at - len(token)
                word = token.lstrip(OPENERS)
                if at == first and _ENUMERATOR.fullmatch(word):
                    counted = counted or word
                    continue
                if counted and _follows(counted, word) and is_upper(stop.following):
                    first, counted = at, word
                    yield at
                    continue
            if self._ends(stop, small=small):
                first, counted = following, ""
                yield first

    def _ends(self, stop: Stop, *, small: bool) -> bool:
        run = stop.run
        if run == ".":
            return self._full_stop_ends(stop, small=small) if stop.gap else self._glued(stop)
        if run in ";:":
            return bool(stop.gap)
        if any(mark in WIDE for mark in run):
            return _wide_ends(stop)
        if any(mark in EXCLAIM for mark in run):
            return _exclaim_ends(stop, small=small) if stop.gap else self._glued(stop)
        return self._ellipsis_ends(stop)

    def _ellipsis_ends(self, stop: Stop) -> bool:
        if not stop.gap:
            return self._glued(stop)
        following = stop.following
        stutter = stop.token.lower() == following.rstrip(".,…").lower()
        return is_upper(following) and not stutter

    def _full_stop_ends(self, stop: Stop, *, small: bool) -> bool:
        token = stop.token
        lower = stop.initial.islower()
        if lower and stop.close:
            return False
        if is_quoted(stop.close) and _is_said(stop):
            return False
        if not token:
            return not lower
        word = token.lstrip(OPENERS)
        if stop.close[:1].isdigit() and word.lower() in self._opinion.listed:
            return False  # "Fig.3 Shows"; after other words the digits are a note
        if lower and not small and word.lower() not in self._opinion.dropped and not _is_small(stop):
            return False
        return self._word_ends(word, stop)

    def _word_ends(self, word: str, stop: Stop) -> bool:
        """Whether a sentence ends with a word that a stop stands at."""
        following = stop.following
        initial = following[:1]
        letter = _LETTER.fullmatch(word)
        if letter and _LETTER_NEXT.fullmatch(following):
            return False
        if self._is_unit(word, stop):
            return True
        decided = self._abbreviation_ends(word.lower(), stop, following)
        if decided is not None:
            return decided
        if letter:
            return self._initial_ends(word, stop, following)
        if initial.islower() and _REGNAL.fullmatch(word):
            return False
        if word[-1:].isdigit():
            if len(word) <= 3 and following.rstrip(".,;:").lower() in self._months:
                return False
            if self._ordinals and initial.islower() and len(word) <= 3:
                return False
            if _is_label(stop):
                return False
        return self._opinion.ends(f"{stop.token}.", following)

    def _is_unit(self, word: str, stop: Stop) -> bool:
        """Whether a word is the unit of the number before it, with a capital behind it: "3 A. Voltage"."""
        letter = word in words.LETTER_UNITS
        if not (letter or word in words.UNITS) or not is_upper(stop.initial):
            return False
        number = stop.number
        if not number:
            return False
        name = _NAME.match(stop.following)
        follows = name.group().lower() if name else ""
        if follows in self._starters:
            return True
        if (letter and _YEAR.fullmatch(number)) or follows in words.AFTER_TIMES:
            return False
        if letter and word.isupper():
            street = word in "NSEW" and _STREET.match(stop.text, stop.next, stop.end)
            return follows not in words.AFTER_LETTERS and not street
        return True

    def _abbreviation_ends(self, word: str, stop: Stop, following: str) -> bool | None:
        """Whether a sentence ends with an abbreviation; None if the word is none."""
        opinion = self._opinion
        if word not in opinion.listed:
            word = _LAST_PART.sub("", word)
            if word in opinion.numbered and word not in opinion.listed:
                return False if _NUMBERED.match(following) else None
            if word not in opinion.listed:
                if word in opinion.dropped or not _INITIALISM.fullmatch(word):
                    return None
                return self._may_end(word, stop, following)
        if word in words.WITH_NUMBER:
            if (_NUMBERED if word in words.ALSO_WORDS else _REFERENCE).match(following):
                return False
            if word in words.ALSO_WORDS:
                return None if following[:1].islower() else True
            return self._may_end(word, stop, following)
        return self._may_end(word, stop, following) if word in words.MAY_END else False

    def _may_end(self, word: str, stop: Stop, following: str) -> bool:
        """Whether a sentence ends with an abbreviation that may end one: what follows decides."""
        name = _NAME.match(following)
        if not name:
            return False
        begins = name.group()
        if following.rstrip(".,;:") in words.COMPANIES or _PAIR.match(following):
            return False
        if not is_upper(begins):
            return not begins[0].islower()  # another script, without capitals
        if begins.lower() in self._starters:
            return True
        if word in words.TIMES:
            return begins.lower() not in words.AFTER_TIMES
        if word in words.COUNTRIES or (stop.open and stop.open[-1] in "(["):
            return False
        return word in words.LISTS or self._opinion.begins(begins.lower())

    def _initial_ends(self, word: str, stop: Stop, following: str) -> bool:
        """Whether a sentence ends with a single letter: a label ("size S."), not the initial of a name."""
        name = _NAME.match(following)
        if word in "NSEW" and _STREET.match(stop.text, stop.next, stop.end):
            return False
        if word.islower() and _SHORT_NEXT.fullmatch(following):
            return False  # "i. Gr.", "z. Hd."
        if (following[:1].islower() and word.isupper()) or (following[:1].isdigit() and word.islower()):
            return False  # "z. B. so", "д. 5"
        if not word.islower() and not word.isupper():
            return False  # letters without case: an abbreviation ("د. محمد")
        if name and name.group().lower() in self._starters and word.isupper():
            return True
        before = stop.text[max(stop.first, stop.at - 30) : stop.at].split()[-2:-1]
        if before and _LETTER_NEXT.fullmatch(before[0].lstrip(OPENERS)):
            return name is not None and is_upper(name.group()) and name.group().lower() in self._starters
        if stop.open and stop.open[-1] in "([":
            return False
        if word.islower() or not name:
            return self._opinion.ends(f"{word}.", following)
        if before and before[0].lower().strip("(\"'“") in words.BEFORE_LETTERS:
            return not _is_label(stop)
        if before and before[0][:1].isupper():
            return False
        return self._opinion.ends(f"{word}.", following)

    def _glued(self, stop: Stop) -> bool:
        """Whether a sentence ends where no white space follows its stop: never inside a name, version, path or address."""
        text, at = stop.text, stop.at
        before, after = text[at - 1 : at], text[stop.next : stop.next + 1]
        if at == stop.first or not after:
            return False
        if is_cjk(after):
            return is_cjk(before) and not is_ellipsis(stop.run)
        if stop.run in ";:" or (stop.open and stop.open not in "“„«¿¡\"'"):
            return False
        token = stop.token
        figure = _FIGURE.fullmatch(token)
        if not figure and not (before.islower() and _GLUED_BEFORE.fullmatch(token)):
            return False
        found = _GLUED_AFTER.match(text, stop.next + len(stop.open), stop.end)
        if not found or not is_upper(found["word"]):
            return False
        word = found["word"].lower().partition("'")[0].partition("’")[0]
        goes_on = _LOWER_WORD.match(text, found.end("word"), stop.end) is not None
        if figure:
            likely = word in self._starters or (not before.isdigit() and self._opinion.begins(word))
            return goes_on and likely and at - len(token) > stop.first
        if self._abbreviation_ends(token.lower(), stop, found["word"]) is False:
            return False
        if word in self._starters or stop.open or stop.run[0] in EXCLAIM:
            return True
        return goes_on and (_PAST.search(token) is not None or self._opinion.has_begun(word))


def _wide_ends(stop: Stop) -> bool:
    text = stop.text
    if not stop.gap:
        after = text[stop.next]
        if after.isdigit() and text[stop.at - 1 : stop.at].isdigit():
            return False
        if _GOES_ON.match(text, stop.next) and (stop.close or after in ",，、；;：:)）]」』.。．"):
            return False
    if is_quoted(stop.close) and text[stop.first] in '“「『"‘':
        return not _SAID_CJK.match(text, stop.next, stop.end)
    return True


def _exclaim_ends(stop: Stop, *, small: bool) -> bool:
    lower = stop.initial.islower()
    if lower and (stop.close or stop.text[stop.at - 1 : stop.at] in "([" or not (small or _is_small(stop))):
        return False
    if stop.following.rstrip(".,") in words.COMPANIES:
        return False
    return not (is_quoted(stop.close) and _is_said(stop))


def _is_small(stop: Stop) -> bool:
    """Whether what follows may begin a sentence with its small letter: a name, a label, a word set in code or bold."""
    behind = stop.next + len(stop.open)
    return any(mark in stop.open for mark in "`*") or _SMALL.match(stop.text, behind, stop.end) is not None


def _is_said(stop: Stop) -> bool:
    """Whether a quote is followed by who said it: one sentence."""
    found = _SAID.match(stop.text, stop.next, stop.end)
    return found is not None and found.group().split(" ", 1)[0] not in _PRONOUNS


def _is_label(stop: Stop) -> bool:
    """Whether the sentence so far is a label of what follows: "Step 1", "Section 2.1"."""
    if stop.at - stop.first > 30:
        return False
    found = _LABEL.fullmatch(stop.text, stop.first, stop.at)
    return found is not None and found[1].lower() in words.LABELS


def _follows(counted: str, word: str) -> bool:
    """Whether ``word`` is the next enumerator after ``counted``: 2 after 1, b after a, ii after i."""
    if counted.isdecimal() and word.isdecimal():
        return int(word) == int(counted) + 1
    if counted in _NUMERALS and word in _NUMERALS and _NUMERALS.index(word) == _NUMERALS.index(counted) + 1:
        return True
    return len(counted) == len(word) == 1 and counted.isalpha() and ord(word) == ord(counted) + 1
