"""Which lines of which files changed, between a revision and the working tree or between two revisions.

Line ranges are 1-based and inclusive, and mean the files as they are in the working tree now: that is what is indexed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from context_pack.corpora.git import DIFF, GitFailed, commit_of, filters_off, is_text, run
from contracts.errors import IOFailure
from index.git import Setting

FIELD = "diff"
_RANGE = re.compile(r"(?P<base>.*?)(?P<dots>\.{2,3})(?P<head>.*)")
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_DIFF = [*(part for part in DIFF if part != "--no-renames"), "--find-renames"]
_STATES = {"A": "added", "M": "modified", "D": "deleted", "R": "renamed", "T": "type changed", "U": "unmerged"}

Lines = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Hunk:
    """A run of lines that differs: its first line and number of lines before and after. 0 lines: behind that line."""

    old_line: int
    old_count: int
    line: int
    count: int


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that differs; `was` is its former path where it was renamed. A whole file that is new has no hunks."""

    path: str
    state: str
    was: str = ""
    hunks: tuple[Hunk, ...] = ()

    @property
    def is_new(self) -> bool:
        return self.state in ("added", "new")

    @property
    def lines(self) -> tuple[Lines, ...]:
        """The lines that are new or changed; of what was only taken out, the lines around the gap."""
        return tuple(
            (hunk.line, hunk.line + hunk.count - 1) if hunk.count else (max(1, hunk.line), hunk.line + 1)
            for hunk in self.hunks
        )

    @property
    def removed(self) -> tuple[Lines, ...]:
        """The lines of the old file that are gone or changed."""
        return tuple((hunk.old_line, hunk.old_line + hunk.old_count - 1) for hunk in self.hunks if hunk.old_count)


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed since `commit` (which `base` names), by path: up to `head`, or up to the working tree."""

    base: str
    commit: str
    head: str
    files: tuple[ChangedFile, ...]

    @property
    def counts(self) -> tuple[int, int]:
        """Lines added and removed, without those of files that git does not know yet."""
        hunks = [hunk for file in self.files for hunk in file.hunks]
        return sum(hunk.count for hunk in hunks), sum(hunk.old_count for hunk in hunks)


def changes(root: Path, asked: str) -> Changes:
    """What changed below `root`: since `REV` with everything not committed, or by `REV..REV` (`...`: since the fork).

    InvalidRequest (`diff`) when a revision names no commit or the root is in no repository; IOFailure when git fails.
    """
    span = _RANGE.fullmatch(asked)
    base, head = (span["base"] or "HEAD", span["head"] or "HEAD") if span else (asked, "")
    commit = commit_of(root, base, FIELD)
    try:
        if not span:
            return Changes(base, commit, "", _sorted([*_between(root, commit), *_unknown(root)]))
        until = commit_of(root, head, FIELD)
        if span["dots"] == "...":
            commit = run(root, ["merge-base", commit, until]).decode("ascii").strip()
        return Changes(base, commit, head, _sorted(_as_now(_between(root, commit, until), _between(root, until))))
    except GitFailed as error:
        raise IOFailure(f"git could not say what changed since {base}: {error.said}") from error


def old_text(root: Path, commit: str, path: str) -> bytes | None:
    """A file as it was in a commit; None when it cannot be had. `path` is relative to the root."""
    try:
        return run(root, ["show", "--no-textconv", f"{commit}:./{path}"])
    except GitFailed:
        return None


def _between(root: Path, *commits: str) -> list[ChangedFile]:
    """The files that differ between two commits, or between one and the working tree."""
    filters = filters_off(root)
    raw = run(root, [*_DIFF, "--raw", "-z", "--abbrev=40", *commits, "--"], filters)
    named = _named(raw.decode("utf-8", "surrogateescape").split("\0"))
    patch = run(root, [*_DIFF, "--patch", "-U0", *commits, "--"], filters).decode("utf-8", "replace")
    patches = re.split(r"(?m)^diff --git ", patch)[1:]
    if len(patches) != len(named):  # a file that became a link has two patches, an unmerged one none
        patches = [_patch(root, commits, file, filters) for file in named]
    return [
        ChangedFile(file.path, file.state, file.was, _hunks(text)) for file, text in zip(named, patches, strict=True)
    ]


def _named(fields: Sequence[str]) -> list[ChangedFile]:
    """Files and states of `git diff --raw -z`: a rename names two paths."""
    found: list[ChangedFile] = []
    rest = iter(fields)
    for meta in rest:
        if not meta:
            continue
        state = meta.rsplit(" ", 1)[-1][:1]
        was = next(rest) if state in "RC" else ""
        found.append(ChangedFile(next(rest), _STATES.get(state, "changed"), was))
    return found


def _patch(root: Path, commits: Sequence[str], file: ChangedFile, filters: Sequence[Setting]) -> str:
    paths = [path for path in (file.was, file.path) if path]
    asked = ["--literal-pathspecs", *_DIFF, "--patch", "-U0", *commits, "--", *paths]
    return run(root, asked, filters).decode("utf-8", "replace")


def _hunks(patch: str) -> tuple[Hunk, ...]:
    numbers = [[int(part) if part else 1 for part in match.groups()] for match in _HUNK.finditer(patch)]
    return tuple(Hunk(*four) for four in numbers)


def _unknown(root: Path) -> list[ChangedFile]:
    """Files that git does not know yet and does not ignore."""
    listed = run(root, ["ls-files", "--others", "--exclude-standard", "-z"]).decode("utf-8", "surrogateescape")
    return [ChangedFile(path, "new") for path in listed.split("\0") if path]


def _sorted(files: Sequence[ChangedFile]) -> tuple[ChangedFile, ...]:
    """Each path once, by its bytes; a name that is no Unicode can stand in no document."""
    by_path = {file.path: file for file in files if is_text(file.path)}
    return tuple(sorted(by_path.values(), key=lambda file: file.path.encode()))


def _as_now(files: Sequence[ChangedFile], since: Sequence[ChangedFile]) -> list[ChangedFile]:
    """Changes between two commits, in the lines and under the paths that the files have now."""
    later = {file.was or file.path: file for file in since}
    found = []
    for file in files:
        after = later.get(file.path)
        if after is None or file.state == "deleted":
            found.append(file)
        elif after.state == "deleted":
            found.append(ChangedFile(file.path, "deleted", file.was, file.hunks))
        else:
            hunks = tuple(_moved(hunk, after.hunks) for hunk in file.hunks)
            found.append(ChangedFile(after.path, file.state, file.was or file.path, hunks))
    return found


def _moved(hunk: Hunk, later: Sequence[Hunk]) -> Hunk:
    """A hunk in the lines of a file that changed again."""
    first, last = _line_now(hunk.line, later), _line_now(hunk.line + max(hunk.count, 1) - 1, later)
    return Hunk(hunk.old_line, hunk.old_count, first, max(1, last - first + 1) if hunk.count else 0)


def _line_now(line: int, later: Sequence[Hunk]) -> int:
    """Where a line is after later changes; a line that they replaced is where they begin."""
    moved = 0
    for hunk in later:
        end = hunk.old_line + hunk.old_count if hunk.old_count else hunk.old_line + 1
        if end <= line:
            moved += hunk.count - hunk.old_count
        elif hunk.old_count and hunk.old_line <= line:
            return max(1, hunk.line)
    return line + moved
