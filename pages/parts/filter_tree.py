"""Changes of a filter by the place of a part: groups of all, any and none, each change a new filter.

A place is the way down from the whole: the number of the part in each group. The whole is a group of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum

from core.filters import All, Any, Condition, Filter, Not, conjunction

Place = tuple[int, ...]
Change = Callable[[Filter], Filter | None]


class Group(StrEnum):
    """What must hold of the parts."""

    ALL = "all of"
    ANY = "any of"
    NONE = "none of"


def parts(filter: Filter) -> tuple[Filter, ...]:
    """What must hold together."""
    return filter.parts if isinstance(filter, All) else (filter,)


def group(filter: Filter) -> tuple[Group, tuple[Filter, ...]] | None:
    """The kind and the parts of a group; None for a condition, negated or not, and for an empty group."""
    match filter:
        case Condition() | Not(Condition()):
            return None
        case All(inside) if inside:
            return Group.ALL, inside
        case Any(inside) if inside:
            return Group.ANY, inside
        case Not(Any(inside)) if inside:
            return Group.NONE, inside
        case Not(All(inside) as part) if inside:
            return Group.NONE, (part,)
        case Not(Not() as part):
            return Group.NONE, (part,)
    return None


def made(kind: Group, inside: tuple[Filter, ...]) -> Filter | None:
    """A group; none of no parts."""
    if not inside:
        return None
    return All(inside) if kind is Group.ALL else Any(inside) if kind is Group.ANY else Not(Any(inside))


def at(filter: Filter, path: Place) -> Filter:
    """The part at a place."""
    if not path:
        return filter
    inside = parts(filter)
    for number in path[:-1]:
        found = group(inside[number])
        inside = found[1] if found else ()
    return inside[path[-1]]


def changed(filter: Filter, path: Place, change: Change) -> Filter:
    """The filter with the part at a place changed, or taken out where ``change`` gives None; empty groups go with it."""
    if not path:
        return conjunction(change(filter) or All())
    return conjunction(*_within(parts(filter), path, change))


def _within(inside: tuple[Filter, ...], path: Place, change: Change) -> tuple[Filter, ...]:
    number, rest = path[0], path[1:]
    new = _deeper(inside[number], rest, change) if rest else change(inside[number])
    return (*inside[:number], *([] if new is None else [new]), *inside[number + 1 :])


def _deeper(part: Filter, path: Place, change: Change) -> Filter | None:
    kind, inside = group(part) or (Group.ALL, ())
    left = _within(inside, path, change)
    alone = len(left) == 1 and len(left) < len(inside)
    return (Not(left[0]) if kind is Group.NONE else left[0]) if alone else made(kind, left)


def removed(filter: Filter, path: Place) -> Filter:
    """Without the part; a group that holds one part after that is that part."""
    return changed(filter, path, lambda _: None)


def replaced(filter: Filter, path: Place, part: Filter) -> Filter:
    """With another part in the place of one."""
    return changed(filter, path, lambda _: part)


def added(filter: Filter, path: Place, part: Filter) -> Filter:
    """With a part more at the end of the group at ``path``; () is the whole."""
    return conjunction(*_added(filter, path, part))


def _added(filter: Filter, path: Place, part: Filter) -> tuple[Filter, ...]:
    """The parts of the whole with one more, every other at its place."""
    if not path:
        return (*parts(filter), part)

    def longer(old: Filter) -> Filter | None:
        kind, inside = group(old) or (Group.ALL, (old,))
        return made(kind, (*inside, part))

    return _within(parts(filter), path, longer)


def wrapped(filter: Filter, path: Place, kind: Group) -> Filter:
    """With the part in a group of its own."""
    return changed(filter, path, lambda part: made(kind, (part,)))


def negated(filter: Filter, path: Place) -> Filter:
    """With the part turned round."""
    return changed(filter, path, lambda part: part.part if isinstance(part, Not) else Not(part))


def of_kind(filter: Filter, path: Place, kind: Group) -> Filter:
    """With the group at a place of another kind."""
    found = group(at(filter, path))
    return changed(filter, path, lambda part: made(kind, found[1] if found else (part,)))


def moved(filter: Filter, path: Place, target: Place) -> Filter:
    """With the part at the end of the group at ``target``, which is not inside it."""
    if target[: len(path)] == path:
        return filter
    marked = All(_added(filter, target, at(filter, path)))  # first, while the target is where it was
    return removed(marked, path)


def groups(filter: Filter, start: Place = ()) -> Iterator[tuple[Place, Group, Filter]]:
    """Every group but the whole, with its place, from the top down."""
    inside = parts(filter) if not start else (group(filter) or (Group.ALL, ()))[1]
    for number, part in enumerate(inside):
        if found := group(part):
            yield (*start, number), found[0], part
            yield from groups(part, (*start, number))


def others(filter: Filter, path: Place) -> Filter:
    """What must hold beside the part at a place, whatever that part is: its neighbours as far up as all must hold."""
    held: list[Filter] = []
    inside = parts(filter)
    for number in path:
        if number >= len(inside):
            held += inside
            break
        held += [*inside[:number], *inside[number + 1 :]]
        found = group(inside[number])
        if not found or found[0] is not Group.ALL:
            break
        inside = found[1]
    return conjunction(*held)
