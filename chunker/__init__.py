"""Turns the bytes and the path of a file into chunks, symbols, imports and references, without access to disk or index.

`api` reads a file, `model` defines the result, `languages` has the rules of each language.
"""
