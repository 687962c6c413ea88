"""Chunks tied to the hits of a query, by the code graph or by likeness."""
