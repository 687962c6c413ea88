"""Folders and files that belong to ctxpack: nobody else can read them, and no link in them is followed.

An index contains the source of the tree. It may also be in a folder where others can write (`--index-dir`), so a
folder is checked before anything is written to it.
"""

# Modes and owners are those of the link itself, which pathlib shows only in part.
# ruff: noqa: PTH101

from __future__ import annotations

import os
import stat
from functools import partial
from pathlib import Path

from contracts.errors import IOFailure

FOLDER_MODE, FILE_MODE = 0o700, 0o600
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


def user_folder(kind: str) -> Path:
    """The user's `cache` or `config` folder for ctxpack; `CTXPACK_CACHE_DIR` and `CTXPACK_CONFIG_DIR` override them."""
    if chosen := os.environ.get(f"CTXPACK_{kind.upper()}_DIR"):
        return Path(chosen)
    import platformdirs

    return Path(getattr(platformdirs, f"user_{kind}_dir")("ctxpack", appauthor=False))


cache_root = partial(user_folder, "cache")


def make_private(folder: Path) -> None:
    """Create a folder and its missing parents, accessible only to the owner. Raises OSError if it cannot."""
    for one in reversed([one for one in (folder, *folder.parents) if not one.is_dir()]):
        one.mkdir(FOLDER_MODE, exist_ok=True)


def open_private(path: str, flags: int) -> int:
    """An `opener` for a file that only its owner may access. Fails if the path is a link."""
    return os.open(path, flags | _NO_FOLLOW, FILE_MODE)


def open_plain(path: str, flags: int) -> int:
    """An `opener` for reading one of our files. Fails if the path is a link."""
    return os.open(path, flags | _NO_FOLLOW)


def refuse_links(*folders: Path) -> None:
    """Raise IOFailure if one of these folders of ours is a link. A missing folder is fine."""
    for folder in folders:
        try:
            mode = os.lstat(folder).st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        if stat.S_ISLNK(mode):
            raise _not_ours(folder, "it is a link")


def take(folder: Path) -> None:
    """Prepare a folder for writing: create it if needed, check that it is ours and has no links, make it private.

    Raises IOFailure if it is not ours, OSError if it cannot be created.
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
