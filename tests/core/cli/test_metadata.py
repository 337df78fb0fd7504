"""``chunkscope lint`` and ``chunkscope schema``: what they print, their JSON, and their exit codes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from core import home
from core import workspace as workspaces
from core.enrich.fields import COMPUTED
from core.filters import FieldType
from core.metadata import BUILT_IN
from core.types import FieldSpec
from core.workspace import Workspace
from tests.processes import python


@pytest.fixture
def folder(tmp_path) -> Path:
    made = tmp_path / "files"
    made.mkdir()
    return made


def write(folder: Path, name: str, sidecar: object = None, text: str = "One here. Two there.") -> None:
    (folder / name).write_text(f"{text} Of {name}.")
    if sidecar is not None:
        (folder / f"{name}.meta.json").write_text(json.dumps(sidecar))


def opened() -> Workspace:
    return workspaces.open(home.default())


# ── lint ─────────────────────────────────────────────────────────────────────────────────────────


def test_lint_tells_findings_fixes_and_coverage_and_stores_nothing(said, folder):
    write(folder, "a.txt", {"Author": "X", "category": "Q1", "created_at": "soon"})
    write(folder, "b.txt", {"author": "Y", "category": "q1"})
    write(folder, "c.txt")
    code, found = said("lint", folder)
    assert code == 1
    assert set(found) == {"documents", "blocks", "findings", "coverage", "unreadable"}
    assert (found["documents"], found["blocks"], found["unreadable"]) == (3, True, [])
    for finding in found["findings"]:
        assert set(finding) == {"kind", "field", "message", "files", "count", "values", "blocks", "fix"}
    kinds = {(finding["kind"], finding["field"]): finding for finding in found["findings"]}
    assert set(kinds) == {
        ("unknown key", "Author"), ("near-duplicate keys", "Author"), ("near-duplicate values", "category"),
        ("value that does not fit", "created_at"),
    }  # fmt: skip
    fix = kinds["unknown key", "Author"]["fix"]
    assert (fix["kind"], fix["said"]) == ("RenameKey", 'Rename "Author" to "author"')
    assert fix["changes"] == [
        {"file": "a.txt", "field": "Author", "before": "X", "after": "X", "renamed_to": "author", "conflict": ""}
    ]
    misfit = kinds["value that does not fit", "created_at"]
    assert (misfit["blocks"], misfit["values"], misfit["files"], misfit["fix"]) == (True, ["soon"], ["a.txt"], None)
    assert {"field": "category", "present": 2, "documents": 3, "share": 2 / 3} in found["coverage"]
    assert not home.default().exists()


def test_lint_of_files_in_order_is_zero(said, run, folder):
    write(folder, "a.txt", {"author": "X", "tags": ["t"]})
    code, found = said("lint", folder)
    assert (code, found["findings"], found["blocks"]) == (0, [], False)
    code, out, err = run("lint", folder)
    assert (code, err) == (0, "")
    assert "author" in out
    assert "1 of 1 documents" in out


def test_lint_in_words_marks_what_blocks(run, folder):
    write(folder, "a.txt", {"page": 3, "categorry": "x"})
    code, out, _ = run("lint", folder)
    assert code == 1
    lines = out.splitlines()
    assert any(line.startswith("! reserved name:") for line in lines)
    assert any(line.startswith("  unknown key:") and 'Did you mean "category"?' in line for line in lines)
    assert any(line.startswith("    fix: Rename") for line in lines)


def test_lint_without_a_folder_looks_at_the_documents_that_are_there(said, run, folder):
    write(folder, "a.txt", {"year": 3})
    run("add", folder)
    assert said("lint")[0] == 0
    said("schema", "--required", "author", "--set", "year=boolean")
    code, found = said("lint")
    assert code == 1
    assert {finding["kind"] for finding in found["findings"]} == {"missing required field", "value that does not fit"}


def test_lint_holds_files_against_the_fields_of_the_workspace_that_is_named(said, folder, tmp_path):
    strict, free = tmp_path / "strict.duckdb", tmp_path / "free.duckdb"
    said("schema", "--workspace", strict, "--strict", "on")
    write(folder, "a.txt", {"colour": "red"})
    assert said("lint", folder, "--workspace", strict)[0] == 1
    assert said("lint", folder, "--workspace", free)[0] == 0
    assert not free.exists()
    said("schema", "--workspace", strict, "--set", "colour=string")
    assert said("lint", folder, "--workspace", strict)[0] == 0


def test_lint_tells_metadata_files_that_cannot_be_read_or_name_nothing_and_add_refuses_the_same(said, folder):
    write(folder, "a.txt")
    (folder / "a.txt.meta.json").write_text("{nope")
    (folder / "ghost.txt.meta.json").write_text("{}")
    (folder / "metadata.csv").write_text("file,owner\nnobody.txt,x\n")
    (folder / "b.txt").write_bytes(b"Fine.")
    (folder / "scan.xyz").write_bytes(b"??")
    code, found = said("lint", folder)
    assert code == 1
    reasons = {row["name"]: row["reason"] for row in found["unreadable"]}
    assert set(reasons) == {"a.txt.meta.json", "ghost.txt.meta.json", "metadata.csv", "scan.xyz"}
    assert "no JSON" in reasons["a.txt.meta.json"]
    assert "no document of that name" in reasons["ghost.txt.meta.json"]
    failed = {row["name"] for row in said("add", folder)[1]["files"] if row["status"] == "failed"}
    assert failed == {"a.txt", "ghost.txt.meta.json", "metadata.csv", "scan.xyz"}


@pytest.mark.parametrize("path", ["none.txt", "nowhere"])
def test_lint_of_what_is_not_there_says_so(said, run, folder, path):
    code, found = said("lint", folder / path)
    assert (code, found["documents"], [row["name"] for row in found["unreadable"]]) == (1, 0, [path])
    code, _, err = run("lint", folder / path)
    assert (code, path in err) == (1, True)


def test_half_characters_and_escapes_are_printed_and_obeyed_by_no_terminal(run, said, folder):
    bad = {"\ud800 key": "v", "esc": "\x1b[31mred\x1b[0m", "category": "\udfff", "new\nline": 1, "ok": ["\ud800"]}
    write(folder, "a.txt", bad)
    code, found = said("lint", folder)
    assert code == 1
    (unnameable,) = [f for f in found["findings"] if f["field"] == "\ud800 key"]
    assert unnameable["blocks"]
    code, out, _ = run("lint", folder)
    assert code == 1
    assert out.isascii()
    assert "\x1b" not in out
    assert "\\ud800 key" in out
    del bad["\ud800 key"]
    write(folder, "a.txt", bad)
    assert run("add", folder)[0] == 0
    code, out, _ = run("schema")
    assert code == 0
    assert "new\\nline" in out
    assert "! a.txt: category:" in out
    assert "\x1b" not in out
    misfits = said("schema")[1]["misfits"]
    assert {(row["document"], row["field"]): row["given"] for row in misfits} == {
        ("a.txt", "category"): "\udfff", ("a.txt", "ok"): ["\ud800"],
    }  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="file names are bytes on POSIX only")
def test_a_file_whose_name_is_no_text_is_told_by_both_commands(folder, tmp_path):
    """In a process of its own: standard output there refuses half characters."""
    write(folder, "a.txt", {"author": "X"})
    Path(os.fsdecode(os.fsencode(folder) + b"/od\xffd.txt")).write_text("Odd.")
    for extra in ([], ["--json"]):
        process = python("-m", "core", "lint", folder, "--workspace", tmp_path / "w.duckdb", *extra)
        out, err = process.communicate(timeout=60)
        assert "Traceback" not in err
        assert process.returncode in (0, 1)
        assert out


# ── schema ───────────────────────────────────────────────────────────────────────────────────────


def test_schema_tells_every_field_with_what_it_holds_and_the_fields_of_nodes(said, run, folder):
    write(folder, "a.txt", {"year": "2020", "tags": ["t"]})
    write(folder, "b.txt", {"year": "n/a"})
    run("add", folder)
    code, found = said("schema", "--set", "year=integer", "--describe", "year=When = it was", "--required", "year")
    assert code == 0
    assert set(found) == {"strict", "documents", "fields", "misfits", "node_fields"}
    assert (found["strict"], found["documents"]) == (False, 2)
    fields = {field["name"]: field for field in found["fields"]}
    assert list(fields)[: len(BUILT_IN)] == [spec.name for spec in BUILT_IN]
    assert fields["year"] == {
        "name": "year", "type": "integer", "required": True, "default": None, "allowed": [], "description": "When = it was",
        "date_order": None, "confirmed": True, "present": 1, "misfits": 1,
    }  # fmt: skip
    assert found["misfits"] == [
        {"document": "b.txt", "field": "year", "given": "n/a", "reason": '"n/a" is no whole number'}
    ]
    assert [field["name"] for field in found["node_fields"]] == [field.name for field in COMPUTED]


def test_schema_in_words(run, folder):
    write(folder, "a.txt", {"year": 2020, "status": "drafft"})
    run("add", folder)
    code, out, err = run(
        "schema", "--set", "status=enum", "--allow", "status=draft,final", "--required", "status", "--strict", "on"
    )
    lines = out.splitlines()
    assert code == 0
    assert any(line.split() == ["status", "enum", "of", "draft,", "final", "required"] for line in lines)
    assert any(line.split() == ["year", "integer", "proposed"] for line in lines)
    assert any(
        line.startswith('! a.txt: status: "drafft" is not one of the allowed values; did you mean "draft"?')
        for line in lines
    )
    assert err.strip() == "1 documents; unknown keys are refused"
    assert opened().strict
    assert not (run("schema", "--strict", "off") and opened().strict)


def test_an_enum_without_a_list_allows_what_documents_have(said, run, folder):
    for name, value in (("a.txt", "x"), ("b.txt", True), ("c.txt", 7), ("d.txt", None)):
        write(folder, name, {"status": value})
    run("add", folder)
    found = said("schema", "--set", "status=enum")[1]
    (status,) = [field for field in found["fields"] if field["name"] == "status"]
    assert (status["allowed"], status["misfits"]) == (["7", "true", "x"], 0)
    opened().reset()
    for number in range(101):
        write(folder, f"{number}.txt", {"status": f"s{number}"})
    run("add", folder)
    code, told = said("schema", "--set", "status=enum")
    assert code == 1
    assert "different values: too many for an enum" in told["error"]


def test_defaults_lists_and_date_orders_are_read_from_the_command_line(said, run, folder):
    write(folder, "a.txt", {"when": "10/03/2024"})
    write(folder, "b.txt")
    run("add", folder)
    found = said(
        "schema", "--set", "when=date", "--date-order", "when=day-first", "--default", "when=2020-01-01",
        "--set", "words=strings", "--default", "words=a, b", "--set", "n=number", "--default", "n=2.5",
    )[1]  # fmt: skip
    fields = {field["name"]: field for field in found["fields"]}
    assert (fields["when"]["default"], fields["when"]["date_order"]) == ("2020-01-01T00:00:00Z", "day_first")
    assert (fields["words"]["default"], fields["n"]["default"]) == (["a", "b"], 2.5)
    metadata = {row["name"]: row["metadata"] for row in said("list")[1]["documents"]}
    assert metadata["a.txt"] == {"when": "2024-03-10T00:00:00Z", "words": ["a", "b"], "n": 2.5}
    assert metadata["b.txt"] == {"when": "2020-01-01T00:00:00Z", "words": ["a", "b"], "n": 2.5}
    found = said("schema", "--default", "when=", "--date-order", "when=")[1]
    (when,) = [field for field in found["fields"] if field["name"] == "when"]
    assert (when["default"], when["date_order"]) == (None, None)


def test_confirm_confirms_all_that_was_proposed(said, run, folder):
    write(folder, "a.txt", {"year": 2020, "flag": True})
    run("add", folder)
    fields = {field["name"]: field["confirmed"] for field in said("schema")[1]["fields"]}
    assert {name for name, confirmed in fields.items() if not confirmed} == {"year", "flag"}
    assert all(field["confirmed"] for field in said("schema", "--confirm")[1]["fields"])


def test_names_may_hold_signs_and_the_longest_known_one_is_meant(said):
    said("schema", "--set", "a=b=integer", "--set", "a=string", "--set", "==number", "--set", "x y=boolean")
    found = said(
        "schema", "--default", "a=b=5", "--default", "a=c=d", "--describe", "===", "--allow", "a=c=d,e", "--describe", "x y=true = yes",
    )[1]  # fmt: skip
    fields = {field["name"]: field for field in found["fields"]}
    assert (fields["a=b"]["type"], fields["a=b"]["default"]) == ("integer", 5)
    assert (fields["a"]["default"], fields["a"]["allowed"]) == ("c=d", ["c=d", "e"])
    assert (fields["="]["type"], fields["="]["description"]) == ("number", "=")
    assert fields["x y"]["description"] == "true = yes"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--set", "year"], "--set year has no field and value"),
        (["--set", "=integer"], "A field needs a name"),
        (["--set", "year=integr"], "There is no type 'integr'"),
        (["--set", "page=integer"], "'page' is set by the system"),
        (["--set", "status=enum"], "allows nothing"),
        (["--set", "n=integer", "--default", "n=many"], "The default of 'n' does not fit"),
        (["--required", "ghost"], "There is no field 'ghost'"),
        (["--describe", "ghost=x"], "There is no field 'ghost'"),
        (["--describe", "nothing"], "--describe nothing has no field and value"),
        (["--date-order", "created_at=middle"], "'middle' is no order of dates"),
        (["--describe", "author=\udcff"], "half a character"),
        (["--allow", "author=\udcff"], "half a character"),
    ],
)
def test_what_is_not_understood_is_told_and_changes_nothing(said, run, tmp_path, arguments, told):
    here = ["--workspace", tmp_path / "w.duckdb"]
    before = said("schema", *here)[1]
    fine = [*here, "--set", "fine=integer", "--required", "author", "--strict", "on"]
    code, found = said("schema", *fine, *arguments)
    assert (code, set(found)) == (1, {"error", "do"})
    assert told in found["error"]
    code, out, err = run("schema", *fine, *arguments)
    assert (code, out) == (1, "")
    assert told in err
    assert said("schema", *here)[1] == before


def test_an_unknown_option_is_a_usage_error(run):
    with pytest.raises(SystemExit) as refused:
        run("schema", "--strict", "maybe")
    assert refused.value.code == 2


def test_a_changed_type_is_what_the_next_search_filters_by(said, run, folder):
    write(folder, "a.txt", {"year": "2020"})
    write(folder, "b.txt", {"year": "2021"})
    run("add", folder)
    said("schema", "--set", "year=integer")
    found = said("search", "here", "--filter", '{"field": "year", "op": ">", "value": 2020}')[1]
    assert {hit["name"] for hit in found["hits"]} == {"b.txt"}


def test_fields_are_set_in_a_workspace_of_ones_own_and_never_in_the_sample(said):
    """As documents are added: the sample stays what it is."""
    before = said("schema")[1]
    said("schema", "--set", "year=integer", "--describe", "year=When")
    assert home.default() == home.named(home.OWN).resolve()
    assert opened().fields() == [*BUILT_IN, FieldSpec("year", FieldType.INTEGER, description="When")]
    assert [field["name"] for field in said("schema")[1]["fields"]] == [*(spec.name for spec in BUILT_IN), "year"]
    assert said("schema", "--workspace", home.sample())[1] == before
