"""Which lines a commit changed, and where they stand in an older tree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from context_pack.benchmark.history import Commit, git
from context_pack.io import patches
from context_pack.io.patches import Hunk


def hunks(diff: bytes) -> Sequence[Hunk]:
    """The hunks of a unified diff of one file, without context, in order."""
    return patches.hunks(diff.decode("utf-8", "replace"))


def carried(line: int, between: Iterable[Hunk]) -> int:
    """Where a line stands after a diff; a line that the diff replaced stands where its replacement begins."""
    shift = 0
    for hunk in between:
        if line < hunk.old_line or (line == hunk.old_line and not hunk.old_count):
            break
        if line < hunk.old_line + hunk.old_count:
            return max(1, hunk.line)
        shift += hunk.count - hunk.old_count
    return line + shift


def difference(git_dir: Path, before: str, after: str, path: str) -> Sequence[Hunk]:
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
    return [(max(1, hunk.old_line), max(1, hunk.old_line + max(hunk.old_count, 1) - 1)) for hunk in replaced or found]


def lines_at(git_dir: Path, commit: Commit, path: str, revision: str) -> frozenset[int]:
    """The lines that a commit changed, as they stand in the file at an older revision."""
    changed = changed_lines(git_dir, commit, path)
    between = difference(git_dir, commit.parent, revision, path) if changed else []
    return frozenset(carried(line, between) for first, last in changed for line in range(first, last + 1))
