"""Definitions by name: exact, misspelt, and listed by pattern."""
