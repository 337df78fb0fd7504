"""How much work a regular expression can be."""

from __future__ import annotations

import re

from core.errors import InvalidFilter

MOST_CHARACTERS, MOST_STEPS = 1000, 500
_OF_UNICODE = 10  # a property of Unicode is hundreds of ranges; measured beside a single character

_TOKEN = re.compile(
    r"\\Q.*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|.)|\\x\{[^}]*\}|\\.|\[\^?\]?(?:\[:\w*:\]|\\.|[^\]\\])*\]|\{(?P<low>\d+)(?:(?P<open>,)(?P<high>\d*))?\}"
    r"|(?P<group>\((?:\?(?:P?<[^>]*>|[\w-]*:)?)?)|.",
    re.DOTALL,
)


def refuse_heavy(pattern: str) -> None:
    """See that a pattern can be tried on much text: matching takes time for each character and each of its steps.

    Raises:
        InvalidFilter: it has more than 1,000 characters, or more than 500 steps with its repetitions written out.
    """
    if len(pattern) > MOST_CHARACTERS:
        raise InvalidFilter(f"The pattern has {len(pattern):,} characters.", f"Up to {MOST_CHARACTERS:,} are read.")
    if steps(pattern) > MOST_STEPS:
        raise InvalidFilter(
            f"The pattern repeats too much: written out it has more than {MOST_STEPS} steps.",
            "Write smaller numbers in {…}, or * and + instead.",
        )


def steps(pattern: str) -> int:
    """How many characters, classes and groups a pattern has, those in repetitions as often as they may be repeated."""
    # A stack of [steps of the group, steps of its last part]: a repetition multiplies the last part.
    groups = [[0, 0]]
    for token in _TOKEN.finditer(pattern):
        text, group = token[0], groups[-1]
        if token["group"]:
            groups.append([1, 0])
        elif text == ")" and len(groups) > 1:
            whole = sum(groups.pop())
            groups[-1] = [sum(groups[-1]), whole]
        elif token["low"]:
            most = int((token["high"] or token["low"])[:6]) + bool(token["open"] and not token["high"])
            group[1] *= max(1, most)
        elif text not in "*+?":
            groups[-1] = [sum(group), _weight(text)]
    return sum(map(sum, groups))


def _weight(part: str) -> int:
    if part.startswith("\\Q"):
        return len(part)
    return _OF_UNICODE if part[:2] in ("\\p", "\\P") or "\\p" in part else 1
