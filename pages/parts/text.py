"""Text of users' making, shown as it is: never as Markdown, LaTeX or HTML."""

from __future__ import annotations

import html
import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:<>&^=])")


def literal(text: str) -> str:
    """``text`` for a place that reads Markdown, every sign of it escaped, on one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


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
