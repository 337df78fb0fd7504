"""One condition of a filter's text: its field, operator and value, and what a node without the field counts as."""

from __future__ import annotations

import re

from core.filters.tokens import KEYWORDS, SPELLED, Kind, Token, Tokens
from core.filters.tree import NULL_OPS, Condition, Missing, Op, Operand, Scalar
from core.filters.words import near, shown

MAX_DIGITS = 1000
"""Characters of a number."""

_SIGNS = {op.value: op for op in Op if not op.value[0].isalpha()} | {
    "==": Op.EQ, "<>": Op.NE, "≠": Op.NE, "≤": Op.LE, "≥": Op.GE,
}  # fmt: skip
_WORDS = {op.value: op for op in Op if op.value[0].isalpha()}
_OPERATORS = tuple(SPELLED.values())
_MEANT = {
    ":": "=",
    "===": "=",
    "=>": ">=",
    "=<": "<=",
    "!": "!=",
    "=!": "!=",
    "!==": "!=",
    "~": "matches",
    "=~": "matches",
}
_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_CLOSING = {"(": ")", "[": "]"}
_EXAMPLE = "For example year >= 2023 and category = legal."


def condition(tokens: Tokens) -> Condition:
    """The condition that begins with the next token; all of it is taken.

    Raises:
        InvalidFilter: with the place, and what was expected there.
    """
    field = _field(tokens)
    op = _operator(tokens, field)
    value = None if op in NULL_OPS else _operand(tokens, op)
    return Condition(field, op, value, _missing(tokens))


def _field(tokens: Tokens) -> str:
    token = tokens.next
    if token.kind is Kind.NAME or (token.kind is Kind.WORD and token.word not in KEYWORDS):
        return tokens.take().text
    if token.kind is Kind.WORD:
        raise tokens.expected("a field", f"Write a field of that name in backquotes: `{token.text}`.")
    if token.kind is Kind.TEXT:
        raise tokens.expected("a field", "A field's name stands in backquotes, only values in quotes.")
    if token.kind is Kind.MARK and token.text == "[":
        raise tokens.expected("a field", f'{_EXAMPLE} In JSON a filter begins with a brace: {{"category": "legal"}}.')
    raise tokens.expected("a field", _EXAMPLE)


def _operator(tokens: Tokens, field: str) -> Op:
    token = tokens.next
    if token.kind is Kind.SIGNS:
        tokens.take()
        return _SIGNS[token.text] if token.text in _SIGNS else _no_operator(tokens, token)
    if token.word in _WORDS:
        return _WORDS[tokens.take().word]
    if token.word == "not":
        tokens.take()
        return _after_not(tokens)
    if token.word == "is":
        tokens.take()
        return _after_is(tokens)
    if token.kind is Kind.WORD and token.word not in KEYWORDS:
        return _no_operator(tokens, token)
    raise tokens.expected(f"an operator after the field {shown(field)}", f"Operators: {', '.join(_OPERATORS)}.")


def _no_operator(tokens: Tokens, token: Token) -> Op:
    meant = f" Did you mean {_MEANT[token.text]!r}?" if token.text in _MEANT else near(token.text, _OPERATORS)
    blanks = " A field's name with blanks stands in backquotes." if token.kind is Kind.WORD and not meant else ""
    raise tokens.wrong(
        f"There is no operator {shown(token.text)}",
        token.at,
        f".{meant}",
        f"Operators: {', '.join(_OPERATORS)}.{blanks}",
    )


def _after_not(tokens: Tokens) -> Op:
    op = {"in": Op.NOT_IN, "contains": Op.NOT_CONTAINS}.get(tokens.next.word)
    if op is None:
        raise tokens.expected(
            "'in' or 'contains' after 'not'", "Other conditions are turned round before the field: not year = 2023."
        )
    tokens.take()
    return op


def _after_is(tokens: Tokens) -> Op:
    negated = tokens.next.word == "not"
    if negated:
        tokens.take()
    if tokens.next.word != "null":
        raise tokens.expected(
            "'null'" if negated else "'null' or 'not null' after 'is'", "Compare with a value by = or !=."
        )
    tokens.take()
    return Op.NOT_NULL if negated else Op.IS_NULL


def _missing(tokens: Tokens) -> Missing | None:
    """What stands in brackets after a condition."""
    if not tokens.next.is_mark("("):
        return None
    tokens.take()
    word = tokens.next.word
    if word not in ("or", "and"):
        raise tokens.expected(
            "'or missing' or 'and present' in brackets after a condition", "Two conditions are joined by 'and' or 'or'."
        )
    tokens.take()
    meant = "missing" if word == "or" else "present"
    if tokens.next.word != meant:
        raise tokens.expected(f"{meant!r} after '({word}'")
    tokens.take()
    if not tokens.next.is_mark(")"):
        raise tokens.expected(f"')' after '({word} {meant}'")
    tokens.take()
    return "include" if word == "or" else "exclude"


# ── values ───────────────────────────────────────────────────────────────────────────────────────


def _operand(tokens: Tokens, op: Op) -> Operand:
    if tokens.next.is_mark("(") or tokens.next.is_mark("["):
        return _list(tokens)
    if op is not Op.BETWEEN:
        if tokens.next.word == "null":
            tokens.take()
            return None
        return _scalar(tokens)
    low = _scalar(tokens)
    if tokens.next.word != "and":
        raise tokens.expected("'and' and the upper end", "Write between 1 and 9; both ends are included.")
    tokens.take()
    return low, _scalar(tokens)


def _list(tokens: Tokens) -> tuple[Scalar, ...]:
    closing = _CLOSING[tokens.take().text]
    items: list[Scalar] = []
    while not (tokens.next.is_mark(closing) and not items):
        items.append(_scalar(tokens))
        if not tokens.next.is_mark(","):
            break
        tokens.take()
    if not tokens.next.is_mark(closing):
        raise tokens.expected(f"',' or {closing!r} in the list", "Put text of several words in quotes.")
    tokens.take()
    return tuple(items)


def _scalar(tokens: Tokens) -> Scalar:
    token = tokens.next
    if token.kind not in (Kind.WORD, Kind.TEXT) or (token.word in KEYWORDS and token.word not in ("true", "false")):
        raise tokens.expected("a value", _value_hint(token))
    tokens.take()
    if token.kind is Kind.TEXT:
        return token.text
    if token.word in ("true", "false"):
        return token.word == "true"
    return _number(tokens, token) if _NUMBER.fullmatch(token.text) else token.text


def _value_hint(token: Token) -> str:
    if token.word == "null":
        return "Use is null, or (or missing) after a condition."
    if token.kind is Kind.WORD:
        return f'Write a text that is a keyword in quotes: "{token.text}".'
    if token.kind is Kind.NAME:
        return "Backquotes are for fields; a text stands in quotes."
    return 'Values are numbers, true, false, dates (2026-03-12) and texts: legal, "two words".'


def _number(tokens: Tokens, token: Token) -> int | float:
    if len(token.text) > MAX_DIGITS:
        raise tokens.wrong("The number", token.at, f" has more than {MAX_DIGITS} digits.")
    if not set(token.text) & set(".eE"):
        return int(token.text)
    number = float(token.text)
    if number in (float("inf"), float("-inf")):
        raise tokens.wrong(
            f"The number {shown(token.text)}", token.at, " is too large.", "The largest is about 1.8e308."
        )
    return number
