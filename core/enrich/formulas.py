"""Whether a text has mathematics in it: LaTeX, operators, equations. Prices, variables and settings are none."""

from __future__ import annotations

import re

from core.enrich.program import INLINE

_ANY = re.compile(r"[$\\=≈≡≅∀-∃∅-∉∏∑√-∝∞∧-∰≠≤-≧⊂-⊇⊕⊗]")
# ∧ to ∰ are ∧ ∨ ∩ ∪ and the integrals. A check mark is written √ too: with a space behind it.
_OPERATOR = re.compile(r"[∀-∃∅-∉∏∑∛-∞∧-∰≠≤-≧⊂-⊇⊕⊗]|√(?=[\w(])")
_COMMAND = re.compile(
    r"\\begin\{(?:equation|align|gather|multline|eqnarray|math|displaymath|cases|array|[bBpvV]?matrix)\*?\}"
    r"|\\(?:d?frac|sqrt|sum|int|prod|lim|partial|nabla|infty|mathbb|mathbf|mathrm|mathcal|overline|hat|vec|leq|geq"
    r"|cdot|times|alpha|beta|gamma|theta|lambda|sigma)(?![A-Za-z])"
)
# As Pandoc reads dollars: nothing blank inside them, no letter or digit outside.
_DOLLARS = re.compile(r"(?<![\w\\$])(\${1,2})(?![\s$])([^$]{1,400}?)(?<![\s\\])\1(?![\w$])")
_BRACKETS = re.compile(r"\\\(([^\n]{1,400}?)\\\)|\\\[([^$]{1,400}?)\\\]", re.DOTALL)
_FORMULA = re.compile(
    r"\\[A-Za-z]|\^|(?<![^\W_])[A-Za-z]_[\w{]|[A-Za-z\d)}] ?[=<>+*/] ?[-\\({\w]|[A-Za-zα-ω)] ?[-−] ?\d"
    r"|[∀-⋿≤≥±×·]|\A[A-Za-zΑ-ω]{1,2}['′]{0,2}\Z|\A[A-Za-z]{1,3}\([\w, ]{1,12}\)\Z|\A-?\d{0,3}[A-Za-zα-ω]\Z"
)
_BEYOND_PRICES = re.compile(r"[\\^_=+<>*]")
_SHORTEST_PRICE = 5  # characters: "3/4" and "2x" are shorter
_AROUND = 80  # characters looked at on each side of an equals sign
_RELATION = re.compile(r"(?<![=<>!:+*/~-])[=≈≡≅](?![=>~])")
_POWER = r"[²³¹⁰-₎′]*(?:\^[({]?-?\w{1,8}[)}]?|_[({]?\w{1,8}[)}]?)?[²³]?"
_NUMBER = r"\d+(?:[.,]\d+)*"
_FUNCTION = r"(?:sin|cos|tan|log|ln|exp|max|min|det)(?=\()"
_TERM = (
    rf"(?>(?:{_NUMBER})?(?:{_FUNCTION}|[^\W\d_]{{1,2}}){_POWER}(?:\([\w, .+−*/^²³-]{{1,30}}\))?{_POWER}"
    rf"|{_NUMBER}{_POWER}|\([\w .+−*/^²³-]{{1,40}}\){_POWER})"
)
_SIDE = rf"[-−]?{_TERM}(?: ?[-+−*/×·⋅÷±] ?{_TERM})*"
_LEFT = re.compile(rf"(?:^|[\s(\[,;:])({_SIDE}) ?$")
_RIGHT = re.compile(rf" ?({_SIDE})(?=[\s.,;:)\]]|$)")
_OPERATION = re.compile(r"[\w)²³] ?[+−*/×·⋅÷±] ?[\w(]|[\w)] - [\w(]|\b\w-\w\b|\^|[²³⁰-₎]")
# "Total = price × quantity"
_IN_WORDS = re.compile(r"[^\W\d_]\w* = (?:\(?\w+\)? [+−×·⋅*÷] )+\(?\w")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+")


def has_math(text: str) -> bool:
    """Whether there is mathematics in a text that has no code block in it."""
    if not _ANY.search(text):
        return False
    if "`" in text:
        text = INLINE.sub(" ", text)
    if "://" in text or "www." in text:
        text = _ADDRESS.sub(" ", text)
    return (
        _OPERATOR.search(text) is not None
        or ("\\" in text and _COMMAND.search(text) is not None)
        or _has_latex(text)
        or any(map(_is_equation, *_sides(text)))
    )


def _has_latex(text: str) -> bool:
    if "$" in text and any(_is_formula(found[2]) for found in _DOLLARS.finditer(text)):
        return True
    return "\\" in text and any(_is_formula(found[1] or found[2]) for found in _BRACKETS.finditer(text))


def _is_formula(inside: str) -> bool:
    """Whether what stands between dollars or brackets is one: not "5 or A", the rest of a price."""
    inside = inside.strip()
    price = inside[:1].isdigit() and len(inside) >= _SHORTEST_PRICE and not _BEYOND_PRICES.search(inside)
    return not price and _FORMULA.search(inside) is not None


def _sides(text: str) -> tuple[list[str], list[str]]:
    """What stands before and behind each equals sign on its line, as far as it is looked at."""
    left, right = list[str](), list[str]()
    if not any(sign in text for sign in "=≈≡≅"):
        return left, right
    for found in _RELATION.finditer(text):
        at, behind = found.span()
        left.append(text[max(0, at - _AROUND) : at].rpartition("\n")[2])
        right.append(text[behind : behind + _AROUND].partition("\n")[0])
    return left, right


def _is_equation(left: str, right: str) -> bool:
    """Whether both sides are made of short terms and there is an operation in one of them; or a product of words."""
    word = left.rstrip().rpartition(" ")[2]
    if left.endswith(" ") and _IN_WORDS.match(f"{word} ={right}"):
        return True
    before, after = _LEFT.search(left), _RIGHT.match(right)
    if not before or not after:
        return False
    equation = f"{before[1]}={after[1]}"
    return any(map(str.isalpha, equation)) and _OPERATION.search(equation) is not None
