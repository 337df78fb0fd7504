"""What browser tests share: one Chromium for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.browser import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator:
    with chromium() as running:
        yield running
