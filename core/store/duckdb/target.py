"""What a search is about: one index as one snapshot has it, and what its nodes are compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import duckdb
import numpy as np
from numpy.typing import NDArray

from core.errors import ModelMismatch
from core.filters import Filter
from core.store.duckdb import documents, nodes, where
from core.store.duckdb.where import Chosen, Column, Columns
from core.types import Index

Cursor = duckdb.DuckDBPyConnection


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
        columns = self.columns
        return where.on_nodes(documents.checked(self.cursor, filter, columns), columns, self.computed)

    def condition(self, filter: Filter) -> where.Sql:
        """As ``clause``, of the nodes that are chosen, if any are."""
        condition, params = self.clause(filter)
        if self.chosen is None:
            return condition, params
        among, numbers = self.chosen.sql
        return f"({condition}) AND {among}", [*params, *numbers]
