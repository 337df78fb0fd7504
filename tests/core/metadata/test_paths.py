"""A table's file is the document it means, or none: never another one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metadata.paths import Documents


@pytest.mark.parametrize(
    ("folder", "documents", "file", "meant"),
    [
        # paths from the folder of the table
        ("", {"a.txt", "sub/a.txt"}, "a.txt", "a.txt"),
        ("sub", {"a.txt", "sub/a.txt"}, "a.txt", "sub/a.txt"),
        ("sub", {"sub/a.txt", "b/a.txt"}, "./a.txt", "sub/a.txt"),
        ("sub", {"sub/x/a.txt", "sub/a.txt"}, r"x\a.txt", "sub/x/a.txt"),
        ("sub", {"a.txt", "sub/a.txt"}, "../a.txt", "a.txt"),
        # whole paths
        ("sub", {"sub/a.txt", "sub/x/a.txt"}, "sub/a.txt", "sub/a.txt"),
        ("sub", {"other/a.txt", "sub/a.txt"}, "other/a.txt", "other/a.txt"),
        ("sub", {"sub/sub/a.txt", "sub/a.txt"}, "sub/a.txt", "sub/sub/a.txt"),
        # names
        ("", {"x/y/a.txt", "b.txt"}, "a.txt", "x/y/a.txt"),
        ("", {"x/y/a.txt", "b.txt"}, "y/a.txt", "x/y/a.txt"),
        ("", {"a.txt", "b.txt"}, "docs/a.txt", "a.txt"),
        ("sub", {"sub/x/a.txt", "other/a.txt"}, "a.txt", "sub/x/a.txt"),
        ("", {"sub/a.txt"}, r"C:\data\sub\a.txt", "sub/a.txt"),
        # without the ending
        ("", {"a.txt", "b.txt"}, "a", "a.txt"),
        ("", {"x/v1.2.txt"}, "v1.2", "x/v1.2.txt"),
        ("", {"x/a.txt", "y/a.pdf"}, "y/a", "y/a.pdf"),
        ("", {"a", "a.txt"}, "a", "a"),
        # accents in one character and in two
        ("", {"e\u0301.txt"}, "\u00e9.txt", "e\u0301.txt"),
        ("\u00e9", {"e\u0301/a.txt"}, "a.txt", "e\u0301/a.txt"),
        ("", {"e\u0301.txt", "\u00e9.txt"}, "\u00e9.txt", "\u00e9.txt"),
    ],
)
def test_a_file_means_the_document_that_people_mean(folder, documents, file, meant):
    assert Documents(folder, documents).of(file) == meant


@pytest.mark.parametrize(
    ("folder", "documents", "file"),
    [
        ("", set(), "a.txt"),
        ("", {"a.txt"}, "b.txt"),
        ("", {"x/a.txt", "y/a.txt"}, "a.txt"),
        ("", {"a.txt", "a.pdf"}, "a"),
        ("", {"a.pdf"}, "a.docx"),
        ("", {"new/a.txt"}, "old/a.txt"),
        ("sub", {"a.txt"}, "a.txt"),
        ("sub", {"other/a.txt"}, "a.txt"),
        ("sub", {"subject/a.txt"}, "a.txt"),
        ("sub", {"sub/x/a.txt"}, "../x/a.txt"),
        ("", {"a.txt"}, ".."),
        ("", {"a.txt"}, ""),
    ],
)
def test_a_file_that_may_be_several_or_another_means_none(folder, documents, file):
    assert Documents(folder, documents).of(file) is None


parts = st.text(alphabet="ab.\u00e9/\\ ", max_size=6)
paths = st.lists(parts, min_size=1, max_size=3).map("/".join)


@given(paths, st.sets(paths, max_size=5), paths)
def test_what_is_meant_is_always_a_document(folder, documents, file):
    found = Documents(folder, documents).of(file)
    assert found is None or found in documents


names = st.lists(st.text(alphabet="ab\u00e9 ", min_size=1, max_size=3), min_size=1, max_size=3).map("/".join)


@given(names, st.sets(names, min_size=1, max_size=5))
def test_every_document_is_meant_by_its_own_path(folder, relative):
    documents = {f"{folder}/{path}" for path in relative}
    known = Documents(folder, documents)
    assert [known.of(path) for path in relative] == [f"{folder}/{path}" for path in relative]
    assert Documents("", documents).of(min(documents)) == min(documents)
