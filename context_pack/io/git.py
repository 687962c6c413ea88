"""Git's output about a tree. The repository decides neither what runs (`index.tree.git`) nor whose content is shown."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from context_pack.options.config_file import consented, is_trusted
from contracts.errors import InvalidRequest, IOFailure
from index.tree import git
from index.tree.git import Setting

TIMEOUT_S = 30.0
MAX_DIFF_BYTES = 20_000_000  # of all patches together; a delta between two turns is smaller
_INSIDE = ("HEAD", "index", "config", "packed-refs", "refs", "objects")
_MISSING = re.compile(r"promisor remote|lazy fetching|unable to read [0-9a-f]{40}")  # objects a partial clone lacks
_REVISION = re.compile(r"[^\s\x00-\x1f-][^\s\x00-\x1f]{0,255}")


class GitFailed(IOFailure):
    """Git exited with a status other than 0; `details["said"]` is its message."""


def run(root: Path, arguments: Sequence[str], settings: Sequence[Setting] = ()) -> bytes:
    """Git's output. GitFailed if it exits with a status other than 0."""
    try:
        done = git.run(arguments, root, settings=settings, limit_s=TIMEOUT_S, max_bytes=MAX_DIFF_BYTES)
    except OSError as error:
        raise _not_started(error) from error
    if len(done.output) > MAX_DIFF_BYTES:
        raise InvalidRequest("base", f"more than {MAX_DIFF_BYTES:,} bytes changed", hint="give a later revision")
    if done.stopped:
        raise IOFailure(done.stopped)
    if done.code != 0:
        is_partial = _MISSING.search(done.complaint)
        hint = "this is a partial clone, and ctxpack fetches nothing for it; if you trust it, run `git diff` once"
        raise GitFailed(
            f"git {arguments[0]} failed: {done.complaint}", hint=hint if is_partial else "",
            details={"said": done.complaint},
        )  # fmt: skip
    return done.output


def filters_off(root: Path) -> list[Setting]:
    """Settings that switch off every clean filter. IOFailure if that is not possible."""
    try:
        return git.filters_off(root, TIMEOUT_S)
    except git.GitRefused as error:
        raise IOFailure(f"cannot use git: {error}", hint="install a newer version of git") from error
    except OSError as error:
        raise _not_started(error) from error


def commit_of(root: Path, base: str, field: str) -> str:
    """The hash of the commit that a revision names; that of the empty tree for HEAD before the first commit.

    InvalidRequest (`field`) if it names none, or if a diff could show another repository's lines and the user has not
    agreed to that.
    """
    if not _REVISION.fullmatch(base):
        hint = "a question comes before --diff" if field == "diff" else "give a commit, a tag or a branch"
        raise InvalidRequest(field, f"{field} {base!r} is not a git revision", hint=hint)
    why = borrowed_from(root)
    if why and not is_trusted(root, consented(root).content):
        raise InvalidRequest(
            field, f"cannot use {field}, because this repository may show content of another one: {why}",
            hint="if you set it up this way, run `ctxpack trust DIR` to allow it",
        )  # fmt: skip
    try:
        commit = run(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}"])
    except GitFailed as error:
        message = str(error.details["said"])
        if "not a git repository" in message:
            raise InvalidRequest(field, f"{field} is given, but the root is not in a git repository") from error
        if "dubious ownership" in message:
            hint = f"if you trust it: git config --global --add safe.directory {shlex.quote(str(root))}"
            raise InvalidRequest(field, f"git refuses to look up {field}: {message}", hint=hint) from error
        if base == "HEAD" and not message:
            return run(root, ["hash-object", "-t", "tree", "--stdin"]).decode("ascii").strip()
        fault = f"{field} {base} is not a commit" + (f": {message}" if message else "")
        hint = "give a commit, a tag or a branch; in a shallow clone, `git fetch --unshallow` brings the others"
        raise InvalidRequest(field, fault, hint=hint) from error
    return commit.decode("ascii").strip()


def _not_started(error: OSError) -> IOFailure:
    return IOFailure(f"git could not be started: {error.strerror}", hint="install git")


def borrowed_from(root: Path) -> str:
    """Why the repository around `root` may show another repository's content; empty if it cannot, or without one.

    An archive may contain a `.git` file, a link or a list of borrowed objects that names any repository of this
    machine; a diff would then show its lines. Work trees and submodules made by git itself name the folder back.
    """
    folder = next((folder for folder in (root, *root.parents) if os.path.lexists(folder / ".git")), None)
    if folder is None:
        return ""
    mark = folder / ".git"
    if mark.is_symlink():
        return ".git is a link"
    try:
        homes = (mark, mark) if mark.is_dir() else _named_homes(folder)
        if homes is None:
            return "its .git file points to a repository that does not point back"
        home, common = homes
        if home == common and os.path.lexists(home / "commondir"):
            return ".git/commondir points to another repository"
        top = git.run(["rev-parse", "--show-toplevel"], folder).output.rstrip(b"\n")
        if top and os.path.realpath(top) != os.path.realpath(os.fsencode(folder)):  # core.worktree may name any
            return "core.worktree points to another folder"
        return _links(home, common) or _foreign_objects(common / "objects")
    except OSError as error:
        return f"its git folder cannot be read: {error.strerror}"


def _named_homes(folder: Path) -> tuple[Path, Path] | None:
    """The git folder that a `.git` file names, and the common git folder; None if they do not belong to `folder`."""
    home = Path(git.named_path(folder, ".git"))
    if home.parent.name == "worktrees" and (home / "gitdir").is_file():
        common = Path(git.named_path(home, "commondir"))
        is_own = git.named_path(home, "gitdir") == os.path.realpath(folder / ".git")
        return (home, common) if is_own and common == home.parent.parent else None
    arguments = ["config", "--file", str(home / "config"), "--get", "core.worktree"]
    tree = os.fsdecode(git.run(arguments).output.rstrip(b"\n"))
    is_own = bool(tree) and os.path.realpath(home / tree) == os.path.realpath(folder)
    return (home, home) if is_own and not os.path.lexists(home / "commondir") else None


def _links(home: Path, common: Path) -> str:
    for base in (home, common):
        for name in _INSIDE:
            place = base / name
            if place.is_symlink() and not Path(os.path.realpath(place)).is_relative_to(os.path.realpath(common)):
                return f".git/{name} is a link to a place outside .git"
    return ""


def _foreign_objects(objects: Path) -> str:
    """Why the objects may come from another repository: links or alternates. Empty if they do not."""
    folders = (folder for folder in (objects, objects / "info", objects / "pack") if folder.is_dir())
    if any(entry.is_symlink() for folder in folders for entry in folder.iterdir()):
        return "its objects are links"
    if os.path.lexists(objects / "info" / "alternates"):
        return "it borrows objects from another repository (.git/objects/info/alternates)"
    return ""
