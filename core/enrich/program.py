"""Whether a text has program text in it."""

from __future__ import annotations

import re

INLINE = re.compile(r"(?<!`)(`{1,2})(?!`)(?=\S)([^`\n]{1,200}?)(?<=\S)\1(?!`)")
"""Code between backticks. ``quoted'' and `quoted' of TeX are none: a space stands before the next one's backtick."""

_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})", re.MULTILINE)
# Lines that no prose has: a definition, an import, a declaration, a call or an assignment by itself, a prompt.
_LINE = re.compile(
    r"""^[ \t]*+(?:
      (?:async[ ])?(?:def|class)[ ]\w++[ ]?(?:\([^\n]*\))?[ ]?(?:->[^\n]*)?:[ \t]*$
    | (?:from[ ][\w.]++[ ])?import[ ][\w.*]++(?:[ ]as[ ]\w++)?(?:,[ ]?[\w.]++)*+;?[ \t]*$
    | import[ ][{*\w][^\n]*[ ]from[ ]["']
    | \#[ ]?include[ ]?[<"]
    | (?:public|private|protected|static)[ ][\w<>\[\], ]*+[({;=]
    | (?:const|let|var)[ ][\w{\[][^\n=]*=[ ]?\S
    | (?:export[ ])?(?:async[ ])?function\b\*?[ ]?\w*+\(
    | (?:if|for|while|switch|elif|catch)[ ]?\([^\n]*\)[ ]?\{[ \t]*$
    | \}[ ]?(?:else|catch|finally)\b | \};?[ \t]*$
    | return\b[^\n]*;[ \t]*$
    | (?:SELECT[ ][^\n]+\bFROM|INSERT[ ]INTO|DELETE[ ]FROM|CREATE[ ](?:TABLE|INDEX|VIEW))[ ]\S
    | >>>[ ]\S | \$[ ](?:pip|npm|cd|git|sudo|curl|docker|python3?|apt|brew|ls|mkdir|export|uv|cargo)\b
    | <(?:script\b|\?php\b|\?xml\b|!DOCTYPE\b)
    | [A-Za-z_]\w*+(?:\.\w++)++\([^\n]*\)[ ]?;?[ \t]*$
    | [A-Za-z_][\w.]++[ ]?[-+:]?=[ ]?(?:\w{2,}+(?:\.\w++)*+\([^\n]*\)|[^\s=][^\n]*;)[ \t]*$
    )""",
    re.MULTILINE | re.VERBOSE,
)


def has_code(text: str) -> bool:
    """Whether there is code between backticks or a fence in it, or a line that has the form of program text."""
    if "`" in text and INLINE.search(text):
        return True
    return _FENCE.search(text) is not None or _LINE.search(text) is not None
