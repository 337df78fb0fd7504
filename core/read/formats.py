"""Which format a file is in: its content decides; its name, where the content cannot tell."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath
from zipfile import BadZipFile, ZipFile

from core.errors import UnreadableFile


@dataclass(frozen=True, slots=True)
class Format:
    """A format by its usual name: media type, and the module of ``core.read`` that reads it."""

    name: str
    media_type: str
    module: str
    suffixes: tuple[str, ...]


_FORMATS = (
    Format("text", "text/plain", "plain", (".txt", ".text", ".log")),
    Format("Markdown", "text/markdown", "markdown", (".md", ".markdown")),
    Format("HTML", "text/html", "html", (".html", ".htm", ".xhtml")),
    Format("PDF", "application/pdf", "pdf", (".pdf",)),
    Format("Word", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx", (".docx",)),
    Format(
        "PowerPoint", "application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx", (".pptx",)
    ),
    Format("Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx", (".xlsx",)),
    Format("CSV", "text/csv", "delimited", (".csv",)),
    Format("TSV", "text/tab-separated-values", "delimited", (".tsv", ".tab")),
    Format("JSON", "application/json", "structured", (".json",)),
    Format("JSON lines", "application/jsonl", "structured", (".jsonl", ".ndjson")),
    Format("e-mail", "message/rfc822", "mail", (".eml",)),
    Format("Python", "text/x-python", "code", (".py", ".pyi")),
    Format("JavaScript", "text/javascript", "code", (".js", ".mjs", ".cjs", ".jsx")),
    Format("TypeScript", "text/typescript", "code", (".ts", ".tsx")),
    Format("Java", "text/x-java", "code", (".java",)),
    Format("Kotlin", "text/x-kotlin", "code", (".kt", ".kts")),
    Format("Scala", "text/x-scala", "code", (".scala",)),
    Format("C", "text/x-c", "code", (".c", ".h")),
    Format("C++", "text/x-c++", "code", (".cc", ".cpp", ".cxx", ".hh", ".hpp")),
    Format("C#", "text/x-csharp", "code", (".cs",)),
    Format("Go", "text/x-go", "code", (".go",)),
    Format("Rust", "text/x-rust", "code", (".rs",)),
    Format("Ruby", "text/x-ruby", "code", (".rb",)),
    Format("PHP", "text/x-php", "code", (".php",)),
    Format("Swift", "text/x-swift", "code", (".swift",)),
    Format("R", "text/x-r", "code", (".r",)),
    Format("Lua", "text/x-lua", "code", (".lua",)),
    Format("Perl", "text/x-perl", "code", (".pl", ".pm")),
    Format("SQL", "application/sql", "code", (".sql",)),
    Format("shell", "text/x-sh", "code", (".sh", ".bash", ".zsh")),
    Format("PowerShell", "text/x-powershell", "code", (".ps1",)),
    Format("CSS", "text/css", "code", (".css",)),
    Format("YAML", "application/yaml", "code", (".yaml", ".yml")),
    Format("TOML", "application/toml", "code", (".toml",)),
    Format("configuration", "text/plain", "code", (".ini", ".cfg", ".conf")),
    Format("XML", "application/xml", "code", (".xml",)),
)
BY_SUFFIX = {suffix: found for found in _FORMATS for suffix in found.suffixes}
"""Every format that is read, by file ending."""

_BINARY = frozenset({"PDF", "Word", "PowerPoint", "Excel"})
_OFFICE = {"word/": "Word", "ppt/": "PowerPoint", "xl/": "Excel"}
_SIGNATURES = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office file of the old kind (.doc, .xls, .ppt), or a locked one", "Save it as .docx, .xlsx or .pptx without a password."),
    (b"\x89PNG\r\n\x1a\n", "a picture (PNG)", "Text in pictures is not read: run text recognition on it first."),
    (b"\xff\xd8\xff", "a picture (JPEG)", "Text in pictures is not read: run text recognition on it first."),
    (b"GIF8", "a picture (GIF)", "Text in pictures is not read: run text recognition on it first."),
    (b"II*\x00", "a picture (TIFF)", "Text in pictures is not read: run text recognition on it first."),
    (b"MM\x00*", "a picture (TIFF)", "Text in pictures is not read: run text recognition on it first."),
    (b"\x1f\x8b", "a gzip archive", "Unpack it, or pack it as .zip."),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "Unpack it, or pack it as .zip."),
    (b"Rar!\x1a\x07", "a RAR archive", "Unpack it, or pack it as .zip."),
    (b"\x7fELF", "a program", "Leave it out."),
    (b"MZ\x90\x00", "a program", "Leave it out."),
    (b"{\\rtf", "an RTF file", "Save it as .docx."),
    (b"PAR1", "a Parquet file", "Export it as .csv."),
    (b"SQLite format 3\x00", "a SQLite database", "Export its tables as .csv."),
)  # fmt: skip


def named(name: str) -> Format:
    """The format that a file's name says.

    Raises:
        UnreadableFile: no format of ours has that ending.
    """
    suffix = PurePosixPath(name).suffix.lower()
    if suffix not in BY_SUFFIX:
        what = f"{suffix} is not read." if suffix else "A file without an ending is not read: nothing says what it is."
        raise UnreadableFile(what, f"Formats: {', '.join(BY_SUFFIX)}, .zip.")
    return BY_SUFFIX[suffix]


def of(name: str, data: bytes) -> Format:
    """The format of ``data``: PDF and Office files are known by their content, whatever they are called.

    Raises:
        UnreadableFile: the name says no format, or one that the content is not in.
    """
    said = named(name)
    seen = _by_content(data)
    if seen is not None:
        return seen
    if said.name in _BINARY:
        suffix = PurePosixPath(name).suffix.lower()
        if not data:
            raise UnreadableFile(f"The file is empty: no byte of a {said.name} file.", "Export it again.")
        raise UnreadableFile(
            f"Named {suffix}, but it is no {said.name} file.", "Give it the ending of what it is, or export it again."
        )
    return said


def is_archive(data: bytes) -> bool:
    """Whether ``data`` is a zip of files, and not an Office document, which is a zip too."""
    return data.startswith(b"PK") and _office(data) is None


def _by_content(data: bytes) -> Format | None:
    """The format that the bytes alone tell, if they do."""
    if b"%PDF-" in data[:1024]:
        return BY_SUFFIX[".pdf"]
    if data.startswith(b"PK\x03\x04"):
        return _office(data)
    for signature, what, do in _SIGNATURES:
        if data.startswith(signature):
            raise UnreadableFile(f"The file is {what}.", do)
    return None


def _office(data: bytes) -> Format | None:
    try:
        with ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except (BadZipFile, ValueError, NotImplementedError, EOFError):
        return None
    for folder, kind in _OFFICE.items():
        if "[Content_Types].xml" in names and any(name.startswith(folder) for name in names):
            return next(found for found in _FORMATS if found.name == kind)
    return None
