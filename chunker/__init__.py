"""Bytes and a path in; chunks, symbols, imports and references out. No disk, no index, no query.

`api` reads a file, `model` is what it gives, `languages` the rules of each language.
"""
