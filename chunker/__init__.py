"""Bytes and a path in; chunks, symbols, imports and references out. No disk, no index, no query.

Importing this package loads no grammar and no tree_sitter: those come with the first file that needs them.
"""

from chunker.decoding import decode
from chunker.detection import detect_language
from chunker.files import MAX_CHARS, chunk_file

__all__ = ["MAX_CHARS", "chunk_file", "decode", "detect_language"]
