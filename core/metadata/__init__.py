"""What is known about a document: sidecars, the types of their values, the fields every workspace begins with."""

from core.metadata.sidecar import BUILT_IN, SUFFIX, field_specs, field_type, match_sidecars, parse, typed, zeros

__all__ = ["BUILT_IN", "SUFFIX", "field_specs", "field_type", "match_sidecars", "parse", "typed", "zeros"]
