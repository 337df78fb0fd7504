"""The front matter of a Markdown text: YAML between lines of ``---``, or TOML between lines of ``+++``.

YAML is read from its events, so nothing is ever constructed but text, numbers, true, false, null, lists and
mappings. Words are typed as the core schema of YAML 1.2 does, and less where writing would be lost: ``007``, ``+49``,
``0x1F``, ``yes`` and dates stay the text they are. What is read can always be written as JSON and as UTF-8.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import date, time
from typing import Any

import yaml  # type: ignore[import-untyped]

from core.errors import InvalidMetadata

MAX_CHARACTERS = 100_000
_MAX_ALIASES = 100
_MAX_COPIED = 10_000  # values that aliases stand for, all together
_MAX_DEPTH = 40
_MAX_DIGITS = 300  # a float holds up to 308
_MAX_MESSAGE = 200  # characters of what a library says

_OPEN = re.compile(r"\ufeff?(?P<fence>---|\+\+\+)[ \t]*\r?\n")
_CLOSE = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*(?:\r?\n|\Z)", re.MULTILINE),
}
_FIRST_LINE = re.compile(r"""\s*+(?:\#|\{|\[|\?[ \t]|"|'|%|!|&|[^\s:][^\n]*?:(?:\s|\Z)|[^=\n]++=|\Z)""")
"""What a mapping may begin with; below a mere rule across the page stands a sentence."""
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HALF = re.compile("[\ud800-\udfff]")
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""What escapes can write and no text holds."""
_INTEGER = re.compile(r"0|-?[1-9]\d*", re.ASCII)
_FLOAT = re.compile(r"-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_CONSTANTS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_TOO_BIG = 10**_MAX_DIGITS
_CORE = "tag:yaml.org,2002:"
_TOML_DEEP = re.compile(rf"""(?<![\w"'-])(?:[\w"'-]++\s*+\.\s*+){{{_MAX_DEPTH}}}""")
"""A dotted key that nests too deeply; reading one takes time that grows with the square of its parts."""
_TOML_LINE = re.compile(r"\(at (?:line (?P<line>\d+), column \d+|end of document)\)")


def parse(text: str) -> tuple[dict[str, object], int]:
    """The mapping at the beginning of ``text``, and the offset where the body begins; ``{}`` and 0 if there is none.

    Raises:
        InvalidMetadata: it cannot be read, has a key twice, or unfolds beyond all bounds; the line is named.
    """
    fences = _fences(text)
    if fences is None:
        return {}, 0
    opened, closed = fences
    inside = text[opened.end() : closed.start()]
    if len(inside) > MAX_CHARACTERS:
        raise _refused(f"has {len(inside):,} characters; up to {MAX_CHARACTERS:,} are read")
    odd = _UNPRINTABLE.search(inside)
    if odd:
        raise _unprintable(odd[0], 2 + inside.count("\n", 0, odd.start()))
    found = _toml(inside) if opened["fence"] == "+++" else _yaml(inside)
    return ({}, 0) if found is None else (found, closed.end())


def end(text: str) -> int:
    """Where the body begins below what looks like front matter, whether it can be read or not; 0 if nothing does."""
    fences = _fences(text)
    return fences[1].end() if fences else 0


def _fences(text: str) -> tuple[re.Match[str], re.Match[str]] | None:
    """The lines above and below what looks like front matter."""
    opened = _OPEN.match(text)
    closed = _CLOSE[opened["fence"]].search(text, opened.end()) if opened else None
    if opened is None or closed is None or not _FIRST_LINE.match(text, opened.end(), closed.start()):
        return None
    return opened, closed


def _refused(what: str, line: int | None = None) -> InvalidMetadata:
    where = f" in line {line}" if line else ""
    return InvalidMetadata(f"The front matter {what}{where}.", "Mend it and add the file again.")


def _unprintable(character: str, line: int | None = None) -> InvalidMetadata:
    return _refused(f"holds the unprintable character U+{ord(character):04X}", line)


# YAML


@dataclass(slots=True)
class _Anchors:
    """What has a name in the text, and how often names were used. Sizes count scalars, lists and mappings."""

    found: dict[str, tuple[object, int]] = field(default_factory=dict)
    aliases: int = 0
    copied: int = 0


def _yaml(text: str) -> dict[str, object] | None:
    """The mapping that the text holds; None for text of another shape, which is no front matter."""
    events = yaml.parse(text, Loader=yaml.SafeLoader)
    try:
        first = next(
            event for event in events if not isinstance(event, (yaml.StreamStartEvent, yaml.DocumentStartEvent))
        )
        if isinstance(first, yaml.StreamEndEvent):
            return {}
        found, _ = _value(first, events, _Anchors(), 0)
        if any(isinstance(event, yaml.DocumentStartEvent) for event in events):
            raise _refused("holds more than one YAML document")
    except InvalidMetadata:
        raise
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = error.problem or error.context or "cannot be read"
        raise _refused(f"is no YAML: {what[:_MAX_MESSAGE]}", mark.line + 2 if mark else None) from None
    except (ValueError, OverflowError):
        raise _refused("is no YAML: it has a number or a character code that is too big") from None
    return {} if found is None else found if isinstance(found, dict) else None


def _value(event: Any, events: Iterator[Any], anchors: _Anchors, depth: int) -> tuple[object, int]:
    """The value that begins with ``event``, and its size."""
    if depth > _MAX_DEPTH:
        raise _refused("is nested too deeply", _line(event))
    if isinstance(event, yaml.AliasEvent):
        return _copy(event, anchors)
    if isinstance(event, yaml.ScalarEvent):
        found, size = _scalar(event), 1
    elif isinstance(event, yaml.SequenceStartEvent):
        _check_tag(event, "seq")
        found, size = _list(events, anchors, depth)
    else:
        _check_tag(event, "map")
        found, size = _mapping(events, anchors, depth)
    if event.anchor:
        anchors.found[event.anchor] = found, size
    return found, size


def _list(events: Iterator[Any], anchors: _Anchors, depth: int) -> tuple[object, int]:
    found, size = [], 1
    while not isinstance(event := next(events), yaml.SequenceEndEvent):
        item, more = _value(event, events, anchors, depth + 1)
        found.append(item)
        size += more
    return found, size


def _mapping(events: Iterator[Any], anchors: _Anchors, depth: int) -> tuple[object, int]:
    found: dict[str, object] = {}
    size = 1
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        if not isinstance(event, yaml.ScalarEvent):
            raise _refused("has a key that is no plain text", _line(event))
        key = _text(event)
        if key in found:
            raise _refused(f"has the key {key[:60]!r} twice, again", _line(event))
        found[key], more = _value(next(events), events, anchors, depth + 1)
        size += more
    return found, size


def _copy(event: Any, anchors: _Anchors) -> tuple[object, int]:
    """What an alias stands for, as a value of its own."""
    if event.anchor not in anchors.found:
        raise _refused(f"uses *{event.anchor[:60]} where nothing of that name is complete", _line(event))
    value, size = anchors.found[event.anchor]
    anchors.aliases += 1
    anchors.copied += size
    if anchors.aliases > _MAX_ALIASES or anchors.copied > _MAX_COPIED:
        raise _refused("unfolds its aliases beyond all bounds", _line(event))
    return deepcopy(value), size


def _scalar(event: Any) -> object:
    plain = event.implicit[0]
    if event.tag not in (None, "!"):
        _check_tag(event, "str", "int", "float", "bool", "null")
        plain = not event.tag.endswith(":str")
    text = _text(event)
    return _typed(text) if plain else text


def _text(event: Any) -> str:
    """A scalar's text, with characters in one piece that were escaped as two halves, as JSON does."""
    text: str = event.value
    if _HALF.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    if odd := _NO_TEXT.search(text):
        raise _unprintable(odd[0], _line(event))
    return text


def _typed(word: str) -> object:
    if word in _CONSTANTS:
        return _CONSTANTS[word]
    if _INTEGER.fullmatch(word):
        return int(word) if len(word) <= _MAX_DIGITS else word
    number = float(word) if _FLOAT.fullmatch(word) else math.nan
    return number if math.isfinite(number) else word


def _check_tag(event: Any, *names: str) -> None:
    if event.tag not in (None, "!", *(f"{_CORE}{name}" for name in names)):
        raise _refused(f"uses the tag {event.tag[:60]!r}, which is not read,", _line(event))


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 2


# TOML


def _toml(text: str) -> dict[str, object]:
    if deep := _TOML_DEEP.search(text):
        raise _refused("is nested too deeply", 2 + text.count("\n", 0, deep.start()))
    try:
        found = tomllib.loads(text, parse_float=_toml_float)
    except tomllib.TOMLDecodeError as error:
        where = _TOML_LINE.search(str(error))
        line = int(where["line"]) + 1 if where and where["line"] else None
        what = _TOML_LINE.sub("", str(error)).strip()
        raise _refused(f"is no TOML: {what[:_MAX_MESSAGE]}", line) from None
    except RecursionError:
        raise _refused("is nested too deeply") from None
    except ValueError:
        raise _refused("holds a number too long") from None
    return {_toml_text(key): _plain(value, 1) for key, value in found.items()}


def _toml_float(digits: str) -> object:
    number = float(digits.replace("_", ""))
    return number if math.isfinite(number) else digits


def _plain(value: object, depth: int) -> object:
    """``value`` as JSON has it; days and times are their ISO text."""
    if depth > _MAX_DEPTH:
        raise _refused("is nested too deeply")
    match value:
        case dict():
            return {_toml_text(key): _plain(item, depth + 1) for key, item in value.items()}
        case list():
            return [_plain(item, depth + 1) for item in value]
        case date() | time():
            return value.isoformat()
        case str():
            return _toml_text(value)
        case int() if abs(value) >= _TOO_BIG:
            raise _refused("holds a number too long")
    return value


def _toml_text(text: str) -> str:
    if odd := _NO_TEXT.search(text):
        raise _unprintable(odd[0])
    return text
