"""The cache folders of corpora, one per corpus. Everything in them can be rebuilt.

CACHE/corpora/KIND-DIGEST/
    ROOT         the path of the corpus; its mtime is the day of the last use
    records      see `io.record_cache`
    search-3.db  see `kinds.pages.search_index`
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from threading import get_ident

from index.generation.private import FOLDER_MODE, cache_root, make_private, open_private

KEPT_S = 30 * 86_400  # folders unused for longer are removed
USE_GRAIN_S = 86_400  # the last use is recorded once a day, so that most queries write nothing
ROOT = "ROOT"
LEFT_OVER_S = 3600.0
_LEFT_OVER = re.compile(r"\.\d+-\d+$")  # see `replace_file`


def corpus_home(kind: str, root: str) -> Path:
    """The cache folder of a corpus; it may not exist."""
    real = os.path.realpath(root)
    return cache_root() / "corpora" / f"{kind}-{blake2b(os.fsencode(real), digest_size=8).hexdigest()}"


def replace_file(file: Path, content: bytes) -> None:
    """Replace one of our files atomically. OSError if it cannot be written; the old file is then unchanged."""
    temporary = file.with_name(f"{file.name}.{os.getpid()}-{get_ident()}")  # unique to this process and thread
    try:
        with open(temporary, "wb", opener=open_private) as out:
            out.write(content)
        temporary.replace(file)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise


def remove_left_over(home: Path) -> None:
    """Remove temporary files that killed processes left here more than an hour ago."""
    with suppress(OSError):
        for entry in home.iterdir():
            with suppress(OSError):
                if _LEFT_OVER.search(entry.name) and age_s(entry) > LEFT_OVER_S:
                    entry.unlink()


def note_use(home: Path, root: str) -> None:
    """Create the folder and record today's use; also remove the folders of corpora that are unused or deleted.

    OSError if the folder cannot be written.
    """
    mark = home / ROOT
    with suppress(FileNotFoundError):
        if age_s(mark) < USE_GRAIN_S:
            return
    make_private(home)
    home.chmod(FOLDER_MODE)
    with open(mark, "wb", opener=open_private) as out:
        out.write(os.fsencode(os.path.realpath(root)))
    _remove_unwanted(lambda mark, corpus: age_s(mark) > KEPT_S or not corpus.is_dir())


def forget(root: Path) -> list[Path]:
    """Remove the cache folders of all corpora at or below `root`; returns the removed folders."""
    real = Path(os.path.realpath(root))
    return _remove_unwanted(lambda mark, corpus: corpus.is_relative_to(real))


def _remove_unwanted(unwanted: Callable[[Path, Path], bool]) -> list[Path]:
    """Remove the folders that are `unwanted` by mark and root; returns them. A folder without a mark is not ours."""
    marks = (cache_root() / "corpora").glob(f"*-*/{ROOT}")
    return remove(marks, lambda mark: unwanted(mark, Path(os.fsdecode(mark.read_bytes()))))


def remove(marks: Iterable[Path], unwanted: Callable[[Path], bool]) -> list[Path]:
    """Remove the folders whose marks are unwanted; returns the removed folders."""
    import shutil

    homes = []
    for mark in sorted(marks):
        with suppress(OSError):
            if unwanted(mark):
                homes.append(mark.parent)
                shutil.rmtree(mark.parent, ignore_errors=True)
    return homes


def age_s(file: Path) -> float:
    """Seconds since a file was written."""
    return time.time() - file.stat().st_mtime
