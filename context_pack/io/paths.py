"""Paths in a request: the root, and paths below the root, which never lead out of it."""

from __future__ import annotations

import os
from pathlib import Path

from contracts.errors import InvalidRequest, IOFailure, NotADirectory


def real_path(root: str | Path, path: str) -> str | None:
    """The target of a path through its links, from the root, with slashes; None if it is outside the root."""
    base = os.path.realpath(root).rstrip(os.sep)
    real = os.path.realpath(os.path.join(base or os.sep, path))  # noqa: PTH118 - `..` must be seen before pathlib
    return real[len(base) + 1 :].replace(os.sep, "/") if f"{real}{os.sep}".startswith(f"{base}{os.sep}") else None


def inside(root: Path, path: str, field: str) -> str:
    """The target of `path` from `root`; it need not exist. InvalidRequest (`field`) if it leaves the root."""
    wanted = path.replace("\\", "/")
    if not wanted.strip() or "\0" in wanted:
        raise InvalidRequest(field, f"{field}: {path!r} is not a valid path")
    if wanted.startswith("/") or wanted[1:3] == ":/":
        raise InvalidRequest(field, f"{field}: {path} is absolute", hint="give a path relative to the root")
    try:
        real = real_path(root, wanted)
    except (OSError, ValueError) as error:
        raise InvalidRequest(field, f"{field}: {path} is not a valid path: {error}") from error
    if real is None:
        raise InvalidRequest(field, f"{field}: {path} is outside the root", hint="give a path below the root")
    return real


def unreadable(path: str, error: OSError) -> IOFailure:
    return IOFailure(f"{path} cannot be read: {error.strerror}", details={"path": path})


def with_home(path: str | Path) -> Path:
    """A path with `~` expanded. The `~name` of an unknown user stays, and will not be found."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - pathlib raises RuntimeError there


def root_with(mark: str, chosen: str | Path | None, hint: str) -> Path:
    """The chosen folder, else the nearest one upwards that contains a folder `mark`, else the working folder."""
    if chosen is None:
        here = Path.cwd()
        return next((folder for folder in (here, *here.parents) if (folder / mark).is_dir()), here)
    folder = with_home(chosen)
    if "\0" in str(folder) or not folder.is_dir():
        raise NotADirectory(f"{chosen} is not a directory", hint=hint)
    return folder.absolute()


def plain(path: str) -> str:
    """A path normalised for comparison: forward slashes, no `.` parts, no leading or trailing slash."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    return "/".join(parts)


FILE = "ctxpack.toml"
MARKS = (".git", FILE)  # `.git` is a file in worktrees and submodules


def enclosing_root(start: Path) -> Path:
    """The nearest folder from `start` upwards that is marked as a repository, else `start`."""
    return next((folder for folder in (start, *start.parents) if _is_marked(folder)), start)


def is_outside(root: Path) -> bool:
    """Whether neither a folder nor any folder above it is marked as a repository."""
    return not any(map(_is_marked, (root, *root.parents)))


def _is_marked(folder: Path) -> bool:
    return any(os.path.lexists(folder / mark) for mark in MARKS)


def root_of(repo: str | Path | None) -> Path:
    """The folder to index: `repo`, else the repository around the working folder.

    A URL means its clone. Nothing is cloned here: NotADirectory if the clone does not exist.
    """
    if repo is None:
        try:
            return enclosing_root(Path.cwd())
        except OSError as error:
            raise NotADirectory(f"there is no working folder: {error}", hint="give a folder with --repo") from error
    folder = _clone_of(repo) if isinstance(repo, str) and ("://" in repo or "@" in repo) else with_home(repo)
    try:
        is_folder = folder.is_dir()
    except (OSError, ValueError) as error:  # ValueError: a null byte
        raise NotADirectory(f"{repo} cannot be read: {error}") from error
    if not is_folder:
        raise NotADirectory(f"{repo} is not a directory", hint="give the folder of a repository")
    if not os.access(folder, os.R_OK | os.X_OK):
        hint = "give yourself read and search permission on the folder"
        raise InvalidRequest("repo", f"{repo} is not readable", hint=hint)
    return folder.absolute()


def _clone_of(repo: str) -> Path:
    """The clone of a URL; a path that is not a URL is returned as a path."""
    from context_pack.io.clones import address_of, is_there

    address = address_of(repo)
    if address is None:
        return with_home(repo)
    if not is_there(address):
        raise NotADirectory(f"{address} has not been cloned", hint=f"run `ctxpack index --repo {address}` to clone it")
    return address.folder
