"""Bytes and a path in; chunks, symbols, imports and references out. No disk, no index, no query.

Importing this package loads nothing but its names: grammars and tree_sitter come with the first file that needs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunker.decoding import decode
    from chunker.detection import detect_language
    from chunker.files import MAX_CHARS, chunk_file, prepare

__all__ = ["MAX_CHARS", "chunk_file", "decode", "detect_language", "prepare"]
_ROOMS = {
    "decode": "decoding",
    "detect_language": "detection",
    "MAX_CHARS": "files",
    "chunk_file": "files",
    "prepare": "files",
}


def __getattr__(name: str) -> object:
    """Load a part on first use: a warm query reads the language table alone."""
    if name in _ROOMS:
        from importlib import import_module

        return getattr(import_module(f"chunker.{_ROOMS[name]}"), name)
    raise AttributeError(name)
