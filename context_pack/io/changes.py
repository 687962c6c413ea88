"""Which lines of which files changed, between a revision and the working tree or between two revisions.

Line ranges are 1-based and inclusive, and mean the files as they are in the working tree now: that is what is indexed.
No external diff, no text conversion, no clean filters; every setting that changes a diff's text is given, so that two
machines say the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from context_pack.io.git import GitFailed, commit_of, filters_off, run
from context_pack.io.paths import is_text

_RANGE = re.compile(r"(?P<base>.*?)(?P<dots>\.{2,3})(?P<head>.*)")
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_DIFF = (
    "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--relative", "--ignore-submodules=all",
    "--diff-algorithm=myers", "--indent-heuristic", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/",
    "-O/dev/null",
)  # fmt: skip
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
    """A file that differs, and its unified diff; `was` is its former path where it was renamed.

    A file that git does not know yet has neither hunks nor a patch.
    """

    path: str
    state: str
    was: str = ""
    hunks: tuple[Hunk, ...] = ()
    patch: str = ""

    @property
    def is_new(self) -> bool:
        return self.state in ("added", "new")

    @property
    def is_binary(self) -> bool:
        return "\nBinary files " in self.patch

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

    @property
    def summary(self) -> str:
        """`modified, +12 -3`."""
        if self.is_binary or not self.patch:
            return f"{self.state}, binary" if self.patch else self.state
        signs = re.findall(r"^[+-]", self.patch[self.patch.find("\n@@") :], re.MULTILINE) if self.hunks else []
        return f"{self.state}, +{signs.count('+')} -{signs.count('-')}"


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


def delta(root: Path, base: str) -> Changes:
    """The files below `root` that differ from `base`, those that are not committed or not even added among them.

    A renamed file is one that is gone and one that is new. Errors as for `changes`, the field is `base`.
    """
    commit = commit_of(root, base, "base")
    return Changes(base, commit, "", _by_path(_unknown(root), _between(root, "--no-renames", "-U3", commit)))


def changes(root: Path, asked: str) -> Changes:
    """What changed below `root`: since `REV` with everything not committed, or by `REV..REV` (`...`: since the fork).

    InvalidRequest (`diff`) when a revision names no commit or the root is in no repository; GitFailed when git fails.
    """
    span = _RANGE.fullmatch(asked)
    base, head = (span["base"] or "HEAD", span["head"] or "HEAD") if span else (asked, "")
    commit = commit_of(root, base, "diff")
    if span is None:
        return Changes(base, commit, "", _by_path(_renamed(root, commit), _unknown(root)))
    until = commit_of(root, head, "diff")
    if span["dots"] == "...":
        commit = run(root, ["merge-base", commit, until]).decode("ascii").strip()
    return Changes(base, commit, head, _by_path(_as_now(_renamed(root, commit, until), _renamed(root, until))))


def old_text(root: Path, commit: str, path: str) -> bytes | None:
    """A file as it was in a commit; None when it cannot be had. `path` is relative to the root."""
    try:
        return run(root, ["show", "--no-textconv", f"{commit}:./{path}"])
    except GitFailed:
        return None


def _renamed(root: Path, *commits: str) -> list[ChangedFile]:
    return _between(root, "--find-renames", "-U0", *commits)


def _between(root: Path, renames: str, context: str, *commits: str) -> list[ChangedFile]:
    """The files that differ between two commits, or between one and the working tree."""
    filters = filters_off(root)
    diff = [*_DIFF, renames]
    raw = run(root, [*diff, "--raw", "-z", "--abbrev=40", *commits, "--"], filters).decode("utf-8", "surrogateescape")
    files = _named(raw.split("\0"))

    def patches(*paths: str) -> str:
        literal = ["--literal-pathspecs"] if paths else []
        asked = [*literal, *diff, "--patch", context, *commits, "--", *paths]
        return run(root, asked, filters).decode("utf-8", "replace")

    # In the diff of all files no line but a patch's first starts with `diff --git`.
    found = [f"diff --git {patch}" for patch in re.split(r"(?m)^diff --git ", patches())[1:]]
    if len(found) != len(files):  # a file that became a link has two patches, an unmerged one none
        found = [patches(*filter(None, (file.was, file.path))) for file in files]
    return [replace(file, patch=patch, hunks=_hunks(patch)) for file, patch in zip(files, found, strict=True)]


def _named(fields: Sequence[str]) -> list[ChangedFile]:
    """Files and states of `git diff --raw -z`: a rename names two paths."""
    files: list[ChangedFile] = []
    rest = iter(fields)
    for meta in filter(None, rest):
        state = meta.rsplit(" ", 1)[-1][:1]
        was = next(rest) if state in "RC" else ""
        files.append(ChangedFile(next(rest), _STATES.get(state, "changed"), was))
    return files


def _hunks(patch: str) -> tuple[Hunk, ...]:
    return tuple(Hunk(*(int(part) if part else 1 for part in match.groups())) for match in _HUNK.finditer(patch))


def _unknown(root: Path) -> list[ChangedFile]:
    """Files that git does not know yet and does not ignore."""
    listed = run(root, ["ls-files", "--others", "--exclude-standard", "-z"]).decode("utf-8", "surrogateescape")
    return [ChangedFile(path, "new") for path in listed.split("\0") if path]


def _by_path(*files: Iterable[ChangedFile]) -> tuple[ChangedFile, ...]:
    """Each path once, by its bytes, the last one's word; a name that is no Unicode can stand in no document."""
    by_path = {file.path: file for some in files for file in some if is_text(file.path)}
    return tuple(sorted(by_path.values(), key=lambda file: file.path.encode()))


def _as_now(files: Sequence[ChangedFile], since: Sequence[ChangedFile]) -> Iterator[ChangedFile]:
    """Changes between two commits, in the lines and under the paths that the files have now."""
    later = {file.was or file.path: file for file in since}
    for file in files:
        after = later.get(file.path)
        if after is None or file.state == "deleted":
            yield file
        elif after.state == "deleted":
            yield replace(file, state="deleted")
        else:
            hunks = tuple(_moved(hunk, after.hunks) for hunk in file.hunks)
            yield replace(file, path=after.path, was=file.was or file.path, hunks=hunks)


def _moved(hunk: Hunk, later: Sequence[Hunk]) -> Hunk:
    """A hunk in the lines of a file that changed again."""
    first, last = _line_now(hunk.line, later), _line_now(hunk.line + max(hunk.count, 1) - 1, later)
    return replace(hunk, line=first, count=max(1, last - first + 1) if hunk.count else 0)


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
