"""Which format a file is in: its content decides; its name, where the content cannot tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
    Format("text", "text/plain", "plain", (".txt", ".text", ".log", ".rst", ".adoc", ".org", ".tex")),
    Format("Markdown", "text/markdown", "markdown", (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd")),
    Format("HTML", "text/html", "html", (".html", ".htm", ".xhtml")),
    Format("PDF", "application/pdf", "pdf", (".pdf",)),
    Format("Word", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx", (".docx",)),
    Format(
        "PowerPoint", "application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx", (".pptx",)
    ),
    Format("Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx", (".xlsx", ".xlsm")),
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

_LISTED = ", ".join(found.suffixes[0] for found in _FORMATS if found.module != "code")

ARCHIVE = ".zip"

_BINARY = frozenset({"PDF", "Word", "PowerPoint", "Excel"})
_OFFICE = {"word/": "Word", "ppt/": "PowerPoint", "xl/": "Excel"}
_PICTURE = "Text in pictures is not read: run text recognition on it first."
_SOUND = "Sound is not read: write its words down first."
_UNPACK = "Unpack it, or pack it as .zip."
_LEAVE = "Leave it out."
_EXPORT = "Export its tables as .csv."
_TO_WORD = "Save it as .docx."
_KNOWN: Mapping[str, tuple[tuple[str, ...], str]] = {
    "an old Word file": ((".doc", ".dot"), _TO_WORD),
    "a Word file with macros or a template": ((".docm", ".dotx"), _TO_WORD),
    "an old Excel file": ((".xls", ".xlt"), "Save it as .xlsx."),
    "a binary Excel file": ((".xlsb",), "Save it as .xlsx."),
    "an old PowerPoint file": ((".ppt", ".pps"), "Save it as .pptx."),
    "a PowerPoint show or template": ((".ppsx", ".pptm", ".potx"), "Save it as .pptx."),
    "an RTF file": ((".rtf",), _TO_WORD),
    "an OpenDocument text": ((".odt", ".ott", ".fodt"), _TO_WORD),
    "an OpenDocument spreadsheet": ((".ods",), "Save it as .xlsx."),
    "an OpenDocument presentation": ((".odp",), "Save it as .pptx."),
    "an Apple iWork file": ((".pages", ".numbers", ".key"), "Export it as .docx, .xlsx, .pptx or .pdf."),
    "an e-book": ((".epub", ".mobi", ".azw", ".azw3"), "Convert it to .html, .docx or .pdf."),
    "an Outlook message": ((".msg", ".pst", ".ost"), "Save it as .eml."),
    "a mailbox": ((".mbox",), "Export its messages as .eml."),
    "a saved web archive": ((".mht", ".mhtml", ".webarchive"), "Save the page as .html."),
    "a Parquet or Arrow file": ((".parquet", ".feather", ".arrow"), "Export it as .csv."),
    "a database": ((".sqlite", ".sqlite3", ".db", ".mdb", ".accdb", ".duckdb"), _EXPORT),
    "a picture": (
        (".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".bmp", ".webp", ".heic", ".avif", ".svg", ".ico", ".psd"),
        _PICTURE,
    ),
    "a sound recording": ((".mp3", ".wav", ".m4a", ".ogg", ".flac", ".aac", ".wma"), _SOUND),
    "a film": ((".mp4", ".mov", ".avi", ".mkv", ".webm", ".wmv"), "Films are not read: add their subtitles as .txt."),
    "an archive": ((".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst"), _UNPACK),
    "a program": ((".exe", ".dll", ".so", ".dylib", ".class", ".jar", ".pyc", ".apk", ".msi", ".bin"), _LEAVE),
    "a DjVu or PostScript file": ((".djvu", ".ps", ".eps"), "Convert it to .pdf."),
}
"""What is known but not read, with its file endings and what to do about it."""
_REFUSED = {suffix: (what, do) for what, (suffixes, do) in _KNOWN.items() for suffix in suffixes}
_SIGNATURES = (
    (rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|II\*\x00|MM\x00\*|8BPS\x00|RIFF....WEBP|\x00\x00\x01\x00", "a picture", _PICTURE),
    (rb"\x00...ftyp(?:heic|heix|mif1|avif)", "a picture", _PICTURE),
    (rb"ID3[\x02-\x04]|OggS\x00|fLaC\x00|RIFF....WAVE|\xff[\xfb\xf3\xf2][\x10-\xef]", "a sound recording", _SOUND),
    (rb"\x00...ftyp|\x1a\x45\xdf\xa3|RIFF....AVI ", "a film", "Films are not read: add their subtitles as .txt."),
    (rb"\x1f\x8b\x08|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|BZh[1-9]1AY&SY|\xfd7zXZ\x00|\x28\xb5\x2f\xfd", "an archive", _UNPACK),
    (rb".{257}ustar[\x00 ]", "an archive", _UNPACK),
    (rb"\x7fELF|MZ.\x00.\x00|\xca\xfe\xba\xbe|\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe|\x00asm", "a program", _LEAVE),
    (rb"\s*\{\\rtf1?\\", "an RTF file", _TO_WORD),
    (rb"PAR1[\x00-\x1f\x80-\xff]|ARROW1\x00\x00", "a Parquet or Arrow file", "Export it as .csv."),
    (rb"SQLite format 3\x00|.{8}DUCK", "a database", _EXPORT),
    (rb"\x89HDF\r\n|\x80[\x02-\x05]\x95", "a file of numbers (HDF5, pickle)", "Export it as .csv."),
)  # fmt: skip
_COMPILED = tuple((re.compile(signature, re.DOTALL), what, do) for signature, what, do in _SIGNATURES)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_KINDS = {"WordDocument": ".doc", "Workbook": ".xls", "PowerPoint Document": ".ppt", "__properties_version": ".msg"}
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OTHER_ZIPS = {
    b"application/epub": ".epub",
    b"application/vnd.oasis.opendocument.text": ".odt",
    b"application/vnd.oasis.opendocument.spreadsheet": ".ods",
    b"application/vnd.oasis.opendocument.presentation": ".odp",
}
_WEB_PAGE = re.compile(rb"\s*<(?:!doctype html|html|head|body)\b", re.IGNORECASE)


def named(name: str) -> Format:
    """The format that a file's name says.

    Raises:
        UnreadableFile: no format of ours has that ending.
    """
    ending = suffix(name)
    if ending in BY_SUFFIX:
        return BY_SUFFIX[ending]
    if ending in _REFUSED:
        what, do = _REFUSED[ending]
        raise UnreadableFile(f"{what[0].upper()}{what[1:]} ({ending}) is not read.", do)
    what = f"{ending} is not read." if ending else "A file without an ending is not read: nothing says what it is."
    raise UnreadableFile(what, f"Read are {_LISTED}, source code, and .zip of these.")


def suffix(name: str) -> str:
    """A file's ending in lower case, with its dot; empty if there is none."""
    return PurePosixPath(name.rstrip()).suffix.lower()


def titled(media_type: str) -> str:
    """The usual name of the format with that media type."""
    return next((found.name for found in _FORMATS if found.media_type == media_type), media_type)


def of(name: str, data: bytes) -> Format:
    """The format of ``data``: PDF and Office files are known by their content, whatever they are called.

    Raises:
        UnreadableFile: the name says no format, or one that the content is not in.
    """
    if suffix(name) == ARCHIVE:
        return _in_place_of_archive(data)
    said = named(name)
    seen = _by_content(data, said)
    if seen is not None:
        return seen
    if said.name in _BINARY:
        _refuse_misnamed(suffix(name), said, data)
    if data.startswith(_ZIP):
        raise UnreadableFile(f"Named {suffix(name)}, but it is a zip archive.", "Name it .zip.")
    return said


def _in_place_of_archive(data: bytes) -> Format:
    """The format of an Office or PDF file that is named .zip."""
    seen = _by_content(data, BY_SUFFIX[".txt"])
    if data.startswith(_ZIP) and seen is None:
        raise UnreadableFile("The file is a zip archive.", "Unpack it and add its files.")
    if seen is None:
        raise UnreadableFile("Named .zip, but it is no zip archive.", "Give it the ending of what it is.")
    return seen


def _refuse_misnamed(ending: str, said: Format, data: bytes) -> None:
    if not data:
        raise UnreadableFile(f"The file is empty: no byte of a {said.name} file.", "Export it again.")
    what = "it is a web page (HTML)" if _WEB_PAGE.match(data[:2000]) else f"it is no {said.name} file"
    raise UnreadableFile(f"Named {ending}, but {what}.", "Give it the ending of what it is, or export it again.")


def is_archive(data: bytes, name: str = ARCHIVE) -> bool:
    """Whether ``data`` is a zip of files: not an Office document, which is a zip too, nor called one by its ``name``."""
    called = suffix(name)
    if called in BY_SUFFIX or called in _REFUSED or not data.startswith(_ZIP):
        return False
    return _office(data) is None and not any(kind in data[30:120] for kind in _OTHER_ZIPS)


def _by_content(data: bytes, said: Format) -> Format | None:
    """The format that the bytes alone tell, if they do."""
    start = data.removeprefix(b"\xef\xbb\xbf")[:1024].lstrip()
    # Some programs put a few lines before the mark; in a text it may stand in a sentence.
    if start.startswith(b"%PDF-") or (said.name == "PDF" and b"%PDF-" in start):
        return BY_SUFFIX[".pdf"]
    if data.startswith(_OLE):
        _refuse_ole(data)
    if data.startswith(_ZIP):
        _refuse_other_zip(data)
        return _office(data)
    for signature, what, do in _COMPILED:
        if signature.match(data[:600]):
            raise UnreadableFile(f"The file is {what}.", do)
    return None


def _refuse_ole(data: bytes) -> None:
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise UnreadableFile("The file is locked with a password.", "Save it without a password.")
    for stream, ending in _OLE_KINDS.items():
        if stream.encode("utf-16-le") in data:
            what, do = _REFUSED[ending]
            raise UnreadableFile(f"The file is {what} ({ending}).", do)
    raise UnreadableFile("The file is an old Office file (.doc, .xls, .ppt).", "Save it as .docx, .xlsx or .pptx.")


def _refuse_other_zip(data: bytes) -> None:
    """Refuse e-books and OpenDocument files, whose first member says what they are."""
    for kind, ending in _OTHER_ZIPS.items():
        if kind in data[30:120]:
            what, do = _REFUSED[ending]
            raise UnreadableFile(f"The file is {what} ({ending}).", do)


def _office(data: bytes) -> Format | None:
    names = _member_names(data)
    for folder, kind in _OFFICE.items():
        if "[Content_Types].xml" in names and any(name.startswith(folder) for name in names):
            return next(found for found in _FORMATS if found.name == kind)
    return None


def _member_names(data: bytes) -> list[str]:
    """The names in a zip; in a damaged one, those that an Office file would have if they are to be seen."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            return [name.replace("\\", "/") for name in archive.namelist()]
    except (BadZipFile, ValueError, NotImplementedError, EOFError, OSError):
        return [name for name in ("[Content_Types].xml", *_OFFICE) if b"PK\x03\x04" in data and name.encode() in data]
