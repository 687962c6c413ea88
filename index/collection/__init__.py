"""One generation in memory, as all its queries share it: chunks, files, definitions."""
