"""An expert's condition in SQL: what it finds, told by a reference in Python, and that it reaches nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InvalidFilter, NotFound
from core.filters import EVERYTHING, All, Any, Condition, FieldType, Op
from core.store.duckdb import DuckStore, expert, expression
from core.store.duckdb.where import Chosen
from core.types import BlockKind, FieldSpec, Index
from tests.made import MODEL, SENTENCES, embedded, fields, put, record

X = np.eye(3, dtype=np.float32)[0]
YEARS = [2021, None, 2023, 2024]
TAGS = [("v1", "v2"), ("v2",), None, ()]
TITLES = ["Pump", "pump 100%", None, 'It\'s "né" 🎈']
NAMES = ["a.txt", "b.txt", "c.txt", "d.txt"]
Row = tuple[str, int]


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Iterator[DuckStore]:
    made = DuckStore(tmp_path_factory.mktemp("expert") / "w.duckdb")
    made.add_fields(
        fields(
            year=FieldType.INTEGER,
            tags=FieldType.STRINGS,
            title=FieldType.STRING,
            published=FieldType.DATETIME,
            draft=FieldType.BOOLEAN,
        )
    )
    made.add_fields(
        [FieldSpec(name, FieldType.INTEGER) for name in ("a b", 'x"y', "Author", "author", "select", "tokens", "c0")]
    )
    index = made.create_index(SENTENCES, MODEL)
    for number, name in enumerate(NAMES):
        told = {
            "year": YEARS[number],
            "tags": TAGS[number],
            "title": TITLES[number],
            "published": datetime(2026, 1, number + 1),
        }
        told |= {
            "a b": number,
            'x"y': number,
            "Author": number,
            "author": -number,
            "select": number,
            "tokens": number,
            "c0": number,
        }
        document = record(name, ["One.", "Two.", "Three."], {k: v for k, v in told.items() if v is not None})
        kinds = [BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.CODE]
        made.put(document, index, embedded(document, [X] * 3, kinds, [1, 2, None]))
    yield made
    made.close()


@pytest.fixture(scope="module")
def index(store) -> Index:
    return store.indexes()[0]


@pytest.fixture
def passing(store, index) -> Callable[[str], set[Row]]:
    """The nodes that pass a condition, as (document's number, ordinal)."""

    def found(condition: str) -> set[Row]:
        outcome = store.search(index, X, EVERYTHING, 100, None, (), condition)
        assert outcome.matching == len(outcome.found)
        assert store.count(index, EVERYTHING, condition) == (outcome.matching, 12)
        return {(NAMES.index(f.info.name), f.node.ordinal) for f in outcome.found}

    return found


EVERY = {(number, ordinal) for number in range(4) for ordinal in range(3)}


# ── what it finds ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("year >= 2023 AND list_contains(tags, 'v2')", lambda n, o: False),
        ("year >= 2021 and list_contains(tags, 'v2')", lambda n, o: n == 0),
        ("'v2' in tags", lambda n, o: n in (0, 1)),
        ("len(tags) = 0 or tags is null", lambda n, o: n in (2, 3)),
        ("year = 2023 or ordinal = 0", lambda n, o: n == 2 or o == 0),
        ("not (year = 2023)", lambda n, o: n in (0, 3)),
        ("year != 2023", lambda n, o: n in (0, 3)),
        ("year is distinct from 2023", lambda n, o: n != 2),
        ("coalesce(year, 0) < 2022", lambda n, o: n < 2),
        ("year in (2021, 2024)", lambda n, o: n in (0, 3)),
        ("year not in (2021, 2024)", lambda n, o: n == 2),
        ("year between 2021 and 2023", lambda n, o: n in (0, 2)),
        ("year % 2 = 0 and year > 0", lambda n, o: n == 3),
        ("year + ordinal = 2023", lambda n, o: (n, o) in {(0, 2), (2, 0)}),
        ("kind = 'table'", lambda n, o: o == 1),
        ("page is null", lambda n, o: o == 2),
        ("\"start\" = 0", lambda n, o: o == 0),
        ("lower(title) = 'pump'", lambda n, o: n == 0),
        ("title ilike 'PUMP%'", lambda n, o: n in (0, 1)),
        ("title like '%100\\%'", lambda n, o: False),
        ("title = 'It''s \"né\" 🎈'", lambda n, o: n == 3),
        ("title = 'pump' collate nocase", lambda n, o: n == 0),
        ("regexp_matches(title, '^[Pp]ump')", lambda n, o: n in (0, 1)),
        ("published >= date '2026-01-03'", lambda n, o: n >= 2),
        ("published::date = '2026-01-03'", lambda n, o: n == 2),
        ("extract(day from published) = 2 and year(published) = 2026", lambda n, o: n == 1),
        ("published + interval 1 day > timestamp '2026-01-04'", lambda n, o: n == 3),
        ("published < today() - to_days(1) or true", lambda n, o: True),
        ("case when ordinal = 1 then year = 2021 else false end", lambda n, o: (n, o) == (0, 1)),
        ("try_cast(title as integer) is null", lambda n, o: True),
        ("draft is null", lambda n, o: True),
        ("draft", lambda n, o: False),
        ("true", lambda n, o: True),
        ("1 = 2", lambda n, o: False),
        ("null = 1", lambda n, o: False),
        ("doc_id || '' = doc_id", lambda n, o: True),
        ("YEAR = 2021", lambda n, o: n == 0),
        ("\"a b\" = 1", lambda n, o: n == 1),
        ('"x""y" = 1', lambda n, o: n == 1),
        ('"Author" = 2', lambda n, o: n == 2),
        ("author = -2", lambda n, o: n == 2),
        ('"select" = 3', lambda n, o: n == 3),
        ("c0 = 3", lambda n, o: n == 3),
        ("tokens = 3", lambda n, o: n == 3),
        ("node.tokens > 4", lambda n, o: o == 2),
        ('"node.tokens" > 4', lambda n, o: o == 2),
        ("year = 2021 -- the first", lambda n, o: n == 0),
        ("year /* of */ = 2021\n\tand true\r\n", lambda n, o: n == 0),
        ("title = 'x -- no; comment'", lambda n, o: False),
    ],
)  # fmt: skip
def test_a_condition_finds_what_python_finds(passing, condition, holds):
    assert passing(condition) == {(n, o) for n, o in EVERY if holds(n, o)}


def test_it_holds_beside_the_filter(store, index):
    tables, odd = Condition("kind", Op.EQ, "table"), "year % 2 = 1"
    assert store.count(index, tables, odd) == (2, 12)
    assert store.count(index, Any((tables, Condition("ordinal", Op.EQ, 0))), odd) == (4, 12)
    assert store.count(index, Any(()), "true") == (0, 12)
    assert [f.info.name for f in store.search(index, X, tables, 1, None, (), "year = 2024").found] == ["d.txt"]


def test_blank_is_no_condition(store, index):
    assert store.count(index, EVERYTHING, " \n") == (12, 12)


LEAVES = st.sampled_from(
    [
        ("year >= 2023", lambda n, o: None if YEARS[n] is None else YEARS[n] >= 2023),
        ("title = 'Pump'", lambda n, o: None if TITLES[n] is None else TITLES[n] == "Pump"),
        ("page = 2", lambda n, o: [False, True, None][o]),
        ("ordinal < 2", lambda n, o: o < 2),
        ("year is null", lambda n, o: YEARS[n] is None),
        ("null::boolean", lambda n, o: None),
    ]
)


def both(pair, word):
    (left, one), (right, other) = pair

    def holds(n, o):
        values = one(n, o), other(n, o)
        decides = word == "or"
        return decides if decides in values else None if None in values else not decides

    return f"({left} {word} {right})", holds


def opposite(leaf):
    text, holds = leaf
    return f"(not {text})", lambda n, o: None if holds(n, o) is None else not holds(n, o)


TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: both(pair, "and")),
        st.tuples(inner, inner).map(lambda pair: both(pair, "or")),
        inner.map(opposite),
    ),
    max_leaves=6,
)


@settings(max_examples=60)
@given(TREES)
def test_any_tree_is_read_with_sqls_three_values_and_null_counts_as_false(store, index, tree):
    condition, holds = tree
    expected = {(n, o) for n, o in EVERY if holds(n, o) is True}
    outcome = store.search(index, X, EVERYTHING, 100, None, (), condition)
    assert {(NAMES.index(f.info.name), f.node.ordinal) for f in outcome.found} == expected


# ── breaking out ─────────────────────────────────────────────────────────────────────────────────

ESCAPES = [
    "1=1) or (1=1",
    "1=1) or (secret>0",
    "true) union select node from nodes where (true",
    "true); drop table nodes; select (1",
    "true; select 1",
    "true;",
    ";",
    "true) -- ",
    "(true",
    "true)",
    "true /*",
    "*/ true",
    "true order by 1",
    "true limit 1",
    "true group by 1",
    "true having true",
    "true qualify true",
    "true window w as ()",
    "true using sample 1",
    "true union select 1",
    "true intersect select 1",
    "true from nodes",
    "with x as (select 1) select true",
    "(with recursive x as (select 1 union all select 1 from x) select true from x)",
    "(select true)",
    "exists (select 1)",
    "year in (select 1)",
    "year = any (select 1)",
    "year = any(tags)",
    "year = all([1])",
    "array(select 1) is null",
    "(from nodes) is null",
    "(values (1)) = 1",
    "(table nodes) is null",
    "(describe nodes) is null",
    "(pivot nodes on year) is null",
    "copy nodes to '/tmp/x'",
    "attach '/tmp/x'",
    "install httpfs",
    "set memory_limit = '1TB'",
    "pragma version",
    "call pragma_version()",
    "prepare x as select 1",
    "read_csv('/etc/passwd') is null",
    "read_text('/etc/passwd') is null",
    "read_blob('/etc/passwd') is null",
    "glob('*') is null",
    "sniff_csv('/etc/passwd') is null",
    "pragma_version() is null",
    "duckdb_settings() is null",
    "duckdb_secrets() is null",
    "getenv('HOME') is null",
    "current_setting('memory_limit') is null",
    "getvariable('x') is null",
    "current_user = 'x'",
    "current_schema() = 'x'",
    "current_database() = 'x'",
    "current_query() = 'x'",
    "version() = 'x'",
    "txid_current() = 1",
    "nextval('x') = 1",
    "currval('x') = 1",
    "in_search_path('x', 'y')",
    "pg_typeof(year) = 'x'",
    "error('x')",
    "query('select 1') is null",
    "query_table('nodes') is null",
    "json_execute_serialized_sql('x') is null",
    "json_serialize_sql('select 1') is null",
    "parse_path('x') is null",
    "which_secret('x', 'y') is null",
    "write_log('x') is null",
    "sleep_ms(100000) is null",
    "repeat('a', 1000000000) = 'a'",
    "lpad('a', 1000000000, 'b') = 'a'",
    "rpad('a', 1000000000, 'b') = 'a'",
    "format('{:>1000000000}', 1) = 'a'",
    "printf('%1000000000d', 1) = 'a'",
    "replace(title, 'a', 'aaaaaaaaaaaaaaaaaaaa') = 'a'",
    "regexp_replace(title, '.', 'aaaaaaaaaaaa', 'g') = 'a'",
    "len(range(1000000000)) > 1",
    "len(generate_series(1, 1000000000)) > 1",
    "len(list_resize([1], 1000000000)) > 1",
    "bar(1, 0, 1, 1000000000) = 'a'",
    "factorial(30) > 1",
    "unnest(tags) = 'a'",
    "unnest([true, false])",
    "generate_subscripts([1], 1) = 1",
    "row_number() over () = 1",
    "lag(year) over (order by year) = 1",
    "sum(year) over () = 1",
    "count(*) > 1",
    "count(year) > 1",
    "max(year) = year",
    "list(year) is null",
    "string_agg(title) = 'a'",
    "lower(title) filter (where true) = 'a'",
    "lower(distinct title) = 'a'",
    "lower(title order by title) = 'a'",
    "grouping(year) = 1",
    "list_filter(tags, x -> true) is null",
    "list_transform(tags, lambda x: x) is null",
    "list_reduce([1, 2], lambda x, y: x + y) = 1",
    "len([x for x in tags]) > 0",
    "list_aggregate([1], 'sum') = 1",
    "list_sum([1]) = 1",
    "{'a': year} is null",
    "struct_pack(a := 1) is null",
    "row(1, 2) is null",
    "(1, 2) = (1, 2)",
    "map {'a': 1} is null",
    "columns(*) is null",
    "columns('year') = 1",
    "*",
    "nodes.*",
    "count(nodes.*) > 0",
    "? = 1",
    "$1 = 1",
    "$x = 1",
    "#1",
    "default",
    "nodes",
    "nodes.year = 1",
    "documents.c0 = 1",
    "nodes is null",
    "rowid = 1",
    "node = 1",
    "doc = 1",
    "c1 = 1",
    "embedding is null",
    "text_hash is null",
    "main.lower(title) = 'a'",
    "system.main.lower(title) = 'a'",
    "title.lower() = 'a'",
    "title.x.y = 1",
    "tags.tags = 1",
    "year::secret = 1",
    "year::main.integer = 1",
    "title::json is null",
    "title::blob is null",
    "title::uuid is null",
    "title::bit is null",
    "title::enum('a') is null",
    "title::struct(a integer) is null",
    "title::union(a integer) is null",
    "title::map(varchar, varchar) is null",
    "title::integer[3] is null",
    "title::regclass is null",
    "title::variant is null",
    "try(error('x')) is null",
    "title collate de = 'a'",
    "title collate nfc = 'a'",
    "title ->> 'a' = 'a'",
    "title at time zone 'UTC' is null",
    "now() > published",
    "random() > 0",
    "uuid() is null",
    "setseed(1) is null",
    "hash(title) = 1",
    "md5(title) = 'a'",
    "encode(title) is null",
    "ctid = 1",
    "true\0",
    "true\x1b",
    "true\ud800",
    "'" + "a" * 4000 + "' = ''",
    "(" * 1500 + "true" + ")" * 1500,
    "not " * 900 + "true",
    "lower(" * 500 + "title" + ")" * 500 + "= 'a'",
    "[" * 1500,
    "(" * 4000,
    "year" + " + 1" * 900 + " = 1",
    "case when true then " * 190 + "true",
    "$$",
    "$a$ true $b$",
    "E'\\'",
    "true \\",
    "``",
    "true AND",
    "AND true",
    "= 1",
]


@pytest.mark.parametrize("condition", ESCAPES)
def test_what_is_no_plain_condition_is_refused_in_words(store, index, condition):
    with pytest.raises(InvalidFilter) as refused:
        store.count(index, EVERYTHING, condition)
    assert len(refused.value.what) < 600
    assert refused.value.what.endswith((".", "?", "…", ")", "quotes")) or ":" in refused.value.what
    assert store.count(index, EVERYTHING, "true") == (12, 12)


@pytest.mark.parametrize(
    "condition",
    ["year", "title", "tags", "1", "'true'", "null", "ordinal + 1", "title = 1", "year = 'abc'", "title::integer = 1",
     "300::tinyint = 1", "list_contains(year, 1)", "lower(year, 1, 2) = 'a'", "year like 5", "-title = 1",
     "regexp_matches(title, '(')", "substring(title, 1, 99999999999999) = ''",
     "make_date(2147483647, 1, 1) is null", "to_years(2000000000) is null", "year::bigint * 9223372036854775807::bigint > year", "published = 'never'"],
)  # fmt: skip
def test_what_fails_for_a_value_or_is_of_another_type_is_refused_in_words(store, index, condition):
    with pytest.raises(InvalidFilter, match=r"cannot be evaluated|neither true nor false"):
        store.count(index, EVERYTHING, condition)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(["year", "1", "=", "(", ")", "or", "and", "not", "'", '"', ";", "--", "/*", "*/", "select", "from",
    "nodes", "union", "title", "lower", ",", "[", "]", "::", "in", "is", "null", "$", "?", ".", "*", "\n", "x", "case", "when",
    "then", "end", "true", "unnest", "over", "->", ":", "{", "}", "\\", "like", "@", "#", "é", "\u200b"]), max_size=12))  # fmt: skip
def test_no_text_raises_anything_else_or_finds_what_is_not_there(store, index, words):
    try:
        matching, total = store.count(index, EVERYTHING, " ".join(words))
    except InvalidFilter:
        return
    assert 0 <= matching <= total == 12


def test_what_runs_was_written_from_the_tree_and_names_only_columns_of_ours():
    assert expression.translated("Year >= 2023 -- x", {"year": "c7"}) == "(c7 >= 2023)"
    written = expression.translated("\"a b\" = 'it''s; --' or \"a b\" in (1, 2)", {"a b": "c1", "b": "c2"})
    assert set(re.findall(r"\bc\d+\b", written)) == {"c1"}
    assert "'it''s; --'" in written


def test_a_name_that_differs_by_case_alone_must_be_written_as_it_is(passing):
    with pytest.raises(InvalidFilter, match=r"'AUTHOR' may be 'Author' or 'author'"):
        passing("AUTHOR = 1")
    with pytest.raises(InvalidFilter, match="Did you mean 'year'"):
        passing("yeer = 1")
    with pytest.raises(InvalidFilter, match="single quotes"):
        passing('title = "zzzzzz"')
    with pytest.raises(InvalidFilter, match="a word of SQL stands in double quotes"):
        passing("end > 1")
    assert passing('"end" > 1') == EVERY


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("year >", "it cannot be read at '>'."),
        ("1=1; drop table nodes", "The condition is more than one statement."),
        ("title = 'Pump", "A quote or a comment in the condition is not closed."),
        ("year = = 3", "it cannot be read at '='."),
        ("/* year", "A quote or a comment in the condition is not closed."),
    ],
)
def test_what_cannot_be_read_is_told_in_our_own_words(passing, condition, told):
    with pytest.raises(InvalidFilter, match=told) as refused:
        passing(condition)
    assert not re.search("json|serialize|syntax|Parser", str(refused.value))


@pytest.mark.parametrize("name", sorted(expression.FUNCTIONS))
def test_every_allowed_function_is_a_function_of_one_row(name):
    """DuckDB's own catalogue: each is scalar in every form that it has, and none has a side effect or is volatile."""
    found = (
        duckdb.connect()
        .execute(
            "SELECT DISTINCT function_type, has_side_effects, stability FROM duckdb_functions() WHERE function_name = ?",
            [name],
        )
        .fetchall()
    )
    assert {kind for kind, _, _ in found} <= {"scalar", "macro"}
    assert not any(effects for _, effects, _ in found)
    assert {stability for _, _, stability in found} <= {"CONSISTENT", "CONSISTENT_WITHIN_QUERY", None}


# ── the copy ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def copy(store, index) -> expert.Copy:
    with store._reading() as cursor:
        return expert.Copy(cursor, index)


@pytest.mark.parametrize(
    "statement",
    ["SELECT * FROM read_csv('/etc/passwd')", "COPY nodes TO '/tmp/out.csv'", "ATTACH '/tmp/a.duckdb'", "INSTALL httpfs", "LOAD httpfs",
     "SET memory_limit = '64GB'", "SET enable_external_access = true", "SET lock_configuration = false", "RESET memory_limit",
     "SELECT * FROM index", "SELECT * FROM '/etc/passwd'", "EXPORT DATABASE '/tmp/out'"],
)  # fmt: skip
def test_whatever_got_through_would_find_the_door_locked(copy, statement):
    index = np.arange(3)  # a variable of Python's that a statement could name, were that allowed
    assert len(index) == 3
    with pytest.raises(duckdb.Error):
        copy._connection.execute(statement)


def test_the_copy_holds_nothing_but_numbers_and_what_can_be_filtered(store, copy):
    held = copy._connection.execute(
        "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal"
    ).fetchall()
    ours = {("nodes", "node"), ("nodes", "doc"), ("documents", "doc")}
    assert {name for table, name in set(held) - ours} == {f"c{i}" for i in range(len(store.schema()))}
    assert copy._connection.execute("SELECT current_setting('threads')").fetchall() == [(1,)]


def test_a_condition_that_takes_too_long_is_stopped_and_the_next_one_answered(store, tmp_path):
    long = DuckStore(tmp_path / "long.duckdb")
    long.add_fields(fields(title=FieldType.STRING))
    index = long.create_index(SENTENCES, MODEL)
    for number in range(60):
        put(long, index, f"{number}.txt", np.tile(X, (100, 1)), {"title": "a" * 5000 + str(number)})
    with long._reading() as cursor:
        copy = expert.Copy(cursor, index)
    slow = "regexp_matches(title || ordinal::varchar, '(a?){150}a{150}b')"
    with pytest.raises(InvalidFilter, match=r"took longer than 0\.05 seconds"):
        copy.matching(slow, seconds=0.05)
    assert copy.matching("true") == Chosen((), others=True)
    long.close()


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("regexp_matches(title, '((a{100}){100}){100}')", "more than 500 steps"),
        (" or ".join(["title ~ 'a{300}'"] * 4), r"more than 1,000 steps together"),
        (f"title ~ '{'a' * 1001}'", "has 1,001 characters"),
        ("regexp_matches(title, title)", "a pattern that is put together"),
        ("regexp_extract(title, 'a' || 'b') = 'ab'", "a pattern that is put together"),
        ("regexp_full_match(title, NULL)", "a pattern that is put together"),
    ],
)
def test_patterns_whose_work_is_too_much_or_unknown_are_refused(copy, condition, told):
    with pytest.raises(InvalidFilter, match=told):
        copy.matching(condition)


def test_a_condition_is_evaluated_for_every_document_however_many(tmp_path):
    store = DuckStore(tmp_path / "many.duckdb")
    store.add_fields(fields(year=FieldType.INTEGER))
    index = store.create_index(SENTENCES, MODEL)
    for number in range(40):
        put(store, index, f"{number}.txt", [X] * (number % 3), {"year": number})
    for least in (0, 5, 20, 38, 40):
        assert store.count(index, EVERYTHING, f"year >= {least}") == store.count(index, Condition("year", Op.GE, least))
    store.close()


def test_the_fewer_nodes_are_bound(copy):
    assert copy.matching("ordinal = 0").numbers == copy.matching("ordinal != 0").numbers
    assert (copy.matching("ordinal = 0").others, copy.matching("ordinal != 0").others) == (False, True)
    assert copy.matching("false") == Chosen(())


def test_every_change_is_seen_and_no_other_copy_is_kept(tmp_path):
    store = DuckStore(tmp_path / "w.duckdb")
    store.add_fields(fields(year=FieldType.INTEGER))
    index = store.create_index(SENTENCES, MODEL)
    assert store.count(index, EVERYTHING, "year = 1") == (0, 0)
    put(store, index, "a.txt", [X, X], {"year": 1})
    assert store.count(index, EVERYTHING, "year = 1") == (2, 2)
    put(store, index, "a.txt", [X], {"year": 2})
    assert store.count(index, EVERYTHING, "year = 1") == (0, 1)
    store.add_fields(fields(more=FieldType.STRING))
    assert store.count(index, EVERYTHING, "more is null") == (1, 1)
    store.set_metadata(store.documents()[0].id, {}, None)
    assert store.count(index, EVERYTHING, "year is null") == (1, 1)
    assert len(store._copies._held) == 1
    store.drop_index(index.id)
    with pytest.raises(NotFound):
        store.count(index, EVERYTHING, "true")
    store.close()


def test_a_condition_sees_the_same_workspace_as_its_search_while_documents_come_and_go(tmp_path: Path):
    """Each document's nodes all carry its year: a copy of another moment would give numbers of other nodes."""
    store = DuckStore(tmp_path / "w.duckdb")
    store.add_fields(fields(year=FieldType.INTEGER))
    index = store.create_index(SENTENCES, MODEL)

    def write() -> None:
        for turn in range(25):
            for name in ("a.txt", "b.txt", "c.txt"):
                put(store, index, name, [X] * (1 + turn % 3), {"year": (turn + ord(name[0])) % 2})

    def ask(year: int) -> list[object]:
        wrong: list[object] = []
        for _ in range(40):
            outcome = store.search(index, X, EVERYTHING, 100, None, (), f"year = {year}")
            wrong += [found.info.metadata for found in outcome.found if found.info.metadata["year"] != year]
            both = store.count(index, All((Condition("year", Op.NE, year),)), f"year = {year}")
            wrong += [both] * (both[0] != 0)
        return wrong

    with ThreadPoolExecutor(4) as threads:
        writing = threads.submit(write)
        asking = [threads.submit(ask, year) for year in (0, 1, 0)]
        writing.result()
        assert [done.result() for done in asking] == [[], [], []]
    store.close()
