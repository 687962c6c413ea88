"""Where ctxpack keeps what it can make again. Apart from the rest of the index, which costs numpy to import."""

from __future__ import annotations

import os
from pathlib import Path


def cache_root() -> Path:
    """The user's cache folder for ctxpack; `CTXPACK_CACHE_DIR` overrides it."""
    chosen = os.environ.get("CTXPACK_CACHE_DIR")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("ctxpack", appauthor=False))
