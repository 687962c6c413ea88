"""Bytes to a syntax tree, and what a query finds in it."""
