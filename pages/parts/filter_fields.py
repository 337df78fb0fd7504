"""Fields and operators as they are offered: in which order, and what they are called."""

from __future__ import annotations

from dataclasses import dataclass

from core.enrich.fields import COMPUTED
from core.filters import NULL_OPS, OPERATORS, TEXTS, TIMES, Condition, Field, FieldType, Op, Schema

_WORDS = {
    Op.EQ: "is", Op.NE: "is not", Op.IN: "is one of", Op.NOT_IN: "is none of", Op.LT: "below", Op.LE: "at most",
    Op.GT: "above", Op.GE: "at least", Op.BETWEEN: "between", Op.CONTAINS_ALL: "has all of", Op.CONTAINS_ANY: "has any of",
    Op.CONTAINS: "contains", Op.NOT_CONTAINS: "does not contain", Op.STARTS_WITH: "starts with", Op.MATCHES: "matches pattern",
    Op.IS_NULL: "is missing", Op.NOT_NULL: "is present",
}  # fmt: skip
_TIME_WORDS = {Op.LT: "before", Op.LE: "until", Op.GT: "after", Op.GE: "from", Op.EQ: "is exactly"}
_ORDER = frozenset({Op.LT, Op.LE, Op.GT, Op.GE, Op.BETWEEN})
_LISTS = frozenset({Op.IN, Op.NOT_IN})
_FIRST = ("category", "doc_type", "tags", "year", "published_at", "security_level", "doc_id")
_HIDDEN = frozenset({"revision"})
_METHODS = {field.name: field.method for field in COMPUTED}
_LABELS = {
    "kind": "block kind",
    "ordinal": "number in document",
    **{field.name: field.name.replace("_", " ") for field in COMPUTED},
}


@dataclass(frozen=True, slots=True)
class Operator:
    """What can be said of a field: in words, and whether several values are chosen for it."""

    op: Op
    words: str
    many: bool = False

    @property
    def name(self) -> str:
        return f"{self.op.value}{'+' if self.many else ''}"


def offered(schema: Schema) -> list[Field]:
    """The fields to choose from, the usual ones first, then those of documents, then those of nodes."""
    shown = [field for name, field in schema.items() if name not in _HIDDEN]
    place = {name: position for position, name in enumerate(_FIRST)}
    return sorted(shown, key=lambda f: (place.get(f.name, len(place)), f.of_node, f.name.casefold()))


def label(field: Field) -> str:
    """What a field is called; those of nodes say so."""
    if not field.of_node:
        return "document" if field.name == "doc_id" else field.name
    bare = field.name.removeprefix("node.")
    return f"{_LABELS.get(bare, bare)} (node)"


def method(field: Field) -> str:
    """How a computed field is found out; nothing for others."""
    return _METHODS.get(field.name.removeprefix("node."), "") if field.of_node else ""


def operators(field: Field) -> list[Operator]:
    """The type's operators, the usual one first."""
    if field.name == "doc_id":
        return [Operator(Op.EQ, "is"), Operator(Op.NE, "is not"), Operator(Op.IN, "is one of", many=True),
                Operator(Op.NOT_IN, "is none of", many=True)]  # fmt: skip
    if field.type is FieldType.STRINGS:
        lists = [op for op in OPERATORS[field.type] if op not in NULL_OPS]
        several = [Operator(op, "is exactly" if op is Op.EQ else _WORDS[op], many=True) for op in lists]
        several.sort(key=lambda o: o.op is not Op.CONTAINS_ANY)
        return [Operator(Op.CONTAINS_ANY, "has"), *several, *_about_missing()]
    ordered = field.type not in TEXTS and field.type is not FieldType.BOOLEAN
    shown = [op for op in OPERATORS[field.type] if ordered or op not in _ORDER]
    words = _TIME_WORDS if field.type in TIMES else {}
    made = [Operator(op, words.get(op, _WORDS[op]), many=op in _LISTS) for op in shown]
    if field.type in TIMES:
        made = [operator for operator in made if not operator.many]
    usual = Op.BETWEEN if field.type in TIMES else Op.EQ
    return sorted(made, key=lambda operator: operator.op is not usual)


def _about_missing() -> list[Operator]:
    return [Operator(op, _WORDS[op]) for op in sorted(NULL_OPS)]


def operator_of(condition: Condition, field: Field) -> Operator | None:
    """The operator that a condition was made with; None if it is not offered."""
    several = isinstance(condition.value, tuple) and len(condition.value) != 1
    fitting = [operator for operator in operators(field) if operator.op is condition.op]
    return next((operator for operator in fitting if operator.many or not several), fitting[0] if fitting else None)
