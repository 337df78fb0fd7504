"""Second processes: what happens when another one holds the file, is killed, or has no network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


def python(
    *arguments: object, before: Sequence[str] = (), env: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """A Python process with the project importable: the code to run and what it finds in ``sys.argv[1:]``.

    Code that is ``-m`` runs the module named next. ``before`` is put before the interpreter.
    """
    code, *others = map(str, arguments)
    return subprocess.Popen(
        [*before, sys.executable, *([code] if code == "-m" else ["-c", code]), *others],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
    )  # fmt: skip


@cache
def no_network() -> tuple[str, ...]:
    """What to put before a command so that it has no network at all; nothing where the system cannot do that."""
    command = ("unshare", "--map-root-user", "--net")
    possible = shutil.which("unshare") and subprocess.run([*command, "true"], capture_output=True).returncode == 0
    return command if possible else ()
