"""The XML of a Word file, rewritten so that mammoth finds what it would leave out, and styles by what they mean.

Mammoth knows no text boxes without a fallback, no formulas and simple fields, no custom heading and list styles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from lxml import etree

_READ = frozenset({"document", "styles", "numbering", "footnotes", "endnotes", "Types", "Relationships"})
_STORIES = frozenset({"document", "footnotes", "endnotes"})
_CODE = re.compile(r"\b(?:code|source|verbatim|preformatted|macro|console|terminal)\b")
_LIST = re.compile(r"list (bullet|number)(?: ([2-5]))?$")
_MARK = "mark"
_DEEPEST = 9
_DEEPEST_STYLE = 20


def prepare(parts: Mapping[str, Any], found: Counter[str]) -> dict[str, Any]:
    """The parts that carry text, rewritten in place; ``found`` counts titles, deletions, hidden texts, comments …"""
    kept = {path: root for path, root in parts.items() if _local(root) in _READ}
    styles = next((root for root in kept.values() if _local(root) == "styles"), None)
    roles = {} if styles is None else _roles(styles)
    for root in kept.values():
        if _local(root) in _STORIES:
            _rewrite(root, roles, found)
    return kept


def _rewrite(root: Any, roles: Mapping[str, str], found: Counter[str]) -> None:
    found["comments"] += len(list(_all(root, "commentReference")))
    found["deletions"] += sum(1 for _ in _all(root, "delText"))
    found["unread"] += sum(1 for _ in _all(root, "chart", "relIds", "altChunk"))
    for prompt in [*_all(root, "showingPlcHdr")]:
        _drop(_ancestor(prompt, "sdt"))
    for mark in [*_all(root, "vanish")]:
        if _value(mark) not in ("0", "false") and (run := _run_of(mark)) is not None:
            found["hidden"] += any((text.text or "").strip() for text in _all(run, "t"))
            _drop(run)
    _free_text_boxes(root)
    for formula in [*_all(root, "oMath")]:
        _replace(formula, _text_run(root, _linear(formula)))
    for wrapper in [*_all(root, "oMathPara", "fldSimple", "dir", "bdo")]:
        _unwrap(wrapper)
    for line_end in [*_all(root, "cr")]:
        line_end.tag = f"{{{_namespace(line_end)}}}br"
    for paragraph in _all(root, "p"):
        _name_style(paragraph, roles, found)


# Styles ---------------------------------------------------------------------------------------------------------------


def _roles(styles: Any) -> dict[str, str]:
    """What each paragraph style means, by its id: its own name or level decides, else those of the style it is based on."""
    known = {_attribute(style, "styleId"): style for style in _all(styles, "style")}
    roles = {}
    for name, style in known.items():
        seen: set[str] = set()
        role, at = "", name
        while (
            not role
            and at in known
            and at not in seen
            and len(seen) < _DEEPEST_STYLE
            and _attribute(style, "type") in ("", "paragraph")
        ):
            seen.add(at)
            role = _role(known[at])
            at = _value(_child(known[at], "basedOn"))
        roles[name] = role
    return roles


def _role(style: Any) -> str:
    """What a style's name, or its outline level, says it is: Title, Heading1, Caption, Quote, Code, ListBullet2 …"""
    name = _value(_child(style, "name")).lower()
    if name in ("title", "caption"):
        return name.capitalize()
    if name in ("quote", "intense quote", "block text", "quotations", "block quotation", "blockquote"):
        return "Quote"
    if _CODE.search(name):
        return "Code"
    if found := re.fullmatch(r"(?:heading|toc) ([1-9])", name):
        return f"{'Heading' if name.startswith('h') else 'Contents'}{found[1]}"
    if found := _LIST.fullmatch(name):
        return f"List{found[1].capitalize()}{found[2] or 1}"
    return _outlined(_child(style, "pPr"))


def _outlined(properties: Any) -> str:
    level = _value(_child(properties, "outlineLvl"))
    return f"Heading{int(level) + 1}" if level in set("012345678") and level else ""


def _name_style(paragraph: Any, roles: Mapping[str, str], found: Counter[str]) -> None:
    """Give the paragraph the style that stands for what it is, which the style map knows."""
    properties = _child(paragraph, "pPr")
    if properties is None:
        return
    style = _child(properties, "pStyle")
    role = _outlined(properties) or roles.get(_value(style), "")
    if not role or (role.startswith("List") and _child(properties, "numPr") is not None):
        return
    found["titles"] += role == "Title"
    name = f"{{{_namespace(paragraph)}}}"
    if style is None:
        style = etree.Element(f"{name}pStyle")
        properties.insert(0, style)
    style.set(f"{name}val", role)


def style_map(*, titled: bool) -> str:
    """Mammoth's style map for the styles named here. Under a title, headings are one level deeper."""
    lines = ["p.Title => h1:fresh", "p.Caption => p.caption:fresh", "p.Quote => blockquote > p:fresh"]
    lines.append("p.Code => pre:separator('\\n')")
    # Of several that fit, mammoth takes the first: a style's own level before its numbering's.
    numbered = []
    for level in range(1, _DEEPEST + 1):
        at = level + titled
        outer = "ul|ol > li > " * (level - 1)
        lines.append(f"p.Heading{level} => h{min(at, 6)}[aria-level='{at}']:fresh")
        lines.append(f"p.Contents{level} => {outer}ul > li:fresh")
        for kind, name, tag in (("unordered", "Bullet", "ul"), ("ordered", "Number", "ol")):
            lines.append(f"p.List{name}{level} => {outer}{tag} > li:fresh")
            numbered.append(f"p:{kind}-list({level}) => {outer}{tag} > li:fresh")
    return "\n".join([*lines, *numbered])


# Text boxes, formulas -------------------------------------------------------------------------------------------------


def _free_text_boxes(root: Any) -> None:
    """Move the paragraphs of each text box behind the paragraph that it hangs on, once."""
    last: dict[Any, Any] = {}
    for box in [*_all(root, "txbxContent")]:
        fallback = _ancestor(box, "Fallback")
        twice = fallback is not None and any(True for _ in _all(fallback.getprevious(), "txbxContent", _MARK))
        host = _ancestor(box, "p")
        if not twice and host is not None:
            for block in list(box):
                last.get(host, host).addnext(block)
                last[host] = block
        # The mark tells the fallback that the same text was here.
        box.clear()
        box.tag = _MARK


def _linear(formula: Any) -> str:
    """A formula in one line: fractions with a stroke, powers and indices with their signs."""
    kind = _local(formula)
    if kind == "t":
        return formula.text or ""
    pieces = [_linear(child) for child in formula if not _local(child).endswith("Pr")]
    sign = {"f": "/", "sSup": "^", "sSub": "_"}.get(kind)
    if sign and len(pieces) == 2:
        return sign.join(f"({piece})" if len(piece) > 1 else piece for piece in pieces)
    return "".join(pieces)


def _text_run(root: Any, text: str) -> Any:
    name = f"{{{_namespace(root)}}}"
    run = etree.Element(f"{name}r")
    etree.SubElement(run, f"{name}t").text = text
    return run


# The tree -------------------------------------------------------------------------------------------------------------


def _local(element: Any) -> str:
    return etree.QName(element).localname if element is not None and isinstance(element.tag, str) else ""


def _namespace(element: Any) -> str:
    return etree.QName(element).namespace or ""


def _all(element: Any, *names: str) -> Iterator[Any]:
    """Elements of these local names under ``element``: Word files come in two namespaces."""
    if element is None:
        return iter(())
    found: Iterator[Any] = element.iter(*(f"{{*}}{name}" for name in names))
    return found


def _child(element: Any, name: str) -> Any:
    return None if element is None else element.find(f"{{*}}{name}")


def _ancestor(element: Any, name: str) -> Any:
    return next(element.iterancestors(f"{{*}}{name}"), None)


def _run_of(mark: Any) -> Any:
    """The run whose properties ``mark`` stands in; none for a paragraph's or an old state's properties."""
    run = mark.getparent().getparent() if mark.getparent() is not None else None
    return run if _local(mark.getparent()) == "rPr" and _local(run) == "r" else None


def _attribute(element: Any, name: str) -> str:
    return next((str(value) for key, value in element.attrib.items() if etree.QName(key).localname == name), "")


def _value(element: Any) -> str:
    return "" if element is None else _attribute(element, "val")


def _drop(element: Any) -> None:
    if element is not None and element.getparent() is not None:
        element.getparent().remove(element)


def _replace(old: Any, new: Any) -> None:
    if old.getparent() is not None:
        old.getparent().replace(old, new)


def _unwrap(wrapper: Any) -> None:
    """Put the children in their parent's place."""
    for child in list(wrapper):
        wrapper.addprevious(child)
    _drop(wrapper)
