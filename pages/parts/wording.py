"""Settings in words, the same on every page."""

from __future__ import annotations

from core.settings import ChunkSettings, Strategy, Unit
from pages.parts.text import counted

_NAMES = {Unit.CHARS: "character", Unit.WORDS: "word", Unit.TOKENS: "token", Unit.SENTENCES: "sentence"}
_KINDS = {
    Strategy.SENTENCE_WINDOW: "nodes of {}",
    Strategy.FIXED: "nodes of {}",
    Strategy.RECURSIVE: "nodes of up to {}",
    Strategy.SEMANTIC: "nodes of up to {}",
    Strategy.STRUCTURE: "sections of up to {}",
    Strategy.CODE: "functions and classes of up to {}",
}


def nodes_of(settings: ChunkSettings) -> str:
    """What is embedded: ``nodes of 250 tokens, 70 shared``."""
    said = [_KINDS[settings.strategy].format(counted(settings.size, _NAMES[settings.unit]))]
    if settings.strategy is Strategy.SEMANTIC:
        said.append(f"cut at the {settings.percentile} % least alike gaps")
    if settings.minimum:
        said.append(f"at least {settings.minimum:,}")
    if settings.overlap:
        said.append(f"{settings.overlap:,} shared")
    if settings.embed_around:
        said.append(f"{counted(settings.embed_around, 'sentence')} a side embedded with each")
    if settings.context:
        said.append("each with a context line")
    return ", ".join(said)


def about(seconds: float) -> str:
    """How long something takes: ``1 s``, ``45 s``, ``3 min``, ``2 h``."""
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(1, round(seconds)):,} s"


def size_of(count: int) -> str:
    """Bytes as people say them: ``340 kB``, ``1.2 MB``."""
    for size, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= size:
            return f"{count / size:.1f} {unit}" if count < 10 * size else f"{count / size:,.0f} {unit}"
    return f"{count:,} B"
