"""What holds for any bytes at all: they are read, or refused with a reason and a way on."""

from __future__ import annotations

from core import read
from core.errors import UnreadableFile
from tests import texts


def assert_read_or_refused(name: str, data: bytes) -> None:
    refused = None
    try:
        made = read.read(name, data)
    except UnreadableFile as error:
        refused = error
    if refused is None:
        texts.assert_tiles(made.text, made.blocks, stripped=False)
    else:
        assert refused.what
        assert refused.do
