"""Faults that people have reported of text from PDFs (docs: the field's hard cases)."""

from __future__ import annotations

import pytest

from core import read, split
from core.errors import UnreadableFile
from core.settings import ReadSettings

AS_IT_IS = ReadSettings(clean=False)
WORDS = ("office", "filed", "affidavit", "flow", "defined")
BROKEN = {
    "pdf_image_only.pdf": "No text layer: 1 page of pictures only",
    "pdf_encrypted.pdf": "password",
    "pdf_truncated.pdf": "damaged",
    "pdf_not_a_pdf.pdf": "no PDF",
    "pdf_empty.pdf": "empty",
}


def opened(case_inputs, name, settings=read.AUTOMATIC):
    return read.read(name, (case_inputs / name).read_bytes(), settings)


def test_ligatures_are_written_out_so_that_their_words_are_found(case_inputs):
    """X04: what is searched, shown and highlighted is one text."""
    document = opened(case_inputs, "pdf_ligature_extracted.txt")
    for word in WORDS:
        at = document.text.index(word)
        assert document.text[at : at + len(word)] == word
    assert document.reading.cleaned["ligatures"] == 5
    assert [document.text[s.start : s.end] for s in split.sentences(document)] == [
        "The office filed the affidavit.",
        "The flow was defined.",
    ]


def test_ligatures_stay_as_they_are_if_asked(case_inputs):
    """X04: the way back."""
    document = opened(case_inputs, "pdf_ligature_extracted.txt", AS_IT_IS)
    assert "oﬃce" in document.text
    assert "ligatures" not in document.reading.cleaned


def test_hyphens_of_broken_words_go_and_those_of_compounds_stay(case_inputs):
    """X05: "mainte-nance" and "well-known" at the ends of lines."""
    document = opened(case_inputs, "pdf_hyphen_header_footer.pdf")
    assert "The maintenance crew checks the well-known seal" in document.text
    assert document.reading.cleaned["hyphens"] == 1


def test_running_headers_and_footers_are_in_no_sentence(case_inputs):
    """X05: the sentence that runs over the page's end is whole, without what stands between its halves."""
    document = opened(case_inputs, "pdf_hyphen_header_footer.pdf")
    assert "ACME" not in document.text
    assert "Page " not in document.text
    assert "reports that the pressure stays within limits." in document.text
    assert (document.reading.cleaned["headers"], document.reading.cleaned["footers"]) == (3, 3)
    assert [block.page for block in document.blocks] == [1, 3]


def test_cleaning_can_be_turned_off(case_inputs):
    """X05: then all that stands on the pages is there, and nothing is said to be cleaned."""
    document = opened(case_inputs, "pdf_hyphen_header_footer.pdf", AS_IT_IS)
    assert document.text.count("ACME Field Manual - Confidential") == 3
    assert all(f"Page {number} of 3" in document.text for number in (1, 2, 3))
    assert "mainte- nance" in document.text
    assert not document.reading.cleaned


@pytest.mark.parametrize(("name", "reason"), BROKEN.items())
def test_what_cannot_be_read_is_refused_with_one_plain_reason(case_inputs, name, reason):
    """X07: no text layer, locked, damaged, no PDF, empty."""
    with pytest.raises(UnreadableFile, match=reason) as refused:
        opened(case_inputs, name)
    assert refused.value.do


def test_a_page_without_text_is_named_and_the_others_are_read(case_inputs):
    """X07: page 1 is indexed, page 2 is told of."""
    document = opened(case_inputs, "pdf_mixed_one_blank.pdf")
    assert document.text == "Plain line: the office filed the affidavit."
    assert document.reading.notices == ("Page 2 of 2 has no text.",)
    assert document.reading.pages == 2


def test_a_plain_pdf_is_its_text(case_inputs):
    """X07: the file beside the broken ones."""
    document = opened(case_inputs, "pdf_plain.pdf")
    assert document.text == "Plain line: the office filed the affidavit."
    assert document.reading.notices == ()
