"""Values of a filter that no node has, and those that may be meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches

from core.filters import EVERYTHING, TEXTS, All, Any, Condition, FieldType, Filter, Not, Op, conditions, near
from core.types import Index
from core.workspace import Workspace
from pages.parts import counting

_OPS = frozenset({Op.EQ, Op.NE, Op.IN, Op.NOT_IN, Op.CONTAINS_ANY, Op.CONTAINS_ALL})
_MOST = 5


def values(opened: Workspace, index: Index, filter: Filter) -> Iterator[tuple[Condition, str, Condition | None]]:
    """Conditions on a text that no node has: the condition, what is to be said, and the one that may be meant."""
    found = ((part, told) for part in dict.fromkeys(conditions(filter)) if (told := said(opened, index, part)))
    for _, (part, told) in zip(range(_MOST), found, strict=False):
        yield part, told, _better(opened, index, part)


def said(opened: Workspace, index: Index, condition: Condition) -> str:
    """``No node has category 'finanse'. Did you mean 'finance'?``; empty where it has, or where its values are too many."""
    known = _known(opened, index, condition)
    odd = [value for value in _texts(condition) if known and value not in known]
    return f"No node has {condition.field} {odd[0]!r}.{near(odd[0], known)}" if odd else ""


def put(filter: Filter, old: Condition, new: Condition) -> Filter:
    """The filter with another condition in the place of one."""
    match filter:
        case Condition():
            return new if filter == old else filter
        case Not(part):
            return Not(put(part, old, new))
        case All(parts):
            return All(tuple(put(part, old, new) for part in parts))
        case Any(parts):
            return Any(tuple(put(part, old, new) for part in parts))


def _better(opened: Workspace, index: Index, condition: Condition) -> Condition | None:
    """The condition with every text that no node has changed into the nearest one; None where none is near."""
    known = _known(opened, index, condition)
    folded = {text.casefold(): text for text in reversed(known)}
    close = {value: get_close_matches(value.casefold(), folded, n=1) for value in _texts(condition)}
    meant = {value: folded[found[0]] for value, found in close.items() if found and value not in known}
    if not meant:
        return None
    now = condition.value
    changed = tuple(meant.get(v, v) for v in now) if isinstance(now, tuple) else meant[str(now)]  # type: ignore[arg-type]
    return replace(condition, value=changed)


def _texts(condition: Condition) -> list[str]:
    value = condition.value
    return [v for v in (value if isinstance(value, tuple) else (value,)) if isinstance(v, str)]


def _known(opened: Workspace, index: Index, condition: Condition) -> list[str]:
    """The texts that nodes have in the condition's field; none where it has no texts, or more than can be listed."""
    field = opened.store.schema().get(condition.field)
    texts = field is not None and field.type in TEXTS | {FieldType.STRINGS} and field.name != "doc_id"
    if field is None or not texts or condition.op not in _OPS:
        return []
    found = counting.facet(opened, index, field, EVERYTHING).values
    return [str(value) for value, _ in found] if len(found) < counting.MOST_VALUES else []
