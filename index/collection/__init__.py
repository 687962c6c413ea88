"""One generation in memory, shared by all its queries: chunks, files, definitions."""
