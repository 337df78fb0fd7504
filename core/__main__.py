"""``python -m core`` is the ``chunkscope`` command."""

import sys

from core.cli import main

sys.exit(main())
