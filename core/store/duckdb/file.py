"""Opening a workspace file: who holds it, whether it is one of ours, and of which version."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from core.enrich.fields import COMPUTED
from core.errors import WorkspaceInUse, WorkspaceUnusable
from core.store.duckdb.where import SQL_TYPES

FORMAT_VERSION = 4
DATABASE = "w"  # the workspace, as statements and plans name it
ROW_GROUP_SIZE = 8192

_TABLES = """
CREATE TABLE workspace (format_version INTEGER NOT NULL, created_at TIMESTAMP NOT NULL, index_counter INTEGER NOT NULL);
CREATE TABLE settings (name VARCHAR NOT NULL, value VARCHAR NOT NULL);
CREATE TABLE fields (
    name VARCHAR NOT NULL, column_name VARCHAR NOT NULL, type VARCHAR NOT NULL, position INTEGER NOT NULL,
    required BOOLEAN NOT NULL, fallback VARCHAR, allowed VARCHAR[] NOT NULL, description VARCHAR NOT NULL,
    date_order VARCHAR, confirmed BOOLEAN NOT NULL);
CREATE TABLE given (doc BIGINT NOT NULL, field VARCHAR NOT NULL, raw VARCHAR NOT NULL, misfit VARCHAR NOT NULL, edited BOOLEAN NOT NULL);
CREATE TABLE contexts (key VARCHAR NOT NULL, line VARCHAR NOT NULL);
CREATE TABLE likeness (key BLOB NOT NULL, cosines FLOAT[] NOT NULL);
CREATE TABLE documents (
    doc BIGINT NOT NULL, doc_id VARCHAR NOT NULL, name VARCHAR NOT NULL, revision VARCHAR NOT NULL,
    media_type VARCHAR NOT NULL, characters INTEGER NOT NULL, sentences INTEGER NOT NULL,
    aliases VARCHAR[] NOT NULL, ingested_at TIMESTAMP NOT NULL, reading VARCHAR NOT NULL,
    layout VARCHAR NOT NULL);
CREATE TABLE texts (
    doc BIGINT NOT NULL, text VARCHAR NOT NULL, blocks VARCHAR NOT NULL,
    sentence_starts INTEGER[] NOT NULL, sentence_ends INTEGER[] NOT NULL, sentence_blocks INTEGER[] NOT NULL,
    hard INTEGER[] NOT NULL);
CREATE TABLE originals (doc BIGINT NOT NULL, data BLOB NOT NULL, sidecar BLOB);
CREATE TABLE indexes (
    id VARCHAR NOT NULL, number INTEGER NOT NULL, name VARCHAR NOT NULL, settings VARCHAR NOT NULL, model VARCHAR NOT NULL, model_revision VARCHAR NOT NULL, dim INTEGER NOT NULL,
    max_tokens INTEGER NOT NULL, created_at TIMESTAMP NOT NULL, version BIGINT NOT NULL);
CREATE TABLE indexed (index_id VARCHAR NOT NULL, doc BIGINT NOT NULL, revision VARCHAR NOT NULL);
CREATE TABLE maps (index_id VARCHAR NOT NULL, method VARCHAR NOT NULL, version BIGINT NOT NULL, points FLOAT[] NOT NULL);
CREATE TABLE gold (
    name VARCHAR NOT NULL, position INTEGER NOT NULL, question VARCHAR NOT NULL,
    doc_ids VARCHAR[] NOT NULL, revisions VARCHAR[] NOT NULL, starts INTEGER[] NOT NULL, ends INTEGER[] NOT NULL, filter VARCHAR);
"""

NODES = """
CREATE TABLE {table} (
    node BIGINT NOT NULL, doc BIGINT NOT NULL, ordinal INTEGER NOT NULL, "start" INTEGER NOT NULL, "end" INTEGER NOT NULL,
    first_sentence INTEGER NOT NULL, last_sentence INTEGER NOT NULL,
    embedded_start INTEGER NOT NULL, embedded_end INTEGER NOT NULL,
    kind VARCHAR NOT NULL, page INTEGER, headings VARCHAR[] NOT NULL, tokens INTEGER NOT NULL,
    text_hash BLOB NOT NULL, embedding FLOAT[{dim}] NOT NULL, prefix VARCHAR NOT NULL, unknown INTEGER NOT NULL,
    context VARCHAR NOT NULL)
"""


def computed_table(name: str) -> str:
    """The statement that makes the table of what is computed for an index's nodes."""
    columns = "".join(f', "{field.name}" {SQL_TYPES[field.type]}' for field in COMPUTED)
    return f"CREATE TABLE {name} (node BIGINT NOT NULL, doc BIGINT NOT NULL{columns})"


_MIGRATIONS = {
    1: """
CREATE TABLE settings (name VARCHAR NOT NULL, value VARCHAR NOT NULL);
ALTER TABLE documents ADD COLUMN reading VARCHAR DEFAULT '{}';
ALTER TABLE documents ADD COLUMN layout VARCHAR DEFAULT '';
ALTER TABLE texts ADD COLUMN hard INTEGER[] DEFAULT [];
DELETE FROM indexed;
""",
    2: """
ALTER TABLE fields ADD COLUMN required BOOLEAN DEFAULT false;
ALTER TABLE fields ADD COLUMN fallback VARCHAR;
ALTER TABLE fields ADD COLUMN allowed VARCHAR[] DEFAULT [];
ALTER TABLE fields ADD COLUMN description VARCHAR DEFAULT '';
ALTER TABLE fields ADD COLUMN date_order VARCHAR;
ALTER TABLE fields ADD COLUMN confirmed BOOLEAN DEFAULT true;
CREATE TABLE given (doc BIGINT NOT NULL, field VARCHAR NOT NULL, raw VARCHAR NOT NULL, misfit VARCHAR NOT NULL, edited BOOLEAN NOT NULL);
CREATE TABLE contexts (key VARCHAR NOT NULL, line VARCHAR NOT NULL);
ALTER TABLE indexes ADD COLUMN settings VARCHAR DEFAULT '';
UPDATE indexes SET settings = format('{{"size": {}, "overlap": {}, "embed_around": {}}}', size, overlap, embed_around);
ALTER TABLE indexes DROP COLUMN size;
ALTER TABLE indexes DROP COLUMN overlap;
ALTER TABLE indexes DROP COLUMN embed_around;
""",
    3: "CREATE TABLE likeness (key BLOB NOT NULL, cosines FLOAT[] NOT NULL);",
}
"""What brings a file of each older format to the next one, but for its node tables.

Format 2 makes other nodes of lists and tables: documents wait to be indexed again, which embeds next to nothing.
Format 3 keeps what was given for each field beside its typed value, see ``_fill_given``. Format 4 keeps how alike
neighbouring sentences are.
"""
_NODE_MIGRATIONS = {
    1: """
ALTER TABLE {table} ADD COLUMN prefix VARCHAR DEFAULT '';
ALTER TABLE {table} ADD COLUMN unknown INTEGER DEFAULT 0;
""",
    2: """
ALTER TABLE {table} ADD COLUMN node BIGINT;
ALTER TABLE {table} ADD COLUMN context VARCHAR DEFAULT '';
UPDATE {table} SET node = rowid;
""",
    3: "",
}


def connect(path: Path) -> duckdb.DuckDBPyConnection:
    """The one connection to ``path`` in this process, its tables made if the file is new.

    Raises:
        WorkspaceInUse: another process holds the file; the message names it.
        WorkspaceUnusable: the file is no workspace, or of a newer version. It is left as it was.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = _attach(path)
    except OSError as error:
        raise WorkspaceUnusable(f"{path} cannot be made: {error.strerror}.", "Name another file.") from None
    except duckdb.Error as error:
        raise _why_not(path, str(error)) from None
    try:
        _prepare(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _attach(path: Path) -> duckdb.DuckDBPyConnection:
    # A database in memory named after the file: whoever opens it again in this process shares one instance, since the
    # lock on the file only keeps other processes out. Vectors hardly compress, and reading them uncompressed is 1.6x
    # faster under tight filters. A scan takes one thread per row group, of 122,880 rows unless the file says less.
    connection = duckdb.connect(f":memory:{path}", config={"force_compression": "uncompressed"})
    try:
        quoted = str(path).replace("'", "''")
        connection.execute(f"ATTACH IF NOT EXISTS '{quoted}' AS {DATABASE} (ROW_GROUP_SIZE {ROW_GROUP_SIZE})")
        connection.execute(f"USE {DATABASE}")
    except BaseException:
        connection.close()
        raise
    return connection


def cursor(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """A cursor of one's own on the workspace."""
    made = connection.cursor()
    made.execute(f"USE {DATABASE}")
    return made


def publish(path: Path, address: str | None) -> None:
    """Write beside the file which process holds it, and where it answers."""
    _holder_file(path).write_text(json.dumps({"pid": os.getpid(), "address": address}), encoding="utf-8")


def withdraw(path: Path) -> None:
    """Take that note away again."""
    _holder_file(path).unlink(missing_ok=True)


def _holder_file(path: Path) -> Path:
    return path.with_name(path.name + ".holder")


def _why_not(path: Path, message: str) -> WorkspaceInUse | WorkspaceUnusable:
    if "could not set lock" in message.lower() or "being used by another process" in message.lower():
        return _in_use(path, message)
    if "not a valid DuckDB database" in message:
        return WorkspaceUnusable(f"{path} is not a workspace.", "Name another file, or a new one to begin with.")
    return WorkspaceUnusable(f"{path} cannot be opened: {message.splitlines()[0]}", "Name another file.")


def _in_use(path: Path, message: str) -> WorkspaceInUse:
    try:
        holder = json.loads(_holder_file(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        holder = {}
    told = re.search(r"PID (\d+)", message)
    pid = told.group(1) if told else holder.get("pid")
    address = holder.get("address") if str(holder.get("pid")) == str(pid) else None
    who = f"process {pid}" if pid else "another process"
    return WorkspaceInUse(
        f"{path} is in use by {who}{f' at {address}' if address else ''}.",
        f"{f'Use the app at {address}' if address else 'Wait for it to end'}, stop it"
        f"{f' (kill {pid})' if pid else ''}, or name another workspace with --workspace FILE.",
    )


def _prepare(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    columns = set(
        connection.execute(
            "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal AND database_name = ?", [DATABASE]
        ).fetchall()
    )
    if not columns:
        connection.begin()
        connection.execute(_TABLES)
        connection.execute(
            "INSERT INTO workspace VALUES (?, ?, 0)", [FORMAT_VERSION, datetime.now(UTC).replace(tzinfo=None)]
        )
        connection.commit()
        return
    if ("workspace", "format_version") not in columns:
        raise WorkspaceUnusable(f"{path} is a DuckDB file, but not a workspace.", "Name another file, or a new one.")
    ((version,),) = connection.execute("SELECT format_version FROM workspace").fetchall()
    if version > FORMAT_VERSION:
        raise WorkspaceUnusable(
            f"{path} was written by a newer version (format {version}; this one reads up to {FORMAT_VERSION}).",
            "Update Chunkscope, or name another workspace.",
        )
    if version < FORMAT_VERSION:
        _migrate(connection, version)


def _migrate(connection: duckdb.DuckDBPyConnection, version: int) -> None:
    """Bring the tables to the present format, all or nothing."""
    connection.begin()
    numbers = connection.execute("SELECT number FROM indexes").fetchall()
    for older in range(version, FORMAT_VERSION):
        connection.execute(_MIGRATIONS[older])
        for (number,) in numbers:
            connection.execute(_NODE_MIGRATIONS[older].format(table=f"nodes_{int(number)}"))
        if older == 2:
            _fill_given(connection)
            _fill_computed(connection, [int(number) for (number,) in numbers])
    connection.execute("UPDATE workspace SET format_version = ?", [FORMAT_VERSION])
    connection.commit()


def _fill_given(connection: duckdb.DuckDBPyConnection) -> None:
    """What sidecars gave for each field, from the sidecars."""
    names = {name for (name,) in connection.execute("SELECT name FROM fields").fetchall()}
    for doc, sidecar in connection.execute("SELECT doc, sidecar FROM originals WHERE sidecar IS NOT NULL").fetchall():
        given = json.loads(bytes(sidecar).decode("utf-8-sig"))
        for name in names & given.keys():
            if given[name] is not None:
                told = [doc, name, json.dumps(given[name]), "", False]
                connection.execute("INSERT INTO given VALUES (?, ?, ?, ?, ?)", told)


def _fill_computed(connection: duckdb.DuckDBPyConnection, numbers: Sequence[int]) -> None:
    """A row for each node, with nothing computed yet."""
    for number in numbers:
        connection.execute(computed_table(f"computed_{number}"))
        connection.execute(f"INSERT INTO computed_{number} (node, doc) SELECT node, doc FROM nodes_{number}")
