"""What all tests share: a tiny encoder, a workspace in a temporary file, and no touching of the user's own data."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from core import home
from core.store.duckdb import DuckStore
from core.workspace import Workspace
from tests.core.drops import CountingEncoder
from tests.fakes import BagEncoder

settings.register_profile("chunkscope", deadline=None)
# The gate tries the same examples each time: what it finds is a fault of the change, not luck. Elsewhere they vary.
settings.register_profile("gate", deadline=None, derandomize=True)
settings.load_profile("gate" if os.environ.get("CI") else "chunkscope")

CASE_INPUTS = Path(__file__).parent / "cases" / "inputs"


@pytest.fixture(autouse=True)
def no_user_data(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's data folder is a temporary one, and no workspace is named by the environment."""
    house = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(house))
    monkeypatch.setenv("XDG_DATA_HOME", str(house / "data"))
    monkeypatch.delenv(home.VARIABLE, raising=False)


@pytest.fixture
def tiny_encoder() -> BagEncoder:
    return BagEncoder()


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """An empty workspace whose every model is the tiny encoder."""
    fresh = Workspace(DuckStore(tmp_path / "w.duckdb"), lambda name: BagEncoder())
    yield fresh
    fresh.store.close()


@pytest.fixture
def encoder() -> CountingEncoder:
    """The tiny encoder, which also tells what it embedded."""
    return CountingEncoder()


@pytest.fixture
def counted(tmp_path: Path, encoder: CountingEncoder) -> Iterator[Workspace]:
    """An empty workspace whose every model is ``encoder``."""
    fresh = Workspace(DuckStore(tmp_path / "counted.duckdb"), lambda name: encoder)
    yield fresh
    fresh.store.close()


@pytest.fixture
def case_inputs() -> Path:
    """The folder of hard inputs."""
    return CASE_INPUTS
