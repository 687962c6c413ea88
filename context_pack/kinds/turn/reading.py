"""A file as a pack names it: its hash, and its content where that is not too large to look into."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def read(file: Path, most_bytes: int) -> tuple[str, int, bytes]:
    """(`sha256:<hex>`, size in bytes, content) of a file; the content is empty when it is larger than `most_bytes`.

    OSError when the file cannot be read.
    """
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        size_bytes = os.fstat(stream.fileno()).st_size
        stream.seek(0)
        data = stream.read() if size_bytes <= most_bytes else b""
    return f"sha256:{digest}", size_bytes, data
