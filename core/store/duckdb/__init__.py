"""The default store: one DuckDB file per workspace, searched exactly, filtered before it is ranked."""

from core.store.duckdb.store import DuckStore

__all__ = ["DuckStore"]
