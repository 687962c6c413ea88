"""A project's records under `.nexus`: its plan, its architecture, its index files and its documents."""
