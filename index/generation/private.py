"""Folders and files that ctxpack makes for itself: nobody else reads them, and no link in them is followed.

An index holds the source of the tree. It may also lie where others write (`--index-dir`), so what is there is
looked at before anything is written.
"""

# Modes and owners are those of the link itself, which pathlib shows only in part.
# ruff: noqa: PTH101

from __future__ import annotations

import os
import stat
from pathlib import Path

from contracts.errors import IOFailure

FOLDER_MODE, FILE_MODE = 0o700, 0o600
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


def cache_root() -> Path:
    """The user's cache folder for ctxpack; `CTXPACK_CACHE_DIR` overrides it."""
    chosen = os.environ.get("CTXPACK_CACHE_DIR")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("ctxpack", appauthor=False))


def make_private(folder: Path) -> None:
    """Make a folder, and what is missing above it, for its owner alone. OSError when it cannot be made."""
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        if folder.parent == folder:
            break
        folder = folder.parent
    for one in reversed(missing):
        one.mkdir(FOLDER_MODE, exist_ok=True)


def open_private(path: str, flags: int) -> int:
    """The `opener` of a file that only its owner may read. Fails where a link stands in its place."""
    return os.open(path, flags | _NO_FOLLOW, FILE_MODE)


def open_plain(path: str, flags: int) -> int:
    """The `opener` of a file of ours that is read. Fails where a link stands in its place."""
    return os.open(path, flags | _NO_FOLLOW)


def refuse_links(*folders: Path) -> None:
    """IOFailure when a link or anything else stands where a folder of ours should. One that is missing is right."""
    for folder in folders:
        try:
            mode = os.lstat(folder).st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        if stat.S_ISLNK(mode):
            raise _not_ours(folder, "it is a link")


def take(folder: Path) -> None:
    """Make a folder ours before anything is written into it: our own, for us alone, and without links in it.

    IOFailure when it is not ours, OSError when it cannot be made.
    """
    refuse_links(folder)
    make_private(folder)
    status = os.lstat(folder)
    if hasattr(os, "geteuid") and os.geteuid() not in (0, status.st_uid):
        raise _not_ours(folder, "it belongs to another user")
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_symlink():
                raise _not_ours(folder, f"{entry.name} in it is a link")
    if stat.S_IMODE(status.st_mode) & 0o077 and hasattr(os, "geteuid") and os.geteuid() == status.st_uid:
        os.chmod(folder, FOLDER_MODE)


def _not_ours(folder: Path, why: str) -> IOFailure:
    return IOFailure(
        f"the index in {folder} is not used: {why}, so ctxpack did not create it",
        hint="remove it, or choose another folder with --index-dir",
        details={"path": str(folder)},
    )
