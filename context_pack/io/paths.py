"""Paths that a request names: roots, and what is relative to one and never out of it, by dots or by links."""

from __future__ import annotations

import os
from pathlib import Path

from contracts.errors import InvalidRequest, NotADirectory


def inside(root: Path, path: str, field: str) -> Path:
    """Where `path` lies below `root`, whether it exists or not. InvalidRequest (`field`) when it leaves the root."""
    wanted = path.replace("\\", "/")
    if not wanted.strip() or "\0" in wanted:
        raise InvalidRequest(field, f"{field}: {path!r} is no path")
    if wanted.startswith("/") or wanted[1:3] == ":/":
        raise InvalidRequest(field, f"{field}: {path} is absolute", hint="paths are relative to the root")
    real_root = os.path.realpath(root)
    try:
        real = os.path.realpath(os.path.join(real_root, wanted))  # noqa: PTH118 - `..` must be seen before pathlib
    except (OSError, ValueError) as error:
        raise InvalidRequest(field, f"{field}: {path} is no path: {error}") from error
    if real != real_root and not real.startswith(real_root.rstrip(os.sep) + os.sep):
        raise InvalidRequest(field, f"{field}: {path} leaves the root", hint="name files below the root")
    return Path(real)


def with_home(path: str | Path) -> Path:
    """A path with its `~` filled in. That of a user whom nobody knows stays, and will not be found."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - pathlib raises RuntimeError there


def root_with(mark: str, chosen: str | Path | None, hint: str) -> Path:
    """The folder that is named, else the nearest one upwards that holds a folder `mark`, else the working folder."""
    if chosen is None:
        here = Path.cwd()
        return next((folder for folder in (here, *here.parents) if (folder / mark).is_dir()), here)
    folder = with_home(chosen)
    if "\0" in str(folder) or not folder.is_dir():
        raise NotADirectory(f"{chosen} is not a directory", hint=hint)
    return folder.absolute()


def is_text(path: str) -> bool:
    """Whether a name is valid Unicode: another one can stand in no JSON document."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def plain(path: str) -> str:
    """A path as it is compared: forward slashes, no `./` before it and no `/` behind it."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    return "/".join(parts)
