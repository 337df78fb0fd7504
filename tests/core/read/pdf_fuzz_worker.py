"""Reads a PDF for each line of hexadecimal digits it is given, and tells what became of it."""

from __future__ import annotations

import json
import sys
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.errors import UnreadableFile
from core.read import formats, pdf
from core.settings import ReadSettings
from core.types import no_progress


def fate(data: bytes) -> str:
    try:
        content = pdf.content(data, formats.BY_SUFFIX[".pdf"], ReadSettings(), no_progress)
    except UnreadableFile:
        return "refused"
    except Exception:  # noqa: BLE001 - what else comes up is what the test looks for
        return traceback.format_exc()
    ends = [0, *(end for block in content.blocks for end in (block.start, block.end)), len(content.text)]
    outside = "".join(content.text[a:b] for a, b in zip(ends[::2], ends[1::2], strict=True))
    return "tiles" if ends == sorted(ends) and not outside.strip() else "gaps"


for line in sys.stdin:
    print(json.dumps(fate(bytes.fromhex(line))), flush=True)
