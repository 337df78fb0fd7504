"""Workspaces that the app opens by itself, as it finds them in the user's data folder."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import home, project, sample, workspace
from core.ingest import Upload
from core.jobs import State, jobs
from core.settings import ChunkSettings
from core.store.duckdb import DuckStore
from core.workspace import Workspace
from tests.fakes import BagEncoder

PUMP = "# Pumps\n\nThe north pump failed in May. It was replaced at once. Costs were low.\n"
VALVE = "The south valve held in June. Nobody noticed the noise. The shift ended early."


@pytest.fixture(autouse=True)
def closed_afterwards() -> Iterator[None]:
    """No workspace stays open, and no job goes on, after a test."""
    yield
    for opened in workspace.opened():
        for job in jobs.of(opened.location):
            job.cancel()
            while job.state is State.RUNNING:
                time.sleep(0.01)
        workspace.close(Path(opened.location))


@pytest.fixture(autouse=True)
def quick_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """The map's job takes PCA for UMAP, which compiles for ten seconds; tests/core has the real one."""
    monkeypatch.setattr(project, "umap", lambda vectors, progress: project.pca(vectors))


@pytest.fixture(scope="session")
def sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample workspace as the first start makes it."""
    path = tmp_path_factory.mktemp("sample") / "sample.duckdb"
    made = Workspace(DuckStore(path))
    sample.fill(made)
    made.store.close()
    return path


@pytest.fixture
def shipped(sample_file: Path) -> Workspace:
    """The sample workspace, in its place in the data folder."""
    home.folder().mkdir(parents=True, exist_ok=True)
    shutil.copy(sample_file, home.sample())
    return workspace.open(home.sample())


@pytest.fixture
def empty() -> Workspace:
    """An empty workspace with the tiny encoder, the one that opens by default."""
    path = home.named("plant")
    home.remember(path)
    return workspace.open(path, lambda name: BagEncoder())


@pytest.fixture
def plant(empty: Workspace) -> Workspace:
    """Two documents with metadata in that workspace."""
    empty.add(
        [
            Upload("pump.md", PUMP.encode()),
            Upload("pump.md.meta.json", b'{"category": "report", "tags": ["north", "may"], "year": 2023}'),
            Upload("valve.txt", VALVE.encode()),
            Upload("valve.txt.meta.json", b'{"category": "log", "tags": ["south"], "year": 2024}'),
        ],
        ChunkSettings(),
    )
    return empty
