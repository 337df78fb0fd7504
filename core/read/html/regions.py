"""What a page has beside its subject: menus, headers, footers, sidebars, forms, cookie banners."""

from __future__ import annotations

from collections import Counter
from typing import Any

_TAGS = frozenset({"nav", "header", "footer", "aside", "form", "dialog"})
_ROLES = {
    "navigation": "nav",
    "menu": "nav",
    "menubar": "nav",
    "banner": "header",
    "contentinfo": "footer",
    "complementary": "aside",
    "search": "form",
    "dialog": "dialog",
    "alertdialog": "dialog",
}
# Classes and ids, whole words, of pages that do not use the elements above.
_NAMES = {
    "nav": "nav navbar navigation topnav sidenav site-nav main-nav menu menubar mainmenu main-menu breadcrumb breadcrumbs "
    "skip-link skip-links pagination",
    "footer": "footer site-footer page-footer",
    "header": "masthead topbar site-header",
    "aside": "sidebar side-bar widget-area related-posts share-buttons social-links advertisement ads",
    "dialog": "cookie cookies cookie-banner cookiebanner cookie-notice cookie-consent consent-banner gdpr newsletter-popup",
}
_BY_NAME = {name: region for region, names in _NAMES.items() for name in names.split()}
_NAMED = frozenset({"div", "ul", "ol", "section", "p", "table"})


class Regions:
    """The regions that are open while a page is walked: nav, header, footer, aside, form, dialog."""

    def __init__(self) -> None:
        self.inside: frozenset[str] = frozenset()
        self._around: Counter[str] = Counter()
        self._open: list[str] = []
        self._counts: Counter[str] = Counter()

    def enter(self, element: Any) -> None:
        region = _region(element)
        if region:
            # The header of an article is its title, its footer its sources, what stands aside in it a note to it.
            own = self._in_article if region in ("header", "footer") else region == "aside" and self._around["article"]
            region = "" if own else region
            self._open.append(region)
            self._counts[region] += 1
            if region and self._counts[region] == 1:
                self.inside |= {region}
        self._around[element.tag] += 1

    def leave(self, element: Any) -> None:
        self._around[element.tag] -= 1
        if not _region(element):
            return
        region = self._open.pop()
        self._counts[region] -= 1
        if region and not self._counts[region]:
            self.inside -= {region}

    @property
    def _in_article(self) -> bool:
        return bool(self._around["article"] or self._around["main"] or self._around["section"])


def _region(element: Any) -> str:
    """The part of the page that the element is; empty if it is just an element."""
    tag: str = element.tag
    if tag in _TAGS:
        return tag
    if not element.attrib:
        return ""
    if found := _ROLES.get(element.get("role", "")):
        return found
    names = f"{element.get('class', '')} {element.get('id', '')}" if tag in _NAMED else ""
    return next((_BY_NAME[name] for name in names.lower().split() if name in _BY_NAME), "")
