"""Which lines a commit changed, and where they stand in an older tree."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from context_pack.benchmark.history import Commit, git

_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Hunk:
    """`old_count` lines from `old` became `new_count` lines from `new` (1-based; a count of 0: after that line)."""

    old: int
    old_count: int
    new: int
    new_count: int


def hunks(diff: bytes) -> list[Hunk]:
    """The hunks of a unified diff of one file, without context, in order."""
    rows = (tuple(1 if part is None else int(part) for part in found.groups()) for found in _HUNK.finditer(diff))
    return [Hunk(*row) for row in rows]


def carried(line: int, between: Iterable[Hunk]) -> int:
    """Where a line stands after a diff; a line that the diff replaced stands where its replacement begins."""
    shift = 0
    for hunk in between:
        if line < hunk.old or (line == hunk.old and not hunk.old_count):
            break
        if line < hunk.old + hunk.old_count:
            return max(1, hunk.new)
        shift += hunk.new_count - hunk.old_count
    return line + shift


def difference(git_dir: Path, before: str, after: str, path: str) -> list[Hunk]:
    """The hunks that make a file of one revision that of another; none when git lacks one of them.

    Plumbing, as text: neither the repository's attributes nor anybody's configuration decide what is printed or run.
    """
    options = ("-r", "-p", "-U0", "--text", "--no-ext-diff", "--no-textconv", "--no-renames")
    return hunks(git(git_dir, "--literal-pathspecs", "diff-tree", *options, before, after, "--", path))


def changed_lines(git_dir: Path, commit: Commit, path: str) -> list[tuple[int, int]]:
    """(first, last) line of each place that a commit changed in the file before it, in order.

    Where it only added lines, the line that they follow stands for the place.
    """
    found = difference(git_dir, commit.parent, commit.sha, path)
    replaced = [hunk for hunk in found if hunk.old_count]
    return [(max(1, hunk.old), max(1, hunk.old + max(hunk.old_count, 1) - 1)) for hunk in replaced or found]


def lines_at(git_dir: Path, commit: Commit, path: str, revision: str) -> frozenset[int]:
    """The lines that a commit changed, as they stand in the file at an older revision."""
    changed = changed_lines(git_dir, commit, path)
    between = difference(git_dir, commit.parent, revision, path) if changed else []
    return frozenset(carried(line, between) for first, last in changed for line in range(first, last + 1))
