"""Mails: the subject as the heading, who wrote to whom as a list, then what was written; forwarded mails after it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from itertools import groupby

from core.errors import UnreadableFile
from core.read import plain
from core.read.content import Assembler, Content
from core.read.declared import decoded_as
from core.read.decode import Decoded
from core.read.formats import Format
from core.read.html import tree, walk
from core.read.html.parts import Part, Parts, picture_notices, put
from core.settings import ReadSettings
from core.types import BlockKind, Progress

_SHOWN = ("From", "To", "Cc", "Date")
_TELLING = ("From", "To", "Subject", "Date", "Message-ID", "Received", "Return-Path", "MIME-Version")
# A plain text this much shorter than the HTML beside it only says that there is HTML.
_MUCH_SHORTER = 0.5
_DEEPEST = 20
_MOST_NAMED = 20
_QUOTE_MARKS = re.compile(r"^(?:> ?)+")
_FOLD = re.compile(r"[\r\n]+[ \t]*")
_AUTOMATIC = ReadSettings()


def content(data: bytes, _format: Format, settings: ReadSettings, progress: Progress) -> Content:
    """A mail. Its plain text is read, or its HTML where that says more; attachments are named, not read.

    Raises:
        UnreadableFile: it has no header of a mail, or is nested too deeply.
    """
    progress(0, 1, "Reading the mail")
    try:
        # The simple policy: the other parses addresses, and stumbles over malformed ones.
        message = BytesParser(policy=compat32).parsebytes(data.removeprefix(b"\xef\xbb\xbf").lstrip())
        if not any(name in message for name in _TELLING):
            raise UnreadableFile(
                "The file is no mail: it has no sender, subject or date.", "Save the mail as .eml again."
            )
        reader = _Reader(settings)
        reader.add(message, 1)
    except RecursionError:
        raise UnreadableFile("The mail is nested too deeply to read.", "Save its inner mails by themselves.") from None
    return reader.content()


class _Reader:
    """Adds mails to one text, and remembers what was not read and how the texts were encoded."""

    def __init__(self, settings: ReadSettings) -> None:
        self._settings = settings
        self._text = Assembler(ligatures=settings.clean)
        self._decoded: list[Decoded] = []
        self._attachments: list[str] = []
        self._counts: Counter[str] = Counter()
        self._pictures = 0
        self._level = 1

    def add(self, message: Message, level: int) -> None:
        """A mail, then the mails in it, one level deeper."""
        self._level = level
        subject = _header(message, "Subject")
        if subject:
            self._text.heading(subject, level)
        elif level > 1:
            self._text.section("Forwarded mail", level)
        self._text.items([(0, f"{name}: {value}") for name in _SHOWN if (value := _header(message, name))])
        inner: list[Message] = []
        self._add_part(message, inner)
        for forwarded in inner:
            if level < _DEEPEST:
                self.add(forwarded, level + 1)
            else:
                self._attachments.append(_header(forwarded, "Subject") or "a mail without a subject")

    def content(self) -> Content:
        """All that was added."""
        made = self._text.content(
            encoding=self._decoded[0].encoding if self._decoded else "",
            guessed=any(text.guessed for text in self._decoded),
            notices=[*self._notices()],
        )
        counts = Counter(made.cleaned)
        counts.update(self._counts)
        for text in self._decoded:
            counts.update(text.cleaned)
        return replace(made, cleaned=dict(+counts))

    def _notices(self) -> Iterator[str]:
        yield from dict.fromkeys(notice for text in self._decoded for notice in text.notices)
        yield from picture_notices(self._pictures)
        if number := len(self._attachments):
            names = ", ".join(self._attachments[:_MOST_NAMED]) + (" …" if number > _MOST_NAMED else "")
            if number == 1:
                yield f"1 attachment was not read: {names}. Add it by itself."
            else:
                yield f"{number:,} attachments were not read: {names}. Add them by themselves."

    # Parts --------------------------------------------------------------------------------------------------------

    def _add_part(self, part: Message, inner: list[Message]) -> None:
        kind = part.get_content_type()
        children = _children(part)
        if kind == "message/rfc822":
            inner += children
        elif kind == "multipart/alternative":
            self._add_best(children, inner)
        elif children:
            for child in children:
                self._add_part(child, inner)
        elif _is_text(part):
            self._add_text(part)
        elif kind.startswith("image/") and part["Content-ID"]:
            self._pictures += 1
        elif not kind.startswith("multipart/"):
            self._attachments.append(_name(part))

    def _add_best(self, versions: Sequence[Message], inner: list[Message]) -> None:
        """Of several versions of one text the plain one, or the HTML if that says much more; and all that is no text."""
        leaves = list(_leaves(versions))
        texts = [leaf for leaf in leaves if _is_text(leaf)]
        plain_text = next((leaf for leaf in texts if leaf.get_content_type() == "text/plain"), None)
        html = next((leaf for leaf in texts if leaf.get_content_type() == "text/html"), None)
        if plain_text is not None and html is not None:
            said, source = self._decode(plain_text), self._decode(html)
            page = self._walk(source)
            if len(said.text.strip()) >= _MUCH_SHORTER * sum(len(part.words) for part in page.parts):
                self._put_plain(plain_text, said)
            else:
                self._put_html(page, source)
        elif texts:
            self._add_text(texts[0])
        for leaf in leaves:
            if leaf not in texts:
                self._add_part(leaf, inner)

    def _add_text(self, part: Message) -> None:
        text = self._decode(part)
        if part.get_content_type() == "text/html":
            self._put_html(self._walk(text), text)
        else:
            self._put_plain(part, text)

    def _decode(self, part: Message) -> Decoded:
        data = part.get_payload(decode=True)
        declared = part.get_content_charset() or ""
        try:
            return decoded_as(data if isinstance(data, bytes) else b"", declared, self._settings)
        except UnreadableFile:
            if self._settings.encoding:
                raise
            self._attachments.append(_name(part))
            return Decoded("", "", False, {}, ())

    def _walk(self, text: Decoded) -> Parts:
        page = tree.parsed(text.text)
        if page is None:
            return Parts((), 0, 0)
        self._counts["hidden"] += page.hidden
        return walk.of(page.root, clean=self._settings.clean)

    def _put_html(self, page: Parts, text: Decoded) -> None:
        self._decoded.append(text)
        self._pictures += page.pictures
        self._counts["hyphens"] += page.hyphens
        put(page.parts, self._text, deeper=self._level)

    def _put_plain(self, part: Message, text: Decoded) -> None:
        self._decoded.append(text)
        said = text.text
        if str(part.get_param("format", "")).lower() == "flowed":
            said = _unflowed(said, drop_space=str(part.get_param("delsp", "")).lower() == "yes")
        put(_plain_parts(said), self._text)


def _children(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []


def _leaves(parts: Sequence[Message]) -> Iterator[Message]:
    """The parts that hold something themselves; a mail within is one of them."""
    for part in parts:
        if part.get_content_type() != "message/rfc822" and (children := _children(part)):
            yield from _leaves(children)
        else:
            yield part


def _is_text(part: Message) -> bool:
    return part.get_content_type() in ("text/plain", "text/html") and part.get_content_disposition() != "attachment"


def _name(part: Message) -> str:
    """An attachment's file name, or what it is."""
    name = part.get_filename()
    return " ".join(_unencoded(name).split()) if name else f"one without a name ({part.get_content_type()})"


# Headers --------------------------------------------------------------------------------------------------------------


def _header(message: Message, name: str) -> str:
    """A header in one line; empty if there is none."""
    raw = next((value for key, value in message.raw_items() if key.lower() == name.lower()), "")
    return " ".join(_unencoded(_FOLD.sub(" ", str(raw))).split())


def _unencoded(raw: str) -> str:
    """A header's text, its encoded words (RFC 2047) and raw bytes decoded."""
    if any("\udc80" <= character <= "\udcff" for character in raw):
        raw = _decoded(raw.encode("utf-8", "surrogateescape"), "")
    try:
        pieces = decode_header(raw)
    except (HeaderParseError, ValueError):
        return raw
    return "".join(piece if isinstance(piece, str) else _decoded(piece, charset) for piece, charset in pieces)


def _decoded(data: bytes, charset: str | None) -> str:
    if charset is None:
        # So ``decode_header`` gives what stands between encoded words.
        return data.decode("raw-unicode-escape")
    try:
        return decoded_as(data, charset, _AUTOMATIC).text
    except UnreadableFile:
        return data.decode("latin-1")


# Plain text -----------------------------------------------------------------------------------------------------------


def _plain_parts(text: str) -> Iterator[Part]:
    """Paragraphs; those that are quoted lose the marks before their lines."""
    lines = [line.removeprefix(">") if line.startswith(">From ") else line for line in text.split("\n")]
    for quoted, group in groupby(lines, key=lambda line: line.startswith(">")):
        passage = "\n".join(_QUOTE_MARKS.sub("", line) if quoted else line for line in group)
        for start, end in plain.paragraphs(passage, 0, len(passage)):
            yield Part(BlockKind.QUOTE if quoted else BlockKind.PARAGRAPH, passage[start:end])


def _unflowed(text: str, *, drop_space: bool) -> str:
    """Lines that end in a space go on in the next one of the same depth of quotation (RFC 3676)."""
    made: list[str] = []
    flowing = ""
    open_line = False
    for line in text.split("\n"):
        found = _QUOTE_MARKS.match(line) if line.startswith(">") else None
        marks = found[0].replace(" ", "") if found else ""
        said = line[len(found[0]) :] if found else line.removeprefix(" ")
        if open_line and marks == flowing and said != "-- ":
            made[-1] += said
        else:
            made.append(f"{marks} {said}" if marks else said)
        open_line = said.endswith(" ") and said != "-- "
        if open_line and drop_space:
            made[-1] = made[-1][:-1]
        flowing = marks
    return "\n".join(made)
