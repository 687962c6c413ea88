"""Which lines of a tree a later commit changed: the places that its subject asks for, finer than the files."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from context_pack.evaluation.history import Commit, blobs, git

_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
MAX_PLACES = 12  # of one file; a commit that touches more of it was not about a place


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


def changed_lines(git_dir: Path, commit: Commit, path: str) -> list[tuple[int, int]]:
    """(first, last) line of each place that a commit changed in the file before it, in order.

    Where it only added lines, the line that they follow stands for the place.
    """
    found = hunks(git(git_dir, "diff", "-U0", "--no-ext-diff", commit.parent, commit.sha, "--", path))
    replaced = [hunk for hunk in found if hunk.old_count]
    return [(max(1, hunk.old), max(1, hunk.old + max(hunk.old_count, 1) - 1)) for hunk in replaced or found]


def places(git_dir: Path, commit: Commit, path: str, tree: Path) -> list[tuple[int, int]]:
    """The lines of `tree`/`path` that a later commit changed; none where it changed too many or git lacks the file.

    The tree is older than the commit's parent: lines are carried over by the difference of the two files.
    """
    changed = changed_lines(git_dir, commit, path)
    (before,) = blobs(git_dir, commit.parent, [path])
    if before is None or not changed or len(changed) > MAX_PLACES:
        return []
    between = difference(before, tree / path)
    return sorted({(carried(first, between), carried(last, between)) for first, last in changed})


def difference(before: bytes, after: Path) -> Sequence[Hunk]:
    """The hunks that make the file `after` of the text `before`."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(before)
        file.flush()
        return hunks(git(Path(), "diff", "--no-index", "-U0", "--no-ext-diff", "--", file.name, str(after)))
