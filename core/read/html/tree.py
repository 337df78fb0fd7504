"""HTML source becomes a tree without what a browser does not show: scripts, templates, hidden elements."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from lxml import etree, html


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


BLOCKS = _names(
    "address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol "
    "optgroup option p plaintext pre search section select summary table tbody td textarea tfoot th thead tr ul xmp"
)
"""Elements that stand on lines of their own; all others, unknown ones too, stand in the line."""

_UNSHOWN = _names(
    "annotation annotation-xml applet area audio base canvas datalist embed frame iframe link meta noembed noframes "
    "noscript object param script source style template title track video"
)
_HIDING = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\b", re.IGNORECASE)
_BLOCK_STYLE = re.compile(r"(?:^|;)\s*display\s*:\s*(?:block|flex|grid|list-item|flow-root|table)\b", re.IGNORECASE)
_SELF_CLOSED = re.compile(
    r"<(script|style|title|textarea|iframe|noscript|a|p|div|span)((?:\s[^<>]*?)?)/>", re.IGNORECASE
)
_SUBSET = re.compile(r"(<!DOCTYPE[^>\[]*)\[[^\]]*\]", re.IGNORECASE)
_HEAD = 10_000
# At 2,048 the parser drops elements in silence, with all text that follows; no page is written half so deep.
_TOO_DEEP = 1000
_SAFE_DEPTH = 300
_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|template|noscript|textarea|title)\b.*?(?:</\1\s*>|\Z)|<(/?)([a-z][^\s/>]*)[^<>]*>",
    re.IGNORECASE | re.DOTALL,
)
_VOID = _names("area base br col embed hr img input link meta param source track wbr")
# Elements that the next of their kind closes: they do not nest by themselves.
_CLOSED_BY_NEXT = _names("p li dt dd tr td th thead tbody tfoot option")


@dataclass(frozen=True, slots=True)
class Page:
    """A page's tree as it is shown; its ``title``; how many ``hidden`` elements with text were left out.

    The ``root`` is walked, not the body: where a page names neither head nor body, text can stand in both.
    ``scripted``: scripts may have built what a browser would show.
    """

    root: Any
    title: str
    hidden: int
    scripted: bool


def parsed(source: str) -> Page | None:
    """The page that ``source`` is; none if there is nothing in it. Broken markup is repaired as browsers do; no entity is fetched."""
    if not source.strip():
        return None
    # An internal subset declares entities; the HTML parser would show its end as text.
    source = _SUBSET.sub(r"\1", source[:_HEAD], count=1) + source[_HEAD:]
    if source.lstrip("\ufeff \t\r\n").startswith("<?xml"):
        source = _SELF_CLOSED.sub(r"<\1\2></\1>", source)
    root = _tree(source)
    if root is not None and _too_deep(root):
        root = _tree(_flattened(source))
    if root is None:
        return None
    title = root.findtext("head/title") or ""
    hidden, scripted = _prune(root)
    return Page(root, " ".join(title.split()), hidden, scripted)


def is_block(element: Any) -> bool:
    """Whether the element stands on lines of its own."""
    return element.tag in BLOCKS or ("style" in element.attrib and bool(_BLOCK_STYLE.search(element.get("style"))))


def _tree(source: str) -> Any:
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True)
    try:
        return html.document_fromstring(source.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:
        return None


def _too_deep(root: Any) -> bool:
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth >= _TOO_DEEP:
            return True
    return False


def _flattened(source: str) -> str:
    """``source`` without the tags that open deeper than anyone reads; where blocks began or ended, a line ends."""
    # By whether they are blocks: inline elements that nobody closed cost no block its place.
    depths = [0, 0]
    kept: list[str] = []
    at = 0
    for found in _TAG.finditer(source):
        kept.append(source[at : found.start()])
        at = found.end()
        tag = (found[3] or "").lower()
        if tag:
            kept.append(_kept_tag(found[0], tag, bool(found[2]), depths))
    return "".join([*kept, source[at:]])


def _kept_tag(written: str, tag: str, closing: bool, depths: list[int]) -> str:
    block = tag in BLOCKS
    deep = depths[block] >= _SAFE_DEPTH + closing
    if tag not in _VOID and tag not in _CLOSED_BY_NEXT:
        depths[block] = max(0, depths[block] - 1) if closing else depths[block] + 1
    if not deep or tag in _VOID:
        return written
    return "<br><br>" if block else ""


def _prune(root: Any) -> tuple[int, bool]:
    """Empty what is not shown; say how many hidden elements had text, and whether there were scripts."""
    counts: Counter[str] = Counter()
    walk = etree.iterwalk(root, events=("start",))
    unseen = []
    for _, element in walk:
        if element.tag in _UNSHOWN:
            counts["scripts"] += element.tag == "script"
        elif _is_hidden(element):
            counts["hidden"] += any(piece.strip() for piece in element.itertext())
        elif element.tag != "svg":
            continue
        walk.skip_subtree()
        unseen.append(element)
    for element in unseen:
        _empty(element)
    return counts["hidden"], counts["scripts"] > 0


def _empty(element: Any) -> None:
    """Leave nothing of it. A drawing becomes a picture with the drawing's words as its text.

    It is emptied, not taken out: joining the texts around many of them would take quadratic time.
    """
    drawn = element.tag == "svg" and not _is_hidden(element)
    words = (element.findtext("{*}title") or " ".join(_shown_words(element))) if drawn else ""
    block = element.tag in BLOCKS and element.tag not in ("td", "th")
    element.clear(keep_tail=True)
    element.tag = "img" if drawn else "div" if block else "wbr"
    if words.strip():
        element.set("alt", words)


def _shown_words(drawing: Any) -> list[str]:
    return ["".join(text.itertext()).strip() for text in drawing.iter("text", "foreignobject", "foreignObject")]


def _is_hidden(element: Any) -> bool:
    attributes = element.attrib
    if element.tag == "dialog" and "open" not in attributes:
        return True
    if not attributes:
        return False
    if attributes.get("hidden", "until-found").strip().lower() != "until-found":
        return True
    # A formula's picture is hidden from screen readers only: its text is what others see.
    if attributes.get("aria-hidden", "").strip().lower() == "true" and not (
        element.tag == "img" and element.get("alt")
    ):
        return True
    return "style" in attributes and bool(_HIDING.search(attributes["style"]))
