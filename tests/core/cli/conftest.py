"""What tests of commands share: workspaces with the tiny encoder, and a command as a function."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from core import cli
from core import workspace as workspaces
from tests.fakes import BagEncoder


@pytest.fixture(autouse=True)
def tiny(monkeypatch) -> Iterator[None]:
    """Every workspace that a command opens has the tiny encoder, and is closed after the test."""
    monkeypatch.setattr(cli.workspace, "open", partial(workspaces.open, encoders=lambda name: BagEncoder()))
    yield
    for one in workspaces.opened():
        workspaces.close(Path(one.location))


@pytest.fixture
def run(capsys) -> Callable[..., tuple[int, str, str]]:
    """Run a command; its exit code, what it printed and what it said on standard error."""

    def command(*arguments: object) -> tuple[int, str, str]:
        code = cli.main([str(argument) for argument in arguments])
        return (code, *capsys.readouterr())

    return command


@pytest.fixture
def said(run) -> Callable[..., tuple[int, dict]]:
    """Run a command with --json; its exit code and the one object it printed."""

    def command(*arguments: object) -> tuple[int, dict]:
        code, out, _ = run(*arguments, "--json")
        assert out.count("\n") == 1
        return code, json.loads(out)

    return command
