"""What is known about a document: sidecars, tables, the fields of a workspace, and what is odd about any of them."""

from core.metadata.drop import Gathered, Origin, Table, gather, read_back
from core.metadata.fields import BUILT_IN
from core.metadata.fixes import Change, Fix, SetType, apply, describe, preview
from core.metadata.lint import Coverage, Finding, FindingKind, Report, lint
from core.metadata.propose import distinct_key
from core.metadata.schema import (
    Merged,
    Raw,
    alike,
    cell,
    cells,
    merge,
    proposed,
    refuse,
    unchanged,
    widened,
)
from core.metadata.sidecar import SUFFIX, match_sidecars, parse, zeros
from core.metadata.table import is_table
from core.metadata.values import NO_TEXT

__all__ = [
    "BUILT_IN",
    "NO_TEXT",
    "SUFFIX",
    "Change",
    "Coverage",
    "Finding",
    "FindingKind",
    "Fix",
    "Gathered",
    "Merged",
    "Origin",
    "Raw",
    "Report",
    "SetType",
    "Table",
    "alike",
    "apply",
    "cell",
    "cells",
    "describe",
    "distinct_key",
    "gather",
    "is_table",
    "lint",
    "match_sidecars",
    "merge",
    "parse",
    "preview",
    "proposed",
    "read_back",
    "refuse",
    "unchanged",
    "widened",
    "zeros",
]
