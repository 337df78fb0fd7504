"""Which setting is better: gold questions, metrics on spans, and a run over both."""
