"""Bytes and a path in; chunks, symbols, imports and references out. No disk, no index, no query."""
