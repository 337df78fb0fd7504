"""Where documents, nodes and vectors live: one protocol, one package per engine. SQL is written here alone."""
