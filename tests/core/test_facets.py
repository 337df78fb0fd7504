"""Facet counts are what a filter with that value would find beside the others."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import InvalidFilter
from core.filters import EVERYTHING, Condition, FieldType, Op, conjunction, from_json
from core.ingest import Upload
from core.settings import ChunkSettings
from core.store.duckdb import DuckStore
from core.workspace import Workspace
from tests.fakes import BagEncoder

TEXTS = (
    ("a.txt", "One. Two. Three.", b'{"category": "legal", "tags": ["x", "y"], "year": 2023}'),
    ("b.txt", "Four. Five.", b'{"category": "log", "tags": ["y"], "year": 2024, "urgent": true}'),
    ("c.txt", "Six.", b'{"category": "legal"}'),
)
OTHERS = [
    EVERYTHING,
    from_json({"category": "legal"}),
    from_json({"field": "tags", "op": "contains_any", "value": ["y"]}),
    from_json({"any": [{"year": 2024}, {"field": "ordinal", "op": "=", "value": 0}]}),
    from_json({"category": "none such"}),
]


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    made = Workspace(DuckStore(tmp_path_factory.mktemp("w") / "w.duckdb"), lambda name: BagEncoder())
    made.add(
        [Upload(name, body.encode()) for name, body, _ in TEXTS]
        + [Upload(f"{name}.meta.json", told) for name, _, told in TEXTS],
        ChunkSettings(),
    )
    yield made
    made.store.close()


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    name=st.sampled_from(
        ["category", "tags", "year", "urgent", "doc_id", "kind", "ordinal", "is_first", "content_type"]
    ),
    others=st.sampled_from(OTHERS),
    where=st.sampled_from(["", "tokens > 1", "category = 'log' or ordinal = 1"]),
)
def test_a_count_is_what_the_value_would_find(filled, name, others, where):
    field, index = filled.store.schema()[name], filled.index()
    found = filled.store.facet(index, name, others, 200, where)
    op = Op.CONTAINS_ANY if field.type is FieldType.STRINGS else Op.IN
    assert found.values
    for value, count in found.values:
        both = conjunction(others, Condition(name, op, (value,)))
        assert count == filled.count(both, None, where)[0]
    assert found.missing == filled.count(conjunction(others, Condition(name, Op.IS_NULL)), None, where)[0]
    assert found.matching == filled.count(others, None, where)[0]


def test_the_commonest_stand_first_and_those_of_no_node_last(filled):
    store, index = filled.store, filled.index()
    assert store.facet(index, "category", EVERYTHING, 9).values == (("legal", 4), ("log", 2))
    assert store.facet(index, "category", from_json({"year": 2024}), 9).values == (("log", 2), ("legal", 0))
    assert store.facet(index, "ordinal", EVERYTHING, 2).values == ((0, 3), (1, 2))


def test_a_field_that_is_not_there_is_refused(filled):
    with pytest.raises(InvalidFilter, match="no field 'colour'"):
        filled.store.facet(filled.index(), "colour", EVERYTHING, 5)
