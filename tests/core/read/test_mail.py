"""Mails: who wrote what to whom, once; quotes as quotes, forwarded mails under their subject, attachments named."""

from __future__ import annotations

import base64
import quopri
import re
import unicodedata
from email.message import EmailMessage

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core import read
from core.errors import UnreadableFile
from core.settings import ReadSettings
from tests import texts
from tests.core.read.damage import assert_read_or_refused


def message(subject="Pump", text="", **headers):
    made = EmailMessage()
    made["From"] = headers.pop("sender", "Jörg Ek <j@example.org>")
    if subject:
        made["Subject"] = subject
    for name, value in headers.items():
        made[name] = value
    if text:
        made.set_content(text)
    return made


def read_mail(mail):
    made = read.read("a.eml", mail if isinstance(mail, bytes) else mail.as_bytes())
    texts.assert_tiles(made.text, made.blocks, stripped=False)
    return made


def blocks(mail):
    made = read_mail(mail)
    return [(b.kind.value, made.text[b.start : b.end]) for b in made.blocks]


def body(mail):
    """The blocks after subject and sender."""
    return blocks(mail)[2:]


HEAD = b"From: a@example.org\r\nSubject: Pump\r\n"


def test_subject_headers_and_text_in_order():
    mail = message(
        text="Hello,\n\nopen the valve.\nThen wait.\n",
        To="b@example.org",
        Cc="c@example.org",
        Date="Tue, 01 Apr 2025 10:00:00 +0200",
    )
    made = read_mail(mail)
    assert [(b.kind.value, made.text[b.start : b.end], b.headings) for b in made.blocks] == [
        ("heading", "Pump", ("Pump",)),
        ("list", "- From: Jörg Ek <j@example.org>\n- To: b@example.org\n- Cc: c@example.org\n- Date: Tue, 01 Apr 2025 10:00:00 +0200", ("Pump",)),
        ("paragraph", "Hello,", ("Pump",)),
        ("paragraph", "open the valve.\nThen wait.", ("Pump",)),
    ]  # fmt: skip


def test_quoted_lines_are_quotes_without_their_marks():
    text = "Yes.\n\n> Did you wait?\n> Two minutes?\n>\n>> Or three?\n>From here on: no.\nBye\n"
    assert body(message(text=text)) == [
        ("paragraph", "Yes."),
        ("quote", "Did you wait?\nTwo minutes?"),
        ("quote", "Or three?"),
        ("paragraph", "From here on: no.\nBye"),
    ]


def test_flowing_lines_are_joined_and_quotes_and_signatures_are_not():
    data = HEAD + b"Content-Type: text/plain; format=flowed\r\n\r\nOpen the \r\nvalve.\r\n> Did \r\n> you?\r\n-- \r\nEk"
    assert body(data) == [("paragraph", "Open the valve."), ("quote", "Did you?"), ("paragraph", "-- \nEk")]
    spaced = HEAD + b"Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\nval \r\nve"
    assert body(spaced) == [("paragraph", "valve")]


def test_the_plain_text_is_read_rather_than_the_html_of_the_same():
    mail = message(text="Open the valve.")
    mail.add_alternative("<p>Open the <b>va</b>lve.</p>", subtype="html")
    assert body(mail) == [("paragraph", "Open the valve.")]


@pytest.mark.parametrize("text", ["", " \n", "See the HTML."])
def test_the_html_is_read_where_the_plain_text_says_little(text):
    mail = message(text=text or "\n")
    mail.add_alternative(
        "<style>x{}</style><h1>Open</h1><p>Open the <b>va</b>lve slowly.</p><table><tr><td>a<td>b</table><blockquote>Old.</blockquote>"
        "<div style='display:none'>LEAK</div><footer>Ek Ltd.</footer>",
        subtype="html",
    )
    made = read_mail(mail)
    assert body(mail) == [
        ("heading", "Open"), ("paragraph", "Open the valve slowly."), ("table", "| a | b |\n| --- | --- |"), ("quote", "Old."), ("paragraph", "Ek Ltd."),
    ]  # fmt: skip
    assert made.blocks[-1].headings == ("Pump", "Open")
    assert made.reading.cleaned == {"hidden": 1}


def test_a_forwarded_mail_stands_under_its_subject():
    inner = message("Inner", "Wait.", sender="c@example.org")
    innermost = message("", "Deep.", sender="d@example.org")
    inner.add_attachment(innermost)
    mail = message(text="See below.")
    mail.add_attachment(inner)
    made = read_mail(mail)
    assert [(made.text[b.start : b.end], b.headings) for b in made.blocks[2:]] == [
        ("See below.", ("Pump",)),
        ("Inner", ("Pump", "Inner")),
        ("- From: c@example.org", ("Pump", "Inner")),
        ("Wait.", ("Pump", "Inner")),
        ("- From: d@example.org", ("Pump", "Inner", "Forwarded mail")),
        ("Deep.", ("Pump", "Inner", "Forwarded mail")),
    ]


def test_attachments_are_named_and_pictures_in_the_text_counted():
    mail = message(text="See the files.")
    mail.add_attachment(b"x", maintype="application", subtype="pdf", filename="größe.pdf")
    mail.add_attachment("LEAK", filename="b.txt")
    mail.add_attachment(b"x", maintype="image", subtype="png", cid="<1>", disposition="inline")
    mail.add_attachment(b"x", maintype="application", subtype="octet-stream")
    made = read_mail(mail)
    assert "LEAK" not in made.text
    assert made.reading.notices == (
        "1 picture has no text.",
        "3 attachments were not read: größe.pdf, b.txt, one without a name (application/octet-stream). Add them by themselves.",
    )
    single = message(text="See.")
    single.add_attachment(b"x", maintype="application", subtype="pdf", filename="a.pdf")
    assert read_mail(single).reading.notices == ("1 attachment was not read: a.pdf. Add it by itself.",)


# Headers and encodings ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        b"=?iso-8859-1?q?Gr=FC=DFe?= =?utf-8?b?4oKs?=",
        b"=?utf-8?b?R3LDvMOf?=\r\n =?utf-8?q?e=E2=82=AC?=",
        "Grüße€".encode(),
        "Grüße€".encode("cp1252"),
        b"=?utf-8?b?R3LD?= =?utf-8?b?vMOfZeKCrA==?=",
    ],
)
def test_headers_are_decoded(raw):
    assert blocks(b"Subject: " + raw + b"\r\n\r\nText.")[0] == ("heading", "Grüße€")


@pytest.mark.parametrize(
    "raw", [b"=?bogus?q?Pump?=", b"=?utf-8?b?!!!?= x", b"<<>>,;:", b"=?utf-8?q?=00=01?=", b"a\x00b"]
)
def test_odd_headers_break_nothing(raw):
    assert body(b"Subject: Pump\r\nFrom: " + raw + b"\r\n\r\nText.")[-1:] == [("paragraph", "Text.")]


PRICE = "Prix 12 € déjà payé."


@pytest.mark.parametrize(
    ("charset", "encoding", "used"),
    [("utf-8", "utf-8", "utf-8"), ("iso-8859-1", "cp1252", "cp1252"), ("us-ascii", "utf-8", "utf-8"), ("utf-8", "cp1252", "cp1252"),
     ("windows-1252", "utf-8", "utf-8"), ("no-such", "utf-8", "utf-8"), ("", "cp1252", "cp1252")],
)  # fmt: skip
@pytest.mark.parametrize("transfer", ["8bit", "quoted-printable", "base64"])
def test_texts_are_decoded_even_if_their_charset_lies(charset, encoding, used, transfer):
    data = PRICE.encode(encoding)
    data = {"8bit": data, "quoted-printable": quopri.encodestring(data), "base64": base64.encodebytes(data)}[transfer]
    kind = f"text/plain; charset={charset}" if charset else "text/plain"
    made = read_mail(HEAD + f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {transfer}\r\n\r\n".encode() + data)
    assert made.text.endswith(PRICE)
    assert made.reading.encoding == used


def test_html_may_name_its_own_encoding_and_the_users_choice_comes_first():
    data = HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + "Größe 12 µm".encode("cp1252")
    assert read.read("a.eml", data, ReadSettings(encoding="cp1252")).text.endswith("Größe 12 µm")


@pytest.mark.parametrize(
    "before",
    [b"", b"\xef\xbb\xbf", b"\r\n\n", b"From a@example.org Tue Apr  1 10:00:00 2025\r\n"],
    ids=["none", "mark", "blank lines", "mailbox"],
)
def test_what_stands_before_the_headers_does_not_matter(before):
    assert body(before + HEAD + b"\r\nText.") == [("paragraph", "Text.")]


def test_a_mail_with_a_subject_alone_is_a_heading():
    assert blocks(b"Subject: Pump\n\n") == [("heading", "Pump")]


# What is no mail, or damaged ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data", [b"Hello world.\n\nNo header.", b"", b"\x00\x01\x02", b"Note: a list\n\nText.", b"<html><p>page</p></html>"]
)
def test_a_file_that_is_no_mail_is_refused(data):
    with pytest.raises(UnreadableFile, match="no mail") as caught:
        read.read("a.eml", data)
    assert caught.value.do


def test_a_part_that_is_binary_costs_only_itself():
    mail = message(text="Text.")
    mail.add_attachment(
        bytes(range(1, 9)) * 50, maintype="text", subtype="plain", disposition="inline", filename="log.bin"
    )
    assert body(mail) == [("paragraph", "Text.")]
    assert read_mail(mail).reading.notices == ("1 attachment was not read: log.bin. Add it by itself.",)


@pytest.mark.parametrize("depth", [15, 200, 3000])
def test_deeply_nested_mails_are_read_or_refused(depth):
    data = b"Text."
    for number in range(depth):
        data = f"Subject: s{number}\nContent-Type: message/rfc822\n\n".encode() + data
    assert_read_or_refused("a.eml", data)
    parts = b"Subject: x\n" + b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth)
    )
    assert_read_or_refused("a.eml", parts + b"\nText.")


def small():
    mail = message("Grüße", "Open the valve.\n> Old.\n")
    mail.add_alternative("<p>Open the valve.</p><ul><li>a</ul>", subtype="html")
    mail.add_attachment(b"x", maintype="application", subtype="pdf", filename="größe.pdf")
    mail.add_attachment(message("Inner", "Wait."))
    return mail.as_bytes()


SMALL = small()


@given(st.lists(st.tuples(st.integers(0, len(SMALL) - 1), st.integers(0, 255)), min_size=1, max_size=12))
def test_flipped_bytes_are_read_or_refused(flips):
    data = bytearray(SMALL)
    for at, byte in flips:
        data[at] = byte
    assert_read_or_refused("a.eml", bytes(data))


@given(st.integers(0, len(SMALL)), st.integers(0, 200))
def test_a_mail_with_a_piece_cut_out_is_read_or_refused(at, length):
    assert_read_or_refused("a.eml", SMALL[:at] + SMALL[at + length :])


_LINES = st.sampled_from(
    (b"Subject: x", b"From: a", b" folded", b"Content-Type: text/html", b"Content-Type: multipart/alternative; boundary=b", b"--b", b"--b--", b"",
     b"Content-Type: text/plain; charset=\xff", b"Content-Type: ;;", b"Content-Type: message/rfc822", b"Content-Transfer-Encoding: base64", b"=?x?q?y?=",
     b"Content-Disposition: attachment; filename*=utf-8''%E2", b"> q", b"<p>x", b"text \xe9", b"Content-Type: text/plain; format=flowed",
     b"Content-Transfer-Encoding: x-uuencode", b"begin 644 a", b"Content-Type: message/partial", b"Content-Type: text/plain; charset*0=utf; charset*1=-8")
)  # fmt: skip


@given(st.lists(_LINES, max_size=25).map(b"\n".join))
def test_any_lines_of_mails_are_read_or_refused(data):
    assert_read_or_refused("a.eml", b"Subject: x\n" + data)


@given(texts.hard)
def test_no_word_of_a_plain_mail_is_lost(text):
    body_text = text.replace("\r\n", "\n").replace("\r", "\n")
    # So full of control characters a short text counts as binary.
    assume(not re.search(r"[\x01-\x08\x0b\x0e-\x1f]", body_text))
    # One of little but private, unassigned or invisible characters counts as no text.
    assume(all(unicodedata.category(c) not in ("Cf", "Co", "Cn") for c in body_text))
    made = read_mail(b"Subject: x\nContent-Type: text/plain; charset=utf-8\n\n" + body_text.encode()).text
    gone = {">", "\x00"}
    assert [c for c in made.removeprefix("x") if not c.isspace() and c not in gone] == [
        c for c in body_text.replace("ﬁ", "fi") if not c.isspace() and c not in gone
    ]
