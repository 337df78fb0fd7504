"""Documents read again, or cut again, in another way: what changes, what stays, and what is never embedded twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core import api, embed, indexing
from core.abbreviations import ABBREVIATIONS
from core.errors import Cancelled, NotFound, UnreadableFile
from core.filters import from_json
from core.ingest import Status, Upload
from core.settings import ChunkSettings, Engine, ReadSettings, SearchSettings, SplitSettings
from core.store.duckdb import DuckStore
from core.types import ModelInfo
from core.workspace import Workspace
from tests.core import drops
from tests.core.drops import CancelAt, CountingEncoder, drop, listed, sidecar, statuses, text
from tests.fakes import BagEncoder

GERMAN = "Größe und Übermaß stehen fest. The rest is plain. Das Gerät läuft täglich."
AS_CYRILLIC = GERMAN.encode("cp1252").decode("cp1251")
WIDE = Upload("a.txt", GERMAN.encode("cp1252"))
PAGE = (
    b"<!doctype html><html><body><nav><a href='/'>Home</a> <a href='/shop'>Shop</a></nav><main><h1>Pumps</h1>"
    b"<p>The north pump failed in May. It was replaced at once, and nobody on the shift had to wait for it.</p>"
    b"<p>The south pump held all year. Its seal was changed twice, and the oil once.</p></main>"
    b"<footer>Imprint and privacy</footer></body></html>"
)
CODES = "The gauge was made by Zweb. Marlow in 2019. It held. Nobody noticed."
PLAIN = "The valve held. Nobody noticed the noise."
ZWEB = SplitSettings(abbreviations=(*ABBREVIATIONS, "Zweb"))
PAIRS = ChunkSettings(2)


def content(workspace, name="a.txt"):
    return workspace.store.passage(workspace.document(name).id).document.text


def sentences(workspace, name="a.txt"):
    passage = workspace.store.passage(workspace.document(name).id)
    return [passage.document.text[s.start : s.end] for s in passage.sentences]


def reread(workspace, name="a.txt", progress=lambda *_: None, **settings):
    return workspace.reread(workspace.document(name).id, ReadSettings(**settings), progress)


def state(workspace):
    """All that a reader of the workspace can find out."""
    documents = workspace.documents()
    indexes = workspace.indexes()
    return (
        documents,
        [(i.name, i.documents, i.nodes, dict(workspace.store.indexed(i))) for i in indexes],
        [(workspace.store.passage(d.id), workspace.store.originals(d.id)) for d in documents],
        [drops.node_texts(workspace, i.id) for i in indexes],
    )


def assert_whole_everywhere(workspace, *, indexes=2):
    """Every document has its nodes, as it is cut now, in every index, with the vectors of their texts."""
    assert len(workspace.indexes()) == indexes
    for index in workspace.indexes():
        assert dict(workspace.store.indexed(index)) == {info.id: info.revision for info in workspace.documents()}
        for info in workspace.documents():
            held = workspace.store.embedded(index, info.id)
            assert list(held.nodes) == workspace.preview(info.id, index.settings)[1]
    cost = [workspace.cost(index.settings) for index in workspace.indexes()]
    assert [(c.documents, c.nodes, c.new) for c in cost] == [(0, 0, 0)] * indexes


# ── read again ───────────────────────────────────────────────────────────────────────────────────


def test_another_encoding_gives_another_text_and_embeds_only_what_is_new(counted, encoder):
    drop(counted, WIDE)
    before = counted.document("a.txt")
    assert (content(counted), before.reading.encoding, before.reading.guessed) == (GERMAN, "cp1252", True)
    asked = len(encoder.asked)
    result = reread(counted, encoding="cp1251")
    after = counted.document("a.txt")
    assert content(counted) == AS_CYRILLIC
    assert (result.name, result.status, result.doc_id) == ("a.txt", Status.REPLACED, before.id)
    assert (result.nodes, result.embedded, result.characters, result.sentences) == (3, 2, len(GERMAN), 3)
    assert sorted(encoder.asked[asked:]) == sorted(s for s in sentences(counted) if s != "The rest is plain.")
    assert (after.id, after.revision == before.revision, after.reading.guessed) == (before.id, False, False)
    assert after.reading.settings == ReadSettings(encoding="cp1251")
    assert counted.store.originals(after.id) == (WIDE.data, None)
    drops.assert_whole(counted)


def test_reading_again_as_it_was_first_read_embeds_nothing_and_says_the_same(counted, encoder):
    drop(counted, WIDE)
    first, asked = content(counted), len(encoder.asked)
    reread(counted, encoding="cp1251")
    asked = len(encoder.asked)
    result = reread(counted, encoding="cp1252")
    assert content(counted) == first
    assert (result.embedded, len(encoder.asked) - asked) == (2, 2), "the cp1251 text has gone, and its vectors with it"
    asked = len(encoder.asked)
    result = reread(counted, encoding="cp1252")
    assert (result.reason, result.embedded, len(encoder.asked)) == ("The same text as before.", 0, asked)
    drops.assert_whole(counted)


def test_ligatures_stay_when_cleaning_is_off_and_go_when_it_is_on_again(counted):
    drop(counted, text("a.txt", "The oﬃce is open. It ﬁts."))
    assert content(counted) == "The office is open. It fits."
    assert counted.document("a.txt").reading.cleaned == {"ligatures": 2}
    result = reread(counted, clean=False)
    assert content(counted) == "The oﬃce is open. It ﬁts."
    assert result.cleaned == counted.document("a.txt").reading.cleaned == {}
    assert reread(counted).cleaned == {"ligatures": 2}
    assert content(counted) == "The office is open. It fits."
    drops.assert_whole(counted)


def test_the_whole_page_brings_menus_and_footers_and_leaves_what_was_known(counted, encoder):
    drop(counted, Upload("page.html", PAGE))
    assert "Shop" not in content(counted, "page.html")
    known = set(encoder.asked)
    result = reread(counted, "page.html", whole_page=True)
    whole = content(counted, "page.html")
    assert "Shop" in whole
    assert "Imprint and privacy" in whole
    assert "The north pump failed in May." in whole
    assert not known & set(encoder.asked[len(known) :])
    assert result.embedded == len(encoder.asked) - len(known) > 0
    assert "The north pump failed in May." in drops.node_texts(counted)
    drops.assert_whole(counted)


def test_another_language_keeps_the_text_and_cuts_it_by_that_languages_rules(counted, encoder):
    drop(counted, text("a.txt", "Es gilt bzw. Das gilt nicht. Gut so."))
    reread(counted, language="en")
    english = counted.document("a.txt")
    assert sentences(counted) == ["Es gilt bzw.", "Das gilt nicht.", "Gut so."]
    asked = len(encoder.asked)
    result = reread(counted, language="de")
    german = counted.document("a.txt")
    assert sentences(counted) == ["Es gilt bzw. Das gilt nicht.", "Gut so."]
    assert encoder.asked[asked:] == ["Es gilt bzw. Das gilt nicht."]
    assert (result.reason, result.language, result.nodes) == ("The same text as before.", "de", 2)
    assert german.revision == english.revision
    assert german.version != english.version
    drops.assert_whole(counted)


@pytest.mark.parametrize(
    ("upload", "settings", "reason"),
    [
        (WIDE, {"encoding": "nonsense"}, "no encoding"),
        (Upload("a.txt", b"plain text, nothing else"), {"encoding": "utf-32-le"}, "not in Unicode"),
        (
            Upload("a.txt", "会議は三時に始まります。資料を読んでください。".encode("cp932")),
            {"encoding": "utf-8"},
            "not in Unicode",
        ),
    ],
    ids=["no such encoding", "not in that encoding", "hardly in that encoding"],
)
def test_what_cannot_be_read_so_leaves_everything_as_it_was(counted, encoder, upload, settings, reason):
    drop(counted, upload, sidecar("a.txt", category="log"))
    counted.build(PAIRS)
    before, asked = state(counted), len(encoder.asked)
    with pytest.raises(UnreadableFile, match=reason):
        reread(counted, **settings)
    assert state(counted) == before
    assert len(encoder.asked) == asked
    assert_whole_everywhere(counted)


def test_the_same_text_read_again_embeds_nothing_in_any_index(counted, encoder):
    drop(counted, text("a.txt", CODES))
    counted.build(ChunkSettings(2, 1))
    asked = len(encoder.asked)
    assert reread(counted, clean=False).reason == "The same text as before."
    assert encoder.asked[asked:] == []
    assert_whole_everywhere(counted)


def test_what_is_not_there_cannot_be_read_again(counted):
    with pytest.raises(NotFound):
        counted.reread("0" * 15, ReadSettings())


def test_metadata_sidecar_and_aliases_stay(counted):
    drop(counted, WIDE, sidecar("a.txt", category="log", year=2024))
    drop(counted, Upload("copy.txt", WIDE.data), sidecar("copy.txt", category="log", year=2024))
    assert listed(counted) == {"a.txt": ("copy.txt",)}
    sidecars = counted.store.originals(counted.document("a.txt").id)
    reread(counted, encoding="cp1251")
    info = counted.document("copy.txt")
    assert (info.name, info.aliases) == ("a.txt", ("copy.txt",))
    assert info.metadata == {"category": "log", "year": 2024}
    assert counted.store.originals(info.id) == sidecars
    assert counted.search("Gerät", SearchSettings(1), from_json({"year": 2024})).matching == 3


def test_an_alias_dropped_again_is_read_as_its_document_now_is(counted):
    drop(counted, WIDE, Upload("copy.txt", WIDE.data))
    reread(counted, encoding="cp1251")
    assert statuses(counted, Upload("copy.txt", WIDE.data)) == [("copy.txt", Status.UNCHANGED)]
    assert listed(counted) == {"a.txt": ("copy.txt",)}


def test_it_stays_in_every_index_that_held_it_and_enters_no_other(counted, encoder):
    drop(counted, text("other.txt", PLAIN))
    counted.build(PAIRS)
    counted.build(ChunkSettings(3))
    drop(counted, WIDE)
    counted.build(PAIRS)
    asked = len(encoder.asked)
    reread(counted, encoding="cp1251")
    doc_id = counted.document("a.txt").id
    held = {index.name: doc_id in counted.store.indexed(index) for index in counted.indexes()}
    assert held == {"sentence": True, "2-sentences": True, "3-sentences": False}
    nodes = [counted.store.embedded(index, doc_id) for index in counted.indexes()[:2]]
    body = content(counted)
    assert [[body[n.start : n.end] for n in found.nodes] for found in nodes] == [
        sentences(counted),
        [" ".join(sentences(counted)[:2]), sentences(counted)[2]],
    ]
    new = encoder.asked[asked:]
    assert sorted(new) == sorted([*sentences(counted)[::2], " ".join(sentences(counted)[:2])])
    assert all(index.documents == (1 if index.name == "3-sentences" else 2) for index in counted.indexes())


def test_a_document_in_no_index_is_read_again_too(counted, encoder):
    drop(counted, WIDE)
    counted.drop_index(counted.index().id)
    asked = len(encoder.asked)
    result = reread(counted, encoding="cp1251")
    assert (result.status, result.nodes, result.embedded) == (Status.REPLACED, 0, 0)
    assert content(counted) == AS_CYRILLIC
    assert len(encoder.asked) == asked


def test_the_same_file_dropped_again_is_read_in_the_way_that_was_chosen(counted, encoder):
    drop(counted, WIDE, sidecar("a.txt", year=2024))
    reread(counted, encoding="cp1251", clean=False, language="ru")
    before, asked = state(counted), len(encoder.asked)
    assert statuses(counted, WIDE, sidecar("a.txt", year=2024)) == [("a.txt", Status.UNCHANGED)]
    assert statuses(counted, WIDE) == [("a.txt", Status.UNCHANGED)]
    assert state(counted) == before
    assert len(encoder.asked) == asked
    assert counted.document("a.txt").reading.settings == ReadSettings("cp1251", clean=False, language="ru")


def test_a_new_version_of_the_file_is_read_in_the_way_that_was_chosen(counted):
    drop(counted, text("a.txt", "The oﬃce is open."))
    reread(counted, clean=False)
    result = drop(counted, text("a.txt", "The oﬃce is shut."))["a.txt"]
    assert result.status is Status.REPLACED
    assert content(counted) == "The oﬃce is shut."


def test_a_removed_document_comes_back_as_it_was_read(counted):
    drop(counted, WIDE)
    reread(counted, encoding="cp1251")
    before = state(counted)
    counted.restore(counted.remove(counted.document("a.txt").id))
    assert replace(counted.documents()[0], ingested_at=before[0][0].ingested_at) == before[0][0]
    assert content(counted) == AS_CYRILLIC
    drops.assert_whole(counted)


@pytest.mark.parametrize("stop_at", range(8))
def test_a_reading_that_is_cancelled_leaves_the_document_whole(counted, stop_at, monkeypatch):
    """In the old way or in the new one, and in every index that held it."""
    monkeypatch.setattr(indexing, "POOL", 1)
    drop(counted, WIDE)
    counted.build(PAIRS)
    before = state(counted)
    try:
        reread(counted, progress=CancelAt(stop_at), encoding="cp1251")
    except Cancelled:
        if content(counted) == GERMAN:
            assert state(counted) == before
    else:
        assert content(counted) == AS_CYRILLIC
    assert_whole_everywhere(counted)


def test_a_reading_that_is_cancelled_while_it_is_read_changes_nothing(counted):
    drop(counted, WIDE)
    before = state(counted)

    def stopped(*_):
        raise Cancelled("Stopped.")

    reading = Workspace(counted.store, counted.encoders, reader=stopped)
    with pytest.raises(Cancelled):
        reread(reading, encoding="cp1251")
    assert state(counted) == before


def test_the_notice_about_the_language_is_of_the_model_that_read_it(tmp_path):
    """Neither before nor after may a workspace whose model reads German say that it does not."""
    named = BagEncoder(ModelInfo("paraphrase-multilingual-minilm", "m-1", 32, 256))
    many = Workspace(DuckStore(tmp_path / "many.duckdb"), lambda name: named)
    (result,) = many.add([text("a.txt", "Der Vertrag gilt. Alle sind froh.")], ChunkSettings(), named.info.name)
    assert not any(embed.BUNDLED in notice for notice in result.notices)
    result = reread(many, language="de")
    assert not any(embed.BUNDLED in notice for notice in result.notices), result.notices
    many.store.close()


# ── cut again ────────────────────────────────────────────────────────────────────────────────────


def test_an_abbreviation_put_in_joins_sentences_and_taken_out_parts_them(counted, encoder):
    drop(counted, text("a.txt", CODES))
    parted = ["The gauge was made by Zweb.", "Marlow in 2019.", "It held.", "Nobody noticed."]
    joined = ["The gauge was made by Zweb. Marlow in 2019.", "It held.", "Nobody noticed."]
    assert sentences(counted) == drops.node_texts(counted) == parted
    asked = len(encoder.asked)
    assert counted.resplit(ZWEB) == 1
    assert sentences(counted) == drops.node_texts(counted) == joined
    assert encoder.asked[asked:] == [joined[0]]
    assert counted.document("a.txt").sentences == 3
    assert counted.resplit(SplitSettings()) == 1
    assert sentences(counted) == drops.node_texts(counted) == parted
    assert encoder.asked[asked + 1 :] == parted[:2]
    drops.assert_whole(counted)


def test_an_entry_of_our_own_list_taken_out_is_an_ordinary_word_again(counted):
    drop(counted, text("a.txt", "Ask Sgt. Marlow now. It held."))
    assert sentences(counted) == ["Ask Sgt. Marlow now.", "It held."]
    assert counted.resplit(SplitSettings(abbreviations=tuple(a for a in ABBREVIATIONS if a != "Sgt"))) == 1
    assert sentences(counted) == ["Ask Sgt.", "Marlow now.", "It held."]


def test_documents_that_come_out_the_same_are_not_touched(counted, encoder):
    drop(counted, text("a.txt", CODES), text("b.txt", PLAIN), sidecar("a.txt", year=2024))
    before, asked = counted.document("b.txt"), len(encoder.asked)
    held = counted.store.embedded(counted.index(), before.id)
    assert counted.resplit(ZWEB) == 1
    assert counted.document("b.txt") == before
    assert list(counted.store.embedded(counted.index(), before.id).nodes) == list(held.nodes)
    assert not set(encoder.asked[asked:]) & {"The valve held.", "Nobody noticed the noise."}
    assert counted.document("a.txt").metadata == {"year": 2024}
    changes, version = counted.store.changes, counted.index().version
    assert counted.resplit(ZWEB) == 0
    assert counted.index().version == version
    assert counted.store.changes <= changes + 1, "nothing is written but the settings"


def test_texts_that_another_index_knows_are_not_embedded_again(counted, encoder):
    drop(counted, text("a.txt", CODES))
    counted.build(PAIRS)
    asked = len(encoder.asked)
    assert counted.resplit(ZWEB) == 1
    new = encoder.asked[asked:]
    assert new == ["The gauge was made by Zweb. Marlow in 2019. It held."], "the pair of before is the sentence of now"
    assert len(encoder.asked) == len(set(encoder.asked))
    assert_whole_everywhere(counted)


def test_texts_that_only_a_later_index_knows_are_not_embedded_again(counted, encoder):
    """Pairs that overlap are the same behind the place where two sentences became one."""
    drop(counted, text("a.txt", CODES))
    counted.build(ChunkSettings(2, 1))
    asked = len(encoder.asked)
    counted.resplit(ZWEB)
    assert "It held. Nobody noticed." in drops.node_texts(counted, "2-sentences-overlap-1")
    assert encoder.asked[asked:] == ["The gauge was made by Zweb. Marlow in 2019. It held."]
    assert_whole_everywhere(counted)


def test_every_index_gets_the_new_nodes(counted):
    drop(counted, text("a.txt", CODES), text("b.txt", PLAIN))
    counted.build(PAIRS)
    versions = [index.version for index in counted.indexes()]
    counted.resplit(ZWEB)
    assert_whole_everywhere(counted)
    assert all(index.version > version for index, version in zip(counted.indexes(), versions, strict=True))


def many(counted):
    """Six documents that come out differently, in two indexes."""
    drop(
        counted, *(text(f"{n}.txt", f"Gauge {n} was made by Zweb. Marlow {n} sold it. All good {n}.") for n in range(6))
    )
    counted.build(PAIRS)


@pytest.mark.parametrize("stop_at", [0, 3, 6, 7, 9, 11])
def test_cutting_that_is_cancelled_leaves_every_document_whole(counted, stop_at, monkeypatch):
    """Each in the old way or in the new one, and in every index that held it."""
    monkeypatch.setattr(indexing, "POOL", 1)
    many(counted)
    with pytest.raises(Cancelled):
        counted.resplit(ZWEB, CancelAt(stop_at))
    assert_whole_everywhere(counted)


@pytest.mark.parametrize("stop_at", [0, 3, 6, 7, 9, 11])
def test_cutting_again_after_a_cancel_completes(counted, encoder, stop_at, monkeypatch, tmp_path):
    monkeypatch.setattr(indexing, "POOL", 1)
    many(counted)
    with pytest.raises(Cancelled):
        counted.resplit(ZWEB, CancelAt(stop_at))
    counted.resplit(ZWEB)
    straight = Workspace(DuckStore(tmp_path / "straight.duckdb"), lambda name: CountingEncoder())
    many(straight)
    assert straight.resplit(ZWEB) == 6
    for info in counted.documents():
        assert sentences(counted, info.name) == sentences(straight, info.name)
    assert [drops.node_texts(counted, i.id) for i in counted.indexes()] == [
        drops.node_texts(straight, i.id) for i in straight.indexes()
    ]
    straight.store.close()
    assert_whole_everywhere(counted)


def test_documents_that_come_later_are_cut_by_the_settings_of_the_workspace(counted):
    counted.resplit(ZWEB)
    drop(counted, text("a.txt", CODES))
    assert sentences(counted)[0] == "The gauge was made by Zweb. Marlow in 2019."
    reread(counted, clean=False)
    assert sentences(counted)[0] == "The gauge was made by Zweb. Marlow in 2019."


def test_a_document_brought_back_after_the_settings_have_changed_is_cut_by_them(counted):
    """Its nodes of before are none of this cut: it waits to be indexed."""
    drop(counted, text("a.txt", CODES), text("b.txt", PLAIN))
    removed = [counted.remove(counted.document(name).id) for name in ("a.txt", "b.txt")]
    counted.resplit(ZWEB)
    for one in removed:
        counted.restore(one)
    assert sentences(counted)[0] == "The gauge was made by Zweb. Marlow in 2019."
    assert counted.cost(ChunkSettings()).documents == 1, "the other came back with its vectors"
    counted.build(ChunkSettings())
    drops.assert_whole(counted)


def test_the_settings_survive_reopening(tmp_path):
    path = tmp_path / "kept.duckdb"
    chosen = SplitSettings(Engine.NUPUNKT, ("Zweb", "größ"))
    first = Workspace(DuckStore(path), lambda name: BagEncoder())
    assert first.split_settings() == SplitSettings()
    first.resplit(chosen)
    first.store.close()
    again = Workspace(DuckStore(path), lambda name: BagEncoder())
    assert again.split_settings() == chosen
    again.resplit(SplitSettings())
    again.store.close()
    last = Workspace(DuckStore(path), lambda name: BagEncoder())
    assert last.split_settings() == SplitSettings()
    last.store.close()


def test_how_a_document_was_read_survives_reopening(tmp_path):
    path = tmp_path / "kept.duckdb"
    first = Workspace(DuckStore(path), lambda name: BagEncoder())
    drop(first, WIDE)
    reread(first, encoding="cp1251", clean=False, language="ru")
    before = first.documents()
    first.store.close()
    again = Workspace(DuckStore(path), lambda name: BagEncoder())
    assert again.documents() == before
    assert statuses(again, WIDE) == [("a.txt", Status.UNCHANGED)]
    again.store.close()


def test_a_reset_workspace_splits_as_a_new_one_does(counted):
    counted.resplit(ZWEB)
    counted.reset()
    assert counted.split_settings() == SplitSettings()


# ── what looks at the text ───────────────────────────────────────────────────────────────────────


def test_the_viewers_address_changes_with_the_cut_and_with_nothing_else(counted):
    drop(counted, text("a.txt", CODES), text("b.txt", PLAIN))

    def addresses(name):
        info = counted.document(name)
        assert counted.store.passage(info.id).version == info.version
        return (
            api.text_url(counted, info.id, info.version, embed.BUNDLED),
            api.nodes_url(counted, info.id, info.version, ChunkSettings(), embed.BUNDLED),
        )

    first, other = addresses("a.txt"), addresses("b.txt")
    drop(counted, text("a.txt", CODES), sidecar("a.txt", year=2024))
    assert addresses("a.txt") == first
    counted.resplit(ZWEB)
    second = addresses("a.txt")
    assert not set(first) & set(second)
    assert addresses("b.txt") == other
    counted.resplit(SplitSettings())
    assert addresses("a.txt") == first


def test_gold_stays_valid_when_the_text_is_cut_again(counted):
    drop(counted, text("a.txt", CODES))
    gold = b'{"question": "Who noticed?", "references": [{"document": "a.txt", "content": "Nobody noticed."}]}'
    counted.keep_gold("g", counted.read_gold(gold))
    counted.resplit(ZWEB)
    (question,) = counted.gold_sets()["g"]
    assert counted.still_valid([question]) == [question]
    (report,) = counted.evaluate([question], 5, [0])
    assert report.mean.hit_rate == 1


def test_a_search_finds_the_nodes_of_the_new_cut(counted):
    drop(counted, text("a.txt", CODES))
    counted.search("Marlow in 2019", SearchSettings(1))
    counted.picture()
    counted.resplit(ZWEB)
    (hit,) = counted.search("Marlow in 2019", SearchSettings(1, 0)).hits
    assert hit.text == "The gauge was made by Zweb. Marlow in 2019."
    assert len(counted.picture().points) == 3
