"""A filter in words, as it stands on the page."""

from __future__ import annotations

from dataclasses import replace

from core.filters import All, Any, Condition, Filter, Not, describe
from core.workspace import Workspace


def words(filter: Filter, opened: Workspace) -> str:
    """The filter in words, with documents by name."""
    return describe(_with_names(filter, {info.id: info.name for info in opened.documents()}))


def _with_names(filter: Filter, names: dict[str, str]) -> Filter:
    match filter:
        case Condition("doc_id", _, value):
            named = (
                tuple(names.get(str(v), str(v)) for v in value)
                if isinstance(value, tuple)
                else names.get(str(value), value)
            )
            return replace(filter, field="document", value=named)
        case Condition():
            return filter
        case Not(part):
            return Not(_with_names(part, names))
        case All(every):
            return All(tuple(_with_names(part, names) for part in every))
        case Any(every):
            return Any(tuple(_with_names(part, names) for part in every))
