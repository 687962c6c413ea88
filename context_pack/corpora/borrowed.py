"""Whether the git folder of a tree is its own, or one that shows another repository's content as if it were.

An archive may hold a `.git` file, a link or a list of borrowed objects that names any repository of this machine: a
diff would then show lines of that one. What git itself makes (work trees, submodules) names the folder back.
"""

# Links are the point here, and a path that is compared must not be cleaned up before.

from __future__ import annotations

import os
from pathlib import Path

from index import git
from index.beneath import read_beneath

_MOST_BYTES = 10_000
_INSIDE = ("HEAD", "index", "config", "packed-refs", "refs", "objects")


def borrowed_from(root: Path) -> str:
    """What makes the content of the repository around `root` another one's; empty where it is its own, or none."""
    found = next((folder for folder in (root, *root.parents) if os.path.lexists(folder / ".git")), None)
    if found is None:
        return ""
    mark = found / ".git"
    if mark.is_symlink():
        return ".git is a link"
    try:
        home, common = (mark, mark) if mark.is_dir() else _named_home(found)
        if home is None or common is None:
            return "its .git file names a repository that does not name it back"
        if home == common and os.path.lexists(home / "commondir"):
            return ".git/commondir names another repository"
        return _foreign_tree(found) or _links(home, common) or _foreign_objects(common)
    except OSError as error:
        return f"its git folder cannot be looked at: {error.strerror}"


def _named_home(folder: Path) -> tuple[Path | None, Path | None]:
    """The git folder that a `.git` file names, and that of the whole repository; None where that is not its own."""
    named = read_beneath(folder, ".git", _MOST_BYTES).strip()
    home = Path(os.path.realpath(folder / os.fsdecode(named.removeprefix(b"gitdir: "))))
    if home.parent.name == "worktrees" and (home / "gitdir").is_file():
        back = home / os.fsdecode(read_beneath(home, "gitdir", _MOST_BYTES).strip())
        common = Path(os.path.realpath(home / os.fsdecode(read_beneath(home, "commondir", _MOST_BYTES).strip())))
        own = os.path.realpath(back) == os.path.realpath(folder / ".git") and common == home.parent.parent
        return (home, common) if own else (None, None)
    asked = ["config", "--file", str(home / "config"), "--get", "core.worktree"]
    tree = os.fsdecode(git.run(asked).output.rstrip(b"\n"))
    own = bool(tree) and os.path.realpath(home / tree) == os.path.realpath(folder)
    return (home, home) if own and not os.path.lexists(home / "commondir") else (None, None)


def _foreign_tree(folder: Path) -> str:
    """Whether git takes another folder than that of `.git` for the tree: `core.worktree` may name any."""
    top = git.run(["rev-parse", "--show-toplevel"], folder).output.rstrip(b"\n")
    if top and os.path.realpath(top) != os.path.realpath(os.fsencode(folder)):
        return "core.worktree names another folder"
    return ""


def _links(home: Path, common: Path) -> str:
    for base in {home, common}:
        for name in _INSIDE:
            place = base / name
            if place.is_symlink() and not Path(os.path.realpath(place)).is_relative_to(os.path.realpath(common)):
                return f".git/{name} is a link that leads out of .git"
    return ""


def _foreign_objects(common: Path) -> str:
    """Links below `objects`, and objects that are borrowed from elsewhere."""
    objects = common / "objects"
    for folder in (objects, objects / "info", objects / "pack"):
        if folder.is_dir():
            with os.scandir(folder) as entries:
                if any(entry.is_symlink() for entry in entries):
                    return "its objects are links"
    if os.path.lexists(objects / "info" / "alternates"):
        return "it borrows objects of another repository (.git/objects/info/alternates)"
    return ""
