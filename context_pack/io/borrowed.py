"""Whether the git folder of a tree is its own, or one that shows another repository's content as if it were.

An archive may hold a `.git` file, a link or a list of borrowed objects that names any repository of this machine: a
diff would then show lines of that one. What git itself makes (work trees, submodules) names the folder back.
"""

# Links are the point here, and a path that is compared must not be cleaned up before.

from __future__ import annotations

import os
from pathlib import Path

from index.tree import git
from index.tree.beneath import read_beneath

_MOST_BYTES = 10_000
_INSIDE = ("HEAD", "index", "config", "packed-refs", "refs", "objects")


def borrowed_from(root: Path) -> str:
    """What makes the content of the repository around `root` another one's; empty where it is its own, or none."""
    folder = next((folder for folder in (root, *root.parents) if os.path.lexists(folder / ".git")), None)
    if folder is None:
        return ""
    mark = folder / ".git"
    if mark.is_symlink():
        return ".git is a link"
    try:
        homes = (mark, mark) if mark.is_dir() else _named_homes(folder)
        if homes is None:
            return "its .git file names a repository that does not name it back"
        home, common = homes
        if home == common and os.path.lexists(home / "commondir"):
            return ".git/commondir names another repository"
        top = git.run(["rev-parse", "--show-toplevel"], folder).output.rstrip(b"\n")
        if top and os.path.realpath(top) != os.path.realpath(os.fsencode(folder)):  # core.worktree may name any
            return "core.worktree names another folder"
        return _links(home, common) or _foreign_objects(common / "objects")
    except OSError as error:
        return f"its git folder cannot be looked at: {error.strerror}"


def _named_homes(folder: Path) -> tuple[Path, Path] | None:
    """The git folder that a `.git` file names, and that of the whole repository; None where that is not its own."""

    def named(base: Path, file: str) -> Path:
        line = read_beneath(base, file, _MOST_BYTES).strip()
        return base / os.fsdecode(line.removeprefix(b"gitdir: "))

    home = Path(os.path.realpath(named(folder, ".git")))
    if home.parent.name == "worktrees" and (home / "gitdir").is_file():
        common = Path(os.path.realpath(named(home, "commondir")))
        is_own = os.path.realpath(named(home, "gitdir")) == os.path.realpath(folder / ".git")
        return (home, common) if is_own and common == home.parent.parent else None
    asked = ["config", "--file", str(home / "config"), "--get", "core.worktree"]
    tree = os.fsdecode(git.run(asked).output.rstrip(b"\n"))
    is_own = bool(tree) and os.path.realpath(home / tree) == os.path.realpath(folder)
    return (home, home) if is_own and not os.path.lexists(home / "commondir") else None


def _links(home: Path, common: Path) -> str:
    for base in (home, common):
        for name in _INSIDE:
            place = base / name
            if place.is_symlink() and not Path(os.path.realpath(place)).is_relative_to(os.path.realpath(common)):
                return f".git/{name} is a link that leads out of .git"
    return ""


def _foreign_objects(objects: Path) -> str:
    """Links below `objects`, and objects that are borrowed from elsewhere."""
    for folder in (objects, objects / "info", objects / "pack"):
        if folder.is_dir():
            with os.scandir(folder) as entries:
                if any(entry.is_symlink() for entry in entries):
                    return "its objects are links"
    if os.path.lexists(objects / "info" / "alternates"):
        return "it borrows objects of another repository (.git/objects/info/alternates)"
    return ""
