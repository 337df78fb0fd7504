"""Word files: mammoth makes them HTML, from which the blocks are read as from a web page.

Page headers and footers, deleted text, hidden text and comments are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from core.read import package
from core.read.content import Assembler, Content
from core.read.docx import xml
from core.read.formats import Format
from core.read.html import tree, walk
from core.read.html.parts import picture_notices, put
from core.settings import ReadSettings
from core.types import Progress


def content(data: bytes, format: Format, settings: ReadSettings, progress: Progress) -> Content:
    """A Word file: its body in order, then its footnotes and endnotes under "Notes".

    Raises:
        UnreadableFile: damaged, locked, or too large to unpack.
    """
    found: Counter[str] = Counter()
    with package.reading(format.name):
        progress(0, 3, "Unpacking")
        parts = xml.prepare(package.parts(package.opened(data, format.name)), found)
        progress(1, 3, "Reading the document")
        source = _html(parts, titled=found["titles"] > 0)
        progress(2, 3, "Putting the text together")
        return _content(source, found, settings)


def _html(parts: dict[str, Any], *, titled: bool) -> str:
    import mammoth

    converted = mammoth.convert_to_html(
        package.zipped(parts),
        style_map=xml.style_map(titled=titled),
        include_embedded_style_map=False,
        convert_image=mammoth.images.img_element(lambda _: {}),
    )
    return str(converted.value)


def _content(source: str, found: Counter[str], settings: ReadSettings) -> Content:
    page = tree.parsed(f"<html><body>{source}</body></html>")
    assembler = Assembler(ligatures=settings.clean)
    if page is None:
        return assembler.content()
    notes = _taken_notes(page.root)
    _join_captions(page.root)
    said = walk.of(page.root, layout=False, clean=settings.clean)
    put(said.parts, assembler)
    if notes is not None:
        assembler.section("Notes", 1)
        put(walk.of(notes, layout=False, clean=settings.clean).parts, assembler)
    made = assembler.content(notices=[*picture_notices(said.pictures), *_notices(found)])
    counts = Counter(made.cleaned)
    counts.update(hidden=found["hidden"], deletions=found["deletions"], hyphens=said.hyphens)
    return replace(made, cleaned=dict(+counts))


def _notices(found: Counter[str]) -> Iterator[str]:
    if found["comments"]:
        yield f"{found['comments']:,} comment{'s were' if found['comments'] > 1 else ' was'} left out."
    if found["unread"]:
        yield (
            "1 chart, diagram or inserted file is not read."
            if found["unread"] == 1
            else f"{found['unread']:,} charts, diagrams or inserted files are not read."
        )


def _taken_notes(root: Any) -> Any:
    """The list of footnotes and endnotes, taken out of the page; each begins with the number that refers to it."""
    notes = next((item.getparent() for item in root.iter("li") if _is_note(item)), None)
    if notes is None:
        return None
    for number, note in enumerate(notes.iterchildren("li"), 1):
        for link in note.iter("a"):
            if "-ref-" in link.get("href", ""):
                link.text = None
        first = next(note.iter("p"), note)
        first.text = f"[{number}] {first.text or ''}"
    notes.getparent().remove(notes)
    return notes


def _is_note(item: Any) -> bool:
    name: str = item.get("id", "")
    return name.startswith(("footnote-", "endnote-"))


def _join_captions(root: Any) -> None:
    """A caption beside a table becomes the table's, one under a picture the picture's."""
    for caption in [each for each in root.iter("p") if each.get("class") == "caption"]:
        before, after = caption.getprevious(), caption.getnext()
        table = next((each for each in (after, before) if _lacks_caption(each)), None)
        if table is not None:
            caption.tag = "caption"
            table.insert(0, caption)
        elif before is not None and before.tag == "p" and before.find(".//img") is not None:
            figure = root.makeelement("figure")
            before.addprevious(figure)
            caption.tag = "figcaption"
            figure.extend([before, caption])


def _lacks_caption(element: Any) -> bool:
    return element is not None and element.tag == "table" and element.find("caption") is None
