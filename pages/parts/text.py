"""Text of users' making, shown as it is: never as Markdown, LaTeX or HTML."""

from __future__ import annotations

import html
import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:<>&^=])")


_ICON = re.compile(r":(?=material/|streamlit:)")
_ARROW = re.compile(r"(?<!\S)(?:<->|->|<-|--|>=|<=|~=)(?!\S)")
_JOINER = "\u2060"  # no width, no break


def literal(text: str) -> str:
    """``text`` for a place that reads Markdown, every sign of it escaped, on one line.

    Streamlit draws icons and arrows after Markdown has been read, escaped or not: a joiner of no width keeps them apart.
    """
    line = _ICON.sub(f":{_JOINER}", " ".join(text.split()))
    line = _ARROW.sub(lambda found: _JOINER.join(found[0]), line)
    return _MARKDOWN.sub(r"\\\1", line)


def escaped(text: str) -> str:
    """``text`` for HTML."""
    return html.escape(text, quote=True)


def shortened(text: str, length: int) -> str:
    """``text`` on one line, at most ``length`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def counted(number: int, noun: str) -> str:
    """``3 documents``, ``1 document``."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + ("es" if noun.endswith("x") else "s")
    return f"{number:,} {noun if number == 1 else plural}"


def percent(part: float, whole: float) -> str:
    """``43 %``; 0 % and 100 % are none and all, and what is close to them says on which side it lies."""
    if not whole:
        return "–"
    share = part / whole
    if 0 < share < 0.01:
        return "< 1 %"
    return "> 99 %" if 0.99 < share < 1 else f"{100 * share:.0f} %"
