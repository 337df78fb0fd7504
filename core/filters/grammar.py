"""Filters from text: ``year >= 2023 and tags contains_any ("v2", "api")``.

    filter     nothing at all, or conditions joined by ``and``, ``or``, ``not`` and brackets; ``and`` binds tighter
               than ``or``, ``not`` tighter than both; ``everything`` and ``nothing`` are filters too
    condition  field operator value, then perhaps ``(or missing)`` or ``(and present)``: what a node without the
               field counts as
    field      letters and digits of any script with ``_ . -``, or anything in backquotes, a backquote inside twice
    operator   = == != <> < <= > >= ≠ ≤ ≥, in, not in, between LOW and HIGH, contains, not contains, contains_all,
               contains_any, starts_with, matches, is null, is not null; not_in, is_null … as in JSON
    value      a number, true, false, a text in double or single quotes with backslash escapes, a date or time in ISO
               form, a bare word that is no keyword; a list of them in ( ) or [ ]

Keywords are understood in any case. Values are read as they are written: whether they fit is told by ``check``.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.filters.condition import condition
from core.filters.tokens import Kind, Tokens
from core.filters.tree import EVERYTHING, MAX_DEPTH, All, Any, Filter, Not
from core.filters.words import near


def parse(text: str) -> Filter:
    """The filter that ``text`` says; none if it is blank. Linear in its length.

    Raises:
        InvalidFilter: with the line and column, what was expected there, and near misses.
    """
    if not text.strip():
        return EVERYTHING
    tokens = Tokens(text)
    found = _joined_parts(tokens, 0)
    if tokens.next.kind is not Kind.END:
        raise _no_connection(tokens, "the end")
    return found


def _joined_parts(tokens: Tokens, depth: int) -> Filter:
    either: list[Filter] = []
    both = [_part(tokens, depth)]
    while (word := tokens.next.word) in ("and", "or"):
        tokens.take()
        if word == "or":
            either.append(_group(All, both))
            both = []
        both.append(_part(tokens, depth))
    return _group(Any, [*either, _group(All, both)])


def _group(kind: type[All | Any], parts: Sequence[Filter]) -> Filter:
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


def _part(tokens: Tokens, depth: int) -> Filter:
    outside = depth
    while tokens.next.word == "not":
        depth = _deeper(tokens, depth)
    negations = depth - outside
    found: Filter = _bracketed(tokens, depth) if tokens.next.is_mark("(") else _simple(tokens)
    for _ in range(negations):
        found = Not(found)
    return found


def _deeper(tokens: Tokens, depth: int) -> int:
    taken = tokens.take()
    if depth == MAX_DEPTH:
        raise tokens.wrong(
            f"The filter is nested more than {MAX_DEPTH} levels deep", taken.at, ".", "Write it flatter."
        )
    return depth + 1


def _bracketed(tokens: Tokens, depth: int) -> Filter:
    found = _joined_parts(tokens, _deeper(tokens, depth))
    if not tokens.next.is_mark(")"):
        raise _no_connection(tokens, "')'")
    tokens.take()
    return found


def _no_connection(tokens: Tokens, end: str) -> Exception:
    """What is wrong with a token that stands where a condition is complete."""
    token = tokens.next
    what = f"'and', 'or' or {end}"
    if token.kind is Kind.SIGNS:
        meant = {"&": "and", "|": "or"}.get(token.text[0])
        return tokens.expected(
            what,
            f"Write {meant}."
            if meant
            else "A condition compares one field with one value; text that holds signs stands in quotes.",
        )
    if token.is_mark(","):
        return tokens.expected(what, "Write a list in brackets: (a, b).")
    if token.kind in (Kind.WORD, Kind.TEXT):
        typo = near(token.text, ["and", "or"]) if token.kind is Kind.WORD else ""
        return tokens.expected(what, typo.strip() or 'Put text of several words in quotes: "two words".')
    return tokens.expected(what)


def _simple(tokens: Tokens) -> Filter:
    if tokens.next.word in ("everything", "nothing"):
        return EVERYTHING if tokens.take().word == "everything" else Any()
    return condition(tokens)
