"""One raw value read as a field's type. What does not fit is told, never changed and never an exception."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from difflib import get_close_matches

from core.filters import FieldType
from core.types import DateOrder, Value


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a value does not fit, as a sentence without its full stop."""

    reason: str


ISO_TEXT = re.compile(
    r"\d{4}-\d\d-\d\d(?P<time>[T ]\d\d(:\d\d(:\d\d([.,]\d+)?)?)?(Z|[+-]\d\d(:?\d\d(:?\d\d)?)?)?)?",
    re.ASCII | re.IGNORECASE,
)
"""A date as ISO writes it, alone or with a time."""
YEAR_FIRST_TEXT = re.compile(r"(?P<year>\d{4})(?P<part>[/.])(?P<month>\d\d?)(?P=part)(?P<day>\d\d?)", re.ASCII)
LOCAL_TEXT = re.compile(
    r"(?P<first>\d\d?)(?P<part>[-/.])(?P<second>\d\d?)(?P=part)(?P<year>\d{4})"
    r"(?:,?[T ]\s*(?P<hour>\d\d?):(?P<minute>\d\d)(?::(?P<seconds>\d\d))?)?",
    re.ASCII,
)
"""A date with the year last; day and month are in either order."""

_COMPACT = re.compile(r"\d{8}(T\d{4}(\d\d)?(Z|[+-]\d\d(:?\d\d)?)?)?", re.ASCII | re.IGNORECASE)
_HALF = re.compile("[\ud800-\udfff]")
NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""What no store keeps in a name: a zero, or half a character."""
_DIGITS = re.compile(r"0|-?[1-9]\d*", re.ASCII)
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
_GROUPED = re.compile(r"[-+]?\d[\d.,'’\s]*[.,]\d+", re.ASCII)
_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_BEYOND = 2**63
_EPOCH = datetime(1970, 1, 1)
_FIRST_SECOND, _LAST_SECOND = -62_135_596_800, 253_402_300_799  # the years 1 to 9999
_EPOCH_DIGITS = 9  # text of fewer digits is hardly a time: nine begin in 1973
_YEARS = range(1000, 3000)
_COMPACT_DAYS = range(19_000_101, 21_001_232)
_SHOWN = 60


def typed_value(
    raw: object, type: FieldType, *, date_order: DateOrder | None = None, allowed: Sequence[str] = ()
) -> Value | Misfit | None:
    """``raw`` as a field of that type holds it, or why it does not fit; null is None.

    ``allowed`` limits enums always, and text and lists of text where it is not empty. NUL characters are left out.
    """
    match raw, type:
        case None, _:
            return None
        case _, FieldType.STRING | FieldType.ENUM:
            found = _text(raw)
            return found if isinstance(found, Misfit) else _allowed(found, allowed, unlimited=type is FieldType.STRING)
        case _, FieldType.STRINGS:
            return _texts(raw, allowed)
        case _, FieldType.INTEGER:
            return _integer(raw)
        case _, FieldType.NUMBER:
            return _number(raw)
        case _, FieldType.BOOLEAN:
            return _boolean(raw)
    instant = _instant(raw, date_order)
    if isinstance(instant, datetime) and type is FieldType.DATE:
        return datetime(instant.year, instant.month, instant.day)
    return instant


def as_json(value: object) -> str | None:
    """``value`` as JSON, its characters as they are; None where it has no JSON (nested or long beyond all bounds)."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, TypeError, RecursionError):
        return None


def shown(value: object) -> str:
    """A value as it is written in JSON, cut to a length that fits a message and safe to print."""
    text = as_json(value)
    if text is None:
        return "a value too deep or too long to show"
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def as_raw(value: object) -> object:
    """``value`` as JSON holds it: times as ISO text, tuples as lists.

    Raises:
        ValueError: nothing that JSON can hold.
    """
    try:
        return json.loads(json.dumps(value, allow_nan=False, default=_iso_text))
    except (TypeError, RecursionError):
        raise ValueError("JSON cannot hold it") from None


def _iso_text(value: object) -> object:
    if isinstance(value, date):
        return iso_text(value)
    raise TypeError


def iso_text(time: date) -> str:
    """A day or a UTC time as ISO writes it; midnight is the day alone."""
    if not isinstance(time, datetime):
        return time.isoformat()
    day = time.tzinfo is None and time == datetime(time.year, time.month, time.day)
    return time.date().isoformat() if day else time.isoformat() if time.tzinfo else f"{time.isoformat()}Z"


def _text(raw: object) -> str | Misfit:
    raw = iso_text(raw) if isinstance(raw, date) else raw
    text = raw.replace("\0", "") if isinstance(raw, str) else as_json(raw)
    if text is None:
        return Misfit("it is nested too deeply or too long to be kept as text")
    if _HALF.search(text):
        return Misfit(f"{shown(raw)} holds half a character (a lone surrogate)")
    return text


def _allowed(text: str, allowed: Sequence[str], *, unlimited: bool) -> str | Misfit:
    if text in allowed or (unlimited and not allowed):
        return text
    near = near_misses(text, allowed)
    meant = f"; did you mean {' or '.join(shown(word) for word in near)}?" if near else ""
    return Misfit(f"{shown(text)} is not one of the allowed values{meant}")


def near_misses(word: str, words: Sequence[str]) -> list[str]:
    """Up to three of ``words`` that ``word`` may be a slip for, the likeliest first."""
    by_form: dict[str, list[str]] = {}
    for known in words:
        by_form.setdefault(known.strip().casefold(), []).append(known)
    close = get_close_matches(word.strip().casefold()[:100], list(by_form), n=3, cutoff=0.7)
    return [known for form in close for known in by_form[form]][:3]


def _texts(raw: object, allowed: Sequence[str]) -> tuple[str, ...] | Misfit:
    if isinstance(raw, dict):
        return Misfit(f"{shown(raw)} is an object, not a list")
    items = raw if isinstance(raw, (list, tuple)) else [raw]
    found = []
    for item in items:
        if item is None:
            continue
        if isinstance(item, (list, tuple, dict)):
            return Misfit(f"the list holds {shown(item)}, which is no single value")
        text = _text(item)
        checked = text if isinstance(text, Misfit) else _allowed(text, allowed, unlimited=True)
        if isinstance(checked, Misfit):
            return checked
        found.append(checked)
    return tuple(found)


def _integer(raw: object) -> int | Misfit:
    found: int | None = None
    match raw:
        case bool():
            return Misfit(f"{shown(raw)} is true or false, not a whole number")
        case int():
            found = raw
        case float() if raw.is_integer():
            found = int(raw)
        case str() if _DIGITS.fullmatch(raw.strip()):
            found = int(raw) if len(raw.strip()) <= len(str(-_BEYOND)) else _BEYOND
    if found is None:
        return _no_number(raw, "whole number")
    return found if abs(found) < _BEYOND else Misfit(f"{shown(raw)} is beyond 2^63, the largest whole number kept")


def _number(raw: object) -> float | Misfit:
    if isinstance(raw, bool):
        return Misfit(f"{shown(raw)} is true or false, not a number")
    is_number = isinstance(raw, (int, float)) or (isinstance(raw, str) and _NUMBER.fullmatch(raw.strip()))
    if not is_number:
        return _no_number(raw, "number")
    try:
        found = float(raw)  # type: ignore[arg-type]  # a number, or text that is one
    except OverflowError:
        found = math.inf
    return found if math.isfinite(found) else Misfit(f"{shown(raw)} is beyond the largest number kept")


def _no_number(raw: object, wanted: str) -> Misfit:
    if isinstance(raw, str):
        text = raw.strip()
        if len(text) > 1 and text.isdecimal() and text.startswith("0"):
            return Misfit(f"{shown(raw)} begins with a zero that a {wanted} would lose")
        if _GROUPED.fullmatch(text) and not _NUMBER.fullmatch(text):
            return Misfit(f"{shown(raw)} is no plain {wanted}: commas, points and gaps mean different things in it")
    return Misfit(f"{shown(raw)} is no {wanted}")


def _boolean(raw: object) -> bool | Misfit:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, (int, float)) and raw in (0, 1):
        return raw == 1
    word = _WORDS.get(raw.strip().casefold()) if isinstance(raw, str) else None
    return Misfit(f"{shown(raw)} is neither true nor false") if word is None else word


def _instant(raw: object, order: DateOrder | None) -> datetime | Misfit:
    """A UTC time without a zone, from ISO, from a day in the order chosen, or from a count of seconds since 1970."""
    match raw:
        case datetime():
            return _utc(raw)
        case date():
            return datetime(raw.year, raw.month, raw.day)
        case bool():
            return Misfit(f"{shown(raw)} is true or false, not a date")
        case int() | float():
            return _from_epoch(raw)
        case str():
            return _from_text(raw, raw.strip(), order)
    return Misfit(f"{shown(raw)} is no date")


def _from_epoch(seconds: float) -> datetime | Misfit:
    whole = int(seconds) if _FIRST_SECOND <= seconds <= _LAST_SECOND else 0
    if whole == seconds and (whole in _YEARS or (whole in _COMPACT_DAYS and _iso(str(whole)))):
        return Misfit(f"{shown(seconds)} may be a calendar date or seconds since 1970; write it as 2024-03-10")
    if not _FIRST_SECOND <= seconds <= _LAST_SECOND:
        if not _FIRST_SECOND * 1000 <= seconds <= _LAST_SECOND * 1000:
            return Misfit(f"{shown(seconds)} is no count of seconds since 1970 that lies in the years 1 to 9999")
        return _EPOCH + timedelta(milliseconds=seconds)
    return _EPOCH + timedelta(seconds=seconds)


def _from_text(raw: str, text: str, order: DateOrder | None) -> datetime | Misfit:
    if not text:
        return Misfit("it is empty, which is no date")
    if ISO_TEXT.fullmatch(text) or _COMPACT.fullmatch(text):
        return _iso(text) or Misfit(f"{shown(raw)} is a day or time that does not exist")
    if year_first := YEAR_FIRST_TEXT.fullmatch(text):
        return _day(raw, year_first["year"], year_first["month"], year_first["day"])
    if local := LOCAL_TEXT.fullmatch(text):
        return _local(raw, local, order)
    if _DIGITS.fullmatch(text) and _EPOCH_DIGITS <= len(text.lstrip("-")) <= len(str(_LAST_SECOND * 1000)):
        return _from_epoch(int(text))
    return Misfit(f"{shown(raw)} is no date as ISO writes it (2024-03-10, or 2024-03-10T09:30:00Z)")


def _iso(text: str) -> datetime | None:
    try:
        found = _utc(datetime.fromisoformat(text.upper()))
    except ValueError:
        return None
    return found if isinstance(found, datetime) else None


def _utc(time: datetime) -> datetime | Misfit:
    try:
        return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time
    except OverflowError:
        return Misfit(f"{shown(time)} lies outside the years 1 to 9999 in UTC")


def _local(raw: str, found: re.Match[str], order: DateOrder | None) -> datetime | Misfit:
    if order is None:
        return Misfit(f"{shown(raw)} leaves the order of day and month unclear; choose day first or month first")
    day, month = (
        (found["first"], found["second"]) if order is DateOrder.DAY_FIRST else (found["second"], found["first"])
    )
    time = (found["hour"] or "0", found["minute"] or "0", found["seconds"] or "0")
    return _day(raw, found["year"], month, day, *time)


def _day(
    raw: str, year: str, month: str, day: str, hour: str = "0", minute: str = "0", second: str = "0"
) -> datetime | Misfit:
    try:
        return datetime(int(year), int(month), int(day), int(hour), int(minute), int(second))
    except ValueError:
        return Misfit(f"{shown(raw)} is a day or time that does not exist")
