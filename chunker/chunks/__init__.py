"""Symbols and lines to chunks."""
