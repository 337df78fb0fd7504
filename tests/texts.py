"""Hard texts for property tests, and what holds for every list of spans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from hypothesis import strategies as st

from core import markup, read
from core.read import markdown, plain
from core.types import Document

_SENTENCES = (
    "Valve open.", "Valve shut.", "Valve open.", "No punctuation here", "v1.2.3 is out at example.com/a.b.", "Dr. Li met Mr. Ek.",
    "Really?!", "“Stop.”", "…", ". . .", "---", "***", "1. Open it.", "- item one", "| a | b |", "|---|---|", "# Title", "```", "    code",
    "> quoted. Twice.", "[ref]: https://example.com", "<b>html</b>", "👩‍🔧 flew the 🇳🇴 flag.", "🚀🚀", "Cafe\u0301 differs.", "e\u0301\u0301\u0301.",
    "会议三点开始。请看材料！", "「好。」他说。", "שלום עולם. מה שלומך?", "مرحبا بالعالم. كيف حالك؟", "\u202eabc\u202c.", "a\u0000b.", "a\u0007b",
    "x\u2028y.", "x\u0085y", "\u200b", "\ufeff", "\u00ad", "ﬁnal.", "ß.", "İ.", "x" * 70, "U.S. Steel Inc. rose. It fell.", "$5.00 for 3.5 kg.",
)  # fmt: skip
_GAPS = (
    " ",
    "  ",
    "\n",
    "\n\n",
    "\n \n",
    "\r\n",
    "\r\n\r\n",
    "\r",
    "\t",
    "",
    "\u00a0",
    "\u3000",
    "\x0c",
    "\n    ",
    "\n  - ",
    "\n> ",
)

pieces = st.one_of(st.sampled_from(_SENTENCES), st.text(max_size=12))
hard = st.lists(st.tuples(st.sampled_from(_GAPS), pieces), min_size=1, max_size=14).map(
    lambda parts: "".join(gap + piece for gap, piece in parts)
)
"""Texts of many scripts, line ends and accidents; possibly blank."""

_LINES = st.sampled_from(
    (
        "# One", "## Two", "### Three ###", "Set\n===", "Sub\n---", "- a", "  - b", "1. one", "2) two", "   deep", "> q", ">> qq", "```py",
        "```", "~~~", "    code", "\tcode", "| a | b |", "|---|:-:|", "| 1 | 2 |", "---", "***", "<div>", "</div>", "<!-- c", "-->", "[r]: /u", "[r]:",
        "text *x* `y`.", "\\# no", "&amp; é 👩‍🔧", "", "", " ", "\u00a0", "#", "-", "\x0c", "a\u0000b", "x\u2028y", "**Bold.** Next one. Third one!",
    )
)  # fmt: skip
noise = st.lists(st.one_of(_LINES, st.text(max_size=10)), max_size=14).map("\n".join)
"""Lines that look like Markdown, in any order."""


class Spanned(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def document(text: str, name: str = "a.txt") -> Document:
    """``text`` as a document, its line ends made canonical, without ``decode``'s refusals."""
    canonical = text.replace("\r\n", "\n").replace("\r", "\n")
    blocks = markdown.blocks if name.endswith(".md") else plain.blocks
    return Document(
        read.document_id(name), read.revision(canonical), name, "text/plain", canonical, tuple(blocks(canonical))
    )


def assert_tiles(text: str, spans: Sequence[Spanned], *, stripped: bool = True) -> None:
    """The spans are disjoint, in order, none blank, and nothing outside them can be seen."""
    at = 0
    for span in spans:
        assert at <= span.start < span.end <= len(text)
        assert markup.is_nothing(text[at : span.start])
        piece = text[span.start : span.end]
        assert piece == piece.strip() if stripped else piece.strip()
        at = span.end
    assert markup.is_nothing(text[at:])
