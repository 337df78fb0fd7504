"""What a search is about: one index as one snapshot has it, and what its nodes are compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidFilter, ModelMismatch
from core.filters import Filter
from core.store.duckdb import checking, documents, nodes, where
from core.store.duckdb.where import Chosen, Column, Columns, Home
from core.types import Index

Cursor = duckdb.DuckDBPyConnection
MOST_JOINS = 100
_OTHERS = {Home.DOCUMENTS: "doc", Home.COMPUTED: "node"}
"""Other tables than the nodes', and what joins them."""


@dataclass(frozen=True, slots=True)
class Clauses:
    """Filters as columns ``clause_0``, ``clause_1``, … beside a node.

    Conditions on another table are evaluated there once and joined: neither a semi-join each nor one nested in another.
    """

    columns: tuple[str, ...]
    joins: str
    params: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """An index in the cursor's snapshot: the table of its nodes, the metadata fields, and the nodes an expert chose."""

    cursor: Cursor
    index: Index
    table: str
    fields: Mapping[str, Column]
    chosen: Chosen | None = None

    @classmethod
    def of(cls, cursor: Cursor, index: Index, chosen: Chosen | None = None) -> Target:
        """Raises NotFound if the snapshot has no such index."""
        return cls(cursor, index, nodes.table(cursor, index.id), documents.metadata_columns(cursor), chosen)

    @property
    def columns(self) -> Columns:
        """Every field a filter may name."""
        return documents.filterable(self.fields)

    @property
    def computed(self) -> str:
        """The table of what is computed for the nodes."""
        return nodes.computed_of(self.table)

    @property
    def score(self) -> str:
        """The expression for a node's cosine with the one vector that is to be bound."""
        # The function for arrays looks for nulls row by row: the same numbers, a sixth later (DuckDB 2.0).
        return f"list_inner_product(embedding, ?::FLOAT[{self.index.model.dim}])"

    def vector(self, given: NDArray[np.float32]) -> list[float]:
        """A vector as it is bound.

        Raises:
            ModelMismatch: it is of another dimension than those of the index.
        """
        vector = np.asarray(given, np.float32)
        if vector.shape != (self.index.model.dim,):
            raise ModelMismatch(
                f"Index {self.index.name!r} holds vectors of {self.index.model.dim} numbers; "
                f"the question's has {vector.size}.",
                f"Ask with the model it was built with ({self.index.model.name}).",
            )
        return list(vector.tolist())

    def clause(self, filter: Filter) -> where.Sql:
        """A filter as an expression over the table of nodes.

        Raises:
            InvalidFilter: it does not fit the schema.
        """
        return self._on_nodes(*self.checked([filter]))

    def checked(self, filters: Sequence[Filter]) -> tuple[Filter, ...]:
        """The filters in the types of the schema; raises as ``clause`` does."""
        tables = {Home.NODES: self.table, Home.COMPUTED: self.computed, Home.DOCUMENTS: "documents"}
        return checking.checked(self.cursor, filters, self.columns, tables)

    def _on_nodes(self, filter: Filter) -> where.Sql:
        joins = where.semi_joins(filter, self.columns)
        if joins > MOST_JOINS:
            raise InvalidFilter(
                f"The filter goes back and forth between fields of documents and of nodes {joins:,} times.",
                f"Up to {MOST_JOINS} are evaluated. Put conditions on documents together, and those on nodes.",
            )
        return where.on_nodes(filter, self.columns, self.computed)

    def clauses(self, filters: Sequence[Filter]) -> Clauses:
        """Each of the filters as a column beside a node; raises as ``clause`` does."""
        checked = self.checked(filters)
        homes = [where.home(one, self.columns) for one in checked]
        columns = [self._column(n, one, elsewhere=homes[n] in _OTHERS) for n, one in enumerate(checked)]
        joins = [
            self._join(home, mine)
            for home in _OTHERS
            if (mine := {n: one for n, one in enumerate(checked) if homes[n] is home})
        ]
        params = (value for _, bound in (*columns, *joins) for value in bound)
        return Clauses(tuple(sql for sql, _ in columns), "".join(sql for sql, _ in joins), tuple(params))

    def _column(self, number: int, filter: Filter, *, elsewhere: bool) -> where.Sql:
        if elsewhere:
            return f"coalesce(clause_{number}, false) AS clause_{number}", []
        sql, params = self._on_nodes(filter)
        return f"({sql}) AS clause_{number}", params

    def _join(self, home: Home, filters: Mapping[int, Filter]) -> where.Sql:
        """All that is asked of another table than the nodes', joined to those."""
        told = {number: where.on_one_table(one, self.columns) for number, one in filters.items()}
        columns = "".join(f", ({sql}) AS clause_{number}" for number, (sql, _) in told.items())
        table, key = self.computed if home is Home.COMPUTED else "documents", _OTHERS[home]
        params = [value for _, bound in told.values() for value in bound]
        return f"\nLEFT JOIN (SELECT {key}{columns} FROM {table}) USING ({key})", params

    def condition(self, filter: Filter) -> where.Sql:
        """As ``clause``, of the nodes that are chosen, if any are."""
        condition, params = self.clause(filter)
        if self.chosen is None:
            return condition, params
        among, numbers = self.chosen.sql
        return f"({condition}) AND {among}", [*params, *numbers]
