"""Finds the lines of a tree that a later commit changed: more exact answers to its subject than whole files."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from context_pack.benchmark.history import Commit, blobs, changed_lines, git
from context_pack.io import patches
from context_pack.io.patches import Hunk, line_after

MAX_PLACES = 12  # per file; a commit with more changes in a file is not about one place


def places(git_dir: Path, commit: Commit, path: str, tree: Path) -> list[tuple[int, int]]:
    """The lines of `tree`/`path` that a later commit changed; none if it changed too many or git lacks the file.

    The tree is older than the commit's parent, so the lines are mapped through the difference of the two files.
    """
    ranges = changed_lines(git_dir, commit, path)
    (before,) = blobs(git_dir, commit.parent, [path])
    if before is None or not ranges or len(ranges) > MAX_PLACES:
        return []
    hunks = difference(before, tree / path)
    return sorted({(line_after(first, hunks), line_after(last, hunks)) for first, last in ranges})


def difference(before: bytes, after: Path) -> Sequence[Hunk]:
    """The hunks that turn the text `before` into the file `after`."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(before)
        file.flush()
        diff = git(Path(), "diff", "--no-index", "-U0", "--no-ext-diff", "--", file.name, str(after))
        return patches.hunks(diff.decode("utf-8", "replace"))
