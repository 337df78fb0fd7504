"""Web pages: the main text, or all that a browser would show."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from core.errors import UnreadableFile
from core.read.content import Assembler, Content
from core.read.declared import decoded_as
from core.read.formats import Format
from core.read.html import tree, walk
from core.read.html.parts import Part, picture_notices, put
from core.settings import ReadSettings
from core.types import BlockKind, Progress

_META = re.compile(rb"""<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_DECLARATION = re.compile(rb"""^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)""")
_HEAD = 4096
_WORDS = re.compile(r"\w+")
# Trafilatura's time grows with the square of the page; 1 MB takes 0.7 s.
_LONGEST_JUDGED = 1_000_000
_MOST_ELEMENTS = 40_000
# Measured on manuals, articles and landing pages: on shorter pages it drops lists, headings and single lines as noise.
_SHORTEST_JUDGED = 2_000
_LEAST_KEPT = 0.6
_SAME = 0.5
_MOST_BETWEEN = 0.2
_DEEPEST = 1000
_BESIDE = frozenset({"nav", "footer", "aside", "dialog"})
_LEFT_OUT = "Menus, footers and the like were left out ({:,} characters); read the whole page to keep them."


def content(data: bytes, _format: Format, settings: ReadSettings, progress: Progress) -> Content:
    """A web page; ``settings.whole_page`` keeps its menus and footers.

    Raises:
        UnreadableFile: binary bytes, or a page that shows nothing without its scripts.
    """
    text = decoded_as(data, _declared(data), settings)
    progress(0, 3, "Reading the page")
    page = tree.parsed(text.text)
    if page is None:
        return Content("", ())
    said = walk.of(page.root, clean=settings.clean)
    if not said.parts and page.scripted:
        raise UnreadableFile(
            "The page shows no text without its scripts.", "Open it in a browser, save what it shows, and add that."
        )
    progress(1, 3, "Finding the main text")
    kept = said.parts if settings.whole_page else main_text(said.parts, page.root)
    progress(2, 3, "Putting the text together")
    assembler = Assembler(ligatures=settings.clean)
    put(_titled(kept, page.title), assembler)
    left_out = _size(said.parts) - _size(kept)
    made = assembler.content(
        encoding=text.encoding,
        guessed=text.guessed,
        notices=[
            *text.notices,
            *([_LEFT_OUT.format(left_out)] if left_out else []),
            *picture_notices(said.pictures),
        ],
    )
    counts = Counter(text.cleaned)
    counts.update(made.cleaned)
    counts.update(menus=len(said.parts) - len(kept), hidden=page.hidden, hyphens=said.hyphens)
    return replace(made, cleaned=dict(+counts))


def main_text(parts: Sequence[Part], root: Any) -> Sequence[Part]:
    """The parts that are the page's subject, as trafilatura finds it; or all but menus, headers and footers.

    Trafilatura only chooses: what it keeps is our own reading of the page, since its text tears and drops structure.
    """
    side = _side_regions(parts)
    article = [part for part in parts if not part.regions & side or _is_title(part, side)]
    size = _size(article)
    if not _SHORTEST_JUDGED <= size <= _LONGEST_JUDGED or _many(root.iter(), _MOST_ELEMENTS):
        return article
    chosen = _chosen(parts, _main_words(root))
    return chosen if _size(chosen) >= _LEAST_KEPT * size else article


def _side_regions(parts: Sequence[Part]) -> frozenset[str]:
    """The regions that are beside the subject. One that holds half of the page is the page: a form around all, say."""
    whole = _size(parts)
    sizes: Counter[str] = Counter()
    for part in parts:
        for region in part.regions:
            sizes[region] += len(part.words)
    return frozenset(region for region, size in sizes.items() if size * 2 < whole)


def _is_title(part: Part, side: frozenset[str]) -> bool:
    """Whether it is a heading that stands in the page's header, and in no menu there."""
    return part.kind is BlockKind.HEADING and part.regions & side == {"header"}


def _many(elements: Iterator[Any], most: int) -> bool:
    return next(islice(elements, most, None), None) is not None


def _size(parts: Sequence[Part]) -> int:
    return sum(len(part.words) for part in parts)


def _main_words(root: Any) -> list[str]:
    """The words of the main text, in order; none if trafilatura finds nothing or stumbles. The tree loses its spans."""
    # Imported here: it takes 0.5 s.
    from trafilatura import bare_extraction

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    # It writes spans out, however many cells that makes.
    for cell in root.iter("td", "th"):
        cell.attrib.pop("colspan", None)
        cell.attrib.pop("rowspan", None)
    try:
        found: Any = bare_extraction(root, include_comments=False, favor_recall=True)
    except Exception:  # noqa: BLE001 - it only chooses; without it the page is read all the same
        return []
    if found is None or found.body is None:
        return []
    return _WORDS.findall(" ".join(found.body.itertext()).casefold())


def _chosen(parts: Sequence[Part], main: Sequence[str]) -> list[Part]:
    """The parts most of whose words stand in the main text in the same order, their headings, and what lies between."""
    known = set(zip(main, main[1:], main[2:], strict=False))
    keep = [_share(part, known) >= _SAME for part in parts]
    _keep_headings(parts, keep)
    _keep_between(parts, keep)
    return [part for part, kept in zip(parts, keep, strict=True) if kept]


def _share(part: Part, known: set[tuple[str, str, str]]) -> float:
    """How much of ``part`` is known, from 0 to 1; what has fewer than three words is not."""
    words = _WORDS.findall(part.words.casefold())
    triples = list(zip(words, words[1:], words[2:], strict=False))
    return sum(triple in known for triple in triples) / max(1, len(triples))


def _keep_headings(parts: Sequence[Part], keep: list[bool]) -> None:
    """Keep a heading if anything in its section is kept."""
    # The highest heading between here and the next part that is kept; none is kept yet at 0.
    barrier = 0
    for number in range(len(parts) - 1, -1, -1):
        part = parts[number]
        if part.kind is BlockKind.HEADING:
            keep[number] = part.level < barrier and not part.regions & _BESIDE
            barrier = min(barrier, part.level)
        elif keep[number]:
            barrier = _DEEPEST


def _keep_between(parts: Sequence[Part], keep: list[bool]) -> None:
    """Keep what lies between two parts that are kept, unless it is long: notes, tables, dates, single lines.

    What is no subject stands before and after it, mostly.
    """
    side = _side_regions(parts)
    most = _MOST_BETWEEN * _size(parts)
    gap: list[int] = []
    begun = False
    for number, part in enumerate(parts):
        if keep[number]:
            if begun and sum(len(parts[one].words) for one in gap) <= most:
                for one in gap:
                    keep[one] = True
            begun, gap = True, []
        elif not part.regions & side:
            gap.append(number)


def _titled(parts: Sequence[Part], title: str) -> Sequence[Part]:
    """``parts`` under the page's title, unless they have one of their own."""
    if not parts or not title or any(part.kind is BlockKind.HEADING and part.level == 1 for part in parts):
        return parts
    return [Part(BlockKind.HEADING, title, level=1), *parts]


def _declared(data: bytes) -> str:
    """The encoding that the page says it is in; empty if it says none."""
    found = _DECLARATION.search(data[:_HEAD]) or _META.search(data[:_HEAD])
    return found[1].decode("ascii") if found else ""
