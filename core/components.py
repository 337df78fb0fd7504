"""The scripts of our own components in a page: a browser fetches them once from here, instead of with each rerun.

A component is a folder below ``assets``: ``<name>.js``, what it imports, and its page and style sheets if it has any.
What all of them share lies in ``assets/shared``.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import blake2b
from pathlib import Path

COMPONENTS = ("viewer", "ladders", "results")
_ASSETS = Path(__file__).parent.parent / "assets"


def loader(component: str) -> str:
    """The few lines that a rerun sends for a component: they import its script."""
    return (_ASSETS / "shared" / "component.js").read_text(encoding="utf-8").replace("{script}", script_url(component))


def script_url(component: str) -> str:
    """Where a component's script is. The address changes with any of its modules, which it imports from beside it."""
    parts = b"\0".join(name.encode() + body for name, body in sorted(_modules(component).items()))
    return f"/script/{component}/{blake2b(parts, digest_size=6).hexdigest()}/{component}.js"


def module(component: str, name: str) -> bytes | None:
    """One of a component's modules, if there is one of that name."""
    return _modules(component).get(name) if component in COMPONENTS else None


@cache
def _modules(component: str) -> dict[str, bytes]:
    """A component's modules by name; its page and its style sheets are one too, ``looks.js``."""
    folder = _ASSETS / component
    html = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.html"))
    css = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.css"), reverse=True))
    looks = f"export const html = {json.dumps(html)};\nexport const css = {json.dumps(css)};\n"
    scripts = [*(_ASSETS / "shared").glob("*.js"), *folder.glob("*.js")]
    return {"looks.js": looks.encode(), **{path.name: path.read_bytes() for path in scripts}}
