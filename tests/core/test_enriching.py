"""What is computed for the nodes of an index: kept, filtered by, computed again, and never in the way of metadata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from core import enrich
from core.enrich import EnrichSettings
from core.enrich.fields import COMPUTED, NAMES
from core.errors import Cancelled, InvalidFilter, MissingExtra
from core.filters import EVERYTHING, OPERATORS, All, Any, Condition, FieldType, Filter, Not, Op, from_json
from core.ingest import Status
from core.settings import ChunkSettings, ContextSettings, SearchSettings, SplitSettings
from core.store.duckdb import DuckStore
from core.types import Index, Vectors
from core.workspace import Workspace
from tests.core.drops import CancelAt, CountingEncoder, drop, sidecar, statuses, text
from tests.core.test_filters import holds

MANUAL = """# Pumps

The North Pump Station failed in May. Dr. Ada Lovelace wrote to NASA about it.

## Repair

In summary, the seal was replaced. Run `pump --restart` now.

```
def restart(pump):
    return pump.start()
```

| part | price |
|---|---|
| seal | 3 |

- first item here
- second item there

## Theory

The flow is $Q = v A$ and ∑ of losses ≤ head. It holds.
"""
FRENCH = (
    "La pompe du nord est tombée en panne au mois de mai, et personne ne savait pourquoi elle s'était arrêtée aussi vite. "
    "Les ouvriers ont remplacé le joint pendant la nuit, puis ils ont remis la machine en marche avant le lever du soleil. "
    "Depuis ce jour, la station fonctionne sans aucun problème et les habitants sont contents de leur eau."
)
PLAIN = "The valve held. Nobody noticed. The shift ended"
PAIRS = ChunkSettings(2, 1)


@dataclass(frozen=True)
class Refusing(CountingEncoder):
    """Gives a vector that cannot be compared for every text with ``zero`` in it."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        found = super().encode(texts)
        found[["zero" in text for text in texts]] = 0
        return found


@pytest.fixture
def encoder() -> CountingEncoder:
    return Refusing()


def fill(workspace: Workspace) -> None:
    """Three documents in two indexes; the metadata of one are called like fields of nodes."""
    drop(
        workspace,
        text("manual.md", MANUAL), sidecar("manual.md", language="xx", keywords=["mine"], section="mine", tokens=-1),
        text("fr.txt", FRENCH), sidecar("fr.txt", language="fr"),
        text("plain.txt", PLAIN),
    )  # fmt: skip
    workspace.build(PAIRS)


@pytest.fixture
def filled(tmp_path, encoder) -> Iterator[Workspace]:
    made = Workspace(DuckStore(tmp_path / "w.duckdb"), lambda name: encoder)
    fill(made)
    yield made
    made.store.close()


@pytest.fixture(scope="module")
def still(tmp_path_factory) -> Iterator[Workspace]:
    """The same for tests that change nothing."""
    made = Workspace(DuckStore(tmp_path_factory.mktemp("still") / "w.duckdb"), lambda name: Refusing())
    fill(made)
    yield made
    made.store.close()


def reference(workspace: Workspace, index: Index) -> dict[tuple[str, int], dict[str, object]]:
    """Every field of every node as it is found from texts and vectors alone, by name as filters write it."""
    given = {spec.name for spec in workspace.fields()}
    rows: dict[tuple[str, int], dict[str, object]] = {}
    texts = []
    for info in sorted(workspace.documents(), key=lambda info: info.id):
        passage, nodes = workspace.preview(info.id, index.settings)
        held = workspace.store.embedded(index, info.id)
        told = enrich.compute(passage, nodes, held.vectors, EnrichSettings(), enrich.finder(""))
        body = passage.document.text
        spans = [body[node.start : node.end] for node in nodes]
        texts.append(enrich.Texts(info.id, spans, [()] * len(nodes), passage.document.reading.language))
        for number in range(len(nodes)):
            columns = {name: column[number] for name, column in told.items()}
            columns |= {"embedding_model": "bag", "strategy": index.name, "tokens": held.tokens[number]}
            rows[info.id, number] = columns
    for doc_id, keywords in enrich.keywords(texts).items():
        for number, words in enumerate(keywords):
            rows[doc_id, number]["keywords"] = words
    metadata = {info.id: info.metadata for info in workspace.documents()}
    return {
        key: {**{f"node.{n}" if n in given else n: v for n, v in row.items()}, **metadata[key[0]]}
        for key, row in rows.items()
    }


def passing(workspace: Workspace, index: Index, where: Filter) -> set[tuple[str, int]]:
    keys = workspace.store.keys(index, where)
    return set(zip(keys.doc_ids, keys.ordinals.tolist(), strict=True))


def filters(name: str, kind: FieldType, values: Sequence[object]) -> Iterator[Filter]:
    """Every operator of a field with values that stand there."""
    distinct = list(dict.fromkeys(values))
    for op in OPERATORS[kind]:
        if op in (Op.IS_NULL, Op.NOT_NULL):
            yield Condition(name, op)
        elif op is Op.BETWEEN and len(distinct) > 1:
            yield Condition(name, op, tuple(sorted(distinct[:2])))
        elif op in (Op.IN, Op.NOT_IN):
            yield Condition(name, op, tuple(distinct[:2]))
        elif op is Op.MATCHES:
            yield Condition(name, op, "[a-m]")
        elif op is not Op.BETWEEN:
            yield from (Condition(name, op, value) for value in distinct[:3])


def fields(workspace: Workspace) -> dict[str, list[Mapping[str, object]]]:
    """What is computed, by index and document."""
    return {
        f"{index.name} {info.name}": workspace.store.computed(index, info.id)
        for index in workspace.indexes()
        for info in workspace.documents()
    }


def vectors(workspace: Workspace) -> list[object]:
    return [(index, workspace.store.vectors(index).tolist()) for index in workspace.indexes()]


# ── filters ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["tokens", *NAMES])
@pytest.mark.parametrize("index", ["sentence", PAIRS.name])
def test_filters_by_a_computed_field_pass_what_the_field_says(still, index, name):
    chosen = still.index(index)
    rows = reference(still, chosen)
    known = {spec.name for spec in still.fields()}
    called = f"node.{name}" if name in known else name
    kind = still.store.schema()[called].type
    values = [row[called] for row in rows.values() if row.get(called) is not None]
    assert values or name == "section_level"
    for where in filters(called, kind, values):
        expected = {key for key, row in rows.items() if holds(where, row)}
        assert passing(still, chosen, where) == expected, where
        assert passing(still, chosen, Not(where)) == rows.keys() - expected, where


def test_the_corpus_of_these_tests_has_something_to_filter(still):
    """Each field has a value, and most have several: else the test above would prove little."""
    rows = reference(still, still.index("sentence")).values()
    several = {name for row in rows for name in row if len({str(r.get(name)) for r in rows}) > 1}
    assert several >= {
        "node.section", "subsection", "section_level", "content_type", "contains_code", "contains_math", "is_summary", "words",
        "entities", "node.keywords", "node.language", "is_complete", "coherence", "summary", "is_first", "is_last", "node.tokens",
    }  # fmt: skip


def test_fields_of_nodes_documents_and_what_is_computed_mix_in_one_filter(still):
    chosen = still.index("sentence")
    rows = reference(still, chosen)
    code, fr = Condition("contains_code", Op.EQ, True), Condition("language", Op.EQ, "fr")
    table, first = Condition("kind", Op.EQ, "table"), Condition("is_first", Op.EQ, True)
    kinds = {(hit.doc_id, hit.node.ordinal): hit.node.kind for hit in still.search("x", SearchSettings(k=100)).hits}
    full = {key: {**row, "kind": str(kinds[key])} for key, row in rows.items()}
    for where in (
        All((code, Not(first))), Any((code, fr, table)), Not(All((fr, first))), Any((All((fr, first)), All((code, table)))),
        Not(Any((code, Not(fr)))), All((Any((code, fr)), Any((first, table)))),
    ):  # fmt: skip
        assert passing(still, chosen, where) == {key for key, row in full.items() if holds(where, row)}, where


def test_metadata_called_like_a_field_of_nodes_and_that_field_are_both_found(filled):
    def names(where: object) -> set[str]:
        return {hit.name for hit in filled.search("pump", SearchSettings(k=100), from_json(where)).hits}

    assert names({"field": "keywords", "op": "contains_any", "value": ["mine"]}) == {"manual.md"}
    assert names({"field": "node.keywords", "op": "contains_any", "value": ["mine"]}) == set()
    assert names({"field": "node.keywords", "op": "contains_any", "value": ["valve"]}) == {"plain.txt"}
    assert names({"section": "mine"}) == names({"node.section": "Pumps"}) == {"manual.md"}
    assert names({"tokens": -1}) == {"manual.md"}
    assert names({"field": "node.tokens", "op": ">", "value": 0}) == {"manual.md", "fr.txt", "plain.txt"}
    assert names({"language": "fr"}) == names({"node.language": "fr"}) == {"fr.txt"}
    assert names({"language": "xx"}) == {"manual.md"}
    assert names({"node.language": "xx"}) == set()
    assert "words" in filled.store.schema()
    assert "node.words" not in filled.store.schema()
    drop(filled, text("odd.txt", "An odd one."), sidecar("odd.txt", **{"words": 1, "node.words": 2}))
    assert (
        names({"words": 1})
        == names({"node.words": 2})
        == names({"node.node.words": 3}) - {"manual.md", "plain.txt"}
        == {"odd.txt"}
    )


def test_documents_are_not_listed_by_what_is_computed_for_their_nodes(still):
    with pytest.raises(InvalidFilter, match="'contains_code' belongs to the nodes"):
        still.documents(from_json({"contains_code": True}))


def test_hits_tell_what_is_computed_for_them(still):
    rows = reference(still, still.index("sentence"))
    for hit in still.search("pump", SearchSettings(k=100)).hits:
        row = rows[hit.doc_id, hit.node.ordinal]
        told = {f"node.{n}" if f"node.{n}" in row else n: v for n, v in hit.computed.items()}
        assert told == {name: row[name] for name in told}
        assert hit.tokens == row["node.tokens"]
        missing = {n for n in NAMES if n not in hit.computed}
        assert all(
            row.get(f"node.{name}", row.get(name) if f"node.{name}" not in row else None) is None for name in missing
        )


# ── again ────────────────────────────────────────────────────────────────────────────────────────


def test_computing_again_changes_nothing_and_touches_no_vector(filled, encoder):
    before, nodes, asked = fields(filled), vectors(filled), len(encoder.asked)
    filled.enrich(EnrichSettings())
    assert fields(filled) == before
    assert vectors(filled) == nodes
    assert len(encoder.asked) == asked


@pytest.mark.parametrize("off", [{"keywords"}, {"entities", "language"}, set(NAMES)])
def test_fields_that_are_switched_off_are_null_and_come_back(filled, encoder, off):
    before, nodes, asked = fields(filled), vectors(filled), len(encoder.asked)
    filled.enrich(EnrichSettings(frozenset(off)))
    assert filled.enrich_settings().off == off
    assert fields(filled) == {
        key: [{name: v for name, v in row.items() if name not in off} for row in rows] for key, rows in before.items()
    }
    drop(filled, text("new.txt", "The new pump is loud. NASA Ames wrote."))
    for index in filled.indexes():
        for info in filled.documents():
            assert all(off.isdisjoint(row) for row in filled.store.computed(index, info.id))
    filled.remove(filled.document("new.txt").id)
    filled.enrich(EnrichSettings())
    assert fields(filled) == before
    assert vectors(filled)[1:] == nodes[1:]
    assert len(encoder.asked) == asked + 2


def test_a_cancelled_computing_keeps_the_old_settings_and_goes_on_when_asked_again(filled):
    before, off = fields(filled), EnrichSettings(frozenset({"words"}))
    with pytest.raises(Cancelled):
        filled.enrich(off, CancelAt(4))
    assert filled.enrich_settings() == EnrichSettings()
    filled.enrich(off)
    assert not any("words" in row for rows in fields(filled).values() for row in rows)
    filled.enrich(EnrichSettings())
    assert fields(filled) == before


def test_a_model_for_entities_that_is_not_there_is_refused_and_nothing_changes(filled):
    before = fields(filled)
    with pytest.raises(MissingExtra):
        filled.enrich(EnrichSettings(entity_model="no_such_model_anywhere"))
    assert (fields(filled), filled.enrich_settings()) == (before, EnrichSettings())


def test_nodes_that_were_refused_leave_the_others_their_own_fields(filled):
    """The store numbers refused nodes too: what is computed again must not slip by one."""
    body = "First one here. This is zero. Third one there, says NASA. Again zero now. Fifth is last."
    result = drop(filled, text("gaps.txt", body))["gaps.txt"]
    assert "2 nodes were not indexed" in result.reason
    doc_id, chosen = filled.document("gaps.txt").id, filled.index("sentence")
    before = filled.store.computed(chosen, doc_id)
    assert [row["words"] for row in before] == [3, 5, 3]
    assert [row.get("entities") for row in before] == [(), ("NASA",), ()]
    assert [(row["is_first"], row["is_last"]) for row in before] == [(True, False), (False, False), (False, True)]
    for settings in (EnrichSettings(frozenset({"keywords", "words"})), EnrichSettings()):
        filled.enrich(settings)
    assert filled.store.computed(chosen, doc_id) == before
    drop(filled, text("more.txt", "Third one there. Third one. Third party."))
    found = [row["keywords"] for row in filled.store.computed(chosen, doc_id)]
    nodes = filled.store.embedded(chosen, doc_id).nodes
    said = [body[node.start : node.end].lower() for node in nodes]
    assert all(word in own for words, own in zip(found, said, strict=True) for word in map(str.lower, words))
    assert any(found)


def test_nodes_that_wait_to_be_embedded_again_have_the_settings_of_now_too(filled):
    telling = ChunkSettings(context=ContextSettings(fields=("category",)))
    filled.build(telling)
    filled.edit({filled.document("plain.txt").id: {"category": "new"}})
    assert filled.document("plain.txt").id not in filled.store.indexed(filled.index(telling.name))
    filled.enrich(EnrichSettings(frozenset({"words"})))
    hits = filled.search(
        "valve", SearchSettings(k=3), from_json({"field": "words", "op": "not_null"}), telling.name
    ).hits
    assert hits == ()


# ── documents that come and go ───────────────────────────────────────────────────────────────────


def test_a_document_that_is_brought_back_has_its_fields_in_every_index(filled):
    before = fields(filled)
    filled.restore(filled.remove(filled.document("manual.md").id))
    assert fields(filled) == before


def test_editing_metadata_leaves_what_is_computed(filled):
    before = fields(filled)
    filled.edit({filled.document("manual.md").id: {"language": "de", "keywords": ["other"]}})
    filled.set_field(next(spec for spec in filled.fields() if spec.name == "tokens"))
    assert fields(filled) == before


def test_a_document_with_new_text_has_the_fields_of_that(filled):
    drop(filled, text("plain.txt", "Only one sentence with NASA in it."))
    (row,) = filled.store.computed(filled.index("sentence"), filled.document("plain.txt").id)
    assert (row["words"], row["entities"], row["is_first"], row["is_last"]) == (7, ("NASA",), True, True)
    filled.build(PAIRS)
    assert len(filled.store.computed(filled.index(PAIRS.name), filled.document("plain.txt").id)) == 1


def test_documents_cut_anew_have_fields_for_their_new_nodes(filled):
    filled.resplit(SplitSettings(abbreviations=("held",)))
    texts = {hit.text: hit.computed["words"] for hit in filled.search("valve", SearchSettings(k=100)).hits}
    assert texts["The valve held. Nobody noticed."] == 5


def test_keywords_follow_the_other_documents_and_only_what_changes_is_written(filled):
    chosen = filled.index("sentence")
    ids = {info.name: info.id for info in filled.documents()}
    before = {name: [row.get("keywords") for row in filled.store.computed(chosen, d)] for name, d in ids.items()}
    drop(filled, *(text(f"{n}.txt", f"The valve held {n} times. Nobody noticed {n} of them.") for n in range(12)))
    after = [row.get("keywords") for row in filled.store.computed(chosen, ids["plain.txt"])]
    assert after != before["plain.txt"]
    rows = reference(filled, chosen)
    for info in filled.documents():
        found = [row.get("keywords") for row in filled.store.computed(chosen, info.id)]
        assert found == [rows[info.id, n]["node.keywords"] for n in range(len(found))]


def test_the_same_files_again_leave_every_field_as_it_is(filled):
    before, changes = fields(filled), filled.store.changes
    assert statuses(filled, text("plain.txt", PLAIN)) == [("plain.txt", Status.UNCHANGED)]
    assert fields(filled) == before
    assert filled.store.changes - changes <= 2


def test_each_index_has_its_own(filled):
    sentence, pairs = filled.index("sentence"), filled.index(PAIRS.name)
    doc_id = filled.document("plain.txt").id
    ones, twos = filled.store.computed(sentence, doc_id), filled.store.computed(pairs, doc_id)
    assert [row["words"] for row in ones] == [3, 2, 3]
    assert [row["words"] for row in twos] == [5, 5]
    assert {row["strategy"] for row in ones} == {"sentence"}
    assert {row["strategy"] for row in twos} == {PAIRS.name}
    for column in ([row["coherence"] for row in ones], [row["coherence"] for row in twos]):
        assert all(-1 <= value <= 1 for value in column)
    filled.drop_index(pairs.id)
    assert filled.store.computed(sentence, doc_id) == ones


def test_the_values_of_a_computed_field_are_counted_by_node(filled):
    chosen = filled.index("sentence")
    rows = reference(filled, chosen)
    for name in ("content_type", "words", "contains_code", "entities", "node.keywords", "node.section"):
        counts: dict[object, int] = {}
        for row in rows.values():
            held = row.get(name)
            for value in dict.fromkeys(held) if isinstance(held, tuple) else () if held is None else (held,):
                counts[value] = counts.get(value, 0) + 1
        found = filled.store.facet(chosen, name, EVERYTHING, 500).values
        assert dict(found) == counts
        assert [count for _, count in found] == sorted(counts.values(), reverse=True)
    assert len(filled.store.facet(chosen, "words", EVERYTHING, 2).values) == 2


def test_every_field_that_is_computed_is_stored_in_its_type(still):
    kinds = {
        FieldType.STRING: str, FieldType.INTEGER: int, FieldType.NUMBER: float, FieldType.BOOLEAN: bool, FieldType.STRINGS: tuple,
    }  # fmt: skip
    seen = set()
    for rows in fields(still).values():
        for row in rows:
            for field in COMPUTED:
                if field.name in row:
                    seen.add(field.name)
                    assert type(row[field.name]) is kinds[field.type], field.name
    assert seen == set(NAMES)
    assert np.isfinite(
        [row["coherence"] for rows in fields(still).values() for row in rows if "coherence" in row]
    ).all()
