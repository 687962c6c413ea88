"""Which folder is meant: the one that is named, else the repository around the working folder."""

from __future__ import annotations

import os
from pathlib import Path

from context_pack.io.paths import with_home
from contracts.errors import InvalidRequest, NotADirectory

FILE = "ctxpack.toml"
MARKS = (".git", FILE)  # `.git` is a file in worktrees and submodules


def enclosing_root(start: Path) -> Path:
    """The nearest folder from `start` upwards that is marked as a repository, else `start`."""
    return next((folder for folder in (start, *start.parents) if _is_marked(folder)), start)


def is_outside(root: Path) -> bool:
    """Whether no repository is around a folder, nor at it."""
    return not any(map(_is_marked, (root, *root.parents)))


def _is_marked(folder: Path) -> bool:
    return any(os.path.lexists(folder / mark) for mark in MARKS)


def root_of(repo: str | Path | None) -> Path:
    """The folder to index: the one that is named, else the repository around the working folder.

    A URL stands for its clone. Nothing is cloned here: NotADirectory where it has not been.
    """
    if repo is None:
        try:
            return enclosing_root(Path.cwd())
        except OSError as error:
            raise NotADirectory(f"the working folder is gone: {error}", hint="name a folder with --repo") from error
    folder = _clone_of(repo) if isinstance(repo, str) and ("://" in repo or "@" in repo) else with_home(repo)
    try:
        is_folder = folder.is_dir()
    except (OSError, ValueError) as error:  # ValueError: a null byte
        raise NotADirectory(f"{repo} cannot be looked at: {error}") from error
    if not is_folder:
        raise NotADirectory(f"{repo} is not a directory", hint="name the folder of a repository with --repo")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise InvalidRequest(
            "repo", f"{repo} is not readable", hint="read and search permission on the folder is needed"
        )
    return folder.absolute()


def _clone_of(repo: str) -> Path:
    """The clone of a URL; the path itself where it is one."""
    from context_pack.io.clones import address_of, is_there

    address = address_of(repo)
    if address is None:
        return with_home(repo)
    if not is_there(address):
        raise NotADirectory(f"{address} is not cloned", hint=f"`ctxpack index --repo {address}` clones it")
    return address.folder
