"""Decodes the bytes of a file."""

from __future__ import annotations

import codecs
import re

from chunker.parse.notebooks import script

_BINARY_SAMPLE = 8000  # git looks for NUL in the same number of bytes
_UNDECODABLE_SHARE = 0.3  # text in a legacy encoding has fewer stray bytes than this: its markup and spaces are ASCII
_STRAY_BYTE = re.compile("[\udc80-\udcff]")
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def source_text(data: bytes, path: str) -> str | None:
    """The text of a file to be chunked (of a notebook, the source of its cells), or None for a binary file."""
    text = decode(data)
    return (script(text) or text) if text and path.lower().endswith(".ipynb") else text


def decode(data: bytes) -> str | None:
    """The text of a file, or None for a binary file.

    A byte order mark selects the encoding (UTF-8 or UTF-16) and is left out. Everything else is read as UTF-8, and each
    byte that is not UTF-8 becomes one U+FFFD, so that line numbers and columns stay those of the file.
    """
    if data.startswith(_UTF16_MARKS) and len(data) % 2 == 0:
        return data.decode("utf-16", errors="replace")
    if b"\0" in data[:_BINARY_SAMPLE]:
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("utf-8-sig", errors="surrogateescape")
    sample = text[:_BINARY_SAMPLE]
    if len(_STRAY_BYTE.findall(sample)) > _UNDECODABLE_SHARE * len(sample):
        return None
    return _STRAY_BYTE.sub("\ufffd", text)
