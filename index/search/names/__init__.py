"""Names of definitions: found, listed, spelled otherwise."""
