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
        columns = self.columns
        checked = self.checked(filters)
        homes = [where.home(one, columns) for one in checked]
        selected: list[str] = []
        bound: list[object] = []
        for number, (one, home) in enumerate(zip(checked, homes, strict=True)):
            if home in _OTHERS:
                selected.append(f"coalesce(clause_{number}, false) AS clause_{number}")
            else:
                sql, params = self._on_nodes(one)
                selected.append(f"({sql}) AS clause_{number}")
                bound += params
        joins = ""
        for other, key in _OTHERS.items():
            mine = {number: checked[number] for number, home in enumerate(homes) if home is other}
            if mine:
                told = {number: where.on_one_table(one, columns) for number, one in mine.items()}
                listed = "".join(f", ({sql}) AS clause_{number}" for number, (sql, _) in told.items())
                table = self.computed if other is Home.COMPUTED else "documents"
                joins += f"\nLEFT JOIN (SELECT {key}{listed} FROM {table}) USING ({key})"
                bound += [value for _, params in told.values() for value in params]
        return Clauses(tuple(selected), joins, tuple(bound))

    def condition(self, filter: Filter) -> where.Sql:
        """As ``clause``, of the nodes that are chosen, if any are."""
        condition, params = self.clause(filter)
        if self.chosen is None:
            return condition, params
        among, numbers = self.chosen.sql
        return f"({condition}) AND {among}", [*params, *numbers]
