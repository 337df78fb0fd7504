"""Facets, as pages ask for them."""

from core.filters import Field, Filter
from core.store.base import Facet, Store
from core.types import Index

MOST_VALUES = 200
MOST_NODE_VALUES = 200

__all__ = ["MOST_NODE_VALUES", "MOST_VALUES", "Facet", "facet"]


def facet(store: Store, index: Index, field: Field, others: Filter, where: str = "") -> Facet:
    return store.facet(index, field.name, others, MOST_VALUES, where)
