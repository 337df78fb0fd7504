"""An expert's condition in SQL, evaluated where it can reach nothing.

DuckDB has one configuration per instance, so the condition never runs on the workspace: each index's filterable
columns are copied into a DuckDB of their own, in memory and locked, which answers with the numbers of the nodes that
pass. A copy is made once and used until anything in the workspace changes.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from threading import Lock, Timer

import duckdb
import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidFilter
from core.store.duckdb import documents, expression, nodes
from core.store.duckdb.checking import GROWTH, SECONDS, SHORT
from core.store.duckdb.where import Chosen, Column, Home
from core.types import Index

Cursor = duckdb.DuckDBPyConnection
MEMORY = "1GB"
_COPIES = 2


class Copy:
    """What can be filtered of an index's nodes, in a DuckDB that no statement can leave. Safe to share between threads."""

    def __init__(self, cursor: Cursor, index: Index) -> None:
        """Copy from the cursor's snapshot.

        Raises:
            NotFound: there is no such index.
            InvalidFilter: what can be filtered does not fit into the memory that is allowed.
        """
        fields = documents.columns(cursor)
        self._names = {name: f"c{number}" for number, name in enumerate(fields)}
        self._connection = duckdb.connect(":memory:", config=expression.LOCKED)
        self._cursors = Lock()
        try:
            self._fill(cursor, nodes.table(cursor, index.id), fields)
        except duckdb.OutOfMemoryException:
            raise InvalidFilter(
                f"What can be filtered of {index.name!r} does not fit into the {MEMORY} a condition in SQL may use.",
                "Use an ordinary filter.",
            ) from None

    def _fill(self, cursor: Cursor, table: str, fields: Mapping[str, Column]) -> None:
        def chosen(source: Home, prefix: str) -> str:
            mine = [(name, column) for name, column in fields.items() if column.home is source]
            return "".join(f", {prefix}.{column.quoted} AS {self._names[name]}" for name, column in mine)

        of_nodes = chosen(Home.NODES, "n") + chosen(Home.COMPUTED, "c")
        self._take(
            cursor,
            "nodes",
            f"SELECT n.node, n.doc{of_nodes} FROM {table} n JOIN {nodes.computed_of(table)} c USING (node)",
        )
        self._take(cursor, "documents", f"SELECT d.doc{chosen(Home.DOCUMENTS, 'd')} FROM documents d")
        self._every = self._connection.execute("SELECT node FROM nodes ORDER BY node").fetchnumpy()["node"]
        found = self._connection.execute("SELECT DISTINCT doc FROM nodes ORDER BY doc").fetchall()
        self._docs: list[int] = [doc for (doc,) in found]
        expression.lock(self._connection, MEMORY)

    def _take(self, cursor: Cursor, name: str, statement: str) -> None:
        self._connection.register("incoming_rows", cursor.sql(statement).to_arrow_table())
        self._connection.execute(f"CREATE TABLE {name} AS SELECT * FROM incoming_rows")
        self._connection.unregister("incoming_rows")

    def matching(self, condition: str, seconds: float = SECONDS) -> Chosen:
        """The nodes for which the condition is true: null counts as false.

        Raises:
            InvalidFilter: see ``expression.translated``; no condition; it fails for a value, or takes too long.
        """
        clause = expression.translated(condition, self._names)
        with self._cursors:
            cursor = self._connection.cursor()
        clock = Timer(seconds, cursor.interrupt)
        clock.start()
        try:
            self._refuse_other_types(cursor, clause)
            pieces = list(self._passing(cursor, clause, time.monotonic() + seconds))
            return self._chosen(np.sort(np.concatenate(pieces or [np.empty(0, np.int64)])))
        except duckdb.InterruptException:
            raise InvalidFilter(
                f"The condition took longer than {seconds:g} seconds.", "Ask for something simpler."
            ) from None
        except duckdb.OutOfMemoryException:
            raise InvalidFilter("The condition needs too much memory.", "Ask for something simpler.") from None
        except duckdb.Error as error:
            raise InvalidFilter(f"The condition cannot be evaluated: {_first_line(error)}", _HINT) from None
        finally:
            clock.cancel()
            cursor.close()

    def _passing(self, cursor: Cursor, clause: str, deadline: float) -> Iterator[NDArray[np.int64]]:
        """The nodes that pass, document after document, in growing pieces as long as these take little time.

        DuckDB looks up from its work only every 2,048 rows, which can be many seconds of it.
        """
        sql = (
            f"SELECT node FROM ({_SOME.format('nodes')}) JOIN ({_SOME.format('documents')}) USING (doc) WHERE {clause}"
        )
        first, size = 0, 1
        while first < len(self._docs):
            if (start := time.monotonic()) > deadline:
                raise duckdb.InterruptException("The time is over.")
            low, high = self._docs[first], self._docs[min(first + size, len(self._docs)) - 1]
            yield np.asarray(cursor.execute(sql, [low, high, low, high]).fetchnumpy()["node"], np.int64)
            first += size
            size = size * GROWTH if time.monotonic() - start < SHORT else max(1, size // GROWTH)

    def _chosen(self, passing: NDArray[np.int64]) -> Chosen:
        others = 2 * len(passing) > len(self._every)
        numbers = np.setdiff1d(self._every, passing, assume_unique=True) if others else passing
        return Chosen(tuple(numbers.tolist()), others)

    def _refuse_other_types(self, cursor: Cursor, clause: str) -> None:
        cursor.execute(f"SELECT ({clause}) {_FROM} LIMIT 0")
        kind = str(cursor.description[0][1]) if cursor.description else ""
        if kind != "BOOLEAN":
            raise InvalidFilter(f"The condition is of type {kind.lower()}, neither true nor false.", "Compare it.")


_FROM = "FROM nodes JOIN documents USING (doc)"
_SOME = "SELECT * FROM {} WHERE doc >= ? AND doc <= ?"
_HINT = "try_cast gives null where a value cannot be converted."


def _first_line(error: duckdb.Error) -> str:
    return str(error).splitlines()[0][:300]


class Copies:
    """The copies of the indexes that were asked about last."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, tuple[int, Copy]] = OrderedDict()
        self._making = Lock()

    def of(self, cursor: Cursor, index: Index, changes: int) -> Copy:
        """The copy of an index as it is in the cursor's snapshot, which shows the workspace after ``changes`` writes."""
        with self._making:
            held = self._held.get(index.id)
            if held is None or held[0] != changes:
                held = (changes, Copy(cursor, index))
                self._held[index.id] = held
            self._held.move_to_end(index.id)
            while len(self._held) > _COPIES:
                self._held.popitem(last=False)
            return held[1]
