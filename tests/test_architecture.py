"""The walls between the rooms, read from the import statements (DESIGN section 3)."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = [path.relative_to(ROOT) for folder in ("core", "pages") for path in sorted((ROOT / folder).rglob("*.py"))]
FILES += [Path("app.py")] if (ROOT / "app.py").exists() else []
CORE = [path for path in FILES if path.parts[0] == "core"]

STAGES = {
    "read",
    "split",
    "chunk",
    "embed",
    "project",
    "answer",
    "rerank",
    "evaluate",
    "metadata",
    "enrich",
    "context",
    "xray",
    "smallest",
}
MAY_IMPORT = {
    ("evaluate", "chunk"): "a report slices the windows of every size from the same hits with chunk.window",
}
SHARED = {
    "core",
    "core.types",
    "core.errors",
    "core.settings",
    "core.abbreviations",
    "core.boosts",
    "core.comparison",
    "core.languages",
    "core.markup",
    "core.prefixes",
    "core.progress",
    "core.filters",
    "core.store.base",
    "core.enrich.fields",
}
FACES = {"api", "cli", "cli_chunks", "cli_metadata", "__main__"}
HEAVY = {"torch", "transformers", "sentence_transformers", "umap", "sklearn", "nltk", "plotly"}
ENTRIES = [name for name in ("workspace", "api", "cli") if (ROOT / "core" / f"{name}.py").exists()]
SQL = re.compile(
    r"\s*(SELECT\s|INSERT INTO\s|UPDATE \w+ SET\s|DELETE FROM\s|(CREATE|ALTER|DROP) TABLE\s|WITH \w+ AS \()"
)


def tree(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def imports(path: Path) -> set[str]:
    """Every module that a file imports anywhere; ``from core import x`` counts as ``core.x``."""
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            inside = {f"{module}.{alias.name}" for alias in node.names}
            modules = {name for name in inside if is_module(name)}
            found |= modules or {module}
    return found


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def room(path: Path) -> str:
    """The part of core a file belongs to: ``read`` for core/read/plain.py and ``split`` for core/split.py."""
    return path.parts[1].removesuffix(".py")


def strings(path: Path) -> list[str]:
    """Every string in a file but its docstrings."""
    module = tree(path)
    told = {
        id(node.body[0].value)
        for node in ast.walk(module)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
    ]


def top_level(names: set[str]) -> set[str]:
    return {name.split(".")[0] for name in names}


def test_the_reader_of_imports_sees_through_every_form():
    assert {"core.embed", "core.filters", "torch"} & imports(Path("core/sample.py")) == {"core.embed", "core.filters"}
    assert "sentence_transformers" in imports(Path("core/embed.py"))
    assert "core.chunk" in imports(Path("core/workspace.py"))
    assert any(SQL.match(text) for text in strings(Path("core/store/duckdb/search.py")))


def test_streamlit_is_imported_by_the_pages_alone():
    assert [str(path) for path in CORE if "streamlit" in top_level(imports(path))] == []


def test_core_imports_no_page():
    assert [str(path) for path in CORE if {"pages", "app"} & top_level(imports(path))] == []


def test_session_state_is_touched_in_one_module():
    users = [
        path.as_posix()
        for path in FILES
        if "session_state" in strings(path)
        or any(
            (isinstance(node, ast.Attribute) and node.attr == "session_state")
            or (isinstance(node, ast.alias) and node.name == "session_state")
            for node in ast.walk(tree(path))
        )
    ]
    assert set(users) <= {"pages/parts/session.py"}


def test_sql_is_written_in_the_store_alone():
    outside = [path for path in FILES if path.parts[:2] != ("core", "store")]
    assert [path.as_posix() for path in outside if any(SQL.match(text) for text in strings(path))] == []
    assert [path.as_posix() for path in outside if "duckdb" in top_level(imports(path))] == []


@pytest.mark.parametrize("path", [path for path in CORE if room(path) in STAGES], ids=str)
def test_a_stage_imports_the_shared_vocabulary_and_itself_alone(path):
    own = room(path)
    for name in imports(path):
        if name.split(".")[0] == "core" and name not in SHARED:
            other = name.split(".")[1]
            assert other == own or (own, other) in MAY_IMPORT, f"{path} imports {name}"


@pytest.mark.parametrize(
    "path",
    [
        *(Path(f"core/{name}.py") for name in ("types", "errors", "settings", "boosts")),
        *sorted(Path("core/filters").glob("*.py")),
    ],
    ids=str,
)
def test_the_vocabulary_imports_nothing_but_vocabulary(path):
    inside = {name for name in imports(path) if name.split(".")[0] == "core"}
    vocabulary = {"core.types", "core.errors", "core.settings", "core.abbreviations", "core.boosts", "core.filters"}
    assert {name for name in inside if not name.startswith("core.filters.")} <= vocabulary


def test_a_store_imports_no_stage():
    stores = [path for path in CORE if room(path) == "store"]
    assert stores
    for path in stores:
        for name in imports(path):
            if name.split(".")[0] == "core":
                assert name in SHARED or name.startswith("core.store"), f"{path} imports {name}"


def test_only_faces_and_the_sample_import_the_workspace():
    users = {room(path) for path in CORE if "core.workspace" in imports(path)}
    assert users <= {"sample", *FACES}


def test_stages_are_chained_by_the_workspace_alone():
    """Whoever imports two stages may chain them: the workspace, its two halves, and what asks them about its results."""
    chains = set()
    for path in CORE:
        used = {name.split(".")[1] for name in imports(path) if name.startswith("core.")} & STAGES - {room(path)}
        if len(used) > 1:
            chains.add(room(path))
    assert chains <= {
        "workspace",
        "ingest",
        "indexing",
        "enriching",
        "folder",
        "explain",
        "payload",
        "payload_xray",
        "sample",
        *FACES,
    }


@pytest.mark.parametrize("name", ENTRIES)
def test_what_is_heavy_is_not_loaded_before_it_is_needed(name):
    code = f"import sys, core.{name}; print(*({HEAVY!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
