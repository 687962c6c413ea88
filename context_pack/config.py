"""Which folder is meant, and what it says about itself: `ctxpack.toml`, or `[tool.ctxpack]` in `pyproject.toml`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from context_pack.corpora.inside import with_home
from context_pack.settings import Layer
from contracts.errors import InvalidRequest, IOFailure, NotADirectory

FILE = "ctxpack.toml"
_NOT_HERE = frozenset({"no_redact", "diff"})
MARKS = (".git", FILE)  # `.git` is a file in worktrees and submodules


def enclosing_root(start: Path) -> Path:
    """The nearest folder from `start` upwards that is marked as a repository, else `start`."""
    for folder in (start, *start.parents):
        if any(os.path.lexists(folder / mark) for mark in MARKS):
            return folder
    return start


def root_of(repo: str | Path | None) -> Path:
    """The folder to index: the one that is named, else the repository around the working folder."""
    if repo is None:
        return enclosing_root(_working_folder())
    folder = with_home(repo)
    try:
        is_folder = folder.is_dir()
    except (OSError, ValueError) as error:  # ValueError: a null byte
        raise NotADirectory(f"{repo} cannot be looked at: {error}") from error
    if not is_folder:
        raise NotADirectory(f"{repo} is not a directory", hint="name the folder of a repository with --repo")
    return folder.absolute()


def _working_folder() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise NotADirectory(f"the working folder is gone: {error}", hint="name a folder with --repo") from error


def file_layer(root: Path) -> Layer:
    """The options that a repository's file sets; `ctxpack.toml` alone counts where both exist.

    InvalidRequest names the file, and the key where one is wrong; IOFailure when the file cannot be read.
    """
    table = _table(root / FILE)
    if table is not None:
        return _layer(table, FILE, root)
    table = _table(root / "pyproject.toml", needle="ctxpack")
    options = (table or {}).get("tool", {}).get("ctxpack", {})
    return _layer(options, "pyproject.toml [tool.ctxpack]", root)


def _layer(options: Any, source: str, root: Path) -> Layer:
    if not isinstance(options, Mapping):
        raise InvalidRequest("tool.ctxpack", f"{source} is not a table")
    values = dict(options)
    for name in sorted(_NOT_HERE.intersection(values)):
        raise InvalidRequest(name, f"{source}: {name} is asked for by whoever asks, not by a repository")
    if isinstance(values.get("index_dir"), str):
        values["index_dir"] = _inside(root, values["index_dir"], source)
    if isinstance(values.get("tokenizer"), str):
        values["tokenizer"] = root / values["tokenizer"]
    return Layer(values, source)


def _inside(root: Path, folder: str, source: str) -> Path:
    """A folder below the root: a repository that was cloned must not choose where else this machine writes."""
    chosen = Path(os.path.realpath(root / folder))
    real_root = Path(os.path.realpath(root))
    if chosen == real_root or not chosen.is_relative_to(real_root):
        raise InvalidRequest(
            "index_dir", f"{source}: index_dir {folder} is not below the root", hint="use --index-dir for other folders"
        )
    return chosen


def _table(path: Path, needle: str = "") -> dict[str, Any] | None:
    """A TOML file as a dict; None when there is none, or when it does not hold `needle`: then no parser is loaded."""
    try:
        text = path.read_text("utf-8")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None
    except UnicodeDecodeError as error:
        raise InvalidRequest(path.name, f"{path.name} is not valid UTF-8: {error}") from error
    except OSError as error:
        raise IOFailure(f"{path} cannot be read: {error.strerror}", details={"path": str(path)}) from error
    if needle not in text:
        return None
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: no TOML, or a number of 5,000 digits
        raise InvalidRequest(path.name, f"{path.name} is not valid TOML: {error}") from error
