"""Gold questions: JSONL of ``{"question","references":[{"document","content","start","end"}],"filter"?}``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.errors import AppError, InvalidGold
from core.filters import Filter, Schema, check, from_json
from core.settings import MAX_QUESTION
from core.store.base import Passage, StoredGold
from core.types import DocumentInfo, Span


@dataclass(frozen=True, slots=True)
class Reference:
    """A span that answers; valid for every chunking of the text of that revision, since it points into it."""

    doc_id: str
    span: Span
    revision: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the spans that answer it, and the filter it is asked under."""

    text: str
    references: tuple[Reference, ...]
    filter: Filter
    filter_json: str | None = None


def read(
    data: bytes, documents: Mapping[str, DocumentInfo], passage: Callable[[str], Passage], schema: Schema
) -> list[Question]:
    """The questions in a gold file. ``documents`` maps every name and alias to its document.

    A reference without offsets is found by its content, which must then stand once in the document.

    Raises:
        InvalidGold: with the line, if it is no JSON, names an unknown document, a span does not hold its content,
            or a filter does not fit the schema.
    """
    try:
        # Not splitlines(): a JSON string may hold U+2028 or U+0085 as it is.
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise InvalidGold("The gold file is not UTF-8 text.", "Save it as UTF-8.") from None
    questions = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                questions.append(_question(json.loads(line), documents, passage, schema))
            except json.JSONDecodeError as error:
                raise InvalidGold(
                    f"Line {number} is no JSON: {error.msg}.", "Write one JSON object per line."
                ) from None
            except AppError as error:
                raise InvalidGold(f"Line {number}: {error.what}", error.do) from None
            except (RecursionError, ValueError):
                raise InvalidGold(f"Line {number} is nested too deeply, or holds too long a number.") from None
    if not questions:
        raise InvalidGold("The gold file holds no questions.", 'Write one {"question": …, "references": […]} per line.')
    return questions


def from_stored(row: StoredGold) -> Question:
    """A question as the store kept it."""
    references = tuple(Reference(doc_id, Span(start, end), revision) for doc_id, revision, start, end in row.references)
    condition = None if row.filter is None else json.loads(row.filter)
    return Question(row.question, references, from_json(condition), row.filter)


def _question(
    row: object, documents: Mapping[str, DocumentInfo], passage: Callable[[str], Passage], schema: Schema
) -> Question:
    if not isinstance(row, dict) or not isinstance(row.get("question"), str) or not row["question"].strip():
        raise InvalidGold('There is no "question".', 'Write {"question": "…", "references": […]}.')
    if len(row["question"]) > MAX_QUESTION or any("\ud800" <= c <= "\udfff" for c in row["question"]):
        raise InvalidGold(f"A question has at most {MAX_QUESTION:,} whole characters.")
    references = row.get("references")
    if not isinstance(references, list) or not references:
        raise InvalidGold('There are no "references".', "A gold question needs at least one span that answers it.")
    found = tuple(_reference(reference, documents, passage) for reference in references)
    condition = row.get("filter")
    check(from_json(condition), schema)
    return Question(row["question"], found, from_json(condition), None if condition is None else json.dumps(condition))


def _reference(row: object, documents: Mapping[str, DocumentInfo], passage: Callable[[str], Passage]) -> Reference:
    if not isinstance(row, dict) or not isinstance(row.get("document"), str):
        raise InvalidGold('A reference has no "document".')
    info = documents.get(row["document"])
    if info is None:
        raise InvalidGold(f"There is no document {row['document']!r} in this workspace.", "Add it, or mend the name.")
    text, content = passage(info.id).document.text, row.get("content")
    start, end = row.get("start"), row.get("end")
    if start is None and end is None and isinstance(content, str) and content:
        start = _only_place(text, content, info.name)
        end = start + len(content)
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end <= len(text):
        raise InvalidGold(f"The span {start}–{end} does not lie in {info.name!r} ({len(text):,} characters).")
    if content is not None and text[start:end] != content:
        raise InvalidGold(
            f"{info.name!r} holds {text[start:end][:60]!r} at {start}–{end}, not {str(content)[:60]!r}.",
            "The document has changed since, or the offsets are not code points.",
        )
    return Reference(info.id, Span(start, end), info.revision)


def _only_place(text: str, content: str, name: str) -> int:
    times = text.count(content)
    if times != 1:
        raise InvalidGold(f"{content[:60]!r} stands {times} times in {name!r}.", 'Give "start" and "end".')
    return text.index(content)
