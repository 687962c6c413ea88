"""Measures how well ctxpack answers questions about a repository, by the repository's history."""
