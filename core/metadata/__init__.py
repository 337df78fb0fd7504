"""What is known about a document: sidecars, the types of their values, the fields every workspace begins with."""

from core.metadata.sidecar import SUFFIX, field_specs, match_sidecars, parse, typed

__all__ = ["SUFFIX", "field_specs", "match_sidecars", "parse", "typed"]
